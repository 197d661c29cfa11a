// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// This file has the objects, the checks and both forms of each call over the addon, which src/addon.c describes. A caller's
// values are read only once. Options are copied first, because their getters may run the caller's code. Lengths are read from
// the arrays themselves right before the call.
const { constants: { MAX_LENGTH } } = require('buffer');
const { fileURLToPath } = require('url');
const { enums, statuses, constants, structs } = require('./interface');

const addon = require('./native')('sumac.node', __dirname);
addon.setUp(Uint8Array, MAX_LENGTH);

const WRONG_TYPE = 2 ** 32 - 1;
const OUT_OF_RANGE = 2 ** 32 - 2;
const CLOSED = 2 ** 32 - 3;
const PROGRESS_MILLISECONDS = 20;
const OWN = Symbol('made by this package');

/** An error of the library. It has the library's sentence, and the status as its code. */
class SumacError extends Error {
    constructor(status, message, options) {
        super(message, options);
        this.name = 'SumacError';
        this.code = `SUMAC_${status}`;
    }
}

// These errors have the codes of Node's own errors.
const wrongType = (message, options) => Object.assign(new TypeError(message, options), { code: 'ERR_INVALID_ARG_TYPE' });
const outOfRange = (message) => Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });

function failure([status, message, ...details]) {
    if (status === WRONG_TYPE) {
        return wrongType(message);
    }
    if (status === OUT_OF_RANGE) {
        return outOfRange(message);
    }
    const error = new SumacError(status === CLOSED ? 'BAD_ARGUMENT' : statuses[status] ?? 'INTERNAL', message);
    return Object.assign(error, ...details);
}

/** Call a function that takes no time, and return its first output. */
function ask(name, ...given) {
    const reply = addon[name](null, false, null, ...given);
    if (reply[0] !== 0) {
        throw failure(reply);
    }
    return reply[1];
}

// ---- Arguments ----

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = Object.getOwnPropertyDescriptor(typedArray, Symbol.toStringTag).get;
const lengthOf = Object.getOwnPropertyDescriptor(typedArray, 'byteLength').get;
const bufferOf = Object.getOwnPropertyDescriptor(typedArray, 'buffer').get;
const offsetOf = Object.getOwnPropertyDescriptor(typedArray, 'byteOffset').get;
const countOfElements = Object.getOwnPropertyDescriptor(typedArray, 'length').get;

/** Return the length of a Uint8Array. The prototype's getter reads it, because a subclass may override `length`. */
function lengthOfBytes(name, given) {
    if (tagOf.call(given) !== 'Uint8Array') {
        throw wrongType(`${name}: a Uint8Array is wanted`);
    }
    return lengthOf.call(given);
}

/** Return the memory of a typed array as bytes. */
function memoryOf(name, given) {
    if (tagOf.call(given) === undefined) {
        throw wrongType(`${name}: a typed array is wanted`);
    }
    try {
        return new Uint8Array(bufferOf.call(given), offsetOf.call(given), lengthOf.call(given));
    } catch (cause) {
        throw wrongType(`${name}: the array has lost its memory`, { cause });
    }
}

/** Return the addon's two arguments for bytes of a known length. */
function bytes(name, given, wanted) {
    const length = lengthOfBytes(name, given);
    if (length !== wanted) {
        throw new SumacError('BAD_LENGTH', `${name}: ${length} bytes are there, ${wanted} are wanted`);
    }
    return [given, wanted];
}

/** Return the arguments for a buffer that is followed by its length. */
const sized = (name, given, count) => [...bytes(name, given, count), count];

/** Copy bytes without running an iterator or a subclass's getter. */
function copyOfBytes(name, given) {
    lengthOfBytes(name, given);
    return new Uint8Array(given);
}

/** Return the number of elements of `each` bytes in an array. */
function countOf(name, given, each) {
    const length = lengthOfBytes(name, given);
    if (length % each !== 0) {
        throw new SumacError('BAD_LENGTH', `${name}: ${length} bytes are no multiple of ${each}`);
    }
    return length / each;
}

/**
 * Return a list's elements. Each is read once, by its index, because an iterator or forEach() of the caller might skip some. A
 * hole becomes undefined, which every check(name, element) refuses.
 */
function listOf(name, given, count, check) {
    const list = [];
    for (let i = 0; i < count; i++) {
        const one = given[i];
        check(`${name}[${i}]`, one);
        list.push(one);
    }
    return list;
}

/** Return a list of arrays of `each` bytes. */
function listOfBytes(name, given, each) {
    return listOf(name, given, given.length, (called, one) => bytes(called, one, each));
}

/** Return one array of elements of `each` bytes. The caller gives an array of all elements, or a list of single ones. */
function joined(name, given, each) {
    if (!Array.isArray(given)) {
        return given;
    }
    const list = listOfBytes(name, given, each);
    const made = new Uint8Array(list.length * each);
    for (let i = 0; i < list.length; i++) {
        bytes(`${name}[${i}]`, list[i], each); // the getter of another element may have shrunk this one
        made.set(list[i], i * each);
    }
    return made;
}

const INTEGERS = { i: [Int32Array, -(2 ** 31), 2 ** 31 - 1], u: [Uint32Array, 0, 2 ** 32 - 1],
    z: [BigUint64Array, 0n, 2n ** 64n - 1n] };

/** Convert a list of integers to the typed array that the addon expects. */
function integers(name, given, kind) {
    const isTyped = tagOf.call(given) !== undefined;
    if (!Array.isArray(given) && !isTyped) {
        throw wrongType(`${name}: an array of integers is wanted`);
    }
    const [Kind, least, most] = INTEGERS[kind];
    const list = listOf(name, given, isTyped ? countOfElements.call(given) : given.length, (called, value) => {
        if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
            throw wrongType(`${called}: an integer is wanted`);
        }
        if (value < least || value > most) {
            throw outOfRange(`${called}: an integer from ${least} to ${most} is wanted`);
        }
    });
    const made = new Kind(list.length);
    for (let i = 0; i < list.length; i++) {
        made[i] = kind === 'z' ? BigInt(list[i]) : Number(list[i]);
    }
    return made;
}

/** Check that a value is an integer from 0 to below - 1. */
function integerBelow(name, below, given) {
    if (typeof given !== 'bigint' && !Number.isSafeInteger(given)) {
        throw wrongType(`${name}: an integer is wanted`);
    }
    if (given < 0 || given >= below) {
        throw outOfRange(`${name}: an integer from 0 to ${below - 1n} is wanted`);
    }
}

/** Convert integers to little-endian bytes, `each` bytes for one integer. */
function bytesOfIntegers(list, each) {
    const words = new BigUint64Array(list.length * each / 8);
    for (let i = 0; i < list.length; i++) {
        for (let j = 0, rest = BigInt(list[i]); rest > 0n; j++, rest >>= 64n) {
            words[i * each / 8 + j] = rest; // this stores the lowest 64 bits
        }
    }
    return new Uint8Array(words.buffer);
}

/** Convert little-endian bytes to integers, from `each` bytes for one integer. */
function integersOfBytes(name, given, each) {
    const count = countOf(name, given, each);
    const words = new BigUint64Array(copyOfBytes(name, given).buffer);
    return Array.from({ length: count }, (_, i) => words.subarray(i * each / 8, (i + 1) * each / 8).reduceRight((sum, word) => sum << 64n | word, 0n));
}

/** For each type of array whose integers are scalars: the bytes of an element, and whether it is signed. */
const COLUMNS = { Int8Array: [1, true], Uint16Array: [2, false], Int16Array: [2, true], Uint32Array: [4, false], Int32Array: [4, true],
    BigUint64Array: [8, false], BigInt64Array: [8, true] };

/** Return the bytes of scalars. They are given as bytes, as a list of integers or, if there are options, as a column of
 * integers. */
function scalarsOf(name, given, g, options) {
    const column = options && COLUMNS[tagOf.call(given)];
    if (column) {
        [options.scalarBytes, options.scalarSigned] = column;
        return memoryOf(name, given);
    }
    return !Array.isArray(given) ? given
        : bytesOfIntegers(listOf(name, given, given.length, (called, one) => integerBelow(called, g.order, one)), g.scalarBytes);
}

/** Return the bytes of one scalar. */
const scalarOf = (name, given, g) => scalarsOf(name, typeof given === 'bigint' || typeof given === 'number' ? [given] : given, g);

/**
 * Return the bytes of points. They are given as bytes, or as a list of objects with x and y, which are integers or, if
 * coordinates lie in Fp2, pairs of integers. A point that names another group is refused.
 */
