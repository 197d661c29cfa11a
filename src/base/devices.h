/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_BASE_DEVICES_H
#define SUMAC_BASE_DEVICES_H

/* The most devices of a context. */
#define MOST_DEVICES 16

#endif
