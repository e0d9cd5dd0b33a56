// SPDX-License-Identifier: MIT
// A recursive-descent parser builds a tree of terms, which is then evaluated; operands that "and", "or" and "if" skip
// are not evaluated.
#include "limber/io/robot/xacro_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr int kMaxXacroDepth = 60;                    // of parentheses
constexpr double kLargestWhole = 0x1p53;              // larger whole numbers become doubles
constexpr double kPlainFrom = 1e-4, kPlainTo = 1e16;  // numbers that Python writes without an exponent

enum class TermType { Value, Name, Call, Unary, Binary, Compare, And, Or, Not, Choice };

struct Term {
  TermType type = TermType::Value;
  std::string name;  ///< of a property or function; an operator
  XacroValue value;
  std::vector<Term> parts;
};

[[noreturn]] void failXacro(std::string cause) { throw XacroFault{std::move(cause)}; }
[[noreturn]] void failBeyond(std::string cause) { throw XacroFault{std::move(cause), true}; }

/// A term of others, which are moved: an initializer list would copy them.
template <typename... Terms>
Term joined(TermType type, const std::string& name, Terms... parts) {
  Term term{type, name, {}, {}};
  term.parts.reserve(sizeof...(parts));
  (term.parts.push_back(std::move(parts)), ...);
  return term;
}

bool startsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

// -- parsing

class TermParser {
 public:
  explicit TermParser(std::string_view text) : rest_(text) {
    if (text.size() > kMaxXacroExpression) failXacro("the expression is too long");
    next();
  }

  Term parse() {
    Term term = parseChoice();
    if (!token_.empty()) failUnexpected();
    return term;
  }

 private:
  /// Takes the next token of the text; empty at its end.
  void next() {
    rest_ = trimmed(rest_);
    std::size_t length = 0;
    if (!rest_.empty() && startsName(rest_[0])) length = lengthOfName();
    else if (!rest_.empty() && (isDigit(rest_[0]) || (rest_[0] == '.' && rest_.size() > 1 && isDigit(rest_[1]))))
      length = lengthOfNumber();
    else if (!rest_.empty() && (rest_[0] == '\'' || rest_[0] == '"')) length = lengthOfText();
    else length = lengthOfOperator();
    token_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  std::size_t lengthOfName() const {
    std::size_t length = 1;
    while (length < rest_.size() && (startsName(rest_[length]) || isDigit(rest_[length]) || rest_[length] == '.'))
      ++length;
    return length;
  }

  std::size_t lengthOfNumber() const {
    std::size_t length = 0;
    const auto takeDigits = [&] {
      while (length < rest_.size() && isDigit(rest_[length])) ++length;
    };
    takeDigits();
    if (length < rest_.size() && rest_[length] == '.') {
      ++length;
      takeDigits();
    }
    if (length < rest_.size() && (rest_[length] == 'e' || rest_[length] == 'E')) {
      ++length;
      if (length < rest_.size() && (rest_[length] == '+' || rest_[length] == '-')) ++length;
      takeDigits();
    }
    return length;
  }

  std::size_t lengthOfText() const {
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) failXacro("a text is not closed");
    if (rest_.substr(0, end).find('\\') != std::string_view::npos) failBeyond("a text has a backslash");
    return end + 1;
  }

  std::size_t lengthOfOperator() const {
    if (rest_.empty()) return 0;
    for (const std::string_view two : {"**", "//", "<=", ">=", "==", "!="})
      if (rest_.starts_with(two)) return 2;
    if (std::string_view("[]{}").find(rest_[0]) != std::string_view::npos)
      failBeyond("lists and dictionaries are not evaluated here");
    if (std::string_view("+-*/%<>(),").find(rest_[0]) == std::string_view::npos)
      failBeyond("the character " + inQuotes(rest_.substr(0, 1)) + " is not evaluated here");
    return 1;
  }

  bool take(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }

  [[noreturn]] void failUnexpected() const {
    if (token_.empty()) failXacro("it is not complete");
    failBeyond(inQuotes(token_) + " is not evaluated here");
  }

  Term parseChoice() {
    if (++depth_ > kMaxXacroDepth) failXacro("it is nested too deep");
    Term term = parseAlternatives();
    if (take("if")) {
      Term condition = parseAlternatives();
      if (!take("else")) failXacro("an \"if\" has no \"else\"");
      Term otherwise = parseChoice();
      term = joined(TermType::Choice, "if", std::move(condition), std::move(term), std::move(otherwise));
    }
    --depth_;
    return term;
  }

  Term parseAlternatives() {
    Term term = parseConditions();
    while (take("or")) term = joined(TermType::Or, "or", std::move(term), parseConditions());
    return term;
  }

