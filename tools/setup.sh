#!/bin/sh
# Sets a checkout up; called by the Makefile. What fails is told in one sentence, and the next call goes on.
#   run, dev      .venv and node_modules from the lock files
#   docs          what builds the site, into .venv
#   system        the programs of requirements/system.txt that are missing, with apt, as root
#   tell-system   only says which they are, what for, and how they come
#   emulator      the emulated Pico four times as fast, where there is a C compiler
set -eu
cd "$(dirname "$0")/.."
kind=$1
venv=.venv
list=requirements/system.txt
python=${PYTHON:-python3}

say() { printf '\033[1m%s\033[0m\n' "schiri set-up: $*"; }
fail() { printf '%s\n' "schiri set-up: $*" >&2; exit 1; }

# attempt "what is done" COMMAND …: nothing is printed if it works. Into memory: the disk may be full.
attempt() {
    what=$1
    shift
    if said=$(end_with_us "$@" 2>&1); then return 0; fi
    fail "$what failed: $(reason)"
}

# make gives SIGTERM to this script alone, which would leave pip at work beside the next try
end_with_us() {
    "$@" &
    started=$!
    (while kill -0 $$; do sleep 1; done; kill "$started") >/dev/null 2>&1 &
    watch=$!
    code=0
    wait "$started" || code=$?
    kill "$watch"
    return "$code"
}

reason() {
    case $said in
    *"No space left"* | *ENOSPC*)
        echo "the disk is full; make room and call make again." ;;
    *NewConnectionError* | *"name resolution"* | *"not resolve"* | *"timed out"* | *"is unreachable"* | *ProxyError* | \
        *EAI_AGAIN* | *ENOTFOUND* | *ECONNREFUSED* | *ECONNRESET* | *ETIMEDOUT* | *ENETUNREACH*)
        echo "there is no network, or the registry of packages does not answer; call make again when it does." ;;
    *"Read-only file system"* | *"Permission denied"* | *EACCES* | *EROFS*)
        echo "a folder cannot be written: $(last 'denied|Read-only|EACCES|EROFS')" ;;
    *)
        last 'ERROR|E:|ERR' ;;
    esac
}

# last PATTERN: the last line that has it, else the last one
last() { printf '%s\n' "$said" | grep -E "$1" | tail -n 1 | grep . || printf '%s\n' "$said" | tail -n 1; }

# -- programs of the system ---------------------------------------------------------------------------------

# is_here 'a|b': one of these programs or files
is_here() {
    for one in $(echo "$1" | tr '|' ' '); do
        if command -v "$one" >/dev/null 2>&1 || [ -e "$one" ]; then return 0; fi
    done
    return 1
}

# Packages, with the lowest version that will do, whose programs are not all here
missing() {
    sed 's/#.*//' "$list" | while read -r package version names; do
        for name in $names; do
            is_here "$name" || { echo "$package $version"; break; }
        done
    done
}

# The first number of the version that apt would install
major_of() { apt-cache policy "$1" | sed -n 's/^  Candidate: \([0-9]*:\)\{0,1\}\([0-9]*\).*/\2/p'; }

# Debian's backports of this release, from the archive that this machine uses already
add_backports() {
    if ! apt-get indextargets --format '$(CODENAME)' 'Created-By: Packages' | grep -qx "$VERSION_CODENAME-backports"; then
        archive=$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
            awk -v suite="$VERSION_CODENAME" '$1 == suite && $2 == "main" { print $3; exit }')
        keys=/usr/share/keyrings/debian-archive-keyring.gpg
        echo "deb [signed-by=$keys] $archive $VERSION_CODENAME-backports main" \
            >/etc/apt/sources.list.d/schiri-backports.list
        apt-get update -qq
    fi
}

install() { apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=900 "$@"; }

# What is missing, into `now`; what this release has too old a version of, into `newer`
sort_out() {
    now= newer=
    for line in $(missing | tr ' ' '='); do
        package=${line%=*}
        has=$(major_of "$package")
        if [ "${has:-0}" -lt "${line#*=}" ]; then
            newer="$newer $package"
        elif [ -n "$has" ]; then
            now="$now $package"
        fi
    done
    . /etc/os-release
    [ "$ID" = debian ] || newer=
}

# One at a time on this machine, so it asks anew what is missing
install_missing() {
    export DEBIAN_FRONTEND=noninteractive
    sort_out
    [ -z "$now" ] || install $now
    if [ -n "$newer" ]; then
        add_backports
        install -t "$VERSION_CODENAME-backports" $newer
    fi
}

# locked KIND: this script again, as root; the lock is on a folder that every machine with apt has
locked() { $as_root flock -w 1800 /var/lib/dpkg sh tools/setup.sh "$1"; }

# A line for each package that is missing, with what it is for
tell_missing() {
    missing | while read -r package _; do
        printf '  %-26s %s\n' "$package" "$(sed -n "s/^$package .*# *//p" "$list")"
    done
}

