/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "file_info.h"
#include "machine.h"

/* These are all backends of this version. Which of them work here is found out by creating contexts. */
static const char *const backends[] = {"cpu", "cuda"};

/* Variants need these features of the processor. */
static const char *const features[] = {"bmi2", "adx", "avx2", "fma", "avx512f", "avx512ifma", "avx512_vbmi2"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* These facts are collected before anything is printed. */
typedef struct machine_facts {
    bool backends[COUNT(backends)];
    bool variants[VARIANTS];
    bool features[COUNT(features)];
    char cpu[128];
    char devices[MOST_DEVICES][SUMAC_MESSAGE_BYTES]; /* the devices that --devices all would use */
    size_t device_count;
    sumac_message no_devices; /* the reason if device_count is 0 */
} machine_facts;

/* Find out whether this backend and variant work here. If there is too little memory for the context, report a failure,
 * because that does not show whether they work. */
static int find_out(const char *backend, const char *variant, bool *works)
{
    sumac_context_config config = {.size = sizeof config};
    char tuning[32];
    snprintf(tuning, sizeof tuning, "%s%s", variant != NULL ? "variant=" : "",
             variant != NULL ? variant : "");
    config.tuning = tuning;
    config.backend = backend;
    config.threads = 1;
    sumac_context *context;
    const sumac_status status = sumac_context_create(&config, &context, NULL);
    *works = status == SUMAC_OK;
    if (status == SUMAC_OK) {
        sumac_context_destroy(context);
    }
    return status == SUMAC_OUT_OF_MEMORY ? library_failure(NULL, status) : STATUS_DONE;
}

/* Find the devices that --devices all would use, with their descriptions. The CPU is one device. */
static int find_devices(machine_facts *facts)
{
    sumac_context_config config = {.size = sizeof config};
    config.threads = 1;
    config.device_count = SUMAC_ALL_DEVICES;
    sumac_context *context;
    const sumac_status status = sumac_context_create(&config, &context, &facts->no_devices);
    if (status != SUMAC_OK) {
        return status == SUMAC_OUT_OF_MEMORY ? library_failure(NULL, status) : STATUS_DONE;
    }
    facts->device_count = context_info(context).device_count;
    for (uint32_t k = 0; k < facts->device_count; k++) {
        const char *name = context_info(context).device_names[k];
        if (name[0] != '\0') {
            snprintf(facts->devices[k], sizeof facts->devices[k], "%s", name);
        } else {
            snprintf(facts->devices[k], sizeof facts->devices[k], "%s, %.0f GiB", facts->cpu,
                     (double)machine_memory() / (1024 * 1024 * 1024.0));
        }
    }
    sumac_context_destroy(context);
    return STATUS_DONE;
}

static int find_facts(machine_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    for (size_t i = 0; i < COUNT(backends); i++) {
        MUST(find_out(backends[i], NULL, &facts->backends[i]));
    }
    for (size_t i = 0; i < VARIANTS; i++) {
        MUST(find_out("cpu", variant_names[i], &facts->variants[i]));
    }
    for (size_t i = 0; i < COUNT(features); i++) {
        facts->features[i] = machine_has_feature(features[i]);
    }
    machine_cpu_model(facts->cpu, sizeof facts->cpu);
    return find_devices(facts);
}

/* ---- JSON ---- */

static json_t *names_to_json(const char *const *names, const bool *present, size_t count)
{
    json_t *found = json_array();
    for (size_t i = 0; i < count; i++) {
        if (present[i]) {
            json_append(&found, json_string(names[i]));
        }
    }
    return found;
}

static int print_info_json(const sumac_context *context, const machine_facts *facts)
{
    json_t *devices = json_array(), *curves = json_array(), *formats = json_array();
    for (uint32_t k = 0; k < facts->device_count; k++) {
        json_append(&devices, json_pack("{s:I, s:o}", "number", (json_int_t)k, "description",
                                        text_to_json(facts->devices[k])));
    }
    for (size_t i = 0; i < sumac_group_count(); i++) {
        const sumac_group *info = sumac_group_at(i);
        json_append(&curves,
                    json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:b}", "name", info->curve, "group",
                              info->name, "field_bits", (json_int_t)info->field_bits, "degree",
                              (json_int_t)info->degree, "scalar_bits", (json_int_t)info->scalar_bits,
                              "point_bytes", (json_int_t)info->point_bytes, "scalar_bytes",
                              (json_int_t)info->scalar_bytes, "cofactor_is_one", info->cofactor_is_one));
    }
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        json_append(&formats, json_pack("{s:s, s:s, s:b, s:b}", "name", format->name, "description",
                                        format->description, "can_read", format->can_read, "can_write",
                                        format->can_write));
    }
    return print_json(json_pack(
        "{s:s, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "version", sumac_version(), "backends",
        names_to_json(backends, facts->backends, COUNT(backends)), "variant", context_info(context).variant,
        "variants", names_to_json(variant_names, facts->variants, VARIANTS), "threads",
        (json_int_t)context_info(context).threads, "cpu", text_to_json(facts->cpu), "cpu_features",
        names_to_json(features, facts->features, COUNT(features)), "devices", devices, "curves", curves,
        "formats", formats));
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

static int print_info(const sumac_context *context, const machine_facts *facts)
{
    print("sumac        %s\n", sumac_version());
    print_names("backends    ", backends, facts->backends, COUNT(backends));
    print_names("variants    ", variant_names, facts->variants, VARIANTS);
    print("in use       %s (%s), threads: %u\ncpu          ", context_info(context).backend,
          context_info(context).variant, (unsigned)context_info(context).threads);
    print_text(facts->cpu);
    print("\n");
    print_names("cpu features", features, facts->features, COUNT(features));
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
    print("\n%-12s %-6s %10s %11s %12s %13s\n", "curve", "group", "field bits", "scalar bits", "point bytes",
          "scalar bytes");
    for (size_t i = 0; i < sumac_group_count(); i++) {
        const sumac_group *info = sumac_group_at(i);
        char bits[32];
        snprintf(bits, sizeof bits, info->degree > 1 ? "%u x %u" : "%u", (unsigned)info->field_bits,
                 (unsigned)info->degree);
        print("%-12s %-6s %10s %11u %12u %13u\n", info->curve, info->name, bits, (unsigned)info->scalar_bits,
              (unsigned)info->point_bytes, (unsigned)info->scalar_bytes);
    }
    print("\nformat\n");
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        print("%-23s %-11s  %s\n", format->name,
              format->can_read && format->can_write ? "read, write"
              : format->can_read                    ? "read"
                                                    : "write",
              format->description);
    }
    return STATUS_DONE;
}

static int run_info(const session *opened, const options *given)
{
    machine_facts facts;
    if (given->operand_count > 0) {
        return print_file_info(opened, given);
    }
    MUST(find_facts(&facts));
    return given->json ? print_info_json(opened->context, &facts) : print_info(opened->context, &facts);
}

const command command_info = {
    .name = "info",
    .summary = "Print version, backends, the CPU's features, devices, curves and formats; or what a file is",
    .takes = OPTIONS(OPTION_JSON),
    .operands = {"[FILE]", 0, 1, 1},
    .example = "info bases.bin",
    .notes = "FILE has to be a regular file. Its kind, curve and number of records are printed, and what was "
             "checked; and for some files that sumac does not read, what they are.",
    .run_in = run_info,
};
