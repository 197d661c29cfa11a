/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The registry has every group of this build. CMake generates its array from the files in
 * src/curves/generated, so that a new curve needs one data file and no line of code.
 */
#ifndef SUMAC_API_REGISTRY_H
#define SUMAC_API_REGISTRY_H

#include <stddef.h>

struct group_code;
struct registered_group;
struct sumac_group;

/* The array has sumac_registry_count entries in the order of their names, and then a null pointer. It includes curves
 * that exist only for tests. */
extern const struct registered_group *const sumac_registry[];
extern const size_t sumac_registry_count;

/* Return a group's code that runs on every machine. */
const struct group_code *registry_portable_code(const struct sumac_group *group);

#endif
