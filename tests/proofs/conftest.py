# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has what several files of tests need: it adds the folder of the modules to the path, and reads the routines as
objdump shows them."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import toolchain  # noqa: E402
from claims.routine import AARCH64, X86_64  # noqa: E402
from machines.machine import disassemble  # noqa: E402


@pytest.fixture(scope="session")
def routines_of(tmp_path_factory):
    """Return a function that gives {routine: code} of an architecture's field.S."""
    known = {}

    def routines(architecture):
        if architecture.name not in known:
            folder = tmp_path_factory.mktemp(architecture.name)
            source = toolchain.ROOT / "src" / "math" / architecture.name / "field.S"
            built = toolchain.assemble(architecture.name, source, folder / "field.o")
            known[architecture.name] = disassemble(built, toolchain.objdump(architecture.name), architecture.module.parse_operand)
        return known[architecture.name]

    return routines


@pytest.fixture(params=[X86_64, AARCH64], ids=lambda a: a.name)
def architecture(request):
    return request.param
