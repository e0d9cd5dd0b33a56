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

enum class TermType {
  Value,
  Name,
  Call,       ///< of a function by its name
  Method,     ///< of the first part
  Keyword,    ///< name=value among the arguments of a call
  Member,     ///< of a dictionary, by its name
  Subscript,  ///< the first part at the second
  Slice,      ///< the first part from the second to the third; None for an open end
  List,
  Unary,
  Binary,
  Compare,
  And,
  Or,
  Not,
  Choice
};

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
    while (length < rest_.size() && (startsName(rest_[length]) || isDigit(rest_[length]))) ++length;
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
    if (std::string_view("+-*/%<>(),[].=:").find(rest_[0]) == std::string_view::npos)
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

  /// "not in" and "is not" without their blank; empty if there is none.
  std::string takeComparison() {
    std::string name(token_);
    if (name.empty() || !isAmong(name, "< <= > >= == != in is not")) return {};
    next();
    if (name == "not" && !take("in")) failUnexpected();
    if (name == "not") return "notin";
    return name == "is" && take("not") ? "isnot" : name;
  }

  /// A chain such as a < b <= c: its operators stand in `name`, separated by blanks.
  Term parseComparison() {
    Term chain{TermType::Compare, "", {}, {}};
    chain.parts.push_back(parseSum());
    for (std::string name = takeComparison(); !name.empty(); name = takeComparison()) {
      chain.name += name + " ";
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
    Term term = parseAtom();
    while (true) {
      if (take("[")) term = parseSubscript(std::move(term));
      else if (take(".")) term = parseMember(std::move(term));
      else return term;
    }
  }

  Term parseAtom() {
    if (take("(")) {
      if (take(")")) return {TermType::List, "", {}, {}};
      Term term = parseChoice();
      if (token_ != ",") {
        if (!take(")")) failXacro("a parenthesis is not closed");
        return term;
      }
      Term tuple = joined(TermType::List, "", std::move(term));
      while (take(",") && token_ != ")") tuple.parts.push_back(parseChoice());
      if (!take(")")) failXacro("a parenthesis is not closed");
      return tuple;
    }
    if (take("[")) {
      Term list{TermType::List, "", {}, {}};
      while (token_ != "]") {
        list.parts.push_back(parseChoice());
        if (!take(",")) break;
      }
      if (token_ == "for") failBeyond("a comprehension is not evaluated here");
      if (!take("]")) failXacro("a list is not closed");
      return list;
    }
    const std::string token(token_);
    if (token.empty()) failUnexpected();
    if (isDigit(token[0]) || (token[0] == '.' && token.size() > 1)) {
      next();
      return {TermType::Value, "", xacroLiteral(token), {}};
    }
    if (token[0] == '\'' || token[0] == '"') {
      next();
      return {TermType::Value, "", token.substr(1, token.size() - 2), {}};
    }
    if (!startsName(token[0]) || isAmong(token, "if else and or not in is for lambda")) failUnexpected();
    next();
    return token_ == "(" ? parseCall({TermType::Call, token, {}, {}}) : Term{TermType::Name, token, {}, {}};
  }

  Term parseSubscript(Term of) {
    const Term none{TermType::Value, "", std::monostate(), {}};
    Term first = token_ == ":" ? none : parseChoice();
    if (!take(":")) {
      if (!take("]")) failXacro("a bracket is not closed");
      return joined(TermType::Subscript, "", std::move(of), std::move(first));
    }
    Term last = token_ == "]" ? none : parseChoice();
    if (!take("]")) failBeyond("a step of a slice is not evaluated here");
    return joined(TermType::Slice, "", std::move(of), std::move(first), std::move(last));
  }

  Term parseMember(Term of) {
    const std::string name(token_);
    if (name.empty() || !startsName(name[0])) failUnexpected();
    next();
    if (token_ == "(") return parseCall(joined(TermType::Method, name, std::move(of)));
    return joined(TermType::Member, name, std::move(of));
  }

  /// Adds the arguments of a call.
  Term parseCall(Term call) {
    take("(");
    while (token_ != ")") {
      Term argument = parseChoice();
      if (argument.type == TermType::Name && take("="))
        argument = joined(TermType::Keyword, argument.name, parseChoice());
      call.parts.push_back(std::move(argument));
      if (!take(",")) break;
    }
    if (!take(")")) failXacro("a parenthesis is not closed");
    return call;
  }

  std::string_view rest_, token_;
  int depth_ = 0;
};

