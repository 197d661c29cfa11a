#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Build the library with musl, as Alpine has it, whose threads have 128 KiB of stack, and run examples with it. Debian's musl
# is without the kernel's headers, which are copied, and without libcrypto: one for musl comes with a wheel of PyPI. Exit
# status 3: that wheel could not be fetched.
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

# Of the versions for musl the last whose libcrypto a linker of Debian 12's musl can load.
wheel='psycopg2-binary==2.9.9 --hash=sha256:78151aa3ec21dccd5cdef6c74c3e73386dcdfaf19bced944169697d7ac7482fc'
crypto() {
    compgen -G "$build/wheel/psycopg2_binary.libs/libcrypto-*"
}
crypto >/dev/null || python3 -m pip --disable-pip-version-check install --quiet --no-deps --no-compile --only-binary :all: \
    --platform musllinux_1_1_x86_64 --python-version 3.11 --implementation cp --target "$build/wheel" --require-hashes \
    --requirement <(echo "$wheel") </dev/null || exit 3

machine=$(gcc -print-multiarch)
mkdir -p "$build/include"
cp -rL /usr/include/{openssl,linux,asm-generic} "/usr/include/$machine"/{openssl,asm} "$build/include/"

cmake -S . -B "$build" "${generator[@]}" -DCMAKE_C_COMPILER=musl-gcc -DSUMAC_WERROR=ON -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF \
    -DSUMAC_TESTS=OFF -DSUMAC_PROGRAM=OFF -DSUMAC_NAMED_PLANS=OFF -DSUMAC_CURVES=bls12-381,bn254 -DSUMAC_AVX512=OFF \
    "-DOPENSSL_INCLUDE_DIR=$build/include" "-DOPENSSL_CRYPTO_LIBRARY=$(crypto)" >/dev/null
cmake --build "$build" --parallel "$(nproc)" --target sumac_shared sumac_static

expect() { # example, what it prints, arguments
    local example=$1 expected=$2 output
    shift 2
    musl-gcc -Iinclude "examples/$example.c" "$build/libsumac.a" "$(crypto)" -Wl,--allow-shlib-undefined \
        "-Wl,-rpath,$build/wheel/psycopg2_binary.libs" -o "$build/example-$example" 2>"$build/log" || { cat "$build/log" >&2; exit 1; }
    output=$("$build/example-$example" "$@")
    grep -q "$expected" <<<"$output" || { echo "musl: $example: FAILED: $output" >&2; exit 1; }
    echo "musl: $example: OK"
}
cmake -E chdir "$build" cmake -E tar xf "$PWD/data/kzg-demo.tar.xz" kzg/trusted_setup.txt
expect msm '^3G + 4G has x = '
expect ntt 'its commitment is right'
expect pairing 'the first product is one, the second is not one'
expect streams '3 of 3 runs are right'
expect kzg 'recovered cells are the same' "$build/kzg/trusted_setup.txt"
