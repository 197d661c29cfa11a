/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "points_file.h"

#include "text.h"

int points_file_open(result_file *file, const session *opened, const options *given)
{
    if (given->out == NULL) {
        return given->given[OPTION_TO] ? bad_input("--to needs --out FILE") : STATUS_DONE;
    }
    if (given->partial != NULL) {
        return bad_input("--out does not go with --partial, which is no point yet");
    }
    int status = check_format("to", given->to, true);
    if (status != STATUS_DONE) {
        return status;
    }
    /* No points: only the format is looked at. */
    const sumac_status fits = sumac_points_encode(opened->context, opened->curve, NULL, 0, given->to, NULL);
    return fits == SUMAC_OK ? result_file_open(file, given->out) : session_failure(opened, fits);
}

int points_file_write(result_file *file, const session *opened, const options *given,
                      const unsigned char *points, size_t count)
{
    if (given->out == NULL) {
        return STATUS_DONE;
    }
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases = NULL;
    config.check = SUMAC_CHECK_NONE; /* a sum of bases that were checked, as far as --check says */
    config.outside_subgroup = 1;
    sumac_status written = sumac_bases_create(opened->context, opened->curve, points, count, &config, &bases);
    if (written != SUMAC_OK) {
        return session_failure(opened, written);
    }
    int status = result_file_begin(file);
    if (status == STATUS_DONE) {
        written = sumac_bases_save_as(opened->context, bases, given->to, file->library_path);
        status = written == SUMAC_OK ? result_file_commit(file)
                                     : result_file_library_failure(file, opened->context, written);
    }
    sumac_bases_destroy(bases);
    return status;
}

void points_file_print(const options *given)
{
    if (given->out != NULL) {
        print("written    ");
        print_text(given->out);
        print(", %s\n", given->to);
    }
}

bool points_file_set(json_t *object, const options *given)
{
    return given->out == NULL || (json_object_set_new(object, "out", text_to_json(given->out)) == 0 &&
                                  json_object_set_new(object, "format", json_string(given->to)) == 0);
}
