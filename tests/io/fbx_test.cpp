// SPDX-License-Identifier: MIT
// FBX files of the test's own, against the transform of a node as the FBX SDK documents it.
#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <stdexcept>

#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "limber/io/export_formats.h"
#include "limber/io/fbx/fbx.h"
#include "limber/io/open.h"
#include "locations.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::fbx_test {
namespace {

constexpr double kFloat = 1e-6;  // metres; assimp's numbers are floats
constexpr long long kSecond = 46'186'158'000;

struct Model {
  std::string name;
  int parent = -1;
  std::string properties;  ///< vector("Lcl Translation", 0, 1, 0) + ...
  std::string kind = "LimbNode";
};

std::string vector(const std::string& name, double x, double y, double z) {
  const bool isLocal = name.starts_with("Lcl");
  return "P: \"" + name + "\", \"" + (isLocal ? name : "Vector3D") + "\", \"" + (isLocal ? "" : "Vector") + "\", \"" +
         (isLocal ? "A" : "") + "\"," + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "\n";
}

std::string number(const std::string& name, int value) {
  return "P: \"" + name + "\", \"int\", \"Integer\", \"\"," + std::to_string(value) + "\n";
}

/// The text of a file, which grows by objects and connections.
class Fbx {
 public:
  explicit Fbx(const std::vector<Model>& models, double unit = 1.0, int up = 1) : unit_(unit), up_(up) {
    for (std::size_t i = 0; i < models.size(); ++i) {
      const std::string id = std::to_string(kFirstModel + i);
      objects_ += "Model: " + id + ", \"Model::" + models[i].name + "\", \"" + models[i].kind +
                  "\" {\nVersion: 232\nProperties70: {\n" + models[i].properties + "}\n}\n";
      connect("OO", id, models[i].parent < 0 ? "0" : std::to_string(kFirstModel + models[i].parent));
    }
  }

  /// A stack that turns a model about x, linearly, degrees by key; the keys are `frames` frames of 1/24 s apart.
  Fbx& turn(const std::string& stack, int model, const std::vector<double>& degrees, int frames) {
    const std::string top = nextId(), layer = nextId(), node = nextId(), curve = nextId();
    objects_ += "AnimationStack: " + top + ", \"AnimStack::" + stack + "\", \"\" {\n}\n";
    objects_ += "AnimationLayer: " + layer + ", \"AnimLayer::base\", \"\" {\n}\n";
    objects_ += "AnimationCurveNode: " + node + ", \"AnimCurveNode::R\", \"\" {\n}\n";
    std::string times, values;
    for (std::size_t k = 0; k < degrees.size(); ++k) {
      times += (k > 0 ? "," : "") + std::to_string(static_cast<long long>(k) * frames * kSecond / 24);
      values += (k > 0 ? "," : "") + std::to_string(degrees[k]);
    }
    const std::string count = "*" + std::to_string(degrees.size()) + " {\na: ";
    objects_ +=
        "AnimationCurve: " + curve + ", \"AnimCurve::\", \"\" {\nDefault: 0\nKeyVer: 4008\nKeyTime: " + count + times +
        "\n}\nKeyValueFloat: " + count + values + "\n}\nKeyAttrFlags: *1 {\na: 24836\n}\n" +
        "KeyAttrDataFloat: *4 {\na: 0,0,255790911,0\n}\nKeyAttrRefCount: *1 {\na: " + std::to_string(degrees.size()) +
        "\n}\n}\n";
    connect("OO", layer, top);
    connect("OO", node, layer);
    connect("OP", node, std::to_string(kFirstModel + model), "Lcl Rotation");
    connect("OP", curve, node, "d|X");
    return *this;
  }

  /// A triangle (0, 0, 0), (1, 0, 0), (0, 1, 0) as the mesh of a model, which makes it a link where others move.
  Fbx& triangle(int model) {
    const std::string id = nextId();
    objects_ += "Geometry: " + id +
                ", \"Geometry::g\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
                "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\nGeometryVersion: 124\n}\n";
    connect("OO", id, std::to_string(kFirstModel + model));
    return *this;
  }

