#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs the unchanged tests of the Python package ckzg. Its C source is compiled with our header and linked to libsumac_ckzg.
# The source comes from PyPI. It lacks tests.py, which comes with its vectors from c-kzg-4844's repository; CKZG_CHECKOUT may
# name a copy of it.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need python3 cc readelf tar
headers=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
[ -e "$headers/Python.h" ] || skip "python3's headers are not installed"
fetch_ckzg

if [ ! -e "$work/fetched" ]; then
    python3 -m venv "$work/venv" >"$work/pip.log" 2>&1 || skip "python3 has no venv"
    fetch "$work/pip.log" "$work/venv/bin/pip" install PyYAML==6.0.3
    fetch "$work/pip.log" "$work/venv/bin/pip" download --no-deps --no-binary ckzg -d "$work" ckzg==2.1.8
    tar -xzf "$work/ckzg-2.1.8.tar.gz" -C "$work"
    touch "$work/fetched"
fi

mkdir -p "$work/ours"
cc -O2 -shared -fPIC -I "$headers" -I "$root/compat/ckzg" "$work/ckzg-2.1.8/bindings/python/ckzg_wrap.c" \
    -o "$work/ours/ckzg.so" -L "$libraries" -lsumac_ckzg "-Wl,-rpath,$libraries"
expect_needs "$work/ours/ckzg.so" libsumac_ckzg
(cd "$checkout/bindings/python" && PYTHONPATH=$work/ours PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python3" tests.py)
echo "ckzg: OK"
