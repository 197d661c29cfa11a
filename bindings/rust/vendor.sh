#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Put the source of the library, as it is committed, into sumac-sys/vendor, for a crate that is published: the feature
# `vendored` builds it from there. `cargo package` comes next.
set -euo pipefail
cd "$(dirname "$0")/../.."
vendor=bindings/rust/sumac-sys/vendor
rm -rf "$vendor"
mkdir "$vendor"
git archive HEAD CMakeLists.txt cmake include src bench/CMakeLists.txt 'bench/*.c' LICENSE-APACHE LICENSE-MIT |
    tar -x -C "$vendor"
