/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/kept_roots.h"

#include <stdlib.h>

struct vector_roots {
    vector_roots *next;
    const scalar_vector_ops *ops;
    int factors;
    uint32_t log2;
    void *memory;
};

/* Find the entry of these roots, or add one. Return null if memory is short. */
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

sumac_status roots_take(executor *self, const vector_run *run, const scalar_vector_ops *ops, int factors,
                        uint32_t log2, const void **roots)
{
    const uint32_t wanted = log2 == 0 ? 1 : log2;
    vector_roots *entry = find_entry(&self->roots, ops, factors);
    if (entry == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    if (entry->log2 < wanted) {
        void *memory = self->backend->allocate(self->engine, (uint64_t)ops->bytes << (wanted - 1));
        if (memory == NULL) {
            return SUMAC_OUT_OF_MEMORY;
        }
        const sumac_status status = (factors ? ops->factors : ops->roots)(run, memory, wanted);
        if (status != SUMAC_OK) {
            self->backend->release(memory);
            return status;
        }
        self->backend->release(entry->memory);
        entry->memory = memory;
        entry->log2 = wanted;
    }
    *roots = entry->memory;
    return SUMAC_OK;
}

void roots_free(executor *self)
{
    while (self->roots != NULL) {
        vector_roots *next = self->roots->next;
        self->backend->release(self->roots->memory);
        free(self->roots);
        self->roots = next;
    }
}
