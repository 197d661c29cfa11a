/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures PLONK and FFLONK proofs over BN254. It makes a circuit whose gates nearly fill a domain of 2^LOG2, and powers of a
 * secret that it knows, which are insecure. It prints the milliseconds to make the key and to open it, and the least and the median of
 * several verified proofs, in wall time and in processor time, with and without kept values.
 *
 *   bench_plonk [LOG2 [THREADS [RUNS [cpu or cuda [plonk or fflonk [FOLDER]]]]]]
 *
 * With FOLDER the files stay there: circuit.r1cs, witness.wtns, powers.ptau, key.zkey. Other provers can be measured with them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sumac/plonk.h"
#include "toy_groth16.h"

/* FFLONK needs 9n + 18 powers of tau. */
enum { FFLONK_LOG2 = 3 };
enum { SCALAR = 32, G1 = 64, G2 = 128, MOST_RUNS = 100, GATES_OF_CONSTRAINT = 3 };

static sumac_context *context;
static const sumac_group *g1, *g2;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

static double milliseconds(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

/* Write the multiples secret^i G, i < count, in Montgomery form. Of the second group only two are computed; the others repeat the
 * second one. */
static void write_powers(FILE *file, uint32_t type, const sumac_group *group, size_t count, size_t computed)
{
    static const unsigned char one[SCALAR] = {1}, secret[SCALAR] = {42, 17, 99, 1, 2, 3};
    unsigned char generator[G2];
    sumac_vector *scalars, *points;
    sumac_bases *base;
    sumac_msm_config config = {.size = sizeof config};
    const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};
    const size_t bytes = group->point_bytes;
    const uint64_t section = count * bytes;
    unsigned char *raw = malloc(computed * bytes);
    config.batch = (uint32_t)computed;
    check(sumac_vector_create(context, group, SUMAC_VECTOR_SCALARS, computed, &scalars));
    check(sumac_vector_create(context, group, SUMAC_VECTOR_POINTS, computed, &points));
    check(sumac_vector_fill(context, scalars, one, sizeof one));
    check(sumac_vector_scale_powers(context, scalars, NULL, 0, secret, sizeof secret, computed));
    check(sumac_group_generator(group, generator, bytes));
    check(sumac_bases_create(context, group, generator, bytes, 1, NULL, &base));
    check(sumac_msm_vectors(context, base, scalars, 0, 1, &config, points, 0));
    check(sumac_vector_get(context, points, 0, computed, &montgomery, raw, computed * bytes));
    fwrite(&type, 4, 1, file);
    fwrite(&section, 8, 1, file);
    fwrite(raw, bytes, computed, file);
    for (size_t i = computed; i < count; i++) {
        fwrite(raw + (computed - 1) * bytes, bytes, 1, file);
    }
    free(raw);
    sumac_bases_destroy(base);
    sumac_vector_destroy(scalars);
    sumac_vector_destroy(points);
}

static void make_powers(const char *path, uint32_t log2)
{
    const size_t n = (size_t)1 << log2;
    const uint32_t head[] = {1, 3, 1}, lengths[] = {4 + SCALAR + 8, 0, SCALAR}, powers[] = {log2, log2};
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fwrite("ptau", 1, 4, file);
    fwrite(head, 4, 3, file);
    fwrite(lengths, 4, 3, file);
    fwrite(g1->modulus, 1, SCALAR, file);
    fwrite(powers, 4, 2, file);
    write_powers(file, 2, g1, 2 * n - 1, 2 * n - 1);
    write_powers(file, 3, g2, n, 2);
    fclose(file);
}

static void make_circuit(const char *r1cs_path, const char *wtns_path, uint32_t log2)
{
    FILE *r1cs = fopen(r1cs_path, "w+b"), *wtns = fopen(wtns_path, "wb");
    sumac_message why = {""};
    if (r1cs == NULL || wtns == NULL ||
        toy_circuit(context, g1, (((uint64_t)1 << log2) - 4) / GATES_OF_CONSTRAINT, 0, 1, r1cs, wtns, &why) !=
            SUMAC_OK) {
        fprintf(stderr, "the circuit is not made: %s\n", why.text);
        exit(1);
    }
    fclose(r1cs);
    fclose(wtns);
}