function pointsOf(name, given, g) {
    if (!Array.isArray(given)) {
        return given;
    }
    const coordinates = [];
    listOf(name, given, given.length, (called, point) => {
        if (typeof point !== 'object' || point === null) {
            throw wrongType(`${called}: a point with x and y is wanted`);
        }
        const { curve: its = g.name, group = g.group, x, y } = point;
        if (its !== g.name || group !== g.group) {
            throw wrongType(`${called}: a point of ${g.name} ${g.group} is wanted`);
        }
        for (const [axis, value] of [['x', x], ['y', y]]) {
            for (const part of g.degree === 1 ? [value] : [value?.[0], value?.[1]]) {
                integerBelow(`${called}.${axis}`, g.modulus, part);
                coordinates.push(part);
            }
        }
    });
    return bytesOfIntegers(coordinates, g.fieldBytes);
}

/** Return a whole number, for arithmetic in this file. */
function whole(name, given) {
    const number = typeof given === 'bigint' ? Number(given) : given;
    if (!Number.isSafeInteger(number) || number < 0) {
        throw typeof number === 'number' ? outOfRange(`${name}: an integer from 0 to 2^53 - 1 is wanted`)
            : wrongType(`${name}: a number is wanted`);
    }
    return number;
}

function textOf(name, given) {
    if (typeof given !== 'string') {
        throw wrongType(`${name}: a string is wanted`);
    }
    return given;
}

function fileName(name, given) {
    if (given instanceof URL) {
        return fileURLToPath(given);
    }
    if (typeof given !== 'string') {
        throw wrongType(`${name}: a string or a file's URL is wanted`);
    }
    return given;
}

function named(name, of, given) {
    const value = typeof given === 'string' && Object.hasOwn(enums[of], given) ? enums[of][given] : undefined;
    if (value === undefined) {
        const choice = Object.keys(enums[of]).map((one) => `'${one}'`).join(', ');
        throw typeof given === 'string' ? outOfRange(`${name}: one of ${choice} is wanted`)
            : wrongType(`${name}: one of ${choice} is wanted`);
    }
    return value;
}

/** Copy the caller's options. Their getters run once, here, and nowhere else. */
function copyOf(given, name = 'options') {
    if (given === undefined || given === null) {
        return {};
    }
    if (typeof given !== 'object' || Array.isArray(given) || ArrayBuffer.isView(given)) {
        throw wrongType(`${name}: an object is wanted`);
    }
    return { ...given };
}

/** Remove an option that is not a field of a struct, and return it. */
function take(options, name, otherwise) {
    const value = options[name];
    delete options[name];
    return value === undefined ? otherwise : value;
}

function noMore(options) {
    for (const name of Object.keys(options)) {
        throw wrongType(`${name}: there is no such option`);
    }
}

const LISTS = { offsets: 'z', devices: 'i', deviceWeights: 'u', commitmentWires: 'u' };

/** Convert the remaining options to a struct in the form that the addon expects. A name that is not a field of it is
 * refused. */
function structure(of, options) {
    const list = [];
    for (const [name, value] of Object.entries(options)) {
        const field = Object.hasOwn(structs[of], name) ? structs[of][name] : undefined;
        if (field === undefined || name === 'offsetCount') {
            throw wrongType(`${name}: there is no such option`);
        }
        if (value === undefined || value === null) {
            continue;
        }
        const [index, kind, type] = field;
        if (kind === 's') {
            list.push(index, structure(type, copyOf(value, name)));
        } else if (kind === 'h') {
            list.push(index, handleOf(name, value, Groth16VerifyingKey));
        } else if (kind === 'b' || kind === 'l') {
            const copy = LISTS[name] ? integers(name, value, LISTS[name]) : copyOfBytes(name, value);
            list.push(index, copy);
            if (name === 'offsets') {
                list.push(structs[of].offsetCount[0], copy.length);
            }
        } else if (type !== undefined) {
            list.push(index, named(name, type, value));
        } else if (kind === 'f') {
            if (value) {
                list.push(index, true);
            }
        } else {
            list.push(index, typeof value === 'boolean' && kind === 'u' ? Number(value) : value);
        }
    }
    return list;
}

// ---- Objects ----

let handleOf, contextOf;

/** An object of the library. It is freed by close() or, later, by the garbage collector. */
class Handle {
    #handle;
    #context;

    static {
        contextOf = (object, kind) => {
            handleOf('object', object, kind);
            return object.#context;
        };
        handleOf = (name, given, ...kinds) => {
            if (typeof given !== 'object' || given === null || !(#handle in given) || !kinds.some((kind) => given instanceof kind)) {
                throw wrongType(`${name}: a ${kinds.map((kind) => kind.name).join(' or ')} is wanted`);
            }
            return given.#handle;
        };
    }

    constructor(own, handle, context) {
        if (own !== OWN) {
            throw wrongType(`a ${new.target.name} is made by a call of a context`);
        }
        this.#handle = handle;
        this.#context = context;
    }

    /** The context or pool that made the object. */
    get context() {
        return contextOf(this, Handle);
    }

    close() {
        addon.close(handleOf('object', this, Handle));
    }
}
if (Symbol.dispose) {
    Object.defineProperty(Handle.prototype, Symbol.dispose, { value() { this.close(); } });
}

const known = new Map();

/** One of the two groups of a curve. There is one object for each group, which is never closed. */
class Curve extends Handle {
    static of(handle) {
        if (handle === null) {
            return null;
        }
        const { curve, name, ...info } = ask('group_info', handle);
        const key = `${curve} ${name}`;
        if (!known.has(key)) {
            const made = Object.assign(new Curve(OWN, handle), info, { name: curve, group: name, cofactorIsOne: info.cofactorIsOne === 1 });
            [made.generator] = made.points(ask('sumac_group_generator', handle, info.pointBytes, info.pointBytes));
            known.set(key, Object.freeze(made));
        }
        return known.get(key);
    }

    /** Convert raw bytes to points, which are objects with x and y. */
    points(raw) {
        const parts = integersOfBytes('points', raw, this.fieldBytes);
        const each = 2 * this.degree;
        const coordinate = (at) => (this.degree === 1 ? parts[at] : Object.freeze(parts.slice(at, at + this.degree)));
        return Array.from({ length: countOf('points', raw, this.pointBytes) }, (_, i) => Object.freeze({ curve: this.name, group: this.group,
            x: coordinate(i * each), y: coordinate(i * each + this.degree) }));
    }

    /** Convert the bytes of scalars to integers. */
    scalars(raw) {
        return integersOfBytes('scalars', raw, this.scalarBytes);
    }

