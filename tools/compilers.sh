#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build a few curves with the oldest and the newest installed gcc and clang, with warnings as errors, and run the quick tests of
# the code with each. tools/install-deps.sh ci installs the compilers of the archive. The compilers `cc` and `clang` are
# skipped, because everything else in CI is built with one of them.
#
#   compilers.sh [COMPILER...]
set -euo pipefail
cd "$(dirname "$0")/.."

edges() { # gcc|clang
    compgen -c "$1-" | grep -xE "$1-[0-9]+" | sort -uV | sed -n '1p;$p' | uniq
}

if [ $# -eq 0 ]; then
    mapfile -t compilers < <(edges gcc; edges clang)
    set -- "${compilers[@]}"
fi
generator=()
if command -v ninja >/dev/null; then
    generator=(-G Ninja)
fi

for compiler; do
    path=$(command -v "$compiler")
    for usual in cc clang; do
        if [ "$(readlink -f "$path")" = "$(readlink -f "$(command -v $usual)")" ]; then
            echo "$compiler: is $usual"
            continue 2
        fi
    done
    build=build-$compiler
    # These curves use the code of both groups, and fields with and without a spare bit.
    cmake -S . -B "$build" --fresh "${generator[@]}" "-DCMAKE_C_COMPILER=$path" -DSUMAC_WERROR=ON -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF \
        -DSUMAC_QUICK_TESTS=ON "-DSUMAC_CURVES=bn254_g2;secp256k1_g1"
    cmake --build "$build" --parallel "$(nproc)"
    ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure --label-regex '^code$' \
        --exclude-regex '^formats$' # this test needs other curves
    rm -rf "$build"
    echo "$compiler: OK"
done
