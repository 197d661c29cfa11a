// SPDX-License-Identifier: Apache-2.0 OR MIT
/**
 * Multi-scalar multiplication, KZG and Groth16. The C interface's headers (include/sumac) say more of each call.
 */
import type {
    BasesOptions, Check, ContextOptions, ElementOptions, FilesOptions, FilesReport, FormatInfo,
    Group, Groth16Info, Groth16KeyOptions, Groth16ProveOptions, KzgOptions, Location, MsmNeeds, MsmOptions, Order, Slice, Status, Tables, TraceEvent,
    Scan, TransformOptions, VectorKind,
} from './interface';

export * from './interface';

/** The text of snarkjs' proof.json or public.json, or gnark's bytes: compressed as WriteTo(), or as WriteRawTo(). */
export type Groth16Format = 'snarkjs' | 'gnark' | 'gnark-raw';

/** An element of Fp, or c0 and c1 of one of Fp2. */
export type Coordinate = bigint | readonly [bigint, bigint];
/** A point; infinity has zeros. Where a point is wanted, the names may be missing, and coordinates may be numbers. */
export interface Point {
    readonly curve?: string;
    readonly group?: string;
    readonly x: Coordinate;
    readonly y: Coordinate;
}
/** Raw bytes of points, or points. */
export type Points = Uint8Array | readonly Point[];
/** Raw bytes of a scalar, or the integer, from 0 to r - 1. */
export type Scalar = Uint8Array | Integer;
/** Raw bytes of scalars, integers from 0 to r - 1, or a column of small integers. */
export type Scalars = Uint8Array | readonly Integer[] | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | BigUint64Array | BigInt64Array;
export type SharedWords = BigUint64Array | Uint8Array;

/** Options of every call. */
export interface Control {
    /** Cancels the call, which then fails with the signal's reason, as fetch() does. */
    signal?: AbortSignal;
    /** Is called with how much is done, from 0 to 1; a call of several steps begins at 0 for each. An exception ends the call. */
    onProgress?: (done: number) => void;
}

/** Options of the calls of an object. */
export interface Where extends Control {
    /** Where the call works, if not in the context that made the object. */
    context?: Context | Pool;
}

/** A transform whose `shift` may be an integer. */
type Transform = Omit<TransformOptions, 'shift'> & { shift?: Scalar };

/** A failure, with the library's sentence and status. Values of a wrong type give a TypeError with the code ERR_INVALID_ARG_TYPE,
 * numbers that no call takes a RangeError with ERR_OUT_OF_RANGE. */
export class SumacError extends Error {
    readonly code: `SUMAC_${Status}`;
    /** After MISMATCH of recoverCells() with `checked`: the first blob whose cells are inconsistent, and a wrong one of them. */
    readonly blob?: number;
    readonly cell?: number;
    constructor(status: Status, message: string, options?: ErrorOptions);
}

/** An object in the library's memory. It is freed when it is closed or collected, and no call and no object needs it any more. */
interface Closable {
    /** Afterwards the object is used by no new call; those under way go on. */
    close(): void;
}

/** An object that a context or pool has made. Its calls work there, or where the option `context` says. */
interface Made extends Closable {
    readonly context: Context | Pool;
}

/** A curve and group of the registry: a constant, with one object for each. */
export interface Curve extends Omit<Group, 'curve' | 'name' | 'cofactorIsOne'> {
    readonly name: string;
    /** "g1" or "g2" */
    readonly group: string;
    readonly cofactorIsOne: boolean;
    /** The generator of the subgroup. */
    readonly generator: Point;
    /** The points that raw bytes mean. */
    points(raw: Uint8Array): Point[];
    /** The integers that the bytes of scalars mean. */
    scalars(raw: Uint8Array): bigint[];
}

/** Points that are ready for use. Immutable. */
export interface Bases extends Made {
    readonly count: number;
    readonly curve: Curve;
    readonly precomputeFactor: number;
    readonly tables: Tables;
    readonly bytes: number;
}

