// SPDX-License-Identifier: MIT
// Files of reference pictures, upright by their EXIF orientation, and scenes that hold pictures by path or whole.
#include "limber/io/base/picture_file.h"

#include <gtest/gtest.h>
#include <stb_image_write.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "limber/io/base/image.h"
#include "limber/io/json/scene_json.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "results.h"
#include "support/temporary_folder.h"

namespace limber::io::picture_file_test {
namespace {

/// Wider than high: red at the upper left, green at the upper right, blue at the lower left, white at the lower right.
SkinTexture quarters() {
  SkinTexture out{.width = 48, .height = 32};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const bool isRight = x >= 24, isLow = y >= 16;
      for (const bool on : {isRight == isLow, isRight, isLow, true})
        out.pixels.push_back(static_cast<std::uint8_t>(on ? 255 : 0));
    }
  return out;
}

std::string jpegOf(const SkinTexture& image, int orientation, bool isLittleEndian = false) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_jpg_to_func(append, &bytes, image.width, image.height, 4, image.pixels.data(), 95);
  if (orientation == 0) return bytes;
  const auto number = [&](int value, int size) {
    std::string text;
    for (int i = 0; i < size; ++i) text += static_cast<char>(value >> 8 * (isLittleEndian ? i : size - 1 - i) & 0xff);
    return text;
  };
  const std::string tiff = (isLittleEndian ? "II" : "MM") + number(42, 2) + number(8, 4) + number(1, 2) +
                           number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2) +
                           number(0, 4);
  const std::string exif = std::string("Exif\0\0", 6) + tiff;
  const auto size = static_cast<int>(exif.size()) + 2;
  const std::string head = {'\xFF', '\xE1', static_cast<char>(size >> 8), static_cast<char>(size & 0xff)};
  return bytes.substr(0, 2) + head + exif + bytes.substr(2);
}

/// "rgbw": the colours at the upper left, upper right, lower left and lower right.
std::string cornersOf(const SkinTexture& image) {
  std::string out;
  for (const auto& [x, y] :
       {std::pair{4, 4}, {image.width - 5, 4}, {4, image.height - 5}, {image.width - 5, image.height - 5}}) {
    const std::uint8_t* pixel = &image.pixels[4 * static_cast<std::size_t>(y * image.width + x)];
    const bool red = pixel[0] > 128, green = pixel[1] > 128, blue = pixel[2] > 128;
    out += red && green && blue ? 'w' : red ? 'r' : green ? 'g' : blue ? 'b' : '?';
  }
  return out;
}

Result<std::shared_ptr<const PictureFile>> decoded(const std::string& bytes) {
  PictureBudget budget;
  return decodePicture(bytes, "photo.jpg", budget);
}

TEST(PictureFile, IsTurnedAsItsExifOrientationSays) {
  constexpr const char* kUpright[] = {"rgbw", "rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg", "wgbr", "gwrb"};
  for (const bool isLittleEndian : {false, true})
    for (int orientation = 0; orientation <= 8; ++orientation) {
      const auto file = decoded(jpegOf(quarters(), orientation, isLittleEndian));
      ASSERT_TRUE(file) << file.error().message();
      EXPECT_EQ(cornersOf((*file)->image), kUpright[orientation]) << orientation;
      EXPECT_EQ((*file)->image.width, orientation >= 5 ? 32 : 48) << orientation;
    }
  const auto odd = decoded(jpegOf(quarters(), 77));
  ASSERT_TRUE(odd);
  EXPECT_EQ(cornersOf((*odd)->image), "rgbw") << "an orientation that does not exist is none";
}

TEST(PictureFile, BrokenOnesAreRefusedInWordsOrDecoded) {
  for (const std::string& whole : {encodeImage(quarters()), jpegOf(quarters(), 6)}) {
    for (std::size_t size = 0; size < whole.size(); size += 3) decoded(whole.substr(0, size));
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ 0x55);
      decoded(broken);
    }
  }
  const std::string whole = jpegOf(quarters(), 6);
  const auto cut = decoded(whole.substr(0, whole.size() - 20));
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().cause.find("is cut off"), std::string::npos) << cut.error().cause;
  EXPECT_TRUE(decoded(whole + "and what a telephone appends"));
  const auto empty = decoded("");
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().cause.find("not an image"), std::string::npos);
}