  std::string text() const {
    return "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
           "GlobalSettings: {\nVersion: 1000\nProperties70: {\n" +
           number("UpAxis", up_) + number("UpAxisSign", 1) + number("FrontAxis", up_ == 1 ? 2 : 1) +
           number("FrontAxisSign", up_ == 1 ? 1 : -1) + number("CoordAxis", 0) + number("CoordAxisSign", 1) +
           "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," + std::to_string(unit_) + "\n" +
           "P: \"TimeMode\", \"enum\", \"\", \"\",11\n}\n}\nObjects: {\n" + objects_ + "}\nConnections: {\n" +
           connections_ + "}\n";
  }

 private:
  static constexpr int kFirstModel = 1000;

  std::string nextId() { return std::to_string(++lastId_); }
  void connect(const std::string& kind, const std::string& from, const std::string& to, const std::string& what = "") {
    connections_ += "C: \"" + kind + "\"," + from + "," + to + (what.empty() ? "" : ", \"" + what + "\"") + "\n";
  }

  double unit_;
  int up_, lastId_ = 9000;
  std::string objects_, connections_;
};

class FbxFile : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    test::TemporaryFolder::SetUp();
    if (!findProgram()) GTEST_SKIP() << "the program \"limber\" is not built beside the tests";
  }

  Document open(const Fbx& fbx) { return test::valueOf(openAny(write("t.fbx", fbx.text()).string())).document; }
};

/// Where a link is, metres of the file; without the guess of the unit of tiny figures.
Eigen::Vector3d placeOf(const Document& document, const Pose& pose, const std::string& name) {
  const int link = document.figure->findLink(name);
  if (link < 0) throw std::runtime_error("there is no link " + name);
  const Kinematics kinematics = transformsOf(*document.figure, pose);
  return document.figure->fileFrame().toFile(kinematics.worldFromLink[link].translation);
}

Eigen::Vector3d placeOf(const Document& document, const std::string& name) {
  return placeOf(document, restPose(*document.figure), name);
}

Eigen::Affine3d euler(double x, double y, double z) {  // degrees, x first
  constexpr double kDegree = std::numbers::pi / 180.0;
  return Eigen::Affine3d(Eigen::AngleAxisd(z * kDegree, Eigen::Vector3d::UnitZ()) *
                         Eigen::AngleAxisd(y * kDegree, Eigen::Vector3d::UnitY()) *
                         Eigen::AngleAxisd(x * kDegree, Eigen::Vector3d::UnitX()));
}

TEST_F(FbxFile, BonesOfFiveMillimetresStandApart) {
  std::vector<Model> bones = {{"bone0", -1, ""}};
  for (int i = 1; i < 12; ++i)
    bones.push_back({"bone" + std::to_string(i), i - 1, vector("Lcl Translation", 0, 0.5, 0.001 * i)});
  const Document document = open(Fbx(bones));
  Eigen::Vector3d expected = Eigen::Vector3d::Zero();
  for (int i = 0; i < 12; ++i) {
    if (i > 0) expected += Eigen::Vector3d(0, 0.005, 1e-5 * i);
    EXPECT_LT((placeOf(document, "bone" + std::to_string(i)) - expected).norm(), 1e-8) << i;
  }
}

TEST_F(FbxFile, OldVersionsSayHowToConvert) {
  const std::string text =
      "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 6100\n}\n";
  const std::string binary = std::string("Kaydara FBX Binary  \0\x1a\0\xd4\x17\0\0", 27) + std::string(200, '\0');
  for (const std::string& bytes : {text, binary}) {
    const std::string message = test::messageOf(openAny(write("old.fbx", bytes).string()));
    EXPECT_NE(message.find("FBX of version 6.1, and only 7.1"), std::string::npos) << message;
    EXPECT_NE(message.find("FBX Converter"), std::string::npos) << message;
  }
}

