/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Programs may pass these structs to libraries of other versions, by the rules of sumac.h, "Sizes". A new field is added
 * at the end, and 0 is its default for ever; then nothing else must change.
 */
#ifndef SUMAC_BASE_SIZES_H
#define SUMAC_BASE_SIZES_H

#include "sumac/sumac.h"

/* No version of a struct will ever have more bytes, so a larger size is refused. */
#define PUBLIC_STRUCT_MOST ((size_t)4096)

/* A field of type uint32_t may have a range: a flag must be 0 or 1, and a reserved field must be 0. */
typedef struct public_flag {
    const char *name; /* null after the last one */
    size_t offset;
    uint32_t most;
} public_flag;

enum { PUBLIC_FLAGS = 5 /* the most flags of a struct, with the null at the end */ };

/* This describes a public struct in this version of the library. */
typedef struct public_struct {
    const char *name;
    size_t first; /* bytes of the first version with a size field */
    size_t bytes; /* bytes of this library's version */
    public_flag flags[PUBLIC_FLAGS];
} public_struct;

extern const public_struct public_context_config;
extern const public_struct public_context_info;
extern const public_struct public_bases_config;
extern const public_struct public_msm_config;
extern const public_struct public_bases_info;
extern const public_struct public_msm_needs;
extern const public_struct public_element_layout;
extern const public_struct public_slice;
extern const public_struct public_transform_config;
extern const public_struct public_files_config;
extern const public_struct public_files_report;
extern const public_struct public_fk20_info;
extern const public_struct public_kzg_config;
extern const public_struct public_groth16_key_config;
extern const public_struct public_groth16_prove_config;
extern const public_struct public_groth16_info;
extern const public_struct public_plonk_key_config;
extern const public_struct public_plonk_prove_config;
extern const public_struct public_plonk_setup_config;
extern const public_struct public_plonk_info;

/* Check the size of a caller's struct, and that no field is set that this library does not know. */
sumac_status public_check(const public_struct *type, const void *given, sumac_message *message);

/* Check a caller's struct and its flags, and copy it to a struct of the library's version. Null means the defaults. */
sumac_status public_take(const public_struct *type, const void *given, void *copy, sumac_message *message);

/* Take a configuration of MSMs. If the caller left its batch at 0, set the batch. If there are offsets, their number is
 * batch + 1. */
sumac_status msm_config_take(const sumac_msm_config *given, sumac_msm_config *copy, sumac_message *message);

/* Copy the bytes that both structs have, except their sizes. Each struct must be checked or the library's own. */
void public_copy(const void *from, void *to);

/* This is a rule for a configuration, with the message that reports that it is broken. */
typedef struct config_fault {
    int is_broken;
    const char *sentence;
} config_fault;

/* Return the message of the first broken rule, or null if none is broken. */
const char *first_fault(const config_fault *rules, size_t count);

#endif
