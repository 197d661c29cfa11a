// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// MSMs, bases, formats, plans and files are compared with the vectors of the C tests and the reference in Python.
const { test } = require('node:test');
const assert = require('node:assert');
const os = require('node:os');
const sumac = require('sumac-msm');
const { fs, path, Group, numbers, concat, file, fromBytes } = require('./common');

const context = new sumac.Context({ backend: 'cpu', threads: 2 });
const pool = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

function some(name = 'bn254', which = 'g1', count = 8) {
    const group = new Group(name, which);
    const curve = sumac.curve(name, which);
    const points = numbers(count, group.r, 5n);
    return { group, curve, points, raw: group.raw(...points), scalars: numbers(count, group.r, 6n) };
}

for (const [name, which] of [['bn254', 'g1'], ['bn254', 'g2'], ['bls12-381', 'g1'], ['bls12-381', 'g2']]) {
    test(`vectors of ${name} ${which}`, async () => {
        const group = new Group(name, which);
        const curve = sumac.curve(name, which);
        assert.deepStrictEqual([curve.modulus, curve.order, curve.name, curve.group], [group.p, group.r, name, which]);
        assert.strictEqual(curve.pointBytes, 2 * group.degree * group.bytes);
        for (const { name: title, bases, scalars, result } of JSON.parse(fs.readFileSync(file('vectors', `${name}_${which}.json`))).cases) {
            const points = concat(bases.map((p) => group.parse(p)));
            const raw = group.scalars(scalars.map(BigInt));
            const expected = group.parse(result);
            const made = await context.createBases(curve, points, { check: 'subgroup' });
            assert.strictEqual(made.count, bases.length);
            assert.deepStrictEqual(await made.msm(raw), expected, title);
            assert.deepStrictEqual(made.msmSync(Buffer.from(raw)), expected, title);
            assert.deepStrictEqual(await made.msm(raw, { context: pool }), expected, title);
            assert.deepStrictEqual(made.readSync(), points);
            made.close();
        }
    });
}

test('every option of a sum', async () => {
    const { group, curve, points, raw, scalars } = some();
    const bases = context.createBasesSync(curve, raw);
    const sum = (p, k) => group.msm(p.slice(0, k.length), k.slice(0, p.length));
    const whole = group.scalars(scalars);
    for (const scalarBytes of [1, 2, 4, 8, 17]) {
        const most = 1n << BigInt(8 * scalarBytes);
        const small = numbers(8, most, 7n);
        assert.deepStrictEqual(bases.msmSync(group.scalars(small, scalarBytes), { scalarBytes }), sum(points, small));
        const signed = small.map((k) => k - most / 2n);
        const given = group.scalars(signed, scalarBytes);
        assert.deepStrictEqual(await bases.msm(given, { scalarBytes, scalarSigned: true }), sum(points, signed));
    }
    const cut = scalars.map((k) => k % 2n ** 40n);
    assert.deepStrictEqual(bases.msmSync(group.scalars(cut), { scalarBits: 40 }), sum(points, cut));
    assert.deepStrictEqual(bases.msmSync(whole, { scalarBits: 40, cutScalars: 1 }), sum(points, cut));
    assert.throws(() => bases.msmSync(whole, { scalarBits: 40 }), { name: 'SumacError', code: 'SUMAC_SCALAR_TOO_LARGE' });
    assert.deepStrictEqual(bases.msmSync(whole, { tuning: 'c=7,chunks=2,reduction=halving' }), sum(points, scalars));
    assert.deepStrictEqual(bases.msmSync(whole.subarray(0, 96), { first: 5 }), sum(points.slice(5), scalars));
    assert.deepStrictEqual(bases.msmSync(whole.subarray(0, 96), { first: 2, n: 3 }), sum(points.slice(2, 5), scalars));
    assert.deepStrictEqual(bases.msmSync(concat([whole, whole]), { batch: 2 }), concat([sum(points, scalars), sum(points, scalars)]));
    assert.deepStrictEqual(bases.msmSync(whole, { batch: 2, n: 4n }), concat([0, 4].map((at) => sum(points.slice(0, 4), scalars.slice(at)))));
    assert.deepStrictEqual(bases.msmSync(whole, { batch: 2, baseSets: 2 }),
        concat([0, 4].map((at) => sum(points.slice(at, at + 4), scalars.slice(at)))));
    assert.deepStrictEqual(bases.msmSync(whole, { batch: 4, baseSets: 2, n: 2 }),
        concat([0, 2, 4, 6].map((at, j) => sum(points.slice(j % 2 * 2, j % 2 * 2 + 2), scalars.slice(at)))));
    assert.deepStrictEqual(await bases.msm(whole, { offsets: [0, 3, 3, 8] }),
        concat([[0, 3], [3, 3], [3, 8]].map(([a, b]) => sum(points.slice(0, b - a), scalars.slice(a, b)))));
    const montgomery = scalars.map((k) => (k << 256n) % group.r);
    assert.deepStrictEqual(bases.msmSync(group.scalars(montgomery), { scalarForm: 'montgomery' }), sum(points, scalars));
    assert.deepStrictEqual(bases.msmSync(whole, { resultForm: 'montgomery' }), group.multiplied(sum(points, scalars), 1n << 256n));
    for (const [plan, about] of Object.entries(context.plans(curve).plans)) {
        assert.deepStrictEqual(bases.msmSync(whole, { tuning: `plan=${plan}` }), sum(points, scalars), plan);
        assert.ok(about.length > 0);
    }
    const prepared = await bases.prepareMsm(4, { batch: 2 });
    assert.deepStrictEqual(await prepared.run(whole), bases.msmSync(whole, { batch: 2, n: 4 }));
    assert.deepStrictEqual(prepared.runSync(whole), bases.msmSync(whole, { batch: 2, n: 4 }));
    assert.strictEqual(prepared.plan.numbers.batch, 2);
    const halves = [0, 4].map((first) => bases.msmPartialSync(whole.subarray(32 * first, 32 * first + 128), { first, n: 4 }));
    assert.deepStrictEqual(await context.combinePartials(curve, halves), sum(points, scalars));
});

