// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program writes powers of tau with snarkjs. It also writes the points of each section, which ffjavascript reads,
// as x and y in canonical little-endian bytes.
//
//     node ptau.js DIRECTORY     writes ptau.CURVE, and a file section-N.CURVE_GROUP for each section
const fs = require("fs");
const snarkjs = require("snarkjs");
const { getCurveFromName } = require("ffjavascript");
const binfile = require("@iden3/binfileutils");

const groups = { 2: "g1", 3: "g2", 4: "g1", 5: "g1", 6: "g2", 12: "g1", 13: "g2", 14: "g1", 15: "g1" };

async function write(directory, theirs, ours, power) {
    const curve = await getCurveFromName(theirs);
    const path = `${directory}/ptau.${ours}`;
    const begun = { type: "mem" }, contributed = { type: "mem" };
    await snarkjs.powersOfTau.newAccumulator(curve, power, begun);
    await snarkjs.powersOfTau.contribute(begun, contributed, "a test", "no entropy");
    await snarkjs.powersOfTau.preparePhase2(contributed, path);
    const { fd, sections } = await binfile.readBinFile(path, "ptau", 1);
    for (const [number, name] of Object.entries(groups)) {
        const group = name === "g1" ? curve.G1 : curve.G2, bytes = group.F.n8 * 2;
        const section = await binfile.readSection(fd, sections, Number(number));
        const plain = [];
        for (let at = 0; at < section.length; at += bytes) {
            const point = group.toObject(group.fromRprLEM(section, at));
            for (const element of point.slice(0, 2).flat()) {
                const raw = Buffer.alloc(curve.F1.n8);
                for (let i = 0n; i < BigInt(raw.length); i++) raw[i] = Number((element >> (8n * i)) & 255n);
                plain.push(raw);
            }
        }
        fs.writeFileSync(`${directory}/section-${number}.${ours}_${name}`, Buffer.concat(plain));
    }
    await fd.close();
    await curve.terminate();
}

(async () => {
    await write(process.argv[2], "bn128", "bn254", 3);
    await write(process.argv[2], "bls12381", "bls12_381", 2);
})();
