// SPDX-License-Identifier: Apache-2.0 OR MIT
// Times of four calls of node-eth-kzg: the least of 20.
//
//   node times.js PACKAGE
"use strict";

const path = require("path");
const { DasContextJs } = require(path.resolve(process.argv[2]));

function timed(name, call) {
  let least = Infinity;
  let result;
  for (let i = 0; i <= 20; i++) {
    const start = process.hrtime.bigint();
    result = call();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 1e6);
  }
  console.log(`${name} ${least.toFixed(1)} ms`);
  return result;
}

function expect(holds) {
  if (!holds) throw new Error("a proof does not hold");
}

const context = DasContextJs.create({ usePrecomp: true });
const blob = Uint8Array.from({ length: 131072 }, (_, i) => (i % 32 === 0 ? 0 : Math.random() * 256));
const commitment = timed("blob_to_kzg_commitment", () => context.blobToKzgCommitment(blob));
const proof = context.computeBlobKzgProof(blob, commitment);
expect(timed("verify_blob_kzg_proof", () => context.verifyBlobKzgProof(blob, commitment, proof)));
const { cells, proofs } = timed("compute_cells_and_kzg_proofs", () => context.computeCellsAndKzgProofs(blob));
const commitments = cells.map(() => commitment);
const indices = cells.map((_, i) => i);
expect(timed("verify_cell_kzg_proof_batch",
  () => context.verifyCellKzgProofBatch(commitments, indices, cells, proofs)));
