/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors of scalars on the CPU: import and export, arithmetic element by element, and sums of rows. */
#include "cpu/vector_scalars.h"

#include "base/integers.h"

/* So many elements are on a thread's stack while they are exported. */
#define EXPORT_BLOCK 64

typedef struct scalars_work {
    fp *r;
    const fp *a;
    uint64_t n;
    vector_operand b;
    uint64_t length; /* of a row */
    uint8_t *bytes;
    const uint8_t *records;
    sumac_form form;
    sumac_byte_order order;
    size_t first_bad; /* the least number of a bad record, n where there is none: by note_least() */
} scalars_work;

/* ---- In and out ---- */

/* Limb j of a packed integer of one field element. */
static uint64_t load_limb(const uint8_t *bytes, size_t j, sumac_byte_order order)
{
    uint64_t word;
    memcpy(&word, bytes + 8 * (order == SUMAC_BIG_ENDIAN ? FP_LIMBS - 1 - j : j), sizeof word);
    return order == SUMAC_BIG_ENDIAN ? __builtin_bswap64(scalar_little_endian(word))
                                     : scalar_little_endian(word);
}

static void store_limb(uint8_t *bytes, size_t j, sumac_byte_order order, uint64_t limb)
{
    const uint64_t word = scalar_little_endian(order == SUMAC_BIG_ENDIAN ? __builtin_bswap64(limb) : limb);
    memcpy(bytes + 8 * (order == SUMAC_BIG_ENDIAN ? FP_LIMBS - 1 - j : j), &word, sizeof word);
}

/* r[i] = a[i] * constant for n elements; r may be a. */
static void multiply_all(fp *r, const fp *a, uint64_t n, const fp *constant)
{
    uint64_t i = 0;
#ifdef SUMAC_SCALAR_LANES
    fp factor = *constant;
    fpv element, lanes;
    scalar_to_factor(&factor);
    scalar_lanes_load(&lanes, &factor, 0, FPV_LANES);
    for (; i + FPV_LANES <= n; i += FPV_LANES) {
        scalar_lanes_load(&element, &a[i], 1, FPV_LANES);
        scalar_lanes_multiply(&element, &element, &lanes);
        scalar_lanes_store(&r[i], 1, FPV_LANES, &element);
    }
#endif
    for (; i < n; i++) {
        fp_mul(&r[i], &a[i], constant);
    }
}

