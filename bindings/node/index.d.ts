// SPDX-License-Identifier: Apache-2.0 OR MIT
/**
 * This package has multi-scalar multiplication, KZG and Groth16. The headers of the C interface (include/sumac) describe each
 * call in more detail.
 */
import type {
    BasesOptions, Check, ContextOptions, ElementOptions, FilesOptions, FilesReport, FormatInfo,
    Group, Groth16Info, Groth16KeyOptions, Groth16ProveOptions, KzgOptions, Location, MsmNeeds, MsmOptions, Order, PlonkInfo, PlonkKeyOptions, PlonkProveOptions, PlonkSetupOptions, Slice, Status, Tables, TraceEvent,
    Scan, TransformOptions, VectorKind,
} from './interface';

export * from './interface';

/** The hashes of gnark's commitments. The first one is the default. */
export type CommitmentHash = 'xmd-sha256' | 'sha256' | 'keccak256';

/** A format: the text of snarkjs' proof.json or public.json, gnark's bytes with compressed points (WriteTo()), or those of
 * WriteRawTo(). */
export type Groth16Format = 'snarkjs' | 'gnark' | 'gnark-raw';

/** An element of Fp, or the parts c0 and c1 of an element of Fp2. */
export type Coordinate = bigint | readonly [bigint, bigint];
/** A point. Infinity has zeros as coordinates. An argument may lack the names, and its coordinates may be numbers. */
export interface Point {
    readonly curve?: string;
    readonly group?: string;
    readonly x: Coordinate;
    readonly y: Coordinate;
}
/** Points, as raw bytes or objects. */
export type Points = Uint8Array | readonly Point[];
/** A scalar, as raw bytes or an integer from 0 to r - 1. */
export type Scalar = Uint8Array | Integer;
/** Scalars, as raw bytes, integers from 0 to r - 1, or a column of small integers. */
export type Scalars = Uint8Array | readonly Integer[] | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | BigUint64Array | BigInt64Array;
export type SharedWords = BigUint64Array | Uint8Array;

/** Options of every call. */
export interface Control {
    /** A signal that cancels the call. The call then fails with the signal's reason, as fetch() does. */
    signal?: AbortSignal;
    /** A function that gets the part of the call that is done, from 0 to 1. If a call has several steps, each begins at 0. If
     * the function throws, the call ends. */
    onProgress?: (done: number) => void;
}

/** Options of the calls of an object. */
export interface Where extends Control {
    /** The context or pool in which the call works. By default it is the one that made the object. */
    context?: Context | Pool;
}

/** A transform whose `shift` and `root` may be integers. */
type Transform = Omit<TransformOptions, 'shift' | 'root'> & { shift?: Scalar; root?: Scalar };

/** A failure, with the library's sentence and status. A value of a wrong type causes a TypeError with the code
 * ERR_INVALID_ARG_TYPE. A number that no call accepts causes a RangeError with the code ERR_OUT_OF_RANGE. */
export class SumacError extends Error {
    readonly code: `SUMAC_${Status}`;
    /** If recoverCells() with `checked` fails with MISMATCH, this is the first blob whose cells are inconsistent, and `cell` is
     * a wrong cell of it. */
    readonly blob?: number;
    readonly cell?: number;
    constructor(status: Status, message: string, options?: ErrorOptions);
}

/** An object in the library's memory. It is freed when it has been closed or collected, and no call and no other object needs
 * it. */
interface Closable {
    /** Close the object. New calls can't use it, but running calls go on. */
    close(): void;
}

/** An object that a context or pool has made. Its calls work in this context or pool, unless the option `context` names another
 * one. */
interface Made extends Closable {
    readonly context: Context | Pool;
}

