/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program computes one MSM of two files, chunk by chunk within a memory limit, with a checkpoint. If it is
 * interrupted and run again, the same call continues from the checkpoint. The program first writes two small files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/experimental.h>

enum { N = 20000, SEED = 1 };

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

int main(void)
{
    static unsigned char points[N * 64], scalars[N * 32], logarithms[N * 32];
    unsigned char result[64], expected[64];
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    check(NULL, sumac_group_find("bn254", "g1", &group));
    check(NULL, sumac_context_create(NULL, &context, NULL));
    check(context, sumac_known_bases_create(context, group, N, SEED, NULL, &bases));
    check(context, sumac_bases_get(context, bases, 0, N, points, sizeof points));
    check(context, sumac_known_logarithms(context, group, N, SEED, logarithms, N * 32));
    check(context, sumac_known_logarithms(context, group, N, SEED + 1, scalars, N * 32));
    write_file("example.bases", points, sizeof points);
    write_file("example.scalars", scalars, sizeof scalars);
    sumac_bases_destroy(bases);

    sumac_files_config config = {.size = sizeof config};
    sumac_files_report report = {.size = sizeof report};
    config.memory_limit = 64 << 20;
    config.chunk = N / 3; /* this divides the small input into several chunks; with 0 the planner chooses */
    config.checkpoint = "example.checkpoint";
    check(context, sumac_msm_files(context, group, "example.bases", "example.scalars", &config, NULL, result,
                                   sizeof result, &report));
    remove("example.checkpoint"); /* the MSM is complete, so nobody needs to resume it */

    check(context, sumac_known_answer(context, group, scalars, N * 32, logarithms, N * 32, N, expected,
                                      sizeof expected));
    printf("%llu bases in chunks of at most %llu: the sum is %s\n", (unsigned long long)report.n,
           (unsigned long long)report.chunk,
           memcmp(result, expected, sizeof expected) == 0 ? "right" : "wrong");
    remove("example.bases");
    remove("example.scalars");
    sumac_context_destroy(context);
    return memcmp(result, expected, sizeof expected) != 0;
}
