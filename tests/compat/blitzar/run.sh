#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the tests of compat/blitzar, and the unchanged tests of blitzar 5.0.1 over it. If the fourth argument is `all`, it
# also runs those of nova-snark 0.76.0 with the feature blitzar, and of proof-of-sql 0.131.2, whose names have `provider::` and
# `commitment`, because these compute sums. nova-snark takes 12 minutes of processor time to compile, and proof-of-sql longer. The
# crates come from crates.io, in the versions of their Cargo.lock, where compat/blitzar replaces blitzar-sys.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need cargo python3 readelf

export SUMAC_LIB_DIR=$libraries LD_LIBRARY_PATH=$libraries CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0
# The crates take longer to compile than to run.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1
# blitzar names a version of the compiler, which need not be installed.
command -v rustup >/dev/null && export RUSTUP_TOOLCHAIN="${RUSTUP_TOOLCHAIN-$(rustup show active-toolchain | cut -d ' ' -f 1)}"
patch="patch.crates-io.blitzar-sys.path=\"$root/compat/blitzar\""

(
    cd "$root/compat/blitzar"
    fetch "$work/cargo.log" cargo fetch
    cargo test --release --offline --no-default-features
)
echo "compat/blitzar: OK"

# Run the unit tests of a crate whose names contain one of the `filters`, or all of them, over compat/blitzar.
filters=()
run_suite() { # name version cargo-arguments...
    local unused
    fetch_crate "$1" "$2"
    cd "$crate"
    # Only benchmarks and examples use these crates, which take long to compile.
    for unused in criterion pprof2 reqwest; do
        sed -i "/^\[dev-dependencies\.$unused\]$/,/^$/d; /^flamegraph = /,/^\]/d" Cargo.toml
    done
    fetch "$work/cargo.log" cargo update --offline --package blitzar-sys --config "$patch"
    build_tests cargo test --release --offline --lib --config "$patch" "${@:3}"
    expect_needs "${tests[0]}" libsumac
    "${tests[0]}" "${filters[@]}" >"$work/$1.log" 2>&1 || {
        tail -n 40 "$work/$1.log" >&2
        exit 1
    }
    echo "$1 $2: $(sed -n 's/^test result: ok\. \([0-9]* passed\).*/\1/p' "$work/$1.log"): OK"
}

run_suite blitzar 5.0.1 --features cpu,arkworks
[ "${4-}" = all ] || exit 0
export BLITZAR_BACKEND=cpu
filters=(provider::)
run_suite nova-snark 0.76.0 --features blitzar
filters=(commitment)
run_suite proof-of-sql 0.131.2 --no-default-features --features blitzar,rayon,test,hyperkzg_proof
