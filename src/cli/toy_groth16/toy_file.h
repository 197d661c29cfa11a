/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* iden3's container, as the files of the toys have it, and the toys' failures. Integers are little-endian, and so is the
 * machine. */
#ifndef SUMAC_TOY_FILE_H
#define SUMAC_TOY_FILE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "sumac/known.h"
#include "sumac/vector.h"
#include "toy_field.h"

__attribute__((format(printf, 3, 4))) static inline sumac_status
toy_fail(sumac_message *why, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return status;
}

/* Forward a failed call of the library with the context's sentence. */
static inline sumac_status toy_called(sumac_context *context, sumac_status status, sumac_message *why)
{
    return status == SUMAC_OK ? status : toy_fail(why, status, "%s", sumac_context_message(context));
}

static inline sumac_status toy_allocate(size_t count, size_t bytes, void *memory, sumac_message *why)
{
    void *made = calloc(count, bytes);
    memcpy(memory, &made, sizeof made);
    return made != NULL ? SUMAC_OK
                        : toy_fail(why, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a circuit",
                                   count * bytes);
}

static inline void put32(FILE *file, uint64_t value)
{
    const uint32_t number = (uint32_t)value;
    fwrite(&number, sizeof number, 1, file);
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
               : toy_fail(why, SUMAC_WRITE_FAILED, "a file of a circuit or its key can't be written");
}

/* The curves that keys are made for. */
static inline int toy_is_curve(const sumac_curve_info *info)
{
    return strcmp(info->name, "bn254") == 0 || strcmp(info->name, "bls12-381") == 0;
}

#endif
