/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the addon under index.js. It has every function of the library by its name, with arguments from JavaScript.
 *
 * For each function interface.h lists the arguments, which come from an array of values, and the parameters as letters,
 * which the table below explains. A function is called from JavaScript as
 *
 *     name(state, asynchronous, progress, ...arguments)      [0, ...outputs] or [status, sentence]; asynchronous: a promise
 *
 * state is null or a Float64Array(2). If JavaScript sets its first number, the call is cancelled. Its second number
 * is the part of the call that is done. index.js checks types, lengths and the order of arguments. This file repeats
 * those checks without which it would read or write out of bounds.
 *
 *  | letter | parameter                               | from JavaScript            | output              |
 *  |--------|-----------------------------------------|----------------------------|---------------------|
 *  | h, H   | a handle that is read, written          | an external, null          |                     |
 *  | N      | a new handle                            |                            | an external         |
 *  | s, S   | a struct that is read, written          | null or [index, value, ..] | an object           |
 *  | O      | a struct that is written on a mismatch  | true; null: unwanted       | an object           |
 *  | t, T   | a text, one that the library allocated  | a string, null             | a string            |
 *  | b, B   | bytes that are read, written            | an array, and how many     | an Uint8Array       |
 *  |        |                                         | how many; null: unwanted   | (null: null)        |
 *  | M      | memory that the library allocated       | bytes of each element      | an Uint8Array       |
 *  | m      | memory that the new object works on     | a shared array, how many   |                     |
 *  | p      | pointers to as many bytes each          | an array of them, how many |                     |
 *  | u i z  | uint32_t or enum, int32_t, 64 bits      | a number, z: or a BigInt   |                     |
 *  | d      | double                                  | a number                   |                     |
 *  | n, I   | a number, an answer                     |                            | a number, a boolean |
 *  | r      | a sentence, which becomes the error's   |                            |                     |
 *
 * Fields have more letters: f switches the trace on, w stands for the words of a number, l is b in a struct whose
 * next field is the length in bytes, and T stands for texts. Results have x for a status, v for nothing, and a for an
 * address.
 *
 * Threads: all handles and calls belong to the thread of their environment. Everything in this file runs on this
 * thread, except execute() and the library's callbacks. The only state outside an environment is the call that a
 * thread is in.
 *
 * Memory: only checked_malloc() allocates memory here, and only make_array() allocates arrays of JavaScript.
 */
#define NAPI_VERSION 8
#include <node_api.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sumac/experimental.h>
#include <sumac/groth16.h>
#include <sumac/map.h>
#include <sumac/pairing.h>
#include <sumac/plonk.h>
#include <sumac/pool.h>
#include <sumac/srs.h>
#include <sumac/sumac.h>
#include <sumac/vector.h>

enum {
    MAX_PARAMETERS = 15,
    MAX_ARGUMENTS = 3 + 2 * MAX_PARAMETERS,
    MAX_TRACE = 1 << 16,           /* the most spans that are kept until takeTrace() */
    WRONG_TYPE = UINT32_MAX,       /* instead of a status: a TypeError of JavaScript */
    OUT_OF_RANGE = UINT32_MAX - 1, /* instead of a status: a RangeError */
    CLOSED = UINT32_MAX - 2,
};

typedef union value {
    void *pointer;
    const void *constant;
    uint64_t number;
    double real;
} value;

typedef struct field {
    const char *name;
    size_t offset;
    char kind;
    uint8_t type; /* the type of a handle, or the index of a structure or of the field of bytes */
} field;

typedef struct structure {
    size_t size;
    const field *fields;
    size_t count;
} structure;

typedef struct parameter {
    char kind;
    uint8_t type;
    const char *name;
} parameter;

typedef struct function {
    const char *name;
    void (*run)(const value *arguments, value *result);
    char result;
    uint8_t result_type;
    uint8_t count;
    parameter parameters[MAX_PARAMETERS];
} function;

/* The tables in interface.h use these macros. */
#define DESTROY(type)                                                                                        \
    static void destroy_##type(void *object)                                                                 \
    {                                                                                                        \
        type##_destroy(object);                                                                              \
    }
#define STRUCTURE(type)                                                                                      \
    {                                                                                                        \
        sizeof(type), fields_##type, sizeof fields_##type / sizeof fields_##type[0]                          \
    }
#define FIELD(type, member, name, kind, of)                                                                  \
    {                                                                                                        \
        name, offsetof(type, member), kind, of                                                               \
    }
#include "../interface.h"

/* Return a group as a struct whose fields JavaScript sees. */
static const sumac_group *group_info(const sumac_group *group)
{
    return group;
}

/* Set a struct to zero, so that its fields have their defaults, and set its size. */
static void set_size(void *object, size_t size)
{
    memset(object, 0, size);
    memcpy(object, &size, sizeof size);
}

/* Define, for each function of the library, a function that takes the arguments from an array. List them all in a
 * table. */
#define RUN(name, to, arguments, ...)                                                                        \
    static void run_##name(const value *a, value *result)                                                    \
    {                                                                                                        \
        (void)a;                                                                                             \
        (void)result;                                                                                        \
        to name arguments;                                                                                   \
    }
