/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MSMs of files, chunk by chunk: sumac/files.h. */
#define _XOPEN_SOURCE 700

#include "sumac/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases.h"
#include "api/call.h"
#include "api/context.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "api/members.h"
#include "api/planning.h"
#include "api/sizes.h"
#include "base/clock.h"
#include "base/integers.h"
#include "base/memory_left.h"
#include "io/memory.h"
#include "io/points.h"
#include "io/stream_checkpoint.h"
#include "io/stream_files.h"
#include "io/stream_reader.h"
#include "io/stream_sizes.h"
#include "io/whole_file.h"

/* The share of a chunk's work that importing its bases is: for progress only. */
#define LOAD_SHARE 0.1

/* The whole call. */
typedef struct msm_stream {
    sumac_context *context;
    const sumac_curve *curve;
    sumac_files_config config;
    sumac_msm_config msm; /* of each chunk */
    sumac_bases_config chunk_config;
    sumac_form result_form;
    stream_files files;
    stream_sizes sizes;
    uint64_t n;
    uint64_t done; /* of n */
    uint64_t resumed;
    checksum sums[STREAM_INPUTS]; /* of the records that are done, where has_sums() */
    stream_reader reader;
    int reads;          /* the reader has begun */
    sumac_bases *bases; /* of a chunk; on the CPU, the same memory for all */
    uint8_t *scalars;
    uint8_t *points;        /* raw: the sum so far, and the chunk's */
    void *addends;          /* the same two as the curve's code takes them */
    double checkpoint_time; /* of the last checkpoint */
    int checkpoint_is_new;  /* this call made it, and no chunk is in it yet */
    double load_seconds, msm_seconds;
    /* The caller's configuration, while the context has the call's own. */
    sumac_context_config callers;
    uint64_t members_limit;                /* of each of its members */
    double progress_start, progress_share; /* of the call: what the step at work is */
} msm_stream;

static int has_sums(const msm_stream *stream)
{
    return stream->config.checkpoint != NULL || stream->files.is_table;
}

/* ---- Progress ---- */

static void report_progress(void *user, double done)
{
    const msm_stream *stream = user;
    stream->callers.progress(stream->callers.user, stream->progress_start + stream->progress_share * done);
}

static void pass_trace(void *user, const sumac_trace_event *event)
{
    const msm_stream *stream = user;
    stream->callers.trace(stream->callers.user, event);
}

/* A step that does the part [from, to] of the next n bases' work. */
static void begin_step(msm_stream *stream, uint64_t n, double from, double to)
{
    stream->progress_start = ((double)stream->done + from * (double)n) / (double)stream->n;
    stream->progress_share = (to - from) * (double)n / (double)stream->n;
}

/* ---- Memory ---- */

static uint64_t memory_limit(const msm_stream *stream)
{
    const sumac_context_config *callers = &stream->callers;
    return stream->config.memory_limit != 0 ? stream->config.memory_limit
           : callers->memory_limit != 0     ? callers->memory_limit
                                            : memory_left("") / 2;
}

/* The context's own choices while the call runs: its limit is what the chunks leave, and its progress is the
 * call's. */
static void enter(msm_stream *stream)
{
    sumac_context_config *config = &stream->context->config;
    stream->callers = *config;
    if (stream->context->members != NULL) {
        stream->members_limit = stream->context->members->at[0].context->config.memory_limit;
    }
    config->user = stream;
    config->progress = config->progress == NULL ? NULL : report_progress;
    config->trace = config->trace == NULL ? NULL : pass_trace;
    if (stream->context->engine == NULL) {
        config->memory_limit = UINT64_MAX; /* there is one */
    }
}

static void leave(msm_stream *stream)
{
    const context_members *members = stream->context->members;
    for (uint32_t k = 0; members != NULL && k < members->count; k++) {
        members->at[k].context->config.memory_limit = stream->members_limit;
        members->at[k].context->call.request.curve = NULL;
    }
    stream->context->config = stream->callers;
    stream->context->call.request.curve = NULL; /* planned within another limit */
}

