// SPDX-License-Identifier: MIT
#include "io/motion_json.h"

#include <array>
#include <unordered_map>

#include "io/json.h"
#include "io/json_format.h"

namespace limber::io {

namespace {

constexpr std::array<std::string_view, 6> kChannelNames = {"Xposition", "Yposition", "Zposition",
                                                           "Xrotation", "Yrotation", "Zrotation"};

ChannelType readChannelType(const JsonValue& value) {
  for (std::size_t i = 0; i < kChannelNames.size(); ++i)
    if (value.text() == kChannelNames[i]) return static_cast<ChannelType>(i);
  value.fail(inQuotes(value.text()) + " is not a channel (Xposition ... Zrotation)");
}

bool hasRotation(JointType type) { return type == JointType::Ball || type == JointType::Free; }

std::vector<Channel> readChannels(const JsonValue& value, const Figure& figure) {
  std::unordered_map<std::string, int> joints;
  for (int i = 0; i < figure.linkCount(); ++i) joints.emplace(figure.joint(i).name, i);
  std::vector<Channel> channels;
  for (const JsonValue& pair : value.elements()) {
    const std::vector<JsonValue> parts = pair.elements();
    if (parts.size() != 2) pair.fail("must be [joint, channel]");
    const auto found = joints.find(parts[0].text());
    if (found == joints.end()) parts[0].fail(std::string("the figure has no joint ") + inQuotes(parts[0].text()));
    const Channel channel{found->second, readChannelType(parts[1])};
    if (channel.type > ChannelType::ZPosition && !hasRotation(figure.joint(channel.joint).type))
      pair.fail("only ball and free joints have rotation channels");
    channels.push_back(channel);
  }
  return channels;
}

}  // namespace

std::shared_ptr<const Motion> motionFromJson(const JsonValue& value, const Figure& figure) {
  value.allowOnly({"frame_time", "channels", "frames"});
  auto motion = std::make_shared<Motion>();
  motion->frameTime = value.at("frame_time").numberIn(0.0, 1e6);
  motion->channels = readChannels(value.at("channels"), figure);
  const std::vector<JsonValue> rows = value.at("frames").elements();
  motion->frameCount = static_cast<int>(rows.size());
  motion->values.reserve(rows.size() * motion->channels.size());
  for (const JsonValue& row : rows) {
    const std::vector<double> numbers = row.numbers(motion->channels.size());
    motion->values.insert(motion->values.end(), numbers.begin(), numbers.end());
  }
  return motion;
}

OrderedJson motionToJson(const Motion& motion, const Figure& figure) {
  OrderedJson out;
  out["frame_time"] = toJson(motion.frameTime);
  out["channels"] = OrderedJson::array();
  for (const Channel& channel : motion.channels)
    out["channels"].push_back({figure.joint(channel.joint).name, kChannelNames[static_cast<std::size_t>(channel.type)]});
  out["frames"] = OrderedJson::array();
  const auto columns = static_cast<Eigen::Index>(motion.channels.size());
  for (int i = 0; i < motion.frameCount; ++i)
    out["frames"].push_back(toJson(Eigen::VectorXd::Map(motion.values.data() + i * columns, columns)));
  return out;
}

}  // namespace limber::io
