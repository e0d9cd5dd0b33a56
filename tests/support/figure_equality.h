// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/figure.h"

namespace limber::test {

inline void expectSameTransform(const Transform& a, const Transform& b) {
  EXPECT_EQ(a.rotation, b.rotation);
  EXPECT_EQ(a.translation, b.translation);
}

/// Expects equality to the last bit of everything that a figure file contains.
inline void expectSameFigure(const Figure& a, const Figure& b) {
  EXPECT_EQ(a.name(), b.name());
  EXPECT_EQ(a.restPose(), b.restPose());
  EXPECT_EQ(a.fileFrame().metresPerUnit, b.fileFrame().metresPerUnit);
  EXPECT_EQ(a.fileFrame().sceneFromFile, b.fileFrame().sceneFromFile);
  EXPECT_EQ(a.fileFrame().origin, b.fileFrame().origin);
  ASSERT_EQ(a.linkCount(), b.linkCount());
  for (int i = 0; i < a.linkCount(); ++i) {
    const Link &p = a.link(i), &q = b.link(i);
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.parent, q.parent);
    EXPECT_EQ(p.mass, q.mass);
    EXPECT_EQ(p.centreOfMass, q.centreOfMass);
    ASSERT_EQ(p.capsules.size(), q.capsules.size());
    for (std::size_t c = 0; c < p.capsules.size(); ++c) {
      EXPECT_EQ(p.capsules[c].start, q.capsules[c].start);
      EXPECT_EQ(p.capsules[c].end, q.capsules[c].end);
      EXPECT_EQ(p.capsules[c].radius, q.capsules[c].radius);
    }
    const Joint &j = a.joint(i), &k = b.joint(i);
    EXPECT_EQ(j.name, k.name);
    EXPECT_EQ(j.type, k.type);
    EXPECT_EQ(j.freed, k.freed);
    expectSameTransform(j.parentFromJoint, k.parentFromJoint);
    EXPECT_EQ(j.axis, k.axis);
    EXPECT_EQ(j.limits, k.limits);
    EXPECT_EQ(j.ballLimits, k.ballLimits);
    EXPECT_EQ(j.velocityLimit, k.velocityLimit);
    EXPECT_EQ(j.rigidity, k.rigidity);
    EXPECT_EQ(j.locked, k.locked);
    EXPECT_EQ(j.translationLocked, k.translationLocked);
  }
  EXPECT_TRUE(std::ranges::equal(a.couplings(), b.couplings()));
  EXPECT_TRUE(std::ranges::equal(a.linearLimits(), b.linearLimits()));
  ASSERT_EQ(a.sites().size(), b.sites().size());
  for (std::size_t i = 0; i < a.sites().size(); ++i) {
    EXPECT_EQ(a.sites()[i].name, b.sites()[i].name);
    EXPECT_EQ(a.sites()[i].link, b.sites()[i].link);
    expectSameTransform(a.sites()[i].linkFromSite, b.sites()[i].linkFromSite);
  }
}

}  // namespace limber::test