    close() {
        throw wrongType('a Curve is a constant');
    }
}

function curve(name, group = 'g1') {
    if (typeof name !== 'string' || typeof group !== 'string') {
        throw wrongType('curve: names are strings');
    }
    try {
        return Curve.of(ask('sumac_group_find', name, group));
    } catch (error) {
        if (error.code === 'SUMAC_UNKNOWN_CURVE') {
            error.message = `this build has no ${name} ${group}; it has ${curves().map((one) => `${one.name} ${one.group}`).join(', ')}`;
        }
        throw error;
    }
}

function curves() {
    return Array.from({ length: ask('sumac_group_count') }, (_, i) => Curve.of(ask('sumac_group_at', i)));
}

/** Return the given Curve. If it is a name, return the first group of that curve. */
function curveOf(given) {
    if (typeof given === 'string') {
        return curve(given);
    }
    handleOf('curve', given, Curve);
    return given;
}

const rawCurve = (given) => handleOf('curve', given, Curve);
const nothing = () => undefined;

/** Define properties of a kind of object. Each has a name, the addon's function, and a conversion of its answer. */
function properties(kind, called, questions) {
    for (const [name, [question, finish = (answer) => answer]] of Object.entries(questions)) {
        Object.defineProperty(kind.prototype, name, { get() { return finish(ask(question, handleOf(called, this, kind))); }, configurable: true });
    }
}

class Bases extends Handle {}
properties(Bases, 'bases', { count: ['sumac_bases_count'] });
/** These are the properties that sumac_bases_describe() writes. */
for (const [name, finish] of Object.entries({
    curve: Curve.of, precomputeFactor: (value) => value, tables: (value) => nameOf('sumac_tables', value), bytes: (value) => value,
})) {
    Object.defineProperty(Bases.prototype, name, {
        get() { return finish(ask('sumac_bases_describe', handleOf('bases', this, Bases))[name === 'curve' ? 'group' : name]); },
        configurable: true,
    });
}

class Vector extends Handle {}
properties(Vector, 'vector', {
    count: ['sumac_vector_count'], curve: ['sumac_vector_group', Curve.of],
    kind: ['sumac_vector_kind_of', (value) => nameOf('sumac_vector_kind', value)], address: ['sumac_vector_memory'],
});

class PairingPoints extends Handle {
    #count;
    constructor(own, handle, caller, of, count) {
        super(own, handle, caller);
        this.curve = of;
        this.#count = count;
    }
    get count() {
        handleOf('points', this, PairingPoints);
        return this.#count;
    }
}

class Fk20 extends Handle {}
properties(Fk20, 'fk20', Object.fromEntries(['n', 'cellElements', 'tableBytes'].map((name) => [name, ['sumac_fk20_describe', (info) => info[name]]])));

class KzgSetup extends Handle {}
properties(KzgSetup, 'setup', { tableBytes: ['sumac_kzg_table_bytes'] });

function groth16Info(name, handle) {
    const info = ask(name, handle);
    return Object.freeze({ ...info, g1: Curve.of(info.g1), g2: Curve.of(info.g2), hasVerifyingKey: info.hasVerifyingKey === 1 });
}

class Groth16Key extends Handle {
    #verifying;
    get info() { return groth16Info('sumac_groth16_key_describe', handleOf('key', this, Groth16Key)); }
    get verifying() {
        const handle = handleOf('key', this, Groth16Key);
        this.#verifying ??= new Groth16VerifyingKey(OWN, ask('sumac_groth16_key_verifying', handle), this.context);
        return this.#verifying;
    }
}

class Groth16VerifyingKey extends Handle {
    get info() { return groth16Info('sumac_groth16_verifying_key_describe', handleOf('verifying', this, Groth16VerifyingKey)); }
}

function plonkInfo(name, handle) {
    const info = ask(name, handle);
    return Object.freeze({ ...info, g1: Curve.of(info.g1), g2: Curve.of(info.g2) });
}

class PlonkKey extends Handle {
    #verifying;
    get info() { return plonkInfo('sumac_plonk_key_describe', handleOf('key', this, PlonkKey)); }
    get verifying() {
        const handle = handleOf('key', this, PlonkKey);
        this.#verifying ??= new PlonkVerifyingKey(OWN, ask('sumac_plonk_key_verifying', handle), this.context);
        return this.#verifying;
    }
}

class PlonkVerifyingKey extends Handle {
    get info() { return plonkInfo('sumac_plonk_verifying_key_describe', handleOf('verifying', this, PlonkVerifyingKey)); }
}

function nameOf(of, value) {
    return Object.keys(enums[of]).find((name) => enums[of][name] === value);
}

/** Parse a JSON text that a call has returned. */
const parsed = ([text]) => JSON.parse(text);

// ---- Calls ----

/** Remove from the options of a call those that every call has. */
function control(options, handle) {
    const signal = take(options, 'signal');
    const onProgress = take(options, 'onProgress');
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
        throw wrongType('signal: an AbortSignal is wanted');
    }
    if (onProgress !== undefined && typeof onProgress !== 'function') {
        throw wrongType('onProgress: a function is wanted');
    }
    const state = new Float64Array(2);
    const call = { state, thrown: undefined, abort: () => { state[0] = 1; addon.cancel(handle, state); } };
    call.progress = onProgress && ((done) => {
        try {
            onProgress(done);
        } catch (error) {
            call.thrown ??= { error };
            call.abort();
        }
    });
    call.begin = () => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', call.abort);
    };
    call.end = () => signal?.removeEventListener('abort', call.abort);
    call.outputs = (reply) => {
        if (call.thrown) {
            throw call.thrown.error;
        }
        if (reply[0] !== 0) {
            if (statuses[reply[0]] === 'CANCELLED') {
                signal?.throwIfAborted();
            }
            throw failure(reply);
        }
        return reply.slice(1);
    };
    return call;
}

/**
 * Define both forms of a call of an object. The object is a context or pool, or a call of it works in the context or pool that
 * made it, unless the option `context` names another one. make(context, object, ...given, options) returns the addon's
 * function, its arguments, and a function that makes the result from the outputs. If the object is a context or pool, make()
 * does not get `object`.
 */
function define(kind, name, count, make) {
    const isCaller = kind === Caller;
    const prepare = (object, given) => {
        const options = copyOf(given[count]);
        const maker = isCaller ? object : contextOf(object, kind);
        const caller = isCaller || kind === Call ? maker : take(options, 'context') ?? maker;
        const handle = handleOf('context', caller, Caller);
        const call = control(options, handle);
        const list = [handle, ...isCaller ? [] : [object], ...Array.from({ length: count }, (_, i) => given[i]), options];
        const [called, values, finish = ([first]) => first] = make(...list);
        return { call, called, values, finish: (reply) => finish(call.outputs(reply), caller) };
    };
    const forms = {
        async [name](...given) {
            const { call, called, values, finish } = prepare(this, given);
            call.begin();
            const timer = call.progress && setInterval(() => call.progress(call.state[1]), PROGRESS_MILLISECONDS);
            try {
                return finish(await addon[called](call.state, true, null, ...values));
            } finally {
                clearInterval(timer);
                call.end();
            }
        },
        [`${name}Sync`](...given) {
            const { call, called, values, finish } = prepare(this, given);
            call.begin();
            try {
                return finish(addon[called](call.state, false, call.progress, ...values));
            } finally {
                call.end();
            }
        },
    };
    for (const [form, value] of Object.entries(forms)) {
        Object.defineProperty(kind.prototype, form, { value, writable: true, configurable: true });
    }
}

/** A context or a pool. */
class Caller extends Handle {
    takeTrace() {
        return addon.takeTrace(handleOf('context', this, Caller));
    }
}

function contextOptions(given) {
    const options = copyOf(given);
    if (options.devices === 'all') {
        options.deviceCount = constants.ALL_DEVICES;
        delete options.devices;
    } else if (options.devices !== undefined && options.devices !== null) {
        options.devices = integers('devices', options.devices, 'i');
        options.deviceCount = options.devices.length;
    }
    if (options.deviceWeights !== undefined && options.deviceWeights !== null) {
        options.deviceWeights = integers('deviceWeights', options.deviceWeights, 'u');
        if (options.deviceWeights.length !== options.devices?.length) {
            throw new SumacError('BAD_LENGTH', 'deviceWeights: each device needs one weight');
        }
    }
    return structure('sumac_context_config', options);
}

const describe = (context) => ask('sumac_context_describe', handleOf('context', context, Context));

class Context extends Caller {
    constructor(options, handle) {
        super(OWN, options === OWN ? handle : ask('sumac_context_create', contextOptions(options)));
    }

    /** Create a context outside the event loop, because drivers of GPUs take time. */
    static async create(options) {
        const reply = await addon.sumac_context_create(null, true, null, contextOptions(options));
        if (reply[0] !== 0) {
            throw failure(reply);
        }
        return new Context(OWN, reply[1]);
    }

    get backend() { return describe(this).backend; }
    get variant() { return describe(this).variant; }
    get location() { return nameOf('sumac_location', describe(this).location); }
    get threads() { return describe(this).threads; }
    get devices() { return describe(this).deviceNames; }
    plans(of) { return JSON.parse(ask('sumac_context_plans', handleOf('context', this, Context), rawCurve(curveOf(of)))); }
}

class Pool extends Caller {
    constructor(most, options) {
        super(OWN, ask('sumac_pool_create', contextOptions(options), most));
    }
}

/** The curve of each prepared call, and the number of bytes of its scalars and results. */
const callSizes = new WeakMap();

class Call extends Handle {
    constructor(own, handle, caller, sizes) {
        super(own, handle, caller);
        callSizes.set(this, sizes);
    }
    get plan() { return JSON.parse(ask('sumac_call_plan', handleOf('call', this, Call))); }
}

const made = (Kind) => ([handle], caller) => new Kind(OWN, handle, caller);

// Contexts

define(Caller, 'check', 0, (c, o) => [noMore(o) ?? 'sumac_context_check', [c], nothing]);
define(Caller, 'measureWeights', 2, (c, of, n, o) => {
    noMore(o);
    const devices = ask('sumac_context_describe', c).deviceCount;
    return ['sumac_context_measure_weights', [c, rawCurve(curveOf(of)), n, 4 * devices, devices], ([weights]) => new Uint32Array(weights.buffer)];
});

// Bases

