// SPDX-License-Identifier: MIT
#include "app/commands/reference.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <vector>

#include "limber/version.h"

namespace limber::app {

namespace {

std::vector<const CLI::App*> shownVerbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& app, bool arePositional) {
  return app.get_options([&](const CLI::Option* option) { return option->get_positional() == arePositional; });
}

bool takesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The words that the option accepts; empty if it also accepts others.
std::vector<std::string> choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // "TEXT:{free,fixed}"
  const std::size_t first = type.find('{'), last = type.find('}');
  if (first == std::string::npos || last == std::string::npos) return {};
  return CLI::detail::split(type.substr(first + 1, last - first - 1), ',');
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

/// "-o", "--out".
std::vector<std::string> namesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// --- The manual page, in the macros of man(7)

std::string roff(const std::string& text) { return replaced(replaced(text, "\\", "\\e"), "-", "\\-"); }

std::string manualOption(const CLI::Option& option) {
  std::string head = option.get_positional() ? option.get_name() : joined(namesOf(option), ", ");
  const std::vector<std::string> choices = choicesOf(option);
  if (!option.get_positional() && takesValue(option)) head += choices.empty() ? " X" : " " + joined(choices, "|");
  return ".TP\n.B " + roff(head) + "\n" + roff(option.get_description()) + "\n";
}

std::string manualOptions(const CLI::App& app) {
  std::string text;
  for (const bool arePositional : {true, false})
    for (const CLI::Option* option : optionsOf(app, arePositional)) text += manualOption(*option);
  return text;
}

std::string manualVerb(const CLI::App& verb) {
  std::string head = "limber " + verb.get_name();
  for (const CLI::Option* option : optionsOf(verb, true)) head += " " + option->get_name();
  return ".SS " + roff(head) + "\n" + roff(verb.get_description()) + ".\n" + manualOptions(verb);
}

std::string manual(const CLI::App& app) {
  std::string text =
      ".\\\" SPDX-License-Identifier: MIT\n"
      ".TH LIMBER 1 \"\" \"Limber " LIMBER_VERSION
      "\" \"User commands\"\n"
      ".SH NAME\nlimber \\- pose articulated figures by inverse kinematics\n"
      ".SH SYNOPSIS\n.B limber\n.RI [ FILE ]\n.RI [ OPTIONS ]\n.br\n.B limber\n.I VERB\n.RI [ ARGUMENTS ]\n"
      ".SH DESCRIPTION\n"
      "Without a verb\n.B limber\nopens its window. Press on a limb and drag: the rest of the body follows within its "
      "joint limits. F1 shows every key. With a verb it works without a window and without a display.\n"
      ".SH OPTIONS OF THE WINDOW\n" +
      manualOptions(app) + ".SH VERBS\n";
  for (const CLI::App* verb : shownVerbs(app)) text += manualVerb(*verb);
  return text + ".SH EXIT STATUS\n" + roff(replaced(app.get_footer(), "\n", "\n.PP\n")) +
         "\n.SH ENVIRONMENT\n.TP\n.B LIMBER_RESOURCES\n"
         "A folder that is looked at first for figures, scenes, shaders and fonts.\n"
         ".SH FILES\n.TP\n.I /usr/share/doc/limber\n"
         "The guide (docs/guide.md), the file formats, a page for each solver and goal.\n";
}

// --- Completion

constexpr const char* kNoEdits = "# SPDX-License-Identifier: MIT\n# Made by: limber reference ";

std::string bashVerb(const CLI::App& verb) {
  std::vector<std::string> names;
  std::string choices;
  for (const CLI::Option* option : optionsOf(verb, false)) {
    for (const std::string& name : namesOf(*option)) names.push_back(name);
    if (const auto words = choicesOf(*option); takesValue(*option) && !words.empty())
      choices += "        " + joined(namesOf(*option), "|") + ") words=\"" + joined(words, " ") + "\"; isChoice=1 ;;\n";
  }
  return "    " + verb.get_name() + ")\n      words=\"" + joined(names, " ") + "\"\n      case $before in\n" + choices +
         "      esac ;;\n";
}

std::string bash(const CLI::App& app) {
  std::vector<std::string> first;
  std::string verbs;
  for (const CLI::App* verb : shownVerbs(app)) {
    first.push_back(verb->get_name());
    verbs += bashVerb(*verb);
  }
  for (const CLI::Option* option : optionsOf(app, false))
    for (const std::string& name : namesOf(*option)) first.push_back(name);
  return std::string(kNoEdits) +
         "bash\n\n_limber() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= isChoice=\n"
         "  compopt -o filenames 2> /dev/null\n"
         "  case ${COMP_WORDS[1]} in\n" +
         verbs + "    *)\n      words=\"" + joined(first, " ") +
         "\" ;;\n  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "  if [[ ! $isChoice && $word != -* ]]; then\n"
         "    if ((COMP_CWORD > 1)); then COMPREPLY=(); fi\n"
         "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$word\")\n"
         "  fi\n}\n"
         "complete -F _limber limber\n";
}

std::string zshQuoted(const std::string& text) {
  return replaced(replaced(replaced(text, "'", "'\\''"), "[", "\\["), "]", "\\]");
}

std::string zshOptions(const CLI::App& app, const std::string& indent) {
  std::string text;
  for (const CLI::Option* option : optionsOf(app, false)) {
    const std::vector<std::string> choices = choicesOf(*option);
    for (const std::string& name : namesOf(*option)) {
      text += indent + "'" + name + "[" + replaced(zshQuoted(option->get_description()), ":", "\\:") + "]";
      if (takesValue(*option)) text += choices.empty() ? ":value:_files" : ":value:(" + joined(choices, " ") + ")";
      text += "' \\\n";
    }
  }
  return text;
}

std::string zsh(const CLI::App& app) {
  std::string list, verbs;
  for (const CLI::App* verb : shownVerbs(app)) {
    list += "      '" + verb->get_name() + ":" + zshQuoted(verb->get_description()) + "'\n";
    verbs += "    " + verb->get_name() + ")\n      _arguments \\\n" + zshOptions(*verb, "        ") +
             "        '*:file:_files' ;;\n";
  }
  return "#compdef limber\n" + std::string(kNoEdits) +
         "zsh\n\n_limber() {\n  if ((CURRENT == 2)); then\n    local -a verbs=(\n" + list +
         "    )\n    _describe verb verbs\n    _arguments \\\n" + zshOptions(app, "      ") +
         "      '*:file:_files'\n    return\n  fi\n  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n"
         "  case $verb in\n" +
         verbs + "    *) _files ;;\n  esac\n}\n\n_limber \"$@\"\n";
}

std::string fishQuoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fishOptions(const CLI::App& app, const std::string& condition) {
  std::string text;
  for (const CLI::Option* option : optionsOf(app, false)) {
    text += "complete -c limber -n " + condition;
    for (const std::string& name : option->get_snames()) text += " -s " + name;
    for (const std::string& name : option->get_lnames()) text += " -l " + name;
    const std::vector<std::string> choices = choicesOf(*option);
    if (takesValue(*option)) text += choices.empty() ? " -r" : " -x -a " + fishQuoted(joined(choices, " "));
    text += " -d " + fishQuoted(option->get_description()) + "\n";
  }
  return text;
}

std::string fish(const CLI::App& app) {
  std::string text = std::string(kNoEdits) + "fish\n\n" + fishOptions(app, "__fish_use_subcommand");
  for (const CLI::App* verb : shownVerbs(app)) {
    text += "complete -c limber -n __fish_use_subcommand -a " + verb->get_name() + " -d " +
            fishQuoted(verb->get_description()) + "\n";
    text += fishOptions(*verb, "'__fish_seen_subcommand_from " + verb->get_name() + "'");
  }
  return text;
}

/// The number of insertions, deletions and exchanges of letters between two words.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] != b[k]);
      diagonal = std::exchange(row[k + 1], std::min({changed, row[k] + 1, row[k + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string referenceOf(const CLI::App& app, std::string_view kind) {
  if (kind == "man") return manual(app);
  if (kind == "bash") return bash(app);
  return kind == "zsh" ? zsh(app) : fish(app);
}

std::string nearestVerb(const CLI::App& app, std::string_view word) {
  constexpr std::size_t kMostEdits = 2;
  std::string nearest;
  std::size_t least = std::min(kMostEdits + 1, word.size());
  for (const CLI::App* verb : shownVerbs(app))
    if (const std::size_t edits = editDistance(word, verb->get_name()); edits < least) {
      least = edits;
      nearest = verb->get_name();
    }
  return nearest;
}

}  // namespace limber::app
