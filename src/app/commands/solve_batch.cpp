// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/platform.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/json/problem_json.h"
#include "limber/io/open.h"
#include "limber/posing/clear_batch.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/batch/batch.h"

namespace limber::app {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMostLines = 4096;    // read and solved together
constexpr std::size_t kMostSlowLines = 64;  // the same if they are solved one by one, which takes long
constexpr std::size_t kMostShapes = 64;     // whose solvers are kept

constexpr int kLongestWaitMs = 200;  // for input, between two checks for Ctrl+C

struct Answer {
  Pose pose;
  bool isSolved = false, reached = false;
  double error = 0.0, angle = 0.0;  ///< metres, radians
  int restarts = 0;
};

/// Lines whose goals differ only in their targets.
struct Shape {
  std::vector<GoalItem> goals;
  bool isPlain = false;
  std::unique_ptr<BatchSolver> solver;  ///< null: the lines are solved one by one
};

bool isSameAsk(const GoalItem& a, const GoalItem& b) {
  return a.type == b.type && a.link == b.link && a.pointInLink == b.pointInLink && a.frameInLink == b.frameInLink;
}

/// True for goals that a batch solver takes: positions and orientations that count fully and move the whole figure.
bool isPlain(const GoalItem& goal) {
  const GoalTypeInfo& info = infoOf(goal.type);
  const bool isTurn = info.axes == 2 && info.hasTargetFrame();
  if (!info.isPlace && !(isTurn && !info.point)) return false;
  if (isTurn && (goal.directionScale[0] <= 0.0 || goal.directionScale[1] <= 0.0)) return false;
  if (info.share && (goal.positionShare <= 0.0 || goal.positionShare >= 1.0)) return false;
  return goal.weight > 0.0 && goal.enabled && goal.chain.empty() && goal.anyOf < 0 && !goal.preference &&
         goal.priority == 1;
}

class Batch {
 public:
  Batch(const SolveBatchArguments& arguments, Document document, Console& console)
      : document_(std::move(document)), console_(console) {
    options_.doublePrecision = arguments.precision == "double";
    options_.polish = arguments.polish;
    options_.threads = arguments.threads;
    options_.restarts = arguments.restarts;
    const Tolerance tolerance = toleranceOf(document_);
    options_.positionTolerance = tolerance.length;
    options_.angleTolerance = tolerance.angle;
    for (const JointSettings& joint : document_.joints) isLocked_.push_back(joint.locked || joint.rigidity >= 1.0);
  }

  const Document& document() const { return document_; }
  std::size_t mostLines() const { return isSlow_ ? kMostSlowLines : kMostLines; }

  std::vector<Answer> solve(const std::vector<io::BatchLine>& lines) {
    std::vector<Answer> answers(lines.size());
    std::vector<std::vector<std::size_t>> members;
    std::vector<std::size_t> shapeOf(lines.size());
    if (shapes_.size() > kMostShapes) shapes_.clear();
    for (std::size_t i = 0; i < lines.size(); ++i) shapeOf[i] = findShape(lines[i]);
    members.resize(shapes_.size());
    for (std::size_t i = 0; i < lines.size(); ++i) members[shapeOf[i]].push_back(i);
    for (std::size_t s = 0; s < members.size() && !interrupted; ++s) {
      if (shapes_[s].solver) solveTogether(*shapes_[s].solver, lines, members[s], answers);
      else
        for (const std::size_t i : members[s])
          if (!interrupted) answers[i] = solveSingly(lines[i]);
    }
    return answers;
  }

