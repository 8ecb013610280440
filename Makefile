# Everything a person does with a clone of taut. Needs python3 (3.11 or newer, with venv), gcc and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOCK   := requirements-test.lock
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --quiet
ROBOT  ?= puma560

.DEFAULT_GOAL := help

# Sources are compiled once and kept, whatever the caller's environment says: tests start many processes.
unexport PYTHONDONTWRITEBYTECODE

# Tests run on two processes: threads of the linear algebra inside each would only wait for one another. The tests of a
# file run on one of them (loadfile), so that they share what they derive.
test-slow tests: export OPENBLAS_NUM_THREADS := 1

.PHONY: help demo docs picture release-check test test-slow oracle coverage check lint types tests counts counts-max structures order tables bench peers faults fuzz page lock clean

help:  ## list the targets
	@echo "taut: robot dynamics, pulled tight. Targets:"
	@sed -n 's/^\([a-z-]*\):.*## /  make \1  \t/p' $(MAKEFILE_LIST)

# One stamp file a set of packages; the second time nothing is installed.
$(VENV)/ready-to-run: pyproject.toml $(LOCK)
	@echo "setup: $(VENV) with taut and what it needs to run"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --constraint $(LOCK) --editable '.[report]'
	@touch $@

$(VENV)/ready-to-test: $(VENV)/ready-to-run
	@echo "setup: test tools, oracles and their robots at the versions of $(LOCK) (a minute or two, once)"
	@$(PIP) --constraint $(LOCK) --editable '.[test]'
	@touch $@

$(VENV)/ready-to-bench: $(VENV)/ready-to-test
	@echo "setup: the peers of the benchmark (one that does not install is reported there)"
	@$(PIP) --constraint $(LOCK) --editable '.[bench]' || $(BIN)/python -c "import tomllib; print(*tomllib.load(\
	    open('pyproject.toml', 'rb'))['project']['optional-dependencies']['bench'][1:], sep='\n')" \
	    | xargs -n 1 $(PIP) --constraint $(LOCK) || true
	@touch $@

