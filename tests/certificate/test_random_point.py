"""The random point of the checker: all square roots exist there, however many there are."""

from __future__ import annotations

from typing import Any

import pytest

from taut.certificate import check_proof


def certificate(*formulas: list[Any]) -> dict[str, Any]:
    return {"formulas": list(formulas)}


def test_forty_roots_exist_at_one_point() -> None:
    names = [f"x{k}" for k in range(20)]
    symbols = [["symbol", name] for name in names]
    sums = [["sum", "1", "1", k, "3", (7 * k) % 20] for k in range(20)]
    roots = [["sqrt", k] for k in range(40)]
    stated = certificate(*symbols, *sums, *roots)
    point, values = check_proof.random_point(stated)
    assert all((root * root).v == under.v for under, root in zip(values, values[40:], strict=False))
    assert [value.v for value in values[:20]] == [point.symbol(name).v for name in names]
    assert [value.v for value in check_proof.random_point(stated)[1]] == [value.v for value in values]


def test_a_constant_without_a_root_is_named() -> None:
    no_square = next(k for k in range(2, 100) if pow(k, (check_proof.P - 1) // 2, check_proof.P) != 1)
    with pytest.raises(check_proof.Unknown, match="a constant has no root in the field"):
        check_proof.random_point(certificate(["symbol", "m"], ["sum", str(no_square)], ["sqrt", 1]))


def test_roots_that_never_exist_together_are_named() -> None:
    with pytest.raises(check_proof.Unknown, match="no point was found"):
        check_proof.random_point(certificate(["symbol", "m"], ["sum", "0", "-1", 0], ["sqrt", 0], ["sqrt", 1]))