/** One of the two groups of a curve. There is one object for each group. */
export interface Curve extends Omit<Group, 'curve' | 'name' | 'cofactorIsOne'> {
    readonly name: string;
    /** "g1" or "g2" */
    readonly group: string;
    readonly cofactorIsOne: boolean;
    /** The generator of the subgroup. */
    readonly generator: Point;
    /** Convert raw bytes to points. */
    points(raw: Uint8Array): Point[];
    /** Convert the bytes of scalars to integers. */
    scalars(raw: Uint8Array): bigint[];
}

/** Points that are ready for use. They are immutable. */
export interface Bases extends Made {
    readonly count: number;
    readonly curve: Curve;
    readonly precomputeFactor: number;
    readonly tables: Tables;
    readonly bytes: number;
}

/** Scalars or points in the memory where the context computes. If calls of one context use the vector, they follow one another.
 * If a call of another context uses it meanwhile, and either call writes the vector, the other call fails with BUSY. */
export interface Vector extends Made {
    readonly count: number;
    readonly curve: Curve;
    readonly kind: VectorKind;
    /** The address of the scalars' memory, for other addons. For points and for an empty vector it is null. */
    readonly address: bigint | null;
}

/** The points at which polynomials are opened, and one factor for each polynomial. `opened` has a row of bytes for each polynomial: 1
 * if it is opened at that point, otherwise 0. Without it, all are opened at all points. */
export interface Openings {
    readonly points: Vector;
    readonly factors: Vector;
    readonly opened?: Uint8Array;
}

/** Points of the second group that are prepared for many checks. */
export interface PairingPoints extends Made {
    readonly curve: Curve;
    readonly count: number;
}

/** The tables for computing all openings of polynomials of n coefficients, in cells of cellElements values. */
export interface Fk20 extends Made {
    readonly n: number;
    readonly cellElements: number;
    readonly tableBytes: number;
}

/** A trusted setup of Ethereum. */
export interface KzgSetup extends Made {
    /** The number of bytes of the tables for proofs of cells. If there are no tables, it is 0. */
    readonly tableBytes: number;
}

/** A description of a key: the circuit and the sizes. */
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

/** A proving key of PLONK, with its verifying key (experimental). */
export interface PlonkKey extends Made {
    readonly info: PlonkInfo;
    readonly verifying: PlonkVerifyingKey;
}

export interface PlonkVerifyingKey extends Made {
    readonly info: PlonkInfo;
}

/** The choices that the library makes for a call. sumac/experimental.h explains the names. */
export interface Plan {
    readonly name: string;
    readonly milliseconds: number;
    readonly numbers: Readonly<Record<string, number>>;
    /** The kind of each stage. */
    readonly kinds: Readonly<Record<string, string>>;
    /** The number of bytes for each purpose. */
    readonly bytes: Readonly<Record<string, number>>;
}

/** Descriptions of plans by name, and of kinds by stage and name. */
export interface Plans {
    readonly plans: Readonly<Record<string, string>>;
    readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A curve, or a name of a curve, which means the first group of that curve. */
export type CurveLike = Curve | string;
/** A file's path or its file: URL. */
export type File = string | URL;
/** Several elements: one array in which they are concatenated, or a list of single elements. */
export type Elements = Uint8Array | readonly Uint8Array[];
type Integer = number | bigint;
type Integers = ArrayLike<Integer>;

// Only calls make these objects. The classes exist for instanceof.
export class Curve { private constructor(); }
export class Bases { private constructor(); }
export class Vector { private constructor(); }
export class PairingPoints { private constructor(); }
export class Fk20 { private constructor(); }
export class KzgSetup { private constructor(); }
export class Groth16Key { private constructor(); }
export class Groth16VerifyingKey { private constructor(); }
export class PlonkKey { private constructor(); }
export class PlonkVerifyingKey { private constructor(); }
export class Call { private constructor(); }

/** Every call of a context or pool. The types are those of the synchronous form, but the names do not end in "Sync". */
interface Calls {
    /** Check whether the context can be used after a failure. If not, this throws DEVICE_FAILED. */
    check(options?: Control): void;
    /** Measure the relative speeds of the context's devices. The fastest device has 1000. */
    measureWeights(curve: CurveLike, n: number, options?: Control): Uint32Array;

