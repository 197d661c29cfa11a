/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file sumac.h
 *  @brief Multi-scalar multiplication: given bases P_0..P_(n-1) and scalars k_0..k_(n-1), k_0*P_0 + ... +
 * k_(n-1)*P_(n-1).
 *
 *  Words are the field's own (docs/pipeline.md explains them): a *base* is an affine point, a *scalar* an
 * integer, a *window* c bits of a scalar, a *bucket* the sum of the bases that share a digit in a window.
 *
 *  **Variable time.** Every multi-scalar multiplication here takes time that depends on the scalars. Do not
 * use it on secrets that an attacker may time.
 *
 *  **Errors.** Every call that can fail returns a sumac_status. The library never aborts, exits, prints or
 * reads the environment. After a failure sumac_context_message() holds one sentence for people; nothing that
 * was passed in is changed and no output is half-written.
 *
 *  **Threads.** A context serves one call at a time, from any thread. Two contexts never touch each other.
 * Bases are immutable after creation and may be used from many contexts and threads at once: all contexts of
 * their backend, on a GPU those of the same device. Curves are constants. A context with more than one thread
 * starts the others when work first wants them, goes on with fewer where the system refuses some, and joins
 * them in sumac_context_destroy(); when all contexts are gone the library may be unloaded. Signals are left
 * to the program's own threads. A call takes at most 128 KiB of its thread's stack. After fork() the child
 * may use and destroy CPU contexts that were in no call then, and bases: its threads are its own.
 *
 *  **Devices.** Bases made by a context of a GPU lie in that GPU's memory (but for those that it had no room
 * for, which stay on the host and serve every GPU). A call with a context of another GPU or backend is
 * refused as SUMAC_BAD_ARGUMENT before anything is done; sumac_bases_save() and sumac_bases_load() take bases
 * from one to the other. Bases of the CPU can be read (sumac_bases_get(), _write(), _save()) with any
 * context.
 *
 *  A context of several devices (sumac_context_config.devices) shares its calls out: docs/multi-gpu.md. Bases
 * that it makes lie on all of them and are used with contexts of as many devices, the same ones in the same
 * order; vectors, and scalars and results on a device, lie on the first. A call with a stream is refused.
 * Other work is a caller's to share out, with sumac_context_run_members().
 *
 *  **Exactness.** Results are exact and the same bits on every backend, plan and number of threads and
 * devices.
 *
 *  **Sizes.** Every struct begins with its size in bytes, so that programs and libraries of different
 * versions understand each other: structs only grow, at their end. In a struct that a caller passes,
 * sumac_..._default() sets the size, to what the caller's own header says. A struct with size 0, more than
 * 4096, or less than the first version's is refused: SUMAC_BAD_ARGUMENT. Fields that an older header lacks
 * have their defaults, and are not written. A struct of a newer header is taken if all bytes that the library
 * does not know are 0, as the defaults have them; else it is refused: SUMAC_NOT_SUPPORTED. In structs that
 * the library passes the size is the library's: a field that is younger is only there if the size reaches
 * beyond it.
 *
 *  **Raw layout.** A coordinate is little-endian, 8*ceil(bits(p)/64) bytes, canonical (less than p) unless
 * Montgomery form is asked for; over Fp2 it is c0 then c1. A point is x then y; the point at infinity is all
 * zero bytes. A scalar is 8*ceil(bits(r)/64) bytes, little-endian; any value is legal and means its residue
 * modulo r.
 */
#ifndef SUMAC_SUMAC_H
#define SUMAC_SUMAC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUMAC_VERSION_MAJOR 0
#define SUMAC_VERSION_MINOR 1
#define SUMAC_VERSION_PATCH 0
#define SUMAC_VERSION_STRING "0.1.0"

/** No message of the library is longer, its final 0 counted. */
#define SUMAC_MESSAGE_BYTES 512

#if defined(__GNUC__)
#define SUMAC_API __attribute__((visibility("default")))
#define SUMAC_MUST_USE __attribute__((warn_unused_result))
#else
#define SUMAC_API
#define SUMAC_MUST_USE
#endif

