// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// Wrong arguments from JavaScript must cause an error with a sentence, and never a crash. The tests pass wrong types, lengths
// and orders, objects that are closed or in use, memory that is lost during a call, functions that throw, threads that end, and
// a missing engine. They also check that objects are freed, so that memory does not grow.
const { test } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const sumac = require('sumac-msm');
const { file, read } = require('./common');

const MEDIUM = 2 ** 15;

async function worker() {
    const { parentPort } = require('node:worker_threads');
    const context = new sumac.Context({ backend: 'cpu', threads: 1 });
    const bases = context.createKnownBasesSync('bn254', MEDIUM, 1);
    const scalars = context.knownLogarithmsSync('bn254', MEDIUM, 1);
    const answer = bases.msmSync(scalars);
    parentPort.postMessage(answer);
    if (workerData === 'end in calls') {
        for (let i = 0; i < 50; i++) {
            bases.msm(scalars).catch(() => {});
        }
        parentPort.postMessage('calls are under way');
        await new Promise(() => setInterval(() => {}, 1000));
    }
    if (workerData === 'end in a callback') {
        bases.msmSync(scalars, { onProgress() { parentPort.postMessage('in the callback'); for (;;); } });
    }
}

if (!isMainThread) {
    worker();
} else {
    tests();
}