    createBases(curve: CurveLike, points: Points, options?: BasesOptions & Control): Bases;
    /** Open bases from a file: all, or n from index `first`. If curve is null, the file must be a table, because only a table
     * contains the name of its curve. A trusted table is opened faster with check: 'none'. */
    openBases(curve: CurveLike | null, path: File, options?: BasesOptions & { format?: string; first?: Integer; n?: Integer } & Control): Bases;
    /** Return the number of bases in a file. */
    countBases(curve: CurveLike, path: File, options?: { format?: string } & Control): number;
    /** Create bases whose discrete logarithms are known, for tests. */
    createKnownBases(curve: CurveLike, n: Integer, seed: Integer, options?: BasesOptions & Control): Bases;
    /** Return the discrete logarithms of the bases of createKnownBases(). */
    knownLogarithms(curve: CurveLike, n: number, seed: Integer, options?: Control): Uint8Array;
    /** Compute the result of an MSM over bases with these logarithms. */
    knownAnswer(curve: CurveLike, scalars: Scalars, logarithms: Scalars, options?: Control): Uint8Array;

    /** Decode records of a format to raw points. */
    decodePoints(curve: CurveLike, records: Uint8Array, format: string, options?: { check?: Check } & Control): Uint8Array;
    /** Encode points as records of a format. */
    encodePoints(curve: CurveLike, points: Points, format: string, options?: Control): Uint8Array;
    /** Map each coordinate to a point of the subgroup. This applies RFC 9380's map and clears the cofactor, as EIP-2537's maps
     * do. */
    mapToGroup(curve: CurveLike, elements: Uint8Array, options?: Control): Uint8Array;
    /** Read a file of raw scalars. */
    readScalars(curve: CurveLike, path: File, options?: Control): Uint8Array;

    /** Add partial results of msmPartial(). */
    combinePartials(curve: CurveLike, partials: readonly Uint8Array[], options?: { batch?: number } & Control): Uint8Array;
    /** Compute an MSM of files, which may be larger than memory. */
    msmFiles(curve: CurveLike, basesPath: File, scalarsPath: File, options?: FilesOptions & { msm?: MsmOptions } & Control):
        { result: Uint8Array; report: FilesReport };
    /** Return the plan of an MSM of n bases that have not been created. */
    planMsm(curve: CurveLike, n: Integer, options?: { bases?: BasesOptions; msm?: MsmOptions } & Control): Plan;

    /** Create a vector of zeros, or of points at infinity. */
    createVector(curve: CurveLike, kind: VectorKind, count: Integer, options?: Control): Vector;
    /** Create a vector of scalars in an array over a SharedArrayBuffer. The array is kept, and not copied. It must contain
     * scalars in Montgomery form, little-endian and less than r, which is not checked. The context must compute on the CPU. */
    wrapVector(curve: CurveLike, memory: SharedWords, options?: Control): Vector;

