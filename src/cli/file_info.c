/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "file_info.h"
#include "codec/file_kinds.h"
#include "sumac/kzg.h"

/* At most SAMPLE records are checked, SAMPLE_BYTES bytes of the file are read (one blob), and MOST_FINDINGS findings
 * are kept. */
enum { SAMPLE = 64, SAMPLE_BYTES = SUMAC_KZG_BLOB_BYTES, MOST_FINDINGS = 64 };

/* This is the file that is described, with its first bytes. */
typedef struct inspected_file {
    const char *path;
    uint64_t size;
    unsigned char *bytes;
    size_t count; /* the number of bytes that were read */
    file_head head;
} inspected_file;

/* A finding is one interpretation of the file. A file without a header may have several interpretations. */
typedef struct finding {
    const char *kind;
    char curve[64], group[16]; /* empty if the file does not have their names */
    bool has_count;
    uint64_t count;
    const char *unit; /* the unit of the count */
    char more[128];   /* "" or a clause */
    const char *checked;
    const char *advice; /* null if sumac can read the file */
} finding;

typedef struct findings {
    finding at[MOST_FINDINGS];
    size_t count;
} findings;

/* ---- The file ---- */

static void close_descriptor(const int *descriptor)
{
    if (*descriptor >= 0) {
        close(*descriptor);
    }
}

static int inspect_file(inspected_file *file)
{
    struct stat facts;
    CLEANUP(close_descriptor) int descriptor = -1;
    MUST(open_input(file->path, &descriptor));
    ALLOCATE(file->bytes, SAMPLE_BYTES, "the beginning of a file");
    if (fstat(descriptor, &facts) != 0) {
        return system_failure("read", file->path, errno);
    }
    if (!S_ISREG(facts.st_mode)) {
        return bad_input("%s: not a regular file", file->path);
    }
    MUST(read_input(descriptor, file->path, file->bytes, SAMPLE_BYTES, &file->count));
    file->size = (uint64_t)facts.st_size;
    file->head = (file_head){file->bytes, (size_t)smaller(file->count, FILE_HEAD_BYTES), file->size};
    return STATUS_DONE;
}

static uint64_t load_le(const unsigned char *bytes, size_t count)
{
    uint64_t value = 0;
    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

/* ---- Findings ---- */

static finding *add(findings *found, const char *kind, const sumac_group *info, const char *checked)
{
    /* If the array is full, the last finding is replaced. This does not happen, because all formats of all curves are
     * fewer than the array has elements. */
    finding *result = &found->at[found->count < MOST_FINDINGS ? found->count++ : MOST_FINDINGS - 1];
    *result = (finding){.kind = kind, .checked = checked};
    if (info != NULL) {
        snprintf(result->curve, sizeof result->curve, "%s", info->curve);
        snprintf(result->group, sizeof result->group, "%s", info->name);
    }
    return result;
}

static void set_count(finding *result, uint64_t count, const char *unit)
{
    result->has_count = true;
    result->count = count;
    result->unit = unit;
}

/* Set the curve and the group from a field of a header, such as "bls12-381/g1". If the field has no slash, all of it is
 * the curve. */
static void set_curve(finding *result, const unsigned char *field, size_t bytes)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)bytes, (const char *)field);
    char *slash = strchr(text, '/');
    if (slash != NULL) {
        *slash = '\0';
        snprintf(result->group, sizeof result->group, "%.15s", slash + 1);
    }
    snprintf(result->curve, sizeof result->curve, "%s", text);
}

/* ---- Files of this library ---- */

/* These are offsets in a file of this library (docs/formats.md). AT_CURVE is that of the curve in the header. The next
 * ones are those of the group, the count, the first number and the end of the first section's entry. PROGRESS is that
 * of the first section's bytes in a checkpoint (docs/files.md). */
enum { AT_CURVE = 16, AT_GROUP = 72, AT_COUNT = 96, AT_NUMBER = 104, SECTION_END = 128, PROGRESS = 192 };

