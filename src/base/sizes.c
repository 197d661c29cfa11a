/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/sizes.h"

#include "base/refusal.h"

#include <stdio.h>
#include <string.h>

#include "sumac/files.h"
#include "sumac/groth16.h"
#include "sumac/vector.h"

#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Where a struct ended in its first version; and its last field now, behind which there is no padding: a
 * field that is put there makes the struct larger. */
#define PUBLIC_STRUCT(type, last_of_first, default_values, ...)                                              \
    {                                                                                                        \
        .name = #type, .first = END_OF(type, last_of_first), .bytes = sizeof(type),                          \
        .defaults = (default_values), .flags = {                                                             \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define FLAG(type, field)                                                                                    \
    {                                                                                                        \
#field, offsetof(type, field), 0, 1                                                                  \
    }
#define RESERVED(type)                                                                                       \
    {                                                                                                        \
        "reserved", offsetof(type, reserved), 0, 0                                                           \
    }
#define AT_LEAST_1(type, field)                                                                              \
    {                                                                                                        \
#field, offsetof(type, field), 1, UINT32_MAX                                                         \
    }
#define NO_FLAGS                                                                                             \
    {                                                                                                        \
        NULL, 0, 0, 0                                                                                        \
    }
#define NO_PADDING_BEHIND(type, last)                                                                        \
    _Static_assert(sizeof(type) == END_OF(type, last),                                                       \
                   "a field behind the last one would not change the size")

NO_PADDING_BEHIND(sumac_curve_info, order);
NO_PADDING_BEHIND(sumac_trace_event, end);
NO_PADDING_BEHIND(sumac_context_config, device_count);
NO_PADDING_BEHIND(sumac_bases_config, page_locked);
NO_PADDING_BEHIND(sumac_msm_config, scalar_signed);
NO_PADDING_BEHIND(sumac_msm_sizes, bases);
NO_PADDING_BEHIND(sumac_tuning, large_bucket_factor);
NO_PADDING_BEHIND(sumac_format_info, can_write);
NO_PADDING_BEHIND(sumac_element_layout, reserved);
NO_PADDING_BEHIND(sumac_slice, stride);
NO_PADDING_BEHIND(sumac_transform_config, coefficients);
NO_PADDING_BEHIND(sumac_files_config, checkpoint_seconds);
NO_PADDING_BEHIND(sumac_files_report, msm_seconds);
NO_PADDING_BEHIND(sumac_groth16_key_config, verifying);
NO_PADDING_BEHIND(sumac_groth16_prove_config, reserved);
NO_PADDING_BEHIND(sumac_groth16_info, has_verifying_key);

static const sumac_context_config context_defaults = {.backend = "auto", .device = -1};
static const sumac_bases_config bases_defaults = {.form = SUMAC_FORM_CANONICAL};
static const sumac_msm_config msm_defaults = {.batch = 1};
static const sumac_msm_sizes no_sizes = {.scalars = 0};
static const sumac_tuning tuning_defaults = {.variant = NULL};
static const sumac_element_layout layout_defaults = {.form = SUMAC_FORM_CANONICAL};
static const sumac_slice no_slice = {.runs = 0};
static const sumac_transform_config transform_defaults = {.inverse = 0};
static const sumac_files_config stream_defaults = {.n = SUMAC_ALL_BASES, .checkpoint_seconds = 2};
static const sumac_files_report no_report = {.n = 0};
static const sumac_groth16_key_config key_defaults = {.check = SUMAC_CHECK_SUBGROUP};
static const sumac_groth16_prove_config prove_defaults = {.unverified = 0};
static const sumac_groth16_info no_info = {.wires = 0};

const public_struct public_context_config =
    PUBLIC_STRUCT(sumac_context_config, user, &context_defaults, NO_FLAGS);
const public_struct public_bases_config =
    PUBLIC_STRUCT(sumac_bases_config, typical_n, &bases_defaults, FLAG(sumac_bases_config, outside_subgroup),
                  FLAG(sumac_bases_config, replicated), FLAG(sumac_bases_config, page_locked));
const public_struct public_msm_config =
    PUBLIC_STRUCT(sumac_msm_config, tuning, &msm_defaults, FLAG(sumac_msm_config, separate_bases),
                  FLAG(sumac_msm_config, cut_scalars), FLAG(sumac_msm_config, scalar_signed),
                  AT_LEAST_1(sumac_msm_config, batch));
const public_struct public_msm_sizes = PUBLIC_STRUCT(sumac_msm_sizes, bases, &no_sizes, NO_FLAGS);
const public_struct public_tuning =
    PUBLIC_STRUCT(sumac_tuning, large_bucket_factor, &tuning_defaults, NO_FLAGS);
const public_struct public_element_layout =
    PUBLIC_STRUCT(sumac_element_layout, reserved, &layout_defaults, RESERVED(sumac_element_layout));
const public_struct public_slice = PUBLIC_STRUCT(sumac_slice, stride, &no_slice, NO_FLAGS);
const public_struct public_transform_config =
    PUBLIC_STRUCT(sumac_transform_config, coefficients, &transform_defaults,
                  FLAG(sumac_transform_config, inverse), RESERVED(sumac_transform_config));
const public_struct public_files_config = PUBLIC_STRUCT(
    sumac_files_config, checkpoint_seconds, &stream_defaults, FLAG(sumac_files_config, outside_subgroup));
const public_struct public_files_report =
    PUBLIC_STRUCT(sumac_files_report, msm_seconds, &no_report, NO_FLAGS);
const public_struct public_groth16_key_config =
    PUBLIC_STRUCT(sumac_groth16_key_config, precompute_factor, &key_defaults, NO_FLAGS);
const public_struct public_groth16_prove_config =
    PUBLIC_STRUCT(sumac_groth16_prove_config, reserved, &prove_defaults,
                  FLAG(sumac_groth16_prove_config, unverified), RESERVED(sumac_groth16_prove_config));
const public_struct public_groth16_info = PUBLIC_STRUCT(sumac_groth16_info, key_bytes, &no_info, NO_FLAGS);

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

void public_init(const public_struct *type, void *given, size_t size)
{
    if (given == NULL || size < sizeof size) {
        return;
    }
    memset(given, 0, size);
    memcpy(given, type->defaults, smaller(size, type->bytes));
    memcpy(given, &size, sizeof size);
}

sumac_status public_check(const public_struct *type, const void *given, sumac_message *message)
{
    const size_t size = size_of(given);
    if (size == 0 || size > PUBLIC_STRUCT_MOST) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the size of a %s can't be %zu; %s_default() sets it",
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

/* Whether the flags of a struct of the library's version are 0 or 1, what is reserved 0, and what counts at least 1. */
static sumac_status check_flags(const public_struct *type, const void *own, sumac_message *message)
{
    for (const public_flag *flag = type->flags; flag->name != NULL; flag++) {
        uint32_t value;
        memcpy(&value, (const char *)own + flag->offset, sizeof value);
        if (value < flag->least || value > flag->most) {
            return refuse(message, SUMAC_BAD_ARGUMENT, "the %s can't be used: %s is %s", type->name,
                          flag->name,
                          flag->least == 1  ? "0, and must be at least 1"
                          : flag->most == 0 ? "not 0"
                                            : "neither 0 nor 1");
        }
    }
    return SUMAC_OK;
}

sumac_status public_take(const public_struct *type, const void *given, void *own, sumac_message *message)
{
    const sumac_status status = given == NULL ? SUMAC_OK : public_check(type, given, message);
    public_init(type, own, type->bytes);
    if (status == SUMAC_OK && given != NULL) {
        public_copy(given, own);
    }
    return status == SUMAC_OK ? check_flags(type, own, message) : status;
}

void sumac_context_config_init(sumac_context_config *config, size_t size)
{
    public_init(&public_context_config, config, size);
}

void sumac_bases_config_init(sumac_bases_config *config, size_t size)
{
    public_init(&public_bases_config, config, size);
}

void sumac_msm_config_init(sumac_msm_config *config, size_t size)
{
    public_init(&public_msm_config, config, size);
}

void sumac_msm_sizes_init(sumac_msm_sizes *sizes, size_t size)
{
    public_init(&public_msm_sizes, sizes, size);
}

void sumac_tuning_init(sumac_tuning *tuning, size_t size)
{
    public_init(&public_tuning, tuning, size);
}

void sumac_element_layout_init(sumac_element_layout *layout, size_t size)
{
    public_init(&public_element_layout, layout, size);
}

void sumac_slice_init(sumac_slice *slice, size_t size)
{
    public_init(&public_slice, slice, size);
}

void sumac_transform_config_init(sumac_transform_config *config, size_t size)
{
    public_init(&public_transform_config, config, size);
}

void sumac_files_config_init(sumac_files_config *config, size_t size)
{
    public_init(&public_files_config, config, size);
}

void sumac_files_report_init(sumac_files_report *report, size_t size)
{
    public_init(&public_files_report, report, size);
}

void sumac_groth16_key_config_init(sumac_groth16_key_config *config, size_t size)
{
    public_init(&public_groth16_key_config, config, size);
}

void sumac_groth16_prove_config_init(sumac_groth16_prove_config *config, size_t size)
{
    public_init(&public_groth16_prove_config, config, size);
}

void sumac_groth16_info_init(sumac_groth16_info *info, size_t size)
{
    public_init(&public_groth16_info, info, size);
}
