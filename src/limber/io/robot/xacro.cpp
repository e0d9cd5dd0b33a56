// SPDX-License-Identifier: MIT
// The elements of the file are visited once, and their expansion is added to another file. Names are looked up in the
// scope of the macro that is expanded, then in that of its caller, as xacro does.
#include "limber/io/robot/xacro.h"

#include <algorithm>
#include <map>
#include <optional>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/robot_parts.h"
#include "limber/io/robot/xacro_expression.h"
#include "limber/io/robot/xacro_yaml.h"

namespace limber::io {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kXacroPrefix = "xacro:";
constexpr std::size_t kMostNamedArguments = 10;

struct XacroSpace;

struct XacroProperty {
  XacroValue value;
  bool isWritten = false;    ///< the value is text that is still to be evaluated
  bool isEvaluated = false;  ///< at present: a property that depends on itself is refused
};

/// Properties and blocks of the file, of an include with a namespace, or of a macro while it is expanded.
struct XacroScope {
  XacroScope* outer = nullptr;
  XacroSpace* space = nullptr;
  std::map<std::string, XacroProperty, std::less<>> properties;
  std::map<std::string, XmlElement, std::less<>> blocks;  ///< "*NAME": an element; "**NAME": its contents
};

struct XacroParameter {
  std::string name;
  bool isForwarded = false;  ///< takes the property of the same name where the macro is called
  std::optional<std::string> otherwise;
};

struct XacroMacro {
  XmlElement body;
  std::vector<XacroParameter> parameters;
};

/// Macros and properties of the file, or of an include with a namespace.
struct XacroSpace {
  XacroSpace* outer = nullptr;
  std::map<std::string, std::shared_ptr<const XacroMacro>, std::less<>> macros;
  std::map<std::string, std::unique_ptr<XacroSpace>, std::less<>> spaces;
  XacroScope scope;
};

bool isXacroName(std::string_view name) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && isLetter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

/// The length of the default value at the beginning of the text: up to white space outside of quotation marks and
/// expressions.
std::size_t lengthOfDefault(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !isSpace(text[at])) {
    char closing = 0;
    if (text[at] == '\'' || text[at] == '"') closing = text[at];
    if (text.substr(at).starts_with("${")) closing = '}';
    if (text.substr(at).starts_with("$(")) closing = ')';
    const std::size_t end = closing ? text.find(closing, at + 1) : at;
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return at;
}

/// "a b:=1 c:=^|2 *block": parameters with their defaults.
std::vector<XacroParameter> parseXacroParameters(std::string_view text) {
  std::vector<XacroParameter> parameters;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n:="), text.size());
    XacroParameter parameter;
    parameter.name = text.substr(0, end);
    text = trimmed(text.substr(end));
    if (text.starts_with(":=") || text.starts_with('=')) {
      text = trimmed(text.substr(text[0] == ':' ? 2 : 1));
      parameter.isForwarded = text.starts_with('^');
      if (parameter.isForwarded) text.remove_prefix(text.starts_with("^|") ? 2 : 1);
      const std::size_t length = lengthOfDefault(text);
      if (length > 0) parameter.otherwise = text.substr(0, length);
      text.remove_prefix(length);
    } else if (end == 0) {
      text.remove_prefix(1);  // a lone colon
      continue;
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

class XacroExpander {
 public:
  XacroExpander(const XmlFile& file, const OpenContext& context)
      : main_(file), context_(context), result_(std::make_unique<XmlFile>(file.path())), blocks_(file.path()),
        blocksRoot_(blocks_.add(nullptr, "blocks", file.root())) {
    top_.scope.space = &top_;
  }

  ExpandedXacro expand() {
    copy(main_.root(), nullptr, top_.scope);
    std::vector<std::string> macros;
    for (const auto& [name, macro] : top_.macros) macros.push_back(name);
    return {std::move(result_), std::move(macros), {noteOnArguments()}};
  }

 private:
  /// Counts the depth of nesting, and the elements that are read or made.
  class Step {
   public:
    Step(XacroExpander& expander, const XmlElement& element) : nesting_(expander.nesting_) {
      if (++nesting_ > kMaxXacroNesting) element.fail("xacro is nested too deep: a macro or a file may include itself");
      expander.count(element, 1);
    }
    ~Step() { --nesting_; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    int& nesting_;
  };

  void count(const XmlElement& element, std::size_t steps) {
    if ((steps_ += steps) > kMaxXacroSteps)
      element.fail("xacro expands to more than " + std::to_string(kMaxXacroSteps) + " elements and attributes");
  }

  // -- elements

  void expandChildren(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    for (const XmlElement& child : element.children()) expandElement(child, target, scope);
  }

  void expandElement(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    const Step step(*this, element);
    if (!element.name().starts_with(kXacroPrefix)) return copy(element, &target, scope);
    using Handler = void (XacroExpander::*)(const XmlElement&, tinyxml2::XMLElement&, XacroScope&);
    static const std::map<std::string_view, Handler> handlers = {
        {"property", &XacroExpander::define},     {"macro", &XacroExpander::defineMacro},
        {"arg", &XacroExpander::defineArgument},  {"include", &XacroExpander::include},
        {"if", &XacroExpander::choose},           {"unless", &XacroExpander::choose},
        {"insert_block", &XacroExpander::insert}, {"attribute", &XacroExpander::setAttribute},
        {"element", &XacroExpander::makeElement}, {"call", &XacroExpander::callByName}};
    const std::string_view name = element.name().substr(kXacroPrefix.size());
    const auto handler = handlers.find(name);
    if (handler != handlers.end()) (this->*handler->second)(element, target, scope);
    else callMacro(element, std::string(name), target, scope);
  }

  /// Adds the element with its attributes and children evaluated; to `target`, or as the root if that is null.
  tinyxml2::XMLElement& copyAs(const std::string& name, const XmlElement& element, tinyxml2::XMLElement* target,
                               XacroScope& scope) {
    const bool isBlock = target && target->GetDocument() == blocksRoot_.GetDocument();
    tinyxml2::XMLElement& made = (isBlock ? blocks_ : *result_).add(target, name, element);
    for (const auto& [key, value] : element.attributes()) {
      if (key.starts_with(kXacroPrefix) || key == "xmlns:xacro") continue;
      count(element, 1);
      made.SetAttribute(std::string(key).c_str(), textOf(value, element, scope).c_str());
    }
    expandChildren(element, made, scope);
    return made;
  }

  void copy(const XmlElement& element, tinyxml2::XMLElement* target, XacroScope& scope) {
    copyAs(std::string(element.name()), element, target, scope);
  }

  void makeElement(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    const std::string name = textOf(element.need("xacro:name"), element, scope);
    if (!isXacroName(name)) element.fail(inQuotes(name) + " is not a valid name for an element");
    copyAs(name, element, &target, scope);
  }

  void setAttribute(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    count(element, kMaxXmlAttributes);  // the element compares the name with those that it has
    const std::string name = textOf(element.need("name"), element, scope);
    if (!isXacroName(name)) element.fail(inQuotes(name) + " is not a valid name for an attribute");
    target.SetAttribute(name.c_str(), textOf(element.find("value").value_or(""), element, scope).c_str());
  }

  void choose(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    const std::string condition = element.need("value");
    const XacroValue value = valueOf(condition, element, scope);
    bool isMet = false;
    try {
      isMet = xacroCondition(value);
    } catch (const XacroFault& fault) {
      element.fail("the condition " + inQuotes(condition) + " is " + fault.cause);
    }
    if (isMet == (element.name() == "xacro:if")) expandChildren(element, target, scope);
  }

  // -- properties and arguments

  void define(const XmlElement& element, tinyxml2::XMLElement&, XacroScope& scope) {
    const std::string name = textOf(element.need("name"), element, scope);
    if (!isXacroName(name)) element.fail(inQuotes(name) + " is not a valid name for a property");
    auto value = element.find("value");
    if (const auto otherwise = element.find("default")) {
      if (findProperty(name, scope)) return;
      value = otherwise;
    }
    const std::string_view where = element.find("scope").value_or("");
    XacroScope* target = &scope;
    if (where == "parent" && scope.outer) target = scope.outer;
    if (where == "global") target = &top_.scope;
    if (!value) {
      target->blocks.insert_or_assign("**" + name, element);
      return;
    }
    const bool isLazy = target == &scope && element.find("lazy_eval").value_or("true") != "false";
    if (isLazy) target->properties[name] = writtenProperty(*value);
    else target->properties[name] = {literal(valueOf(*value, element, scope))};
  }

  /// A property that is evaluated when it is first used.
  static XacroProperty writtenProperty(std::string_view text) {
    XacroProperty property{xacroLiteral(std::string(text))};
    property.isWritten =
        std::holds_alternative<std::string>(property.value) && text.find('$') != std::string_view::npos;
    return property;
  }

  static XacroValue literal(XacroValue value) {
    if (std::string* text = std::get_if<std::string>(&value)) return xacroLiteral(std::move(*text));
    return value;
  }

  void defineArgument(const XmlElement& element, tinyxml2::XMLElement&, XacroScope& scope) {
    const std::string name = element.need("name");
    if (const auto otherwise = element.find("default"); otherwise && !arguments_.contains(name))
      arguments_[name] = textOf(*otherwise, element, scope);
  }

  std::string noteOnArguments() const {
    std::string note = "This is xacro, which was expanded";
    std::size_t named = 0;
    for (const auto& [name, value] : arguments_)
      if (++named <= kMostNamedArguments)
        note += (named == 1 ? " with " : ", ") + printable(name) + " = " + inQuotes(value);
    return note + (named > kMostNamedArguments ? ", ..." : "") + ".";
  }

  /// The scope that has the property, from the innermost outward; null for none.
  static XacroScope* findProperty(std::string_view name, XacroScope& scope) {
    for (XacroScope* at = &scope; at; at = at->outer)
      if (at->properties.contains(name)) return at;
    return nullptr;
  }

  static XacroSpace* findSpace(std::string_view name, XacroSpace* from) {
    for (XacroSpace* at = from; at; at = at->outer)
      if (const auto found = at->spaces.find(name); found != at->spaces.end()) return found->second.get();
    return nullptr;
  }

  std::optional<XacroValue> lookUp(std::string_view name, const XmlElement& user, XacroScope& scope) {
    XacroScope* at = findProperty(name, scope);
    if (!at) {
      const std::size_t dot = name.find('.');
      XacroSpace* space = dot == std::string_view::npos ? nullptr : findSpace(name.substr(0, dot), scope.space);
      return space ? lookUp(name.substr(dot + 1), user, space->scope) : std::nullopt;
    }
    XacroProperty& property = at->properties.find(name)->second;
    const std::string* text = std::get_if<std::string>(&property.value);
    countCharacters(text ? text->size() : xacroSize(property.value), user);  // a key is searched among all items
    if (!property.isWritten) return property.value;
    if (property.isEvaluated) user.fail("the property " + inQuotes(name) + " is defined by itself");
    property.isEvaluated = true;
    XacroValue value = literal(valueOf(std::get<std::string>(property.value), user, *at));
    property = {value};
    return value;
  }

  // -- texts

  std::string textOf(std::string_view text, const XmlElement& user, XacroScope& scope) {
    return xacroText(valueOf(text, user, scope));
  }

  /// The value of a text with expressions: that of a lone expression, else the joined text.
  XacroValue valueOf(std::string_view text, const XmlElement& user, XacroScope& scope) {
    const Step step(*this, user);
    countCharacters(text.size(), user);
    if (text.find('$') == std::string_view::npos) return std::string(text);
    std::vector<XacroValue> parts;
    for (std::size_t at = 0; at < text.size();) parts.push_back(nextPart(text, at, user, scope));
    if (parts.size() == 1) return std::move(parts[0]);
    std::string joinedText;
    for (const XacroValue& part : parts) joinedText += xacroText(part);
    countCharacters(joinedText.size(), user);
    if (joinedText.size() > kMaxXacroText) user.fail("a text of xacro is longer than " + std::to_string(kMaxXacroText));
    return joinedText;
  }

  void countCharacters(std::size_t count, const XmlElement& user) {
    if ((characters_ += count) > kMaxXacroCharacters) user.fail("xacro evaluates more than 16 MiB of text");
  }

  /// The value of ${...}, $(...) or plain text from `at`, which is moved to its end.
  XacroValue nextPart(std::string_view text, std::size_t& at, const XmlElement& user, XacroScope& scope) {
    const std::size_t from = at;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("${") || rest.starts_with("$(")) {
      const std::size_t end = rest.find(rest[1] == '{' ? '}' : ')');
      if (end == std::string_view::npos)
        user.fail(inQuotes(text) + " does not close its " + std::string(rest.substr(0, 2)));
      at += end + 1;
      const std::string inside = textOf(rest.substr(2, end - 2), user, scope);
      return rest[1] == '{' ? evaluate(inside, user, scope) : substitute(inside, user, scope);
    }
    if (rest.starts_with("$$")) {  // $${ means ${
      const std::size_t end = rest.find_first_not_of('$');
      if (end != std::string_view::npos && (rest[end] == '{' || rest[end] == '(')) {
        at += end + 1;
        return std::string(rest.substr(1, end));
      }
    }
    at = std::min(text.find('$', at + 1), text.size());
    return std::string(text.substr(from, at - from));
  }

  XacroValue evaluate(const std::string& expression, const XmlElement& user, XacroScope& scope) {
    const XacroSurroundings surroundings{
        [&](std::string_view name) { return lookUp(name, user, scope); },
        [&](const std::string& file) { return loadYaml(file, user); },
        [&](const std::string& name) { return substitute("arg " + name, user, scope); }};
    try {
      XacroValue value = evaluateXacro(expression, surroundings);
      countCharacters(xacroWeight(value), user);
      return value;
    } catch (const XacroFault& fault) {
      user.fail("${" + printable(expression) + "}: " + fault.cause + (fault.isBeyond ? "; " + command() : ""));
    }
  }

  /// Each file is read once.
  XacroValue loadYaml(const std::string& written, const XmlElement& user) {
    const fs::path path = findIncluded(written, user);
    const auto [known, isNew] = yaml_.try_emplace(path);
    if (!isNew) return known->second;
    const std::string bytes = readIncluded(path, user);
    try {
      return known->second = readXacroYaml(bytes);
    } catch (const XacroFault& fault) {
      throw XacroFault{path.string() + ": " + fault.cause};
    }
  }

  /// $(arg NAME), $(find PACKAGE), $(dirname), $(optenv NAME VALUE) and $(eval EXPRESSION).
  XacroValue substitute(const std::string& inside, const XmlElement& user, XacroScope& scope) {
    const std::string_view text = trimmed(inside);
    const std::size_t space = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view verb = text.substr(0, space);
    const std::string operand(trimmed(text.substr(space)));
    if (verb == "find" && !operand.empty()) return "package://" + operand;
    if (verb == "eval") return evaluate(operand, user, scope);
    if (verb == "dirname") return fs::absolute(user.file()).parent_path().string();
    if (verb == "optenv") {
      const std::size_t end = std::min(operand.find_first_of(" \t"), operand.size());
      return std::string(trimmed(std::string_view(operand).substr(end)));
    }
    if (verb != "arg") user.fail("$(" + printable(text) + ") is not evaluated here; " + command());
    const auto found = arguments_.find(operand);
    if (found == arguments_.end()) user.fail("the argument " + inQuotes(operand) + " has no default; " + command());
    return found->second;
  }

  std::string command() const {
    const std::string name = main_.path().filename().string();
    return "a URDF is made by: xacro " + name + " > " + fs::path(name).stem().stem().string() + ".urdf";
  }

  // -- macros and blocks

  void defineMacro(const XmlElement& element, tinyxml2::XMLElement&, XacroScope& scope) {
    std::string name = element.need("name");
    if (name.starts_with(kXacroPrefix)) name.erase(0, kXacroPrefix.size());
    std::vector<XacroParameter> parameters = parseXacroParameters(element.find("params").value_or(""));
    if (parameters.size() > kMaxXmlAttributes) element.fail("a macro has too many parameters");
    scope.space->macros[name] = std::make_shared<const XacroMacro>(XacroMacro{element, std::move(parameters)});
  }

  struct FoundMacro {
    std::shared_ptr<const XacroMacro> macro;  ///< null for none; shared, since its body may redefine it
    XacroScope* scope = nullptr;              ///< in which it is expanded
  };

  /// "NAME", expanded in the scope of its caller, or "NAMESPACE.NAME", expanded in that of the namespace.
  static FoundMacro findMacro(std::string_view name, XacroScope& scope) {
    for (const XacroSpace* at = scope.space; at; at = at->outer)
      if (const auto found = at->macros.find(name); found != at->macros.end()) return {found->second, &scope};
    const std::size_t dot = name.find('.');
    XacroSpace* space = dot == std::string_view::npos ? nullptr : findSpace(name.substr(0, dot), scope.space);
    return space ? findMacro(name.substr(dot + 1), space->scope) : FoundMacro();
  }

  void callByName(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    callMacro(element, textOf(element.need("macro"), element, scope), target, scope);
  }

  void callMacro(const XmlElement& element, const std::string& name, tinyxml2::XMLElement& target, XacroScope& scope) {
    const auto [macro, outer] = findMacro(name, scope);
    if (!macro) element.fail("there is no macro " + inQuotes(name));
    count(element, macro->parameters.size());
    XacroScope inner{outer, outer->space, {}, {}};
    readParameters(element, *macro, scope, inner);
    // Blocks are evaluated where the macro is called, with the caller's properties.
    tinyxml2::XMLElement& evaluated = blocks_.add(&blocksRoot_, "block", element);
    expandChildren(element, evaluated, scope);
    readBlocks(element, *macro, XmlElement(evaluated), inner);
    expandChildren(macro->body, target, inner);
    blocks_.remove(evaluated);
  }

  void readParameters(const XmlElement& call, const XacroMacro& macro, XacroScope& scope, XacroScope& inner) {
    const bool isByName = call.name() == "xacro:call";
    for (const auto& [key, value] : call.attributes()) {
      if (isByName && key == "macro") continue;
      if (std::ranges::find(macro.parameters, key, &XacroParameter::name) == macro.parameters.end())
        call.fail("the macro has no parameter " + inQuotes(key));
      inner.properties[std::string(key)] = {literal(valueOf(value, call, scope))};
    }
    for (const XacroParameter& parameter : macro.parameters) {
      if (parameter.name.starts_with('*') || inner.properties.contains(parameter.name)) continue;
      const auto forwarded = parameter.isForwarded ? lookUp(parameter.name, call, scope) : std::nullopt;
      if (!forwarded && !parameter.otherwise) call.fail("needs the parameter " + inQuotes(parameter.name));
      inner.properties[parameter.name] = {forwarded ? *forwarded : literal(valueOf(*parameter.otherwise, call, scope))};
    }
  }

  static void readBlocks(const XmlElement& call, const XacroMacro& macro, const XmlElement& evaluated,
                         XacroScope& inner) {
    const std::vector<XmlElement> given = evaluated.children();
    std::size_t used = 0;
    for (const XacroParameter& parameter : macro.parameters) {
      if (!parameter.name.starts_with('*')) continue;
      if (used == given.size()) call.fail("needs an element for the parameter " + inQuotes(parameter.name));
      inner.blocks.insert_or_assign(parameter.name, given[used++]);
    }
    if (used < given.size()) given[used].fail("the macro has no parameter for this element");
  }

  void insert(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    const std::string name = textOf(element.need("name"), element, scope);
    const auto findBlock = [&](const std::string& key) -> std::optional<XmlElement> {
      for (const XacroScope* at = &scope; at; at = at->outer)
        if (const auto found = at->blocks.find(key); found != at->blocks.end()) return found->second;
      return std::nullopt;
    };
    if (const auto block = findBlock("**" + name)) expandChildren(*block, target, scope);
    else if (const auto whole = findBlock("*" + name)) expandElement(*whole, target, scope);
    else element.fail("there is no block " + inQuotes(name));
  }

  // -- included files

  void include(const XmlElement& element, tinyxml2::XMLElement& target, XacroScope& scope) {
    const std::string written = textOf(element.need("filename"), element, scope);
    const bool isOptional = element.find("optional").value_or("false") == "true";
    const XmlFile* file = included(written, element, isOptional);
    if (!file) return;
    const std::string name = textOf(element.find("ns").value_or(""), element, scope);
    if (name.empty()) return expandChildren(file->root(), target, scope);
    auto space = std::make_unique<XacroSpace>();
    space->outer = scope.space;
    space->scope.outer = &scope.space->scope;
    space->scope.space = space.get();
    XacroSpace& inner = *(scope.space->spaces[name] = std::move(space));
    expandChildren(file->root(), target, inner.scope);
  }

  /// Beside the file that names it, or beside the main file. Empty if it is optional and was not found.
  fs::path findIncluded(const std::string& written, const XmlElement& element, bool isOptional = false) const {
    fs::path path = resolveMesh(written, element.file(), context_);
    if (path.empty()) path = resolveMesh(written, main_.path(), context_);
    if (path.empty() && !isOptional)
      throw Error{element.file().string(),
                  element.place(),
                  "the file " + inQuotes(written) + " was not found in the folders of this file and of its package",
                  {written}};
    return path;
  }

  std::string readIncluded(const fs::path& path, const XmlElement& element) {
    if (files_.size() + yaml_.size() > kMaxXacroFiles)
      element.fail("more than " + std::to_string(kMaxXacroFiles) + " files are included");
    Result<std::string> bytes = readFile(path, kMaxXacroFileBytes - includedBytes_);
    if (!bytes) element.fail(bytes.error().message());
    includedBytes_ += bytes->size();
    return std::move(*bytes);
  }

  const XmlFile* included(const std::string& written, const XmlElement& element, bool isOptional) {
    const fs::path path = findIncluded(written, element, isOptional);
    if (path.empty()) return nullptr;
    const auto [known, isNew] = files_.try_emplace(path);
    if (!isNew) return known->second.get();
    known->second = std::make_unique<XmlFile>(readIncluded(path, element), path);
    return known->second.get();
  }

  const XmlFile& main_;
  const OpenContext& context_;
  std::unique_ptr<XmlFile> result_;
  XmlFile blocks_;  ///< elements that are given to macros
  tinyxml2::XMLElement& blocksRoot_;
  XacroSpace top_;
  std::map<std::string, std::string> arguments_;
  std::map<fs::path, std::unique_ptr<XmlFile>> files_;  ///< included
  std::map<fs::path, XacroValue> yaml_;                 ///< by file
  std::size_t includedBytes_ = 0, steps_ = 0, characters_ = 0;
  int nesting_ = 0;
};

}  // namespace

bool usesXacro(const XmlElement& element) {
  return element.name().starts_with(kXacroPrefix) || std::ranges::any_of(element.children(), usesXacro);
}

ExpandedXacro expandXacro(const XmlFile& file, const OpenContext& context) {
  return XacroExpander(file, context).expand();
}

}  // namespace limber::io
