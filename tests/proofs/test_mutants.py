# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A sample of damaged routines: none is proved that computes something else (mutants.py, which has longer runs)."""
import mutants
from claims.field_assembly import CLAIMS

COUNT = len(CLAIMS) * 3 // 4


def test_no_mutant_is_proved_wrongly(architecture, routines_of, tmp_path):
    found = mutants.survivors(architecture, routines_of(architecture), CLAIMS, COUNT, 42, tmp_path)
    assert all(good for _, _, good in found), found
    assert len(found) <= COUNT // 4
