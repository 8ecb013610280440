"""Constrained motion by Lagrange's equations in mpmath: poses, differences of many digits, and a KKT system.

It shares nothing with taut: T and V come from poses alone, every derivative is a central difference with 50 digits, and
the conditions are residuals of poses. A free body has the coordinates p = p0 + R0 x, R = R0 exp(w) about its pose.
"""

from __future__ import annotations

import mpmath as mp
import numpy as np
from plain import Plain

mp.mp.dps = 50
H = mp.mpf(10) ** -14


def rotation(axis, angle):
    x, y, z = (mp.mpf(a) for a in axis)
    c, s = mp.cos(angle), mp.sin(angle)
    v = 1 - c
    return mp.matrix(
        [
            [c + x * x * v, x * y * v - z * s, x * z * v + y * s],
            [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
            [z * x * v - y * s, z * y * v + x * s, c + z * z * v],
        ]
    )


UNIT = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def turned(turns):
    R = mp.eye(3)
    for axis, angle in turns:
        twelfths = round(float(angle) * 12 / np.pi)  # multiples of 15 degrees to all digits
        exact = mp.pi * twelfths / 12 if abs(angle - twelfths * np.pi / 12) < 1e-14 else mp.mpf(angle)
        R = R * rotation(UNIT[axis], exact)
    return R


def quaternion(x, y, z, w):
    n = mp.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / n, y / n, z / n, w / n
    return mp.matrix(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


class Lagrange:
    """A closed chain at a position: ``q`` of all joints that follow none, as taut orders them."""

    def __init__(self, robot: Plain, q):
        self.robot = robot
        self.slots, self.free = {}, {}
        at = k = 0
        for i, body in enumerate(robot.bodies):
            if i in robot.cams:
                continue
            if body.kind == "free":
                p = mp.matrix([mp.mpf(float(x)) for x in q[at : at + 3]])
                R = quaternion(*(mp.mpf(float(x)) for x in q[at + 3 : at + 7]))
                self.free[i] = (p, R)
                self.slots[i] = k
                at, k = at + 7, k + 6
            else:
                self.slots[i] = k
                at, k = at + 1, k + 1
        self.n = k
        self.q0 = []
        at = 0
        for i, body in enumerate(robot.bodies):
            if i in robot.cams:
                continue
            self.q0 += [mp.mpf(0)] * 6 if body.kind == "free" else [mp.mpf(float(q[at]))]
            at += 7 if body.kind == "free" else 1

    def coordinate(self, i, x):
        if i in self.robot.cams:
            leader, law = self.robot.cams[i]
            return eval(law, {"sin": mp.sin, "cos": mp.cos, "x": self.coordinate(leader, x)})
        return x[self.slots[i]]

    def poses(self, x):
        R, p = [], []
        for i, body in enumerate(self.robot.bodies):
            up = (mp.eye(3), mp.zeros(3, 1)) if body.parent < 0 else (R[body.parent], p[body.parent])
            here = up[0] * turned(body.turns)
            place = up[1] + up[0] * mp.matrix([mp.mpf(repr(v)) for v in body.xyz])
            if body.kind == "free":
                own = x[self.slots[i] : self.slots[i] + 6]
                p0, R0 = self.free[i]
                size = mp.sqrt(sum(w * w for w in own[3:]))
                spin = rotation([w / size for w in own[3:]], size) if size else mp.eye(3)
                place = place + here * (p0 + R0 * mp.matrix(own[:3]))
                here = here * R0 * spin
            elif body.kind == "revolute":
                here = here * rotation(body.axis, self.coordinate(i, x))
            else:
                place = place + here * mp.matrix([mp.mpf(a) * self.coordinate(i, x) for a in body.axis])
            R.append(here)
            p.append(place)
        return R, p

    def placed(self, x):
        """Return mass centre and rotation of every body."""
        R, p = self.poses(x)
        return [(p[i] + R[i] * mp.matrix(b.com), R[i]) for i, b in enumerate(self.robot.bodies)]

    def velocities(self, x, v):
        """Return velocity of the mass centre and angular velocity in body axes, by a central difference."""
        ahead, back = (self.placed([a + s * H * b for a, b in zip(x, v, strict=True)]) for s in (1, -1))
        here = self.placed(x)
        found = []
        for (c1, R1), (c0, R0), (_, R) in zip(ahead, back, here, strict=True):
            W = R.T * ((R1 - R0) / (2 * H))
            found.append(((c1 - c0) / (2 * H), mp.matrix([W[2, 1], W[0, 2], W[1, 0]])))
        return found

    def momenta(self, velocities):
        """Return (m v, I w) of every body at its velocities."""
        parts = []
        for body, (c, w) in zip(self.robot.bodies, velocities, strict=True):
            xx, xy, yy, xz, yz, zz = (mp.mpf(repr(e)) for e in body.inertia)
            inertia = mp.matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            parts.append((c * mp.mpf(repr(body.mass)), inertia * w))
        return parts

    def mass_matrix(self, x):
        units = [[mp.mpf(j == k) for j in range(self.n)] for k in range(self.n)]
        rates = [self.velocities(x, unit) for unit in units]
        momenta = [self.momenta(rate) for rate in rates]
        return mp.matrix(
            [
                [
                    sum((a.T * p)[0] + (b.T * h)[0] for (a, b), (p, h) in zip(rates[j], momenta[k], strict=True))
                    for k in range(self.n)
                ]
                for j in range(self.n)
            ]
        )

    def kinetic(self, x, v):
        rates = self.velocities(x, v)
        momenta = self.momenta(rates)
        return sum((a.T * p)[0] + (b.T * h)[0] for (a, b), (p, h) in zip(rates, momenta, strict=True)) / 2

    def potential(self, x):
        g = mp.matrix([mp.mpf(repr(e)) for e in self.robot.gravity])
        placed = zip(self.robot.bodies, self.placed(x), strict=True)
        return -sum(mp.mpf(repr(b.mass)) * (g.T * c)[0] for b, (c, _) in placed)

    def moved(self, direction, step=1):
        return [a + step * H * mp.mpf(b) for a, b in zip(self.q0, direction, strict=True)]

    def bias(self, v):
        """Return d/dt(M) v - dT/dq + dV/dq."""
        v = [mp.mpf(float(a)) for a in v]
        M1, M0 = (self.mass_matrix(self.moved(v, s)) for s in (1, -1))
        h = (M1 - M0) / (2 * H) * mp.matrix(v)
        for k in range(self.n):
            unit = [mp.mpf(j == k) for j in range(self.n)]
            ahead, back = self.moved(unit), self.moved(unit, -1)
            slope = self.kinetic(ahead, v) - self.kinetic(back, v) - self.potential(ahead) + self.potential(back)
            h[k] -= slope / (2 * H)
        return h

    def residual(self, x):
        """Return the first frame of every closure as the second sees it: the components that the kind stops."""
        R, p = self.poses(x)
        found = []
        for pin in self.robot.pins:
            frames = []
            for body, xyz, turns in ((pin.body, pin.xyz, pin.turns), (pin.other, pin.at, pin.at_turns)):
                up = (mp.eye(3), mp.zeros(3, 1)) if body < 0 else (R[body], p[body])
                frames.append((up[1] + up[0] * mp.matrix([mp.mpf(repr(e)) for e in xyz]), up[0] * turned(turns)))
            (p1, R1), (p2, R2) = frames
            d, A = R2.T * (p1 - p2), R2.T * R1
            lines = {"ball": [d[0], d[1], d[2]], "pin": [d[0], d[1], d[2], -A[1, 2], A[0, 2]]}
            lines["weld"] = [*lines["pin"], A[1, 0]]
            lines["slide"] = [d[0], d[1], -A[1, 2], A[0, 2], A[1, 0]]
            found += lines[pin.kind]
        return mp.matrix(found) if found else mp.zeros(0, 1)

    def rolling(self, x):
        """Return the rows of the conditions on rates."""
        names = {body.name: self.coordinate(i, x) for i, body in enumerate(self.robot.bodies)}
        scope = {"sin": mp.sin, "cos": mp.cos, **names}
        rows = []
        for row in self.robot.rolling:
            line = [mp.mpf(0)] * self.n
            for i, text in row.items():
                line[self.slots[i]] = mp.mpf(eval(text, scope))
            rows.append(line)
        return rows

    def conditions(self, v):
        """Return J and dJ/dt v."""
        v = [mp.mpf(float(a)) for a in v]
        columns = []
        for k in range(self.n):
            unit = [mp.mpf(j == k) for j in range(self.n)]
            columns.append((self.residual(self.moved(unit)) - self.residual(self.moved(unit, -1))) / (2 * H))
        rows = [[column[r] for column in columns] for r in range(len(columns[0]))] if self.robot.pins else []
        drift = []
        if self.robot.pins:
            ahead, here, back = self.residual(self.moved(v)), self.residual(self.q0), self.residual(self.moved(v, -1))
            drift = [(a - 2 * b + c) / H**2 for a, b, c in zip(ahead, here, back, strict=True)]
        if self.robot.rolling:
            ahead, back = self.rolling(self.moved(v)), self.rolling(self.moved(v, -1))
            rows += self.rolling(self.q0)
            drift += [
                sum((a - b) / (2 * H) * w for a, b, w in zip(one, other, v, strict=True))
                for one, other in zip(ahead, back, strict=True)
            ]
        return rows, drift

    def accelerations(self, v, tau):
        """Return accelerations of all coordinates, multipliers of a maximal set of rows, these rows, and J."""
        J, drift = self.conditions(v)
        kept = independent_rows(J)
        m, n = len(kept), self.n
        A, b = mp.zeros(n + m, n + m), mp.zeros(n + m, 1)
        M, h = self.mass_matrix(self.q0), self.bias(v)
        for i in range(n):
            b[i] = mp.mpf(float(tau[i])) - h[i]
            for j in range(n):
                A[i, j] = M[i, j]
            for k, r in enumerate(kept):
                A[i, n + k], A[n + k, i] = -J[r][i], J[r][i]
        for k, r in enumerate(kept):
            b[n + k] = -drift[r]
        x = mp.lu_solve(A, b)
        return self.to_rates(x[:n], v), [x[n + k] for k in range(m)], kept, J

    def to_rates(self, acceleration, v):
        """Return accelerations with those of free bodies as derivatives of their rates in body axes."""
        found = list(acceleration)
        for i in self.free:
            k = self.slots[i]
            lin, ang = (mp.matrix([mp.mpf(float(a)) for a in v[k + s : k + s + 3]]) for s in (0, 3))
            turn = [
                ang[1] * lin[2] - ang[2] * lin[1],
                ang[2] * lin[0] - ang[0] * lin[2],
                ang[0] * lin[1] - ang[1] * lin[0],
            ]
            for j in range(3):
                found[k + j] -= turn[j]
        return np.array([float(a) for a in found])


def independent_rows(J):
    """Return indices of independent rows, by elimination."""
    rows = [list(row) for row in J]
    kept, used = [], set()
    for r, row in enumerate(rows):
        row = list(row)
        for k, c in kept:
            factor = row[c] / k[c]
            row = [a - factor * b for a, b in zip(row, k, strict=True)]
        size, c = max((abs(a), c) for c, a in enumerate(row))
        if size > mp.mpf(10) ** -15:
            kept.append((row, c))
            used.add(r)
    return sorted(used)
