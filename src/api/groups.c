/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public registry has the groups of src/curves without those that exist only for tests. */
#include "api/registry.h"

#include <string.h>

#include "curves/group_code.h"
#include "pipeline/engine.h"

size_t sumac_group_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sumac_registry_count; i++) {
        count += !sumac_registry[i]->for_tests;
    }
    return count;
}

const sumac_group *sumac_group_at(size_t index)
{
    for (size_t i = 0; i < sumac_registry_count; i++) {
        if (!sumac_registry[i]->for_tests && index-- == 0) {
            return &sumac_registry[i]->group;
        }
    }
    return NULL;
}

/* Curves have these aliases. name_is() compares them with a caller's name. */
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

sumac_status sumac_group_find(const char *curve, const char *name, const sumac_group **group)
{
    if (group == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    *group = NULL;
    if (curve == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        curve = name_is(curve, aliases[i].alias) ? aliases[i].name : curve;
    }
    for (size_t i = 0; i < sumac_registry_count; i++) {
        const sumac_group *entry = &sumac_registry[i]->group;
        if (name_is(curve, entry->curve) && name_is(name == NULL ? "g1" : name, entry->name)) {
            *group = entry;
            return SUMAC_OK;
        }
    }
    return SUMAC_UNKNOWN_CURVE;
}

/* The portable code is the last variant. */
const group_code *registry_portable_code(const sumac_group *group)
{
    const group_code *const *variants = registered(group)->variants;
    while (variants[1] != NULL) {
        variants++;
    }
    return *variants;
}

sumac_status sumac_group_generator(const sumac_group *group, void *point, size_t point_bytes)
{
    if (group == NULL || point == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (point_bytes < group->point_bytes) {
        return SUMAC_BAD_LENGTH;
    }
    const uint64_t one[16] = {1};
    uint64_t generator[4 * 12]; /* memory for the largest affine point, which has two coordinates in Fp2 */
    const group_code *code = registry_portable_code(group);
    code->points->generator_multiple(generator, one);
    code->convert->export_points(point, generator, 1, SUMAC_FORM_CANONICAL);
    return SUMAC_OK;
}