for (const [name, which] of [['bn254', 'g1'], ['bls12-381', 'g2']]) {
    test(`points and integers of ${name} ${which}`, async () => {
        const { group, curve, points, raw, scalars } = some(name, which);
        const list = curve.points(raw);
        const pair = (bytes) => (group.degree === 1 ? fromBytes(bytes) : [fromBytes(bytes.subarray(0, group.bytes)), fromBytes(bytes.subarray(group.bytes))]);
        const half = curve.pointBytes / 2;
        assert.deepStrictEqual(list[3], { curve: name, group: which, x: pair(raw.subarray(6 * half, 7 * half)), y: pair(raw.subarray(7 * half, 8 * half)) });
        assert.deepStrictEqual(curve.points(group.raw(1n, 0n)), [curve.generator, { ...list[0], x: pair(new Uint8Array(half)), y: pair(new Uint8Array(half)) }]);
        assert.deepStrictEqual(curve.scalars(group.scalars(scalars)), scalars);
        const [answer] = curve.points(group.msm(points, scalars));
        assert.deepStrictEqual(await sumac.msm(curve, list, scalars, { check: 'subgroup' }), answer);
        assert.deepStrictEqual(sumac.msmSync(curve, raw, group.scalars(scalars)), answer);
        const bases = context.createBasesSync(curve, [curve.generator, ...list, { x: list[0].x, y: list[0].y }]);
        assert.deepStrictEqual(bases.context, context);
        const small = Int32Array.of(5, -7, 0, 2 ** 31 - 1, -(2 ** 31), 1, 1, 1, 1, 3);
        const sum = small.reduce((all, k, i) => all + BigInt(k) * [1n, ...points, points[0]][i], 0n);
        assert.deepStrictEqual(await bases.msm(small), group.raw(sum));
        assert.deepStrictEqual(bases.msmSync([...scalars, 1, 0]), group.msm([1n, ...points], [...scalars, 1n]));
        const vector = context.createVectorSync(curve, 'points', 8);
        vector.writeSync(list);
        assert.deepStrictEqual(vector.readSync(), raw);
        const numbersOf = context.createVectorSync(curve, 'scalars', 8);
        numbersOf.writeSync(scalars);
        assert.deepStrictEqual(numbersOf.readSync(), group.scalars(scalars));
        numbersOf.fillSync(7n);
        numbersOf.scalePowersSync({ factor: 3n, ratio: 2 });
        assert.deepStrictEqual(curve.scalars(numbersOf.readSync()), scalars.map((_, i) => 21n << BigInt(i)));
    });
}

