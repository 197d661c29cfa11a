#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make random calls of a binding (fuzz_calls.py) with a library that gcc's address sanitizer checks. If the library writes past
# the memory that the binding gave to it, the run ends. Without the sanitizer, each binding's own tests make 1500 calls.
#
#   fuzz-bindings.sh python|rust|go|node LIBRARY-FOLDER [CALLS [SEED]]
#
# LIBRARY-FOLDER is a build with -DSUMAC_SANITIZE=address (ninja sumac_shared), preferably of few curves: bn254_g1, bn254_g2,
# bls12_381_g1, bls12_381_g2. CALLS (100000) are made in processes of 10000 calls, with seeds from SEED (1) on. A line is
# printed for each process. If a process fails, the script ends, and the process's seed repeats the failure.
set -euo pipefail
if [ $# -lt 2 ] || [ $# -gt 4 ]; then
    sed -n '3,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
language=$1 library=$(cd "$2" && pwd) calls=${3:-100000} seed=${4:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
data=$folder/data
mkdir "$data"
for archive in "$root"/tests/data/{vectors,groth16,gnark,consensus-vectors}.tar.xz "$root/data/kzg-demo.tar.xz"; do
    tar --extract --file "$archive" --directory "$data"
done
preload=$(gcc -print-file-name=libasan.so)
# Each command makes the calls that NUMBER and SEED determine. Only its process has the sanitizer.
case $language in
python)
    python=$(for one in python3 /usr/bin/python3; do "$one" -c 'import cffi, numpy' 2>/dev/null && echo "$one" && break; done)
    program=("$python" -B "$root/bindings/python/tests/fuzz.py" "$data" NUMBER SEED)
    export PYTHONMALLOC=malloc
    ;;
rust)
    cargo fetch --quiet --locked --manifest-path "$root/bindings/rust/Cargo.toml"
    (cd "$root/bindings/rust" && SUMAC_LIB_DIR=$library CARGO_TARGET_DIR=$folder \
        cargo rustc --offline --locked --quiet -p sumac-fuzz --test fuzz)
    program=("$(find "$folder/debug/deps" -name 'fuzz-*' -executable -type f)" --nocapture)
    ;;
go)
    printf 'Name: sumac\nDescription: a build\nVersion: 0.9.0\nCflags: -I%s/include\nLibs: -L%s -lsumac\n' "$root" "$library" \
        >"$folder/sumac.pc"
    cd "$root/bindings/go" # the test calls the generator by a path relative to this folder
    PKG_CONFIG_PATH=$folder GOFLAGS="-mod=mod -tags=sumac_system" GOPROXY=off GOTOOLCHAIN=local go test -c -asan -o "$folder/fuzz" .
    program=("$folder/fuzz" -test.run TestFuzz -test.v -test.timeout 5h)
    preload=''
    ;;
node)
    package=$folder/node_modules/sumac-msm
    mkdir -p "$package"
    cp -r "$root"/bindings/node/{package.json,index.js,index.d.ts,native.js,Makefile,find-library.sh,src} "$package"
    python3 -B "$root/tools/gen_bindings.py" node "$package"
    # common.sh runs in a separate shell, because it sets variables that this script uses.
    # shellcheck disable=SC2016
    headers=$(bash -c '. "$1" "${@:2}" && find_node_headers >&2 && echo "$headers"' sh \
        "$root/tests/compat/common.sh" "$library" "$data" "$folder")
    make -s -C "$package" CFLAGS='-O1 -g -fsanitize=address' NODE_HEADERS="${headers:?}" SUMAC_CFLAGS="-I$root/include" \
        SUMAC_LIBS="-L$library -lsumac"
    export NODE_PATH=$folder/node_modules
    program=(node --expose-gc "$root/bindings/node/test/fuzz.js" "$folder/calls")
    ;;
*)
    echo "no such language: $language" >&2
    exit 2
    ;;
esac
for ((; calls > 0; calls -= 10000, seed++)); do
    number=$((calls < 10000 ? calls : 10000))
    [ "$language" != node ] || python3 -B "$root/tools/fuzz_calls.py" node "$data" "$folder/calls" "$number" "$seed"
    command=("${program[@]/#NUMBER/$number}")
    # If a call asks for more memory than there is, the allocator returns null, and the call must return an error. The sanitizer
    # does not look for memory leaks of the tests.
    if ! env LD_PRELOAD="$preload" LD_LIBRARY_PATH="$library" SUMAC_TEST_DATA="$data" SUMAC_FUZZ_CALLS=$number SUMAC_FUZZ_SEED="$seed" \
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024 "${command[@]/#SEED/$seed}" >"$folder/log" 2>&1; then
        grep -v 'failed to allocate' "$folder/log" | tail -n 60
        echo "$language, seed $seed: FAILED"
        exit 1
    fi
    echo "$language, seed $seed: $(grep -o '[0-9]* calls of .*' "$folder/log" | cut -c 1-160)"
done
