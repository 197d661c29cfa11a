/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/encoded.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "pipeline/parallel.h"
#include "io/on_device.h"

enum { SLICE_POINTS = DECODE_MOST }; /* what a thread converts at a time */

/* Records and raw points while threads convert their slices. */
typedef struct conversion {
    const sumac_curve_info *info;
    const convert_ops *convert;
    const point_encoding *encoding; /* null: records are raw points */
    size_t record_bytes;
    size_t n;
    sumac_check check;
    const uint8_t *from;
    uint8_t *to;
    decode_outcome *slices;
    char *affine;        /* SLICE_POINTS points for each thread */
    size_t affine_bytes; /* of a thread's */
} conversion;

/* Check n raw canonical points, n <= SLICE_POINTS. */
static sumac_status check_points(const conversion *work, uint32_t thread, const uint8_t *raw, size_t n,
                                 sumac_check check, size_t *bad)
{
    const point_layout layout = {.form = SUMAC_FORM_CANONICAL, .stride = work->info->point_bytes};
    return work->convert->import_points(work->affine + thread * work->affine_bytes, raw, n, &layout, check,
                                        bad);
}

static sumac_status decode_records(const conversion *work, uint32_t thread, size_t first, size_t n,
                                   size_t *bad, const char **problem)
{
    const uint8_t *records = work->from + first * work->record_bytes;
    uint8_t *raw = work->to + first * work->info->point_bytes;
    sumac_status decoded = SUMAC_OK;
    size_t good = n, outside = 0;
    if (work->encoding == NULL) {
        memcpy(raw, records, n * work->record_bytes);
    } else {
        decoded =
            work->encoding->decode(raw, records, n, work->info, work->convert, work->check, bad, problem);
        good = decoded == SUMAC_OK ? n : *bad;
        if (work->encoding->checks) {
            return decoded;
        }
    }
    /* Those before a record that is none may be worse. */
    const sumac_status checked = check_points(work, thread, raw, good, work->check, &outside);
    if (checked != SUMAC_OK) {
        *bad = outside;
        *problem = NULL;
        return checked;
    }
    return decoded;
}

static sumac_status encode_records(const conversion *work, uint32_t thread, size_t first, size_t n,
                                   size_t *bad, const char **problem)
{
    const uint8_t *raw = work->from + first * work->info->point_bytes;
    uint8_t *records = work->to + first * work->record_bytes;
    const sumac_status status = check_points(work, thread, raw, n, SUMAC_CHECK_NONE, bad);
    (void)problem;
    for (size_t i = 0; status == SUMAC_OK && i < n; i++) {
        if (work->encoding == NULL) {
            memcpy(records + i * work->record_bytes, raw + i * work->record_bytes, work->record_bytes);
        } else {
            work->encoding->encode(records + i * work->record_bytes, raw + i * work->info->point_bytes,
                                   work->info, work->convert);
        }
    }
    return status;
}

static void convert_slice(conversion *work, size_t index, uint32_t thread,
                          sumac_status (*convert)(const conversion *work, uint32_t thread, size_t first,
                                                  size_t n, size_t *bad, const char **problem))
{
    decode_outcome *slice = &work->slices[index];
    const size_t first = index * SLICE_POINTS;
    const size_t n = work->n - first < SLICE_POINTS ? work->n - first : SLICE_POINTS;
    *slice = (decode_outcome){.status = SUMAC_OK};
    slice->status = convert(work, thread, first, n, &slice->bad, &slice->problem);
    slice->bad += first;
}

static void decode_slice(void *arguments, size_t index, uint32_t thread)
{
    convert_slice(arguments, index, thread, decode_records);
}

static void encode_slice(void *arguments, size_t index, uint32_t thread)
{
    convert_slice(arguments, index, thread, encode_records);
}

static sumac_status fail_record(executor *self, const decode_outcome *outcome, const char *noun, size_t first)
{
    return executor_fail(self, outcome->status, "%s %zu %s", noun, first + outcome->bad,
                         outcome->problem == NULL ? point_problem_text(outcome->status) : outcome->problem);
}

