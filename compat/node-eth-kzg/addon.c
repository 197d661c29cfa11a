/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is Node-API over eth_kzg.h. Each method is a row of a table, with its arguments, its call and its result.
 * run() executes it on the thread of the event loop. start() executes it on a thread of libuv's pool, and returns a
 * promise. All arguments are copied first, so that JavaScript which runs meanwhile has no effect on them. */
#define NAPI_VERSION 8
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <node_api.h>

#include "eth_kzg.h"

enum {
    BLOB = 131072,
    CELL = 2048,
    POINT = 48,
    ELEMENT = 32,
    CELLS = 128,
    MOST_ARGUMENTS = 4,
    ERROR_BYTES = 160
};

/* This tag marks the externals that createContext() made. */
static const napi_type_tag CONTEXT_TAG = {0x5c2c0f0d3a9f4b1e, 0x8e1d7a60b2c94f53};

typedef struct argument {
    const char *name; /* null: there is no argument */
    size_t bytes;     /* the size of an item; 0: the item is an index */
    bool list;
} argument;

/* An argument in memory: its items, one after another, and pointers to each of them. */
typedef struct value {
    uint8_t *bytes;
    const uint8_t **items;
    uint64_t *indices;
    uint64_t count;
} value;

typedef struct job job;

typedef struct method {
    const char *name;
    CResult (*call)(job *j);
    argument arguments[MOST_ARGUMENTS];
    /* The shape of a function's results: the number of items, and the bytes of each. A function without results says
     * whether the proof is valid. */
    struct {
        size_t count, bytes;
    } results[2];
} method;

struct job {
    const method *method;
    const DASContext *context;
    value values[MOST_ARGUMENTS];
    uint8_t *outputs[2]; /* the items of the results, one after another */
    uint8_t *output_items[2][CELLS];
    bool verified;
    CResult result;
    char error[ERROR_BYTES]; /* "": there is no error yet */
    bool wrong_type;         /* an argument has a wrong type, so the error is a TypeError */
    /* The data of a job that start() began. */
    napi_async_work work;
    napi_deferred deferred;
    napi_ref context_in_use;
};

/* ---- The calls ---- */

static const uint8_t *first(const job *j, size_t i)
{
    return j->values[i].bytes;
}

static CResult blob_to_kzg_commitment(job *j)
{
    return eth_kzg_blob_to_kzg_commitment(j->context, first(j, 0), j->outputs[0]);
}

static CResult compute_kzg_proof(job *j)
{
    return eth_kzg_compute_kzg_proof(j->context, first(j, 0), first(j, 1), j->outputs[0], j->outputs[1]);
}

static CResult compute_blob_kzg_proof(job *j)
{
    return eth_kzg_compute_blob_kzg_proof(j->context, first(j, 0), first(j, 1), j->outputs[0]);
}

static CResult verify_kzg_proof(job *j)
{
    return eth_kzg_verify_kzg_proof(j->context, first(j, 0), first(j, 1), first(j, 2), first(j, 3),
                                    &j->verified);
}

static CResult verify_blob_kzg_proof(job *j)
{
    return eth_kzg_verify_blob_kzg_proof(j->context, first(j, 0), first(j, 1), first(j, 2), &j->verified);
}

static CResult verify_blob_kzg_proof_batch(job *j)
{
    const value *v = j->values;
    return eth_kzg_verify_blob_kzg_proof_batch(j->context, v[0].count, v[0].items, v[1].count, v[1].items,
                                               v[2].count, v[2].items, &j->verified);
}

static CResult compute_cells(job *j)
{
    return eth_kzg_compute_cells(j->context, first(j, 0), j->output_items[0]);
}

static CResult compute_cells_and_kzg_proofs(job *j)
{
    return eth_kzg_compute_cells_and_kzg_proofs(j->context, first(j, 0), j->output_items[0],
                                                j->output_items[1]);
}

