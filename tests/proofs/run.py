#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program runs the proofs by this Python, or if it lacks a module, by the system's. If both lack one, it exits with 77.

  run.py [files of tests and pytest options]"""
import importlib.util
import os
import subprocess
import sys

MODULES = ("pytest", "pycparser")
FOLDER = os.path.dirname(os.path.abspath(__file__))


def has_modules(python):
    if python == sys.executable:
        return all(map(importlib.util.find_spec, MODULES))
    command = [python, "-c", "import %s" % ", ".join(MODULES)]
    return os.path.exists(python) and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


python = next(filter(has_modules, (sys.executable, "/usr/bin/python3")), None)
if python is None:
    print("not tested: no Python has both of %s (Debian: python3-pytest, python3-pycparser; tools/install-deps.sh test)"
          % " and ".join(MODULES))
    sys.exit(77)
files = [os.path.join(FOLDER, name) for name in sys.argv[1:] if name.startswith("test_")]
options = [name for name in sys.argv[1:] if not name.startswith("test_")]
command = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *(files or [FOLDER]), *options]
os.execve(python, command, {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
