#!/usr/bin/env bash
# Build the library for aarch64 with Debian's cross compiler and run the examples on it under qemu's user emulation: plain C
# on another processor. Two curves, about a minute. Needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static.
#
#   aarch64.sh [BUILD-FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-aarch64}

cmake -S . -B "$build" --fresh -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DSUMAC_PROGRAM=OFF -DSUMAC_TESTS=OFF \
    "-DSUMAC_CURVES=bls12_381_g1;bn254_g1" >/dev/null
cmake --build "$build" --parallel "$(nproc)" --target sumac_static

expect() { # example, what it must print
    local output
    aarch64-linux-gnu-gcc -std=c11 -O2 -Iinclude "examples/$1.c" "$build/libsumac.a" -fopenmp -lm -static -o "$build/$1" \
        2>/dev/null
    output=$(cd "$build" && qemu-aarch64-static "./$1")
    if ! grep -qE "$2" <<<"$output"; then
        echo "aarch64: $1: FAILED: $output"
        exit 1
    fi
    echo "aarch64: $1: OK"
}

# As in examples/CMakeLists.txt: a sum that is known, and the same sums on other ways.
expect msm '3G \+ 4G has x = \.\.\.fcb7'
expect split '3 processes: the same sum'
expect table '8 multiples of 1000 bases, [0-9]+ bytes: the same sum'
