// What is asked of Pinocchio's templates?  Each question once, over any scalar: double, CasADi's, CppADCodeGen's.
//
// x is the acceleration, or the torque where accelerations are the answer. Answers are row-major; derivatives are
// three matrices side by side: by q, by the velocity, by x.
#pragma once

#include <string>

#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/regressor.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"

#include "robot.hpp"

template <typename Scalar>
struct Questions {
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Model = pinocchio::ModelTpl<Scalar, 0, JOINTS>;
  using Data = pinocchio::DataTpl<Scalar, 0, JOINTS>;

  Model model;
  Data data;
  Matrix by_q, by_v, by_x;

  explicit Questions(const Model &robot) : model(robot), data(model) {
    by_q = by_v = by_x = Matrix::Zero(model.nv, model.nv);
  }

  template <typename V>
  void inverse_dynamics(const V &q, const V &v, const V &x) { pinocchio::rnea(model, data, q, v, x); }

  template <typename V>
  void mass_matrix(const V &q, const V &, const V &) { pinocchio::crba(model, data, q); }

  template <typename V>
  void gravity(const V &q, const V &, const V &) { pinocchio::computeGeneralizedGravity(model, data, q); }

  template <typename V>
  void forward_dynamics(const V &q, const V &v, const V &x) { pinocchio::aba(model, data, q, v, x); }

  template <typename V>
  void regressor(const V &q, const V &v, const V &x) { pinocchio::computeJointTorqueRegressor(model, data, q, v, x); }

  template <typename V>
  void inverse_dynamics_derivatives(const V &q, const V &v, const V &x) {
    pinocchio::computeRNEADerivatives(model, data, q, v, x, by_q, by_v, by_x);
  }

  template <typename V>
  void forward_dynamics_derivatives(const V &q, const V &v, const V &x) {
    pinocchio::computeABADerivatives(model, data, q, v, x, by_q, by_v, by_x);
  }

  // The last answer of a question, as the contestants lay it out.
  Vector answer(const std::string &question) {
    if (question == "inverse_dynamics") return data.tau;
    if (question == "gravity") return data.g;
    if (question == "forward_dynamics") return data.ddq;
    if (question == "mass_matrix") return flat(whole(data.M));
    if (question == "regressor") return flat(data.jointTorqueRegressor);
    Rows side_by_side(model.nv, 3 * model.nv);
    side_by_side << by_q, by_v, whole(by_x);  // both M and its inverse come as upper triangles
    return flat(side_by_side);
  }

  template <typename V>
  void ask(const std::string &question, const V &q, const V &v, const V &x) {
    if (question == "inverse_dynamics") inverse_dynamics(q, v, x);
    else if (question == "mass_matrix") mass_matrix(q, v, x);
    else if (question == "gravity") gravity(q, v, x);
    else if (question == "forward_dynamics") forward_dynamics(q, v, x);
    else if (question == "regressor") regressor(q, v, x);
    else if (question == "inverse_dynamics_derivatives") inverse_dynamics_derivatives(q, v, x);
    else if (question == "forward_dynamics_derivatives") forward_dynamics_derivatives(q, v, x);
    else throw std::runtime_error("nobody asks " + question);
  }

 private:
  static Matrix whole(const Matrix &upper) {
    Matrix full = upper;
    for (Eigen::Index i = 0; i < full.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) full(i, j) = full(j, i);
    return full;
  }

  static Vector flat(const Rows &matrix) { return Eigen::Map<const Vector>(matrix.data(), matrix.size()); }
};
