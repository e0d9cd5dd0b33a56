// SPDX-License-Identifier: MIT
// Keeps the answers of a BatchSolver, which ignores contacts, out of obstacles and of the figure itself, and solves the
// problems of figures with closed loops, which a BatchSolver leaves unsolved.
//
// Each pose is compared with the problem's obstacles, self-avoidance and safety distance. A pose that is nearer than
// allowed is dropped, and its problem is solved anew from its own start by the solver "multi-start" with contacts. All
// other answers keep their bits. What is done to an answer depends neither on its neighbours nor on the number of
// threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/solvers/batch/batch.h"

namespace limber {

/// The goals of one problem of a batch.
using GoalsOfProblem = std::function<std::vector<GoalItem>(Eigen::Index)>;

/// Position, orientation or both for each goal of a batch, with the targets of one problem.
std::vector<GoalItem> goalItemsOf(std::span<const BatchGoal> goals, std::span<const Transform> targets);

/// Solves those answers anew that collide, and all of a figure with closed loops. An answer is then reached if its
/// goals are met and it keeps the distances and loops. Returns how many were solved anew. Nothing is done if the
/// problem has neither obstacles nor self-avoidance nor loops.
///
/// problem  says what is avoided; of its goals, pins and pose only the pins are used
/// goalsOf  called by several threads at once
/// goesOn   if given, called regularly by one thread at a time; false ends the work, and answers that were not compared
///          are then marked as not solved
Eigen::Index keepClear(const IkProblem& problem, const BatchProblems& problems, const BatchOptions& options,
                       const GoalsOfProblem& goalsOf, BatchAnswers& answers, const std::function<bool()>& goesOn = {});

}  // namespace limber
