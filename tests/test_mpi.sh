#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs test_mpi as ranks of an MPI job, ends a rank in the middle of a call, and compares sumac-mpi with sumac.
#
#   test_mpi.sh MPIEXEC RANKS TEST-PROGRAM [SUMAC SUMAC-MPI]
set -euo pipefail
mpiexec=$1 ranks=$2 program=$3
# shellcheck disable=SC1091 # lies beside this script
. "$(dirname "$0")/support/mpi_environment.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "mpi with $ranks ranks: FAILED: $*" >&2
    exit 1
}

run() { # program argument...
    timeout 300 "$mpiexec" -n "$ranks" "$@" </dev/null
}

run "$program" "$folder" || fail "the tests end with $?"

status=0
timeout 60 "$mpiexec" -n "$ranks" "$program" --die </dev/null >died 2>&1 || status=$?
# 124 is the end of the time.
if [ $status -eq 0 ] || [ $status -eq 124 ] || grep -q 'has a result' died; then
    fail "a rank is killed, and the job ends with $status: $(cat died)"
fi

[ $# -eq 5 ] || exit 0
sumac=$4 over_ranks=$5
mapfile -t first < <("$sumac" info --json | sed -E 's/.*"curves": \[\{"name": "([^"]+)", "group": "([^"]+)".*/\1\n\2/')
curve=(--curve "${first[0]}" --group "${first[1]}")
"$sumac" generate "${curve[@]}" -n 1001 --out-bases bases --out-scalars scalars >/dev/null
result() { # command...
    "$@" --json --threads 1 --bases bases --scalars scalars "${curve[@]}" | grep -o '"results\{0,1\}": .*'
}
[ "$(result "$sumac" msm)" = "$(result run "$over_ranks" msm)" ] || fail "sumac-mpi has another sum"
[ "$(result run "$over_ranks" msm | wc -l)" = 1 ] || fail "not rank 0 alone prints"
sum=$(result "$sumac" msm)
"$sumac" convert "${curve[@]}" bases --precompute 3 --table bases.table >/dev/null
mv bases.table bases
[ "$sum" = "$(result run "$over_ranks" msm --table)" ] || fail "sumac-mpi has another sum of a table"
"$sumac" generate "${curve[@]}" -n 143 --out-bases bases >/dev/null
[ "$(result "$sumac" msm --batch 7)" = "$(result run "$over_ranks" msm --batch 7 --measure-shares)" ] ||
    fail "sumac-mpi has other sums of a batch"

refuse() { # sentence option...
    local sentence=$1 status=0
    shift
    run "$over_ranks" msm "${curve[@]}" --threads 1 "$@" >output 2>errors || status=$?
    [ $status -eq 2 ] || fail "msm $* ends with $status: $(cat errors)"
    if [ "$(grep -c '^sumac: ' errors)" != 1 ] || ! grep -qF "sumac: rank 0: $sentence" errors; then
        fail "msm $* says: $(cat errors)"
    fi
    ! grep -q '^result' output || fail "msm $* has a result"
}
refuse "none: cannot open" --bases none --scalars scalars
refuse "'--bogus' is no option of 'sumac-mpi msm'" --bogus
refuse "--shares has 7 numbers" --bases bases --scalars scalars --shares 1,1,1,1,1,1,1
echo "mpi with $ranks ranks: OK"
