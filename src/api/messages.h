/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions store the message that each thread reads from a context, without thread-local state. A thread whose
 * call failed or was refused has an entry until its next call begins; a thread without an entry reads the message of
 * the last call that ended. Only the thread that an entry belongs to writes and reads it, so that no message changes
 * while it is read. Threads are numbered by pthread_self(), which is never 0.
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
    int is_copy; /* 1: no call of this thread failed, and the entry is a copy of the last ended call's
                    message */
    sumac_message message;
} thread_message;

typedef struct thread_messages {
    _Atomic(thread_message *) list;
    thread_message
        first; /* the last entry of the list; it exists without allocation, so that a single thread can read
                  messages even if memory is short */
    pthread_mutex_t lock;   /* protects `last` */
    sumac_message last;     /* the message of the last call that ended */
    _Atomic int last_fails; /* 1: the last message is not empty */
} thread_messages;

/* messages_create() needs zeroed memory. After messages_destroy() all texts that were read are invalid. */
void messages_create(thread_messages *messages);
void messages_destroy(thread_messages *messages);

/* Clear the thread's message because its call begins. */
void messages_begin(thread_messages *messages, uintptr_t thread);

/* Store the message of a refused call. If there is no memory for an entry, the thread will read a message about that. */
void messages_refuse(thread_messages *messages, uintptr_t thread, const char *text);

/* End the thread's call with a message, which is empty if the call succeeded. Only one thread at a time may end a
 * call. */
void messages_end(thread_messages *messages, uintptr_t thread, const sumac_message *message);

/* Return the thread's message. The text is constant until the thread calls one of these functions again. */
const char *messages_read(thread_messages *messages, uintptr_t thread);

#endif
