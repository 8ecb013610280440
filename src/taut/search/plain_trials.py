"""The trials of kernel.c in plain Python; see trials.h."""

from __future__ import annotations

from collections.abc import Callable

from taut.search.plain import TRIAL_NODES, State

RISE, MENDED, ATTEMPTS = 3, 6, 20
NEARBY, WALKS, HOPS, TOUCHED = 8, 8, 4, 64

Mend = Callable[[int, int, int], bool]
"""(user, what it may cost, node) -> whether the user could be given a definition without the node."""


class Trials:
    """Attempts that begin by taking a node away.

    Args:
        s: the program under search.
        mend: gives a user of the node another definition.

    Attributes:
        left: steps of the trial.
        touched: the last nodes that changed, with their operands.
    """

    def __init__(self, s: State, mend: Mend) -> None:
        self._s, self._mend = s, mend
        self._kept: _Kept | None = None
        self.left = 0
        self.touched: list[int] = []
        self._touches = 0

    def begin(self, steps: int) -> bool:
        """End a trial, undone if it saved nothing, and begin the next one; return whether there is room for it."""
        s = self._s
        if self._kept is not None and s.cost > self._kept.cost:
            self._kept.go_back()
        for _ in range(ATTEMPTS):
            if len(s.definition) + TRIAL_NODES + s.room // 8 > s.room:
                s.rebuild()
            if len(s.definition) + TRIAL_NODES > s.room:
                return False
            self._kept = _Kept(s)
            if self._take_away(self.any_node(), self._kept.cost + RISE * s.cheapest):
                break
            self._kept.go_back()
            self._forget()
        self.left = steps
        return True

    def _take_away(self, n: int, most: int) -> bool:
        s = self._s
        self._forget()
        if n in s.output_nodes:
            return False
        mended = 0
        while s.refs[n]:
            u = self._user_from(n, 0)
            if mended == MENDED or not s.price(u) or not self._mend(u, RISE * s.cheapest, n) or s.cost > most:
                return False
            self.touch(u)
            mended += 1
        return True

    # -- which node is next -----------------------------------------------------------------

    def any_node(self) -> int:
        """Return a random node that can change."""
        s = self._s
        while True:
            t = s.leaves + s.draw(len(s.definition) - s.leaves)
            if self._can_change(t):
                return t

    def near_node(self) -> int:
        """Return a node a few hops from something that has changed."""
        s = self._s
        for _ in range(WALKS):
            n = self.touched[s.draw(len(self.touched))]
            for _ in range(s.draw(HOPS)):
                way, d = s.draw(3), s.definition[n]
                if way == 0 and d.a >= 0:
                    n = d.a >> 1
                elif way == 1 and d.b >= 0:
                    n = d.b >> 1
                else:
                    n = self._user_from(n, s.draw(len(s.definition)))
            if self._can_change(n):
                return n
        return self.any_node()

    def touch(self, n: int) -> None:
        """Record that a node has changed."""
        for x in (n, *self._s.definition[n].operands):
            if len(self.touched) < TOUCHED:
                self.touched.append(x)
            else:
                self.touched[self._touches % TOUCHED] = x
            self._touches += 1

    def _forget(self) -> None:
        self.touched, self._touches = [], 0

    def _can_change(self, n: int) -> bool:
        return self._s.price(n) > 0 and self._s.alive(n)

    def _user_from(self, n: int, start: int) -> int:
        """Return the first live user from there on, around; the node itself where it has none."""
        users = [u for u in self._s.users[n] if self._s.alive(u)]
        return min((u for u in users if u >= start), default=min(users, default=n))


class _Kept:
    """A program to go back to."""

    def __init__(self, s: State) -> None:
        self._s, self.cost = s, s.cost
        self._definition, self._refs, self._users = s.definition[:], s.refs[:], [dict(u) for u in s.users]

    def go_back(self) -> None:
        """Restore the program; nodes made since then stay in the tables, unused."""
        s, count = self._s, len(self._definition)
        new = range(count, len(s.definition))
        s.cost = self.cost
        s.definition[:count], s.refs[:count] = self._definition, self._refs
        s.users[:count] = [dict(u) for u in self._users]
        for n in new:
            s.refs[n], s.users[n] = 0, {}
        for n in new:
            s.link(n)
