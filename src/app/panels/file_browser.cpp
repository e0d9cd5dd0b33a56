// SPDX-License-Identifier: MIT
// The dialog for opening and saving. Its lists come from app/editing/file_listing.h.
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/editing/file_filters.h"
#include "app/jobs/pictures.h"
#include "app/panels/dialog.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/text.h"
#include "limber/io/export_formats.h"

namespace limber::app {

namespace {
namespace fs = std::filesystem;

/// The title of the dialog for a command that takes a file, and the kind of file or folder to choose.
struct FileQuestion {
  enum class For { File, NewFile, Folder };

  Command command;
  const char* title;
  For what = For::File;
  const char* extension = "";  ///< of a new file
};
using For = FileQuestion::For;

constexpr FileQuestion kQuestions[] = {
    {Command::Open, "Open###browser"},
    {Command::LoadMotion, "Load motion###browser"},
    {Command::OpenObservations, "Fit to observations###browser"},
    {Command::AddProp, "Mesh as an obstacle###browser"},
    {Command::OpenExample, "Open example###browser"},
    {Command::OpenReference, "Reference picture###browser"},
    {Command::LookIn, "Folder that has the files###browser", For::Folder},
    {Command::SaveAs, "Save as###browser", For::NewFile, ".limber"},
    {Command::SaveFigureAs, "Save figure as###browser", For::NewFile, ".json"},
    {Command::SaveRace, "Export race as###browser", For::NewFile, ".csv"},
    {Command::SaveShell, "Export workspace as###browser", For::NewFile, ".ply"},
    {Command::Export, "Export pose or motion as###browser", For::NewFile},
    {Command::SavePicture, "Save picture as###browser", For::NewFile, ".png"},
    {Command::SavePictures, "Save PNG sequence as###browser", For::NewFile, ".png"},
};

/// A command without a question asks as Open does.
const FileQuestion& questionOf(Command command) {
  const auto found = std::ranges::find(kQuestions, command, &FileQuestion::command);
  return found == std::end(kQuestions) ? kQuestions[0] : *found;
}

bool asksFor(const FileBrowserState& browser, For what) { return questionOf(browser.command).what == what; }

const FileFilter& filterOf(const FileBrowserState& browser) { return browser.filters[browser.filter]; }

void enter(FileBrowserState& browser, const fs::path& folder) {
  browser.folder = folder.lexically_normal();
  if (browser.folder.filename().empty() && browser.folder.has_parent_path() &&
      browser.folder != browser.folder.root_path())
    browser.folder = browser.folder.parent_path();
  browser.listingStale = true;
  browser.selected.clear();
  browser.error.clear();
}

/// The initial text of the name field.
std::string suggestedName(const Session& session, Command command) {
  if (questionOf(command).what != For::NewFile) return {};
  const fs::path file = session.editor.file();
  if (command == Command::Export) return exportName(session.document());
  const std::string extension = questionOf(command).extension;
  if (command == Command::SaveRace) return "race" + extension;
  if (command == Command::SaveShell) return "workspace" + extension;
  if (command == Command::SaveAs) return (file.empty() ? "scene" : io::asUtf8(file.stem().string())) + extension;
  std::string name = session.document().figure->name();
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; }, '_');
  if (command == Command::SavePictures) name += "_%04d";
  return (name.empty() ? "figure" : name) + extension;
}

/// Queues the command that the dialog is for with the chosen file, and closes it.
void save(FileBrowserState& browser, CommandQueue& queue) {
  queue.add(browser.command, browser.chosen);
  browser.isOpen = false;
}

/// A file that would be replaced; empty for none.
fs::path standingThere(const FileBrowserState& browser) {
  std::error_code error;
  if (browser.command != Command::SavePictures) return fs::exists(browser.chosen, error) ? browser.chosen : fs::path();
  const PictureChoice& pictures = browser.pictures;
  for (int frame = pictures.first; frame <= pictures.last; frame += pictures.step)
    if (const fs::path file = *framePath(browser.chosen.string(), frame); fs::exists(file, error)) return file;
  return {};
}

/// ".bvh, .json, ..."
std::string endingsOf(const FileFilter& filter) {
  std::string endings;
  for (const std::string_view ending : filter.extensions)
    endings += (endings.empty() ? "" : ", ") + std::string(ending);
  return endings;
}

