# What developers and machines call. Nothing is needed beforehand but Python 3.11 and pip.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/ready
CLASSICS := .venv/classics
PYTEST := $(BIN)/pytest -q -n 2
ARGS ?=

# Without bytecode each of pytest's processes would compile all tests anew, for longer than some run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo check test lowest coverage soak bench sample playthroughs turns reference pictures servers clean

help:
	@echo "make setup         the environment in .venv"
	@echo "make demo          a match by mail on this machine (ARGS='--seed 1')"
	@echo "make check         style, types, imports and quick tests, under a minute"
	@echo "make test          check and every other test but the long ones, about ten minutes"
	@echo "make servers       the mail servers, PostgreSQL and Chromium of the tests; as root, with apt-get"
	@echo "make lowest        quick tests with the oldest packages pyproject.toml allows, in .venv-lowest"
	@echo "make coverage      the branches that make test reaches, by room; fails below the floor"
	@echo "make soak          the long tests, over an hour (ARGS='--list', '--from leaks', '--resume')"
	@echo "make bench         the measurements in benchmarks/"
	@echo "make sample        write deploy/referee.toml anew, after a change of config.schema.json"
	@echo "make playthroughs  write the playthrough files anew; review the difference"
	@echo "make turns         measure anew how many turns each player takes, which takes minutes"
	@echo "make reference     write docs/commands.md, the man page and the rules in German anew"
	@echo "make pictures      take the pictures in docs/images anew; needs Chromium"
	@echo "make clean         remove what was made"

setup: $(READY)
	@$(BIN)/python -m compileall -q referee tests/pebbles/referee_pebbles tests/support

$(READY): pyproject.toml constraints.txt tests/pebbles/pyproject.toml .ci/environment
	@.ci/environment "$(PYTHON)" .venv
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[demo,dev]'
	$(BIN)/python -m pip install -q --no-deps -e tests/pebbles
	@touch $@

# The engine of the classics is thrice as large as all else, and a demo needs none of it.
$(CLASSICS): $(READY) classics/pyproject.toml
	$(BIN)/python -m pip install -q -c constraints.txt -e classics
	@touch $@

demo: setup
	$(BIN)/referee demo $(ARGS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(PYTEST) -m fast $(ARGS)

test: servers check $(CLASSICS)
	@# Many of these wait for servers: three at once keep two cores busy.
	$(PYTEST) -n 3 --dist worksteal --durations 20 -m "not fast and not soak" $(ARGS)
	TESTED_GAMES=classics $(PYTEST) -m "not soak" classics/tests $(ARGS)

lowest:
	@.ci/environment "$(PYTHON)" .venv-lowest
	.venv-lowest/bin/python -m pip install -q 'uv>=0.9'
	.venv-lowest/bin/uv pip install -q --python .venv-lowest/bin/python --resolution lowest-direct -e '.[demo,dev,auth,postgres]'
	.venv-lowest/bin/uv pip install -q --python .venv-lowest/bin/python --no-deps -e tests/pebbles
	.venv-lowest/bin/python -m pytest -q -n 2 -m fast $(ARGS)

coverage: servers setup
	$(BIN)/pytest -q -n 2 --dist worksteal -m "not soak" --cov --cov-report= $(ARGS)
	@PYTHONPATH=tests $(BIN)/python -m support.covered

soak: servers setup $(CLASSICS)
	@PYTHONPATH=tests $(BIN)/python -m support.soak $(ARGS)

bench: setup
	@for each in benchmarks/[a-z]*.py; do \
		if [ -f "$$each" ]; then $(BIN)/python "$$each" $(ARGS) || exit 1; fi; \
	done

sample: setup
	$(BIN)/python -c "from referee.config.keys import sample; print(sample({}), end='')" > deploy/referee.toml

playthroughs: setup
	PYTHONPATH=tests $(BIN)/python -m support.playthroughs $(ARGS)

turns: setup
	PYTHONPATH=tests $(BIN)/python -m support.turns $(ARGS)

reference: setup
	PYTHONPATH=tests $(BIN)/python -m support.reference

pictures: setup $(CLASSICS)
	PYTHONPATH=tests $(BIN)/python -m support.pictures

servers:
	@.ci/servers

clean:
	rm -rf .venv .venv-lowest .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist demo-run .soak.json .coverage*
	find referee tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