demo: $(VENV)/ready-to-run  ## set up, then derive a robot's dynamics, write them as C and run its self-test (ROBOT=puma560)
	@echo "demo: taut show $(ROBOT)"
	@$(BIN)/taut show $(ROBOT)
	@echo
	@echo "demo: taut generate $(ROBOT) -o build/$(ROBOT)"
	@$(BIN)/taut generate $(ROBOT) -o build/$(ROBOT)
	@echo
	@echo "demo: the self-test of build/$(ROBOT), without Python"
	@cc -O2 -o build/$(ROBOT)/selftest build/$(ROBOT)/*.c -lm
	@build/$(ROBOT)/selftest

test: check tests  ## set up, then lint, format check, types and all tests

check: lint types  ## lint, format check and types only

lint: $(VENV)/ready-to-test
	@echo "check: ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/ready-to-test
	@echo "check: mypy"
	@$(BIN)/mypy

tests: $(VENV)/ready-to-test
	@echo "test: pytest on two processes"
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not slow"

oracle: $(VENV)/ready-to-test  ## compare generated code of every robot file, and 100 nasty robots, with the oracles (many minutes; resumes)
	@PYTHONPATH=tests $(BIN)/python tests/oracle/sweep.py $(SWEEP)

coverage: $(VENV)/ready-to-test  ## read the robot files of 53 more packages and compare them with the oracles (3 GB, many minutes)
	@PYTHONPATH=tests $(BIN)/python tests/oracle/packages.py $(SWEEP)

# Compilers and emulators of Debian; tests that need one are skipped where it cannot be installed.
DEBIAN := clang cmake g++ libeigen3-dev valgrind gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm \
          gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user \
          chromium chromium-driver octave texlive-latex-base texlive-latex-recommended

$(VENV)/ready-for-slow-tests: $(VENV)/ready-to-test
	@if dpkg -s $(DEBIAN) >/dev/null 2>&1; then true; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo "setup: $(DEBIAN) (some minutes, once)"; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends $(DEBIAN); } \
	        >/dev/null 2>&1 || echo "setup: they could not be installed; tests that need them are skipped"; \
	else echo "setup: without $(DEBIAN), tests that need them are skipped"; fi
	@cd browser && { command -v npm >/dev/null && npm ci --silent >/dev/null 2>&1; } \
	    || echo "setup: without npm, the page's accessibility is not checked"
	@touch $@

test-slow: $(VENV)/ready-for-slow-tests  ## set up, then run the long sweeps that `make test` leaves out
	@echo "test: slow sweeps on two processes"
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile -m slow

counts: $(VENV)/ready-to-test  ## derive every count the tests keep, and docs/counts.md (minutes; goes on where it was interrupted)
	@PYTHONPATH=tests $(BIN)/python tests/counts/refresh.py

EVERY ?= 5

faults: $(VENV)/ready-to-test  ## put thousands of single faults into generated code and write what finds them into docs/certificate.md
	@PYTHONPATH=tests $(BIN)/python tests/certificate/fault_table.py --every $(EVERY)
	@PYTHONPATH=tests $(BIN)/python tests/certificate/both_commands.py

COUNT ?= 1000000
FUZZ_SECONDS ?= 600

fuzz: $(VENV)/ready-to-test  ## read mutated robot files, ten minutes at most (COUNT=1000000 FUZZ_SECONDS=100000 for a million)
	@PYTHONPATH=tests $(BIN)/python tests/fuzz/run.py --count $(COUNT) --seconds $(FUZZ_SECONDS)

SECONDS ?= 300

counts-max: $(VENV)/ready-to-test  ## search the arms of the literature and their twins, five minutes each (SECONDS=60 ONLY="panda explicit"; resumes)
	@PYTHONPATH=tests $(BIN)/python tests/counts/hardest.py --seconds $(SECONDS) $(if $(ONLY),--only $(ONLY))

structures: $(VENV)/ready-to-test  ## search programs for the structures of the arms in the test packages (resumes)
	@PYTHONPATH=tests $(BIN)/python tests/counts/structures.py

order: $(VENV)/ready-to-test  ## check on every robot that more knowledge and more effort never give more operations (hours; resumes)
	@PYTHONPATH=tests $(BIN)/python tests/counts/order.py

tables: $(VENV)/ready-to-test  ## write docs/methods.md, docs/growth.md, docs/tolerances.md, the pages of the five papers, the figures and the library's index anew
	@$(BIN)/python -m taut.report.library_index
	@$(BIN)/python -m taut.report.complexity
	@$(BIN)/python -m taut.report.growth
	@PYTHONPATH=tests $(BIN)/python tests/papers/tolerance_page.py
	@for page in puma560 burdick izaguirre robmat angeles; do PYTHONPATH=tests $(BIN)/python tests/papers/$${page}_page.py || exit 1; done
	@$(BIN)/taut abbreviate puma560 --plot docs/figures/abbreviation.svg --force

peers: $(VENV)/ready-to-bench  ## the part of `make bench` that writes docs/speed.md (PEERS=--quick: fewer repeats)
	@$(BIN)/python benchmarks/side_by_side.py $(PEERS)

bench: peers  ## set up, then time taut beside its peers (docs/speed.md), and measure derivations and their rounding
	@$(BIN)/python benchmarks/batched_dynamics.py
	@$(BIN)/python benchmarks/simulation.py
	@$(BIN)/python benchmarks/held_coefficients.py
	@$(BIN)/python benchmarks/derivation.py
	@$(BIN)/python benchmarks/numerical_health.py
	@$(BIN)/python benchmarks/generated_c.py
	@$(BIN)/python benchmarks/searched_speed.py

docs: $(VENV)/ready-to-test  ## build the documentation site in build/docs, warnings as errors
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "docs: build/docs/index.html"

picture: $(VENV)/ready-to-test  ## draw the picture of the README from the robot, its equations, its C and the last measured times
	@cd benchmarks && ../$(BIN)/python overview.py

page:  ## bundle the script of the living report anew, with three.js at the versions of browser/package-lock.json (needs npm)
	@cd browser && npm ci --silent && node build.mjs

release-check: $(VENV)/ready-to-test  ## build wheel and source distribution offline, and say what stands in the way of a release
	@PYTHONPATH=tests $(BIN)/python tests/release/check.py

lock:  ## renew the pinned versions from a fresh environment
	@rm -rf build/lock
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip --disable-pip-version-check install --quiet --quiet '.[test]' 'setuptools>=77'
	@{ sed '/^[^#]/d' $(LOCK); build/lock/bin/python -m pip freeze --all | grep -viE '^(pip|taut)[ =]'; } > build/$(LOCK)
	@mv build/$(LOCK) $(LOCK)
	@rm -rf build/lock

clean:  ## remove the environment and everything that can be made again
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find src tests benchmarks -name __pycache__ -type d -exec rm -rf {} +