/// The endings for the file dialog of a browser: ".bvh,.glb".
std::string chosenEndings(const FileBrowserState& browser) {
  std::string endings;
  for (const std::string_view ending : browser.filters.front().extensions)
    endings += (endings.empty() ? "" : ",") + std::string(ending);
  return endings;
}

void open(const Session& session, FileBrowserState& browser) {
  browser.isOpen = true;
  browser.focusName = browser.selectStem = true;
  browser.overwrite.reset();
  std::error_code error;
  fs::path folder = session.settings.lastFolder;
  if (folder.empty() || !fs::is_directory(folder, error)) folder = fs::current_path(error);
  enter(browser, folder);
  browser.typed = suggestedName(session, browser.command);
  browser.filters = fileFilters(browser.command, session.document());
  browser.filter = browser.typed.empty() ? 0 : filterFor(browser.filters, browser.typed);
  if (asksFor(browser, For::File)) platform::chooseFile(chosenEndings(browser));  // in a page
}

/// Accepts a name after Enter, a double click or the button: enters a folder, or chooses a file.
void choose(FileBrowserState& browser, const std::string& text, CommandQueue& queue) {
  if (text.empty()) return;
  fs::path path = typedPath(browser.folder, text);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    enter(browser, path);
    if (!asksFor(browser, For::NewFile)) browser.typed.clear();
    return;
  }
  if (asksFor(browser, For::Folder)) {
    browser.error = "open the folder, then press Use folder";
    return;
  }
  if (asksFor(browser, For::File)) {
    if (!fs::exists(path, error)) {
      browser.error = path.string() + ": " + (error ? error.message() : "there is no such file");
      return;
    }
    browser.chosen = path;
  } else {
    path = withOneEnding(browser.filters, withExtension(path.string(), questionOf(browser.command).extension));
    if (!fs::is_directory(path.parent_path(), error)) {
      browser.error = path.parent_path().string() + ": there is no such folder";
      return;
    }
    if (browser.command == Command::Export && !path.has_extension())
      path = withEndingOf(filterOf(browser), path.string());
    if (browser.command == Command::Export && !io::findExportFormat(path)) {
      browser.error = "the file extension selects the format: " + endingsOf(browser.filters.front());
      return;
    }
    if (browser.command == Command::SavePictures && !framePath(path.string(), 0)) {
      browser.error = "the name needs %d or %04d for the frame number";
      return;
    }
    browser.chosen = path;
    if (const fs::path file = standingThere(browser); !file.empty()) {
      browser.overwrite = file;
      browser.focusAnswer = true;
      return;
    }
  }
  save(browser, queue);
}

/// Draws the present folder and its ancestors as buttons.
void drawPath(FileBrowserState& browser) {
  fs::path upTo;
  fs::path chosen;
  int index = 0;
  const float right = ImGui::GetContentRegionMax().x;
  for (const fs::path& part : browser.folder) {
    upTo /= part;
    const std::string name = io::asUtf8(part.string()), label = name + "##" + std::to_string(index);
    const float width = ImGui::CalcTextSize(name.c_str()).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    if (index++ > 0) {
      ImGui::SameLine(0.0f, 3.0f);
      if (ImGui::GetCursorPosX() + width > right) ImGui::NewLine();
    }
    if (ImGui::Button(label.c_str())) chosen = upTo;
  }
  if (!chosen.empty()) enter(browser, chosen);
}

void drawPlaces(const Session& session, FileBrowserState& browser, CommandQueue& queue) {
  if (platform::kIsPage && asksFor(browser, For::File) && ImGui::Selectable("This computer ...", false))
    platform::chooseFile(chosenEndings(browser));
  if (const char* home = std::getenv("HOME"); home && ImGui::Selectable("Home", false)) enter(browser, home);
  if (ImGui::Selectable(platform::kIsPage ? "Files of the page" : "Computer", false)) enter(browser, "/");
  ImGui::Separator();
  disabledText("Recent");
  for (const std::string& file : session.settings.recentFiles) {
    ImGui::PushID(file.c_str());
    if (ImGui::Selectable(io::asUtf8(fs::path(file).filename().string()).c_str(), false)) {
      if (asksFor(browser, For::File)) choose(browser, file, queue);
      else enter(browser, fs::path(file).parent_path());
    }
    tooltip(file);
    ImGui::PopID();
  }
}

