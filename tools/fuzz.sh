#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Run the fuzz targets from the seeds in fuzz/corpus. One target runs on each processor at a time.
#
#   fuzz.sh BUILD [SECONDS]               run each target for SECONDS (60)
#   fuzz.sh --long SECONDS BUILD [OTHER]  run all targets together for SECONDS on all processors, and also the program
#                                         random_calls of the build OTHER, which is faster and has all curves and variants
#   fuzz.sh --long SECONDS - OTHER        run only random_calls, on all processors; this does not need clang
#
# BUILD has the preset fuzz or a similar one. A line is printed for each target, and --long ends with a line of totals. Findings
# are printed and kept in BUILD/fuzz/found (OTHER/found), and the exit status is then 1.
#
#   FUZZ_JOBS         the number of targets that run at once (default: the number of processors)
#   RANDOM_ARGUMENTS  more options for random_calls, such as "--backend cuda"
set -euo pipefail

usage() {
    sed -n '3,15s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

long=0
if [ "${1-}" = --long ]; then
    long=${2:-0}
    shift 2 || usage
fi
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    usage
fi
jobs=${FUZZ_JOBS:-$(nproc)}
build='' other='' seconds=60
if [ "$1" != - ]; then
    build=$(cd "$1" && pwd)
fi
if [ "$long" -gt 0 ]; then
    other=${2:+$(cd "$2" && pwd)}
else
    seconds=${2:-60}
fi
if [ -z "$build$other" ]; then
    usage
fi
read -r -a random_arguments <<<"${RANDOM_ARGUMENTS:-}"
cd "$(dirname "$0")/.."

targets=()
found=$other/found
if [ -n "$build" ]; then
    found=$build/fuzz/found
    for seeds in fuzz/corpus/*/; do
        targets+=("$(basename "$seeds")")
    done
fi
mkdir -p "$found"
lines=$found/lines
: >"$lines"

# random_calls runs at least twice, with failures and without, and often enough that no processor is idle at the end.
random_runs=0
if [ -n "$other" ]; then
    random_runs=2
    while (((${#targets[@]} + random_runs) % jobs != 0)); do
        random_runs=$((random_runs + 1))
    done
fi
if [ "$long" -gt 0 ]; then
    rounds=$(((${#targets[@]} + random_runs + jobs - 1) / jobs))
    seconds=$((long / rounds))
fi

# Print a number that a target has written to its log.
statistic() { # log name
    sed -n "s/^stat::$2: *//p" "$1" | tail -n 1
}

run_target() { # name
    local log=$found/$1.log coverage status=0 word=''
    # libFuzzer writes new inputs to the first directory, and leaves the seeds unchanged.
    mkdir -p "$build/fuzz/corpus/$1"
    "$build/fuzz/fuzz_$1" "$build/fuzz/corpus/$1" "fuzz/corpus/$1" -max_total_time="$seconds" -max_len=8192 \
        -rss_limit_mb=3000 -malloc_limit_mb=1500 -timeout=60 -print_final_stats=1 -artifact_prefix="$found/$1-" \
        >"$log" 2>&1 || status=1
    if [ "$status" -ne 0 ]; then
        word=', FOUND SOMETHING'
    fi
    coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 || true)
    printf 'fuzz_%-9s %9s executions, %5s new units, %s%s\n' "$1" "$(statistic "$log" number_of_executed_units)" \
        "$(statistic "$log" new_units_added)" "${coverage:-cov: 0}" "$word" | tee -a "$lines"
    if [ "$status" -ne 0 ]; then
        # Print the finding, its location, and the input.
        grep -m 1 -A 4 -E '^(fuzz: |==[0-9]+==ERROR: Addr|==[0-9]+==ERROR: Leak|.*runtime error)' "$log" || true
        grep -E '^ *#[0-9]+ .*\.[ch]:[0-9]+|Test unit written' "$log" | cut -c 1-150 | head -n 12 || true
    fi
    return "$status"
}

run_random() { # number [option]
    local log=$found/random_calls-$1.log status=0
    "$other/tests/random_calls" --seed "$((RANDOM * 32768 + RANDOM))" --seconds "$seconds" "${@:2}" \
        "${random_arguments[@]}" >"$log" 2>&1 || status=1
    if [ "$status" -ne 0 ]; then
        head -n 40 "$log"
    fi
    tail -n 1 "$log" | tee -a "$lines"
    return "$status"
}

status=0
running=0
wait_until_fewer_run() { # than
    while [ "$running" -ge "$1" ]; do
        wait -n || status=1
        running=$((running - 1))
    done
    running=$((running + 1))
}

for target in "${targets[@]}"; do
    wait_until_fewer_run "$jobs"
    run_target "$target" &
done
for ((i = 0; i < random_runs; i++)); do
    wait_until_fewer_run "$jobs"
    if ((i % 2 == 1)); then
        run_random "$i" --failures &
    else
        run_random "$i" &
    fi
done
wait_until_fewer_run 1

if [ "$long" -gt 0 ]; then
    awk -v seconds="$seconds" '
        /^fuzz_/ { executions += $2 }
        /^random_calls: / {
            for (i = 2; i <= NF; i++) {
                if ($i == "cases") cases += $(i - 1)
                else if ($i == "calls,") calls += $(i - 1)
                else if ($i == "results") results += $(i - 1)
                else if ($i == "findings;" || $i == "findings,") findings += $(i - 1)
                else if ($i == "allocations") allocations += $(i - 1)
                else if ($i ~ /^[0-9]+:[0-9]+$/) { split($i, pair, ":"); statuses[pair[1] + 0] += pair[2] }
            }
        }
        END {
            printf "together, %d s each: %d executions; %d cases, %d calls, %d results right, %d findings, ", \
                seconds, executions, cases, calls, results, findings
            printf "%d allocations failed; statuses", allocations
            for (s = 0; s < 64; s++) if (s in statuses) printf " %d:%d", s, statuses[s]
            printf "\n"
        }' "$lines"
fi
exit "$status"
