#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build static/libsumac.a and its headers for `go build -tags sumac_static`, which links the library into the program; a copy of
# the module can contain them. CURVES chooses the curves, as for make; the default is all.
#
#   [CURVES=bn254,bls12-381] make-static.sh
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cmake -S ../.. -B "$build" -DCMAKE_BUILD_TYPE=Release -DSUMAC_CUDA=OFF -DSUMAC_TESTS=OFF -DSUMAC_CURVES="${CURVES:-all}" >/dev/null
cmake --build "$build" --target sumac_static -j "$(nproc)"
rm -rf static
mkdir -p static/include/sumac
cp "$build/libsumac.a" static/
cp ../../include/sumac/*.h static/include/sumac/
