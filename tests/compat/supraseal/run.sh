#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs bellperson's own tests, unchanged and with its feature cuda-supraseal, over the crate in compat/supraseal. Then it
# runs check.rs, which compares proofs with those of bellperson's prover for CPUs. The crates come from crates.io.
#
# If the fourth argument is `memory`, the script makes 10,000 calls and checks that memory does not grow. If it is `times`,
# times.rs measures proofs of a larger circuit. If it is `data`, the script writes the files of test_supraseal.c to the folder that
# SUPRASEAL_DATA names.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo cc readelf
# bellperson names a toolchain, which need not be installed. The machine's own one is used.
if command -v rustup >/dev/null; then
    RUSTUP_TOOLCHAIN=$(cd / && rustup show active-toolchain | cut -d ' ' -f 1)
    export RUSTUP_TOOLCHAIN
fi

fetch_crate bellperson 0.27.0
# The crates make one workspace, in which bellperson's Cargo.lock still decides on versions.
rm -rf "$work/bellperson" "$work/check"
mkdir -p "$work/check/src"
cp -r "$crate" "$work/bellperson"
# Benchmarks are not run, and criterion takes long to compile.
sed -i '/^\[dev-dependencies.criterion\]$/,/^$/d' "$work/bellperson/Cargo.toml"
rm -rf "$work/bellperson"/{rust-toolchain.toml,Cargo.toml.orig,benches}
[ -e "$work/Cargo.lock" ] || mv "$work/bellperson/Cargo.lock" "$work"
rm -f "$work/bellperson/Cargo.lock"
cat >"$work/Cargo.toml" <<TOML
[workspace]
members = ["bellperson", "check"]
resolver = "2"
[patch.crates-io]
supraseal-c2 = { path = "$root/compat/supraseal" }
[profile.release]
debug = false
opt-level = 2
TOML
cat >"$work/check/Cargo.toml" <<TOML
[package]
name = "check"
version = "0.0.0"
edition = "2021"
[dependencies]
# The two copies have different features.
native = { package = "bellperson", version = "=0.27.0" }
patched = { package = "bellperson", path = "../bellperson", features = ["cuda-supraseal"] }
supraseal-c2 = "0.1.2"
bellpepper-core = "0.2"
blstrs = "0.7"
ff = { version = "0.13", features = ["alloc"] }
group = "0.13"
log = "0.4"
rand = "0.8"
rand_chacha = "0.3"
rayon = "1"
sumac = { path = "$root/bindings/rust/sumac", default-features = false }
tempfile = "3"
TOML
ln -sf "$here/check.rs" "$work/check/src/lib.rs"
ln -sf "$here/times.rs" "$work/check/src/main.rs"

export SUMAC_LIB_DIR=$libraries LD_LIBRARY_PATH=$libraries CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0
# Lints only warn, because newer compilers have more of them.
export RUSTFLAGS='--cap-lints warn'
cd "$work"
fetch "$work/cargo.log" cargo fetch

if [ "${4-}" = times ]; then
    exec cargo run --release --quiet --offline --manifest-path check/Cargo.toml
fi
build_tests cargo test --release --offline --manifest-path check/Cargo.toml --lib
checks=${tests[0]}
expect_needs "$checks" libsumac
case ${4-} in
memory) exec "$checks" --ignored --nocapture memory_is_flat ;;
data) exec "$checks" --ignored write_data ;;
esac
"$checks"
echo "check.rs: OK"
cargo test --release --offline --manifest-path bellperson/Cargo.toml --features cuda-supraseal \
    --test mimc --test minroot --test groth16_aggregation
echo "bellperson's mimc, minroot and groth16_aggregation: OK"
