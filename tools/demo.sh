#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Show sumac's work on real input. Commit to an Ethereum blob with the points of the real ceremony, and compare the result with
# the consensus specification's test vector. Extend the blob to cells, verify their proofs, and recover the blob from half of
# the cells. Then time and verify a sum of 2^16 points.
#
#   demo.sh [BUILD-DIRECTORY]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

mkdir -p "$build/demo"
data=$build/demo/kzg
cmake -E chdir "$build/demo" cmake -E tar xf "$PWD/data/kzg-demo.tar.xz"
expected=$(cat "$data/commitment.txt")

echo
if "$build/sumac" info --json | grep -q '"cuda"'; then
    echo "All of this runs on the GPU (backend cuda)."
else
    echo "All of this runs on the CPU: no GPU was found, or the CUDA engine is not built (make CUDA=1 builds it)."
fi
echo
echo "1. A KZG commitment to an Ethereum blob (EIP-4844): 4096 points of BLS12-381 from the ceremony of 2023,"
echo "   each checked to lie in the subgroup."
commitment=$("$build/sumac" kzg commit --validate subgroup "$data/blob.bin")
echo "   sumac      $commitment"
echo "   consensus  $expected   (blob_to_kzg_commitment_case_valid_blob_4)"
if [ "${commitment#0x}" != "${expected#0x}" ]; then
    echo "   These differ: this build of sumac is wrong." >&2
    exit 1
fi
echo "   OK: they are the same."
echo
echo "2. Its 128 cells and their proofs (EIP-7594), and the blob again from half of them."
"$build/sumac" kzg cells "$data/blob.bin" "$build/demo/cells" "$build/demo/proofs" >/dev/null
"$build/sumac" kzg verify --commitment "$commitment" "$build/demo/cells" "$build/demo/proofs" |
    sed 's/^/   /'
tail -c 131072 "$build/demo/cells" >"$build/demo/half"
"$build/sumac" kzg recover --cells 64..127 "$build/demo/half" "$build/demo/recovered" >/dev/null
if ! cmp -s "$build/demo/cells" "$build/demo/recovered" || ! cmp -s -n 131072 "$build/demo/cells" "$data/blob.bin"; then
    echo "   The cells that were recovered are others: this build of sumac is wrong." >&2
    exit 1
fi
echo "   OK: the second half of the cells gives the blob."
echo
echo "3. A sum of 2^16 points, timed and verified from their discrete logarithms."
"$build/sumac" bench --curve bls12-381 -n 2^16 --runs 3 | sed 's/^/   /'
echo "   OK: verified."
