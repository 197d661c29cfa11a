// SPDX-License-Identifier: Apache-2.0 OR MIT
// This program tests the package of compat/node-eth-kzg. It runs the consensus specification's vectors through each
// method and its async* variant, during which the event loop must run. It also tests wrong arguments, and contexts and
// threads that end while calls are running.
//
//   node --expose-gc test.js PACKAGE VECTORS
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { Worker } = require("worker_threads");

const [folder, vectors] = process.argv.slice(2);
const { DasContextJs, CellsAndProofs } = require(path.resolve(folder));
const yaml = require(path.resolve(folder, "node_modules/js-yaml"));
const context = new DasContextJs();

const bytes = (text) => Uint8Array.from(Buffer.from(text.slice(2), "hex"));
const list = (texts) => texts.map(bytes);
const text = (found) => "0x" + Buffer.from(found).toString("hex");
const texts = (found) => found.map(text);
const both = ({ cells, proofs }) => [texts(cells), texts(proofs)];
const same = (found) => found;
const capital = (name) => name[0].toUpperCase() + name.slice(1);

// For each function of the specification, these are the method, the numbers of valid and invalid vectors, the arguments
// and the output.
const functions = {
  blob_to_kzg_commitment: ["blobToKzgCommitment", 5, 2, (i) => [bytes(i.blob)], text],
  compute_kzg_proof: ["computeKzgProof", 26, 7, (i) => [bytes(i.blob), bytes(i.z)], texts],
  compute_blob_kzg_proof: ["computeBlobKzgProof", 4, 3, (i) => [bytes(i.blob), bytes(i.commitment)], text],
  verify_kzg_proof: ["verifyKzgProof", 67, 11,
    (i) => [bytes(i.commitment), bytes(i.z), bytes(i.y), bytes(i.proof)], same],
  verify_blob_kzg_proof: ["verifyBlobKzgProof", 7, 7,
    (i) => [bytes(i.blob), bytes(i.commitment), bytes(i.proof)], same],
  verify_blob_kzg_proof_batch: ["verifyBlobKzgProofBatch", 5, 11,
    (i) => [list(i.blobs), list(i.commitments), list(i.proofs)], same],
  compute_cells: ["computeCells", 5, 2, (i) => [bytes(i.blob)], texts],
  compute_cells_and_kzg_proofs: ["computeCellsAndKzgProofs", 6, 2, (i) => [bytes(i.blob)], both],
  recover_cells_and_kzg_proofs: ["recoverCellsAndKzgProofs", 4, 11, (i) => [i.cell_indices, list(i.cells)], both],
  verify_cell_kzg_proof_batch: ["verifyCellKzgProofBatch", 8, 12,
    (i) => [list(i.commitments), i.cell_indices, list(i.cells), list(i.proofs)], same],
};

async function runVector(name, method, args, shape, expected) {
  const later = context["async" + capital(method)](...args);
  if (expected === null) {
    assert.throws(() => context[method](...args), Error, name);
    await assert.rejects(later, Error, name);
  } else {
    assert.deepStrictEqual(shape(context[method](...args)), expected, name);
    assert.deepStrictEqual(shape(await later), expected, name);
  }
}

async function runVectors(name, [method, valid, invalid, args, shape]) {
  const found = [0, 0];
  for (const entry of fs.readdirSync(path.join(vectors, name, "kzg-mainnet"))) {
    const { input, output } = yaml.load(fs.readFileSync(path.join(vectors, name, "kzg-mainnet", entry, "data.yaml"), "utf8"));
    await runVector(entry, method, args(input), shape, output);
    found[output === null ? 1 : 0]++;
  }
  assert.deepStrictEqual(found, [valid, invalid], name);
}

// Timers fire while proofs are computed. If the blob is changed then, this does not affect the proofs.
async function testEventLoop(blob) {
  const expected = context.computeCellsAndKzgProofs(blob);
  assert(expected instanceof CellsAndProofs);
  const given = blob.slice();
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const running = [1, 2, 3, 4, 5, 6].map(() => context.asyncComputeCellsAndKzgProofs(given));
  given.fill(255);
  assert.deepStrictEqual(await Promise.all(running), running.map(() => expected));
  clearInterval(timer);
  assert(turns > 3, `${turns} turns`);
}

