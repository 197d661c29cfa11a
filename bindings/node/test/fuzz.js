// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// Random calls of the package, right ones of which some arguments are made wrong. What a call takes is read from index.d.ts, the
// fields of its options from interface.js and interface.d.ts, which are made from the headers, and the numbers are those that
// tools/fuzz_table.py has for all bindings.
//
//   node fuzz.js TABLE [CALLS [SEED [FIRST]]]         TABLE: what tools/fuzz_table.py prints
//
// A call gives a result, or throws an error that the package itself has made: a TypeError, a RangeError or a SumacError with a
// sentence. Anything else is printed, and makes the exit status 1; a call of more than a minute ends the program, with what repeats
// it: SEED and FIRST. Which call a crash was in is the number in the file that the first line names.
// With the library and the addon under AddressSanitizer nothing may be written or read out of bounds (tests/README.md).
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

const MOST_SECONDS = 60;

if (!isMainThread) {
    // Names the call that does not end.
    const state = new Float64Array(workerData.state);
    setInterval(() => {
        if (state[1] > 0 && Date.now() - state[1] > 1000 * MOST_SECONDS) {
            fs.writeSync(2, `fuzz: call ${state[0]} of seed ${workerData.seed} takes more than ${MOST_SECONDS} seconds\n`);
            process.kill(process.pid, 'SIGKILL'); // its thread is in the call
        }
    }, 1000);
    return;
}

const sumac = require('sumac');
const { concat, file, read } = require('./common');
const addon = require(require.resolve('sumac').replace('index.js', 'build/Release/sumac.node'));
const { enums, structs } = require(require.resolve('sumac').replace('index.js', 'interface.js'));

const [tableFile, calls = '2000', seed = '1', first = '0'] = process.argv.slice(2);
const table = JSON.parse(fs.readFileSync(tableFile, 'utf8').replace(/\b\d{16,}\b/g, '"$&n"'),
    (key, value) => (typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value));

// ---- Random numbers: each call has its own, so that one can be repeated ----

let random = 0;

