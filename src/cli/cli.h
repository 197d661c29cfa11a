/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file includes the headers that all commands need: sessions, options, files, results, reports and progress. */
#ifndef SUMAC_CLI_CLI_H
#define SUMAC_CLI_CLI_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/integers.h"
#include "program.h"
#include "progress.h"
#include "ranks.h"
#include "results.h"

#endif
