/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/points.h"

#include <stdlib.h>
#include <string.h>

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

/* Convert the job's records, into its memory. Decoding, which takes long, asks whether to go on. */
static sumac_status convert_steps(executor *self, const slices_job *all, const char *noun, size_t first,
                                  int encode)
{
    const size_t raw_bytes = all->info->point_bytes, record_bytes = all->format->record_bytes(all->info);
    const size_t step =
        encode || self->means.progress == NULL ? all->n : DECODE_SLICES * DECODE_MOST * self->means.threads;
    sumac_status status = SUMAC_OK;
    for (size_t done = 0; status == SUMAC_OK && done < all->n; done += step) {
        slices_job job = *all;
        job.from += done * (encode ? raw_bytes : record_bytes);
        job.to += done * (encode ? record_bytes : raw_bytes);
        job.n = smaller(step, all->n - done);
        const decode_outcome outcome = encode ? slices_encode(&job) : slices_decode(&job);
        status = fail_record(self, &outcome, noun, first + done);
        if (status == SUMAC_OK && !encode) {
            status = executor_report(self, (double)(done + job.n) / (double)all->n);
        }
    }
    return status;
}

/* Convert all on the executor's threads, into memory of its own first: `to` stays as it is on failure. */
static sumac_status convert_all(executor *self, const sumac_curve *curve, const slices_job *asked,
                                const char *noun, size_t first, int encode, uint8_t *to)
{
    slices_job own = *asked, *job = &own;
    const curve_code *code = executor_code(self, curve);
    const parallel_team team = executor_team(self, encode ? "encode" : "decode");
    const size_t slices = slices_count(job->n);
    const size_t bytes =
        job->n * (encode ? job->format->record_bytes(&curve->info) : curve->info.point_bytes);
    const size_t threads = slices < team.threads ? slices : team.threads;
    const size_t affine_bytes = threads * DECODE_MOST * code->affine_bytes;
    if (job->n == 0) {
        return SUMAC_OK;
    }
    job->info = &curve->info;
    job->convert = code->convert;
    job->team = &team;
    job->run = parallel_for;
    job->to = malloc(bytes);
    job->outcomes = malloc(slices * sizeof *job->outcomes);
    job->affine_bytes = code->affine_bytes;
    job->affine = malloc(affine_bytes);
    sumac_status status;
    if (job->to == NULL || job->outcomes == NULL || job->affine == NULL) {
        status = refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                        "there is no memory of %zu bytes to convert %zu points",
                        bytes + slices * sizeof *job->outcomes + affine_bytes, job->n);
    } else {
        status = convert_steps(self, job, noun, first, encode);
    }
    if (status == SUMAC_OK) {
        memcpy(to, job->to, bytes);
    }
    free(job->to);
    free(job->outcomes);
    free(job->affine);
    return status;
}

/* Whether n records and n raw points have sizes at all. */
static sumac_status check_count(executor *self, const sumac_curve *curve, const point_format *format,
                                size_t n)
{
    const size_t record_bytes = format->record_bytes(&curve->info), raw_bytes = curve->info.point_bytes;
    const size_t larger = record_bytes > raw_bytes ? record_bytes : raw_bytes;
    size_t bytes;
    if (__builtin_mul_overflow(n, larger + sizeof(decode_outcome), &bytes)) {
        return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                      "%zu points of %zu bytes are more than any memory holds", n, larger);
    }
    return SUMAC_OK;
}

sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw)
{
    executor *self = context_executor(context);
    const sumac_status status = check_count(self, curve, format, n);
    slices_job job = {.format = format, .from = records, .n = n, .check = check};
    decode_outcome outcome;
    if (status == SUMAC_OK && decode_on_device(context, curve, format, records, n, check, 1, raw, &outcome)) {
        return outcome.status == SUMAC_CANCELLED ? outcome.status : fail_record(self, &outcome, noun, first);
    }
    return status != SUMAC_OK ? status : convert_all(self, curve, &job, noun, first, 0, raw);
}

sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records)
{
    const sumac_status status = check_count(self, curve, format, n);
    slices_job job = {.format = format, .from = raw, .n = n};
    return status != SUMAC_OK ? status : convert_all(self, curve, &job, "point", 0, 1, records);
}

/* The format of a caller's records; null is that of raw points. */
static sumac_status find_records_format(sumac_context *context, const sumac_curve *curve, const char *name,
                                        const point_format **format)
{
    *format = &raw_format;
    const sumac_status status = name == NULL ? SUMAC_OK : format_find(context, name, curve, format);
    if (status == SUMAC_OK && (*format)->records != NULL) {
        *format = (*format)->records(&curve->info);
    }
    if (status == SUMAC_OK && (*format)->layout != LAYOUT_RECORDS) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "points of the format %s are not records of one size: they are read from files", name);
    }
    return status;
}

sumac_status sumac_points_record_bytes(sumac_context *context, const sumac_curve *curve, const char *format,
                                       size_t *bytes)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || bytes == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve and bytes must not be null");
    }
    const point_format *found;
    const sumac_status status = find_records_format(context, curve, format, &found);
    if (status == SUMAC_OK) {
        *bytes = found->record_bytes(&curve->info);
    }
    return status;
}

sumac_status sumac_points_decode(sumac_context *context, const sumac_curve *curve, const void *records,
                                 size_t n, const char *format, sumac_check check, void *raw_points)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || (n > 0 && (records == NULL || raw_points == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, records and raw_points must not be null");
    }
    if ((unsigned)check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no sumac_check", (int)check);
    }
    const point_format *found;
    const sumac_status status = find_records_format(context, curve, format, &found);
    return status != SUMAC_OK
               ? status
               : encoded_points_decode(context, curve, found, "point", 0, records, n, check, raw_points);
}

sumac_status sumac_points_encode(sumac_context *context, const sumac_curve *curve, const void *raw_points,
                                 size_t n, const char *format, void *records)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || (n > 0 && (records == NULL || raw_points == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, raw_points and records must not be null");
    }
    const point_format *found;
    const sumac_status status = find_records_format(context, curve, format, &found);
    return status != SUMAC_OK
               ? status
               : encoded_points_encode(context_executor(context), curve, found, raw_points, n, records);
}