void drawEntries(FileBrowserState& browser, CommandQueue& queue) {
  const float sizeAt = ImGui::GetContentRegionMax().x - 5.5f * ImGui::GetFontSize();
  std::string chosen;
  if (ImGui::Selectable("..", false, ImGuiSelectableFlags_AllowDoubleClick) && ImGui::IsMouseDoubleClicked(0))
    chosen = "..";
  rowsInSight(browser.listing.entries.size(), -1.0f, [&](std::size_t i) {
    const FileEntry& entry = browser.listing.entries[i];
    ImGui::PushID(static_cast<int>(i));
    const std::string label = io::asUtf8(entry.name) + (entry.isFolder ? "/" : "");
    if (entry.isFolder) ImGui::PushStyleColor(ImGuiCol_Text, presentTheme.folder);
    if (browser.selected == entry.name && std::exchange(browser.scrollToSelected, false)) ImGui::SetScrollHereY();
    if (ImGui::Selectable(label.c_str(), browser.selected == entry.name, ImGuiSelectableFlags_AllowDoubleClick)) {
      browser.selected = entry.name;
      browser.error.clear();
      if (!entry.isFolder) browser.typed = entry.name;
      if (ImGui::IsMouseDoubleClicked(0)) chosen = entry.name;
    }
    if (entry.isFolder) ImGui::PopStyleColor();
    else {
      ImGui::SameLine(sizeAt);
      disabledText("%s", sizeText(entry.size).c_str());
    }
    ImGui::PopID();
  });
  if (!chosen.empty()) choose(browser, chosen, queue);
}

/// Selects the name without its extension when a dialog opens, so that typing replaces only the stem. Dear ImGui would
/// keep the caret of the last dialog.
void selectStem(ImGuiInputTextCallbackData* data) {
  const std::string name(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  data->SelectionStart = 0;
  data->CursorPos = data->SelectionEnd = static_cast<int>(fs::path(name).replace_extension().string().size());
}

/// Selects the entry above or below the selected one; returns its name, or nothing in an empty folder.
std::string stepThroughEntries(FileBrowserState& browser, int by) {
  const std::vector<FileEntry>& entries = browser.listing.entries;
  if (entries.empty()) return {};
  const int last = static_cast<int>(entries.size()) - 1;
  const auto found = std::ranges::find(entries, browser.selected, &FileEntry::name);
  const int at = found != entries.end() ? static_cast<int>(found - entries.begin()) + by : by > 0 ? 0 : last;
  browser.scrollToSelected = true;
  return browser.selected = entries[static_cast<std::size_t>(std::clamp(at, 0, last))].name;
}

/// Tab completes the name by the files of the folder, and goes on if it is complete; arrows step through the files.
int onNameEvent(ImGuiInputTextCallbackData* data) {
  auto& browser = *static_cast<FileBrowserState*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    const std::string name = stepThroughEntries(browser, data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    if (name.empty()) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, name.c_str());
    return 0;
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
    if (std::exchange(browser.selectStem, false)) selectStem(data);
    return 0;
  }
  const std::string longer =
      complete(browser.folder, std::string(data->Buf, static_cast<std::size_t>(data->BufTextLen)), browser.showHidden);
  browser.isTabTaken = longer != data->Buf;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, longer.c_str());
  return 0;
}

void drawName(FileBrowserState& browser, Dialog& dialog) {
  char buffer[1024];
  const std::size_t length = std::min(browser.typed.size(), sizeof buffer - 1);
  browser.typed.copy(buffer, length);
  buffer[length] = 0;
  if (std::exchange(browser.focusName, false)) dialog.want(dialog.stopCount());
  browser.isTabTaken = false;
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##name", "name or path: Tab completes, arrows choose, Enter opens", buffer, sizeof buffer,
                           ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                               ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways,
                           onNameEvent, &browser);
  dialog.stop(true);
  if (browser.isTabTaken) dialog.takeTab();
  if (browser.typed != buffer) browser.error.clear();
  browser.typed = buffer;
}

/// Asks whether to replace a file; Enter and Esc keep it.
void drawOverwrite(FileBrowserState& browser, Dialog& dialog, CommandQueue& queue) {
  ImGui::TextColored(colors::kAmber, "%s exists. Replace it?",
                     io::asUtf8(browser.overwrite->filename().string()).c_str());
  if (std::exchange(browser.focusAnswer, false)) dialog.want(dialog.stopCount());
  const int pressed = dialog.buttons({"Keep it", "Replace"});
  if (pressed == 1) save(browser, queue);
  if (pressed >= 0) browser.overwrite.reset();
}