 private:
  std::size_t findShape(const io::BatchLine& line) {
    const bool plain = std::all_of(line.goals.begin(), line.goals.end(), isPlain);
    const auto found = std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& shape) {
      return shape.isPlain == plain &&
             std::equal(line.goals.begin(), line.goals.end(), shape.goals.begin(), shape.goals.end(), isSameAsk);
    });
    const auto at = static_cast<std::size_t>(found - shapes_.begin());
    if (at == shapes_.size()) shapes_.push_back({line.goals, plain, makeSolver(line.goals, plain)});
    return at;
  }

  std::unique_ptr<BatchSolver> makeSolver(const std::vector<GoalItem>& items, bool plain) {
    std::string reason;
    if (!document_.figure->loops().empty()) reason = "the figure has closed loops";
    else if (!document_.pins.empty()) reason = "links are pinned";
    else if (document_.keepsBalance) reason = "balance is kept";
    else if (!plain) reason = "there are goals other than plain positions and orientations";
    std::vector<BatchGoal> goals;
    for (const GoalItem& item : items)
      goals.push_back(
          {item.link, {item.frameInLink, item.pointInLink}, infoOf(item.type).point, infoOf(item.type).axes > 0});
    std::unique_ptr<BatchSolver> solver;
    if (reason.empty()) {
      solver = std::make_unique<BatchSolver>(document_.figure, std::move(goals), limitsOf(document_), document_.pose,
                                             isLocked_);
      reason = solver->refusal();
    }
    if (reason.empty()) return solver;
    if (!isSlow_) console_.say("one by one, which is slower: " + reason);
    isSlow_ = true;
    return nullptr;
  }

  void solveTogether(const BatchSolver& solver, const std::vector<io::BatchLine>& lines,
                     const std::vector<std::size_t>& members, std::vector<Answer>& answers) {
    problems_.starts.resize(document_.figure->poseSize(), static_cast<Eigen::Index>(members.size()));
    problems_.targets.clear();
    for (std::size_t k = 0; k < members.size(); ++k) {
      problems_.starts.col(static_cast<Eigen::Index>(k)) = lines[members[k]].start.coordinates;
      for (const GoalItem& goal : lines[members[k]].goals) problems_.targets.push_back({goal.targetFrame, goal.target});
    }
    const auto goesOn = [] { return interrupted == 0; };
    solver.solve(problems_, options_, solved_, goesOn);
    keepClear(
        document_, problems_, options_, [&](Eigen::Index k) { return lines[members[k]].goals; }, solved_, goesOn);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const BatchAnswer& found = solved_.answers[k];
      answers[members[k]] = {Pose{solved_.poses.col(static_cast<Eigen::Index>(k))},
                             found.isSolved,
                             found.reached,
                             found.positionError,
                             found.angleError,
                             found.restarts};
    }
  }

  Answer solveSingly(const io::BatchLine& line) {
    Document document = document_;
    document.goals = line.goals;
    document.pose = line.start;
    document.solver.solver = "multi-start";
    document.solver.options["multi-start"]["restarts"] = options_.restarts;
    const PosingReport report = solveToEnd(posing_, document);
    return {document.pose,          true, report.outcome == Outcome::Reached, report.worstError, report.worstAngle,
            report.summary.restarts};
  }

  Document document_;
  Console& console_;
  BatchOptions options_;
  std::vector<char> isLocked_;
  std::vector<Shape> shapes_;
  bool isSlow_ = false;  ///< some lines are solved one by one
  BatchProblems problems_;
  BatchAnswers solved_;
  Posing posing_;
};

std::string lineOf(const Figure& figure, const Answer& answer) {
  io::OrderedJson json;
  json["reached"] = answer.reached;
  json["error"] = numberOrNull(answer.error / figure.fileFrame().metresPerUnit);
  json["angle"] = numberOrNull(answer.angle);
  json["restarts"] = answer.restarts;
  json["pose"] = io::poseToJson(figure, answer.pose, hasMovedBase(figure, answer.pose));
  return io::compactJson(json) + "\n";
}

/// Counts lines, and prints the progress of batches that take long.
class Progress {
 public:
  Progress(Console& console, std::chrono::milliseconds interval) : console_(console), interval_(interval) {}

  void add(const Answer& answer) {
    ++lines_;
    reached_ += answer.reached;
  }
  void say() {
    const SteadyClock::time_point now = SteadyClock::now();
    if (now < last_ + interval_) return;
    last_ = now;
    console_.say(summary());
  }
  bool areAllReached() const { return reached_ == lines_; }
  std::string summary() const {
    const double seconds = std::chrono::duration<double>(SteadyClock::now() - begin_).count();
    return std::to_string(lines_) + " lines, " + std::to_string(reached_) + " reached, " +
           std::to_string(static_cast<long long>(static_cast<double>(lines_) / std::max(seconds, 1e-9))) + " a second";
  }

