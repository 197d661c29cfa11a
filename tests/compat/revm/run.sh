#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the tests of the crate sumac-revm with go-ethereum's vectors of the precompiles, and the unchanged tests of
# revm-precompile with SumacCrypto instead of the crate's default. Crates come from crates.io, in the versions of
# revm-precompile's Cargo.lock. The vectors come from GETH_CHECKOUT or Go's proxy. If there are further arguments `times
# [THREADS]`, the script runs the crate's benches.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo readelf

rust=$root/bindings/rust
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$rust/sumac-revm/Cargo.toml")
found=$(cargo --version | cut -d ' ' -f 2)
[ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" = "$needed" ] || skip "revm needs cargo $needed, and this machine has $found"

geth=${GETH_CHECKOUT-}
if [ -z "$geth" ]; then
    need go
    fetch "$work/go.log" go mod download -json github.com/ethereum/go-ethereum@v1.16.7
    geth=$(sed -n 's/^\t"Dir": "\(.*\)".*/\1/p' "$work/go.log")
fi
fetch_crate revm-precompile 43.0.3

export CARGO_TARGET_DIR=$work/target LD_LIBRARY_PATH=$libraries SUMAC_LIB_DIR=$libraries
export SUMAC_TEST_DATA=$data SUMAC_REVM_VECTORS=$geth/core/vm/testdata/precompiles

# The tests run in a copy, because cargo updates its Cargo.lock.
rm -rf "$work/rust"
mkdir "$work/rust"
cp -r "$rust"/{Cargo.toml,Cargo.lock,fuzz,sumac,sumac-sys,sumac-revm} "$work/rust"
python3 -B "$here/../../../tools/gen_bindings.py" rust "$work/rust/sumac-sys/generated"
cp "$crate/Cargo.lock" "$work/rust/sumac-revm"
cd "$work/rust/sumac-revm"
fetch "$work/cargo.log" cargo fetch
cargo test --release --offline
echo "sumac-revm: OK"

# revm's trait belongs to its crate, so that our crate is compiled into that crate as a module.
rm -rf "$work/revm"
cp -r "$crate" "$work/revm"
cd "$work/revm"
sed '/^#\[cfg(test)\]/,/^mod tests;/d' "$rust/sumac-revm/src/lib.rs" >src/sumac_revm.rs
mkdir src/sumac_revm
cp "$rust/sumac-revm/src/calls.rs" src/sumac_revm
cp "$rust/sumac-revm/README.md" .
printf '\nextern crate self as revm_precompile;\nmod sumac_revm;\n' >>src/lib.rs
sed -i 's/get_or_init(|| Box::new(DefaultCrypto))/get_or_init(|| Box::new(crate::sumac_revm::SumacCrypto::new(1, 2).unwrap()))/' src/interface.rs
grep -q SumacCrypto src/interface.rs
printf '\n[dependencies.sumac]\npath = "%s/rust/sumac"\n' "$work" >>Cargo.toml
build_tests cargo test --release --offline --lib
expect_needs "${tests[0]}" libsumac
"${tests[0]}"
echo "revm-precompile: OK"
[ "${4-}" = times ] || exit 0

cd "$work/rust/sumac-revm"
cargo bench --quiet --offline --bench times -- "${5-1}"
