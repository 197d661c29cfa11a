/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/points.h"

#include "api/call.h"
#include "api/handles.h"
#include "base/clock.h"
#include "base/integers.h"
#include "codec/decode_request.h"
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

sumac_status format_find(sumac_context *context, const char *name, const sumac_group *group,
                         const point_format **format)
{
    *format = format_named(name);
    if (*format == NULL) {
        return fail(context, SUMAC_UNKNOWN_FORMAT, "there is no format of the name %s", name);
    }
    if (group != NULL && !(*format)->holds(group)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the format %s does not hold points of %s %s", name,
                    group->curve, group->name);
    }
    return SUMAC_OK;
}

/* ---- Decoding on the device ---- */

int device_decodes(const sumac_context *context, const sumac_group *group, const point_format *format)
{
    const executor *first = context_executor(context);
    return first->engine != NULL && format->is_compressed && first->backend->device->can_decode(group);
}

/* The device has refused a record. Decode it with the host's code, to get its status and message. */
static decode_outcome refused_record(const sumac_context *context, const sumac_group *group,
                                     const point_format *format, const uint8_t *records, size_t bad,
                                     sumac_check check)
{
    uint8_t raw[POINT_MOST_BYTES];
    decode_outcome outcome = format_decode(format, raw, records + bad * format_record_bytes(format, group), 1,
                                           group, context_code(context, group)->convert, check);
    outcome.bad = bad;
    return outcome;
}

typedef struct decode_progress {
    executor *self;
    size_t n;
} decode_progress;

static sumac_status report(void *user, uint64_t decoded)
{
    const decode_progress *progress = user;
    return executor_report(progress->self, (double)decoded / (double)progress->n);
}

int decode_on_device(sumac_context *context, const sumac_group *group, const point_format *format,
                     const uint8_t *records, size_t n, sumac_check check, int asks, uint8_t *raw,
                     decode_outcome *outcome)
{
    if (n / DEVICE_POINTS_PER_THREAD < context->threads || !device_decodes(context, group, format)) {
        return 0;
    }
    const parallel_team team = {.threads = context->threads, .name = "copy", .pool = context->pool};
    executor *first = context_executor(context);
    decode_progress progress = {first, n};
    const decode_request request = {.records = records,
                                    .raw = raw,
                                    .n = n,
                                    .check = check,
                                    .team = &team,
                                    .parallel = parallel_for,
                                    .ask = asks ? report : NULL,
                                    .user = &progress};
    const double begin = clock_seconds();
    uint64_t bad;
    const sumac_status status = first->backend->device->decode(first->engine, group, &request, &bad);
    if (context->config.trace != NULL) {
        const sumac_trace_event event = {sizeof event, "decode", 0, 0, begin, clock_seconds()};
        context->config.trace(context->config.user, &event);
    }
    *outcome = (decode_outcome){.status = status};
    if (status != SUMAC_OK && bad < n) {
        *outcome = refused_record(context, group, format, records, (size_t)bad, check);
        return outcome->status == status; /* if the statuses differ, the device is broken, and the host
                                             decides */
    }
    return status == SUMAC_OK || status == SUMAC_CANCELLED;
}

/* ---- Decoding and encoding ---- */

static sumac_status fail_record(executor *self, const decode_outcome *outcome, const char *noun, size_t first)
{
    return outcome->status == SUMAC_OK ? SUMAC_OK
                                       : refuse(&self->message, outcome->status, "%s %zu %s", noun,
                                                first + outcome->bad, decode_problem(outcome));
}

/* Between two progress reports each thread decodes this many slices, in some tenths of a second. */
#define DECODE_SLICES ((size_t)64)

/* Check that the sizes of n records and of n raw points do not overflow. */
static sumac_status check_count(executor *self, const slices_job *job)
{
    const size_t most = larger(format_record_bytes(job->format, job->info), job->info->point_bytes);
    size_t bytes;
    if (__builtin_mul_overflow(job->n, most + sizeof(decode_outcome), &bytes)) {
        return refuse(&self->message, SUMAC_BAD_ARGUMENT,
                      "%zu points of %zu bytes are more than any memory holds", job->n, most);
    }
    return SUMAC_OK;
}

/* Convert all points of the job on the executor's threads. `to` is written only after all points are converted.
 * Decoding reports its progress, because it takes long. Messages call point i "<noun> <first + i>". */
