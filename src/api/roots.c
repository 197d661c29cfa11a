/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/roots.h"

#include <stdlib.h>

struct vector_roots {
    vector_roots *next;
    const scalar_vector_ops *ops;
    int factors;
    uint32_t log2;
    void *memory;
};

/* The entry of these roots, added if there is none; null without memory. */
static vector_roots *find_entry(vector_roots **list, const scalar_vector_ops *ops, int factors)
{
    vector_roots *entry = *list;
    while (entry != NULL && (entry->ops != ops || entry->factors != factors)) {
        entry = entry->next;
    }
    if (entry == NULL) {
        entry = malloc(sizeof *entry);
        if (entry != NULL) {
            *entry = (vector_roots){.next = *list, .ops = ops, .factors = factors};
            *list = entry;
        }
    }
    return entry;
}

const void *roots_take(vector_roots **list, const vector_run *run, const scalar_vector_ops *ops, int factors,
                       uint32_t log2)
{
    const uint32_t wanted = log2 == 0 ? 1 : log2;
    vector_roots *entry = find_entry(list, ops, factors);
    if (entry == NULL || entry->log2 >= wanted) {
        return entry == NULL ? NULL : entry->memory;
    }
    void *memory = malloc(ops->bytes << (wanted - 1));
    if (memory == NULL) {
        return NULL;
    }
    (factors ? ops->factors : ops->roots)(run, memory, wanted);
    free(entry->memory);
    entry->memory = memory;
    entry->log2 = wanted;
    return memory;
}

void roots_free(vector_roots *list)
{
    while (list != NULL) {
        vector_roots *next = list->next;
        free(list->memory);
        free(list);
        list = next;
    }
}
