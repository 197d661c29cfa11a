/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/calls.h"

#include <stdlib.h>
#include <string.h>

#include "executor/msm.h"
#include "executor/shared_msm.h"
#include "vector/kept_roots.h"

/* Return the means by which this executor computes with elements of a group. */
static vector_run run_of(const executor *self, const sumac_group *group)
{
    return (vector_run){
        .threads = self->means.threads,
        .pool = self->means.pool,
        .trace = self->means.trace,
        .engine = self->engine,
        .group = group,
        .code = executor_code(self, group),
    };
}

const scalar_vector_ops *vector_scalar_ops(const executor *self, const sumac_group *group)
{
    return self->backend->vectors->scalars(group, executor_code(self, group));
}

const point_vector_ops *vector_point_ops(const executor *self, const sumac_group *group)
{
    return self->backend->vectors->points(group, executor_code(self, group));
}

static int has_scalars(const sumac_vector *vector)
{
    return vector->elements == SUMAC_VECTOR_SCALARS;
}

static const scalar_vector_ops *scalars_of(const executor *self, const sumac_vector *vector)
{
    return vector_scalar_ops(self, vector->group);
}

static const point_vector_ops *points_of(const executor *self, const sumac_vector *vector)
{
    return vector_point_ops(self, vector->group);
}

/* Make b the second operand of an operation. Each element of b is used for `each` successive elements of the first
 * operand. */
static vector_operand operand_of(const sumac_vector *b, size_t each)
{
    return (vector_operand){b->memory, b->count, each};
}

/* Return the status of a backend's function. If it is a failure, wait until no work uses the memory any more. Then the
 * message is that of the device, or says that there is no memory for `purpose` with this vector. */
static sumac_status done(executor *self, sumac_status status, const char *purpose, const sumac_vector *vector)
{
    const char *message = executor_device_message(self);
    if (status == SUMAC_OK) {
        return SUMAC_OK;
    }
    if (self->engine != NULL) {
        self->backend->device->settle(self->engine);
    }
    if (message[0] != '\0') {
        return refuse(&self->message, status, "%s", message);
    }
    return refuse(&self->message, status, "there is no memory to %s a vector of %llu bytes", purpose,
                  (unsigned long long)vector->count * vector->bytes);
}

/* Convert a scalar in raw layout to an element of at most SCALAR_MAX_LIMBS limbs; null means the scalar 1. Elements
 * look the same in every backend, so the host does this. */
static sumac_status scalar_of(executor *self, const sumac_group *group, const void *raw, const char *what,
                              uint64_t *element)
{
    const uint64_t one[SCALAR_MAX_LIMBS] = {scalar_little_endian(1)};
    const vector_run run = {.threads = 1};
    const void *bytes = raw == NULL ? one : raw;
    uint64_t bad;
    const sumac_status status =
        executor_code(self, group)
            ->scalar_vectors->import_scalars(&run, element, bytes, 1, SUMAC_FORM_CANONICAL,
                                             SUMAC_LITTLE_ENDIAN, &bad);
    return status == SUMAC_OK ? status
                              : refuse(&self->message, SUMAC_BAD_ENCODING, "%s is not less than r", what);
}

/* ---- Memory ---- */

static size_t element_bytes(const executor *self, const sumac_group *group, sumac_vector_kind elements)
{
    return elements == SUMAC_VECTOR_SCALARS ? vector_scalar_ops(self, group)->bytes
                                            : vector_point_ops(self, group)->bytes;
}

sumac_status vector_wrap(executor *self, const sumac_group *group, sumac_vector_kind elements, void *memory,
                         size_t count, sumac_vector **vector)
{
    sumac_vector *made = malloc(sizeof *made);
    if (made == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory for a vector's %zu bytes",
                      sizeof *made);
    }
    *made = (sumac_vector){
        .group = group,
        .elements = elements,
        .count = count,
        .bytes = element_bytes(self, group, elements),
        .memory = memory,
        .backend = self->backend,
        .device = executor_device(self),
        .is_callers = 1,
    };
    *vector = made;
    return SUMAC_OK;
}

