/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions write iden3's container, which files of circuits and of keys have, and compute in the scalar fields
 * of both curves. Integers are little-endian, as on the machine. */
#ifndef SUMAC_TOY_FILE_H
#define SUMAC_TOY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/refusal.h"
#include "base/try.h"
#include "sumac/experimental.h"
#include "sumac/vector.h"

/* Keys can be created for two curves. A scalar of both has this many bytes and words. */
enum { SCALAR_BYTES = 32, SCALAR_WORDS = SCALAR_BYTES / 8 };

static inline int toy_is_curve(const sumac_group *info)
{
    return strcmp(info->curve, "bn254") == 0 || strcmp(info->curve, "bls12-381") == 0;
}

/* If a call of the library fails, copy the message of s->context to *s->why, and return the status from the calling
 * function. */
#define CALL(s, call) TRY(toy_called((s)->context, (call), (s)->why))
static inline sumac_status toy_called(sumac_context *context, sumac_status status, sumac_message *why)
{
    return status == SUMAC_OK ? status : refuse(why, status, "%s", sumac_context_message(context));
}

static inline void toy_close_vector(sumac_vector **vector)
{
    sumac_vector_destroy(*vector);
}

static inline sumac_status toy_allocate(size_t count, size_t bytes, void *memory, sumac_message *why)
{
    void *zeros = calloc(count, bytes);
    memcpy(memory, &zeros, sizeof zeros);
    return zeros != NULL ? SUMAC_OK
                         : refuse(why, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a circuit",
                                  count * bytes);
}

static inline void put32(FILE *file, uint64_t value)
{
    fwrite(&value, 4, 1, file);
}

static inline void put64(FILE *file, uint64_t value)
{
    fwrite(&value, sizeof value, 1, file);
}

static inline void put_head(FILE *file, const char *magic, uint32_t version, uint32_t sections)
{
    fwrite(magic, 4, 1, file);
    put32(file, version);
    put32(file, sections);
}

static inline void put_section(FILE *file, uint32_t type, uint64_t size)
{
    put32(file, type);
    put64(file, size);
}

static inline sumac_status toy_finish_file(FILE *file, sumac_message *why)
{
    return fflush(file) == 0 && !ferror(file)
               ? SUMAC_OK
               : refuse(why, SUMAC_WRITE_FAILED, "a file of a circuit or its key can't be written");
}

#endif