/** What a call came to. sumac_status_text() has a sentence for each. */
typedef enum sumac_status {
    SUMAC_OK = 0,
    SUMAC_BAD_ARGUMENT,    /**< a null pointer, a value out of range, a combination that means nothing */
    SUMAC_UNKNOWN_CURVE,   /**< no such curve or group in the registry */
    SUMAC_UNKNOWN_FORMAT,  /**< no such file format */
    SUMAC_UNKNOWN_BACKEND, /**< no such backend */
    SUMAC_UNKNOWN_PLAN,    /**< no such named plan */
    SUMAC_NOT_SUPPORTED,   /**< legal, but this backend can't honour it; the message names the option */
    SUMAC_BAD_LENGTH,      /**< a buffer or file of the wrong length */
    SUMAC_BAD_ENCODING,    /**< bytes that do not encode a point or scalar: a coordinate >= p, a wrong flag */
    SUMAC_NOT_ON_CURVE,    /**< a point off the curve */
    SUMAC_NOT_IN_SUBGROUP, /**< a point outside the subgroup of order r */
    SUMAC_SCALAR_TOO_LARGE, /**< a scalar of more bits than the call declared */
    SUMAC_BAD_FILE, /**< a file that is not what it should be: truncated, over-long, wrong magic or version */
    SUMAC_BAD_CHECKSUM,  /**< a file whose checksum does not match its bytes */
    SUMAC_MISMATCH,      /**< a file or partial result of another curve, group or batch */
    SUMAC_CANNOT_OPEN,   /**< a path that does not exist, is a directory, or may not be read or written */
    SUMAC_READ_FAILED,   /**< the operating system failed a read: the machine's fault */
    SUMAC_WRITE_FAILED,  /**< a write failed, the disk is full: the machine's fault */
    SUMAC_OUT_OF_MEMORY, /**< an allocation failed: the machine's fault; the message says how many bytes, but
                            for what a GPU's driver takes for itself */
    SUMAC_MEMORY_LIMIT, /**< no plan fits in the memory limit; the message says how many bytes were missing */
    SUMAC_BACKEND_UNAVAILABLE, /**< the backend's library, driver or device is missing: the machine's fault */
    SUMAC_DEVICE_FAILED,       /**< the device failed or was lost: the machine's fault */
    SUMAC_INTERNAL             /**< an invariant did not hold; please report it */
} sumac_status;

/** A constant sentence for a status; never null, also for values that are no status. */
SUMAC_API const char *sumac_status_text(sumac_status status);

/** 1 if the machine is to blame (memory, disk, device), 0 if the input is; the program's exit status is 3
 * or 2. */
SUMAC_API int sumac_status_is_machine_fault(sumac_status status);

/** The library's version as "major.minor.patch", a constant. */
SUMAC_API const char *sumac_version(void);

/* ---- Curves ---- */

/** A curve and group of the registry: an immutable constant that is never freed. */
typedef struct sumac_curve sumac_curve;

/** What one needs to know to lay out a curve's points and scalars. */
typedef struct sumac_curve_info {
    size_t size;
    const char *name;        /**< as "bls12-381" */
    const char *group;       /**< "g1" or "g2" */
    uint32_t field_bits;     /**< bits of p */
    uint32_t field_bytes;    /**< bytes of one element of Fp, 8*ceil(field_bits/64) */
    uint32_t degree;         /**< coordinates lie in Fp (1) or in Fp2 (2) */
    uint32_t scalar_bits;    /**< bits of r */
    uint32_t scalar_bytes;   /**< 8*ceil(scalar_bits/64) */
    uint32_t point_bytes;    /**< bytes of one raw affine point, 2*degree*field_bytes */
    int cofactor_is_one;     /**< 1 if every point of the curve lies in the subgroup */
    const uint64_t *modulus; /**< p, field_bytes/8 little-endian words */
    const uint64_t *order;   /**< r, scalar_bytes/8 little-endian words */
} sumac_curve_info;

/** How many curves and groups the registry holds, and the one at an index (null past the end). */
SUMAC_API size_t sumac_curve_count(void);
SUMAC_API const sumac_curve *sumac_curve_at(size_t index);

/** Look a curve up by name and group ("bls12-381", "g1"); a null group means "g1".
 *  @return SUMAC_OK, SUMAC_UNKNOWN_CURVE or SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_curve_find(const char *name, const char *group,
                                                       const sumac_curve **curve);

/** The description of a curve; valid for ever. */
SUMAC_API const sumac_curve_info *sumac_curve_describe(const sumac_curve *curve);

/** Write the generator of the subgroup, point_bytes in raw layout, canonical. */
SUMAC_API void sumac_curve_generator(const sumac_curve *curve, void *point);

/* ---- Context ---- */

/** The state of one caller: a backend, its threads, a workspace that is kept between calls, and the last
 * message. */
typedef struct sumac_context sumac_context;

/** A span of work, for traces: stages, passes and threads. Times are seconds of a monotonic clock. */
typedef struct sumac_trace_event {
    size_t size;
    const char *name; /**< the stage: "recode", "sort", "accumulate", "reduce", "combine", "plan", ... */
    uint32_t thread;  /**< 0 for the calling thread */
    uint32_t pass;    /**< which pass over the windows, from 0 */
    double start;
    double end;
} sumac_trace_event;

/** Of one context. */
#define SUMAC_MOST_DEVICES 16

/** As sumac_context_config.device_count: all devices of the backend. */
#define SUMAC_ALL_DEVICES UINT64_MAX

