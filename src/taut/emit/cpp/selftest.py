"""The self-test of the C++ header: every way to call a function gives the bits of the C, and none allocates."""

from __future__ import annotations

from collections.abc import Mapping

from taut.emit.c.module import Module
from taut.emit.cpp.header import LARGEST
from taut.emit.names import remark
from taut.emit.routine import Routine


def selftest(module: Module) -> str:
    """Return a program that compares the header with the C beneath it."""
    tests = "\n".join(_test(module, routine) for routine in module.routines)
    calls = "\n".join(f"    failed += test_{routine.name}(robot);" for routine in module.routines)
    text = _PROGRAM.replace("@tests@", tests).replace("@calls@", calls).replace("@robot@", remark(module.robot))
    text = text.replace("@given@", "" if module.baked else "(filled<@R@_PARAMETERS, double>(1))")
    return text.replace("@R@", module.prefix)


def _test(module: Module, routine: Routine) -> str:
    widths = {argument: len(symbols) for argument, symbols in routine.arguments.items()}
    names, name, size = list(widths), routine.name, routine.size
    given, handed = ", ".join(names), [] if module.baked else ["&robot.constants()"]
    rows = [f"int test_{name}(const @R@::Robot &robot)", "{", "    (void)robot;"]
    rows += [f"    const auto {x} = filled<{width}>({k + 1});" for k, (x, width) in enumerate(widths.items())]
    rows += [f"    std::array<real, {size}> right, found;"]
    rows += [f"    @R@_{name}({', '.join([*handed, *(f'{x}.data()' for x in names), 'right.data()'])});"]
    rows += [f"    robot.{name}({given}, found);", "    int bad = differs(found.data(), right);"]
    rows += [f"    bad += differs(robot.{name}({given}).data(), right);"]
    if size * 8 <= LARGEST:
        rows += _with_eigen(routine, widths)
    rows += [f'    std::printf("%-40s %s\\n", "{name}", bad ? "differs" : "same");', "    return bad;", "}"]
    return "\n".join(rows)


def _with_eigen(routine: Routine, widths: Mapping[str, int]) -> list[str]:
    """Return the lines that call a function with Eigen's vectors, the answer as a value and in a dynamic matrix."""
    given, shape = ", ".join(f"{x}_vector" for x in widths), routine.shape
    rows = ["#if defined(@R@_EIGEN)"]
    rows += [f"    const Eigen::Map<const @R@::vector<{w}>> {x}_vector({x}.data());" for x, w in widths.items()]
    if len(shape) == 2 and min(shape) > 1:
        rows += [f"    Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic> dynamic({shape[0]}, {shape[1]});"]
    elif len(shape) == 2 and shape[0] == 1 < shape[1]:
        rows += [f"    Eigen::Matrix<real, 1, Eigen::Dynamic> dynamic({shape[1]});"]
    else:
        rows += [f"    Eigen::Matrix<real, Eigen::Dynamic, 1> dynamic({routine.size});"]
    rows += ["    Eigen::internal::set_is_malloc_allowed(false);"]
    rows += [f"    const auto value = robot.{routine.name}({given});", f"    robot.{routine.name}({given}, dynamic);"]
    rows += ["    Eigen::internal::set_is_malloc_allowed(true);", "    bad += differs(value.data(), right);"]
    return [*rows, "    bad += value == value && dynamic != value;", "#endif"]


_PROGRAM = """\
// Self-test of the C++ header of '@robot@': the same bits as the C beneath it, and no allocation.
#undef NDEBUG // Eigen reports an allocation where none is allowed by an assertion
#define EIGEN_RUNTIME_NO_MALLOC
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

static int allocations = 0;

void *operator new(std::size_t size)
{
    ++allocations;
    if (void *found = std::malloc(size))
        return found;
    throw std::bad_alloc();
}
void operator delete(void *old) noexcept { std::free(old); }
void operator delete(void *old, std::size_t) noexcept { std::free(old); }

#include "@R@.hpp"

namespace {
using @R@::real;

template <std::size_t n, class T = real> std::array<T, n> filled(int k)
{
    std::array<T, n> found;
    for (std::size_t i = 0; i < n; ++i)
        found[i] = static_cast<T>(0.3 * k + 0.1 * static_cast<double>(i));
    return found;
}

template <std::size_t n> int differs(const real *found, const std::array<real, n> &right)
{
    return std::memcmp(found, right.data(), sizeof right) != 0;
}

@tests@
} // namespace

int main()
{
    int failed = 0;
    const @R@::Robot robot@given@;
@calls@
    std::printf("%d allocations\\n%s\\n", allocations, failed || allocations ? "FAILED" : "passed");
    return failed || allocations;
}
"""
