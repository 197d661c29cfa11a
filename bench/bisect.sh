#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Find the commit that made an MSM slower, with `git bisect run`. Build the commit that is checked out with one curve, and
# compare the least time of `sumac bench --json` with a limit.
#
#   bisect.sh LIMIT-MS CURVE GROUP SIZE BACKEND [OPTION OF sumac bench]...
#
#   cp bench/bisect.sh /tmp && git bisect start SLOW FAST && git bisect run /tmp/bisect.sh 2.1 bn254 g1 2^10 cpu --threads 1
#
# Choose a limit halfway between the times of the two commits. Run a copy, because a checkout changes the script itself. If the
# time is within the limit, the exit status is 0. If it is above, the status is 1. If the commit does not build, or its result
# is wrong or missing, the status is 125, and git skips the commit. If the arguments are wrong, the status is 128, which ends
# the search.
#
# BUILD is the build folder (build-bisect). RUNS is the number of timed calls (15), and TURNS the number of processes (3). The
# fastest call counts.
set -uo pipefail

if [ $# -lt 5 ] || ! [[ $1 =~ ^[0-9]+(\.[0-9]+)?$ ]]; then
    sed -n '/^# Find/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 128
fi
limit=$1 curve=$2 group=$3 size=$4 backend=$5
shift 5
build=${BUILD:-build-bisect}

skip() {
    echo "bisect: $1: this commit is skipped" >&2
    exit 125
}

cuda=OFF
[ "$backend" = cuda ] && cuda=ON
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
mkdir -p "$build"
{
    cmake -S . -B "$build" "-DSUMAC_CURVES=$curve-$group" "-DSUMAC_CUDA=$cuda" -DSUMAC_TESTS=OFF "${launcher[@]}" &&
        cmake --build "$build" --parallel "$(nproc)" --target sumac_program sumac_engines
} >"$build/bisect.log" 2>&1 || skip "it does not build ($build/bisect.log)"

names=(--curve -n)
if "$build/sumac" bench --help | grep -q -e --sizes; then
    names=(--curves --sizes) # the options' names before November 26, 2026
fi
files=()
for ((turn = 0; turn < ${TURNS:-3}; turn++)); do
    files+=("$build/bisect-$turn.json")
    "$build/sumac" bench "${names[0]}" "$curve" --group "$group" "${names[1]}" "$size" --backend "$backend" --runs "${RUNS:-15}" "$@" \
        --json "${files[turn]}" >"$build/bisect.log" 2>&1 || skip "sumac bench failed ($build/bisect.log)"
done

least=$(python3 - "${files[@]}" <<'END'
import json, sys
rows = [json.load(open(name, encoding="utf-8"))["rows"][0] for name in sys.argv[1:]]
if not all(row["verified"] for row in rows):
    sys.exit("the result is wrong")
print(min(row["min_ms"] for row in rows))
END
) || skip "its result file is no use"
echo "bisect: $(git log -1 --format='%h %s'): $least ms, limit $limit ms"
python3 -c 'import sys; sys.exit(float(sys.argv[1]) > float(sys.argv[2]))' "$least" "$limit"