typedef struct sumac_context_config {
    size_t size;
    const char *backend; /**< "auto" (the fastest that is found), "cpu" or "cuda"; null means "auto" */
    uint32_t threads; /**< CPU threads, the calling one counted; 0: as many as the process may run on, by its
                         affinity and its control groups' CPU quota */
    int32_t device;   /**< which GPU; -1: the first */
    uint64_t memory_limit; /**< bytes of workspace that a call may use at most, all of them where that is
                              fastest; 0: the planner's own bound, which follows the inputs */
    const char *variant;   /**< CPU code: null for the fastest that this machine runs, or "portable", "adx",
                              "avx512" (for tests) */
    /** Called after each span of work, possibly from worker threads at the same time; may be null. */
    void (*trace)(void *user, const sumac_trace_event *event);
    /** Called on the calling thread as work proceeds, with 0 <= done <= 1; may be null. Calls that are made
     * of several MSMs, as those of srs.h and kzg.h are, tell of each. */
    void (*progress)(void *user, double done);
    void *user; /**< handed to trace and progress */
    /** Where sumac_context_create() writes one sentence on why there is no context, "" if there is one; null:
     * nowhere. SUMAC_MESSAGE_BYTES are always enough; a longer sentence is cut off. Not kept. */
    char *reason;
    size_t reason_bytes;
    /** Several devices that share each call out: their numbers, as `device` has one; null with device_count =
     * SUMAC_ALL_DEVICES. A device that is named twice has two queues, which is for tests; the CPU backend has
     * one device, 0, and shares its threads out. Read by sumac_context_create() only. */
    const int32_t *devices;
    /** For each device, how much of the work it gets, in proportion to the sum of all: none 0, each at most
     * 1000000; null: all the same. Read by sumac_context_create() only. */
    const uint32_t *device_shares;
    /** Bases that take at most so many bytes, their multiples included, are kept whole on each of several
     * devices; of others each has its shard. 0: 64 MiB. */
    uint64_t replica_limit;
    uint64_t device_count; /**< of `devices`, at most SUMAC_MOST_DEVICES; 0, without a list: `device` alone */
} sumac_context_config;

/** What sumac_context_config_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_context_config_init(sumac_context_config *config, size_t size);

/** The defaults: backend auto, all threads, no limit. */
static inline sumac_context_config sumac_context_config_default(void)
{
    sumac_context_config config;
    sumac_context_config_init(&config, sizeof config);
    return config;
}

/** Create a context.
 *  @param config null for the defaults; copied. With a `reason` it gets a sentence on every failure,
 * unless the size is none that a version has; one of 0 was forgotten, and gets its sentence
 *  @param context the new context, to be freed with sumac_context_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_UNKNOWN_BACKEND, SUMAC_BACKEND_UNAVAILABLE, SUMAC_BAD_ARGUMENT,
 * SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_create(const sumac_context_config *config,
                                                           sumac_context **context);

/** Whether a context with this backend and device can be created here; if not, `reason` gets a sentence on
 * what is missing: the engine's library, the driver, the device.
 *  @param reason `bytes` bytes, at least one; "" on success. SUMAC_MESSAGE_BYTES are always enough
 *  @return as sumac_context_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_backend_check(const char *backend, int32_t device, char *reason,
                                                          size_t bytes);

/** Free a context; null is allowed. Bases that it created live on. */
SUMAC_API void sumac_context_destroy(sumac_context *context);

/** One sentence on the last failure of a call with this context, or "" ; valid until the next call with it.
 */
SUMAC_API const char *sumac_context_message(const sumac_context *context);

/** Wait for the last asynchronous call with this context, if there is one; sumac_context_message() is then
 * about it.
 *  @return its status, again and again until the next call with the context begins; SUMAC_OK if there was
 * none */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_wait(sumac_context *context);

/** The backend in use ("cpu"), and which of its variants ("portable", "adx", "avx512"). */
SUMAC_API const char *sumac_context_backend(const sumac_context *context);
SUMAC_API const char *sumac_context_variant(const sumac_context *context);

/** The name of the context's named plan at an index, a constant, for sumac_msm_config.plan; null past the
 * end. The first is "auto", the planner's choice of every kind. */
SUMAC_API const char *sumac_context_plan(const sumac_context *context, size_t index);

/** What a named plan is about, for people: sentences; "" of one that is not told about; null where there is
 * none of that name. */
SUMAC_API const char *sumac_context_plan_about(const sumac_context *context, const char *name);

/** What a kind of a stage does, for people: a sentence without its end, whose subject is the stage; "" of one
 * that is not told about; null where there is none. `stage` and `kind` are as sumac_plan_stage() and
 * sumac_plan_kind() give them. */
SUMAC_API const char *sumac_context_kind_about(const sumac_context *context, const sumac_curve *curve,
                                               const char *stage, const char *kind);

/** The context's GPU, for people: name, compute capability, multiprocessors, memory, and the driver's CUDA
 * version; "" with the CPU backend. */
SUMAC_API const char *sumac_context_device(const sumac_context *context);

/** Memory of the host, page-locked so that the context's GPU copies scalars from it without a detour;
 * ordinary memory with the CPU backend. It may be used with other contexts, and lives on without this one.
 *  @param memory the new block, aligned to 64 bytes, to be freed with sumac_pinned_free(); null on failure
 *  @return SUMAC_OK, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pinned_allocate(sumac_context *context, size_t bytes,
                                                            void **memory);

/** Free what sumac_pinned_allocate() gave, with a context of the same backend; null is allowed. */
SUMAC_API void sumac_pinned_free(sumac_context *context, void *memory);

/** How many devices share a context's calls out: 1, but for contexts with a list of devices; and the device
 * at an index as a context of its own, null past the end. It is the context's: never destroyed by the caller,
 * in use while the context is, and for one call at a time. Bases and vectors that it makes lie on that device
 * alone. A context of one device is its own. */
SUMAC_API uint32_t sumac_context_device_count(const sumac_context *context);
SUMAC_API sumac_context *sumac_context_member(sumac_context *context, uint32_t index);

