// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program runs the consensus specification's vectors through the node package c-kzg, whose binding run.sh linked
// to libsumac_ckzg.
//
//   node run.js VECTORS PACKAGES TRUSTED-SETUP
//
// VECTORS has a folder for each function, and PACKAGES is a node_modules with c-kzg and js-yaml. For an input that the
// specification refuses, the binding must throw an error about its length, or C_KZG_BADARGS.
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");

const [vectors, packages, trustedSetup] = process.argv.slice(2);
const kzg = require(path.resolve(packages, "c-kzg"));
const yaml = require(path.resolve(packages, "js-yaml"));

const REFUSED = /C_KZG_BADARGS|Expected .* to be \d+ bytes|equal (number|lengths)/;

function bytes(text) {
  assert.match(text, /^0x([0-9a-f]{2})*$/);
  return Buffer.from(text.slice(2), "hex");
}

const list = (texts) => texts.map(bytes);
const text = (found) => "0x" + Buffer.from(found).toString("hex");
const texts = (found) => Array.from(found, text);
const twoLists = ([cells, proofs]) => [texts(cells), texts(proofs)];

// For each function of the specification, these are the numbers of valid and invalid vectors, and the call with its
// output as a text.
const functions = {
  blob_to_kzg_commitment: [5, 2, (i) => text(kzg.blobToKzgCommitment(bytes(i.blob)))],
  compute_kzg_proof: [26, 7, (i) => texts(kzg.computeKzgProof(bytes(i.blob), bytes(i.z)))],
  compute_blob_kzg_proof: [4, 3, (i) => text(kzg.computeBlobKzgProof(bytes(i.blob), bytes(i.commitment)))],
  verify_kzg_proof: [67, 11, (i) => kzg.verifyKzgProof(bytes(i.commitment), bytes(i.z), bytes(i.y), bytes(i.proof))],
  verify_blob_kzg_proof: [7, 7, (i) => kzg.verifyBlobKzgProof(bytes(i.blob), bytes(i.commitment), bytes(i.proof))],
  verify_blob_kzg_proof_batch: [5, 11,
    (i) => kzg.verifyBlobKzgProofBatch(list(i.blobs), list(i.commitments), list(i.proofs))],
  compute_cells: [5, 2, (i) => texts(kzg.computeCells(bytes(i.blob)))],
  compute_cells_and_kzg_proofs: [6, 2, (i) => twoLists(kzg.computeCellsAndKzgProofs(bytes(i.blob)))],
  recover_cells_and_kzg_proofs: [4, 11,
    (i) => twoLists(kzg.recoverCellsAndKzgProofs(i.cell_indices, list(i.cells)))],
  verify_cell_kzg_proof_batch: [8, 12,
    (i) => kzg.verifyCellKzgProofBatch(list(i.commitments), i.cell_indices, list(i.cells), list(i.proofs))],
};

function run(name, call, vector) {
  if (vector.output === null) {
    assert.throws(() => call(vector.input), REFUSED, name);
  } else {
    assert.deepStrictEqual(call(vector.input), vector.output, name);
  }
}

function runAll(name, [valid, invalid, call]) {
  const folder = path.join(vectors, name, "kzg-mainnet");
  const found = [0, 0];
  for (const entry of fs.readdirSync(folder)) {
    const vector = yaml.load(fs.readFileSync(path.join(folder, entry, "data.yaml"), "utf8"));
    run(entry, call, vector);
    found[vector.output === null ? 1 : 0]++;
  }
  assert.deepStrictEqual(found, [valid, invalid], `the vectors of ${name}`);
  console.log(`${name}: ${valid} outputs and ${invalid} refusals: OK`);
}

function expectLoadToFail(precompute, file) {
  assert.throws(() => kzg.loadTrustedSetup(precompute, file), /C_KZG_BADARGS/);
}

expectLoadToFail(16, trustedSetup);
expectLoadToFail(0, __filename);
assert.throws(() => kzg.computeCells(Buffer.alloc(131072)), /loadTrustedSetup/);
kzg.loadTrustedSetup(8, trustedSetup);
for (const [name, row] of Object.entries(functions)) {
  runAll(name, row);
}