TEST_F(FbxFile, BonesBelowAScaledArmatureStandApart) {
  const Document document =
      open(Fbx({{"Armature", -1, vector("Lcl Rotation", -90, 0, 0) + vector("Lcl Scaling", 100, 100, 100), "Null"},
                {"hip", 0, vector("Lcl Translation", 0, 0, 0.9)},
                {"knee", 1, vector("Lcl Translation", 0, 0.004, -0.4)}}));
  EXPECT_LT((placeOf(document, "hip") - Eigen::Vector3d(0, 0.9, 0)).norm(), kFloat);
  EXPECT_LT((placeOf(document, "knee") - Eigen::Vector3d(0, 0.5, -0.004)).norm(), kFloat);
}

/// A joint with all that FBX has for one, and a child.
std::vector<Model> pivoted() {
  return {{"joint", -1,
           vector("Lcl Translation", 3, 100, 0) + vector("RotationOffset", 1, 0, 0) +
               vector("RotationPivot", 0, 10, 0) + vector("PreRotation", 0, 0, 90) + vector("Lcl Rotation", 20, 0, 0) +
               vector("PostRotation", 0, 30, 0) + vector("ScalingOffset", 0, 0, 3) + vector("ScalingPivot", 0, 2, 0) +
               vector("Lcl Scaling", 2, 1, 1) + number("RotationActive", 1) + number("InheritType", 1)},
          {"child", 0, vector("Lcl Translation", 10, 20, 30) + number("InheritType", 1)}};
}

/// The joint's transform by the formula of the FBX SDK, centimetres.
Eigen::Affine3d pivotedTransform(double degrees) {
  const auto shift = [](double x, double y, double z) { return Eigen::Affine3d(Eigen::Translation3d(x, y, z)); };
  return shift(3, 100, 0) * shift(1, 0, 0) * shift(0, 10, 0) * euler(0, 0, 90) * euler(degrees, 0, 0) *
         euler(0, 30, 0).inverse() * shift(0, -10, 0) * shift(0, 0, 3) * shift(0, 2, 0) *
         Eigen::Affine3d(Eigen::Scaling(2.0, 1.0, 1.0)) * shift(0, -2, 0);
}

TEST_F(FbxFile, PivotsAndOffsetsAreFoldedIntoOneBone) {
  const Document document = open(Fbx(pivoted()));
  EXPECT_EQ(document.figure->linkCount(), 3) << "RootNode, joint, child";
  const Eigen::Affine3d joint = pivotedTransform(20);
  EXPECT_LT((placeOf(document, "joint") - 0.01 * joint.translation()).norm(), kFloat);
  EXPECT_LT((placeOf(document, "child") - 0.01 * (joint * Eigen::Vector3d(10, 20, 30))).norm(), kFloat);
}

TEST_F(FbxFile, AMotionAboutAPivotGoesInArcs) {
  const Document document = open(Fbx(pivoted()).triangle(1).turn("swing", 0, {20, 80}, 24));
  ASSERT_TRUE(document.motion);
  EXPECT_EQ(document.motion->frameCount, 25);
  EXPECT_NEAR(document.motion->frameTime, 1.0 / 24.0, 1e-9);
  for (const int frame : {0, 6, 12, 24}) {
    const Pose pose = document.motion->poseAt(*document.figure, frame);
    const Eigen::Affine3d joint = pivotedTransform(20 + 60.0 * frame / 24);
    EXPECT_LT((placeOf(document, pose, "joint") - 0.01 * joint.translation()).norm(), kFloat) << frame;
    EXPECT_LT((placeOf(document, pose, "child") - 0.01 * (joint * Eigen::Vector3d(10, 20, 30))).norm(), kFloat)
        << frame;
  }
}

TEST_F(FbxFile, APreRotationCountsOnceInAMotion) {
  const Document document =
      open(Fbx({{"hip", -1,
                 vector("Lcl Translation", 0, 90, 0) + vector("PreRotation", 0, 0, 90) + number("RotationActive", 1)},
                {"knee", 0, vector("Lcl Translation", 0, 40, 0)}})
               .triangle(1)
               .turn("swing", 0, {0, 90}, 12));
  ASSERT_TRUE(document.motion);
  for (const int frame : {0, 12}) {
    const Eigen::Affine3d hip = Eigen::Translation3d(0, 90, 0) * euler(0, 0, 90) * euler(90.0 * frame / 12, 0, 0);
    const Pose pose = document.motion->poseAt(*document.figure, frame);
    EXPECT_LT((placeOf(document, pose, "knee") - 0.01 * (hip * Eigen::Vector3d(0, 40, 0))).norm(), kFloat) << frame;
  }
}

