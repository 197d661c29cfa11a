/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the operations on vectors of scalars on the GPU, except transforms and scans, which have their own
 * files. */
#include "base/integers.h"
#include "cuda/device/kernels.cuh"
#include "cuda/transfer/transfer.h"
#include "cuda/vector/scalars.cuh"
#include "curves/group_code.h"

static __device__ __forceinline__ uint64_t thread_number(void)
{
    return blockIdx.x * (uint64_t)VECTOR_BLOCK + threadIdx.x;
}

/* ---- In and out ---- */

/* Reverse the order of the integer's bytes. */
static __device__ __forceinline__ void swap_bytes(fp *a)
{
    fp swapped;
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        const uint64_t limb = a->l[FP_LIMBS - 1 - i];
        const uint32_t low = (uint32_t)limb, high = (uint32_t)(limb >> 32);
        swapped.l[i] = (uint64_t)__byte_perm(low, 0, 0x0123) << 32 | __byte_perm(high, 0, 0x0123);
    }
    *a = swapped;
}

/* Convert packed integers to elements, in place. */
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    import_kernel(fp *r, uint64_t n, int big_endian, int integers, unsigned long long *first_bad)
{
    const uint64_t i = thread_number();
    if (i >= n) {
        return;
    }
    fp element;
    fp_load(&element, &r[i]);
    if (big_endian) {
        swap_bytes(&element);
    }
    if (!fp_is_canonical(element.l)) {
        atomicMin(first_bad, (unsigned long long)i);
        return;
    }
    if (integers) {
        fp_to_mont(&element, &element);
    }
    fp_store(&r[i], &element);
}

/* Convert packed little-endian integers, in two's complement if is_signed, to elements. */
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    integers_kernel(fp *r, const uint8_t *integers, uint64_t n, uint32_t integer_bytes, int is_signed)
{
    const uint64_t i = thread_number();
    if (i >= n) {
        return;
    }
    uint64_t word = 0;
    for (uint32_t j = 0; j < integer_bytes; j++) {
        word |= (uint64_t)integers[i * integer_bytes + j] << 8 * j;
    }
    const bool is_negative = is_signed && word >> (8 * integer_bytes - 1) != 0;
    if (is_negative) {
        word = (0 - word) & ~(uint64_t)0 >> (64 - 8 * integer_bytes);
    }
    fp element;
    fp_set_zero(&element);
    element.l[0] = FP_BITS <= 64 ? word % fp_modulus[0] : word;
    fp_to_mont(&element, &element);
    if (is_negative) {
        fp_neg(&element, &element);
    }
    fp_store(&r[i], &element);
}

static __global__ void __launch_bounds__(VECTOR_BLOCK)
    export_kernel(fp *r, const fp *a, uint64_t n, int big_endian, int integers)
{
    const uint64_t i = thread_number();
    if (i < n) {
        fp element;
        fp_load(&element, &a[i]);
        if (integers) {
            fp_from_mont(&element, &element);
        }
        if (big_endian) {
            swap_bytes(&element);
        }
        fp_store(&r[i], &element);
    }
}

static sumac_status import_scalars(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                   sumac_form form, sumac_byte_order order, uint64_t *bad)
{
    cuda_engine *engine = engine_of_run(run);
    *bad = n;
    if (n == 0) {
        return SUMAC_OK;
    }
    TRY(cuda_upload(engine, r, bytes, n * sizeof(fp)));
    *engine->first_bad = NONE_BAD;
    TRY(cuda_launch(engine, engine->stream, import_kernel, blocks_for(n, VECTOR_BLOCK), VECTOR_BLOCK,
                    static_cast<fp *>(r), n, order == SUMAC_BIG_ENDIAN, form == SUMAC_FORM_CANONICAL,
                    engine->first_bad));
    TRY(cuda_wait(engine));
    if (*engine->first_bad == NONE_BAD) {
        return SUMAC_OK;
    }
    *bad = *engine->first_bad;
    return SUMAC_BAD_ENCODING;
}

