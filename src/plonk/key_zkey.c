/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/key_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/zkey_plonk.h"
#include "io/binfile_input.h"
#include "io/coefficients.h"
#include "io/file_points.h"
#include "io/memory.h"

typedef struct zkey_file {
    binfile_input input;
    sumac_context *context;
    const char *path;
    uint8_t header_bytes[ZKEY_PLONK_MOST_HEADER_BYTES];
    zkey_plonk_header header;
    const plonk_flavour *flavour;
    groups groups;
    const binfile_section *header_section, *additions, *powers;
    const binfile_section *maps[ZKEY_PLONK_WIRES], *polynomials[KEY_POLYNOMIALS];
} zkey_file;

/* ---- Sections ---- */

static sumac_status check_protocol(zkey_file *zkey)
{
    uint8_t bytes[4];
    const binfile_section *section;
    TRY(binfile_input_expect(&zkey->input, ZKEY_PROTOCOL, "protocol", 4, &section));
    TRY(binfile_input_read(&zkey->input, section, 0, bytes, sizeof bytes));
    const uint32_t protocol = load_le32(bytes);
    zkey->flavour = plonk_flavour_numbered(protocol);
    return zkey->flavour != NULL
               ? SUMAC_OK
               : fail(zkey->context, SUMAC_BAD_FILE,
                      "%s: section 1 (protocol), at byte %" PRIu64 ": a key of %s, and not of PLONK",
                      zkey->path, section->offset,
                      protocol == ZKEY_GROTH16 ? "Groth16" : "an unknown proof system");
}

/* Read section 2 and find its curve. */
static sumac_status read_section_2(zkey_file *zkey)
{
    zkey_plonk_header *header = &zkey->header;
    TRY(binfile_input_header(&zkey->input, ZKEY_PLONK_HEADER, zkey->header_bytes, sizeof zkey->header_bytes,
                             &zkey->header_section));
    TRY(input_refuse(zkey->input.file,
                     zkey_plonk_decode_header(zkey->flavour->layout, zkey->header_bytes,
                                              zkey->header_section->size, header, &zkey->input.file->why)));
    return groups_find(zkey->context, zkey->path, header->primes.order, header->primes.scalar_bytes,
                       header->primes.modulus, header->primes.field_bytes, &zkey->groups);
}

/* Find the sections of the polynomials. PLONK has the three sigmas in one section. */
static sumac_status find_polynomials(zkey_file *zkey)
{
    static const char *const selectors[] = {"qM", "qL", "qR", "qO", "qC"};
    const zkey_plonk_layout *layout = zkey->flavour->layout;
    const uint64_t polynomial =
        zkey_plonk_polynomial_bytes(zkey->header.domain, zkey->header.primes.scalar_bytes);
    const uint64_t in_section = layout->sigma[0] == layout->sigma[1] ? ZKEY_PLONK_SIGMAS : 1;
    for (uint32_t i = 0; i < ZKEY_PLONK_SELECTOR_COUNT; i++) {
        TRY(binfile_input_expect(&zkey->input, layout->selectors[i], selectors[i], polynomial,
                                 &zkey->polynomials[KEY_QM + i]));
    }
    for (uint32_t i = 0; i < ZKEY_PLONK_SIGMAS; i++) {
        TRY(binfile_input_expect(&zkey->input, layout->sigma[i], "sigma", in_section * polynomial,
                                 &zkey->polynomials[KEY_S1 + i]));
    }
    return SUMAC_OK;
}

static sumac_status find_sections(zkey_file *zkey)
{
    static const char *const maps[] = {"a's wires", "b's wires", "c's wires"};
    const zkey_plonk_header *header = &zkey->header;
    const zkey_plonk_layout *layout = zkey->flavour->layout;
    const uint32_t r = header->primes.scalar_bytes;
    const binfile_section *unused;
    TRY(binfile_input_expect(&zkey->input, ZKEY_PLONK_ADDITIONS, "additions",
                             header->additions * zkey_plonk_addition_bytes(r), &zkey->additions));
    for (uint32_t i = 0; i < ZKEY_PLONK_WIRES; i++) {
        TRY(binfile_input_expect(&zkey->input, ZKEY_PLONK_MAPS + i, maps[i], 4 * (uint64_t)header->gates,
                                 &zkey->maps[i]));
    }
    TRY(find_polynomials(zkey));
    TRY(binfile_input_expect(&zkey->input, layout->lagrange, "Lagrange",
                             larger(header->publics, 1) * zkey_plonk_polynomial_bytes(header->domain, r),
                             &unused));
    if (layout->combined != 0) { /* its coefficients are those of the other sections, and are not read */
        TRY(binfile_input_expect(&zkey->input, layout->combined, "C0",
                                 KEY_POLYNOMIALS * (uint64_t)header->domain * r, &unused));
    }
    return binfile_input_expect(&zkey->input, layout->powers, "powers of tau",
                                zkey_plonk_powers(layout, header->domain) * zkey->groups.g1->point_bytes,
                                &zkey->powers);
}

