// What C does CppADCodeGen write for Pinocchio's algorithms?  Recorded on its scalars, optimised, printed.
//
// usage: pinocchio_cppadcg ROBOT QUESTION DIRECTORY; writes QUESTION.c there: a function of one array x = [q, v, x].
#include "pinocchio/codegen/cppadcg.hpp"

#include "questions.hpp"

#include <sstream>

int main(int, char **given) {
  using Base = CppAD::cg::CG<double>;
  using Scalar = CppAD::AD<Base>;
  using Vector = Questions<Scalar>::Vector;
  const std::string question = given[2];
  Questions<Scalar> robot(read_robot(given[1]).cast<Base>().cast<Scalar>());
  const int nq = robot.model.nq, nv = robot.model.nv;
  Vector all = Vector::Zero(nq + 2 * nv);
  if (nq > nv) all(6) = Scalar(1.0);  // recorded at a unit quaternion
  CppAD::Independent(all);
  const Vector q = all.head(nq), v = all.segment(nq, nv), x = all.tail(nv);
  robot.ask(question, q, v, x);
  const Vector found = robot.answer(question);
  CppAD::ADFun<Base> tape(all, found);
  tape.optimize("no_compare_op");

  CppAD::cg::CodeHandler<double> handler;
  CppAD::vector<Base> inputs(static_cast<std::size_t>(all.size()));
  handler.makeVariables(inputs);
  CppAD::vector<Base> outputs = tape.Forward(0, inputs);
  CppAD::cg::LanguageC<double> language("double");
  language.setGenerateFunction(question);
  CppAD::cg::LangCDefaultVariableNameGenerator<double> names("y", "x");
  std::ostringstream code;
  handler.generateCode(code, language, outputs, names);
  std::ofstream(std::string(given[3]) + "/" + question + ".c") << code.str();
  return 0;
}
