#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program computes multiples of each curve's generator by the reference. The other programs in this folder write them with
other libraries.

    points.py > points.json    {"bn254_g1": [null, ["1", "2"], ..], ..}; null is infinity
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../reference"))
import ref

MULTIPLES = (0, 1, -1, 2, -2, 3, 5, -5, 0, 1000003, -(2**61 - 1), 7)


def elements(a):
    return [str(e) for e in a] if isinstance(a, (tuple, list)) else [str(a)]


points = {}
for name, curve in ref.CURVES.items():
    for group in ("g1", "g2"):
        if group not in curve:
            continue
        g = ref.Group(name, group)
        listed = points.setdefault("%s_%s" % (name.replace("-", "_"), group), [])
        for k in MULTIPLES:
            P = g.mul(k % g.r, g.G)
            listed.append(None if P is None else elements(P[0]) + elements(P[1]))
json.dump(points, sys.stdout)