define(Caller, 'createBases', 2, (c, of, points, o) => {
    const g = curveOf(of);
    const config = structure('sumac_bases_config', o);
    const stride = o.stride ? whole('stride', o.stride) : g.pointBytes;
    const raw = pointsOf('points', points, g);
    const n = countOf('points', raw, stride);
    return ['sumac_bases_create', [c, rawCurve(g), raw, n * stride, n * stride, n, config], made(Bases)];
});
define(Caller, 'openBases', 2, (c, of, file, o) => {
    const [format, first, n] = [take(o, 'format'), take(o, 'first'), take(o, 'n')];
    return ['sumac_bases_open', [c, of === null ? null : rawCurve(curveOf(of)), fileName('path', file), format, first ?? 0,
        n ?? constants.ALL, structure('sumac_bases_config', o)], made(Bases)];
});
define(Caller, 'countBases', 2, (c, of, file, o) => {
    const format = take(o, 'format');
    noMore(o);
    return ['sumac_bases_file_count', [c, rawCurve(curveOf(of)), fileName('path', file), format]];
});
define(Bases, 'read', 0, (c, bases, o) => {
    const b = handleOf('bases', bases, Bases);
    const first = whole('first', take(o, 'first', 0));
    const n = whole('n', take(o, 'n', Math.max(0, bases.count - first)));
    noMore(o);
    const size = inside('bases', n, bases.count, first) * bases.curve.pointBytes;
    return ['sumac_bases_get', [c, b, first, n, size, size]];
});
define(Bases, 'save', 1, (c, bases, file, o) => {
    const format = take(o, 'format');
    noMore(o);
    return ['sumac_bases_save', [c, handleOf('bases', bases, Bases), fileName('path', file), format], nothing];
});
define(Vector, 'createBases', 0, (c, points, o) => {
    const v = handleOf('points', points, Vector);
    const first = whole('first', take(o, 'first', 0));
    const n = take(o, 'n', Math.max(0, points.count - first));
    return ['sumac_bases_create_from_vector', [c, v, first, n, structure('sumac_bases_config', o)], made(Bases)];
});
define(Caller, 'createKnownBases', 3, (c, of, n, seed, o) => ['sumac_known_bases_create',
    [c, rawCurve(curveOf(of)), n, seed, structure('sumac_bases_config', o)], made(Bases)]);
define(Caller, 'knownLogarithms', 3, (c, of, n, seed, o) => {
    noMore(o);
    const size = whole('n', n) * curveOf(of).scalarBytes;
    return ['sumac_known_logarithms', [c, rawCurve(curveOf(of)), n, seed, size, size]];
});
define(Caller, 'knownAnswer', 3, (c, of, scalars, logarithms, o) => {
    noMore(o);
    const g = curveOf(of);
    const [raw, logs] = [scalarsOf('scalars', scalars, g), scalarsOf('logarithms', logarithms, g)];
    const n = countOf('scalars', raw, g.scalarBytes);
    const size = n * g.scalarBytes;
    return ['sumac_known_answer', [c, rawCurve(g), ...sized('scalars', raw, size), ...sized('logarithms', logs, size), n,
        g.pointBytes, g.pointBytes]];
});

/** Check that a call does not read more elements than there are, before memory for the result is allocated. */
function inside(name, n, count, first) {
    if (first + n > count) {
        throw new SumacError('BAD_ARGUMENT', `${name}: ${n} from ${first} on are wanted, ${count} are there`);
    }
    return n;
}

// Points and scalars

let sizer;
const recordSizes = new Map();

/** Return the number of bytes of a record. A context that serves no calls answers this, so that it is never busy. */
function recordBytes(g, format) {
    const key = `${g.name} ${g.group} ${textOf('format', format)}`;
    if (!recordSizes.has(key)) {
        sizer ??= ask('sumac_context_create', structure('sumac_context_config', { backend: 'cpu', threads: 1 }));
        recordSizes.set(key, ask('sumac_points_record_bytes', sizer, rawCurve(g), format));
    }
    return recordSizes.get(key);
}

/** Return the number of bytes of a point in a format. */
function pointsRecordBytes(of, format) {
    return recordBytes(curveOf(of), format);
}

define(Caller, 'decodePoints', 3, (c, of, records, format, o) => {
    const g = curveOf(of);
    const check = named('check', 'sumac_check', take(o, 'check', 'curve'));
    noMore(o);
    const each = recordBytes(g, format);
    const n = countOf('records', records, each);
    return ['sumac_points_decode', [c, rawCurve(g), ...sized('records', records, n * each), n, format, check, n * g.pointBytes, n * g.pointBytes]];
});
define(Caller, 'encodePoints', 3, (c, of, points, format, o) => {
    noMore(o);
    const g = curveOf(of);
    const each = recordBytes(g, format);
    const raw = pointsOf('points', points, g);
    const n = countOf('points', raw, g.pointBytes);
    return ['sumac_points_encode', [c, rawCurve(g), ...sized('points', raw, n * g.pointBytes), n, format, n * each, n * each]];
});
define(Caller, 'mapToGroup', 2, (c, of, elements, o) => {
    noMore(o);
    const g = curveOf(of);
    const n = countOf('elements', elements, g.pointBytes / 2);
    return ['sumac_map_to_group', [c, rawCurve(g), ...sized('elements', elements, n * g.pointBytes / 2), n, n * g.pointBytes, n * g.pointBytes]];
});
define(Caller, 'readScalars', 2, (c, of, file, o) => [noMore(o) ?? 'sumac_scalars_read',
    [c, rawCurve(curveOf(of)), fileName('path', file), 1]]);

// Sums

/** Return the sizes of a call. The library compares the lengths of its memory with the sizes that it computes itself. */
function measure(g, n, { offsets, batch: given = 0, scalarBytes = 0, baseSets = 0, first = 0 }) {
    const batch = whole('batch', given) || Math.max(1, (offsets?.length ?? 0) - 1);
    const scalars = offsets?.length ? Number(offsets[offsets.length - 1]) : batch * whole('n', n);
    if (offsets?.length && offsets.length !== batch + 1) {
        throw new SumacError('BAD_LENGTH', `there are ${offsets.length} offsets, and a batch of ${batch} needs one more`);
    }
    const sets = Math.max(1, Math.min(whole('baseSets', baseSets), batch));
    const sizes = { batch, scalars, scalarsBytes: scalars * (whole('scalarBytes', scalarBytes) || g.scalarBytes),
        resultsBytes: batch * g.pointBytes, bases: whole('first', first) + sets * whole('n', n) };
    if (!Object.values(sizes).every(Number.isSafeInteger)) {
        throw new SumacError('BAD_LENGTH', `${batch} MSMs of ${n} scalars are more than any memory holds`);
    }
    return sizes;
}

/** Convert offsets for the addon. */
function takeOffsets(options) {
    if (options.offsets !== undefined && options.offsets !== null) {
        options.offsets = integers('offsets', options.offsets, 'z');
    }
}

/** Return the n of each MSM of a call. `there` is the number of scalars, and `each` is that number for n = 1. */
function divided(there, each) {
    if (there % each !== 0) {
        throw new SumacError('BAD_LENGTH', `scalars: ${there} are no multiple of the batch of ${each}`);
    }
    return there / each;
}

/** Refuse scalars for fewer than all bases in a call without n, because the caller probably wants a sum over all bases. */
function requireAll(bases, sizes) {
    if (sizes.bases !== bases.count) {
        const advice = sizes.bases < bases.count ? '; give n if only the first of them are meant' : '';
        throw new SumacError('BAD_LENGTH', `there are ${bases.count} bases, and the scalars are for ${sizes.bases}${advice}`);
    }
}

function msmCall(c, bases, scalars, o, resultBytes) {
    const b = handleOf('bases', bases, Bases);
    const g = bases.curve;
    const said = take(o, 'n');
    takeOffsets(o);
    const raw = scalarsOf('scalars', scalars, g, o);
    let n = said ?? bases.count;
    if (said === undefined && !o.offsets) {
        const { batch, scalarsBytes } = measure(g, 1, o);
        n = divided(countOf('scalars', raw, scalarsBytes / batch), batch);
    }
    const sizes = measure(g, n, o);
    if (said === undefined && !o.offsets) {
        requireAll(bases, sizes);
    }
    const size = resultBytes(g, sizes);
    return [c, b, ...sized('scalars', raw, sizes.scalarsBytes), n, structure('sumac_msm_config', o), size, size];
}

