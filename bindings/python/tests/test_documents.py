# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests run the examples of docstrings and of both READMEs, which must print what is written there."""
import doctest
import importlib
import pkgutil
import re

import pytest

import sumac_msm as sumac
from conftest import ROOT

MODULES = [sumac] + [importlib.import_module(f"sumac_msm.{m.name}") for m in pkgutil.iter_modules(sumac.__path__)
                     if m.name != "_declarations"]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_docstrings(module):
    failed, tried = doctest.testmod(module, extraglobs={"sumac": sumac})
    assert failed == 0
    assert tried or module.__name__.split(".")[-1] not in ("sumac_msm", "bases", "curves", "pairings", "vectors")


EXAMPLES = [example for readme in ("README.md", "bindings/python/README.md") for example in re.findall(
    r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", (ROOT / readme).read_text(), re.DOTALL)]


@pytest.mark.parametrize("example,expected", EXAMPLES)
def test_readme(example, expected, capsys):
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out == expected


def test_examples_are_found():
    assert len(EXAMPLES) == 3
