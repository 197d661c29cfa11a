#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the unchanged tests of sppark's examples poc/msm-cuda and poc/ntt-cuda with compat/sppark/sppark.c in place of
# their `.cu` files, and test_sppark.c, for each curve that the library has. The examples compare with arkworks.
#
# They come from sppark's repository, or from the copy in SPPARK_CHECKOUT. A fourth argument names the features that are tested,
# as `bn254 pallas`.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need ar cargo cc

features=${4-bls12_381 bls12_377 bn254 pallas vesta}
fetch_checkout sppark main https://github.com/supranational/sppark "${SPPARK_CHECKOUT-}"
mkdir -p "$work/lib"
# The examples' build scripts ask for nvcc. This one makes empty objects, so that the linker takes the functions from our library.
cat >"$work/nvcc" <<'END'
#!/bin/sh
for argument; do
    case $argument in
    --version) echo 'Cuda compilation tools, release 13.0, V13.0.0' && exit ;;
    --dryrun) exit ;;
    -E) exec cc "$@" ;;
    esac
    [ "${last-}" != -o ] || output=$argument
    last=$argument
done
case ${output-} in
*cuda_available) echo 'int main(void) { return 0; }' | cc -x c - -o "$output" ;;
?*) cc -x c -c /dev/null -o "$output" ;;
esac
END
chmod +x "$work/nvcc"
rm -f "$work/lib/libcudart_static.a"
ar rc "$work/lib/libcudart_static.a"
# The tests transform up to 2^19 elements with debug assertions, and up to 2^23 without.
export NVCC=$work/nvcc LD_LIBRARY_PATH=$libraries:$work/lib CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0
export RUSTFLAGS="--cap-lints warn -C debug-assertions=on -L $work/lib -C link-arg=-L$work/lib -C link-arg=-lsppark_poc -C link-arg=-Wl,-rpath-link,$libraries"

run() { # example feature
    local example=$checkout/poc/$1
    (cd "$example" && fetch "$work/cargo.log" cargo fetch)
    cargo test --release --manifest-path "$example/Cargo.toml" --features "$2" --tests >"$work/test.log" 2>&1 || {
        tail -n 40 "$work/test.log" >&2
        exit 1
    }
    echo "$1 $2: $(grep -c '^test .* ok$' "$work/test.log") tests: OK"
}

for feature in $features; do
    compile=(-std=c11 -O2 -Wall -Wextra -Werror "-DFEATURE_${feature^^}" -I "$root/include" -I "$root/compat/sppark")
    cc "${compile[@]}" -shared -fPIC "$root/compat/sppark/sppark.c" -o "$work/lib/libsppark_poc.so" -L "$libraries" -lsumac
    cc "${compile[@]}" "$here/test_sppark.c" -o "$work/test_sppark" -L "$work/lib" -lsppark_poc -L "$libraries" -lsumac -lpthread
    "$work/test_sppark"
    case $feature in
    pallas | vesta) ;; # msm-cuda does not have these curves
    *) run msm-cuda "$feature" ;;
    esac
    run ntt-cuda "$feature"
done