sumac_status vector_create(executor *self, const sumac_group *group, sumac_vector_kind elements, size_t count,
                           sumac_vector **vector)
{
    const size_t bytes = element_bytes(self, group, elements);
    void *memory =
        count <= SIZE_MAX / 2 / bytes ? self->backend->allocate(self->engine, (uint64_t)count * bytes) : NULL;
    if (memory == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                      "there is no memory for a vector of %zu elements of %zu bytes", count, bytes);
    }
    const sumac_status status = vector_wrap(self, group, elements, memory, count, vector);
    if (status != SUMAC_OK) {
        self->backend->release(memory);
        return status;
    }
    (*vector)->is_callers = 0;
    return SUMAC_OK;
}

/* Create a vector of scalars, which are not set. Only work of the present call may use it. Neither this nor
 * vector_destroy() waits. */
static sumac_status create_for_call(executor *self, const sumac_group *group, size_t count,
                                    sumac_vector **vector)
{
    if (self->engine == NULL) {
        return vector_create(self, group, SUMAC_VECTOR_SCALARS, count, vector);
    }
    const size_t bytes = element_bytes(self, group, SUMAC_VECTOR_SCALARS);
    void *memory = self->backend->device->allocate_in_order(self->engine, (uint64_t)count * bytes);
    if (memory == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory for %zu scalars of %zu bytes",
                      count, bytes);
    }
    const sumac_status status = vector_wrap(self, group, SUMAC_VECTOR_SCALARS, memory, count, vector);
    if (status != SUMAC_OK) {
        self->backend->device->release_in_order(self->engine, memory);
        return status;
    }
    (*vector)->engine = self->engine;
    return SUMAC_OK;
}

/* Zero bytes represent the scalar 0 and the point at infinity. */
sumac_status vector_create_zeros(executor *self, const sumac_group *group, sumac_vector_kind elements,
                                 size_t count, sumac_vector **vector)
{
    const vector_run run = run_of(self, group);
    CLEANUP(close_vector) sumac_vector *created = NULL;
    TRY(vector_create(self, group, elements, count, &created));
    TRY(done(self, self->backend->vectors->fill(&run, created->memory, NULL, created->bytes, count), "clear",
             created));
    *vector = created;
    created = NULL;
    return SUMAC_OK;
}

void vector_destroy(sumac_vector *vector)
{
    if (vector != NULL) {
        if (vector->engine != NULL) {
            vector->backend->device->release_in_order(vector->engine, vector->memory);
        } else if (!vector->is_callers) {
            vector->backend->release(vector->memory);
        }
        free(vector);
    }
}

void *host_memory(executor *self, size_t count, size_t size)
{
    size_t bytes = 0;
    void *memory = __builtin_mul_overflow(count, size, &bytes) ? NULL : malloc(bytes);
    if (memory == NULL) {
        (void)refuse(&self->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu times %zu bytes", count,
                     size);
    }
    return memory;
}

/* ---- In and out ---- */

sumac_status vector_set(executor *self, sumac_vector *vector, size_t first, size_t n, const void *elements,
                        const sumac_element_layout *layout)
{
    const sumac_element_layout raw = {.size = sizeof raw};
    const sumac_element_layout *as = layout == NULL ? &raw : layout;
    const vector_run run = run_of(self, vector->group);
    void *to = vector_at(vector, first);
    uint64_t bad = 0;
    if (has_scalars(vector)) {
        const sumac_status status =
            scalars_of(self, vector)->import_scalars(&run, to, elements, n, as->form, as->byte_order, &bad);
        if (status == SUMAC_BAD_ENCODING) {
            return refuse(&self->message, status, "scalar %zu is not less than r", (size_t)bad);
        }
        return done(self, status, "write to", vector);
    }
    const sumac_status status =
        points_of(self, vector)
            ->import_records(&run, to, elements, n, as->form, (sumac_check)as->check, &bad);
    if (status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP) {
        return refuse(&self->message, status, "point %zu: %s", (size_t)bad, sumac_status_text(status));
    }
    return done(self, status, "write to", vector);
}

sumac_status vector_set_integers(executor *self, sumac_vector *vector, size_t first, size_t n,
                                 const void *integers, uint32_t integer_bytes, int is_signed)
{
    const vector_run run = run_of(self, vector->group);
    return done(self,
                scalars_of(self, vector)
                    ->import_integers(&run, vector_at(vector, first), integers, n, integer_bytes, is_signed),
                "write to", vector);
}

