/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "curve.h"
#include "sumac/experimental.h"
#include "sumac/msm.h"

typedef sumac_icicle_element element;

/* ---- One point ---- */

typedef struct point_field {
    sumac_icicle_field field;
    size_t bytes; /* of a coordinate */
} point_field;

static int begin_points(const sumac_icicle_group *g, point_field *f)
{
    const sumac_group *group;
    if (sumac_group_find(g->curve, g->name, &group) != SUMAC_OK) {
        return 0;
    }
    sumac_icicle_field_init(&f->field, group->modulus, group->field_bytes / sizeof(uint64_t), group->degree,
                            g->minus_square);
    f->bytes = (size_t)group->field_bytes * group->degree;
    return 1;
}

static element coordinate(const point_field *f, const void *point, size_t i)
{
    return sumac_icicle_load(&f->field, (const char *)point + i * f->bytes);
}

/* The originals say that no two points are equal if one of them is (0, 0, 0). */
static int is_nothing(const point_field *f, const void *point)
{
    for (size_t i = 0; i < 3; i++) {
        const element e = coordinate(f, point, i);
        if (!sumac_icicle_is_zero(&e)) {
            return 0;
        }
    }
    return 1;
}

bool sumac_icicle_same_point(const sumac_icicle_group *g, const void *a, const void *b)
{
    point_field f;
    if (!begin_points(g, &f) || is_nothing(&f, a) || is_nothing(&f, b)) {
        return false;
    }
    const element z1 = coordinate(&f, a, 2), z2 = coordinate(&f, b, 2);
    for (size_t i = 0; i < 2; i++) {
        const element p = coordinate(&f, a, i), q = coordinate(&f, b, i);
        const element left = sumac_icicle_times(&f.field, &p, &z2),
                      right = sumac_icicle_times(&f.field, &q, &z1);
        if (!sumac_icicle_equal(&left, &right)) {
            return false;
        }
    }
    return true;
}

/* An affine point. Infinity has zeros, which lie on none of these curves. */
typedef struct affine {
    element x, y;
} affine;

static int is_infinity(const affine *p)
{
    return sumac_icicle_is_zero(&p->x) && sumac_icicle_is_zero(&p->y);
}

static affine load_projective(const point_field *f, const void *point)
{
    const element x = coordinate(f, point, 0), y = coordinate(f, point, 1), z = coordinate(f, point, 2);
    const element inverse = sumac_icicle_inverse(&f->field, &z);
    return (affine){sumac_icicle_times(&f->field, &x, &inverse), sumac_icicle_times(&f->field, &y, &inverse)};
}

static void store_affine(const point_field *f, const affine *p, void *point)
{
    sumac_icicle_store(&f->field, &p->x, point);
    sumac_icicle_store(&f->field, &p->y, (char *)point + f->bytes);
}

/* Write Z of a point whose X and Y are an affine point; infinity becomes (0, 1, 0). */
static void finish_projective(size_t coordinate_bytes, void *point)
{
    char *bytes = point;
    int is_zero = 1;
    for (size_t i = 0; i < 2 * coordinate_bytes; i++) {
        is_zero = is_zero && bytes[i] == 0;
    }
    memset(bytes + 2 * coordinate_bytes, 0, coordinate_bytes);
    bytes[(is_zero ? 1 : 2) * coordinate_bytes] = 1;
}

void sumac_icicle_to_affine(const sumac_icicle_group *g, const void *projective, void *out)
{
    point_field f;
    if (begin_points(g, &f)) {
        const affine p = load_projective(&f, projective);
        store_affine(&f, &p, out);
    }
}

void sumac_icicle_from_affine(const sumac_icicle_group *g, const void *in, void *projective)
{
    point_field f;
    if (begin_points(g, &f)) {
        memmove(projective, in, 2 * f.bytes);
        finish_projective(f.bytes, projective);
    }
}

/* The chord or tangent of two points on y^2 = x^3 + b, with slope s: x3 = s^2 - x1 - x2, y3 = s*(x1 - x3) - y1. */
static affine add_affine(const sumac_icicle_field *f, const affine *p, const affine *q)
{
    if (is_infinity(p) || is_infinity(q)) {
        return is_infinity(p) ? *q : *p;
    }
    element rise, run;
    if (!sumac_icicle_equal(&p->x, &q->x)) {
        rise = sumac_icicle_minus(f, &q->y, &p->y);
        run = sumac_icicle_minus(f, &q->x, &p->x);
    } else if (sumac_icicle_equal(&p->y, &q->y) && !sumac_icicle_is_zero(&p->y)) {
        const element square = sumac_icicle_times(f, &p->x, &p->x),
                      twice = sumac_icicle_plus(f, &square, &square);
        rise = sumac_icicle_plus(f, &twice, &square);
        run = sumac_icicle_plus(f, &p->y, &p->y);
    } else {
        return (affine){0};
    }
    const element inverse = sumac_icicle_inverse(f, &run), slope = sumac_icicle_times(f, &rise, &inverse);
    affine sum;
    sum.x = sumac_icicle_times(f, &slope, &slope);
    sum.x = sumac_icicle_minus(f, &sum.x, &p->x);
    sum.x = sumac_icicle_minus(f, &sum.x, &q->x);
    sum.y = sumac_icicle_minus(f, &p->x, &sum.x);
    sum.y = sumac_icicle_times(f, &slope, &sum.y);
    sum.y = sumac_icicle_minus(f, &sum.y, &p->y);
    return sum;
}