/* A workspace of calls before counts, too. */
static void bound_workspace(sumac_context *context, uint64_t bytes)
{
    context->config.memory_limit = bytes;
    if (context->workspace_bytes > bytes) {
        context->backend->release(context->workspace);
        context->workspace = NULL;
        context->workspace_bytes = 0;
    }
}

/* On the CPU, where the members of a context have one memory together. */
static void fit_workspace(const msm_stream *stream)
{
    sumac_context *context = stream->context;
    const uint32_t members = context->members == NULL ? 0 : context->members->count;
    if (context->engine != NULL) {
        return;
    }
    bound_workspace(context, stream->sizes.workspace);
    for (uint32_t k = 0; k < members; k++) {
        bound_workspace(context->members->at[k].context, larger(1, stream->sizes.workspace / members));
    }
}

static sumac_status choose_sizes(msm_stream *stream)
{
    const uint64_t fixed = STREAM_BLOCKS * stream_block_bytes(stream->files.inputs) + POINT_IMPORTER_BYTES +
                           ((uint64_t)1 << 20); /* and a mebibyte for all that is small */
    const stream_sizes_request request = {.curve = stream->curve,
                                          .bases = &stream->chunk_config,
                                          .msm = &stream->msm,
                                          .n = stream->n - stream->done,
                                          .chunk = stream->config.chunk,
                                          .limit = memory_limit(stream),
                                          .fixed = fixed};
    const sumac_status status = stream_sizes_choose(stream->context, &request, &stream->sizes);
    if (status == SUMAC_OK) {
        fit_workspace(stream);
    }
    return status;
}

static sumac_status allocate(msm_stream *stream)
{
    const sumac_curve_info *info = &stream->curve->info;
    const char *path = stream->files.inputs[STREAM_SCALARS].file.path;
    const uint64_t bytes = stream->sizes.chunk * info->scalar_bytes;
    const sumac_status status = memory_require(stream->context, path, bytes);
    if (status != SUMAC_OK) {
        return status;
    }
    stream->scalars = malloc((size_t)larger(1, bytes));
    return stream->scalars == NULL ? memory_failed(stream->context, path, bytes) : SUMAC_OK;
}

static sumac_status allocate_points(msm_stream *stream)
{
    const size_t bytes = context_code(stream->context, stream->curve)->affine_bytes;
    stream->points = calloc(2, stream->curve->info.point_bytes);
    stream->addends = host_points(2 * bytes);
    return stream->points == NULL || stream->addends == NULL
               ? fail(stream->context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for two points",
                      2 * (bytes + stream->curve->info.point_bytes))
               : SUMAC_OK;
}

/* On the CPU the first chunk's bases are overwritten by those of the next. */
static sumac_status bases_for_chunk(msm_stream *stream, uint64_t n)
{
    if (stream->bases != NULL && stream->context->backend->device == NULL) {
        return SUMAC_OK;
    }
    sumac_bases_destroy(stream->bases);
    stream->bases = NULL;
    return bases_for_points(stream->context, stream->curve, stream->files.inputs[STREAM_BASES].file.path, n,
                            &stream->chunk_config, &stream->bases);
}

/* ---- A chunk ---- */

/* Take the bytes of the next n bases and scalars, with an importer whose buffers are the reader's. */
static sumac_status take_chunk(msm_stream *stream, uint64_t n, point_importer *importer)
{
    uint64_t scalars = 0;
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && (scalars < n || importer->done < n)) {
        const stream_block *block = stream_reader_take(&stream->reader);
        const stream_input *input = &stream->files.inputs[block->which];
        if (block->missing > 0) {
            return stream_files_fail_block(&stream->files, block);
        }
        if (block->which == STREAM_SCALARS) {
            memcpy(stream->scalars + scalars * input->record_bytes, block->bytes,
                   block->records * input->record_bytes);
            scalars += block->records;
        } else {
            importer->records = block->bytes;
            importer->raw = importer->encoding == NULL ? block->bytes : importer->raw;
            status = point_importer_take(importer, block->records, block->offset, input->record_bytes);
        }
        stream->sums[block->which] = block->sum;
        stream_reader_give(&stream->reader);
    }
    return status;
}

