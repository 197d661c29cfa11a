#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build the library with musl, Alpine's C library, and run examples with it. Its threads have 128 KiB of stack. Debian's musl
# lacks the kernel's headers, so they are copied. The library is compiled with -Og, because only the C library differs from that
# of other builds.
#
#   check-musl.sh BUILD-DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?"usage: check-musl.sh BUILD-DIRECTORY"}
mkdir -p "$build"
build=$(cd "$build" && pwd)
generator=()
if command -v ninja >/dev/null; then
    generator=(-G Ninja)
fi

machine=$(gcc -print-multiarch)
mkdir -p "$build/include"
cp -rL /usr/include/{linux,asm-generic} "/usr/include/$machine/asm" "$build/include/"

cmake -S . -B "$build" "${generator[@]}" -DCMAKE_C_COMPILER=musl-gcc -DSUMAC_WERROR=ON -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF \
    -DSUMAC_TESTS=OFF -DSUMAC_PROGRAM=OFF -DSUMAC_NAMED_PLANS=OFF -DSUMAC_CURVES=bls12-381,bn254 -DSUMAC_AVX512=OFF \
    "-DCMAKE_C_FLAGS=-isystem $build/include" -DCMAKE_C_FLAGS_RELEASE=-Og >/dev/null
cmake --build "$build" --parallel "$(nproc)" --target sumac_shared sumac_static

expect() { # example, what it prints, arguments
    local example=$1 expected=$2 output
    shift 2
    musl-gcc -Iinclude "examples/$example.c" "$build/libsumac.a" -o "$build/example-$example" 2>"$build/log" ||
        { cat "$build/log" >&2; exit 1; }
    output=$("$build/example-$example" "$@")
    grep -q "$expected" <<<"$output" || { echo "musl: $example: FAILED: $output" >&2; exit 1; }
    echo "musl: $example: OK"
}
cmake -E chdir "$build" cmake -E tar xf "$PWD/data/kzg-demo.tar.xz" kzg/trusted_setup.txt
expect msm '^3G + 4G has x = '
expect ntt 'its commitment is right'
expect pairing 'the first product is one, the second is not one'
expect streams '3 of 3 commitments are right'
expect kzg 'recovered cells are the same' "$build/kzg/trusted_setup.txt"
