#!/bin/sh
# Sets up what is missing: setup.sh [SIMULATOR...] [synth]
# The Python environment from requirements.txt, and the programs that simulators and synthesis need, from apt
# where that is allowed. Says in one line what else must be installed by hand.
# PYTHON=... is the Python that makes the environment: python3, or the one that made the present environment.
set -eu
cd "$(dirname "$0")/.."
# Packages there would count as installed.
unset PYTHONPATH PYTHONHOME

case " $* " in
    *" verilator "*)
        case "$(pwd -P)" in
            *[[:space:]\"\'\#\$:\;\\]*)
                echo "setup: $(pwd -P): make cannot build Verilator's code below a folder with such a name (a space or one of \"'#\$:;\\); move the checkout, or use SIM=icarus" >&2
                exit 1
                ;;
        esac
        ;;
esac

# Two first runs at a time would make it over each other.
mkdir -p build
if command -v flock > /dev/null; then
    exec 9> build/setup.lock
    flock -n 9 || { echo "setup: waits for another set-up in this folder" >&2; flock 9; }
fi

# The folder and the Python that an environment is of. One that was copied along with its checkout would run
# the original's golden model, one whose Python was replaced has no packages.
identity() {
    echo "$(pwd -P) $("$1" -c 'import sys; print(sys.base_prefix, *sys.version_info[:3])' 2> /dev/null)"
}

if [ "$(cat .venv/ready 2> /dev/null)" != "$(identity "${PYTHON:-.venv/bin/python}")" ]; then
    python="${PYTHON:-python3}"
    command -v "$python" > /dev/null \
        || { echo "setup: $python not found; Python 3.10 or newer is needed" >&2; exit 1; }
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
        echo "setup: $("$python" --version) is too old; Python 3.10 or newer is needed: make PYTHON=python3.11 setup" >&2
        exit 1
    }
    [ ! -e .venv ] || echo "setup: .venv is not finished, or of another folder or Python; it is made anew" >&2
    # Not its --clear: .venv may be a link.
    rm -rf .venv
    "$python" -m venv .venv
fi
if [ ! -e .venv/ready ] || [ requirements.txt -nt .venv/ready ] || [ pyproject.toml -nt .venv/ready ]; then
    echo "setting up .venv from requirements.txt"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
    # With the benches' library, and relative, so that a copy of the checkout finds its own.
    for link in .venv/lib/python*/site-packages/__editable__.qlc-*.pth; do
        [ ! -e "$link" ] || printf '../../../../%s\n' model tb > "$link"
    done
    identity .venv/bin/python > .venv/ready
fi

missing=""
for simulator in "$@"; do
    case "$simulator" in
        icarus) programs="iverilog" ;;
        verilator) programs="g++ make perl ccache" ;;
        synth) programs="sta" ;;
        *) echo "no such simulator: $simulator (verilator or icarus)" >&2; exit 2 ;;
    esac
    for program in $programs; do
        command -v "$program" > /dev/null || missing="$missing $program"
    done
done
[ -n "$missing" ] || exit 0
# The package of sta has another name.
missing=$(echo "$missing" | sed 's/\<sta\>/opensta/')

if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "installing$missing from apt"
    # The package lists of a fresh machine are empty.
    # shellcheck disable=SC2086
    { apt-get install -y -q $missing || { apt-get update -q && apt-get install -y -q $missing; }; } \
        > build/setup.log 2>&1 && exit 0
fi
echo "not installed:$missing. Install with: sudo apt-get install$missing. What needs them is skipped; without ccache, builds take longer." >&2
