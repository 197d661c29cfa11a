/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Extensions of configurations are read by backends of the original. Here they only keep their numbers. */
#include <stdlib.h>
#include <string.h>

#include "icicle_gnark.h"

typedef struct entry {
    struct entry *next;
    int value;
    char key[];
} entry;

typedef struct extension {
    entry *first;
} extension;

void *create_config_extension(void)
{
    return calloc(1, sizeof(extension));
}

void destroy_config_extension(void *ext)
{
    if (ext != NULL) {
        for (entry *e = ((extension *)ext)->first, *next; e != NULL; e = next) {
            next = e->next;
            free(e);
        }
        free(ext);
    }
}

static entry *find(const void *ext, const char *key)
{
    entry *e = ((const extension *)ext)->first;
    while (e != NULL && strcmp(e->key, key) != 0) {
        e = e->next;
    }
    return e;
}

void config_extension_set_int(void *ext, const char *key, int value)
{
    extension *x = ext;
    entry *e = find(ext, key);
    if (e == NULL) {
        const size_t length = strlen(key) + 1;
        e = malloc(sizeof *e + length);
        if (e == NULL) {
            return;
        }
        memcpy(e->key, key, length);
        e->next = x->first;
        x->first = e;
    }
    e->value = value;
}

void config_extension_set_bool(void *ext, const char *key, bool value)
{
    config_extension_set_int(ext, key, value);
}

int config_extension_get_int(const void *ext, const char *key)
{
    const entry *e = find(ext, key);
    return e == NULL ? 0 : e->value;
}

bool config_extension_get_bool(const void *ext, const char *key)
{
    return config_extension_get_int(ext, key) != 0;
}

void *clone_config_extension(const void *ext)
{
    void *clone = create_config_extension();
    for (const entry *e = ((const extension *)ext)->first; clone != NULL && e != NULL; e = e->next) {
        config_extension_set_int(clone, e->key, e->value);
    }
    return clone;
}
