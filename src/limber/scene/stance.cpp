// SPDX-License-Identifier: MIT
#include "limber/scene/stance.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "limber/body/body_map.h"

namespace limber {

namespace {

// Lengths of the leg, and seconds.
constexpr double kSlowest = 0.3;    // per second: a slower point begins to stand
constexpr double kStillSlow = 0.5;  // per second: a standing point that is slower goes on standing
constexpr double kNear = 0.045;     // above the floor: a point this low may begin to stand
constexpr double kStillNear = 0.07;
constexpr double kSlide = 0.07;       // from its median place: a point farther away does not stand
constexpr double kSpeedSpan = 0.025;  // half of the time over which a speed is measured
constexpr double kJump = 5.0;         // per second
constexpr double kJumpGrowth = 4.0;   // of the steps before and after
constexpr double kShortest = 1.0 / 12.0;
constexpr double kGap = 1.0 / 20.0;
constexpr double kLongStep = 0.15;          // a stance away from the floor lasts at least so long
constexpr double kCarryingHeight = 0.6;     // of the hips above a foot that carries the body
constexpr double kCarryingDistance = 0.35;  // of the hips from it, along the ground
constexpr double kFloorQuantile = 0.2;      // of the heights at which a point is slow

double quantile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

/// The places of one point in all frames, in lengths of the leg.
struct PointTrack {
  BodySide side = BodySide::Left;
  StancePoint point = StancePoint::Ball;
  std::vector<Eigen::Vector3d> places;
  std::vector<double> speeds;

  int frameCount() const { return static_cast<int>(places.size()); }
};

struct BodyTracks {
  std::vector<PointTrack> points;
  std::vector<Eigen::Vector3d> hips;
};

/// True where the point jumps from a frame to the next, as from a T-pose in the first frame to the motion: a single
/// step that is far longer than those before and after.
std::vector<char> cutsAfter(double frameTime, const PointTrack& track) {
  const auto step = [&](int frame) {
    const bool isOne = frame >= 0 && frame + 1 < track.frameCount();
    return isOne ? (track.places[frame + 1] - track.places[frame]).norm() : 0.0;
  };
  std::vector<char> cuts;
  for (int frame = 0; frame < track.frameCount(); ++frame)
    cuts.push_back(step(frame) > kJump * frameTime &&
                   step(frame) > kJumpGrowth * std::max(step(frame - 1), step(frame + 1)));
  return cuts;
}

/// Central differences that do not reach over a jump.
void measureSpeeds(double frameTime, PointTrack& track) {
  const int span = std::max(1, static_cast<int>(std::lround(kSpeedSpan / frameTime))), last = track.frameCount() - 1;
  const std::vector<char> isCut = cutsAfter(frameTime, track);
  for (int frame = 0; frame <= last; ++frame) {
    int from = frame, to = frame;
    while (from > std::max(0, frame - span) && !isCut[from - 1]) --from;
    while (to < std::min(last, frame + span) && !isCut[to]) ++to;
    const double way = (track.places[to] - track.places[from]).norm();
    track.speeds.push_back(to > from ? way / (frameTime * (to - from)) : std::numeric_limits<double>::infinity());
  }
}

BodyTracks tracksOf(const Figure& figure, const Frames& frames) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  const std::vector<Sole> soles = solesOf(figure, parts);
  BodyTracks tracks;
  for (const Sole& sole : soles)
    for (const StancePoint point : {StancePoint::Heel, StancePoint::Ball}) tracks.points.push_back({sole.side, point});
  if (soles.empty()) return tracks;
  const int hips = parts.links.at({BodyPart::Hips, BodySide::Middle}).front();
  Kinematics now;
  for (int frame = 0; frame < frames.count; ++frame) {
    computeTransforms(figure, frames.poseAt(frame), now);
    tracks.hips.push_back(now.worldFromLink[hips].translation / parts.legLength);
    for (std::size_t i = 0; i < soles.size(); ++i) {
      const Transform& foot = now.worldFromLink[soles[i].foot];
      tracks.points[2 * i].places.push_back(foot * soles[i].heel / parts.legLength);
      tracks.points[2 * i + 1].places.push_back(foot * soles[i].ball / parts.legLength);
    }
  }
  for (PointTrack& track : tracks.points) measureSpeeds(frames.time, track);
  return tracks;
}

/// The height at which the point is usually slow.
double floorOf(const PointTrack& track) {
  std::vector<double> slow, all;
  for (int frame = 0; frame < track.frameCount(); ++frame) {
    all.push_back(track.places[frame].y());
    if (track.speeds[frame] < kSlowest) slow.push_back(track.places[frame].y());
  }
  return slow.empty() ? quantile(all, 0.0) : quantile(slow, kFloorQuantile);
}

struct Span {
  int begin = 0, end = 0;
  int count() const { return end - begin + 1; }
};

/// The spans of frames that begin where `begins` is true and go on while `goesOn` is, in both directions.
template <typename Begins, typename GoesOn>
std::vector<Span> spansOf(int count, const Begins& begins, const GoesOn& goesOn) {
  std::vector<Span> spans;
  for (int frame = 0; frame < count; ++frame) {
    if (!begins(frame)) continue;
    Span span{frame, frame};
    const int least = spans.empty() ? 0 : spans.back().end + 1;
    while (span.begin > least && goesOn(span.begin - 1)) --span.begin;
    while (span.end + 1 < count && goesOn(span.end + 1)) ++span.end;
    spans.push_back(span);
    frame = span.end;
  }
  return spans;
}

/// Closes short gaps between spans in which the point stays in one place.
std::vector<Span> joined(const std::vector<Span>& spans, const PointTrack& track, double frameTime) {
  std::vector<Span> out;
  for (const Span& span : spans) {
    const bool isNear = !out.empty() && (span.begin - out.back().end - 1) * frameTime <= kGap &&
                        (track.places[span.begin] - track.places[out.back().end]).norm() < kSlide;
    if (isNear) out.back().end = span.end;
    else out.push_back(span);
  }
  return out;
}

Eigen::Vector3d medianPlace(const PointTrack& track, const Span& span) {
  Eigen::Vector3d median;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (int frame = span.begin; frame <= span.end; ++frame) values.push_back(track.places[frame][axis]);
    median[axis] = quantile(std::move(values), 0.5);
  }
  return median;
}