sumac_status vector_get(executor *self, const sumac_vector *vector, size_t first, size_t n, void *elements,
                        const sumac_element_layout *layout)
{
    const sumac_element_layout raw = {.size = sizeof raw};
    const sumac_element_layout *as = layout == NULL ? &raw : layout;
    const vector_run run = run_of(self, vector->group);
    const void *from = vector_at(vector, first);
    const sumac_status status =
        has_scalars(vector)
            ? scalars_of(self, vector)->export_scalars(&run, elements, from, n, as->form, as->byte_order)
            : points_of(self, vector)->export_records(&run, elements, from, n, as->form);
    return done(self, status, "read", vector);
}

/* ---- Moves ---- */

sumac_status vector_copy_across(executor *self, sumac_vector *to, size_t to_first, const sumac_vector *from,
                                size_t from_first, size_t n)
{
    return executor_copy_across(self, vector_at(to, to_first), vector_at(from, from_first), n * to->bytes);
}

sumac_status vector_copy(executor *self, sumac_vector *to, const vector_slice *to_slice,
                         const sumac_vector *from, const vector_slice *from_slice)
{
    const vector_run run = run_of(self, to->group);
    if (to_slice->length == 0) {
        return SUMAC_OK;
    }
    return done(
        self,
        self->backend->vectors->copy_slices(&run, to->memory, to_slice, from->memory, from_slice, to->bytes),
        "copy to", to);
}

sumac_status vector_copy_range(executor *self, sumac_vector *to, size_t to_first, const sumac_vector *from,
                               size_t from_first, size_t n)
{
    const vector_slice to_slice = {to_first, 1, n, n}, from_slice = {from_first, 1, n, n};
    return vector_copy(self, to, &to_slice, from, &from_slice);
}

sumac_status vector_gather(executor *self, sumac_vector *to, const sumac_vector *from, size_t length,
                           const uint64_t *rows, size_t n)
{
    const vector_run run = run_of(self, to->group);
    if (n == 0) {
        return SUMAC_OK;
    }
    return done(
        self,
        self->backend->vectors->gather_rows(&run, to->memory, from->memory, length * to->bytes, rows, n),
        "gather rows in", to);
}

sumac_status vector_transpose(executor *self, sumac_vector *result, const sumac_vector *a, size_t rows,
                              size_t columns)
{
    const vector_run run = run_of(self, a->group);
    return done(self,
                self->backend->vectors->transpose(&run, result->memory, a->memory, a->bytes,
                                                  a->count / rows / columns, rows, columns),
                "transpose", a);
}

static uint32_t log2_of(size_t length)
{
    return (uint32_t)__builtin_ctzll((unsigned long long)length);
}

sumac_status vector_bit_reverse(executor *self, sumac_vector *vector, size_t length)
{
    const vector_run run = run_of(self, vector->group);
    return done(self,
                self->backend->vectors->bit_reverse(&run, vector->memory, vector->bytes,
                                                    vector->count / length, log2_of(length)),
                "reorder", vector);
}

/* ---- Element by element ---- */

typedef sumac_status (*binary_op)(const vector_run *run, void *r, const void *a, uint64_t n,
                                  const vector_operand *b);

static sumac_status binary(executor *self, sumac_vector *result, const sumac_vector *a, const sumac_vector *b,
                           size_t each, binary_op op)
{
    const vector_operand operand = operand_of(b, each);
    const vector_run run = run_of(self, a->group);
    if (a->count == 0) {
        return SUMAC_OK;
    }
    return done(self, op(&run, result->memory, a->memory, a->count, &operand), "compute with", a);
}

sumac_status vector_add(executor *self, sumac_vector *result, const sumac_vector *a, const sumac_vector *b,
                        size_t each)
{
    return binary(self, result, a, b, each,
                  has_scalars(a) ? scalars_of(self, a)->add : points_of(self, a)->add);
}

sumac_status vector_subtract(executor *self, sumac_vector *result, const sumac_vector *a,
                             const sumac_vector *b, size_t each)
{
    return binary(self, result, a, b, each,
                  has_scalars(a) ? scalars_of(self, a)->subtract : points_of(self, a)->subtract);
}

sumac_status vector_multiply(executor *self, sumac_vector *result, const sumac_vector *a,
                             const sumac_vector *b, size_t each)
{
    return binary(self, result, a, b, each, scalars_of(self, a)->multiply);
}