// -- values

using ListPointer = std::shared_ptr<const XacroList>;
using DictionaryPointer = std::shared_ptr<const XacroDictionary>;

bool isText(const XacroValue& value) { return std::holds_alternative<std::string>(value); }
bool isNumber(const XacroValue& value) {
  return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value) ||
         std::holds_alternative<double>(value);
}
const XacroList* listIn(const XacroValue& value) {
  const ListPointer* list = std::get_if<ListPointer>(&value);
  return list ? list->get() : nullptr;
}
const XacroDictionary* dictionaryIn(const XacroValue& value) {
  const DictionaryPointer* dictionary = std::get_if<DictionaryPointer>(&value);
  return dictionary ? dictionary->get() : nullptr;
}
bool isWhole(const XacroValue& value) { return isNumber(value) && !std::holds_alternative<double>(value); }

double numberIn(const XacroValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const double* number = std::get_if<double>(&value)) return *number;
  failXacro(inQuotes(xacroText(value)) + " is not a number");
}

bool isTrue(const XacroValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return !text->empty();
  if (const XacroList* list = listIn(value)) return !list->items.empty();
  if (const XacroDictionary* dictionary = dictionaryIn(value)) return !dictionary->items.empty();
  return isNumber(value) && numberIn(value) != 0.0;
}

/// As Python's ==: numbers and truth values by their values, lists and dictionaries by their contents.
bool areEqual(const XacroValue& a, const XacroValue& b, int depth = 0) {
  if (depth > kMaxXacroValueDepth) failXacro("lists are nested too deep");
  if (isNumber(a) && isNumber(b)) return numberIn(a) == numberIn(b);
  if (const XacroList* x = listIn(a), *y = listIn(b); x && y)
    return std::ranges::equal(x->items, y->items,
                              [&](const XacroValue& p, const XacroValue& q) { return areEqual(p, q, depth + 1); });
  if (const XacroDictionary* x = dictionaryIn(a), *y = dictionaryIn(b); x && y)
    return std::ranges::equal(x->items, y->items, [&](const auto& p, const auto& q) {
      return areEqual(p.first, q.first, depth + 1) && areEqual(p.second, q.second, depth + 1);
    });
  return a == b;
}

const XacroValue* findKey(const XacroDictionary& dictionary, const XacroValue& key) {
  for (const auto& [name, value] : dictionary.items)
    if (areEqual(name, key)) return &value;
  return nullptr;
}

bool contains(const XacroValue& whole, const XacroValue& part) {
  if (isText(whole) && isText(part))
    return std::get<std::string>(whole).find(std::get<std::string>(part)) != std::string::npos;
  if (const XacroList* list = listIn(whole))
    return std::ranges::any_of(list->items, [&](const XacroValue& item) { return areEqual(item, part); });
  if (const XacroDictionary* dictionary = dictionaryIn(whole)) return findKey(*dictionary, part);
  failXacro(inQuotes(xacroText(whole)) + " is neither text, list nor dictionary");
}

/// The place in a text or list of this size; negative numbers count from its end.
std::size_t placeIn(std::size_t size, const XacroValue& index) {
  if (!isWhole(index)) failXacro(inQuotes(xacroText(index)) + " is not a whole number");
  const double at = numberIn(index), fromStart = at < 0.0 ? at + static_cast<double>(size) : at;
  if (!(fromStart >= 0.0 && fromStart < static_cast<double>(size)))
    failXacro("there is no place " + xacroText(index) + " among " + std::to_string(size));
  return static_cast<std::size_t>(fromStart);
}

XacroValue itemAt(const XacroValue& whole, const XacroValue& key) {
  if (const XacroDictionary* dictionary = dictionaryIn(whole)) {
    if (const XacroValue* found = findKey(*dictionary, key)) return *found;
    failXacro("the dictionary has no key " + inQuotes(xacroText(key)));
  }
  if (const XacroList* list = listIn(whole)) return list->items[placeIn(list->items.size(), key)];
  if (const std::string* text = std::get_if<std::string>(&whole))
    return std::string(1, (*text)[placeIn(text->size(), key)]);
  failXacro(inQuotes(xacroText(whole)) + " has no items");
}

