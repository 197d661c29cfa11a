// SPDX-License-Identifier: Apache-2.0 OR MIT
/**
 * Multi-scalar multiplication, KZG and Groth16. Names, order of arguments and errors are those of the C interface, whose
 * headers (include/sumac) say more of each call; README.md says what is JavaScript's.
 */
import type {
    BasesOptions, Check, ContextOptions, CurveInfo, ElementOptions, FilesOptions, FilesReport, FormatInfo,
    Groth16Info, Groth16KeyOptions, Groth16ProveOptions, KzgOptions, Location, MsmNeeds, MsmOptions, Order, Slice, Status, Tables, TraceEvent,
    Scan, TransformOptions, VectorKind,
} from './interface';

export * from './interface';

/** The text of snarkjs' proof.json or public.json, or gnark's bytes: compressed as WriteTo(), or as WriteRawTo(). */
export type Groth16Format = 'snarkjs' | 'gnark' | 'gnark-raw';

/** Bytes, or a column of integers. */
export type Elements = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | BigUint64Array | BigInt64Array;
export type SharedWords = BigUint64Array | Uint8Array;

/** Options of every call. */
export interface Control {
    /** Cancels the call, which is then rejected as CANCELLED with the signal's reason as its cause. */
    signal?: AbortSignal;
    /** Is called with how much is done, from 0 to 1; a call of several steps begins at 0 for each. An exception ends the call. */
    onProgress?: (done: number) => void;
}

/** A failure, with the library's sentence and status. Values of a wrong type give a TypeError, numbers that no call takes a RangeError. */
export class SumacError extends Error {
    readonly status: Status;
    /** "SUMAC_" and the status. */
    readonly code: string;
    /** After MISMATCH of kzgRecover() with `checked`: the first blob whose cells are inconsistent, and a wrong one of them. */
    readonly blob?: number;
    readonly cell?: number;
    constructor(status: Status, message: string, options?: ErrorOptions);
}

/** An object in the library's memory. It is freed when it is closed or collected, and no call and no object needs it any more. */
interface Closable {
    /** Afterwards the object is used by no new call; those under way go on. */
    close(): void;
}

/** A curve and group of the registry: a constant, with one object for each. */
export interface Curve extends Omit<CurveInfo, 'cofactorIsOne'> {
    readonly cofactorIsOne: boolean;
    /** The generator of the subgroup, raw. */
    readonly generator: Uint8Array;
}

/** Points that are ready for use. Immutable. */
export interface Bases extends Closable {
    readonly count: number;
    readonly curve: Curve;
    readonly precomputeFactor: number;
    readonly tables: Tables;
    readonly bytes: number;
}

/** Scalars or points, where the context computes. Calls of one context that use it follow one another; a call of another context
 * meanwhile is BUSY if either of them writes the vector. */
export interface Vector extends Closable {
    readonly count: number;
    readonly curve: Curve;
    readonly kind: VectorKind;
    /** The address of the scalars' memory, for other addons; null for points, and for an empty vector. */
    readonly address: bigint | null;
}

/** Points of the second group that are ready for many checks. */
export interface PairingPoints extends Closable {
    readonly curve: Curve;
    readonly count: number;
}

/** The tables for all openings of polynomials of n coefficients in cells of cellElements values. */
export interface Fk20 extends Closable {
    readonly n: number;
    readonly cellElements: number;
    readonly tableBytes: number;
}

/** A trusted setup of Ethereum's. */
export interface KzgSetup extends Closable {
    /** Of the tables for proofs of cells; 0 if there are none. */
    readonly tableBytes: number;
}

/** The circuit and the sizes of a key. */
export interface Groth16KeyInfo extends Omit<Groth16Info, 'hasVerifyingKey'> {
    readonly hasVerifyingKey: boolean;
}

/** A proving key, with its verifying key. */
export interface Groth16Key extends Closable {
    readonly info: Groth16KeyInfo;
    readonly verifying: Groth16VerifyingKey;
}

export interface Groth16VerifyingKey extends Closable {
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

/** Every call, typed by its synchronous form, but named without "Sync". */
interface Calls {
    /** Check that the context can go on after a failure; if not, it throws DEVICE_FAILED. */
    contextCheck(options?: Control): void;
    /** Measure the relative speeds of the context's devices: 1000 for the fastest. */
    contextMeasureWeights(curve: CurveLike, n: number, options?: Control): Uint32Array;