/// The header of a PNG file of that size, without pixels.
std::string hugePng(int side) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (int i = 0; i < 2; ++i)
    for (int shift = 24; shift >= 0; shift -= 8) png += static_cast<char>(side >> shift & 0xff);
  return png + std::string("\x08\x02\0\0\0", 5) + std::string(16, '\0');
}

TEST(PictureFile, TooLargeOnesAreRefusedWithTheLimit) {
  const auto huge = decoded(hugePng(30000));
  ASSERT_FALSE(huge);
  EXPECT_NE(huge.error().cause.find("8192 x 8192"), std::string::npos) << huge.error().cause;
}

/// Scenes with a picture, in a folder of their own.
class ScenesWithPictures : public test::TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    PictureBudget budget;
    auto file = readPictureFile(write("photo.jpg", jpegOf(quarters(), 6)), budget);
    ASSERT_TRUE(file);
    document_ = makeDocument(makeBallChain(3));
    document_.goals.clear();
    ReferencePicture picture = makeReferencePicture(*file);
    picture.camera = cameraLookingAt({0.3, 1.0, 3.0}, {0.0, 0.5, 0.0}, 61.5, {14.0, 20.0});
    picture.opacity = 0.35;
    picture.isInFront = true;
    picture.crop = {0.1, 0.0, 0.2, 0.3};
    const int id = addPicture(document_, picture);
    addSeenGoal(document_, {2, {0.0, 0.1, 0.0}}, id, {11.0, 13.0});
  }

  std::filesystem::path scene() const { return folder_ / "scene.limber"; }
  void save() { ASSERT_FALSE(writeScene(scene(), document_)); }

  Document document_;
};

void expectSamePicture(const ReferencePicture& read, const ReferencePicture& written) {
  ReferencePicture same = read;
  same.file = written.file;  // read again
  EXPECT_EQ(same, written);
}

TEST_F(ScenesWithPictures, AreOpenedAgainWithTheFileOfAPath) {
  save();
  const auto opened = openAny(scene().string());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_TRUE(opened->notes.empty());
  ASSERT_EQ(opened->document.pictures.size(), 1u);
  expectSamePicture(opened->document.pictures[0], document_.pictures[0]);
  EXPECT_EQ(opened->document.pictures[0].file->image.pixels, document_.pictures[0].file->image.pixels);
  EXPECT_EQ(opened->document.shownPicture, document_.shownPicture);
  EXPECT_EQ(opened->document.nextPictureId, document_.nextPictureId);
  EXPECT_EQ(opened->document.goals, document_.goals);
}

TEST_F(ScenesWithPictures, KeepThePlaneOfAPicture) {
  PictureCamera& camera = document_.pictures[0].camera;
  camera.isParallel = true;
  camera.focal = 123.25;
  save();
  const auto opened = openAny(scene().string());
  ASSERT_TRUE(opened);
  const PictureCamera& read = opened->document.pictures.at(0).camera;
  EXPECT_TRUE(opened->document.pictures[0].isOnPlane());
  EXPECT_EQ(read.focal, 123.25);
  EXPECT_EQ(read.worldFromCamera.translation, camera.worldFromCamera.translation);
  EXPECT_LT((read.worldFromCamera.rotation - camera.worldFromCamera.rotation).norm(), 1e-12);
}

TEST_F(ScenesWithPictures, HoldTheFileWhereTheyAreAskedTo) {
  document_.pictures[0].isInScene = true;
  save();
  std::filesystem::remove(folder_ / "photo.jpg");
  const auto opened = openAny(scene().string());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_TRUE(opened->notes.empty());
  expectSamePicture(opened->document.pictures[0], document_.pictures[0]);
  EXPECT_EQ(opened->document.pictures[0].file->bytes, document_.pictures[0].file->bytes);
}

