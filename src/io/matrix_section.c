/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/matrix_section.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "io/memory.h"

enum {
    MATRIX_VALUES = 0, /* index of the only number of a matrix section */
    SCALARS_SLICE = 1 << 15
};

/* The numbers of a matrix and of rows are copied in blocks, so that only this many are in host memory at a time. */
#define BLOCK_WORDS ((uint64_t)1 << 16)

/* This is a number of a matrix, as it is stored in a file and in memory. */
typedef union matrix_word {
    uint8_t bytes[WORD_BYTES];
    uint64_t start;
    sparse_term term;
} matrix_word;

static const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};

/* ---- Writing ---- */

container_section *word_section_add(container *layout, uint32_t type, uint64_t count)
{
    container_section *section = container_add(layout, type, "", count * WORD_BYTES);
    section->count = count;
    return section;
}

/* A matrix has its values, then the index at which each row's terms start and the index at which the last row's terms
 * end, then the terms. */
container_section *matrix_add(container *layout, uint32_t type, const sumac_group *group, uint64_t rows,
                              uint64_t terms, uint64_t values)
{
    container_section *section =
        container_add(layout, type, "", values * group->scalar_bytes + (rows + 1 + terms) * WORD_BYTES);
    section->count = terms;
    section->numbers[MATRIX_VALUES] = (uint32_t)values;
    return section;
}

sumac_status words_save(output_file *file, const container_section *section, const uint64_t *words)
{
    section_output output = section_begin(file, section);
    TAKE_MEMORY(matrix_word, block, file->context, file->path, BLOCK_WORDS * sizeof *block);
    for (uint64_t first = 0; first < section->count; first += BLOCK_WORDS) {
        const uint64_t n = smaller(section->count - first, BLOCK_WORDS);
        for (uint64_t i = 0; i < n; i++) {
            store_le64(block[i].bytes, words[first + i]);
        }
        TRY(section_write(&output, block, n * WORD_BYTES));
    }
    return section_end(&output);
}

sumac_status scalars_save(section_output *output, const sumac_vector *scalars)
{
    const output_file *file = output->file;
    const size_t bytes = scalars->group->scalar_bytes, step = smaller(scalars->count, SCALARS_SLICE);
    TAKE_MEMORY(uint8_t, slice, file->context, file->path, step * bytes);
    for (size_t first = 0, n; first < scalars->count; first += n) {
        n = smaller(scalars->count - first, step);
        TRY(vector_get(context_executor(file->context), scalars, first, n, slice, &montgomery));
        TRY(section_write(output, slice, n * bytes));
    }
    return SUMAC_OK;
}

static sumac_status write_part(section_output *output, const sparse_matrix *matrix, sparse_part part,
                               uint64_t count)
{
    const output_file *file = output->file;
    TAKE_MEMORY(matrix_word, block, file->context, file->path, BLOCK_WORDS * sizeof *block);
    for (uint64_t first = 0; first < count; first += BLOCK_WORDS) {
        const uint64_t n = smaller(count - first, BLOCK_WORDS);
        TRY(sparse_get(context_executor(file->context), matrix, part, first, n, block));
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t word = part == SPARSE_STARTS
                                      ? block[i].start
                                      : block[i].term.column | (uint64_t)block[i].term.value << 32;
            store_le64(block[i].bytes, word);
        }
        TRY(section_write(output, block, n * WORD_BYTES));
    }
    return SUMAC_OK;
}

sumac_status matrix_save(output_file *file, const container_section *section, const sparse_matrix *matrix)
{
    section_output output = section_begin(file, section);
    TRY(scalars_save(&output, matrix->values));
    TRY(write_part(&output, matrix, SPARSE_STARTS, matrix->rows.rows + 1));
    TRY(write_part(&output, matrix, SPARSE_TERMS, matrix->terms));
    return section_end(&output);
}

/* ---- Reading ---- */

sumac_status numbers_open(number_section *numbers, input_file *file, const container *layout, uint32_t type,
                          const char *name)
{
    numbers->in_range = 1;
    return section_open(&numbers->input, file, layout, container_find(layout, type), name);
}

