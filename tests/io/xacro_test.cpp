// SPDX-License-Identifier: MIT
#include "limber/io/robot/xacro.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "limber/io/robot/robot.h"
#include "limber/io/robot/xacro_expression.h"
#include "limber/kinematics/forward_kinematics.h"
#include "results.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/text_of.h"

namespace limber::io::xacro_test {
namespace {

using test::hasNote;

std::string evaluated(const std::string& expression) {
  const auto lookUp = [](std::string_view name) -> std::optional<XacroValue> {
    if (name == "n") return std::int64_t(3);
    if (name == "side") return std::string("left");
    if (name == "ns.x") return 0.5;
    if (name == "cfg")
      return xacroDictionary({{std::string("j"), xacroDictionary({{std::string("lower"), -1.5}})},
                              {std::string("names"), xacroList({std::string("a"), std::string("b")})}});
    return std::nullopt;
  };
  const auto loadYaml = [](const std::string& file) -> XacroValue { return "the contents of " + file; };
  const auto argument = [](const std::string& name) -> XacroValue { return "the argument " + name; };
  try {
    return xacroText(evaluateXacro(expression, {lookUp, loadYaml, argument}));
  } catch (const XacroFault& fault) {
    return "fault: " + fault.cause;
  }
}

TEST(Xacro, ExpressionsAreThoseOfPython) {  // the values are what Python 3.11 prints
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 / 2", "3.5"},
      {"6 / 2", "3.0"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"7 % -3", "-2"},
      {"2 ** 10", "1024"},
      {"2 ** -1", "0.5"},
      {"-2 ** 2", "-4"},
      {"2 ** 3 ** 2", "512"},
      {"1e-5", "1e-05"},
      {"1e16", "1e+16"},
      {"0.1 + 0.2", "0.30000000000000004"},
      {"1.5e3", "1500.0"},
      {"pi", "3.141592653589793"},
      {"radians(180) == pi", "True"},
      {"sin(pi / 2)", "1.0"},
      {"math.cos(0)", "1.0"},
      {"atan2(1, 1) * 4 == pi", "True"},
      {"max(1, 2.5, n)", "3"},
      {"min(4, n)", "3"},
      {"abs(-4)", "4"},
      {"abs(-4.5)", "4.5"},
      {"round(2.5)", "2"},
      {"round(3.14159, 2)", "3.14"},
      {"floor(-0.5)", "-1"},
      {"ceil(0.2)", "1"},
      {"int('12') + 1", "13"},
      {"int(2.9)", "2"},
      {"float(1)", "1.0"},
      {"str(n) + '_' + side", "3_left"},
      {"side == 'left'", "True"},
      {"side != \"left\"", "False"},
      {"1 if side == 'left' else -1", "1"},
      {"1 if side == 'right' else 2 if n == 2 else 3", "3"},
      {"0 < n <= 3", "True"},
      {"not n == 3", "False"},
      {"not not 5", "True"},
      {"n == 4 or side == 'left' and True", "True"},
      {"0 or 5", "5"},
      {"'' and nothing", ""},
      {"True + 1", "2"},
      {"'a' == 1", "False"},
      {"ns.x * 2", "1.0"},
      {"None", "None"},
      {"[1, 'a', [2.5]]", "[1, 'a', [2.5]]"},
      {"(1, 2)[-1]", "2"},
      {"[1, 2, 3, 4][1:3]", "[2, 3]"},
      {"[1] + [2]", "[1, 2]"},
      {"'left'[0:2] + 'x'", "lex"},
      {"dict(a=1, b='x')", "{'a': 1, 'b': 'x'}"},
      {"dict(a=1)['a'] + 1", "2"},
      {"cfg['j']['lower']", "-1.5"},
      {"cfg.j.lower * 2", "-3.0"},
      {"cfg.get('none', 7)", "7"},
      {"cfg['names'][1]", "b"},
      {"'a' in cfg['names']", "True"},
      {"side not in ['right', 'middle']", "True"},
      {"'ef' in side", "True"},
      {"'j' in cfg and 'k' not in cfg", "True"},
      {"None is None", "True"},
      {"len(cfg) + len([1, 2])", "4"},
      {"list(range(2, 8, 3))", "[2, 5]"},
      {"sum([1, 2.5])", "3.5"},
      {"sorted([3, 1, 2])[0]", "1"},
      {"max([3, 1, 2])", "3"},
      {"side.upper() + '-'.join(['a', 'b'])", "LEFTa-b"},
      {"'a,b'.split(',')", "['a', 'b']"},
      {"'arm_1'.replace('_', '/').startswith('arm/')", "True"},
      {"xacro.load_yaml('a.yaml')", "the contents of a.yaml"},
      {"xacro.arg('name')", "the argument name"},
      {"math.pi > 3 and python.len('ab') == 2", "True"},
  };
  for (const auto& [expression, value] : cases) EXPECT_EQ(evaluated(expression), value) << expression;
}

TEST(Xacro, FaultsOfExpressionsSayWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "it is not complete"},
      {"1 +", "it is not complete"},
      {"(1", "a parenthesis is not closed"},
      {"nothing", "there is no property \"nothing\""},
      {"1 / 0", "it divides by zero"},
      {"sqrt(-1)", "sqrt(-1) is undefined"},
      {"1 + 'a'", "there is no \"1\" + \"a\""},
      {"[1, 2", "a list is not closed"},
      {"[1, 2][2]", "there is no place 2 among 2"},
      {"cfg['k']", "the dictionary has no key \"k\""},
      {"cfg.k", "the dictionary has no key \"k\""},
      {"nothing.k", "there is no property \"nothing.k\""},
      {"n[0]", "\"3\" has no items"},
      {"[x for x in [1]]", "a comprehension is not evaluated here"},
      {"range(1000000000)", "a list is too long"},
      {"side.format()", "the method \"format\" of a text is not evaluated here"},
      {"xacro.fatal('stop')", "stop"},
      {"1 2", "\"2\" is not evaluated here"},
      {"'a", "a text is not closed"},
      {"1 if n", "an \"if\" has no \"else\""},
      {"1 < 'a'", "\"1\" and \"a\" cannot be compared"},
  };
  for (const auto& [expression, cause] : cases) EXPECT_EQ(evaluated(expression), std::string("fault: ") + cause);
  EXPECT_EQ(evaluated(std::string(4000, '(')), "fault: it is nested too deep");
  EXPECT_EQ(evaluated(std::string(5000, '1')), "fault: the expression is too long");
  EXPECT_EQ(evaluated("n" + std::string(4000, '-') + "n"), "fault: it is nested too deep");
}

