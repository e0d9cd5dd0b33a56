// SPDX-License-Identifier: MIT
// Live avatars over the loopback: complete, broken and too many packets, bones and trackers, and the pose sent.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "app/live/live_goals.h"
#include "app/live/live_receiver.h"
#include "app/live/osc.h"
#include "app/session/session.h"
#include "limber/io/open.h"
#include "limber/kinematics/forward_kinematics.h"
#include "settle.h"

namespace limber::app::live_test {
namespace {

using namespace std::chrono_literals;

Document human() { return io::openAny("human")->document; }

OscMessage placeMessage(const char* address, const std::string& name, double x, double y, double z) {
  return {address, {name, x, y, z, 0.0, 0.0, 0.0, 1.0}};
}

std::string packetOf(const std::vector<OscMessage>& messages) { return writeOsc(messages).at(0); }

/// Waits until the condition holds, at most ten seconds.
template <class Condition>
bool comes(const Condition& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(Osc, GivesBackWhatWasWritten) {
  const std::vector<OscMessage> messages = {{"/a", {1.5, std::string("text"), -2.0}}, {"/b/c", {}}};
  const auto read = readOsc(packetOf(messages));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].address, "/a");
  EXPECT_EQ((*read)[0].arguments, messages[0].arguments);
  EXPECT_EQ((*read)[1].address, "/b/c");
  EXPECT_TRUE((*read)[1].arguments.empty());
}

TEST(Osc, SplitsWhatDoesNotFitIntoAPacket) {
  const std::vector<OscMessage> messages(100, placeMessage("/VMC/Ext/Bone/Pos", "LeftUpperArm", 1, 2, 3));
  std::size_t count = 0;
  for (const std::string& packet : writeOsc(messages)) {
    EXPECT_LE(packet.size(), 1400u);
    const auto read = readOsc(packet);
    ASSERT_TRUE(read);
    count += read->size();
  }
  EXPECT_EQ(count, 100u);
}

// A packet that is cut anywhere, or with any byte changed, is read or refused without a fault that sanitizers find.
TEST(Osc, SurvivesBrokenPackets) {
  const std::string whole =
      packetOf({placeMessage("/VMC/Ext/Bone/Pos", "Hips", 0, 1, 0), {"/x", {std::string("abc")}}});
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (size % 4 != 0) EXPECT_FALSE(readOsc(whole.substr(0, size))) << size;
    else readOsc(whole.substr(0, size));
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string broken = whole;
    for (int k = 0; k < 3; ++k) broken[random() % broken.size()] = static_cast<char>(random());
    refused += !readOsc(broken);
  }
  EXPECT_GT(refused, 1000);
  std::string deep = packetOf({{"/a", {}}});
  for (int i = 0; i < 20; ++i) {
    std::string outer("#bundle\0\0\0\0\0\0\0\0\1", 16);
    for (int shift = 24; shift >= 0; shift -= 8) outer += static_cast<char>(deep.size() >> shift & 0xff);
    deep = outer + deep;
  }
  EXPECT_FALSE(readOsc(deep));
}

TEST(Vmc, TakesPlacesInOurAxes) {
  VmcState state;
  const double half = std::sqrt(0.5);
  const OscMessage turned{"/VMC/Ext/Tra/Pos", {std::string("serial"), 1.0, 2.0, 3.0, 0.0, half, 0.0, half}};
  EXPECT_EQ(takeVmc(turned, state), VmcTaken::Yes);
  const Transform& place = state.trackers.at("serial");
  EXPECT_TRUE(place.translation.isApprox(Eigen::Vector3d(-1, 2, 3)));
  EXPECT_TRUE((place.rotation * Eigen::Vector3d::UnitZ()).isApprox(Eigen::Vector3d(-1, 0, 0), 1e-9))
      << "a turn about y that takes z to x there takes it to -x here";
  EXPECT_EQ(takeVmc(placeMessage("/VMC/Ext/Bone/Pos", "LeftThumbProximal", 0, 0, 0), state), VmcTaken::Yes);
  EXPECT_TRUE(state.bones.contains("leftThumbMetacarpal"));
  EXPECT_EQ(takeVmc({"/VMC/Ext/Blend/Val", {std::string("Joy"), 1.0}}, state), VmcTaken::NotOurs);
}