define(Bases, 'msm', 1, (c, bases, scalars, o) => ['sumac_msm', msmCall(c, bases, scalars, o, (g, { resultsBytes }) => resultsBytes)]);
define(Bases, 'msmPartial', 1, (c, bases, scalars, o) => ['sumac_msm_partial', msmCall(c, bases, scalars, o,
    (g, { batch }) => ask('sumac_partial_bytes', rawCurve(g), batch))]);
define(Caller, 'combinePartials', 2, (c, of, partials, o) => {
    const g = curveOf(of);
    const batch = take(o, 'batch', 1);
    noMore(o);
    if (!Array.isArray(partials)) {
        throw wrongType('partials: an array of Uint8Arrays is wanted');
    }
    const partialBytes = ask('sumac_partial_bytes', rawCurve(g), batch);
    if (partialBytes === 0) {
        throw new SumacError('BAD_ARGUMENT', 'batch is 0, and must be at least 1');
    }
    const { resultsBytes } = measure(g, 0, { batch });
    const list = listOfBytes('partials', partials, partialBytes);
    return ['sumac_partial_combine', [c, rawCurve(g), list, partialBytes, partialBytes, list.length, batch, resultsBytes, resultsBytes]];
});
define(Caller, 'msmFiles', 3, (c, of, basesFile, scalarsFile, o) => {
    const g = curveOf(of);
    const msm = structure('sumac_msm_config', copyOf(take(o, 'msm'), 'msm'));
    if (o.checkpoint !== undefined) {
        o.checkpoint = fileName('checkpoint', o.checkpoint);
    }
    return ['sumac_msm_files', [c, rawCurve(g), fileName('basesPath', basesFile), fileName('scalarsPath', scalarsFile),
        structure('sumac_files_config', o), msm, g.pointBytes, g.pointBytes], ([result, report]) => ({ result, report })];
});
define(Bases, 'msmVectors', 2, (c, bases, scalars, results, o) => {
    const v = handleOf('scalars', scalars, Vector);
    const first = whole('scalarsFirst', take(o, 'scalarsFirst', 0));
    const resultFirst = take(o, 'resultFirst', 0);
    const b = handleOf('bases', bases, Bases);
    let n = take(o, 'n');
    takeOffsets(o);
    if (n === undefined) {
        n = divided(Math.max(0, scalars.count - first), measure(bases.curve, 1, o).scalars);
        requireAll(bases, measure(bases.curve, n, o));
    }
    return ['sumac_msm_vectors', [c, b, v, first, n, structure('sumac_msm_config', o),
        handleOf('results', results, Vector), resultFirst], nothing];
});
define(Bases, 'prepareMsm', 1, (c, bases, n, o) => {
    const b = handleOf('bases', bases, Bases);
    takeOffsets(o);
    const { scalarsBytes, resultsBytes } = measure(bases.curve, n, o);
    return ['sumac_msm_prepare', [c, b, n, structure('sumac_msm_config', o)],
        ([handle], caller) => new Call(OWN, handle, caller, { curve: bases.curve, scalarsBytes, resultsBytes })];
});
define(Call, 'run', 1, (c, call, scalars, o) => {
    noMore(o);
    const handle = handleOf('call', call, Call);
    const { curve: g, scalarsBytes, resultsBytes } = callSizes.get(call);
    return ['sumac_call_run', [handle, ...sized('scalars', scalarsOf('scalars', scalars, g), scalarsBytes), resultsBytes, resultsBytes]];
});
define(Caller, 'planMsm', 2, (c, of, n, o) => {
    const config = structure('sumac_bases_config', copyOf(take(o, 'bases'), 'bases'));
    const msm = structure('sumac_msm_config', copyOf(take(o, 'msm'), 'msm'));
    noMore(o);
    return ['sumac_plan_create', [c, rawCurve(curveOf(of)), n, config, msm], parsed];
});
define(Bases, 'estimateMsm', 1, (c, bases, n, o) => ['sumac_msm_estimate', [c, handleOf('bases', bases, Bases), n,
    structure('sumac_msm_config', o)]]);
define(Bases, 'planMsm', 1, (c, bases, n, o) => ['sumac_msm_plan', [c, handleOf('bases', bases, Bases), n, structure('sumac_msm_config', o)],
    parsed]);

// Vectors

const vectorOf = (name, given) => handleOf(name, given, Vector);
const elementBytes = (vector) => (vector.kind === 'points' ? vector.curve.pointBytes : vector.curve.scalarBytes);

define(Caller, 'createVector', 3, (c, of, kind, count, o) => [noMore(o) ?? 'sumac_vector_create',
    [c, rawCurve(curveOf(of)), named('kind', 'sumac_vector_kind', kind), count], made(Vector)]);
define(Caller, 'wrapVector', 2, (c, of, given, o) => {
    noMore(o);
    const g = curveOf(of);
    const memory = memoryOf('memory', given);
    return ['sumac_vector_wrap', [c, rawCurve(g), memory, memory.byteLength, countOf('memory', memory, g.scalarBytes)], made(Vector)];
});
define(Vector, 'view', 0, (c, vector, o) => {
    const v = vectorOf('vector', vector);
    const first = whole('first', take(o, 'first', 0));
    const n = take(o, 'n', Math.max(0, vector.count - first));
    return [noMore(o) ?? 'sumac_vector_view', [c, v, first, n], made(Vector)];
});
define(Vector, 'write', 1, (c, vector, given, o) => {
    const v = vectorOf('vector', vector);
    const first = take(o, 'first', 0);
    const elements = vector.kind === 'points' ? pointsOf('elements', given, vector.curve) : scalarsOf('elements', given, vector.curve, o);
    const layout = structure('sumac_element_layout', o);
    const each = whole('scalarBytes', o.scalarBytes ?? 0) || elementBytes(vector);
    const n = countOf('elements', elements, each);
    return ['sumac_vector_set', [c, v, elements, n * each, n * each, first, n, layout], nothing];
});
define(Vector, 'read', 0, (c, vector, o) => {
    const v = vectorOf('vector', vector);
    const first = whole('first', take(o, 'first', 0));
    const n = whole('n', take(o, 'n', Math.max(0, vector.count - first)));
    const count = inside('vector', n, vector.count, first) * elementBytes(vector);
    return ['sumac_vector_get', [c, v, first, n, structure('sumac_element_layout', o), count, count]];
});

function sliceOf(vector, given, name) {
    const slice = copyOf(given, name);
    slice.first = whole('first', slice.first ?? 0);
    slice.runs ??= 1;
    slice.length ??= Math.max(0, vector.count - slice.first);
    slice.stride ??= slice.length;
    return structure('sumac_slice', slice);
}

define(Vector, 'copyTo', 1, (c, from, to, o) => {
    const [fromSlice, toSlice] = [take(o, 'fromSlice'), take(o, 'toSlice')];
    return [noMore(o) ?? 'sumac_vector_copy',
        [c, vectorOf('from', from), sliceOf(from, fromSlice, 'fromSlice'), vectorOf('to', to), sliceOf(to, toSlice, 'toSlice')], nothing];
});
define(Vector, 'gather', 3, (c, from, length, rows, to, o) => {
    noMore(o);
    const list = integers('rows', rows, 'z');
    return ['sumac_vector_gather', [c, vectorOf('from', from), length, list, list.byteLength, list.length, vectorOf('to', to)], nothing];
});
define(Vector, 'fill', 1, (c, vector, scalar, o) => {
    noMore(o);
    const v = vectorOf('vector', vector);
    const { curve: g } = vector;
    return ['sumac_vector_fill', [c, v, ...sized('scalar', scalarOf('scalar', scalar, g), g.scalarBytes)], nothing];
});
for (const operation of ['Add', 'Subtract', 'Multiply']) {
    define(Vector, operation.toLowerCase(), 2, (c, a, b, result, o) => {
        const each = take(o, 'each', 1);
        noMore(o);
        return [`sumac_vector_${operation.toLowerCase()}`, [c, vectorOf('a', a), vectorOf('b', b), each, vectorOf('result', result)],
            nothing];
    });
}
define(Vector, 'multiplyAdd', 3, (c, a, b, addend, result, o) => {
    const each = take(o, 'each', 1);
    return [noMore(o) ?? 'sumac_vector_multiply_add',
        [c, vectorOf('a', a), vectorOf('b', b), each, vectorOf('addend', addend), vectorOf('result', result)], nothing];
});
define(Vector, 'scan', 1, (c, vector, operation, o) => {
    const v = vectorOf('vector', vector);
    const [length, exclusive] = [take(o, 'length', vector.count), take(o, 'exclusive', false)];
    return [noMore(o) ?? 'sumac_vector_scan', [c, v, length, named('operation', 'sumac_scan', operation),
        typeof exclusive === 'boolean' ? Number(exclusive) : exclusive], nothing];
});
define(Vector, 'invert', 0, (c, vector, o) => [noMore(o) ?? 'sumac_vector_invert', [c, vectorOf('vector', vector)], nothing]);
define(Vector, 'scalePowers', 0, (c, vector, o) => {
    const v = vectorOf('vector', vector);
    const [factor, ratio, length] = [take(o, 'factor'), take(o, 'ratio'), take(o, 'length', vector.count)];
    noMore(o);
    const { curve: g } = vector;
    const one = (name, given) => (given === undefined ? [null, 0, 0] : sized(name, scalarOf(name, given, g), g.scalarBytes));
    return ['sumac_vector_scale_powers', [c, v, ...one('factor', factor), ...one('ratio', ratio), length], nothing];
});
define(Vector, 'sum', 2, (c, a, length, result, o) => [noMore(o) ?? 'sumac_vector_sum',
    [c, vectorOf('a', a), length, vectorOf('result', result)], nothing]);
