#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The crates' tests with a library that is not installed; with 77 where there is no cargo, or one that is too old.
#
#   test.sh LIBRARY-FOLDER DATA-FOLDER TARGET-FOLDER [asan]
#
# asan: by the nightly compiler, whose address and leak sanitizers look at the unsafe parts.
set -euo pipefail
[ $# -eq 3 ] || [ "${4-}" = asan ] || { sed -n '/^# The/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")"
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
found=$(cargo --version 2>/dev/null | cut -d ' ' -f 2 || true)
if [ -z "$found" ] || [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
    echo "not tested: the crates need cargo $needed, and this machine has ${found:-none}"
    exit 77
fi
export SUMAC_LIB_DIR=$1 LD_LIBRARY_PATH=$1 SUMAC_TEST_DATA=$2 CARGO_TARGET_DIR=$3
# Panics that the tests want are not worth their stacks.
export RUST_BACKTRACE=0
# Where there is no library, one line says what to do about it.
if said=$(SUMAC_LIB_DIR=/no/such CARGO_TARGET_DIR=$3/without cargo build --offline --locked --package sumac-sys 2>&1) ||
    [ "$(grep -c 'install sumac, or set PKG_CONFIG_PATH' <<<"$said")" != 1 ]; then
    echo "without a library cargo says: $said"
    exit 1
fi
if [ "${4-}" = asan ]; then
    # With a target, so that build scripts are built without it. What a sum allocates and Rust frees is seen with the library's
    # own calls of malloc: it need not be a build for the sanitizer.
    # Tests ask for more memory than there is, which is an error to return.
    ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024 RUSTFLAGS=-Zsanitizer=address RUSTDOCFLAGS=-Zsanitizer=address cargo +nightly test --offline --locked --target "$(rustc -vV | sed -n 's/^host: //p')"
else
    cargo test --offline --locked
fi
