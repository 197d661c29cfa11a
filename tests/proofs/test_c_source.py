# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file proves claims on C functions and on constants from the source. claims/*.py has the claims. It also tests that false
claims are refused, and copies of the source that have one damage each."""
import importlib

import pytest

from algebra import Reject

MODULES = [importlib.import_module("claims." + name) for name in (
    "points", "tower", "pairing", "field_c", "limbs", "inversion", "endomorphisms", "recoding", "transforms")]
PROVE = [(m.__name__.split(".")[1], f) for m in MODULES for f in m.PROVE]
FALSE = [x for m in MODULES for x in getattr(m, "FALSE", ())]
MUTANTS = [x for m in MODULES for x in m.MUTANTS]


@pytest.mark.parametrize("claim", [f for _, f in PROVE], ids=["%s-%s" % (name, f.__name__[6:]) for name, f in PROVE])
def test_claim(claim):
    assert claim() > 0, "nothing was looked at"


@pytest.mark.parametrize("claim", [f for _, f in FALSE], ids=[name for name, _ in FALSE])
def test_false_claim_is_refused(claim):
    with pytest.raises(Reject):
        claim()


@pytest.mark.parametrize("claim, old, new", MUTANTS, ids=["%s-%d" % (f.__name__.replace("prove_", ""), k) for k, (f, _, _) in enumerate(MUTANTS)])
def test_damaged_source_is_refused(claim, old, new):
    with pytest.raises(Reject):
        claim(replaced=((old, new),))
