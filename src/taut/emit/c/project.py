"""The files written with the C of a robot: a build file, a self-test and a page about it."""

from __future__ import annotations

from taut.emit.c.module import Module
from taut.emit.c.readme import readme
from taut.emit.c.selftest import selftest


def project(module: Module) -> dict[str, str]:
    """Return {file name: text} of a directory that builds and tests itself without Python."""
    R = module.prefix
    return {
        f"{R}.c": module.source(),
        f"{R}.h": module.header(),
        "selftest.c": selftest(module),
        "CMakeLists.txt": _CMAKE.replace("@R@", R),
        "README.md": readme(module),
    }


_CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project(@R@ C)

set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # lets the compiler fuse multiplications with additions
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(@R@ STATIC @R@.c)
target_include_directories(@R@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
if(UNIX)
  target_link_libraries(@R@ PUBLIC m)
endif()

enable_testing()
add_executable(selftest selftest.c)
target_link_libraries(selftest PRIVATE @R@)
add_test(NAME selftest COMMAND selftest)
"""
