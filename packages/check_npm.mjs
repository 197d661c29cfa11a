// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program checks the packages that npm has installed in this folder, or times commitments.
//
//   node check_npm.mjs VERSION PLATFORM VARIANT   asserts the version, the package that is used, the variant and a few results
//   node check_npm.mjs --time                     prints a commitment, and the least processor time in microseconds that it took
import assert from 'node:assert';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as sumac from 'sumac-msm';
import { DasContextJs } from 'sumac-msm-eth-kzg';

const blobOf = (word) => Uint8Array.from({ length: 131072 }, (_, i) => (i % 32 === 31 ? word(i) : 0));
const [given, platform, expected] = process.argv.slice(2);

if (given === '--time') {
    const kzg = new DasContextJs({ usePrecomp: false });
    const blob = Uint8Array.from({ length: 131072 }, (_, i) => (i % 32 === 0 ? 0 : 37 * i * i >> 5 & 255));
    let commitment;
    const times = Array.from({ length: 40 }, () => {
        const start = process.cpuUsage();
        commitment = kzg.blobToKzgCommitment(blob);
        const { user, system } = process.cpuUsage(start);
        return user + system;
    });
    console.log(Buffer.from(commitment).toString('hex'), Math.min(...times));
    process.exit();
}

// Both ways of loading give the same module, with all its names.
const required = createRequire(import.meta.url)('sumac-msm');
assert.deepStrictEqual(Object.keys(sumac).filter((name) => !['default', 'module.exports'].includes(name)).sort(), Object.keys(required).sort());
assert.strictEqual(sumac.Context, required.Context);
assert.strictEqual(sumac.version, given);

// The library must come from the package of this system.
const { sharedObjects } = process.report.getReport();
const used = sharedObjects.filter((file) => /sumac|eth_kzg/.test(file.split('/').at(-1)));
const folder = realpathSync(`node_modules/@sumac-msm/${platform}`);
assert.deepStrictEqual([...new Set(used.map((file) => realpathSync(file).replace(/\/[^/]*$/, '')))], [folder], used.join(' '));
assert.strictEqual(used.length, 3);

const { variant } = new sumac.Context({ backend: 'cpu', threads: 1 });
assert.strictEqual(variant, expected);

// A polynomial that is 1 or 2 everywhere has the commitment G or 2 G.
const kzg = new DasContextJs({ usePrecomp: false });
const commitment = (value) => Buffer.from(kzg.blobToKzgCommitment(blobOf(() => value))).toString('hex');
assert.strictEqual(commitment(1), '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb');
assert.strictEqual(commitment(2), 'a572cbea904d67468808c8eb50a9450c9721db309128012543902d0ac358a62ae28f75bb8f1c7c42c39a8c5529bf0f4e');
console.log(`node ${process.version}, ${platform}, ${variant}: OK`);
