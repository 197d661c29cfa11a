/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_BASE_DEVICES_H
#define SUMAC_BASE_DEVICES_H

/* A context has at most this many devices. */
#define MOST_DEVICES 16

#endif
