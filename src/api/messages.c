/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/messages.h"

#include <stdio.h>
#include <stdlib.h>

void messages_create(thread_messages *messages)
{
    pthread_mutex_init(&messages->lock, NULL);
    atomic_store(&messages->list, &messages->first);
}

void messages_destroy(thread_messages *messages)
{
    thread_message *entry = atomic_load(&messages->list);
    while (entry != &messages->first) {
        thread_message *next = entry->next;
        free(entry);
        entry = next;
    }
    pthread_mutex_destroy(&messages->lock);
}

/* Find the entry with this thread number; the number 0 finds a free entry. Return null if there is none. */
static thread_message *find(thread_messages *messages, uintptr_t thread)
{
    thread_message *entry = atomic_load_explicit(&messages->list, memory_order_acquire);
    while (entry != NULL && atomic_load_explicit(&entry->thread, memory_order_acquire) != thread) {
        entry = entry->next;
    }
    return entry;
}

/* Return the thread's entry. If it has none, add one; return null if there is no memory for it. */
static thread_message *find_or_add(thread_messages *messages, uintptr_t thread)
{
    thread_message *entry = find(messages, thread);
    if (entry != NULL) {
        return entry;
    }
    while ((entry = find(messages, 0)) != NULL) {
        uintptr_t nobody = 0;
        if (atomic_compare_exchange_strong(&entry->thread, &nobody, thread)) {
            return entry;
        }
    }
    entry = calloc(1, sizeof *entry);
    if (entry != NULL) {
        atomic_store(&entry->thread, thread);
        entry->next = atomic_load(&messages->list);
        while (!atomic_compare_exchange_weak(&messages->list, &entry->next, entry)) {
        }
    }
    return entry;
}

/* After each change of the entry, store its thread number again. The reason is that the system may reuse the number of
 * an ended thread. The new thread reads the number with `acquire`, so it sees everything that the old thread wrote. */
static void publish(thread_message *entry, uintptr_t thread)
{
    atomic_store_explicit(&entry->thread, thread, memory_order_release);
}

void messages_begin(thread_messages *messages, uintptr_t thread)
{
    thread_message *entry = find(messages, thread);
    if (entry != NULL) {
        publish(entry, 0);
    }
}

void messages_refuse(thread_messages *messages, uintptr_t thread, const char *text)
{
    thread_message *entry = find_or_add(messages, thread);
    if (entry != NULL) {
        entry->is_copy = 0;
        snprintf(entry->message.text, sizeof entry->message.text, "%s", text);
        publish(entry, thread);
    }
}

void messages_end(thread_messages *messages, uintptr_t thread, const sumac_message *message)
{
    const int fails = message->text[0] != '\0';
    if (!fails) {
        messages_begin(messages, thread); /* while this call ran, a callback of it may have been refused on
                                             this thread */
        if (atomic_load_explicit(&messages->last_fails, memory_order_relaxed) == 0) {
            return;
        }
    } else {
        thread_message *entry = find_or_add(messages, thread);
        if (entry != NULL) {
            entry->is_copy = 0;
            entry->message = *message;
            publish(entry, thread);
        }
    }
    pthread_mutex_lock(&messages->lock);
    messages->last = *message;
    atomic_store_explicit(&messages->last_fails, fails, memory_order_relaxed);
    pthread_mutex_unlock(&messages->lock);
}

const char *messages_read(thread_messages *messages, uintptr_t thread)
{
    thread_message *entry = find(messages, thread);
    if (entry != NULL && !entry->is_copy) {
        return entry->message.text;
    }
    if (atomic_load_explicit(&messages->last_fails, memory_order_relaxed) == 0) {
        return "";
    }
    entry = find_or_add(messages, thread);
    if (entry == NULL) {
        return "there is no memory for the message of another thread's call, or of a call that was refused";
    }
    pthread_mutex_lock(&messages->lock);
    entry->message = messages->last;
    pthread_mutex_unlock(&messages->lock);
    entry->is_copy = 1;
    publish(entry, thread);
    return entry->message.text;
}
