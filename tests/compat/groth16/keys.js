// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program proves with keys of semaphore, unirep and darkforest, and verifies the proofs with snarkjs. run.sh calls
// it.
//
//   keys.js PROGRAM WORK
const { execFileSync } = require("child_process");
const { readFileSync } = require("fs");
const path = require("path");
const snarkjs = require("snarkjs");

const [program, work] = process.argv.slice(2);

const zeros = (n) => Array(n).fill("0");

// Any siblings will do, because the roots are public outputs.
const semaphore = (depth) => ({
    secret: "123456789", merkleProofLength: String(depth), merkleProofIndex: "1",
    merkleProofSiblings: Array.from({ length: depth }, (_, i) => String(i + 7)), message: "42", scope: "43",
});

const DEPTH = 17, FIELDS = 6, NONCES = 3; // the parameters of unirep's published keys
const unirep = { identity_secret: "987654321", attester_id: "77", epoch: "3", chain_id: "31337" };
const unirepKey = { ...unirep, nonce: "1", reveal_nonce: "0", sig_data: "5" };
const unirepState = {
    state_tree_indices: zeros(DEPTH), state_tree_elements: zeros(DEPTH), data: ["5", "2", "0", "0", "0", "0"],
};
const { epoch, ...unirepUser } = unirep;
const transition = {
    ...unirepUser, ...unirepState, from_epoch: "3", to_epoch: "4", epoch_tree_root: "9",
    history_tree_indices: zeros(DEPTH), history_tree_elements: zeros(DEPTH),
    new_data: Array(NONCES).fill(zeros(FIELDS)),
    epoch_tree_elements: Array(NONCES).fill(zeros(DEPTH)), epoch_tree_indices: Array(NONCES).fill(zeros(DEPTH)),
};

const place = { PLANETHASH_KEY: "20", SPACETYPE_KEY: "21", SCALE: "16384", xMirror: "0", yMirror: "0" };

const SEMAPHORE = "@zk-kit/semaphore-artifacts/semaphore-";
const UNIREP = "@unirep/circuits/zksnarkBuild/";
const DARKFOREST = "@darkforest_eth/snarks/";
const circuits = [
    ...[1, 2, 10, 16, 20, 32].map((depth) => [SEMAPHORE + depth, semaphore(depth)]),
    [UNIREP + "signup", unirep],
    [UNIREP + "epochKeyLite", unirepKey],
    [UNIREP + "epochKey", { ...unirepKey, ...unirepState }],
    [UNIREP + "scopeNullifier", { ...unirepKey, ...unirepState, scope: "11" }],
    [UNIREP + "reputation", {
        ...unirepKey, ...unirepState, prove_graffiti: "0", graffiti: "0", min_rep: "1", max_rep: "0",
        prove_min_rep: "1", prove_max_rep: "0", prove_zero_rep: "0",
    }],
    [UNIREP + "userStateTransition", transition],
    [DARKFOREST + "whitelist", { key: "1234", recipient: "5678" }],
    // A first planet must lie near the edge of the universe, at a distance of about r.
    [DARKFOREST + "init", { x: "700", y: "712", r: "1000", ...place }],
    [DARKFOREST + "reveal", { x: "100", y: "200", ...place }],
    [DARKFOREST + "move", { x1: "100", y1: "200", x2: "130", y2: "240", r: "1000", distMax: "60", ...place }],
    [DARKFOREST + "biomebase", {
        x: "100", y: "200", PLANETHASH_KEY: "20", BIOMEBASE_KEY: "22", SCALE: "16384", xMirror: "0", yMirror: "0",
    }],
];

async function check(name, input) {
    const files = path.join(work, "node_modules", name);
    const [witness, proof, publics] = ["witness.wtns", "proof.json", "public.json"].map((file) => path.join(work, file));
    await snarkjs.wtns.calculate(input, files + ".wasm", witness);
    const begin = process.hrtime.bigint();
    execFileSync(program, ["groth16", "prove", files + ".zkey", witness, proof, publics], { stdio: ["ignore", "ignore", "inherit"] });
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    const key = await snarkjs.zKey.exportVerificationKey(files + ".zkey");
    const read = (file) => JSON.parse(readFileSync(file));
    const values = read(publics);
    if (!await snarkjs.groth16.verify(key, values, read(proof))) {
        throw new Error(`${name}: snarkjs does not verify our proof`);
    }
    values[0] = String(BigInt(values[0]) ^ 1n);
    if (await snarkjs.groth16.verify(key, values, read(proof))) {
        throw new Error(`${name}: the proof is of another public input, too`);
    }
    console.log(`${name}: verified, ${seconds.toFixed(2)} s`);
}

(async () => {
    for (const [name, input] of circuits) {
        await check(name, input);
    }
    process.exit(0);
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
