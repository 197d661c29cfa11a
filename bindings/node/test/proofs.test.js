// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// Vectors, openings and pairings are compared with arithmetic on BigInts. Blobs and cells are compared with the consensus
// specification's vectors. Groth16 uses keys of snarkjs and gnark.
const { test } = require('node:test');
const assert = require('node:assert');
const crypto = require('node:crypto');
const os = require('node:os');
const sumac = require('sumac-msm');
const { fs, path, Group, numbers, concat, file, read, fromBytes, toBytes, mod, parseYaml } = require('./common');

const context = new sumac.Context({ backend: 'cpu', threads: 2 });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-'));
test.after(() => fs.rmSync(folder, { recursive: true }));
const group = new Group('bn254', 'g1');
const { r } = group;
const curve = sumac.curve('bn254');
const split = (bytes, each = 32) => Array.from({ length: bytes.length / each }, (_, i) => bytes.subarray(i * each, (i + 1) * each));
const values = (vector, options) => split(vector.readSync(options)).map(fromBytes);

function vectorOf(given) {
    const vector = context.createVectorSync(curve, 'scalars', given.length);
    vector.writeSync(group.scalars(given));
    return vector;
}

const evaluate = (coefficients, x) => coefficients.reduceRight((sum, a) => (sum * x + a) % r, 0n);

test('elements', async () => {
    const n = numbers(8, r);
    const a = vectorOf(n);
    const out = vectorOf(n);
    assert.deepStrictEqual([a.count, a.kind, a.curve], [8, 'scalars', curve]);
    assert.deepStrictEqual(values(a, { first: 2, n: 3 }), n.slice(2, 5));
    assert.deepStrictEqual(a.readSync({ byteOrder: 'big-endian' }), concat(n.map((k) => toBytes(k, 32).reverse())));
    const b = vectorOf([3n, 5n]);
    await a.add(b, out);
    assert.deepStrictEqual(values(out), n.map((k, i) => (k + [3n, 5n][i % 2]) % r));
    a.subtractSync(b, out, { each: 4 });
    assert.deepStrictEqual(values(out), n.map((k, i) => mod(k - [3n, 5n][i >> 2], r)));
    a.multiplySync(a, out);
    assert.deepStrictEqual(values(out), n.map((k) => k * k % r));
    a.copyToSync(out);
    await out.invert();
    assert.ok(values(out).every((k, i) => k * n[i] % r === 1n));
    a.copyToSync(out, { fromSlice: { first: 1, runs: 2, length: 2, stride: 4 }, toSlice: { runs: 2, length: 2, stride: 3 } });
    assert.deepStrictEqual([0, 1, 3, 4].map((i) => values(out)[i]), [1, 2, 5, 6].map((i) => n[i]));
});

test('rows', () => {
    const n = numbers(8, r, 3n);
    const a = vectorOf(n);
    const out = vectorOf(n);
    a.gatherSync(2, [3, 0, 0, 1], out);
    assert.deepStrictEqual(values(out), [6, 7, 0, 1, 0, 1, 2, 3].map((i) => n[i]));
    a.transposeSync(2, 4, out);
    assert.deepStrictEqual(values(out), [0, 4, 1, 5, 2, 6, 3, 7].map((i) => n[i]));
    a.copyToSync(out);
    out.reverseBitsSync();
    assert.deepStrictEqual(values(out), [0, 4, 2, 6, 1, 5, 3, 7].map((i) => n[i]));
    out.fillSync(toBytes(9n, 32));
    out.scalePowersSync({ factor: toBytes(2n, 32), ratio: toBytes(3n, 32), length: 4 });
    assert.deepStrictEqual(values(out), [0n, 1n, 2n, 3n, 0n, 1n, 2n, 3n].map((i) => 18n * 3n ** i));
    const sums = vectorOf([0n, 0n]);
    a.sumSync(4, sums);
    assert.deepStrictEqual(values(sums), [0, 4].map((at) => n.slice(at, at + 4).reduce((x, y) => x + y) % r));
});

