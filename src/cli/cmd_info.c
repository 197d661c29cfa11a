/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_info.h"
#include "machine.h"
#include "results.h"
#include "session.h"
#include "text.h"

/* Names that a library of this version may know; contexts tell which of them work here. */
static const char *const backends[] = {"cpu", "cuda"};

/* What the variants are made of. */
static const char *const features[] = {"bmi2", "adx", "avx2", "fma", "avx512f", "avx512ifma", "avx512_vbmi2"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What was found out, before a word of it is printed. */
typedef struct machine_facts {
    bool backends[COUNT(backends)];
    bool variants[VARIANTS];
    bool features[COUNT(features)];
    char cpu[128];
    char devices[SUMAC_MAX_DEVICES][SUMAC_MESSAGE_BYTES]; /* that --devices all means */
    uint32_t device_count;
    sumac_message no_devices; /* why there are none */
} machine_facts;

/* Whether a context can be made; that memory was short for it does not mean that it cannot. */
static int find_out(const char *backend, const char *variant, bool *works)
{
    sumac_context_config config = sumac_context_config_default();
    sumac_tuning tuning = sumac_tuning_default();
    config.tuning = &tuning;
    config.backend = backend;
    tuning.variant = variant;
    config.threads = 1;
    sumac_context *context;
    sumac_status status = sumac_context_create(&config, &context, NULL);
    *works = status == SUMAC_OK;
    if (status == SUMAC_OK) {
        sumac_context_destroy(context);
    }
    return status == SUMAC_OUT_OF_MEMORY ? library_failure(NULL, status) : STATUS_DONE;
}

/* A GPU tells about itself; the CPU is one device. */
static void describe_device(machine_facts *facts, uint32_t k, const char *told)
{
    char *text = facts->devices[k];
    const size_t size = sizeof facts->devices[k];
    if (*told != '\0') {
        snprintf(text, size, "%s", told);
    } else {
        snprintf(text, size, "%s, %.0f GiB", facts->cpu, (double)machine_memory() / (1024 * 1024 * 1024.0));
    }
}

/* Those that --devices all means, with their numbers. */
static int find_devices(machine_facts *facts)
{
    sumac_context_config config = sumac_context_config_default();
    config.threads = 1;
    config.device_count = SUMAC_ALL_DEVICES;
    sumac_context *context;
    const sumac_status status = sumac_context_create(&config, &context, &facts->no_devices);
    if (status == SUMAC_OUT_OF_MEMORY) {
        return library_failure(NULL, status);
    }
    if (status == SUMAC_OK) {
        facts->device_count = sumac_context_device_count(context);
        for (uint32_t k = 0; k < facts->device_count; k++) {
            describe_device(facts, k, sumac_context_device_name(context, k));
        }
        sumac_context_destroy(context);
    }
    return STATUS_DONE;
}

static int find_facts(machine_facts *facts)
{
    int status = STATUS_DONE;
    memset(facts, 0, sizeof *facts);
    for (size_t i = 0; i < COUNT(backends) && status == STATUS_DONE; i++) {
        status = find_out(backends[i], NULL, &facts->backends[i]);
    }
    for (size_t i = 0; i < VARIANTS && status == STATUS_DONE; i++) {
        status = find_out("cpu", variant_names[i], &facts->variants[i]);
    }
    for (size_t i = 0; i < COUNT(features); i++) {
        facts->features[i] = machine_has_feature(features[i]);
    }
    machine_cpu_model(facts->cpu, sizeof facts->cpu);
    return status == STATUS_DONE ? find_devices(facts) : status;
}

/* ---- JSON ---- */

static json_t *curve_to_json(const sumac_curve_info *info)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b}", "name", info->name, "group", info->group,
                     "field_bits", (json_int_t)info->field_bits, "degree", (json_int_t)info->degree,
                     "scalar_bits", (json_int_t)info->scalar_bits, "point_bytes",
                     (json_int_t)info->point_bytes, "scalar_bytes", (json_int_t)info->scalar_bytes,
                     "cofactor_is_one", info->cofactor_is_one);
}

/* Append to a list, or free it when memory is short: null from then on. */
static void append(json_t **list, json_t *item)
{
    if (json_array_append_new(*list, item) != 0) {
        json_decref(*list);
        *list = NULL;
    }
}

static json_t *curves_to_json(void)
{
    json_t *curves = json_array();
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        append(&curves, curve_to_json(sumac_curve_describe(sumac_curve_at(i))));
    }
    return curves;
}

static json_t *formats_to_json(void)
{
    json_t *formats = json_array();
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        append(&formats,
               json_pack("{s:s, s:s, s:b, s:b}", "name", format->name, "description", format->description,
                         "can_read", format->can_read, "can_write", format->can_write));
    }
    return formats;
}

