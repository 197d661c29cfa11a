#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# If pkg-config does not find the library, this prints one line that says what to do, and exits with 1.
pkg-config --exists sumac 2>/dev/null || {
    echo "sumac's library is not found by pkg-config; install it, or set PKG_CONFIG_PATH=PREFIX/lib/pkgconfig if it is in a PREFIX of its own" >&2
    exit 1
}
