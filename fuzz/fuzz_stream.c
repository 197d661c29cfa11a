/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target compares sumac_msm_files() of small raw files, in which some bytes are changed, with reading the files
 * and one MSM. It also changes some bytes of a checkpoint, and corrects the checksum, so that the checks after the
 * checksum run, too. A call that resumes from the checkpoint must refuse it or give a point of the curve.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/checksum.h"
#include "fuzz.h"
#include "sumac/experimental.h"
#include "support/cleanup.h"
#include "support/exact.h"

enum { MOST_BASES = 9, MOST_POINT = 4 * 8 * 12, MOST_SCALAR = 8 * 12, MOST_FILE = 4096, CHECKSUM_BYTES = 8 };

/* The files lie in a temporary folder of this run. */
static char folder[] = "/tmp/fuzz_stream_XXXXXX", bases_path[64], scalars_path[64], checkpoint_path[64];

static void remove_folder(void)
{
    (void)remove(bases_path);
    (void)remove(scalars_path);
    (void)remove(checkpoint_path);
    (void)rmdir(folder);
}

static void make_folder(void)
{
    if (bases_path[0] != '\0') {
        return;
    }
    fuzz_require(mkdtemp(folder) != NULL, "there is a folder");
    (void)snprintf(bases_path, sizeof bases_path, "%s/bases", folder);
    (void)snprintf(scalars_path, sizeof scalars_path, "%s/scalars", folder);
    (void)snprintf(checkpoint_path, sizeof checkpoint_path, "%s/checkpoint", folder);
    (void)atexit(remove_folder);
}

static void write_file(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fuzz_require(file != NULL && fwrite(bytes, 1, size, file) == size, "a file is written");
    fuzz_require(fclose(file) == 0, "a file is closed");
}

static size_t read_file(const char *path, uint8_t *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    fuzz_require(file != NULL, "there is a file");
    const size_t size = fread(bytes, 1, most, file);
    fuzz_require(fclose(file) == 0, "a file is closed");
    return size;
}

/* Change some bytes, and perhaps the size. The next bytes of the input determine the changes. */
static size_t change(fuzz_input *input, uint8_t *bytes, size_t size)
{
    for (uint8_t changes = fuzz_byte(input) % 4; changes > 0 && size > 0; changes--) {
        const size_t place = ((size_t)fuzz_byte(input) << 8 | fuzz_byte(input)) % size;
        bytes[place] ^= fuzz_byte(input);
    }
    const uint8_t cut = fuzz_byte(input);
    return cut < 32 && cut < size ? size - cut : size;
}

/* Compute the MSM of the files with sumac_bases_open(). */
static sumac_status read_and_multiply(const sumac_group *group, const uint8_t *scalars, size_t scalar_bytes,
                                      uint8_t *result)
{
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    config.check = SUMAC_CHECK_CURVE;
    sumac_status status =
        sumac_bases_open(fuzz_context(), group, bases_path, "raw", 0, SUMAC_ALL, &config, &bases);
    if (status != SUMAC_OK) {
        return status;
    }
    const size_t n = sumac_bases_count(bases);
    status = scalar_bytes != n * group->scalar_bytes
                 ? SUMAC_BAD_LENGTH
                 : exact_msm(fuzz_context(), bases, scalars, n, NULL, result);
    return status;
}

static int is_on_curve(const sumac_group *group, const uint8_t *point)
{
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    config.check = SUMAC_CHECK_CURVE;
    const sumac_status status = exact_create(fuzz_context(), group, point, 1, &config, &bases);
    return status == SUMAC_OK;
}

static void go_on(fuzz_input *input, const sumac_group *group, const sumac_files_config *config)
{
    uint8_t bytes[MOST_FILE], result[MOST_POINT];
    const size_t whole = read_file(checkpoint_path, bytes, sizeof bytes);
    const size_t size = change(input, bytes, whole);
    if (size > CHECKSUM_BYTES) {
        const uint64_t sum = checksum_of(bytes, size - CHECKSUM_BYTES);
        for (size_t i = 0; i < CHECKSUM_BYTES; i++) {
            bytes[size - CHECKSUM_BYTES + i] = (uint8_t)(sum >> 8 * i);
        }
    }
    write_file(checkpoint_path, bytes, size);
    const sumac_status status = sumac_msm_files(fuzz_context(), group, bases_path, scalars_path, config, NULL,
                                                result, sizeof result, NULL);
    fuzz_require(status != SUMAC_OK || is_on_curve(group, result), "what comes out is a point");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const sumac_group *group = fuzz_group(&input);
    const sumac_group *info = group;
    const size_t n = 1 + fuzz_byte(&input) % MOST_BASES;
    uint8_t points[MOST_BASES * MOST_POINT], scalars[MOST_BASES * MOST_SCALAR];
    uint8_t result[MOST_POINT], expected[MOST_POINT];
    sumac_files_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    fuzz_require(info->point_bytes <= MOST_POINT && info->scalar_bytes <= MOST_SCALAR, "the buffers hold it");
    make_folder();
    (void)remove(checkpoint_path);
    fuzz_require(sumac_known_bases_create(fuzz_context(), group, n, 1, NULL, &bases) == SUMAC_OK &&
                     exact_get(fuzz_context(), bases, 0, n, points) == SUMAC_OK,
                 "there are bases");
    config.format = "raw";
    config.check = SUMAC_CHECK_CURVE;
    config.chunk = fuzz_byte(&input) % 4;
    config.checkpoint = (fuzz_byte(&input) & 1) != 0 ? checkpoint_path : NULL;
    config.checkpoint_milliseconds = 1;
    fuzz_bytes(&input, scalars, n * info->scalar_bytes);
    const size_t points_size = change(&input, points, n * info->point_bytes);
    const size_t scalars_size = change(&input, scalars, n * info->scalar_bytes);
    write_file(bases_path, points, points_size);
    write_file(scalars_path, scalars, scalars_size);
    const sumac_status status = sumac_msm_files(fuzz_context(), group, bases_path, scalars_path, &config,
                                                NULL, result, sizeof result, NULL);
    const sumac_status other = read_and_multiply(group, scalars, scalars_size, expected);
    fuzz_require((status == SUMAC_OK) == (other == SUMAC_OK), "both succeed, or none");
    fuzz_require(status != SUMAC_OK || memcmp(result, expected, info->point_bytes) == 0, "both agree");
    if (status == SUMAC_OK && config.checkpoint != NULL) {
        go_on(&input, group, &config);
    }
    return 0;
}