test('scans', async () => {
    const n = numbers(8, r, 6n);
    const [a, b, out] = [n, [3n, 5n], n].map(vectorOf);
    await a.multiplyAdd(b, a, out, { each: 4 });
    assert.deepStrictEqual(values(out), n.map((k, i) => (k * [3n, 5n][i >> 2] + k) % r));
    for (const [operation, first, join] of [['sum', 0n, (x, y) => (x + y) % r], ['product', 1n, (x, y) => x * y % r]]) {
        for (const [length, exclusive] of [[8, false], [4, true], [undefined, true]]) {
            a.copyToSync(out);
            out.scanSync(operation, { length, exclusive });
            assert.deepStrictEqual(values(out), n.map((_, i) => n.slice(i - i % (length ?? 8), i + !exclusive).reduce(join, first)));
        }
    }
    await a.divideByVanishing(4, { shift: 7n });
    const root = fromBytes(sumac.rootOfUnity(curve, 3));
    assert.deepStrictEqual(values(a).map((q, i) => mod(q * ((7n * root ** BigInt(i)) ** 4n - 1n), r)), n);
    for (const Kind of [Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, BigUint64Array, BigInt64Array]) {
        const column = Kind.of(...[5, 0, -1, 1000].map(Kind.name.startsWith('Big') ? BigInt : Number));
        out.writeSync(column.subarray(1), { first: 2 });
        assert.deepStrictEqual(values(out, { first: 2, n: 3 }), Array.from(column.subarray(1), (k) => mod(BigInt(k), r)), Kind.name);
    }
    await out.write(Uint8Array.of(255, 3), { scalarBytes: 1, scalarSigned: true });
    assert.deepStrictEqual(values(out, { n: 2 }), [r - 1n, 3n]);
    assert.throws(() => out.writeSync(new Uint8Array(6), { scalarBytes: 3 }), { code: 'SUMAC_BAD_ARGUMENT' });
    assert.throws(() => out.writeSync(new Uint8Array(6), { scalarBytes: 4 }), { code: 'SUMAC_BAD_LENGTH' });
});

test('views and shared memory', async () => {
    const form = (k) => toBytes((k << 256n) % r, 32);
    const n = numbers(2 ** 12, r, 7n);
    let shared = new Uint8Array(new SharedArrayBuffer(32 * n.length));
    shared.set(concat(n.map(form)));
    let wrapped = await context.wrapVector(curve, new BigUint64Array(shared.buffer));
    assert.deepStrictEqual([wrapped.count, wrapped.kind, wrapped.curve, values(wrapped)], [n.length, 'scalars', curve, n]);
    const view = wrapped.viewSync({ first: 2, n: n.length - 4 });
    const inner = await view.view({ first: 1 });
    assert.deepStrictEqual([view.count, inner.count, inner.address - wrapped.address], [n.length - 4, n.length - 5, 96n]);
    inner.fillSync(toBytes(9n, 32));
    assert.deepStrictEqual([2, 3, n.length - 3, n.length - 2].map((i) => fromBytes(shared.subarray(32 * i, 32 * i + 32))),
        [n[2], 9n, 9n, n[n.length - 2]].map((k) => fromBytes(form(k))));
    // While a call reads a view, another context can't write the vector whose memory the view shows.
    const other = new sumac.Context({ backend: 'cpu', threads: 1 });
    const writing = wrapped.ntt();
    assert.throws(() => inner.readSync({ context: other }), { code: 'SUMAC_BUSY' });
    await writing;
    await wrapped.ntt({ inverse: true });
    // Everything except the view is closed. The view is closed during a call that uses it.
    [wrapped, view].forEach((one) => one.close());
    const memory = new WeakRef(shared.buffer);
    [wrapped, shared] = [];
    await new Promise(setImmediate);
    global.gc?.();
    assert.ok(memory.deref());
    const reading = inner.read({ n: 2 });
    inner.close();
    assert.deepStrictEqual(await reading, concat([9n, 9n].map((k) => toBytes(k, 32))));
    assert.throws(() => inner.viewSync(), { code: 'SUMAC_BAD_ARGUMENT' });
    const points = context.createVectorSync(curve, 'points', 2);
    assert.deepStrictEqual([points.address, points.viewSync({ first: 1 }).count], [null, 1]);
    assert.throws(() => points.viewSync({ first: 1, n: 2 }), { code: 'SUMAC_BAD_ARGUMENT' });
    assert.throws(() => context.wrapVectorSync(curve, new Uint8Array(32)), TypeError);
    assert.throws(() => context.wrapVectorSync(curve, new SharedArrayBuffer(32)), TypeError);
    assert.throws(() => context.wrapVectorSync(curve, new Uint8Array(new SharedArrayBuffer(40), 4, 32)), { code: 'SUMAC_BAD_ARGUMENT' });
    assert.throws(() => context.wrapVectorSync(curve, new Uint8Array(new SharedArrayBuffer(40))), { code: 'SUMAC_BAD_LENGTH' });
});