XacroValue sliceOf(const XacroValue& whole, const XacroValue& from, const XacroValue& to) {
  const auto cut = [&](const auto& items) {
    const auto size = static_cast<double>(items.size());
    const auto end = [&](const XacroValue& value, double otherwise) {
      if (std::holds_alternative<std::monostate>(value)) return static_cast<std::ptrdiff_t>(otherwise);
      if (!isWhole(value)) failXacro(inQuotes(xacroText(value)) + " is not a whole number");
      const double at = numberIn(value);
      return static_cast<std::ptrdiff_t>(std::clamp(at < 0.0 ? at + size : at, 0.0, size));
    };
    const std::ptrdiff_t first = end(from, 0.0), last = std::max(first, end(to, size));
    return std::decay_t<decltype(items)>(items.begin() + first, items.begin() + last);
  };
  if (const XacroList* list = listIn(whole)) return xacroList(cut(list->items));
  if (const std::string* text = std::get_if<std::string>(&whole)) return cut(*text);
  failXacro(inQuotes(xacroText(whole)) + " has no items");
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
  if (const XacroList* first = listIn(a), *second = listIn(b); name == "+" && first && second) {
    std::vector<XacroValue> items = first->items;
    items.insert(items.end(), second->items.begin(), second->items.end());
    return xacroList(std::move(items));
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
  if (comparison == "in") return contains(b, a);
  if (comparison == "notin") return !contains(b, a);
  if (comparison == "is" || comparison == "isnot") return areEqual(a, b) == (comparison == "is");
  if (isText(a) && isText(b)) return holds(comparison, std::get<std::string>(a), std::get<std::string>(b));
  if (isNumber(a) && isNumber(b)) return holds(comparison, numberIn(a), numberIn(b));
  if (comparison == "==" || comparison == "!=") return areEqual(a, b) == (comparison == "==");
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

/// The items that Python's iteration gives.
std::vector<XacroValue> itemsOf(const XacroValue& value) {
  std::vector<XacroValue> items;
  if (const XacroList* list = listIn(value)) return list->items;
  if (const XacroDictionary* dictionary = dictionaryIn(value)) {
    for (const auto& [key, item] : dictionary->items) items.push_back(key);
    return items;
  }
  if (!isText(value)) failXacro(inQuotes(xacroText(value)) + " has no items");
  for (const char c : std::get<std::string>(value)) items.emplace_back(std::string(1, c));
  return items;
}

XacroValue callOfItems(const std::string& name, std::vector<XacroValue> items) {
  if (name == "len") return static_cast<std::int64_t>(items.size());
  if (name == "list" || name == "tuple") return xacroList(std::move(items));
  if (name == "sorted") {
    std::ranges::stable_sort(items, [](const XacroValue& a, const XacroValue& b) { return compare("<", a, b); });
    return xacroList(std::move(items));
  }
  if (name == "sum") {
    XacroValue sum = std::int64_t(0);
    for (const XacroValue& item : items) sum = combine("+", sum, item);
    return sum;
  }
  if (name == "dict") {
    std::vector<std::pair<XacroValue, XacroValue>> pairs;
    for (const XacroValue& item : items) {
      const XacroList* pair = listIn(item);
      if (!pair || pair->items.size() != 2) failXacro("dict() needs pairs");
      pairs.emplace_back(pair->items[0], pair->items[1]);
    }
    return xacroDictionary(std::move(pairs));
  }
  if (items.empty()) failXacro(name + "() of nothing");
  XacroValue best = items[0];
  for (const XacroValue& item : items)
    if (compare(name == "min" ? "<" : ">", item, best)) best = item;
  return best;
}

XacroValue rangeOfWhole(const std::vector<XacroValue>& values) {
  for (const XacroValue& value : values)
    if (!isWhole(value)) failXacro("range() needs whole numbers");
  const double from = values.size() > 1 ? numberIn(values[0]) : 0.0, to = numberIn(values[values.size() > 1 ? 1 : 0]),
               step = values.size() > 2 ? numberIn(values[2]) : 1.0;
  if (step == 0.0) failXacro("range() has a step of zero");
  if ((to - from) / step > static_cast<double>(kMaxXacroItems)) failXacro("a list is too long");
  std::vector<XacroValue> items;
  for (double at = from; step > 0.0 ? at < to : at > to; at += step) items.push_back(wholeValue(at));
  return xacroList(std::move(items));
}

std::string casedText(std::string text, bool isUpper) {
  if (!isUpper) return lowerCase(text);
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

XacroValue methodOfText(const std::string& text, const std::string& name, const std::vector<XacroValue>& values) {
  const auto textAt = [&](std::size_t i) -> const std::string& {
    if (i >= values.size() || !isText(values[i])) failXacro(name + "() needs a text");
    return std::get<std::string>(values[i]);
  };
  if (name == "lower" || name == "upper") return casedText(text, name == "upper");
  if (name == "strip" && values.empty()) return std::string(trimmed(text));
  if (name == "startswith") return text.starts_with(textAt(0));
  if (name == "endswith") return text.ends_with(textAt(0));
  if (name == "replace" && !textAt(0).empty()) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t found = std::min(text.find(textAt(0), at), text.size());
      out += text.substr(at, found - at);
      if (found < text.size()) out += textAt(1);
      at = found + (found < text.size() ? textAt(0).size() : 0);
      if (out.size() > kMaxXacroText) failXacro("a text is too long");
    }
    return out;
  }
  if (name == "split") {
    std::vector<XacroValue> parts;
    const std::string separator = values.empty() ? std::string() : textAt(0);
    if (separator.empty() && !values.empty()) failXacro("split() needs a separator");
    std::string_view rest = separator.empty() ? trimmed(text) : std::string_view(text);
    if (separator.empty() && rest.empty()) return xacroList({});
    while (true) {
      const std::size_t end = separator.empty() ? rest.find_first_of(" \t\r\n") : rest.find(separator);
      parts.emplace_back(std::string(rest.substr(0, end)));
      if (end == std::string_view::npos) return xacroList(std::move(parts));
      rest.remove_prefix(end + std::max<std::size_t>(1, separator.size()));
      if (separator.empty()) rest = trimmed(rest);
    }
  }
  if (name == "join" && values.size() == 1) {
    std::string out;
    for (const XacroValue& item : itemsOf(values[0])) out += (out.empty() ? "" : text) + xacroText(item);
    if (out.size() > kMaxXacroText) failXacro("a text is too long");
    return out;
  }
  failBeyond("the method " + inQuotes(name) + " of a text is not evaluated here");
}

XacroValue callMethod(const XacroValue& of, const std::string& name, const std::vector<XacroValue>& values) {
  if (const std::string* text = std::get_if<std::string>(&of)) return methodOfText(*text, name, values);
  if (const XacroDictionary* dictionary = dictionaryIn(of)) {
    if (name == "get" && !values.empty()) {
      const XacroValue* found = findKey(*dictionary, values[0]);
      return found ? *found : values.size() > 1 ? values[1] : XacroValue();
    }
    std::vector<XacroValue> items;
    for (const auto& [key, value] : dictionary->items)
      items.push_back(name == "keys" ? key : name == "values" ? value : xacroList({key, value}));
    if (isAmong(name, "keys values items")) return xacroList(std::move(items));
  }
  if (const XacroList* list = listIn(of); list && values.size() == 1 && (name == "index" || name == "count")) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      if (!areEqual(list->items[i], values[0])) continue;
      if (name == "index") return static_cast<std::int64_t>(i);
      ++count;
    }
    if (name == "count") return count;
    failXacro(inQuotes(xacroText(values[0])) + " is not in the list");
  }
  failBeyond("the method " + inQuotes(name) + " is not evaluated here");
}