#define ROW(name, to, arguments, result, result_type, count, ...)                                            \
    {#name, run_##name, result, result_type, count, {__VA_ARGS__}},
FUNCTIONS(RUN)
static const function functions[] = {FUNCTIONS(ROW)};

/* The memory of a call. It has copies of the data to which the arguments point. */
typedef struct block {
    struct block *next;
    _Alignas(64) unsigned char bytes[];
} block;

typedef struct span {
    char name[32];
    uint32_t thread, pass;
    double start, end;
} span;

/* The state of an environment. JavaScript's constructor makes arrays, because it throws if memory is lacking. */
typedef struct environment {
    napi_ref uint8_array;
    double most_bytes; /* the largest size of an array */
} environment;

/* An object of the library, which an external value owns. */
typedef struct handle {
    handle_kind kind;
    void *object;
    bool borrowed;           /* another object owns it */
    bool closed;             /* its owner has released it; the object is freed after its last use */
    bool finalized;          /* the external was collected; the handle is freed with the object */
    uint32_t uses;           /* the number of its owners, running calls, and handles that need it */
    struct handle *needs[3]; /* handles that live as long as this object */
    block *memory;           /* memory that the object points to */
    napi_env env;
    napi_ref wrapped; /* an array whose memory the object works on, or null */
    int64_t external_bytes;
    /* The numbers of running calls that read or write the object. If they all belong to one context or pool, `reader`
     * is that; otherwise it is null. */
    uint32_t reads, writes;
    struct handle *reader;
    /* For a context or pool: the largest number of calls at once, the number of running calls, and the queue of
     * waiting calls. */
    uint32_t limit, running;
    struct work *first, *last;
    struct work *begun;          /* asynchronous calls that wait for a thread of libuv, or run on one */
    pthread_mutex_t cancel_lock; /* protects `running` of calls */
    pthread_mutex_t trace_lock;  /* for threads of the library */
    bool traced;
    span *trace;
    size_t trace_count, trace_capacity;
} handle;

typedef struct work {
    napi_env env;
    const function *function;
    value arguments[MAX_PARAMETERS], result;
    handle *handles[2 * MAX_PARAMETERS +
                    2]; /* handles that are used, also the vectors of views; whether they are written */
    bool written[2 * MAX_PARAMETERS + 2];
    uint32_t handle_count;
    handle *owner;                      /* the context or pool that queues the call, or null */
    handle *made[MAX_PARAMETERS];       /* new handles */
    napi_value outputs[MAX_PARAMETERS]; /* arrays that the call writes, while their scope lasts */
    uint32_t kept_at[MAX_PARAMETERS];   /* indices of `outputs` in `keep` */
    value numbers[MAX_PARAMETERS];      /* other outputs */
    uint64_t unit;                      /* bytes of an element of M */
    napi_ref wrapped;                   /* the array of m */
    block *memory;
    uint32_t status;
    sumac_message message;
    uint64_t *state; /* points to two doubles */
    bool copies;     /* JavaScript runs during the call, so bytes are copied */
    bool asynchronous, begun;
    napi_value progress; /* the progress function of a synchronous call */
    napi_value keep;     /* values that must not be collected during an asynchronous call */
    uint32_t kept;
    napi_ref kept_reference;
    napi_async_work job;
    napi_deferred deferred;
    struct work *next;      /* the next call in the queue of the owner, or among its begun calls */
    sumac_context *running; /* the context in which this call runs on a thread of libuv */
} work;

static _Thread_local work *current_work;

/* ---- Memory, sentences ---- */

static bool refuse(work *call, uint32_t status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    call->status = status;
    vsnprintf(call->message.text, sizeof call->message.text, format, arguments);
    va_end(arguments);
    return false;
}

/* Allocate `head` bytes and `count` elements of `each` bytes after them. Return null if there is no memory or the
 * size overflows. */
static void *checked_malloc(size_t head, size_t count, size_t each)
{
    return each != 0 && count > (SIZE_MAX - head) / each ? NULL : malloc(head + count * each);
}

/* Allocate elements that live as long as the call. A byte after them can end a text. */
static void *allocate(work *call, size_t count, size_t each)
{
    block *made = checked_malloc(sizeof(block) + 1, count, each);
    if (made == NULL) {
        refuse(call, SUMAC_OUT_OF_MEMORY, "out of memory: %zu times %zu bytes", count, each);
        return NULL;
    }
    made->next = call->memory;
    call->memory = made;
    return made->bytes;
}

static void free_blocks(block *memory)
{
    while (memory != NULL) {
        block *next = memory->next;
        free(memory);
        memory = next;
    }
}

/* ---- Handles ---- */

static void release(handle *used)
{
    if (--used->uses > 0) {
        return;
    }
    if (used->object != NULL && !used->borrowed) {
        handle_destroy[used->kind](used->object);
    }
    used->object = NULL;
    for (size_t i = 0; i < sizeof used->needs / sizeof used->needs[0]; i++) {
        if (used->needs[i] != NULL) {
            release(used->needs[i]);
            used->needs[i] = NULL;
        }
    }
    free_blocks(used->memory);
    used->memory = NULL;
    if (used->wrapped != NULL) {
        napi_delete_reference(used->env, used->wrapped);
        used->wrapped = NULL;
    }
    free(used->trace);
    used->trace = NULL;
    if (used->finalized) {
        pthread_mutex_destroy(&used->cancel_lock);
        pthread_mutex_destroy(&used->trace_lock);
        free(used);
    }
}

static handle *make_handle(handle_kind kind)
{
    handle *made = checked_malloc(sizeof *made, 0, 0);
    if (made != NULL) {
        *made = (handle){.kind = kind, .uses = 1, .borrowed = handle_destroy[kind] == NULL};
        pthread_mutex_init(&made->cancel_lock, NULL);
        pthread_mutex_init(&made->trace_lock, NULL);
    }
    return made;
}

/* End the use of a handle by its owner, which is the external value. */
static void let_go(handle *owned)
{
    if (!owned->closed) {
        owned->closed = true;
        release(owned);
    }
}

static void finalize_handle(napi_env env, void *data, void *hint)
{
    (void)hint;
    handle *owned = data;
    if (owned->external_bytes != 0) {
        int64_t now;
        napi_adjust_external_memory(env, -owned->external_bytes, &now);
    }
    const bool unused = owned->closed && owned->uses == 0;
    owned->finalized = true;
    if (unused) {
        pthread_mutex_destroy(&owned->cancel_lock);
        pthread_mutex_destroy(&owned->trace_lock);
        free(owned);
    } else {
        let_go(owned);
    }
}

static void need(handle *from, handle *needed)
{
    for (size_t i = 0; i < sizeof from->needs / sizeof from->needs[0]; i++) {
        if (from->needs[i] == NULL) {
            from->needs[i] = needed;
            needed->uses++;
            return;
        }
    }
}

/* Keep the objects that a new one needs. A prepared call needs its context and bases, a proving key needs the
 * verifying key that was given, and a view needs its vector. */
static void keep_what_it_needs(const work *call, handle *made)
{
    for (uint32_t i = 0; i < call->handle_count; i++) {
        if (made->kind == HANDLE_CALL ||
            (made->kind == HANDLE_VECTOR && call->handles[i]->kind == HANDLE_VECTOR) ||
            (made->kind == HANDLE_GROTH16_KEY && call->handles[i]->kind == HANDLE_GROTH16_VERIFYING_KEY)) {
            need(made, call->handles[i]);
        }
    }
}

/* Refuse a call that would write what a running call reads, or read what it writes. Calls of one context may do this,
 * because they follow one another. */
static bool may_use(work *call)
{
    for (uint32_t i = 0; i < call->handle_count; i++) {
        const handle *used = call->handles[i];
        const bool constant =
            used->kind == HANDLE_VECTOR && call->function->result != 'x'; /* asks for the count or kind */
        if (used == call->owner || used->kind == HANDLE_GROUP || constant) {
            continue;
        }
        const bool in_turn = call->owner != NULL && call->owner->limit == 1 && used->reader == call->owner;
        if (!in_turn && (used->writes > 0 || (call->written[i] && used->reads > 0))) {
            return refuse(call, SUMAC_BUSY,
                          "another call that is going on uses what this one uses, and one of them writes it");
        }
    }
    return true;
}

static void begin_uses(work *call)
{
    for (uint32_t i = 0; i < call->handle_count; i++) {
        handle *used = call->handles[i];
        used->reader = used->reads + used->writes == 0 || used->reader == call->owner ? call->owner : NULL;
        used->uses++;
        used->reads += !call->written[i];
        used->writes += call->written[i];
    }
}

static void end_uses(work *call)
{
    for (uint32_t i = 0; i < call->handle_count; i++) {
        call->handles[i]->reads -= !call->written[i];
        call->handles[i]->writes -= call->written[i];
        release(call->handles[i]);
    }
}

/* ---- From JavaScript ---- */

static bool is_missing(napi_env env, napi_value given)
{
    napi_valuetype type;
    return napi_typeof(env, given, &type) != napi_ok || type == napi_undefined || type == napi_null;
}

static bool read_number(work *call, napi_value given, char kind, const char *name, value *to)
{
    napi_valuetype type = napi_undefined;
    napi_typeof(call->env, given, &type);
    if (type == napi_bigint && kind == 'z') {
        bool lossless = false;
        napi_get_value_bigint_uint64(call->env, given, &to->number, &lossless);
        return lossless || refuse(call, OUT_OF_RANGE, "%s: an integer from 0 to 2^64 - 1 is wanted", name);
    }
    double number;
    if (type != napi_number || napi_get_value_double(call->env, given, &number) != napi_ok) {
        return refuse(call, WRONG_TYPE, "%s: a number is wanted", name);
    }
    if (kind == 'd') {
        to->real = number;
        return true;
    }
    const double least = kind == 'i' ? INT32_MIN : 0;
    const double most = kind == 'i' ? INT32_MAX : kind == 'u' ? UINT32_MAX : 9007199254740991.0;
    if (!(number >= least && number <= most) || number != (double)(int64_t)number) {
        return refuse(call, OUT_OF_RANGE, "%s: an integer from %.0f to %.0f is wanted", name, least, most);
    }
    to->number = (uint64_t)(int64_t)number;
    return true;
}

static bool read_text(work *call, napi_value given, const char *name, value *to)
{
    size_t length, copied;
    if (is_missing(call->env, given)) {
        to->pointer = NULL;
        return true;
    }
    if (napi_get_value_string_utf8(call->env, given, NULL, 0, &length) != napi_ok) {
        return refuse(call, WRONG_TYPE, "%s: a string is wanted", name);
    }
    char *text = allocate(call, length, 1);
    if (text == NULL) {
        return false;
    }
    napi_get_value_string_utf8(call->env, given, text, length + 1, &copied);
    to->pointer = text;
    return strlen(text) == length ||
           refuse(call, WRONG_TYPE, "%s: a string without zero bytes is wanted", name);
}

static bool read_handle(work *call, napi_value given, uint8_t kind, bool written, const char *name, value *to)
{
    if (is_missing(call->env, given)) {
        to->pointer = NULL;
        return true;
    }
    void *data;
    if (napi_get_value_external(call->env, given, &data) != napi_ok) {
        return refuse(call, WRONG_TYPE, "%s: an object of this package is wanted", name);
    }
    handle *used = data;
    const bool pool = kind == HANDLE_CONTEXT && used->kind == HANDLE_POOL && call->function->result == 'x';
    if (used->kind != kind && !pool) {
        return refuse(call, WRONG_TYPE, "%s: another kind of object is wanted", name);
    }
    if (used->closed) {
        return refuse(call, CLOSED, "%s is closed", name);
    }
    to->pointer = used->object;
    call->handles[call->handle_count] = used;
    call->written[call->handle_count++] = written;
    if (kind == HANDLE_VECTOR &&
        used->needs[0] != NULL) { /* a view shows memory of its vector, so the vector is used */
        while (used->needs[0] != NULL) {
            used = used->needs[0];
        }
        call->handles[call->handle_count] = used;
        call->written[call->handle_count++] = written;
    }
    if (kind == HANDLE_CONTEXT) {
        call->owner = used;
    } else if (kind == HANDLE_CALL && written) {
        call->owner = used->needs[0];
    }
    return true;
}

static void keep(work *call, napi_value kept)
{
    if (call->asynchronous) {
        if (call->keep == NULL) {
            napi_create_array(call->env, &call->keep);
        }
        napi_set_element(call->env, call->keep, call->kept++, kept);
    }
}

/* While other JavaScript runs, an ArrayBuffer may be transferred or, if it is resizable, become smaller, which an
 * addon can't prevent. Its bytes are copied in this case. Shared memory stays in place, and is used without a
 * copy. */
static bool read_bytes(work *call, napi_value given, uint64_t wanted, const char *name, value *to)
{
    static const uint64_t nothing[8];
    napi_typedarray_type type;
    size_t length, offset;
    void *data;
    napi_value buffer;
    if (is_missing(call->env, given)) {
        to->pointer = NULL;
        return true;
    }
    bool plain = false;
    if (napi_get_typedarray_info(call->env, given, &type, &length, &data, &buffer, &offset) != napi_ok) {
        return refuse(call, WRONG_TYPE, "%s: a Uint8Array is wanted", name);
    }
    const size_t bytes = type == napi_biguint64_array || type == napi_float64_array ? 8 * length
                         : type == napi_int32_array || type == napi_uint32_array    ? 4 * length
                                                                                    : length;
    if (bytes < wanted) {
        return refuse(call, SUMAC_BAD_LENGTH, "%s: %zu bytes are there, %llu are wanted", name, bytes,
                      (unsigned long long)wanted);
    }
    to->constant = data;
    if (data == NULL || wanted == 0) {
        to->constant = nothing;
    } else if ((call->copies && (napi_is_arraybuffer(call->env, buffer, &plain) != napi_ok || plain)) ||
               (uintptr_t)data % 8 != 0) {
        void *copy = allocate(call, (size_t)wanted, 1);
        if (copy == NULL) {
            return false;
        }
        to->pointer = memcpy(copy, data, (size_t)wanted);
    } else {
        keep(call, given);
    }
    return true;
}

/* Keep the array on whose memory the new object works. It must be shared, because other memory may be transferred or
 * become smaller. */
static bool read_memory(work *call, napi_value given, uint64_t wanted, const char *name, value *to)
{
    napi_typedarray_type type;
    size_t length, offset;
    napi_value buffer;
    bool plain = true;
    if (napi_get_typedarray_info(call->env, given, &type, &length, &to->pointer, &buffer, &offset) !=
            napi_ok ||
        type != napi_uint8_array || napi_is_arraybuffer(call->env, buffer, &plain) != napi_ok || plain) {
        return refuse(call, WRONG_TYPE, "%s: an array over a SharedArrayBuffer is wanted", name);
    }
    if (length < wanted) {
        return refuse(call, SUMAC_BAD_LENGTH, "%s: %zu bytes are there, %llu are wanted", name, length,
                      (unsigned long long)wanted);
    }
    return napi_create_reference(call->env, given, 1, &call->wrapped) == napi_ok ||
           refuse(call, SUMAC_OUT_OF_MEMORY, "%s: out of memory", name);
}

static bool read_pointers(work *call, napi_value given, uint64_t wanted, const char *name, value *to)
{
    uint32_t count;
    if (napi_get_array_length(call->env, given, &count) != napi_ok) {
        return refuse(call, WRONG_TYPE, "%s: an array of Uint8Arrays is wanted", name);
    }
    value *pointers = allocate(call, count, sizeof *pointers);
    if (pointers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        napi_value element;
        if (napi_get_element(call->env, given, i, &element) != napi_ok || is_missing(call->env, element) ||
            !read_bytes(call, element, wanted, name, &pointers[i])) {
            return call->status != SUMAC_OK
                       ? false
                       : refuse(call, WRONG_TYPE, "%s: an array of Uint8Arrays is wanted", name);
        }
    }
    to->pointer = pointers;
    return true;
}

static void on_trace(void *user, const sumac_trace_event *event);
static int on_progress(void *user, double done);

static bool read_structure(work *call, napi_value given, uint8_t type, const char *name, value *to);

static bool read_field(work *call, napi_value given, const field *described, unsigned char *object)
{
    value read = {.number = 0};
    unsigned char *at = object + described->offset;
    napi_typedarray_type array;
    napi_value buffer;
    size_t length = 0, offset;
    void *data;
    switch (described->kind) {
    case 't':
        return read_text(call, given, described->name, &read) &&
               memcpy(at, &read.pointer, sizeof read.pointer) != NULL;
    case 's':
        return read_structure(call, given, described->type, described->name, &read) &&
               memcpy(at, &read.pointer, sizeof read.pointer) != NULL;
    case 'h':
        return read_handle(call, given, described->type, false, described->name, &read) &&
               memcpy(at, &read.pointer, sizeof read.pointer) != NULL;
    case 'b':
    case 'l': /* index.js made the array, which is always copied, because objects may keep it */
        if (napi_get_typedarray_info(call->env, given, &array, &length, &data, &buffer, &offset) != napi_ok) {
            return refuse(call, WRONG_TYPE, "%s: an array is wanted", described->name);
        }
        length *= array == napi_biguint64_array                             ? 8
                  : array == napi_int32_array || array == napi_uint32_array ? 4
                                                                            : 1;
        read.pointer = allocate(call, length, 1);
        if (read.pointer == NULL) {
            return false;
        }
        if (length > 0) {
            memcpy(read.pointer, data, length);
        }
        memcpy(at, &read.pointer, sizeof read.pointer);
        if (described->kind == 'l') {
            memcpy(at + sizeof read.pointer, &length, sizeof length);
        }
        return true;
    case 'f': {
        void (*trace)(void *, const sumac_trace_event *) = on_trace;
        memcpy(at, &trace, sizeof trace);
        return true;
    }
    default:
        if (!read_number(call, given, described->kind, described->name, &read)) {
            return false;
        }
        if (described->kind == 'u' || described->kind == 'i') {
            const uint32_t number = (uint32_t)read.number;
            memcpy(at, &number, sizeof number);
        } else {
            memcpy(at, &read, sizeof read);
        }
        return true;
    }
}

static bool read_structure(work *call, napi_value given, uint8_t type, const char *name, value *to)
{
    const structure *described = &structures[type];
    if (is_missing(call->env, given)) {
        to->pointer = NULL;
        return true;
    }
    uint32_t count;
    unsigned char *object = allocate(call, 1, described->size);
    if (object == NULL) {
        return false;
    }
    if (napi_get_array_length(call->env, given, &count) != napi_ok) {
        return refuse(call, WRONG_TYPE, "%s: options are wanted", name);
    }
    set_size(object, described->size);
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        napi_value element;
        uint32_t index = UINT32_MAX;
        if (napi_get_element(call->env, given, i, &element) != napi_ok ||
            napi_get_value_uint32(call->env, element, &index) != napi_ok || index >= described->count ||
            napi_get_element(call->env, given, i + 1, &element) != napi_ok) {
            return refuse(call, WRONG_TYPE, "%s: options are wanted", name);
        }
        if (!read_field(call, element, &described->fields[index], object)) {
            return false;
        }
    }
    to->pointer = object;
    return true;
}

