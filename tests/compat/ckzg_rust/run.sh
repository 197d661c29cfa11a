#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the unchanged tests of the crate c-kzg, and revm's tests of the precompile that calls it, on libsumac_ckzg
# instead of c-kzg's C sources. A table in Cargo's configuration replaces the build script. The crates come from crates.io, each
# with its Cargo.lock. The vectors, which the crate leaves out, come from TEST-DATA.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo rustc readelf

export CARGO_TARGET_DIR=$work/target LD_LIBRARY_PATH=$libraries
cat >"$work/ckzg.toml" <<TOML
[target.$(rustc -vV | sed -n 's/^host: //p').ckzg]
rustc-link-lib = ["sumac_ckzg"]
rustc-link-search = ["$libraries"]
TOML

# Run the tests of a crate, and check that their program links our library.
run_tests() { # cargo argument, a filter of the tests
    build_tests cargo --config "$work/ckzg.toml" test --release --locked "$1"
    expect_needs "${tests[0]}" libsumac_ckzg
    "${tests[0]}" ${2:+"$2"}
}

fetch_crate c-kzg 2.1.8
cd "$crate"
ln -sfn "$data/tests" tests
ln -sfn crates/c-kzg/src "$work/src"
run_tests --features=serde
echo "c-kzg: OK"

fetch_crate revm-precompile 43.0.3
cd "$crate"
run_tests --lib kzg
echo "revm-precompile: OK"
