"""Base parameters that follow every new sample: recursive least squares, in Python and as C for generated code.

.. math:: P \\leftarrow P / \\lambda, \\qquad \\text{for each joint } j:\\quad
          K = P y_j (r_j^2 + y_j^T P y_j)^{-1}, \\quad x \\leftarrow x + K (\\tau_j - y_j^T x), \\quad
          P \\leftarrow P - K y_j^T P

y_j are the joint's kept columns of the regressor and of the drive regressor, r_j is the noise of its torque and lambda
forgets: 1 weighs all samples alike, 0.999 the last thousand [Astrom, Wittenmark 1995, chapter 2]. With lambda = 1 the
result is least squares over all samples with the start as its prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from taut.errors import InputError
from taut.identify.base_parameters import BaseParameters, base_parameters
from taut.identify.parameters import parameter_values
from taut.identify.published import full_regressor
from taut.robot import Tree
from taut.robot.edit import numeric

SPREAD, LEAST = 0.2, 0.02
"""Standard deviation of the start: this part of each value, and at least this part of the largest of its kind."""


@dataclass(frozen=True)
class RecursiveModel:
    """What a recursive estimator starts with.

    Attributes:
        robot: with numbers.
        noise: standard deviation of each joint's torque.
    """

    robot: Tree
    noise: np.ndarray

    def __post_init__(self) -> None:
        if len(self.noise) != len(self.robot.joint_names) or not (np.asarray(self.noise) > 0).all():
            raise InputError("noise of the torques", self.robot.name, "give a number above zero for each joint")

    @cached_property
    def base(self) -> BaseParameters:
        """The parameters: of links, rotors, Coulomb and viscous friction and offsets."""
        return base_parameters(numeric(self.robot), drives=True, friction=True, offsets=True, prove=False)

    @cached_property
    def columns(self) -> list[int]:
        """Their columns of the regressor followed by the drive regressor."""
        return [self.base.columns[k] for k in self.base.kept]

    @cached_property
    def start(self) -> np.ndarray:
        """Their values."""
        values: np.ndarray = self.base.matrix @ parameter_values(self.robot, self.base.columns)
        return values

    @cached_property
    def deviation(self) -> np.ndarray:
        """Standard deviation of the start."""
        kinds = [name.rstrip("0123456789") for name in self.base.names]
        largest: dict[str, float] = {}
        for kind, value in zip(kinds, np.abs(self.start), strict=True):
            largest[kind] = max(largest.get(kind, 1e-3), float(value))
        least = LEAST * np.array([largest[kind] for kind in kinds])
        deviation: np.ndarray = np.maximum(SPREAD * np.abs(self.start), least)
        return deviation


class RecursiveEstimator:
    """The estimator in Python: the meaning of the C.

    Args:
        model: what it starts with.
        forgetting: lambda, above 0 and at most 1.
    """

    def __init__(self, model: RecursiveModel, forgetting: float = 1.0) -> None:
        if not 0 < forgetting <= 1:
            raise InputError(f"forgetting {forgetting:g}", "recursive estimator", "give a number above 0 and at most 1")
        self.model, self.forgetting = model, forgetting
        self.x, self.P = model.start.copy(), np.diag(model.deviation**2)

    def update(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, tau: np.ndarray) -> None:
        """Take in one sample."""
        Y = full_regressor(self.model.robot, *(np.asarray(x)[None] for x in (q, qd, qdd)))[0][:, self.model.columns]
        self.P /= self.forgetting
        for y, t, r in zip(Y, tau, self.model.noise, strict=True):
            Py = self.P @ y
            K = Py / (r * r + y @ Py)
            self.x += K * (t - y @ self.x)
            self.P -= np.outer(K, Py)


def recursive_files(model: RecursiveModel, name: str) -> dict[str, str]:
    """Return the estimator as C beside the generated functions ``regressor`` and ``drive_regressor``.

    Args:
        model: what it starts with.
        name: the prefix of the generated functions.
    """
    count, joints, wide = len(model.columns), len(model.robot.joint_names), 10 * len(model.robot.joints)
    driven = 4 * len(model.robot.joints)
    listed = "\n".join(f" *   x[{k}] {parameter}" for k, parameter in enumerate(model.base.names))
    tables = "\n".join(
        f"static const {kind} {table}[{len(values)}] = {{{', '.join(values)}}};"
        for kind, table, values in (
            ("int", "COLUMN", [str(k) for k in model.columns]),
            ("double", "START", [repr(float(v)) for v in model.start]),
            ("double", "DEVIATION", [repr(float(v)) for v in model.deviation]),
            ("double", "NOISE", [repr(float(v)) for v in model.noise]),
        )
    )
    upper = name.upper()
    header = f"""/* Recursive least squares for a robot's base parameters, written by taut. C99, no heap.
{listed}
 */
#ifndef {upper}_RECURSIVE_H
#define {upper}_RECURSIVE_H
#define {upper}_PARAMETERS {count}

typedef struct {{
  double x[{count}];           /* the parameters */
  double P[{count}][{count}];       /* their covariance */
  double forgetting;       /* 1: all samples count alike */
}} {name}_estimator;

/* Begin with the fitted values. */
void {name}_estimator_start({name}_estimator *e, double forgetting);

/* Take in one sample: positions, rates, accelerations and torques of all joints. */
void {name}_estimator_update({name}_estimator *e, const double *q, const double *qd, const double *qdd,
                             const double *tau);
#endif
"""
    source = f"""#include "{name}_recursive.h"
#include "{name}.h"

{tables}

void {name}_estimator_start({name}_estimator *e, double forgetting)
{{
  for (int i = 0; i < {count}; i++) {{
    e->x[i] = START[i];
    for (int k = 0; k < {count}; k++) e->P[i][k] = i == k ? DEVIATION[i] * DEVIATION[i] : 0.0;
  }}
  e->forgetting = forgetting;
}}

void {name}_estimator_update({name}_estimator *e, const double *q, const double *qd, const double *qdd,
                             const double *tau)
{{
  double links[{joints}][{wide}], drives[{joints}][{driven}];
  {name}_regressor(q, qd, qdd, &links[0][0]);
  {name}_drive_regressor(qd, qdd, &drives[0][0]);
  for (int i = 0; i < {count}; i++)
    for (int k = 0; k < {count}; k++) e->P[i][k] /= e->forgetting;
  for (int j = 0; j < {joints}; j++) {{
    double y[{count}], Py[{count}], size = NOISE[j] * NOISE[j], rest = tau[j];
    for (int i = 0; i < {count}; i++) y[i] = COLUMN[i] < {wide} ? links[j][COLUMN[i]] : drives[j][COLUMN[i] - {wide}];
    for (int i = 0; i < {count}; i++) {{
      Py[i] = 0.0;
      for (int k = 0; k < {count}; k++) Py[i] += e->P[i][k] * y[k];
      size += y[i] * Py[i];
      rest -= y[i] * e->x[i];
    }}
    for (int i = 0; i < {count}; i++) {{
      e->x[i] += Py[i] / size * rest;
      for (int k = 0; k <= i; k++) e->P[i][k] = e->P[k][i] = e->P[i][k] - Py[i] / size * Py[k];
    }}
  }}
}}
"""
    return {f"{name}_recursive.h": header, f"{name}_recursive.c": source}