/* Make a new Uint8Array, and return its bytes in *data. If memory is lacking, the constructor throws, but
 * napi_create_arraybuffer() would end the process. Lengths above the maximum of an array are refused earlier. */
static bool make_array(work *call, uint64_t bytes, const char *name, void **data, napi_value *made)
{
    napi_env env = call->env;
    void *instance = NULL;
    napi_value constructor, length, buffer, ignored;
    napi_typedarray_type type = napi_int8_array;
    size_t found = 0, offset;
    napi_get_instance_data(env, &instance);
    const environment *own = instance;
    if (own != NULL && (double)bytes <= own->most_bytes &&
        napi_get_reference_value(env, own->uint8_array, &constructor) == napi_ok &&
        napi_create_double(env, (double)bytes, &length) == napi_ok &&
        napi_new_instance(env, constructor, 1, &length, made) == napi_ok &&
        napi_get_typedarray_info(env, *made, &type, &found, data, &buffer, &offset) == napi_ok &&
        type == napi_uint8_array && found == bytes) {
        return true;
    }
    napi_get_and_clear_last_exception(env, &ignored);
    *made = NULL;
    return refuse(call, OUT_OF_RANGE, "%s: %llu bytes are more than there is memory for", name,
                  (unsigned long long)bytes);
}

