/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors of scalars on the CPU, element by element. Transforms are vector_ntt.c's. */
#include "cpu/vector_scalars.h"

/* Elements of a task, and of one whose elements share an inversion. Multiples of the lanes. */
#define TASK_ELEMENTS ((uint64_t)1 << 10)
#define INVERSE_ELEMENTS ((uint64_t)1 << 12)
#define SCRATCH_ALIGNMENT ((size_t)64) /* of vectors of lanes */

/* Elements that are on a thread's stack on their way out. */
#define EXPORT_BLOCK 64

typedef struct scalars_work {
    fp *r;
    const fp *a;
    uint64_t n;
    vector_operand b;
    uint64_t length; /* of a row */
    fp factor, ratio;
    uint8_t *bytes;
    const uint8_t *records;
    sumac_form form;
    sumac_byte_order order;
    uint64_t first_bad; /* the least number of a bad record, n where there is none: by compare and swap */
    char *scratch;
} scalars_work;

static void run_tasks(const vector_run *run, scalars_work *work,
                      void (*task)(void *arguments, size_t index, uint32_t thread))
{
    const parallel_team team = vector_team(run, "scalars");
    parallel_for(&team, (size_t)((work->n + TASK_ELEMENTS - 1) / TASK_ELEMENTS), task, work);
}

/* The elements [first, end) of a task. */
static uint64_t task_end(const scalars_work *work, uint64_t first)
{
    return work->n - first < TASK_ELEMENTS ? work->n : first + TASK_ELEMENTS;
}

static const fp *operand_at(const vector_operand *b, uint64_t i)
{
    return (const fp *)b->elements + i / b->each % b->count;
}

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

static void note_bad(scalars_work *work, uint64_t i)
{
    uint64_t known = __atomic_load_n(&work->first_bad, __ATOMIC_RELAXED);
    while (i < known &&
           !__atomic_compare_exchange_n(&work->first_bad, &known, i, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void import_task(void *arguments, size_t index, uint32_t thread)
{
    scalars_work *work = arguments;
    const uint64_t first = index * TASK_ELEMENTS, end = task_end(work, first);
    const fp to_montgomery = {FP_R2};
    (void)thread;
    fp *const r = work->r;
    const uint8_t *const records = work->records;
    const sumac_byte_order order = work->order;
    for (uint64_t i = first; i < end; i++) {
        for (size_t j = 0; j < FP_LIMBS; j++) {
            r[i].l[j] = load_limb(records + i * sizeof(fp), j, order);
        }
        /* Mostly the highest limb shows it. */
        if (r[i].l[FP_LIMBS - 1] >= fp_modulus[FP_LIMBS - 1] && !fp_is_canonical(r[i].l)) {
            note_bad(work, i);
            return;
        }
    }
    if (work->form == SUMAC_FORM_CANONICAL) {
        multiply_all(work->r + first, work->r + first, end - first, &to_montgomery);
    }
}

static sumac_status import_scalars(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                   sumac_form form, sumac_byte_order order, uint64_t *bad)
{
    scalars_work work = {.r = r, .n = n, .records = bytes, .form = form, .order = order, .first_bad = n};
    run_tasks(run, &work, import_task);
    *bad = work.first_bad;
    return work.first_bad == n ? SUMAC_OK : SUMAC_BAD_ENCODING;
}

static void export_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t first = index * TASK_ELEMENTS, end = task_end(work, first);
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

static sumac_status export_scalars(const vector_run *run, uint8_t *bytes, const void *a, uint64_t n,
                                   sumac_form form, sumac_byte_order order)
{
    scalars_work work = {.a = a, .n = n, .bytes = bytes, .form = form, .order = order};
    run_tasks(run, &work, export_task);
    return SUMAC_OK;
}

/* ---- Element by element ---- */

/* Elements [i, end) of the second operand that lie in a line, or are all the same one: the division in
 * operand_at() takes longer than a sum. */
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
    return (operand_run){operand_at(b, i), is_line ? 1 : 0, left < end - i ? i + left : end};
}

static void add_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t end = task_end(work, index * TASK_ELEMENTS);
    (void)thread;
    for (uint64_t i = index * TASK_ELEMENTS; i < end;) {
        operand_run b = operand_run_from(&work->b, i, end);
        for (; i < b.end; i++, b.first += b.stride) {
            fp_add(&work->r[i], &work->a[i], b.first);
        }
    }
}

static void subtract_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t end = task_end(work, index * TASK_ELEMENTS);
    (void)thread;
    for (uint64_t i = index * TASK_ELEMENTS; i < end;) {
        operand_run b = operand_run_from(&work->b, i, end);
        for (; i < b.end; i++, b.first += b.stride) {
            fp_sub(&work->r[i], &work->a[i], b.first);
        }
    }
}

