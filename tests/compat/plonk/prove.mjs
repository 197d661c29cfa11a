// SPDX-License-Identifier: Apache-2.0 OR MIT
// Proves with snarkjs with the random numbers b_i = 1000003^i + i, and exports the verifying key. The key is of PLONK or FFLONK.
// tests/data/plonk.tar.xz and fflonk.tar.xz were made with this.
//
//   prove.mjs KEY.zkey WITNESS.wtns PROOF.json PUBLIC.json VERIFYING.json
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// The modules are those of the current folder. Curves are built once a process, so that the prover gets this one.
const from = createRequire(path.resolve('package.json'));
const snarkjs = from('snarkjs');
const { buildBn128, buildBls12381 } = from('ffjavascript');
const [key, witness, proof, publics, verifying] = process.argv.slice(2);
const exported = await snarkjs.zKey.exportVerificationKey(key);
const curve = await (exported.curve === 'bn128' ? buildBn128() : buildBls12381());
const isFflonk = exported.protocol === 'fflonk';
let i = 0n;
// snarkjs takes the first six random numbers of FFLONK, which are values of wires, as raw integers.
curve.Fr.random = () => {
    const number = curve.Fr.e(1000003n ** ++i + i);
    return isFflonk && i <= 6n ? curve.Fr.fromMontgomery(number) : number;
};
const prover = isFflonk ? snarkjs.fflonk : snarkjs.plonk;
const made = await prover.prove(key, witness);
if (i !== (isFflonk ? 9n : 11n) || !await prover.verify(exported, made.publicSignals, made.proof)) {
    throw new Error(`${i} random numbers, or a proof that does not hold`);
}
fs.writeFileSync(proof, JSON.stringify(made.proof, null, 1));
fs.writeFileSync(publics, JSON.stringify(made.publicSignals, null, 1));
fs.writeFileSync(verifying, JSON.stringify(exported, null, 1));
process.exit(0);