/* Find the sections of an open file, and read the header. The caller closes the file. */
static sumac_status open_zkey(zkey_file *zkey, input_file *file)
{
    *zkey = (zkey_file){.context = file->context, .path = file->path};
    TRY(binfile_input_begin(&zkey->input, file, ZKEY_MAGIC, ZKEY_KIND, ZKEY_VERSION));
    TRY(check_protocol(zkey));
    return read_section_2(zkey);
}

/* Refuse what a section has at one of its bytes. */
static sumac_status bad(const zkey_file *zkey, sumac_status status, const binfile_section *section,
                        uint64_t at, const char *what, uint64_t number)
{
    return fail(zkey->context, status, "%s: section %" PRIu32 ", at byte %" PRIu64 ": %s %" PRIu64,
                zkey->path, section->type, section->offset + at, what, number);
}

/* ---- The verifying key ---- */

/* Take a number of the header, which is in Montgomery form. */
static sumac_status take_number(const zkey_file *zkey, const uint8_t *bytes, const char *name,
                                host_scalar *number)
{
    const sumac_group *g1 = zkey->groups.g1;
    if (scalars_first_too_large(g1, bytes, 1) == 0) {
        return fail(zkey->context, SUMAC_BAD_ENCODING, "%s: section 2 (header): %s is not less than r",
                    zkey->path, name);
    }
    *number = host_from_montgomery(g1, bytes);
    return SUMAC_OK;
}

static sumac_status read_verifying(zkey_file *zkey, sumac_check check, sumac_plonk_verifying_key **verifying)
{
    sumac_message what;
    const zkey_plonk_header *header = &zkey->header;
    verifying_parts parts = {.flavour = zkey->flavour,
                             .root_exponent = zkey->groups.root_exponent,
                             .publics = header->publics,
                             .power = (uint32_t)__builtin_ctz(header->domain),
                             .points = header->points,
                             .tau2 = header->tau2,
                             .form = SUMAC_FORM_MONTGOMERY,
                             .what = what.text};
    (void)refuse(&what, SUMAC_OK, "%s: section 2 (header)", zkey->path);
    TRY(take_number(zkey, header->k1, "k1", &parts.k1));
    TRY(take_number(zkey, header->k2, "k2", &parts.k2));
    for (uint32_t i = 0; i < zkey->flavour->roots_count; i++) {
        TRY(take_number(zkey, header->roots + i * (size_t)header->primes.scalar_bytes,
                        zkey->flavour->root_names[i], &parts.roots[i]));
    }
    return plonk_verifying_create(zkey->context, &zkey->groups, &parts, check, verifying);
}

sumac_status plonk_zkey_read_verifying(input_file *file, sumac_plonk_verifying_key **verifying)
{
    zkey_file zkey;
    TRY(open_zkey(&zkey, file));
    return read_verifying(&zkey, SUMAC_CHECK_SUBGROUP, verifying);
}

/* ---- Polynomials and powers of tau ---- */

/* Read the coefficients of a polynomial, in slices. */
static sumac_status read_polynomial(zkey_file *zkey, const binfile_section *section, uint64_t at,
                                    sumac_plonk_key *key, plonk_item which)
{
    enum { SLICE = 1 << 15 };
    const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};
    const size_t each = zkey->header.primes.scalar_bytes, n = key->domain, step = smaller(n, SLICE);
    TAKE_MEMORY(uint8_t, scalars, zkey->context, zkey->path, step * each);
    for (size_t first = 0; first < n; first += step) {
        TRY(binfile_input_read(&zkey->input, section, at + first * each, scalars, step * each));
        const size_t wrong = scalars_first_too_large(zkey->groups.g1, scalars, step);
        if (wrong < step) {
            return bad(zkey, SUMAC_BAD_ENCODING, section, at + (first + wrong) * each,
                       "a value that is not less than r: coefficient", first + wrong);
        }
        TRY(vector_set(context_executor(zkey->context), key->polynomials, which * n + first, step, scalars,
                       &montgomery));
    }
    return context_report(zkey->context, (double)(which + 1) / (double)KEY_POLYNOMIALS);
}