define(Vector, 'transpose', 3, (c, a, rows, columns, result, o) => [noMore(o) ?? 'sumac_vector_transpose',
    [c, vectorOf('a', a), rows, columns, vectorOf('result', result)], nothing]);
define(Vector, 'reverseBits', 0, (c, vector, o) => {
    const v = vectorOf('vector', vector);
    const length = take(o, 'length', vector.count);
    noMore(o);
    return ['sumac_vector_bit_reverse', [c, v, length], nothing];
});
function transformOf(vector, options) {
    for (const name of ['shift', 'root']) {
        if (options[name] !== undefined) {
            options[name] = scalarOf(name, options[name], vector.curve);
            bytes(name, options[name], vector.curve.scalarBytes);
        }
    }
    return structure('sumac_transform_config', options);
}
define(Vector, 'ntt', 0, (c, vector, o) => ['sumac_vector_ntt', [c, vectorOf('vector', vector), transformOf(vector, o)], nothing]);
define(Vector, 'divideByVanishing', 1, (c, vector, n, o) => ['sumac_vector_divide_by_vanishing',
    [c, vectorOf('vector', vector), n, transformOf(vector, o)], nothing]);

function rootOfUnity(of, log2) {
    const g = curveOf(of);
    return ask('sumac_root_of_unity', rawCurve(g), log2, g.scalarBytes, g.scalarBytes);
}

// Pairings

/** Return both groups of a curve. */
const groupsOf = (g) => [curve(g.name, 'g1'), curve(g.name, 'g2')];

/** Return the first arguments of a call with pairs of points, and both groups. */
function pairsOf(c, of, g1Points, g2Points, o) {
    const g = curveOf(of);
    const check = named('check', 'sumac_check', take(o, 'check', 'subgroup'));
    noMore(o);
    const [g1, g2] = groupsOf(g);
    const [left, right] = [pointsOf('g1Points', g1Points, g1), pointsOf('g2Points', g2Points, g2)];
    const n = countOf('g1Points', left, g1.pointBytes);
    return [[c, rawCurve(g), ...sized('g1Points', left, n * g1.pointBytes), ...sized('g2Points', right, n * g2.pointBytes), n, check], g1, g2];
}
define(Caller, 'pairingCheck', 3, (...given) => ['sumac_pairing_check', pairsOf(...given)[0]]);
define(Caller, 'pairingValue', 3, (...given) => {
    const [pairs, g1, g2] = pairsOf(...given);
    const bytes = (g1.pointBytes === g2.pointBytes ? 6 : 12) * g1.fieldBytes;
    return ['sumac_pairing_value', [...pairs, bytes, bytes]];
});
define(Caller, 'createPairingPoints', 2, (c, of, g2Points, o) => {
    const g = curveOf(of);
    const check = named('check', 'sumac_check', take(o, 'check', 'subgroup'));
    noMore(o);
    const [, g2] = groupsOf(g);
    const raw = pointsOf('g2Points', g2Points, g2);
    const n = countOf('g2Points', raw, g2.pointBytes);
    return ['sumac_pairing_points_create', [c, rawCurve(g), ...sized('g2Points', raw, n * g2.pointBytes), n, check],
        ([handle], caller) => new PairingPoints(OWN, handle, caller, g, n)];
});
define(PairingPoints, 'check', 2, (c, prepared, g1Points, g2Points, o) => {
    const p = handleOf('prepared', prepared, PairingPoints);
    const check = named('check', 'sumac_check', take(o, 'check', 'subgroup'));
    noMore(o);
    const [g1, g2] = groupsOf(prepared.curve);
    const [left, right] = [pointsOf('g1Points', g1Points, g1), pointsOf('g2Points', g2Points ?? [], g2)];
    const n = countOf('g1Points', left, g1.pointBytes);
    return ['sumac_pairing_check_prepared', [c, p, ...sized('g1Points', left, n * g1.pointBytes),
        ...sized('g2Points', right, Math.max(0, n - prepared.count) * g2.pointBytes), n, check]];
});

// Structured reference strings

const basesOf = (name, given) => handleOf(name, given, Bases);

define(Bases, 'commit', 3, (c, srs, polynomials, n, commitments, o) => [noMore(o) ?? 'sumac_srs_commit',
    [c, basesOf('srs', srs), vectorOf('polynomials', polynomials), n, vectorOf('commitments', commitments)], nothing]);
define(Bases, 'open', 3, (c, srs, polynomials, n, evaluationPoints, o) => {
    const [values, proofs] = [take(o, 'values'), take(o, 'proofs')];
    noMore(o);
    return ['sumac_srs_open', [c, basesOf('srs', srs), vectorOf('polynomials', polynomials), n, vectorOf('evaluationPoints', evaluationPoints),
        values && vectorOf('values', values), proofs && vectorOf('proofs', proofs)], nothing];
});
define(Caller, 'verifyOpenings', 7, (c, of, g1Points, g2Points, commitments, evaluationPoints, values, proofs, o) => {
    noMore(o);
    const [g1, g2] = groupsOf(curveOf(of));
    return ['sumac_srs_verify', [c, rawCurve(g1), ...sized('g1Points', pointsOf('g1Points', g1Points, g1), g1.pointBytes),
        ...sized('g2Points', pointsOf('g2Points', g2Points, g2), 2 * g2.pointBytes),
        vectorOf('commitments', commitments), vectorOf('evaluationPoints', evaluationPoints), vectorOf('values', values), vectorOf('proofs', proofs)]];
});
define(Caller, 'challenge', 3, (c, of, hash, transcript, o) => {
    noMore(o);
    const g = curveOf(of);
    return ['sumac_challenge', [c, rawCurve(g), textOf('hash', hash), ...sized('transcript', transcript, lengthOfBytes('transcript', transcript)),
        g.scalarBytes, g.scalarBytes]];
});
/** Return the addon's arguments for points, for flags that say what is opened there, and for factors. */
const openingsOf = (given) => {
    const o = copyOf(given, 'openings');
    const [points, opened, factors] = [take(o, 'points'), take(o, 'opened'), take(o, 'factors')];
    noMore(o);
    const flags = opened === undefined ? [null, 0, 0] : sized('opened', opened, lengthOfBytes('opened', opened));
    return [[vectorOf('points', points), ...flags], vectorOf('factors', factors)];
};
define(Bases, 'shplonkQuotient', 5, (c, srs, polynomials, n, openings, quotient, commitment, o) => {
    noMore(o);
    const [opened, factors] = openingsOf(openings);
    return ['sumac_shplonk_quotient', [c, basesOf('srs', srs), vectorOf('polynomials', polynomials), n, ...opened, factors,
        vectorOf('quotient', quotient), vectorOf('commitment', commitment)], nothing];
});
define(Bases, 'shplonkOpen', 6, (c, srs, polynomials, n, openings, quotient, evaluationPoint, proof, o) => {
    noMore(o);
    const [opened, factors] = openingsOf(openings);
    return ['sumac_shplonk_open', [c, basesOf('srs', srs), vectorOf('polynomials', polynomials), n, ...opened, factors,
        vectorOf('quotient', quotient), vectorOf('evaluationPoint', evaluationPoint), vectorOf('proof', proof)], nothing];
});
define(Caller, 'shplonkVerify', 8, (c, of, g1Points, g2Points, commitments, openings, values, evaluationPoint, proof, o) => {
    noMore(o);
    const [g1, g2] = groupsOf(curveOf(of));
    const [opened, factors] = openingsOf(openings);
    return ['sumac_shplonk_verify', [c, rawCurve(g1), ...sized('g1Points', pointsOf('g1Points', g1Points, g1), g1.pointBytes),
        ...sized('g2Points', pointsOf('g2Points', g2Points, g2), 2 * g2.pointBytes), vectorOf('commitments', commitments), ...opened,
        vectorOf('values', values), factors, vectorOf('evaluationPoint', evaluationPoint), vectorOf('proof', proof)]];
});
define(Bases, 'createFk20', 2, (c, srs, n, cellElements, o) => {
    const tableBytes = take(o, 'tableBytes', 0);
    noMore(o);
    return ['sumac_fk20_create', [c, basesOf('srs', srs), n, cellElements, tableBytes], made(Fk20)];
});
define(Fk20, 'prove', 2, (c, fk20, polynomials, proofs, o) => {
    const [rate, order] = [take(o, 'rate', 1), named('order', 'sumac_order', take(o, 'order', 'natural'))];
    noMore(o);
    return ['sumac_fk20_prove', [c, handleOf('fk20', fk20, Fk20), vectorOf('polynomials', polynomials), rate, order,
        vectorOf('proofs', proofs)], nothing];
});
define(Fk20, 'save', 1, (c, fk20, file, o) => [noMore(o) ?? 'sumac_fk20_save', [c, handleOf('fk20', fk20, Fk20), fileName('path', file)],
    nothing]);