/** Where the share of the member at an index begins, of n things that are shared out by device_shares: 0 for
 * the first, n past the end. With n less than the number of devices as many have one each, if the shares are
 * equal. */
SUMAC_API size_t sumac_context_share_begin(const sumac_context *context, uint32_t index, size_t n);

/** What a member does: `member` is its context, for calls of the library; a failure's sentence is that
 * context's. */
typedef sumac_status (*sumac_member_work)(void *argument, sumac_context *member, uint32_t index);

/** Call a function once for each member, all at the same time: each on a thread of its own, as far as the
 * system has threads, the first on the calling one. It uses its member and not `context`, and runs to its end
 * whatever becomes of the others. In a context of one device: one call, with the context itself.
 *  @return the status of the first member, in their order, whose call failed, with its sentence; or
 * SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_run_members(sumac_context *context,
                                                                sumac_member_work work, void *argument);

/** How fast the devices of a context are beside each other, for the device_shares of another context: all of
 * them compute MSMs of n bases at the same time, as they will; the fastest of three counts. This context's
 * own shares stay.
 *  @param n about what a device will have, at least 1
 *  @param shares as many as there are devices: 1000 for the fastest, at least 1; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, and as sumac_known_bases() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_measure_shares(sumac_context *context,
                                                                   const sumac_curve *curve, size_t n,
                                                                   uint32_t *shares);

/** Whether a context can go on, after a failure: waits for its devices and asks each of them.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, or SUMAC_DEVICE_FAILED with a sentence on the first that failed:
 * then destroy the context */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_check(sumac_context *context);

/** How many CPU threads a call with this context uses at most: the system may have fewer for it. */
SUMAC_API uint32_t sumac_context_threads(const sumac_context *context);

/* ---- Bases ---- */

/** Bases on some backend, ready for use, with precomputed multiples if asked for. Immutable. */
typedef struct sumac_bases sumac_bases;

typedef enum sumac_check {
    SUMAC_CHECK_NONE = 0, /**< coordinates are still checked to be less than p */
    SUMAC_CHECK_CURVE,    /**< every point lies on the curve */
    SUMAC_CHECK_SUBGROUP  /**< and in the subgroup of order r */
} sumac_check;

/** How integers modulo p or r are written. */
typedef enum sumac_form {
    SUMAC_FORM_CANONICAL = 0, /**< the integer itself */
    SUMAC_FORM_MONTGOMERY     /**< the integer times R mod the modulus, R = 2^(64*words) */
} sumac_form;

typedef enum sumac_infinity {
    SUMAC_INFINITY_ZERO = 0, /**< x = y = 0 */
    SUMAC_INFINITY_FLAG      /**< a byte at infinity_offset of the record is not zero */
} sumac_infinity;

/** What is kept for each base P. */
typedef enum sumac_tables {
    SUMAC_TABLES_MULTIPLES = 0, /**< precompute_factor multiples */
    SUMAC_TABLES_DIGITS, /**< d*2^(c*w)*P for every window w and digit d, so that a call adds points of the
                            table up and has no buckets */
    SUMAC_TABLES_AUTO    /**< whichever of these the planner predicts to be fastest for the calls that
                            typical_batch and typical_n name */
} sumac_tables;

/** Where a buffer lies: in the host's memory, or in that of the context's GPU. */
typedef enum sumac_place { SUMAC_PLACE_HOST = 0, SUMAC_PLACE_DEVICE } sumac_place;

/** Where the context computes, and its vectors lie: SUMAC_PLACE_DEVICE for a GPU. */
SUMAC_API sumac_place sumac_context_place(const sumac_context *context);

typedef struct sumac_bases_config {
    size_t size;
    sumac_form form; /**< of the coordinates */
    size_t stride;   /**< bytes from one point to the next; 0: point_bytes */
    sumac_infinity infinity;
    size_t infinity_offset; /**< with SUMAC_INFINITY_FLAG: where the flag byte is, less than stride, which is
                               not 0 then */
    sumac_check check;
    int outside_subgroup; /**< 1: points may lie outside the subgroup; no shortcut that needs r*P = O is taken
                           */
    /** At most so many multiples kept for each base; 0 or 1: none beyond the base itself (on a GPU bases of
     * up to 32 MiB then have their endomorphism's images beside them: plan.images). Fewer are kept where no
     * window uses more, or a GPU has no memory for more: sumac_bases_precompute_factor() tells. */
    uint32_t precompute_factor;
    uint32_t c; /**< with f > 1 or tables: the window that they are made for; 0: the planner's choice */
    uint32_t scalar_bits; /**< with f > 1 or tables: the largest scalars that will be used; 0: bits of r */
    sumac_tables tables; /**< other than multiples: precompute_factor is 0 or 1, and the tables' own choice */
    uint64_t table_limit; /**< of other tables than multiples: most bytes of all bases; 0: 64 MiB */
    sumac_place place;    /**< where the points lie */
    /** With f > 1 or tables and c = 0, for which calls the window is to be the best one: MSMs at once (0:
     * one), and bases of each (0: all). Only speed depends on it: any call may use the bases. */
    uint32_t typical_batch;
    size_t typical_n;
    uint64_t replicated; /**< 1: a context of several devices keeps the bases whole on each of them, however
                            large they are; table_limit is for each; 0: as its replica_limit says */
} sumac_bases_config;