async function testArguments(blob) {
  const point = bytes("0xc0" + "00".repeat(47));
  const cells = context.computeCells(blob);
  const indices = cells.map((_, i) => i);
  const trap = [];
  Object.defineProperty(trap, 0, { get() { throw new RangeError("a getter"); } });
  const wrong = [
    ["blobToKzgCommitment", [], /blob must be a Uint8Array/],
    ["blobToKzgCommitment", [null], /blob must be a Uint8Array/],
    ["blobToKzgCommitment", ["0x00"], /blob must be a Uint8Array/],
    ["blobToKzgCommitment", [new Uint16Array(131072)], /blob must be a Uint8Array/],
    ["blobToKzgCommitment", [new DataView(blob.buffer)], /blob must be a Uint8Array/],
    ["blobToKzgCommitment", [blob.subarray(32)], /size 131072, found size 131040/],
    ["blobToKzgCommitment", [blob.slice().fill(255)], /element 0/],
    ["verifyKzgProof", [point, blob, blob, point], /z must have size 32/],
    ["verifyBlobKzgProofBatch", [blob, [point], [point]], /blob must be in an array/],
    ["verifyBlobKzgProofBatch", [[blob], [point, point], [point]], /lengths/],
    ["verifyBlobKzgProofBatch", [[blob], trap, [point]], /a getter/],
    ["verifyBlobKzgProofBatch", [new Array(1), [point], [point]], /blob must be a Uint8Array/],
    ["recoverCellsAndKzgProofs", [indices, cells.slice(1)], /lengths/],
    ["recoverCellsAndKzgProofs", [[0.5], cells], /integers/],
    ["recoverCellsAndKzgProofs", [[-1], cells], /integers/],
    ["recoverCellsAndKzgProofs", [[NaN], cells], /integers/],
    ["recoverCellsAndKzgProofs", [[-1n], cells], /negative/],
    ["recoverCellsAndKzgProofs", [[2n ** 64n], cells], /negative/],
    ["recoverCellsAndKzgProofs", [["0"], cells], /numbers or bigints/],
    ["recoverCellsAndKzgProofs", [indices.map((i) => BigInt(i) + 1n), cells], /128/],
    ["recoverCellsAndKzgProofs", [indices, undefined], /cell must be in an array/],
  ];
  for (const [method, args, words] of wrong) {
    assert.throws(() => context[method](...args), words);
    await assert.rejects(context["async" + capital(method)](...args), words);
  }
  await testLists(blob, point, cells);
  assert.throws(() => DasContextJs.prototype.computeCells.call({}, blob), TypeError);
  const moved = blob.slice();
  structuredClone(moved, { transfer: [moved.buffer] });
  assert.throws(() => context.computeCells(moved), /found size 0/);
  const big = context.recoverCellsAndKzgProofs(indices.map(BigInt), cells);
  assert.deepStrictEqual(big.cells, cells);
}

// A hole in any list is a TypeError, even if the list's forEach() or iterator skips it. An array may claim to have
// 2^32 - 1 elements, and no memory must be written for them.
async function testLists(blob, point, cells) {
  const holes = (one) => {
    const silent = Object.assign(new Array(1), { forEach() {}, *[Symbol.iterator]() { yield one; } });
    return [new Array(1), [one, , one], silent, [undefined], [null]];
  };
  const lists = [
    ["verifyBlobKzgProofBatch", [[blob], [point], [point]]],
    ["recoverCellsAndKzgProofs", [[0], [cells[0]]]],
    ["verifyCellKzgProofBatch", [[point], [0], [cells[0]], [point]]],
  ];
  for (const [method, given] of lists) {
    for (let at = 0; at < given.length; at++) {
      for (const list of holes(given[at][0])) {
        const args = given.map((one, i) => (i === at ? list : one));
        assert.throws(() => context[method](...args), TypeError, `${method} ${at}`);
        await assert.rejects(context["async" + capital(method)](...args), TypeError, `${method} ${at}`);
      }
    }
  }
  for (const [first, args] of [
    [0x41414141, (list) => ["recoverCellsAndKzgProofs", list, []]],
    [0x41414141, (list) => ["verifyCellKzgProofBatch", [], list, [], []]],
    [point, (list) => ["verifyBlobKzgProofBatch", [], list, []]],
  ]) {
    const list = new Array(20000).fill(first);
    list.length = 2 ** 32 - 1;
    const [method, ...given] = args(list);
    assert.throws(() => context[method](...given), /must be|has no memory/, method);
    await assert.rejects(context["async" + capital(method)](...given), /must be|has no memory/, method);
  }
}

// A context without references lives until its calls are done. A thread may end while its calls run.
async function testEndings(blob) {
  const expected = context.computeCells(blob);
  for (let i = 0; i < 3; i++) {
    const running = DasContextJs.create({ usePrecomp: false }).asyncComputeCells(blob);
    global.gc();
    assert.deepStrictEqual(await running, expected);
    global.gc();
  }
  const source = `
    const { workerData, parentPort } = require("worker_threads");
    const { DasContextJs } = require(workerData.folder);
    const context = DasContextJs.create({ usePrecomp: false });
    for (let i = 0; i < 4; i++) context.asyncComputeCellsAndKzgProofs(workerData.blob);
    parentPort.postMessage("begun");`;
  for (let i = 0; i < 3; i++) {
    const worker = new Worker(source, { eval: true, workerData: { folder: path.resolve(folder), blob } });
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    await worker.terminate();
  }
}

async function main() {
  for (const [name, row] of Object.entries(functions)) {
    await runVectors(name, row);
  }
  const blob = Uint8Array.from({ length: 131072 }, (_, i) => (i % 32 === 0 ? 0 : (i * i) >> 3));
  await testEventLoop(blob);
  await testArguments(blob);
  await testEndings(blob);
  console.log("compat/node-eth-kzg: OK");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