static sumac_status load_chunk(msm_stream *stream, uint64_t n)
{
    sumac_status status = bases_for_chunk(stream, n);
    if (status != SUMAC_OK) {
        return status;
    }
    point_importer importer = {.context = stream->context,
                               .bases = stream->bases,
                               .path = stream->files.inputs[STREAM_BASES].file.path,
                               .unit = "byte",
                               .encoding = stream->files.format->encoding,
                               .form = stream->files.is_table ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL,
                               .check = stream->config.check,
                               .capacity = point_importer_capacity(stream->curve), /* the reader's blocks */
                               .total = n};
    status = point_importer_begin(&importer);
    uint8_t *const records = importer.records, *const raw = importer.raw;
    if (status == SUMAC_OK) {
        status = take_chunk(stream, n, &importer);
    }
    importer.records = records;
    importer.raw = raw;
    point_importer_end(&importer);
    return status == SUMAC_OK ? bases_complete(stream->context, stream->bases) : status;
}

/* The two points of stream->points to stream->addends. */
static sumac_status import_addends(msm_stream *stream, sumac_check check)
{
    const curve_code *code = context_code(stream->context, stream->curve);
    const point_layout layout = {SUMAC_FORM_CANONICAL, stream->curve->info.point_bytes, SUMAC_INFINITY_ZERO,
                                 0};
    size_t bad = 0;
    return code->convert->import_points(stream->addends, stream->points, 2, &layout, check, &bad);
}

/* The chunk's sum to the sum so far; it leaves infinity in the chunk's place. */
static sumac_status add_sum(msm_stream *stream)
{
    const curve_code *code = context_code(stream->context, stream->curve);
    const size_t bytes = stream->curve->info.point_bytes;
    const sumac_status status = import_addends(stream, SUMAC_CHECK_NONE);
    if (status != SUMAC_OK) { /* both are the library's own */
        return fail(stream->context, SUMAC_INTERNAL, "%s", sumac_status_text(SUMAC_INTERNAL));
    }
    code->points->sum(stream->addends, stream->addends, 2);
    code->convert->export_points(stream->points, stream->addends, 1, SUMAC_FORM_CANONICAL);
    memset(stream->points + bytes, 0, bytes);
    return SUMAC_OK;
}

/* The sentence names a scalar by its place in the file. */
static sumac_status fail_large_scalar(const msm_stream *stream, uint64_t n)
{
    const uint64_t bad = first_large_scalar(stream->curve, stream->scalars,
                                            (scalar_layout){stream->curve->info.scalar_bytes, 0}, (size_t)n,
                                            stream->msm.scalar_form, stream->msm.scalar_bits);
    return fail(stream->context, SUMAC_SCALAR_TOO_LARGE,
                "%s: scalar %" PRIu64 " has more than the declared %u bits",
                stream->files.inputs[STREAM_SCALARS].file.path, stream->config.first + stream->done + bad,
                stream->msm.scalar_bits);
}

static sumac_status run_chunk(msm_stream *stream, uint64_t n)
{
    const double start = clock_seconds();
    begin_step(stream, n, 0, LOAD_SHARE);
    sumac_status status = load_chunk(stream, n);
    const double loaded = clock_seconds();
    stream->load_seconds += loaded - start;
    begin_step(stream, n, LOAD_SHARE, 1);
    if (status == SUMAC_OK) {
        status = sumac_msm(stream->context, stream->bases, stream->scalars, (size_t)n, &stream->msm,
                           stream->points + stream->curve->info.point_bytes);
        status = status == SUMAC_SCALAR_TOO_LARGE ? fail_large_scalar(stream, n) : status;
    }
    if (status == SUMAC_OK) {
        status = add_sum(stream);
    }
    stream->msm_seconds += clock_seconds() - loaded;
    return status;
}

