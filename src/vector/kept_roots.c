/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/kept_roots.h"

#include <stdlib.h>
#include <string.h>

/* The most tables that an executor keeps of roots that callers gave. A prover has one such root for each field, whose powers
 * serve all its transforms; other callers must not fill the memory. */
enum { GIVEN_MOST = 4 };

struct vector_roots {
    vector_roots *next;
    const scalar_vector_ops *ops;
    int factors;
    int is_given; /* whether a caller gave the root */
    uint32_t log2;
    uint64_t root[SCALAR_MAX_LIMBS]; /* the root of order 2^log2, if a caller gave it */
    void *memory;
};

void roots_raise(const vector_run *run, uint64_t *element, uint32_t log2)
{
    const vector_run alone = {.threads = 1};
    const vector_operand itself = {element, 1, 1};
    for (uint32_t i = 0; i < log2; i++) {
        (void)run->code->scalar_vectors->multiply(&alone, element, element, 1, &itself);
    }
}

/* Return whether one of two roots, of order 2^a_log2 and 2^b_log2 <= 2^a_log2, is a power of the other one such that the
 * table of the smaller order is the beginning of the table of the larger one. */
static int is_beginning(const vector_run *run, size_t bytes, const uint64_t *a, uint32_t a_log2,
                        const uint64_t *b, uint32_t b_log2)
{
    uint64_t power[SCALAR_MAX_LIMBS];
    memcpy(power, a, bytes);
    roots_raise(run, power, a_log2 - b_log2);
    return memcmp(power, b, bytes) == 0;
}

static int has_root(const vector_roots *entry, const vector_run *run, const uint64_t *root, uint32_t log2)
{
    if (root == NULL) {
        return !entry->is_given;
    }
    return entry->is_given &&
           (log2 <= entry->log2 ? is_beginning(run, entry->ops->bytes, entry->root, entry->log2, root, log2)
                                : is_beginning(run, entry->ops->bytes, root, log2, entry->root, entry->log2));
}

static void free_entry(executor *self, vector_roots *entry)
{
    self->backend->release(entry->memory);
    free(entry);
}

/* Make a table. The work that uses other tables on a device is done when this returns. */
static sumac_status make_entry(executor *self, const vector_run *run, const scalar_vector_ops *ops,
                               int factors, uint32_t log2, const uint64_t *given, vector_roots **made)
{
    uint64_t root[SCALAR_MAX_LIMBS];
    vector_roots *entry = malloc(sizeof *entry);
    if (entry == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    *entry = (vector_roots){.ops = ops, .factors = factors, .is_given = given != NULL, .log2 = log2};
    entry->memory = self->backend->allocate(self->engine, (uint64_t)ops->bytes << (log2 - 1));
    if (entry->memory == NULL) {
        free(entry);
        return SUMAC_OUT_OF_MEMORY;
    }
    if (given != NULL) {
        memcpy(root, given, ops->bytes);
        memcpy(entry->root, given, ops->bytes);
    } else {
        const scalar_vector_ops *host = run->code->scalar_vectors;
        const vector_run alone = {.threads = 1};
        uint8_t raw[sizeof root];
        uint64_t bad;
        host->root(raw, log2);
        (void)host->import_scalars(&alone, root, raw, 1, SUMAC_FORM_CANONICAL, SUMAC_LITTLE_ENDIAN, &bad);
    }
    const sumac_status status = (factors ? ops->factors : ops->roots)(run, entry->memory, log2, root);
    if (status != SUMAC_OK) {
        free_entry(self, entry);
        return status;
    }
    *made = entry;
    return SUMAC_OK;
}

/* Free the given roots that were taken the longest time ago, so that at most GIVEN_MOST remain. */
static void drop_oldest(executor *self)
{
    uint32_t given = 0;
    for (vector_roots **at = &self->roots; *at != NULL;) {
        vector_roots *entry = *at;
        given += entry->is_given ? 1 : 0;
        if (entry->is_given && given > GIVEN_MOST) {
            *at = entry->next;
            free_entry(self, entry);
        } else {
            at = &entry->next;
        }
    }
}

/* The entry that was taken last is the first of the list. */
sumac_status roots_take(executor *self, const vector_run *run, const scalar_vector_ops *ops, int factors,
                        uint32_t log2, const uint64_t *root, const void **roots)
{
    const uint32_t wanted = log2 == 0 ? 1 : log2;
    const uint64_t *given = log2 == 0 ? NULL : root; /* a transform of one element reads no root */
    vector_roots **at = &self->roots, *entry;
    while (*at != NULL &&
           ((*at)->ops != ops || (*at)->factors != factors || !has_root(*at, run, given, wanted))) {
        at = &(*at)->next;
    }
    entry = *at;
    if (entry == NULL || entry->log2 < wanted) {
        vector_roots *made = NULL;
        const sumac_status status = make_entry(self, run, ops, factors, wanted, given, &made);
        if (status != SUMAC_OK) {
            return status;
        }
        if (entry != NULL) {
            *at = entry->next;
            free_entry(self, entry);
        }
        entry = made;
    } else {
        *at = entry->next;
    }
    entry->next = self->roots;
    self->roots = entry;
    drop_oldest(self);
    *roots = entry->memory;
    return SUMAC_OK;
}

void roots_free(executor *self)
{
    while (self->roots != NULL) {
        vector_roots *next = self->roots->next;
        free_entry(self, self->roots);
        self->roots = next;
    }
}
