/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program computes one sum in several processes. Each process computes a part and sends a partial result, and
 * the parent adds the partial results. These are plain bytes with a header and a checksum, so they can also be sent
 * through files, sockets or MPI.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sumac/experimental.h>
#include <sumac/sumac.h>

enum { N = 1000, PARTS = 3, PARTIAL_BYTES = 256, SEED = 1 };

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

/* Make the bases and scalars of the whole sum. They can come from any source that gives the same ones to every
 * process. */
static sumac_bases *make_input(sumac_context *context, const sumac_group *group, unsigned char *scalars)
{
    sumac_bases *bases;
    check(context, sumac_known_bases_create(context, group, N, SEED, NULL, &bases));
    check(context, sumac_known_logarithms(context, group, N, SEED + 1, scalars, N * 32));
    return bases;
}

static void compute_part(const sumac_group *group, size_t part, int output)
{
    static unsigned char scalars[N * 32], partial[PARTIAL_BYTES];
    const size_t first = part * N / PARTS, end = (part + 1) * N / PARTS;
    sumac_context *context;
    check(NULL, sumac_context_create(NULL, &context, NULL));
    sumac_bases *bases = make_input(context, group, scalars);
    sumac_msm_config config = {.size = sizeof config};
    config.first = first;
    check(context, sumac_msm_partial(context, bases, scalars + 32 * first, 32 * (end - first), end - first,
                                     &config, partial, sizeof partial));
    if (write(output, partial, PARTIAL_BYTES) != PARTIAL_BYTES) {
        exit(1);
    }
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
}

int main(void)
{
    static unsigned char partials[PARTS][PARTIAL_BYTES], scalars[N * 32];
    unsigned char sum[64], expected[64];
    const void *pointers[PARTS];
    const sumac_group *group;
    sumac_context *context;
    check(NULL, sumac_group_find("bn254", "g1", &group));
    if (sumac_partial_bytes(group, 1) > PARTIAL_BYTES) {
        return 1;
    }
    for (size_t part = 0; part < PARTS; part++) {
        int ends[2], status;
        if (pipe(ends) != 0) {
            return 1;
        }
        const pid_t child = fork();
        if (child == 0) {
            compute_part(group, part, ends[1]);
            return 0;
        }
        if (child < 0 || read(ends[0], partials[part], PARTIAL_BYTES) != PARTIAL_BYTES ||
            waitpid(child, &status, 0) != child || status != 0) {
            return 1;
        }
        pointers[part] = partials[part];
    }
    check(NULL, sumac_context_create(NULL, &context, NULL));
    check(context, sumac_partial_combine(context, group, pointers, PARTIAL_BYTES, PARTS, 1, sum, sizeof sum));

    sumac_bases *bases = make_input(context, group, scalars);
    check(context, sumac_msm(context, bases, scalars, sizeof scalars, N, NULL, expected, sizeof expected));
    printf("%d processes: %s\n", PARTS,
           memcmp(sum, expected, sizeof sum) == 0 ? "the same sum" : "another sum");
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
    return memcmp(sum, expected, sizeof sum) != 0;
}
