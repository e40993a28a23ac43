# make play   set up what is needed and open the product
# make test   set up what is needed and pass the tests
# make learn  set up what is needed and watch a network learn five in a row on 9x9 from nothing, in under five minutes
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CORE   := $(wildcard cpp/*/*.cpp cpp/*/*.h cpp/*/*.inc) CMakeLists.txt pyproject.toml

.PHONY: play test learn lint bench clean core
.DELETE_ON_ERROR:

play: $(VENV)/.stamp-run
	$(BIN)/tengen play

test: $(VENV)/.stamp-dev
	tests/web/get-browser $(BIN)/python
	$(BIN)/python -m pytest

learn: $(VENV)/.stamp-train
	$(BIN)/tengen train lines-9

lint: $(VENV)/.stamp-dev
	$(BIN)/python -m nanobind.stubgen -q -m tengen._core -o src/tengen/_core.pyi
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.stamp-run
	$(BIN)/tengen bench

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# An editable install builds the C++ core once; it is built again when a source of the core changes.
$(VENV)/.stamp-run: $(BIN)/python $(CORE)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.stamp-train: $(BIN)/python $(CORE)
	$(BIN)/python -m pip install --quiet --editable '.[train]'
	touch $(VENV)/.stamp-run $@

$(VENV)/.stamp-dev: $(BIN)/python $(CORE)
	$(BIN)/python -m pip install --quiet --editable '.[train,cluster,examples,dev]'
	touch $(VENV)/.stamp-run $(VENV)/.stamp-train $@

# For work on the core without an install: builds it beside the Python sources (use PYTHONPATH=src).
core:
	cmake -S . -B build/core -DPython_EXECUTABLE="$$(command -v $(PYTHON))" > build-core.log 2>&1 || (cat build-core.log; false)
	rm -f build-core.log
	cmake --build build/core --parallel 2
	rm -f src/tengen/_core*.so  # programs that run keep the old one
	cp build/core/_core*.so src/tengen/
	PYTHONPATH=src $(PYTHON) -m nanobind.stubgen -q -m tengen._core -o src/tengen/_core.pyi

clean:
	rm -rf $(VENV) build src/tengen/_core*.so