static sumac_status import_integers(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                    uint32_t integer_bytes, int is_signed)
{
    cuda_engine *engine = engine_of_run(run);
    const uint64_t most = VECTOR_SCRATCH / integer_bytes;
    void *scratch;
    TRY(vector_scratch(engine, &scratch));
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = n - first < most ? n - first : most;
        TRY(cuda_upload(engine, scratch, bytes + first * integer_bytes, count * integer_bytes));
        TRY(cuda_launch(engine, engine->stream, integers_kernel, blocks_for(count, VECTOR_BLOCK),
                        VECTOR_BLOCK, static_cast<fp *>(r) + first, static_cast<const uint8_t *>(scratch),
                        count, integer_bytes, is_signed));
    }
    return cuda_finished(engine);
}

static sumac_status export_scalars(const vector_run *run, uint8_t *bytes, const void *a, uint64_t n,
                                   sumac_form form, sumac_byte_order order)
{
    cuda_engine *engine = engine_of_run(run);
    const uint64_t most = VECTOR_SCRATCH / sizeof(fp);
    void *scratch;
    TRY(vector_scratch(engine, &scratch));
    for (uint64_t first = 0; first < n; first += most) {
        const uint64_t count = n - first < most ? n - first : most;
        TRY(cuda_launch(engine, engine->stream, export_kernel, blocks_for(count, VECTOR_BLOCK), VECTOR_BLOCK,
                        static_cast<fp *>(scratch), static_cast<const fp *>(a) + first, count,
                        order == SUMAC_BIG_ENDIAN, form == SUMAC_FORM_CANONICAL));
        TRY(cuda_download(engine, bytes + first * sizeof(fp), scratch, count * sizeof(fp)));
    }
    return SUMAC_OK;
}

/* ---- Element by element ---- */

enum operation { OPERATION_ADD, OPERATION_SUBTRACT, OPERATION_MULTIPLY, OPERATION_MULTIPLY_ADD };

/* The second operand; `divides` and `wraps` say which steps of the computation of its index are needed. */
struct operand {
    const fp *elements;
    uint64_t count, each;
    int divides, wraps;
};

static operand operand_of(const vector_operand *b, uint64_t n)
{
    return {static_cast<const fp *>(b->elements), b->count, b->each, b->each != 1,
            (n - 1) / b->each >= b->count};
}

template <operation op>
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    binary_kernel(fp *r, const fp *a, uint64_t n, const __grid_constant__ operand b, const fp *c)
{
    const uint64_t i = thread_number();
    if (i < n) {
        fp left, right;
        uint64_t j = b.divides ? i / b.each : i;
        if (b.wraps) {
            j %= b.count;
        }
        fp_load(&left, &a[i]);
        fp_load(&right, &b.elements[j]);
        if (op == OPERATION_ADD) {
            fp_add(&left, &left, &right);
        } else if (op == OPERATION_SUBTRACT) {
            fp_sub(&left, &left, &right);
        } else {
            fp_mul(&left, &left, &right);
        }
        if (op == OPERATION_MULTIPLY_ADD) {
            fp_load(&right, &c[i]);
            fp_add(&left, &left, &right);
        }
        fp_store(&r[i], &left);
    }
}

template <operation op>
static sumac_status run_operation(const vector_run *run, void *r, const void *a, uint64_t n,
                                  const vector_operand *b, const void *c)
{
    return vector_launch(engine_of_run(run), binary_kernel<op>, n, VECTOR_BLOCK, static_cast<fp *>(r),
                         static_cast<const fp *>(a), n, operand_of(b, n), static_cast<const fp *>(c));
}

template <operation op>
static sumac_status run_binary(const vector_run *run, void *r, const void *a, uint64_t n,
                               const vector_operand *b)
{
    return run_operation<op>(run, r, a, n, b, NULL);
}

/* ---- Inverses: four neighbouring threads, of INVERT_EACH elements each, share an inversion ---- */

enum { INVERT_EACH = 8, INVERT_BLOCK = 64, QUAD = 4 };