static uint64_t number_of(const inspected_file *file)
{
    return load_le(file->bytes + AT_NUMBER, 4);
}

static int describe_table(const session *opened, const inspected_file *file, const sumac_group *group,
                          finding *result)
{
    size_t count = 0;
    snprintf(result->more, sizeof result->more, "%u points kept of each", (unsigned)number_of(file));
    return group == NULL ? STATUS_DONE
                         : session_check(opened, sumac_bases_file_count(opened->context, group, file->path,
                                                                        "table", &count));
}

static int describe_partial(const session *opened, const inspected_file *file, const sumac_group *group,
                            finding *result)
{
    const size_t expected = group == NULL ? 0 : sumac_partial_bytes(group, (uint32_t)result->count);
    const void *one = file->bytes;
    if (group == NULL) {
        return STATUS_DONE;
    }
    if (file->size != expected) {
        return bad_input("%s: it has %" PRIu64 " bytes, but a partial result with a batch of %" PRIu64
                         " has %zu",
                         file->path, file->size, result->count, expected);
    }
    if (file->count < file->size) {
        result->checked = "its size";
        return STATUS_DONE;
    }
    AUTO_FREE unsigned char *scratch = allocate(expected, "results");
    return scratch == NULL
               ? STATUS_MACHINE_FAULT
               : session_check(opened, sumac_partial_combine(opened->context, group, &one, expected, 1,
                                                             (uint32_t)result->count, scratch, expected));
}

static int describe_checkpoint(const session *opened, const inspected_file *file, const sumac_group *group,
                               finding *result)
{
    const unsigned char *progress = file->bytes + PROGRESS;
    (void)opened;
    (void)group;
    snprintf(result->more, sizeof result->more, "done of %" PRIu64 ", from %" PRIu64 " on, format %.24s",
             load_le(progress + 56, 8), load_le(progress + 48, 8), (const char *)progress);
    return STATUS_DONE;
}

static int describe_fk20(const session *opened, const inspected_file *file, const sumac_group *group,
                         finding *result)
{
    (void)opened;
    (void)group;
    snprintf(result->more, sizeof result->more, "cells of %" PRIu64 " elements", number_of(file));
    return STATUS_DONE;
}

/* These are the kinds of files of this library. The index is the file_family. */
static const struct {
    size_t bytes; /* the number of first bytes that are needed; 0 if this family has another format */
    const char *unit, *checked;
    bool checks_points; /* checking the points needs the curve, which this build may not have */
    int (*describe)(const session *opened, const inspected_file *file, const sumac_group *group,
                    finding *result);
} containers[] = {
    [FILE_TABLE] = {SECTION_END, "bases", "its header, by its checksum, and its size; no points", true,
                    describe_table},
    [FILE_PARTIAL] = {SECTION_END, "results", "its checksum, and its points", true, describe_partial},
    [FILE_CHECKPOINT] = {PROGRESS + 64, "bases", "nothing: `sumac msm --checkpoint` checks it", false,
                         describe_checkpoint},
    [FILE_FK20] = {SECTION_END, "coefficients", "nothing: sumac_fk20_open() checks them", false,
                   describe_fk20},
    [FILE_OTHER] = {0}};

static int describe_container(const session *opened, const inspected_file *file, const file_kind *kind,
                              findings *found)
{
    const file_family family = kind->family;
    const sumac_group *group = NULL;
    if (file->count < containers[family].bytes) {
        return bad_input("%s: truncated: it begins as %s, but ends at byte %zu", file->path, kind->name,
                         file->count);
    }
    finding *result = add(found, kind->name, NULL, containers[family].checked);
    set_curve(result, file->bytes + AT_CURVE, 32);
    snprintf(result->group, sizeof result->group, "%.8s", (const char *)file->bytes + AT_GROUP);
    set_count(result, load_le(file->bytes + AT_COUNT, 8), containers[family].unit);
    if (containers[family].checks_points &&
        sumac_group_find(result->curve, result->group, &group) != SUMAC_OK) {
        result->checked = "nothing: this build leaves out the curve";
        group = NULL;
    }
    return containers[family].describe(opened, file, group, result);
}