  Term parseConditions() {
    Term term = parseNot();
    while (take("and")) term = joined(TermType::And, "and", std::move(term), parseNot());
    return term;
  }

  Term parseNot() {
    if (!take("not")) return parseComparison();
    return joined(TermType::Not, "not", parseNot());
  }

  /// A chain such as a < b <= c: its operators stand in `name`, separated by blanks.
  Term parseComparison() {
    Term chain{TermType::Compare, "", {}, {}};
    chain.parts.push_back(parseSum());
    while (token_ == "<" || token_ == "<=" || token_ == ">" || token_ == ">=" || token_ == "==" || token_ == "!=") {
      chain.name += std::string(token_) + " ";
      next();
      chain.parts.push_back(parseSum());
    }
    if (chain.parts.size() == 1) return std::move(chain.parts.front());
    return chain;
  }

  Term parseSum() {
    Term term = parseProduct();
    while (token_ == "+" || token_ == "-") term = parseSecond(std::move(term), &TermParser::parseProduct);
    return term;
  }

  Term parseProduct() {
    Term term = parseSigned();
    while (token_ == "*" || token_ == "/" || token_ == "//" || token_ == "%")
      term = parseSecond(std::move(term), &TermParser::parseSigned);
    return term;
  }

  /// The current operator with `first` and the operand that follows.
  Term parseSecond(Term first, Term (TermParser::*parseOperand)()) {
    const std::string name(token_);
    next();
    return joined(TermType::Binary, name, std::move(first), (this->*parseOperand)());
  }

  Term parseSigned() {
    if (++depth_ > kMaxXacroDepth) failXacro("it is nested too deep");
    Term term;
    if (token_ == "-" || token_ == "+") {
      const std::string name(token_);
      next();
      term = joined(TermType::Unary, name, parseSigned());
    } else {
      term = parsePrimary();
      if (token_ == "**") term = parseSecond(std::move(term), &TermParser::parseSigned);
    }
    --depth_;
    return term;
  }

  Term parsePrimary() {
    if (take("(")) {
      Term term = parseChoice();
      if (token_ == ",") failBeyond("lists are not evaluated here");
      if (!take(")")) failXacro("a parenthesis is not closed");
      return term;
    }
    const std::string token(token_);
    if (token.empty()) failUnexpected();
    if (isDigit(token[0]) || token[0] == '.') {
      next();
      return {TermType::Value, "", xacroLiteral(token), {}};
    }
    if (token[0] == '\'' || token[0] == '"') {
      next();
      return {TermType::Value, "", token.substr(1, token.size() - 2), {}};
    }
    if (!startsName(token[0]) || isAmong(token, "if else and or not in is for lambda")) failUnexpected();
    next();
    if (!take("(")) return {TermType::Name, token, {}, {}};
    Term call{TermType::Call, token, {}, {}};
    if (take(")")) return call;
    do call.parts.push_back(parseChoice());
    while (take(","));
    if (!take(")")) failXacro("a parenthesis is not closed");
    return call;
  }

  std::string_view rest_, token_;
  int depth_ = 0;
};

// -- values

bool isText(const XacroValue& value) { return std::holds_alternative<std::string>(value); }
bool isNumber(const XacroValue& value) { return !isText(value) && !std::holds_alternative<std::monostate>(value); }
bool isWhole(const XacroValue& value) { return isNumber(value) && !std::holds_alternative<double>(value); }

double numberIn(const XacroValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const double* number = std::get_if<double>(&value)) return *number;
  failXacro(inQuotes(xacroText(value)) + " is not a number");
}

bool isTrue(const XacroValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return !text->empty();
  return isNumber(value) && numberIn(value) != 0.0;
}

/// A whole number, if it is small enough to be exact.
XacroValue wholeValue(double number) {
  if (std::abs(number) <= kLargestWhole) return static_cast<std::int64_t>(number);
  return number;
}

/// Rounds halves to even, as Python does.
double roundHalfToEven(double x) {
  const double down = std::floor(x), part = x - down;
  if (part != 0.5) return std::floor(x + 0.5);
  return std::fmod(down, 2.0) == 0.0 ? down : down + 1.0;
}

double power(double base, double exponent) {
  const double result = std::pow(base, exponent);
  if (std::isnan(result) || (base == 0.0 && exponent < 0.0)) failXacro("a power is undefined");
  return result;
}