/* Set r to the a of the lane whose number differs in the bits of `mask`. */
static __device__ __forceinline__ void exchange(fp *r, const fp *a, int mask)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r->l[i] = __shfl_xor_sync(0xffffffff, (unsigned long long)a->l[i], mask);
    }
}

/* Replace *product by 1 / *product in all four lanes. No product may be 0. */
static __device__ __forceinline__ void invert_in_quads(fp *product)
{
    fp neighbour, pair, other;
    exchange(&neighbour, product, 1);
    fp_mul(&pair, product, &neighbour);
    exchange(&other, &pair, 2);
    fp_mul(product, &pair, &other);
    fp_inv(product, product);
    fp_mul(product, product, &other);
    fp_mul(product, product, &neighbour);
}

/* A thread's elements lie INVERT_BLOCK apart. before[k] is the product of the nonzero ones before element k. */
static __global__ void __launch_bounds__(INVERT_BLOCK) invert_kernel(fp *r, uint64_t n)
{
    __shared__ uint64_t before[INVERT_EACH][FP_LIMBS][INVERT_BLOCK];
    const uint64_t start = blockIdx.x * (uint64_t)(INVERT_BLOCK * INVERT_EACH) + threadIdx.x;
    const uint64_t left = start < n ? (n - start + INVERT_BLOCK - 1) / INVERT_BLOCK : 0;
    const uint32_t count = left < INVERT_EACH ? (uint32_t)left : INVERT_EACH;
    fp *first = r + start;
    fp product, element, kept;
    fp_set_one(&product);
#pragma unroll 1
    for (uint32_t k = 0; k < count; k++) {
        for (int i = 0; i < FP_LIMBS; i++) {
            before[k][i][threadIdx.x] = product.l[i];
        }
        fp_load(&element, first + k * INVERT_BLOCK);
        if (!fp_is_zero(&element)) {
            fp_mul(&product, &product, &element);
        }
    }
    invert_in_quads(&product);
#pragma unroll 1
    for (uint32_t k = count; k-- > 0;) {
        fp_load(&element, first + k * INVERT_BLOCK);
        if (!fp_is_zero(&element)) {
            for (int i = 0; i < FP_LIMBS; i++) {
                kept.l[i] = before[k][i][threadIdx.x];
            }
            fp_mul(&kept, &kept, &product);
            fp_mul(&product, &product, &element);
            fp_store(first + k * INVERT_BLOCK, &kept);
        }
    }
}

static sumac_status invert(const vector_run *run, void *r, uint64_t n)
{
    return vector_launch(engine_of_run(run), invert_kernel, ceil_divide(n, INVERT_EACH), INVERT_BLOCK,
                         static_cast<fp *>(r), n);
}

/* ---- Powers ---- */

/* Two short tables give the factor of element i of a row: factor * ratio^i = low[i mod 2^bits] * high[i / 2^bits]. */
struct power_tables {
    fp *low, *high;
    fp factor, ratio;
    uint64_t high_count;
    uint32_t bits;
};

/* Each thread computes one entry, by square and multiply over the bits of its exponent. */
static __global__ void __launch_bounds__(VECTOR_BLOCK) powers_kernel(const __grid_constant__ power_tables t)
{
    const uint64_t i = thread_number(), low_count = (uint64_t)1 << t.bits;
    if (i >= low_count + t.high_count) {
        return;
    }
    uint64_t exponent = i < low_count ? i : (i - low_count) << t.bits;
    fp power = t.factor, square = t.ratio;
    if (i < low_count) {
        fp_set_one(&power);
    }
#pragma unroll 1
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            fp_mul(&power, &power, &square);
        }
        fp_sqr(&square, &square);
    }
    fp_store(i < low_count ? &t.low[i] : &t.high[i - low_count], &power);
}

