#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script runs the unchanged tests of the Python package ckzg with our module ckzg. The tests and their vectors come from
# c-kzg-4844's repository, of which CKZG_CHECKOUT may name a copy.
# shellcheck source=tests/compat/common.sh
. "$(dirname "$0")/../common.sh"
need python3
fetch_ckzg

if [ ! -e "$work/fetched" ]; then
    python3 -m venv "$work/venv" >"$work/pip.log" 2>&1 || skip "python3 has no venv"
    fetch "$work/pip.log" "$work/venv/bin/pip" install PyYAML==6.0.3 cffi==2.1.1
    touch "$work/fetched"
fi

mkdir -p "$work/sumac_msm"
cp "$root"/bindings/python/sumac_msm/*.py "$work/sumac_msm"
python3 -B "$root/tools/gen_bindings.py" python "$work/sumac_msm"
cd "$checkout/bindings/python"
LD_LIBRARY_PATH=$libraries PYTHONPATH=$root/compat/ckzg/python:$work PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python3" tests.py
echo "ckzg: OK"
