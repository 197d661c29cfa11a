/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The handles behind include/sumac/sumac.h, for src/api, src/io and src/kzg. Nothing below src/api includes
 * this.
 */
#ifndef SUMAC_API_INTERNAL_H
#define SUMAC_API_INTERNAL_H

#include <stdarg.h>

#include "pipeline/backend.h"
#include "pipeline/plan.h"

/* A call of sumac_msm(), checked and planned: what its work reads, also after an asynchronous call has
 * returned.
 */
typedef struct msm_call {
    plan_request request; /* that the plan was made for, without its limit: a call like it needs no other */
    msm_plan plan;
    msm_job job;
    void *memory; /* plan.bytes_workspace */
    size_t n;
    uint32_t batch;
    uint32_t declared_bits; /* config.scalar_bits */
    void *results;
    sumac_place result_place;
    int pending;         /* an asynchronous call of which nobody has asked yet */
    sumac_status status; /* of an asynchronous call, once it is complete */
} msm_call;

struct sumac_context {
    sumac_context_config config;
    const backend *backend;
    void *engine; /* of a backend with a device; else null */
    uint32_t threads;
    struct thread_pool *pool; /* of so many threads; cpu/pool.h */
    void *workspace;          /* kept between calls, grows as plans need it */
    uint64_t workspace_bytes;
    msm_call call; /* the last one */
    char message[SUMAC_MESSAGE_BYTES];
};

/* In place of a device's number. */
#define ON_HOST (-1)

struct sumac_bases {
    const sumac_curve *curve;
    bases_table table;
    void *points; /* where the table is filled: table.points; for a device host memory, until bases_finish
                     uploads it */
    const backend *backend;
    int32_t device; /* the device that the table lies on; ON_HOST for the CPU's and for visiting bases */
    uint64_t
        sent; /* with a device, while they are made: the first so many points are there or on their way */
    uint32_t shift;     /* multiple t is (radix_odd * 2^shift)^t times the base */
    uint32_t radix_odd; /* 1, or with one multiple for each window the odd part of the radix */
    uint32_t c;         /* the window that the multiples are made for; 0 without multiples */
    uint32_t windows;
    int outside_subgroup;
};

/* Every entry of the API that takes a context begins with this: waits for an asynchronous call and clears the
 * message. */
void context_begin(sumac_context *context);

/* Store the sentence (no full stop at its end is added) and return the status: return fail(context, STATUS,
 * "..."). */
sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Wait for a pending call, and leave its status in context->call and its sentence in the message. */
void msm_finish(sumac_context *context);

/* The code of a curve that this context runs. */
const curve_code *context_code(const sumac_context *context, const sumac_curve *curve);

/* A workspace of at least so many bytes, kept in the context. */
sumac_status context_workspace(sumac_context *context, uint64_t bytes, void **memory);

/* Check a configuration and fill in everything but the table: what bases of n points would be. On failure,
 * bases without multiples: *shape is always written, as compilers do not see that fail() never returns
 * SUMAC_OK. */
sumac_status bases_shape(sumac_context *context, const sumac_curve *curve, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape);

/* Bases whose table is allocated (count*factor points) but not filled; null with the message set when memory
 * is short or the sizes overflow. */
sumac_status bases_allocate(sumac_context *context, const sumac_curve *curve, size_t n,
                            const sumac_bases_config *config, sumac_bases **bases);

/* The same for bases whose shape is known: a copy of *shape with a table of count*factor points. */
sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, size_t affine_bytes,
                                  sumac_bases **bases);

/* Import records [first, first + n) into allocated bases; the message names point `first + bad`. For readers
 * that stream: no second copy of the file is ever held. */
sumac_status bases_import(sumac_context *context, sumac_bases *bases, size_t first, const void *records,
                          size_t n, const point_layout *layout, sumac_check check);

/* While more is imported: what a device can begin with when the first `imported` points are there. */
sumac_status bases_advance(sumac_context *context, sumac_bases *bases, uint64_t imported);

/* After the last import: upload to a device; compute the multiples. */
sumac_status bases_finish(sumac_context *context, sumac_bases *bases);

/* Give up bases that are being made. */
void bases_abandon(sumac_context *context, sumac_bases *bases);

/* The same where the multiples have been imported, too. */
sumac_status bases_finish_table(sumac_context *context, sumac_bases *bases);

/* Whether this context can read the points of the bases: those on a device only with a context of that
 * device.
 */
sumac_status bases_check_readable(sumac_context *context, const sumac_bases *bases);

/* Whether this context can compute with the bases: of its backend, and readable. Nothing may be launched
 * before this is known: memory of another device would fail the call and every later one of the process. */
sumac_status bases_check_usable(sumac_context *context, const sumac_bases *bases);

/* Affine points [first, first + n) of the table, multiples included, to host memory. The bases are readable.
 */
sumac_status bases_copy(sumac_context *context, const sumac_bases *bases, uint64_t first, uint64_t n,
                        void *points);

/* Memory of the host for points, whatever the backend is; null when it is short. */
void *host_points(uint64_t bytes);
void host_points_free(void *points);

/* The CUDA engine's table, from its library beside this one; null with a sentence when it can't be loaded:
 * loader.c. */
const backend *load_cuda(char *message, size_t bytes);

#endif
