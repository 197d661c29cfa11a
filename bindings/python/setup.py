# SPDX-License-Identifier: Apache-2.0 OR MIT
"""For `pip install bindings/python`: generates the files that come from the headers; a wheel's source has them already."""
import pathlib
import subprocess
import sys

from setuptools import setup

here = pathlib.Path(__file__).resolve().parent
generator = here.parents[1] / "tools" / "gen_bindings.py"
if generator.exists():
    subprocess.run([sys.executable, "-B", str(generator), "python", str(here / "sumac_msm")], check=True)
setup()
