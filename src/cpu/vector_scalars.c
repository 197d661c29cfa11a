/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has operations on vectors of scalars on the CPU: import and export, arithmetic element by element, and sums
 * of rows. It also has the table of all operations. */
#include "cpu/vector_scalars.h"

#include "base/integers.h"

/* Elements are exported in blocks of this size on a thread's stack. */
#define EXPORT_BLOCK 64

typedef enum scalars_operation {
    SCALARS_ADD,
    SCALARS_SUBTRACT,
    SCALARS_MULTIPLY,
    SCALARS_MULTIPLY_ADD
} scalars_operation;

typedef struct scalars_work {
    fp *r;
    const fp *a;
    scalars_operation operation;
    vector_operand b;
    const fp *c;     /* the addend of SCALARS_MULTIPLY_ADD */
    uint64_t length; /* elements per row */
    uint8_t *bytes;
    const uint8_t *records;
    uint32_t integer_bytes;
    int is_signed;
    sumac_form form;
    sumac_byte_order order;
    size_t first_bad; /* the lowest index of a bad record, set by note_least(); n if all are good */
} scalars_work;

/* ---- Import and export ---- */

/* Return limb j of a packed integer of one field element. */
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

/* A single product of two elements pays for their way to lanes and back only with AVX-512: with AVX2 it would take 13% longer
 * than scalar code (Zen 3, 2026-11-29). */
#if defined(SUMAC_SCALAR_LANES) && defined(SUMAC_VARIANT_AVX512)
#define PRODUCTS_IN_LANES
#endif

/* Set r[i] to a[i] * constant for n elements. r may be a. */
static void multiply_all(fp *r, const fp *a, uint64_t n, const fp *constant)
{
    uint64_t i = 0;
#ifdef PRODUCTS_IN_LANES
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

static void import_task(void *arguments, index_range range)
{
    scalars_work *work = arguments;
    const fp to_montgomery = {FP_R2};
    fp *const r = work->r;
    const uint8_t *const records = work->records;
    const sumac_byte_order order = work->order;
    for (uint64_t i = range.first; i < range.end; i++) {
        for (size_t j = 0; j < FP_LIMBS; j++) {
            r[i].l[j] = load_limb(records + i * sizeof(fp), j, order);
        }
        /* For nearly all scalars the highest limb suffices to show that they are less than r. */
        if (r[i].l[FP_LIMBS - 1] >= fp_modulus[FP_LIMBS - 1] && !fp_is_canonical(r[i].l)) {
            note_least(&work->first_bad, i);
            return;
        }
    }
    if (work->form == SUMAC_FORM_CANONICAL) {
        multiply_all(r + range.first, r + range.first, range.end - range.first, &to_montgomery);
    }
}

static sumac_status import_scalars(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                   sumac_form form, sumac_byte_order order, uint64_t *bad)
{
    scalars_work work = {.r = r, .records = bytes, .form = form, .order = order, .first_bad = n};
    lanes_ranges(run, n, SCALARS_TASK, import_task, &work);
    *bad = work.first_bad;
    return work.first_bad == n ? SUMAC_OK : SUMAC_BAD_ENCODING;
}

static void import_integers_task(void *arguments, index_range range)
{
    const scalars_work *work = arguments;
    const fp to_montgomery = {FP_R2};
    const uint32_t bytes = work->integer_bytes;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    uint8_t negative[SCALARS_TASK];
    fp *const r = work->r + range.first;
    const uint64_t n = range.end - range.first;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = 0;
        memcpy(&word, work->records + (range.first + i) * bytes, bytes);
        word = scalar_little_endian(word);
        negative[i] = work->is_signed && word >> (8 * bytes - 1) != 0;
        word = negative[i] ? (0 - word) & mask : word;
        memset(&r[i], 0, sizeof r[i]);
        r[i].l[0] = FP_BITS <= 64 ? word % fp_modulus[0] : word;
    }
    multiply_all(r, r, n, &to_montgomery);
    for (uint64_t i = 0; i < n; i++) {
        if (negative[i]) {
            fp_neg(&r[i], &r[i]);
        }
    }
}

static sumac_status import_integers(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                    uint32_t integer_bytes, int is_signed)
{
    scalars_work work = {.r = r, .records = bytes, .integer_bytes = integer_bytes, .is_signed = is_signed};
    lanes_ranges(run, n, SCALARS_TASK, import_integers_task, &work);
    return SUMAC_OK;
}