/** What sumac_bases_config_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_bases_config_init(sumac_bases_config *config, size_t size);

/** The defaults: canonical, packed, infinity as zeros, no check, no multiples, host. */
static inline sumac_bases_config sumac_bases_config_default(void)
{
    sumac_bases_config config;
    sumac_bases_config_init(&config, sizeof config);
    return config;
}

/** Create bases from memory.
 *  @param points n records of point_bytes at the given stride; read only, not kept
 *  @param n any number, 0 included
 *  @param config null for the defaults
 *  @param bases the new handle, freed with sumac_bases_destroy(); null on failure
 *  @return SUMAC_OK, or SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP (the message names the
 * index of the first bad point), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_NOT_SUPPORTED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_create(sumac_context *context, const sumac_curve *curve,
                                                         const void *points, size_t n,
                                                         const sumac_bases_config *config,
                                                         sumac_bases **bases);

/** Create bases from a file.
 *  @param path the file; a table written by sumac_bases_save() too. A pipe or a device is read to its end, a
 * path that names an open descriptor (/dev/stdin, /dev/fd/7) from where that stands
 *  @param format a name that sumac_format_at() lists ("raw", "zcash-compressed", ...); null: a table if the
 * file begins like one, else raw
 *  @param config form, stride, infinity and place are the format's own and are ignored
 *  @return as sumac_bases_create(), and SUMAC_CANNOT_OPEN, SUMAC_BAD_FILE, SUMAC_UNKNOWN_FORMAT,
 * SUMAC_READ_FAILED; the message names the file and the offset */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_read(sumac_context *context, const sumac_curve *curve,
                                                       const char *path, const char *format,
                                                       const sumac_bases_config *config, sumac_bases **bases);

/** How many bases there are in a file whose format is records of one size ("raw", "zcash-compressed",
 * "zcash-uncompressed" or "eip2537"), or in a table. Of a regular file only the length is looked at, and of a
 * table its header.
 *  @param path, format as for sumac_bases_read()
 *  @param n written only on success
 *  @return as sumac_bases_read(), and SUMAC_NOT_SUPPORTED for a file of another format */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_file_count(sumac_context *context, const sumac_curve *curve,
                                                             const char *path, const char *format, size_t *n);

/** sumac_bases_read() of bases [first, first + n) alone of such a file, of a table with their multiples or
 * digits: nothing else of a regular file is read, but for its first bytes where there is no format. The
 * checksum of a table's points, which is of all of them, is looked at where all are read; of a part every
 * point that is kept is checked to lie on the curve instead.
 *  @return as sumac_bases_read(), and SUMAC_NOT_SUPPORTED for a file of another format, SUMAC_BAD_LENGTH for
 * one of fewer points */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_read_part(sumac_context *context, const sumac_curve *curve,
                                                            const char *path, const char *format,
                                                            size_t first, size_t n,
                                                            const sumac_bases_config *config,
                                                            sumac_bases **bases);

/** Free bases; null is allowed. No call that uses them may be running. */
SUMAC_API void sumac_bases_destroy(sumac_bases *bases);

/** The number of bases, without multiples; their curve; the factor f, which with tables of digits is the
 * number of windows; what is kept for them, multiples or digits; the bytes they occupy. */
SUMAC_API size_t sumac_bases_count(const sumac_bases *bases);
SUMAC_API const sumac_curve *sumac_bases_curve(const sumac_bases *bases);
SUMAC_API uint32_t sumac_bases_precompute_factor(const sumac_bases *bases);
SUMAC_API sumac_tables sumac_bases_tables(const sumac_bases *bases);
SUMAC_API uint64_t sumac_bases_bytes(const sumac_bases *bases);

/** What the member at an index of a context of several devices has of bases: all of them, or its shard. It is
 * used with that member, the first one's also with the context, whose first device then works alone. It is
 * the bases': never destroyed by the caller. Null past the end. Bases of one device are their own. */
SUMAC_API const sumac_bases *sumac_bases_member(const sumac_bases *bases, uint32_t index);

/** Copy bases [first, first + n) out in raw canonical layout, n*point_bytes. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_get(sumac_context *context, const sumac_bases *bases,
                                                      size_t first, size_t n, void *points);

/** Save bases with their multiples: a table file with version, curve, sizes and checksum. A regular file is
 * written beside `path`, without a name where the file system can do that, and gets its name when it is
 * complete, so that `path` never holds a part of a table. A pipe, a device or an open descriptor
 * (/dev/stdout, /dev/fd/7) is written through. docs/formats.md has more.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_save(sumac_context *context, const sumac_bases *bases,
                                                       const char *path);

/** Load a table file. The checksum is verified; `curve` may be null to take the file's own.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_BAD_ENCODING (damage to a
 * coordinate may be seen before the checksum is), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED (a table
 * of digits in a context of a GPU), SUMAC_READ_FAILED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_load(sumac_context *context, const sumac_curve *curve,
                                                       const char *path, sumac_bases **bases);

/* ---- Multi-scalar multiplication ---- */

