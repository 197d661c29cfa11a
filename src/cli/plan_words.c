/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plan_words.h"

#include "measured.h"
#include "text.h"

static void write_bytes(FILE *page, double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++) {
        bytes /= 1024;
    }
    fprintf(page, "%.*f %s", unit == 0 || bytes >= 100 ? 0 : 1, bytes, units[unit]);
}

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* " of 255 bits", or nothing. */
static void write_number(FILE *page, const json_t *plan, const char *key, const char *before,
                         const char *after)
{
    const double number = measured_number(plan, key);
    if (number >= 0) {
        fprintf(page, "%s%.0f%s", before, number, after);
    }
}

static void write_windows(FILE *page, const json_t *plan)
{
    const double windows = measured_number(plan, "windows"), c = measured_number(plan, "c");
    fputs("Scalars", page);
    write_number(page, plan, "scalar_bits", " of ", " bits");
    if (measured_number(plan, "glv_terms") > 1) {
        write_number(page, plan, "glv_terms", ", split by GLV into ", " terms,");
    }
    fprintf(page, " are cut into %.0f window%s of c = %.0f bit%s. ", windows, plural(windows), c, plural(c));
}

static void write_multiples(FILE *page, const json_t *plan)
{
    const double multiples = measured_number(plan, "precompute_factor"),
                 digits = measured_number(plan, "table_digits");
    if (digits > 1) {
        fprintf(page, "Of each base a table has all %.0f digits of %.0f window%s. ", digits, multiples,
                plural(multiples));
    } else if (multiples > 1) {
        fprintf(page, "Of each base %.0f multiples are kept. ", multiples);
    }
}

static void write_passes(FILE *page, const json_t *plan)
{
    const double modules = measured_number(plan, "modules"), buckets = measured_number(plan, "buckets"),
                 passes = measured_number(plan, "passes"), chunks = measured_number(plan, "chunks"),
                 slices = measured_number(plan, "copy_slices"), at_once = measured_number(plan, "sub_batch");
    if (modules >= 0 && buckets >= 0) {
        fprintf(page, "%.0f module%s of %.0f bucket%s", modules, plural(modules), buckets, plural(buckets));
        if (passes >= 0) {
            fprintf(page, " in %.0f pass%s", passes, passes == 1 ? "" : "es");
        }
        if (chunks > 1) {
            fprintf(page, " for each of %.0f chunks of bases", chunks);
        }
        fputs(". ", page);
    }
    if (at_once > 1) {
        fprintf(page, "%.0f MSMs go through memory at a time. ", at_once);
    }
    if (slices > 1) {
        fprintf(page, "Scalars are copied in %.0f slices. ", slices);
    }
}

static void write_kinds(FILE *page, const json_t *plan)
{
    const json_t *kinds = json_object_get(plan, "kinds");
    const char *before = "Kinds: ";
    for (void *at = json_object_iter((json_t *)kinds); at != NULL;
         at = json_object_iter_next((json_t *)kinds, at)) {
        fputs(before, page);
        write_html(page, json_object_iter_key(at));
        fputs(" by ", page);
        write_html(page, json_string_value(json_object_iter_value(at)));
        before = ", ";
    }
    fputs(before[0] == ',' ? ". " : "", page);
}

static void write_costs(FILE *page, const json_t *plan)
{
    const json_t *additions = json_object_get(plan, "additions"), *bytes = json_object_get(plan, "bytes");
    const double ms = measured_number(plan, "milliseconds");
    double sum = 0;
    const char *before = "Memory: ";
    void *at = json_object_iter((json_t *)additions);
    for (; at != NULL; at = json_object_iter_next((json_t *)additions, at)) {
        sum += json_number_value(json_object_iter_value(at));
    }
    if (sum > 0) {
        fprintf(page, "It counts on %.0f additions", sum);
        if (ms >= 0) {
            fprintf(page, " and %.3g ms", ms);
        }
        fputs(". ", page);
    }
    for (at = json_object_iter((json_t *)bytes); at != NULL;
         at = json_object_iter_next((json_t *)bytes, at)) {
        const double count = json_number_value(json_object_iter_value(at));
        if (count > 0) {
            fputs(before, page);
            write_html(page, json_object_iter_key(at));
            fputs(" ", page);
            write_bytes(page, count);
            before = ", ";
        }
    }
    fputs(before[0] == ',' ? "." : "", page);
}

void write_plan_words(FILE *page, const json_t *plan)
{
    write_windows(page, plan);
    write_multiples(page, plan);
    write_passes(page, plan);
    write_kinds(page, plan);
    write_costs(page, plan);
}
