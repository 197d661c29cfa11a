/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "file_info.h"
#include "codec/file_kinds.h"
#include "sumac/kzg.h"

/* Records that are looked at, and bytes of the file: for a blob, too. */
enum { SAMPLE = 64, SAMPLE_BYTES = SUMAC_KZG_BLOB_BYTES, MOST_FINDINGS = 64 };

/* A file as it was opened, and its first bytes. */
typedef struct looked_at {
    const char *path;
    uint64_t size;
    unsigned char *bytes;
    size_t count; /* of them */
    file_head head;
} looked_at;

/* One thing that the file is; where nothing but its bytes tells, it may be several. */
typedef struct finding {
    const char *kind;
    char curve[64], group[16]; /* empty: of none */
    bool has_count;
    uint64_t count;
    const char *unit; /* of the count */
    char more[128];   /* "", or a clause */
    const char *checked;
    const char *advice; /* null: sumac reads it */
} finding;

typedef struct findings {
    finding at[MOST_FINDINGS];
    size_t count;
} findings;

/* ---- The file ---- */

static int look_at_descriptor(looked_at *file, int descriptor)
{
    struct stat facts;
    if (file->bytes == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    if (fstat(descriptor, &facts) != 0) {
        return system_failure("read", file->path, errno);
    }
    if (!S_ISREG(facts.st_mode)) {
        return bad_input("%s: not a regular file", file->path);
    }
    MUST(read_input(descriptor, file->path, file->bytes, SAMPLE_BYTES, &file->count));
    file->size = (uint64_t)facts.st_size;
    file->head =
        (file_head){file->bytes, file->count < FILE_HEAD_BYTES ? file->count : FILE_HEAD_BYTES, file->size};
    return STATUS_DONE;
}

static int look_at_file(looked_at *file)
{
    int descriptor;
    MUST(open_input(file->path, &descriptor));
    file->bytes = allocate(SAMPLE_BYTES, "the beginning of a file");
    const int status = look_at_descriptor(file, descriptor);
    close(descriptor);
    return status;
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

static finding *add(findings *found, const char *kind, const sumac_curve_info *info, const char *checked)
{
    /* More than there can be, all curves together, take the last one's place. */
    finding *made = &found->at[found->count < MOST_FINDINGS ? found->count++ : MOST_FINDINGS - 1];
    *made = (finding){.kind = kind, .checked = checked};
    if (info != NULL) {
        snprintf(made->curve, sizeof made->curve, "%s", info->name);
        snprintf(made->group, sizeof made->group, "%s", info->group);
    }
    return made;
}

static void set_count(finding *made, uint64_t count, const char *unit)
{
    made->has_count = true;
    made->count = count;
    made->unit = unit;
}

/* "bls12-381/g1", in a field of so many bytes, as files of ours have it; without a slash all is the curve. */
static void set_curve(finding *made, const unsigned char *field, size_t bytes)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)bytes, (const char *)field);
    char *slash = strchr(text, '/');
    if (slash != NULL) {
        *slash = '\0';
        snprintf(made->group, sizeof made->group, "%.15s", slash + 1);
    }
    snprintf(made->curve, sizeof made->curve, "%s", text);
}

/* ---- Files of ours ---- */

/* Where a file of ours has its curve, and its first section's group, count and first number (docs/formats.md); and where
 * a checkpoint has its first section's bytes (docs/files.md). */
enum { AT_CURVE = 16, AT_GROUP = 72, AT_COUNT = 96, AT_NUMBER = 104, SECTION_END = 128, PROGRESS = 192 };

/* The curve and group of a file, and its first section's count. */
static void set_section(finding *made, const looked_at *file, const char *unit)
{
    set_curve(made, file->bytes + AT_CURVE, 32);
    snprintf(made->group, sizeof made->group, "%.8s", (const char *)file->bytes + AT_GROUP);
    set_count(made, load_le(file->bytes + AT_COUNT, 8), unit);
}

typedef int (*teller)(const session *opened, const looked_at *file, const file_kind *kind, findings *found);