TEST(Vmc, RefusesWhatIsNoPlace) {
  VmcState state;
  const auto taken = [&](std::vector<OscArgument> arguments) {
    return takeVmc({"/VMC/Ext/Bone/Pos", std::move(arguments)}, state);
  };
  const std::string hips = "Hips";
  EXPECT_EQ(taken({hips, 0.0, 0.0}), VmcTaken::Malformed);
  EXPECT_EQ(taken({1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}), VmcTaken::Malformed);
  EXPECT_EQ(taken({hips, NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}), VmcTaken::Malformed);
  EXPECT_EQ(taken({hips, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}), VmcTaken::Malformed);
  EXPECT_EQ(taken({hips, 1e9, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}), VmcTaken::Malformed);
  EXPECT_EQ(taken({std::string(), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}), VmcTaken::Malformed);
  EXPECT_TRUE(state.bones.empty());
  for (std::size_t i = 0; i <= kMaxLiveNames; ++i)
    EXPECT_EQ(taken({"bone" + std::to_string(i), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}) == VmcTaken::Yes,
              i < kMaxLiveNames);
}

// A sent pose gives the same figure the same pose.
TEST(Vmc, CarriesAPose) {
  Document document = human();
  const Figure& figure = *document.figure;
  const auto rig = io::findVrmRig(*document.figure);
  ASSERT_TRUE(rig);
  Document posed = document;
  Posing posing;
  PosingRequest reach;
  const int hand = rig->bones[static_cast<std::size_t>(rig->find("leftHand"))].link;
  const Kinematics rest = transformsOf(figure, document.pose);
  reach.drag = DragGoal{.link = hand, .target = rest.worldFromLink[hand].translation + Eigen::Vector3d(0.1, 0.5, 0.2)};
  solveToEnd(posing, posed, reach);

  VmcState state;
  LiveCalibration calibration;
  for (const OscMessage& message : vmcMessages(figure, *rig, document.pose, 0.0)) takeVmc(message, state);
  liveRequest(document, rig, state, false, calibration);  // the first: the hips are known
  for (const OscMessage& message : vmcMessages(figure, *rig, posed.pose, 0.0)) {
    const auto read = readOsc(packetOf({message}));
    ASSERT_TRUE(read);
    EXPECT_NE(takeVmc(read->at(0), state), VmcTaken::Malformed) << message.address;
  }
  Posing follower;
  solveToEnd(follower, document, liveRequest(document, rig, state, false, calibration));
  const Kinematics wanted = transformsOf(figure, posed.pose), now = transformsOf(figure, document.pose);
  for (const io::VrmBone& bone : rig->bones) {
    const Transform &a = now.worldFromLink[bone.link], &b = wanted.worldFromLink[bone.link];
    EXPECT_LT((a.translation - b.translation).norm(), 0.01) << bone.name;
    EXPECT_LT((a.rotation - b.rotation).norm(), 0.05) << bone.name;
  }
}

// A sender of the hips and the arms alone moves the arms alone, whatever the joint limits of the shoulders allow.
TEST(Vmc, BonesThatAreNotSentKeepTheirLocalRotation) {
  const double half = std::sqrt(0.5);
  for (const char* name : {"human", "humanoid"}) {
    Document document = io::openAny(name)->document;
    const auto rig = io::findVrmRig(*document.figure);
    ASSERT_TRUE(rig);
    const auto turnsOf = [&] { return io::boneRotations(*rig, transformsOf(*document.figure, document.pose)); };
    const std::vector<Eigen::Matrix3d> before = turnsOf();
    VmcState state;
    takeVmc(placeMessage("/VMC/Ext/Bone/Pos", "Hips", 0, 0.95, 0), state);
    takeVmc(placeMessage("/VMC/Ext/Bone/Pos", "RightUpperArm", 0, 0, 0), state);
    takeVmc({"/VMC/Ext/Bone/Pos", {std::string("LeftUpperArm"), 0.0, 0.0, 0.0, 0.0, 0.0, half, half}}, state);
    LiveCalibration calibration;
    Posing posing;
    for (int i = 0; i < 5; ++i) solveToEnd(posing, document, liveRequest(document, rig, state, false, calibration));
    const std::vector<Eigen::Matrix3d> after = turnsOf();
    for (const io::VrmBone& bone : rig->bones) {
      const auto i = static_cast<std::size_t>(&bone - rig->bones.data());
      if (bone.parent < 0 || state.bones.contains(bone.name)) continue;
      if (bone.name.ends_with("Shoulder")) continue;  // driven by the arm in these figures
      const auto parent = static_cast<std::size_t>(bone.parent);
      const Eigen::Matrix3d change =
          (before[parent].transpose() * before[i]).transpose() * (after[parent].transpose() * after[i]);
      EXPECT_LT(Eigen::AngleAxisd(change).angle(), 0.02) << name << " " << bone.name;
    }
    EXPECT_LT(Eigen::AngleAxisd(after[static_cast<std::size_t>(rig->find("head"))]).angle(), 0.05) << name;
    const auto arm = static_cast<std::size_t>(rig->find("leftUpperArm"));
    EXPECT_GT(Eigen::AngleAxisd(after[arm] * before[arm].transpose()).angle(), 0.2) << name << ": the arm turns";
  }
}