#ifdef SUMAC_SCALAR_LANES

/* From element i on: lanes as long as sixteen follow; what is left is the caller's. */
static uint64_t multiply_lanes(const scalars_work *work, uint64_t i, uint64_t end)
{
    for (; i + FPV_LANES <= end; i += FPV_LANES) {
        fpv a, b, product;
        fp gathered[FPV_LANES];
        const fp *second = operand_at(&work->b, i);
        const int in_line = work->b.each == 1 && i % work->b.count + FPV_LANES <= work->b.count;
        if (!in_line) {
            for (uint64_t lane = 0; lane < FPV_LANES; lane++) {
                gathered[lane] = *operand_at(&work->b, i + lane);
            }
            second = gathered;
        }
        scalar_lanes_load(&a, &work->a[i], 1, FPV_LANES);
        scalar_lanes_load(&b, second, 1, FPV_LANES);
        scalar_lanes_factor(&b, &b);
        scalar_lanes_multiply(&product, &a, &b);
        scalar_lanes_store(&work->r[i], 1, FPV_LANES, &product);
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
    const uint64_t first = index * TASK_ELEMENTS, end = task_end(work, first);
    (void)thread;
    for (uint64_t i = multiply_lanes(work, first, end); i < end; i++) {
        fp_mul(&work->r[i], &work->a[i], operand_at(&work->b, i));
    }
}

static sumac_status run_binary(const vector_run *run, void *r, const void *a, uint64_t n,
                               const vector_operand *b,
                               void (*task)(void *arguments, size_t index, uint32_t thread))
{
    scalars_work work = {.r = r, .a = a, .n = n, .b = *b};
    run_tasks(run, &work, task);
    return SUMAC_OK;
}

static sumac_status add(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b)
{
    return run_binary(run, r, a, n, b, add_task);
}

static sumac_status subtract(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b)
{
    return run_binary(run, r, a, n, b, subtract_task);
}

static sumac_status multiply(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b)
{
    return run_binary(run, r, a, n, b, multiply_task);
}

/* ---- Inverses: a task's elements share one ---- */

#ifdef SUMAC_SCALAR_LANES

/* Sixteen products, each of the elements of one lane that are not 0, become their inverses: by one inversion.
 */
static void invert_lanes(fp products[FPV_LANES])
{
    fp before[FPV_LANES], inverse, element;
    fp_set_one(&inverse);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        before[lane] = inverse;
        fp_mul(&inverse, &inverse, &products[lane]);
    }
    fp_inv(&inverse, &inverse);
    for (int lane = FPV_LANES; lane-- > 0;) {
        element = products[lane];
        fp_mul(&products[lane], &inverse, &before[lane]);
        fp_mul(&inverse, &inverse, &element);
    }
}

/* Sixteen elements, with 1 in place of 0; returns the lanes of 0. */
static uint32_t load_nonzero(fpv *r, const fp *elements, const fpv *one)
{
    scalar_lanes_load(r, elements, 1, FPV_LANES);
    const uint32_t zero = fpv_zero_lanes(r);
    fpv_cmov(r, one, zero);
    return zero;
}

/* Of each task's scratch. */
static size_t inverse_bytes(uint64_t elements)
{
    return (elements / FPV_LANES + 1) * sizeof(fpv);
}