sumac_status numbers_close(number_section *numbers)
{
    const input_file *file = numbers->input.file;
    const container_section *section = numbers->input.section;
    TRY(section_close(&numbers->input));
    return numbers->in_range
               ? SUMAC_OK
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: %s, bytes %" PRIu64 " to %" PRIu64 ": a number that is out of range", file->path,
                      numbers->input.name, section->offset, section->offset + section->size - 1);
}

sumac_status words_read(input_file *file, const container *layout, uint32_t type, const char *name,
                        uint64_t limit, uint64_t **words)
{
    number_section numbers;
    TRY(numbers_open(&numbers, file, layout, type, name));
    const container_section *section = numbers.input.section;
    *words = memory_allocate(file->context, file->path, section->size);
    TRY(memory_got(*words));
    TRY(section_read(&numbers.input, *words, (size_t)section->size));
    for (uint64_t j = 0; j < section->count; j++) {
        (*words)[j] = load_le64((const uint8_t *)(*words + j));
        numbers.in_range &= (*words)[j] < limit;
    }
    return numbers_close(&numbers);
}

sumac_status scalars_read(number_section *numbers, sumac_vector *scalars)
{
    const input_file *file = numbers->input.file;
    executor *self = context_executor(file->context);
    const size_t bytes = scalars->group->scalar_bytes, step = smaller(scalars->count, SCALARS_SLICE);
    TAKE_MEMORY(uint8_t, slice, file->context, file->path, step * bytes);
    for (size_t first = 0, n; first < scalars->count; first += n) {
        n = smaller(scalars->count - first, step);
        TRY(section_read(&numbers->input, slice, n * bytes));
        sumac_status status = vector_set(self, scalars, first, n, slice, &montgomery);
        if (status == SUMAC_BAD_ENCODING) {
            sumac_vector some = vector_part(scalars, first, n);
            numbers->in_range = 0;
            status = vector_fill_integer(self, &some, 0);
        }
        TRY(status);
    }
    return SUMAC_OK;
}

static sumac_status read_part(number_section *numbers, sparse_matrix *matrix, sparse_part part,
                              uint32_t columns)
{
    const input_file *file = numbers->input.file;
    const uint64_t count = part == SPARSE_STARTS ? matrix->rows.rows + 1 : matrix->terms;
    uint64_t last = 0;
    TAKE_MEMORY(matrix_word, block, file->context, file->path, BLOCK_WORDS * sizeof *block);
    for (uint64_t first = 0; first < count; first += BLOCK_WORDS) {
        const uint64_t n = smaller(count - first, BLOCK_WORDS);
        TRY(section_read(&numbers->input, block, n * WORD_BYTES));
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t word = load_le64(block[i].bytes);
            if (part == SPARSE_STARTS) {
                numbers->in_range &= word >= last && word <= matrix->terms;
                block[i].start = last = word;
            } else {
                block[i].term = (sparse_term){(uint32_t)word, (uint32_t)(word >> 32)};
                numbers->in_range &=
                    block[i].term.column < columns && block[i].term.value < matrix->values->count;
            }
        }
        TRY(sparse_set(context_executor(file->context), matrix, part, first, n, block));
    }
    numbers->in_range &= part != SPARSE_STARTS || last == matrix->terms;
    return SUMAC_OK;
}

int matrix_fits(const container_section *section)
{
    return section != NULL && section->count <= section->size &&
           section->numbers[MATRIX_VALUES] >= SPARSE_OTHERS;
}

sumac_status matrix_read(input_file *file, const container *layout, uint32_t type, const char *name,
                         const sumac_group *group, uint64_t rows, uint32_t columns, sparse_matrix **matrix)
{
    number_section numbers;
    TRY(numbers_open(&numbers, file, layout, type, name));
    const container_section *section = numbers.input.section;
    executor *self = context_executor(file->context);
    LOCAL_SCALARS(values, self, group, section->numbers[MATRIX_VALUES]);
    TRY(scalars_read(&numbers, values));
    TRY(sparse_allocate(self, rows, section->count, values, matrix));
    TRY(read_part(&numbers, *matrix, SPARSE_STARTS, columns));
    TRY(read_part(&numbers, *matrix, SPARSE_TERMS, columns));
    return numbers_close(&numbers);
}