XacroValue combine(const std::string& name, const XacroValue& a, const XacroValue& b) {
  if (name == "+" && isText(a) && isText(b)) {
    std::string text = std::get<std::string>(a) + std::get<std::string>(b);
    if (text.size() > kMaxXacroText) failXacro("a text is too long");
    return text;
  }
  if (!isNumber(a) || !isNumber(b))
    failXacro("there is no " + inQuotes(xacroText(a)) + " " + name + " " + inQuotes(xacroText(b)));
  const double x = numberIn(a), y = numberIn(b);
  if (y == 0.0 && (name == "/" || name == "//" || name == "%")) failXacro("it divides by zero");
  const bool isExact = isWhole(a) && isWhole(b);
  const auto valueOf = [&](double result) { return isExact ? wholeValue(result) : XacroValue(result); };
  if (name == "+") return valueOf(x + y);
  if (name == "-") return valueOf(x - y);
  if (name == "*") return valueOf(x * y);
  if (name == "/") return x / y;
  if (name == "//") return valueOf(std::floor(x / y));
  if (name == "%") return valueOf(x - y * std::floor(x / y));
  return isExact && y >= 0.0 ? wholeValue(power(x, y)) : XacroValue(power(x, y));
}

template <typename T>
bool holds(std::string_view comparison, const T& a, const T& b) {
  if (comparison == "<") return a < b;
  if (comparison == "<=") return a <= b;
  if (comparison == ">") return a > b;
  if (comparison == ">=") return a >= b;
  return (a == b) == (comparison == "==");
}

bool compare(std::string_view comparison, const XacroValue& a, const XacroValue& b) {
  if (isText(a) && isText(b)) return holds(comparison, std::get<std::string>(a), std::get<std::string>(b));
  if (isNumber(a) && isNumber(b)) return holds(comparison, numberIn(a), numberIn(b));
  if (comparison == "==" || comparison == "!=") return (a == b) == (comparison == "==");
  failXacro(inQuotes(xacroText(a)) + " and " + inQuotes(xacroText(b)) + " cannot be compared");
}

// -- functions

struct NumberFunction {
  std::string_view name;
  double (*of)(double);
};

constexpr double kXacroDegree = std::numbers::pi / 180.0;
constexpr std::array kNumberFunctions = {
    NumberFunction{"sin", [](double x) { return std::sin(x); }},
    NumberFunction{"cos", [](double x) { return std::cos(x); }},
    NumberFunction{"tan", [](double x) { return std::tan(x); }},
    NumberFunction{"asin", [](double x) { return std::asin(x); }},
    NumberFunction{"acos", [](double x) { return std::acos(x); }},
    NumberFunction{"atan", [](double x) { return std::atan(x); }},
    NumberFunction{"sqrt", [](double x) { return std::sqrt(x); }},
    NumberFunction{"exp", [](double x) { return std::exp(x); }},
    NumberFunction{"log", [](double x) { return std::log(x); }},
    NumberFunction{"fabs", [](double x) { return std::abs(x); }},
    NumberFunction{"radians", [](double x) { return x * kXacroDegree; }},
    NumberFunction{"degrees", [](double x) { return x / kXacroDegree; }},
};

struct PairFunction {
  std::string_view name;
  double (*of)(double, double);
};

constexpr std::array kPairFunctions = {
    PairFunction{"atan2", [](double y, double x) { return std::atan2(y, x); }},
    PairFunction{"hypot", [](double x, double y) { return std::hypot(x, y); }},
    PairFunction{"fmod", [](double x, double y) { return std::fmod(x, y); }},
    PairFunction{"pow", power},
};

struct RoundingFunction {
  std::string_view name;
  double (*of)(double);
};

constexpr std::array kRoundingFunctions = {
    RoundingFunction{"floor", [](double x) { return std::floor(x); }},
    RoundingFunction{"ceil", [](double x) { return std::ceil(x); }},
    RoundingFunction{"round", roundHalfToEven},
    RoundingFunction{"int", [](double x) { return std::trunc(x); }},
};

struct NumberConstant {
  std::string_view name;
  double value;
};

constexpr std::array kNumberConstants = {NumberConstant{"pi", std::numbers::pi}, NumberConstant{"e", std::numbers::e},
                                         NumberConstant{"tau", 2.0 * std::numbers::pi},
                                         NumberConstant{"inf", std::numeric_limits<double>::infinity()},
                                         NumberConstant{"nan", std::numeric_limits<double>::quiet_NaN()}};

template <typename Table>
auto findNamed(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const auto& row) { return row.name; });
  return found == table.end() ? nullptr : &*found;
}

XacroValue numberFrom(const std::string& function, const XacroValue& value) {
  const XacroValue number = isText(value) ? xacroLiteral(std::get<std::string>(value)) : value;
  if (!isNumber(number)) failXacro(function + "(" + inQuotes(xacroText(value)) + ") is not a number");
  return number;
}