/* Of several bad records the first one is reported. */
static sumac_status first_failure(executor *self, const conversion *work, size_t slices, const char *noun,
                                  size_t first)
{
    for (size_t i = 0; i < slices; i++) {
        const decode_outcome *slice = &work->slices[i];
        if (slice->status != SUMAC_OK) {
            return fail_record(self, slice, noun, first);
        }
    }
    return SUMAC_OK;
}

/* Convert all on the executor's threads, into memory of its own first: `to` stays as it is on failure. */
static sumac_status convert_all(executor *self, const sumac_curve *curve, conversion *work, const char *noun,
                                size_t first, int encode, uint8_t *to)
{
    const parallel_team team = executor_team(self, encode ? "encode" : "decode");
    const size_t slices = work->n / SLICE_POINTS + (work->n % SLICE_POINTS != 0);
    const size_t bytes = work->n * (encode ? work->record_bytes : work->info->point_bytes);
    if (work->n == 0) {
        return SUMAC_OK;
    }
    const curve_code *code = executor_code(self, curve);
    const size_t threads = slices < team.threads ? slices : team.threads;
    work->convert = code->convert;
    work->to = malloc(bytes);
    work->slices = malloc(slices * sizeof *work->slices);
    work->affine_bytes = SLICE_POINTS * code->affine_bytes;
    work->affine = malloc(threads * work->affine_bytes);
    sumac_status status = SUMAC_OK;
    if (work->to == NULL || work->slices == NULL || work->affine == NULL) {
        status =
            executor_fail(self, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes to convert %zu points",
                          bytes + slices * sizeof *work->slices + threads * work->affine_bytes, work->n);
    } else {
        parallel_for(&team, slices, encode ? encode_slice : decode_slice, work);
        status = first_failure(self, work, slices, noun, first);
    }
    if (status == SUMAC_OK) {
        memcpy(to, work->to, bytes);
    }
    free(work->to);
    free(work->slices);
    free(work->affine);
    return status;
}

static conversion conversion_of(const sumac_curve *curve, const point_encoding *encoding)
{
    return (conversion){.info = &curve->info,
                        .encoding = encoding,
                        .record_bytes =
                            encoding == NULL ? curve->info.point_bytes : encoding->bytes(&curve->info)};
}

/* Whether n records and n raw points have sizes at all. */
static sumac_status check_count(executor *self, const conversion *work, size_t n)
{
    const size_t larger =
        work->record_bytes > work->info->point_bytes ? work->record_bytes : work->info->point_bytes;
    size_t bytes;
    if (__builtin_mul_overflow(n, larger + sizeof(decode_outcome), &bytes)) {
        return executor_fail(self, SUMAC_BAD_ARGUMENT,
                             "%zu points of %zu bytes are more than any memory holds", n, larger);
    }
    return SUMAC_OK;
}

sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_encoding *encoding, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw)
{
    conversion work = conversion_of(curve, encoding);
    const sumac_status status = check_count(context_executor(context), &work, n);
    decode_outcome outcome;
    if (status == SUMAC_OK && encoding != NULL &&
        decode_on_device(context, curve, encoding, records, n, check, raw, &outcome)) {
        return outcome.status == SUMAC_OK ? SUMAC_OK
                                          : fail_record(context_executor(context), &outcome, noun, first);
    }
    work.n = n;
    work.check = check;
    work.from = records;
    return status != SUMAC_OK ? status
                              : convert_all(context_executor(context), curve, &work, noun, first, 0, raw);
}

sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_encoding *encoding,
                                   const uint8_t *raw, size_t n, uint8_t *records)
{
    conversion work = conversion_of(curve, encoding);
    const sumac_status status = check_count(self, &work, n);
    work.n = n;
    work.from = raw;
    return status != SUMAC_OK ? status : convert_all(self, curve, &work, "point", 0, 1, records);
}