TEST(LiveReceiver, CountsWhatItDrops) {
  LiveReceiver receiver(0, false, {});
  ASSERT_EQ(receiver.fault(), "");
  platform::PacketSocket sender("127.0.0.1", receiver.port());
  const OscMessage hips = placeMessage("/VMC/Ext/Bone/Pos", "Hips", 0, 1, 0);
  ASSERT_TRUE(sender.send(packetOf({hips, hips})));  // a name twice
  ASSERT_TRUE(sender.send("no packet at all"));
  ASSERT_TRUE(comes([&] { return !receiver.view().senders.empty() && receiver.view().senders[0].packets == 2; }));
  const LiveView view = receiver.view();
  EXPECT_EQ(view.senders[0].dropped, 2u);
  EXPECT_TRUE(view.senders[0].isDriving);
  EXPECT_EQ(view.senders[0].tells, "1 bone, 0 trackers");
  EXPECT_EQ(view.version, 1u);
  EXPECT_TRUE(view.state.bones.contains("hips"));
}

TEST(LiveReceiver, FollowsOneSenderUntilItIsSilent) {
  LiveReceiver receiver(0, false, {});
  platform::PacketSocket first("127.0.0.1", receiver.port()), second("127.0.0.1", receiver.port());
  const auto tell = [](platform::PacketSocket& sender, double height) {
    sender.send(packetOf({placeMessage("/VMC/Ext/Bone/Pos", "Hips", 0, height, 0)}));
  };
  const auto height = [&] {
    const LiveView view = receiver.view();
    return view.state.bones.empty() ? 0.0 : view.state.bones.at("hips").translation.y();
  };
  tell(first, 1.0);
  ASSERT_TRUE(comes([&] { return height() == 1.0; }));
  tell(second, 2.0);
  ASSERT_TRUE(comes([&] { return receiver.view().senders.size() == 2; }));
  EXPECT_EQ(height(), 1.0);
  EXPECT_TRUE(comes([&] {
    tell(second, 2.0);
    return height() == 2.0;
  })) << "the first is silent";
}

TEST(LiveReceiver, ATakenPortIsSaid) {
  const LiveReceiver receiver(0, false, {});
  const LiveReceiver other(receiver.port(), false, {});
  EXPECT_EQ(other.fault(), "another program already uses it");
  EXPECT_NE(platform::PacketSocket("here", 1).fault(), "");
}

TEST(LiveReceiver, AFloodIsLeftToBeDropped) {
  std::atomic<int> woken = 0;
  LiveReceiver receiver(0, false, [&] { ++woken; });
  platform::PacketSocket sender("127.0.0.1", receiver.port());
  const std::string packet = packetOf({placeMessage("/VMC/Ext/Bone/Pos", "Hips", 0, 1, 0)});
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t sent = 0;
  while (std::chrono::steady_clock::now() - start < 300ms) sent += sender.send(packet);
  const std::uint64_t taken = receiver.view().senders.at(0).packets;
  const int wakings = woken;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;  // at least as long
  EXPECT_LE(taken, 100.0 * (seconds.count() / 0.008 + 2.0)) << "of " << sent;
  EXPECT_LE(wakings, seconds.count() / 0.008 + 2.0);
}

/// A session that follows a port of its own.
struct Following {
  Session session{human(), {}, {}};

  Following() {
    session.picture.area = {0, 0, 800, 600};
    session.editor.touch().mode = Mode::Inverse;
    session.settings.live.receivePort = 0;  // any free one
    ask(LiveWish::Receive);
  }
  void ask(LiveWish wish) { perform(session, Command::UseLive, wish); }
  void frame() {
    session.ui.now += 1.0 / 60.0;
    advance(session);
    refreshScene(session);
  }
};