/* ---- Checkpoints ---- */

static checkpoint_subject subject_of(const msm_stream *stream)
{
    return (checkpoint_subject){.curve = stream->curve,
                                .format = stream->files.format->info.name,
                                .check = stream->config.check,
                                .outside_subgroup = stream->chunk_config.outside_subgroup,
                                .scalar_form = stream->msm.scalar_form,
                                .scalar_bits = stream->msm.scalar_bits,
                                .cut_scalars = stream->msm.cut_scalars != 0,
                                .bases_bytes = stream->files.inputs[STREAM_BASES].file.size,
                                .scalars_bytes = stream->files.inputs[STREAM_SCALARS].file.size,
                                .first = stream->config.first,
                                .n = stream->n};
}

static sumac_status write_checkpoint(msm_stream *stream)
{
    const checkpoint_subject subject = subject_of(stream);
    const checkpoint_state state = {.done = stream->done,
                                    .bases_sum = checksum_result(&stream->sums[STREAM_BASES]),
                                    .scalars_sum = checksum_result(&stream->sums[STREAM_SCALARS])};
    const sumac_status status =
        checkpoint_write(stream->context, stream->config.checkpoint, &subject, &state, stream->points);
    stream->checkpoint_time = clock_seconds();
    stream->checkpoint_is_new &= stream->done == 0 || status != SUMAC_OK;
    return status;
}

/* After a chunk. That of the result is written when all is known to be right. */
static sumac_status keep_checkpoint(msm_stream *stream)
{
    if (stream->config.checkpoint == NULL || stream->done == stream->n ||
        clock_seconds() - stream->checkpoint_time < stream->config.checkpoint_seconds) {
        return SUMAC_OK;
    }
    return write_checkpoint(stream);
}

static sumac_status check_done(msm_stream *stream, int which, uint64_t expected, uint8_t *block)
{
    const sumac_status status = stream_files_sum(&stream->files, which, stream->config.first, stream->done,
                                                 block, &stream->sums[which]);
    if (status == SUMAC_OK && checksum_result(&stream->sums[which]) != expected) {
        return fail(stream->context, SUMAC_MISMATCH,
                    "%s: a checkpoint of another MSM: the %s that are done are not those in %s",
                    stream->config.checkpoint, which == STREAM_BASES ? "bases" : "scalars",
                    stream->files.inputs[which].file.path);
    }
    return status;
}

/* Go on from what a checkpoint says. The files' bytes up to there must be those that were summed up: nothing
 * else of the files matters. */
static sumac_status take_checkpoint(msm_stream *stream, const checkpoint_state *state)
{
    uint8_t *block = malloc(stream_block_bytes(stream->files.inputs));
    if (block == NULL) {
        return memory_failed(stream->context, stream->config.checkpoint,
                             stream_block_bytes(stream->files.inputs));
    }
    stream->done = stream->resumed = state->done;
    sumac_status status = import_addends(stream, SUMAC_CHECK_CURVE);
    if (status != SUMAC_OK) {
        status = fail(stream->context, status, "%s: the sum in it: %s", stream->config.checkpoint,
                      sumac_status_text(status));
    }
    if (status == SUMAC_OK) {
        status = check_done(stream, STREAM_SCALARS, state->scalars_sum, block);
    }
    if (status == SUMAC_OK) {
        status = check_done(stream, STREAM_BASES, state->bases_sum, block);
    }
    free(block);
    return status;
}

