/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/on_device.h"

#include "api/context.h"
#include "api/handles.h"
#include "base/clock.h"
#include "codec/decode_request.h"
#include "cpu/parallel.h"

int device_decodes(const sumac_context *context, const sumac_curve *curve, const point_encoding *encoding)
{
    return context->engine != NULL && encoding != NULL && encoding->is_compressed &&
           context->backend->device->can_decode(curve);
}

/* What the host's code says of a record that the device has refused: its status, and its words. */
static decode_outcome refused_record(const sumac_context *context, const sumac_curve *curve,
                                     const point_encoding *encoding, const uint8_t *records, size_t bad,
                                     sumac_check check)
{
    uint8_t raw[4 * 12 * 8]; /* room for the largest point, two coordinates in Fp2 */
    size_t none;
    decode_outcome outcome = {.bad = bad};
    outcome.status = encoding->decode(raw, records + bad * encoding->bytes(&curve->info), 1, &curve->info,
                                      context_code(context, curve)->convert, check, &none, &outcome.problem);
    return outcome;
}

static void report_span(const sumac_context *context, double begin)
{
    if (context->config.trace != NULL) {
        const sumac_trace_event event = {sizeof event, "decode", 0, 0, begin, clock_seconds()};
        context->config.trace(context->config.user, &event);
    }
}

int decode_on_device(sumac_context *context, const sumac_curve *curve, const point_encoding *encoding,
                     const uint8_t *records, size_t n, sumac_check check, uint8_t *raw,
                     decode_outcome *outcome)
{
    if (n / DEVICE_POINTS_PER_THREAD < context->threads || !device_decodes(context, curve, encoding)) {
        return 0;
    }
    const parallel_team team = {.threads = context->threads, .name = "copy", .pool = context->pool};
    const decode_request request = {
        .records = records, .raw = raw, .n = n, .check = check, .team = &team, .parallel = parallel_for};
    const double begin = clock_seconds();
    uint64_t bad;
    const sumac_status status = context->backend->device->decode(context->engine, curve, &request, &bad);
    report_span(context, begin);
    *outcome = (decode_outcome){.status = status};
    if (status != SUMAC_OK && bad < n) {
        *outcome = refused_record(context, curve, encoding, records, (size_t)bad, check);
        return outcome->status == status; /* or the device has broken: the host decides */
    }
    return status == SUMAC_OK;
}
