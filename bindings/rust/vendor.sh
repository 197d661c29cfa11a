#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make what a crate that is published has beside its own source: sumac-sys/generated, the declarations of the interface, and
# sumac-sys/vendor, the source of the library as it is committed, which the feature `vendored` builds. `cargo package` comes next.
set -euo pipefail
cd "$(dirname "$0")/../.."
vendor=bindings/rust/sumac-sys/vendor
rm -rf "$vendor"
mkdir "$vendor"
git archive HEAD CMakeLists.txt cmake include src bench/CMakeLists.txt 'bench/*.c' LICENSE-APACHE LICENSE-MIT |
    tar -x -C "$vendor"
python3 -B tools/gen_bindings.py rust bindings/rust/sumac-sys/generated