void sumac_icicle_add_points(const sumac_icicle_group *g, bool subtract, const void *a, const void *b,
                             void *result)
{
    static const element zero;
    point_field f;
    if (!begin_points(g, &f)) {
        return;
    }
    const affine p = load_projective(&f, a);
    affine q = load_projective(&f, b);
    if (subtract) {
        q.y = sumac_icicle_minus(&f.field, &zero, &q.y);
    }
    const affine sum = add_affine(&f.field, &p, &q);
    store_affine(&f, &sum, result);
    finish_projective(f.bytes, result);
}

/* Write points of libsumac for tests, in records of two or three coordinates. */
void sumac_icicle_generate_points(const sumac_icicle_group *g, unsigned coordinates, void *points, int size)
{
    sumac_icicle_call call;
    uint64_t seed;
    sumac_bases *bases = NULL;
    const size_t count = size < 0 ? 0 : (size_t)size;
    if (sumac_icicle_begin(&call, g) != SUMAC_ICICLE_SUCCESS) {
        return;
    }
    const size_t point = call.group->point_bytes, record = point / 2 * coordinates;
    char *at = points;
    const int made =
        getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed &&
        sumac_known_bases_create(call.context, call.group, count, seed, NULL, &bases) == SUMAC_OK &&
        sumac_bases_get(call.context, bases, 0, count, points, count * point) == SUMAC_OK;
    if (!made) {
        memset(points, 0, count * point);
    }
    for (size_t i = count; coordinates == 3 && i-- > 0;) { /* from the last one, because records grow */
        memmove(at + i * record, at + i * point, point);
        finish_projective(point / 2, at + i * record);
    }
    sumac_bases_destroy(bases);
    sumac_icicle_end(&call);
}

/* ---- Conversions ---- */

/* A GPU's points are converted on the host. */
int sumac_icicle_convert_points(const sumac_icicle_group *g, unsigned coordinates, const void *in, size_t n,
                                bool is_into, const VecOpsConfig *config, void *out)
{
    const sumac_icicle_device *device;
    const sumac_group *group;
    point_field f;
    int status = config == NULL ? SUMAC_ICICLE_INVALID_POINTER : sumac_icicle_active(&device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_status_of(sumac_group_find(g->curve, g->name, &group));
    }
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    (void)begin_points(g, &f);
    const size_t record = coordinates * f.bytes;
    if (config->batch_size < 1 || n > SIZE_MAX / record / (size_t)config->batch_size) {
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    }
    const size_t bytes = n * (size_t)config->batch_size * record, elements = bytes / group->field_bytes;
    status = sumac_icicle_check_memory(device, in, bytes, config->is_a_on_device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(device, out, bytes, config->is_result_on_device);
    }
    if (status != SUMAC_ICICLE_SUCCESS || bytes == 0) {
        return status;
    }
    if (device->gpu == NULL) {
        sumac_icicle_convert(&f.field, in, elements, is_into, out);
        return SUMAC_ICICLE_SUCCESS;
    }
    void *copy = malloc(bytes);
    if (copy == NULL) {
        return SUMAC_ICICLE_OUT_OF_MEMORY;
    }
    status = sumac_icicle_copy(device, copy, in, bytes);
    if (status == SUMAC_ICICLE_SUCCESS) {
        sumac_icicle_convert(&f.field, copy, elements, is_into, copy);
        status = sumac_icicle_copy(device, out, copy, bytes);
    }
    free(copy);
    return status;
}

/* ---- Sums ---- */

/* The number of points of a call: of one MSM if they are shared, else of all. */
static size_t count_points(const MSMConfig *config, int count)
{
    return (size_t)count * (config->are_points_shared_in_batch ? 1 : (size_t)config->batch_size);
}

static int check_config(const MSMConfig *config, int count, const sumac_group *group)
{
    if (config == NULL) {
        return SUMAC_ICICLE_INVALID_POINTER;
    }
    const int is_right = count >= 1 && config->batch_size >= 1 && config->precompute_factor >= 1 &&
                         config->bitsize >= 0 &&
                         (size_t)count * (size_t)config->batch_size <= (size_t)1 << 31 &&
                         (size_t)config->precompute_factor <= SIZE_MAX / group->point_bytes >> 32;
    return is_right ? SUMAC_ICICLE_SUCCESS : SUMAC_ICICLE_INVALID_ARGUMENT;
}