static CResult recover_cells_and_kzg_proofs(job *j)
{
    const value *v = j->values;
    return eth_kzg_recover_cells_and_proofs(j->context, v[1].count, v[1].items, v[0].count, v[0].indices,
                                            j->output_items[0], j->output_items[1]);
}

static CResult verify_cell_kzg_proof_batch(job *j)
{
    const value *v = j->values;
    return eth_kzg_verify_cell_kzg_proof_batch(j->context, v[0].count, v[0].items, v[1].count, v[1].indices,
                                               v[2].count, v[2].items, v[3].count, v[3].items, &j->verified);
}

#define ONE(name, bytes)                                                                                     \
    {                                                                                                        \
        name, bytes, false                                                                                   \
    }
#define LIST(name, bytes)                                                                                    \
    {                                                                                                        \
        name, bytes, true                                                                                    \
    }
#define INDICES LIST("cellIndices", 0)

static const method METHODS[] = {
    {"blobToKzgCommitment", blob_to_kzg_commitment, {ONE("blob", BLOB)}, {{1, POINT}}},
    {"computeKzgProof",
     compute_kzg_proof,
     {ONE("blob", BLOB), ONE("z", ELEMENT)},
     {{1, POINT}, {1, ELEMENT}}},
    {"computeBlobKzgProof",
     compute_blob_kzg_proof,
     {ONE("blob", BLOB), ONE("commitment", POINT)},
     {{1, POINT}}},
    {"verifyKzgProof",
     verify_kzg_proof,
     {ONE("commitment", POINT), ONE("z", ELEMENT), ONE("y", ELEMENT), ONE("proof", POINT)},
     {{0}}},
    {"verifyBlobKzgProof",
     verify_blob_kzg_proof,
     {ONE("blob", BLOB), ONE("commitment", POINT), ONE("proof", POINT)},
     {{0}}},
    {"verifyBlobKzgProofBatch",
     verify_blob_kzg_proof_batch,
     {LIST("blob", BLOB), LIST("commitment", POINT), LIST("proof", POINT)},
     {{0}}},
    {"computeCells", compute_cells, {ONE("blob", BLOB)}, {{CELLS, CELL}}},
    {"computeCellsAndKzgProofs",
     compute_cells_and_kzg_proofs,
     {ONE("blob", BLOB)},
     {{CELLS, CELL}, {CELLS, POINT}}},
    {"recoverCellsAndKzgProofs",
     recover_cells_and_kzg_proofs,
     {INDICES, LIST("cell", CELL)},
     {{CELLS, CELL}, {CELLS, POINT}}},
    {"verifyCellKzgProofBatch",
     verify_cell_kzg_proof_batch,
     {LIST("commitment", POINT), INDICES, LIST("cell", CELL), LIST("proof", POINT)},
     {{0}}},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* ---- Memory: the only allocation here ---- */

/* Allocate `count` elements of `each` bytes, even if there are none. Return null if memory is short or the size
 * overflows. */
static void *checked_malloc(size_t count, size_t each)
{
    return count > (SIZE_MAX - 1) / each ? NULL : malloc(count * each + 1);
}

/* ---- Arguments ---- */

/* Record why a job cannot be done, and return false. */
static bool refuse(job *j, const char *name, const char *words)
{
    snprintf(j->error, sizeof j->error, "%s %s", name, words);
    return false;
}

/* Refuse an argument of a wrong type, such as a hole in a list. */
static bool refuse_type(job *j, const char *name, const char *words)
{
    j->wrong_type = true;
    return refuse(j, name, words);
}

static bool read_bytes(napi_env env, job *j, const argument *a, napi_value from, uint8_t *to)
{
    bool is_array = false;
    napi_typedarray_type type;
    size_t length;
    void *data;
    if (napi_is_typedarray(env, from, &is_array) != napi_ok || !is_array ||
        napi_get_typedarray_info(env, from, &type, &length, &data, NULL, NULL) != napi_ok ||
        type != napi_uint8_array) {
        return refuse_type(j, a->name, "must be a Uint8Array");
    }
    if (length != a->bytes) {
        char words[80];
        snprintf(words, sizeof words, "must have size %zu, found size %zu", a->bytes, length);
        return refuse(j, a->name, words);
    }
    memcpy(to, data, length);
    return true;
}

/* Read an index of a cell. A number or bigint that is not the index of any cell is passed on unchanged. */
static bool read_index(napi_env env, job *j, napi_value from, uint64_t *index)
{
    double number;
    bool lossless = false;
    if (napi_get_value_double(env, from, &number) == napi_ok) {
        if (!(number >= 0 && number <= UINT32_MAX) || number != (double)(uint32_t)number) {
            return refuse(j, "cellIndices", "must be integers");
        }
        *index = (uint32_t)number;
        return true;
    }
    if (napi_get_value_bigint_uint64(env, from, index, &lossless) != napi_ok || !lossless) {
        return refuse_type(j, "cellIndices", "must be numbers or bigints that are not negative");
    }
    return true;
}

static bool read_argument(napi_env env, job *j, const argument *a, napi_value from, value *v)
{
    uint32_t count = 1;
    bool is_array = false;
    if (a->list && (napi_is_array(env, from, &is_array) != napi_ok || !is_array ||
                    napi_get_array_length(env, from, &count) != napi_ok)) {
        return refuse_type(j, a->name, "must be in an array");
    }
    v->count = count;
    if (a->bytes == 0) {
        v->indices = checked_malloc(count, sizeof *v->indices);
    } else {
        v->bytes = checked_malloc(count, a->bytes);
        v->items = checked_malloc(count, sizeof *v->items);
    }
    if (v->indices == NULL && (v->bytes == NULL || v->items == NULL)) {
        return refuse(j, a->name, "has no memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        napi_value item = from;
        if (a->list && napi_get_element(env, from, i, &item) != napi_ok) {
            return refuse(j, a->name, "cannot be read");
        }
        if (a->bytes == 0) {
            if (!read_index(env, j, item, v->indices + i)) {
                return false;
            }
        } else {
            v->items[i] = v->bytes + i * a->bytes;
            if (!read_bytes(env, j, a, item, v->bytes + i * a->bytes)) {
                return false;
            }
        }
    }
    return true;
}

static bool make_outputs(job *j)
{
    for (size_t r = 0; r < 2; r++) {
        const size_t count = j->method->results[r].count, bytes = j->method->results[r].bytes;
        if (count > 0) {
            j->outputs[r] = checked_malloc(count, bytes);
            if (j->outputs[r] == NULL) {
                return refuse(j, j->method->name, "has no memory");
            }
        }
        for (size_t i = 0; i < count; i++) {
            j->output_items[r][i] = j->outputs[r] + i * bytes;
        }
    }
    return true;
}

/* ---- Jobs ---- */

static void free_job(job *j)
{
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
        free(j->values[i].bytes);
        free((void *)j->values[i].items);
        free(j->values[i].indices);
    }
    free(j->outputs[0]);
    free(j->outputs[1]);
    eth_kzg_free_error_message(j->result.error_msg);
    free(j);
}

static const method *find_method(napi_env env, napi_value name)
{
    char text[40];
    size_t length;
    if (napi_get_value_string_utf8(env, name, text, sizeof text, &length) == napi_ok) {
        for (size_t i = 0; i < METHOD_COUNT; i++) {
            if (strcmp(METHODS[i].name, text) == 0) {
                return METHODS + i;
            }
        }
    }
    return NULL;
}

/* Create the job of (context, name, arguments), and read its arguments. Return null with an exception on failure. */
static job *make_job(napi_env env, napi_callback_info info, napi_value *context)
{
    napi_value given[3];
    size_t count = 3;
    bool ours = false;
    void *data = NULL;
    job *j = checked_malloc(1, sizeof *j);
    if (j == NULL) {
        napi_throw_error(env, NULL, "out of memory");
        return NULL;
    }
    *j = (job){.method = NULL};
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    *context = given[0];
    j->method = find_method(env, given[1]);
    if (j->method == NULL || napi_check_object_type_tag(env, given[0], &CONTEXT_TAG, &ours) != napi_ok ||
        !ours || napi_get_value_external(env, given[0], &data) != napi_ok) {
        refuse(j, "the call", "needs a context and the name of a method");
    }
    j->context = data;
    for (uint32_t i = 0; j->error[0] == '\0' && i < MOST_ARGUMENTS && j->method->arguments[i].name != NULL;
         i++) {
        napi_value from;
        if (napi_get_element(env, given[2], i, &from) != napi_ok) {
            refuse(j, j->method->arguments[i].name, "cannot be read");
        } else {
            read_argument(env, j, j->method->arguments + i, from, j->values + i);
        }
    }
    bool pending = false;
    if (j->error[0] == '\0' && make_outputs(j)) {
        return j;
    }
    if (napi_is_exception_pending(env, &pending) != napi_ok || !pending) {
        (j->wrong_type ? napi_throw_type_error : napi_throw_error)(env, NULL, j->error);
    }
    free_job(j);
    return NULL;
}

static napi_status bytes_to_js(napi_env env, const uint8_t *bytes, size_t count, napi_value *to)
{
    void *data;
    napi_value buffer;
    napi_status status = napi_create_arraybuffer(env, count, &data, &buffer);
    if (status == napi_ok) {
        memcpy(data, bytes, count);
        status = napi_create_typedarray(env, napi_uint8_array, count, buffer, 0, to);
    }
    return status;
}

/* Convert one of the results. If it has several items, convert it to an array. */
static napi_status result_to_js(napi_env env, const job *j, size_t r, napi_value *to)
{
    const size_t count = j->method->results[r].count, bytes = j->method->results[r].bytes;
    if (count == 1) {
        return bytes_to_js(env, j->outputs[r], bytes, to);
    }
    napi_status status = napi_create_array_with_length(env, count, to);
    for (uint32_t i = 0; status == napi_ok && i < count; i++) {
        napi_value item;
        status = bytes_to_js(env, j->output_items[r][i], bytes, &item);
        if (status == napi_ok) {
            status = napi_set_element(env, *to, i, item);
        }
    }
    return status;
}

/* Convert the outcome of a job: the answer, the result, or an array of both results. */
static napi_status job_to_js(napi_env env, const job *j, napi_value *to)
{
    if (j->method->results[0].count == 0) {
        return napi_get_boolean(env, j->verified, to);
    }
    if (j->method->results[1].count == 0) {
        return result_to_js(env, j, 0, to);
    }
    napi_status status = napi_create_array_with_length(env, 2, to);
    for (uint32_t r = 0; status == napi_ok && r < 2; r++) {
        napi_value result;
        status = result_to_js(env, j, r, &result);
        if (status == napi_ok) {
            status = napi_set_element(env, *to, r, result);
        }
    }
    return status;
}

/* run(context, name, arguments): execute a method, and return its result. */
static napi_value run(napi_env env, napi_callback_info info)
{
    napi_value context, to = NULL;
    job *j = make_job(env, info, &context);
    if (j != NULL) {
        j->result = j->method->call(j);
        if (j->result.status != Ok) {
            napi_throw_error(env, NULL, j->result.error_msg);
        } else if (job_to_js(env, j, &to) != napi_ok) {
            napi_throw_error(env, NULL, "the result cannot be handed over");
        }
        free_job(j);
    }
    return to;
}

static void work(napi_env env, void *data)
{
    job *j = data;
    (void)env;
    j->result = j->method->call(j);
}

static napi_value make_error(napi_env env, const char *sentence)
{
    napi_value text, error = NULL;
    if (napi_create_string_utf8(env, sentence, NAPI_AUTO_LENGTH, &text) == napi_ok) {
        napi_create_error(env, NULL, text, &error);
    }
    return error;
}

static void complete(napi_env env, napi_status status, void *data)
{
    job *j = data;
    napi_value to;
    if (status != napi_ok) {
        napi_reject_deferred(env, j->deferred, make_error(env, "the call was cancelled"));
    } else if (j->result.status != Ok) {
        napi_reject_deferred(env, j->deferred, make_error(env, j->result.error_msg));
    } else if (job_to_js(env, j, &to) != napi_ok) {
        napi_reject_deferred(env, j->deferred, make_error(env, "the result cannot be handed over"));
    } else {
        napi_resolve_deferred(env, j->deferred, to);
    }
    napi_delete_reference(env, j->context_in_use);
    napi_delete_async_work(env, j->work);
    free_job(j);
}

/* start(context, name, arguments): do the same as run(), but return a promise. The context lives until the job is
 * done. */
static napi_value start(napi_env env, napi_callback_info info)
{
    napi_value context, name, promise = NULL;
    job *j = make_job(env, info, &context);
    if (j == NULL) {
        return NULL;
    }
    if (napi_create_reference(env, context, 1, &j->context_in_use) != napi_ok ||
        napi_create_string_utf8(env, j->method->name, NAPI_AUTO_LENGTH, &name) != napi_ok ||
        napi_create_async_work(env, NULL, name, work, complete, j, &j->work) != napi_ok ||
        napi_create_promise(env, &j->deferred, &promise) != napi_ok ||
        napi_queue_async_work(env, j->work) != napi_ok) {
        napi_throw_error(env, NULL, "the call cannot be started");
        if (j->work != NULL) {
            napi_delete_async_work(env, j->work);
        }
        if (j->context_in_use != NULL) {
            napi_delete_reference(env, j->context_in_use);
        }
        free_job(j);
        return NULL;
    }
    return promise;
}

static void finalize(napi_env env, void *data, void *hint)
{
    (void)env;
    (void)hint;
    eth_kzg_das_context_free(data);
}

/* createContext(usePrecomp): return a new context. */
static napi_value create_context(napi_env env, napi_callback_info info)
{
    napi_value given, external = NULL;
    size_t count = 1;
    bool use_precomp = true;
    napi_get_cb_info(env, info, &count, &given, NULL, NULL);
    napi_get_value_bool(env, given, &use_precomp);
    DASContext *context = eth_kzg_das_context_new(use_precomp);
    if (context == NULL) {
        napi_throw_error(env, NULL, "out of memory");
    } else if (napi_create_external(env, context, finalize, NULL, &external) != napi_ok) {
        eth_kzg_das_context_free(context);
        napi_throw_error(env, NULL, "the context cannot be handed over");
    } else {
        napi_type_tag_object(env, external, &CONTEXT_TAG);
    }
    return external;
}

NAPI_MODULE_INIT()
{
    napi_value methods, name;
    const napi_property_descriptor functions[] = {
        {"createContext", NULL, create_context, NULL, NULL, NULL, napi_enumerable, NULL},
        {"run", NULL, run, NULL, NULL, NULL, napi_enumerable, NULL},
        {"start", NULL, start, NULL, NULL, NULL, napi_enumerable, NULL},
    };
    napi_create_array_with_length(env, METHOD_COUNT, &methods);
    for (uint32_t i = 0; i < METHOD_COUNT; i++) {
        napi_create_string_utf8(env, METHODS[i].name, NAPI_AUTO_LENGTH, &name);
        napi_set_element(env, methods, i, name);
    }
    napi_define_properties(env, exports, sizeof functions / sizeof *functions, functions);
    napi_set_named_property(env, exports, "methods", methods);
    return exports;
}
