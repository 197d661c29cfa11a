/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/sizes.h"

#include <string.h>

#include "base/integers.h"
#include "base/refusal.h"
#include "base/try.h"
#include "sumac/experimental.h"
#include "sumac/groth16.h"
#include "sumac/kzg.h"
#include "sumac/plonk.h"
#include "sumac/srs.h"
#include "sumac/vector.h"

#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Forbid padding behind the last field, so that each further field makes the struct larger. */
#define NO_PADDING_BEHIND(type, last)                                                                        \
    _Static_assert(sizeof(type) == END_OF(type, last),                                                       \
                   "a field behind the last one would not change the size")

NO_PADDING_BEHIND(sumac_group, order);
NO_PADDING_BEHIND(sumac_trace_event, end);
NO_PADDING_BEHIND(sumac_format_info, can_write);

/* Define a struct of the interface. The arguments are the last field of its first version, its present last field, and
 * its flags. */
#define PUBLIC_STRUCT(row, type, last_of_first, last, ...)                                                   \
    NO_PADDING_BEHIND(type, last);                                                                           \
    const public_struct row = {                                                                              \
        .name = #type, .first = END_OF(type, last_of_first), .bytes = sizeof(type), .flags = {__VA_ARGS__}};
#define FLAG(type, field)                                                                                    \
    {                                                                                                        \
#field, offsetof(type, field), 1                                                                     \
    }
#define RESERVED(type)                                                                                       \
    {                                                                                                        \
        "reserved", offsetof(type, reserved), 0                                                              \
    }
#define NO_FLAGS                                                                                             \
    {                                                                                                        \
        NULL, 0, 0                                                                                           \
    }

PUBLIC_STRUCT(public_context_config, sumac_context_config, reserved, reserved, RESERVED(sumac_context_config))
PUBLIC_STRUCT(public_context_info, sumac_context_info, location, location, NO_FLAGS)
PUBLIC_STRUCT(public_bases_config, sumac_bases_config, tuning, tuning,
              FLAG(sumac_bases_config, outside_subgroup), FLAG(sumac_bases_config, replicated),
              FLAG(sumac_bases_config, page_locked), RESERVED(sumac_bases_config))
PUBLIC_STRUCT(public_bases_info, sumac_bases_info, bytes, bytes, NO_FLAGS)
PUBLIC_STRUCT(public_msm_config, sumac_msm_config, tuning, tuning, FLAG(sumac_msm_config, cut_scalars),
              FLAG(sumac_msm_config, scalar_signed))
PUBLIC_STRUCT(public_msm_needs, sumac_msm_needs, pinned_bytes, pinned_bytes, NO_FLAGS)
PUBLIC_STRUCT(public_element_layout, sumac_element_layout, reserved, reserved, RESERVED(sumac_element_layout))
PUBLIC_STRUCT(public_slice, sumac_slice, stride, stride, NO_FLAGS)
PUBLIC_STRUCT(public_transform_config, sumac_transform_config, coefficients, root_bytes,
              FLAG(sumac_transform_config, inverse), RESERVED(sumac_transform_config))
PUBLIC_STRUCT(public_files_config, sumac_files_config, checkpoint_milliseconds, checkpoint_milliseconds,
              FLAG(sumac_files_config, outside_subgroup))
PUBLIC_STRUCT(public_files_report, sumac_files_report, msm_seconds, msm_seconds, NO_FLAGS)
PUBLIC_STRUCT(public_fk20_info, sumac_fk20_info, table_bytes, table_bytes, NO_FLAGS)
PUBLIC_STRUCT(public_kzg_config, sumac_kzg_config, table_bytes, table_bytes, FLAG(sumac_kzg_config, cells))
PUBLIC_STRUCT(public_groth16_key_config, sumac_groth16_key_config, precompute_factor, commitment_wires_bytes,
              NO_FLAGS)
PUBLIC_STRUCT(public_groth16_prove_config, sumac_groth16_prove_config, reserved, reserved,
              FLAG(sumac_groth16_prove_config, unverified), RESERVED(sumac_groth16_prove_config))
PUBLIC_STRUCT(public_groth16_info, sumac_groth16_info, key_bytes, commitments, NO_FLAGS)
PUBLIC_STRUCT(public_plonk_key_config, sumac_plonk_key_config, reserved, reserved,
              FLAG(sumac_plonk_key_config, compact), RESERVED(sumac_plonk_key_config))
PUBLIC_STRUCT(public_plonk_prove_config, sumac_plonk_prove_config, reserved, reserved,
              FLAG(sumac_plonk_prove_config, unverified), RESERVED(sumac_plonk_prove_config))
PUBLIC_STRUCT(public_plonk_setup_config, sumac_plonk_setup_config, protocol, protocol, NO_FLAGS)
PUBLIC_STRUCT(public_plonk_info, sumac_plonk_info, key_bytes, protocol, NO_FLAGS)

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

sumac_status public_check(const public_struct *type, const void *given, sumac_message *message)
{
    const size_t size = size_of(given);
    if (size == 0 || size > PUBLIC_STRUCT_MOST) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the size of a %s can't be %zu; set it to sizeof(%s)",
                      type->name, size, type->name);
    }
    if (size < type->first) {
        return refuse(message, SUMAC_BAD_ARGUMENT,
                      "a %s of %zu bytes is too old: the library's first one has %zu", type->name, size,
                      type->first);
    }
    for (size_t i = type->bytes; i < size; i++) {
        if (((const unsigned char *)given)[i] != 0) {
            return refuse(
                message, SUMAC_NOT_SUPPORTED,
                "the %s is of a newer header than the library, %s, and has a field set that this one does "
                "not know",
                type->name, SUMAC_VERSION_STRING);
        }
    }
    return SUMAC_OK;
}