/* Find where the work begins. A checkpoint that can't be written is found out now. */
static sumac_status begin_checkpoint(msm_stream *stream)
{
    const checkpoint_subject subject = subject_of(stream);
    checkpoint_state state;
    int found = 0;
    if (stream->config.checkpoint == NULL) {
        return SUMAC_OK;
    }
    const sumac_status status =
        checkpoint_read(stream->context, stream->config.checkpoint, &subject, &state, stream->points, &found);
    if (status != SUMAC_OK) {
        return status;
    }
    if (found) {
        return take_checkpoint(stream, &state);
    }
    stream->checkpoint_is_new = 1;
    return write_checkpoint(stream);
}

/* A call that failed leaves no checkpoint of its own without work in it. */
static void drop_empty_checkpoint(const msm_stream *stream)
{
    if (stream->checkpoint_is_new) {
        (void)path_remove(stream->config.checkpoint);
    }
}

/* ---- The call ---- */

static sumac_status run_chunks(msm_stream *stream)
{
    const uint64_t first = stream->config.first;
    if (stream->done < stream->n) {
        stream->reads = stream_reader_begin(&stream->reader, stream->files.inputs, first + stream->done,
                                            first + stream->n, stream->sizes.chunk,
                                            has_sums(stream) ? stream->sums : NULL);
        if (!stream->reads) {
            return memory_failed(stream->context, stream->files.inputs[STREAM_BASES].file.path,
                                 STREAM_BLOCKS * stream_block_bytes(stream->files.inputs));
        }
    }
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && stream->done < stream->n) {
        const uint64_t n = smaller(stream->sizes.chunk, stream->n - stream->done);
        status = run_chunk(stream, n);
        if (status == SUMAC_OK) {
            stream->done += n;
            status = stream_files_check(&stream->files);
        }
        if (status == SUMAC_OK) {
            status = keep_checkpoint(stream);
        }
    }
    return status;
}

static sumac_status run(msm_stream *stream, const char *bases_path, const char *scalars_path)
{
    sumac_status status =
        stream_files_open(&stream->files, bases_path, scalars_path, &stream->config, &stream->n);
    stream->chunk_config.outside_subgroup |= stream->files.outside_subgroup;
    if (status == SUMAC_OK) {
        status = allocate_points(stream);
    }
    if (status == SUMAC_OK) {
        status = begin_checkpoint(stream);
    }
    if (status == SUMAC_OK) {
        status = choose_sizes(stream);
    }
    if (status == SUMAC_OK) {
        status = allocate(stream);
    }
    if (status == SUMAC_OK) {
        status = run_chunks(stream);
    }
    if (status == SUMAC_OK && stream->files.is_table) {
        status = stream_files_check_table(&stream->files, checksum_result(&stream->sums[STREAM_BASES]));
    }
    if (status == SUMAC_OK) {
        status = stream_files_check(&stream->files);
    }
    if (status == SUMAC_OK && stream->config.checkpoint != NULL && write_checkpoint(stream) != SUMAC_OK) {
        stream->context->message[0] = '\0'; /* the result is there; the checkpoint before leads to it, too */
    }
    return status;
}

static void clean_up(msm_stream *stream)
{
    if (stream->reads) {
        stream_reader_end(&stream->reader);
    }
    stream_files_close(&stream->files);
    bases_abandon(stream->context, stream->bases);
    host_points_free(stream->addends);
    free(stream->points);
    free(stream->scalars);
}

