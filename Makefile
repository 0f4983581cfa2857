# Schiri. `make run` and `make test` set themselves up below this folder; they need Python >= 3.11, make and git. What
# some tests need of the system `make test` names and `make system` installs; nothing else here changes the system.
# Every target here is explained by `make help`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
UF2    ?=
BOARD  ?= pico
MICROPYTHON ?=

.DEFAULT_GOAL := help
.PHONY: help setup system run play test test-all test-long test-pico budgets check lint format type type-laptop type-box bench firmware image \
        release hardware screens sheets schemas docs lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# exec in a recipe: make hands SIGTERM to the shell that it starts, and that would end alone

# -- set-up -------------------------------------------------------------------------------------------------
# Two stamps: what a user runs, and what a developer needs on top. Both from lock files with hashes.

$(VENV)/run.stamp: requirements/run.lock package-lock.json pyproject.toml tools/setup.sh
	@exec env PYTHON="$(PYTHON)" sh tools/setup.sh run

$(VENV)/dev.stamp: requirements/dev.lock $(wildcard requirements/typings*.lock) $(VENV)/run.stamp
	@exec env PYTHON="$(PYTHON)" sh tools/setup.sh dev

setup: $(VENV)/dev.stamp ## everything a developer needs, into .venv and node_modules

system: ## the programs that some tests need, from Debian's packages: sudo make system
	@sh tools/setup.sh system

# -- use ----------------------------------------------------------------------------------------------------

run: $(VENV)/run.stamp ## a whole match on the software twin; vary it with ARGS="--deck gastro --seats 3"
	@exec $(BIN)/schiri demo $(ARGS)

play: $(VENV)/run.stamp ## the virtual table in a browser
	@exec $(BIN)/schiri play $(ARGS)

# -- proof --------------------------------------------------------------------------------------------------

test: $(VENV)/dev.stamp check ## before each commit: all but releases and long runs; box, pages and case only if they changed; changes nothing outside this folder
	@sh tools/setup.sh tell-system
	@which=$$($(BIN)/python -m tests.scope) && exec $(BIN)/pytest -n 5 --dist worksteal -m "$$which"

test-all: $(VENV)/dev.stamp check ## everything CI proves
	@sh tools/setup.sh tell-system
	@exec $(BIN)/pytest -n 5 --dist worksteal -m "not long"

test-long: $(VENV)/dev.stamp ## the long random runs, and whole what `make test` samples; a part: ARGS=tests/long
	@exec $(BIN)/pytest -n 2 --dist worksteal --hypothesis-profile=new -m "long or hypothesis" \
	    --timeout=36000 -o faulthandler_timeout=40000 $(ARGS)

test-pico: $(VENV)/dev.stamp ## on an emulated Pico, with the image of `make image` or of a release: UF2=its file, BOARD=pico_w, ARGS="-k cafe"
	@sh tools/setup.sh emulator
	@exec env SCHIRI_BOARD=$(BOARD) $(if $(UF2),SCHIRI_UF2="$(UF2)") $(BIN)/pytest tests/pico -v -n 2 --dist worksteal \
	    --durations=0 --timeout=36000 -o faulthandler_timeout=40000 $(ARGS)

budgets: $(VENV)/dev.stamp ## time and memory of the box on the same: UF2=, BOARD=, ARGS="--part taps"
	@sh tools/setup.sh emulator
	@exec $(BIN)/python -m bench.emulated_pico --board $(BOARD) $(if $(UF2),--uf2 "$(UF2)") $(ARGS)

# side by side: each computes on one core, and the laptop's types take as long as the rest together
check: $(VENV)/dev.stamp ## lint, types, spelling
	@$(MAKE) --no-print-directory -j 2 type-laptop $(VENV)/collected.stamp type-box lint

# pytest compiles the tests at their first run: once here, not in every worker at the same time. What fails it tells later
$(VENV)/collected.stamp: $(VENV)/dev.stamp
	@$(BIN)/pytest --collect-only -q >/dev/null 2>&1 || true
	@touch $@

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/codespell

type: type-laptop type-box

type-laptop: $(VENV)/dev.stamp
	@$(BIN)/mypy

type-box: $(VENV)/dev.stamp
	@$(BIN)/mypy --config-file firmware/mypy.ini

format: $(VENV)/dev.stamp ## let ruff write the files
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/dev.stamp ## measure the budgets of the design and write docs/BENCHMARKS.md
	@$(BIN)/python -m bench $(ARGS)

# -- products -----------------------------------------------------------------------------------------------

firmware: $(VENV)/run.stamp ## what a slot of the box holds, into build/: schiri box update --from build/box.romfs
	@$(BIN)/schiri firmware $(ARGS)

image: $(VENV)/dev.stamp ## a UF2 file for each board, with MicroPython: MICROPYTHON=its sources, else they are cloned
	@$(BIN)/python tools/image.py $(if $(MICROPYTHON),"$(MICROPYTHON)") $(ARGS)

release: $(VENV)/dev.stamp ## wheel, sources, firmware, parts list, checksums, notes, and the images of `make image`, into dist/; a real one: VERSION=0.1.0
	@$(BIN)/python -m tools.release $(if $(VERSION),--version "$(VERSION)")

hardware: $(VENV)/dev.stamp ## wiring pictures, case, bill of materials
	@$(BIN)/python -m hardware.build

screens: $(VENV)/dev.stamp ## every picture in docs anew, some minutes; needs Chromium and pdftoppm; only the box's: PAGES=no
	@$(BIN)/python -m tests.app.pictures
	@$(BIN)/python -m hardware.case.lit
ifneq ($(PAGES),no)
	@$(BIN)/python -m tests.browser.play_pictures
	@$(BIN)/python -m tests.browser.draw_desk
endif

sheets: $(VENV)/dev.stamp ## every page at five widths, by day and by night, into build/sheets; some of them: ARGS=wall
	@$(BIN)/python -m tests.browser.sheets $(ARGS)

schemas: $(VENV)/dev.stamp ## the JSON Schemas below docs/: after a change of what is printed or read
	@$(BIN)/python -m tools.schemas

$(VENV)/docs.stamp: requirements/docs.lock $(VENV)/run.stamp
	@exec env PYTHON="$(PYTHON)" sh tools/setup.sh docs

docs: $(VENV)/docs.stamp ## the pages of docs as a site that needs no network, into build/site; a dead link fails
	@exec $(BIN)/python tools/docs_site.py

lock: ## renew the lock files (needs uv)
	uv pip compile -q pyproject.toml --extra run --universal --generate-hashes --no-header --no-annotate \
	    --python-version 3.11 -o requirements/run.lock
	uv pip compile -q pyproject.toml --extra dev --universal --generate-hashes --no-header --no-annotate \
	    --python-version 3.11 -o requirements/dev.lock
	uv pip compile -q requirements/node.in --universal --generate-hashes --no-header --no-annotate \
	    --python-version 3.11 -o requirements/node.lock
	uv pip compile -q requirements/docs.in -c requirements/dev.lock --universal --generate-hashes --no-header --no-annotate \
	    --python-version 3.11 -o requirements/docs.lock
	uv pip compile -q requirements/typings.in --universal --generate-hashes --no-header --no-annotate \
	    --python-version 3.11 -o requirements/typings.lock
	for board in pico-w pico2 pico2-w; do sed "s/rpi_pico-/rpi_$$board-/" requirements/typings.in | uv pip compile -q - \
	    --no-deps --generate-hashes --no-header --no-annotate -o requirements/typings-$$board.lock; done
	npm install --package-lock-only

clean: ## remove what can be made again
	rm -rf $(VENV) node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
