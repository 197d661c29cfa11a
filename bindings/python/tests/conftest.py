# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has the tests' fixtures. SUMAC_TEST_DATA is the folder of the unpacked archives of tests/data, and tests/reference
is the oracle."""
import json
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "reference"))
sys.path.insert(0, str(ROOT / "bindings" / "python"))

import ref  # noqa: E402
import sumac_msm as sumac  # noqa: E402


@pytest.fixture(scope="session")
def data():
    path = os.environ.get("SUMAC_TEST_DATA")
    if not path:
        pytest.skip("SUMAC_TEST_DATA does not say where the test data is")
    return pathlib.Path(path)


@pytest.fixture
def context():
    with sumac.Context(backend="cpu", threads=2) as made:
        yield made


GROUPS = [(c.name, c.group) for c in sumac.curves()]


@pytest.fixture(params=[g for g in GROUPS if g in (("bn254", "g1"), ("bls12-381", "g2"))], ids="-".join)
def group(request):
    """Return a group with its reference."""
    return Group(*request.param)


class Group:
    def __init__(self, name, group):
        self.curve = sumac.curve(name, group)
        self.reference = ref.Group(name, group)
        self.r = self.reference.r

    def points(self, logarithms):
        return [self.reference.mul(k, self.reference.G) for k in logarithms]

    def raw(self, points):
        return b"".join(self.reference.praw(p) for p in points)

    def msm(self, points, scalars):
        return self.raw([ref.msm(self.reference, points, [k % self.r for k in scalars])])

    def vectors(self, data):
        """Return the cases of the vectors as points and integers."""
        number = (lambda v: tuple(int(t, 16) for t in v)) if self.reference.ext else (lambda v: int(v, 16))
        point = lambda p: p and (number(p["x"]), number(p["y"]))  # noqa: E731
        path = data / "vectors" / f"{self.curve.name}_{self.curve.group}.json"
        for case in json.loads(path.read_text())["cases"]:
            yield case["name"], [point(p) for p in case["bases"]], [int(k, 16) for k in case["scalars"]], point(case["result"])
