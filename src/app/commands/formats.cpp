// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"
#include "app/commands/output.h"
#include "limber/io/export_formats.h"
#include "limber/io/figure_formats.h"

namespace limber::app {

namespace {

using FormatCells = std::vector<std::string>;

std::string tableRow(const FormatCells& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string endingCell(const std::vector<std::string_view>& endings) {
  std::string cell;
  for (const std::string_view ending : endings) cell += (cell.empty() ? "`*" : ", `*") + std::string(ending) + "`";
  return cell;
}

}  // namespace

std::string readFormatsTable() {
  std::string table = tableRow({"name", "what", "what is read", "what is left out"}) + "|---|---|---|---|\n";
  for (const io::FigureFormat& format : io::figureFormats())
    table += tableRow(
        {endingCell(format.endings), std::string(format.name), std::string(format.kept), std::string(format.leftOut)});
  return table;
}

std::string writtenFormatsTable() {
  std::string table = tableRow({"name", "what", "what is written", "what is left out"}) + "|---|---|---|---|\n";
  for (const io::ExportFormat& format : io::exportFormats())
    table += tableRow(
        {endingCell({format.ending}), std::string(format.name), std::string(format.kept), std::string(format.leftOut)});
  return table;
}

int runFormats(Console& console) {
  return console.print("Formats of other programs that open:\n\n" + readFormatsTable() +
                       "\nFormats that are written:\n\n" + writtenFormatsTable());
}

}  // namespace limber::app
