// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// This program makes the random calls of tools/fuzz_calls.py:
//
//   node fuzz.js FOLDER         FOLDER: the output of fuzz_calls.py node ..
//
// A call must give a result, or throw an error that the package itself has made: a TypeError, a RangeError or a SumacError with
// a sentence. Anything else is printed, and the exit status is then 1. If a call takes more than a minute, the program ends.
// The number of the call is then in FOLDER/last. SEED and FIRST of fuzz_calls.py repeat this call. If the library and the addon
// run under AddressSanitizer, nothing may be written or read out of bounds (tests/README.md).
const fs = require('node:fs');
const path = require('node:path');
const { inspect } = require('node:util');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

const MOST_SECONDS = 60;

if (!isMainThread) {
    // If a call does not end, this thread prints its number, and ends the process.
    const state = new Float64Array(workerData);
    setInterval(() => {
        if (state[1] > 0 && Date.now() - state[1] > 1000 * MOST_SECONDS) {
            fs.writeSync(2, `fuzz: call ${state[0]} takes more than ${MOST_SECONDS} seconds\n`);
            process.kill(process.pid, 'SIGKILL'); // the main thread is inside the call
        }
    }, 1000);
    return;
}

const sumac = require('sumac-msm');
const folder = path.resolve(process.argv[2]);
process.chdir(folder); // the calls' random paths name files in it
const bytesOf = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));

// ---- The initial objects of the calls ----

function objectsOf() {
    const context = new sumac.Context({ backend: 'cpu', threads: 1 });
    const made = { Context: [context], Pool: [new sumac.Pool(2, { backend: 'cpu', threads: 1 })], Curve: [], Bases: [], Vector: [], Fk20: [],
        PreparedMsm: [], PairingPoints: [] };
    const vector = (curve, kind, elements) => {
        const each = kind === 'points' ? curve.pointBytes : curve.scalarBytes;
        const filled = context.createVectorSync(curve, kind, elements.length / each);
        filled.writeSync(elements);
        made.Vector.push(filled);
    };
    for (const [w, [name, group]] of [['bn254', 'g1'], ['bls12-381', 'g1'], ['bn254', 'g2']].entries()) {
        const curve = sumac.curve(name, group);
        const [points, scalars] = [bytesOf(`points${w}`), bytesOf(`scalars${w}`)];
        const bases = context.createBasesSync(curve, points);
        bases.saveSync(path.join(folder, `table${w}`));
        fs.writeFileSync(`partial${w}`, bases.msmPartialSync(scalars));
        const fk20 = bases.createFk20Sync(8, 1);
        fk20.saveSync(path.join(folder, `fk20${w}`));
        made.Curve.push(curve);
        made.Bases.push(bases);
        made.Fk20.push(fk20);
        made.PreparedMsm.push(bases.prepareMsmSync(8));
        made.PairingPoints.push(context.createPairingPointsSync(name, bytesOf(`g2${w}`)));
        vector(curve, 'scalars', scalars);
        vector(curve, 'points', points);
        vector(curve, 'scalars', scalars.subarray(0, curve.scalarBytes));
        vector(curve, 'points', points.subarray(0, curve.pointBytes));
        vector(curve, 'scalars', scalars);
    }
    vector(sumac.curve('bn254'), 'scalars', bytesOf('witness'));
    made.KzgSetup = [context.openKzgSetupSync('trusted_setup.txt', { check: 'none', cells: true })];
    made.Groth16Key = [context.openGroth16KeySync('key.zkey')];
    made.Groth16VerifyingKey = [made.Groth16Key[0].verifying];
    made.PlonkKey = [context.openPlonkKeySync('plonk_key.zkey')];
    made.PlonkVerifyingKey = [made.PlonkKey[0].verifying];
    return made;
}

const closed = objectsOf();
Object.values(closed).flat().filter((object) => !(object instanceof sumac.Curve)).reverse().forEach((object) => object.close());
const objects = objectsOf();
const lasting = Object.fromEntries(Object.entries(objects).map(([kind, list]) => [kind, list.length]));
let results = [new Uint8Array(0)];

// ---- Arguments ----