/** Scalars or points, where the context computes. Calls of one context that use it follow one another; a call of another context
 * meanwhile is BUSY if either of them writes the vector. */
export interface Vector extends Made {
    readonly count: number;
    readonly curve: Curve;
    readonly kind: VectorKind;
    /** The address of the scalars' memory, for other addons; null for points, and for an empty vector. */
    readonly address: bigint | null;
}

/** Points of the second group that are ready for many checks. */
export interface PairingPoints extends Made {
    readonly curve: Curve;
    readonly count: number;
}

/** The tables for all openings of polynomials of n coefficients in cells of cellElements values. */
export interface Fk20 extends Made {
    readonly n: number;
    readonly cellElements: number;
    readonly tableBytes: number;
}

/** A trusted setup of Ethereum's. */
export interface KzgSetup extends Made {
    /** Of the tables for proofs of cells; 0 if there are none. */
    readonly tableBytes: number;
}

/** The circuit and the sizes of a key. */
export interface Groth16KeyInfo extends Omit<Groth16Info, 'hasVerifyingKey'> {
    readonly hasVerifyingKey: boolean;
}

/** A proving key, with its verifying key. */
export interface Groth16Key extends Made {
    readonly info: Groth16KeyInfo;
    readonly verifying: Groth16VerifyingKey;
}

export interface Groth16VerifyingKey extends Made {
    readonly info: Groth16KeyInfo;
}

/** All the choices for a call; sumac/experimental.h has the names. */
export interface Plan {
    readonly name: string;
    readonly milliseconds: number;
    readonly numbers: Readonly<Record<string, number>>;
    /** The kind of each stage. */
    readonly kinds: Readonly<Record<string, string>>;
    /** The rows of its memory. */
    readonly bytes: Readonly<Record<string, number>>;
}

/** Texts about plans, by name, and about kinds, by stage and name. */
export interface Plans {
    readonly plans: Readonly<Record<string, string>>;
    readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A curve, or a curve's name, which means its first group. */
export type CurveLike = Curve | string;
/** A file's path or its file: URL. */
export type File = string | URL;
/** Elements behind one another, or one by one. */
export type Elements = Uint8Array | readonly Uint8Array[];
type Integer = number | bigint;
type Integers = ArrayLike<Integer>;

// Only calls make these objects; the classes serve instanceof.
export class Curve { private constructor(); }
export class Bases { private constructor(); }
export class Vector { private constructor(); }
export class PairingPoints { private constructor(); }
export class Fk20 { private constructor(); }
export class KzgSetup { private constructor(); }
export class Groth16Key { private constructor(); }
export class Groth16VerifyingKey { private constructor(); }
export class Call { private constructor(); }

/** Every call of a context or pool, typed by its synchronous form, but named without "Sync". */
interface Calls {
    /** Check that the context can go on after a failure; if not, it throws DEVICE_FAILED. */
    check(options?: Control): void;
    /** Measure the relative speeds of the context's devices: 1000 for the fastest. */
    measureWeights(curve: CurveLike, n: number, options?: Control): Uint32Array;

    createBases(curve: CurveLike, points: Points, options?: BasesOptions & Control): Bases;
    /** Bases from a file, all or n from first on. With null the curve is the one that the file names, which only a table does. A
     * table that the caller trusts is opened faster with check: 'none'. */
    openBases(curve: CurveLike | null, path: File, options?: BasesOptions & { format?: string; first?: Integer; n?: Integer } & Control): Bases;
    /** How many bases there are in a file. */
    countBases(curve: CurveLike, path: File, options?: { format?: string } & Control): number;
    /** Bases of known discrete logarithms, for tests. */
    createKnownBases(curve: CurveLike, n: Integer, seed: Integer, options?: BasesOptions & Control): Bases;
    /** The logarithms of createKnownBases(). */
    knownLogarithms(curve: CurveLike, n: number, seed: Integer, options?: Control): Uint8Array;
    /** The answer of an MSM over bases with these logarithms. */
    knownAnswer(curve: CurveLike, scalars: Scalars, logarithms: Scalars, options?: Control): Uint8Array;