typedef enum sumac_reduction {
    SUMAC_REDUCTION_AUTO = 0,    /**< the planner's choice */
    SUMAC_REDUCTION_RUNNING_SUM, /**< two additions a bucket, one after another, in corrected segments */
    SUMAC_REDUCTION_HALVING      /**< for each bit of the buckets' numbers the sum of those that have it */
} sumac_reduction;

typedef struct sumac_msm_config {
    size_t size;
    uint32_t c;           /**< bits of a window; 0: the planner's choice. 1 <= c <= 24 */
    uint32_t scalar_bits; /**< every scalar is less than 2^scalar_bits, which is checked, or made so with
                             cut_scalars; 0: any scalar */
    uint32_t batch;       /**< how many MSMs in this call; 0 means 1 */
    int separate_bases;   /**< 1: MSM j uses set k = j of n bases, [first + k*n, first + (k+1)*n), or k = j %
                             base_sets; 0: all use [first, first + n) */
    size_t first;         /**< the first base that is used */
    sumac_form scalar_form;
    sumac_form result_form;
    sumac_place scalars_place; /**< SUMAC_PLACE_DEVICE: on a GPU only */
    sumac_place result_place;  /**< likewise */
    void *stream; /**< a stream of the context's GPU, for asynchronous completion; null: none. See sumac_msm()
                   */
    void *event;  /**< recorded on the stream when the call is complete; null: none */
    uint32_t chunks;   /**< slices of the input; 0: the planner's choice */
    uint32_t portions; /**< at most 4: on a GPU, parts in which a chunk's scalars are copied, each during the
                          work on the part before; 0: the planner's choice; 1: no overlap */
    /** On a GPU all threads together add up all buckets, round by round, until so little is left that each
     * bucket gets threads of its own, which end it. No bucket is given to its own threads while one has more
     * than this many times the bases left that each would have if all were alike. 0: the engine's choice.
     * Only speed depends on it, and on the CPU not even that: no thread has a bucket of its own there. */
    uint32_t large_bucket_factor;
    sumac_reduction reduction;
    const char *plan; /**< a named plan, one of sumac_context_plan(); null or "auto": the planner's choice
                         of every kind. The others are to compare with: on the CPU strategies that others have
                         published (docs/plans.md); on a GPU "radix", where sort is a general radix sort, and
                         "rounds", where accumulate makes all additions in rounds */
    /** 1: only the lowest scalar_bits bits of each scalar count, and none is too large. They are those of the
     * integer that the bytes are, before it is taken modulo r; in Montgomery form, those of the integer below
     * r that it stands for. With scalar_bits = 0 nothing is cut off. */
    int64_t cut_scalars; /* so wide that there is no padding behind it */
    uint64_t base_sets;  /**< with separate_bases: so many sets of bases, which the MSMs use in turns; 0: one
                            for each MSM */
} sumac_msm_config;

/** What sumac_msm_config_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_msm_config_init(sumac_msm_config *config, size_t size);

/** The defaults: one MSM, full scalars, canonical, everything on the host, all choices the planner's. */
static inline sumac_msm_config sumac_msm_config_default(void)
{
    sumac_msm_config config;
    sumac_msm_config_init(&config, sizeof config);
    return config;
}

/** Compute batch MSMs of n bases and scalars each.
 *
 *  On a GPU, a call with a stream is asynchronous. It checks its arguments, plans and queues its work, which
 * follows what the stream holds then; the stream's later work, the event first of all, follows the call's.
 * Until then the scalars, the results and the bases belong to the call. sumac_context_wait() waits for it,
 * too, and says whether the results are there: a failure leaves them as they were, and the stream knows
 * nothing of it. Any other call with the context waits first. The call returns late where it has to wait
 * itself: for the copy of scalars in pageable memory, for a workspace that has to grow, for the spans of a
 * trace. Without a stream, a call with scalars or results on the device, and the
 * creation of bases from there, follow what the device's default stream holds, as cudaMemcpy() does; work on
 * streams that do not wait for that one must be complete.
 *
 *  @param scalars batch*n scalars of scalar_bytes, MSM after MSM
 *  @param n bases and scalars of each MSM; 0 gives infinity
 *  @param config null for the defaults
 *  @param results batch raw affine points of point_bytes, on the host or on the device; written only on
 * success, or where all that failed was to record the event
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases than the call needs),
 * SUMAC_SCALAR_TOO_LARGE, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases,
                                                const void *scalars, size_t n, const sumac_msm_config *config,
                                                void *results);

/* ---- One MSM over several processes ---- */

/** Bytes of a partial result of `batch` MSMs: a header with curve, group, batch and checksum, then the
 * points. */
SUMAC_API size_t sumac_partial_bytes(const sumac_curve *curve, uint32_t batch);

typedef struct sumac_plan sumac_plan;

/** A call that is prepared: checked, planned, and its workspace there. It belongs to its context, and so does
 * the rule that one thread at a time may use it. */
typedef struct sumac_call sumac_call;

