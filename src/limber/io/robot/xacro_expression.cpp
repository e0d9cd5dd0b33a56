// SPDX-License-Identifier: MIT
// Operands that "and", "or" and "if" skip are not evaluated.
#include "limber/io/robot/xacro_expression.h"

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/xacro_functions.h"
#include "limber/io/robot/xacro_term.h"

namespace limber::io {

namespace xacro {

namespace {

bool isModule(const std::string& name) { return name == "math" || name == "python" || name == "xacro"; }

class TermEvaluator {
 public:
  explicit TermEvaluator(const XacroSurroundings& surroundings) : around_(surroundings) {}

  XacroValue valueOf(const Term& term) const {
    switch (term.type) {
      case TermType::Value: return term.value;
      case TermType::Name: return named(term.name);
      case TermType::Call: return called(term);
      case TermType::Method: return methodCalled(term);
      case TermType::Member: return memberOf(term);
      case TermType::Keyword: fail("a named argument is only known to dict()");
      case TermType::Subscript: return itemAt(valueOf(term.parts[0]), valueOf(term.parts[1]));
      case TermType::Slice: return sliceOf(valueOf(term.parts[0]), valueOf(term.parts[1]), valueOf(term.parts[2]));
      case TermType::List: return xacroList(valuesOf(term, 0));
      case TermType::Unary: return combine(term.name, std::int64_t(0), valueOf(term.parts[0]));
      case TermType::Binary: return combine(term.name, valueOf(term.parts[0]), valueOf(term.parts[1]));
      case TermType::Compare: return isChainTrue(term);
      case TermType::Not: return !isTrue(valueOf(term.parts[0]));
      case TermType::Choice: return valueOf(term.parts[isTrue(valueOf(term.parts[0])) ? 1 : 2]);
      case TermType::And:
      case TermType::Or: break;
    }
    XacroValue first = valueOf(term.parts[0]);
    return isTrue(first) == (term.type == TermType::Or) ? first : valueOf(term.parts[1]);
  }

 private:
  XacroValue named(const std::string& name) const {
    if (auto value = around_.lookUp(name)) return std::move(*value);
    return constantNamed(name);
  }

  std::vector<XacroValue> valuesOf(const Term& term, std::size_t first) const {
    std::vector<XacroValue> values;
    for (std::size_t i = first; i < term.parts.size(); ++i) values.push_back(valueOf(term.parts[i]));
    return values;
  }

  XacroValue called(const Term& call) const {
    if (call.name == "dict" && !call.parts.empty() && call.parts[0].type == TermType::Keyword) {
      std::vector<std::pair<XacroValue, XacroValue>> items;
      for (const Term& part : call.parts) {
        if (part.type != TermType::Keyword) fail("dict() needs names for its values");
        items.emplace_back(part.name, valueOf(part.parts[0]));
      }
      return xacroDictionary(std::move(items));
    }
    if (call.name == "dict" && call.parts.empty()) return xacroDictionary({});
    const std::vector<XacroValue> values = valuesOf(call, 0);
    if ((call.name == "load_yaml" || call.name == "arg") && values.size() == 1)
      return (call.name == "arg" ? around_.argument : around_.loadYaml)(xacroText(values[0]));
    if (isAmong(call.name, "message warning error")) return std::string();
    if (call.name == "fatal") fail(values.empty() ? "xacro.fatal()" : xacroText(values[0]));
    return callFunction(call.name, values);
  }

  /// A function of a module, or a method of a value.
  XacroValue methodCalled(const Term& call) const {
    const Term& of = call.parts[0];
    if (of.type == TermType::Name && isModule(of.name) && !around_.lookUp(of.name))
      return called({TermType::Call, call.name, {}, {call.parts.begin() + 1, call.parts.end()}});
    return callMethod(valueOf(of), call.name, valuesOf(call, 1));
  }

  /// A property of a namespace, a constant of a module, or a value of a dictionary.
  XacroValue memberOf(const Term& term) const {
    if (const std::string path = pathOf(term); !path.empty())
      if (auto value = around_.lookUp(path)) return std::move(*value);
    const Term& of = term.parts[0];
    if (of.type == TermType::Name && isModule(of.name) && !around_.lookUp(of.name)) return constantNamed(term.name);
    if (of.type == TermType::Name && !around_.lookUp(of.name)) fail("there is no property " + inQuotes(pathOf(term)));
    const XacroValue whole = valueOf(of);
    if (!dictionaryIn(whole)) fail(inQuotes(xacroText(whole)) + " has no " + inQuotes(term.name));
    return itemAt(whole, term.name);
  }

  /// "a.b.c" for names alone, else empty.
  static std::string pathOf(const Term& term) {
    if (term.type == TermType::Name) return term.name;
    if (term.type != TermType::Member) return {};
    const std::string outer = pathOf(term.parts[0]);
    return outer.empty() ? outer : outer + "." + term.name;
  }

  bool isChainTrue(const Term& chain) const {
    std::string_view operators = chain.name;
    XacroValue left = valueOf(chain.parts[0]);
    for (std::size_t i = 1; i < chain.parts.size(); ++i) {
      const std::size_t end = operators.find(' ');
      XacroValue right = valueOf(chain.parts[i]);
      if (!compare(operators.substr(0, end), left, right)) return false;
      operators.remove_prefix(end + 1);
      left = std::move(right);
    }
    return true;
  }

  const XacroSurroundings& around_;
};

}  // namespace

}  // namespace xacro

bool xacroCondition(const XacroValue& value) {
  const XacroValue read = xacro::isText(value) ? xacroLiteral(std::get<std::string>(value)) : value;
  if (xacro::isText(read)) xacro::fail(inQuotes(std::get<std::string>(read)) + " is neither true nor false");
  return xacro::isTrue(read);
}

XacroValue evaluateXacro(std::string_view expression, const XacroSurroundings& surroundings) {
  return xacro::TermEvaluator(surroundings).valueOf(xacro::parseTerm(expression));
}

}  // namespace limber::io