/** Return a value of a wrong type. */
function oddValue(number) {
    const list = [undefined, null, true, '', 'text', 'a\0b', '\ud800', '1', 7, -1, 3n, -0, -1n, {}, [], Symbol('s'), () => 1, new Date(0), /x/, new Uint8Array(8),
        Object.create(sumac.Bases.prototype), { length: 2 ** 32 - 1 }, AbortSignal.abort(), new AbortController().signal, [undefined], [null], [[7]],
        new Array(1), new Array(2 ** 32 - 1), new Set([7]), BigUint64Array.of(1n, 2n), new DataView(new ArrayBuffer(64)), 2n ** 200n,
        Object.assign([7, 8], { forEach() {}, *[Symbol.iterator]() { yield 7; } }), { length: 2, 0: 7, 1: 8 },
        new Proxy([7, 8], { get: (target, name) => (name === 'length' ? number % 4 : target[name]) }),
        Object.defineProperty([7, 8], 0, { configurable: true, get() { this.length = 0; return 7; } }),
        ...Object.values(objects).map((kept) => kept[0])];
    return list[number % list.length];
}

/** Return bytes in an array that reports wrong properties of itself. */
function oddBytes(number, bytes) {
    const { length } = bytes;
    class Liar extends Uint8Array {
        get length() { return length; }
        get byteLength() { return length; }
        *[Symbol.iterator]() { yield 1; }
    }
    const made = [
        () => new Uint16Array(length), () => new Float64Array(length >> 3), () => new BigUint64Array(length >> 3), () => new DataView(new ArrayBuffer(length)),
        () => new ArrayBuffer(length), () => Buffer.from(bytes), () => new Liar(length >> 2), () => new Proxy(bytes, {}), () => [bytes], () => [bytes, bytes],
        () => [bytes, , bytes], () => [bytes, bytes.subarray(1)], () => new Set([bytes]),
        () => { const given = new Uint8Array(length); structuredClone(given.buffer, { transfer: [given.buffer] }); return given; },
        () => { const given = new Uint8Array(new ArrayBuffer(length, { maxByteLength: length + 8 })); given.buffer.resize(length >> 1); return given; },
        () => { const given = new Uint8Array(length + 3).subarray(3); given.set(bytes); return given; },
        () => { const given = new Uint8Array(new SharedArrayBuffer(length)); given.set(bytes); return given; },
        () => Object.defineProperty([bytes, bytes], 0, { configurable: true, get() { this.length = 0; return bytes; } }),
        () => objects.Curve[number % 3].points(bytes.subarray(0, length - length % objects.Curve[number % 3].pointBytes)),
        () => objects.Curve[number % 3].scalars(bytes.subarray(0, length - length % 32)),
    ];
    return made[number % made.length]();
}

function objectOf({ o, of }) {
    const kept = (o === -1 ? closed : objects)[of];
    return o === -2 ? null : kept[((o % kept.length) + kept.length) % kept.length];
}

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function valueOf(given) {
    if (Array.isArray(given)) {
        return given.map(valueOf);
    }
    if (typeof given === 'string' && given.startsWith('@')) {
        return path.join(folder, given.slice(1));
    }
    if (typeof given !== 'object' || given === null) {
        return given;
    }
    if ('o' in given) {
        return objectOf(given);
    }
    if ('s' in given) {
        return Object.fromEntries(Object.entries(given.s).map(([name, value]) => [camel(name), valueOf(value)]));
    }
    if ('odd' in given) {
        return oddValue(given.odd);
    }
    const one = typeof given.b === 'number' ? results[given.b % results.length] : bytesOf(given.b);
    let bytes = new Uint8Array(Buffer.concat(Array(given.times ?? 1).fill(one)));
    if ('size' in given) {
        const part = bytes.subarray(0, given.size);
        bytes = new Uint8Array(given.size);
        bytes.set(part);
    }
    if ('fill' in given) {
        bytes.fill(given.fill);
    }
    if ('flip' in given && bytes.length > 0) {
        bytes[(given.flip >> 3) % bytes.length] ^= 1 << given.flip % 8;
    }
    return 'as' in given ? oddBytes(given.as, bytes) : bytes;
}

// ---- Calls ----

const source = fs.readFileSync(require.resolve('sumac-msm'), 'utf8').split('\n');

