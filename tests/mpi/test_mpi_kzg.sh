#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script compares `sumac-mpi kzg` over 1 to 4 ranks with `sumac kzg` blob by blob. The bytes must be the same, and all
# ranks must fail in the same way.
#
#   test_mpi_kzg.sh MPIEXEC SUMAC SUMAC-MPI DATA-DIRECTORY
set -euo pipefail
mpiexec=$1 sumac=$2 over_ranks=$3 data=$4/kzg
# shellcheck disable=SC1091 # lies in a folder beside this one
. "$(dirname "$0")/../support/mpi_environment.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "kzg over ranks: FAILED: $*" >&2
    exit 1
}

over() { # ranks argument...: runs `sumac-mpi kzg` over so many ranks
    local ranks=$1
    shift
    timeout 300 "$mpiexec" -n "$ranks" "$over_ranks" kzg "$@" </dev/null
}

# The 3 blobs are the real one and its rotations by 7 and by 14 elements. In `bad` the last one has an element that is too
# large.
blobs=3 blob_bytes=131072
"$sumac" kzg setup --setup "$data/trusted_setup.txt" setup >/dev/null
for ((i = 0; i < blobs; i++)); do
    { tail -c +$((224 * i + 1)) "$data/blob.bin" && head -c $((224 * i)) "$data/blob.bin"; } >"blob$i"
    "$sumac" kzg cells --setup setup "blob$i" cells.one proofs.one >/dev/null
    cat "blob$i" >>blobs
    cat cells.one >>cells
    cat proofs.one >>proofs
    head -c 196608 cells.one | tail -c 131072 >>known # cells 32 to 95
done
"$sumac" kzg commit --setup setup --json blob[0-9] >commitments.json
cp blobs bad
printf '\377' | dd of=bad bs=1 seek=$(((blobs - 1) * blob_bytes + 64)) conv=notrunc status=none

same() { # ranks command argument...: checks that the files are the same as those of one process
    rm -f got.cells got.proofs
    over "$@" got.cells got.proofs >said || fail "$* ends with $?"
    cmp cells got.cells || fail "$*: other cells"
    cmp proofs got.proofs || fail "$*: other proofs"
    [ "$(cat said)" = "got.cells: $((128 * blobs)) cells"$'\n'"got.proofs: $((128 * blobs)) proofs" ] ||
        fail "$* says: $(cat said)"
}
ordinary=(--setup setup --threads 1)
same 1 cells "${ordinary[@]}" blobs
same 2 cells "${ordinary[@]}" --weights 1,5 --devices local blobs
same 3 cells "${ordinary[@]}" --weights measure blobs
same 4 cells "${ordinary[@]}" --weights 0,3,0,1 blobs # there are fewer blobs than ranks
same 2 recover --cells 32..95 --setup setup --threads 2 --backend cpu --devices 0,0 known
over 2 cells "${ordinary[@]}" blobs - >got.cells 2>errors || fail "cells to standard output: $(cat errors)"
cmp cells got.cells || fail "other cells on standard output"
over 3 commit "${ordinary[@]}" --weights 0,1,1 --json blobs | cmp - commitments.json || fail "other commitments"

# A blob whose bytes are all digits is read as binary. Two of them together could be the text of one blob.
head -c 131072 /dev/zero | tr '\0' 1 >ones
cat blob0 ones >mixed
for ranks in 1 2; do
    over $ranks commit "${ordinary[@]}" mixed >said || fail "$ranks ranks: blobs of digits are refused"
    "$sumac" kzg commit --setup setup mixed | cmp - said || fail "$ranks ranks: other commitments to blobs of digits"
done

refuse() { # sentence command...: checks that one sentence is printed, and that no file is written or changed
    local sentence=$1 status=0
    shift
    rm -f got.*
    echo old >got.proofs
    timeout 60 "$mpiexec" "$@" </dev/null >said 2>errors || status=$?
    [ $status -eq 2 ] || fail "$* ends with $status: $(cat errors)"
    if [ "$(grep -c '^sumac: ' errors)" != 1 ] || ! grep -qF "sumac: $sentence" errors; then
        fail "$* says: $(cat errors)"
    fi
    [ "$(echo got.* .[a-zA-Z]*)$(cat got.proofs)" = "got.proofs .[a-zA-Z]*old" ] || fail "$* leaves: $(ls -A)"
    [ ! -s said ] || fail "$* prints: $(cat said)"
}
cells=("$over_ranks" kzg cells --threads 1)
refuse "rank 2: bad: blob 2: element 2, at byte 262208 of the file, is not less than r" \
    -n 3 "${cells[@]}" --setup setup bad got.cells got.proofs
cp cells wrong # one byte of the second blob's cell 9 is changed
printf 'X' | dd of=wrong bs=1 seek=$(((128 + 9) * 2048)) conv=notrunc status=none
refuse "rank 1: wrong: blob 1: cell 9 does not fit the others" -n 3 "$over_ranks" kzg recover --threads 1 \
    --cells 0..127 --setup setup wrong got.cells got.proofs
head -c 262144 /dev/zero | tr '\0' 3 >text
refuse "rank 0: text is hexadecimal text; over ranks blobs are read in binary" \
    -n 2 "${cells[@]}" --setup setup text got.cells
refuse "rank 1: another command than rank 0's: one with --weights measure, not one without" \
    -n 1 "${cells[@]}" --setup setup blobs got.cells : -n 1 "${cells[@]}" --setup setup --weights measure blobs got.cells
refuse "rank 0: some ranks are asked for help or the version, and others for work" \
    -n 1 "${cells[@]}" --setup setup blobs got.cells : -n 1 "${cells[@]}" --help
refuse "rank 2: another setup than rank 0's: " \
    -n 2 "${cells[@]}" --setup setup blobs got.cells : -n 1 "${cells[@]}" --setup "$data/trusted_setup.txt" blobs got.cells
refuse "rank 1: another command than rank 0's: kzg cells, check none, not kzg cells with proofs" \
    -n 1 "${cells[@]}" --setup setup blobs got.cells got.proofs : -n 2 "${cells[@]}" --setup setup blobs got.cells
# The lists are longer than what the message shows of them, and differ only at the end.
list=$(for ((i = 0; i < 63; i++)); do printf '%06d..%06d,' $i $i; done)
recover=("$over_ranks" kzg recover --threads 1 --setup setup)
refuse "rank 1: another --cells than rank 0's: 000000..000000,000001.." \
    -n 1 "${recover[@]}" --cells "${list}101" known got.cells : -n 1 "${recover[@]}" --cells "${list}102" known got.cells
refuse "rank 0: standard input cannot be read over ranks" -n 2 "${cells[@]}" --setup setup - got.cells
refuse "rank 0: none/got.cells: cannot write: No such file or directory" \
    -n 2 "${cells[@]}" --setup setup blobs none/got.cells
refuse "rank 0: --devices takes all, local, or numbers from 0 to 1023, as 0,1, at most 16 of them, not 'remote'" \
    -n 2 "${cells[@]}" --devices remote --setup setup blobs got.cells
echo "kzg over ranks: OK"
