"""From recordings to a robot: read, condition, examine, choose, solve, check."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from taut.errors import InputError
from taut.identify.estimate.columns import Model, check_joints
from taut.identify.estimate.consistent import consistent, least_eigenvalues
from taut.identify.estimate.excitation import Excitation, examine, label
from taut.identify.estimate.factors import HELD_OUT, Factors, Products
from taut.identify.estimate.fitted import fitted_robot
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.order import exchanged
from taut.identify.estimate.predicted import errors_of
from taut.identify.estimate.prior import Prior, plausible
from taut.identify.estimate.robust import row_weights
from taut.identify.estimate.selection import Selection
from taut.identify.estimate.split import FOLDS, Split
from taut.identify.estimate.verdict import friction_shares, poor_joints, verdict
from taut.identify.parameters import parameter_values
from taut.recordings.conditioning import Filter, Motion, Rows, choose_filter, motion_of, rows_of
from taut.recordings.recording import Piece, Recording
from taut.recordings.stamps import regular
from taut.robot import Tree
from taut.robot.states import random_states

AT_REST, REST_SPEED = 0.7, 0.05
"""Samples near zero speed weigh less by this part, below this part of the joint's RMS speed."""

SAMPLE_ROWS = 8_000
"""Rows kept in memory for residuals."""

SHOWN_ROWS = 2000
"""Rows of the stretch that a report shows."""

MATRICES = 30
"""Random positions at which the fitted mass matrix is kept positive definite."""

REWEIGHTINGS = 3
"""Iterations of reweighting with a robust loss."""

FEWEST = 50
"""Samples below which nothing is fitted."""


Progress = Callable[[str], None]


