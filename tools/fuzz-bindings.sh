#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Random calls of Rust's safe layer, or of Go's module, with a library that gcc's address sanitizer looks into: what it writes
# past the memory that the binding gave it ends the run. The bindings' own tests make 1500 calls of each without it.
#
#   fuzz-bindings.sh rust|go LIBRARY-FOLDER [CALLS [SEED]]
#
# LIBRARY-FOLDER is a build with -DSUMAC_SANITIZE=address (ninja sumac_shared), best of few curves: bn254_g1, bn254_g2,
# bls12_381_g1, bls12_381_g2, tiny_11_g1. CALLS (100000) are made in processes of 10000, with seeds from SEED (1) on. A line
# for each process says what it did; the first that fails ends the script, its seed repeats it.
set -euo pipefail
if [ $# -lt 2 ] || [ $# -gt 4 ]; then
    sed -n '3,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
language=$1 library=$(cd "$2" && pwd) calls=${3:-100000} seed=${4:-1}
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar --extract --file tests/data/groth16.tar.xz --directory "$folder"
export LD_LIBRARY_PATH=$library SUMAC_TEST_DATA=$folder
# Asking for more memory than there is ends in an error of the call. What tests leave behind is not looked for.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=64
case $language in
rust)
    (cd bindings/rust && SUMAC_LIB_DIR=$library CARGO_TARGET_DIR=$folder LD_LIBRARY_PATH='' ASAN_OPTIONS='' \
        cargo rustc --offline --locked --quiet -p sumac-fuzz --test fuzz)
    program=("$(find "$folder/debug/deps" -name 'fuzz-*' -executable -type f)" --nocapture)
    preload=$(gcc -print-file-name=libasan.so)
    ;;
go)
    printf 'Name: sumac\nDescription: a build\nVersion: 0.1.0\nCflags: -I%s/include\nLibs: -L%s -lsumac\n' "$PWD" "$library" \
        >"$folder/sumac.pc"
    (cd bindings/go && PKG_CONFIG_PATH=$folder GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local go test -c -asan -o "$folder/fuzz" .)
    program=("$folder/fuzz" -test.run TestFuzz -test.v -test.timeout 5h)
    preload=''
    cd bindings/go # its test reads the package's source
    ;;
*)
    echo "no such language: $language" >&2
    exit 2
    ;;
esac
for ((; calls > 0; calls -= 10000, seed++)); do
    number=$((calls < 10000 ? calls : 10000))
    if ! LD_PRELOAD=$preload SUMAC_FUZZ_CALLS=$number SUMAC_FUZZ_SEED=$seed "${program[@]}" >"$folder/log" 2>&1; then
        grep -v 'failed to allocate' "$folder/log" | tail -n 60
        echo "$language, seed $seed: FAILED"
        exit 1
    fi
    echo "$language, seed $seed: $(grep -o '[0-9]* calls of .*' "$folder/log" | cut -c 1-120)"
done
