// SPDX-License-Identifier: MIT
// The text of an XML file with the places of its elements, so that single attributes can be changed and everything else
// stays byte for byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

class XmlText {
 public:
  struct Attribute {
    std::string_view name, value;  ///< the value as written, with its entities
  };
  struct Element {
    std::string_view name;
    int parent = -1;                    ///< index; -1 for the first element
    std::size_t begin = 0, inside = 0;  ///< of "<", and past the ">" of its start tag
    std::size_t endTag = 0, end = 0;    ///< of "</", and past the element; both `inside` for <name/>
    std::vector<Attribute> attributes;
    bool isClosed() const { return endTag != end; }  ///< has an end tag of its own
  };

  /// The text must be well-formed, as XmlFile checks it, and must outlive this.
  explicit XmlText(std::string_view text);

  const std::vector<Element>& elements() const { return elements_; }
  const Element& operator[](int i) const { return elements_[i]; }
  /// The first child with this name whose `attribute` has the value; -1 for none. An empty `attribute` accepts any.
  int child(int parent, std::string_view name, std::string_view attribute = {}, std::string_view value = {}) const;
  std::optional<std::string_view> attribute(int element, std::string_view name) const;

  // Changes, which result() applies; they must not overlap.

  void setAttribute(int element, std::string_view name, const std::string& value);
  /// Removes the element with the blanks before it.
  void remove(int element);
  /// Adds an element, written without indentation, as the last child.
  void append(int parent, const std::string& written);

  std::string result() const;

 private:
  struct Change {
    std::size_t begin, end;
    std::string text;
  };

  std::string indentOf(int element) const;

  std::string_view text_;
  std::vector<Element> elements_;
  std::vector<Change> changes_;
};

/// The text with the entities that XML requires in attributes.
std::string escapedXml(std::string_view text);

}  // namespace limber::io