/**
 * Prepare a call of sumac_msm(), to be run again and again with other scalars: a run neither plans nor
 * allocates.
 *
 * Prepared calls of a context share its workspace, which is as large as the largest of them needs.
 *
 * @param context, bases  outlive the call
 * @param n               bases of each MSM
 * @param config          null: the defaults; copied, but for what it points to
 * @param call            receives the call; end it with sumac_call_destroy()
 * @return as sumac_msm(), but for what it says of scalars and results
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_prepare(sumac_context *context, const sumac_bases *bases,
                                                        size_t n, const sumac_msm_config *config,
                                                        sumac_call **call);

/** Run a prepared call: sumac_msm() with the context, bases, n and configuration that it was prepared with,
 * and with its statuses. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_run(sumac_call *call, const void *scalars, void *results);

/** The plan of a prepared call; waits for nothing.
 *  @param plan  initialised with sumac_plan_default()
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (a newer plan's size) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_call_plan(const sumac_call *call, sumac_plan *plan);

/** End a prepared call; null is allowed. A run of it that is still on a stream goes on. */
SUMAC_API void sumac_call_destroy(sumac_call *call);

/** As sumac_msm(), but the result is a partial result that another process can combine with its fellows.
 *  @param partial sumac_partial_bytes(curve, batch) bytes, portable between machines */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases,
                                                        const void *scalars, size_t n,
                                                        const sumac_msm_config *config, void *partial);

/** Add partial results of the same curve and batch up.
 *  @param partials count pointers to sumac_partial_bytes(curve, batch) bytes each; count 0 gives infinity
 *  @param results batch raw affine points, canonical
 *  @return SUMAC_OK, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_MISMATCH, SUMAC_BAD_ENCODING,
 * SUMAC_NOT_ON_CURVE */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_partial_combine(sumac_context *context, const sumac_curve *curve,
                                                            uint32_t batch, const void *const *partials,
                                                            size_t count, void *results);

/* ---- Plans ---- */

/** All the choices for one call, with its memory. A pure function of curve, sizes, machine and options. */
struct sumac_plan {
    size_t size;
    const char *name;          /**< one of sumac_context_plan() */
    sumac_reduction reduction; /**< the kind of the stage "reduce" */
    int negate_large_scalars;  /**< recode: k > r/2 is used as -(r - k), which saves a bit */
    uint32_t spread; /**< recode: multiples of r spread large scalars over [0, spread*r/2), or lattice vectors
                        each half of them over so many places, so that the top digit has more values and no
                        bucket is much larger than the others; 1: they do not */
    uint64_t n;      /**< bases of each MSM */
    uint32_t batch;
    uint32_t scalar_bits;
    uint32_t c;
    uint32_t windows;           /**< digits of a scalar */
    uint32_t precompute_factor; /**< f */
    uint32_t images;  /**< 2: each base has its image under the curve's endomorphism beside it, which
                           takes half of each scalar; 1: it has not */
    uint32_t modules; /**< bucket modules of one MSM, ceil(windows/(f*images)) */
    uint64_t buckets; /**< buckets of one module, 2^(c-1); one with tables of digits */
    uint64_t
        table_digits; /**< points kept for each multiple of a base: one, or 2^(c-1) with tables of digits */
    uint32_t module_parts; /**< points that the reduction leaves for each module, for combine */
    uint32_t lot;          /**< MSMs of the batch that are worked off together, a lot, from their scalars to
                                       their results, before the next ones */
    uint32_t modules_per_pass; /**< modules, of a lot's MSMs together, that are in memory at once */
    uint32_t passes;           /**< passes over each chunk of a lot */
    uint32_t tracks; /**< passes that a device works on at the same time, each with arrays of its own */
    uint32_t chunks;
    uint32_t portions; /**< parts of a chunk, whose copy to a device overlaps the work on the part before */
    uint32_t portion_growth;     /**< how many times as large as the one before a portion is */
    uint32_t threads;            /**< at most those of the context: little work is not worth sharing */
    uint64_t task_entries;       /**< bases that one thread adds up at a time; 0 on a GPU */
    double accumulate_additions; /**< expected additions for uniform scalars */
    double reduce_additions;
    double combine_additions;     /**< doublings included */
    double milliseconds;          /**< the cost model's prediction */
    const char *private_kinds[8]; /**< for sumac_plan_kind() */
    uint64_t private_bytes[16];   /**< for sumac_plan_bytes() */
    /** How many devices share the call out; if more than one, the plan is that of the one with the largest
     * share: n and batch are those of its calls, of which it makes device_calls. */
    uint64_t devices;
    uint64_t device_calls;
};

/** What sumac_plan_default() does, for bindings, too: the defaults as a struct of `size` bytes. */
SUMAC_API void sumac_plan_init(sumac_plan *plan, size_t size);

/** No plan yet, for sumac_plan_query() and sumac_msm_plan() to write. */
static inline sumac_plan sumac_plan_default(void)
{
    sumac_plan plan;
    sumac_plan_init(&plan, sizeof plan);
    return plan;
}

/** The name of the stage at an index, in the order in which they run: "recode", "sort", "accumulate",
 * "reduce", "combine"; null past the end. Other versions may have others. */
SUMAC_API const char *sumac_plan_stage(const sumac_plan *plan, size_t index);

/** The kind that the plan chose for the stage of a name, a constant: of combine "horner" on the CPU,
 * "horner-host" or "horner-device" on a GPU; docs/pipeline.md has all. Null where there is no such stage. */