test('transforms', async () => {
    const n = numbers(8, r, 4n);
    const root = fromBytes(sumac.rootOfUnity(curve, 3));
    const powers = Array.from({ length: 8 }, (_, i) => root ** BigInt(i) % r);
    const a = vectorOf(n);
    await a.ntt();
    assert.deepStrictEqual(values(a), powers.map((x) => evaluate(n, x)));
    a.nttSync({ inverse: true });
    assert.deepStrictEqual(values(a), n);
    a.nttSync({ shift: toBytes(7n, 32), valueOrder: 'bit-reversed' });
    assert.deepStrictEqual(values(a), [0, 4, 2, 6, 1, 5, 3, 7].map((i) => evaluate(n, 7n * powers[i] % r)));
});

test('sums into vectors, openings, FK20', async () => {
    const s = 12345n;
    const srs = context.createBasesSync(curve, group.raw(...Array.from({ length: 8 }, (_, i) => s ** BigInt(i))));
    const f = numbers(8, r, 9n);
    const polynomial = vectorOf(f);
    const commitment = context.createVectorSync(curve, 'points', 1);
    await srs.commit(polynomial, 8, commitment);
    const expected = group.raw(evaluate(f, s));
    assert.deepStrictEqual(commitment.readSync(), expected);
    srs.msmVectorsSync(polynomial, commitment);
    assert.deepStrictEqual(commitment.readSync(), expected);
    const z = 77n;
    const [places, found, proofs] = [vectorOf([z]), vectorOf([0n]), context.createVectorSync(curve, 'points', 1)];
    await srs.open(polynomial, 8, places, { values: found, proofs });
    assert.deepStrictEqual(values(found), [evaluate(f, z)]);
    const quotient = (at) => {
        let k = mod(evaluate(f, s) - evaluate(f, at), r);
        for (let e = r - 2n, b = mod(s - at, r); e > 0n; e >>= 1n, b = b * b % r) {
            k = e & 1n ? k * b % r : k;
        }
        return group.raw(k);
    };
    assert.deepStrictEqual(proofs.readSync(), quotient(z));
    const second = sumac.curve('bn254', 'g2');
    const twist = context.createBasesSync(second, [second.generator]);
    const g2 = [second.generator, ...second.points(twist.msmSync([s]))];
    assert.strictEqual(await context.verifyOpenings(curve, [curve.generator], g2, commitment, places, found, proofs), true);
    assert.strictEqual(context.verifyOpeningsSync(curve, [curve.generator], g2, commitment, places, places, proofs), false);
    assert.throws(() => context.verifyOpeningsSync(curve, [curve.generator], g2.slice(1), commitment, places, found, proofs), { code: 'SUMAC_BAD_LENGTH' });
    // f is opened at z alone, with the factor 3: h = 3 (f - f(z))/(X - z) is a multiple of the quotient that open() commits to.
    const openings = { points: places, factors: vectorOf([3n]) };
    const [h, both] = [vectorOf(Array(8).fill(0n)), context.createVectorSync(curve, 'points', 2)];
    const [first, last] = [both.viewSync({ n: 1 }), both.viewSync({ first: 1 })];
    await srs.shplonkQuotient(polynomial, 8, openings, h, first);
    const three = context.createBasesSync(curve, quotient(z)).msmSync([3n]);
    assert.deepStrictEqual(first.readSync(), three);
    await srs.shplonkOpen(polynomial, 8, { ...openings, opened: Uint8Array.of(1) }, h, vectorOf([2n]), last);
    const verified = (values) => context.shplonkVerifySync(curve, [curve.generator], g2, commitment, openings, values, vectorOf([2n]), both);
    assert.strictEqual(verified(found), true);
    assert.strictEqual(verified(places), false);
    assert.throws(() => srs.shplonkQuotientSync(polynomial, 8, { ...openings, opened: new Uint8Array(2) }, h, first), { code: 'SUMAC_BAD_LENGTH' });
    const digest = crypto.createHash('sha256').update('abc').digest('hex');
    assert.strictEqual(fromBytes(context.challengeSync(curve, 'sha256', new Uint8Array([97, 98, 99]))), BigInt(`0x${digest}`) % r);
    const fk20 = await srs.createFk20(8, 1);
    const all = context.createVectorSync(curve, 'points', 8);
    await fk20.prove(polynomial, all);
    const root = fromBytes(sumac.rootOfUnity(curve, 3));
    const proofsOfAll = concat(Array.from({ length: 8 }, (_, i) => quotient(root ** BigInt(i) % r)));
    assert.deepStrictEqual(all.readSync(), proofsOfAll);
    const saved = path.join(folder, 'fk20');
    srs.createFk20Sync(8, 1, { tableBytes: 2 ** 20 }).saveSync(saved);
    const again = srs.openFk20Sync(8, 1, saved);
    assert.deepStrictEqual([again.n, again.cellElements, again.tableBytes > 0], [8, 1, true]);
    again.proveSync(polynomial, all, { order: 'bit-reversed' });
    assert.deepStrictEqual(all.readSync({ first: 1, n: 1 }), proofsOfAll.slice(64 * 4, 64 * 5));
    // A transform of points gives at each root the sum of the points times its powers.
    const bases = await all.createBases({ first: 2, n: 3 });
    assert.deepStrictEqual(bases.readSync(), all.readSync({ first: 2, n: 3 }));
    await all.ntt();
    await all.ntt({ inverse: true });
    assert.deepStrictEqual(all.readSync({ first: 1, n: 1 }), proofsOfAll.slice(64 * 4, 64 * 5));
});

