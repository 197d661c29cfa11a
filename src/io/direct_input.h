/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading a file past the system's cache, where it is not in there: a disk is faster than one thread copies, and what is
 * read once need not be kept. Only where the system has all of it: who reads so must be able to read otherwise. */
#ifndef SUMAC_IO_DIRECT_INPUT_H
#define SUMAC_IO_DIRECT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* What offsets, addresses and lengths are multiples of. */
#define DIRECT_UNIT ((size_t)4096)

/* A descriptor for the file of another one, to be closed; -1: the system does not read this one past its cache. */
int direct_open(int descriptor);

/* Read from the file, whose direct_open() gave `direct`: what is cached from there, and the rest past the cache. bytes
 * leaves the same rest as `offset` when divided by DIRECT_UNIT, and the units that its ends lie in are written as wholes.
 * Returns how many bytes were read, from the first on: fewer at the end of the file, and where something is amiss. */
size_t direct_read_at(int descriptor, int direct, uint64_t offset, uint8_t *bytes, size_t count);

#endif