XacroValue callOne(const std::string& name, const XacroValue& value) {
  if (name == "str") return xacroText(value);
  if (name == "bool") return isTrue(value);
  if (name == "len" && isText(value)) return static_cast<std::int64_t>(std::get<std::string>(value).size());
  if (const XacroDictionary* dictionary = dictionaryIn(value); dictionary && name == "len")
    return static_cast<std::int64_t>(dictionary->items.size());
  if (const XacroDictionary* dictionary = dictionaryIn(value); dictionary && name == "dict") return value;
  if (isAmong(name, "list tuple sorted len sum min max dict")) return callOfItems(name, itemsOf(value));
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
  if ((name == "min" || name == "max") && values.size() > 1) return callOfItems(name, values);
  if (name == "range" && !values.empty() && values.size() <= 3) return rangeOfWhole(values);
  if ((name == "list" || name == "tuple") && values.empty()) return xacroList({});
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

bool isModule(const std::string& name) { return name == "math" || name == "python" || name == "xacro"; }

XacroValue constantNamed(const std::string& name) {
  if (name == "True") return true;
  if (name == "False") return false;
  if (name == "None") return std::monostate();
  if (const auto* constant = findNamed(kNumberConstants, name)) return constant->value;
  failXacro("there is no property " + inQuotes(name));
}

// -- evaluating

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
      case TermType::Keyword: failXacro("a named argument is only known to dict()");
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
        if (part.type != TermType::Keyword) failXacro("dict() needs names for its values");
        items.emplace_back(part.name, valueOf(part.parts[0]));
      }
      return xacroDictionary(std::move(items));
    }
    if (call.name == "dict" && call.parts.empty()) return xacroDictionary({});
    const std::vector<XacroValue> values = valuesOf(call, 0);
    if ((call.name == "load_yaml" || call.name == "arg") && values.size() == 1)
      return (call.name == "arg" ? around_.argument : around_.loadYaml)(xacroText(values[0]));
    if (isAmong(call.name, "message warning error")) return std::string();
    if (call.name == "fatal") failXacro(values.empty() ? "xacro.fatal()" : xacroText(values[0]));
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
    if (of.type == TermType::Name && !around_.lookUp(of.name))
      failXacro("there is no property " + inQuotes(pathOf(term)));
    const XacroValue whole = valueOf(of);
    if (!dictionaryIn(whole)) failXacro(inQuotes(xacroText(whole)) + " has no " + inQuotes(term.name));
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