static sumac_status convert(executor *self, const sumac_group *group, const slices_job *all, int encode,
                            const char *noun, size_t first, uint8_t *to)
{
    slices_job job = *all;
    const group_code *code = executor_code(self, group);
    parallel_team team = executor_team(self, encode ? "encode" : "decode");
    const size_t n = job.n, record_bytes = format_record_bytes(job.format, job.info);
    const size_t from_bytes = encode ? job.info->point_bytes : record_bytes;
    const size_t to_bytes = encode ? record_bytes : job.info->point_bytes;
    const size_t slices = slices_count(n), bytes = n * to_bytes;
    const size_t affine_bytes = smaller(slices, team.threads) * DECODE_MOST * code->affine_bytes;
    const size_t step =
        encode || self->means.progress == NULL ? n : DECODE_SLICES * DECODE_MOST * self->means.threads;
    const uint8_t *from = job.from;
    if (n == 0) {
        return SUMAC_OK;
    }
    AUTO_FREE uint8_t *converted = malloc(bytes);
    AUTO_FREE decode_outcome *outcomes = calloc(slices, sizeof *outcomes); /* slices that are not decoded keep
                                                                              SUMAC_OK */
    AUTO_FREE void *affine = malloc(affine_bytes);
    if (converted == NULL || outcomes == NULL || affine == NULL) {
        return refuse(&self->message, SUMAC_OUT_OF_MEMORY,
                      "there is no memory of %zu bytes to convert %zu points",
                      bytes + slices * sizeof *outcomes + affine_bytes, n);
    }
    if (!encode) {
        team.cancelled = self->means.cancelled;
    }
    job.convert = code->convert;
    job.team = &team;
    job.run = parallel_for;
    job.outcomes = outcomes;
    job.affine_bytes = code->affine_bytes;
    job.affine = affine;
    for (size_t done = 0; done < n; done += step) {
        job.from = from + done * from_bytes;
        job.to = converted + done * to_bytes;
        job.n = smaller(step, n - done);
        const decode_outcome outcome = encode ? slices_encode(&job) : slices_decode(&job);
        TRY(fail_record(self, &outcome, noun, first + done));
        if (!encode) {
            TRY(executor_report(self, (double)(done + job.n) / (double)n));
        }
    }
    memcpy(to, converted, bytes);
    return SUMAC_OK;
}

sumac_status encoded_points_decode(sumac_context *context, const sumac_group *group,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw)
{
    executor *self = context_executor(context);
    slices_job job = {.format = format, .info = group, .from = records, .n = n, .check = check};
    decode_outcome outcome;
    TRY(check_count(self, &job));
    if (decode_on_device(context, group, format, records, n, check, 1, raw, &outcome)) {
        return outcome.status == SUMAC_CANCELLED ? outcome.status : fail_record(self, &outcome, noun, first);
    }
    return convert(self, group, &job, 0, noun, first, raw);
}

sumac_status encoded_points_encode(executor *self, const sumac_group *group, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records)
{
    slices_job job = {.format = format, .info = group, .from = raw, .n = n, .check = SUMAC_CHECK_NONE};
    TRY(check_count(self, &job));
    return convert(self, group, &job, 1, "point", 0, records);
}

/* Find the format of a caller's records. If the caller gives no name, the records are raw points. */
static sumac_status find_records_format(sumac_context *context, const sumac_group *group, const char *name,
                                        const point_format **format)
{
    *format = &raw_format;
    if (name != NULL) {
        TRY(format_find(context, name, group, format));
    }
    if ((*format)->records != NULL) {
        *format = (*format)->records(group);
    }
    return (*format)->layout == LAYOUT_RECORDS
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED,
                      "points of the format %s are not records of one size: they are read from files", name);
}

sumac_status sumac_points_record_bytes(sumac_context *context, const sumac_group *group, const char *format,
                                       size_t *bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, group != NULL && bytes != NULL, "curve and bytes"));
    const point_format *found;
    TRY(find_records_format(context, group, format, &found));
    *bytes = format_record_bytes(found, group);
    return SUMAC_OK;
}

/* Begin a call that converts `count` points, and find the format of their records. */
static sumac_status begin_points(sumac_context *context, const sumac_group *group, const void *records,
                                 size_t records_bytes, size_t count, const char *name, const void *points,
                                 size_t points_bytes, const point_format **format)
{
    TRY(require(context, group != NULL && (count == 0 || (records != NULL && points != NULL)),
                "group, records and points"));
    TRY(find_records_format(context, group, name, format));
    TRY(bytes_require(context, "records", records_bytes, count, format_record_bytes(*format, group)));
    return bytes_require(context, "points", points_bytes, count, group->point_bytes);
}

sumac_status sumac_points_decode(sumac_context *context, const sumac_group *group, const void *records,
                                 size_t records_bytes, size_t count, const char *format, sumac_check check,
                                 void *points, size_t points_bytes)
{
    BEGIN_CALL(context);
    if ((unsigned)check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no sumac_check", (int)check);
    }
    const point_format *found;
    TRY(begin_points(context, group, records, records_bytes, count, format, points, points_bytes, &found));
    return encoded_points_decode(context, group, found, "point", 0, records, count, check, points);
}

sumac_status sumac_points_encode(sumac_context *context, const sumac_group *group, const void *points,
                                 size_t points_bytes, size_t count, const char *format, void *records,
                                 size_t records_bytes)
{
    BEGIN_CALL(context);
    const point_format *found;
    TRY(begin_points(context, group, records, records_bytes, count, format, points, points_bytes, &found));
    return encoded_points_encode(context_executor(context), group, found, points, count, records);
}
