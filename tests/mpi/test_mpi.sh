#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs test_mpi as ranks of an MPI job, ends a rank in the middle of a call, and compares sumac-mpi with sumac.
#
#   test_mpi.sh MPIEXEC RANKS TEST-PROGRAM [SUMAC SUMAC-MPI]
set -euo pipefail
mpiexec=$1 ranks=$2 program=$3
# shellcheck disable=SC1091 # lies in a folder beside this one
. "$(dirname "$0")/../support/mpi_environment.sh"
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
# Status 124 means that the time was over before the job had ended.
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
"$sumac" convert "${curve[@]}" bases --precompute 3 --to table bases.table >/dev/null
mv bases.table bases
[ "$sum" = "$(result run "$over_ranks" msm --format table)" ] || fail "sumac-mpi has another sum of a table"
[ "$sum" = "$(result run "$over_ranks" msm --format table --weights "1..$ranks")" ] ||
    fail "sumac-mpi has another sum with the weights 1 to $ranks"
"$sumac" generate "${curve[@]}" -n 143 --out-bases bases >/dev/null
[ "$(result "$sumac" msm --batch 7)" = "$(result run "$over_ranks" msm --batch 7 --weights measure)" ] ||
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
# Run ranks whose arguments differ. `:` separates the arguments of the last rank from those of the others.
differ() { # sentence, option of the last rank alone...
    local sentence=$1 status=0
    shift
    "${job[@]}" "${same[@]}" : -n 1 "${same[@]}" "$@" </dev/null >output 2>errors || status=$?
    if [ $status -ne 2 ] || [ "$(grep -c '^sumac: ' errors)" != 1 ] ||
        ! grep -qF "sumac: rank $((ranks - 1)): another $sentence" errors || [ -s output ]; then
        fail "$* on the last rank ends with $status and says: $(cat output errors)"
    fi
}
if [ "$ranks" -gt 1 ]; then
    job=(timeout 60 "$mpiexec" -n $((ranks - 1)))
    same=("$over_ranks" msm "${curve[@]}" --threads 1 --bases bases --scalars scalars --batch 7)
    differ "command than rank 0's: msm, check curve, outside the subgroup" --outside-subgroup
    differ "command than rank 0's: msm, check none" --validate none
    differ "call's sizes than rank 0's" --scalar-bits 200
    differ "format of bases than rank 0's: raw" --format raw
    cp scalars other
    byte=$(head -c 10001 scalars | tail -c 1 | od -An -tu1)
    printf %b "\\x$(printf %02x $((byte ^ 1)))" | dd of=other bs=1 seek=10000 conv=notrunc status=none
    all=("${same[@]}")
    same=("${all[@]/#scalars/other}")
    # The last rank reads another file of scalars, and its other arguments are the same.
    status=0
    "${job[@]}" "${all[@]}" : -n 1 "${same[@]}" </dev/null >output 2>errors || status=$?
    if [ $status -ne 2 ] || ! grep -qF "another file of scalars than rank 0's: other has as many bytes with the checksum" errors; then
        fail "another file of scalars ends with $status and says: $(cat output errors)"
    fi
    cp scalars other
    "${job[@]}" "${all[@]}" : -n 1 "${same[@]}" </dev/null >output || fail "equal copies are refused"
    "$sumac" msm "${all[@]:2}" | grep '^result' | cmp - <(grep '^result' output) || fail "another sum of equal copies"
fi

refuse "none: cannot open" --bases none --scalars scalars
refuse "'--bogus' is no option of 'sumac-mpi msm'" --bogus
refuse "--weights has 7 numbers" --bases bases --scalars scalars --weights 1,1,1,1,1,1,1
refuse "--weights has 4 numbers" --bases bases --scalars scalars --weights 1..4 # a range counts
refuse "--weights takes numbers from 0 to 4294967295, as 1,1,4 or 1..4" --bases bases --scalars scalars --weights 4..1
echo "mpi with $ranks ranks: OK"
