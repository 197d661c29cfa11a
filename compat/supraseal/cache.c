/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L /* strdup() */

#include "cache.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CACHED = 4 };

/* An entry is empty, or its file is being loaded, or it holds a handle. */
typedef struct entry {
    char *path;                       /* null: the entry is empty */
    supraseal_parameters *parameters; /* null: a thread loads them */
    uint64_t used;                    /* when the entry was last used */
} entry;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t loaded; /* a thread has finished loading, or an entry was emptied */
    entry entries[MOST_CACHED];
    uint64_t uses;
} cache = {.mutex = PTHREAD_MUTEX_INITIALIZER, .loaded = PTHREAD_COND_INITIALIZER};

static entry *find(const char *path)
{
    for (int i = 0; i < MOST_CACHED; i++) {
        if (cache.entries[i].path != NULL && strcmp(cache.entries[i].path, path) == 0) {
            return &cache.entries[i];
        }
    }
    return NULL;
}

/* Empty an entry, and return its handle, which the caller releases when the cache is not locked any more. */
static supraseal_parameters *empty(entry *e)
{
    supraseal_parameters *parameters = e->parameters;
    free(e->path);
    *e = (entry){NULL, NULL, 0};
    return parameters;
}

/* Find the entry for a new path: an empty one, or else the one that was not used for longest. If all are being loaded, return
 * null. */
static entry *find_to_fill(void)
{
    entry *oldest = NULL;
    for (int i = 0; i < MOST_CACHED; i++) {
        entry *e = &cache.entries[i];
        if (e->path == NULL) {
            return e;
        }
        if (e->parameters != NULL && (oldest == NULL || e->used < oldest->used)) {
            oldest = e;
        }
    }
    return oldest;
}

/* Find parameters, waiting for a thread that loads them. Otherwise claim an entry for the path, so that other threads wait for
 * this one. Without an entry the caller loads parameters that are not cached. */
static supraseal_parameters *take_or_claim(const char *path, supraseal_parameters **evicted)
{
    entry *e;
    *evicted = NULL;
    while ((e = find(path)) != NULL && e->parameters == NULL) {
        (void)pthread_cond_wait(&cache.loaded, &cache.mutex);
    }
    if (e != NULL) {
        e->used = ++cache.uses;
        sumac_supraseal_keep(e->parameters);
        return e->parameters;
    }
    if ((e = find_to_fill()) != NULL) {
        *evicted = e->path != NULL ? empty(e) : NULL;
        e->path = strdup(path); /* without memory the entry stays empty */
    }
    return NULL;
}

/* Fill the entry that take_or_claim() has claimed or, if loading failed, empty it. */
static void settle(const char *path, supraseal_parameters *parameters)
{
    (void)pthread_mutex_lock(&cache.mutex);
    entry *e = find(path);
    if (e != NULL && e->parameters == NULL) {
        if (parameters == NULL) {
            (void)empty(e);
        } else {
            e->parameters = parameters;
            e->used = ++cache.uses;
            sumac_supraseal_keep(parameters);
        }
        (void)pthread_cond_broadcast(&cache.loaded);
    }
    (void)pthread_mutex_unlock(&cache.mutex);
}

sumac_status sumac_supraseal_cached(const char *path, supraseal_parameters **parameters, sumac_message *why)
{
    supraseal_parameters *evicted;
    (void)pthread_mutex_lock(&cache.mutex);
    *parameters = take_or_claim(path, &evicted);
    (void)pthread_mutex_unlock(&cache.mutex);
    sumac_supraseal_release(evicted);
    if (*parameters != NULL) {
        return SUMAC_OK;
    }
    const sumac_status status = sumac_supraseal_load(path, parameters, why);
    settle(path, *parameters);
    return status;
}

void sumac_supraseal_evict(const char *path)
{
    supraseal_parameters *evicted = NULL;
    (void)pthread_mutex_lock(&cache.mutex);
    entry *e = find(path);
    if (e != NULL && e->parameters != NULL) {
        evicted = empty(e);
    }
    (void)pthread_mutex_unlock(&cache.mutex);
    sumac_supraseal_release(evicted);
}
