#!/bin/sh
# Set up .venv and node_modules from the lock files. Called by the Makefile: `tools/setup.sh run|dev`.
set -eu
kind=$1
venv=.venv
python=${PYTHON:-python3}

say() { printf '\033[1m%s\033[0m\n' "schiri set-up: $*"; }
fail() { printf '%s\n' "schiri set-up: $*" >&2; exit 1; }

command -v "$python" >/dev/null || fail "$python is not here; install Python 3.11 or newer."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || fail "$("$python" --version) is too old; Schiri needs Python 3.11 or newer (make PYTHON=python3.12 …)."

if [ ! -x "$venv/bin/pip" ]; then
    say "making the private environment $venv"
    "$python" -m venv "$venv" \
        || fail "this Python cannot make environments; on Debian and Ubuntu: apt install python3-venv."
fi

say "Python packages ($kind), pinned and checked by hash"
"$venv/bin/pip" install -q --disable-pip-version-check --require-hashes -r "requirements/$kind.lock"
"$venv/bin/pip" install -q --disable-pip-version-check --no-deps --no-build-isolation -e .

# Types of the box's own modules, beside the packages: they replace the standard library's there
if [ "$kind" = dev ]; then
    "$venv/bin/pip" install -q --disable-pip-version-check --no-deps --require-hashes \
        --upgrade --target "$venv/typings" -r requirements/typings.lock
fi

[ "$kind" = run ] || { touch "$venv/$kind.stamp"; exit 0; }

# Node runs the MicroPython VM. The machine's own is taken if it is new enough, else the one from PyPI.
if ! node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null; then
    say "Node, from its Python package (this machine has none)"
    "$venv/bin/pip" install -q --disable-pip-version-check --require-hashes -r requirements/node.lock
    PATH="$PWD/$venv/bin:$PATH"
    export PATH
fi
say "the MicroPython VM and browser assets, from package-lock.json"
npm ci --silent --no-audit --no-fund
touch "$venv/$kind.stamp"