static bool make_output(work *call, napi_value given, uint32_t index, const char *name)
{
    value bytes;
    if (is_missing(call->env, given)) {
        call->arguments[index].pointer = NULL;
        return true;
    }
    if (!read_number(call, given, 'z', name, &bytes)) {
        return false;
    }
    void *data;
    if (!make_array(call, bytes.number, name, &data, &call->outputs[index])) {
        return false;
    }
    call->arguments[index].pointer = bytes.number == 0 ? (void *)&call->numbers[index] : data;
    call->kept_at[index] = call->kept;
    keep(call, call->outputs[index]);
    return true;
}

/* Read a parameter from the arguments at *next, and move *next past them. */
static bool read_parameter(work *call, uint32_t index, const napi_value *given, uint32_t *next)
{
    const parameter *wanted = &call->function->parameters[index];
    value *to = &call->arguments[index];
    value bytes = {.number = 0};
    const napi_value *from = &given[*next];
    switch (wanted->kind) {
    case 'h':
    case 'H':
        *next += 1;
        return read_handle(call, from[0], wanted->type, wanted->kind == 'H', wanted->name, to);
    case 's':
        *next += 1;
        return read_structure(call, from[0], wanted->type, wanted->name, to);
    case 't':
        *next += 1;
        return read_text(call, from[0], wanted->name, to);
    case 'b':
    case 'p':
        *next += 2;
        return read_number(call, from[1], 'z', wanted->name, &bytes) &&
               (wanted->kind == 'b' ? read_bytes : read_pointers)(call, from[0], bytes.number, wanted->name,
                                                                  to);
    case 'm':
        *next += 2;
        return read_number(call, from[1], 'z', wanted->name, &bytes) &&
               read_memory(call, from[0], bytes.number, wanted->name, to);
    case 'B':
        *next += 1;
        return make_output(call, from[0], index, wanted->name);
    case 'M':
        *next += 1;
        to->pointer = &call->numbers[index];
        if (!read_number(call, from[0], 'z', wanted->name, &bytes)) {
            return false;
        }
        call->unit = bytes.number;
        return true;
    case 'N':
        call->made[index] = make_handle((handle_kind)wanted->type);
        to->pointer = &call->numbers[index];
        return call->made[index] != NULL ||
               refuse(call, SUMAC_OUT_OF_MEMORY, "out of memory: %zu bytes", sizeof(handle));
    case 'O':
        *next += 1;
        to->pointer =
            is_missing(call->env, from[0]) ? NULL : allocate(call, 1, structures[wanted->type].size);
        return to->pointer != NULL || is_missing(call->env, from[0]);
    case 'S':
        to->pointer = allocate(call, 1, structures[wanted->type].size);
        if (to->pointer == NULL) {
            return false;
        }
        set_size(to->pointer, structures[wanted->type].size);
        return true;
    case 'r':
        to->pointer = &call->message;
        return true;
    case 'T':
    case 'n':
    case 'I':
        to->pointer = &call->numbers[index];
        return true;
    default:
        *next += 1;
        return read_number(call, from[0], wanted->kind, wanted->name, to);
    }
}

