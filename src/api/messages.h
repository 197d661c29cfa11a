/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The message that each thread reads of a context, without thread-local state. A thread whose call failed or was refused has
 * an entry until its next call begins; a thread without an entry reads the message of the last call that ended. Each entry
 * is written and read by its thread only, so that no message changes under its reader. Threads are numbered by
 * pthread_self(), which is never 0.
 */
#ifndef SUMAC_API_MESSAGES_H
#define SUMAC_API_MESSAGES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "sumac/status.h"

typedef struct thread_message {
    struct thread_message *next; /* constant once the entry is in the list */
    _Atomic uintptr_t thread;    /* 0: the entry is free */
    int is_copy; /* 1: of the last call that ended, as the thread has made no call that failed */
    sumac_message message;
} thread_message;

typedef struct thread_messages {
    _Atomic(thread_message *) list;
    thread_message
        first; /* the list's end, so that a single thread needs no memory to learn that there is none */
    pthread_mutex_t lock;   /* protects `last` */
    sumac_message last;     /* of the last call that ended */
    _Atomic int last_fails; /* the last message is not empty */
} thread_messages;

/* A context's messages lie in zeroed memory before. Destroying them ends the life of all texts that were read. */
void messages_create(thread_messages *messages);
void messages_destroy(thread_messages *messages);

/* The thread's call begins: it has no message yet. */
void messages_begin(thread_messages *messages, uintptr_t thread);

/* The thread's call was refused. Without memory for an entry the thread will read so. */
void messages_refuse(thread_messages *messages, uintptr_t thread, const char *text);

/* The thread's call ends with a message, empty for success. Only one thread at a time may end a call. */
void messages_end(thread_messages *messages, uintptr_t thread, const sumac_message *message);

/* Return what the thread is to read. The text is constant until the thread calls one of these functions again. */
const char *messages_read(thread_messages *messages, uintptr_t thread);

#endif