for (const name of ['bn254', 'bls12-381']) {
    test(`pairings of ${name}`, async () => {
        const [first, second] = ['g1', 'g2'].map((which) => new Group(name, which));
        // e(aP, bQ) e(-abP, Q) = 1.
        const [a, b] = [5n, 11n];
        const g1 = first.raw(a, -a * b);
        const g2 = second.raw(b, 1n);
        const wrong = concat([g1.subarray(0, g1.length / 2), g1.subarray(0, g1.length / 2)]);
        assert.strictEqual(await context.pairingCheck(name, g1, g2), true);
        assert.strictEqual(context.pairingCheckSync(sumac.curve(name, 'g2'), wrong, g2, { check: 'none' }), false);
        const prepared = await context.createPairingPoints(name, g2);
        assert.strictEqual(prepared.count, 2);
        assert.strictEqual(prepared.checkSync(g1), true);
        assert.strictEqual(await prepared.check(wrong), false);
    });
}

for (const name of ['bls12-377', 'bls12-381', 'bn254', 'bw6-761']) {
    // The values are those that gnark-crypto computed, and bilinear.
    const missing = sumac.curves().filter((one) => one.name === name).length < 2;
    test(`values of pairings of ${name}`, { skip: missing && 'the library has not both groups' }, async () => {
        const [g1, g2] = ['g1', 'g2'].map((which) => sumac.curve(name, which));
        const raw = (point) => concat([point.x, point.y].flat().map((n) => toBytes(BigInt(n), g1.fieldBytes)));
        const { cases } = JSON.parse(fs.readFileSync(file('pairings', 'gnark', `${name}.json`), 'utf8'));
        for (const one of cases) {
            const value = await context.pairingValue(name, raw(one.g1), raw(one.g2));
            assert.strictEqual(Buffer.from(value).reverse().toString('hex'), one.value);
        }
        const [p, q] = [raw(cases[0].g1), raw(cases[0].g2)];
        const times = (of, point, k) => context.createBasesSync(of, point).msmSync(toBytes(k, of.scalarBytes));
        // e(2P, 3Q) = e(P, Q) e(5P, Q)
        const expected = context.pairingValueSync(g2, concat([p, times(g1, p, 5n)]), concat([q, q]), { check: 'none' });
        assert.deepStrictEqual(context.pairingValueSync(g1, times(g1, p, 2n), times(g2, q, 3n)), expected);
        const one = toBytes(1n, expected.length);
        assert.deepStrictEqual(context.pairingValueSync(name, new Uint8Array(0), new Uint8Array(0)), one);
        assert.deepStrictEqual(context.pairingValueSync(name, concat([p, times(g1, p, g1.order - 1n)]), concat([q, q])), one);
        assert.throws(() => context.pairingValueSync(name, p, new Uint8Array(0)), { code: 'SUMAC_BAD_LENGTH' });
    });
}

