"""Tables of formulas as printed in the papers, and their values."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "papers"


def load(name: str) -> dict[str, Any]:
    """Return a data file."""
    return json.loads((DATA / name).read_text())


class Values(dict[str, Any]):
    """Known values by name; a name of the table is computed from its formula when first asked for."""

    def __init__(self, known: Mapping[str, Any], table: Mapping[str, str]) -> None:
        super().__init__({"sin": math.sin, "cos": math.cos, **known})
        self.table = table

    def __missing__(self, name: str) -> Any:
        self[name] = self.value(self.table[name])
        return self[name]

    def value(self, formula: str) -> Any:
        """Return the value of a formula over these names."""
        return eval(formula, {"__builtins__": {}}, self)


def trigonometry(q: list[float], sine: str, cosine: str) -> dict[str, float]:
    """Return sines and cosines in the letters of the PUMA papers: S2, C23, S223, SS5, CC4, SC23."""
    angles = {str(i): angle for i, angle in enumerate(q, 1)}
    angles |= {"23": q[1] + q[2], "223": 2 * q[1] + q[2]}
    found = {}
    for name, angle in angles.items():
        s, c = math.sin(angle), math.cos(angle)
        found |= {sine + name: s, cosine + name: c}
        found |= {sine * 2 + name: s * s, cosine * 2 + name: c * c, sine + cosine + name: s * c}
    return found
