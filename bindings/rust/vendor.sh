#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Make the files that only published crates have: sumac-sys/generated, the declarations of the interface, and sumac-sys/vendor,
# the committed source of the library, which the feature `vendored` builds. Run `cargo package` after it.
set -euo pipefail
cd "$(dirname "$0")/../.."
vendor=bindings/rust/sumac-sys/vendor
rm -rf "$vendor"
mkdir "$vendor"
git archive HEAD CMakeLists.txt cmake include src bench/CMakeLists.txt 'bench/*.c' LICENSE-APACHE LICENSE-MIT |
    tar -x -C "$vendor"
python3 -B tools/gen_bindings.py rust bindings/rust/sumac-sys/generated