sumac_status vector_multiply_add(executor *self, sumac_vector *result, const sumac_vector *a,
                                 const sumac_vector *b, size_t each, const sumac_vector *c)
{
    const vector_operand operand = operand_of(b, each);
    const vector_run run = run_of(self, a->group);
    if (a->count == 0) {
        return SUMAC_OK;
    }
    return done(
        self,
        scalars_of(self, a)->multiply_add(&run, result->memory, a->memory, a->count, &operand, c->memory),
        "compute with", a);
}

sumac_status vector_square(executor *self, sumac_vector *vector, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        TRY(vector_multiply(self, vector, vector, vector, 1));
    }
    return SUMAC_OK;
}

sumac_status vector_fill(executor *self, sumac_vector *vector, const void *scalar)
{
    uint64_t element[SCALAR_MAX_LIMBS];
    const vector_run run = run_of(self, vector->group);
    TRY(scalar_of(self, vector->group, scalar, "the scalar", element));
    return done(self,
                self->backend->vectors->fill(&run, vector->memory, element, vector->bytes, vector->count),
                "fill", vector);
}

sumac_status vector_fill_integer(executor *self, sumac_vector *vector, uint64_t integer)
{
    const uint64_t raw[SCALAR_MAX_LIMBS] = {scalar_little_endian(integer)};
    return vector_fill(self, vector, raw);
}

sumac_status vector_invert(executor *self, sumac_vector *vector)
{
    const vector_run run = run_of(self, vector->group);
    return done(self, scalars_of(self, vector)->invert(&run, vector->memory, vector->count), "invert",
                vector);
}

sumac_status vector_scale_powers(executor *self, sumac_vector *vector, size_t length, const void *factor,
                                 const void *ratio)
{
    uint64_t first[SCALAR_MAX_LIMBS], step[SCALAR_MAX_LIMBS];
    const vector_run run = run_of(self, vector->group);
    TRY(scalar_of(self, vector->group, factor, "the factor", first));
    TRY(scalar_of(self, vector->group, ratio, "the ratio", step));
    return done(
        self,
        scalars_of(self, vector)->scale_powers(&run, vector->memory, vector->count, length, first, step),
        "scale", vector);
}

sumac_status vector_sum(executor *self, sumac_vector *result, const sumac_vector *a, size_t length)
{
    const vector_run run = run_of(self, a->group);
    const uint64_t rows = a->count / length;
    const sumac_status status = has_scalars(a)
                                    ? scalars_of(self, a)->sum(&run, result->memory, a->memory, rows, length)
                                    : points_of(self, a)->sum(&run, result->memory, a->memory, rows, length);
    return done(self, status, "sum up", a);
}

int vector_can_evaluate(const executor *self, const sumac_group *group)
{
    return vector_scalar_ops(self, group)->evaluate != NULL;
}

sumac_status vector_evaluate(executor *self, sumac_vector *result, sumac_vector *values,
                             const sumac_vector *points, const sumac_vector *inverses,
                             const sumac_vector *quarter)
{
    const vector_run run = run_of(self, values->group);
    const vector_evaluation evaluation = {.length = values->count / points->count,
                                          .points = points->memory,
                                          .inverses = inverses->memory,
                                          .quarter = quarter->memory};
    return done(
        self,
        scalars_of(self, values)->evaluate(&run, result->memory, values->memory, points->count, &evaluation),
        "evaluate", values);
}

sumac_status vector_scan_rows(executor *self, sumac_vector *vector, size_t length, const vector_scan *scan)
{
    const vector_run run = run_of(self, vector->group);
    if (vector->count == 0) {
        return SUMAC_OK;
    }
    return done(self, scalars_of(self, vector)->scan(&run, vector->memory, vector->count, length, scan),
                "scan", vector);
}

sumac_status vector_multiply_sparse(executor *self, sumac_vector *result, size_t result_first,
                                    const sparse_rows *matrix, const sumac_vector *a, size_t a_first)
{
    const vector_run run = run_of(self, a->group);
    return done(self,
                scalars_of(self, a)->multiply_sparse(&run, vector_at(result, result_first),
                                                     vector_at(a, a_first), matrix),
                "multiply a matrix with", a);
}