static sumac_status read_polynomials(zkey_file *zkey, sumac_plonk_key *key)
{
    const uint64_t polynomial = zkey_plonk_polynomial_bytes(key->domain, zkey->header.primes.scalar_bytes);
    TRY(vector_create(context_executor(zkey->context), zkey->groups.g1, SUMAC_VECTOR_SCALARS,
                      KEY_POLYNOMIALS * (size_t)key->domain, &key->polynomials));
    for (plonk_item which = KEY_QM; which < KEY_C0; which++) {
        const int follows = which > KEY_S1 && zkey->polynomials[which] == zkey->polynomials[KEY_S1];
        TRY(read_polynomial(zkey, zkey->polynomials[which],
                            follows ? (uint64_t)(which - KEY_S1) * polynomial : 0, key, which));
    }
    return SUMAC_OK;
}

static sumac_status read_powers(zkey_file *zkey, const sumac_plonk_key_config *given, sumac_plonk_key *key)
{
    sumac_message what;
    sumac_bases_config config = {.size = sizeof config};
    AUTO_FREE uint8_t *points = NULL;
    config.form = SUMAC_FORM_MONTGOMERY;
    config.check = given->check;
    config.precompute_factor = given->precompute_factor;
    (void)refuse(&what, SUMAC_OK, "%s: section %d (powers of tau), at byte %" PRIu64, zkey->path,
                 (int)zkey->flavour->layout->powers, zkey->powers->offset);
    TRY(binfile_input_take(&zkey->input, zkey->powers, &points));
    return file_bases_create(zkey->context, zkey->groups.g1, points,
                             zkey_plonk_powers(zkey->flavour->layout, key->domain), &config, what.text,
                             &key->powers);
}

/* ---- Additions ---- */

/* These are the additions of a file, and for each wire the column that it has in the key's matrices. */
typedef struct addition_order {
    uint8_t *bytes;    /* the section */
    uint32_t *levels;  /* of each addition */
    uint32_t *columns; /* of each addition */
} addition_order;

static void free_order(addition_order *order)
{
    free(order->bytes);
    free(order->levels);
    free(order->columns);
}

static uint32_t column_of(const sumac_plonk_key *key, const addition_order *order, uint32_t wire)
{
    return wire < key->wires ? wire : order->columns[wire - key->wires];
}

/* Find the level of each addition: one more than those of its two wires, where a witness's wires have level 0. */
static sumac_status find_levels(zkey_file *zkey, sumac_plonk_key *key, addition_order *order)
{
    const uint64_t each = zkey_plonk_addition_bytes(zkey->header.primes.scalar_bytes);
    for (uint32_t i = 0; i < key->additions; i++) {
        uint32_t level = 0;
        for (uint64_t k = 0; k < 2; k++) {
            const uint32_t wire = load_le32(order->bytes + i * each + 4 * k);
            if (wire >= key->wires + (uint64_t)i) {
                return bad(zkey, SUMAC_BAD_FILE, zkey->additions, i * each + 4 * k,
                           "an addition of a wire that does not come before it:", wire);
            }
            level = wire < key->wires ? level : (uint32_t)larger(level, order->levels[wire - key->wires]);
        }
        order->levels[i] = level + 1;
        key->levels = (uint32_t)larger(key->levels, level + 1);
    }
    return SUMAC_OK;
}

/* Order the additions by level, and keep the file's order within each level. */
static sumac_status order_additions(zkey_file *zkey, sumac_plonk_key *key, addition_order *order)
{
    const uint64_t bytes = key->additions * sizeof(uint32_t);
    order->levels = memory_allocate(zkey->context, zkey->path, bytes);
    TRY(memory_got(order->levels));
    order->columns = memory_allocate(zkey->context, zkey->path, bytes);
    TRY(memory_got(order->columns));
    TRY(binfile_input_take(&zkey->input, zkey->additions, &order->bytes));
    TRY(find_levels(zkey, key, order));
    key->level_ends =
        memory_zeros(zkey->context, zkey->path, (key->levels + UINT64_C(1)) * sizeof *key->level_ends);
    TRY(memory_got(key->level_ends));
    /* At first, entry i has the number of additions of level i; then where level i + 1 begins; at last where it ends. */
    for (uint32_t i = 0; i < key->additions; i++) {
        key->level_ends[order->levels[i]]++;
    }
    for (uint32_t level = 1; level <= key->levels; level++) {
        key->level_ends[level] += key->level_ends[level - 1];
    }
    for (uint32_t i = 0; i < key->additions; i++) {
        order->columns[i] = key->wires + (uint32_t)key->level_ends[order->levels[i] - 1]++;
    }
    return SUMAC_OK;
}

