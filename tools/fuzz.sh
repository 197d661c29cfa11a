#!/usr/bin/env bash
# Run every fuzz target for a while, from the seeds in fuzz/corpus.
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
status=0
for seeds in fuzz/corpus/*/; do
    target=$(basename "$seeds")
    # The first directory gets what is new; the seeds stay as they are.
    mkdir -p "$build/fuzz/corpus/$target"
    if "$build/fuzz/fuzz_$target" "$build/fuzz/corpus/$target" "$seeds" -max_total_time="$seconds" -max_len=8192 \
        -rss_limit_mb=3000 -timeout=25 -artifact_prefix="$found/$target-" >"$found/$target.log" 2>&1; then
        echo "fuzz_$target: $(tail -n 1 "$found/$target.log")"
    else
        echo "fuzz_$target: FOUND SOMETHING"
        tail -n 40 "$found/$target.log"
        status=1
    fi
done
exit $status