    /** Check that the product of the pairings of g1Points[i] and g2Points[i] is one. The points are checked to lie in their
     * subgroups, unless `check` selects a lesser check. */
    pairingCheck(curve: CurveLike, g1Points: Points, g2Points: Points, options?: { check?: Check } & Control): boolean;
    /** Return the value of this product (experimental): twelve integers of fieldBytes, and six for bw6-761. The function
     * sumac_pairing_value() of sumac/experimental.h says which they are. If there are no points, the value is one. */
    pairingValue(curve: CurveLike, g1Points: Points, g2Points: Points, options?: { check?: Check } & Control): Uint8Array;
    /** Prepare points of the second group for many checks. */
    createPairingPoints(curve: CurveLike, g2Points: Points, options?: { check?: Check } & Control): PairingPoints;
    /** Verify openings. Return true if each committed polynomial has its value at its evaluation point. The points are those of
     * the SRS: the generator of the first group, and the generator of the second group and s times it. */
    verifyOpenings(curve: CurveLike, g1Points: Points, g2Points: Points, commitments: Vector, evaluationPoints: Vector, values: Vector,
        proofs: Vector, options?: Control): boolean;
    /** Return a challenge by Fiat and Shamir (experimental), as a raw scalar: the hash of a transcript, as a big-endian integer modulo
     * the order of the curve's groups. */
    challenge(curve: CurveLike, hash: 'keccak256' | 'sha256', transcript: Uint8Array, options?: Control): Uint8Array;
    /** Verify a proof of shplonkQuotient() and shplonkOpen() (experimental). Return true if each committed polynomial has its values at
     * the points at which it is opened. The values have a row of scalars for each polynomial, and the proof is two points. The points
     * of the SRS are as for verifyOpenings(). */
    shplonkVerify(curve: CurveLike, g1Points: Points, g2Points: Points, commitments: Vector, openings: Openings, values: Vector,
        evaluationPoint: Vector, proof: Vector, options?: Control): boolean;

    /** Open a trusted setup: trusted_setup.txt, or a file that save() wrote, whose tables are also read. */
    openKzgSetup(path: File, options?: KzgOptions & Control): KzgSetup;
    /** Create a trusted setup from compressed points, in the order of trusted_setup.txt. */
    createKzgSetup(g1Monomial: Elements, g1Lagrange: Elements, g2Monomial: Elements, options?: KzgOptions & Control): KzgSetup;
    /** Run compute_challenge. */
    blobChallenge(blob: Uint8Array, commitment: Uint8Array, options?: Control): Uint8Array;
    /** Run compute_verify_cell_kzg_proof_batch_challenge. */
    cellChallenge(commitments: Elements, commitmentIndices: Integers, cellIndices: Integers, cells: Elements, proofs: Elements,
        options?: Control): Uint8Array;

    /** Open a proving key of snarkjs or gnark, or a prepared key. */
    openGroth16Key(path: File, options?: Groth16KeyOptions & Control): Groth16Key;
    /** Create a proving key from a file's bytes. */
    createGroth16Key(bytes: Uint8Array, options?: Groth16KeyOptions & Control): Groth16Key;
    /** Open a verifying key: verification_key.json, .zkey, a prepared key, or a key of gnark. */
    openGroth16VerifyingKey(path: File, options?: Control): Groth16VerifyingKey;
    /** Create a verifying key from a file's bytes. */
    createGroth16VerifyingKey(bytes: Uint8Array, options?: { commitmentHash?: CommitmentHash } & Control): Groth16VerifyingKey;

    /** Open a PLONK proving key of snarkjs or gnark, or a prepared key. */
    openPlonkKey(path: File, options?: PlonkKeyOptions & Control): PlonkKey;
    /** Create a PLONK proving key from a file's bytes. */
    createPlonkKey(bytes: Uint8Array, options?: PlonkKeyOptions & Control): PlonkKey;
    /** Open a PLONK verifying key: verification_key.json or .zkey. */
    openPlonkVerifyingKey(path: File, options?: Control): PlonkVerifyingKey;
    /** Create a PLONK verifying key from a file's bytes. */
    createPlonkVerifyingKey(bytes: Uint8Array, options?: Control): PlonkVerifyingKey;
    /** Make the PLONK or FFLONK proving key of a circuit from powers of tau, with the bytes that snarkjs makes. */
    plonkSetup(r1csPath: File, ptauPath: File, zkeyPath: File, options?: PlonkSetupOptions & Control): void;
}

interface BasesCalls {
    /** Return the raw points of bases. */
    read(options?: { first?: number; n?: number } & Where): Uint8Array;
    /** Save the bases. Without a format the file is a table with the multiples. With a format of formats() it has no
     * multiples. */
    save(path: File, options?: { format?: string } & Where): void;

