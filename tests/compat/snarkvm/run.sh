#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the tests of compat/snarkvm, and the unchanged tests of snarkvm-algorithms with its feature `cuda` over it, on
# the CPU, or on a GPU if there is one and its engine lies in LIBRARY-FOLDER. The crates come from crates.io, in the versions of
# snarkvm-algorithms' Cargo.lock. If the fourth argument is `times`, the script times sums, transforms and products instead.
# Five tests download parameters of Aleo, and are left out unless SNARKVM_PARAMETERS is set.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo cc readelf

rust=$root/compat/snarkvm
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$rust/Cargo.toml")
found=$(cargo --version | cut -d ' ' -f 2)
[ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" = "$needed" ] || skip "snarkVM needs cargo $needed, and this machine has $found"

export CARGO_TARGET_DIR=$work/target LD_LIBRARY_PATH=$libraries SUMAC_LIB_DIR=$libraries RUST_BACKTRACE=0
# The crates are checked, and not debugged, so that they are optimized little and in many pieces.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
fetch_crate snarkvm-algorithms 4.12.0
if [ "${4-}" = times ]; then
    rm -rf "$work/times"
    cp -r "$here/times" "$work"
    cp "$crate/Cargo.lock" "$work/times"
    cd "$work/times"
    sed -i "s|path = .*compat/snarkvm\"|path = \"$rust\"|" Cargo.toml
    cargo run --quiet --release
    exit
fi
cd "$rust"
fetch "$work/cargo.log" cargo fetch --locked
cargo test --release --locked --no-default-features
echo "compat/snarkvm: OK"

# The tests of the published crate, with ours in place of snarkvm-algorithms-cuda.
rm -rf "$work/snarkvm-algorithms"
cp -r "$crate" "$work/snarkvm-algorithms"
cd "$work/snarkvm-algorithms"
printf '\n[patch.crates-io]\nsnarkvm-algorithms-cuda = { path = "%s" }\n' "$rust" >>Cargo.toml
fetch "$work/cargo.log" cargo fetch
build_tests cargo test --release --lib --features cuda
expect_needs "${tests[0]}" libsumac
cc -O2 -shared -fPIC -I "$root/include" "$here/../count.c" -o "$work/count.so"
# These tests download parameters of Aleo.
skipped=()
for name in a_key_keeps_its_snapshot_across_a_growth trim_shares_the_snapshot_left_after_its_own_downloads test_srs_downloads \
    check_indexing prove_and_verify_with_large_matrix; do
    skipped+=(--skip "$name")
done
[ -z "${SNARKVM_PARAMETERS-}" ] || skipped=()
LD_PRELOAD=$work/count.so "${tests[0]}" "${skipped[@]}" >"$work/test.log" 2>&1 || {
    tail -n 60 "$work/test.log" >&2
    exit 1
}
# snarkVM computes sums of up to 1024 products itself, so that few of the tests' sums are the library's.
for least in 6:sumac_msm 1000:sumac_vector_ntt; do
    calls=$(sed -n "s/^calls of ${least#*:}: //p" "$work/test.log")
    [ "$calls" -ge "${least%:*}" ] || {
        echo "the tests called ${least#*:} $calls times, and not ${least%:*}" >&2
        exit 1
    }
    echo "calls of ${least#*:}: $calls"
done
echo "snarkvm-algorithms: $(sed -n 's/^test result: ok\. \(.*\); finished.*/\1/p' "$work/test.log"): OK"