    /** Bases from raw points. */
    basesCreate(curve: CurveLike, points: Uint8Array, options?: BasesOptions & Control): Bases;
    /** Bases from a file, all or n from first on. With null the curve is the one that the file names, which only a table does. A
     * table that the caller trusts is opened faster with check: 'none'. */
    basesOpen(curve: CurveLike | null, path: File, options?: BasesOptions & { format?: string; first?: Integer; n?: Integer } & Control): Bases;
    /** How many bases there are in a file. */
    basesFileCount(curve: CurveLike, path: File, options?: { format?: string } & Control): number;
    /** The raw points of bases. */
    basesGet(bases: Bases, options?: { first?: number; n?: number } & Control): Uint8Array;
    /** Save bases: as a table with their multiples, or without them in a format of formats(). */
    basesSave(bases: Bases, path: File, options?: { format?: string } & Control): void;
    /** Bases from points of a vector. */
    basesCreateFromVector(points: Vector, options?: BasesOptions & { first?: number; n?: Integer } & Control): Bases;
    /** Bases of known discrete logarithms, for tests. */
    knownBasesCreate(curve: CurveLike, n: Integer, seed: Integer, options?: BasesOptions & Control): Bases;
    /** The logarithms of knownBasesCreate(). */
    knownLogarithms(curve: CurveLike, n: number, seed: Integer, options?: Control): Uint8Array;
    /** The answer of an MSM over bases with these logarithms. */
    knownAnswer(curve: CurveLike, scalars: Uint8Array, logarithms: Uint8Array, options?: Control): Uint8Array;

    /** Decode records of a format to raw points. */
    pointsDecode(curve: CurveLike, records: Uint8Array, format: string, options?: { check?: Check } & Control): Uint8Array;
    /** Encode raw points as records of a format. */
    pointsEncode(curve: CurveLike, points: Uint8Array, format: string, options?: Control): Uint8Array;
    /** Map coordinates to points of the subgroup by RFC 9380's map, with the cofactor cleared, as EIP-2537's maps do. */
    mapToGroup(curve: CurveLike, elements: Uint8Array, options?: Control): Uint8Array;
    /** A file of raw scalars. */
    scalarsRead(curve: CurveLike, path: File, options?: Control): Uint8Array;

    /**
     * Compute one MSM, a batch of MSMs of equal length, or with offsets MSMs of different lengths. The result is a raw point for each.
     * Each uses n bases from the option `first` on; without n it uses all of them, and fewer scalars are refused.
     */
    msm(bases: Bases, scalars: Uint8Array, options?: MsmOptions & { n?: Integer } & Control): Uint8Array;
    /** Compute msm() as a partial result, which partialCombine() adds to others. */
    msmPartial(bases: Bases, scalars: Uint8Array, options?: MsmOptions & { n?: Integer } & Control): Uint8Array;
    /** Add partial results up. */
    partialCombine(curve: CurveLike, partials: readonly Uint8Array[], options?: { batch?: number } & Control): Uint8Array;
    /** An MSM of files that may be larger than memory. */
    msmFiles(curve: CurveLike, basesPath: File, scalarsPath: File, options?: FilesOptions & { msm?: MsmOptions } & Control):
        { result: Uint8Array; report: FilesReport };
    /** MSMs whose scalars and results are vectors; without n, of all bases and of all scalars from scalarsFirst on. */
    msmVectors(bases: Bases, scalars: Vector, results: Vector,
        options?: MsmOptions & { scalarsFirst?: number; n?: Integer; resultFirst?: Integer } & Control): void;
    /** The plan of an MSM of n bases that have not been created. */
    planCreate(curve: CurveLike, n: Integer, options?: { bases?: BasesOptions; msm?: MsmOptions } & Control): Plan;
    /** What msm() is predicted to take. */
    msmEstimate(bases: Bases, n: Integer, options?: MsmOptions & Control): MsmNeeds;
    /** The plan that msm() would use. */
    msmPlan(bases: Bases, n: Integer, options?: MsmOptions & Control): Plan;