TEST_F(FbxFile, AMotionWithoutASkinKeepsBonesThatDoNotMove) {
  const Document document =
      open(Fbx({{"hip", -1, ""}, {"knee", 0, vector("Lcl Translation", 0, 50, 0)}}).turn("walk", 0, {0, 90}, 24));
  EXPECT_LT((placeOf(document, "knee") - Eigen::Vector3d(0, 0.5, 0)).norm(), kFloat);
}

TEST_F(FbxFile, EachStackIsAMotionWithItsName) {
  const Document document = open(Fbx({{"hip", -1, ""}, {"knee", 0, vector("Lcl Translation", 0, 50, 0)}})
                                     .triangle(1)
                                     .turn("walk", 0, {0, 90}, 24)
                                     .turn("wave", 0, {0, 0, -90}, 12));
  ASSERT_EQ(document.clips.size(), 2u);
  for (const auto& [name, end] : {std::pair("walk", 0.5), std::pair("wave", -0.5)}) {
    const auto clip = std::ranges::find_if(document.clips, [name = name](const auto& c) { return c->name == name; });
    ASSERT_NE(clip, document.clips.end()) << name;
    const Pose pose = (*clip)->poseAt(*document.figure, 24);
    EXPECT_LT((placeOf(document, pose, "knee") - Eigen::Vector3d(0, 0, end)).norm(), kFloat) << name;
  }
}

/// The numbers of a node, degrees, in the order of the SDK's formula.
struct Numbers {
  Eigen::Vector3d translation, rotationOffset, rotationPivot, preRotation, rotation, postRotation, scalingOffset,
      scalingPivot, scale;
  int inheritType = 0;
};

Numbers randomNumbers(std::mt19937& random, int inheritType) {
  const auto number = [&](double most) { return most * (2.0 * static_cast<double>(random()) / 4294967295.0 - 1.0); };
  const auto triple = [&](double most) {
    const double x = number(most), y = number(most);
    return Eigen::Vector3d(x, y, number(most));
  };
  const auto some = [&](double most) { return random() % 2 == 0 ? triple(most) : Eigen::Vector3d::Zero().eval(); };
  Numbers out;
  out.translation = triple(20);
  out.rotation = triple(180);
  for (Eigen::Vector3d* rotation : {&out.preRotation, &out.postRotation}) *rotation = some(180);
  for (Eigen::Vector3d* shift : {&out.rotationOffset, &out.rotationPivot, &out.scalingOffset, &out.scalingPivot})
    *shift = some(9);
  out.scale = Eigen::Vector3d::Constant(1.4) + some(1);
  out.inheritType = inheritType >= 0 ? inheritType : static_cast<int>(random() % 3);
  return out;
}

std::string propertiesOf(const Numbers& of) {
  std::string out = number("RotationActive", 1) + number("InheritType", of.inheritType);
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, const Eigen::Vector3d&>>{{"Lcl Translation", of.translation},
                                                                             {"RotationOffset", of.rotationOffset},
                                                                             {"RotationPivot", of.rotationPivot},
                                                                             {"PreRotation", of.preRotation},
                                                                             {"Lcl Rotation", of.rotation},
                                                                             {"PostRotation", of.postRotation},
                                                                             {"ScalingOffset", of.scalingOffset},
                                                                             {"ScalingPivot", of.scalingPivot},
                                                                             {"Lcl Scaling", of.scale}})
    out += vector(name, value.x(), value.y(), value.z());
  return out;
}

Eigen::Affine3d turned(const Eigen::Vector3d& degrees) { return euler(degrees.x(), degrees.y(), degrees.z()); }