/* Set the callbacks in the configuration of a new context or pool: the one for progress, and the one for the trace in
 * its handle. */
static void attach(work *call)
{
    for (uint32_t i = 0; i < call->function->count; i++) {
        const parameter *wanted = &call->function->parameters[i];
        if (wanted->kind == 's' && wanted->type == STRUCT_CONTEXT_CONFIG &&
            call->arguments[i].pointer != NULL) {
            sumac_context_config *config = call->arguments[i].pointer;
            handle *made = call->made[call->function->parameters[i + 1].kind == 'N' ? i + 1 : i + 2];
            config->progress = on_progress;
            config->user = made;
            made->traced = config->trace != NULL;
            made->limit = made->kind == HANDLE_POOL ? (uint32_t)call->arguments[i + 1].number : 1;
        }
    }
}

/* ---- The call ---- */

static void on_trace(void *user, const sumac_trace_event *event)
{
    handle *traced = user;
    pthread_mutex_lock(&traced->trace_lock);
    if (traced->trace_count == traced->trace_capacity && traced->trace_capacity < MAX_TRACE) {
        const size_t capacity = traced->trace_capacity == 0 ? 256 : 2 * traced->trace_capacity;
        span *more = checked_malloc(0, capacity, sizeof *more);
        if (more != NULL) {
            if (traced->trace_count > 0) {
                memcpy(more, traced->trace, traced->trace_count * sizeof *more);
            }
            free(traced->trace);
            traced->trace = more;
            traced->trace_capacity = capacity;
        }
    }
    if (traced->trace_count < traced->trace_capacity) {
        span *added = &traced->trace[traced->trace_count++];
        snprintf(added->name, sizeof added->name, "%s", event->name);
        added->thread = event->thread;
        added->pass = event->pass;
        added->start = event->start;
        added->end = event->end;
    }
    pthread_mutex_unlock(&traced->trace_lock);
}

static bool is_cancelled(const work *call)
{
    uint64_t first = 0;
    if (call->state != NULL) {
        __atomic_load(call->state, &first, __ATOMIC_RELAXED);
    }
    return first != 0;
}

static int on_progress(void *user, double done)
{
    (void)user;
    work *call = current_work;
    if (call == NULL || call->state == NULL) {
        return 0;
    }
    uint64_t bits;
    memcpy(&bits, &done, sizeof bits);
    __atomic_store(call->state + 1, &bits, __ATOMIC_RELAXED);
    if (call->progress != NULL && !is_cancelled(call)) {
        napi_handle_scope scope;
        napi_value number, undefined, ignored;
        if (napi_open_handle_scope(call->env, &scope) != napi_ok) {
            return 1;
        }
        const bool called =
            napi_create_double(call->env, done, &number) == napi_ok &&
            napi_get_undefined(call->env, &undefined) == napi_ok &&
            napi_call_function(call->env, undefined, call->progress, 1, &number, &ignored) == napi_ok;
        napi_close_handle_scope(call->env, scope);
        if (!called) { /* index.js catches the caller's exceptions, so the thread is ending */
            return 1;
        }
    }
    return is_cancelled(call);
}

/* If the call failed and has no sentence yet, copy the sentence of the context. */
static void fetch_message(work *call, sumac_context *context)
{
    const char *text = context == NULL ? "" : sumac_context_message(context);
    if (call->message.text[0] == 0) {
        snprintf(call->message.text, sizeof call->message.text, "%s",
                 text[0] != 0 ? text : sumac_status_text((sumac_status)call->status));
    }
}

/* Take a context of a pool. This never waits, because calls wait in the queue until one of the contexts is free. */
static sumac_context *take_context(work *call)
{
    sumac_context *context = NULL;
    call->status = (uint32_t)sumac_pool_take(call->owner->object, &context, &call->message);
    if (context != NULL) {
        call->message.text[0] = 0;
    }
    return context;
}

static void give_back(work *call, sumac_context *context)
{
    if (call->status == SUMAC_DEVICE_FAILED && sumac_context_check(context) != SUMAC_OK) {
        sumac_pool_discard(call->owner->object, context);
    } else {
        sumac_pool_give(call->owner->object, context);
    }
}

static void set_running(work *call, sumac_context *context)
{
    if (call->asynchronous && call->owner != NULL) {
        pthread_mutex_lock(&call->owner->cancel_lock);
        call->running = context;
        pthread_mutex_unlock(&call->owner->cancel_lock);
    }
}