    /** A vector of zeros, or of points at infinity. */
    vectorCreate(curve: CurveLike, kind: VectorKind, count: Integer, options?: Control): Vector;
    /** A vector of scalars in an array over a SharedArrayBuffer, which is kept and not copied. The scalars are in Montgomery form,
     * little-endian and less than r, which is not checked. The context must compute on the CPU. */
    vectorWrap(curve: CurveLike, memory: SharedWords, options?: Control): Vector;
    /** A view of n elements from first on, which keeps the vector's memory; a call that uses the view uses the vector. */
    vectorView(vector: Vector, options?: { first?: number; n?: Integer } & Control): Vector;
    /** Write elements from first on, from raw bytes, or scalars from an array of integers. */
    vectorSet(vector: Vector, elements: Elements, options?: ElementOptions & { first?: Integer } & Control): void;
    /** Read n elements from first on, as raw bytes. */
    vectorGet(vector: Vector, options?: ElementOptions & { first?: number; n?: number } & Control): Uint8Array;
    /** Copy a slice of one vector to a slice of another; undefined means the whole vector. */
    vectorCopy(from: Vector, fromSlice: Partial<Slice> | undefined, to: Vector, toSlice?: Partial<Slice>, options?: Control): void;
    /** Copy row rows[i] to row i of the other vector, rows of `length` elements. */
    vectorGather(from: Vector, length: Integer, rows: Integers, to: Vector, options?: Control): void;
    /** All elements become one scalar. */
    vectorFill(vector: Vector, scalar: Uint8Array, options?: Control): void;
    /** result[i] = a[i] + b[(i / each) mod b.count]. */
    vectorAdd(a: Vector, b: Vector, result: Vector, options?: { each?: Integer } & Control): void;
    /** result[i] = a[i] - b[(i / each) mod b.count]. */
    vectorSubtract(a: Vector, b: Vector, result: Vector, options?: { each?: Integer } & Control): void;
    /** result[i] = a[i] * b[(i / each) mod b.count], of scalars. */
    vectorMultiply(a: Vector, b: Vector, result: Vector, options?: { each?: Integer } & Control): void;
    /** result[i] = a[i] * b[(i / each) mod b.count] + addend[i], of scalars. */
    vectorMultiplyAdd(a: Vector, b: Vector, addend: Vector, result: Vector, options?: { each?: Integer } & Control): void;
    /** Running sums or products of each row; if exclusive, an element does not count in its own. */
    vectorScan(vector: Vector, operation: Scan, options?: { length?: Integer; exclusive?: boolean } & Control): void;
    /** 1/vector[i]; 0 stays 0. */
    vectorInvert(vector: Vector, options?: Control): void;
    /** vector[i] *= factor * ratio^(i mod length). */
    vectorScalePowers(vector: Vector, options?: { factor?: Uint8Array; ratio?: Uint8Array; length?: Integer } & Control): void;
    /** result[j] is the sum of row j, of `length` elements. */
    vectorSum(a: Vector, length: Integer, result: Vector, options?: Control): void;
    /** Matrices transposed into another vector. */
    vectorTranspose(a: Vector, rows: Integer, columns: Integer, result: Vector, options?: Control): void;
    /** In each row elements i and rev(i) change places. */
    vectorBitReverse(vector: Vector, options?: { length?: Integer } & Control): void;
    /** The number-theoretic transform of each row, in place. Points must lie in the subgroup. */
    vectorNtt(vector: Vector, options?: TransformOptions & Control): void;
    /** The value at each x of a coset is divided by x^n - 1; the options are those of the transform that made the values. */
    vectorDivideByVanishing(vector: Vector, n: Integer, options?: TransformOptions & Control): void;

    /** Check that the product of the pairings of g1Points[i] and g2Points[i] is one. Points are checked unless `check` says less. */
    pairingCheck(curve: CurveLike, g1Points: Uint8Array, g2Points: Uint8Array, options?: { check?: Check } & Control): boolean;
    /** Points of the second group, made ready for many checks. */
    pairingPointsCreate(curve: CurveLike, g2Points: Uint8Array, options?: { check?: Check } & Control): PairingPoints;
    /** pairingCheck() with prepared points first, and the other pairs' points of the second group. */
    pairingCheckPrepared(prepared: PairingPoints, g1Points: Uint8Array, g2Points?: Uint8Array, options?: { check?: Check } & Control): boolean;