def identify(
    robot: Tree,
    recordings: Sequence[Recording],
    test: Sequence[Recording] = (),
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Identification[Tree]:
    """Return the robot whose torques fit recordings.

    Args:
        robot: its geometry is taken as it is; its inertias are replaced.
        recordings: to fit; parts of them are held out as the settings say.
        test: recordings that are held out whole; then nothing of the others is.
        settings: the defaults serve every robot.
        progress: told what is being done.
    """
    settings = settings or Settings(Split(0.0) if test else Split())
    say = progress or (lambda _: None)
    check_joints(robot, [r.q.shape[1] for r in (*recordings, *test)])
    say("conditioning")
    pieces, notes = _pieces(recordings)
    tested, more = _pieces(test)
    filter_ = choose_filter(pieces, settings.cutoff, settings.edge)
    motions, tests = ([motion_of(p, filter_) for p in group] for group in (pieces, tested))
    model = Model(robot, _speeds(motions), sum(len(m.q) for m in (*motions, *tests)))
    say("columns of the model")
    factors, sample, shown = factored(model, motions, tests, filter_, settings.split)
    fitted = sum(factors.samples[f] for f in factors.folds)
    if fitted < FEWEST or len(factors.folds) < 2:
        raise InputError(
            f"too few samples to fit: {fitted}", motions[0].source, "record at least a few seconds of motion"
        )
    products = Products(factors)
    prior = _prior(robot, model, products, settings.prior)
    selection = Selection(model, products, prior, sample, dict(settings.force), dict(settings.forbid))
    excitation = examine(model, motions, products, selection.chosen())
    say("choosing terms")
    selection.choose(trusted=not excitation.uniform)
    for _ in range(REWEIGHTINGS if settings.loss != "squares" else 0):
        weigh = row_weights(selection, settings.loss)
        factors, _, _ = factored(model, motions, tests, filter_, settings.split, weigh)
        selection.products = Products(factors, selection.products.lags)
        selection.reweigh()
    say("solving")
    held = [*((m, settings.split.held(m, filter_.edge)) for m in motions), *((m, None) for m in tests)]
    return _solved(robot, selection, excitation, filter_, settings, (*notes, *more), shown, held)


def _pieces(recordings: Sequence[Recording]) -> tuple[list[Piece], list[str]]:
    pieces, notes = [], []
    for recording in recordings:
        found, said = regular(recording)
        pieces += found
        notes += [f"{recording.source}: {text}" for text in (*recording.notes, *said)]
    return pieces, notes


def _speeds(motions: Sequence[Motion]) -> np.ndarray:
    rms = np.sqrt(np.mean(np.concatenate([m.qd for m in motions]) ** 2, axis=0))
    speeds: np.ndarray = np.maximum(rms, 0.1 * rms.max())
    return speeds if rms.max() > 0 else np.ones_like(rms)


def factored(
    model: Model,
    motions: Sequence[Motion],
    tests: Sequence[Motion],
    filter_: Filter,
    split: Split,
    weigh: Callable[[Rows], np.ndarray] | None = None,
) -> tuple[Factors, list[Rows], list[Rows]]:
    """Return the factors of all samples, some rows for residuals, and some held-out rows to show.

    ``weigh`` gives more weights of rows, (samples, joints).
    """
    factors = Factors(model.active, model.width)
    sample: list[Rows] = []
    shown: list[Rows] = []
    per = max(1, round(FOLDS / max(len(motions), 1)))
    kept = 0
    for k, motion in enumerate(motions):
        stop = motion.start + len(motion.q) / motion.rate - filter_.edge
        for rows in rows_of(motion, filter_, model):
            folds = split.folds(rows.t, motion.start + filter_.edge, stop, k * per, per)
            weights = 1 - AT_REST * np.exp(-((rows.qd / (REST_SPEED * model.speeds)) ** 2))
            if weigh is not None:
                weights = weights * weigh(rows)
            for fold in np.unique(folds):
                at = folds == fold
                factors.add(int(fold), rows, at, weights)
                if fold != HELD_OUT and kept < SAMPLE_ROWS:
                    kept += int(at.sum())
                    sample.append(rows.at(at))
                elif fold == HELD_OUT and sum(len(r.t) for r in shown) < SHOWN_ROWS:
                    shown.append(rows.at(at))
    for motion in tests:
        for rows in rows_of(motion, filter_, model):
            factors.add(HELD_OUT, rows, np.ones(len(rows.t), bool), np.ones_like(rows.tau))
            if sum(len(r.t) for r in shown) < SHOWN_ROWS:
                shown.append(rows.at(np.arange(len(rows.t)) < SHOWN_ROWS))
    return factors, sample, shown


def _prior(robot: Tree, model: Model, products: Products, kind: str) -> Prior:
    torques = np.sqrt(products.power / products.count)
    mean = None
    if kind == "model":
        mean = parameter_values(robot, model.base.columns)
    elif kind != "scale":
        raise InputError(f"prior '{kind}'", "--prior", "give scale or model")
    return plausible(model.robot, model.base, torques, mean)


def _solved(
    robot: Tree,
    selection: Selection,
    excitation: Excitation,
    filter_: Filter,
    settings: Settings,
    notes: Sequence[str],
    shown: Sequence[Rows],
    held: Sequence[tuple[Motion, np.ndarray | None]],
) -> Identification[Tree]:
    model, products, choice = selection.model, selection.products, selection.choice
    chosen = selection.chosen()
    free = selection.estimate()
    B, links = model.base.matrix, len(model.robot.joints)
    none = np.zeros((0, 0))
    H, c = products.normal(chosen, selection.weights, none)
    with_prior, _ = products.normal(chosen, selection.weights, selection.precision())
    if settings.consistent:
        matrices = _mass_matrices(model, MATRICES) if settings.simulated else None
        found = consistent(H, c, B, selection.prior, choice.strength, links, matrices)
        pi, x = found.pi, np.concatenate([B @ found.pi, found.drives])
    S = selection.prior.scales**2
    free_pi = S * (B.T @ np.linalg.solve((B * S) @ B.T, free[: model.count]))
    if not settings.consistent:
        pi, x = free_pi, free
    covariance = _inverse(with_prior)
    errors = np.sqrt(np.diag(covariance))
    result = fitted_robot(robot, model, choice, chosen, pi, x)
    joints = model.joints

    def by_joint(values: np.ndarray) -> dict[str, float]:
        return {name: float(v) for name, v in zip(joints, values, strict=True)}

    folds, lags = products.factors.folds, products.lags
    tested = HELD_OUT in products.factors.samples
    apart = errors_of(result, held, filter_, lags) if tested else None
    unconstrained: dict[str, float] = {}
    if tested:
        plain = fitted_robot(robot, model, choice, chosen, free_pi, free) if settings.consistent else result
        unconstrained = by_joint(errors_of(plain, held, filter_, lags).relative("delayed"))

    def held_out(kind: str) -> dict[str, float]:
        return {} if apart is None else by_joint(apart.relative(kind))

    validated = selection.validated()[0]
    friction = by_joint(friction_shares(selection, chosen, x))
    poor = poor_joints(selection, validated, result, held)
    return Identification(
        robot=result,
        train=by_joint(products.relative_error(folds, chosen, x)),
        held_out=held_out("delayed"),
        held_out_prompt=held_out("prompt"),
        held_out_raw=held_out("raw"),
        unconstrained=unconstrained,
        validated=by_joint(validated),
        parameters={label(model, int(k)): (float(v), float(e)) for k, v, e in zip(chosen, x, errors, strict=True)},
        groups=dict(zip(model.base.names, model.base.groups, strict=True)),
        terms=_terms(model, chosen),
        reasons=choice.reasons,
        excitation=excitation,
        consistent=bool((least_eigenvalues(pi, links) > 0).all()),
        condition=(excitation.condition, _condition(with_prior)),
        filter=filter_,
        prior_strength=choice.strength,
        lags=by_joint(products.lags),
        correlation=by_joint(selection.times),
        poor=poor,
        notes=tuple(notes),
        warnings=(
            *excitation.warnings,
            *exchanged(selection, chosen, joints),
            *_doubts(result, model, chosen, x, errors),
        ),
        samples=(products.count, products.factors.samples.get(HELD_OUT, 0)),
        selection=selection,
        shown=_shown(selection, shown, chosen, x, covariance),
        friction=friction,
        verdict=verdict(selection, chosen, x, errors, friction, poor),
    )


def _mass_matrices(model: Model, states: int) -> np.ndarray:
    """Return the mass matrices of a unit of each parameter of pi at random positions, (states, n, n, parameters)."""
    n = len(model.joints)
    q, _, _ = random_states(model.robot, np.random.default_rng(7), (states,))
    still = np.zeros_like(q)
    columns = []
    for j in range(n + 1):
        qdd = np.zeros_like(q)
        if j < n:
            qdd[:, j] = 1.0
        columns.append(model.regressor(Motion(1.0, q, still, qdd, still, "", 0.0)))
    gravity = columns.pop()
    return np.stack([column - gravity for column in columns], 2)


def _terms(model: Model, chosen: np.ndarray) -> dict[str, list[str]]:
    terms: dict[str, list[str]] = {name: ["rotor_inertia"] for name in model.joints}
    for k in chosen:
        column = model.columns[k]
        if column.drive >= 0:
            terms[model.joints[column.drive]].append(column.name)
    return terms


def _doubts(robot: Tree, model: Model, chosen: np.ndarray, x: np.ndarray, errors: np.ndarray) -> list[str]:
    """Return sentences about fitted drives that cannot be as they are."""
    doubts = []
    values = {model.columns[k]: (v, e) for k, v, e in zip(chosen, x, errors, strict=True)}
    for d, name in enumerate(model.joints):
        drive = robot.joints[robot.independent[d]].drive
        if drive.rotor_inertia < 0:
            doubts.append(
                f"{name}: rotor inertia {drive.rotor_inertia:.3g} is negative, its torque lags or its friction is not "
                "modelled; for simulation fit with --simulated"
            )
        friction = [(c, v, e) for c, (v, e) in values.items() if c.drive == d and c.name in ("coulomb", "viscous")]
        if len(friction) == 2 and all(v < -4 * e for _, v, e in friction):
            doubts.append(
                f"{name}: friction comes out negative: its torque has the wrong sign; check the sign of its gear ratio "
                "or drive gain in the mapping"
            )
    return doubts


def _shown(
    selection: Selection, rows: Sequence[Rows], chosen: np.ndarray, x: np.ndarray, covariance: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return times, measured and predicted torques, and half the width of the prediction's 95 % band."""
    rows = rows or selection.sample
    places, lags = selection.products.places(chosen), selection.products.lags
    measured = np.concatenate([r.tau + lags * r.slope for r in rows])[:SHOWN_ROWS]
    predicted, band = [], []
    for j, (to, at) in enumerate(places):
        W = np.concatenate([r.columns[:, j][:, at] for r in rows])[:SHOWN_ROWS]
        predicted.append(W @ x[to])
        variance = ((W @ covariance[np.ix_(to, to)]) * W).sum(1)
        band.append(1.96 * np.sqrt(np.maximum(variance, 0.0)))
    return np.concatenate([r.t for r in rows])[:SHOWN_ROWS], measured, np.stack(predicted, 1), np.stack(band, 1)


def _inverse(H: np.ndarray) -> np.ndarray:
    scale = np.sqrt(np.diag(H))
    inverse: np.ndarray = np.linalg.inv(H / scale[:, None] / scale) / scale[:, None] / scale
    return inverse


def _condition(H: np.ndarray) -> float:
    scale = np.sqrt(np.diag(H))
    values = np.linalg.eigvalsh(H / scale[:, None] / scale)
    return float(np.sqrt(values[-1] / max(values[0], 1e-30)))