const std::string kHead = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n";

FigureSource read(const std::string& inside, const std::string& path = "r.urdf.xacro",
                  const OpenContext& context = {}) {
  return test::valueOf(readUrdf(kHead + inside + "</robot>", path, context));
}

std::string faultOf(const std::string& inside, const std::string& path = "r.urdf.xacro") {
  return test::messageOf(readUrdf(kHead + inside + "</robot>", path));
}

std::string namesOf(const FigureSource& source) {
  std::string names;
  for (const Link& link : source.figure->links()) names += (names.empty() ? "" : " ") + link.name;
  return names;
}

/// Where a link's frame is at rest, in the axes of the file.
Eigen::Vector3d placeOf(const FigureSource& source, const std::string& link) {
  const Kinematics kinematics = transformsOf(*source.figure, restPose(*source.figure));
  return source.figure->fileFrame().toFile(kinematics.worldFromLink[source.figure->findLink(link)].translation);
}

TEST(Xacro, PropertiesAndMacrosMakeARobot) {
  const FigureSource source = read(R"x(
    <xacro:property name="length" value="${2 * half}"/>
    <xacro:property name="half" value="0.15"/>
    <xacro:macro name="finger" params="side reflect:=1 *origin">
      <link name="${side}_finger"/>
      <joint name="${side}_joint" type="revolute"><parent link="palm"/><child link="${side}_finger"/>
        <xacro:insert_block name="origin"/><axis xyz="0 ${reflect} 0"/>
        <limit lower="${-pi / 2}" upper="${radians(30)}"/></joint>
    </xacro:macro>
    <link name="palm"/>
    <xacro:finger side="left"><origin xyz="0 ${length} 0.1"/></xacro:finger>
    <xacro:finger side="right" reflect="${-1}"><origin xyz="0 -${length} 0.1"/></xacro:finger>)x");
  EXPECT_EQ(namesOf(source), "palm left_finger right_finger");
  EXPECT_LT((placeOf(source, "left_finger") - Eigen::Vector3d(0, 0.3, 0.1)).norm(), 1e-12);
  EXPECT_LT((placeOf(source, "right_finger") - Eigen::Vector3d(0, -0.3, 0.1)).norm(), 1e-12);
  const Joint& right = source.figure->joint(source.figure->findJoint("right_joint"));
  EXPECT_EQ(right.axis, Eigen::Vector3d(0, -1, 0));
  EXPECT_NEAR(right.limits.lower, -std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(right.limits.upper, std::numbers::pi / 6, 1e-12);
  EXPECT_TRUE(hasNote(source.notes, "This is xacro, which was expanded."));
}

TEST(Xacro, ConditionsChooseAndMacrosRepeat) {
  const FigureSource source = read(R"x(
    <xacro:arg name="tool" default="false"/>
    <xacro:arg name="count" default="3"/>
    <xacro:property name="with_tool" value="$(arg tool)"/>
    <xacro:macro name="chain" params="i n">
      <xacro:if value="${i &lt; n}">
        <link name="l${i}"/>
        <joint name="j${i}" type="continuous"><parent link="${'base' if i == 0 else 'l' + str(i - 1)}"/>
          <child link="l${i}"/><origin xyz="0 0 ${0.1 * (i + 1)}"/></joint>
        <xacro:chain i="${i + 1}" n="${n}"/>
      </xacro:if>
    </xacro:macro>
    <link name="base"/>
    <xacro:chain i="0" n="$(arg count)"/>
    <xacro:if value="${with_tool}"><link name="lost"/></xacro:if>
    <xacro:unless value="$(arg tool)"><xacro:property name="late" value="seen"/></xacro:unless>
    <link name="${late}"/>
    <joint name="last" type="fixed"><parent link="l2"/><child link="seen"/></joint>)x");
  EXPECT_EQ(namesOf(source), "base l0 l1 l2 seen");
  EXPECT_NEAR(placeOf(source, "seen").z(), 0.1 + 0.2 + 0.3, 1e-12);
  EXPECT_TRUE(hasNote(source.notes, "expanded with count = \"3\", tool = \"false\"."));
}

TEST(Xacro, BlocksScopesAndDefaultsAreThoseOfXacro) {
  const FigureSource source = read(R"x(
    <xacro:property name="prefix" value="p_"/>
    <xacro:property name="place"><origin xyz="1 2 3"/></xacro:property>
    <xacro:macro name="set" params="">
      <xacro:property name="up" value="${1 + 1}" scope="parent"/>
      <xacro:property name="everywhere" value="g" scope="global"/>
      <xacro:property name="inside" value="lost"/>
    </xacro:macro>
    <xacro:macro name="part" params="name:='a b' prefix:=^ tail:=^|_t **more">
      <xacro:element xacro:name="link"><xacro:attribute name="name" value="${prefix}${name}${tail}"/></xacro:element>
      <xacro:insert_block name="more"/>
    </xacro:macro>
    <xacro:set/>
    <link name="base"/>
    <xacro:part><holder><joint name="j" type="fixed"><parent link="base"/><child link="p_a b_t"/>
      <xacro:insert_block name="place"/></joint></holder></xacro:part>
    <link name="${everywhere}${up}"/>
    <joint name="k" type="fixed"><parent link="base"/><child link="g2"/></joint>
    <xacro:property name="up" default="9"/>
    <link name="$${kept}${up}"/>
    <joint name="m" type="fixed"><parent link="base"/><child link="$${kept}2"/></joint>
    <xacro:call macro="part" name="d" tail=""><holder><joint name="n" type="fixed"><parent link="base"/>
      <child link="p_d"/></joint></holder></xacro:call>)x");
  EXPECT_EQ(namesOf(source), "base p_a b_t g2 ${kept}2 p_d");
  EXPECT_LT((placeOf(source, "p_a b_t") - Eigen::Vector3d(1, 2, 3)).norm(), 1e-12);
  EXPECT_NE(faultOf("<xacro:macro name='m'><xacro:property name='x' value='1'/></xacro:macro><xacro:m/>"
                    "<link name='${x}'/>")
                .find("there is no property \"x\""),
            std::string::npos);
}

TEST(Xacro, LeftoversInAPlainRobotAreNoReasonToRefuseIt) {
  const FigureSource source = read("<xacro:property name='unused' value='${nothing}'/><link name='a'/>", "r.urdf");
  EXPECT_EQ(namesOf(source), "a");
  EXPECT_TRUE(read("<link name='a'/>", "r.urdf").notes.empty()) << "the namespace alone is nothing to speak of";
}

TEST(Xacro, FaultsNamePlaceAndExpression) {
  EXPECT_TRUE(
      test::says(faultOf("<link name='${a}'/>"), {"r.urdf.xacro: line 2, <link name=\"${a}\">", "property \"a\""}));
  EXPECT_TRUE(test::says(faultOf("<xacro:property name='a' value='${b}'/>\n<xacro:property name='b' value='${a}'/>\n"
                                 "<link name='${a}'/>"),
                         {"r.urdf.xacro: line 4, <link name=\"${a}\">", "property \"a\"", "itself"}));
  EXPECT_EQ(faultOf("<xacro:m/>"), "r.urdf.xacro: line 2, <xacro:m>: there is no macro \"m\"");
  EXPECT_TRUE(test::says(faultOf("<xacro:macro name='m' params='a'/><xacro:m/>"),
                         {"r.urdf.xacro: line 2, <xacro:m>", "needs", "\"a\""}));
  EXPECT_TRUE(test::says(faultOf("<xacro:macro name='m' params='a'/><xacro:m a='1' b='2'/>"),
                         {"r.urdf.xacro: line 2, <xacro:m>", "no parameter \"b\""}));
  EXPECT_TRUE(test::says(faultOf("<xacro:macro name='m' params='*a'/><xacro:m/>"),
                         {"r.urdf.xacro: line 2, <xacro:m>", "element", "\"*a\""}));
  EXPECT_TRUE(test::says(faultOf("<xacro:macro name='m'/><xacro:m><link/></xacro:m>"),
                         {"r.urdf.xacro: line 2, <link>", "no parameter"}));
  EXPECT_TRUE(test::says(faultOf("<xacro:insert_block name='b'/>"),
                         {"r.urdf.xacro: line 2, <xacro:insert_block name=\"b\">", "block \"b\""}));
  EXPECT_TRUE(test::says(faultOf("<xacro:if value='maybe'/>"), {"r.urdf.xacro: line 2, <xacro:if>", "\"maybe\""}));
  EXPECT_TRUE(test::says(faultOf("<xacro:macro name='arm' params='a'><link name='x'/></xacro:macro>"),
                         {"r.urdf.xacro: line 1, <robot name=\"r\">", "macros", "\"arm\""}));
  const std::string command = "; a URDF is made by: xacro r.urdf.xacro > r.urdf";
  EXPECT_EQ(faultOf("<link name='${xacro.load_yaml(f)}'/>").find("there is no property \"f\"") == std::string::npos,
            false);
  EXPECT_EQ(
      faultOf("<link name='${n @ 1}'/>"),
      "r.urdf.xacro: line 2, <link name=\"${n @ 1}\">: ${n @ 1}: the character \"@\" is not evaluated here" + command);
  EXPECT_EQ(faultOf("<link name='$(env HOME)'/>"),
            "r.urdf.xacro: line 2, <link name=\"$(env HOME)\">: $(env HOME) is not evaluated here" + command);
  EXPECT_EQ(faultOf("<link name='$(arg a)'/>"),
            "r.urdf.xacro: line 2, <link name=\"$(arg a)\">: the argument \"a\" has no default" + command);
  // Generated elements have the line of their macro.
  EXPECT_TRUE(test::says(faultOf("<link name='a'/><xacro:macro name='m'>\n<link name='a'/></xacro:macro>\n<xacro:m/>"),
                         {"r.urdf.xacro: line 3, <link name=\"a\">", "name"}));
}

TEST(Xacro, ListsAreBounded) {
  const auto grown = [&](const std::string& first, const std::string& step, int steps) {
    std::string text = "<xacro:property name='l0' value=\"" + first + "\"/>";
    for (int i = 1; i <= steps; ++i) {
      const std::string before = "l" + std::to_string(i - 1);
      std::string value = step;
      for (std::size_t at = 0; (at = value.find('L', at)) != std::string::npos; at += before.size())
        value.replace(at, 1, before);
      text += "<xacro:property name='l" + std::to_string(i) + "' value=\"" + value + "\"/>";
    }
    const std::string last = "l" + std::to_string(steps);
    return faultOf(text + "<link name=\"${" + last + " == " + last + "[0:]}\"/>");
  };
  EXPECT_NE(grown("${['" + std::string(4000, 'x') + "']}", "${L + L}", 20).find("too long"), std::string::npos);
  EXPECT_NE(grown("${[1]}", "${[L]}", 200).find("nested too deep"), std::string::npos);
  EXPECT_NE(grown("${[1]}", "${[L, L]}", 60).find("too long to compare"), std::string::npos);
}

class XacroData : public test::TemporaryFolder {};

TEST_F(XacroData, YamlGivesNumbersListsAndAngles) {
#ifndef LIMBER_HAVE_YAML_CPP
  GTEST_SKIP() << "SKIPPED: this build does not read YAML";
#endif
  write("limits.yaml", "j:\n  lower: -1.5\n  upper: !degrees 90\n  names: [a, 'b', \"1\"]\nok: true\n");
  const std::string robot = kHead +
                            "<xacro:property name='cfg' value=\"${xacro.load_yaml('limits.yaml')}\"/>"
                            "<link name='base'/><link name='${cfg.j.names[2]}'/>"
                            "<xacro:if value=\"${cfg['ok']}\"><joint name='j' type='revolute'><parent link='base'/>"
                            "<child link='1'/><limit lower=\"${cfg['j']['lower']}\" upper=\"${cfg.j.upper}\"/></joint>"
                            "</xacro:if></robot>";
  const FigureSource source = test::valueOf(readUrdf(robot, folder_ / "r.urdf.xacro"));
  const Interval limits = source.figure->joint(source.figure->findJoint("j")).limits;
  EXPECT_EQ(limits.lower, -1.5);
  EXPECT_NEAR(limits.upper, std::numbers::pi / 2.0, 1e-15);
  // Aliases that repeat one another are refused before they fill the memory.
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  write("limits.yaml", bomb);
  EXPECT_TRUE(test::says(test::messageOf(readUrdf(robot, folder_ / "r.urdf.xacro")), {"limits.yaml", "too large"}));
  write("limits.yaml", "a: [1\n");
  EXPECT_TRUE(test::says(test::messageOf(readUrdf(robot, folder_ / "r.urdf.xacro")), {"limits.yaml: line 2"}));
  std::filesystem::remove(folder_ / "limits.yaml");
  EXPECT_TRUE(
      test::says(test::messageOf(readUrdf(robot, folder_ / "r.urdf.xacro")), {"\"limits.yaml\" was not found"}));
}

TEST(Xacro, ExcessIsRefusedSoon) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(faultOf("<xacro:macro name='m'><xacro:m/></xacro:macro><xacro:m/>").find("nested too deep"),
            std::string::npos);
  std::string doubling = "<xacro:property name='p0' value='${1 * 1}0'/>", wide;
  for (int i = 1; i < 60; ++i) {
    const std::string before = std::to_string(i - 1), now = std::to_string(i);
    doubling += "<xacro:property name='p" + now + "' value='${p" + before + "}${p" + before + "}x'/>";
    wide += "<xacro:macro name='m" + now + "'><xacro:m" + before + "/><xacro:m" + before + "/></xacro:macro>";
  }
  EXPECT_NE(faultOf(doubling + "<link name='${p59}'/>").find("a text of xacro is longer"), std::string::npos);
  EXPECT_NE(faultOf("<xacro:macro name='m0'><a/></xacro:macro>" + wide + "<xacro:m59/>").find("more than 1000000"),
            std::string::npos);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 20.0);  // a second or two on a free machine
}