static int tell_table(const session *opened, const looked_at *file, const file_kind *kind, findings *found)
{
    const sumac_curve *curve;
    size_t count = 0;
    finding *made = add(found, kind->name, NULL, "its header, by its checksum, and its size; no points");
    set_section(made, file, "bases");
    snprintf(made->more, sizeof made->more, "%u points kept of each",
             (unsigned)load_le(file->bytes + AT_NUMBER, 4));
    if (sumac_curve_find(made->curve, made->group, &curve) != SUMAC_OK) {
        made->checked = "nothing: this build leaves out the curve";
        return STATUS_DONE;
    }
    const sumac_status status = sumac_bases_file_count(opened->context, curve, file->path, "table", &count);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int tell_partial(const session *opened, const looked_at *file, const file_kind *kind, findings *found)
{
    const sumac_curve *curve;
    const uint64_t batch = load_le(file->bytes + AT_COUNT, 8);
    finding *made = add(found, kind->name, NULL, "its checksum, and its points");
    set_section(made, file, "results");
    if (sumac_curve_find(made->curve, made->group, &curve) != SUMAC_OK) {
        made->checked = "nothing: this build leaves out the curve";
        return STATUS_DONE;
    }
    const size_t expected = sumac_partial_bytes(curve, (uint32_t)batch);
    if (file->size != expected) {
        return bad_input("%s: a partial result of %" PRIu64 " bytes, and its batch of %" PRIu64 " has %zu",
                         file->path, file->size, batch, expected);
    }
    if (file->count < file->size) {
        made->checked = "its size";
        return STATUS_DONE;
    }
    unsigned char *scratch = allocate(expected, "results");
    if (scratch == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    const void *one = file->bytes;
    const sumac_status status =
        sumac_partial_combine(opened->context, curve, &one, 1, (uint32_t)batch, scratch);
    free(scratch);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int tell_checkpoint(const session *opened, const looked_at *file, const file_kind *kind,
                           findings *found)
{
    (void)opened;
    finding *made = add(found, kind->name, NULL, "nothing: `sumac msm --checkpoint` checks it");
    const unsigned char *progress = file->bytes + PROGRESS;
    set_section(made, file, "bases");
    snprintf(made->more, sizeof made->more, "done of %" PRIu64 ", from %" PRIu64 " on, format %.24s",
             load_le(progress + 56, 8), load_le(progress + 48, 8), (const char *)progress);
    return STATUS_DONE;
}

static int tell_setup(const session *opened, const looked_at *file, const file_kind *kind, findings *found)
{
    sumac_kzg_setup *setup = NULL;
    const sumac_status status = sumac_kzg_setup_open(opened->context, file->path, SUMAC_CHECK_NONE, &setup);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    const bool is_saved = kind->magic != NULL;
    finding *made = add(found, kind->name, NULL,
                        is_saved ? "all of its checksums"
                                 : "its form, that its points are of the curve, and that its parts fit");
    set_curve(made, (const unsigned char *)"bls12-381", 9);
    set_count(made, SUMAC_KZG_FIELD_ELEMENTS, "powers");
    snprintf(made->more, sizeof made->more, "%sprepared for proofs of cells",
             sumac_kzg_setup_has_tables(setup) ? "" : "not ");
    sumac_kzg_setup_destroy(setup);
    return STATUS_DONE;
}

static int tell_fk20(const session *opened, const looked_at *file, const file_kind *kind, findings *found)
{
    (void)opened;
    finding *made = add(found, kind->name, NULL, "nothing: sumac_fk20_open() checks them");
    set_section(made, file, "coefficients");
    snprintf(made->more, sizeof made->more, "cells of %" PRIu64 " elements",
             load_le(file->bytes + AT_NUMBER, 4));
    return STATUS_DONE;
}

/* ---- Records, whose bytes alone tell ---- */

/* How many points of a curve the file has in a format; 0 if it is of another one, or its first points are. */
static size_t try_format(const session *opened, const looked_at *file, const sumac_curve *curve,
                         const char *format)
{
    sumac_bases_config config = sumac_bases_config_default();
    sumac_bases *bases = NULL;
    size_t count = 0;
    config.check = SUMAC_CHECK_CURVE;
    if (sumac_bases_file_count(opened->context, curve, file->path, format, &count) != SUMAC_OK ||
        count == 0 ||
        sumac_bases_open_part(opened->context, curve, file->path, 0, count < SAMPLE ? count : SAMPLE, format,
                              &config, &bases) != SUMAC_OK) {
        return 0;
    }
    sumac_bases_destroy(bases);
    return count;
}

/* The file as points of each curve, in each format. */
static void try_points(const session *opened, const looked_at *file, const char *more, findings *found)
{
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        const sumac_curve *curve = sumac_curve_at(i);
        for (size_t j = 0; j < sumac_format_count(); j++) {
            const sumac_format_info *format = sumac_format_at(j);
            const size_t count = format->can_read ? try_format(opened, file, curve, format->name) : 0;
            if (count > 0) {
                finding *made = add(found, format->name, sumac_curve_describe(curve),
                                    "the first 64 points: on the curve");
                set_count(made, count, "points");
                snprintf(made->more, sizeof made->more, "%s", more);
            }
        }
    }
}

/* Whether little-endian numbers are less than the order, which an integer of `order_bytes` is. */
static bool are_less(const unsigned char *numbers, size_t count, const sumac_curve_info *info)
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

static void try_scalars(const looked_at *file, findings *found)
{
    for (size_t i = 0; i < sumac_curve_count(); i++) {
        const sumac_curve_info *info = sumac_curve_describe(sumac_curve_at(i));
        const uint64_t count = file->size / info->scalar_bytes;
        const size_t sample = count < SAMPLE ? (size_t)count : SAMPLE;
        if (strcmp(info->group, "g1") == 0 && count > 0 && file->size % info->scalar_bytes == 0 &&
            are_less(file->bytes, sample, info)) {
            set_count(add(found, "raw scalars", info, "the first 64: less than the order"), count, "scalars");
        }
    }
}

/* Blobs are whole and of elements less than r, whose first byte is at most 0x73. */
static void try_blobs(const looked_at *file, findings *found)
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

static int tell_records(const session *opened, const looked_at *file, findings *found)
{
    try_points(opened, file, "", found);
    if (found->count == 0) {
        try_blobs(file, found);
    }
    if (found->count == 0) {
        try_scalars(file, found);
    }
    return STATUS_DONE;
}

/* Another library's file, which may be of no curve of this build, of scalars, or damaged. */
static int tell_points(const session *opened, const looked_at *file, const file_kind *kind, findings *found)
{
    try_points(opened, file, kind->name, found);
    if (found->count > 0) {
        return STATUS_DONE;
    }
    finding *made = add(found, kind->name, NULL,
                        kind->prefix_bytes > 0 ? "that its count fits its size" : "how it begins");
    if (kind->prefix_bytes > 0) {
        set_count(made, file_kind_count(kind, &file->head), "records");
    }
    made->advice =
        "its first points are none of a curve of this build: `sumac convert` says what is wrong with them";
    return STATUS_DONE;
}

/* ---- JSON of snarkjs ---- */

static bool has_members(const json_t *object, const char *const *names)
{
    while (*names != NULL && json_object_get(object, *names) != NULL) {
        names++;
    }
    return *names == NULL;
}

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

/* A verifying key, a proof, or public inputs, by the names of their members. */
static int tell_json(const looked_at *file, findings *found)
{
    enum { MOST_JSON = 1 << 26 };
    static const char *const key_members[] = {"vk_alpha_1", "vk_gamma_2", "IC", NULL};
    static const char *const proof_members[] = {"pi_a", "pi_b", "pi_c", NULL};
    static const char advice[] = "`sumac groth16 verify` takes it";
    const char *checked = "that it is JSON, and the names of its members";
    AUTO_FREE unsigned char *text = NULL;
    size_t size;
    finding *made = NULL;
    if (file->size > MOST_JSON) {
        return STATUS_DONE;
    }
    MUST(read_small_file(file->path, MOST_JSON, &text, &size));
    json_t *root = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, NULL);
    if (has_members(root, key_members)) {
        made = add(found, "a verifying key of snarkjs (verification_key.json)", NULL, checked);
        const size_t points = json_array_size(json_object_get(root, "IC"));
        set_count(made, points > 0 ? points - 1 : 0, "public inputs");
    } else if (has_members(root, proof_members)) {
        made = add(found, "a proof of snarkjs (proof.json)", NULL, checked);
    } else if (is_list_of_numbers(root)) {
        made = add(found, "public inputs of snarkjs (public.json)", NULL, checked);
        set_count(made, json_array_size(root), "public inputs");
    }
    if (made != NULL) {
        const char *curve = json_string_value(json_object_get(root, "curve"));
        snprintf(made->curve, sizeof made->curve, "%s", curve != NULL ? curve : "");
        made->advice = advice;
    }
    json_decref(root);
    return STATUS_DONE;
}

static int tell(const session *opened, const looked_at *file, findings *found)
{
    /* And how many bytes each looks at. */
    static const struct {
        teller tell;
        size_t bytes;
    } tellers[] = {[FILE_TABLE] = {tell_table, SECTION_END},
                   [FILE_PARTIAL] = {tell_partial, SECTION_END},
                   [FILE_CHECKPOINT] = {tell_checkpoint, PROGRESS + 64},
                   [FILE_SETUP] = {tell_setup, 0},
                   [FILE_FK20] = {tell_fk20, SECTION_END},
                   [FILE_POINTS] = {tell_points, 0}};
    const file_kind *kind = file_kind_find(&file->head);
    if (file->size == 0) {
        set_count(add(found, "raw", NULL, "its size"), 0, "points or scalars");
        return STATUS_DONE;
    }
    if (kind == NULL && memchr("{[ \n\r\t", file->bytes[0], 6) != NULL) {
        MUST(tell_json(file, found));
    }
    if (kind == NULL) {
        return found->count > 0 ? STATUS_DONE : tell_records(opened, file, found);
    }
    if (kind->family == FILE_OTHER) {
        add(found, kind->name, NULL, kind->magic != NULL ? "its first bytes" : "its first bytes and its size")
            ->advice = kind->advice;
        return STATUS_DONE;
    }
    if (file->count < tellers[kind->family].bytes) {
        return bad_input("%s: it begins as %s, and ends at byte %zu", file->path, kind->name, file->count);
    }
    return tellers[kind->family].tell(opened, file, kind, found);
}

/* ---- Output ---- */

static void print_finding(const finding *told)
{
    print("kind         %s", told->kind);
    if (told->has_count) {
        print(": %" PRIu64 " %s", told->count, told->unit);
    }
    if (told->curve[0] != '\0') {
        print(" of ");
        print_text(told->curve);
        print(told->group[0] != '\0' ? " " : "");
        print_text(told->group);
    }
    if (told->more[0] != '\0') {
        print(", ");
        print_text(told->more);
    }
    print("\nchecked      %s\n", told->checked);
    if (told->advice != NULL) {
        print("not read     %s\n", told->advice);
    }
}

static void put_text(json_t **object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        json_put(object, key, text_to_json(text));
    }
}