/* ---- Transforms ---- */

sumac_status vector_check_root(executor *self, const sumac_group *group, const void *raw, uint32_t log2)
{
    const vector_run run = run_of(self, group);
    const size_t bytes = vector_scalar_ops(self, group)->bytes;
    const uint64_t *one = registered(group)->scalars.one;
    uint64_t power[SCALAR_MAX_LIMBS];
    int is_one_too_early = 0;
    TRY(scalar_of(self, group, raw, "the root", power));
    if (log2 > 0) {
        roots_raise(&run, power, log2 - 1);
        is_one_too_early = memcmp(power, one, bytes) == 0;
        roots_raise(&run, power, 1);
    }
    if (is_one_too_early || memcmp(power, one, bytes) != 0) {
        return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                      "the root of a transform of 2^%u elements must be a root of unity of that order", log2);
    }
    return SUMAC_OK;
}

static sumac_status transform(executor *self, sumac_vector *vector, const sumac_transform_config *config)
{
    const scalar_vector_ops *ops = scalars_of(self, vector);
    const vector_run run = run_of(self, vector->group);
    const size_t length = config->length == 0 ? (size_t)vector->count : config->length;
    uint64_t shift[SCALAR_MAX_LIMBS], root[SCALAR_MAX_LIMBS];
    vector_transform rows = {
        .rows = vector->count / length,
        .log2 = log2_of(length),
        .inverse = config->inverse != 0,
        .value_order = config->value_order,
        .coefficient_order = config->coefficient_order,
        .shift = config->shift == NULL ? NULL : shift,
        .coefficients = config->coefficients == 0 ? length : config->coefficients,
    };
    TRY(scalar_of(self, vector->group, config->shift, "the shift", shift));
    TRY(scalar_of(self, vector->group, config->root, "the root", root));
    TRY(done(self,
             roots_take(self, &run, ops, has_scalars(vector), rows.log2, config->root == NULL ? NULL : root,
                        &rows.roots),
             "make the roots for", vector));
    return done(self,
                has_scalars(vector) ? ops->transform(&run, vector->memory, &rows)
                                    : points_of(self, vector)->transform(&run, vector->memory, &rows, ops),
                "transform", vector);
}

/* A device does not wait between the transforms of the vectors. */
sumac_status vectors_ntt(executor *self, sumac_vector *const *vectors, size_t count,
                         const sumac_transform_config *config)
{
    sumac_status status = executor_report(self, 0);
    for (size_t i = 0; i < count && status == SUMAC_OK; i++) {
        if (self->engine != NULL) {
            self->backend->device->queue(self->engine, self->queues || i + 1 < count);
        }
        status = transform(self, vectors[i], config);
    }
    return status;
}

sumac_status vector_ntt(executor *self, sumac_vector *vector, const sumac_transform_config *config)
{
    return vectors_ntt(self, &vector, 1, config);
}

sumac_status vector_point_transform_twice(executor *self, sumac_vector *points, size_t length,
                                          sumac_order value_order)
{
    const point_vector_ops *ops = points_of(self, points);
    const vector_run run = run_of(self, points->group);
    sumac_transform_config config = {.size = sizeof config};
    if (ops->transform_twice != NULL) {
        TRY(executor_report(self, 0));
        const sumac_status status =
            ops->transform_twice(&run, points->memory, points->count / length, log2_of(length), value_order);
        if (status != SUMAC_NOT_SUPPORTED) {
            return done(self, status, "transform", points);
        }
    }
    config.length = length;
    TRY(vector_ntt(self, points, &config));
    config.coefficients = length / 2;
    config.value_order = value_order;
    return vector_ntt(self, points, &config);
}

/*
 * Let m be the length of a row and w its root of unity. The value at index i is taken at x = shift*w^i, and its divisor is
 * x^n - 1 = shift^n * (w^n)^i - 1. The order of w^n is m/n, so there are m/n different divisors. In natural order they
 * repeat after m/n elements. In bit-reversed order index j holds the value of i = rev(j), whose lowest bits are the
 * highest of j, so that n consecutive elements have the same divisor. If shift^m = 1, shift^n is a power of w^n and one of
 * the divisors is 0; otherwise none is, because every x^m is shift^m.
 */
