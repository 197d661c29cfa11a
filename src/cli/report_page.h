/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The page of `sumac report`. */
#ifndef SUMAC_CLI_REPORT_PAGE_H
#define SUMAC_CLI_REPORT_PAGE_H

#include <stdio.h>

#include "measured.h"

/* A page of HTML that needs nothing else. Reports and returns an exit status. */
int write_report_page(FILE *page, const measured *all);

#endif
