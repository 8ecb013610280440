// What robot does a C++ peer compute?  Read from plain text, so that no peer's own file reader or library is linked:
// every algorithm is instantiated here, from Pinocchio's headers, with the flags that all contestants share.
//
// One line a joint: parent, kind, rotation (row-major) and position of the joint in its parent, mass, centre of
// mass, inertia about the centre (row-major). Written by robots.py.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

#include "pinocchio/multibody.hpp"

// Pinocchio itself is compiled with its own collection of joints. Programs that only write C make do with the kinds of
// the robots compared, which is the same C in a third of the time.
#ifdef OWN_JOINTS
#define JOINTS pinocchio::JointCollectionDefaultTpl
#else
#define JOINTS FewJoints
template <typename S, int O>
struct FewJoints {
  typedef S Scalar;
  static constexpr int Options = O;
  typedef boost::variant<pinocchio::JointModelRevoluteTpl<S, O, 0>, pinocchio::JointModelRevoluteTpl<S, O, 1>,
                         pinocchio::JointModelRevoluteTpl<S, O, 2>, pinocchio::JointModelFreeFlyerTpl<S, O>>
      JointModelVariant;
  typedef boost::variant<pinocchio::JointDataRevoluteTpl<S, O, 0>, pinocchio::JointDataRevoluteTpl<S, O, 1>,
                         pinocchio::JointDataRevoluteTpl<S, O, 2>, pinocchio::JointDataFreeFlyerTpl<S, O>>
      JointDataVariant;
};
#endif

using Model = pinocchio::ModelTpl<double, 0, JOINTS>;

inline pinocchio::JointModelTpl<double, 0, JOINTS> joint_of(const std::string &kind) {
  using namespace pinocchio;
  if (kind == "JointModelRX") return JointModelRX();
  if (kind == "JointModelRY") return JointModelRY();
  if (kind == "JointModelRZ") return JointModelRZ();
  if (kind == "JointModelFreeFlyer") return JointModelFreeFlyer();
  throw std::runtime_error("a joint of kind " + kind + " is unknown here");
}

inline Model read_robot(const char *path) {
  std::ifstream file(path);
  Model model;
  int parent, number = 0;
  std::string kind;
  auto next = [&file] {
    double x;
    file >> x;
    return x;
  };
  auto vector = [&next] {
    Eigen::Vector3d v;
    for (int i = 0; i < 3; ++i) v(i) = next();
    return v;
  };
  auto matrix = [&next] {
    Eigen::Matrix3d m;
    for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = next();
    return m;
  };
  while (file >> parent >> kind) {
    const Eigen::Matrix3d R = matrix();
    const Eigen::Vector3d p = vector();
    const auto id = model.addJoint(parent, joint_of(kind), pinocchio::SE3(R, p), "joint" + std::to_string(++number));
    const double mass = next();
    const Eigen::Vector3d centre = vector();
    const Eigen::Matrix3d inertia = matrix();
    model.appendBodyToJoint(id, pinocchio::Inertia(mass, centre, inertia), pinocchio::SE3::Identity());
  }
  if (!model.nv) throw std::runtime_error(std::string("no robot in ") + path);
  return model;
}