static void execute(napi_env env, void *data)
{
    (void)env;
    work *call = data;
    if (is_cancelled(call)) {
        refuse(call, SUMAC_CANCELLED, "%s", "the call was cancelled before it began");
        return;
    }
    const bool pooled = call->owner != NULL && call->owner->kind == HANDLE_POOL;
    sumac_context *context = call->owner == NULL ? NULL : call->owner->object;
    if (pooled) {
        context = take_context(call);
        if (context == NULL) {
            fetch_message(call, NULL);
            return;
        }
        call->arguments[0].pointer = context;
    }
    work *outer = current_work;
    current_work = call;
    set_running(call, context);
    call->function->run(call->arguments, &call->result);
    set_running(call, NULL);
    current_work = outer;
    if (call->function->result == 'x') {
        call->status = (uint32_t)call->result.number;
        if (call->status != SUMAC_OK) {
            fetch_message(call, context);
        }
    }
    if (pooled) {
        give_back(call, context);
    }
}

/* ---- To JavaScript ---- */

static napi_value null_value(napi_env env)
{
    napi_value null = NULL;
    napi_get_null(env, &null);
    return null;
}

static napi_value text_value(napi_env env, const char *text)
{
    napi_value made = NULL;
    if (text == NULL) {
        return null_value(env);
    }
    napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &made);
    return made;
}

static napi_value number_value(napi_env env, double number)
{
    napi_value made = NULL;
    napi_create_double(env, number, &made);
    return made;
}

/* Make the external value of a new handle, which then owns the handle. */
static napi_value handle_value(napi_env env, handle *made)
{
    napi_value external = NULL;
    if (napi_create_external(env, made, finalize_handle, NULL, &external) != napi_ok) {
        made->finalized = true;
        let_go(made);
        return null_value(env);
    }
    if (made->kind == HANDLE_BASES) {
        sumac_bases_info info = {.size = sizeof info};
        (void)!sumac_bases_describe(made->object, &info);
        made->external_bytes = (int64_t)info.bytes;
    } else if (made->kind == HANDLE_VECTOR) {
        const sumac_group *info = sumac_vector_group(made->object);
        made->external_bytes =
            (int64_t)(sumac_vector_count(made->object) *
                      (sumac_vector_kind_of(made->object) == SUMAC_VECTOR_POINTS ? info->point_bytes
                                                                                 : info->scalar_bytes));
    }
    if (made->external_bytes != 0) {
        int64_t now;
        napi_adjust_external_memory(env, made->external_bytes, &now);
    }
    return external;
}

/* Make the external value of an object that another object owns: a curve, or the verifying key of a proving key. */
static napi_value borrowed_value(work *call, const void *object, uint8_t kind)
{
    handle *made = object == NULL ? NULL : make_handle((handle_kind)kind);
    if (made == NULL) {
        return null_value(call->env);
    }
    made->borrowed = true;
    if (kind == HANDLE_GROTH16_VERIFYING_KEY) { /* it lives as long as its proving key */
        need(made, call->handles[0]);
    }
    memcpy(&made->object, &object, sizeof object);
    return handle_value(call->env, made);
}

static napi_value structure_value(work *call, const unsigned char *object, uint8_t type)
{
    napi_env env = call->env;
    napi_value made = NULL;
    if (object == NULL) {
        return null_value(env);
    }
    napi_create_object(env, &made);
    for (size_t i = 0; i < structures[type].count; i++) {
        const field *described = &structures[type].fields[i];
        const unsigned char *at = object + described->offset;
        napi_value set = NULL;
        value read = {.number = 0};
        uint32_t number = 0;
        size_t count = 0;
        memcpy(&number, at, sizeof number);
        if (described->kind != 'u' && described->kind != 'i') {
            memcpy(&read, at, sizeof read);
        }
        switch (described->kind) {
        case 'u':
            set = number_value(env, number);
            break;
        case 'd':
            set = number_value(env, read.real);
            break;
        case 'z':
            set = number_value(env, (double)read.number);
            break;
        case 't':
            set = text_value(env, read.constant);
            break;
        case 'h':
            set = borrowed_value(call, read.constant, described->type);
            break;
        case 'w':
            memcpy(&number, object + structures[type].fields[described->type - 1].offset, sizeof number);
            napi_create_bigint_words(env, 0, number / 8, read.constant, &set);
            break;
        case 'T':
            memcpy(&count, object + structures[type].fields[described->type - 1].offset, sizeof count);
            napi_create_array(env, &set);
            for (uint32_t k = 0; k < count; k++) {
                napi_set_element(env, set, k, text_value(env, ((const char *const *)read.constant)[k]));
            }
            break;
        default:
            set = null_value(env);
        }
        napi_set_named_property(env, made, described->name, set);
    }
    return made;
}

static napi_value memory_value(work *call, uint32_t index)
{
    napi_value made = NULL;
    void *data;
    uint64_t bytes = call->unit; /* no overflow, because the library has allocated count times as many */
    if (index + 1U < call->function->count && call->function->parameters[index + 1].kind == 'n') {
        bytes *= call->numbers[index + 1].number;
    }
    if (make_array(call, bytes, call->function->parameters[index].name, &data, &made) && bytes > 0) {
        memcpy(data, call->numbers[index].pointer, (size_t)bytes);
    }
    return made;
}

static napi_value output_value(work *call, uint32_t index)
{
    const parameter *wanted = &call->function->parameters[index];
    const value *number = &call->numbers[index];
    napi_value made = NULL;
    int answer = 0;
    switch (wanted->kind) {
    case 'N':
        made = handle_value(call->env, call->made[index]);
        call->made[index] = NULL;
        return made;
    case 'O':
    case 'S':
        return structure_value(call, call->arguments[index].pointer, wanted->type);
    case 'T':
        made = text_value(call->env, number->constant);
        if (made == NULL) {
            refuse(call, OUT_OF_RANGE, "%s: %zu bytes are more than a string has", wanted->name,
                   strlen(number->constant));
        }
        return made;
    case 'B':
        return call->outputs[index] == NULL ? null_value(call->env) : call->outputs[index];
    case 'M':
        return memory_value(call, index);
    case 'n':
        return number_value(call->env, (double)number->number);
    default: /* I */
        memcpy(&answer, number, sizeof answer);
        napi_get_boolean(call->env, answer != 0, &made);
        return made;
    }
}