/// A chain's world transforms, as the SDK's sample "Transformations" computes them from parent to child.
std::vector<Eigen::Affine3d> worldsOf(const std::vector<Numbers>& chain) {
  std::vector<Eigen::Affine3d> worlds;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const Numbers& n = chain[i];
    const auto shift = [](const Eigen::Vector3d& v) { return Eigen::Affine3d(Eigen::Translation3d(v)); };
    const Eigen::Affine3d turn = turned(n.preRotation) * turned(n.rotation) * turned(n.postRotation).inverse();
    const Eigen::Affine3d local = shift(n.translation + n.rotationOffset + n.rotationPivot) * turn *
                                  shift(n.scalingOffset + n.scalingPivot - n.rotationPivot) *
                                  Eigen::Affine3d(Eigen::Scaling(n.scale)) * shift(-n.scalingPivot);
    const Eigen::Affine3d above = i > 0 ? worlds.back() : Eigen::Affine3d::Identity();
    const Eigen::Matrix3d parentRotation = above.linear() * above.linear().colwise().norm().cwiseInverse().asDiagonal();
    Eigen::Matrix3d parentScale = parentRotation.inverse() * above.linear();
    if (n.inheritType == 2 && i > 0) parentScale = parentScale * chain[i - 1].scale.cwiseInverse().asDiagonal();
    Eigen::Affine3d world = Eigen::Affine3d::Identity();
    world.translation() = above * local.translation();
    world.linear() = n.inheritType == 1
                         ? Eigen::Matrix3d(above.linear() * local.linear())
                         : Eigen::Matrix3d(parentRotation * turn.linear() * parentScale * n.scale.asDiagonal());
    worlds.push_back(world);
  }
  return worlds;
}

TEST_F(FbxFile, RandomChainsStandWhereTheSdkPutsThem) {
  std::mt19937 random(4);
  for (const int inheritType : {0, 1, 2, -1}) {  // -1: each node has its own
    std::vector<Numbers> chain;
    std::vector<Model> models;
    for (int i = 0; i < 6; ++i) {
      chain.push_back(randomNumbers(random, inheritType));
      models.push_back({"n" + std::to_string(i), i - 1, propertiesOf(chain.back())});
    }
    const Document document = open(Fbx(models));
    const std::vector<Eigen::Affine3d> worlds = worldsOf(chain);
    for (std::size_t i = 0; i < worlds.size(); ++i)
      EXPECT_LT((placeOf(document, "n" + std::to_string(i)) - 0.01 * worlds[i].translation()).norm(), 1e-5)
          << i << " of type " << inheritType;
  }
}

TEST_F(FbxFile, AScaleThatIsNotInheritedMovesNoGrandchild) {
  const auto open3 = [&](int type) {
    return open(Fbx({{"a", -1, vector("Lcl Scaling", 2, 2, 2) + number("InheritType", 1)},
                     {"b", 0, vector("Lcl Translation", 0, 10, 0) + number("InheritType", type)},
                     {"c", 1, vector("Lcl Translation", 0, 10, 0) + number("InheritType", 1)}}));
  };
  EXPECT_LT((placeOf(open3(1), "c") - Eigen::Vector3d(0, 0.4, 0)).norm(), kFloat);
  EXPECT_LT((placeOf(open3(2), "c") - Eigen::Vector3d(0, 0.3, 0)).norm(), kFloat);
}

TEST_F(FbxFile, UnevenScalesAreInheritedAfterTheRotation) {
  const Document document = open(Fbx({{"a", -1, vector("Lcl Scaling", 1, 3, 1) + number("InheritType", 1)},
                                      {"b", 0, vector("Lcl Rotation", 0, 0, 90) + number("InheritType", 0)},
                                      {"c", 1, vector("Lcl Translation", 0, 10, 0) + number("InheritType", 1)}}));
  EXPECT_LT((placeOf(document, "c") - Eigen::Vector3d(-0.3, 0, 0)).norm(), kFloat);  // RrSs; by RSrs it is -0.1
}

TEST_F(FbxFile, TheUnitAndTheUpwardAxisAreTheFiles) {
  const Document document = open(Fbx({{"hip", -1, vector("Lcl Translation", 1, 2, 30)}}, 2.54, 2));
  EXPECT_LT((placeOf(document, "hip") - 0.0254 * Eigen::Vector3d(1, 30, -2)).norm(), kFloat);
}