static void measure(const char *zkey, const char *wtns, uint32_t compact, int runs)
{
    sumac_plonk_key *key;
    sumac_plonk_info info = {.size = sizeof info};
    sumac_plonk_key_config config = {.size = sizeof config};
    double wall[MOST_RUNS], processor[MOST_RUNS];
    void *witness;
    size_t witness_bytes;
    config.compact = compact;
    const double start = milliseconds(CLOCK_MONOTONIC);
    check(sumac_plonk_key_open(context, zkey, &config, &key));
    const double opened = milliseconds(CLOCK_MONOTONIC) - start;
    check(sumac_plonk_key_describe(key, &info));
    check(sumac_plonk_witness_open(context, key, wtns, &witness, &witness_bytes));
    void *proof = malloc(info.proof_bytes);
    for (int i = 0; i < runs; i++) {
        wall[i] = milliseconds(CLOCK_MONOTONIC);
        processor[i] = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
        check(sumac_plonk_prove(context, key, witness, witness_bytes, 1, NULL, proof, info.proof_bytes));
        wall[i] = milliseconds(CLOCK_MONOTONIC) - wall[i];
        processor[i] = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processor[i];
    }
    qsort(wall, (size_t)runs, sizeof *wall, compare);
    qsort(processor, (size_t)runs, sizeof *processor, compare);
    printf("%-8s %9llu %9.1f %9.1f %9.1f %9.1f %9.1f\n", compact ? "compact" : "kept",
           (unsigned long long)info.gates, (double)info.key_bytes / (1 << 20), opened, wall[0],
           wall[runs / 2], processor[0]);
    free(proof);
    sumac_free(witness);
    sumac_plonk_key_destroy(key);
}

int main(int count, char **arguments)
{
    const uint32_t log2 = count > 1 ? (uint32_t)atoi(arguments[1]) : 14;
    const int given = count > 3 ? atoi(arguments[3]) : 5, runs = given < 1           ? 1
                                                                 : given > MOST_RUNS ? MOST_RUNS
                                                                                     : given;
    const char *folder = count > 6 ? arguments[6] : "/tmp";
    static const char *const names[] = {"circuit.r1cs", "witness.wtns", "powers.ptau", "key.zkey"};
    char paths[4][512];
    sumac_context_config config = {.size = sizeof config};
    sumac_plonk_setup_config setup = {.size = sizeof setup};
    setup.protocol = count > 5 ? arguments[5] : "plonk";
    config.threads = count > 2 ? (uint32_t)atoi(arguments[2]) : 1;
    config.backend = count > 4 ? arguments[4] : "cpu";
    check(sumac_context_create(&config, &context, NULL));
    check(sumac_group_find("bn254", "g1", &g1));
    check(sumac_group_find("bn254", "g2", &g2));
    for (int i = 0; i < 4; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s%s", folder, count > 6 ? "" : "bench-plonk-", names[i]);
    }
    make_circuit(paths[0], paths[1], log2);
    make_powers(paths[2], log2 + (strcmp(setup.protocol, "fflonk") == 0 ? FFLONK_LOG2 : 0));
    const double start = milliseconds(CLOCK_MONOTONIC);
    check(sumac_plonk_setup(context, paths[0], paths[2], &setup, paths[3]));
    printf("%s, domain 2^%u, %s: the key is made in %.1f ms\n%-8s %9s %9s %9s %9s %9s %9s\n", setup.protocol,
           (unsigned)log2, config.backend, milliseconds(CLOCK_MONOTONIC) - start, "values", "gates",
           "key MiB", "open ms", "min ms", "median ms", "CPU ms");
    for (uint32_t compact = 0; compact < 2; compact++) {
        measure(paths[3], paths[1], compact, runs);
    }
    for (int i = 0; count <= 6 && i < 4; i++) {
        (void)unlink(paths[i]);
    }
    sumac_context_destroy(context);
    return 0;
}