SUMAC_API const char *sumac_plan_kind(const sumac_plan *plan, const char *stage);

/** The name of the row at an index of the plan's memory; null past the end. "bases" (with multiples) and
 * "scalars" are the inputs; then comes the workspace, stage by stage: "staging", scalars on their way to a
 * device; "visiting", only in plans that have it: a chunk's bases, where they are too large for the device;
 * what the stages write, "digits", "entries" and "buckets"; and their "scratch". "workspace" is their sum,
 * aligned: exactly what a call allocates. "total" is bases, scalars and workspace. "pinned" is beside them,
 * of the host's memory, page-locked: what a call takes when a GPU's scalars lie in pageable memory. "bases",
 * "scalars", "staging", "visiting", "workspace", "total" and "pinned" have their meaning in all versions; the
 * others may change. */
SUMAC_API const char *sumac_plan_row(const sumac_plan *plan, size_t index);

/** The bytes of the row of a name; 0 where there is no such row. */
SUMAC_API uint64_t sumac_plan_bytes(const sumac_plan *plan, const char *row);

/** The plan that a call would use.
 *  @param bases_config null for the defaults; with f > 1 its multiples are planned for
 *  @param plan of sumac_plan_default(); written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_UNKNOWN_PLAN, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_plan_query(sumac_context *context, const sumac_curve *curve,
                                                       size_t n, const sumac_bases_config *bases_config,
                                                       const sumac_msm_config *msm_config, sumac_plan *plan);

/** The plan that sumac_msm() would use for existing bases, with the window that their multiples are made for.
 * Where that window has more buckets than the call has points for them, and they take more memory than 16
 * MiB, on a GPU 128 MiB, the call leaves the multiples alone (precompute_factor is 1 then) and has a window
 * of its own, unless config->c asks for that one.
 *  @return as sumac_plan_query(), and SUMAC_BAD_LENGTH where sumac_msm() would give it */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases,
                                                     size_t n, const sumac_msm_config *config,
                                                     sumac_plan *plan);

/* ---- Points, files, known answers ---- */

/** A point encoding or file format. */
typedef struct sumac_format_info {
    size_t size;
    const char *name;        /**< as "raw" */
    const char *description; /**< a line */
    int can_read;
    int can_write;
} sumac_format_info;

/** The table of formats: how many, and the one at an index (null past the end). */
SUMAC_API size_t sumac_format_count(void);
SUMAC_API const sumac_format_info *sumac_format_at(size_t index);

/** Write bases to a file in a format, whole or not at all as sumac_bases_save(). */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_write(sumac_context *context, const sumac_bases *bases,
                                                        const char *path, const char *format);

/** Points from records of one size in memory to raw canonical ones, on all threads of the context.
 *  @param format "raw", "zcash-compressed", "zcash-uncompressed" or "eip2537"; null: raw. A record has as
 * many bytes as a point in a file of that format
 *  @param records n records, packed
 *  @param check how far the points are checked
 *  @param raw_points n*point_bytes; written only on success
 *  @return SUMAC_OK, or with the index of the first bad point in the message SUMAC_BAD_ENCODING,
 * SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP; SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (a format that is not
 * records of one size), SUMAC_BAD_ARGUMENT (or a format that does not hold the curve's points),
 * SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_points_decode(sumac_context *context, const sumac_curve *curve,
                                                          const char *format, const void *records, size_t n,
                                                          sumac_check check, void *raw_points);

/** The way back: raw canonical points to records. That coordinates are less than p is all that is checked.
 *  @param records n records, packed; written only on success
 *  @return as sumac_points_decode() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_points_encode(sumac_context *context, const sumac_curve *curve,
                                                          const char *format, const void *raw_points,
                                                          size_t n, void *records);

/** Read a file of raw scalars.
 *  @param scalars malloc'd, *n scalars of scalar_bytes; the caller frees it with sumac_free()
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_BAD_LENGTH, SUMAC_READ_FAILED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_scalars_read(sumac_context *context, const sumac_curve *curve,
                                                         const char *path, void **scalars, size_t *n);

/** Free what the library allocated for the caller; null is allowed. */
SUMAC_API void sumac_free(void *memory);

/** Make n bases with known discrete logarithms: B_i = (u_(i mod m) + v_(i div m))*G, u and v from `seed`. One
 * batched affine addition a base, so that tests and benchmarks of any size know their answer. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_bases(sumac_context *context, const sumac_curve *curve,
                                                        size_t n, uint64_t seed,
                                                        const sumac_bases_config *config,
                                                        sumac_bases **bases);

/** The discrete logarithms of sumac_known_bases(): n scalars of scalar_bytes, canonical; as many as there can
 * be bases.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (n is more than 2^31) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_logarithms(sumac_context *context, const sumac_curve *curve,
                                                             size_t n, uint64_t seed, void *logarithms);

/** The answer to an MSM over bases with the given discrete logarithms: (sum of k_i*d_i mod r)*G, by one plain
 * scalar multiplication that shares nothing with the pipeline.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (n is more than 2^31), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_known_answer(sumac_context *context, const sumac_curve *curve,
                                                         const void *scalars, const void *logarithms,
                                                         size_t n, void *result);

#ifdef __cplusplus
}
#endif
#endif
