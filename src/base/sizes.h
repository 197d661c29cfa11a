/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Structs of the interface between programs and libraries of other versions: the rules of sumac.h, "Sizes",
 * for those that a caller passes. A new field comes at the end; a field that is 0 by default needs nothing
 * else.
 */
#ifndef SUMAC_BASE_SIZES_H
#define SUMAC_BASE_SIZES_H

#include "sumac/sumac.h"

/* No version of a struct will have more bytes: a larger size is not looked at any further. */
#define PUBLIC_STRUCT_MOST ((size_t)4096)

/* A uint32_t that is 0 or 1; or 0, one that is reserved; or any but 0, one that counts. */
typedef struct public_flag {
    const char *name; /* null behind the last one */
    size_t offset;
    uint32_t least, most;
} public_flag;

enum { PUBLIC_FLAGS = 5 /* of a struct at most, the end counted */ };

/* A struct as this library knows it. */
typedef struct public_struct {
    const char *name;
    size_t first;         /* bytes of its first version that had a size */
    size_t bytes;         /* of the library's own version */
    const void *defaults; /* of that version, but for the size */
    public_flag flags[PUBLIC_FLAGS];
} public_struct;

extern const public_struct public_context_config;
extern const public_struct public_bases_config;
extern const public_struct public_msm_config;
extern const public_struct public_msm_sizes;
extern const public_struct public_tuning;
extern const public_struct public_element_layout;
extern const public_struct public_slice;
extern const public_struct public_transform_config;
extern const public_struct public_files_config;
extern const public_struct public_files_report;
extern const public_struct public_groth16_key_config;
extern const public_struct public_groth16_prove_config;
extern const public_struct public_groth16_info;

/* The defaults as a struct of so many bytes. */
void public_init(const public_struct *type, void *given, size_t size);

/* Whether the library can serve a caller's struct; else the message says why not. */
sumac_status public_check(const public_struct *type, const void *given, sumac_message *message);

/* A caller's struct that is checked first, its flags, too, null: the defaults, as one of the library's own
 * version. */
sumac_status public_take(const public_struct *type, const void *given, void *own, sumac_message *message);

/* Copy what both of two structs have room for, which are checked or the library's own; their sizes stay. */
void public_copy(const void *from, void *to);

#endif