static json_t *names_to_json(const char *const *names, const bool *present, size_t count)
{
    json_t *found = json_array();
    for (size_t i = 0; i < count; i++) {
        if (present[i]) {
            append(&found, json_string(names[i]));
        }
    }
    return found;
}

static json_t *devices_to_json(const machine_facts *facts)
{
    json_t *devices = json_array();
    for (uint32_t k = 0; k < facts->device_count; k++) {
        append(&devices, json_pack("{s:I, s:o}", "number", (json_int_t)k, "description",
                                   text_to_json(facts->devices[k])));
    }
    return devices;
}

static int print_info_json(const sumac_context *context, const machine_facts *facts)
{
    return print_json(json_pack(
        "{s:s, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "version", sumac_version(), "backends",
        names_to_json(backends, facts->backends, COUNT(backends)), "variant", sumac_context_variant(context),
        "variants", names_to_json(variant_names, facts->variants, VARIANTS), "threads",
        (json_int_t)sumac_context_threads(context), "cpu", text_to_json(facts->cpu), "cpu_features",
        names_to_json(features, facts->features, COUNT(features)), "devices", devices_to_json(facts),
        "curves", curves_to_json(), "formats", formats_to_json()));
}

/* ---- Text ---- */

static void print_names(const char *title, const char *const *names, const bool *present, size_t count)
{
    print("%s", title);
    for (size_t i = 0; i < count; i++) {
        if (present[i]) {
            print(" %s", names[i]);
        }
    }
    print("\n");
}

/* A line each. */
static void print_devices(const machine_facts *facts)
{
    for (uint32_t k = 0; k < facts->device_count; k++) {
        print("%-12s %u: ", k == 0 ? "devices" : "", (unsigned)k);
        print_text(facts->devices[k]);
        print("\n");
    }
    if (facts->device_count == 0) {
        print("devices      none: ");
        print_text(facts->no_devices.text);
        print("\n");
    }
}

static void print_curves(void)
{
    print("\n%-12s %-6s %10s %11s %12s %13s\n", "curve", "group", "field bits", "scalar bits", "point bytes",
          "scalar bytes");
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        const sumac_curve_info *info = sumac_curve_describe(sumac_curve_at(i));
        char bits[32];
        snprintf(bits, sizeof bits, info->degree > 1 ? "%u x %u" : "%u", (unsigned)info->field_bits,
                 (unsigned)info->degree);
        print("%-12s %-6s %10s %11u %12u %13u\n", info->name, info->group, bits, (unsigned)info->scalar_bits,
              (unsigned)info->point_bytes, (unsigned)info->scalar_bytes);
    }
}

static void print_formats(void)
{
    print("\nformat\n");
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        const char *ways = format->can_read && format->can_write ? "read, write"
                           : format->can_read                    ? "read"
                                                                 : "write";
        print("%-23s %-11s  %s\n", format->name, ways, format->description);
    }
}

static void print_info(const sumac_context *context, const machine_facts *facts)
{
    print("sumac        %s\n", sumac_version());
    print_names("backends    ", backends, facts->backends, COUNT(backends));
    print_names("variants    ", variant_names, facts->variants, VARIANTS);
    print("in use       %s (%s), threads: %u\n", sumac_context_backend(context),
          sumac_context_variant(context), (unsigned)sumac_context_threads(context));
    print("cpu          ");
    print_text(facts->cpu);
    print("\n");
    print_names("cpu features", features, facts->features, COUNT(features));
    print_devices(facts);
    print_curves();
    print_formats();
}

static int run_info(const options *given)
{
    session opened;
    machine_facts facts;
    int status = session_open(&opened, given);
    if (given->operand_count > 0) {
        return session_close(&opened, status == STATUS_DONE ? print_file_info(&opened, given) : status);
    }
    if (status == STATUS_DONE) {
        status = find_facts(&facts);
    }
    if (status == STATUS_DONE && given->json) {
        status = print_info_json(opened.context, &facts);
    } else if (status == STATUS_DONE) {
        print_info(opened.context, &facts);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_JSON, OPTION_END};

const command command_info = {
    .name = "info",
    .summary = "Print version, backends, the CPU's features, devices, curves and formats; or what a file is",
    .takes = takes,
    .operands = "[FILE]",
    .operands_maximum = 1,
    .operands_read = 1,
    .notes =
        "With a file, which has to be a regular one: what it is, of which curve, how many, what was checked\n"
        "of that; and of some files that are not read, what they are.\n",
    .run = run_info,
};