static napi_value result_value(work *call)
{
    switch (call->function->result) {
    case 't':
        return text_value(call->env, call->result.constant);
    case 'd':
        return number_value(call->env, call->result.real);
    case 'a': {
        napi_value address = NULL;
        napi_create_bigint_uint64(call->env, (uintptr_t)call->result.pointer, &address);
        return call->result.pointer == NULL ? null_value(call->env) : address;
    }
    case 'S':
        return structure_value(call, call->result.constant, call->function->result_type);
    case 'h':
        return borrowed_value(call, call->result.constant, call->function->result_type);
    default:
        return number_value(call->env, (double)call->result.number);
    }
}

/* Put the objects that a call made into their handles. */
static void adopt(work *call)
{
    for (uint32_t i = 0; i < call->function->count; i++) {
        if (call->made[i] != NULL) {
            call->made[i]->object = call->numbers[i].pointer;
            keep_what_it_needs(call, call->made[i]);
            call->made[i]->env = call->env;
            call->made[i]->wrapped = call->wrapped;
            call->wrapped = NULL;
            if (call->made[i]->kind == HANDLE_POOL) {
                call->made[i]->memory = call->memory;
                call->memory = NULL;
            }
        }
    }
}

/* Return [0, ...outputs]. If one of them is too large for JavaScript, the status becomes OUT_OF_RANGE. */
static napi_value success(work *call)
{
    napi_value list = NULL;
    uint32_t at = 0;
    napi_create_array(call->env, &list);
    napi_set_element(call->env, list, at++, number_value(call->env, SUMAC_OK));
    if (call->function->result != 'x' && call->function->result != 'v') {
        napi_set_element(call->env, list, at++, result_value(call));
    }
    for (uint32_t i = 0; i < call->function->count && call->status == SUMAC_OK; i++) {
        if (strchr("NSTBMnI", call->function->parameters[i].kind) != NULL) {
            napi_set_element(call->env, list, at++, output_value(call, i));
        }
    }
    return list;
}

/* Return [status, sentence]. After MISMATCH the function's optional struct follows: the wrong blob and cell. */
static napi_value failure(work *call)
{
    napi_value list = NULL;
    uint32_t at = 0;
    napi_create_array(call->env, &list);
    napi_set_element(call->env, list, at++, number_value(call->env, call->status));
    napi_set_element(call->env, list, at++, text_value(call->env, call->message.text));
    for (uint32_t i = 0; i < call->function->count && call->status == SUMAC_MISMATCH; i++) {
        if (call->function->parameters[i].kind == 'O' && call->arguments[i].pointer != NULL) {
            napi_set_element(call->env, list, at++, output_value(call, i));
        }
    }
    return list;
}

static napi_value outcome(work *call)
{
    napi_value list = call->status == SUMAC_OK ? success(call) : NULL;
    return call->status == SUMAC_OK ? list : failure(call);
}

/* End a call. Free everything that has not become part of its outcome. */
static void end(work *call)
{
    for (uint32_t i = 0; i < call->function->count; i++) {
        if (call->made[i] != NULL) {
            call->made[i]->finalized = true;
            let_go(call->made[i]);
        }
        if (strchr("TM", call->function->parameters[i].kind) != NULL) {
            sumac_free(call->numbers[i].pointer); /* null if the call failed */
        }
    }
    if (call->wrapped != NULL) {
        napi_delete_reference(call->env, call->wrapped);
    }
    free_blocks(call->memory);
    free(call);
}

static void end_asynchronous(work *call)
{
    end_uses(call);
    if (call->kept_reference != NULL) {
        napi_delete_reference(call->env, call->kept_reference);
    }
    if (call->job != NULL) {
        napi_delete_async_work(call->env, call->job);
    }
    end(call);
}

static void start_waiting(handle *owner);

static void complete(napi_env env, napi_status status, void *data)
{
    work *call = data;
    handle *owner = call->owner;
    if (status == napi_cancelled) {
        refuse(call, SUMAC_CANCELLED, "%s", "the call was cancelled before it began");
    }
    napi_value kept = NULL;
    if (call->kept_reference != NULL) {
        napi_get_reference_value(env, call->kept_reference, &kept);
    }
    for (uint32_t i = 0; i < call->function->count; i++) {
        if (call->outputs[i] != NULL) { /* the scope of the value ended when the call began */
            call->outputs[i] = NULL;
            napi_get_element(env, kept, call->kept_at[i], &call->outputs[i]);
        }
    }
    if (call->status == SUMAC_OK) {
        adopt(call);
    }
    const bool alive = napi_resolve_deferred(env, call->deferred, outcome(call)) == napi_ok;
    if (owner != NULL) {
        owner->uses++;
        owner->running--;
        work **at = &owner->begun;
        while (*at != call) {
            at = &(*at)->next;
        }
        *at = call->next;
    }
    end_asynchronous(call);
    if (owner != NULL) {
        if (alive) {
            start_waiting(owner);
        } else { /* the environment ends, so waiting calls never begin */
            while (owner->first != NULL) {
                work *next = owner->first->next;
                end_asynchronous(owner->first);
                owner->first = next;
            }
        }
        release(owner);
    }
}

static void start_waiting(handle *owner)
{
    while (owner->first != NULL && owner->running < owner->limit) {
        work *next = owner->first;
        owner->first = next->next;
        owner->running++;
        next->next = owner->begun;
        owner->begun = next;
        napi_queue_async_work(next->env, next->job);
    }
}

/* Queue a call until its context is free. Then it runs on a thread of libuv. */
static napi_value begin_asynchronous(work *call)
{
    napi_env env = call->env;
    napi_value promise = NULL, name;
    begin_uses(call);
    if (call->keep != NULL) {
        napi_create_reference(env, call->keep, 1, &call->kept_reference);
    }
    napi_create_string_utf8(env, call->function->name, NAPI_AUTO_LENGTH, &name);
    napi_create_promise(env, &call->deferred, &promise);
    napi_create_async_work(env, NULL, name, execute, complete, call, &call->job);
    if (call->owner == NULL) {
        napi_queue_async_work(env, call->job);
        return promise;
    }
    if (call->owner->first == NULL) {
        call->owner->first = call;
    } else {
        call->owner->last->next = call;
    }
    call->owner->last = call;
    start_waiting(call->owner);
    return promise;
}

static void run_synchronous(work *call)
{
    handle *owner = call->owner;
    if (call->function->result != 'x') { /* a question does not occupy the context */
        execute(call->env, call);
        return;
    }
    if (owner != NULL && owner->running >= owner->limit) {
        refuse(call, SUMAC_BUSY, "%s",
               owner->kind == HANDLE_POOL ? "all contexts of the pool are taken"
                                          : "another call with this context is going on");
        return;
    }
    begin_uses(call);
    call->begun = true;
    if (owner != NULL) {
        owner->running++;
    }
    execute(call->env, call);
    if (owner != NULL) {
        owner->running--;
        start_waiting(owner);
    }
    if (call->status == SUMAC_OK) {
        adopt(call);
    }
}