 private:
  Console& console_;
  std::chrono::milliseconds interval_;
  SteadyClock::time_point begin_ = SteadyClock::now(), last_ = begin_;
  std::size_t lines_ = 0, reached_ = 0;
};

/// Waits until standard input can be read. Returns false if Ctrl+C comes first, which would not end a blocking read.
bool waitForInput(std::istream& in) {
  while (!interrupted && in.rdbuf()->in_avail() <= 0 && !platform::waitForInput(kLongestWaitMs)) {
  }
  return !interrupted;
}

bool isBlank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

/// The figure of --figure or of the first line. If that line is a problem, `line` keeps it and hasLine is true.
io::Result<Document> openFigure(const SolveBatchArguments& arguments, std::istream& in, std::string& line,
                                std::size_t& number, bool& hasLine) {
  const std::string& file = arguments.file;
  hasLine = false;
  while (!hasLine && io::readBatchLine(in, line)) {
    ++number;
    hasLine = !isBlank(line);
  }
  const bool isHeader = hasLine && io::isBatchHeader(line);
  if (isHeader) hasLine = false;
  if (!arguments.figure.empty()) {
    if (isHeader) return io::Error{file, "line " + std::to_string(number), "the figure is given twice"};
    auto opened = io::openAny(arguments.figure, arguments.context);
    if (!opened) return opened.error();
    opened->document.goals.clear();
    return std::move(opened->document);
  }
  if (isHeader)
    return io::parseBatchHeader(line, file, std::filesystem::path(arguments.file).parent_path(), arguments.context);
  if (number == 0 || !hasLine) return io::Error{file, "", "is empty: the first line holds the figure"};
  return io::Error{file, "line " + std::to_string(number), "holds no \"figure\", and --figure does not name one"};
}

}  // namespace

int runSolveBatch(const SolveBatchArguments& arguments, Console& console) {
  const bool isPiped = arguments.file == kStandardInputFile;
  const std::string& file = arguments.file;
  if (const auto accessFault = io::findAccessFault(file, std::numeric_limits<std::uintmax_t>::max()))
    return console.fail(*accessFault);
  std::ifstream in(file, std::ios::binary);
  std::unique_ptr<platform::FileReplacement> output;  // null: standard output
  if (!arguments.output.empty() && arguments.output != "-") {
    auto begun = io::beginFile(arguments.output);
    if (!begun) return console.fail(begun.error());
    output = std::move(*begun);
  }
  const auto failOutput = [&] { return console.fail({arguments.output, "", output->fault()}); };

  std::string line;
  std::size_t number = 0;
  bool hasLine = false;
  auto opened = openFigure(arguments, in, line, number, hasLine);
  if (!opened) return console.fail(opened.error());
  const InterruptWatch watch;
  Batch batch(arguments, std::move(*opened), console);
  Progress progress(console, arguments.progressInterval);
  std::optional<io::Error> fault;
  std::vector<io::BatchLine> lines;
  bool isOpen = true;
  while (isOpen && !fault && !interrupted) {
    lines.clear();
    // Lines that have arrived are answered before the loop waits for more.
    while (lines.size() < batch.mostLines() && !fault && (hasLine || lines.empty() || in.rdbuf()->in_avail() > 0)) {
      if (!hasLine) {
        if (isPiped && !waitForInput(in)) break;
        isOpen = io::readBatchLine(in, line);
        if (!isOpen) break;
        ++number;
      }
      hasLine = false;
      if (isBlank(line)) continue;
      auto parsed = io::parseBatchLine(line, file, number, batch.document());
      if (parsed) lines.push_back(std::move(*parsed));
      else fault = parsed.error();
    }
    std::string text;
    for (const Answer& answer : batch.solve(lines)) {
      if (!answer.isSolved) break;  // interrupted: later answers may be missing
      progress.add(answer);
      text += lineOf(*batch.document().figure, answer);
    }
    if (output && !output->write(text)) return failOutput();
    if (!output && console.print(text) != kSuccess) return kBadInput;
    progress.say();
  }
  if (fault) return console.fail(*fault);
  if (interrupted) return console.fail("stopped: " + progress.summary());
  if (output && !output->commit()) return failOutput();
  return arguments.requiresReached && !progress.areAllReached() ? kNotReached : kSuccess;
}

}  // namespace limber::app