    /** Commitments to polynomials of n coefficients. */
    srsCommit(srs: Bases, polynomials: Vector, n: Integer, commitments: Vector, options?: Control): void;
    /** Compute each polynomial's value and proof at its evaluation point; at least one of `values` and `proofs` must be given. */
    srsOpen(srs: Bases, polynomials: Vector, n: Integer, evaluationPoints: Vector, options: { values?: Vector; proofs?: Vector } & Control): void;
    /** Verify openings: true if each commitment is to a polynomial that has its value at its evaluation point. g2Points are the second group's generator and s times it. */
    srsVerify(curve: CurveLike, g1Point: Uint8Array, g2Points: Uint8Array, commitments: Vector, evaluationPoints: Vector, values: Vector,
        proofs: Vector, options?: Control): boolean;
    /** Make the tables of fk20Prove() from an SRS. */
    fk20Create(srs: Bases, n: Integer, cellElements: Integer, options?: { tableBytes?: Integer } & Control): Fk20;
    /** Compute the proofs of all cells of polynomials on rate*n evaluation points. */
    fk20Prove(fk20: Fk20, polynomials: Vector, proofs: Vector, options?: { rate?: Integer; order?: Order } & Control): void;
    fk20Save(fk20: Fk20, path: File, options?: Control): void;
    fk20Open(srs: Bases, n: Integer, cellElements: Integer, path: File, options?: Control): Fk20;

    /** A trusted setup from trusted_setup.txt, or a file of kzgSave(), whose tables are used. */
    kzgOpen(path: File, options?: KzgOptions & Control): KzgSetup;
    /** A trusted setup from compressed points, in the order of trusted_setup.txt. */
    kzgCreate(g1Monomial: Elements, g1Lagrange: Elements, g2Monomial: Elements, options?: KzgOptions & Control): KzgSetup;
    kzgSave(setup: KzgSetup, path: File, options?: Control): void;
    /** blob_to_kzg_commitment, for each blob. */
    kzgCommit(setup: KzgSetup, blobs: Elements, options?: Control): Uint8Array;
    /** compute_kzg_proof, for each blob. */
    kzgComputeProof(setup: KzgSetup, blobs: Elements, zs: Elements, options?: Control): { proofs: Uint8Array; ys: Uint8Array };
    /** compute_blob_kzg_proof, for each blob. */
    kzgComputeBlobProof(setup: KzgSetup, blobs: Elements, commitments: Elements, options?: Control): Uint8Array;
    /** verify_kzg_proof: true if all proofs hold. */
    kzgVerifyProof(setup: KzgSetup, commitments: Elements, zs: Elements, ys: Elements, proofs: Elements, options?: Control): boolean;
    /** verify_blob_kzg_proof, for any number of blobs: true if all belong to their commitments. */
    kzgVerifyBlobProof(setup: KzgSetup, blobs: Elements, commitments: Elements, proofs: Elements, options?: Control): boolean;
    /** compute_challenge. */
    kzgBlobChallenge(blob: Uint8Array, commitment: Uint8Array, options?: Control): Uint8Array;
    /** compute_cells_and_kzg_proofs, for each blob; without `cells` or `proofs` only the other. For proofs the setup needs its tables. */
    kzgCells(setup: KzgSetup, blobs: Elements,
        options?: { cells?: boolean; proofs?: boolean } & Control): { cells: Uint8Array | null; proofs: Uint8Array | null };
    /** recover_cells_and_kzg_proofs, of blobs that all have the same cells; with `checked` inconsistent cells give MISMATCH. */
    kzgRecover(setup: KzgSetup, cellIndices: Integers, cells: Elements,
        options?: { cells?: boolean; proofs?: boolean; checked?: boolean } & Control): { cells: Uint8Array | null; proofs: Uint8Array | null };
    /** verify_cell_kzg_proof_batch. */
    kzgVerifyCells(setup: KzgSetup, commitments: Elements, cellIndices: Integers, cells: Elements, proofs: Elements,
        options?: Control): boolean;
    /** compute_verify_cell_kzg_proof_batch_challenge. */
    kzgCellChallenge(commitments: Elements, commitmentIndices: Integers, cellIndices: Integers, cells: Elements, proofs: Elements,
        options?: Control): Uint8Array;

