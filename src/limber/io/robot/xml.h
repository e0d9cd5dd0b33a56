// SPDX-License-Identifier: MIT
// XML with bounds for robot files. Faults are thrown as Errors, which name file, line and element; each public reader
// catches them.
#pragma once

#include <tinyxml2.h>

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "limber/io/base/result.h"

namespace limber::io {

inline constexpr std::size_t kMaxXmlBytes = 64u << 20;
inline constexpr std::size_t kMaxXmlItems = 1'000'000;  ///< elements, their ends, comments, attributes: 120 bytes each
inline constexpr std::size_t kMaxXmlAttributes = 200;   ///< of an element: the parser compares each with all before it
inline constexpr std::size_t kMaxXmlName = 1000;
inline constexpr double kMaxXmlNumber = 1e9;  ///< of lengths and directions, far beyond any robot

/// Where the original was written of an element that was made from another one.
struct XmlOrigin {
  const std::filesystem::path* file;
  int line;
};

/// An element. It refers to its XmlFile, which must outlive it.
class XmlElement {
 public:
  explicit XmlElement(const tinyxml2::XMLElement& element) : element_(&element) {}

  std::string_view name() const { return element_->Name(); }
  const void* id() const { return element_; }  ///< equal for the same element
  XmlElement root() const { return XmlElement(*element_->GetDocument()->RootElement()); }  ///< of its document
  int line() const { return origin() ? origin()->line : element_->GetLineNum(); }
  /// "line 12, <joint name="knee">"
  std::string place() const;

  /// Children with this name, or all, in file order.
  std::vector<XmlElement> children(std::string_view name = {}) const;
  std::optional<XmlElement> child(std::string_view name) const;  ///< the first
  XmlElement needChild(std::string_view name) const;

  /// All attributes in file order, each with its value.
  std::vector<std::pair<std::string_view, std::string_view>> attributes() const;
  std::string_view text() const;  ///< before the first child, without white space at its ends

  std::optional<std::string_view> find(const char* attribute) const;
  bool has(const char* attribute) const { return find(attribute).has_value(); }
  std::string need(const char* attribute) const;               ///< must not be empty
  std::string needName(const char* attribute = "name") const;  ///< at most kMaxXmlName bytes: names are copied
  /// Finite numbers; nan and inf are refused.
  std::vector<double> numbers(const char* attribute) const;
  double number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  /// Three numbers within kMaxXmlNumber.
  Eigen::Vector3d vector3(const char* attribute) const;
  Eigen::Vector3d vector3(const char* attribute, const Eigen::Vector3d& otherwise) const;

  const std::filesystem::path& file() const;
  [[noreturn]] void fail(const std::string& cause) const;

 private:
  const XmlOrigin* origin() const { return static_cast<const XmlOrigin*>(element_->GetUserData()); }
  const tinyxml2::XMLElement* element_;
};

/// A parsed file, or one that is made element by element. Refuses invalid XML, nesting deeper than 100 elements,
/// documents beyond the bounds above, and document types that define entities. Entities are never expanded.
class XmlFile {
 public:
  /// Throws an Error.
  XmlFile(std::string_view bytes, std::filesystem::path path);
  /// A file without elements, to which add() adds.
  explicit XmlFile(std::filesystem::path path);
  XmlFile(const XmlFile&) = delete;
  XmlFile& operator=(const XmlFile&) = delete;

  XmlElement root() const { return XmlElement(*document_.RootElement()); }
  const std::filesystem::path& path() const { return path_; }

  /// Adds a last child to `parent`, or the root if that is null. Errors in it name the place of `origin`.
  tinyxml2::XMLElement& add(tinyxml2::XMLElement* parent, const std::string& name, const XmlElement& origin);
  void remove(tinyxml2::XMLElement& element) { document_.DeleteNode(&element); }

 private:
  std::filesystem::path path_;
  std::set<std::filesystem::path> originalFiles_;
  std::deque<XmlOrigin> origins_;
  tinyxml2::XMLDocument document_;
};

/// Numbers separated by white space, independent of the locale; empty if a word is not a finite number.
std::optional<std::vector<double>> parseNumbers(std::string_view text);

/// Name of the document's first element; empty if it has none near its beginning.
std::string_view firstXmlElement(std::string_view bytes);

}  // namespace limber::io
