# make play            set up what is needed and open Tengen in the browser
# make learn           set up what is needed and watch a network learn five in a row on 9x9, in under five minutes
# make test            build the core, run every test
# make test T=PATHS    build the core, run these tests only: make test T="tests/players -k mcts"
# make lint            ruff, mypy and clang-format
# make format          let ruff and clang-format rewrite the sources
# make sanitize        the core's tests under the address, undefined-behaviour and thread sanitizers
# make bench           measure the core
# make site            build Tengen as a static site in site/: the page with its engine, for any web server
# make wheel           build wheels in dist/ that need no compiler, and use the one for this machine; W="linux-x86_64" for some only
# make core            build the core only, beside the Python sources; PYTHON=... builds for another Python than .venv's
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
CMAKE   := $(shell command -v cmake || echo $(BIN)/cmake)
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
WERROR  ?= OFF
# Python finds the core beside the sources, so installing it again after a change of C++ is never needed.
INSTALL := $(BIN)/python -m pip install --quiet -C wheel.cmake=false -C editable.mode=inplace --editable
# What clang-format checks.
FORMATTED := cpp

.PHONY: play learn test lint format sanitize bench site wheel core venv-core clean
.DELETE_ON_ERROR:

play: $(VENV)/.stamp-run venv-core
	$(BIN)/tengen play

learn: $(VENV)/.stamp-run venv-core
	$(BIN)/tengen train lines-9

test: $(VENV)/.stamp-dev venv-core
ifdef T
	$(BIN)/python -m pytest $(T)
else
	tests/web/get-browser $(BIN)/python
	tests/web/run-js
	$(BIN)/python -m pytest --numprocesses $(JOBS)
endif

lint: $(VENV)/.stamp-dev venv-core
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	find $(FORMATTED) -name '*.h' -o -name '*.cpp' -o -name '*.inc' | xargs $(BIN)/clang-format --dry-run --Werror

format: $(VENV)/.stamp-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find $(FORMATTED) -name '*.h' -o -name '*.cpp' -o -name '*.inc' | xargs $(BIN)/clang-format -i

sanitize: $(VENV)/.stamp-dev venv-core
	tests/core/sanitize $(BIN)/python

bench: $(VENV)/.stamp-run venv-core
	$(BIN)/tengen bench

site: $(VENV)/.stamp-run venv-core
	$(INSTALL) '.[site]'
	$(BIN)/python tools/site/build.py site

wheel: $(VENV)/.stamp-run venv-core
	$(INSTALL) '.[wheel]'
	$(BIN)/python tools/wheels.py dist $(W)
	$(BIN)/python tools/check_wheel.py dist/*$(shell uname -m).whl

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.stamp-run: $(BIN)/python pyproject.toml
	$(INSTALL) .
	$(BIN)/python -m pip install --quiet nanobind $(if $(filter $(BIN)/cmake,$(CMAKE)),cmake ninja)
	touch $@

$(VENV)/.stamp-dev: $(BIN)/python pyproject.toml $(VENV)/.stamp-run
	$(INSTALL) '.[train,cluster,examples,dev]'
	touch $@

venv-core: $(VENV)/.stamp-run
	@$(MAKE) --no-print-directory core PYTHON=$(BIN)/python

# The one core of a source tree, built in seconds when little changed. Needs no install: PYTHONPATH=src finds it too.
ifneq ($(origin PYTHON),command line)
core: venv-core
else
CORE_PYTHON := $(if $(findstring /,$(PYTHON)),$(abspath $(PYTHON)),$(shell command -v $(PYTHON)))
core:
	@mkdir -p build
	@$(CMAKE) -S . -B build/core -DPython_EXECUTABLE="$(CORE_PYTHON)" -DTENGEN_WERROR=$(WERROR) \
		> build/configure.log 2>&1 || (cat build/configure.log; false)
	@MAKEFLAGS= $(CMAKE) --build build/core --parallel $(JOBS)
	@for made in build/core/_core.pyi build/core/_core.*.so; do \
		cp $$made src/tengen/.new && mv -f src/tengen/.new src/tengen/$${made##*/}; done  # programs that run keep the old one
endif

clean:
	rm -rf $(VENV) build src/tengen/_core*