static void export_task(void *arguments, index_range range)
{
    const scalars_work *work = arguments;
    const fp from_montgomery = {{1}};
    fp integers[EXPORT_BLOCK];
    for (uint64_t i = range.first; i < range.end; i += EXPORT_BLOCK) {
        const uint64_t n = smaller(range.end - i, EXPORT_BLOCK);
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
    scalars_work work = {.a = a, .bytes = bytes, .form = form, .order = order};
    lanes_ranges(run, n, SCALARS_TASK, export_task, &work);
    return SUMAC_OK;
}

/* ---- Element by element ---- */

/* A run has the elements of the second operand for the indices from i to `end`. They are neighbours, or all the same
 * element. Loops go from run to run, because the divisions that find an element take longer than a sum. */
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

#ifdef PRODUCTS_IN_LANES

/* Set r[i + lane] to a[i + lane] * b[stride * lane], plus c[i + lane] if there is a c, for all lanes. */
static void multiply_block(const scalars_work *work, uint64_t i, const fp *b, uint64_t stride)
{
    fpv first, second;
    fp addends[FPV_LANES];
    if (work->c != NULL) {
        memcpy(addends, &work->c[i], sizeof addends); /* r may be c */
    }
    scalar_lanes_load(&first, &work->a[i], 1, FPV_LANES);
    scalar_lanes_load(&second, b, stride, FPV_LANES);
    scalar_lanes_factor(&second, &second);
    scalar_lanes_multiply(&first, &first, &second);
    scalar_lanes_store(&work->r[i], 1, FPV_LANES, &first);
    for (uint64_t lane = 0; work->c != NULL && lane < FPV_LANES; lane++) {
        fp_add(&work->r[i + lane], &work->r[i + lane], &addends[lane]);
    }
}

/* Multiply a block that crosses the end of a run of the second operand. */
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

/* Multiply blocks of FPV_LANES elements from element i on. Return the index behind the last whole block. */
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

#endif

static void binary_task(void *arguments, index_range range)
{
    const scalars_work *work = arguments;
    const scalars_operation operation = work->operation;
    uint64_t i = range.first;
#ifdef PRODUCTS_IN_LANES
    if (operation >= SCALARS_MULTIPLY) {
        i = multiply_lanes(work, i, range.end);
    }
#endif
    while (i < range.end) {
        operand_run b = operand_run_from(&work->b, i, range.end);
        if (operation == SCALARS_ADD) {
            for (; i < b.end; i++, b.first += b.stride) {
                fp_add(&work->r[i], &work->a[i], b.first);
            }
        } else if (operation == SCALARS_SUBTRACT) {
            for (; i < b.end; i++, b.first += b.stride) {
                fp_sub(&work->r[i], &work->a[i], b.first);
            }
        } else if (operation == SCALARS_MULTIPLY) {
            for (; i < b.end; i++, b.first += b.stride) {
                fp_mul(&work->r[i], &work->a[i], b.first);
            }
        } else {
            for (; i < b.end; i++, b.first += b.stride) {
                fp product;
                fp_mul(&product, &work->a[i], b.first);
                fp_add(&work->r[i], &product, &work->c[i]);
            }
        }
    }
}

static sumac_status run_binary(const vector_run *run, void *r, const void *a, uint64_t n,
                               const vector_operand *b, scalars_operation operation)
{
    scalars_work work = {.r = r, .a = a, .b = *b, .operation = operation};
    lanes_ranges(run, n, SCALARS_TASK, binary_task, &work);
    return SUMAC_OK;
}

static sumac_status add(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b)
{
    return run_binary(run, r, a, n, b, SCALARS_ADD);
}

static sumac_status subtract(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b)
{
    return run_binary(run, r, a, n, b, SCALARS_SUBTRACT);
}

sumac_status SUMAC_SCALARS_SYMBOL(multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b)
{
    return run_binary(run, r, a, n, b, SCALARS_MULTIPLY);
}

static sumac_status multiply_add(const vector_run *run, void *r, const void *a, uint64_t n,
                                 const vector_operand *b, const void *c)
{
    scalars_work work = {.r = r, .a = a, .b = *b, .c = c, .operation = SCALARS_MULTIPLY_ADD};
    lanes_ranges(run, n, SCALARS_TASK, binary_task, &work);
    return SUMAC_OK;
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

static sumac_status sum(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length)
{
    scalars_work work = {.r = r, .a = a, .length = length};
    const parallel_team team = vector_team(run, "scalars");
    parallel_for(&team, (size_t)rows, sum_task, &work);
    return SUMAC_OK;
}

const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors) = {
    .bytes = sizeof(fp),
    .two_adicity = FR_TWO_ADICITY,
    .root = SUMAC_SCALARS_SYMBOL(root),
    .roots = SUMAC_SCALARS_SYMBOL(roots),
    .factors = SUMAC_SCALARS_SYMBOL(factors),
    .import_scalars = import_scalars,
    .export_scalars = SUMAC_SCALARS_SYMBOL(export_scalars),
    .import_integers = import_integers,
    .add = add,
    .subtract = subtract,
    .multiply = SUMAC_SCALARS_SYMBOL(multiply),
    .multiply_add = multiply_add,
    .invert = SUMAC_SCALARS_SYMBOL(invert),
    .scale_powers = SUMAC_SCALARS_SYMBOL(scale_powers),
    .sum = sum,
    .evaluate = SUMAC_SCALARS_SYMBOL(evaluate),
    .scan = SUMAC_SCALARS_SYMBOL(scan),
    .multiply_sparse = SUMAC_SCALARS_SYMBOL(multiply_sparse),
    .transform = SUMAC_SCALARS_SYMBOL(transform),
};
