// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program makes the same random calls to two builds of c-kzg's binding for node, one with libsumac_ckzg and one
// with c-kzg's own C sources. Both must return the same bytes, or both throw, with the same code if c-kzg's library
// refuses. Two cases in which they differ are left out (docs/dropins.md). In one, the indices of cells do not ascend,
// which c-kzg accepts before 2.1.2, and so in this package. In the other, more than 64 cells do not fit each other.
//
//   node differential.js OURS THEIRS TRUSTED-SETUP ROUNDS [SEED]
"use strict";

const assert = require("assert");
const crypto = require("crypto");
const path = require("path");

const [ours, theirs, trustedSetup, rounds, seed = String(Date.now())] = process.argv.slice(2);
const libraries = [ours, theirs].map((file) => require(path.resolve(file)));
libraries.forEach((library) => library.loadTrustedSetup(0, trustedSetup));

const ELEMENT = 32, BLOB = 4096 * ELEMENT, CELL = 64 * ELEMENT, CELLS = 128, POINT = 48;
const ORDER = Buffer.from("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", "hex");

let drawn = 0;
const random = (count) =>
  crypto.createHash("shake256", { outputLength: count }).update(`${seed} ${drawn++}`).digest();
const below = (bound) => random(6).readUIntBE(0, 6) % bound;
const oneOf = (list) => list[below(list.length)];

// ---- Values ----

function element() {
  return oneOf([
    () => { const e = random(ELEMENT); e[0] %= 0x73; return e; },
    () => Buffer.alloc(ELEMENT),
    () => { const e = Buffer.from(ORDER); e[ELEMENT - 1] = 0; return e; }, // r - 1
    () => { const e = Buffer.alloc(ELEMENT); e[ELEMENT - 1] = below(256); return e; },
  ])();
}

function blob() {
  const bytes = below(3) === 0 ? Buffer.alloc(BLOB) : random(BLOB);
  for (let i = 0; i < BLOB; i += ELEMENT) {
    bytes[i] %= 0x73;
  }
  for (let k = below(4); k > 0; k--) {
    element().copy(bytes, below(4096) * ELEMENT);
  }
  return bytes;
}

// Usually change nothing. Otherwise flip a bit, make an element too large or a length wrong, or make a point another
// kind of encoding.
function perhaps(bytes, isPoint) {
  const changed = Buffer.from(bytes);
  switch (below(24)) {
    case 0:
      changed[below(changed.length)] ^= 1 << below(8);
      return changed;
    case 1:
      if (!isPoint) {
        ORDER.copy(changed, below(changed.length / ELEMENT) * ELEMENT);
      } else {
        changed.fill(0);
        changed[0] = oneOf([0xc0, 0xe0, 0x80, 0]);
      }
      return changed;
    case 2:
      return below(8) === 0 ? changed.subarray(0, below(changed.length)) : changed;
    default:
      return changed;
  }
}

// ---- Calls ----

const plain = (found) =>
  found instanceof Uint8Array ? Buffer.from(found).toString("hex") : Array.isArray(found) ? found.map(plain) : found;

function answer(library, name, inputs) {
  try {
    return { found: plain(library[name](...inputs)) };
  } catch (error) {
    return { refused: (error.message.match(/C_KZG_[A-Z]+/) || ["a wrong argument"])[0] };
  }
}

const counts = {};

// Call both, require the same answer, and return it, or undefined if they refuse.
function both(name, ...inputs) {
  const [first, second] = libraries.map((library) => answer(library, name, inputs));
  counts[name] = counts[name] || { found: 0, refused: 0 };
  counts[name][second.refused ? "refused" : "found"]++;
  assert.deepStrictEqual(first, second, `${name}, seed ${seed}, before draw ${drawn}`);
  return second.found;
}

const buffers = (texts) => texts.map((text) => Buffer.from(text, "hex"));

function tryProofs() {
  const bytes = perhaps(blob(), false), z = perhaps(element(), false);
  const commitment = both("blobToKzgCommitment", bytes);
  const opening = both("computeKzgProof", bytes, z);
  if (commitment === undefined || opening === undefined) {
    return;
  }
  const [proof, y] = buffers(opening), c = Buffer.from(commitment, "hex");
  both("verifyKzgProof", perhaps(c, true), perhaps(z, false), perhaps(y, false), perhaps(proof, true));
}

function tryBlobs() {
  const blobs = [], commitments = [], proofs = [];
  for (let i = below(4); i > 0; i--) {
    const bytes = blob(), commitment = Buffer.from(both("blobToKzgCommitment", bytes), "hex");
    const proof = both("computeBlobKzgProof", bytes, perhaps(commitment, true));
    blobs.push(perhaps(bytes, false));
    commitments.push(perhaps(commitment, true));
    proofs.push(perhaps(proof === undefined ? commitment : Buffer.from(proof, "hex"), true));
  }
  if (blobs.length > 0) {
    both("verifyBlobKzgProof", blobs[0], commitments[0], proofs[0]);
  }
  if (below(10) === 0) {
    proofs.push(Buffer.alloc(POINT, 0xc0));
  }
  both("verifyBlobKzgProofBatch", blobs, commitments, proofs);
}

function indices() {
  const all = Array.from({ length: CELLS }, (_, i) => i), wanted = oneOf([64, 64, 65, 127, 128, 63, below(129)]);
  while (all.length > wanted) {
    all.splice(below(all.length), 1);
  }
  if (below(8) === 0 && all.length > 1) {
    const at = below(all.length - 1);
    oneOf([
      () => { all[at] = all[at + 1]; },
      () => { all[all.length - 1] = oneOf([128, 129, 2 ** 32]); },
    ])();
  }
  return all;
}

function tryCells() {
  const bytes = perhaps(blob(), false);
  both("computeCells", bytes);
  const found = both("computeCellsAndKzgProofs", bytes);
  if (found === undefined) {
    return;
  }
  const [cells, proofs] = found.map(buffers);
  const commitment = Buffer.from(both("blobToKzgCommitment", bytes), "hex");
  const known = indices(), at = (list) => (i) => list[i % CELLS];
  const given = known.map(at(cells));
  if (known.length > 0 && below(3) === 0) {
    const changed = below(given.length);
    given[changed] = perhaps(given[changed], false);
    if (known.length > 64 && !given[changed].equals(cells[known[changed] % CELLS])) {
      given[changed] = Buffer.concat([ORDER, given[changed].subarray(ELEMENT)]);
    }
  }
  both("recoverCellsAndKzgProofs", known, given);
  const asked = Array.from({ length: below(20) }, () => below(CELLS + (below(100) === 0)));
  both("verifyCellKzgProofBatch", asked.map(() => perhaps(commitment, true)).map((c) => (below(8) ? commitment : c)), asked,
    asked.map(at(cells)).map((cell) => (below(8) ? cell : perhaps(cell, false))),
    asked.map(at(proofs)).map((proof) => (below(8) ? proof : perhaps(proof, true))));
}

assert.strictEqual(libraries[0] === libraries[1], false);
for (let round = 0; round < Number(rounds); round++) {
  [tryProofs, tryBlobs, tryCells][round % 3]();
}
let calls = 0;
for (const [name, count] of Object.entries(counts)) {
  console.log(`${name}: ${count.found} results and ${count.refused} refusals are the same`);
  calls += count.found + count.refused;
}
console.log(`seed ${seed}: all ${calls} calls OK`);
