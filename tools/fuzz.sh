#!/usr/bin/env bash
# Run every fuzz target for a while, from the seeds in fuzz/corpus, as many at a time as there are processors.
#
#   fuzz.sh BUILD-DIRECTORY [SECONDS]
#
# What is found goes to BUILD-DIRECTORY/fuzz/found and is printed; the exit status is then 1.
set -euo pipefail
build=$(cd "$1" && pwd)
seconds=${2:-60}
cd "$(dirname "$0")/.."

found=$build/fuzz/found
mkdir -p "$found"

run_target() { # name
    # The first directory gets what is new; the seeds stay as they are.
    mkdir -p "$build/fuzz/corpus/$1"
    if "$build/fuzz/fuzz_$1" "$build/fuzz/corpus/$1" "fuzz/corpus/$1" -max_total_time="$seconds" -max_len=8192 \
        -rss_limit_mb=3000 -timeout=25 -artifact_prefix="$found/$1-" >"$found/$1.log" 2>&1; then
        echo "fuzz_$1: $(tail -n 1 "$found/$1.log")"
    else
        echo "fuzz_$1: FOUND SOMETHING"
        tail -n 40 "$found/$1.log"
        return 1
    fi
}

export build seconds found
export -f run_target
# shellcheck disable=SC2016 # the shell that runs the target expands it
basename -a fuzz/corpus/*/ | xargs -P "$(nproc)" -I {} bash -c 'run_target "$1"' run_target {} || exit 1
