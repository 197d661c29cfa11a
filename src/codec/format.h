/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a format is, and all there are. Each is one file here, and one line in formats.c. */
#ifndef SUMAC_CODEC_FORMAT_H
#define SUMAC_CODEC_FORMAT_H

#include "io/input.h"

typedef struct file_format {
    sumac_format_info info;
    /* Called with arguments that are not null, for curves that `holds` says yes to. config's form, stride and
     * infinity are the defaults. On failure *bases may be partly filled: the caller destroys it. */
    int (*holds)(const sumac_curve_info *info);
    sumac_status (*read)(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                         sumac_bases **bases); /* null: it can't be read */
    sumac_status (*write)(sumac_context *context, const sumac_bases *bases,
                          const char *path); /* or written */
    /* Of a format that is records of one size and nothing else; null where these are raw points. */
    int is_records;
    const struct point_encoding *encoding;
} file_format;

/* The format by its name, which has to hold points of the curve, or for null by how the file begins: a table
 * or raw. Before any other read. */
sumac_status format_choose(input_file *file, const char *name, const sumac_curve *curve,
                           const file_format **format);

/* Values of `holds`. */
int holds_every_curve(const sumac_curve_info *info);
int holds_bls12_381(const sumac_curve_info *info);
int holds_bls12_381_g1(const sumac_curve_info *info);

extern const file_format raw_format;
extern const file_format table_format;
extern const file_format trusted_setup_lagrange_format;
extern const file_format trusted_setup_monomial_format;
extern const file_format zcash_compressed_format;
extern const file_format zcash_uncompressed_format;
extern const file_format eip2537_format;

#endif