    /** Decode records of a format to raw points. */
    decodePoints(curve: CurveLike, records: Uint8Array, format: string, options?: { check?: Check } & Control): Uint8Array;
    /** Encode points as records of a format. */
    encodePoints(curve: CurveLike, points: Points, format: string, options?: Control): Uint8Array;
    /** Map coordinates to points of the subgroup by RFC 9380's map, with the cofactor cleared, as EIP-2537's maps do. */
    mapToGroup(curve: CurveLike, elements: Uint8Array, options?: Control): Uint8Array;
    /** A file of raw scalars. */
    readScalars(curve: CurveLike, path: File, options?: Control): Uint8Array;

    /** Add partial results of msmPartial() up. */
    combinePartials(curve: CurveLike, partials: readonly Uint8Array[], options?: { batch?: number } & Control): Uint8Array;
    /** An MSM of files that may be larger than memory. */
    msmFiles(curve: CurveLike, basesPath: File, scalarsPath: File, options?: FilesOptions & { msm?: MsmOptions } & Control):
        { result: Uint8Array; report: FilesReport };
    /** The plan of an MSM of n bases that have not been created. */
    planMsm(curve: CurveLike, n: Integer, options?: { bases?: BasesOptions; msm?: MsmOptions } & Control): Plan;

    /** A vector of zeros, or of points at infinity. */
    createVector(curve: CurveLike, kind: VectorKind, count: Integer, options?: Control): Vector;
    /** A vector of scalars in an array over a SharedArrayBuffer, which is kept and not copied. The scalars are in Montgomery form,
     * little-endian and less than r, which is not checked. The context must compute on the CPU. */
    wrapVector(curve: CurveLike, memory: SharedWords, options?: Control): Vector;

    /** Check that the product of the pairings of g1Points[i] and g2Points[i] is one. Points are checked unless `check` says less. */
    pairingCheck(curve: CurveLike, g1Points: Points, g2Points: Points, options?: { check?: Check } & Control): boolean;
    /** Points of the second group, made ready for many checks. */
    createPairingPoints(curve: CurveLike, g2Points: Points, options?: { check?: Check } & Control): PairingPoints;
    /** Verify openings: true if each commitment is to a polynomial that has its value at its evaluation point. The points are those
     * of the SRS: the first group's generator, and the second group's and s times it. */
    verifyOpenings(curve: CurveLike, g1Points: Points, g2Points: Points, commitments: Vector, evaluationPoints: Vector, values: Vector,
        proofs: Vector, options?: Control): boolean;

    /** A trusted setup from trusted_setup.txt, or a file of save(), whose tables are used. */
    openKzgSetup(path: File, options?: KzgOptions & Control): KzgSetup;
    /** A trusted setup from compressed points, in the order of trusted_setup.txt. */
    createKzgSetup(g1Monomial: Elements, g1Lagrange: Elements, g2Monomial: Elements, options?: KzgOptions & Control): KzgSetup;
    /** compute_challenge. */
    blobChallenge(blob: Uint8Array, commitment: Uint8Array, options?: Control): Uint8Array;
    /** compute_verify_cell_kzg_proof_batch_challenge. */
    cellChallenge(commitments: Elements, commitmentIndices: Integers, cellIndices: Integers, cells: Elements, proofs: Elements,
        options?: Control): Uint8Array;

    /** A proving key of snarkjs or gnark, or a prepared one. */
    openGroth16Key(path: File, options?: Groth16KeyOptions & Control): Groth16Key;
    /** Make a proving key from a file's bytes. */
    createGroth16Key(bytes: Uint8Array, options?: Groth16KeyOptions & Control): Groth16Key;
    /** A verifying key: verification_key.json, .zkey, a prepared key, or gnark's. */
    openGroth16VerifyingKey(path: File, options?: Control): Groth16VerifyingKey;
    /** Make a verifying key from a file's bytes. */
    createGroth16VerifyingKey(bytes: Uint8Array, options?: Control): Groth16VerifyingKey;
}

interface BasesCalls {
    /** The raw points of bases. */
    read(options?: { first?: number; n?: number } & Where): Uint8Array;
    /** Save bases: as a table with their multiples, or without them in a format of formats(). */
    save(path: File, options?: { format?: string } & Where): void;