static bool read_arguments(work *call, const napi_value *given)
{
    napi_typedarray_type type;
    napi_value buffer;
    size_t length = 0, offset;
    void *data = NULL;
    if (!is_missing(call->env, given[0])) {
        if (napi_get_typedarray_info(call->env, given[0], &type, &length, &data, &buffer, &offset) !=
                napi_ok ||
            type != napi_float64_array || length != 2) {
            return refuse(call, WRONG_TYPE, "%s", "state: a Float64Array(2) is wanted");
        }
        call->state = data;
        keep(call, given[0]);
    }
    if (!is_missing(call->env, given[2])) {
        call->progress = given[2];
        call->copies = true;
    }
    uint32_t next = 3;
    for (uint32_t i = 0; i < call->function->count; i++) {
        if (!read_parameter(call, i, given, &next)) {
            return false;
        }
    }
    attach(call);
    return may_use(call);
}

static napi_value call_function(napi_env env, napi_callback_info info)
{
    napi_value given[MAX_ARGUMENTS];
    size_t count = MAX_ARGUMENTS;
    void *data;
    work *call = checked_malloc(sizeof *call, 0, 0);
    if (call == NULL || napi_get_cb_info(env, info, &count, given, NULL, &data) != napi_ok) {
        free(call);
        napi_throw_error(env, NULL, "out of memory");
        return NULL;
    }
    *call = (work){.env = env, .function = data};
    napi_get_value_bool(env, given[1], &call->asynchronous);
    call->copies = call->asynchronous;
    const bool ready = read_arguments(call, given);
    if (ready && call->asynchronous) {
        return begin_asynchronous(call);
    }
    if (ready) {
        run_synchronous(call);
    }
    napi_value made = outcome(call);
    if (call->begun) {
        end_uses(call);
    }
    end(call);
    return made;
}

/* close(handle): free the object as soon as no call and no other object needs it. A curve is never freed. */
static napi_value close_handle(napi_env env, napi_callback_info info)
{
    napi_value given;
    size_t count = 1;
    void *data;
    if (napi_get_cb_info(env, info, &count, &given, NULL, NULL) == napi_ok &&
        napi_get_value_external(env, given, &data) == napi_ok && ((handle *)data)->kind != HANDLE_GROUP) {
        let_go(data);
    }
    return NULL;
}

/* cancel(handle, state): end the asynchronous call of this state. If it is in C, it ends as soon as its threads have
 * left it. If not, it reads the state when it begins. Waiting calls of the context are not cancelled. */
static napi_value cancel_call(napi_env env, napi_callback_info info)
{
    napi_value given[2], buffer;
    napi_typedarray_type type;
    size_t count = 2, length, offset;
    void *data, *state;
    if (napi_get_cb_info(env, info, &count, given, NULL, NULL) != napi_ok ||
        napi_get_value_external(env, given[0], &data) != napi_ok ||
        napi_get_typedarray_info(env, given[1], &type, &length, &state, &buffer, &offset) != napi_ok) {
        return NULL;
    }
    handle *owner = data;
    if (owner->kind == HANDLE_CALL) {
        owner = owner->needs[0]; /* null if the prepared call was freed, so nothing runs */
    }
    for (work *call = owner == NULL ? NULL : owner->begun; call != NULL; call = call->next) {
        if (call->state == state) {
            pthread_mutex_lock(&owner->cancel_lock);
            sumac_context_cancel(call->running); /* ignores null */
            pthread_mutex_unlock(&owner->cancel_lock);
        }
    }
    return NULL;
}

/* takeTrace(handle): return the spans since the last call of takeTrace(), and drop them. */
static napi_value take_trace(napi_env env, napi_callback_info info)
{
    napi_value given, list = NULL;
    size_t count = 1;
    void *data;
    if (napi_get_cb_info(env, info, &count, &given, NULL, NULL) != napi_ok ||
        napi_get_value_external(env, given, &data) != napi_ok) {
        return NULL;
    }
    handle *traced = data;
    pthread_mutex_lock(&traced->trace_lock);
    span *spans = traced->trace;
    const size_t spans_count = traced->trace_count;
    traced->trace = NULL;
    traced->trace_count = traced->trace_capacity = 0;
    pthread_mutex_unlock(&traced->trace_lock);
    napi_create_array_with_length(env, spans_count, &list);
    for (size_t i = 0; i < spans_count; i++) {
        napi_value made;
        napi_create_object(env, &made);
        napi_set_named_property(env, made, "name", text_value(env, spans[i].name));
        napi_set_named_property(env, made, "thread", number_value(env, spans[i].thread));
        napi_set_named_property(env, made, "pass", number_value(env, spans[i].pass));
        napi_set_named_property(env, made, "start", number_value(env, spans[i].start));
        napi_set_named_property(env, made, "end", number_value(env, spans[i].end));
        napi_set_element(env, list, (uint32_t)i, made);
    }
    free(spans);
    return list;
}

static void free_environment(napi_env env, void *data, void *hint)
{
    (void)hint;
    environment *own = data;
    napi_delete_reference(env, own->uint8_array);
    free(own);
}

/* setUp(Uint8Array, most bytes of one) must be called once, before any call that makes an array. */
static napi_value set_up(napi_env env, napi_callback_info info)
{
    napi_value given[2];
    size_t count = 2;
    void *instance = NULL;
    if (napi_get_instance_data(env, &instance) == napi_ok &&
        instance != NULL) { /* index.js was loaded before */
        return NULL;
    }
    environment *own = checked_malloc(sizeof *own, 0, 0);
    if (own == NULL || napi_get_cb_info(env, info, &count, given, NULL, NULL) != napi_ok ||
        napi_get_value_double(env, given[1], &own->most_bytes) != napi_ok ||
        napi_create_reference(env, given[0], 1, &own->uint8_array) != napi_ok) {
        free(own);
        napi_throw_error(env, NULL, "the addon is not set up");
    } else {
        napi_set_instance_data(env, own, free_environment, NULL);
    }
    return NULL;
}

static void export(napi_env env, napi_value exports, const char *name, napi_callback callback,
                   const function *called)
{
    napi_value made;
    void *data = NULL;
    memcpy(&data, &called, sizeof data);
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, data, &made) == napi_ok) {
        napi_set_named_property(env, exports, name, made);
    }
}

NAPI_MODULE_INIT()
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        export(env, exports, functions[i].name, call_function, &functions[i]);
    }
    export(env, exports, "close", close_handle, NULL);
    export(env, exports, "cancel", cancel_call, NULL);
    export(env, exports, "takeTrace", take_trace, NULL);
    export(env, exports, "setUp", set_up, NULL);
    return exports;
}
