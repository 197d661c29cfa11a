#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "results.h"
#include "session.h"

/* Names that a library of this version may know; contexts tell which of them work here. */
static const char *const backends[] = {"cpu", "cuda"};
static const char *const variants[] = {"avx512", "adx", "portable"};

/* What the variants are made of. */
static const char *const features[] = {"bmi2", "adx", "avx2", "avx512f", "avx512ifma", "avx512_vbmi2"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool works(const char *backend, const char *variant)
{
    sumac_context_config config = sumac_context_config_default();
    config.backend = backend;
    config.variant = variant;
    config.threads = 1;
    sumac_context *context;
    if (sumac_context_create(&config, &context) != SUMAC_OK) {
        return false;
    }
    sumac_context_destroy(context);
    return true;
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

static json_t *curves_to_json(void)
{
    json_t *curves = json_array();
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        json_array_append_new(curves, curve_to_json(sumac_curve_describe(sumac_curve_at(i))));
    }
    return curves;
}

static json_t *formats_to_json(void)
{
    json_t *formats = json_array();
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        json_array_append_new(formats, json_pack("{s:s, s:s, s:b, s:b}", "name", format->name, "description",
                                                 format->description, "can_read", format->can_read,
                                                 "can_write", format->can_write));
    }
    return formats;
}

static json_t *names_to_json(const char *const *names, size_t count, bool (*present)(const char *name))
{
    json_t *found = json_array();
    for (size_t i = 0; i < count; i++) {
        if (present(names[i])) {
            json_array_append_new(found, json_string(names[i]));
        }
    }
    return found;
}

static bool backend_works(const char *name)
{
    return works(name, NULL);
}

static bool variant_works(const char *name)
{
    return works("cpu", name);
}

static int print_info_json(const sumac_context *context, const char *cpu)
{
    return print_json(json_pack("{s:s, s:o, s:s, s:o, s:I, s:s, s:o, s:o, s:o}", "version", sumac_version(),
                                "backends", names_to_json(backends, COUNT(backends), backend_works),
                                "variant", sumac_context_variant(context), "variants",
                                names_to_json(variants, COUNT(variants), variant_works), "threads",
                                (json_int_t)sumac_context_threads(context), "cpu", cpu, "cpu_features",
                                names_to_json(features, COUNT(features), machine_has_feature), "curves",
                                curves_to_json(), "formats", formats_to_json()));
}

/* ---- Text ---- */

static void print_names(const char *title, const char *const *names, size_t count,
                        bool (*present)(const char *name))
{
    printf("%s", title);
    for (size_t i = 0; i < count; i++) {
        if (present(names[i])) {
            printf(" %s", names[i]);
        }
    }
    printf("\n");
}

static void print_curves(void)
{
    printf("\n%-12s %-6s %10s %11s %12s %13s\n", "curve", "group", "field bits", "scalar bits", "point bytes",
           "scalar bytes");
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        const sumac_curve_info *info = sumac_curve_describe(sumac_curve_at(i));
        char bits[32];
        snprintf(bits, sizeof bits, info->degree > 1 ? "%u x %u" : "%u", (unsigned)info->field_bits,
                 (unsigned)info->degree);
        printf("%-12s %-6s %10s %11u %12u %13u\n", info->name, info->group, bits, (unsigned)info->scalar_bits,
               (unsigned)info->point_bytes, (unsigned)info->scalar_bytes);
    }
}

static void print_formats(void)
{
    printf("\nformat\n");
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        const char *ways = format->can_read && format->can_write ? "read, write"
                           : format->can_read                    ? "read"
                                                                 : "write";
        printf("%-22s %-11s  %s\n", format->name, ways, format->description);
    }
}

static void print_info(const sumac_context *context, const char *cpu)
{
    printf("sumac        %s\n", sumac_version());
    print_names("backends    ", backends, COUNT(backends), backend_works);
    print_names("variants    ", variants, COUNT(variants), variant_works);
    printf("in use       %s (%s), threads: %u\n", sumac_context_backend(context),
           sumac_context_variant(context), (unsigned)sumac_context_threads(context));
    printf("cpu          %s\n", cpu);
    print_names("cpu features", features, COUNT(features), machine_has_feature);
    print_curves();
    print_formats();
}

static int run_info(const options *given)
{
    session opened;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        char cpu[128];
        machine_cpu_model(cpu, sizeof cpu);
        if (given->json) {
            status = print_info_json(opened.context, cpu);
        } else {
            print_info(opened.context, cpu);
        }
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_JSON, OPTION_END};

const command command_info = {
    .name = "info",
    .summary = "Print version, backends, the CPU's features, curves and formats",
    .takes = takes,
    .run = run_info,
};
