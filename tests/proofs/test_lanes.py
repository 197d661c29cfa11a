# SPDX-License-Identifier: Apache-2.0 OR MIT
"""src/lanes/ from its C source and src/math/x86_64/lanes.S, for each field, AVX-512 and AVX2."""
import functools
import glob
import os
import random
import re
import shutil
import struct
import subprocess

import pytest

import toolchain
from algebra import Reject
from claims import lanes
from claims.lanes import MACHINES, program_of, scalars_of
from machines import lane_source, vectors
from machines.lane_source import SOURCE, Number, Program, Run
from machines.vectors import DIGIT, MASK, ROUND_TO_NEAREST, ROUND_TOWARDS_ZERO, Double, Lane

WORD = 1 << 64
CURVE_OF_DIGITS = {5: ("bn254_g1", "pallas_g1", "secp256k1_g1"), 7: ("bls24_315_g1", "bls24_317_g1"),
                   8: ("bls12_381_g1", "bls12_377_g1")}


@functools.lru_cache(maxsize=None)
def columns_of_proved_products(curve, machine):
    return lanes.coordinates(program_of(curve, machine))


@pytest.mark.parametrize("curve", lanes.fields())
@pytest.mark.parametrize("machine", MACHINES)
def test_coordinates(curve, machine):
    columns_of_proved_products(curve, machine)


@pytest.mark.parametrize("curve", lanes.scalar_fields())
def test_scalars(curve):
    lanes.scalars(scalars_of(curve))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", ["bn254_g1", "bn254_g2"])
def test_all_vectors_where_the_result_is_an_operand(curve, machine):
    lanes.coordinates(program_of(curve, machine, vectors=0), alias=True, seed=2)


def test_all_vectors_of_scalars_where_the_result_is_an_operand():
    lanes.scalars(scalars_of("bn254_g1", vectors=0), alias=True, seed=2)


def test_columns_stay_below_what_the_header_says():
    """The figures in the comment on FPV_HALVES."""
    reached = {c: columns_of_proved_products(c, "avx512") for c in ("bls12_381_g1", "bls12_381_g2", "bls12_377_g2")}
    assert {c: round(r, 1) for c, r in reached.items()} == {"bls12_381_g1": 25.7, "bls12_381_g2": 38.7, "bls12_377_g2": 65.0}


@pytest.mark.parametrize("name", sorted(lanes.assembly()[1]))
def test_assembly(name):
    for curve in CURVE_OF_DIGITS[int(name[-1])]:
        lanes.assembly_product(name, curve)


def test_each_routine_of_the_assembly_has_a_claim():
    with open(lanes.ASSEMBLY, encoding="utf-8") as f:
        exported = re.findall(r"\.globl (\w+)", f.read())
    wanted = ["sumac_x86_64_lanes_mul_%s%d" % (pair, digits) for digits in CURVE_OF_DIGITS for pair in ("", "pair_")]
    assert sorted(exported) == sorted(wanted)


# ---- rounding ----


def test_vec_begin_rounds_towards_zero_and_vec_end_restores():
    program = Program("bn254_g1", "avx2", ())
    for state in (ROUND_TO_NEAREST, 0x1F80 | 0x2000, 0x9FC0, 0x0000):
        lanes.rounding_is_restored(program, state)


def test_products_are_refused_before_vec_begin():
    with pytest.raises(Reject, match="round towards zero"):
        lanes.product(program_of("bn254_g1", "avx2"), begin=False)


def test_all_code_with_doubles_lies_between_vec_begin_and_vec_end():
    guards = set()
    for unit in sorted(glob.glob(os.path.join(SOURCE, "cpu", "*.c"))):
        bare, guarded, texts = lanes.unguarded("cpu/" + os.path.basename(unit), "bls12_381_g1")
        callers = {name for name in texts if not texts[name].lstrip().startswith("static") and name in bare}
        assert not callers, (unit, callers)
        guards |= guarded
    assert guards == {"lanes_segments_sum"}