define(Bases, 'openFk20', 3, (c, srs, n, cellElements, file, o) => [noMore(o) ?? 'sumac_fk20_open',
    [c, basesOf('srs', srs), n, cellElements, fileName('path', file)], made(Fk20)]);

// Blobs and cells

const { KZG_BLOB_BYTES: BLOB, KZG_CELL_BYTES: CELL, KZG_CELLS: CELLS } = constants;
const setupOf = (given) => handleOf('setup', given, KzgSetup);

/** The number of bytes of one element, by the name of the argument. */
const SIZES = { blobs: BLOB, cells: CELL, commitments: 48, proofs: 48, zs: 32, ys: 32, g1Monomial: 48, g1Lagrange: 48, g2Monomial: 96 };

/**
 * Convert arguments that are arrays or lists of elements of one size. Return, for each, the addon's two arguments and the
 * number of elements. All arguments are joined before any length is read, because a getter of one may shrink another.
 */
function elements(given, wanted) {
    const arrays = Object.entries(given).map(([name, one]) => [name, joined(name, one, SIZES[name])]);
    return arrays.map(([name, list]) => {
        const count = countOf(name, list, SIZES[name]);
        if (wanted !== undefined && count !== wanted) {
            throw new SumacError('BAD_LENGTH', `${name}: ${count} are there, ${wanted} are wanted`);
        }
        return { pair: [list, count * SIZES[name]], count };
    });
}

/** Return the addon's arguments for arrays that must have the same number of elements, and this number. */
function together(given) {
    const arrays = Object.fromEntries(Object.entries(given).map(([name, one]) => [name, joined(name, one, SIZES[name])]));
    const [[first, list]] = Object.entries(arrays);
    const count = countOf(first, list, SIZES[first]);
    return { count, pairs: elements(arrays, count).flatMap(({ pair }) => pair) };
}

/** Define a call of a setup whose arrays have the same number of elements. outputs(count) returns the numbers of bytes of its
 * results, and finish() names them. */
function kzg(called, inputs, outputs, finish) {
    const name = called.replace('sumac_kzg_', '').replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
    define(KzgSetup, name, inputs.length, (c, setup, ...given) => {
        noMore(given.pop());
        const { count, pairs } = together(Object.fromEntries(inputs.map((input, i) => [input, given[i]])));
        return [called, [c, setupOf(setup), ...pairs, count, ...outputs(count)], finish];
    });
}

define(Caller, 'openKzgSetup', 1, (c, file, o) => ['sumac_kzg_open', [c, fileName('path', file), structure('sumac_kzg_config', o)], made(KzgSetup)]);
define(Caller, 'createKzgSetup', 3, (c, g1Monomial, g1Lagrange, g2Monomial, o) => {
    const config = structure('sumac_kzg_config', o);
    const parts = elements({ g1Monomial, g1Lagrange, g2Monomial });
    return ['sumac_kzg_create', [c, ...parts.flatMap(({ pair, count }) => [...pair, count]), config], made(KzgSetup)];
});
define(KzgSetup, 'save', 1, (c, setup, file, o) => [noMore(o) ?? 'sumac_kzg_save', [c, setupOf(setup), fileName('path', file)], nothing]);
kzg('sumac_kzg_commit', ['blobs'], (n) => [48 * n]);
kzg('sumac_kzg_compute_proof', ['blobs', 'zs'], (n) => [48 * n, 32 * n], ([proofs, ys]) => ({ proofs, ys }));
kzg('sumac_kzg_compute_blob_proof', ['blobs', 'commitments'], (n) => [48 * n]);
kzg('sumac_kzg_verify_proof', ['commitments', 'zs', 'ys', 'proofs'], () => []);
kzg('sumac_kzg_verify_blob_proof', ['blobs', 'commitments', 'proofs'], () => []);
define(Caller, 'blobChallenge', 2, (c, blob, commitment, o) => [noMore(o) ?? 'sumac_kzg_blob_challenge',
    [c, ...bytes('blob', blob, BLOB), ...bytes('commitment', commitment, 48), 32]]);
/** Return the numbers of bytes of the cells and proofs of some blobs. The options `cells` and `proofs` say which of them are
 * wanted. */
const cellsWanted = (o) => {
    const [cells, proofs] = [take(o, 'cells', true), take(o, 'proofs', true)];
    return (count) => [cells ? count * CELLS * CELL : null, proofs ? count * CELLS * 48 : null];
};
const cellsAndProofs = ([cells, proofs]) => ({ cells, proofs });

define(KzgSetup, 'computeCells', 1, (c, setup, blobs, o) => {
    const wanted = cellsWanted(o);
    noMore(o);
    const [{ pair, count }] = elements({ blobs });
    return ['sumac_kzg_cells', [c, setupOf(setup), ...pair, count, ...wanted(count)], cellsAndProofs];
});
define(KzgSetup, 'recoverCells', 2, (c, setup, cellIndices, cells, o) => {
    const [wanted, checked] = [cellsWanted(o), take(o, 'checked', false)];
    noMore(o);
    const indices = integers('cellIndices', cellIndices, 'z');
    const [{ pair, count: all }] = elements({ cells });
    if (indices.length === 0 ? all > 0 : all % indices.length !== 0) {
        throw new SumacError('BAD_LENGTH', `cells: ${all} are there, no multiple of the ${indices.length} indices`);
    }
    const count = indices.length === 0 ? 0 : all / indices.length;
    return ['sumac_kzg_recover', [c, setupOf(setup), indices, indices.byteLength, indices.length, ...pair, count, ...wanted(count),
        checked ? true : null], cellsAndProofs];
});
define(KzgSetup, 'verifyCells', 4, (c, setup, commitments, cellIndices, cells, proofs, o) => {
    noMore(o);
    const indices = integers('cellIndices', cellIndices, 'z');
    const lists = elements({ commitments, cells, proofs }, indices.length).map(({ pair }) => pair);
    return ['sumac_kzg_verify_cells', [c, setupOf(setup), ...lists[0], indices, indices.byteLength, ...lists[1], ...lists[2],
        indices.length]];
});
define(Caller, 'cellChallenge', 5, (c, commitments, commitmentIndices, cellIndices, cells, proofs, o) => {
    noMore(o);
    const which = integers('commitmentIndices', commitmentIndices, 'z');
    const indices = integers('cellIndices', cellIndices, 'z');
    if (which.length !== indices.length) {
        throw new SumacError('BAD_LENGTH', `commitmentIndices: ${which.length} are there, ${indices.length} are wanted`);
    }
    const [all] = elements({ commitments });
    const lists = elements({ cells, proofs }, indices.length);
    return ['sumac_kzg_cell_challenge', [c, ...all.pair, all.count, which, which.byteLength, indices, indices.byteLength,
        ...lists.flatMap(({ pair }) => pair), indices.length, 32]];
});

// Groth16 and PLONK

const keyOf = (given) => handleOf('key', given, Groth16Key);