static void import_task(void *arguments, size_t index, uint32_t thread)
{
    scalars_work *work = arguments;
    const uint64_t first = index * SCALARS_TASK, end = scalars_task_end(work->n, first);
    const fp to_montgomery = {FP_R2};
    (void)thread;
    fp *const r = work->r;
    const uint8_t *const records = work->records;
    const sumac_byte_order order = work->order;
    for (uint64_t i = first; i < end; i++) {
        for (size_t j = 0; j < FP_LIMBS; j++) {
            r[i].l[j] = load_limb(records + i * sizeof(fp), j, order);
        }
        /* The highest limb of nearly all scalars shows that they are less than r. */
        if (r[i].l[FP_LIMBS - 1] >= fp_modulus[FP_LIMBS - 1] && !fp_is_canonical(r[i].l)) {
            note_least(&work->first_bad, i);
            return;
        }
    }
    if (work->form == SUMAC_FORM_CANONICAL) {
        multiply_all(work->r + first, work->r + first, end - first, &to_montgomery);
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(import_scalars)(const vector_run *run, void *r, const uint8_t *bytes,
                                                  uint64_t n, sumac_form form, sumac_byte_order order,
                                                  uint64_t *bad)
{
    scalars_work work = {.r = r, .n = n, .records = bytes, .form = form, .order = order, .first_bad = n};
    scalars_run_tasks(run, work.n, import_task, &work);
    *bad = work.first_bad;
    return work.first_bad == n ? SUMAC_OK : SUMAC_BAD_ENCODING;
}

static void export_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t first = index * SCALARS_TASK, end = scalars_task_end(work->n, first);
    const fp from_montgomery = {{1}};
    fp integers[EXPORT_BLOCK];
    (void)thread;
    for (uint64_t i = first; i < end; i += EXPORT_BLOCK) {
        const uint64_t n = end - i < EXPORT_BLOCK ? end - i : EXPORT_BLOCK;
        if (work->form == SUMAC_FORM_CANONICAL) {
            multiply_all(integers, work->a + i, n, &from_montgomery);
        } else {
            memcpy(integers, work->a + i, n * sizeof(fp));
        }
        for (uint64_t k = 0; k < n; k++) {
            for (size_t j = 0; j < FP_LIMBS; j++) {
                store_limb(work->bytes + (i + k) * sizeof(fp), j, work->order, integers[k].l[j]);
            }
        }
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(export_scalars)(const vector_run *run, uint8_t *bytes, const void *a,
                                                  uint64_t n, sumac_form form, sumac_byte_order order)
{
    scalars_work work = {.a = a, .n = n, .bytes = bytes, .form = form, .order = order};
    scalars_run_tasks(run, work.n, export_task, &work);
    return SUMAC_OK;
}

/* ---- Element by element ---- */

/* The second operand's elements for indices from i to `end`: they lie one behind the other, or are one element. Loops go by
 * runs, as the divisions that find an element take longer than a sum. */
typedef struct operand_run {
    const fp *first;
    uint64_t stride; /* 1 or 0 */
    uint64_t end;
} operand_run;

static operand_run operand_run_from(const vector_operand *b, uint64_t i, uint64_t end)
{
    const int is_line = b->each == 1 && b->count > 1;
    const uint64_t period = is_line ? b->count : b->count > 1 ? b->each : UINT64_MAX;
    const uint64_t left = period - i % period;
    const fp *first = (const fp *)b->elements + i / b->each % b->count;
    return (operand_run){first, is_line ? 1 : 0, left < end - i ? i + left : end};
}

static void add_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t end = scalars_task_end(work->n, index * SCALARS_TASK);
    (void)thread;
    for (uint64_t i = index * SCALARS_TASK; i < end;) {
        operand_run b = operand_run_from(&work->b, i, end);
        for (; i < b.end; i++, b.first += b.stride) {
            fp_add(&work->r[i], &work->a[i], b.first);
        }
    }
}

static void subtract_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t end = scalars_task_end(work->n, index * SCALARS_TASK);
    (void)thread;
    for (uint64_t i = index * SCALARS_TASK; i < end;) {
        operand_run b = operand_run_from(&work->b, i, end);
        for (; i < b.end; i++, b.first += b.stride) {
            fp_sub(&work->r[i], &work->a[i], b.first);
        }
    }
}

#ifdef SUMAC_SCALAR_LANES

/* r[i + lane] = a[i + lane] * b[stride * lane] for all lanes. */
static void multiply_block(const scalars_work *work, uint64_t i, const fp *b, uint64_t stride)
{
    fpv first, second;
    scalar_lanes_load(&first, &work->a[i], 1, FPV_LANES);
    scalar_lanes_load(&second, b, stride, FPV_LANES);
    scalar_lanes_factor(&second, &second);
    scalar_lanes_multiply(&first, &first, &second);
    scalar_lanes_store(&work->r[i], 1, FPV_LANES, &first);
}

/* A block of which several runs of the second operand have parts. */
static void multiply_across_runs(const scalars_work *work, uint64_t i)
{
    fp gathered[FPV_LANES];
    for (uint64_t lane = 0; lane < FPV_LANES;) {
        operand_run b = operand_run_from(&work->b, i + lane, i + FPV_LANES);
        for (; i + lane < b.end; lane++, b.first += b.stride) {
            gathered[lane] = *b.first;
        }
    }
    multiply_block(work, i, gathered, 1);
}

/* Multiply blocks of FPV_LANES elements from element i on. Returns where less than a block is left. */
static uint64_t multiply_lanes(const scalars_work *work, uint64_t i, uint64_t end)
{
    while (i + FPV_LANES <= end) {
        operand_run b = operand_run_from(&work->b, i, end);
        if (i + FPV_LANES > b.end) {
            multiply_across_runs(work, i);
            i += FPV_LANES;
        }
        for (; i + FPV_LANES <= b.end; i += FPV_LANES, b.first += b.stride * FPV_LANES) {
            multiply_block(work, i, b.first, b.stride);
        }
    }
    return i;
}

#else

static uint64_t multiply_lanes(const scalars_work *work, uint64_t i, uint64_t end)
{
    (void)work, (void)end;
    return i;
}

#endif

static void multiply_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t first = index * SCALARS_TASK, end = scalars_task_end(work->n, first);
    (void)thread;
    for (uint64_t i = multiply_lanes(work, first, end); i < end;) {
        operand_run b = operand_run_from(&work->b, i, end);
        for (; i < b.end; i++, b.first += b.stride) {
            fp_mul(&work->r[i], &work->a[i], b.first);
        }
    }
}

static sumac_status run_binary(const vector_run *run, void *r, const void *a, uint64_t n,
                               const vector_operand *b,
                               void (*task)(void *arguments, size_t index, uint32_t thread))
{
    scalars_work work = {.r = r, .a = a, .n = n, .b = *b};
    scalars_run_tasks(run, work.n, task, &work);
    return SUMAC_OK;
}

sumac_status SUMAC_SCALARS_SYMBOL(add)(const vector_run *run, void *r, const void *a, uint64_t n,
                                       const vector_operand *b)
{
    return run_binary(run, r, a, n, b, add_task);
}

sumac_status SUMAC_SCALARS_SYMBOL(subtract)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b)
{
    return run_binary(run, r, a, n, b, subtract_task);
}

sumac_status SUMAC_SCALARS_SYMBOL(multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b)
{
    return run_binary(run, r, a, n, b, multiply_task);
}

/* ---- Sums of rows ---- */

static void sum_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    fp sum;
    (void)thread;
    fp_set_zero(&sum);
    for (uint64_t i = 0; i < work->length; i++) {
        fp_add(&sum, &sum, &work->a[index * work->length + i]);
    }
    work->r[index] = sum;
}

sumac_status SUMAC_SCALARS_SYMBOL(sum)(const vector_run *run, void *r, const void *a, uint64_t rows,
                                       uint64_t length)
{
    scalars_work work = {.r = r, .a = a, .length = length};
    const parallel_team team = vector_team(run, "scalars");
    parallel_for(&team, (size_t)rows, sum_task, &work);
    return SUMAC_OK;
}
