#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build the library, the program and the tests of the library's code for aarch64 with Debian's cross compiler. Then run the
# tests of the assembly, and of the plain C for other processors, under qemu's user emulation. With four curves and groups this
# takes about three minutes.
#
# This needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static (tools/install-deps.sh aarch64). The tests'
# libraries for arm64 are unpacked from Debian's archive into the build folder, and the system does not change.
#
#   aarch64.sh [BUILD-FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-aarch64}
mkdir -p "$build"
build=$(cd "$build" && pwd)
system=$build/system

libraries() {
    local packages=$build/packages
    mkdir -p "$packages/lists/partial" "$packages/cache/archives/partial" "$system"
    local options=(-oAPT::Architecture=arm64 -oAPT::Architectures=arm64 "-oDir::State::Lists=$packages/lists"
        "-oDir::Cache=$packages/cache" -oDebug::NoLocking=1 -oAPT::Sandbox::User=root -qq)
    apt-get "${options[@]}" update
    (
        cd "$packages"
        apt-get "${options[@]}" download libcmocka-dev libcmocka0 libgmp-dev libgmp10 libjansson-dev libjansson4 \
            libyaml-dev libyaml-0-2 libssl-dev libssl3
        local package
        for package in *.deb; do
            dpkg -x "$package" "$system"
        done
    )
    rm -rf "$packages"
}

[ -e "$system/usr/include/cmocka.h" ] || libraries || {
    echo "aarch64: the tests' libraries could not be fetched from Debian's archive" >&2
    exit 3
}

# The C library comes from the cross compiler, and the others were unpacked above.
emulator="qemu-aarch64-static;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=$system/usr/lib/aarch64-linux-gnu"
cmake -S . -B "$build" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
    "-DCMAKE_FIND_ROOT_PATH=$system" -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
    "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator" -DCMAKE_C_FLAGS="-isystem $system/usr/include -isystem $system/usr/include/aarch64-linux-gnu" \
    -DSUMAC_QUICK_TESTS=ON -DSUMAC_WERROR=ON "-DSUMAC_CURVES=bls12_381_g1;bls12_381_g2;bn254_g1;tiny_11_g1" >/dev/null
cmake --build "$build" --parallel "$(nproc)" --target sumac_code_tests sumac_program sumac_compat
# One test of the field in plain C is enough. The test over Fp2 would take minutes, and is left out.
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure --label-regex '^code$' \
    --exclude-regex '^field[.]bls12_381_g2[.]plain'