test('kinds of bases', async () => {
    const { group, curve, points, raw, scalars } = some('bls12-381', 'g2');
    const expected = group.msm(points, scalars);
    const given = group.scalars(scalars);
    const wide = concat(points.map((p) => concat([group.raw(p), new Uint8Array(8)])));
    const form = group.multiplied(raw, 1n << 384n);
    for (const bases of [context.createBasesSync(curve, raw, { precomputeFactor: 4 }),
        context.createBasesSync(curve, raw, { tables: 'windows' }),
        await context.createBases(curve, wide, { stride: curve.pointBytes + 8, infinity: 'flag', infinityOffset: curve.pointBytes }),
        context.createBasesSync(curve, form, { form: 'montgomery' })]) {
        assert.deepStrictEqual(bases.msmSync(given), expected);
        assert.ok(bases.bytes >= raw.length && bases.precomputeFactor >= 1 && bases.curve === curve);
    }
    const table = path.join(folder, 'table');
    const bases = context.createBasesSync(curve, raw, { precomputeFactor: 2 });
    await bases.save(table);
    assert.deepStrictEqual((await context.openBases(null, table, { check: 'none' })).msmSync(given), expected);
    assert.strictEqual(await context.countBases(curve, table), 8);
    for (const { name, canRead, canWrite } of sumac.formats().filter((f) => f.name.startsWith('zcash') || f.name === 'raw')) {
        assert.ok(canRead && canWrite);
        const saved = path.join(folder, name);
        bases.saveSync(saved, { format: name });
        const again = await context.openBases(curve, saved, { format: name, check: 'subgroup' });
        assert.deepStrictEqual(again.msmSync(given), expected, name);
        const part = context.openBasesSync(curve, saved, { format: name, first: 3, n: 2 });
        assert.deepStrictEqual(part.readSync(), raw.subarray(3 * curve.pointBytes, 5 * curve.pointBytes));
        const records = context.encodePointsSync(curve, raw, name);
        assert.strictEqual(records.length, 8 * sumac.pointsRecordBytes(curve, name));
        assert.deepStrictEqual(await context.decodePoints(curve, records, name, { check: 'curve' }), raw);
    }
    const plan = context.planMsmSync(curve, 1000, { bases: { precomputeFactor: 4 }, msm: { batch: 2 } });
    assert.ok(plan.bytes.total > 0 && plan.numbers.n === 1000 && plan.milliseconds > 0 && plan.kinds.sort && plan.numbers.c > 1);
    assert.ok(context.plans(curve).kinds.sort[plan.kinds.sort].length > 0);
    assert.strictEqual(bases.planMsmSync(8).name, 'auto');
});

test('known bases, files', async () => {
    const curve = sumac.curve('bn254');
    const group = new Group('bn254', 'g1');
    const bases = context.createKnownBasesSync(curve, 100, 3n);
    const logarithms = context.knownLogarithmsSync(curve, 100, 3);
    const scalars = numbers(100, group.r);
    const answer = scalars.reduce((sum, k, i) => sum + k * fromBytes(logarithms.subarray(32 * i, 32 * i + 32)), 0n);
    assert.deepStrictEqual(bases.msmSync(group.scalars(scalars)), group.raw(answer));
    assert.deepStrictEqual(await context.knownAnswer(curve, group.scalars(scalars), logarithms), group.raw(answer));
    const [points, given] = [path.join(folder, 'points'), path.join(folder, 'scalars')];
    bases.saveSync(points, { format: 'raw' });
    fs.writeFileSync(given, group.scalars(scalars));
    assert.deepStrictEqual(context.readScalarsSync(curve, given), group.scalars(scalars));
    const { result, report } = await context.msmFiles(curve, points, given, { chunk: 30, format: 'raw', msm: { tuning: 'c=5' } });
    assert.deepStrictEqual(result, group.raw(answer));
    assert.deepStrictEqual([report.n, report.chunk], [100, 30]);
    assert.deepStrictEqual(await context.measureWeights(curve, 100), Uint32Array.of(1000));
    assert.strictEqual(await context.check(), undefined);
});

test('contexts', async () => {
    assert.deepStrictEqual([context.backend, context.threads, context.location, context.devices], ['cpu', 2, 'host', ['']]);
    assert.ok(['portable', 'adx', 'avx2', 'avx512'].includes(context.variant));
    const made = await sumac.Context.create({ backend: 'cpu', threads: 1, trace: true, tuning: 'variant=portable' });
    assert.strictEqual(made.variant, 'portable');
    const bases = made.createKnownBasesSync('bn254', 64, 1);
    await bases.msm(made.knownLogarithmsSync('bn254', 64, 1));
    const spans = made.takeTrace();
    assert.ok(spans.some((span) => span.name === 'accumulate' && span.end >= span.start));
    assert.deepStrictEqual(made.takeTrace(), []);
    const two = new sumac.Context({ backend: 'cpu', threads: 2, devices: [0, 0], deviceWeights: [1, 2] });
    assert.strictEqual(two.devices.length, 2);
    assert.match(sumac.version, /^\d+\.\d+\.\d+$/);
});
