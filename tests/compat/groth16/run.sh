#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script tests keys that are in use. They are those of semaphore, unirep and darkforest, whose packages also have the
# circuits as WebAssembly.
#
#   run.sh PROGRAM WORK
#
# snarkjs computes a witness of inputs that keys.js invents, PROGRAM (sumac) proves with each key, and snarkjs accepts the proofs,
# but not with another public input. The packages (190 MB) come from the npm registry and stay in WORK. If they can't be fetched,
# the script prints a sentence and exits with status 77.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
work=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cd "$work"
if [ ! -e fetched ]; then
    if ! npm install --silent --no-fund --no-audit --ignore-scripts --no-save --omit=peer --legacy-peer-deps snarkjs@0.7.6 \
        @zk-kit/semaphore-artifacts@4.13.0 @unirep/circuits@2.0.0 @darkforest_eth/snarks@6.7.29 >npm.log 2>&1; then
        echo "skipped: $(tail -n 1 npm.log)"
        exit 77
    fi
    touch fetched
fi
NODE_PATH=$work/node_modules exec node "$here/keys.js" "$program" "$work"