static sumac_status take_addition(const zkey_file *zkey, const sumac_plonk_key *key,
                                  const addition_order *order, uint32_t i, coefficients *all)
{
    const size_t each = zkey->header.primes.scalar_bytes;
    const uint64_t at = i * zkey_plonk_addition_bytes(zkey->header.primes.scalar_bytes);
    const uint8_t *bytes = order->bytes + at;
    for (size_t k = 0; k < 2; k++) {
        const uint8_t *factor = bytes + 8 + k * each;
        const uint32_t wire = load_le32(bytes + 4 * k);
        if (scalars_first_too_large(zkey->groups.g1, factor, 1) == 0) {
            return bad(zkey, SUMAC_BAD_ENCODING, zkey->additions, at + 8 + k * each,
                       "a factor that is not less than r, of wire", wire);
        }
        if (wire != 0) { /* wire 0 counts as 0 */
            TRY(coefficients_add(all, 0, order->columns[i] - key->wires, column_of(key, order, wire),
                                 factor));
        }
    }
    return SUMAC_OK;
}

static sumac_status read_additions(zkey_file *zkey, sumac_plonk_key *key, addition_order *order)
{
    CLEANUP(coefficients_free) coefficients all = {.values = NULL};
    CLEANUP(close_vector) sumac_vector *values = NULL;
    TRY(order_additions(zkey, key, order));
    TRY(coefficients_begin(&all, zkey->context, zkey->path, zkey->groups.g1, VALUE_MONTGOMERY));
    for (uint32_t i = 0; i < key->additions; i++) {
        TRY(take_addition(zkey, key, order, i, &all));
    }
    TRY(coefficients_vector(&all, VALUE_MONTGOMERY, &values));
    return coefficients_matrix(&all, 0, key->additions, values, &key->sums);
}

/* ---- Maps ---- */

/* Read which wire each gate has as its a, b or c, as a matrix with the term 1 for each wire that is not wire 0. */
static sumac_status read_maps(zkey_file *zkey, const addition_order *order, sumac_plonk_key *key)
{
    executor *self = context_executor(zkey->context);
    const uint64_t rows = ZKEY_PLONK_WIRES * (uint64_t)key->domain, all_wires = zkey->header.all_wires;
    uint64_t terms_count = 0, row = 0;
    TAKE_MEMORY(uint64_t, starts, zkey->context, zkey->path, (rows + 1) * sizeof *starts);
    TAKE_MEMORY(sparse_term, terms, zkey->context, zkey->path,
                ZKEY_PLONK_WIRES * (uint64_t)key->gates * sizeof *terms);
    for (uint32_t k = 0; k < ZKEY_PLONK_WIRES; k++) {
        AUTO_FREE uint8_t *map = NULL;
        TRY(binfile_input_take(&zkey->input, zkey->maps[k], &map));
        for (uint64_t i = 0; i < key->domain; i++) {
            const uint32_t wire = i < key->gates ? load_le32(map + 4 * i) : 0;
            starts[row++] = terms_count;
            if (wire >= all_wires) {
                return bad(zkey, SUMAC_BAD_FILE, zkey->maps[k], 4 * i, "a wire that does not exist:", wire);
            }
            if (wire != 0) {
                terms[terms_count++] = (sparse_term){column_of(key, order, wire), SPARSE_ONE};
            }
        }
    }
    starts[rows] = terms_count;
    LOCAL_SCALARS(values, self, zkey->groups.g1, SPARSE_OTHERS);
    TRY(vector_fill_integer(self, values, 1));
    const sparse_rows sorted = {.rows = rows, .starts = starts, .terms = terms};
    return sparse_create(self, &sorted, values, &key->maps);
}

/* ---- The key ---- */

sumac_status plonk_zkey_read(input_file *file, const sumac_plonk_key_config *config, sumac_plonk_key *key)
{
    zkey_file zkey;
    CLEANUP(free_order) addition_order order = {NULL, NULL, NULL};
    TRY(open_zkey(&zkey, file));
    TRY(find_sections(&zkey));
    key->additions = zkey.header.additions;
    key->wires = zkey.header.all_wires - key->additions;
    key->gates = zkey.header.gates;
    key->domain = zkey.header.domain;
    TRY(read_verifying(&zkey, config->check, &key->verifying));
    plonk_key_find_roots(key);
    TRY(read_powers(&zkey, config, key));
    if (key->additions > 0) {
        TRY(read_additions(&zkey, key, &order));
    }
    TRY(read_maps(&zkey, &order, key));
    return read_polynomials(&zkey, key);
}

int plonk_zkey_fits(const uint8_t *begins, size_t count)
{
    return count >= 4 && memcmp(begins, ZKEY_MAGIC, 4) == 0;
}
