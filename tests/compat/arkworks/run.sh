#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The crate sumac-ark against arkworks' own sums.
#
#   run.sh LIBRARY-FOLDER WORK [times]
#
# The crates come from crates.io. With `times` benches/times.rs of sumac-ark runs. The exit status is 77, with a sentence, where
# cargo or the network is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/compat/common.sh
. "$here/../common.sh"
root=$(cd "$here/../../.." && pwd)
libraries=$(cd "$1" && pwd)
work=$(folder "$2")
need cargo

export SUMAC_LIB_DIR=$libraries LD_LIBRARY_PATH=$libraries CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0
cd "$root/bindings/rust/sumac-ark"
fetch "$work/cargo.log" cargo fetch --locked
cargo test --release --quiet --locked --features v0_5
echo "sumac-ark: OK"
[ "${3-}" != times ] || cargo bench --quiet --locked