TEST_F(FbxFile, AGeometricTransformMovesTheMeshAlone) {
  const Document document = open(Fbx({{"body", -1,
                                       vector("Lcl Translation", 0, 100, 0) + vector("GeometricTranslation", 0, 0, 50) +
                                           vector("GeometricRotation", 0, 0, 90),
                                       "Mesh"},
                                      {"child", 0, vector("Lcl Translation", 0, 10, 0)}})
                                     .triangle(0)
                                     .triangle(1));
  EXPECT_LT((placeOf(document, "body") - Eigen::Vector3d(0, 1, 0)).norm(), kFloat);
  EXPECT_LT((placeOf(document, "child") - Eigen::Vector3d(0, 1.1, 0)).norm(), kFloat);
  ASSERT_TRUE(document.skin);
  const SkinSurface& surface = document.skin->surfaces.at(0);
  const Kinematics kinematics = transformsOf(*document.figure, restPose(*document.figure));
  const Transform& world = kinematics.worldFromLink[surface.bones.at(0).link];
  bool isThere = false;
  for (const Eigen::Vector3f& position : surface.positions) {
    const Eigen::Vector3d inLink = (surface.bones[0].linkFromSkin * position).cast<double>();
    const Eigen::Vector3d place = document.figure->fileFrame().toFile(world.rotation * inLink + world.translation);
    isThere = isThere || (place - Eigen::Vector3d(0, 1.01, 0.5)).norm() < kFloat;  // of (1, 0, 0)
  }
  EXPECT_TRUE(isThere);
}

TEST_F(FbxFile, NamesThatAreNotUtf8AreReadAsLatin1) {
  const std::string bone = "caf\xe9", shown = "caf\xc3\xa9";
  const Document document =
      open(Fbx({{"root"}, {bone, 0, vector("Lcl Translation", 0, 1, 0)}}).turn("pas\xe9", 1, {0, 90}, 24));
  EXPECT_GE(document.figure->findLink(shown), 0);
  EXPECT_EQ(document.motion->name, "pas\xc3\xa9");
}