static int describe_setup(const session *opened, const inspected_file *file, const file_kind *kind,
                          findings *found)
{
    const sumac_kzg_config config = {.size = sizeof config, .check = SUMAC_CHECK_NONE};
    sumac_kzg_setup *setup = NULL;
    CALL(opened, sumac_kzg_open(opened->context, file->path, &config, &setup));
    finding *result = add(found, kind->name, NULL,
                          kind->magic != NULL /* the file is a saved setup */
                              ? "all of its checksums"
                              : "its syntax, that its points are on the curve, and that its parts match");
    set_curve(result, (const unsigned char *)"bls12-381", 9);
    set_count(result, SUMAC_KZG_FIELD_ELEMENTS, "powers");
    snprintf(result->more, sizeof result->more, "%sprepared for proofs of cells",
             sumac_kzg_table_bytes(setup) > 0 ? "" : "not ");
    sumac_kzg_destroy(setup);
    return STATUS_DONE;
}

/* ---- Points and scalars ---- */

/* If the file is in this format, return how many points of a curve it has. If its size or its first points show that it
 * is not, return 0. */
static size_t try_format(const session *opened, const inspected_file *file, const sumac_group *group,
                         const char *format)
{
    sumac_bases_config config = {.size = sizeof config};
    sumac_bases *bases = NULL;
    size_t count = 0;
    config.check = SUMAC_CHECK_CURVE;
    if (sumac_bases_file_count(opened->context, group, file->path, format, &count) != SUMAC_OK ||
        count == 0 ||
        sumac_bases_open(opened->context, group, file->path, format, 0, count < SAMPLE ? count : SAMPLE,
                         &config, &bases) != SUMAC_OK) {
        return 0;
    }
    sumac_bases_destroy(bases);
    return count;
}

/* Try to read the file as points of each curve, in each format. */
static void try_points(const session *opened, const inspected_file *file, const char *more, findings *found)
{
    for (size_t i = 0; i < sumac_group_count(); i++) {
        const sumac_group *group = sumac_group_at(i);
        for (size_t j = 0; j < sumac_format_count(); j++) {
            const sumac_format_info *format = sumac_format_at(j);
            const size_t count = format->can_read ? try_format(opened, file, group, format->name) : 0;
            if (count > 0) {
                finding *result = add(found, format->name, group, "the first 64 points: on the curve");
                set_count(result, count, "points");
                snprintf(result->more, sizeof result->more, "%s", more);
            }
        }
    }
}

/* Return true if all of these little-endian numbers are less than the order. */
static bool are_less(const unsigned char *numbers, size_t count, const sumac_group *info)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char *number = numbers + i * info->scalar_bytes;
        for (size_t word = info->scalar_bytes / 8; word-- > 0;) {
            const uint64_t value = load_le(number + 8 * word, 8);
            if (value != info->order[word]) {
                if (value > info->order[word]) {
                    return false;
                }
                break;
            }
        }
    }
    return true;
}

static void try_scalars(const inspected_file *file, findings *found)
{
    for (size_t i = 0; i < sumac_group_count(); i++) {
        const sumac_group *info = sumac_group_at(i);
        const uint64_t count = file->size / info->scalar_bytes;
        const size_t sample = count < SAMPLE ? (size_t)count : SAMPLE;
        if (strcmp(info->name, "g1") == 0 && count > 0 && file->size % info->scalar_bytes == 0 &&
            are_less(file->bytes, sample, info)) {
            set_count(add(found, "raw scalars", info, "the first 64: less than the order"), count, "scalars");
        }
    }
}

/* Recognize blobs. The size of the file must be a multiple of the size of a blob, and elements must be less than r,
 * which begins with the byte 0x73. */
