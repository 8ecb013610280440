// How fast is Pinocchio itself?  Its algorithms on double, as a user of the C++ library calls them.
//
// Answers stay in Pinocchio's own memory, where its users read them; they are copied only where `out` is given.
#include "questions.hpp"

static Questions<double> *robot;

extern "C" void start(const char *path) { robot = new Questions<double>(read_robot(path)); }

#define QUESTION(name)                                                                                \
  extern "C" void name(const double *q, const double *v, const double *x, double *out) {              \
    using Given = Eigen::Map<const Eigen::VectorXd>;                                                  \
    robot->name(Given(q, robot->model.nq), Given(v, robot->model.nv), Given(x, robot->model.nv));     \
    if (out) Eigen::Map<Eigen::VectorXd>(out, robot->answer(#name).size()) = robot->answer(#name);    \
  }

QUESTION(inverse_dynamics)
QUESTION(mass_matrix)
QUESTION(gravity)
QUESTION(forward_dynamics)
QUESTION(regressor)
QUESTION(inverse_dynamics_derivatives)
QUESTION(forward_dynamics_derivatives)