# ---- false claims ----


FALSE = {
    "a product is below w + 1": lambda p: lanes.product(p, most_a=p.p - 1, most_b=p.p - 1, high=1),
    "a square of a below 4 is below w + 1": lambda p: lanes.product(p, square=True, high=1),
    "fpv_reduce of a value below 100": lambda p: lanes.reduce(p, 1, high=100),
    "fpv_reduce of a value that is 0": lambda p: lanes.reduce(p, 1, low=-p.p - 1),
    "fpv_sub is below 3": lambda p: lanes.difference(p, high=3),
    "fpv_sub adds 3p": lambda p: lanes.difference(p, k=3),
    "fpv_sub_shift adds p": lambda p: lanes.difference_shifted(p, k=1),
    "fpv_shift_left of any number": lambda p: lanes.shifted(p, 3, most=(1 << (52 * p.FPV_DIGITS)) - 1),
    "fpv_shift_left of one bit too many": lambda p: lanes.shifted(p, 3, most=1 << (52 * p.FPV_DIGITS - 3)),
    "fpv_linear without an offset": lambda p: lanes.linear(p, -1, 0, 1),
    "fpv_canonical is below p - 1": lambda p: lanes.canonical(p, high=1 - (1 / lanes.Fraction(p.p))),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refused(name, machine):
    with pytest.raises(Reject):
        FALSE[name](program_of("bn254_g1", machine))


@pytest.mark.parametrize("machine", MACHINES)
def test_false_claims_over_fp2_are_refused(machine):
    program = program_of("bn254_g2", machine)
    with pytest.raises(Reject):
        lanes.fp2_product(program, k=64, l=64)  # a0 + a1 may be S and more


def test_false_claims_on_the_assembly_are_refused():
    for name, curve in (("sumac_x86_64_lanes_mul_8", "bls12_377_g1"), ("sumac_x86_64_lanes_mul_pair_5", "pallas_g1")):
        with pytest.raises(Reject):
            lanes.assembly_product(name, curve, high=1)


# ---- mutants ----


OTHERS = {"vpaddq": ["vpand", "vsubpd"], "vsubpd": ["vfmadd231pd"], "vfmadd231pd": ["vsubpd"], "vpand": ["vpor"],
          "vpor": ["vpand"], "vmovapd": ["vmovdqu"], "vpsrlq": ["vpand"]}


def damaged_code(code, rng):
    """One instruction with another opcode, register, offset, order of operands, or none."""
    while True:
        k, kind = rng.randrange(len(code) - 1), rng.choice(["opcode", "register", "offset", "deletion", "order"])
        mnemonic, ops = code[k]
        j = rng.randrange(len(ops))
        new = list(ops)
        if kind == "deletion":
            return code[:k] + code[k + 1:]
        if kind == "opcode" and mnemonic in OTHERS and mnemonic != "vmovapd":
            return code[:k] + [(rng.choice(OTHERS[mnemonic]), ops)] + code[k + 1:]
        if kind == "register" and ops[j][0] == "y":
            new[j] = ("y", rng.choice([r for r in range(16) if r != ops[j][1]]))
        elif kind == "offset" and ops[j][0] in "md":
            new[j] = (ops[j][0], ops[j][1], ops[j][2] + rng.choice([32, -32, 8]))
        elif kind == "offset" and ops[j][0] == "i":
            new[j] = ("i", ops[j][1] + rng.choice([1, -1]))
        elif kind == "order" and len(ops) == 3 and mnemonic == "vsubpd":
            new[0], new[1] = ops[1], ops[0]
        if new != ops:
            return code[:k] + [(mnemonic, new)] + code[k + 1:]


def damaged_text(text, rng):
    """A header of src/lanes/ with one token changed."""
    while True:
        old, new = rng.choice(TOKENS)
        places = [m.start() for m in re.finditer(r"(?<!\w)" + re.escape(old) + r"(?!\w)", text)]
        if places:
            at = rng.choice(places)
            return "%s -> %s at %d" % (old, new, text.count("\n", 0, at) + 1), text[:at] + new + text[at + len(old):]


TOKENS = [("vec_add", "vec_sub"), ("vec_sub", "vec_add"), ("+ 1", "+ 2"), ("- 1", "- 2"), ("i + 1", "i"), ("j + 1", "j"), ("52", "51"),
          ("_mm512_madd52lo_epu64", "_mm512_madd52hi_epu64"), ("_mm512_madd52hi_epu64", "_mm512_madd52lo_epu64"),
          ("vec_add_carry", "vec_add"), ("i", "0"), ("j", "0"), ("FPV_DIGITS - 1", "FPV_DIGITS"), ("i < FPV_DIGITS", "i < FPV_DIGITS - 1"), ("j < FPV_DIGITS", "j < 4"),
          ("inverse", "modulus"), ("modulus", "inverse"), ("offset", "1"), ("b", "a"), ("k", "1"), ("2", "3"), ("4", "2"),
          ("less", "t"), ("mask", "zero"), ("t0", "t1"), ("c[0]", "c[1]"), ("c[1]", "c[0]"), ("0", "1"), ("<", "<="),
          ("FPV_MASK", "UINT64_MAX"), ("high", "low"), ("low", "high"), ("63", "62")]
HEADERS = {"avx512": ("fpv.h", "product_avx512.h", "fp2_avx512.h", "vec_avx512.h", "fpv_mul.h"),
           "avx2": ("fpv.h", "product_avx2.h", "fp2_avx2.h", "vec_avx2.h", "fpv_mul.h", "rows_avx2.h")}
KILLED = (Reject, KeyError, IndexError, TypeError, AttributeError, ValueError, lane_source.c_parser.ParseError)


def surviving_code(count, seed):
    rng, code = random.Random(seed), lanes.assembly()[1]
    names, left = sorted(code), []
    for i in range(count):
        name = names[i % len(names)]
        mutant = damaged_code(code[name], rng)
        try:
            lanes.assembly_product(name, CURVE_OF_DIGITS[int(name[-1])][0], seed=rng.randrange(1000), code=mutant)
            changes = [(a, b) for a, b in zip(code[name], mutant) if a != b][:1]
            left.append((name, changes))
        except KILLED:
            pass
    return left


def surviving_text(machine, count, seed, folder):
    """[(header, what)] of damaged headers with which all claims on two fields are proved still."""
    rng, left = random.Random(seed), []
    shutil.copytree(os.path.join(SOURCE, "lanes"), folder / "lanes")
    for k in range(count):
        header = HEADERS[machine][k % len(HEADERS[machine])]
        curve = "bn254_g2" if header.startswith("fp2") else "bw6_633_g1" if header.startswith("rows") else "bn254_g1"
        with open(os.path.join(SOURCE, "lanes", header), encoding="utf-8") as f:
            text = f.read()
        bare = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
        what, mutant = damaged_text(bare, rng)
        (folder / "lanes" / header).write_text(mutant)
        try:
            program = program_of(curve, machine, source=str(folder))
            if "".join(program.texts.values()) != "".join(program_of(curve, machine).texts.values()):
                lanes.coordinates(program, offsets=(3,))
                left.append((header, what))
        except KILLED:
            pass
        finally:
            lane_source.expanded.cache_clear()
            (folder / "lanes" / header).write_text(text)
    return left


def test_mutants_of_the_assembly_are_refused():
    assert not surviving_code(30, 1)


@pytest.mark.parametrize("machine", MACHINES)
def test_mutants_of_the_source_are_refused(machine, tmp_path):
    left = surviving_text(machine, 12, 1, tmp_path)
    assert not left