TEST_F(FbxFile, AFaultIsOneShortLine) {
  std::string bytes("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
  for (int i = 0; i < 20000; ++i) bytes += static_cast<char>(i * 37 % 256);
  for (const std::string& text : {bytes, "; FBX 7.4.0 project file\n" + std::string(20000, '\x01') + "{{{"}) {
    const auto opened = openAny(write("t.fbx", text).string());
    ASSERT_FALSE(opened);
    EXPECT_LE(opened.error().cause.size(), 210u);
    EXPECT_FALSE(opened.error().cause.empty());
    for (const char c : opened.error().cause) EXPECT_TRUE(c >= ' ' && c <= '~') << static_cast<int>(c);
  }
}

// ---- Written files, as assimp reads them

/// Poses far from rest; limits do not matter.
std::shared_ptr<const Motion> randomMotion(const Figure& figure, int frames, double frameTime) {
  std::mt19937 random(11);
  auto motion = std::make_shared<Motion>();
  motion->name = "dance";
  motion->frameTime = frameTime;
  for (int i = 0; i < frames; ++i) {
    Eigen::VectorXd step(figure.stepSize());
    for (double& number : step) number = 2.0 * (static_cast<double>(random()) / 4294967295.0 - 0.5);
    Pose pose;
    integrate(figure, restPose(figure), i == 0 ? Eigen::VectorXd(Eigen::VectorXd::Zero(figure.stepSize())) : step,
              pose);
    motion->append(pose);
  }
  return motion;
}

class FbxExport : public FbxFile {
 protected:
  Document reopened(const Document& document) {
    const auto path = folder_ / "out.fbx";
    test::valueOf(exportFile(document, path));
    return test::valueOf(openAny(path.string())).document;
  }
};

void expectSameBones(const Document& before, const Pose& pose, const Document& after, const Pose& again) {
  const Kinematics a = transformsOf(*before.figure, pose), b = transformsOf(*after.figure, again);
  for (int i = 0; i < before.figure->linkCount(); ++i) {
    const int link = after.figure->findLink(before.figure->link(i).name);
    ASSERT_GE(link, 0) << before.figure->link(i).name;
    EXPECT_LT((a.worldFromLink[i].translation - b.worldFromLink[link].translation).norm(), 1e-5)
        << before.figure->link(i).name;
    EXPECT_LT((a.worldFromLink[i].rotation - b.worldFromLink[link].rotation).norm(), 1e-4)
        << before.figure->link(i).name;
  }
}

TEST_F(FbxExport, MotionsComeBack) {
  Document document = test::valueOf(openAny("human")).document;
  const auto motion = randomMotion(*document.figure, 6, 1.0 / 24.0);
  setMotion(document, motion);
  showFrame(document, 0);
  const Document again = reopened(document);
  ASSERT_TRUE(again.motion);
  ASSERT_EQ(again.motion->frameCount, 6);
  EXPECT_NEAR(again.motion->frameTime, 1.0 / 24.0, 1e-6);
  EXPECT_EQ(again.motion->name, "dance");
  for (int frame = 0; frame < 6; ++frame)
    expectSameBones(document, motion->poseAt(*document.figure, frame), again,
                    again.motion->poseAt(*again.figure, frame));
}

TEST_F(FbxExport, APoseIsThatOfTheBones) {
  Document document = test::valueOf(openAny("arm")).document;
  const auto motion = randomMotion(*document.figure, 2, 1.0);
  document.pose = motion->poseAt(*document.figure, 1);
  const Document again = reopened(document);
  EXPECT_FALSE(again.motion);
  expectSameBones(document, document.pose, again, restPose(*again.figure));
}

/// The corners of all triangles as the pose places them, in their order.
std::vector<Eigen::Vector3d> cornersOf(const Document& document, const Pose& pose) {
  std::vector<Eigen::Affine3d> worldFromSkin;
  computeBoneTransforms(*document.skin, transformsOf(*document.figure, pose), worldFromSkin);
  std::vector<Eigen::Vector3d> corners;
  std::size_t first = 0;
  for (const SkinSurface& surface : document.skin->surfaces) {
    const std::span bones(worldFromSkin.data() + first, surface.bones.size());
    for (const std::uint32_t vertex : surface.triangles)
      corners.push_back(blendedTransform(surface, vertex, bones) * surface.positions[vertex].cast<double>());
    first += surface.bones.size();
  }
  return corners;
}

TEST_F(FbxExport, SkinsFollowTheirBones) {
  for (const char* name : {"avatar.vrm", "figure.glb"}) {
    SCOPED_TRACE(name);
    const auto path = std::filesystem::path(LIMBER_SOURCE_DIR) / "tests" / "fuzz" / "seeds" / name;
    Document document = test::valueOf(openAny(path.string())).document;
    ASSERT_TRUE(document.skin);
    document.clips.clear();
    const auto motion = randomMotion(*document.figure, 4, 1.0 / 30.0);
    setMotion(document, motion);
    showFrame(document, 0);
    const Document again = reopened(document);
    ASSERT_TRUE(again.skin && again.motion);
    for (int frame = 0; frame < 4; ++frame) {
      const auto one = cornersOf(document, motion->poseAt(*document.figure, frame));
      const auto other = cornersOf(again, again.motion->poseAt(*again.figure, frame));
      ASSERT_EQ(one.size(), other.size());
      double most = 0.0;
      for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, (one[i] - other[i]).norm());
      EXPECT_LT(most, 1e-4) << frame;
    }
  }
}

TEST(FbxWriter, EqualDocumentsGiveEqualFiles) {
  const Document document = test::valueOf(openAny("arm")).document;
  const Exported one = test::valueOf(formatFbx(document)), other = test::valueOf(formatFbx(document));
  EXPECT_EQ(one.bytes, other.bytes);
  EXPECT_TRUE(test::hasNote(one.notes, "no skin"));
  EXPECT_EQ(one.bytes.substr(0, 27), std::string("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27));
}

}  // namespace
}  // namespace limber::io::fbx_test