static __global__ void __launch_bounds__(VECTOR_BLOCK)
    scale_kernel(fp *r, uint64_t n, uint64_t length, const __grid_constant__ power_tables t)
{
    const uint64_t i = thread_number();
    if (i < n) {
        const uint64_t number = length == n ? i : i % length;
        fp element, factor;
        fp_load(&element, &r[i]);
        fp_load(&factor, &t.low[number & (((uint64_t)1 << t.bits) - 1)]);
        fp_mul(&element, &element, &factor);
        fp_load(&factor, &t.high[number >> t.bits]);
        fp_mul(&element, &element, &factor);
        fp_store(&r[i], &element);
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(scale_rows)(const vector_run *run, fp *r, uint64_t n, uint64_t length,
                                              const fp *factor, const fp *ratio)
{
    cuda_engine *engine = engine_of_run(run);
    void *scratch;
    if (n == 0) {
        return SUMAC_OK;
    }
    TRY(vector_scratch(engine, &scratch));
    power_tables tables = {};
    tables.low = static_cast<fp *>(scratch);
    tables.factor = *factor;
    tables.ratio = *ratio;
    while (((length - 1) >> tables.bits) >> tables.bits != 0) {
        tables.bits++;
    }
    tables.high = tables.low + ((uint64_t)1 << tables.bits);
    tables.high_count = ((length - 1) >> tables.bits) + 1;
    const uint64_t entries = ((uint64_t)1 << tables.bits) + tables.high_count;
    TRY(cuda_launch(engine, engine->stream, powers_kernel, blocks_for(entries, VECTOR_BLOCK), VECTOR_BLOCK,
                    tables));
    return cuda_launch(engine, engine->stream, scale_kernel, blocks_for(n, VECTOR_BLOCK), VECTOR_BLOCK, r, n,
                       length, tables);
}

static sumac_status scale_powers(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                 const void *factor, const void *ratio)
{
    TRY(SUMAC_SCALARS_SYMBOL(scale_rows)(run, static_cast<fp *>(r), n, length,
                                         static_cast<const fp *>(factor), static_cast<const fp *>(ratio)));
    return cuda_finished(engine_of_run(run));
}

/* ---- Sums of rows ---- */

enum { SUM_BLOCK = 128, SUM_MOST_PARTS = 1024 };

/* A block adds up a part of a row: each thread adds up every SUM_BLOCK-th element, each warp its threads' sums, and the
 * first thread the warps' sums. */
static __global__ void __launch_bounds__(SUM_BLOCK)
    sum_kernel(fp *r, const fp *a, uint64_t length, uint64_t parts)
{
    __shared__ fp sums[SUM_BLOCK / 32];
    const uint64_t part = blockIdx.x % parts, share = (length + parts - 1) / parts;
    const uint64_t end = (part + 1) * share < length ? (part + 1) * share : length;
    const fp *row = a + blockIdx.x / parts * length;
    fp sum, term;
    fp_set_zero(&sum);
#pragma unroll 1
    for (uint64_t i = part * share + threadIdx.x; i < end; i += SUM_BLOCK) {
        fp_load(&term, &row[i]);
        fp_add(&sum, &sum, &term);
    }
#pragma unroll 1
    for (int mask = 16; mask > 0; mask /= 2) {
        exchange(&term, &sum, mask);
        fp_add(&sum, &sum, &term);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < SUM_BLOCK / 32; warp++) {
            fp_add(&sum, &sum, &sums[warp]);
        }
        fp_store(&r[blockIdx.x], &sum);
    }
}

static sumac_status sum_rows(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length)
{
    cuda_engine *engine = engine_of_run(run);
    return vector_sum_rows<fp>(
        engine, r, a, rows, length, SUM_MOST_PARTS, SUM_BLOCK,
        [engine](fp *sums, const fp *elements, uint64_t row_count, uint64_t row_length, uint64_t parts) {
            return cuda_launch(engine, engine->stream, sum_kernel, static_cast<unsigned>(row_count * parts),
                               SUM_BLOCK, sums, elements, row_length, parts);
        });
}

/* ---- Sparse matrices ---- */

enum { SPARSE_THREADS = 8 /* threads of a row */ };

/* Each thread of a row adds up every SPARSE_THREADS-th term, and then the row's threads add up their sums. All threads
 * of a warp take part in this second sum, including those behind the last row. */
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    sparse_kernel(fp *r, const fp *a, const __grid_constant__ sparse_rows matrix)
{
    const uint64_t row = thread_number() / SPARSE_THREADS;
    const fp *values = static_cast<const fp *>(matrix.values);
    const uint64_t end = row < matrix.rows ? matrix.starts[row + 1] : 0;
    fp sum, element, value;
    fp_set_zero(&sum);
#pragma unroll 1
    for (uint64_t j = row < matrix.rows ? matrix.starts[row] + threadIdx.x % SPARSE_THREADS : 0; j < end;
         j += SPARSE_THREADS) {
        const sparse_term term = matrix.terms[j];
        fp_load(&element, &a[term.column]);
        if (term.value == SPARSE_MINUS_ONE) {
            fp_sub(&sum, &sum, &element);
        } else {
            if (term.value != SPARSE_ONE) {
                fp_load(&value, &values[term.value]);
                fp_mul(&element, &element, &value);
            }
            fp_add(&sum, &sum, &element);
        }
    }
#pragma unroll 1
    for (int mask = SPARSE_THREADS / 2; mask > 0; mask /= 2) {
        exchange(&element, &sum, mask);
        fp_add(&sum, &sum, &element);
    }
    if (row < matrix.rows && threadIdx.x % SPARSE_THREADS == 0) {
        fp_store(&r[row], &sum);
    }
}

static sumac_status multiply_sparse(const vector_run *run, void *r, const void *a, const sparse_rows *matrix)
{
    return vector_launch(engine_of_run(run), sparse_kernel, matrix->rows * SPARSE_THREADS, VECTOR_BLOCK,
                         static_cast<fp *>(r), static_cast<const fp *>(a), *matrix);
}

/* ---- Roots of unity ---- */

/* Set table[half + i] to table[i] * root. */
static __global__ void __launch_bounds__(VECTOR_BLOCK)
    roots_kernel(fp *table, uint64_t half, const __grid_constant__ fp root)
{
    const uint64_t i = thread_number();
    if (i < half) {
        fp element;
        fp_load(&element, &table[i]);
        fp_mul(&element, &element, &root);
        fp_store(&table[half + i], &element);
    }
}

/* Table [2^j, 2^(j + 1)) is table [0, 2^j) times the root of order 2^(j + 2), which the host computes. */
static sumac_status make_roots(const vector_run *run, void *roots, uint32_t log2, const void *root)
{
    cuda_engine *engine = engine_of_run(run);
    const scalar_vector_ops *host = run->code->scalar_vectors;
    const vector_run alone = {.threads = 1};
    const fp one = {FP_ONE};
    fp *table = static_cast<fp *>(roots);
    TRY(cuda_upload(engine, table, &one, sizeof one));
    for (uint32_t j = 0; j + 1 < log2; j++) {
        const uint64_t half = (uint64_t)1 << j;
        fp power = *static_cast<const fp *>(root);
        const vector_operand itself = {&power, 1, 1};
        for (uint32_t i = j + 2; i < log2; i++) {
            TRY(host->multiply(&alone, &power, &power, 1, &itself));
        }
        TRY(cuda_launch(engine, engine->stream, roots_kernel, blocks_for(half, VECTOR_BLOCK), VECTOR_BLOCK,
                        table, half, power));
    }
    return cuda_wait(engine); /* the kept table that this one replaces is freed next */
}

extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);
const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors) = {
    .bytes = sizeof(fp),
    .two_adicity = FR_TWO_ADICITY,
    .roots = make_roots,
    .factors = make_roots,
    .import_scalars = import_scalars,
    .export_scalars = export_scalars,
    .import_integers = import_integers,
    .add = run_binary<OPERATION_ADD>,
    .subtract = run_binary<OPERATION_SUBTRACT>,
    .multiply = run_binary<OPERATION_MULTIPLY>,
    .multiply_add = run_operation<OPERATION_MULTIPLY_ADD>,
    .invert = invert,
    .scale_powers = scale_powers,
    .sum = sum_rows,
    .scan = SUMAC_SCALARS_SYMBOL(scan),
    .multiply_sparse = multiply_sparse,
    .transform = SUMAC_SCALARS_SYMBOL(transform),
};
