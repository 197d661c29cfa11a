/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "callbacks.h"

#include <pthread.h>
#include <stdatomic.h>

/* These two are defined in Go. */
extern int sumacGoProgress(uintptr_t progress, uintptr_t thread, double done);
extern void sumacGoTrace(uintptr_t trace, sumac_trace_event *event);

struct sumac_go_user {
    atomic_int failed; /* not 0: the trace function failed, which ends the call */
    uintptr_t progress, trace;
};

uintptr_t sumac_go_thread(void)
{
    return (uintptr_t)pthread_self();
}

sumac_go_user *sumac_go_user_new(uintptr_t progress, uintptr_t trace)
{
    sumac_go_user *user = calloc(1, sizeof *user);
    if (user != NULL) {
        user->progress = progress;
        user->trace = trace;
    }
    return user;
}

void sumac_go_user_set_failed(sumac_go_user *user, int failed)
{
    atomic_store(&user->failed, failed);
}

static int on_progress(void *data, double done)
{
    sumac_go_user *user = data;
    if (atomic_load_explicit(&user->failed, memory_order_relaxed) != 0) {
        return 1;
    }
    return user->progress != 0 ? sumacGoProgress(user->progress, sumac_go_thread(), done) : 0;
}

static void on_trace(void *data, const sumac_trace_event *event)
{
    sumacGoTrace(((sumac_go_user *)data)->trace, (sumac_trace_event *)event);
}

void sumac_go_user_install(sumac_go_user *user, sumac_context_config *config)
{
    config->user = user;
    config->progress = user->progress != 0 || user->trace != 0 ? on_progress : NULL;
    config->trace = user->trace != 0 ? on_trace : NULL;
}

sumac_status sumac_go_msm(sumac_context *context, const sumac_bases *bases, uintptr_t scalars, size_t n,
                          const sumac_msm_config *config, uintptr_t results)
{
    return sumac_msm(context, bases, (const void *)scalars, SIZE_MAX, n, config, (void *)results, SIZE_MAX);
}

sumac_status sumac_go_call_run(sumac_call *call, uintptr_t scalars, uintptr_t results)
{
    return sumac_call_run(call, (const void *)scalars, SIZE_MAX, (void *)results, SIZE_MAX);
}

sumac_status sumac_go_bases_create(sumac_context *context, const sumac_group *group, uintptr_t points,
                                   size_t n, const sumac_bases_config *config, sumac_bases **bases)
{
    return sumac_bases_create(context, group, (const void *)points, SIZE_MAX, n, config, bases);
}

sumac_status sumac_go_context_set_stream(sumac_context *context, uintptr_t stream)
{
    return sumac_context_set_stream(context, (void *)stream);
}