test('maps', async () => {
    const raw = (number) => new Uint8Array(Buffer.from(number, 'hex').reverse());
    // This is a vector of RFC 9380's suite BLS12381G1_XMD:SHA-256_SSWU_NU_, for the empty message.
    const u = raw('156c8a6a2c184569d69a76be144b5cdc5141d2d2ca4fe341f011e25e3969c55ad9e9b9ce2eb833c81a908e5fa4ac5f03');
    const x = raw('184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ba');
    const y = raw('04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3');
    assert.deepStrictEqual(await context.mapToGroup('bls12-381', u), concat([x, y]));
    assert.deepStrictEqual(context.mapToGroupSync('bls12-381', new Uint8Array(0)), new Uint8Array(0));
    assert.throws(() => context.mapToGroupSync('bls12-381', u.subarray(1)), { code: 'SUMAC_BAD_LENGTH' });
    assert.throws(() => context.mapToGroupSync('bls12-381', new Uint8Array(48).fill(255)), { code: 'SUMAC_BAD_ENCODING' });
});

// ---- Blobs and cells ----

let setup;
const bytesOf = (text) => (typeof text === 'string' && text.startsWith('0x') ? new Uint8Array(Buffer.from(text.slice(2), 'hex')) : text);
const textOf = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;
const texts = (bytes, each) => split(bytes, each).map(textOf);
const both = ({ cells, proofs }) => [texts(cells, 2048), texts(proofs, 48)];
const CALLS = {
    blob_to_kzg_commitment: (i) => [setup, 'commit', [[i.blob]], textOf],
    compute_blob_kzg_proof: (i) => [setup, 'computeBlobProof', [[i.blob], [i.commitment]], textOf],
    compute_kzg_proof: (i) => [setup, 'computeProof', [[i.blob], [i.z]], ({ proofs, ys }) => [textOf(proofs), textOf(ys)]],
    compute_challenge: (i) => [context, 'blobChallenge', [i.blob, i.commitment], textOf],
    compute_cells: (i) => [setup, 'computeCells', [[i.blob], { proofs: false }], ({ cells }) => texts(cells, 2048)],
    compute_cells_and_kzg_proofs: (i) => [setup, 'computeCells', [[i.blob]], both],
    recover_cells_and_kzg_proofs: (i) => [setup, 'recoverCells', [i.cell_indices, i.cells], both],
    verify_kzg_proof: (i) => [setup, 'verifyProof', [[i.commitment], [i.z], [i.y], [i.proof]]],
    verify_blob_kzg_proof: (i) => [setup, 'verifyBlobProof', [[i.blob], [i.commitment], [i.proof]]],
    verify_blob_kzg_proof_batch: (i) => [setup, 'verifyBlobProof', [i.blobs, i.commitments, i.proofs]],
    verify_cell_kzg_proof_batch: (i) => [setup, 'verifyCells', [i.commitments, i.cell_indices, i.cells, i.proofs]],
    compute_verify_cell_kzg_proof_batch_challenge: (i) => [context, 'cellChallenge',
        [i.commitments, i.commitment_indices, i.cell_indices, i.cosets_evals.map((cell) => concat(cell)), i.proofs], textOf],
};

test('the consensus vectors', async (t) => {
    setup = await context.openKzgSetup(file('kzg', 'trusted_setup.txt'), { check: 'none', cells: true });
    for (const [name, make] of Object.entries(CALLS)) {
        await t.test(name, async () => {
            let found = [0, 0];
            for (const entry of fs.readdirSync(file('tests', name, 'kzg-mainnet'))) {
                const { input, output } = parseYaml(fs.readFileSync(file('tests', name, 'kzg-mainnet', entry, 'data.yaml'), 'utf8'));
                const deep = (value) => (Array.isArray(value) ? value.map(deep) : bytesOf(value));
                const given = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, deep(value)]));
                const [object, method, list, shape = (same) => same] = make(given);
                if (output === null) {
                    assert.throws(() => object[`${method}Sync`](...list), Error, entry);
                    await assert.rejects(object[method](...list), Error, entry);
                } else {
                    assert.deepStrictEqual(shape(await object[method](...list)), output, entry);
                }
                found[output === null ? 1 : 0]++;
            }
            assert.ok(found[0] >= 3, `${found}`);
        });
    }
});

