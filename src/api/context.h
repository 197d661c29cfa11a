/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a context has for those who compute with it. */
#ifndef SUMAC_API_CONTEXT_H
#define SUMAC_API_CONTEXT_H

#include "curves/curve_code.h"
#include "pipeline/engine.h"

/* The code of a curve that this context runs. */
const curve_code *context_code(const sumac_context *context, const sumac_curve *curve);

/* A workspace of at least so many bytes, kept in the context. */
sumac_status context_workspace(sumac_context *context, uint64_t bytes, void **memory);

#endif