/** Say whether the package has made the error. The line that made it then contains `new`. */
function isOwn(error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
        return true; // this is the reason of a signal
    }
    if (!(error instanceof TypeError || error instanceof RangeError || error instanceof sumac.SumacError) || typeof error.message !== 'string' || error.message.length < 8) {
        return false;
    }
    const [, at] = error.stack.slice(error.stack.indexOf(error.message) + error.message.length).split('\n');
    const found = at?.match(/sumac-msm\/index\.js:(\d+):(\d+)/);
    return Boolean(found) && source[found[1] - 1].slice(found[2] - 1).startsWith('new ');
}

function propertyOf(object, name) {
    return Object.getOwnPropertyDescriptor(object, name) ?? propertyOf(Object.getPrototypeOf(object), name);
}

function keep(result) {
    const kind = result instanceof sumac.Call ? 'PreparedMsm' : result?.constructor.name;
    if (kind === 'Context' || kind === 'Pool') {
        result.close();
    } else if (kind in lasting && !objects[kind].includes(result)) {
        objects[kind].length = Math.min(objects[kind].length, lasting[kind] + 5);
        objects[kind].push(result);
    } else if (result instanceof Uint8Array) {
        results = [result.slice(), ...results.slice(0, 20)];
    } else if (kind === 'Object') {
        Object.values(result).filter((one) => one instanceof Uint8Array).forEach(keep);
    }
}

async function make(number, form, on, given, values) {
    const [kind, name] = form.includes('.') ? form.split('.') : [undefined, form];
    if (on === null) {
        return /^[A-Z]/.test(name) ? new sumac[name](...values) : sumac[name](...values);
    }
    if (name === 'close') {
        return objects[on.of].length > lasting[on.of] ? objects[on.of].pop().close() : undefined;
    }
    const receiver = objectOf(on);
    if (given === null) { // call the property's getter, which checks its object
        const { get, value } = propertyOf(objects[on.of][0], name);
        return get ? get.call(receiver) : value;
    }
    const methods = (on.of === 'PreparedMsm' ? sumac.Call : sumac[on.of]).prototype;
    const synchronous = `${name}Sync` in methods && number % 5 < 3;
    const result = methods[synchronous ? `${name}Sync` : name].apply(receiver, number % 33 === 0 ? values.slice(1) : values);
    if (result instanceof Promise && number % 4 === 0) {
        // Detach the arguments' memory while the call works on it.
        for (const value of values.flatMap((some) => (Array.isArray(some) && some.length < 5000 ? Array.from(some) : [some]))) {
            if (ArrayBuffer.isView(value) && value.constructor === Uint8Array && value.buffer instanceof ArrayBuffer && !results.includes(value)) {
                structuredClone(value.buffer, { transfer: [value.buffer] });
            }
        }
    }
    return result;
}

async function main() {
    const last = fs.openSync(path.join(folder, 'last'), 'w');
    const state = new Float64Array(new SharedArrayBuffer(16));
    const watcher = new Worker(__filename, { workerData: state.buffer });
    const [outcomes, done] = [{}, {}];
    for (const line of fs.readFileSync('calls.json', 'utf8').trim().split('\n')) {
        const [number, form, on, given] = JSON.parse(line.replace(/(?<=[[:, ])(-?\d{16,}|NaN|Infinity)(?=[\],}])/g, '"!$1"'), (_, value) =>
            (typeof value !== 'string' || value[0] !== '!' ? value : /\d/.test(value) ? BigInt(value.slice(1)) : Number(value.slice(1))));
        state[0] = number;
        fs.writeSync(last, `${number}`.padStart(12), 0);
        state[1] = Date.now();
        done[form] ??= 0;
        let outcome = 'done';
        const values = (given ?? []).map(valueOf);
        try {
            keep(await make(number, form, on, given, values));
            done[form]++;
        } catch (error) {
            outcome = error?.constructor.name;
            if (!isOwn(error)) {
                console.error(`fuzz: call ${number}: ${form}(${values.map((value) => inspect(value, { depth: 0, maxArrayLength: 2, maxStringLength: 60 })).join(', ')}) ${line}\n`, error);
                process.exitCode = 1;
                outcome = 'FAILED';
            }
        }
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (number % 500 === 499) {
            global.gc?.();
        }
    }
    state[1] = 0;
    const never = Object.keys(done).filter((form) => done[form] === 0);
    console.log(`${Object.values(outcomes).reduce((sum, count) => sum + count)} calls of ${Object.keys(done).length} functions and properties:`,
        JSON.stringify(outcomes), '; never with a result:', never.join(' ') || 'none');
    await watcher.terminate();
}

main();
