#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The tests of the crate c-kzg, and revm's of the precompile that calls it, as they are, with libsumac_ckzg in place of c-kzg's
# C sources: a table in Cargo's configuration says what its build script would.
#
#   run.sh LIBRARY-FOLDER TEST-DATA WORK [times]
#
# The crates come from crates.io, with the Cargo.lock that each brings; the vectors, which the crate leaves out, from TEST-DATA. With
# `times` times.rs runs over both. The exit status is 77, with a sentence, where cargo or the network is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/compat/common.sh
. "$here/../common.sh"
libraries=$(cd "$1" && pwd)
data=$(cd "$2" && pwd)
work=$(folder "$3")
need cargo rustc readelf

export CARGO_TARGET_DIR=$work/target LD_LIBRARY_PATH=$libraries
cat >"$work/ckzg.toml" <<TOML
[target.$(rustc -vV | sed -n 's/^host: //p').ckzg]
rustc-link-lib = ["sumac_ckzg"]
rustc-link-search = ["$libraries"]
TOML

# What `cargo test` with these arguments runs, which has to need our library.
run_tests() { # cargo arguments... -- arguments of the tests...
    local build=() test
    while [ "$1" != -- ]; do
        build+=("$1")
        shift
    done
    shift
    cargo --config "$work/ckzg.toml" test --release --locked --no-run "${build[@]}" 2>&1 | tee "$work/cargo.log" |
        sed -n 's/.*Executable unittests.*(\(.*\))/\1/p' >"$work/test" || {
        tail -n 20 "$work/cargo.log" >&2
        exit 1
    }
    test=$(cat "$work/test")
    expect_needs "$test" libsumac_ckzg
    "$test" "$@"
}

fetch_crate "$work" c-kzg 2.1.8
cd "$crate"
ln -sfn "$data/tests" tests
ln -sfn crates/c-kzg/src "$work/src"
run_tests --features serde --
echo "c-kzg: OK"

fetch_crate "$work" revm-precompile 43.0.3
cd "$crate"
run_tests --lib -- kzg
echo "revm-precompile: OK"
[ "${4-}" = times ] || exit 0

mkdir -p "$work/times/src"
cp "$here/times.rs" "$work/times/src/main.rs"
printf '[package]\nname = "times"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nc-kzg = "=2.1.8"\n' >"$work/times/Cargo.toml"
cd "$work/times"
echo "theirs:"
cargo run --quiet --release
echo "ours:"
cargo --config "$work/ckzg.toml" run --quiet --release