/// The longest run of frames of a span in which the point is near a place.
Span longestNear(const PointTrack& track, const Span& span, const Eigen::Vector3d& place) {
  Span longest{span.begin, span.begin - 1};
  for (int frame = span.begin; frame <= span.end; ++frame) {
    Span run{frame, frame - 1};
    while (run.end < span.end && (track.places[run.end + 1] - place).norm() <= kSlide) ++run.end;
    if (run.count() > longest.count()) longest = run;
    frame = std::max(frame, run.end);
  }
  return longest;
}

/// Adds the parts of a span in which the point stays near one place. Each call halves the span or takes a quarter of
/// it, so that long slides cost little.
void addWithoutSlides(const PointTrack& track, const Span& span, int shortest, std::vector<Span>& out) {
  if (span.count() < shortest) return;
  const Span run = longestNear(track, span, medianPlace(track, span));
  if (4 * run.count() < span.count()) {
    const int middle = (span.begin + span.end) / 2;
    addWithoutSlides(track, {span.begin, middle}, shortest, out);
    addWithoutSlides(track, {middle + shortest, span.end}, shortest, out);
    return;
  }
  const int margin = std::max(1, shortest / 2);  // frames in which the point slides
  const Span kept{run.begin + (run.begin > span.begin ? margin : 0), run.end - (run.end < span.end ? margin : 0)};
  addWithoutSlides(track, {span.begin, run.begin - margin}, shortest, out);
  if (kept.count() >= shortest) out.push_back(kept);
  addWithoutSlides(track, {run.end + margin, span.end}, shortest, out);
}

/// True if the hips are above the point for most of the span, as above a foot that carries the body.
bool carriesBody(const BodyTracks& tracks, const PointTrack& track, const Span& span) {
  int carrying = 0;
  for (int frame = span.begin; frame <= span.end; ++frame) {
    const Eigen::Vector3d up = tracks.hips[frame] - track.places[frame];
    carrying += up.y() > kCarryingHeight && std::hypot(up.x(), up.z()) < kCarryingDistance;
  }
  return 2 * carrying > span.count();
}

/// True if no point of the other foot stands lower at the same time.
bool isLowest(const BodyTracks& tracks, const PointTrack& track, const Span& span) {
  const int middle = (span.begin + span.end) / 2;
  return std::ranges::none_of(tracks.points, [&](const PointTrack& other) {
    return other.side != track.side && other.places[middle].y() < track.places[middle].y() - kStillNear &&
           other.speeds[middle] < kSlowest;
  });
}

std::vector<Span> standingSpans(const BodyTracks& tracks, const PointTrack& track, double frameTime) {
  const double floor = floorOf(track);
  const auto height = [&](int frame) { return track.places[frame].y() - floor; };
  const int shortest = std::max(2, static_cast<int>(std::lround(kShortest / frameTime)));
  std::vector<Span> spans, standing;
  for (const Span& span :
       joined(spansOf(
                  track.frameCount(), [&](int i) { return track.speeds[i] < kSlowest && height(i) < kNear; },
                  [&](int i) { return track.speeds[i] < kStillSlow && height(i) < kStillNear; }),
              track, frameTime))
    addWithoutSlides(track, span, shortest, spans);
  const int longStep = std::max(shortest, static_cast<int>(std::lround(kLongStep / frameTime)));
  const auto isHigh = [&](int i) { return height(i) >= kStillNear && track.speeds[i] < kSlowest; };
  std::vector<Span> high;
  for (const Span& span : spansOf(track.frameCount(), isHigh, isHigh)) addWithoutSlides(track, span, longStep, high);
  std::ranges::copy_if(high, std::back_inserter(spans), [&](const Span& span) {
    return carriesBody(tracks, track, span) && isLowest(tracks, track, span);
  });
  std::ranges::sort(spans, {}, &Span::begin);
  return spans;
}

}  // namespace

std::vector<Stance> findStances(const Figure& figure, const Frames& frames) {
  std::vector<Stance> stances;
  const BodyTracks tracks = tracksOf(figure, frames);
  for (const PointTrack& track : tracks.points)
    if (track.frameCount() > 1)
      for (const Span& span : standingSpans(tracks, track, frames.time))
        stances.push_back({track.side, track.point, span.begin, span.end});
  return stances;
}

double floorOfStances(const Figure& figure, const Frames& frames, const std::vector<Stance>& stances) {
  const PoseParts& parts = bodyMapOf(figure).poseParts();
  std::vector<double> heights;
  Kinematics now;
  for (const Sole& sole : solesOf(figure, parts))
    for (const Stance& stance : stances)
      for (int frame = stance.begin; stance.side == sole.side && frame <= stance.end; ++frame) {
        computeTransforms(figure, frames.poseAt(frame), now);
        const Transform& foot = now.worldFromLink[sole.foot];
        heights.push_back(stance.point == StancePoint::Heel ? (foot * sole.heel).y()
                                                            : (foot * sole.ball).y() - sole.ballHeight);
      }
  if (!heights.empty()) return quantile(std::move(heights), 0.5);
  return parts.hasBody ? groundOf(figure, parts) : 0.0;
}

}  // namespace limber