function tests() {
    const context = new sumac.Context({ backend: 'cpu', threads: 2 });
    const curve = sumac.curve('bn254');
    const bases = context.createKnownBasesSync(curve, 16, 1);
    const scalars = context.knownLogarithmsSync(curve, 16, 2);
    const answer = bases.msmSync(scalars);
    const medium = context.createKnownBasesSync(curve, MEDIUM, 1);
    const long = context.knownLogarithmsSync(curve, MEDIUM, 2);
    const longAnswer = medium.msmSync(long);

    /** Check that both forms of a call fail with the same error. */
    async function fails(expected, object, name, ...given) {
        assert.throws(() => object[`${name}Sync`](...given), expected);
        await assert.rejects(object[name](...given), expected);
    }

    test('other types', async () => {
        for (const wrong of [undefined, null, 1, 'text', ['1', 2], [1.5], [{ x: 1n }], {}, new Float64Array(64), new DataView(new ArrayBuffer(512)),
            new ArrayBuffer(512), Symbol.iterator, () => 1]) {
            const refused = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
            await fails(refused, bases, 'msm', wrong);
            await fails(refused, context, 'createBases', curve, wrong);
        }
        for (const wrong of [undefined, null, 1, {}, context, curve, Object.create(sumac.Bases.prototype)]) {
            assert.throws(() => sumac.Bases.prototype.msmSync.call(wrong, scalars), TypeError);
            await assert.rejects(sumac.Bases.prototype.msm.call(wrong, scalars), TypeError);
            assert.throws(() => sumac.Context.prototype.checkSync.call(wrong === context ? bases : wrong), TypeError);
            if (wrong && wrong !== context) {
                await fails(TypeError, bases, 'msm', scalars, { context: wrong });
            }
        }
        for (const wrong of [1, 'text', [], scalars]) {
            await fails(TypeError, bases, 'msm', scalars, wrong);
        }
        await fails(TypeError, bases, 'msm', scalars, { batches: 2 });
        await fails(TypeError, bases, 'msm', scalars, { c: '7' });
        await fails(TypeError, bases, 'msm', scalars, { scalarForm: 1 });
        await fails(RangeError, bases, 'msm', scalars, { scalarForm: 'hexadecimal' });
        await fails(TypeError, bases, 'msm', scalars, { offsets: ['0', '16'] });
        await fails(TypeError, bases, 'msm', scalars, { signal: {} });
        await fails(TypeError, bases, 'msm', scalars, { onProgress: 1 });
        await fails(TypeError, context, 'openBases', curve, 1);
        await fails(TypeError, context, 'openBases', curve, 'a\0b');
        await fails(TypeError, context, 'openBases', 1, 'a');
        for (const Kind of [sumac.Bases, sumac.Vector, sumac.Curve, sumac.Call, sumac.KzgSetup]) {
            assert.throws(() => new Kind(), TypeError);
        }
        assert.throws(() => new sumac.Context({ threads: 'many' }), TypeError);
        assert.throws(() => new sumac.Context(7), TypeError);
        assert.throws(() => new sumac.Pool(), TypeError);
        assert.throws(() => sumac.curve(Symbol.iterator), TypeError);
    });

    test('points are on the curve unless told otherwise', async () => {
        const off = Buffer.from(context.createBasesSync(curve, [curve.generator, curve.generator]).readSync());
        off[curve.pointBytes] ^= 1;
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-'));
        const [points, one] = ['points', 'scalars'].map((name) => path.join(folder, name));
        fs.writeFileSync(points, off);
        fs.writeFileSync(one, Uint8Array.from({ length: 2 * curve.scalarBytes }, (_, i) => Number(i === curve.scalarBytes)));
        const vector = context.createVectorSync(curve, 'points', 2);
        const status = { code: 'SUMAC_NOT_ON_CURVE', message: new RegExp(`point (1|at byte ${curve.pointBytes})\\b`) };
        for (const options of [{}, { precomputeFactor: 2 }]) {
            await fails(status, context, 'createBases', curve, off, options);
            await fails(status, context, 'openBases', curve, points, options);
        }
        await fails(status, vector, 'write', off);
        await fails(status, context, 'decodePoints', curve, off, 'raw');
        await fails(status, context, 'msmFiles', curve, points, one);
        const taken = await context.createBases(curve, off, { check: 'none' });
        assert.deepStrictEqual(Buffer.from(taken.readSync()), off);
        await vector.write(off, { check: 'none' });
        assert.deepStrictEqual(Buffer.from(await context.decodePoints(curve, off, 'raw', { check: 'none' })), off);
        const { result } = await context.msmFiles(curve, points, one, { check: 'none' });
        assert.deepStrictEqual(Buffer.from(result), off.subarray(curve.pointBytes));
        fs.rmSync(folder, { recursive: true });
    });

    test('other numbers and lengths', async () => {
        for (const wrong of [-1, 1.5, NaN, Infinity, 2 ** 32]) {
            await fails(RangeError, bases, 'msm', scalars, { scalarBits: wrong });
        }
        await fails(RangeError, context, 'createKnownBases', curve, -1, 1);
        await fails(RangeError, context, 'createKnownBases', curve, 1, 2n ** 64n);
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msm', scalars.subarray(1));
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msm', new Uint8Array(17 * 32));
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msm', scalars, { batch: 3 });
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msm', scalars, { offsets: [0, 15] });
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msm', scalars, { offsets: [0, 16], batch: 2 });
        await fails({ code: 'SUMAC_BAD_ARGUMENT' }, bases, 'msm', scalars, { offsets: [0, 9, 8, 16] });
        await fails({ code: 'SUMAC_BAD_ARGUMENT' }, bases, 'msm', scalars, { tuning: 'c=99' });
        await fails({ code: 'SUMAC_BAD_LENGTH' }, context, 'createBases', curve, new Uint8Array(65));
        await fails({ code: 'SUMAC_BAD_ARGUMENT' }, bases, 'read', { first: 10, n: 7 });
        await fails({ code: 'SUMAC_BAD_ENCODING', message: /0/ }, context, 'createBases', curve, new Uint8Array(64).fill(255));
        await fails({ code: 'SUMAC_NOT_ON_CURVE', message: /point 0/ }, context, 'createBases', curve, new Uint8Array(64).fill(1));
        await fails({ code: 'SUMAC_CANNOT_OPEN', message: /no-such-file/ }, context, 'openBases', curve, '/no-such-file');
        await fails({ code: 'SUMAC_UNKNOWN_FORMAT' }, context, 'openBases', curve, file('kzg', 'blob.bin'), { format: 'none' });
        await fails({ code: 'SUMAC_UNKNOWN_FORMAT' }, context, 'decodePoints', curve, scalars, 'none');
        await fails({ code: 'SUMAC_UNKNOWN_PLAN' }, bases, 'msm', scalars, { tuning: 'plan=none' });
        await fails({ code: 'SUMAC_BAD_FILE' }, context, 'createGroth16Key', new Uint8Array(100));
        await fails({ code: 'SUMAC_BAD_LENGTH' }, context, 'blobChallenge', new Uint8Array(5), new Uint8Array(48));
        const order = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };
        await fails(order, bases, 'msm', new Array(16).fill(curve.order));
        await fails(order, bases, 'msm', new Array(16).fill(-1));
        await fails(order, context, 'createBases', curve, [{ x: curve.modulus, y: 0n }]);
        await fails({ code: 'SUMAC_NOT_ON_CURVE' }, context, 'createBases', curve, [{ x: 1n, y: 1n }]);
        await fails(TypeError, context, 'createBases', curve, [sumac.curve('bls12-381').generator]);
        await fails(TypeError, context, 'createBases', curve, [sumac.curve('bn254', 'g2').generator]);
        assert.throws(() => sumac.curve('none'), { name: 'SumacError', code: 'SUMAC_UNKNOWN_CURVE', message: /no none g1; it has .*bn254 g1/ });
        assert.throws(() => new sumac.Context({ backend: 'none' }), { code: 'SUMAC_UNKNOWN_BACKEND' });
        assert.throws(() => new sumac.Pool(0), { code: 'SUMAC_BAD_ARGUMENT' });
        const vector = context.createVectorSync(curve, 'scalars', 4);
        await fails({ code: 'SUMAC_BAD_LENGTH' }, vector, 'write', scalars.subarray(1));
        await fails({ code: 'SUMAC_BAD_ARGUMENT' }, vector, 'write', scalars);
        await fails({ code: 'SUMAC_BAD_LENGTH' }, vector, 'fill', scalars);
        await fails({ code: 'SUMAC_BAD_LENGTH' }, vector, 'ntt', { shift: new Uint8Array(5) });
        const prepared = bases.prepareMsmSync(16);
        await fails({ code: 'SUMAC_BAD_LENGTH' }, prepared, 'run', scalars.subarray(32));
        // A subclass reports wrong lengths, and a getter shortens an array after its check.
        class Longer extends Uint8Array { get byteLength() { return 512; } get length() { return 512; } }
        await fails({ code: 'SUMAC_BAD_LENGTH' }, prepared, 'run', new Longer(8));
        const buffer = new ArrayBuffer(512, { maxByteLength: 512 });
        const shrinks = new Uint8Array(buffer);
        assert.throws(() => bases.msmSync(shrinks, { get batch() { buffer.resize(32); return 2; } }), { code: 'SUMAC_BAD_LENGTH' });
    });

    test('fewer scalars than bases', async () => {
        const some = scalars.subarray(0, 8 * 32);
        const fewer = { name: 'SumacError', code: 'SUMAC_BAD_LENGTH', message: /give n if only the first of them are meant/ };
        const expected = context.knownAnswerSync(curve, some, context.knownLogarithmsSync(curve, 8, 1));
        for (const name of ['msm', 'msmPartial']) {
            await fails(fewer, bases, name, some);
            await fails(fewer, bases, name, new Uint8Array(0));
            await fails(fewer, bases, name, some, { first: 7 });
            await fails(fewer, bases, name, scalars, { batch: 2 });
            await fails(fewer, bases, name, some, { batch: 2, baseSets: 2 });
            await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, name, scalars, { batch: 3, baseSets: 3 });
            await fails({ code: 'SUMAC_BAD_LENGTH', message: /256 bytes are there, 224 are wanted/ }, bases, name, some, { n: 7 });
            await fails({ code: 'SUMAC_BAD_LENGTH', message: /256 bytes are there, 288 are wanted/ }, bases, name, some, { n: 9 });
            await fails({ code: 'SUMAC_BAD_LENGTH', message: /16 bases, and the scalars are for 17$/ }, bases, name, new Uint8Array(17 * 32));
            await fails(RangeError, bases, name, some, { n: -1 });
            await fails(TypeError, bases, name, some, { n: '8' });
        }
        assert.deepStrictEqual(bases.msmSync(some, { n: 8 }), expected);
        assert.deepStrictEqual(bases.msmSync(new Uint8Array(0), { n: 0 }), new Uint8Array(64));
        const [vector, results] = [['scalars', 8], ['points', 1]].map(([kind, count]) => context.createVectorSync(curve, kind, count));
        vector.writeSync(some.map((byte, i) => (i % 32 === 31 ? 0 : byte)));
        await fails(fewer, bases, 'msmVectors', vector, results);
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msmVectors', vector, results, { batch: 3 });
        bases.msmVectorsSync(vector, results, { n: 8 });
    });

    test('lists with holes, and lists that say something else of themselves', async () => {
        const setup = context.openKzgSetupSync(file('kzg', 'trusted_setup.txt'), { check: 'none' });
        const key = context.openGroth16KeySync(file('groth16', 'tiny-bn254', 'key.zkey'));
        const { publicsBytes, proofBytes, witnessBytes } = key.info;
        const zeros = (count) => new Uint8Array(count);
        const [blob, point, scalar, cell] = [131072, 48, 32, 2048].map(zeros);
        const vector = context.createVectorSync(curve, 'scalars', 1);
        // Each row has a call, its arguments with the list l, and a valid element. Every call must refuse a list with a hole in
        // place of an element.
        const calls = [
            [setup, 'commit', (l) => [l], blob],
            [setup, 'computeProof', (l) => [l, [scalar]], blob], [setup, 'computeProof', (l) => [[blob], l], scalar],
            [setup, 'computeBlobProof', (l) => [[blob], l], point],
            [setup, 'verifyProof', (l) => [[point], l, [scalar], [point]], scalar],
            [setup, 'verifyProof', (l) => [[point], [scalar], [scalar], l], point],
            [setup, 'verifyBlobProof', (l) => [l, [point], [point]], blob],
            [setup, 'verifyBlobProof', (l) => [[blob], l, [point]], point],
            [setup, 'computeCells', (l) => [l], blob],
            [setup, 'recoverCells', (l) => [[0], l], cell], [setup, 'recoverCells', (l) => [l, [cell]], 0],
            [setup, 'verifyCells', (l) => [[point], l, [cell], [point]], 0],
            [setup, 'verifyCells', (l) => [l, [0], [cell], [point]], point],
            [context, 'cellChallenge', (l) => [[point], l, [0], [cell], [point]], 0],
            [context, 'createKzgSetup', (l) => [l, [point], [zeros(96)]], point],
            [key, 'prove', (l) => [l], zeros(witnessBytes)],
            [key.verifying, 'verify', (l) => [l, [zeros(proofBytes)]], zeros(publicsBytes)],
            [key.verifying, 'verify', (l) => [[zeros(publicsBytes)], l], zeros(proofBytes)],
            [context, 'combinePartials', (l) => [curve, l], bases.msmPartialSync(scalars)],
            [vector, 'gather', (l) => [1, l, vector], 0],
            [bases, 'msm', (l) => [scalars, { offsets: l }], 0], [context, 'msmFiles', (l) => [curve, '/', '/', { msm: { offsets: l } }], 0],
        ];
        for (const [object, name, given, one] of calls) {
            const several = new Array(3);
            [several[0], several[2]] = [one, one];
            const silent = new Array(1);
            silent.forEach = () => {};
            silent[Symbol.iterator] = function* iterate() { yield one; };
            for (const list of [new Array(1), several, silent, [undefined], [null], new Array(2 ** 32 - 1)]) {
                await fails(TypeError, object, name, ...given(list));
            }
        }
        assert.throws(() => new sumac.Context({ backend: 'cpu', devices: new Array(1) }), TypeError);
        assert.throws(() => new sumac.Context({ backend: 'cpu', devices: [0], deviceWeights: new Array(1) }), TypeError);
        // Iterators that are shorter than their arrays have no effect. The call reads the elements that it checked.
        const short = (given) => Object.defineProperty(given, Symbol.iterator, { value: function* none() {} });
        assert.throws(() => new sumac.Context({ backend: 'cpu', devices: [0, 0], deviceWeights: short([1]) }), { code: 'SUMAC_BAD_LENGTH' });
        const weights = new DataView(new ArrayBuffer(8));
        assert.throws(() => new sumac.Context({ backend: 'cpu', deviceCount: sumac.constants.ALL_DEVICES, deviceWeights: weights }), TypeError);
        const witness = key.openWitnessSync(file('groth16', 'tiny-bn254', 'witness.wtns'));
        const randomness = new Uint8Array(64).fill(1);
        assert.deepStrictEqual(key.proveSync(witness, { randomness: short(randomness.slice()) }),
            key.proveSync(witness, { randomness }));
        assert.deepStrictEqual(bases.msmSync(scalars, { offsets: short([0, 16]) }), answer);
        // No call reads fewer offsets than its batch needs, not even a call that does not use offsets.
        for (const offsets of [[], [0], [0, 1, 2]]) {
            const given = { offsets, batch: 2 ** 20 };
            for (const name of ['msm', 'msmPartial']) {
                await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, name, scalars, given);
            }
            await fails(sumac.SumacError, bases, 'prepareMsm', 16, given);
            await fails(sumac.SumacError, context, 'planMsm', curve, 16, { msm: given });
            await fails(sumac.SumacError, context, 'msmFiles', curve, '/', '/', { msm: given });
            await fails(sumac.SumacError, bases, 'planMsm', 16, given);
            await fails(sumac.SumacError, bases, 'msmVectors', vector, vector, { ...given, n: 1 });
        }
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases, 'msm', scalars, { offsets: [0, 4, 8] }); // more than the offsets use
    });

    test('a batch of 0', async () => {
        // A batch of 0 in the options means the default, one MSM. As an argument it is refused.
        const refused = { name: 'SumacError', code: 'SUMAC_BAD_ARGUMENT', message: /batch is 0, and must be at least 1/ };
        assert.deepStrictEqual(bases.msmSync(scalars, { batch: 0 }), bases.msmSync(scalars));
        await fails(refused, context, 'combinePartials', curve, [bases.msmPartialSync(scalars)], { batch: 0 });
        await fails(refused, context, 'combinePartials', curve, [], { batch: 0 });
    });

    test('results that are too large', async () => {
        const none = new Uint8Array(0);
        const vector = context.createVectorSync(curve, 'scalars', 1);
        const key = context.openGroth16KeySync(file('groth16', 'tiny-bn254', 'key.zkey'));
        const batch = 2 ** 32 - 1;
        for (const [object, name, ...given] of [
            [context, 'knownLogarithms', curve, 2 ** 40, 1], [context, 'knownLogarithms', curve, Number.MAX_SAFE_INTEGER, 1],
            [bases, 'msm', none, { batch, n: 0 }], [bases, 'msmPartial', none, { batch, n: 0 }], [context, 'combinePartials', curve, [], { batch }],
            [key, 'proveVector', vector, { count: 2 ** 44 }]]) {
            await fails(RangeError, object, name, ...given);
        }
        await fails(RangeError, bases.prepareMsmSync(0, { batch }), 'run', none); // results are allocated when the call runs
        assert.deepStrictEqual(bases.msmSync(scalars), answer);
    });

    test('a missing library, a missing addon', () => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-'));
        const package_ = path.dirname(require.resolve('sumac-msm'));
        const line = () => {
            const { stderr, status } = spawnSync(process.execPath, ['-e', `try { require(${JSON.stringify(folder)}); } catch (e) { console.error(e.message); process.exit(3); }`],
                { encoding: 'utf8' });
            assert.strictEqual(status, 3);
            return stderr.replace(/\n$/, '');
        };
        try {
            for (const name of ['package.json', 'index.js', 'native.js', 'interface.js', 'find-library.sh', 'Makefile']) {
                fs.copyFileSync(path.join(package_, name), path.join(folder, name));
            }
            assert.match(line(), /^sumac: there is no built addon for linux on \w+; run `make` in .*, which needs sumac's library$/);
            // The addon needs a library that does not exist.
            const release = path.join(folder, 'build', 'Release');
            fs.mkdirSync(release, { recursive: true });
            const bytes = fs.readFileSync(path.join(package_, 'build', 'Release', 'sumac.node'));
            const at = bytes.indexOf('libsumac.so.');
            bytes.write('nosumac', at);
            fs.writeFileSync(path.join(release, 'sumac.node'), bytes);
            assert.match(line(), /^sumac: nosumac.*; install sumac's library, or set LD_LIBRARY_PATH=PREFIX\/lib if .*$/);
            fs.rmSync(path.join(folder, 'build'), { recursive: true });
            for (const command of [['./find-library.sh'], ['make', '-s']]) {
                const { stderr, status } = spawnSync(command[0], command.slice(1), { cwd: folder, encoding: 'utf8',
                    env: { ...process.env, PKG_CONFIG_PATH: folder, PKG_CONFIG_LIBDIR: folder } });
                assert.notStrictEqual(status, 0);
                assert.match(stderr, /^[^\n]*sumac's library is not found by pkg-config; install it, or set PKG_CONFIG_PATH=PREFIX\/lib\/pkgconfig[^\n]*\n$/);
            }
        } finally {
            fs.rmSync(folder, { recursive: true });
        }
    });

    test('a missing engine', async () => {
        const expected = { code: 'SUMAC_BACKEND_UNAVAILABLE', message: /engine|driver|device/ };
        let missing = true;
        try {
            new sumac.Context({ backend: 'cuda' }).close();
            missing = false;
        } catch (error) {
            assert.ok(error instanceof sumac.SumacError);
        }
        if (missing) {
            assert.throws(() => new sumac.Context({ backend: 'cuda' }), expected);
            assert.throws(() => new sumac.Pool(2, { backend: 'cuda' }), expected);
            await assert.rejects(sumac.Context.create({ backend: 'cuda' }), expected);
        }
    });

    test('objects that are closed', async () => {
        const own = new sumac.Context({ backend: 'cpu', threads: 1 });
        const points = own.createKnownBasesSync(curve, 16, 1);
        const call = points.prepareMsmSync(16);
        const closed = { name: 'SumacError', code: 'SUMAC_BAD_ARGUMENT', message: /is closed/ };
        const running = points.msm(scalars);
        points.close();
        points.close();
        own.close();
        assert.deepStrictEqual(await running, answer);
        await fails(closed, bases, 'msm', scalars, { context: own });
        await fails(closed, points, 'msm', scalars);
        assert.throws(() => points.count, closed);
        assert.throws(() => own.threads, closed);
        assert.deepStrictEqual(call.runSync(scalars), answer); // a prepared call keeps its bases
        call.close();
        await fails(closed, call, 'run', scalars);
        assert.throws(() => curve.close(), TypeError);
        const pool = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
        pool.close();
        await fails(closed, bases, 'msm', scalars, { context: pool });
    });

    test('calls at the same time', async () => {
        const own = new sumac.Context({ backend: 'cpu', threads: 1 });
        const order = [];
        const calls = [1, 2, 3].map((i) => medium.msm(long, { context: own }).then((found) => {
            order.push(i);
            assert.deepStrictEqual(found, longAnswer);
        }));
        assert.throws(() => bases.msmSync(scalars, { context: own }), { code: 'SUMAC_BUSY' });
        await Promise.all(calls);
        assert.deepStrictEqual(order, [1, 2, 3]);
        assert.deepStrictEqual(bases.msmSync(scalars, { context: own }), answer);
        const vector = own.createVectorSync(curve, 'scalars', MEDIUM);
        const writing = vector.write(long);
        const reading = vector.read(); // this call waits for its turn
        await fails({ code: 'SUMAC_BUSY' }, vector, 'read', { context });
        await writing;
        assert.deepStrictEqual(await reading, long);
        assert.deepStrictEqual(vector.readSync(), long);
        const pool = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
        const pooled = Array.from({ length: 5 }, () => medium.msm(long, { context: pool }));
        assert.throws(() => bases.msmSync(scalars, { context: pool }), { code: 'SUMAC_BUSY' });
        for (const found of await Promise.all(pooled)) {
            assert.deepStrictEqual(found, longAnswer);
        }
    });

    test('the event loop turns', async () => {
        let turns = 0;
        const timer = setInterval(() => turns++, 1);
        await Promise.all(Array.from({ length: 4 }, () => medium.msm(long)));
        clearInterval(timer);
        assert.ok(turns > 5, `${turns}`);
    });

    test('cancelled', async () => {
        const large = context.createKnownBasesSync(curve, 2 ** 17, 1);
        const many = context.knownLogarithmsSync(curve, 2 ** 17, 1);
        const controller = new AbortController();
        const calls = [1, 2].map(() => large.msm(many, { signal: controller.signal }));
        const reason = new Error('enough');
        setTimeout(() => controller.abort(reason), 10);
        for (const call of calls) {
            await assert.rejects(call, (error) => error === reason);
        }
        await fails({ name: 'AbortError' }, bases, 'msm', scalars, { signal: AbortSignal.abort() });
        assert.deepStrictEqual(bases.msmSync(scalars), answer);
        const second = new AbortController();
        assert.throws(() => large.msmSync(many, { signal: second.signal, onProgress: () => second.abort() }), { name: 'AbortError' });
        const seen = [];
        medium.msmSync(long, { onProgress: (done) => seen.push(done) });
        assert.ok(seen.length > 0 && seen.every((done) => done >= 0 && done <= 1));
        // Cancelling a waiting call, a run of a prepared call, or one of two calls of a pool ends no other call.
        const fourth = new AbortController();
        const [running, waiting] = [medium.msm(long), large.msm(many, { signal: fourth.signal })];
        fourth.abort();
        assert.deepStrictEqual(await running, longAnswer);
        await assert.rejects(waiting, { name: 'AbortError' });
        const prepared = large.prepareMsmSync(2 ** 17);
        const fifth = new AbortController();
        setTimeout(() => fifth.abort(), 10);
        await assert.rejects(prepared.run(many, { signal: fifth.signal }), { name: 'AbortError' });
        prepared.close();
        const two = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
        const sixth = new AbortController();
        const [stays, ends] = [medium.msm(long, { context: two }), large.msm(many, { signal: sixth.signal, context: two })];
        setTimeout(() => sixth.abort(), 10);
        await assert.rejects(ends, { name: 'AbortError' });
        assert.deepStrictEqual(await stays, longAnswer);
        two.close();
        assert.deepStrictEqual(bases.msmSync(scalars), answer);
        // A signal that lives longer than its calls keeps no listener of them.
        const third = new AbortController();
        await bases.msm(scalars, { signal: third.signal });
        assert.strictEqual(require('node:events').getEventListeners(third.signal, 'abort').length, 0);
    });

    test('functions that throw, and that call', async () => {
        const error = new Error('mine');
        const onProgress = () => { throw error; };
        assert.throws(() => medium.msmSync(long, { onProgress }), error);
        assert.deepStrictEqual(bases.msmSync(scalars), answer);
        const large = context.createKnownBasesSync(curve, 2 ** 17, 1);
        const many = context.knownLogarithmsSync(curve, 2 ** 17, 1);
        await assert.rejects(large.msm(many, { onProgress }), error);
        const own = new sumac.Context({ backend: 'cpu', threads: 1 });
        const points = own.createKnownBasesSync(curve, MEDIUM, 1);
        let busy = 0;
        const found = points.msmSync(long, { onProgress() {
            assert.throws(() => bases.msmSync(scalars, { context: own }), { code: 'SUMAC_BUSY' });
            assert.deepStrictEqual(bases.msmSync(scalars), answer);
            points.close();
            own.close();
            busy++;
        } });
        assert.ok(busy > 0);
        assert.deepStrictEqual(found, longAnswer);
        assert.throws(() => own.threads, { code: 'SUMAC_BAD_ARGUMENT' });
    });

    test('memory that goes away during a call', async () => {
        const lose = {
            transferred: (buffer) => structuredClone(buffer, { transfer: [buffer] }),
            shrunk: (buffer) => buffer.resize(0),
            overwritten: (buffer) => new Uint8Array(buffer).fill(255),
        };
        for (const [name, go] of Object.entries(lose)) {
            const buffer = name === 'shrunk' ? new ArrayBuffer(long.length, { maxByteLength: long.length }) : new ArrayBuffer(long.length);
            const given = new Uint8Array(buffer);
            given.set(long);
            const calls = [medium.msm(given), medium.msm(given)];
            go(buffer);
            global.gc?.();
            for (const call of calls) {
                assert.deepStrictEqual(await call, longAnswer, name);
            }
            const again = new Uint8Array(name === 'shrunk' ? new ArrayBuffer(long.length, { maxByteLength: long.length }) : long.length);
            again.set(long);
            let gone = false;
            const found = medium.msmSync(again, { onProgress() {
                if (!gone) {
                    gone = true;
                    go(again.buffer);
                }
            } });
            assert.deepStrictEqual(found, longAnswer, name);
        }
        const detached = new Uint8Array(512);
        structuredClone(detached.buffer, { transfer: [detached.buffer] });
        await fails({ code: 'SUMAC_BAD_LENGTH' }, bases.prepareMsmSync(16), 'run', detached);
        // Shared memory is neither copied nor detached. Parts of arrays may begin anywhere.
        const shared = new Uint8Array(new SharedArrayBuffer(long.length));
        shared.set(long);
        assert.deepStrictEqual(await medium.msm(shared), longAnswer);
        const odd = new Uint8Array(scalars.length + 3).subarray(3);
        odd.set(scalars);
        assert.deepStrictEqual(bases.msmSync(odd), answer);
        assert.deepStrictEqual(await bases.msm(odd), answer);
    });

    const alone = medium.msmSync(context.knownLogarithmsSync(curve, MEDIUM, 1));
    for (const what of ['return', 'end in calls', 'end in a callback']) {
        test(`workers: ${what}`, async () => {
            const workers = Array.from({ length: 2 }, () => new Worker(__filename, { workerData: what }));
            const ends = workers.map((one) => once(one, 'exit'));
            for (const [found] of await Promise.all(workers.map((one) => once(one, 'message')))) {
                assert.deepStrictEqual(found, alone);
            }
            if (what !== 'return') {
                workers.forEach((one) => one.terminate());
            }
            await Promise.all(ends);
        });
    }

    test('objects of another thread are none', async () => {
        const { port1, port2 } = new MessageChannel();
        port1.postMessage(bases);
        const [copy] = await once(port2, 'message').then(([event]) => [event.data ?? event]);
        port1.close();
        assert.throws(() => sumac.Bases.prototype.msmSync.call(copy, scalars), TypeError);
    });

    test('memory stays flat', { skip: global.gc ? false : 'without --expose-gc' }, async () => {
        const key = read('groth16', 'tiny-bn254', 'key.zkey');
        async function round(closes) {
            const own = new sumac.Context({ backend: 'cpu', threads: 1 });
            const points = own.createKnownBasesSync(curve, 2 ** 12, 1);
            const given = own.knownLogarithmsSync(curve, 2 ** 12, 1);
            points.msmSync(given);
            await points.msm(given);
            const call = points.prepareMsmSync(2 ** 12);
            await call.run(given);
            const vector = own.createVectorSync(curve, 'scalars', 2 ** 12);
            await vector.write(given.map((byte, i) => (i % 32 === 31 ? 0 : byte)));
            await vector.read();
            const opened = own.createGroth16KeySync(key);
            assert.ok(opened.verifying.info.publics >= 0);
            await assert.rejects(points.msm(given, { tuning: 'c=99' }));
            await assert.rejects(own.createGroth16Key(new Uint8Array(1000)));
            assert.throws(() => own.createBasesSync(curve, new Uint8Array(64).fill(255)));
            if (closes) {
                [opened.verifying, opened, vector, call, points, own].forEach((one) => one.close());
            }
        }
        async function rounds(count, closes) {
            for (let i = 0; i < count; i++) {
                await round(closes);
                if (i % 4 === 3) {
                    global.gc();
                    await new Promise(setImmediate);
                }
            }
            return process.memoryUsage().rss;
        }
        await rounds(12, true);
        for (const closes of [true, false]) {
            // A leak grows in every round. The heap of a process with many threads may grow once without a leak.
            const sizes = [await rounds(8, closes)];
            do {
                sizes.push(await rounds(32, closes));
            } while (sizes.at(-1) - sizes.at(-2) >= 8 * 2 ** 20 && sizes.length < 5);
            assert.ok(sizes.at(-1) - sizes.at(-2) < 8 * 2 ** 20, `${closes ? 'closed' : 'collected'}: ${sizes.join(', ')} bytes`);
        }
    });
}
