// SPDX-License-Identifier: MIT
#include "limber/io/fbx/fbx_scene.h"

#include <cmath>

namespace limber::io {

namespace {

constexpr FbxId kDocument = 999'999;

void addHeader(FbxNode& root) {
  FbxNode& header = root.child("FBXHeaderExtension");
  header.child("FBXHeaderVersion", std::int32_t{1003}).child("FBXVersion", std::int32_t{7400});
  header.child("EncryptionType", std::int32_t{0});
  FbxNode& stamp = header.child("CreationTimeStamp");
  stamp.child("Version", std::int32_t{1000});
  // The same date in every file: the identifiers below go with it, and equal scenes give equal files.
  for (const auto& [name, value] :
       {std::pair("Year", 1970), std::pair("Month", 1), std::pair("Day", 1), std::pair("Hour", 10),
        std::pair("Minute", 0), std::pair("Second", 0), std::pair("Millisecond", 0)})
    stamp.child(name, std::int32_t{value});
  header.child("Creator", "Limber");
  root.child("FileId").addBytes({"\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16});
  root.child("CreationTime", "1970-01-01 10:00:00:000");
  root.child("Creator", "Limber");
}

/// The time line's mode for a frame rate: one of those with a number of their own, else 14 for any.
int timeModeOf(double framesPerSecond) {
  for (const auto& [rate, mode] : {std::pair(120.0, 1), std::pair(60.0, 3), std::pair(50.0, 4), std::pair(30.0, 6),
                                   std::pair(25.0, 10), std::pair(24.0, 11)})
    if (std::abs(framesPerSecond - rate) < 1e-3) return mode;
  return 14;
}

void addSettings(double frameTime, double seconds, FbxNode& root) {
  FbxNode& settings = root.child("GlobalSettings");
  settings.child("Version", std::int32_t{1000});
  FbxProperties properties(settings);
  for (const auto& [name, value] :
       {std::pair("UpAxis", 1), std::pair("UpAxisSign", 1), std::pair("FrontAxis", 2), std::pair("FrontAxisSign", 1),
        std::pair("CoordAxis", 0), std::pair("CoordAxisSign", 1), std::pair("OriginalUpAxis", 1),
        std::pair("OriginalUpAxisSign", 1)})
    properties.integer(name, value);
  properties.number("UnitScaleFactor", 1.0).number("OriginalUnitScaleFactor", 1.0);
  const double rate = 1.0 / frameTime;
  properties.integer("TimeMode", timeModeOf(rate), "enum", "").time("TimeSpanStart", 0);
  properties.time("TimeSpanStop", std::llround(seconds * static_cast<double>(kFbxSecond)));
  properties.number("CustomFrameRate", timeModeOf(rate) == 14 ? rate : -1.0);
}

}  // namespace

FbxNode& FbxScene::add(const char* kind, const std::string& name, const char* classOf, const char* type, FbxId& id) {
  id = ++last_;
  ++counts_[kind];
  FbxNode& node = objects_.child(kind);
  node.add(id).add(std::string_view(name + std::string("\0\1", 2) + classOf)).add(type);
  return node;
}

std::string FbxScene::file(double frameTime, double seconds, const std::string& stack) const {
  FbxNode root("");
  addHeader(root);
  addSettings(frameTime, seconds, root);
  FbxNode& documents = root.child("Documents");
  documents.child("Count", std::int32_t{1});
  FbxNode& scene = documents.child("Document");
  scene.add(kDocument).add("Scene").add("Scene");
  FbxProperties(scene).text("ActiveAnimStackName", stack);
  scene.child("RootNode", FbxId{0});
  root.child("References");
  FbxNode& definitions = root.child("Definitions");
  std::int32_t all = 1;
  for (const auto& [kind, count] : counts_) all += count;
  definitions.child("Version", std::int32_t{100}).child("Count", all);
  FbxNode& settings = definitions.child("ObjectType");
  settings.add("GlobalSettings").child("Count", std::int32_t{1});
  for (const auto& [kind, count] : counts_) {
    FbxNode& type = definitions.child("ObjectType");
    type.add(std::string_view(kind)).child("Count", count);
  }
  root.take(objects_).take(connections_);
  root.child("Takes").child("Current", stack);
  return fbxFile(root);
}

}  // namespace limber::io
