// SPDX-License-Identifier: MIT
#include "app/session/page_messages.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "limber/io/base/json.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/json/problem_json.h"
#include "limber/io/json/scene_parts.h"

namespace limber::app {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson arrayOf(const Eigen::VectorXd& numbers) {
  OrderedJson array = OrderedJson::array();
  for (const double number : numbers) array.push_back(number);
  return array;
}

/// Names of sites with their place in the world, metres, and in the window, pixels; the latter only if it is in sight.
OrderedJson sitesOf(const Session& session) {
  OrderedJson sites = OrderedJson::object();
  const Picture& picture = session.picture;
  for (const Site& site : session.document().figure->sites()) {
    const Eigen::Vector3d place =
        picture.kinematics.worldFromLink[static_cast<std::size_t>(site.link)] * site.linkFromSite.translation;
    OrderedJson& entry = sites[site.name];
    entry["place"] = arrayOf(place);
    if (const auto pixel = render::projectToPixel(picture.view(), place))
      entry["pixel"] = arrayOf(*pixel + Eigen::Vector2d(picture.area.x, picture.area.y));
  }
  return sites;
}

OrderedJson stateOf(Session& session) {
  refreshScene(session);
  const Document& document = session.document();
  OrderedJson state;
  state["figure"] = document.figure->name();
  state["file"] = session.editor.file().string();
  state["isChanged"] = session.editor.isChanged();
  state["isBusy"] = session.solving.isBusy() || session.services.job.isRunning();
  state["canUndo"] = session.editor.history().canUndo();
  state["message"] = session.ui.message.text;
  state["error"] = session.ui.error;
  if (const PosingReport* report = session.solving.reportFor(document)) {
    state["outcome"] = outcomeName(report->outcome);
    state["sentence"] = report->sentence;
    state["iterations"] = report->summary.iterations();
  }
  state["pose"] = io::poseToJson(*document.figure, document.pose);
  state["sites"] = sitesOf(session);
  return state;
}

bool isSamePlace(const GoalItem& a, const GoalItem& b) {
  return a.type == b.type && a.link == b.link && a.pointInLink == b.pointInLink && a.otherLink == b.otherLink;
}

void setGoal(Session& session, const io::JsonValue& value) {
  const Document& document = session.document();
  const GoalItem goal = io::problemGoalFromJson(value, document, document.pose);
  const auto change = [goal](Document& changed) {
    const auto same =
        std::ranges::find_if(changed.goals, [&](const GoalItem& other) { return isSamePlace(goal, other); });
    const bool isNew = same == changed.goals.end();
    const int id = isNew ? changed.nextGoalId++ : same->id;
    GoalItem& place = isNew ? changed.goals.emplace_back() : *same;
    place = goal;
    place.id = id;
  };
  applyEdit(session, DocumentEdit{"Goal of the page", "", change, AfterEdit::Solve});
}

void keep(Session& session) {
  if (const std::string fault = session.services.autosave.keepNow(session.editor); !fault.empty())
    throw std::runtime_error(fault);
}

OrderedJson answered(Session& session, const io::JsonValue& message) {
  const std::string& what = message.at("do").text();
  if (what == "state") return stateOf(session);
  if (what == "open") perform(session, Command::Open, std::filesystem::path(message.at("path").text()));
  else if (what == "goal") setGoal(session, message.at("goal"));
  else if (what == "undo") perform(session, Command::Undo);
  else if (what == "save") perform(session, Command::Save);
  else if (what == "keep") keep(session);
  else message.at("do").fail("is none of state, open, goal, undo, save and keep");
  return OrderedJson::object();
}

}  // namespace

std::string answerMessage(Session& session, std::string_view message) {
  OrderedJson answer;
  try {
    const io::Json json = io::parseJson(message);
    answer = answered(session, io::JsonValue(json));
  } catch (const io::JsonFault& fault) {
    answer["fault"] = fault.place.empty() ? fault.cause : fault.place + ": " + fault.cause;
  } catch (const std::exception& fault) {
    answer["fault"] = fault.what();
  }
  return answer.dump();
}

}  // namespace limber::app