test('setups, tables, cells that are odd', async () => {
    assert.ok(setup.tableBytes > 0);
    const saved = path.join(folder, 'setup');
    setup.saveSync(saved);
    const again = context.openKzgSetupSync(saved, { check: 'none' });
    const blob = read('kzg', 'blob.bin');
    const commitment = again.commitSync(blob);
    assert.deepStrictEqual(textOf(commitment), fs.readFileSync(file('kzg', 'commitment.txt'), 'utf8').trim().split(/\s+/).at(-1).replace(/^(0x)?/, '0x'));
    const points = fs.readFileSync(file('kzg', 'trusted_setup.txt'), 'utf8').trim().split(/\s+/).slice(2).map((h) => new Uint8Array(Buffer.from(h, 'hex')));
    const made = await context.createKzgSetup(points.slice(4096 + 65), points.slice(0, 4096), points.slice(4096, 4096 + 65), { check: 'curve' });
    assert.deepStrictEqual(made.commitSync([blob]), commitment);
    assert.throws(() => made.computeCellsSync(blob), { code: 'SUMAC_BAD_ARGUMENT' });
    const { cells, proofs } = again.computeCellsSync(blob);
    assert.deepStrictEqual(await again.computeCells(blob, { cells: false }), { cells: null, proofs });
    const indices = Array.from({ length: 100 }, (_, i) => i);
    const some = cells.slice(0, 100 * 2048);
    assert.deepStrictEqual(again.recoverCellsSync(indices, some, { checked: true }), { cells, proofs });
    some[3 * 2048 + 31] ^= 1;
    assert.ok((await again.recoverCells(indices, some, { proofs: false })).cells);
    await assert.rejects(again.recoverCells(indices, some, { proofs: false, checked: true }),
        { code: 'SUMAC_MISMATCH', blob: 0, cell: 3 });
});

// ---- Groth16 ----

for (const [circuit, name] of [['tiny-bn254', 'bn254'], ['tiny-bls12-381', 'bls12-381'], ['poseidon-bn254', 'bn254']]) {
    test(`Groth16: ${circuit}`, async () => {
        const at = (...parts) => file('groth16', circuit, ...parts);
        const key = await context.openGroth16Key(at('key.zkey'));
        const { info, verifying } = key;
        assert.deepStrictEqual([info.g1, info.g2, info.hasVerifyingKey], [sumac.curve(name), sumac.curve(name, 'g2'), true]);
        const witness = await key.openWitness(at('witness.wtns'));
        assert.deepStrictEqual(key.createWitnessSync(read('groth16', circuit, 'witness.wtns')), witness);
        await key.checkWitness(witness, at('circuit.r1cs'));
        const json = fs.readFileSync(at('public.json'), 'utf8');
        const publics = verifying.decodePublicsSync(json, 'snarkjs');
        assert.deepStrictEqual(key.publicsSync(witness), publics);
        assert.deepStrictEqual(publics, concat(JSON.parse(json).map((n) => toBytes(BigInt(n), 32))));
        assert.deepStrictEqual(JSON.parse(Buffer.from(verifying.encodePublicsSync(publics, 'snarkjs'))), JSON.parse(json));
        // The reference in Python computes these bytes for its random numbers.
        const randomness = concat([0x123456789abcdef0fedcba9876543210n, 0x2468ace13579bdfn].map((n) => toBytes(n, 32)));
        const fixed = await key.prove(witness, { randomness });
        assert.deepStrictEqual(fixed, read('groth16', circuit, 'expected.bin'));
        const other = verifying.decodeProofSync(fs.readFileSync(at('proof.json'), 'utf8'), 'snarkjs');
        const proofs = key.proveSync([witness, witness]);
        assert.notDeepStrictEqual(proofs.subarray(0, info.proofBytes), proofs.subarray(info.proofBytes));
        assert.strictEqual(await verifying.verify(publics, other), true);
        assert.strictEqual(await verifying.verify([publics, publics], proofs), true);
        const wrong = publics.slice();
        wrong[0] ^= 1;
        assert.strictEqual(verifying.verifySync(wrong, fixed), false);
        for (const format of ['snarkjs', 'gnark', 'gnark-raw']) {
            assert.deepStrictEqual(verifying.decodeProofSync(verifying.encodeProofSync(fixed, format), format), fixed);
            assert.deepStrictEqual(verifying.decodePublicsSync(verifying.encodePublicsSync(publics, format), format),
                publics);
        }
        assert.throws(() => key.proveSync(witness, { randomness, randomnessBytes: 4096 }), TypeError);
        assert.throws(() => verifying.encodeProofSync(fixed, 'json'), { code: 'SUMAC_UNKNOWN_FORMAT' });
        for (const [inputs, given] of [[publics, proofs], [[publics, publics], fixed], [new Uint8Array(0), new Uint8Array(0)]]) {
            assert.throws(() => verifying.verifySync(inputs, given), { code: 'SUMAC_BAD_LENGTH' });
        }
        assert.throws(() => key.publicsSync(witness.subarray(1)), { code: 'SUMAC_BAD_LENGTH' });
        const wires = context.createVectorSync(info.g1, 'scalars', info.wires);
        wires.writeSync(witness);
        assert.deepStrictEqual(await key.proveVector(wires, { randomness }), fixed);
        const prepared = path.join(folder, circuit);
        key.saveSync(prepared);
        for (const again of [context.openGroth16KeySync(prepared, { check: 'none' }),
            context.createGroth16KeySync(read('groth16', circuit, 'key.zkey'), { check: 'curve', precomputeFactor: 1 })]) {
            assert.deepStrictEqual(again.proveSync(witness, { randomness }), fixed);
        }
        const alone = await context.openGroth16VerifyingKey(at('verification_key.json'));
        assert.ok(alone.verifySync(publics, fixed) && alone.info.publics === info.publics);
        // A verifying key lives as long as an object or caller needs it, whoever owns it.
        key.close();
        assert.ok(verifying.verifySync(publics, fixed));
        witness[witness.length - 32] ^= 1;
        await assert.rejects(context.openGroth16KeySync(prepared).prove(witness), { code: 'SUMAC_NOT_SATISFIED' });
    });
}

