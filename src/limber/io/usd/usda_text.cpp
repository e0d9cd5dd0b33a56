// SPDX-License-Identifier: MIT
#include "limber/io/usd/usda_text.h"

#include <algorithm>
#include <limits>
#include <set>

#include "limber/io/base/json.h"
#include "limber/io/base/result.h"
#include "limber/io/base/text.h"
#include "limber/problem/decimal.h"

namespace limber::io {

namespace {

constexpr int kDeepestUsda = 100;
constexpr std::string_view kArcs = "references payload inherits specializes subLayers variantSets variants";
constexpr std::string_view kListWords = "prepend append add delete reorder";

bool isNamePart(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

class UsdaParser {
 public:
  explicit UsdaParser(std::string_view text) : text_(text) {}

  UsdaText parse() {
    skipSpace();
    if (peek() == '(') readMetadata(out_.layer);
    for (skipSpace(); at_ < text_.size(); skipSpace()) readPrim(word("a prim"), -1, 0);
    for (UsdaPrim& prim : out_.prims)
      for (auto& [name, property] : prim.properties)
        std::ranges::stable_sort(property.samples, {}, [](const auto& sample) { return sample.first; });
    out_.arcs.assign(arcs_.begin(), arcs_.end());
    return std::move(out_);
  }

 private:
  // -- characters

  [[noreturn]] void fail(const std::string& cause) const { throw Fault{"line " + std::to_string(line_), cause}; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char take() {
    const char c = peek();
    if (c == '\n') ++line_;
    if (at_ < text_.size()) ++at_;
    return c;
  }

  /// Blanks, separators and comments.
  void skipSpace() {
    for (; at_ < text_.size(); take()) {
      const char c = peek();
      if (isSpace(c) || c == ';') continue;
      if (c == '/' && text_.substr(at_, 2) == "/*") {
        while (at_ < text_.size() && text_.substr(at_, 2) != "*/") take();
        take();
        continue;
      }
      if (c != '#' && text_.substr(at_, 2) != "//") return;
      while (at_ < text_.size() && peek() != '\n') take();
    }
  }

  bool accept(char c) {
    skipSpace();
    if (peek() != c || at_ == text_.size()) return false;
    take();
    return true;
  }
  void expect(char c, const char* where) {
    if (accept(c)) return;
    if (at_ == text_.size()) fail(std::string("the file ends within ") + where);
    fail(std::string("expected ") + c + " in " + where + ", not " + inQuotes(text_.substr(at_, 1)));
  }

  std::string_view name() {
    skipSpace();
    const std::size_t start = at_;
    while (at_ < text_.size() && isNamePart(peek())) take();
    return text_.substr(start, at_ - start);
  }
  std::string_view word(const char* what) {
    const std::string_view found = name();
    if (found.empty() && at_ == text_.size()) fail(std::string("the file ends in place of ") + what);
    if (found.empty()) fail(std::string("expected ") + what + ", not " + inQuotes(text_.substr(at_, 1)));
    return found;
  }

  std::string quoted() {
    const char quote = peek();
    const bool isLong = text_.substr(at_, 3) == std::string(3, quote);
    const std::string end(isLong ? 3 : 1, quote);
    for (std::size_t i = 0; i < end.size(); ++i) take();
    std::string out;
    while (text_.substr(at_, end.size()) != end) {
      if (at_ == text_.size() || (!isLong && peek() == '\n')) fail("a text is not closed");
      if (peek() == '\\') take();
      out += take();
    }
    for (std::size_t i = 0; i < end.size(); ++i) take();
    return out;
  }
  std::string enclosed(char end, const char* what) {
    take();
    const std::size_t start = at_;
    while (at_ < text_.size() && peek() != end && peek() != '\n') take();
    if (peek() != end) fail(std::string(what) + " is not closed");
    std::string out(text_.substr(start, at_ - start));
    take();
    return out;
  }

  // -- values

  void addNumber(double value, UsdaValue& out) {
    if (++numbers_ > kMaxUsdaNumbers) fail("the file has more than 16000000 numbers");
    out.numbers.push_back(value);
  }

  void readValue(UsdaValue& out, int depth = 0) {
    skipSpace();
    if (depth > kDeepestUsda) fail("lists are nested too deep");
    const char c = peek();
    if (c == '[' || c == '(') {
      take();
      const char end = c == '[' ? ']' : ')';
      while (!accept(end)) {
        readValue(out, depth + 1);
        if (!accept(',') && (skipSpace(), peek() != end)) fail("expected , or the end of a list");
      }
    } else if (c == '{') {
      skipBraces();
    } else if (c == '"' || c == '\'') {
      out.texts.push_back(quoted());
    } else if (c == '@') {
      out.texts.push_back(enclosed('@', "the name of an asset"));
      if (skipSpace(), peek() == '<') enclosed('>', "a path");
      if (skipSpace(), peek() == '(') skipBraces();
    } else if (c == '<') {
      out.texts.push_back(enclosed('>', "a path"));
    } else {
      readScalar(out);
    }
  }

  void readScalar(UsdaValue& out) {
    const bool isNegative = peek() == '-';
    const char* first = text_.data() + at_;
    double value = 0.0;
    const bool isNumber = isNegative || peek() == '+' || (peek() >= '0' && peek() <= '9') || peek() == '.';
    if (isNumber && peek() == '+') ++first;
    const auto [stop, status] = readDecimal(first, text_.data() + text_.size(), value);
    if (isNumber && status == std::errc() && stop != first) {
      at_ = static_cast<std::size_t>(stop - text_.data());
      return addNumber(value, out);
    }
    if (isNegative) take();
    const std::string_view found = word("a value");
    if (found == "inf") addNumber((isNegative ? -1 : 1) * std::numeric_limits<double>::infinity(), out);
    else if (found == "nan") addNumber(std::numeric_limits<double>::quiet_NaN(), out);
    else if (found == "true" || found == "false") addNumber(found == "true" ? 1.0 : 0.0, out);
    else if (isNegative) fail("expected a number after -");
    else if (found != "None") out.texts.emplace_back(found);
  }

  /// Skips what stands in braces or parentheses, whatever it is.
  void skipBraces() {
    int depth = 0;
    do {
      skipSpace();
      const char c = peek();
      if (at_ == text_.size()) fail("the file ends within braces");
      if (c == '"' || c == '\'') {
        quoted();
        continue;
      }
      if (c == '@') {
        enclosed('@', "the name of an asset");
        continue;
      }
      depth += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
      take();
    } while (depth > 0);
  }

  void readSamples(UsdaProperty& out) {
    expect('{', "time samples");
    while (!accept('}')) {
      UsdaValue time;
      readScalar(time);
      if (time.numbers.size() != 1 || !(std::abs(time.numbers[0]) < 1e9)) fail("a time of a sample is not a number");
      expect(':', "time samples");
      out.samples.emplace_back(time.numbers[0], UsdaValue());
      readValue(out.samples.back().second);
      accept(',');
    }
  }

  // -- prims

  void noteArc(std::string_view name) {
    if (isAmong(name, kArcs)) arcs_.insert(std::string(name));
  }

  void readMetadata(UsdaPrim& prim) {
    expect('(', "metadata");
    while (!accept(')')) {
      skipSpace();
      if (peek() == '"' || peek() == '\'') {  // a comment
        quoted();
        continue;
      }
      std::string_view key = word("metadata");
      if (isAmong(key, kListWords)) key = word("metadata");
      noteArc(key);
      expect('=', "metadata");
      UsdaProperty& property = prim.properties[std::string(key)];
      property.line = line_;
      readValue(property.value);
      accept(',');
    }
  }

  void readPrim(std::string_view specifier, int parent, int depth) {
    if (!isAmong(specifier, "def over class")) fail("expected def, over or class, not " + inQuotes(specifier));
    if (depth > kDeepestUsda) fail("prims are nested too deep");
    if (out_.prims.size() >= kMaxUsdaPrims) fail("there are more than 100000 prims");
    UsdaPrim prim{.parent = parent, .line = line_};
    if (skipSpace(); peek() != '"' && peek() != '\'') prim.type = word("the type of a prim");
    if (skipSpace(); peek() != '"' && peek() != '\'') fail("a prim needs a name in quotation marks");
    prim.name = quoted();
    if (prim.name.empty() || prim.name.size() > 1000) fail("the name of a prim is empty or too long");
    prim.path = (parent < 0 ? "" : out_.prims[parent].path) + "/" + prim.name;
    if ((paths_ += prim.path.size()) > kMostPathBytes) fail("the paths of prims are too long");
    if (specifier == "class") prim.type.clear();  // an abstract prim is no part of the scene
    const int index = static_cast<int>(out_.prims.size());
    out_.prims.push_back(std::move(prim));
    if (skipSpace(); peek() == '(') {
      UsdaPrim metadata;
      readMetadata(metadata);
    }
    expect('{', "a prim");
    while (!accept('}')) readMember(index, depth);
  }

  void readMember(int prim, int depth) {
    std::string_view first = word("a property or prim");
    if (isAmong(first, "def over class")) return readPrim(first, prim, depth + 1);
    if (first == "variantSet") {
      arcs_.insert("variants");
      skipSpace();
      if (peek() == '"' || peek() == '\'') quoted();
      expect('=', "a variant set");
      return skipBraces();
    }
    while (isAmong(first, "custom uniform varying config prepend append add delete reorder"))
      first = word("the type of a property");
    if (isAmong(first, "nameChildren properties")) {
      expect('=', "an order");
      UsdaValue order;
      return readValue(order);
    }
    if (accept('[')) expect(']', "the type of a property");
    std::string key(word("the name of a property"));
    const std::size_t dot = key.find('.');
    const std::string suffix = dot == std::string::npos ? std::string() : key.substr(dot + 1);
    key.resize(std::min(dot, key.size()));
    UsdaProperty& property = out_.prims[prim].properties[key];
    property.line = line_;
    if (accept('=')) {
      UsdaValue other;
      if (suffix == "timeSamples") readSamples(property);
      else readValue(suffix.empty() ? property.value : other);
    }
    if (skipSpace(); peek() == '(') {
      UsdaPrim metadata;
      readMetadata(metadata);
    }
  }

  static constexpr std::size_t kMostPathBytes = 64u << 20;

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1, numbers_ = 0, paths_ = 0;
  std::set<std::string> arcs_;
  UsdaText out_;
};

}  // namespace

const UsdaProperty* UsdaPrim::find(std::string_view wanted) const {
  const auto found = properties.find(wanted);
  return found == properties.end() ? nullptr : &found->second;
}

std::optional<std::vector<double>> UsdaPrim::numbers(std::string_view wanted, std::size_t count) const {
  const UsdaProperty* property = find(wanted);
  if (!property || property->first().numbers.empty()) return std::nullopt;
  const std::vector<double>& found = property->first().numbers;
  if (found.size() != count)
    throw Fault{
        "line " + std::to_string(property->line),
        std::string(wanted) + " has " + countInWords(found.size(), "number") + ", not " + std::to_string(count)};
  return found;
}

double UsdaPrim::number(std::string_view wanted, double otherwise) const {
  const auto found = numbers(wanted, 1);
  return found ? found->front() : otherwise;
}

std::string UsdaPrim::text(std::string_view wanted, const std::string& otherwise) const {
  const UsdaProperty* property = find(wanted);
  return property && !property->value.texts.empty() ? property->value.texts.front() : otherwise;
}

UsdaText parseUsda(std::string_view text) { return UsdaParser(withoutMark(text)).parse(); }

}  // namespace limber::io