static sumac_status check_config(const msm_stream *stream)
{
    const sumac_files_config *config = &stream->config;
    const sumac_msm_config *msm = &stream->msm;
    const char *fault = (unsigned)config->check > SUMAC_CHECK_SUBGROUP
                            ? "check is none of none, curve and subgroup"
                        : config->check == SUMAC_CHECK_SUBGROUP && config->outside_subgroup
                            ? "check is subgroup, but the points are declared to lie outside of it"
                        : !(config->checkpoint_seconds >= 0) ? "checkpoint_seconds is negative"
                        : msm->first != 0 ? "it is the stream's first that counts, not the MSM's"
                                          : NULL;
    if (fault != NULL) {
        return fail(stream->context, SUMAC_BAD_ARGUMENT, "the configuration can't be used: %s", fault);
    }
    if (msm->batch > 1 || msm->stream != NULL || msm->event != NULL ||
        msm->scalars_location != SUMAC_LOCATION_HOST || msm->result_location != SUMAC_LOCATION_HOST) {
        return fail(stream->context, SUMAC_NOT_SUPPORTED,
                    "an MSM of files is one, and its result is the host's: no batch, no device, no stream");
    }
    if (msm->scalar_signed ||
        (msm->scalar_bytes != 0 && msm->scalar_bytes != stream->curve->info.scalar_bytes)) {
        return fail(stream->context, SUMAC_NOT_SUPPORTED,
                    "a file's scalars are whole: scalar_bytes and scalar_signed are for scalars in memory");
    }
    return planning_check_config(stream->context, stream->curve, msm);
}

/* The caller's structs, checked. */
static sumac_status take_configs(msm_stream *stream, const sumac_files_config *config,
                                 const sumac_msm_config *msm, const sumac_files_report *report)
{
    char *message = stream->context->message;
    sumac_status status = public_take(&public_files_config, config, &stream->config, message);
    if (status == SUMAC_OK) {
        status = public_take(&public_msm_config, msm, &stream->msm, message);
    }
    if (status == SUMAC_OK && report != NULL) {
        status = public_check(&public_files_report, report, message);
    }
    if (status == SUMAC_OK) {
        status = check_config(stream);
    }
    stream->result_form = stream->msm.result_form;
    stream->msm.result_form = SUMAC_FORM_CANONICAL;
    stream->chunk_config = sumac_bases_config_default();
    stream->chunk_config.check = stream->config.check;
    stream->chunk_config.outside_subgroup = stream->config.outside_subgroup != 0;
    return status;
}

static void give_result(const msm_stream *stream, sumac_files_report *report, void *result)
{
    const curve_code *code = context_code(stream->context, stream->curve);
    /* The sum is in the first place, also of a checkpoint in which all is done; or there are no bases. */
    if (stream->n == 0) {
        memset(result, 0, stream->curve->info.point_bytes);
    } else {
        code->convert->export_points(result, stream->addends, 1, stream->result_form);
    }
    const sumac_files_report made = {.size = sizeof made,
                                     .n = stream->n,
                                     .resumed = stream->resumed,
                                     .chunk = stream->sizes.chunk,
                                     .memory_bytes = stream->sizes.total,
                                     .load_seconds = stream->load_seconds,
                                     .msm_seconds = stream->msm_seconds};
    if (report != NULL) {
        public_copy(&made, report);
    }
}

sumac_status sumac_msm_files(sumac_context *context, const sumac_curve *curve, const char *bases_path,
                             const char *scalars_path, const sumac_files_config *config,
                             const sumac_msm_config *msm_config, sumac_files_report *report, void *result)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || bases_path == NULL || scalars_path == NULL || result == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, paths and result must not be null");
    }
    msm_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a stream",
                    sizeof *stream);
    }
    stream->context = context;
    stream->curve = curve;
    stream_files_begin(&stream->files, context, curve);
    for (int i = 0; i < STREAM_INPUTS; i++) {
        checksum_begin(&stream->sums[i]);
    }
    sumac_status status = take_configs(stream, config, msm_config, report);
    if (status == SUMAC_OK) {
        enter(stream);
        status = run(stream, bases_path, scalars_path);
        leave(stream);
    }
    if (status == SUMAC_OK) {
        give_result(stream, report, result);
    } else {
        drop_empty_checkpoint(stream);
    }
    clean_up(stream);
    free(stream);
    return status;
}
