#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script compares PLONK and FFLONK with snarkjs, which it fetches from the npm registry into WORK.
#
#   run.sh PROGRAM DATA WORK
#
# DATA is a build's tests/data. For each of its circuits PROGRAM (sumac) and snarkjs make the same key, snarkjs accepts the proofs of
# PROGRAM, and PROGRAM those that snarkjs makes now, whose bytes are those in DATA. Circuits with 0, 1 and 3 public inputs, which
# circuits.py makes, have the same keys, and their proofs are accepted. If snarkjs can't be fetched, the script prints a sentence, and
# its exit status is 77.
set -euo pipefail
program=$(realpath "$1")
data=$(realpath "$2")
mkdir -p "$3"
here=$(cd "$(dirname "$0")" && pwd)
cd "$3"
if [ ! -e fetched ]; then
    if ! npm install --silent --no-fund --no-audit --ignore-scripts --no-save snarkjs@0.7.6 >npm.log 2>&1; then
        echo "skipped: $(tail -n 1 npm.log)"
        exit 77
    fi
    touch fetched
fi
snarkjs() {
    node node_modules/snarkjs/cli.js "$@" >snarkjs.log 2>&1 || { cat snarkjs.log; return 1; }
}
# snarkjs makes keys only from powers of tau that are prepared for phase 2.
for curve in bn254 bls12-381; do
    if [ ! -e "$curve.ptau" ]; then
        snarkjs powersoftau new "$([ "$curve" = bn254 ] && echo bn128 || echo bls12-381)" 8 new.ptau
        snarkjs powersoftau prepare phase2 new.ptau "$curve.ptau"
    fi
done
accept() { # CIRCUIT CURVE WITNESS PROTOCOL: both keys are equal, and snarkjs accepts the proof
    snarkjs "$4" setup "$1" "$2.ptau" theirs.zkey
    "$program" plonk setup "$1" "$2.ptau" ours.zkey --protocol "$4" >/dev/null
    cmp ours.zkey theirs.zkey
    "$program" plonk prove ours.zkey "$3" proof.json public.json >/dev/null
    snarkjs zkey export verificationkey theirs.zkey verifying.json
    snarkjs "$4" verify verifying.json public.json proof.json
}
compare() { # CIRCUIT PROTOCOL PREFIX
    local folder=$data/plonk/$1
    accept "$folder/circuit.r1cs" "${1#*-}" "$folder/witness.wtns" "$2"
    "$program" plonk setup "$folder/circuit.r1cs" "$data/plonk/$3${1#*-}.ptau" key.zkey --protocol "$2" >/dev/null
    node "$here/prove.mjs" key.zkey "$folder/witness.wtns" proof.json public.json verifying.json
    cmp proof.json "$data/plonk/$3$1/proof.json"
    "$program" plonk verify verifying.json public.json proof.json >/dev/null
    echo "$2, $1: the same key, and both programs accept both proofs"
}
for circuit in tiny-bn254 forms-bn254 tiny-bls12-381 sums-bls12-381; do
    compare "$circuit" plonk ""
done
for circuit in tiny-bn254 forms-bn254; do
    compare "$circuit" fflonk fflonk-
done
for publics in 0 1 3; do
    python3 "$here/circuits.py" "$publics" circuit.r1cs witness.wtns
    for protocol in plonk fflonk; do
        accept circuit.r1cs bn254 witness.wtns "$protocol"
        echo "$protocol, $publics public inputs: the same key, and snarkjs accepts the proof"
    done
done
