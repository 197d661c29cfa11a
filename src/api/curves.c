/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public registry has the curves of src/curves without those that exist only for tests. */
#include "api/registry.h"

#include <string.h>

#include "curves/curve_code.h"
#include "pipeline/engine.h"

size_t sumac_curve_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sumac_registry_count; i++) {
        count += !sumac_registry[i]->for_tests;
    }
    return count;
}

const sumac_curve *sumac_curve_at(size_t index)
{
    for (size_t i = 0; i < sumac_registry_count; i++) {
        if (!sumac_registry[i]->for_tests && index-- == 0) {
            return sumac_registry[i];
        }
    }
    return NULL;
}

/* These aliases of curves are compared by name_is(). */
static const struct {
    const char *alias, *name;
} aliases[] = {{"bn128", "bn254"}, {"altbn128", "bn254"}};

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Compare names without regard to case, hyphens and underscores. */
static int name_is(const char *written, const char *name)
{
    for (;;) {
        written += strspn(written, "-_");
        name += strspn(name, "-_");
        if (*written == '\0' || lower(*written) != lower(*name)) {
            return *written == *name;
        }
        written++;
        name++;
    }
}

sumac_status sumac_curve_find(const char *name, const char *group, const sumac_curve **curve)
{
    if (curve == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    *curve = NULL;
    if (name == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        name = name_is(name, aliases[i].alias) ? aliases[i].name : name;
    }
    for (size_t i = 0; i < sumac_registry_count; i++) {
        const sumac_curve_info *info = &sumac_registry[i]->info;
        if (name_is(name, info->name) && name_is(group == NULL ? "g1" : group, info->group)) {
            *curve = sumac_registry[i];
            return SUMAC_OK;
        }
    }
    return SUMAC_UNKNOWN_CURVE;
}

const sumac_curve_info *sumac_curve_describe(const sumac_curve *curve)
{
    return curve == NULL ? NULL : &curve->info;
}

/* The portable code is the last variant. */
const curve_code *registry_portable_code(const sumac_curve *curve)
{
    size_t last = 0;
    while (curve->variants[last + 1] != NULL) {
        last++;
    }
    return curve->variants[last];
}

void sumac_curve_generator(const sumac_curve *curve, void *point)
{
    const uint64_t one[16] = {1};
    uint64_t generator[4 * 12]; /* holds the largest affine point, two coordinates in Fp2 */
    if (curve == NULL || point == NULL) {
        return;
    }
    const curve_code *code = registry_portable_code(curve);
    code->points->generator_multiple(generator, one);
    code->convert->export_points(point, generator, 1, SUMAC_FORM_CANONICAL);
}
