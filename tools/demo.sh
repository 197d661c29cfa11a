#!/usr/bin/env bash
# What sumac does, on real input: commit to an Ethereum blob with the points of the real ceremony, compare with the
# consensus specification's test vector, then time and verify a sum of 2^16 points.
#
#   demo.sh [BUILD-DIRECTORY]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}

mkdir -p "$build/demo"
data=$build/demo/kzg
cmake -E chdir "$build/demo" cmake -E tar xf "$PWD/tests/data/kzg-demo.tar.xz"
expected=$(cat "$data/commitment.txt")

# The GPU, where there is one: with its engine, or with nvcc to build the engine for this one curve.
sees_gpu() { "$build/sumac" info --json | grep -q '"cuda"'; }
engine=$build/demo/engine
if ! sees_gpu && [ -e /dev/nvidiactl ] && PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null; then
    echo "There is a GPU: building the CUDA engine for BLS12-381 (a minute)."
    cmake -S . -B "$engine" -DSUMAC_CUDA=ON -DSUMAC_CUDA_ARCHITECTURES=native -DSUMAC_CURVES=bls12_381_g1 -DSUMAC_TESTS=OFF \
        >"$engine.log" 2>&1 && cmake --build "$engine" --target sumac_cuda >>"$engine.log" 2>&1 || echo "   failed: see $engine.log"
    export LD_LIBRARY_PATH=$PWD/$engine${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
echo
if sees_gpu; then
    echo "All of this runs on the GPU (backend cuda)."
else
    echo "All of this runs on the CPU: no GPU with the CUDA engine was found."
fi
echo
echo "1. A KZG commitment to an Ethereum blob (EIP-4844): 4096 points of BLS12-381 from the ceremony of 2023,"
echo "   each checked to lie in the subgroup."
commitment=$("$build/sumac" kzg commit --setup "$data/trusted_setup.txt" --check subgroup "$data/blob.bin")
echo "   sumac      $commitment"
echo "   consensus  $expected   (blob_to_kzg_commitment_case_valid_blob_4)"
if [ "${commitment#0x}" != "${expected#0x}" ]; then
    echo "   These differ: this build of sumac is wrong." >&2
    exit 1
fi
echo "   OK: they are the same."
echo
echo "2. A sum of 2^16 points, timed and verified from their discrete logarithms."
"$build/sumac" bench --curves bls12-381 --sizes 2^16 --runs 3 | sed 's/^/   /'
echo "   OK: verified."