class XacroFiles : public test::TemporaryFolder {};

TEST_F(XacroFiles, IncludesAreFoundInPackagesAndBesideTheFile) {
  const std::string macros = R"x(<xacro:macro name="tip" params="name"><link name="${name}"/>
    <joint name="${name}_j" type="fixed"><parent link="base"/><child link="${name}"/><origin xyz="0 0 ${size}"/></joint>
    </xacro:macro><xacro:property name="size" value="0.25"/>)x";
  write("clone/package.xml", "<package><name>my_arm</name></package>");
  write("clone/urdf/inc/tip.xacro", kHead + macros + "</robot>");
  write("clone/common/colours.xacro", kHead + "<material name='red'><color rgba='1 0 0 1'/></material></robot>");
  const std::filesystem::path path = write("clone/urdf/arm.urdf.xacro", kHead + R"x(
    <xacro:include filename="$(find my_arm)/urdf/inc/tip.xacro"/>
    <xacro:include filename="../common/colours.xacro"/>
    <xacro:include filename="$(dirname)/inc/tip.xacro" ns="again"/>
    <xacro:include filename="none.xacro" optional="true"/>
    <link name="base"/><xacro:tip name="a"/><xacro:again.tip name="b"/>
    <link name="s${again.size}"/>
    <joint name="s" type="fixed"><parent link="a"/><child link="s0.25"/></joint></robot>)x");
  const std::string text = test::textOf(path);
  const FigureSource source = test::valueOf(readUrdf(text, path));
  EXPECT_EQ(namesOf(source), "base a s0.25 b");
  EXPECT_NEAR(placeOf(source, "b").z(), 0.25, 1e-12);
}