for (const [system, Key, VerifyingKey, numbers, bytesOf] of [
    ['Groth16', Groth16Key, Groth16VerifyingKey, 'randomness', (info) => 2 * info.g1.scalarBytes],
    ['Plonk', PlonkKey, PlonkVerifyingKey, 'blinding', (info) => info.blindingBytes]]) {
    const c = `sumac_${system.toLowerCase()}`;
    const provingKey = (given) => handleOf('key', given, Key);
    const verifyingKey = (given) => handleOf('verifying', given, VerifyingKey);

    define(Caller, `open${system}Key`, 1, (caller, file, o) => [`${c}_key_open`,
        [caller, fileName('path', file), structure(`${c}_key_config`, o)], made(Key)]);
    define(Caller, `create${system}Key`, 1, (caller, contents, o) => {
        const config = structure(`${c}_key_config`, o);
        const count = lengthOfBytes('bytes', contents);
        return [`${c}_key_create`, [caller, contents, count, count, config], made(Key)];
    });
    define(Key, 'save', 1, (caller, key, file, o) => [noMore(o) ?? `${c}_key_save`, [caller, provingKey(key), fileName('path', file)], nothing]);
    define(Key, 'openWitness', 1, (caller, key, file, o) => [noMore(o) ?? `${c}_witness_open`,
        [caller, provingKey(key), fileName('path', file), 1]]);
    define(Key, 'createWitness', 1, (caller, key, contents, o) => {
        noMore(o);
        const count = lengthOfBytes('bytes', contents);
        return [`${c}_witness_create`, [caller, provingKey(key), contents, count, count, 1]];
    });
    define(Key, 'publics', 1, (caller, key, witness, o) => {
        noMore(o);
        const k = provingKey(key);
        const { witnessBytes, publicsBytes } = key.info;
        return [`${c}_witness_publics`, [caller, k, ...sized('witness', witness, witnessBytes), publicsBytes, publicsBytes]];
    });
    define(Key, 'prove', 1, (caller, key, witnesses, o) => {
        const k = provingKey(key);
        const { witnessBytes, proofBytes } = key.info;
        const list = joined('witnesses', witnesses, witnessBytes);
        const count = countOf('witnesses', list, witnessBytes);
        const config = proveOptions(system, numbers, count * bytesOf(key.info), o);
        return [`${c}_prove`, [caller, k, ...sized('witnesses', list, count * witnessBytes), count, config,
            count * proofBytes, count * proofBytes]];
    });
    define(Caller, `open${system}VerifyingKey`, 1, (caller, file, o) => [noMore(o) ?? `${c}_verifying_key_open`,
        [caller, fileName('path', file)], made(VerifyingKey)]);
    define(Caller, `create${system}VerifyingKey`, 1, (caller, contents, o) => {
        const hash = system === 'Groth16' ? take(o, 'commitmentHash', undefined) : undefined;
        noMore(o);
        const count = lengthOfBytes('bytes', contents);
        return hash !== undefined
            ? ['sumac_groth16_verifying_key_create_hashing', [caller, contents, count, count, textOf('commitmentHash', hash)], made(VerifyingKey)]
            : [`${c}_verifying_key_create`, [caller, contents, count, count], made(VerifyingKey)];
    });
    define(VerifyingKey, 'verify', 2, (caller, verifying, publics, proofs, o) => {
        noMore(o);
        const v = verifyingKey(verifying);
        const { publicsBytes, proofBytes } = verifying.info;
        const [all, list] = [joined('publics', publics, publicsBytes), joined('proofs', proofs, proofBytes)];
        const count = countOf('proofs', list, proofBytes);
        if (count === 0) {
            throw new SumacError('BAD_LENGTH', 'proofs: there is no proof to verify');
        }
        return [`${c}_verify`, [caller, v, ...sized('publics', all, count * publicsBytes), ...sized('proofs', list, count * proofBytes),
            count]];
    });
    for (const [what, size] of [['Proof', 'proofBytes'], ['Publics', 'publicsBytes']]) {
        const [lower, prefix] = [what.toLowerCase(), `${c}_${what.toLowerCase()}`];
        define(VerifyingKey, `encode${what}`, 2, (caller, verifying, given, format, o) => [noMore(o) ?? `${prefix}_encode`,
            [caller, verifyingKey(verifying), ...sized(lower, given, verifying.info[size]), textOf('format', format), 1]]);
        define(VerifyingKey, `decode${what}`, 2, (caller, verifying, given, format, o) => {
            const name = take(o, 'name', lower);
            noMore(o);
            const v = verifyingKey(verifying);
            const contents = typeof given === 'string' ? Buffer.from(given) : given;
            const count = lengthOfBytes('bytes', contents);
            const wanted = verifying.info[size];
            return [`${prefix}_decode`, [caller, v, contents, count, count, textOf('format', format), name, wanted, wanted]];
        });
    }
}

/** Check that the random numbers of proofs have so many bytes, and convert the options. */
function proveOptions(system, numbers, size, o) {
    if (o[numbers] !== undefined) {
        bytes(numbers, o[numbers], size);
    }
    return structure(`sumac_${system.toLowerCase()}_prove_config`, o);
}

define(Groth16Key, 'checkWitness', 2, (c, key, witness, file, o) => [noMore(o) ?? 'sumac_groth16_witness_check',
    [c, keyOf(key), ...sized('witness', witness, key.info.witnessBytes), fileName('r1csPath', file)], nothing]);
define(Groth16Key, 'commit', 2, (c, key, which, values, o) => {
    noMore(o);
    const k = keyOf(key);
    const { pointBytes, scalarBytes } = key.info.g1;
    const count = lengthOfBytes('values', values);
    return ['sumac_groth16_commit', [c, k, whole('which', which), values, count, count, pointBytes, pointBytes, scalarBytes, scalarBytes],
        ([commitment, hash]) => ({ commitment, hash })];
});
define(Groth16Key, 'proveVector', 1, (c, key, witnesses, o) => {
    const k = keyOf(key);
    const count = whole('count', take(o, 'count', 1));
    const size = count * key.info.proofBytes;
    const config = proveOptions('Groth16', 'randomness', 2 * count * key.info.g1.scalarBytes, o);
    return ['sumac_groth16_prove_vector', [c, k, vectorOf('witnesses', witnesses), count, config, size, size]];
});
define(PlonkKey, 'commit', 2, (c, key, which, values, o) => {
    noMore(o);
    const k = handleOf('key', key, PlonkKey);
    const { scalarBytes } = key.info.g1;
    const count = lengthOfBytes('values', values);
    return ['sumac_plonk_commit', [c, k, whole('which', which), values, count, count, 2 * scalarBytes, 2 * scalarBytes, scalarBytes, scalarBytes],
        ([numbers, hash]) => ({ numbers, hash })];
});
define(Caller, 'plonkSetup', 3, (c, r1cs, ptau, zkey, o) => ['sumac_plonk_setup', [c, fileName('r1csPath', r1cs), fileName('ptauPath', ptau),
    structure('sumac_plonk_setup_config', o), fileName('zkeyPath', zkey)], nothing]);

// ---- Without a context ----

/** The contexts of msm() and msmSync(). There are two, so that neither function finds the context of the other busy. */
const contexts = {};
const contextFor = (form) => (contexts[form] ??= new Context());

const oneSum = (bases, raw) => bases.curve.points(raw)[0];

async function msm(of, points, scalars, options) {
    const { check, ...others } = copyOf(options);
    const bases = await contextFor('asynchronous').createBases(of, points, { check, signal: others.signal });
    try {
        return oneSum(bases, await bases.msm(scalars, others));
    } finally {
        bases.close();
    }
}

function msmSync(of, points, scalars, options) {
    const { check, ...others } = copyOf(options);
    const bases = contextFor('synchronous').createBasesSync(of, points, { check });
    try {
        return oneSum(bases, bases.msmSync(scalars, others));
    } finally {
        bases.close();
    }
}

function formats() {
    return Array.from({ length: ask('sumac_format_count') }, (_, i) => {
        const info = ask('sumac_format_at', i);
        return Object.freeze({ ...info, canRead: info.canRead === 1, canWrite: info.canWrite === 1 });
    });
}

const [version, versionNumber] = [ask('sumac_version'), ask('sumac_version_number')];

// Node finds the names for `import` in this literal, so each property must have the shorthand form.
module.exports = {
    SumacError, Context, Pool, Curve, Bases, Call, Vector, PairingPoints, Fk20, KzgSetup, Groth16Key, Groth16VerifyingKey, PlonkKey, PlonkVerifyingKey,
    msm, msmSync, curve, curves, formats, rootOfUnity, pointsRecordBytes, constants, version, versionNumber,
};