    /**
     * Compute one MSM, a batch of MSMs of equal length, or with offsets MSMs of different lengths. The result is a raw point for each.
     * Each uses n bases from the option `first` on; without n it uses all of them, and fewer scalars are refused.
     */
    msm(scalars: Scalars, options?: MsmOptions & { n?: Integer } & Where): Uint8Array;
    /** Compute msm() as a partial result, which combinePartials() adds to others. */
    msmPartial(scalars: Scalars, options?: MsmOptions & { n?: Integer } & Where): Uint8Array;
    /** MSMs whose scalars and results are vectors; without n, of all bases and of all scalars from scalarsFirst on. */
    msmVectors(scalars: Vector, results: Vector,
        options?: MsmOptions & { scalarsFirst?: number; n?: Integer; resultFirst?: Integer } & Where): void;
    /** Prepare msm() for n bases of each MSM, in a context, not in a pool. */
    prepareMsm(n: number, options?: MsmOptions & Where): Call;
    /** What msm() is predicted to take. */
    estimateMsm(n: Integer, options?: MsmOptions & Where): MsmNeeds;
    /** The plan that msm() would use. */
    planMsm(n: Integer, options?: MsmOptions & Where): Plan;

    /** With an SRS as bases: commitments to polynomials of n coefficients. */
    commit(polynomials: Vector, n: Integer, commitments: Vector, options?: Where): void;
    /** Compute each polynomial's value and proof at its evaluation point; at least one of `values` and `proofs` must be given. */
    open(polynomials: Vector, n: Integer, evaluationPoints: Vector, options: { values?: Vector; proofs?: Vector } & Where): void;
    /** Make the tables for the proofs of all cells from an SRS. */
    createFk20(n: Integer, cellElements: Integer, options?: { tableBytes?: Integer } & Where): Fk20;
    openFk20(n: Integer, cellElements: Integer, path: File, options?: Where): Fk20;
}

interface VectorCalls {
    /** A view of n elements from first on, which keeps the vector's memory; a call that uses the view uses the vector. */
    view(options?: { first?: number; n?: Integer } & Where): Vector;
    /** Write elements from first on: points, or scalars. */
    write(elements: Points | Scalars, options?: ElementOptions & { first?: Integer } & Where): void;
    /** Read n elements from first on, as raw bytes. */
    read(options?: ElementOptions & { first?: number; n?: number } & Where): Uint8Array;
    /** Copy the vector, or a slice of it, to another vector, or to a slice of that. */
    copyTo(to: Vector, options?: { fromSlice?: Slice; toSlice?: Slice } & Where): void;
    /** Copy row rows[i] to row i of the other vector, rows of `length` elements. */
    gather(length: Integer, rows: Integers, to: Vector, options?: Where): void;
    /** All elements become one scalar. */
    fill(scalar: Scalar, options?: Where): void;
    /** result[i] = this[i] + b[(i / each) mod b.count]. */
    add(b: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** result[i] = this[i] - b[(i / each) mod b.count]. */
    subtract(b: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** result[i] = this[i] * b[(i / each) mod b.count], of scalars. */
    multiply(b: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** result[i] = this[i] * b[(i / each) mod b.count] + addend[i], of scalars. */
    multiplyAdd(b: Vector, addend: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** Running sums or products of each row; if exclusive, an element does not count in its own. */
    scan(operation: Scan, options?: { length?: Integer; exclusive?: boolean } & Where): void;
    /** Each element becomes 1 divided by it; 0 stays 0. */
    invert(options?: Where): void;
    /** Element i is multiplied by factor * ratio^(i mod length). */
    scalePowers(options?: { factor?: Scalar; ratio?: Scalar; length?: Integer } & Where): void;
    /** result[j] is the sum of row j, of `length` elements. */
    sum(length: Integer, result: Vector, options?: Where): void;
    /** Matrices transposed into another vector. */
    transpose(rows: Integer, columns: Integer, result: Vector, options?: Where): void;
    /** In each row elements i and rev(i) change places. */
    reverseBits(options?: { length?: Integer } & Where): void;
    /** The number-theoretic transform of each row, in place. Points must lie in the subgroup. */
    ntt(options?: Transform & Where): void;
    /** The value at each x of a coset is divided by x^n - 1; the options are those of the transform that made the values. */
    divideByVanishing(n: Integer, options?: Transform & Where): void;
    /** Bases from points of the vector. */
    createBases(options?: BasesOptions & { first?: number; n?: Integer } & Where): Bases;
}

interface PairingPointsCalls {
    /** Context.pairingCheck() with these points first, and the other pairs' points of the second group. */
    check(g1Points: Points, g2Points?: Points, options?: { check?: Check } & Where): boolean;
}

interface Fk20Calls {
    /** Compute the proofs of all cells of polynomials on rate*n evaluation points. */
    prove(polynomials: Vector, proofs: Vector, options?: { rate?: Integer; order?: Order } & Where): void;
    save(path: File, options?: Where): void;
}

interface KzgSetupCalls {
    save(path: File, options?: Where): void;
    /** blob_to_kzg_commitment, for each blob. */
    commit(blobs: Elements, options?: Where): Uint8Array;
    /** compute_kzg_proof, for each blob. */
    computeProof(blobs: Elements, zs: Elements, options?: Where): { proofs: Uint8Array; ys: Uint8Array };
    /** compute_blob_kzg_proof, for each blob. */
    computeBlobProof(blobs: Elements, commitments: Elements, options?: Where): Uint8Array;
    /** verify_kzg_proof: true if all proofs hold. */
    verifyProof(commitments: Elements, zs: Elements, ys: Elements, proofs: Elements, options?: Where): boolean;
    /** verify_blob_kzg_proof, for any number of blobs: true if all belong to their commitments. */
    verifyBlobProof(blobs: Elements, commitments: Elements, proofs: Elements, options?: Where): boolean;
    /** compute_cells_and_kzg_proofs, for each blob; without `cells` or `proofs` only the other. For proofs the setup needs its tables. */
    computeCells(blobs: Elements, options?: { cells?: boolean; proofs?: boolean } & Where): { cells: Uint8Array | null; proofs: Uint8Array | null };
    /** recover_cells_and_kzg_proofs, of blobs that all have the same cells; with `checked` inconsistent cells give MISMATCH. */
    recoverCells(cellIndices: Integers, cells: Elements,
        options?: { cells?: boolean; proofs?: boolean; checked?: boolean } & Where): { cells: Uint8Array | null; proofs: Uint8Array | null };
    /** verify_cell_kzg_proof_batch. */
    verifyCells(commitments: Elements, cellIndices: Integers, cells: Elements, proofs: Elements, options?: Where): boolean;
}

interface Groth16KeyCalls {
    /** Save a key in its resident form: a prepared key. */
    save(path: File, options?: Where): void;
    /** A witness from a file of circom, or of gnark's solver. */
    openWitness(path: File, options?: Where): Uint8Array;
    /** Read a witness from a file's bytes. */
    createWitness(bytes: Uint8Array, options?: Where): Uint8Array;
    /** Check that a witness satisfies a circuit (.r1cs); if not, it throws NOT_SATISFIED. */
    checkWitness(witness: Uint8Array, r1csPath: File, options?: Where): void;
    /** The public inputs of a witness. */
    publics(witness: Uint8Array, options?: Where): Uint8Array;
    /** A proof for each witness, verified before it is returned. */
    prove(witnesses: Elements, options?: Groth16ProveOptions & Where): Uint8Array;
    /** Prove with witnesses in a vector. */
    proveVector(witnesses: Vector, options?: Groth16ProveOptions & { count?: number } & Where): Uint8Array;
}

interface Groth16VerifyingKeyCalls {
    /** Verify proofs, one or several: true if all hold. Several are verified together, several times as fast as one by one. */
    verify(publics: Elements, proofs: Elements, options?: Where): boolean;
    /** Convert proofs and public inputs to and from other programs' formats. Errors call the bytes `name`. */
    encodeProof(proof: Uint8Array, format: Groth16Format, options?: Where): Uint8Array;
    encodePublics(publics: Uint8Array, format: Groth16Format, options?: Where): Uint8Array;
    decodeProof(bytes: Uint8Array | string, format: Groth16Format, options?: { name?: string } & Where): Uint8Array;
    decodePublics(bytes: Uint8Array | string, format: Groth16Format, options?: { name?: string } & Where): Uint8Array;
}

interface CallCalls {
    run(scalars: Scalars, options?: Control): Uint8Array;
}

/** These forms run on a thread of libuv's, while the event loop goes on. */
type Asynchronous<C> = { [K in keyof C]: C[K] extends (...given: infer G) => infer R ? (...given: G) => Promise<R> : never };
/** These forms run on the calling thread. */
type Synchronous<C> = { [K in keyof C as `${string & K}Sync`]: C[K] };

/** Both forms of calls. */
type Both<C> = Asynchronous<C> & Synchronous<C>;

export interface Bases extends Both<BasesCalls> {}
export interface Vector extends Both<VectorCalls> {}
export interface PairingPoints extends Both<PairingPointsCalls> {}
export interface Fk20 extends Both<Fk20Calls> {}
export interface KzgSetup extends Both<KzgSetupCalls> {}
export interface Groth16Key extends Both<Groth16KeyCalls> {}
export interface Groth16VerifyingKey extends Both<Groth16VerifyingKeyCalls> {}

/** A prepared MSM, with its plan and memory. It keeps its context and bases. */
export interface Call extends Made, Both<CallCalls> {
    readonly plan: Plan;
}

interface Caller extends Closable, Both<Calls> {
    /** The spans of work since the last such call, at most 65536, if the option `trace` was set. */
    takeTrace(): TraceEvent[];
}

/** A backend, its threads and memory. It serves one call at a time: asynchronous calls follow one another, and a synchronous call
 * meanwhile is BUSY. */
export interface Context extends Caller {
    readonly backend: string;
    readonly variant: string;
    readonly location: Location;
    readonly threads: number;
    /** The names of its devices; "" is the CPU. */
    readonly devices: string[];
    /** Texts about the named plans, and about the kinds of each stage. The option `tuning: 'plan=NAME'` asks for a plan. */
    plans(curve: CurveLike): Plans;
}
export const Context: {
    new (options?: ContextOptions): Context;
    /** Create a context off the event loop. */
    create(options?: ContextOptions): Promise<Context>;
};

/** Contexts of one configuration: as many asynchronous calls as contexts run at once, further ones wait. */
export interface Pool extends Caller {}
export const Pool: new (most: number, options?: ContextOptions) => Pool;

/**
 * Compute the sum of scalars times points, in a context that all such calls share. For several sums over the same points make
 * bases of them.
 */
export function msm(curve: CurveLike, points: Points, scalars: Scalars, options?: MsmOptions & { check?: Check } & Control): Promise<Point>;
export function msmSync(curve: CurveLike, points: Points, scalars: Scalars, options?: MsmOptions & { check?: Check } & Control): Point;
/** Look a curve up; the group is "g1" unless said. A curve that the library lacks is UNKNOWN_CURVE, and the error says what it has. */
export function curve(name: string, group?: string): Curve;
export function curves(): Curve[];
export function formats(): (Omit<FormatInfo, 'canRead' | 'canWrite'> & { readonly canRead: boolean; readonly canWrite: boolean })[];
/** The root of unity of order 2^log2 that transforms use, raw. */
export function rootOfUnity(curve: CurveLike, log2: number): Uint8Array;
/** Bytes of a record of decodePoints(). */
export function pointsRecordBytes(curve: CurveLike, format: string): number;
export const constants: Readonly<Record<string, number | bigint>>;
export const version: string;
export const versionNumber: number;
