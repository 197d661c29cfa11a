/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures decoding and checking of compressed points of BLS12-381. It prints the milliseconds of two of
 * several calls of sumac_points_decode(): the first and the fastest. In the first call a GPU's context allocates
 * memory. It also prints the fastest call's microseconds for one point. The points have known logarithms, and the
 * decoded points are compared with the known ones byte for byte.
 *
 *   bench_decode [GROUP [cuda or cpu [THREADS [LOG2 [VARIANT]]]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "sumac/experimental.h"
#include "sumac/sumac.h"

enum { RUNS = 5 };

static double now(void)
{
    return 1e3 * clock_seconds();
}

/* n points, raw and compressed, and the memory that they are decoded to. */
typedef struct bench_points {
    sumac_context *context;
    const sumac_group *group;
    size_t n;
    size_t bytes; /* the size of all raw points */
    unsigned char *raw;
    unsigned char *records;
    unsigned char *decoded;
} bench_points;

static sumac_status make_points(bench_points *b)
{
    sumac_bases *bases = NULL;
    b->bytes = b->n * b->group->point_bytes;
    b->raw = malloc(b->bytes);
    b->records = malloc(b->bytes / 2);
    if (b->raw == NULL || b->records == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    sumac_status status = sumac_known_bases_create(b->context, b->group, b->n, 1, NULL, &bases);
    if (status == SUMAC_OK) {
        status = sumac_bases_get(b->context, bases, 0, b->n, b->raw, b->bytes);
    }
    if (status == SUMAC_OK) {
        status = sumac_points_encode(b->context, b->group, b->raw, b->bytes, b->n, "zcash-compressed",
                                     b->records, b->bytes / 2);
    }
    sumac_bases_destroy(bases);
    return status;
}

/* Time the decoding. If is_new is set, decode into memory that is allocated each time, as a caller may do. Otherwise
 * decode into memory that was written before. */
static sumac_status time_decoding(bench_points *b, sumac_check check, int is_new, double *first, double *best)
{
    sumac_status status = SUMAC_OK;
    for (int run = 0; run < RUNS && status == SUMAC_OK; run++) {
        if (is_new || b->decoded == NULL) {
            free(b->decoded);
            b->decoded = malloc(b->bytes);
        }
        if (b->decoded == NULL) {
            return SUMAC_OUT_OF_MEMORY;
        }
        if (!is_new) {
            memset(b->decoded, 0x5a, b->bytes);
        }
        const double start = now();
        status = sumac_points_decode(b->context, b->group, b->records, b->bytes / 2, b->n, "zcash-compressed",
                                     check, b->decoded, b->bytes);
        const double time = now() - start;
        *first = run == 0 ? time : *first;
        *best = run == 0 || time < *best ? time : *best;
        if (status == SUMAC_OK && memcmp(b->decoded, b->raw, b->bytes) != 0) {
            (void)fprintf(stderr, "decoded points differ\n");
            return SUMAC_INTERNAL;
        }
    }
    return status;
}

static sumac_status bench(bench_points *b)
{
    static const char *const names[] = {"curve", "subgroup"};
    sumac_status status = make_points(b);
    printf("%-9s %-8s %10s %10s %10s %10s\n", "check", "memory", "points", "first ms", "best ms",
           "us a point");
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_SUBGROUP && status == SUMAC_OK; check++) {
        for (int is_new = 1; is_new >= 0 && status == SUMAC_OK; is_new--) {
            double first = 0, best = 0;
            status = time_decoding(b, (sumac_check)check, is_new, &first, &best);
            printf("%-9s %-8s %10zu %10.2f %10.2f %10.4f\n", names[check], is_new ? "new" : "written", b->n,
                   first, best, best * 1e3 / (double)b->n);
        }
    }
    free(b->raw);
    free(b->records);
    free(b->decoded);
    return status;
}

int main(int argc, char **argv)
{
    bench_points b = {.n = 0};
    sumac_context_config config = {.size = sizeof config};
    config.backend = argc > 2 ? argv[2] : "cpu";
    config.threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    char tuning[64] = "";
    if (argc > 5) {
        (void)snprintf(tuning, sizeof tuning, "variant=%s", argv[5]);
    }
    config.tuning = tuning;
    const unsigned long log2 = argc > 4 ? strtoul(argv[4], NULL, 10) : 16;
    if (log2 > 30 || sumac_group_find("bls12-381", argc > 1 ? argv[1] : "g1", &b.group) != SUMAC_OK ||
        sumac_context_create(&config, &b.context, NULL) != SUMAC_OK) {
        (void)fprintf(stderr, "there is no such group, size, variant or GPU\n");
        return 2;
    }
    b.n = (size_t)1 << log2;
    sumac_context_info info = {.size = sizeof info};
    if (sumac_context_describe(b.context, &info) != SUMAC_OK) {
        return 1;
    }
    printf("%s, %s, %u threads, %s %s\n", b.group->name, info.backend, info.threads, info.variant,
           info.device_names[0]);
    const sumac_status status = bench(&b);
    if (status != SUMAC_OK) {
        (void)fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(b.context));
    }
    sumac_context_destroy(b.context);
    return status != SUMAC_OK;
}