sumac_status vector_divide_by_vanishing(executor *self, sumac_vector *vector, size_t n,
                                        const sumac_transform_config *config)
{
    const size_t length = config->length == 0 ? (size_t)vector->count : config->length, count = length / n;
    const int is_reversed = config->value_order == SUMAC_ORDER_BIT_REVERSED;
    const vector_run run = run_of(self, vector->group);
    const scalar_vector_ops *ops = scalars_of(self, vector);
    const uint64_t *one = registered(vector->group)->scalars.one;
    uint64_t first[SCALAR_MAX_LIMBS], last[SCALAR_MAX_LIMBS], ratio[SCALAR_MAX_LIMBS];
    uint8_t root[SCALAR_MAX_LIMBS * sizeof *one];
    CLEANUP(close_vector) sumac_vector *divisors = NULL, *ones = NULL;
    TRY(scalar_of(self, vector->group, config->shift, "the shift", first));
    roots_raise(&run, first, log2_of(n));
    memcpy(last, first, ops->bytes);
    roots_raise(&run, last, log2_of(count));
    if (memcmp(last, one, ops->bytes) == 0) {
        return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                      "X^%zu - 1 is 0 at a point of the coset: choose another shift", n);
    }
    if (config->root != NULL) {
        TRY(scalar_of(self, vector->group, config->root, "the root", ratio));
        roots_raise(&run, ratio, log2_of(n));
    } else {
        executor_code(self, vector->group)->scalar_vectors->root(root, log2_of(count));
        TRY(scalar_of(self, vector->group, root, "the root", ratio));
    }
    TRY(create_for_call(self, vector->group, count, &divisors));
    TRY(create_for_call(self, vector->group, 1, &ones));
    TRY(done(self, self->backend->vectors->fill(&run, divisors->memory, one, ops->bytes, count), "fill",
             divisors));
    TRY(done(self, self->backend->vectors->fill(&run, ones->memory, one, ops->bytes, 1), "fill", ones));
    TRY(done(self, ops->scale_powers(&run, divisors->memory, count, count, first, ratio), "scale", divisors));
    TRY(vector_subtract(self, divisors, divisors, ones, 1));
    TRY(vector_invert(self, divisors));
    if (is_reversed) {
        TRY(vector_bit_reverse(self, divisors, count));
    }
    return vector_multiply(self, vector, vector, divisors, is_reversed ? n : 1);
}

/* ---- MSMs ---- */

sumac_status vector_lay_out(executor *self, const sumac_vector *points, size_t first, size_t n, void *records)
{
    const vector_run run = run_of(self, points->group);
    return done(self, points_of(self, points)->lay_out_records(&run, records, vector_at(points, first), n),
                "make bases of", points);
}

/* Describe a call of MSMs from vectors to vectors. */
static void call_of_vectors(msm_call *call, const executor *self, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config)
{
    sumac_msm_config of_vectors = *config;
    of_vectors.scalar_form = SUMAC_FORM_MONTGOMERY;
    of_vectors.scalars_location = of_vectors.result_location =
        self->engine == NULL ? SUMAC_LOCATION_HOST : SUMAC_LOCATION_DEVICE;
    msm_call_make(call, self, bases->group, n, &of_vectors);
}

sumac_status vector_msm_workspace(executor *self, executor_list *all, const sumac_bases *bases, size_t n,
                                  const sumac_msm_config *config, uint64_t *bytes)
{
    msm_call call;
    shared_plan shared;
    call_of_vectors(&call, self, bases, n, config);
    TRY(shared_msm_plan(all, bases, &call, 0, &shared));
    *bytes = shared.plan.bytes_workspace;
    return SUMAC_OK;
}

sumac_status vector_msm(executor *self, executor_list *all, const sumac_bases *bases, uint32_t shard,
                        const sumac_vector *scalars, size_t first, size_t n, const sumac_msm_config *config,
                        sumac_vector *results, size_t result_first)
{
    const msm_target target = {vector_at(results, result_first), 1};
    msm_call call;
    call_of_vectors(&call, self, bases, n, config);
    if (all != NULL) {
        return shared_msm_run(all, bases, vector_at(scalars, first), &call, NULL, target);
    }
    return msm_run(self, bases, bases->shard_count > 1 ? shard : 0, vector_at(scalars, first), &call, NULL,
                   target);
}