void public_copy(const void *from, void *to)
{
    memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
           smaller(size_of(from), size_of(to)) - sizeof(size_t));
}

sumac_status public_take(const public_struct *type, const void *given, void *copy, sumac_message *message)
{
    const sumac_status status = given == NULL ? SUMAC_OK : public_check(type, given, message);
    memset(copy, 0, type->bytes);
    memcpy(copy, &type->bytes, sizeof type->bytes);
    TRY(status);
    if (given != NULL) {
        public_copy(given, copy);
    }
    for (const public_flag *flag = type->flags; flag->name != NULL; flag++) {
        uint32_t value;
        memcpy(&value, (const char *)copy + flag->offset, sizeof value);
        if (value > flag->most) {
            return refuse(message, SUMAC_BAD_ARGUMENT, "the %s can't be used: %s is %s", type->name,
                          flag->name, flag->most == 0 ? "not 0" : "neither 0 nor 1");
        }
    }
    return SUMAC_OK;
}

sumac_status msm_config_take(const sumac_msm_config *given, sumac_msm_config *copy, sumac_message *message)
{
    TRY(public_take(&public_msm_config, given, copy, message));
    if ((copy->offsets == NULL) != (copy->offset_count == 0)) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "there are %zu offsets, and their address is %s",
                      copy->offset_count, copy->offsets == NULL ? "null" : "not null");
    }
    if (copy->offsets != NULL && copy->batch != 0 && copy->offset_count != (uint64_t)copy->batch + 1) {
        return refuse(message, SUMAC_BAD_LENGTH, "there are %zu offsets, and a batch of %u needs one more",
                      copy->offset_count, copy->batch);
    }
    if (copy->offset_count > (uint64_t)UINT32_MAX + 1 || copy->offset_count == 1) {
        return refuse(message, SUMAC_BAD_LENGTH, "%zu offsets describe no MSM, or more than 2^32 - 1",
                      copy->offset_count);
    }
    if (copy->batch == 0) {
        copy->batch = copy->offsets == NULL ? 1 : (uint32_t)(copy->offset_count - 1);
    }
    return SUMAC_OK;
}

const char *first_fault(const config_fault *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].is_broken) {
            return rules[i].sentence;
        }
    }
    return NULL;
}
