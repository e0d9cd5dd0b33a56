// SPDX-License-Identifier: MIT
#include "limber/io/robot/xacro_yaml.h"

#include <numbers>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/robot/xacro_expression.h"

#ifdef LIMBER_HAVE_YAML_CPP
#include <yaml-cpp/yaml.h>
#endif

namespace limber::io {

#ifdef LIMBER_HAVE_YAML_CPP

namespace {

class YamlValues {
 public:
  XacroValue valueOf(const YAML::Node& node, int depth = 0) {
    if (++nodes_ > kMaxXacroYamlNodes || depth > kMaxXacroValueDepth) throw XacroFault{"the YAML is too large"};
    if (node.IsSequence()) {
      std::vector<XacroValue> items;
      for (const YAML::Node& item : node) items.push_back(valueOf(item, depth + 1));
      return xacroList(std::move(items));
    }
    if (node.IsMap()) {
      std::vector<std::pair<XacroValue, XacroValue>> items;
      for (const auto& item : node) items.emplace_back(valueOf(item.first, depth + 1), valueOf(item.second, depth + 1));
      return xacroDictionary(std::move(items));
    }
    return node.IsScalar() ? scalarOf(node) : XacroValue();
  }

 private:
  static XacroValue scalarOf(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    const std::string& tag = node.Tag();
    if (text.size() > kMaxXacroText) throw XacroFault{"a text is too long"};
    if (tag == "!degrees" || tag == "!radians") {
      const XacroSurroundings none{[](std::string_view) { return std::nullopt; }, {}, {}};
      const XacroValue angle = evaluateXacro("float(" + text + ")", none);
      return std::get<double>(angle) * (tag == "!degrees" ? std::numbers::pi / 180.0 : 1.0);
    }
    if (tag == "!") return text;  // in quotation marks
    const std::string lower = lowerCase(text);
    if (isAmong(lower, "null ~")) return std::monostate();
    if (isAmong(lower, "true yes on")) return true;
    if (isAmong(lower, "false no off")) return false;
    if (const XacroValue value = xacroLiteral(text); !std::holds_alternative<std::string>(value)) return value;
    return text;
  }

  std::size_t nodes_ = 0;
};

}  // namespace

XacroValue readXacroYaml(const std::string& text) {
  try {
    return YamlValues().valueOf(YAML::Load(text));
  } catch (const YAML::Exception& fault) {
    throw XacroFault{"line " + std::to_string(fault.mark.line + 1) + ": " + fault.msg};
  }
}

#else

XacroValue readXacroYaml(const std::string&) { throw XacroFault{"this build does not read YAML", true}; }

#endif

}  // namespace limber::io