    /** A proving key of snarkjs or gnark, or a prepared one. */
    groth16KeyOpen(path: File, options?: Groth16KeyOptions & Control): Groth16Key;
    /** Make a proving key from a file's bytes. */
    groth16KeyCreate(bytes: Uint8Array, options?: Groth16KeyOptions & Control): Groth16Key;
    /** Save a key in its resident form: a prepared key. */
    groth16KeySave(key: Groth16Key, path: File, options?: Control): void;
    /** A witness from a file of circom, or of gnark's solver. */
    groth16WitnessOpen(key: Groth16Key, path: File, options?: Control): Uint8Array;
    /** Read a witness from a file's bytes. */
    groth16WitnessCreate(key: Groth16Key, bytes: Uint8Array, options?: Control): Uint8Array;
    /** Check that a witness satisfies a circuit (.r1cs); if not, it throws NOT_SATISFIED. */
    groth16WitnessCheck(key: Groth16Key, witness: Uint8Array, r1csPath: File, options?: Control): void;
    /** The public inputs of a witness. */
    groth16WitnessPublics(key: Groth16Key, witness: Uint8Array, options?: Control): Uint8Array;
    /** A proof for each witness, verified before it is returned. */
    groth16Prove(key: Groth16Key, witnesses: Elements, options?: Groth16ProveOptions & Control): Uint8Array;
    /** Prove with witnesses in a vector. */
    groth16ProveVector(key: Groth16Key, witnesses: Vector, options?: Groth16ProveOptions & { count?: number } & Control): Uint8Array;
    /** A verifying key: verification_key.json, .zkey, a prepared key, or gnark's. */
    groth16VerifyingKeyOpen(path: File, options?: Control): Groth16VerifyingKey;
    /** Make a verifying key from a file's bytes. */
    groth16VerifyingKeyCreate(bytes: Uint8Array, options?: Control): Groth16VerifyingKey;
    /** Verify proofs, one or several: true if all hold. Several are verified together, several times as fast as one by one. */
    groth16Verify(verifying: Groth16VerifyingKey, publics: Elements, proofs: Elements, options?: Control): boolean;
    /** Convert proofs and public inputs to and from other programs' formats. Errors call the bytes `name`. */
    groth16ProofEncode(verifying: Groth16VerifyingKey, proof: Uint8Array, format: Groth16Format, options?: Control): Uint8Array;
    groth16PublicsEncode(verifying: Groth16VerifyingKey, publics: Uint8Array, format: Groth16Format, options?: Control): Uint8Array;
    groth16ProofDecode(verifying: Groth16VerifyingKey, bytes: Uint8Array | string, format: Groth16Format,
        options?: { name?: string } & Control): Uint8Array;
    groth16PublicsDecode(verifying: Groth16VerifyingKey, bytes: Uint8Array | string, format: Groth16Format,
        options?: { name?: string } & Control): Uint8Array;
}

/** These forms run on a thread of libuv's, while the event loop goes on. */
type Asynchronous<C> = { [K in keyof C]: C[K] extends (...given: infer G) => infer R ? (...given: G) => Promise<R> : never };
/** These forms run on the calling thread. */
type Synchronous<C> = { [K in keyof C as `${string & K}Sync`]: C[K] };

/** A prepared MSM, with its plan and memory. It keeps its context and bases. */
interface CallCalls {
    run(scalars: Uint8Array, options?: Control): Uint8Array;
}
export interface Call extends Closable, Asynchronous<CallCalls>, Synchronous<CallCalls> {
    readonly plan: Plan;
}

interface Caller extends Closable, Asynchronous<Calls>, Synchronous<Calls> {
    /** The spans of work since the last such call, at most 65536, if the option `trace` was set. */
    takeTrace(): TraceEvent[];
}

interface PrepareCalls {
    /** Prepare msm() for n bases of each MSM. */
    msmPrepare(bases: Bases, n: number, options?: MsmOptions & Control): Call;
}

/** A backend, its threads and memory. It serves one call at a time: asynchronous calls follow one another, and a synchronous call
 * meanwhile is BUSY. */
export interface Context extends Caller, Asynchronous<PrepareCalls>, Synchronous<PrepareCalls> {
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

/** Look a curve up; the group is "g1" unless said. */
export function curve(name: string, group?: string): Curve;
export function curves(): Curve[];
export function formats(): (Omit<FormatInfo, 'canRead' | 'canWrite'> & { readonly canRead: boolean; readonly canWrite: boolean })[];
/** The root of unity of order 2^log2 that transforms use, raw. */
export function rootOfUnity(curve: CurveLike, log2: number): Uint8Array;
/** Bytes of a record of pointsDecode(). */
export function pointsRecordBytes(curve: CurveLike, format: string): number;
export const constants: Readonly<Record<string, number | bigint>>;
export const version: string;
export const versionNumber: number;
