/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/points.h"

#include "api/call.h"
#include "api/device_decode.h"
#include "api/handles.h"
#include "base/integers.h"
#include "pipeline/parallel.h"

size_t sumac_format_count(void)
{
    size_t count = 0;
    while (format_at(count) != NULL) {
        count++;
    }
    return count;
}

const sumac_format_info *sumac_format_at(size_t index)
{
    const point_format *format = format_at(index);
    return format == NULL ? NULL : &format->info;
}

sumac_status format_find(sumac_context *context, const char *name, const sumac_curve *curve,
                         const point_format **format)
{
    *format = format_named(name);
    if (*format == NULL) {
        return fail(context, SUMAC_UNKNOWN_FORMAT, "there is no format of the name %s", name);
    }
    if (!(*format)->holds(&curve->info)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the format %s does not hold points of %s %s", name,
                    curve->info.name, curve->info.group);
    }
    return SUMAC_OK;
}

static sumac_status fail_record(executor *self, const decode_outcome *outcome, const char *noun, size_t first)
{
    return outcome->status == SUMAC_OK ? SUMAC_OK
                                       : refuse(&self->message, outcome->status, "%s %zu %s", noun,
                                                first + outcome->bad, decode_problem(outcome));
}

/* Slices that each thread decodes from one report to the next: some tenths of a second. */
#define DECODE_SLICES ((size_t)64)

/* The points of a call of decoding or encoding. */
typedef struct conversion {
    const sumac_curve *curve;
    const point_format *format;
    int encode;
    const uint8_t *from;
    size_t n;
    sumac_check check;
    const char *noun; /* messages call point i "<noun> <first + i>" */
    size_t first;
} conversion;

/* Check that n records and n raw points have sizes at all. */
static sumac_status check_count(executor *self, const conversion *all)
{
    const size_t most =
        larger(format_record_bytes(all->format, &all->curve->info), all->curve->info.point_bytes);
    size_t bytes;
    if (__builtin_mul_overflow(all->n, most + sizeof(decode_outcome), &bytes)) {
        return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                      "%zu points of %zu bytes are more than any memory holds", all->n, most);
    }
    return SUMAC_OK;
}

/* Convert all points on the executor's threads. `to` is written when all are converted. Decoding, which takes long, reports
 * its progress. */
static sumac_status convert(executor *self, const conversion *all, uint8_t *to)
{
    const curve_code *code = executor_code(self, all->curve);
    const parallel_team team = executor_team(self, all->encode ? "encode" : "decode");
    const size_t raw_bytes = all->curve->info.point_bytes;
    const size_t record_bytes = format_record_bytes(all->format, &all->curve->info);
    const size_t slices = slices_count(all->n), bytes = all->n * (all->encode ? record_bytes : raw_bytes);
    const size_t affine_bytes = smaller(slices, team.threads) * DECODE_MOST * code->affine_bytes;
    const size_t step = all->encode || self->means.progress == NULL
                            ? all->n
                            : DECODE_SLICES * DECODE_MOST * self->means.threads;
    if (all->n == 0) {
        return SUMAC_OK;
    }
    AUTO_FREE uint8_t *converted = malloc(bytes);
    AUTO_FREE decode_outcome *outcomes = malloc(slices * sizeof *outcomes);
    AUTO_FREE void *affine = malloc(affine_bytes);
    if (converted == NULL || outcomes == NULL || affine == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                      "there is no memory of %zu bytes to convert %zu points",
                      bytes + slices * sizeof *outcomes + affine_bytes, all->n);
    }
    slices_job job = {
        .format = all->format,
        .info = &all->curve->info,
        .convert = code->convert,
        .check = all->check,
        .team = &team,
        .run = parallel_for,
        .outcomes = outcomes,
        .affine_bytes = code->affine_bytes,
        .affine = affine,
    };
    for (size_t done = 0; done < all->n; done += step) {
        job.from = all->from + done * (all->encode ? raw_bytes : record_bytes);
        job.to = converted + done * (all->encode ? record_bytes : raw_bytes);
        job.n = smaller(step, all->n - done);
        const decode_outcome outcome = all->encode ? slices_encode(&job) : slices_decode(&job);
        TRY(fail_record(self, &outcome, all->noun, all->first + done));
        if (!all->encode) {
            TRY(executor_report(self, (double)(done + job.n) / (double)all->n));
        }
    }
    memcpy(to, converted, bytes);
    return SUMAC_OK;
}

sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw)
{
    executor *self = context_executor(context);
    const conversion all = {curve, format, 0, records, n, check, noun, first};
    decode_outcome outcome;
    TRY(check_count(self, &all));
    if (decode_on_device(context, curve, format, records, n, check, 1, raw, &outcome)) {
        return outcome.status == SUMAC_CANCELLED ? outcome.status : fail_record(self, &outcome, noun, first);
    }
    return convert(self, &all, raw);
}

sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records)
{
    const conversion all = {curve, format, 1, raw, n, SUMAC_CHECK_NONE, "point", 0};
    TRY(check_count(self, &all));
    return convert(self, &all, records);
}

/* Find the format of a caller's records; without a name they are raw points. */
static sumac_status find_records_format(sumac_context *context, const sumac_curve *curve, const char *name,
                                        const point_format **format)
{
    *format = &raw_format;
    if (name != NULL) {
        TRY(format_find(context, name, curve, format));
    }
    if ((*format)->records != NULL) {
        *format = (*format)->records(&curve->info);
    }
    return (*format)->layout == LAYOUT_RECORDS
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED,
                      "points of the format %s are not records of one size: they are read from files", name);
}

sumac_status sumac_points_record_bytes(sumac_context *context, const sumac_curve *curve, const char *format,
                                       size_t *bytes)
{
    BEGIN_CALL(context);
    if (curve == NULL || bytes == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve and bytes must not be null");
    }
    const point_format *found;
    TRY(find_records_format(context, curve, format, &found));
    *bytes = format_record_bytes(found, &curve->info);
    return SUMAC_OK;
}

sumac_status sumac_points_decode(sumac_context *context, const sumac_curve *curve, const void *records,
                                 size_t n, const char *format, sumac_check check, void *raw_points)
{
    BEGIN_CALL(context);
    if (curve == NULL || (n > 0 && (records == NULL || raw_points == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, records and raw_points must not be null");
    }
    if ((unsigned)check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no sumac_check", (int)check);
    }
    const point_format *found;
    TRY(find_records_format(context, curve, format, &found));
    return encoded_points_decode(context, curve, found, "point", 0, records, n, check, raw_points);
}

sumac_status sumac_points_encode(sumac_context *context, const sumac_curve *curve, const void *raw_points,
                                 size_t n, const char *format, void *records)
{
    BEGIN_CALL(context);
    if (curve == NULL || (n > 0 && (records == NULL || raw_points == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, raw_points and records must not be null");
    }
    const point_format *found;
    TRY(find_records_format(context, curve, format, &found));
    return encoded_points_encode(context_executor(context), curve, found, raw_points, n, records);
}
