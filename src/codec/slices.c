/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/slices.h"

/* This is a slice of the points of a job. */
typedef struct slice {
    const uint8_t *from;
    uint8_t *to;
    size_t n;
    char *affine; /* null if nothing is checked */
} slice;

size_t slices_count(size_t n)
{
    return n / DECODE_MOST + (n % DECODE_MOST != 0);
}

static slice slice_of(const slices_job *job, size_t index, uint32_t thread, size_t from_bytes,
                      size_t to_bytes)
{
    const size_t first = index * DECODE_MOST;
    return (slice){
        .from = job->from + first * from_bytes,
        .to = job->to + first * to_bytes,
        .n = job->n - first < DECODE_MOST ? job->n - first : DECODE_MOST,
        .affine = job->affine == NULL ? NULL : job->affine + thread * DECODE_MOST * job->affine_bytes,
    };
}

static decode_outcome check_points(const slices_job *job, const slice *at, const uint8_t *raw, size_t n,
                                   sumac_check check)
{
    const point_layout layout = {.form = SUMAC_FORM_CANONICAL, .stride = job->info->point_bytes};
    decode_outcome outcome = {.status = SUMAC_OK};
    outcome.status = job->convert->import_points(at->affine, raw, n, &layout, check, &outcome.bad);
    return outcome;
}

static decode_outcome decode_slice(const slices_job *job, const slice *at)
{
    const decode_outcome decoded =
        format_decode(job->format, at->to, at->from, at->n, job->info, job->convert, job->check);
    if (job->format->encoding.x_only || at->affine == NULL) {
        return decoded;
    }
    /* If a record is malformed, an earlier record may still have a wrong point. That one is reported, because it comes
     * first. */
    const size_t good = decoded.status == SUMAC_OK ? at->n : decoded.bad;
    const decode_outcome checked = check_points(job, at, at->to, good, job->check);
    return checked.status != SUMAC_OK ? checked : decoded;
}

static void decode_task(void *arguments, size_t index, uint32_t thread)
{
    const slices_job *job = arguments;
    const slice at =
        slice_of(job, index, thread, format_record_bytes(job->format, job->info), job->info->point_bytes);
    job->outcomes[index] = decode_slice(job, &at);
    job->outcomes[index].bad += index * DECODE_MOST;
}

static void encode_task(void *arguments, size_t index, uint32_t thread)
{
    const slices_job *job = arguments;
    const size_t record_bytes = format_record_bytes(job->format, job->info),
                 raw_bytes = job->info->point_bytes;
    const slice at = slice_of(job, index, thread, raw_bytes, record_bytes);
    decode_outcome *outcome = &job->outcomes[index];
    *outcome = check_points(job, &at, at.from, at.n, SUMAC_CHECK_NONE);
    for (size_t i = 0; outcome->status == SUMAC_OK && i < at.n; i++) {
        format_encode(job->format, at.to + i * record_bytes, at.from + i * raw_bytes, job->info,
                      job->convert);
    }
    outcome->bad += index * DECODE_MOST;
}

static decode_outcome run_all(slices_job *job, void (*task)(void *arguments, size_t index, uint32_t thread))
{
    const size_t count = slices_count(job->n);
    job->run(job->team, count, task, job);
    for (size_t i = 0; i < count; i++) {
        if (job->outcomes[i].status != SUMAC_OK) {
            return job->outcomes[i];
        }
    }
    return (decode_outcome){.status = SUMAC_OK};
}

decode_outcome slices_decode(slices_job *job)
{
    return run_all(job, decode_task);
}

decode_outcome slices_encode(slices_job *job)
{
    return run_all(job, encode_task);
}
