#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The crates' tests with a library that is not installed; with 77 where there is no cargo, or one that is too old.
#
#   test.sh LIBRARY-FOLDER DATA-FOLDER TARGET-FOLDER
set -euo pipefail
[ $# -eq 3 ] || { sed -n '/^# The/,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")"
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
found=$(cargo --version 2>/dev/null | cut -d ' ' -f 2 || true)
if [ -z "$found" ] || [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
    echo "not tested: the crates need cargo $needed, and this machine has ${found:-none}"
    exit 77
fi
export SUMAC_LIB_DIR=$1 LD_LIBRARY_PATH=$1 SUMAC_TEST_DATA=$2 CARGO_TARGET_DIR=$3
# Panics that the tests want are not worth their stacks.
RUST_BACKTRACE=0 cargo test --offline --locked