TEST(Live, PosesTheFigureWithinItsLimitsAsOneStep) {
  Following following;
  Session& session = following.session;
  ASSERT_TRUE(session.services.live.isReceiving()) << session.ui.message.text;
  platform::PacketSocket sender("127.0.0.1", session.services.live.port());
  const Pose before = session.document().pose;
  const int steps = session.editor.history().presentStep();
  for (int i = 0; i < 40; ++i) {
    const double turn = 0.5 * 0.05 * i;  // half of an angle up to 2 radians, which no elbow has backward
    sender.send(packetOf({placeMessage("/VMC/Ext/Bone/Pos", "Hips", 0, 1, 0),
                          {"/VMC/Ext/Bone/Pos",
                           {std::string("LeftLowerArm"), 0.0, 0.0, 0.0, 0.0, -std::sin(turn), 0.0, std::cos(turn)}}}));
    const auto version = static_cast<std::uint64_t>(i + 1);
    ASSERT_TRUE(comes([&] {
      following.frame();
      return session.services.live.view().version >= version;
    }));
    for (int k = 0; k < 5; ++k) following.frame();
    Pose inside = session.document().pose;
    clampToLimits(session.document(), inside);
    ASSERT_LT((inside.coordinates - session.document().pose.coordinates).cwiseAbs().maxCoeff(), 1e-9);
  }
  EXPECT_FALSE(session.document().pose == before);
  EXPECT_EQ(session.editor.history().presentStep(), steps + 1);
  following.ask(LiveWish::StopReceiving);
  perform(session, Command::Undo);
  EXPECT_TRUE(session.document().pose == before);
}

TEST(Live, TrackersAreFixedToTheNearestLinksAndPullThem) {
  Following following;
  Session& session = following.session;
  const auto rig = io::findVrmRig(*session.document().figure);
  const Kinematics now = transformsOf(*session.document().figure, session.document().pose);
  const auto placeOf = [&](const char* bone) {
    return now.worldFromLink[rig->bones[static_cast<std::size_t>(rig->find(bone))].link].translation;
  };
  platform::PacketSocket sender("127.0.0.1", session.services.live.port());
  const auto tell = [&](double raised) {
    std::vector<OscMessage> messages;
    for (const char* bone : {"head", "leftHand", "rightFoot"}) {
      const Eigen::Vector3d place = rig->worldFromBody.transpose() * placeOf(bone);
      const double up = std::string(bone) == "leftHand" ? raised : 0.0;
      messages.push_back(placeMessage("/VMC/Ext/Tra/Pos", bone, -place.x(), place.y() + up, place.z()));
    }
    sender.send(packetOf(messages));
  };
  tell(0.0);
  ASSERT_TRUE(comes([&] {
    following.frame();
    return session.services.live.view().version > 0;
  }));
  following.ask(LiveWish::Calibrate);
  EXPECT_EQ(session.services.live.attachedCount(), 3u);
  for (const bool areExact : {false, true}) {
    session.settings.live.areExact = areExact;
    const double raised = areExact ? 0.1 : 0.2;
    tell(raised);
    const int hand = rig->bones[static_cast<std::size_t>(rig->find("leftHand"))].link;
    EXPECT_TRUE(comes([&] {
      following.frame();
      const Kinematics then = transformsOf(*session.document().figure, session.document().pose);
      return (then.worldFromLink[hand].translation - placeOf("leftHand") - Eigen::Vector3d(0, raised, 0)).norm() < 0.01;
    })) << areExact;
  }
}

TEST(Live, SendsThePoseThatIsShown) {
  Following following;
  Session& session = following.session;
  LiveReceiver program(0, false, {});
  session.settings.live.sendPort = program.port();
  following.ask(LiveWish::Send);
  ASSERT_TRUE(session.services.live.isSending()) << session.ui.message.text;
  following.frame();
  const auto rig = io::findVrmRig(*session.document().figure);
  ASSERT_TRUE(comes([&] { return program.view().state.bones.size() == rig->bones.size(); }));
  const std::uint64_t version = program.view().version;
  for (int i = 0; i < 10; ++i) following.frame();
  EXPECT_EQ(program.view().version, version) << "a pose that stays is not sent at each frame";
}

TEST(Live, SaysWhatCannotBe) {
  Following following;
  Session& session = following.session;
  session.settings.live.sendPort = session.services.live.port();
  following.ask(LiveWish::Send);
  EXPECT_FALSE(session.services.live.isSending());
  EXPECT_NE(session.ui.message.text.find("Limber itself receives"), std::string::npos);
  session.settings.live.sendAddress = "avatar.example";
  following.ask(LiveWish::Send);
  EXPECT_NE(session.ui.message.text.find("\"avatar.example\": is not a numeric address"), std::string::npos);
  Session robot{io::openAny("arm")->document, {}, {}};
  perform(robot, Command::UseLive, LiveWish::Send);
  EXPECT_NE(robot.ui.message.text.find("no VRM bones"), std::string::npos);
}

}  // namespace
}  // namespace limber::app::live_test
