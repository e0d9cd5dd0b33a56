// SPDX-License-Identifier: MIT
#include "limber/io/robot/xml.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/problem/decimal.h"

namespace limber::io {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string causeOf(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  switch (error) {
    case XML_ERROR_EMPTY_DOCUMENT: return "there is no element";
    case XML_ERROR_MISMATCHED_ELEMENT: return "the element is not closed, or closed by another name";
    case XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested deeper than " + std::to_string(TINYXML2_MAX_ELEMENT_DEPTH);
    case XML_ERROR_PARSING_ELEMENT: return "an element is not valid XML";
    case XML_ERROR_PARSING_ATTRIBUTE: return "an attribute is not valid XML";
    case XML_ERROR_PARSING_TEXT: return "the text is not XML";
    case XML_ERROR_PARSING_CDATA: return "a CDATA section is not closed";
    case XML_ERROR_PARSING_COMMENT: return "a comment is not closed";
    case XML_ERROR_PARSING_DECLARATION: return "a declaration is not valid XML, or out of place";
    default: return "this is not XML";
  }
}

int lineAt(std::string_view bytes, std::size_t at) {
  return 1 + static_cast<int>(std::ranges::count(bytes.substr(0, at), '\n'));
}

/// The position behind the comment, CDATA section, instruction or declaration that begins at `at`; `at` if an element
/// begins there.
std::size_t skipMarkup(std::string_view bytes, std::size_t at) {
  constexpr std::array<std::array<std::string_view, 2>, 4> kMarkup = {
      {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}}};
  for (const auto& [begin, end] : kMarkup)
    if (bytes.substr(at).starts_with(begin)) {
      const std::size_t found = bytes.find(end, at + begin.size());
      return found == std::string_view::npos ? bytes.size() : found + end.size();
    }
  return at;
}

/// Refuses elements with too many attributes.
void refuseLongElements(std::string_view bytes, const std::string& file) {
  for (std::size_t at = bytes.find('<'); at < bytes.size(); at = bytes.find('<', at)) {
    if (const std::size_t end = skipMarkup(bytes, at); end > at) {
      at = end;
      continue;
    }
    char quote = 0;
    std::size_t attributes = 0;
    for (const std::size_t start = at; at < bytes.size() && (quote || bytes[at] != '>'); ++at) {
      const char c = bytes[at];
      if (quote) quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'') quote = c;
      else if (c == '=' && ++attributes > kMaxXmlAttributes)
        throw Error{file, "line " + std::to_string(lineAt(bytes, start)),
                    "an element has more than " + std::to_string(kMaxXmlAttributes) + " attributes"};
    }
  }
}

/// Refuses documents for which the parser would need too much memory.
void refuseExcess(std::string_view bytes, const std::string& file) {
  if (bytes.size() > kMaxXmlBytes) throw Error{file, "", "is larger than 64 MiB"};
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    throw Error{file, "", "is written in UTF-16, which is not read: save it as UTF-8"};
  const auto items = std::ranges::count_if(bytes, [](char c) { return c == '<' || c == '='; });
  if (static_cast<std::size_t>(items) > kMaxXmlItems)
    throw Error{file, "", "has more than " + std::to_string(kMaxXmlItems) + " elements and attributes"};
  refuseLongElements(bytes, file);
  const std::size_t type = bytes.find("<!DOCTYPE");
  if (type != std::string_view::npos &&
      bytes.substr(type, bytes.find('>', type) - type).find('[') != std::string_view::npos)
    throw Error{file, "line " + std::to_string(lineAt(bytes, type)),
                "a document type with definitions of its own (entities) is not accepted"};
}

}  // namespace

std::optional<std::vector<double>> parseNumbers(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;
       at = text.find_first_not_of(kSpace, at)) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    const char* first = text.data() + at;
    const char* last = text.data() + end;
    if (*first == '+' && last - first > 1 && first[1] != '-') ++first;
    double value = 0.0;
    const auto [stop, status] = readDecimal(first, last, value);
    if (status != std::errc() || stop != last || !std::isfinite(value)) return std::nullopt;
    numbers.push_back(value);
    at = end;
  }
  return numbers;
}

std::string_view firstXmlElement(std::string_view bytes) {
  constexpr std::size_t kNear = 1 << 16;
  bytes = bytes.substr(0, kNear);
  for (std::size_t at = bytes.find('<'); at != std::string_view::npos; at = bytes.find('<', at)) {
    if (bytes.find_first_not_of(std::string(kSpace) + "\xef\xbb\xbf") < at && bytes.front() != '<' &&
        bytes.substr(0, at).find('>') == std::string_view::npos)
      return {};  // text before the first element: no XML
    const std::string_view rest = bytes.substr(at);
    const bool isComment = rest.starts_with("<!--");
    if (!isComment && !rest.starts_with("<?") && !rest.starts_with("<!")) {
      const std::size_t end = rest.find_first_of(" \t\r\n/>");
      return end == std::string_view::npos ? std::string_view{} : rest.substr(1, end - 1);
    }
    at = bytes.find(isComment ? "-->" : ">", at);
    if (at == std::string_view::npos) return {};
  }
  return {};
}

