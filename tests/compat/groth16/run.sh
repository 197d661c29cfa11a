#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Keys that are in use: those of semaphore, unirep and darkforest, whose packages have their circuits as WebAssembly, too.
#
#   run.sh PROGRAM WORK
#
# PROGRAM (sumac) proves with each key what snarkjs has computed a witness of, from inputs that keys.js makes up; snarkjs
# verifies the proofs, and none for another public input. The packages, 190 MB, come from the npm registry and stay in WORK. The exit status is 77, with
# a sentence, where they can't be had.
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
