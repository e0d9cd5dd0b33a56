// SPDX-License-Identifier: MIT
// A recursive-descent parser.
#include "limber/io/robot/xacro_term.h"

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io::xacro {

namespace {

constexpr std::size_t kMaxXacroExpression = 4096;  // bytes
constexpr int kMaxXacroDepth = 60;                 // of parentheses

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

class TermParser {
 public:
  explicit TermParser(std::string_view text) : rest_(text) {
    if (text.size() > kMaxXacroExpression) fail("the expression is too long");
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
    if (end == std::string_view::npos) fail("a text is not closed");
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
    if (token_.empty()) fail("it is not complete");
    failBeyond(inQuotes(token_) + " is not evaluated here");
  }

  Term parseChoice() {
    if (++depth_ > kMaxXacroDepth) fail("it is nested too deep");
    Term term = parseAlternatives();
    if (take("if")) {
      Term condition = parseAlternatives();
      if (!take("else")) fail("an \"if\" has no \"else\"");
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

  /// Reads a comparison operator. "not in" becomes "notin", and "is not" "isnot". Empty if no operator follows.
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
    if (++depth_ > kMaxXacroDepth) fail("it is nested too deep");
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
        if (!take(")")) fail("a parenthesis is not closed");
        return term;
      }
      Term tuple = joined(TermType::List, "", std::move(term));
      while (take(",") && token_ != ")") tuple.parts.push_back(parseChoice());
      if (!take(")")) fail("a parenthesis is not closed");
      return tuple;
    }
    if (take("[")) {
      Term list{TermType::List, "", {}, {}};
      while (token_ != "]") {
        list.parts.push_back(parseChoice());
        if (!take(",")) break;
      }
      if (token_ == "for") failBeyond("a comprehension is not evaluated here");
      if (!take("]")) fail("a list is not closed");
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
      if (!take("]")) fail("a bracket is not closed");
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
    if (!take(")")) fail("a parenthesis is not closed");
    return call;
  }

  std::string_view rest_, token_;
  int depth_ = 0;
};

}  // namespace

Term parseTerm(std::string_view expression) { return TermParser(expression).parse(); }

}  // namespace limber::io::xacro
