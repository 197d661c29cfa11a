// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program times four calls of c-kzg's addon for node, or of node-eth-kzg, which has the same names. Each time is
// the least of 20, with the largest tables that are usual.
//
//   node times.js PACKAGE-OR-ADDON TRUSTED-SETUP
"use strict";

const path = require("path");
const [file, setup] = process.argv.slice(2).map((name) => path.resolve(name));
const kzg = require(file);

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

const context = kzg.DasContextJs ? kzg.DasContextJs.create({ usePrecomp: true }) : kzg;
if (context === kzg) kzg.loadTrustedSetup(8, setup);
const blob = Uint8Array.from({ length: 131072 }, (_, i) => (i % 32 === 0 ? 0 : Math.random() * 256));
const commitment = timed("blob_to_kzg_commitment", () => context.blobToKzgCommitment(blob));
const proof = context.computeBlobKzgProof(blob, commitment);
expect(timed("verify_blob_kzg_proof", () => context.verifyBlobKzgProof(blob, commitment, proof)));
const both = timed("compute_cells_and_kzg_proofs", () => context.computeCellsAndKzgProofs(blob));
const [cells, proofs] = Array.isArray(both) ? both : [both.cells, both.proofs];
const commitments = cells.map(() => commitment);
const indices = cells.map((_, i) => i);
expect(timed("verify_cell_kzg_proof_batch",
  () => context.verifyCellKzgProofBatch(commitments, indices, cells, proofs)));
