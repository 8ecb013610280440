"""C++17 for a robot: the C of :mod:`taut.emit.c` with a header over it, and a self-test of that header."""

from __future__ import annotations

from dataclasses import replace

from taut.emit import c
from taut.emit.backend import Backend, Built, Request
from taut.emit.c.module import Module
from taut.emit.cpp.header import header
from taut.emit.cpp.selftest import selftest


def build(request: Request) -> Built:
    """Return the directory of the C, with the C++ added."""
    built, module = c.build(request), c.module_of(request)
    return replace(built, files=dict(built.files) | cpp_files(module, built.files["README.md"]))


def cpp_files(module: Module, page: str) -> dict[str, str]:
    """Return {file name: text} of what is added to the C of a module, whose page is continued."""
    R = module.prefix
    return {
        f"{R}.hpp": header(module),
        "selftest_cpp.cpp": selftest(module),
        "CMakeLists.txt": _CMAKE.replace("@R@", R),
        "README.md": page + _PAGE.replace("@R@", R),
    }


_PAGE = """
## C++

`@R@.hpp` has the class `@R@::Robot` with these functions on `std::array`, arrays of C, `std::span` (C++20) and, where
Eigen is found, `Eigen::Ref`. Nothing is allocated.

```
cc -O3 -c @R@.c && c++ -std=c++17 -O3 selftest_cpp.cpp @R@.o -lm -o selftest_cpp && ./selftest_cpp
```
"""

_CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project(@R@ C CXX)

set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # lets the compiler fuse multiplications with additions
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(Eigen3 QUIET NO_MODULE)

add_library(@R@ STATIC @R@.c)
target_include_directories(@R@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
if(UNIX)
  target_link_libraries(@R@ PUBLIC m)
endif()
if(TARGET Eigen3::Eigen)
  target_link_libraries(@R@ PUBLIC Eigen3::Eigen)
endif()

enable_testing()
foreach(test selftest.c selftest_cpp.cpp)
  get_filename_component(name ${test} NAME_WE)
  add_executable(${name} ${test})
  target_link_libraries(${name} PRIVATE @R@)
  add_test(NAME ${name} COMMAND ${name})
endforeach()
"""

BACKEND = Backend("cpp", build, tuple(c.PRECISIONS))
