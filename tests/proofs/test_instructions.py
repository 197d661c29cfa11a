# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the machines say of each instruction of field.S is what the processor does."""
import instructions


def test_instructions_of_field_assembly(architecture, routines_of, tmp_path):
    compared = instructions.compare(architecture, routines_of(architecture), tmp_path)
    assert len({key.split()[0] for key in compared}) >= 16
