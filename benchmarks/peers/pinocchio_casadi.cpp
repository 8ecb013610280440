// What C does CasADi write for Pinocchio's algorithms?  Traced on CasADi's scalars, common subexpressions shared.
//
// usage: pinocchio_casadi ROBOT QUESTION DIRECTORY; writes QUESTION.c there.
#include <casadi/casadi.hpp>

#include "pinocchio/autodiff/casadi.hpp"

#include "questions.hpp"

int main(int, char **given) {
  using casadi::SX;
  const std::string question = given[2];
  Questions<SX> robot(read_robot(given[1]).cast<SX>());
  const SX q = SX::sym("q", robot.model.nq), v = SX::sym("v", robot.model.nv), x = SX::sym("x", robot.model.nv);
  auto eigen = [](const SX &values) {
    Questions<SX>::Vector copy(values.size1());
    for (casadi_int i = 0; i < values.size1(); ++i) copy(i) = values(i);
    return copy;
  };
  robot.ask(question, eigen(q), eigen(v), eigen(x));
  const auto found = robot.answer(question);
  std::vector<SX> entries(found.data(), found.data() + found.size());
  const SX shared = SX::cse({SX::densify(SX::vertcat(entries))}).front();
  const casadi::Function function(question, {q, v, x}, {shared});
  casadi::CodeGenerator code(question + ".c");
  code.add(function);
  code.generate(std::string(given[3]) + "/");
  return 0;
}