void drawFilter(FileBrowserState& browser, Dialog& dialog) {
  ImGui::SetNextItemWidth(dialog.width(14.0f));
  if (ImGui::BeginCombo("##filter", filterOf(browser).label.c_str())) {
    for (std::size_t i = 0; i < browser.filters.size(); ++i)
      if (ImGui::Selectable(browser.filters[i].label.c_str(), browser.filter == static_cast<int>(i))) {
        browser.filter = static_cast<int>(i);
        browser.listingStale = true;
        if (browser.command == Command::Export) browser.typed = withEndingOf(browser.filters[i], browser.typed);
      }
    ImGui::EndCombo();
  }
  dialog.stop();
  ImGui::SameLine();
  if (ImGui::Checkbox("Hidden files", &browser.showHidden)) browser.listingStale = true;
  dialog.stop();
}

/// What the user must know, in one line.
void drawRemark(const FileBrowserState& browser) {
  if (!browser.error.empty()) ImGui::TextColored(colors::kUnmet, "%s", browser.error.c_str());
  else if (browser.listing.isCut) fittedNote("the folder is large: only a part is shown, type to reach the rest");
  else if (asksFor(browser, For::Folder)) fittedNote("the folder that is shown is used");
  else ImGui::NewLine();
}

void drawBottom(FileBrowserState& browser, Dialog& dialog, CommandQueue& queue) {
  drawName(browser, dialog);
  drawFilter(browser, dialog);
  if (browser.overwrite) return drawOverwrite(browser, dialog, queue);
  drawRemark(browser);
  const bool isFolder = asksFor(browser, For::Folder);
  const char* accept = isFolder ? "Use folder" : asksFor(browser, For::File) ? "Open" : "Save";
  const int answer = dialog.answers({accept, "Cancel"});
  if (answer == 1) browser.isOpen = false;
  if (answer != 0) return;
  if (isFolder && browser.typed.empty()) {
    browser.chosen = browser.folder;
    save(browser, queue);
  } else if (!browser.typed.empty() || !browser.selected.empty()) {
    choose(browser, browser.typed.empty() ? browser.selected : browser.typed, queue);
    browser.focusName = !browser.overwrite;
  }
}

/// The height of all that is below the lists.
float bottomHeight(const FileBrowserState& browser) {
  const float more = browser.command == Command::SavePicture    ? 1.0f
                     : browser.command == Command::SavePictures ? 2.0f
                                                                : 0.0f;
  return (4.0f + more) * ImGui::GetFrameHeightWithSpacing() + 0.6f * ImGui::GetFontSize();
}

}  // namespace

void drawFileBrowser(const Session& session, UiState& ui, CommandQueue& queue) {
  FileBrowserState& browser = ui.browser;
  if (browser.wanted) {
    open(session, browser);
    preparePictures(session, browser.pictures);
  }
  if (browser.overwrite && std::exchange(ui.popups.closes, false)) browser.overwrite.reset();
  const float em = ImGui::GetFontSize();
  Dialog dialog(questionOf(browser.command).title, browser.wanted, ui, ImVec2(46.0f * em, 32.0f * em));
  if (!dialog) {
    browser.isOpen = false;
    return;
  }
  if (const std::string file = platform::takeChosenFile(); !file.empty()) choose(browser, file, queue);
  if (browser.listingStale) {
    browser.listing = listFolder(browser.folder, filterOf(browser), browser.showHidden);
    browser.listingStale = false;
    if (!browser.listing.error.empty()) browser.error = browser.listing.error;
  }
  drawPath(browser);
  const float bottom = bottomHeight(browser);
  if (ImGui::BeginChild("places", ImVec2(dialog.width(10.0f), -bottom))) drawPlaces(session, browser, queue);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
  if (ImGui::BeginChild("entries", ImVec2(0.0f, -bottom), false, ImGuiWindowFlags_AlwaysUseWindowPadding))
    drawEntries(browser, queue);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  if (browser.command == Command::SavePicture || browser.command == Command::SavePictures)
    drawPictureRows(session, browser.command == Command::SavePictures, ui);
  drawBottom(browser, dialog, queue);
  if (!browser.isOpen) dialog.close();
}

}  // namespace limber::app