function seedCall(index) {
    random = (Math.imul(Number(seed), 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
    for (let i = 0; i < 4; i++) {
        below(2);
    }
}

function below(n) {
    random = (random + 0x6d2b79f5) >>> 0;
    let t = Math.imul(random ^ (random >>> 15), random | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
}

const chance = (percent) => below(100) < percent;
const one = (list) => list[below(list.length)];

// ---- What calls take: the declarations ----

const declared = (name) => fs.readFileSync(require.resolve('sumac').replace('index.js', name), 'utf8').replace(/\/\*\*?[^]*?\*\//g, '');
const index = declared('index.d.ts');
const generated = declared('interface.d.ts');

/** Pieces of a text between commas that stand in no brackets. */
function pieces(text, separator) {
    const list = [''];
    let depth = 0;
    for (const letter of text) {
        depth += '({[<'.includes(letter) ? 1 : ')}]>'.includes(letter) ? -1 : 0;
        if (letter === separator && depth === 0) {
            list.push('');
        } else {
            list[list.length - 1] += letter;
        }
    }
    return list.map((piece) => piece.trim()).filter(Boolean);
}

const named = (text) => pieces(text, ',').map((piece) => piece.match(/^(\w+)(\?)?: ([^]*)$/).slice(1)).map(([name, , type]) => ({ name, type }));

/** Methods of an interface of index.d.ts. */
function methodsOf(name) {
    const [, body] = index.match(new RegExp(`interface ${name} \\{\\n([^]*?)\\n\\}`));
    return pieces(body.replace(/\s+/g, ' '), ';').map((text) => text.match(/^(\w+)\((.*)\): .*$/)).filter(Boolean)
        .map(([, method, parameters]) => ({ method, parameters: named(parameters) }));
}

const fieldsOf = (body) => body.split(';').map((line) => line.trim().match(/^(\w+)\?: ([^]*)$/)).filter(Boolean)
    .map(([, name, type]) => ({ name, type }));
const interfaces = Object.fromEntries([...generated.matchAll(/interface (\w+) \{([^]*?)\n\}/g)].map(([, name, body]) => [name, fieldsOf(body)]));
interfaces.Control = [{ name: 'signal', type: 'AbortSignal' }, { name: 'onProgress', type: 'onProgress' }];
const choices = Object.fromEntries([...generated.matchAll(/export type (\w+) = ([^;]*);/g)].map(([, name, values]) => [name, values.match(/[\w-]+/g)]));

/** The fields that options may have. */
function optionsOf(type) {
    return pieces(type, '&').flatMap((part) => (part.startsWith('{') ? fieldsOf(part.slice(1, -1)) : interfaces[part]));
}

const forms = [
    ...methodsOf('Calls').map((one_) => ({ ...one_, on: 'context' })), ...methodsOf('PrepareCalls').map((one_) => ({ ...one_, on: 'context' })),
    ...methodsOf('CallCalls').map((one_) => ({ ...one_, on: 'call' })),
    ...['curve', 'rootOfUnity', 'pointsRecordBytes', 'backendCheck'].map((method) => ({ method, on: 'package',
        parameters: named(index.match(new RegExp(`function ${method}\\((.*)\\): `))[1]) })),
    { method: 'Context', on: 'new', parameters: [{ name: 'options', type: 'ContextOptions' }] },
    { method: 'Pool', on: 'new', parameters: [{ name: 'most', type: 'number' }, { name: 'options', type: 'ContextOptions' }] },
    ...['backend', 'variant', 'location', 'threads', 'devices', 'planNames', 'takeTrace', 'count', 'curve', 'precomputeFactor', 'tables', 'bytes', 'close',
        'kind', 'n', 'l', 'tableBytes', 'hasTables', 'info', 'verifying', 'plan'].map((method) => ({ method, on: 'property', parameters: [] })),
    ...['planAbout', 'kindAbout'].map((method) => ({ method, on: 'question',
        parameters: named(index.match(new RegExp(`${method}\\((.*)\\): string`))[1]) })),
];

// ---- Right values ----

const N = 8;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sumac-fuzz-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
process.chdir(folder); // paths that are wrong lead to files of this folder
const context = new sumac.Context({ backend: 'cpu', threads: 1 });
const pool = new sumac.Pool(2, { backend: 'cpu', threads: 1 });
const groth = (name) => file('groth16', 'tiny-bn254', name);
const setup = context.kzgSetupOpenSync(file('kzg', 'trusted_setup.txt'), { check: 'none' });
context.kzgSetupMakeTablesSync(setup);
const key = context.groth16KeyOpenSync(groth('key.zkey'));
const { verifying } = key;
const witness = context.groth16WitnessOpenSync(key, groth('witness.wtns'));
const publics = context.groth16PublicsFromJsonSync(verifying, fs.readFileSync(groth('public.json'), 'utf8'));
const proof = context.groth16ProveSync(key, witness);
const gnark = { proof: context.groth16ProofToGnarkSync(verifying, proof), publics: context.groth16PublicsToGnarkSync(verifying, publics) };
const json = { Proof: context.groth16ProofToJsonSync(verifying, proof), Publics: context.groth16PublicsToJsonSync(verifying, publics) };
const blob = read('kzg', 'blob.bin').slice();
const commitment = context.kzgCommitBatchSync(setup, blob);
const blobProof = context.kzgComputeBlobProofBatchSync(setup, blob, commitment);
const cells = context.kzgComputeCellsAndProofsBatchSync(setup, blob);
const setupPoints = fs.readFileSync(file('kzg', 'trusted_setup.txt'), 'utf8').trim().split(/\s+/).slice(2).map((h) => new Uint8Array(Buffer.from(h, 'hex')));
const scalar = (k) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? k : 0));

/** The objects of one curve, which fit each other. */
function world(name, group) {
    const g = sumac.curve(name, group);
    const made = { g, name: group === 'g1' ? name : g, bases: context.knownBasesCreateSync(g, N, 1) };
    made.points = context.basesGetSync(made.bases);
    made.scalars = context.knownLogarithmsSync(g, N, 2);
    made.vector = () => {
        const vector = context.vectorCreateSync(g, 'scalars', N);
        context.vectorSetSync(vector, made.scalars);
        return vector;
    };
    made.pointVector = (count = N) => {
        const vector = context.vectorCreateSync(g, 'points', count);
        context.vectorSetSync(vector, made.points.slice(0, count * g.pointBytes));
        return vector;
    };
    made.partial = context.msmPartialSync(made.bases, made.scalars);
    made.call = context.msmPrepareSync(made.bases, N);
    made.fk20 = context.fk20CreateSync(made.bases, N, 1);
    const [g1, g2] = ['g1', 'g2'].map((which) => sumac.curve(name, which));
    made.pairs = [g1.generator, g2.generator];
    made.prepared = context.pairingPointsCreateSync(name, g2.generator);
    made.files = { bases: path.join(folder, `${name}-${group}.points`), table: path.join(folder, `${name}-${group}.table`),
        scalars: path.join(folder, `${name}-${group}.scalars`), fk20: path.join(folder, `${name}-${group}.fk20`) };
    context.basesSaveAsSync(made.bases, 'raw', made.files.bases);
    context.basesSaveSync(made.bases, made.files.table);
    context.fk20SaveSync(made.fk20, made.files.fk20);
    fs.writeFileSync(made.files.scalars, made.scalars);
    return made;
}

const worlds = [world('bn254', 'g1'), world('bls12-381', 'g1'), world('bn254', 'g2')];
const elements = (list, asArray) => (asArray ? list : new Uint8Array(Buffer.concat(list)));

/** Bytes that fit where they stand. */
function rightBytes(name, method, w) {
    const count = one([1, 1, 1, 2]);
    const several = (bytes) => elements(Array(count).fill(bytes), chance(50));
    switch (name) {
    case 'points': case 'rawPoints': return w.points;
    case 'records': return context.pointsEncodeSync(w.g, w.points, 'arkworks-compressed');
    case 'elements': return method === 'mapToGroup' ? w.points.slice(0, w.g.pointBytes / 2) : w.scalars;
    case 'scalars': case 'logarithms': return w.scalars;
    case 'scalar': case 'factor': case 'ratio': case 'shift': return scalar(3);
    case 'g1Points': case 'g1Point': return w.pairs[0];
    case 'g2Points': return method === 'srsVerify' ? concat([w.pairs[1], w.pairs[1]]) : w.pairs[1];
    case 'blob': return blob;
    case 'blobs': return elements([blob], chance(50));
    case 'commitment': return commitment;
    case 'commitments': return elements([commitment], chance(50));
    case 'zs': return elements([scalar(5).reverse()], chance(50));
    case 'ys': return several(scalar(7).reverse());
    case 'cells': return method.includes('Recover') ? cells.cells.slice(0, 64 * 2048) : elements([cells.cells.slice(0, 2048)], chance(50));
    case 'proofs': return method.includes('groth16') ? several(proof)
        : elements([method.includes('Cell') ? cells.proofs.slice(0, 48) : blobProof], chance(50));
    case 'proof': return method.includes('groth16') ? proof : blobProof;
    case 'publics': return method.includes('Batch') ? several(publics) : publics;
    case 'witness': return witness;
    case 'witnesses': return several(witness);
    case 'g1Monomial': return setupPoints.slice(4096 + 65);
    case 'g1Lagrange': return setupPoints.slice(0, 4096);
    case 'g2Monomial': return setupPoints.slice(4096, 4096 + 65);
    case 'randomness': return new Uint8Array(64).fill(1);
    case 'partials': return [w.partial, w.partial];
    case 'bytes': return method.includes('ProofFromGnark') ? gnark.proof : method.includes('PublicsFromGnark') ? gnark.publics
        : fs.readFileSync(groth(method.includes('Witness') ? 'witness.wtns' : method.includes('Verifying') ? 'verification_key.json' : 'key.zkey'));
    default: throw new Error(`fuzz: what are the bytes of ${name} of ${method}?`);
    }
}

function rightFile(name, method, w) {
    const written = method.includes('Save') || name === 'checkpoint';
    if (written) {
        return path.join(folder, `written-${name}`);
    }
    switch (name) {
    case 'basesPath': return w.files.bases;
    case 'scalarsPath': return w.files.scalars;
    case 'r1csPath': return groth('circuit.r1cs');
    default: return method === 'basesOpenTable' ? w.files.table : method === 'scalarsRead' ? w.files.scalars : method === 'fk20Open' ? w.files.fk20
        : method === 'kzgSetupOpen' ? file('kzg', 'trusted_setup.txt') : method.includes('VerifyingKey') ? groth('verification_key.json')
            : method.includes('Witness') ? groth('witness.wtns') : method.includes('groth16') ? groth('key.zkey') : w.files.bases;
    }
}

function rightInteger(name, method) {
    switch (name) {
    case 'n': return method.startsWith('plan') ? one([1, N, 1000]) : N;
    case 'count': return method === 'vectorCreate' ? one([0, 1, N]) : 1;
    case 'length': return one([1, 2, N]);
    case 'rows': return 2;
    case 'columns': return N / 2;
    case 'l': case 'rate': case 'most': case 'constraints': case 'batch': return 1;
    case 'log2': return 3;
    case 'threads': case 'deviceCount': return one([0, 1]);
    case 'c': return one([0, 4, 7]);
    case 'bitsPercent': return 50;
    case 'precomputeFactor': return one([0, 1, 2]);
    case 'scalarBits': return one([0, 254, 256]);
    case 'scalarBytes': return one([0, 32]);
    case 'memoryLimit': return one([0, 2 ** 26]);
    case 'device': return -1;
    case 'runs': case 'tableBytes': return 1;
    case 'stride': return method === 'basesCreate' ? 0 : N;
    default: return one([0, 0, 1]);
    }
}

/** An option or argument of a type of the declarations. */
function right(type, name, method, w) {
    const alone = type.replace(/ \| (null|undefined)$/, '');
    switch (alone) {
    case 'CurveLike': case 'Curve': return method.startsWith('groth16') ? 'bn254' : one([w.g, w.name]);
    case 'Bases': return w.bases;
    case 'Vector': return ['commitments', 'results', 'proofs'].includes(name) ? w.pointVector(name === 'proofs' && method.startsWith('fk20') ? N : 1)
        : method === 'basesCreateFromVector' || method === 'vectorPointTransform' ? w.pointVector()
            : name === 'witnesses' ? witnessVector() : ['places', 'values'].includes(name) ? oneScalar(w) : w.vector();
    case 'PairingPoints': return w.prepared;
    case 'Fk20': return w.fk20;
    case 'KzgSetup': return setup;
    case 'Groth16Key': return key;
    case 'Groth16VerifyingKey': return verifying;
    case 'Uint8Array': case 'Elements': case 'readonly Uint8Array[]': return rightBytes(name, method, w);
    case 'Integers': case 'ArrayLike<number | bigint>': case 'ArrayLike<number>': case "ArrayLike<number> | 'all'":
        return name === 'offsets' ? [0, 3, N] : name === 'cellIndices' && method.includes('Recover') ? Array.from({ length: 64 }, (_, i) => i)
            : name === 'rows' ? Array.from({ length: N }, (_, i) => N - 1 - i) : name === 'deviceWeights' ? [1] : [0];
    case 'Integer': case 'number': case 'number | bigint': return rightInteger(name, method);
    case 'number | boolean': case 'boolean': return chance(50);
    case 'File': return rightFile(name, method, w);
    case 'string': return name === 'format' ? (method.startsWith('points') ? 'arkworks-compressed' : 'raw') : name === 'plan' ? 'auto'
        : name === 'checkpoint' ? rightFile(name, method, w) : name === 'text' ? json[method.includes('Proof') ? 'Proof' : 'Publics']
            : name === 'backend' ? 'cpu' : name === 'variant' ? 'portable' : name === 'group' ? 'g1' : name === 'stage' ? 'sort' : 'bn254';
    case 'Partial<Slice>': return chance(50) ? undefined : optionValues(interfaces.Slice ?? [], method, w, 50);
    case 'AbortSignal': return new AbortController().signal;
    case 'onProgress': return () => {};
    default:
        if (choices[alone]) {
            return one(choices[alone]);
        }
        if (interfaces[alone] || alone.includes('&') || alone.startsWith('{')) {
            return optionValues(optionsOf(alone), method, w, 12);
        }
        throw new Error(`fuzz: what is ${name} of ${method}, of type ${type}?`);
    }
}

function optionValues(fields, method, w, percent) {
    return Object.fromEntries(fields.filter(() => chance(percent)).map(({ name, type }) => [name, right(type, name, method, w)]));
}

let wires;
function witnessVector() {
    if (!wires) {
        wires = context.vectorCreateSync('bn254', 'scalars', key.info.wires);
        context.vectorSetSync(wires, witness);
    }
    return wires;
}

function oneScalar(w) {
    const vector = context.vectorCreateSync(w.g, 'scalars', 1);
    context.vectorSetSync(vector, scalar(5));
    return vector;
}

// ---- Wrong values ----

const big = (k) => (typeof k === 'bigint' && chance(50) ? k : Number(k));
const numbers = () => one([...table.numbers.map(big), -1, -0, -1n, -(2 ** 31), -(2n ** 63n), 0.5, 1.5, NaN, Infinity, -Infinity, 2n ** 64n, 2n ** 200n, 2 ** 53, 1e300]);
const closed = (() => {
    const own = new sumac.Context({ backend: 'cpu', threads: 1 });
    const list = [own.knownBasesCreateSync('bn254', 2, 1), own.vectorCreateSync('bn254', 'scalars', 2), own.groth16KeyOpenSync(groth('key.zkey')),
        own.kzgSetupOpenSync(file('kzg', 'trusted_setup.txt'), { check: 'none' }), own.pairingPointsCreateSync('bn254', sumac.curve('bn254', 'g2').generator)];
    list.push(own.msmPrepareSync(list[0], 2), own.fk20CreateSync(list[0], 2, 1), own);
    list.forEach((object) => object.close());
    return list;
})();

/** Arrays of bytes that are not what they seem. */
function wrongBytes(bytes) {
    const length = bytes.length;
    const detached = () => {
        const given = new Uint8Array(length);
        structuredClone(given.buffer, { transfer: [given.buffer] });
        return given;
    };
    const shrunk = () => {
        const given = new Uint8Array(new ArrayBuffer(length, { maxByteLength: length + 8 }));
        given.buffer.resize(length >> 1);
        return given;
    };
    class Liar extends Uint8Array {
        get length() { return length; }
        get byteLength() { return length; }
        *[Symbol.iterator]() { yield 1; }
    }
    return one([
        () => bytes.slice(1), () => bytes.slice(0, length - 1), () => new Uint8Array(0), () => new Uint8Array(length), () => new Uint8Array(length + 1),
        () => new Uint8Array(2 * length), () => new Uint8Array(length).fill(255), () => Uint8Array.from({ length }, () => below(256)),
        () => new Uint16Array(length), () => new Float64Array(length >> 3), () => new BigUint64Array(length >> 3), () => new DataView(new ArrayBuffer(length)),
        () => new ArrayBuffer(length), () => Buffer.from(bytes), detached, shrunk, () => new Liar(length >> 2), () => new Proxy(bytes, {}),
        () => { const given = new Uint8Array(length + 3).subarray(3); given.set(bytes); return given; },
        () => { const given = new Uint8Array(new SharedArrayBuffer(length)); given.set(bytes); return given; },
        () => { const given = bytes.slice(); given[below(Math.max(1, length))] ^= 1 << below(8); return given; },
    ])();
}

/** Lists that are not what they seem. */
function wrongList(list) {
    const some = list[0];
    const copy = () => Array.from(list);
    return one([
        () => [], () => new Array(1), () => new Array(2 ** 32 - 1), () => new Array(list.length), () => [...copy(), some], () => copy().slice(1),
        () => { const given = copy(); delete given[below(given.length)]; return given; }, () => [some, , some], () => [undefined], () => [null], () => [[some]],
        () => Object.assign(copy(), { forEach() {}, *[Symbol.iterator]() { yield some; } }), () => ({ length: list.length, ...copy() }), () => new Set(list),
        () => new Proxy(copy(), { get: (target, name) => (name === 'length' ? below(4) : target[name]) }),
        () => { const given = copy(); given[below(given.length)] = some instanceof Uint8Array ? wrongBytes(some) : numbers(); return given; },
        () => { const given = copy(); Object.defineProperty(given, 0, { configurable: true, get() { given.length = 0; return some; } }); return given; },
        () => (some instanceof Uint8Array ? some : BigUint64Array.from(copy().map(BigInt))), () => new DataView(new ArrayBuffer(64)), () => [numbers(), numbers()],
    ])();
}

function wrong(value) {
    if (chance(20)) {
        return one([undefined, null, true, '', 'text', 'a\0b', '\ud800', '1', 7, -1, 3n, {}, [], Symbol('s'), () => 1, new Date(0), /x/, context, pool,
            new Uint8Array(8), Object.create(sumac.Bases.prototype), { length: 2 ** 32 - 1 }, one(closed), one(closed), one(worlds).bases, one(worlds).g, numbers()]);
    }
    if (Array.isArray(value) && value.length > 0 && value.length < 5000) {
        try {
            return wrongList(value);
        } catch { // what was made wrong before can't always be made wrong again
            return numbers();
        }
    }
    if (ArrayBuffer.isView(value) && value.constructor === Uint8Array && value.byteLength > 0) {
        return chance(80) ? wrongBytes(value) : [value, value];
    }
    if (typeof value === 'number' || typeof value === 'bigint') {
        return numbers();
    }
    if (typeof value === 'string') {
        return one(['', 'none', 'a\0b', '\ud800', 'x'.repeat(5000), '/', '/dev/null', 'nosuch/file', value.toUpperCase(), `${value}x`, 'cuda', 'raw', 'g2', numbers()]);
    }
    return one([...closed, undefined, null, {}, one(worlds).bases, one(worlds).vector(), numbers()]);
}

/** Options with some of them wrong. */
function wrongOptions(options, fields, method, w) {
    const given = { ...options };
    for (let count = 1 + below(2); count > 0; count--) {
        const field = one(fields);
        given[field.name] = field.type === 'AbortSignal' ? one([7, AbortSignal.abort(), {}]) : field.type === 'onProgress' ? 7 : wrong(right(field.type, field.name, method, w));
    }
    return chance(5) ? { ...given, nothing: 1 } : given;
}

// ---- Calls ----

const last = path.join(os.tmpdir(), `sumac-fuzz-${process.pid}`);
console.log(`the number of the last call is in ${last}`);
const lastFile = fs.openSync(last, 'w');
const state = new Float64Array(new SharedArrayBuffer(16));
const watcher = new Worker(__filename, { workerData: { state: state.buffer, seed } });
watcher.unref();

const counts = {};
for (const name of Object.keys(addon).filter((one_) => one_.startsWith('sumac_'))) {
    const run = addon[name];
    counts[name] = [0, 0];
    addon[name] = (...given) => {
        counts[name][0]++;
        const reply = run(...given);
        if (reply instanceof Promise) {
            return reply.then((found) => { counts[name][1] += found[0] === 0; return found; });
        }
        counts[name][1] += reply[0] === 0;
        return reply;
    };
}

const source = fs.readFileSync(require.resolve('sumac'), 'utf8').split('\n');

/** True if the package has made the error: the place where it was made says `new`. */
function isOwn(error) {
    if (!(error instanceof TypeError || error instanceof RangeError || error instanceof sumac.SumacError) || typeof error.message !== 'string' || error.message.length < 8) {
        return false;
    }
    const [, at] = error.stack.slice(error.stack.indexOf(error.message) + error.message.length).split('\n');
    const found = at?.match(/sumac\/index\.js:(\d+):(\d+)/);
    return Boolean(found) && source[found[1] - 1].slice(found[2] - 1).startsWith('new ');
}

// Slow functions are called less often. A circuit of 2^31 constraints is no error, and takes a file of 500 GB; neither are
// tables of 2 GiB, which take a minute.
const SLOW = /^kzg(Compute|Recover|Setup|Verify|Commit)|^groth16(Prove|Key)|^fk20(Create|Copy|Open|Save)|^contextMeasure/;
const isOver = (value, most) => ['number', 'bigint'].includes(typeof value) && value > most;
const isTooMuch = ({ method }, given) => (method === 'Pool' && isOver(given[0], 64))
    || given.some((options) => options?.constructor === Object && isOver(options.tableBytes, 2 ** 24));

async function call(number) {
    seedCall(number);
    let form = one(forms);
    while (SLOW.test(form.method) && chance(95)) {
        form = one(forms);
    }
    const w = one([worlds[0], ...worlds]);
    const given = form.parameters.map(({ name, type }) => right(type, name, form.method, w));
    for (let mistakes = one([0, 0, 1, 1, 1, 2, 3]); mistakes > 0 && given.length > 0; mistakes--) {
        const at = below(given.length);
        const { type } = form.parameters[at];
        const fields = /Options|Control|\{|Slice/.test(type) ? optionsOf(type.replace(/^Partial<(\w+)>.*$/, '$1')) : undefined;
        given[at] = fields && chance(90) ? wrongOptions(given[at], fields, form.method, w) : wrong(given[at]);
    }
    if (chance(3)) {
        given.length = below(given.length + 1);
    }
    if (isTooMuch(form, given)) {
        return 'left out';
    }
    if (calls === '1') {
        console.log(`${form.method}(${given.map(describe).join(', ')})`);
    }
    const on = form.on === 'call' ? (chance(95) ? w.call : one(closed)) : chance(90) ? context : one([pool, one(closed), w.bases, {}]);
    const synchronous = chance(60);
    let result;
    try {
        if (form.on === 'new') {
            result = new sumac[form.method](...given);
        } else if (form.on === 'package') {
            result = sumac[form.method](...given);
        } else if (form.on === 'property') {
            const having = [context, w.bases, w.call, w.fk20, w.prepared, setup, key, verifying, w.vector(), pool].filter((object) => form.method in object);
            const object = one(having);
            const receiver = chance(70) && form.method !== 'close' ? object : one([...closed, w.g, {}, 7]);
            const getter = propertyOf(object, form.method);
            result = getter.get ? getter.get.call(receiver) : typeof getter.value === 'function' ? getter.value.call(receiver) : getter.value;
        } else {
            const of = form.on === 'call' ? sumac.Call : form.on === 'question' || form.method === 'msmPrepare' ? sumac.Context : Object.getPrototypeOf(sumac.Context);
            const method = of.prototype[form.on === 'question' || !synchronous ? form.method : `${form.method}Sync`];
            result = method.apply(on, given);
            if (result instanceof Promise) {
                // The arguments' memory goes away while the call works on it.
                for (const value of given.flatMap((some) => (Array.isArray(some) && some.length < 5000 ? Array.from(some) : [some]))) {
                    if (ArrayBuffer.isView(value) && value.constructor === Uint8Array && value.buffer instanceof ArrayBuffer && chance(20) && !shared.has(value)) {
                        structuredClone(value.buffer, { transfer: [value.buffer] });
                    }
                }
                result = await result;
            }
        }
        if (form.on !== 'property' && result?.close && !(result instanceof sumac.Curve)) {
            result.close();
        }
        return 'done';
    } catch (error) {
        if (!isOwn(error)) {
            console.error(`fuzz: call ${number} of seed ${seed}: ${form.method}(${given.map((value) => describe(value)).join(', ')})\n`, error);
            process.exitCode = 1;
            return 'FAILED';
        }
        return error.constructor.name;
    }
}

function propertyOf(object, name) {
    return Object.getOwnPropertyDescriptor(object, name) ?? propertyOf(Object.getPrototypeOf(object), name);
}

// Arrays that other calls use again.
const shared = new Set([blob, commitment, blobProof, cells.cells, cells.proofs, witness, publics, proof, gnark.proof, gnark.publics, ...setupPoints,
    ...worlds.flatMap((w) => [w.points, w.scalars, w.partial, ...w.pairs, w.g.generator])]);

function describe(value) {
    try {
        return Array.isArray(value) ? `[${value.length}: ${describe(value[0])}]` : ArrayBuffer.isView(value) ? `${value.constructor.name}(${value.byteLength})`
            : typeof value === 'object' && value !== null && value.close ? value.constructor.name
                : String(typeof value === 'object' ? Object.entries(value ?? {}).map(([name, of]) => `${name}: ${describe(of)}`) : String(value)).slice(0, 60);
    } catch {
        return '?';
    }
}

async function main() {
    const outcomes = {};
    for (let number = Number(first); number < Number(first) + Number(calls); number++) {
        state[0] = number;
        fs.writeSync(lastFile, `${number}`.padStart(12), 0);
        state[1] = Date.now();
        const outcome = await call(number);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (number % 500 === 499) {
            global.gc?.();
        }
    }
    state[1] = 0;
    fs.rmSync(last);
    console.log(`${calls} calls of seed ${seed}:`, JSON.stringify(outcomes));
    const unknown = Object.keys(table.calls).filter((name) => counts[name] === undefined);
    // Some are asked when the package is loaded.
    const asked = ['sumac_version', 'sumac_version_number', 'sumac_curve_generator'];
    const reached = Object.values(counts).filter(([, done]) => done > 0).length;
    console.log(`${reached} of ${Object.keys(counts).length} functions of the addon succeeded; not reached:`,
        Object.entries(counts).filter(([name, [all]]) => all === 0 && !asked.includes(name)).map(([name]) => name).join(' ') || 'none', '; never right:',
        Object.entries(counts).filter(([, [all, done]]) => all > 0 && done === 0).map(([name]) => name).join(' ') || 'none');
    console.log(`functions of the headers that the addon does itself: ${unknown.length}`);
    await watcher.terminate();
}

main();
