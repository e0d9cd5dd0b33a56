// SPDX-License-Identifier: MIT
#include "limber/io/robot/xml_text.h"

#include <algorithm>

#include "limber/io/base/text.h"

namespace limber::io {

namespace {

bool endsName(char c) { return isSpace(c) || c == '>' || c == '/' || c == '='; }

/// The position after the comment, CDATA section, declaration or document type that begins at `at`.
std::size_t pastOther(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto past = [&](std::string_view end) {
    const std::size_t found = text.find(end, at);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (rest.starts_with("<!--")) return past("-->");
  if (rest.starts_with("<![CDATA[")) return past("]]>");
  if (rest.starts_with("<?")) return past("?>");
  return past(">");
}

}  // namespace

XmlText::XmlText(std::string_view text) : text_(text) {
  std::vector<int> open;
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '!' || next == '?') {
      at = pastOther(text, at);
      continue;
    }
    if (next == '/') {
      if (open.empty()) return;
      Element& element = elements_[open.back()];
      element.endTag = at;
      at = std::min(text.find('>', at), text.size() - 1) + 1;
      element.end = at;
      open.pop_back();
      continue;
    }
    Element element{.parent = open.empty() ? -1 : open.back(), .begin = at};
    const auto skip = [&](auto stops) {
      while (at < text.size() && !stops(text[at])) ++at;
    };
    const std::size_t name = ++at;
    skip(endsName);
    element.name = text.substr(name, at - name);
    while (true) {
      skip([](char c) { return !isSpace(c); });
      if (at >= text.size() || text[at] == '>' || text[at] == '/') break;
      const std::size_t key = at;
      skip(endsName);
      Attribute attribute{text.substr(key, at - key), {}};
      skip([](char c) { return c == '"' || c == '\'' || c == '>'; });
      if (at >= text.size() || text[at] == '>') break;
      const std::size_t value = at + 1, end = std::min(text.find(text[at], value), text.size());
      attribute.value = text.substr(value, end - value);
      element.attributes.push_back(attribute);
      at = std::min(end + 1, text.size());
    }
    const bool isEmpty = at < text.size() && text[at] == '/';
    at = std::min(text.find('>', at), text.size() - 1) + 1;
    element.inside = element.endTag = element.end = at;
    elements_.push_back(std::move(element));
    if (!isEmpty) open.push_back(static_cast<int>(elements_.size()) - 1);
  }
}

int XmlText::child(int parent, std::string_view name, std::string_view attribute, std::string_view value) const {
  for (int i = parent + 1; i < static_cast<int>(elements_.size()); ++i) {
    const Element& element = elements_[i];
    if (parent >= 0 && element.begin >= elements_[parent].end) break;
    if (element.parent != parent || element.name != name) continue;
    if (attribute.empty() || this->attribute(i, attribute) == escapedXml(value) ||
        this->attribute(i, attribute) == value)
      return i;
  }
  return -1;
}

std::optional<std::string_view> XmlText::attribute(int element, std::string_view name) const {
  const std::vector<Attribute>& all = elements_[element].attributes;
  const auto found = std::ranges::find(all, name, &Attribute::name);
  return found == all.end() ? std::nullopt : std::optional(found->value);
}

void XmlText::setAttribute(int element, std::string_view name, const std::string& value) {
  const Element& e = elements_[element];
  if (const auto old = attribute(element, name)) {
    const auto begin = static_cast<std::size_t>(old->data() - text_.data());
    if (*old != escapedXml(value)) changes_.push_back({begin, begin + old->size(), escapedXml(value)});
    return;
  }
  const std::size_t at = e.begin + 1 + e.name.size();
  changes_.push_back({at, at, " " + std::string(name) + "=\"" + escapedXml(value) + "\""});
}

void XmlText::remove(int element) {
  std::size_t begin = elements_[element].begin;
  while (begin > 0 && isSpace(text_[begin - 1])) --begin;
  changes_.push_back({begin, elements_[element].end, ""});
}

void XmlText::append(int parent, const std::string& written) {
  const Element& e = elements_[parent];
  if (!e.isClosed()) {  // <name/> gets an end tag
    const std::size_t slash = text_.rfind('/', e.inside);
    const std::string name(e.name);
    changes_.push_back({slash, e.inside, ">" + written + "</" + name + ">"});
    return;
  }
  std::size_t at = e.endTag;
  while (at > e.inside && isSpace(text_[at - 1])) --at;
  const std::string line = text_.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
  changes_.push_back({at, at, line + indentOf(parent) + "  " + written});
}

/// The blanks before the element in its line.
std::string XmlText::indentOf(int element) const {
  std::size_t begin = elements_[element].begin;
  const std::size_t end = begin;
  while (begin > 0 && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
  const bool isFirst = begin == 0 || text_[begin - 1] == '\n' || text_[begin - 1] == '\r';
  return isFirst ? std::string(text_.substr(begin, end - begin)) : std::string();
}

std::string XmlText::result() const {
  std::vector<Change> changes = changes_;
  std::ranges::stable_sort(changes, {}, &Change::begin);
  std::string out;
  std::size_t at = 0;
  for (const Change& change : changes) {
    out.append(text_.substr(at, change.begin - at)).append(change.text);
    at = change.end;
  }
  return out.append(text_.substr(at));
}

std::string escapedXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

}  // namespace limber::io