# rp2040py brings its C sources, and machine code that fits many Pythons: for this one it is much faster. Python
# takes a module by its own suffix first.
compile_emulator() {
    set -- $("$venv/bin/python" -c 'import os, sysconfig as s, rp2040py.native as native
print(os.path.dirname(native.__file__), s.get_config_var("EXT_SUFFIX"), s.get_path("include"))')
    for source in "$1"/*.c; do
        target=${source%.c}$2
        if [ "$target" -nt "$source" ]; then continue; fi
        say "compiling $(basename "$source") of the emulator"
        cc -O3 -std=c99 -fwrapv -DNDEBUG -fPIC -shared -w -I"$3" "$source" -o "$target.new" 2>/dev/null || return 1
        mv "$target.new" "$target"
    done
}

case $kind in
tell-system)
    said=$(tell_missing)
    [ -n "$said" ] || exit 0
    say "tests that need these packages of Debian are left out; sudo make system installs them:"
    echo "$said"
    exit 0 ;;
system)
    packages=$(missing | cut -d ' ' -f 1 | tr '\n' ' ')
    packages=${packages% }
    [ -n "$packages" ] || exit 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        as_root="sudo -n"
        sudo -n true 2>/dev/null || fail "only root may install $packages: sudo make system"
    fi
    command -v apt-get >/dev/null && command -v flock >/dev/null \
        || fail "there is no apt here; install by hand what these packages of Debian bring: $packages"
    say "installing with apt what the tests need:"
    tell_missing
    attempt "apt" locked update-lists
    sort_out
    [ -z "$newer" ] || say "this release has too old a version of${newer}: adding Debian's backports to apt's sources;" \
        "libraries of the system that they need newer are upgraded with them"
    attempt "apt" locked install-missing
    packages=$(missing | cut -d ' ' -f 1 | tr '\n' ' ')
    [ -z "$packages" ] || fail "apt has nothing, or nothing new enough, for ${packages% }."
    exit 0 ;;
update-lists)
    apt-get update -qq
    exit 0 ;;
install-missing)
    install_missing
    exit 0 ;;
emulator)
    compile_emulator || say "no C compiler, or no header files of Python: the emulated Pico takes four times as long."
    exit 0 ;;
esac

# -- .venv and node_modules ---------------------------------------------------------------------------------

command -v "$python" >/dev/null || fail "$python is not here; install Python 3.11 or newer."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || fail "$("$python" --version 2>&1) is too old; Schiri needs Python 3.11 or newer (make PYTHON=python3.12 …)."

# pip and npm keep what they fetch in HOME
if [ ! -w "${HOME:-/nowhere}" ]; then
    HOME=$(pwd -P)/$venv/home
    export HOME
fi

# What only developers need is compiled when it is first used: that halves this step
[ "$kind" = run ] && compile=--compile || compile=--no-compile
pip() { exec "$venv/bin/python" -m pip install -q --disable-pip-version-check $compile "$@"; }

if [ "$kind" = docs ]; then
    say "what builds the site, pinned and checked by hash"
    attempt "fetching Python packages" pip --require-hashes -r requirements/docs.lock
    touch "$venv/docs.stamp"
    exit 0
fi

# made by a Python that is gone, half made, or made for another folder: begin again
if ! grep -qs "$(pwd -P)/$venv/bin" "$venv/bin/pip" || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    [ ! -L "$venv" ] || fail "$venv is a link to another folder's: remove the link, and this folder gets its own."
    say "making the private environment $venv"
    "$python" -c 'import ensurepip, venv' 2>/dev/null \
        || fail "this Python cannot make environments; on Debian and Ubuntu: apt install python3-venv."
    attempt "making $venv" "$python" -m venv --clear "$venv"
fi
mkdir -p "$HOME" || fail "$HOME cannot be made."

say "Python packages ($kind), pinned and checked by hash"
attempt "fetching Python packages" pip --require-hashes -r "requirements/$kind.lock"
# Node runs the MicroPython VM. The machine's own is taken if it is new enough, else the one from PyPI.
if [ "$kind" = run ]; then
    if ! node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null || ! npm --version >/dev/null 2>&1; then
        say "Node, from its Python package (this machine has none)"
        attempt "fetching Node" pip --require-hashes -r requirements/node.lock
        PATH="$(pwd -P)/$venv/bin:$PATH"
        export PATH
    fi
    say "the MicroPython VM and browser assets, from package-lock.json"
    attempt "fetching with npm" npm ci --loglevel=error --no-audit --no-fund
fi
attempt "installing schiri" pip --no-deps --no-build-isolation -e .

# Types of the box's own modules, beside the packages: they replace the standard library's there
if [ "$kind" = dev ]; then
    attempt "fetching types" pip --no-deps --require-hashes --upgrade --target "$venv/typings" -r requirements/typings.lock
    for board in pico-w pico2 pico2-w; do
        attempt "fetching types" pip --no-deps --require-hashes --upgrade --target "$venv/typings-$board" \
            -r "requirements/typings-$board.lock"
    done
    touch "$venv/dev.stamp"
    exit 0
fi

touch "$venv/run.stamp"
