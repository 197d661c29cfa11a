#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Run the tests with a library that is not installed. They run with this Python or, if it lacks a module, with the system's
Python. If both lack a module, the exit status is 77.

  run.py LIBRARY-FOLDER DATA-FOLDER [pytest options]

A debug build of Python also checks itself: python3-dbg run.py LIBRARY-FOLDER DATA-FOLDER
"""
import os
import subprocess
import sys

MODULES = ("cffi", "numpy", "pytest", "yaml")

if len(sys.argv) < 3:
    sys.exit(__doc__)


def has_modules(python):
    return os.path.exists(python) and subprocess.run([python, "-c", f"import {', '.join(MODULES)}"], stderr=subprocess.DEVNULL).returncode == 0


python = next(filter(has_modules, (sys.executable, "/usr/bin/python3")), None)
if python is None:
    print(f"not tested: no Python has all of {', '.join(MODULES)} (tools/install-deps.sh test)")
    sys.exit(77)
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
subprocess.run([python, "-B", f"{ROOT}/tools/gen_bindings.py", "python", f"{ROOT}/bindings/python/sumac_msm"], check=True)
environment = {**os.environ, "LD_LIBRARY_PATH": sys.argv[1], "SUMAC_TEST_DATA": sys.argv[2], "PYTHONDONTWRITEBYTECODE": "1"}
os.execve(python, [python, "-X", "faulthandler", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                   os.path.dirname(os.path.abspath(__file__)), *sys.argv[3:]], environment)