static json_t *finding_to_json(const finding *told)
{
    json_t *object = json_pack("{s:s, s:b}", "kind", told->kind, "can_read", told->advice == NULL);
    put_text(&object, "curve", told->curve);
    put_text(&object, "group", told->group);
    if (told->has_count) {
        json_put(&object, told->unit, json_integer((json_int_t)told->count));
    }
    put_text(&object, "more", told->more);
    put_text(&object, "checked", told->checked);
    put_text(&object, "advice", told->advice);
    return object;
}

static int print_findings(const looked_at *file, const findings *found, bool as_json)
{
    if (!as_json) {
        print("file         ");
        print_text(file->path);
        print("\nbytes        %" PRIu64 "\n", file->size);
    }
    json_t *list = json_array();
    for (size_t i = 0; i < found->count; i++) {
        if (as_json) {
            json_append(&list, finding_to_json(&found->at[i]));
        } else {
            print_finding(&found->at[i]);
        }
    }
    if (as_json) {
        return print_json(json_pack("{s:o, s:I, s:o}", "file", text_to_json(file->path), "bytes",
                                    (json_int_t)file->size, "kinds", list));
    }
    json_decref(list);
    return STATUS_DONE;
}

int print_file_info(const session *opened, const options *given)
{
    looked_at file = {.path = given->operands[0]};
    AUTO_FREE findings *found = calloc(1, sizeof *found);
    if (found == NULL) {
        return cannot_allocate(sizeof *found, "findings");
    }
    int status = look_at_file(&file);
    if (status == STATUS_DONE) {
        status = tell(opened, &file, found);
    }
    free(file.bytes);
    MUST(status);
    return found->count > 0 ? print_findings(&file, found, given->json)
                            : bad_input("%s: %" PRIu64
                                        " bytes that are no kind of file that sumac knows, and no points or "
                                        "scalars of its curves by their size and first values",
                                        file.path, file.size);
}
