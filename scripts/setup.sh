#!/bin/sh
# Sets up what is missing: setup.sh [SIMULATOR...] [synth]
# The Python environment from requirements.txt, and the programs that simulators and synthesis need, from apt
# where that is allowed. Says in one line what else must be installed by hand.
set -eu
cd "$(dirname "$0")/.."

if [ ! -e .venv/ready ] || [ requirements.txt -nt .venv/ready ] || [ pyproject.toml -nt .venv/ready ]; then
    echo "setting up .venv from requirements.txt"
    ${PYTHON:-python3} -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
    touch .venv/ready
fi

mkdir -p build
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