static void try_blobs(const inspected_file *file, findings *found)
{
    if (file->size == 0 || file->size % SUMAC_KZG_BLOB_BYTES != 0) {
        return;
    }
    for (size_t i = 0; i < SUMAC_KZG_BLOB_BYTES; i += SUMAC_KZG_ELEMENT_BYTES) {
        if (file->bytes[i] > 0x73) {
            return;
        }
    }
    set_count(add(found, "Ethereum blobs", NULL, "the first bytes of the first blob's elements"),
              file->size / SUMAC_KZG_BLOB_BYTES, "blobs");
}

/* Describe another library's file of points. If no format fits, the file may be damaged, may have scalars instead of
 * points, or may be of a curve that this build does not have. */
static int describe_points(const session *opened, const inspected_file *file, const file_kind *kind,
                           findings *found)
{
    try_points(opened, file, kind->name, found);
    if (found->count > 0) {
        return STATUS_DONE;
    }
    finding *result = add(found, kind->name, NULL,
                          kind->prefix_bytes > 0 ? "that its count matches its size" : "its first bytes");
    if (kind->prefix_bytes > 0) {
        set_count(result, file_kind_count(kind, &file->head), "records");
    }
    result->advice =
        "its first points are not on any curve of this build: `sumac convert` says what is wrong with them";
    return STATUS_DONE;
}

/* ---- JSON of snarkjs ---- */

static bool is_list_of_numbers(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text == NULL || text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') {
            return false;
        }
    }
    return json_is_array(list);
}

/* Return what a text of PLONK or FFLONK is, by the names of its fields, or null. */
static const char *plonk_text_of(const json_t *text)
{
    static const struct {
        const char *fields[3], *what;
    } kinds[] = {
        {{"Qm", "S1", "X_2"}, "a PLONK verifying key of snarkjs (verification_key.json)"},
        {{"Wxi", "Wxiw", "eval_zw"}, "a PLONK proof of snarkjs (proof.json)"},
        {{"C0", "wr", "X_2"}, "an FFLONK verifying key of snarkjs (verification_key.json)"},
        {{"polynomials", "evaluations", "protocol"}, "an FFLONK proof of snarkjs (proof.json)"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *const *fields = kinds[i].fields;
        if (json_object_get(text, fields[0]) != NULL && json_object_get(text, fields[1]) != NULL &&
            json_object_get(text, fields[2]) != NULL) {
            return kinds[i].what;
        }
    }
    return NULL;
}

/* Recognize a verifying key, a proof, or public inputs by the names of their fields. */
static int describe_json(const inspected_file *file, findings *found)
{
    enum { MOST_JSON = 1 << 26 };
    AUTO_FREE unsigned char *text = NULL;
    size_t size;
    finding *result = NULL;
    json_t *first, *second, *third;
    if (file->size > MOST_JSON) {
        return STATUS_DONE;
    }
    MUST(read_small_file(file->path, MOST_JSON, &text, &size));
    json_auto_t *root = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, NULL);
    const char *checked = "that it is JSON, and the names of its fields";
    const char *advice = "`sumac groth16 verify` takes it";
    if (json_unpack(root, "{s:o, s:o, s:o}", "vk_alpha_1", &first, "vk_gamma_2", &second, "IC", &third) ==
        0) {
        result = add(found, "a verifying key of snarkjs (verification_key.json)", NULL, checked);
        const size_t points = json_array_size(third);
        set_count(result, points > 0 ? points - 1 : 0, "public inputs");
    } else if (json_unpack(root, "{s:o, s:o, s:o}", "pi_a", &first, "pi_b", &second, "pi_c", &third) == 0) {
        result = add(found, "a proof of snarkjs (proof.json)", NULL, checked);
    } else if (plonk_text_of(root) != NULL) {
        result = add(found, plonk_text_of(root), NULL, checked);
        advice = "`sumac plonk verify` takes it";
    } else if (is_list_of_numbers(root)) {
        result = add(found, "public inputs of snarkjs (public.json)", NULL, checked);
        set_count(result, json_array_size(root), "public inputs");
    }
    if (result != NULL) {
        const char *curve = json_string_value(json_object_get(root, "curve"));
        snprintf(result->curve, sizeof result->curve, "%s", curve != NULL ? curve : "");
        result->advice = advice;
    }
    return STATUS_DONE;
}

