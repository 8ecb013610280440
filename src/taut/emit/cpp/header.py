"""The C++17 header over generated C: a class whose functions take arrays, spans and Eigen's vectors."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from taut.emit.c.module import Module
from taut.emit.names import remark
from taut.emit.routine import Routine

LARGEST = 131072
"""Bytes beyond which Eigen keeps no matrix on the stack."""


def header(module: Module) -> str:
    """Return the text of the header."""
    R = module.prefix
    widths = {name: len(symbols) for routine in module.routines for name, symbols in routine.arguments.items()}
    sizes = [f"    static constexpr std::size_t {name}_size = {width};" for name, width in widths.items()]
    names = ", ".join(quoted(name) for name in module.joints)
    known = {
        "R": R,
        "GUARD": f"{R.upper()}_HPP",
        "robot": remark(module.robot),
        "real": module.number.real,
        "sizes": "\n".join(sizes),
        "joints": f"    static constexpr std::array<const char *, {len(module.joints)}> joint_names{{{{{names}}}}};",
        "constants": "" if module.baked else _CONSTANTS,
        "functions": "\n".join(_function(module, routine) for routine in module.routines),
        "kept": "" if module.baked else "\n\nprivate:\n    @R@_constants k_;",
    }
    text = _HEADER
    for key, value in known.items():
        text = text.replace(f"@{key}@", value)
    return text.replace("@R@", R)


def quoted(name: str) -> str:
    """Return a string of C++; what is no letter or digit is written by its bytes.

    >>> print(quoted('joint 1"'))
    "joint\\0401\\042"
    """
    plain = [chr(x) if (chr(x).isalnum() and x < 128) or x in b"_-." else f"\\{x:03o}" for x in name.encode()]
    return f'"{"".join(plain)}"'


def _function(module: Module, routine: Routine) -> str:
    """Return the functions of one routine: with the answer as an argument, and as a value."""
    R, letter, name = module.prefix, routine.result.letter, routine.name
    widths = {argument: len(symbols) for argument, symbols in routine.arguments.items()}
    first = [] if module.baked else ["&k_"]

    def called(result: str) -> str:
        return f"{R}_{name}({', '.join([*first, *(f'{x}.data()' for x in widths), f'{result}.data()'])});"

    spans = [f"input<{width}> {argument}" for argument, width in widths.items()]
    array = f"std::array<real, {routine.size}>"
    rows = [f"    // {module.prefix}_{name}; see {R}.h"]
    rows += _defined("void", name, [*spans, f"output<{routine.size}> {letter}"], [called(letter)])
    rows += _defined(array, name, spans, [f"{array} {letter};", called(letter), f"return {letter};"])
    if routine.size * 8 <= LARGEST:
        vectors = [f"const vector_input<{width}> &{argument}" for argument, width in widths.items()]
        kind, rectangle = _eigen(routine.shape)
        rows += ["#if defined(@R@_EIGEN)"]
        rows += _defined("void", name, [*vectors, f"Eigen::Ref<{kind}> {letter}"], [called(letter)])
        if rectangle:
            other = f"Eigen::Ref<Eigen::Matrix<real, {rectangle}>> {letter}"
            body = [f"{kind} rows;", called("rows"), f"{letter} = rows;"]
            rows += _defined("void", name, [*vectors, other], body)
        rows += _defined(kind, name, vectors, [f"{kind} {letter};", called(letter), f"return {letter};"])
        rows += ["#endif"]
    return "\n".join(rows)


def _eigen(shape: Sequence[int]) -> tuple[str, str]:
    """Return Eigen's type of an answer in the order of the C, and the sides of a matrix that may come in another."""
    if len(shape) == 2 and shape[1] > 1:
        sides = f"{shape[0]}, {shape[1]}"
        return f"Eigen::Matrix<real, {sides}, Eigen::RowMajor>", sides if shape[0] > 1 else ""
    return f"vector<{prod(shape)}>", ""


def _defined(kind: str, name: str, given: Sequence[str], body: Sequence[str]) -> list[str]:
    rows = [f"    {kind} {name}({', '.join(given)}) const noexcept", "    {"]
    return [*rows, *(f"        {row}" for row in body), "    }"]


_CONSTANTS = """
    // Parameters are those of the robot file; NaN where it has none.
    Robot() noexcept { set_parameters(default_parameters()); }

    explicit Robot(const std::array<double, @R@_PARAMETERS> &parameters) noexcept { set_parameters(parameters); }

    static std::array<double, @R@_PARAMETERS> default_parameters() noexcept
    {
        std::array<double, @R@_PARAMETERS> found;
        @R@_default_parameters(found.data());
        return found;
    }

    // Not while another thread calls a function of this object.
    void set_parameters(const std::array<double, @R@_PARAMETERS> &parameters) noexcept
    {
        @R@_init(&k_, parameters.data());
    }

    const @R@_constants &constants() const noexcept { return k_; }
"""

_HEADER = """\
/* Dynamics of '@robot@' for C++17, over the C of @R@.h, written by taut.
 * Sizes are checked by the compiler; Eigen checks its own at run time unless NDEBUG is defined. Nothing is allocated.
 * An output overlaps no argument. Eigen is used where it is found; define @R@_NO_EIGEN to leave it out.
 */
#ifndef @GUARD@
#define @GUARD@

#include "@R@.h"
#include <array>
#include <cstddef>
#include <type_traits>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif
#if !defined(@R@_NO_EIGEN) && __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define @R@_EIGEN 1
#endif

namespace @R@ {

using real = @real@;

#if defined(__cpp_lib_span)
template <std::size_t n> using input = std::span<const real, n>;
template <std::size_t n> using output = std::span<real, n>;
#else
// n numbers that are kept elsewhere: what C++17 lacks of std::span.
template <class T, std::size_t n> class view {
    using plain = std::remove_const_t<T>;
    using array = std::conditional_t<std::is_const_v<T>, const std::array<plain, n>, std::array<plain, n>>;

public:
    constexpr view(T (&values)[n]) noexcept : data_(values) {}
    constexpr view(array &values) noexcept : data_(values.data()) {}
    constexpr explicit view(T *values, std::size_t = n) noexcept : data_(values) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return n; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + n; }

private:
    T *data_;
};
template <std::size_t n> using input = view<const real, n>;
template <std::size_t n> using output = view<real, n>;
#endif

#if defined(@R@_EIGEN)
template <int n> using vector = Eigen::Matrix<real, n, 1>;
template <int n> using vector_input = Eigen::Ref<const vector<n>>;
#endif

class Robot {
public:
@sizes@
@joints@
@constants@
@functions@@kept@
};

} // namespace @R@

#endif
"""