    /**
     * Compute one MSM, a batch of MSMs of equal length or, with offsets, MSMs of different lengths. The result has a raw point
     * for each MSM. Each MSM uses n bases, from the option `first`. Without n it uses all bases, and fewer scalars are refused.
     */
    msm(scalars: Scalars, options?: MsmOptions & { n?: Integer } & Where): Uint8Array;
    /** Compute msm() as a partial result, which combinePartials() adds to others. */
    msmPartial(scalars: Scalars, options?: MsmOptions & { n?: Integer } & Where): Uint8Array;
    /** Compute MSMs whose scalars and results are vectors. Without n all bases, and all scalars from scalarsFirst, are used. */
    msmVectors(scalars: Vector, results: Vector,
        options?: MsmOptions & { scalarsFirst?: number; n?: Integer; resultFirst?: Integer } & Where): void;
    /** Prepare msm() for n bases of each MSM. This works in a context, but not in a pool. */
    prepareMsm(n: number, options?: MsmOptions & Where): Call;
    /** Predict the time and the memory of msm(). */
    estimateMsm(n: Integer, options?: MsmOptions & Where): MsmNeeds;
    /** Return the plan that msm() would use. */
    planMsm(n: Integer, options?: MsmOptions & Where): Plan;

    /** Commit to polynomials of n coefficients. The bases are an SRS. */
    commit(polynomials: Vector, n: Integer, commitments: Vector, options?: Where): void;
    /** Compute each polynomial's value and proof at its evaluation point. At least one of `values` and `proofs` must be
     * given. */
    open(polynomials: Vector, n: Integer, evaluationPoints: Vector, options: { values?: Vector; proofs?: Vector } & Where): void;
    /** Open polynomials of n coefficients each at several points (experimental). This is the first of three calls, which the header
     * sumac/experimental.h describes. The bases are an SRS. The call writes n scalars to `quotient`, for shplonkOpen(), and to
     * `commitment` a point, which is the first one of the proof. */
    shplonkQuotient(polynomials: Vector, n: Integer, openings: Openings, quotient: Vector, commitment: Vector, options?: Where): void;
    /** Write the second point of the proof that shplonkQuotient() began (experimental). The evaluation point is one scalar. */
    shplonkOpen(polynomials: Vector, n: Integer, openings: Openings, quotient: Vector, evaluationPoint: Vector, proof: Vector,
        options?: Where): void;
    /** Create the tables for the proofs of all cells. The bases are an SRS. */
    createFk20(n: Integer, cellElements: Integer, options?: { tableBytes?: Integer } & Where): Fk20;
    openFk20(n: Integer, cellElements: Integer, path: File, options?: Where): Fk20;
}

interface VectorCalls {
    /** Return a view of n elements, from index `first`. The view keeps the vector's memory. A call that uses the view also
     * counts as a use of the vector. */
    view(options?: { first?: number; n?: Integer } & Where): Vector;
    /** Write points or scalars to the vector, from index `first`. */
    write(elements: Points | Scalars, options?: ElementOptions & { first?: Integer } & Where): void;
    /** Return n elements, from index `first`, as raw bytes. */
    read(options?: ElementOptions & { first?: number; n?: number } & Where): Uint8Array;
    /** Copy the vector or a slice of it to another vector or to a slice of that vector. */
    copyTo(to: Vector, options?: { fromSlice?: Slice; toSlice?: Slice } & Where): void;
    /** Copy row rows[i] of this vector to row i of the other one. Each row has `length` elements. */
    gather(length: Integer, rows: Integers, to: Vector, options?: Where): void;
    /** Set all elements to one scalar. */
    fill(scalar: Scalar, options?: Where): void;
    /** Compute result[i] = this[i] + b[(i / each) mod b.count]. */
    add(b: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** Compute result[i] = this[i] - b[(i / each) mod b.count]. */
    subtract(b: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** Compute result[i] = this[i] * b[(i / each) mod b.count] for scalars. */
    multiply(b: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** Compute result[i] = this[i] * b[(i / each) mod b.count] + addend[i] for scalars. */
    multiplyAdd(b: Vector, addend: Vector, result: Vector, options?: { each?: Integer } & Where): void;
    /** Replace each element by the sum or product of the elements of its row up to and including itself. If `exclusive` is
     * true, the element itself is left out. */
    scan(operation: Scan, options?: { length?: Integer; exclusive?: boolean } & Where): void;
    /** Replace each element by its inverse, and leave 0 unchanged. */
    invert(options?: Where): void;
    /** Multiply element i by factor * ratio^(i mod length). */
    scalePowers(options?: { factor?: Scalar; ratio?: Scalar; length?: Integer } & Where): void;
    /** Compute result[j], the sum of row j. Each row has `length` elements. */
    sum(length: Integer, result: Vector, options?: Where): void;
    /** Transpose matrices, and write them to another vector. */
    transpose(rows: Integer, columns: Integer, result: Vector, options?: Where): void;
    /** Exchange elements i and rev(i) of each row. */
    reverseBits(options?: { length?: Integer } & Where): void;
    /** Compute the number-theoretic transform of each row, in place. Points must lie in the subgroup. */
    ntt(options?: Transform & Where): void;
    /** Divide the value at each x of a coset by x^n - 1. The options are those of the transform that computed the values. */
    divideByVanishing(n: Integer, options?: Transform & Where): void;
    /** Create bases from points of the vector. */
    createBases(options?: BasesOptions & { first?: number; n?: Integer } & Where): Bases;
}

interface PairingPointsCalls {
    /** Compute Context.pairingCheck() with these points in the first pairs. `g2Points` are those of the other pairs. */
    check(g1Points: Points, g2Points?: Points, options?: { check?: Check } & Where): boolean;
}

interface Fk20Calls {
    /** Compute the proofs of all cells of polynomials on rate*n evaluation points. */
    prove(polynomials: Vector, proofs: Vector, options?: { rate?: Integer; order?: Order } & Where): void;
    save(path: File, options?: Where): void;
}

interface KzgSetupCalls {
    save(path: File, options?: Where): void;
    /** Run blob_to_kzg_commitment for each blob. */
    commit(blobs: Elements, options?: Where): Uint8Array;
    /** Run compute_kzg_proof for each blob. */
    computeProof(blobs: Elements, zs: Elements, options?: Where): { proofs: Uint8Array; ys: Uint8Array };
    /** Run compute_blob_kzg_proof for each blob. */
    computeBlobProof(blobs: Elements, commitments: Elements, options?: Where): Uint8Array;
    /** Run verify_kzg_proof for each proof. Return true if all proofs are valid. */
    verifyProof(commitments: Elements, zs: Elements, ys: Elements, proofs: Elements, options?: Where): boolean;
    /** Run verify_blob_kzg_proof for any number of blobs. Return true if all of them belong to their commitments. */
    verifyBlobProof(blobs: Elements, commitments: Elements, proofs: Elements, options?: Where): boolean;
    /** Run compute_cells_and_kzg_proofs for each blob. If `cells` or `proofs` is false, only the other is computed. For
     * proofs the setup needs its tables. */
    computeCells(blobs: Elements, options?: { cells?: boolean; proofs?: boolean } & Where): { cells: Uint8Array | null; proofs: Uint8Array | null };
    /** Run recover_cells_and_kzg_proofs for blobs whose given cells all have the same indices. With `checked`, inconsistent
     * cells cause MISMATCH. */
    recoverCells(cellIndices: Integers, cells: Elements,
        options?: { cells?: boolean; proofs?: boolean; checked?: boolean } & Where): { cells: Uint8Array | null; proofs: Uint8Array | null };
    /** Run verify_cell_kzg_proof_batch. */
    verifyCells(commitments: Elements, cellIndices: Integers, cells: Elements, proofs: Elements, options?: Where): boolean;
}

interface Groth16KeyCalls {
    /** Save a key in its resident form, as a prepared key. */
    save(path: File, options?: Where): void;
    /** Read a witness from a file of circom, or of gnark's solver. */
    openWitness(path: File, options?: Where): Uint8Array;
    /** Read a witness from a file's bytes. */
    createWitness(bytes: Uint8Array, options?: Where): Uint8Array;
    /** Check that a witness satisfies a circuit (.r1cs). If not, this throws NOT_SATISFIED. */
    checkWitness(witness: Uint8Array, r1csPath: File, options?: Where): void;
    /** Return the public inputs of a witness. */
    publics(witness: Uint8Array, options?: Where): Uint8Array;
    /** Compute a commitment and its value while a circuit of gnark is being solved. `values` are the inputs of gnark's hint after
     * the first one. */
    commit(which: number, values: Uint8Array, options?: Where): { commitment: Uint8Array, hash: Uint8Array };
    /** Compute a proof for each witness. Each proof is verified before it is returned. */
    prove(witnesses: Elements, options?: Groth16ProveOptions & Where): Uint8Array;
    /** Compute proofs for witnesses in a vector. */
    proveVector(witnesses: Vector, options?: Groth16ProveOptions & { count?: number } & Where): Uint8Array;
}

interface Groth16VerifyingKeyCalls {
    /** Verify one or more proofs. Return true if all of them are valid. Several proofs are verified together, which is several
     * times as fast as verifying them one by one. */
    verify(publics: Elements, proofs: Elements, options?: Where): boolean;
    /** Convert proofs and public inputs to and from other programs' formats. Error messages refer to the bytes by `name`. */
    encodeProof(proof: Uint8Array, format: Groth16Format, options?: Where): Uint8Array;
    encodePublics(publics: Uint8Array, format: Groth16Format, options?: Where): Uint8Array;
    decodeProof(bytes: Uint8Array | string, format: Groth16Format, options?: { name?: string } & Where): Uint8Array;
    decodePublics(bytes: Uint8Array | string, format: Groth16Format, options?: { name?: string } & Where): Uint8Array;
}

interface PlonkKeyCalls {
    /** Save the key in its resident form, without its values on cosets, as a prepared key. */
    save(path: File, options?: Where): void;
    /** Read a witness from a file of circom, or of gnark's solver. */
    openWitness(path: File, options?: Where): Uint8Array;
    /** Read a witness from a file's bytes. */
    createWitness(bytes: Uint8Array, options?: Where): Uint8Array;
    /** Return the public inputs of a witness. */
    publics(witness: Uint8Array, options?: Where): Uint8Array;
    /** Compute the value of a commitment while a circuit of gnark is being solved, and draw two random numbers for the witness. `values`
     * are the inputs of gnark's hint after the first one. */
    commit(which: number, values: Uint8Array, options?: Where): { numbers: Uint8Array, hash: Uint8Array };
    /** Compute a proof for each witness. Each proof is verified before it is returned. */
    prove(witnesses: Elements, options?: PlonkProveOptions & Where): Uint8Array;
}

interface PlonkVerifyingKeyCalls {
    /** Verify one or more proofs. Return true if all of them are valid. */
    verify(publics: Elements, proofs: Elements, options?: Where): boolean;
    /** Convert proofs and public inputs to and from other programs' formats. Error messages refer to the bytes by `name`. */
    encodeProof(proof: Uint8Array, format: Groth16Format, options?: Where): Uint8Array;
    encodePublics(publics: Uint8Array, format: Groth16Format, options?: Where): Uint8Array;
    decodeProof(bytes: Uint8Array | string, format: Groth16Format, options?: { name?: string } & Where): Uint8Array;
    decodePublics(bytes: Uint8Array | string, format: Groth16Format, options?: { name?: string } & Where): Uint8Array;
}

interface CallCalls {
    run(scalars: Scalars, options?: Control): Uint8Array;
}

/** These forms run on a thread of libuv, while the event loop goes on. */
type Asynchronous<C> = { [K in keyof C]: C[K] extends (...given: infer G) => infer R ? (...given: G) => Promise<R> : never };
/** These forms run on the calling thread. */
type Synchronous<C> = { [K in keyof C as `${string & K}Sync`]: C[K] };

/** Both forms of each call. */
type Both<C> = Asynchronous<C> & Synchronous<C>;

export interface Bases extends Both<BasesCalls> {}
export interface Vector extends Both<VectorCalls> {}
export interface PairingPoints extends Both<PairingPointsCalls> {}
export interface Fk20 extends Both<Fk20Calls> {}
export interface KzgSetup extends Both<KzgSetupCalls> {}
export interface Groth16Key extends Both<Groth16KeyCalls> {}
export interface Groth16VerifyingKey extends Both<Groth16VerifyingKeyCalls> {}
export interface PlonkKey extends Both<PlonkKeyCalls> {}
export interface PlonkVerifyingKey extends Both<PlonkVerifyingKeyCalls> {}

/** A prepared MSM, with its plan and memory. It keeps its context and bases. */
export interface Call extends Made, Both<CallCalls> {
    readonly plan: Plan;
}

interface Caller extends Closable, Both<Calls> {
    /** Return the spans of work since the last call of takeTrace(), at most 65536. There are none unless the option `trace` was
     * set. */
    takeTrace(): TraceEvent[];
}

/** A backend, its threads and its memory. It runs one call at a time. Asynchronous calls follow one another. A synchronous call
 * meanwhile fails with BUSY. */
export interface Context extends Caller {
    readonly backend: string;
    readonly variant: string;
    readonly location: Location;
    readonly threads: number;
    /** The names of the context's devices. The CPU has the name "". */
    readonly devices: string[];
    /** Describe the named plans, and the kinds of each stage. The option `tuning: 'plan=NAME'` selects a plan. */
    plans(curve: CurveLike): Plans;
}
export const Context: {
    new (options?: ContextOptions): Context;
    /** Create a context outside the event loop. */
    create(options?: ContextOptions): Promise<Context>;
};

/** Contexts of one configuration. As many asynchronous calls run at once as there are contexts, and further calls wait. */
export interface Pool extends Caller {}
export const Pool: new (most: number, options?: ContextOptions) => Pool;

/**
 * Compute the sum of scalars times points, in a context that all such calls share. If you need several sums over the same
 * points, create bases from them.
 */
export function msm(curve: CurveLike, points: Points, scalars: Scalars, options?: MsmOptions & { check?: Check } & Control): Promise<Point>;
export function msmSync(curve: CurveLike, points: Points, scalars: Scalars, options?: MsmOptions & { check?: Check } & Control): Point;
/** Find a curve by its name. The default group is "g1". If the library lacks the curve, this throws UNKNOWN_CURVE, and the
 * error names the curves that it has. */
export function curve(name: string, group?: string): Curve;
export function curves(): Curve[];
export function formats(): (Omit<FormatInfo, 'canRead' | 'canWrite'> & { readonly canRead: boolean; readonly canWrite: boolean })[];
/** Return, as a raw scalar, the root of unity of order 2^log2 that transforms use. */
export function rootOfUnity(curve: CurveLike, log2: number): Uint8Array;
/** Return the number of bytes of a record of decodePoints(). */
export function pointsRecordBytes(curve: CurveLike, format: string): number;
export const constants: Readonly<Record<string, number | bigint>>;
export const version: string;
export const versionNumber: number;