TEST_F(XacroFiles, AFileThatIsNotFoundIsNamed) {
  const std::filesystem::path path = folder_ / "r.xacro";
  const auto faultIn = [&](const std::string& name) {
    return readUrdf(kHead + "<xacro:include filename='" + name + "'/></robot>", path).error();
  };
  const Error error = faultIn("$(find other)/a.xacro");
  EXPECT_TRUE(test::says(error.cause, {"\"package://other/a.xacro\"", "not found"}));
  EXPECT_EQ(error.missing, std::vector<std::string>{"package://other/a.xacro"});
  write("outside.xacro", kHead + "<link name='a'/></robot>");
  const auto fromBelow = [&](const char* name) {
    return readUrdf(kHead + "<xacro:include filename='" + name + "'/></robot>", folder_ / "a" / "b" / "c" / "r.xacro");
  };
  EXPECT_TRUE(test::says(test::messageOf(fromBelow("../../../outside.xacro")), {"was not found"})) << "three above";
  write("a/b/c/other.xacro", "");
  write("a/beside.xacro", kHead + "<link name='a'/></robot>");
  EXPECT_TRUE(fromBelow("../../beside.xacro"));
  write("r.xacro", kHead + "<xacro:include filename='r.xacro'/></robot>");
  EXPECT_NE(faultIn("r.xacro").cause.find("may include itself"), std::string::npos);
  write("broken.xacro", "<robot>\n<link></robot>");
  EXPECT_EQ(faultIn("broken.xacro").file, (folder_ / "broken.xacro").string());
}

}  // namespace
}  // namespace limber::io::xacro_test
