#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The crates' tests run with a library that is not installed. If cargo is missing or too old, the exit status is 77.
#
#   test.sh LIBRARY-FOLDER DATA-FOLDER TARGET-FOLDER [asan]
#
# With asan, the nightly compiler is used, whose address and leak sanitizers check the unsafe parts.
set -euo pipefail
[ $# -eq 3 ] || [ "${4-}" = asan ] || { sed -n '/^# The/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")"
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
found=$(cargo --version 2>/dev/null | cut -d ' ' -f 2 || true)
if [ -z "$found" ] || [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
    echo "not tested: the crates need cargo $needed, and this machine has ${found:-none}"
    exit 77
fi
# The feature `vendored` needs a crate, and is not tested here.
cargo fetch --quiet --locked || { echo "not tested: cargo has no crates, and there is no network"; exit 77; }
export SUMAC_LIB_DIR=$1 LD_LIBRARY_PATH=$1 SUMAC_TEST_DATA=$2 CARGO_TARGET_DIR=$3
# Tests panic on purpose, so backtraces would only be noise.
export RUST_BACKTRACE=0
# Without a library, the build must fail with one line that says what to do.
if said=$(SUMAC_LIB_DIR=/no/such CARGO_TARGET_DIR=$3/without cargo build --offline --locked --package sumac-sys 2>&1) ||
    [ "$(grep -c 'install sumac, or set PKG_CONFIG_PATH' <<<"$said")" != 1 ]; then
    echo "without a library cargo says: $said"
    exit 1
fi
if [ "${4-}" = asan ]; then
    # A target is named, so that build scripts are built without the sanitizer. The sanitizer also sees the library's calls of
    # malloc, even if the library is not built for it. Tests ask for more memory than there is. Then malloc must return null.
    ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024 RUSTFLAGS=-Zsanitizer=address RUSTDOCFLAGS=-Zsanitizer=address cargo +nightly test --offline --locked --target "$(rustc -vV | sed -n 's/^host: //p')"
else
    cargo test --offline --locked
fi