/* The elements [first, end) but for what is left of whole rows of sixteen, a chain in each lane. Returns
 * where the rest begins. */
static uint64_t invert_rows(fp *r, uint64_t first, uint64_t end, void *scratch)
{
    const uint64_t rows = (end - first) / FPV_LANES;
    fp constant, products[FPV_LANES];
    fpv one, element, factor, product, *const before = scratch; /* products of the rows before each */
    if (rows < 2) {
        return first;
    }
    fp_set_one(&constant);
    scalar_lanes_load(&one, &constant, 0, FPV_LANES);
    fpv_copy(&product, &one);
    for (uint64_t row = 0; row < rows; row++) {
        fpv_copy(&before[row], &product);
        (void)load_nonzero(&element, r + first + row * FPV_LANES, &one);
        scalar_lanes_factor(&factor, &element);
        scalar_lanes_multiply(&product, &product, &factor);
        fpv_settle_wide(&product, &product);
        fpv_canonical(&product, &product);
    }
    scalar_lanes_put(products, 1, FPV_LANES, &product);
    invert_lanes(products);
    scalar_lanes_load(&product, products, 1, FPV_LANES);
    for (uint64_t row = rows; row-- > 0;) {
        fpv inverse, zeros;
        fp *elements = r + first + row * FPV_LANES;
        const uint32_t zero = load_nonzero(&element, elements, &one);
        scalar_lanes_factor(&factor, &product);
        scalar_lanes_multiply(&inverse, &before[row], &factor);
        scalar_lanes_multiply(&product, &element, &factor);
        fpv_settle_wide(&product, &product);
        fpv_canonical(&product, &product);
        fpv_set_zero(&zeros);
        fpv_cmov(&inverse, &zeros, zero);
        scalar_lanes_store(elements, 1, FPV_LANES, &inverse);
    }
    return first + rows * FPV_LANES;
}

#else

static size_t inverse_bytes(uint64_t elements)
{
    return elements * sizeof(fp);
}

static uint64_t invert_rows(fp *r, uint64_t first, uint64_t end, void *scratch)
{
    (void)r, (void)end, (void)scratch;
    return first;
}

#endif

static void invert_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t task = index * INVERSE_ELEMENTS;
    const uint64_t end = work->n - task < INVERSE_ELEMENTS ? work->n : task + INVERSE_ELEMENTS;
    void *const scratch = work->scratch + thread * inverse_bytes(INVERSE_ELEMENTS);
    const uint64_t first = invert_rows(work->r, task, end, scratch);
    fp product, inverse, *const before = scratch; /* the product of the nonzero elements before each */
    if (first == end) {
        return;
    }
    fp_set_one(&product);
    for (uint64_t i = first; i < end; i++) {
        before[i - first] = product;
        if (!fp_is_zero(&work->r[i])) {
            fp_mul(&product, &product, &work->r[i]);
        }
    }
    fp_inv(&inverse, &product);
    for (uint64_t i = end; i-- > first;) {
        if (!fp_is_zero(&work->r[i])) {
            const fp element = work->r[i];
            fp_mul(&work->r[i], &inverse, &before[i - first]);
            fp_mul(&inverse, &inverse, &element);
        }
    }
}

