#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build the library for `go build -tags sumac_static`: static/libsumac.a and its headers, which a program then has inside and
# a copy of the module can bring along. CURVES chooses them, as for make; all are the default.
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