static int describe(const session *opened, const inspected_file *file, findings *found)
{
    const file_kind *kind = file_kind_find(&file->head);
    if (file->size == 0) {
        set_count(add(found, "raw", NULL, "its size"), 0, "points or scalars");
        return STATUS_DONE;
    }
    if (kind == NULL && memchr("{[ \n\r\t", file->bytes[0], 6) != NULL) {
        MUST(describe_json(file, found));
    }
    if (kind == NULL && found->count == 0) {
        try_points(opened, file, "", found);
    }
    if (kind == NULL && found->count == 0) {
        try_blobs(file, found);
    }
    if (kind == NULL && found->count == 0) {
        try_scalars(file, found);
    }
    if (kind == NULL) {
        return STATUS_DONE;
    }
    if (kind->family == FILE_OTHER) {
        add(found, kind->name, NULL, kind->magic != NULL ? "its first bytes" : "its first bytes and its size")
            ->advice = kind->advice;
        return STATUS_DONE;
    }
    return kind->family == FILE_SETUP    ? describe_setup(opened, file, kind, found)
           : kind->family == FILE_POINTS ? describe_points(opened, file, kind, found)
                                         : describe_container(opened, file, kind, found);
}

/* ---- Output ---- */

static void print_finding(const finding *shown)
{
    print("kind         %s", shown->kind);
    if (shown->has_count) {
        print(": %" PRIu64 " %s", shown->count, shown->unit);
    }
    if (shown->curve[0] != '\0') {
        print(" of ");
        print_text(shown->curve);
        print(shown->group[0] != '\0' ? " " : "");
        print_text(shown->group);
    }
    if (shown->more[0] != '\0') {
        print(", ");
        print_text(shown->more);
    }
    print("\nchecked      %s\n", shown->checked);
    if (shown->advice != NULL) {
        print("not read     %s\n", shown->advice);
    }
}

static void put_text(json_t **object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        json_put(object, key, text_to_json(text));
    }
}

static json_t *finding_to_json(const finding *shown)
{
    json_t *object = json_pack("{s:s, s:b}", "kind", shown->kind, "can_read", shown->advice == NULL);
    put_text(&object, "curve", shown->curve);
    put_text(&object, "group", shown->group);
    if (shown->has_count) {
        json_put(&object, shown->unit, json_integer((json_int_t)shown->count));
    }
    put_text(&object, "more", shown->more);
    put_text(&object, "checked", shown->checked);
    put_text(&object, "advice", shown->advice);
    return object;
}

int print_file_info(const session *opened, const options *given)
{
    inspected_file file = {.path = given->operands[0]};
    AUTO_FREE findings *found = calloc(1, sizeof *found);
    if (found == NULL) {
        return cannot_allocate(sizeof *found, "findings");
    }
    int status = inspect_file(&file);
    if (status == STATUS_DONE) {
        status = describe(opened, &file, found);
    }
    free(file.bytes);
    MUST(status);
    if (found->count == 0) {
        return bad_input(
            "%s: %" PRIu64
            " bytes of no kind of file that sumac knows; by their size and first values they are "
            "neither points nor scalars of its curves",
            file.path, file.size);
    }
    if (given->json) {
        json_t *list = json_array();
        for (size_t i = 0; i < found->count; i++) {
            json_append(&list, finding_to_json(&found->at[i]));
        }
        return print_json(json_pack("{s:o, s:I, s:o}", "file", text_to_json(file.path), "bytes",
                                    (json_int_t)file.size, "kinds", list));
    }
    print("file         ");
    print_text(file.path);
    print("\nbytes        %" PRIu64 "\n", file.size);
    for (size_t i = 0; i < found->count; i++) {
        print_finding(&found->at[i]);
    }
    return STATUS_DONE;
}