TEST_F(ScenesWithPictures, KeepThePlaceOfAFileThatIsMissing) {
  save();
  std::filesystem::create_directory(folder_ / "moved");
  std::filesystem::rename(folder_ / "photo.jpg", folder_ / "moved/photo.jpg");
  const auto opened = openAny(scene().string());
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(opened->missing, std::vector<std::string>{"photo.jpg"});
  EXPECT_TRUE(test::hasNote(opened->notes, "photo.jpg"));
  expectSamePicture(opened->document.pictures[0], document_.pictures[0]);
  const auto found = openAny(scene().string(), {.folders = {folder_ / "moved"}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->missing.empty());
  EXPECT_EQ(found->document.pictures[0].file->image.pixels, document_.pictures[0].file->image.pixels);
  ASSERT_FALSE(writeScene(scene(), opened->document)) << "saved without its file, the scene still names it";
  EXPECT_EQ(openAny(scene().string(), {.folders = {folder_ / "moved"}})->document.pictures[0].file->bytes,
            document_.pictures[0].file->bytes);
}

TEST_F(ScenesWithPictures, TakeNoMoreMemoryThanAllMayTogether) {
  PictureBudget budget{.image = {.pixels = 2 * 48 * 32}};
  EXPECT_TRUE(readPictureFile(folder_ / "photo.jpg", budget));
  EXPECT_TRUE(readPictureFile(folder_ / "photo.jpg", budget));
  EXPECT_NE(test::messageOf(readPictureFile(folder_ / "photo.jpg", budget)).find("photo.jpg: needs more pixels"),
            std::string::npos);
  budget = {.bytes = 100};
  EXPECT_NE(test::messageOf(readPictureFile(folder_ / "photo.jpg", budget)).find("photo.jpg: "), std::string::npos);
}

TEST_F(ScenesWithPictures, DoNotTakeAnotherPictureForTheirs) {
  save();
  write("photo.jpg", encodeImage(quarters()));
  const auto opened = openAny(scene().string());
  ASSERT_TRUE(opened);
  EXPECT_TRUE(test::hasNote(opened->notes, "is not the picture of the scene, which has 32 x 48 pixels"));
}

TEST_F(ScenesWithPictures, NameWhatIsWrongInThem) {
  const auto text = formatScene(document_, folder_);
  ASSERT_TRUE(text);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = *text;
    const std::size_t at = changed.find(from);
    if (at == std::string::npos) return "no " + from;
    changed.replace(at, from.size(), to);
    const auto read = parseScene(changed, (folder_ / "scene.limber").string());
    return read ? "accepted" : read.error().message();
  };
  EXPECT_NE(refused("\"opacity\": 0.35", "\"opacity\": 1.5").find("pictures[0].opacity"), std::string::npos);
  EXPECT_NE(refused("\"focal_px\": 61.5", "\"focal_px\": 0").find("focal_px"), std::string::npos);
  EXPECT_NE(refused("\"seen_in\": 1", "\"seen_in\": 7").find("seen in a picture"), std::string::npos);
  EXPECT_NE(refused("\"shown_picture\": 1", "\"shown_picture\": 3").find("no such picture"), std::string::npos);
  EXPECT_NE(refused("[0.1, 0.0, 0.2, 0.3]", "[0.5, 0.0, 0.6, 0.3]").find("must leave a part"), std::string::npos)
      << refused("[0.1, 0.0, 0.2, 0.3]", "[0.5, 0.0, 0.6, 0.3]");
  EXPECT_NE(refused("\"file\": \"photo.jpg\"", "\"file\": \"\"").find("file"), std::string::npos);
  EXPECT_NE(refused("\"file\": \"photo.jpg\"", "\"file\": \"photo.jpg\", \"data\": \"data:;base64,AAAA\"")
                .find("not an image"),
            std::string::npos);
}

TEST_F(ScenesWithPictures, DifferInADeltaByWhatWasEdited) {
  document_.pictures[0].isInScene = true;
  Document after = document_;
  after.pictures[0].opacity = 0.9;
  const auto delta = sceneDelta(document_, after);
  EXPECT_LT(delta.dump().size(), 1000u) << "the file is not written again";
  const Document read = applySceneDelta(document_, nlohmann::json(delta));
  EXPECT_EQ(read.pictures, after.pictures);
  const Document untouched = applySceneDelta(document_, nlohmann::json::object());
  EXPECT_EQ(untouched.pictures, document_.pictures);
}

}  // namespace
}  // namespace limber::io::picture_file_test
