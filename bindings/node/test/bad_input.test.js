// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// Wrong arguments from JavaScript are an error with a sentence and never a crash: types, lengths and order, objects that are
// closed or in use, memory that goes away during a call, functions that throw, threads that end, a missing engine. Objects are
// freed: memory does not grow.
const { test } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const sumac = require('sumac');
const { file, read } = require('./common');

const MEDIUM = 2 ** 15;

async function worker() {
    const { parentPort } = require('node:worker_threads');
    const context = new sumac.Context({ backend: 'cpu', threads: 1 });
    const bases = context.knownBasesCreateSync('bn254', MEDIUM, 1);
    const scalars = context.knownLogarithmsSync('bn254', MEDIUM, 1);
    const answer = context.msmSync(bases, scalars);
    parentPort.postMessage(answer);
    if (workerData === 'end in calls') {
        for (let i = 0; i < 50; i++) {
            context.msm(bases, scalars).catch(() => {});
        }
        parentPort.postMessage('calls are under way');
        await new Promise(() => setInterval(() => {}, 1000));
    }
    if (workerData === 'end in a callback') {
        context.msmSync(bases, scalars, { onProgress() { parentPort.postMessage('in the callback'); for (;;); } });
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
    const bases = context.knownBasesCreateSync(curve, 16, 1);
    const scalars = context.knownLogarithmsSync(curve, 16, 2);
    const answer = context.msmSync(bases, scalars);
    const medium = context.knownBasesCreateSync(curve, MEDIUM, 1);
    const long = context.knownLogarithmsSync(curve, MEDIUM, 2);
    const longAnswer = context.msmSync(medium, long);

    /** Check that both forms of a call fail with the same error. */
    async function fails(expected, object, name, ...given) {
        assert.throws(() => object[`${name}Sync`](...given), expected);
        await assert.rejects(object[name](...given), expected);
    }

    test('other types', async () => {
        for (const wrong of [undefined, null, 1, 'text', [1, 2], {}, new Uint16Array(256), new Float64Array(64), new DataView(new ArrayBuffer(512)),
            new ArrayBuffer(512), Symbol.iterator, () => 1]) {
            await fails(TypeError, context, 'msm', bases, wrong);
            await fails(TypeError, context, 'basesCreate', curve, wrong);
        }
        for (const wrong of [undefined, null, 1, {}, context, curve, Object.create(sumac.Bases.prototype)]) {
            await fails(TypeError, context, 'msm', wrong, scalars);
            assert.throws(() => sumac.Context.prototype.msmSync.call(wrong === context ? bases : wrong, bases, scalars), TypeError);
        }
        for (const wrong of [1, 'text', [], scalars]) {
            await fails(TypeError, context, 'msm', bases, scalars, wrong);
        }
        await fails(TypeError, context, 'msm', bases, scalars, { batches: 2 });
        await fails(TypeError, context, 'msm', bases, scalars, { c: '7' });
        await fails(TypeError, context, 'msm', bases, scalars, { scalarForm: 1 });
        await fails(RangeError, context, 'msm', bases, scalars, { scalarForm: 'hexadecimal' });
        await fails(TypeError, context, 'msm', bases, scalars, { offsets: ['0', '16'] });
        await fails(TypeError, context, 'msm', bases, scalars, { signal: {} });
        await fails(TypeError, context, 'msm', bases, scalars, { onProgress: 1 });
        await fails(TypeError, context, 'basesOpen', curve, 1);
        await fails(TypeError, context, 'basesOpen', curve, 'a\0b');
        await fails(TypeError, context, 'basesOpen', 1, 'a');
        for (const Kind of [sumac.Bases, sumac.Vector, sumac.Curve, sumac.Call, sumac.KzgSetup]) {
            assert.throws(() => new Kind(), TypeError);
        }
        assert.throws(() => new sumac.Context({ threads: 'many' }), TypeError);
        assert.throws(() => new sumac.Context(7), TypeError);
        assert.throws(() => new sumac.Pool(), TypeError);
        assert.throws(() => sumac.curve(Symbol.iterator), TypeError);
    });

    test('points are on the curve unless told otherwise', async () => {
        const off = Buffer.concat([curve.generator, curve.generator]);
        off[curve.pointBytes] ^= 1;
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-'));
        const [points, one] = ['points', 'scalars'].map((name) => path.join(folder, name));
        fs.writeFileSync(points, off);
        fs.writeFileSync(one, Uint8Array.from({ length: 2 * curve.scalarBytes }, (_, i) => Number(i === curve.scalarBytes)));
        const vector = context.vectorCreateSync(curve, 'points', 2);
        const status = { status: 'NOT_ON_CURVE', message: new RegExp(`point (1|at byte ${curve.pointBytes})\\b`) };
        for (const options of [{}, { precomputeFactor: 2 }]) {
            await fails(status, context, 'basesCreate', curve, off, options);
            await fails(status, context, 'basesOpen', curve, points, options);
        }
        await fails(status, context, 'vectorSet', vector, off);
        await fails(status, context, 'pointsDecode', curve, off, 'raw');
        await fails(status, context, 'msmFiles', curve, points, one);
        const taken = await context.basesCreate(curve, off, { check: 'none' });
        assert.deepStrictEqual(Buffer.from(context.basesGetSync(taken)), off);
        await context.vectorSet(vector, off, { check: 'none' });
        assert.deepStrictEqual(Buffer.from(await context.pointsDecode(curve, off, 'raw', { check: 'none' })), off);
        const { result } = await context.msmFiles(curve, points, one, { check: 'none' });
        assert.deepStrictEqual(Buffer.from(result), off.subarray(curve.pointBytes));
        fs.rmSync(folder, { recursive: true });
    });

    test('other numbers and lengths', async () => {
        for (const wrong of [-1, 1.5, NaN, Infinity, 2 ** 32]) {
            await fails(RangeError, context, 'msm', bases, scalars, { scalarBits: wrong });
        }
        await fails(RangeError, context, 'knownBasesCreate', curve, -1, 1);
        await fails(RangeError, context, 'knownBasesCreate', curve, 1, 2n ** 64n);
        await fails({ status: 'BAD_LENGTH' }, context, 'msm', bases, scalars.subarray(1));
        await fails({ status: 'BAD_LENGTH' }, context, 'msm', bases, new Uint8Array(17 * 32));
        await fails({ status: 'BAD_LENGTH' }, context, 'msm', bases, scalars, { batch: 3 });
        await fails({ status: 'BAD_LENGTH' }, context, 'msm', bases, scalars, { offsets: [0, 15] });
        await fails({ status: 'BAD_LENGTH' }, context, 'msm', bases, scalars, { offsets: [0, 16], batch: 2 });
        await fails({ status: 'BAD_ARGUMENT' }, context, 'msm', bases, scalars, { offsets: [0, 9, 8, 16] });
        await fails({ status: 'BAD_ARGUMENT' }, context, 'msm', bases, scalars, { tuning: 'c=99' });
        await fails({ status: 'BAD_LENGTH' }, context, 'basesCreate', curve, new Uint8Array(65));
        await fails({ status: 'BAD_ARGUMENT' }, context, 'basesGet', bases, { first: 10, n: 7 });
        await fails({ status: 'BAD_ENCODING', message: /0/ }, context, 'basesCreate', curve, new Uint8Array(64).fill(255));
        await fails({ status: 'NOT_ON_CURVE', message: /point 0/ }, context, 'basesCreate', curve, new Uint8Array(64).fill(1));
        await fails({ status: 'CANNOT_OPEN', message: /no-such-file/ }, context, 'basesOpen', curve, '/no-such-file');
        await fails({ status: 'UNKNOWN_FORMAT' }, context, 'basesOpen', curve, file('kzg', 'blob.bin'), { format: 'none' });
        await fails({ status: 'UNKNOWN_FORMAT' }, context, 'pointsDecode', curve, scalars, 'none');
        await fails({ status: 'UNKNOWN_PLAN' }, context, 'msm', bases, scalars, { tuning: 'plan=none' });
        await fails({ status: 'BAD_FILE' }, context, 'groth16KeyCreate', new Uint8Array(100));
        await fails({ status: 'BAD_LENGTH' }, context, 'kzgBlobChallenge', new Uint8Array(5), new Uint8Array(48));
        assert.throws(() => sumac.curve('none'), { name: 'SumacError', status: 'UNKNOWN_CURVE', code: 'SUMAC_UNKNOWN_CURVE' });
        assert.throws(() => new sumac.Context({ backend: 'none' }), { status: 'UNKNOWN_BACKEND' });
        assert.throws(() => new sumac.Pool(0), { status: 'BAD_ARGUMENT' });
        const vector = context.vectorCreateSync(curve, 'scalars', 4);
        await fails({ status: 'BAD_LENGTH' }, context, 'vectorSet', vector, scalars.subarray(1));
        await fails({ status: 'BAD_ARGUMENT' }, context, 'vectorSet', vector, scalars);
        await fails({ status: 'BAD_LENGTH' }, context, 'vectorFill', vector, scalars);
        await fails({ status: 'BAD_LENGTH' }, context, 'vectorNtt', vector, { shift: new Uint8Array(5) });
        const prepared = context.msmPrepareSync(bases, 16);
        await fails({ status: 'BAD_LENGTH' }, prepared, 'run', scalars.subarray(32));
        // A subclass reports wrong lengths, and a getter shortens an array after its check.
        class Longer extends Uint8Array { get byteLength() { return 512; } get length() { return 512; } }
        await fails({ status: 'BAD_LENGTH' }, prepared, 'run', new Longer(8));
        const buffer = new ArrayBuffer(512, { maxByteLength: 512 });
        const shrinks = new Uint8Array(buffer);
        assert.throws(() => context.msmSync(bases, shrinks, { get batch() { buffer.resize(32); return 2; } }), { status: 'BAD_LENGTH' });
    });

    test('fewer scalars than bases', async () => {
        const some = scalars.subarray(0, 8 * 32);
        const fewer = { name: 'SumacError', status: 'BAD_LENGTH', message: /give n if only the first of them are meant/ };
        const expected = context.knownAnswerSync(curve, some, context.knownLogarithmsSync(curve, 8, 1));
        for (const name of ['msm', 'msmPartial']) {
            await fails(fewer, context, name, bases, some);
            await fails(fewer, context, name, bases, new Uint8Array(0));
            await fails(fewer, context, name, bases, some, { first: 7 });
            await fails(fewer, context, name, bases, scalars, { batch: 2 });
            await fails(fewer, context, name, bases, some, { batch: 2, baseSets: 2 });
            await fails({ status: 'BAD_LENGTH' }, context, name, bases, scalars, { batch: 3, baseSets: 3 });
            await fails({ status: 'BAD_LENGTH', message: /256 bytes are there, 224 are wanted/ }, context, name, bases, some, { n: 7 });
            await fails({ status: 'BAD_LENGTH', message: /256 bytes are there, 288 are wanted/ }, context, name, bases, some, { n: 9 });
            await fails({ status: 'BAD_LENGTH', message: /16 bases, and the scalars are for 17$/ }, context, name, bases, new Uint8Array(17 * 32));
            await fails(RangeError, context, name, bases, some, { n: -1 });
            await fails(TypeError, context, name, bases, some, { n: '8' });
        }
        assert.deepStrictEqual(context.msmSync(bases, some, { n: 8 }), expected);
        assert.deepStrictEqual(context.msmSync(bases, new Uint8Array(0), { n: 0 }), new Uint8Array(64));
        const [vector, results] = [['scalars', 8], ['points', 1]].map(([kind, count]) => context.vectorCreateSync(curve, kind, count));
        context.vectorSetSync(vector, some.map((byte, i) => (i % 32 === 31 ? 0 : byte)));
        await fails(fewer, context, 'msmVectors', bases, vector, results);
        await fails({ status: 'BAD_LENGTH' }, context, 'msmVectors', bases, vector, results, { batch: 3 });
        context.msmVectorsSync(bases, vector, results, { n: 8 });
    });

    test('lists with holes, and lists that say something else of themselves', async () => {
        const setup = context.kzgOpenSync(file('kzg', 'trusted_setup.txt'), { check: 'none' });
        const key = context.groth16KeyOpenSync(file('groth16', 'tiny-bn254', 'key.zkey'));
        const { publicsBytes, proofBytes, witnessBytes } = key.info;
        const zeros = (count) => new Uint8Array(count);
        const [blob, point, scalar, cell] = [131072, 48, 32, 2048].map(zeros);
        const vector = context.vectorCreateSync(curve, 'scalars', 1);
        // Each row has a call, its arguments with the list l, and a valid element: every call refuses a hole in place of one.
        const calls = [
            ['kzgCommit', (l) => [setup, l], blob],
            ['kzgComputeProof', (l) => [setup, l, [scalar]], blob], ['kzgComputeProof', (l) => [setup, [blob], l], scalar],
            ['kzgComputeBlobProof', (l) => [setup, [blob], l], point],
            ['kzgVerifyProof', (l) => [setup, [point], l, [scalar], [point]], scalar],
            ['kzgVerifyProof', (l) => [setup, [point], [scalar], [scalar], l], point],
            ['kzgVerifyBlobProof', (l) => [setup, l, [point], [point]], blob],
            ['kzgVerifyBlobProof', (l) => [setup, [blob], l, [point]], point],
            ['kzgCells', (l) => [setup, l], blob],
            ['kzgRecover', (l) => [setup, [0], l], cell], ['kzgRecover', (l) => [setup, l, [cell]], 0],
            ['kzgVerifyCells', (l) => [setup, [point], l, [cell], [point]], 0],
            ['kzgVerifyCells', (l) => [setup, l, [0], [cell], [point]], point],
            ['kzgCellChallenge', (l) => [[point], l, [0], [cell], [point]], 0],
            ['kzgCreate', (l) => [l, [point], [zeros(96)]], point],
            ['groth16Prove', (l) => [key, l], zeros(witnessBytes)],
            ['groth16Verify', (l) => [key.verifying, l, [zeros(proofBytes)]], zeros(publicsBytes)],
            ['groth16Verify', (l) => [key.verifying, [zeros(publicsBytes)], l], zeros(proofBytes)],
            ['partialCombine', (l) => [curve, l], context.msmPartialSync(bases, scalars)],
            ['vectorGather', (l) => [vector, 1, l, vector], 0],
            ['msm', (l) => [bases, scalars, { offsets: l }], 0], ['msmFiles', (l) => [curve, '/', '/', { msm: { offsets: l } }], 0],
        ];
        for (const [name, given, one] of calls) {
            const several = new Array(3);
            [several[0], several[2]] = [one, one];
            const silent = new Array(1);
            silent.forEach = () => {};
            silent[Symbol.iterator] = function* iterate() { yield one; };
            for (const list of [new Array(1), several, silent, [undefined], [null], new Array(2 ** 32 - 1)]) {
                await fails(TypeError, context, name, ...given(list));
            }
        }
        assert.throws(() => new sumac.Context({ backend: 'cpu', devices: new Array(1) }), TypeError);
        assert.throws(() => new sumac.Context({ backend: 'cpu', devices: [0], deviceWeights: new Array(1) }), TypeError);
        // Iterators that are shorter than their arrays have no effect: the call reads the elements that it checked.
        const short = (given) => Object.defineProperty(given, Symbol.iterator, { value: function* none() {} });
        assert.throws(() => new sumac.Context({ backend: 'cpu', devices: [0, 0], deviceWeights: short([1]) }), { status: 'BAD_LENGTH' });
        const weights = new DataView(new ArrayBuffer(8));
        assert.throws(() => new sumac.Context({ backend: 'cpu', deviceCount: sumac.constants.ALL_DEVICES, deviceWeights: weights }), TypeError);
        const witness = context.groth16WitnessOpenSync(key, file('groth16', 'tiny-bn254', 'witness.wtns'));
        const randomness = new Uint8Array(64).fill(1);
        assert.deepStrictEqual(context.groth16ProveSync(key, witness, { randomness: short(randomness.slice()) }),
            context.groth16ProveSync(key, witness, { randomness }));
        assert.deepStrictEqual(context.msmSync(bases, scalars, { offsets: short([0, 16]) }), answer);
        // No call reads too few offsets for the batch, not even a call that does not use them.
        for (const offsets of [[], [0], [0, 1, 2]]) {
            const given = { offsets, batch: 2 ** 20 };
            for (const name of ['msm', 'msmPartial']) {
                await fails({ status: 'BAD_LENGTH' }, context, name, bases, scalars, given);
            }
            await fails(sumac.SumacError, context, 'msmPrepare', bases, 16, given);
            await fails(sumac.SumacError, context, 'planCreate', curve, 16, { msm: given });
            await fails(sumac.SumacError, context, 'msmFiles', curve, '/', '/', { msm: given });
            await fails(sumac.SumacError, context, 'msmPlan', bases, 16, given);
            await fails(sumac.SumacError, context, 'msmVectors', bases, vector, vector, { ...given, n: 1 });
        }
        await fails({ status: 'BAD_LENGTH' }, context, 'msm', bases, scalars, { offsets: [0, 4, 8] }); // scalars are left over
    });

    test('a batch of 0', async () => {
        // In options 0 is the default, one MSM; as an argument it is refused.
        const refused = { name: 'SumacError', status: 'BAD_ARGUMENT', message: /batch is 0, and must be at least 1/ };
        assert.deepStrictEqual(context.msmSync(bases, scalars, { batch: 0 }), context.msmSync(bases, scalars));
        await fails(refused, context, 'partialCombine', curve, [context.msmPartialSync(bases, scalars)], { batch: 0 });
        await fails(refused, context, 'partialCombine', curve, [], { batch: 0 });
    });

    test('results that are too large', async () => {
        const none = new Uint8Array(0);
        const vector = context.vectorCreateSync(curve, 'scalars', 1);
        const key = context.groth16KeyOpenSync(file('groth16', 'tiny-bn254', 'key.zkey'));
        const batch = 2 ** 32 - 1;
        for (const [name, ...given] of [
            ['knownLogarithms', curve, 2 ** 40, 1], ['knownLogarithms', curve, Number.MAX_SAFE_INTEGER, 1],
            ['msm', bases, none, { batch, n: 0 }], ['msmPartial', bases, none, { batch, n: 0 }], ['partialCombine', curve, [], { batch }],
            ['groth16ProveVector', key, vector, { count: 2 ** 44 }], ['msmPrepare', bases, 0, { batch }]]) {
            if (name !== 'msmPrepare') {
                await fails(RangeError, context, name, ...given);
                continue;
            }
            const prepared = context.msmPrepareSync(...given); // results are allocated when it runs
            await fails(RangeError, prepared, 'run', none);
        }
        assert.deepStrictEqual(context.msmSync(bases, scalars), answer);
    });

    test('a missing library, a missing addon', () => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-'));
        const package_ = path.dirname(require.resolve('sumac'));
        const line = () => {
            const { stderr, status } = spawnSync(process.execPath, ['-e', `try { require(${JSON.stringify(folder)}); } catch (e) { console.error(e.message); process.exit(3); }`],
                { encoding: 'utf8' });
            assert.strictEqual(status, 3);
            return stderr.replace(/\n$/, '');
        };
        try {
            for (const name of ['package.json', 'index.js', 'interface.js', 'find-library.sh', 'Makefile']) {
                fs.copyFileSync(path.join(package_, name), path.join(folder, name));
            }
            assert.match(line(), /^sumac: the addon is not built; run `npm rebuild` or `make` in .*$/);
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
        const expected = { status: 'BACKEND_UNAVAILABLE', message: /engine|driver|device/ };
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
        const points = own.knownBasesCreateSync(curve, 16, 1);
        const call = own.msmPrepareSync(points, 16);
        const closed = { name: 'SumacError', status: 'BAD_ARGUMENT', message: /is closed/ };
        const running = own.msm(points, scalars);
        points.close();
        points.close();
        own.close();
        assert.deepStrictEqual(await running, answer);
        await fails(closed, own, 'msm', bases, scalars);
        await fails(closed, context, 'msm', points, scalars);
        assert.throws(() => points.count, closed);
        assert.throws(() => own.threads, closed);
        assert.deepStrictEqual(call.runSync(scalars), answer); // a prepared call keeps its bases
        call.close();
        await fails(closed, call, 'run', scalars);
        assert.throws(() => curve.close(), TypeError);
        const pool = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
        pool.close();
        await fails(closed, pool, 'msm', bases, scalars);
    });

    test('calls at the same time', async () => {
        const own = new sumac.Context({ backend: 'cpu', threads: 1 });
        const order = [];
        const calls = [1, 2, 3].map((i) => own.msm(medium, long).then((found) => {
            order.push(i);
            assert.deepStrictEqual(found, longAnswer);
        }));
        assert.throws(() => own.msmSync(bases, scalars), { status: 'BUSY' });
        await Promise.all(calls);
        assert.deepStrictEqual(order, [1, 2, 3]);
        assert.deepStrictEqual(own.msmSync(bases, scalars), answer);
        const vector = own.vectorCreateSync(curve, 'scalars', MEDIUM);
        const writing = own.vectorSet(vector, long);
        const reading = own.vectorGet(vector); // it waits for its turn
        await fails({ status: 'BUSY' }, context, 'vectorGet', vector);
        await writing;
        assert.deepStrictEqual(await reading, long);
        assert.deepStrictEqual(context.vectorGetSync(vector), long);
        const pool = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
        const pooled = Array.from({ length: 5 }, () => pool.msm(medium, long));
        assert.throws(() => pool.msmSync(bases, scalars), { status: 'BUSY' });
        for (const found of await Promise.all(pooled)) {
            assert.deepStrictEqual(found, longAnswer);
        }
    });

    test('the event loop turns', async () => {
        let turns = 0;
        const timer = setInterval(() => turns++, 1);
        await Promise.all(Array.from({ length: 4 }, () => context.msm(medium, long)));
        clearInterval(timer);
        assert.ok(turns > 5, `${turns}`);
    });

    test('cancelled', async () => {
        const large = context.knownBasesCreateSync(curve, 2 ** 17, 1);
        const many = context.knownLogarithmsSync(curve, 2 ** 17, 1);
        const controller = new AbortController();
        const calls = [1, 2].map(() => context.msm(large, many, { signal: controller.signal }));
        setTimeout(() => controller.abort('enough'), 10);
        for (const call of calls) {
            await assert.rejects(call, { name: 'SumacError', status: 'CANCELLED', cause: 'enough' });
        }
        await fails({ status: 'CANCELLED' }, context, 'msm', bases, scalars, { signal: AbortSignal.abort() });
        assert.deepStrictEqual(context.msmSync(bases, scalars), answer);
        const second = new AbortController();
        assert.throws(() => context.msmSync(large, many, { signal: second.signal, onProgress: () => second.abort() }), { status: 'CANCELLED' });
        const seen = [];
        context.msmSync(medium, long, { onProgress: (done) => seen.push(done) });
        assert.ok(seen.length > 0 && seen.every((done) => done >= 0 && done <= 1));
        // Cancelling a waiting call, a run of a prepared call, or one of two calls of a pool ends no other call.
        const fourth = new AbortController();
        const [running, waiting] = [context.msm(medium, long), context.msm(large, many, { signal: fourth.signal })];
        fourth.abort();
        assert.deepStrictEqual(await running, longAnswer);
        await assert.rejects(waiting, { status: 'CANCELLED' });
        const prepared = context.msmPrepareSync(large, 2 ** 17);
        const fifth = new AbortController();
        setTimeout(() => fifth.abort(), 10);
        await assert.rejects(prepared.run(many, { signal: fifth.signal }), { status: 'CANCELLED' });
        prepared.close();
        const two = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
        const sixth = new AbortController();
        const [stays, ends] = [two.msm(medium, long), two.msm(large, many, { signal: sixth.signal })];
        setTimeout(() => sixth.abort(), 10);
        await assert.rejects(ends, { status: 'CANCELLED' });
        assert.deepStrictEqual(await stays, longAnswer);
        two.close();
        assert.deepStrictEqual(context.msmSync(bases, scalars), answer);
        // A signal that outlives its calls keeps no listener of them.
        const third = new AbortController();
        await context.msm(bases, scalars, { signal: third.signal });
        assert.strictEqual(require('node:events').getEventListeners(third.signal, 'abort').length, 0);
    });

    test('functions that throw, and that call', async () => {
        const error = new Error('mine');
        const onProgress = () => { throw error; };
        assert.throws(() => context.msmSync(medium, long, { onProgress }), error);
        assert.deepStrictEqual(context.msmSync(bases, scalars), answer);
        const large = context.knownBasesCreateSync(curve, 2 ** 17, 1);
        const many = context.knownLogarithmsSync(curve, 2 ** 17, 1);
        await assert.rejects(context.msm(large, many, { onProgress }), error);
        const own = new sumac.Context({ backend: 'cpu', threads: 1 });
        const points = own.knownBasesCreateSync(curve, MEDIUM, 1);
        let busy = 0;
        const found = own.msmSync(points, long, { onProgress() {
            assert.throws(() => own.msmSync(bases, scalars), { status: 'BUSY' });
            assert.deepStrictEqual(context.msmSync(bases, scalars), answer);
            points.close();
            own.close();
            busy++;
        } });
        assert.ok(busy > 0);
        assert.deepStrictEqual(found, longAnswer);
        assert.throws(() => own.threads, { status: 'BAD_ARGUMENT' });
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
            const calls = [context.msm(medium, given), context.msm(medium, given)];
            go(buffer);
            global.gc?.();
            for (const call of calls) {
                assert.deepStrictEqual(await call, longAnswer, name);
            }
            const again = new Uint8Array(name === 'shrunk' ? new ArrayBuffer(long.length, { maxByteLength: long.length }) : long.length);
            again.set(long);
            let gone = false;
            const found = context.msmSync(medium, again, { onProgress() {
                if (!gone) {
                    gone = true;
                    go(again.buffer);
                }
            } });
            assert.deepStrictEqual(found, longAnswer, name);
        }
        const detached = new Uint8Array(512);
        structuredClone(detached.buffer, { transfer: [detached.buffer] });
        await fails({ status: 'BAD_LENGTH' }, context.msmPrepareSync(bases, 16), 'run', detached);
        // Shared memory is neither copied nor detached; pieces of arrays may begin anywhere.
        const shared = new Uint8Array(new SharedArrayBuffer(long.length));
        shared.set(long);
        assert.deepStrictEqual(await context.msm(medium, shared), longAnswer);
        const odd = new Uint8Array(scalars.length + 3).subarray(3);
        odd.set(scalars);
        assert.deepStrictEqual(context.msmSync(bases, odd), answer);
        assert.deepStrictEqual(await context.msm(bases, odd), answer);
    });

    const alone = context.msmSync(medium, context.knownLogarithmsSync(curve, MEDIUM, 1));
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
        await fails(TypeError, context, 'msm', copy, scalars);
    });

    test('memory stays flat', { skip: global.gc ? false : 'without --expose-gc' }, async () => {
        const key = read('groth16', 'tiny-bn254', 'key.zkey');
        async function round(closes) {
            const own = new sumac.Context({ backend: 'cpu', threads: 1 });
            const points = own.knownBasesCreateSync(curve, 2 ** 12, 1);
            const given = own.knownLogarithmsSync(curve, 2 ** 12, 1);
            own.msmSync(points, given);
            await own.msm(points, given);
            const call = own.msmPrepareSync(points, 2 ** 12);
            await call.run(given);
            const vector = own.vectorCreateSync(curve, 'scalars', 2 ** 12);
            await own.vectorSet(vector, given.map((byte, i) => (i % 32 === 31 ? 0 : byte)));
            await own.vectorGet(vector);
            const opened = own.groth16KeyCreateSync(key);
            assert.ok(opened.verifying.info.publics >= 0);
            await assert.rejects(own.msm(points, given, { tuning: 'c=99' }));
            await assert.rejects(own.groth16KeyCreate(new Uint8Array(1000)));
            assert.throws(() => own.basesCreateSync(curve, new Uint8Array(64).fill(255)));
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
            // A leak grows in every round, but the heap of a process with many threads may grow once without a leak.
            const sizes = [await rounds(8, closes)];
            do {
                sizes.push(await rounds(32, closes));
            } while (sizes.at(-1) - sizes.at(-2) >= 8 * 2 ** 20 && sizes.length < 5);
            assert.ok(sizes.at(-1) - sizes.at(-2) < 8 * 2 ** 20, `${closes ? 'closed' : 'collected'}: ${sizes.join(', ')} bytes`);
        }
    });
}