/* Precomputed bases are each base with precompute_factor - 1 times infinity: libsumac makes multiples when it needs them. */
static int create_bases(const sumac_icicle_call *call, const void *points, const MSMConfig *config, int count,
                        sumac_bases **bases)
{
    const size_t n = count_points(config, count);
    sumac_bases_config c = {.size = sizeof c};
    c.form = config->are_points_montgomery_form ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    c.stride = (size_t)config->precompute_factor * call->group->point_bytes;
    c.outside_subgroup = !call->group->cofactor_is_one;
    c.location = call->device->gpu != NULL && config->are_points_on_device ? SUMAC_LOCATION_DEVICE
                                                                           : SUMAC_LOCATION_HOST;
    const int status =
        sumac_icicle_check_memory(call->device, points, n * c.stride, config->are_points_on_device);
    return status != SUMAC_ICICLE_SUCCESS
               ? status
               : sumac_icicle_status_of(
                     sumac_bases_create(call->context, call->group, points, n * c.stride, n, &c, bases));
}

/* Compute affine sums on the host, and write them as projective points. */
static int sum(const sumac_icicle_call *call, const sumac_bases *bases, const void *scalars,
               const MSMConfig *config, int count, void *out)
{
    const size_t batch = (size_t)config->batch_size, point = call->group->point_bytes, record = point / 2 * 3;
    const size_t scalars_bytes = (size_t)count * batch * call->group->scalar_bytes;
    const uint32_t bits = 8 * call->group->scalar_bytes;
    sumac_msm_config c = {.size = sizeof c, .batch = (uint32_t)config->batch_size};
    c.base_sets = config->are_points_shared_in_batch ? 0 : c.batch;
    c.scalar_form = config->are_scalars_montgomery_form ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    c.scalar_bits = (uint32_t)config->bitsize < bits ? (uint32_t)config->bitsize : 0;
    c.cut_scalars = c.scalar_bits != 0;
    c.scalars_location = call->device->gpu != NULL && config->are_scalars_on_device ? SUMAC_LOCATION_DEVICE
                                                                                    : SUMAC_LOCATION_HOST;
    int status =
        sumac_icicle_check_memory(call->device, scalars, scalars_bytes, config->are_scalars_on_device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(call->device, out, batch * record, config->are_results_on_device);
    }
    char *results = status == SUMAC_ICICLE_SUCCESS ? malloc(batch * record) : NULL;
    if (results == NULL) {
        return status == SUMAC_ICICLE_SUCCESS ? SUMAC_ICICLE_OUT_OF_MEMORY : status;
    }
    status = sumac_icicle_status_of(
        sumac_msm(call->context, bases, scalars, scalars_bytes, (size_t)count, &c, results, batch * point));
    if (status == SUMAC_ICICLE_SUCCESS) {
        for (size_t i = batch; i-- > 0;) {
            memmove(results + i * record, results + i * point, point);
            finish_projective(point / 2, results + i * record);
        }
        status = sumac_icicle_copy(call->device, out, results, batch * record);
    }
    free(results);
    return status;
}

int sumac_icicle_msm(const sumac_icicle_group *g, const void *scalars, const void *points, int count,
                     const MSMConfig *config, void *out)
{
    sumac_icicle_call call;
    sumac_bases *bases = NULL;
    int status = sumac_icicle_begin(&call, g);
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    status = check_config(config, count, call.group);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = create_bases(&call, points, config, count, &bases);
    }
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sum(&call, bases, scalars, config, count, out);
    }
    sumac_bases_destroy(bases);
    sumac_icicle_end(&call);
    return status;
}

int sumac_icicle_precompute(const sumac_icicle_group *g, const void *input, int size, const MSMConfig *config,
                            void *output)
{
    const sumac_icicle_device *device;
    const sumac_group *group;
    int status = sumac_icicle_active(&device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_status_of(sumac_group_find(g->curve, g->name, &group));
    }
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = check_config(config, size, group);
    }
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    const size_t point = group->point_bytes, n = count_points(config, size);
    const size_t stride = point * (size_t)config->precompute_factor;
    status = sumac_icicle_check_memory(device, input, n * point, config->are_points_on_device);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(device, output, n * stride, config->are_results_on_device);
    }
    char *bases = status == SUMAC_ICICLE_SUCCESS ? calloc(n, stride) : NULL;
    if (bases == NULL) {
        return status == SUMAC_ICICLE_SUCCESS ? SUMAC_ICICLE_OUT_OF_MEMORY : status;
    }
    status = sumac_icicle_copy(device, bases, input, n * point);
    if (status == SUMAC_ICICLE_SUCCESS) {
        for (size_t i = n; i-- > 1;) { /* from the last one, because records grow */
            memmove(bases + i * stride, bases + i * point, point);
            memset(bases + i * point, 0, config->precompute_factor > 1 ? point : 0);
        }
        status = sumac_icicle_copy(device, output, bases, n * stride);
    }
    free(bases);
    return status;
}
