/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/device_decode.h"

#include "api/call.h"
#include "api/handles.h"
#include "base/clock.h"
#include "codec/decode_request.h"
#include "codec/point_layout.h"
#include "pipeline/parallel.h"

int device_decodes(const sumac_context *context, const sumac_curve *curve, const point_format *format)
{
    const executor *first = context_executor(context);
    return first->engine != NULL && format->is_compressed && first->backend->device->can_decode(curve);
}

/* Decode a record that the device has refused by the host's code, for its status and its words. */
static decode_outcome refused_record(const sumac_context *context, const sumac_curve *curve,
                                     const point_format *format, const uint8_t *records, size_t bad,
                                     sumac_check check)
{
    uint8_t raw[POINT_MOST_BYTES];
    decode_outcome outcome =
        format_decode(format, raw, records + bad * format_record_bytes(format, &curve->info), 1, &curve->info,
                      context_code(context, curve)->convert, check);
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

int decode_on_device(sumac_context *context, const sumac_curve *curve, const point_format *format,
                     const uint8_t *records, size_t n, sumac_check check, int asks, uint8_t *raw,
                     decode_outcome *outcome)
{
    if (n / DEVICE_POINTS_PER_THREAD < context->threads || !device_decodes(context, curve, format)) {
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
    const sumac_status status = first->backend->device->decode(first->engine, curve, &request, &bad);
    if (context->config.trace != NULL) {
        const sumac_trace_event event = {sizeof event, "decode", 0, 0, begin, clock_seconds()};
        context->config.trace(context->config.user, &event);
    }
    *outcome = (decode_outcome){.status = status};
    if (status != SUMAC_OK && bad < n) {
        *outcome = refused_record(context, curve, format, records, (size_t)bad, check);
        return outcome->status == status; /* otherwise the device is broken, and the host decides */
    }
    return status == SUMAC_OK || status == SUMAC_CANCELLED;
}