XacroValue callOne(const std::string& name, const XacroValue& value) {
  if (name == "str") return xacroText(value);
  if (name == "bool") return isTrue(value);
  if (name == "len" && isText(value)) return static_cast<std::int64_t>(std::get<std::string>(value).size());
  if (name == "float") return numberIn(numberFrom(name, value));
  if (const auto* function = findNamed(kRoundingFunctions, name)) {
    const double number = function->of(numberIn(name == "int" ? numberFrom(name, value) : value));
    if (!std::isfinite(number)) failXacro(name + "() has no value");
    return wholeValue(number);
  }
  if (name == "abs") return isWhole(value) ? wholeValue(std::abs(numberIn(value))) : std::abs(numberIn(value));
  if (const auto* function = findNamed(kNumberFunctions, name)) {
    const double number = function->of(numberIn(value));
    if (std::isnan(number)) failXacro(name + "(" + xacroText(value) + ") is undefined");
    return number;
  }
  failBeyond("the function " + inQuotes(name) + " is not evaluated here");
}

XacroValue callFunction(const std::string& name, const std::vector<XacroValue>& values) {
  if ((name == "min" || name == "max") && values.size() > 1) {
    XacroValue best = values[0];
    for (const XacroValue& value : values)
      if (compare(name == "min" ? "<" : ">", value, best)) best = value;
    return best;
  }
  if (values.size() == 1) return callOne(name, values[0]);
  if (values.size() == 2 && name == "round") {
    const double scale = std::pow(10.0, numberIn(values[1]));
    const double rounded = roundHalfToEven(numberIn(values[0]) * scale) / scale;
    return std::isfinite(rounded) ? rounded : numberIn(values[0]);
  }
  if (const auto* function = findNamed(kPairFunctions, name); function && values.size() == 2)
    return function->of(numberIn(values[0]), numberIn(values[1]));
  failBeyond("the function " + inQuotes(name) + " of " + std::to_string(values.size()) + " is not evaluated here");
}

/// The name without the prefix of a module, which xacro allows.
std::string withoutModule(const std::string& name) {
  for (const std::string_view module : {"math.", "python.", "xacro."})
    if (name.starts_with(module)) return name.substr(module.size());
  return name;
}

XacroValue constantNamed(const std::string& name) {
  const std::string bare = withoutModule(name);
  if (bare == "True") return true;
  if (bare == "False") return false;
  if (bare == "None") return std::monostate();
  if (const auto* constant = findNamed(kNumberConstants, bare)) return constant->value;
  failXacro("there is no property " + inQuotes(name));
}

// -- evaluating

class TermEvaluator {
 public:
  explicit TermEvaluator(const XacroLookUp& lookUp) : lookUp_(lookUp) {}

  XacroValue valueOf(const Term& term) const {
    switch (term.type) {
      case TermType::Value: return term.value;
      case TermType::Name: return named(term.name);
      case TermType::Call: return called(term);
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
    if (auto value = lookUp_(name)) return std::move(*value);
    return constantNamed(name);
  }

  XacroValue called(const Term& call) const {
    std::vector<XacroValue> values;
    for (const Term& part : call.parts) values.push_back(valueOf(part));
    return callFunction(withoutModule(call.name), values);
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

  const XacroLookUp& lookUp_;
};

std::string numberText(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0.0 ? "-inf" : "inf";
  const double size = std::abs(number);
  const bool isPlain = number == 0.0 || (size >= kPlainFrom && size < kPlainTo);
  char buffer[32];
  const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, number, format);
  std::string text(buffer, end);
  if (isPlain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

/// The number that the whole text represents; empty for any other text.
std::optional<XacroValue> spelledNumber(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const char *first = text.data(), *last = first + text.size();
  std::int64_t whole = 0;
  if (const auto [end, status] = std::from_chars(first, last, whole);
      status == std::errc() && end == last && std::abs(static_cast<double>(whole)) <= kLargestWhole)
    return whole;
  double number = 0.0;
  if (const auto [end, status] = std::from_chars(first, last, number); status == std::errc() && end == last)
    return number;
  return std::nullopt;
}

}  // namespace

std::string xacroText(const XacroValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const double* number = std::get_if<double>(&value)) return numberText(*number);
  return "None";
}

XacroValue xacroLiteral(std::string text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') return text.substr(1, text.size() - 2);
  if (const auto number = spelledNumber(text)) return *number;
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return text;
}

bool xacroCondition(const XacroValue& value) {
  const XacroValue read = isText(value) ? xacroLiteral(std::get<std::string>(value)) : value;
  if (isText(read)) failXacro(inQuotes(std::get<std::string>(read)) + " is neither true nor false");
  return isTrue(read);
}

XacroValue evaluateXacro(std::string_view expression, const XacroLookUp& lookUp) {
  return TermEvaluator(lookUp).valueOf(TermParser(expression).parse());
}

}  // namespace limber::io