static sumac_status invert(const vector_run *run, void *r, uint64_t n)
{
    const uint64_t task = n < INVERSE_ELEMENTS ? n : INVERSE_ELEMENTS;
    const parallel_team team = vector_team(run, "scalars");
    const uint64_t threads = run->threads > 1 ? run->threads : 1;
    scalars_work work = {.r = r, .n = n};
    if (n == 0) {
        return SUMAC_OK;
    }
    const size_t bytes = (threads - 1) * inverse_bytes(INVERSE_ELEMENTS) + inverse_bytes(task);
    work.scratch = aligned_alloc(SCRATCH_ALIGNMENT,
                                 (bytes + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT);
    if (work.scratch == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    parallel_for(&team, (size_t)((n + INVERSE_ELEMENTS - 1) / INVERSE_ELEMENTS), invert_task, &work);
    free(work.scratch);
    return SUMAC_OK;
}

/* ---- Powers ---- */

/* r = factor * ratio^exponent. */
static void power_at(fp *r, const fp *factor, const fp *ratio, uint64_t exponent)
{
    fp power;
    fp_pow(&power, ratio, &exponent, 1);
    fp_mul(r, factor, &power);
}

#ifdef SUMAC_SCALAR_LANES

/* Elements [i, end) of one row, whose first one's number there is `number`; lanes as long as sixteen follow.
 */
static uint64_t scale_lanes(const scalars_work *work, uint64_t i, uint64_t end, uint64_t number)
{
    fp powers[FPV_LANES], step_power;
    fpv power, step, element;
    if (end - i < 2 * FPV_LANES) {
        return i;
    }
    power_at(&powers[0], &work->factor, &work->ratio, number);
    scalar_to_factor(&powers[0]);
    for (int lane = 1; lane < FPV_LANES; lane++) {
        fp_mul(&powers[lane], &powers[lane - 1], &work->ratio);
    }
    fp_set_one(&step_power);
    power_at(&step_power, &step_power, &work->ratio, FPV_LANES);
    scalar_to_factor(&step_power);
    scalar_lanes_load(&power, powers, 1, FPV_LANES);
    scalar_lanes_load(&step, &step_power, 0, FPV_LANES);
    for (; i + FPV_LANES <= end; i += FPV_LANES) {
        fpv product;
        scalar_lanes_load(&element, &work->r[i], 1, FPV_LANES);
        scalar_lanes_multiply(&product, &element, &power);
        scalar_lanes_store(&work->r[i], 1, FPV_LANES, &product);
        scalar_lanes_multiply(&power, &power, &step);
    }
    return i;
}

#else

static uint64_t scale_lanes(const scalars_work *work, uint64_t i, uint64_t end, uint64_t number)
{
    (void)work, (void)end, (void)number;
    return i;
}

#endif

static void scale_piece(const scalars_work *work, uint64_t first, uint64_t end, uint64_t number)
{
    fp power;
    uint64_t i = scale_lanes(work, first, end, number);
    if (i == end) {
        return;
    }
    power_at(&power, &work->factor, &work->ratio, number + (i - first));
    for (; i < end; i++) {
        fp_mul(&work->r[i], &work->r[i], &power);
        fp_mul(&power, &power, &work->ratio);
    }
}

static void scale_task(void *arguments, size_t index, uint32_t thread)
{
    const scalars_work *work = arguments;
    const uint64_t end = task_end(work, index * TASK_ELEMENTS);
    uint64_t first = index * TASK_ELEMENTS;
    (void)thread;
    while (first < end) {
        const uint64_t number = first % work->length;
        const uint64_t row_end = work->length - number < end - first ? first + work->length - number : end;
        scale_piece(work, first, row_end, number);
        first = row_end;
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                                const void *factor, const void *ratio)
{
    scalars_work work = {
        .r = r, .n = n, .length = length, .factor = *(const fp *)factor, .ratio = *(const fp *)ratio};
    run_tasks(run, &work, scale_task);
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

static sumac_status sum_rows(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length)
{
    scalars_work work = {.r = r, .a = a, .length = length};
    const parallel_team team = vector_team(run, "scalars");
    parallel_for(&team, (size_t)rows, sum_task, &work);
    return SUMAC_OK;
}

/* ---- Sparse matrices ---- */

enum { SPARSE_ROWS = 64 /* of a task */ };

typedef struct sparse_work {
    fp *r;
    const fp *a;
    const sparse_rows *matrix;
} sparse_work;

/* How many terms ahead elements are fetched: a matrix whose rows are in bit-reversed order has them anywhere. */
#define SPARSE_AHEAD 16

static void sparse_row(fp *r, const fp *a, const sparse_rows *matrix, uint64_t row)
{
    const uint64_t terms = matrix->starts[matrix->rows];
    const fp *values = matrix->values;
    fp product;
    fp_set_zero(r);
    for (uint64_t j = matrix->starts[row]; j < matrix->starts[row + 1]; j++) {
        const sparse_term term = matrix->terms[j];
        if (j + SPARSE_AHEAD < terms) {
            __builtin_prefetch(&a[matrix->terms[j + SPARSE_AHEAD].column]);
        }
        if (term.value == SPARSE_ONE) {
            fp_add(r, r, &a[term.column]);
        } else if (term.value == SPARSE_MINUS_ONE) {
            fp_sub(r, r, &a[term.column]);
        } else {
            fp_mul(&product, &values[term.value], &a[term.column]);
            fp_add(r, r, &product);
        }
    }
}

static void sparse_task(void *arguments, size_t index, uint32_t thread)
{
    const sparse_work *work = arguments;
    const uint64_t first = index * SPARSE_ROWS, left = work->matrix->rows - first;
    const uint64_t end = left < SPARSE_ROWS ? work->matrix->rows : first + SPARSE_ROWS;
    (void)thread;
    for (uint64_t row = first; row < end; row++) {
        sparse_row(&work->r[row], work->a, work->matrix, row);
    }
}

static sumac_status multiply_sparse(const vector_run *run, void *r, const void *a, const sparse_rows *matrix)
{
    sparse_work work = {r, a, matrix};
    const parallel_team team = vector_team(run, "sparse product");
    parallel_for(&team, (size_t)((matrix->rows + SPARSE_ROWS - 1) / SPARSE_ROWS), sparse_task, &work);
    return SUMAC_OK;
}

/* ---- Roots of unity ---- */

static const uint64_t largest_root[FP_LIMBS] = FR_ROOT;

/* The root of order 2^log2. */
static void root_of_order(fp *r, uint32_t log2)
{
    memcpy(r->l, largest_root, sizeof r->l);
    for (uint32_t i = log2; i < FR_TWO_ADICITY; i++) {
        fp_sqr(r, r);
    }
}

static void export_root(uint8_t *raw, uint32_t log2)
{
    const vector_run alone = {.threads = 1};
    fp root;
    root_of_order(&root, log2);
    (void)export_scalars(&alone, raw, &root, 1, SUMAC_FORM_CANONICAL, SUMAC_LITTLE_ENDIAN);
}

/* Table [2^j, 2^(j + 1)) is table [0, 2^j) times the root of order 2^(j + 2). */
static sumac_status make_roots(const vector_run *run, void *roots, uint32_t log2)
{
    fp *table = roots;
    fp_set_one(&table[0]);
    for (uint32_t j = 0; j + 1 < log2; j++) {
        const uint64_t half = UINT64_C(1) << j;
        fp root;
        root_of_order(&root, j + 2);
        const vector_operand factor = {&root, 1, 1};
        (void)multiply(run, table + half, table, half, &factor);
    }
    return SUMAC_OK;
}

static sumac_status make_factors(const vector_run *run, void *factors, uint32_t log2)
{
    (void)make_roots(run, factors, log2);
    fp one;
    fp_set_one(&one);
    scalar_to_factor(&one);
    const vector_operand factor = {&one, 1, 1};
    (void)multiply(run, factors, factors, UINT64_C(1) << (log2 - 1), &factor);
    return SUMAC_OK;
}

const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors) = {
    .bytes = sizeof(fp),
    .two_adicity = FR_TWO_ADICITY,
    .root = export_root,
    .roots = make_roots,
    .factors = make_factors,
    .import_scalars = import_scalars,
    .export_scalars = export_scalars,
    .add = add,
    .subtract = subtract,
    .multiply = multiply,
    .invert = invert,
    .scale_powers = SUMAC_SCALARS_SYMBOL(scale_powers),
    .sum = sum_rows,
    .multiply_sparse = multiply_sparse,
    .transform = SUMAC_SCALARS_SYMBOL(transform),
};