// ---- PLONK ----

for (const [circuit, name, prefix] of [['tiny-bn254', 'bn254', ''], ['forms-bn254', 'bn254', ''], ['tiny-bls12-381', 'bls12-381', ''],
    ['forms-bn254', 'bn254', 'fflonk-']]) {
    test(`PLONK: ${prefix}${circuit}`, async () => {
        // Keys and proofs have the bytes of snarkjs', because the random numbers are those of tests/compat/plonk.
        const given = (name) => file('plonk', circuit, name);
        const of = (name) => file('plonk', prefix + circuit, name);
        const same = (made, expected) => assert.ok(Buffer.compare(made, expected) === 0);
        const zkey = path.join(folder, prefix + circuit);
        const protocol = prefix === '' ? 'plonk' : 'fflonk';
        await context.plonkSetup(given('circuit.r1cs'), file('plonk', `${prefix}${name}.ptau`), zkey, { protocol });
        const contents = fs.readFileSync(zkey);
        same(crypto.createHash('sha256').update(contents).digest(), fs.readFileSync(of('key.sha256')));
        const key = await context.openPlonkKey(zkey, { compact: true, check: 'curve' });
        const { verifying, info } = key;
        const blinding = new Uint8Array(info.blindingBytes);
        assert.ok(info.protocol === protocol && verifying.info.protocol === protocol);
        for (let i = 1n; i <= blinding.length / 32; i++) {
            let number = 1000003n ** i + i;
            for (let at = 32 * Number(i - 1n); number > 0n; at++, number >>= 8n) {
                blinding[at] = Number(number & 255n);
            }
        }
        const witness = await key.openWitness(given('witness.wtns'));
        same(key.createWitnessSync(fs.readFileSync(given('witness.wtns'))), witness);
        const publics = key.publicsSync(witness);
        const proof = await key.prove(witness, { blinding, unverified: true });
        same(verifying.encodeProofSync(proof, 'snarkjs'), fs.readFileSync(of('proof.json')));
        same(verifying.encodePublicsSync(publics, 'snarkjs'), fs.readFileSync(of('public.json')));
        same(await verifying.decodeProof(fs.readFileSync(of('proof.json')), 'snarkjs'), proof);
        same(verifying.decodePublicsSync(fs.readFileSync(of('public.json'), 'utf8'), 'snarkjs'), publics);
        const two = key.proveSync([witness, witness]);
        const other = await context.openPlonkVerifyingKey(of('verification_key.json'));
        assert.equal(await other.verify([publics, publics], two), true);
        const wrong = publics.slice();
        wrong[0] ^= 1;
        assert.equal(context.createPlonkVerifyingKeySync(contents).verifySync(wrong, proof), false);
        assert.ok(context.createPlonkKeySync(contents).info.keyBytes > info.keyBytes);
        witness[32] ^= 1;
        await assert.rejects(key.prove(witness), { code: 'SUMAC_NOT_SATISFIED' });
        assert.throws(() => key.proveSync(witness, { blinding: blinding.slice(1) }), { code: 'SUMAC_BAD_LENGTH' });
    });
}

