"""Batches in JAX: Newton-Euler by hand, and adam-robotics, compiled by XLA for whole arrays of states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from peers.newton_euler import GRAVITY, parameters
from peers.robots import Contested

Batch = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def contestants(contested: Contested) -> Iterator[tuple[str, Callable[[], Batch]]]:
    """Yield who computes torques of a batch in JAX, and what makes it."""
    yield "hand-written, JAX", lambda: _by_hand(contested)
    yield "adam, JAX", lambda: _adam(contested)


def _by_hand(contested: Contested) -> Batch:
    """Return Newton-Euler in body frames on small arrays, as one writes it for ``vmap``.

    On scalars, as newton_euler.py has it, XLA computes shared values again and again: a hundred times slower.
    """
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    joints = contested.joints

    def tau(q: Any, v: Any, x: Any) -> Any:
        w, wd, a = [jnp.zeros(3)], [jnp.zeros(3)], [jnp.array([0.0, 0.0, GRAVITY])]
        R, f, n = [jnp.eye(3)], [jnp.zeros(3)], [jnp.zeros(3)]
        for i, joint in enumerate(joints):
            m, hx, hy, hz, xx, xy, yy, xz, yz, zz = parameters(joint)
            h, inertia = jnp.array([hx, hy, hz]), jnp.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            z, p, k = jnp.array(joint.axis), jnp.array(joint.position), joint.parent
            K = jnp.cross(jnp.eye(3), z)
            R.append(jnp.array(joint.rotation) @ (jnp.eye(3) + jnp.sin(q[i]) * K + (1 - jnp.cos(q[i])) * K @ K))
            turned, E = w[k] @ R[-1], R[-1].T
            w.append(turned + z * v[i])
            wd.append(E @ wd[k] + jnp.cross(turned, z * v[i]) + z * x[i])
            a.append(E @ (a[k] + jnp.cross(wd[k], p) + jnp.cross(w[k], jnp.cross(w[k], p))))
            f.append(m * a[-1] + jnp.cross(wd[-1], h) + jnp.cross(w[-1], jnp.cross(w[-1], h)))
            n.append(inertia @ wd[-1] + jnp.cross(w[-1], inertia @ w[-1]) + jnp.cross(h, a[-1]))
        found = []
        for i in range(len(joints), 0, -1):
            joint = joints[i - 1]
            found.append(jnp.array(joint.axis) @ n[i])
            force = R[i] @ f[i]
            f[joint.parent] += force
            n[joint.parent] += R[i] @ n[i] + jnp.cross(jnp.array(joint.position), force)
        return jnp.stack(found[::-1])

    return _blocking(jax.jit(jax.vmap(tau)))


def _adam(contested: Contested) -> Batch:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    from adam.jax import KinDynComputations

    names = [str(name) for name in contested.model.names][1:]
    robot = KinDynComputations(str(contested.path), names)
    robot.g = jnp.array([0.0, 0.0, -9.81, 0.0, 0.0, 0.0])
    world, still = jnp.eye(4), jnp.zeros(6)

    def tau(q: Any, v: Any, x: Any) -> Any:
        matrix = robot.mass_matrix(world, q)
        return (matrix @ jnp.concatenate([still, x]) + robot.bias_force(world, q, still, v))[6:]

    return _blocking(jax.jit(jax.vmap(tau)))


def _blocking(compiled: Callable[..., Any]) -> Batch:
    return lambda q, v, x: np.asarray(compiled(q, v, x))