/// Appends a value within a list as Python's repr() writes it.
void appendItems(const XacroValue& value, std::string& text, int depth) {
  if (text.size() > kMaxXacroText || depth > kMaxXacroValueDepth) failXacro("a text is too long");
  const XacroList* list = listIn(value);
  const XacroDictionary* dictionary = dictionaryIn(value);
  if (isText(value)) text += "'" + std::get<std::string>(value) + "'";
  else if (!list && !dictionary) text += xacroText(value);
  if (list) {
    text += '[';
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      if (i > 0) text += ", ";
      appendItems(list->items[i], text, depth + 1);
    }
    text += ']';
  }
  if (dictionary) {
    text += '{';
    for (std::size_t i = 0; i < dictionary->items.size(); ++i) {
      if (i > 0) text += ", ";
      appendItems(dictionary->items[i].first, text, depth + 1);
      text += ": ";
      appendItems(dictionary->items[i].second, text, depth + 1);
    }
    text += '}';
  }
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

XacroValue xacroList(std::vector<XacroValue> items) {
  if (items.size() > kMaxXacroItems) failXacro("a list is too long");
  return std::make_shared<const XacroList>(XacroList{std::move(items)});
}

XacroValue xacroDictionary(std::vector<std::pair<XacroValue, XacroValue>> items) {
  if (items.size() > kMaxXacroItems) failXacro("a dictionary is too long");
  return std::make_shared<const XacroDictionary>(XacroDictionary{std::move(items)});
}

std::string xacroText(const XacroValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const double* number = std::get_if<double>(&value)) return numberText(*number);
  if (std::holds_alternative<std::monostate>(value)) return "None";
  std::string text;
  appendItems(value, text, 0);
  return text;
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

XacroValue evaluateXacro(std::string_view expression, const XacroSurroundings& surroundings) {
  return TermEvaluator(surroundings).valueOf(TermParser(expression).parse());
}

}  // namespace limber::io