test('PLONK: gnark', async () => {
    // A proof with gnark's random numbers has gnark's bytes.
    const bytes = (name) => read('gnark-plonk', 'several-bn254', name);
    const key = await context.createPlonkKey(bytes('key'));
    const { verifying, info } = key;
    assert.deepEqual([info.commitments, info.format, info.publics], [3, 'gnark', 2]);
    const witness = key.createWitnessSync(bytes('solution'));
    const proof = await key.prove(witness, { blinding: bytes('blinding') });
    assert.ok(Buffer.compare(verifying.encodeProofSync(proof, 'gnark'), bytes('proof')) === 0);
    assert.ok(Buffer.compare(verifying.decodeProofSync(bytes('proof.raw'), 'gnark-raw'), proof) === 0);
    assert.ok(Buffer.compare(verifying.encodePublicsSync(key.publicsSync(witness), 'gnark'), bytes('public')) === 0);
    const { numbers, hash } = await key.commit(0, new Uint8Array(32));
    assert.deepEqual([numbers.length, hash.length], [64, 32]);
    assert.throws(() => key.commitSync(3, new Uint8Array(32)), { code: 'SUMAC_BAD_ARGUMENT' });
});

test('Groth16: gnark', async () => {
    const at = (...parts) => file('gnark', 'bn254', ...parts);
    const verifying = context.openGroth16VerifyingKeySync(at('vk.compressed'));
    const key = context.openGroth16KeySync(at('pk.compressed'), { verifying });
    verifying.close();
    const proof = key.proveSync(key.openWitnessSync(at('solution')));
    const alone = context.createGroth16VerifyingKeySync(read('gnark', 'bn254', 'vk.raw'));
    assert.ok(alone.verifySync(alone.decodePublicsSync(read('gnark', 'bn254', 'public'), 'gnark'), proof));
});

// The solver's values are those that gnark's solver had, and gnark's proof is ours for gnark's r and s.
test('Groth16: commitments', async () => {
    const bytes = (name) => read('gnark', 'several-bn254', name);
    const wires = Array.from(new Uint32Array(new Uint8Array(bytes('commitment_wires')).buffer));
    const verifying = context.createGroth16VerifyingKeySync(bytes('vk.raw'));
    await assert.rejects(context.createGroth16Key(bytes('pk.raw'), { verifying, commitmentWires: wires.slice(1) }), { code: 'SUMAC_BAD_LENGTH' });
    const key = await context.createGroth16Key(bytes('pk.raw'), { verifying, commitmentWires: wires });
    assert.equal(key.info.commitments, 3);
    const witness = key.createWitnessSync(bytes('solution'));
    const value = (wire) => witness.slice(32 * wire, 32 * (wire + 1));
    const { commitment, hash } = await key.commit(0, Buffer.concat([1, wires[1], wires[2]].map(value)));
    assert.deepEqual(hash, value(wires[0]));
    const proof = key.proveSync(witness, { randomness: bytes('randomness') });
    assert.deepEqual(proof.slice(256, 320), commitment);
    assert.deepEqual(verifying.encodeProofSync(proof, 'gnark-raw'), new Uint8Array(bytes('proof.raw')));
    assert.throws(() => key.commitSync(3, value(1)), { code: 'SUMAC_BAD_ARGUMENT' });
    const hashing = context.createGroth16VerifyingKeySync(read('gnark', 'sha256', 'vk.raw'), { commitmentHash: 'sha256' });
    const publics = hashing.decodePublicsSync(read('gnark', 'sha256', 'public'), 'gnark');
    assert.ok(hashing.verifySync(publics, hashing.decodeProofSync(read('gnark', 'sha256', 'proof.raw'), 'gnark')));
});