XmlFile::XmlFile(std::string_view bytes, std::filesystem::path path) : path_(std::move(path)) {
  refuseExcess(bytes, path_.string());
  document_.SetUserData(&path_);
  std::string utf8;
  if (!isUtf8(bytes)) bytes = utf8 = asUtf8(bytes);
  if (document_.Parse(bytes.data(), bytes.size()) != tinyxml2::XML_SUCCESS)
    throw Error{path_.string(), document_.ErrorLineNum() > 0 ? "line " + std::to_string(document_.ErrorLineNum()) : "",
                causeOf(document_.ErrorID())};
  if (!document_.RootElement()) throw Error{path_.string(), "", "there is no element"};
}

XmlFile::XmlFile(std::filesystem::path path) : path_(std::move(path)) { document_.SetUserData(&path_); }

tinyxml2::XMLElement& XmlFile::add(tinyxml2::XMLElement* parent, const std::string& name, const XmlElement& origin) {
  origins_.push_back({&*originalFiles_.insert(origin.file()).first, origin.line()});
  tinyxml2::XMLElement* element = document_.NewElement(name.c_str());
  element->SetUserData(&origins_.back());
  if (parent) parent->InsertEndChild(element);
  else document_.InsertEndChild(element);
  return *element;
}

std::string XmlElement::place() const {
  std::string text = "line " + std::to_string(line()) + ", <" + printable(name());
  for (const char* key : {"name", "joint1"})
    if (const auto value = find(key)) {
      text += std::string(" ") + key + "=" + inQuotes(*value);
      break;
    }
  return text + ">";
}

std::vector<XmlElement> XmlElement::children(std::string_view name) const {
  std::vector<XmlElement> all;
  for (const auto* child = element_->FirstChildElement(); child; child = child->NextSiblingElement())
    if (name.empty() || child->Name() == name) all.emplace_back(*child);
  return all;
}

std::optional<XmlElement> XmlElement::child(std::string_view name) const {
  for (const auto* child = element_->FirstChildElement(); child; child = child->NextSiblingElement())
    if (child->Name() == name) return XmlElement(*child);
  return std::nullopt;
}

XmlElement XmlElement::needChild(std::string_view name) const {
  const auto found = child(name);
  if (!found) fail("needs a <" + std::string(name) + ">");
  return *found;
}

std::vector<std::pair<std::string_view, std::string_view>> XmlElement::attributes() const {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  for (const auto* attribute = element_->FirstAttribute(); attribute; attribute = attribute->Next())
    all.emplace_back(attribute->Name(), attribute->Value());
  return all;
}

std::string_view XmlElement::text() const {
  const char* text = element_->GetText();
  return text ? trimmed(text) : std::string_view();
}

std::optional<std::string_view> XmlElement::find(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  return value ? std::optional<std::string_view>(value) : std::nullopt;
}

std::string XmlElement::need(const char* attribute) const {
  const auto value = find(attribute);
  if (!value || value->empty()) fail(std::string("needs the attribute ") + attribute);
  return std::string(*value);
}

std::string XmlElement::needName(const char* attribute) const {
  std::string value = need(attribute);
  if (value.size() > kMaxXmlName)
    fail(std::string(attribute) + " is longer than " + std::to_string(kMaxXmlName) + " bytes");
  return value;
}

std::vector<double> XmlElement::numbers(const char* attribute) const {
  const std::string text = need(attribute);
  auto parsed = parseNumbers(text);
  if (!parsed && text.find("${") != std::string::npos)
    fail(std::string(attribute) + "=" + inQuotes(text) +
         " is an expression of xacro: name the file .urdf.xacro, or expand it by xacro");
  if (!parsed) fail(std::string(attribute) + "=" + inQuotes(text) + " must be finite numbers");
  return std::move(*parsed);
}

double XmlElement::number(const char* attribute) const {
  const std::vector<double> values = numbers(attribute);
  if (values.size() != 1) fail(std::string(attribute) + " must be one number, not " + std::to_string(values.size()));
  return values[0];
}

double XmlElement::number(const char* attribute, double otherwise) const {
  return has(attribute) ? number(attribute) : otherwise;
}

Eigen::Vector3d XmlElement::vector3(const char* attribute) const {
  const std::vector<double> values = numbers(attribute);
  if (values.size() != 3) fail(std::string(attribute) + " must be three numbers, not " + std::to_string(values.size()));
  const Eigen::Vector3d vector(values[0], values[1], values[2]);
  if (vector.cwiseAbs().maxCoeff() > kMaxXmlNumber) fail(std::string(attribute) + " is larger than 1e9");
  return vector;
}

Eigen::Vector3d XmlElement::vector3(const char* attribute, const Eigen::Vector3d& otherwise) const {
  return has(attribute) ? vector3(attribute) : otherwise;
}

const std::filesystem::path& XmlElement::file() const {
  if (origin()) return *origin()->file;
  return *static_cast<const std::filesystem::path*>(element_->GetDocument()->GetUserData());
}

void XmlElement::fail(const std::string& cause) const { throw Error{file().string(), place(), cause}; }

}  // namespace limber::io
