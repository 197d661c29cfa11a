/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These macros end a function early. TRY() passes a failed status on to the caller. If a variable has AUTO_FREE or
 * CLEANUP(), the compiler releases its resource wherever its block ends:
 *
 *     AUTO_FREE uint8_t *bytes = malloc(n);
 *     CLEANUP(close_file) input_file file = {0};
 *     TRY(read_file(&file, bytes, n));
 *
 * Such a variable is initialised in its declaration. A result for the caller is moved out: `*out = bytes; bytes = NULL;`.
 */
#ifndef SUMAC_BASE_TRY_H
#define SUMAC_BASE_TRY_H

#include <stdlib.h>
#include <string.h>

#include "sumac/status.h"

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const sumac_status try_status_ = (call);                                                             \
        if (try_status_ != SUMAC_OK) {                                                                       \
            return try_status_;                                                                              \
        }                                                                                                    \
    } while (0)

/* `function` gets the variable's address when its block ends. */
#define CLEANUP(function) __attribute__((cleanup(function)))

/* free() what a pointer of any type points to. */
static inline void free_pointer(void *variable)
{
    void *memory = NULL;
    memcpy(&memory, variable, sizeof memory);
    free(memory);
}
#define AUTO_FREE CLEANUP(free_pointer)

#endif
