"""From recordings to a robot: read, condition, examine, choose, solve, check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from taut.cluster import DASK, refuse_engine
from taut.errors import InputError
from taut.identify.estimate.columns import LOAD_FRICTION, Model, check_joints
from taut.identify.estimate.consistent import consistent, least_eigenvalues
from taut.identify.estimate.energy import Energy
from taut.identify.estimate.excitation import Excitation, examine, label, still_joints
from taut.identify.estimate.factors import HELD_OUT, Products
from taut.identify.estimate.fitted import fitted_robot
from taut.identify.estimate.gravity import gravity_direction
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.load import rubbing_by_load, with_load_friction
from taut.identify.estimate.momentum import Momentum
from taut.identify.estimate.order import exchanged, reversed_signs
from taut.identify.estimate.parts import SHOWN_ROWS, Factored, Part, factored, factored_on_dask, parts_of
from taut.identify.estimate.predicted import Apart
from taut.identify.estimate.prior import Prior, plausible
from taut.identify.estimate.robust import row_weights
from taut.identify.estimate.selection import Selection
from taut.identify.estimate.simulated import Refinement
from taut.identify.estimate.split import Split
from taut.identify.estimate.units_seen import units_in_doubt
from taut.identify.estimate.verdict import driven_by_friction, friction_shares, poor_joints, verdict
from taut.identify.parameters import parameter_values
from taut.recordings.conditioning import Filter, Motion, Rows, motion_of
from taut.recordings.cutoff import choose_filter
from taut.recordings.recording import Piece, Recording
from taut.recordings.stamps import regular
from taut.recordings.windows import Window
from taut.robot import Tree
from taut.robot.edit import symbols, with_gravity
from taut.robot.states import random_states
from taut.spatial import NO_INERTIA

MATRICES = 30
"""Random positions at which the fitted mass matrix is kept positive definite."""

REWEIGHTINGS = 3
"""Iterations of reweighting with a robust loss."""

LATE = 0.3
"""Lag, in radians of the cut-off, from which torques are moved by it and all is fitted again; below, the torque and its
slope stand for the torque a little later."""

BALANCES = {"momentum": Momentum, "energy": Energy}
"""Estimators that need no accelerations."""

FEWEST = 50
"""Samples below which nothing is fitted."""


Progress = Callable[[str], None]


def identify(
    robot: Tree,
    recordings: Sequence[Recording | Window],
    test: Sequence[Recording | Window] = (),
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Identification[Tree]:
    """Return the robot whose torques fit recordings.

    Args:
        robot: its geometry is taken as it is; its inertias are replaced.
        recordings: to fit; parts of them are held out according to the settings.
        test: recordings that are held out whole; then nothing of the others is.
        settings: the defaults serve every robot.
        progress: called with the name of each step.
    """
    settings = settings or Settings(Split(0.0) if test else Split())
    say = progress or (lambda _: None)
    refuse_engine(settings.engine)
    check_joints(robot, [_width(r) for r in (*recordings, *test)])
    robot = _without_open_inertias(robot)
    say("conditioning")
    parts, notes = parts_of(recordings)
    tested, more = parts_of(test, held_out=True)
    looked_at = _looked_at(parts)
    filter_ = choose_filter(looked_at, settings.cutoff, settings.edge)
    ready = [part.conditioned(filter_) for part in parts]
    in_files = [motion_of(piece, filter_) for piece in looked_at[sum(len(part.pieces) for part in parts) :]]
    motions = [*(motion for part in ready for motion in part.ready), *in_files]
    if settings.gravity == "estimate":
        say("direction of gravity")
        gravity, said = gravity_direction(robot, motions, filter_)
        robot, notes = with_gravity(robot, gravity.tolist()), [*notes, said]
    elif settings.gravity != "file":
        raise InputError(f"unknown source of gravity '{settings.gravity}'", "--gravity", "give file or estimate")
    everything = [*ready, *(part.conditioned(filter_) for part in tested)]
    model = Model(robot, _speeds(motions), _samples(recordings, test))
    say("columns of the model")

    def factor(model: Model, parts: Sequence[Part]) -> Factored:
        if settings.engine == DASK:
            return factored_on_dask(robot, model, parts, filter_, settings.split)
        return factored(model, parts, filter_, settings.split)

    def selecting(model: Model, found: Factored, advance: np.ndarray | None = None) -> Selection:
        products = Products(found.factors)
        made = Selection(model, products, prior, found.sample, dict(settings.force), dict(settings.forbid), still)
        made.advance = made.advance if advance is None else advance
        return made

    still = still_joints(motions)
    found = factor(model, everything)
    factors = found.factors
    fitted = sum(factors.samples[f] for f in factors.folds)
    if fitted < FEWEST or len(factors.folds) < 2:
        raise InputError(
            f"too few samples to fit: {fitted}", motions[0].source, "record at least a few seconds of motion"
        )
    products = Products(factors)
    prior = _prior(robot, model, products, settings.prior)
    selection = selecting(model, found)
    excitation = examine(model, motions, products, selection.chosen())
    other_order = exchanged(selection, selection.chosen(), motions, filter_)
    doubted = units_in_doubt(robot, motions, filter_)
    say("choosing terms")
    selection.choose(trusted=not excitation.uniform)
    in_step = everything
    if np.abs(selection.lags).max() * 2 * np.pi * filter_.cutoff > LATE and not other_order:
        say("torques moved by their lags")
        advance = selection.lags
        in_step = [replace(part, advance=advance) for part in everything]
        found = factor(model, in_step)
        selection = selecting(model, found, advance)
        selection.choose(trusted=not excitation.uniform)
    if selection.asks(LOAD_FRICTION) or (not excitation.uniform and rubbing_by_load(selection)):
        say("friction by load")
        advance = selection.advance

        def again(model: Model) -> tuple[Selection, Factored]:
            found = factor(model, in_step)
            return selecting(model, found, advance), found

        selection, found = with_load_friction((selection, found), again, trusted=not excitation.uniform)
    for _ in range(REWEIGHTINGS if settings.loss != "squares" else 0):
        weighed = factored(selection.model, in_step, filter_, settings.split, row_weights(selection, settings.loss))
        selection.products = Products(weighed.factors, selection.products.lags)
        selection.reweigh()
    say("solving")
    apart = Apart(everything, filter_, settings.split)
    refine: Momentum | Refinement | None = None
    if settings.estimator in BALANCES:
        refine = BALANCES[settings.estimator](everything, filter_, settings.split)
    elif settings.estimator != "squares":
        refine = Refinement(settings.estimator, settings.law, recordings, filter_, settings.split)
    return _solved(
        robot,
        selection,
        excitation,
        filter_,
        settings,
        (*notes, *more),
        found.shown,
        apart,
        refine,
        doubted,
        other_order,
    )


def _without_open_inertias(robot: Tree) -> Tree:
    """Return the robot itself; without its inertias where they have no values, since they are what is asked for."""
    if not set(symbols(robot)) - set(robot.values):
        return robot
    joints = tuple(replace(joint, link=replace(joint.link, inertia=NO_INERTIA)) for joint in robot.joints)
    return replace(robot, joints=joints)


def _width(recording: Recording | Window) -> int:
    return len(recording.joints) if isinstance(recording, Window) else recording.q.shape[1]


def _samples(*groups: Sequence[Recording | Window]) -> int:
    """Return how many samples there are, to decide whether compiling saves time."""
    return sum(r.last - r.first if isinstance(r, Window) else len(r.t) for group in groups for r in group)


def _looked_at(parts: Sequence[Part]) -> list[Piece]:
    """Return the stretches from which filter and speeds are chosen: all in memory, one window of each file."""
    in_memory = [piece for part in parts for piece in part.pieces]
    first = {part.group: part.window for part in reversed(parts) if part.window is not None}
    return [*in_memory, *(piece for window in first.values() for piece in regular(window.recording())[0])]


def _speeds(motions: Sequence[Motion]) -> np.ndarray:
    rms = np.sqrt(np.mean(np.concatenate([m.qd for m in motions]) ** 2, axis=0))
    speeds: np.ndarray = np.maximum(rms, 0.1 * rms.max())
    return speeds if rms.max() > 0 else np.ones_like(rms)


def _prior(robot: Tree, model: Model, products: Products, kind: str) -> Prior:
    torques = np.sqrt(products.power / products.count)
    mean = None
    if kind in ("model", "cad"):
        mean = parameter_values(robot, model.base.columns)
    elif kind != "scale":
        raise InputError(f"unknown prior '{kind}'", "--prior", "give scale, model or cad")
    return plausible(model.robot, model.base, torques, mean, log_det=kind == "cad")


def _solved(
    robot: Tree,
    selection: Selection,
    excitation: Excitation,
    filter_: Filter,
    settings: Settings,
    notes: Sequence[str],
    shown: Sequence[Rows],
    apart: Apart,
    refine: Momentum | Refinement | None,
    doubted: Sequence[str],
    other_order: Sequence[str],
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
    free_pi = selection.prior.completed(B, free[: model.count])
    if not settings.consistent:
        pi, x = free_pi, free
    covariance = _inverse(with_prior)
    if refine is not None:
        refined = refine(robot, selection, _mass_matrices(model, MATRICES))
        free, covariance = refined.estimate.x, refined.estimate.covariance
        free_pi = selection.prior.completed(B, free[: model.count])
        pi, x = (refined.pi, refined.x) if settings.consistent else (free_pi, free)
        notes = [*notes, refined.sentence]
    errors = np.sqrt(np.diag(covariance))
    result = fitted_robot(robot, model, choice, chosen, pi, x)
    joints = model.joints

    def by_joint(values: np.ndarray) -> dict[str, float]:
        return {name: float(v) for name, v in zip(joints, values, strict=True)}

    folds, lags = products.factors.folds, selection.lags
    tested = HELD_OUT in products.factors.samples
    plain = fitted_robot(robot, model, choice, chosen, free_pi, free)
    predictions = apart.errors([result, plain], lags, model.speeds) if tested else None

    def held_out(kind: str, robot: int = 0) -> dict[str, float]:
        return {} if predictions is None else by_joint(predictions.errors[robot].relative(kind))

    validated = selection.validated()[0]
    friction = by_joint(friction_shares(selection, chosen, x))
    poor = poor_joints(selection, validated, result, predictions)
    suspected = {*reversed_signs(selection, chosen, joints), *driven_by_friction(selection, chosen, x, covariance)}
    wrong_sign = [] if other_order else [name for name in joints if name in suspected]
    return Identification(
        robot=result,
        train=by_joint(products.relative_error(folds, chosen, x)),
        held_out=held_out("delayed"),
        held_out_prompt=held_out("prompt"),
        held_out_raw=held_out("raw"),
        unconstrained=held_out("delayed", 1),
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
        lags=by_joint(selection.lags),
        correlation=by_joint(selection.times),
        poor=poor,
        notes=tuple(notes),
        warnings=(
            *doubted,
            *other_order,
            *excitation.warnings,
            *_doubts(result, joints, wrong_sign, excitation.still),
        ),
        samples=(products.count, products.factors.samples.get(HELD_OUT, 0)),
        selection=selection,
        shown=_shown(selection, shown, chosen, x, covariance),
        friction=friction,
        verdict=verdict(selection, chosen, x, errors, friction, poor, excitation.slow, wrong_sign, other_order),
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


def _doubts(robot: Tree, joints: Sequence[str], wrong_sign: Sequence[str], still: Sequence[str]) -> list[str]:
    """Return sentences about fitted drives that cannot be as they are; joints at rest are known to be open."""
    rotors = {name: robot.joints[i].drive.rotor_inertia for name, i in zip(joints, robot.independent, strict=True)}
    doubts = [
        f"{name}: its torque or its position seems to have the wrong sign (its friction comes out negative, or all "
        "joints fit far better with the opposite); check the sign of its gear ratio or drive gain in the mapping"
        for name in wrong_sign
    ]
    return doubts + [
        f"{name}: rotor inertia {inertia:.3g} is negative, its torque lags or its friction is not modelled; for "
        "simulation fit with --simulated"
        for name, inertia in rotors.items()
        if inertia < 0 and name not in (*still, *wrong_sign)
    ]


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
