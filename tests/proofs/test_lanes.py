# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file proves the claims on src/lanes/, from its C source and src/math/x86_64/lanes.S, for each field, with AVX-512 and
AVX2."""
import functools
import random
import re
import struct
import subprocess

import pytest

import toolchain
from algebra import Reject
from c_source import ROOT, Run, c_parser
from claims import lanes
from claims.lanes import MACHINES, program_of
from machines import vectors
from machines.vectors import DIGIT, MASK, ROUND_TO_NEAREST, ROUND_TOWARDS_ZERO, Double, Lane

SOURCE = ROOT / "src"
WORD = 1 << 64
CURVE_OF_DIGITS = {5: ("bn254_g1", "pallas_g1", "secp256k1_g1"), 7: ("bls24_315_g1", "bls24_317_g1"),
                   8: ("bls12_381_g1", "bls12_377_g1")}


scalars_of = functools.partial(program_of, scalars=True)


@functools.lru_cache(maxsize=None)
def columns_of_proved_products(curve, machine):
    return lanes.coordinates(program_of(curve, machine))


@pytest.mark.parametrize("curve", lanes.fields())
@pytest.mark.parametrize("machine", MACHINES)
def test_coordinates(curve, machine):
    columns_of_proved_products(curve, machine)


@pytest.mark.parametrize("curve", lanes.scalar_fields())
@pytest.mark.parametrize("machine", MACHINES)
def test_scalars(curve, machine):
    lanes.scalars(scalars_of(curve, machine))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", ["bn254_g1", "bn254_g2"])
def test_bundles_where_the_result_is_an_operand(curve, machine):
    """Check the loops over vectors with two of them."""
    lanes.coordinates(program_of(curve, machine, vectors=2), alias=True, seed=2, offsets=(7,))


@pytest.mark.parametrize("machine", MACHINES)
def test_bundles_of_scalars_where_the_result_is_an_operand(machine):
    lanes.scalars(scalars_of("bn254_g1", machine, vectors=2), alias=True, seed=2)


def test_columns_stay_below_what_the_header_says():
    """Check the figures in the comment on FPV_HALVES."""
    reached = {c: columns_of_proved_products(c, "avx512") for c in ("bls12_381_g1", "bls12_381_g2", "bls12_377_g2")}
    assert {c: round(r, 1) for c, r in reached.items()} == {"bls12_381_g1": 25.7, "bls12_381_g2": 38.7, "bls12_377_g2": 65.0}


@pytest.mark.parametrize("name", sorted(lanes.assembly()[1]))
def test_assembly(name):
    for curve in CURVE_OF_DIGITS[int(name[-1])]:
        lanes.assembly_product(name, curve)


def test_each_routine_of_the_assembly_has_a_claim():
    exported = re.findall(r"\.globl (\w+)", lanes.ASSEMBLY.read_text())
    wanted = ["sumac_x86_64_lanes_mul_%s%d" % (pair, digits) for digits in CURVE_OF_DIGITS for pair in ("", "pair_")]
    assert sorted(exported) == sorted(wanted)


# ---- rounding ----


def test_vec_begin_rounds_towards_zero_and_vec_end_restores():
    program = program_of("bn254_g1", "avx2")
    for state in (ROUND_TO_NEAREST, 0x1F80 | 0x2000, 0x9FC0, 0x0000):
        lanes.rounding_is_restored(program, state)


def test_products_are_refused_before_vec_begin():
    with pytest.raises(Reject, match="round towards zero"):
        lanes.product(program_of("bn254_g1", "avx2"), begin=False)


def test_all_code_with_doubles_lies_between_vec_begin_and_vec_end():
    guards = set()
    for unit in sorted(SOURCE.glob("cpu/*.c")):
        bare, guarded, texts = lanes.unguarded("cpu/" + unit.name, "bls12_381_g1")
        callers = {name for name in texts if not texts[name].lstrip().startswith("static") and name in bare}
        assert not callers, (unit, callers)
        guards |= guarded
    assert guards == {"lanes_segments_sum", "run_range_in_lanes", "run_task_in_lanes"}


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
    "fpv_linear without an offset": lambda p: lanes.multiple(p, -1, 0, 1),
    "fpv_canonical is below p - 1": lambda p: lanes.canonical(p, high=lanes.Fraction(p.p - 1, p.p)),
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
        lanes.fp2_product(program, k=64, l=64)  # a0 + a1 may be S or more.


def test_false_claims_on_the_assembly_are_refused():
    for name, curve in (("sumac_x86_64_lanes_mul_8", "bls12_377_g1"), ("sumac_x86_64_lanes_mul_pair_5", "pallas_g1")):
        with pytest.raises(Reject):
            lanes.assembly_product(name, curve, high=1)


def test_the_quotient_of_a_prime_of_few_bits_is_refused():
    """r = 11 belongs to the curve for tests, and scalars.h leaves it out."""
    with pytest.raises(Reject):
        lanes.settle(scalars_of("tiny_11_g1", machine="avx512"), name="fpv_settle_wide", below=3)


# ---- mutants ----


OTHERS = {"vpaddq": ["vpand", "vsubpd"], "vsubpd": ["vfmadd231pd"], "vfmadd231pd": ["vsubpd"], "vpand": ["vpor"],
          "vpor": ["vpand"], "vmovapd": ["vmovdqu"], "vpsrlq": ["vpand"]}


def damaged_code(code, rng):
    """Return code in which one instruction has another opcode, register, offset or order of operands, or is left out."""
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
    """Return (what was done, a header of src/lanes/ with one token changed). The token is not the length of a parameter."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    while True:
        old, new = rng.choice(TOKENS)
        places = [m.start() for m in re.finditer(r"(?<![\w\[])" + re.escape(old) + r"(?!\w)", text)]
        if places:
            at = rng.choice(places)
            return "%s -> %s at %d" % (old, new, text.count("\n", 0, at) + 1), text[:at] + new + text[at + len(old):]


TOKENS = [("vec_add", "vec_sub"), ("vec_sub", "vec_add"), ("+ 1", "+ 2"), ("- 1", "- 2"), ("i + 1", "i"), ("j + 1", "j"),
          ("52", "51"), ("vec_add_carry", "vec_add"), ("i", "0"), ("j", "0"), ("FPV_DIGITS - 1", "FPV_DIGITS"),
          ("i < FPV_DIGITS", "i < FPV_DIGITS - 1"), ("j < FPV_DIGITS", "j < 4"), ("FPV_MASK", "UINT64_MAX"),
          ("_mm512_madd52lo_epu64", "_mm512_madd52hi_epu64"), ("_mm512_madd52hi_epu64", "_mm512_madd52lo_epu64"),
          ("inverse", "modulus"), ("modulus", "inverse"), ("offset", "1"), ("b", "a"), ("k", "1"), ("2", "3"), ("4", "2"),
          ("less", "t"), ("mask", "zero"), ("t0", "t1"), ("c[0]", "c[1]"), ("c[1]", "c[0]"), ("<", "<="),
          ("high", "low"), ("low", "high"), ("63", "62")]
HEADERS = {"avx512": ("fpv.h", "product_avx512.h", "fp2_avx512.h", "vec_avx512.h", "fpv_mul.h"),
           "avx2": ("fpv.h", "product_avx2.h", "fp2_avx2.h", "vec_avx2.h", "fpv_mul.h", "rows_avx2.h")}
USERS = {"fp2": ("bn254_g2", "bls12_377_g2"), "rows": ("bw6_633_g1",), "": ("bn254_g1", "bls24_315_g1")}
KILLED = (Reject, KeyError, IndexError, TypeError, AttributeError, ValueError, c_parser.ParseError)


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


def entered(program):
    """Return the functions that the claims on a program enter."""
    return sorted(key[9:] for key in program.known if key.startswith("function "))


def surviving_text(machine, count, seed, folder):
    """Return [(header, what)] of damaged headers for which all claims on the fields that use them are still proved. Each damage
    changes a function of these proofs."""
    rng, left = random.Random(seed), []
    (folder / "lanes").mkdir()
    for k in range(count):
        header, changed = HEADERS[machine][k % len(HEADERS[machine])], False
        curves = next(names for start, names in USERS.items() if header.startswith(start))
        while not changed:
            what, mutant = damaged_text((SOURCE / "lanes" / header).read_text(), rng)
            (folder / "lanes" / header).write_text(mutant)
            try:
                for curve in curves:
                    columns_of_proved_products(curve, machine)
                    right, program = program_of(curve, machine), program_of.__wrapped__(curve, machine, folder=folder)
                    if any(program.texts.get(name) != right.texts[name] for name in entered(right)):
                        changed = True
                        lanes.coordinates(program, offsets=(3,))
                left += [(header, what)] if changed else []
            except KILLED:
                changed = True
            finally:
                (folder / "lanes" / header).unlink()
                lanes.expand.cache_clear()
    return left


def test_mutants_of_the_assembly_are_refused():
    assert not surviving_code(30, 1)


@pytest.mark.parametrize("machine", MACHINES)
def test_mutants_of_the_source_are_refused(machine, tmp_path):
    assert not surviving_text(machine, 6, 2, tmp_path)


# ---- the leaves' meanings, compared with the processor ----


def any_word(lane, rng):
    least, most = -(1 << 63), (1 << 63) - 1
    return lane.of_atom(lane.atom("x", least, most, rng.choice([least, -1, 0, most, rng.randint(least, most)])))


def unsigned(lane, rng, most=WORD - 1):
    return lane.of_atom(lane.atom("x", 0, most, rng.choice([0, most, rng.randint(0, most)])))


def digit(lane, rng):
    return unsigned(lane, rng, MASK)


def constant(value):
    return lambda lane, rng: lane.number(value)


def multiple(bits):
    return lambda lane, rng: lane.shift_left(any_word(lane, rng), bits)


def below(bits):
    return lambda lane, rng: unsigned(lane, rng, (1 << bits) - 1)


def double(lane, rng):
    """Return the double 2^52 + a digit."""
    return Double(lane.sum(digit(lane, rng), lane.number(DIGIT)))


def small_double(lane, rng):
    return Double(digit(lane, rng))


TABLE = tuple(-7 * 0x3141592653589 + k * 0x3141592653589 for k in range(16))
# Entries are (leaf, C expression, operands, constants after them). In C the operands are a, b and c, and t is the table.


def shared(prefix, size):
    """Check the routines that AVX-512 and AVX2 share."""
    plain = (("add_epi64", (any_word, any_word)), ("sub_epi64", (any_word, any_word)), ("and_" + size, (any_word, constant(MASK))),
             ("or_" + size, (multiple(9), below(9))), ("xor_" + size, (any_word, constant(1 << 63))))
    shifts = (("slli_epi64", any_word, 13), ("srli_epi64", unsigned, 52))
    set_one = "set1_epi64" + ("x" if size == "si256" else "")
    return [*((prefix + name, prefix + name + "(a, b)", makers, ()) for name, makers in plain),
            *((prefix + name, "%s%s(a, %d)" % (prefix, name, bits), (maker,), (bits,)) for name, maker, bits in shifts),
            (prefix + "setzero_" + size, prefix + "setzero_%s()" % size, (), ()), (prefix + set_one, prefix + set_one + "(-5)", (), (-5,)),
            ("vec_select", "vec_select(a, vec_negative_lanes(c), b)", (any_word, any_word, any_word), ())]


LEAVES = {
    "avx512": shared("_mm512_", "si512") + [
        ("_mm512_and_si512", "_mm512_and_si512(a, b)", (multiple(7), constant(MASK)), ()),
        ("_mm512_srli_epi64", "_mm512_srli_epi64(a, 50)", (multiple(12),), (50,)),
        ("_mm512_srai_epi64", "_mm512_srai_epi64(a, 52)", (any_word,), (52,)),
        ("_mm512_srai_epi64", "_mm512_srai_epi64(a, 17)", (any_word,), (17,)),
        ("_mm512_shldi_epi64", "_mm512_shldi_epi64(a, b, 16)", (any_word, multiple(12)), (16,)),
        ("_mm512_madd52lo_epu64", "_mm512_madd52lo_epu64(a, b, c)", (any_word, any_word, any_word), ()),
        ("_mm512_madd52hi_epu64", "_mm512_madd52hi_epu64(a, b, c)", (any_word, any_word, any_word), ()),
        ("_mm512_permutexvar_epi64", "_mm512_permutexvar_epi64(a, t[0])", (below(3),), (TABLE[:8],)),
        ("_mm512_permutex2var_epi64", "_mm512_permutex2var_epi64(t[0], a, t[1])", (below(4),), (TABLE[:8], TABLE[8:])),
    ],
    "avx2": shared("_mm256_", "si256") + [
        ("_mm256_add_epi64", "_mm256_add_epi64(a, b)", (any_word, double), ()),
        ("_mm256_or_si256", "_mm256_or_si256(a, b)", (digit, constant(vectors.LOW)), ()),
        ("_mm256_mul_epu32", "_mm256_mul_epu32(a, b)", (unsigned, constant(0x89ABCDEF)), ()),
        ("_mm256_sub_pd", "D(_mm256_sub_pd(F(a), F(b)))", (double, constant(vectors.LOW)), ()),
        ("high", "D(_mm256_fmadd_pd(F(a), F(b), _mm256_set1_pd(0x1p104)))", (small_double, small_double), ()),
        ("low", "D(_mm256_fmadd_pd(F(a), F(b), _mm256_sub_pd(_mm256_set1_pd(0x1p104 + 0x1p52), "
                "_mm256_fmadd_pd(F(a), F(b), _mm256_set1_pd(0x1p104)))))", (small_double, small_double), ()),
        ("csr", "vec_broadcast(_MM_MASK_MASK | _MM_ROUND_TOWARD_ZERO)", (), ()),
    ],
}
FLAGS = {"avx512": (["-DSUMAC_VARIANT_AVX512", "-mavx512f", "-mavx512dq", "-mavx512vl", "-mavx512ifma", "-mavx512vbmi2"],
                    ("avx512f", "avx512ifma", "avx512_vbmi2")),
         "avx2": (["-DSUMAC_VARIANT_AVX2", "-mavx2", "-mfma"], ("avx2", "fma"))}
UNTESTED = {"_mm512_setr_epi64", "_mm256_set1_pd", "_mm256_castsi256_pd", "_mm256_castpd_si256", "_mm256_load_pd",
            "_mm256_fmadd_pd", "vec_negative_lanes", "_mm_getcsr", "_mm_setcsr"}  # parts of others, or of the program below


def bits_of(word):
    """Return the 64 bits of a word or a double."""
    if isinstance(word, Double):
        assert float(word.word.value) == word.word.value
        return int.from_bytes(struct.pack("<d", float(word.word.value)), "little")
    return word.value % WORD


def as_leaf(run, leaf, words, constants):
    lane = run.domain
    if leaf == "high":
        return lane.fused(*words, Double(lane.number(1 << 104)))
    if leaf == "low":
        rest = lane.double_difference(Double(lane.number((1 << 104) + DIGIT)), as_leaf(run, "high", words, ()))
        return lane.fused(*words, rest)
    if leaf == "csr":
        return lane.number(ROUND_TOWARDS_ZERO)
    if leaf == "vec_select":
        negative = run.leaves["vec_negative_lanes"](run, words[2])
        run.choices = [int(words[2].value < 0)]
        return run.leaves[leaf](run, words[0], negative, words[1])
    if "permute" in leaf:
        few, *many = constants
        return run.leaves[leaf](run, few, words[0], *many) if many else run.leaves[leaf](run, words[0], few)
    return run.leaves[leaf](run, *words, *constants)


PROGRAM = """
#include <stdio.h>
#include "lanes/vec.h"
#define D _mm256_castpd_si256
#define F _mm256_castsi256_pd
static const long long table[] = {%s};
int main(void)
{
    unsigned long long kind, words[3][VEC_LANES], out[VEC_LANES];
    vec t[2] = {vec_load(table), vec_load(table + 8)};
    (void)t;
    const uint32_t saved = vec_begin();
    while (fread(&kind, 8, 1, stdin) == 1 && fread(words, sizeof words, 1, stdin) == 1) {
        const vec a = vec_load(words[0]), b = vec_load(words[1]), c = vec_load(words[2]);
        vec r = a;
        (void)b, (void)c;
        switch (kind) {
%s
        }
        vec_store(out, r);
        fwrite(out, sizeof out, 1, stdout);
    }
    vec_end(saved);
    return 0;
}
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_leaves_mean_what_the_processor_does(machine, tmp_path):
    flags, needs = FLAGS[machine]
    command = toolchain.runner("x86_64", *needs)
    cases = "\n".join("case %d: r = %s; break;" % (k, c) for k, (_, c, _, _) in enumerate(LEAVES[machine]))
    source = tmp_path / "leaves.c"
    source.write_text(PROGRAM % (", ".join("%dLL" % t for t in TABLE), cases))
    compiler = [toolchain.tool("x86_64", "gcc"), "-O1", "-frounding-math", "-I", SOURCE, *flags]
    toolchain.call(*compiler, "-o", tmp_path / "leaves", source)
    lanes_of, rng, records, expected = {"avx512": 8, "avx2": 4}[machine], random.Random(1), [], []
    for k, (leaf, _, makers, constants) in enumerate(LEAVES[machine]):
        for _ in range(12):
            columns = []
            for _ in range(lanes_of):
                run = Run(None, Lane(ROUND_TOWARDS_ZERO), vectors.LEAVES)
                words = [make(run.domain, rng) for make in makers]
                columns.append([bits_of(w) for w in words] + [0] * (3 - len(words)))
                expected.append((leaf, columns[-1], bits_of(as_leaf(run, leaf, words, constants))))
            records.append([k] + [column[i] for i in range(3) for column in columns])
    packed = b"".join(word.to_bytes(8, "little") for record in records for word in record)
    out = subprocess.run([*command, str(tmp_path / "leaves")], input=packed, capture_output=True, check=True).stdout
    results = [int.from_bytes(out[i:i + 8], "little") for i in range(0, len(out), 8)]
    assert len(results) == len(expected)
    for (leaf, words, value), result in zip(expected, results):
        assert value == result, (leaf, [hex(w) for w in words], hex(value), hex(result))


def test_each_leaf_is_compared():
    compared = {leaf for machine in MACHINES for leaf, _, _, _ in LEAVES[machine]}
    assert set(vectors.LEAVES) - compared == UNTESTED


ROUTINES = """
#include <stdio.h>
#include "lanes/vec.h"
%s
#define ALIGNED __attribute__((aligned(32)))
static double field[17][4] ALIGNED, a[2][8][4] ALIGNED, b[2][8][4] ALIGNED;
int main(void)
{
    static vec t[8];
    unsigned long long kind, digits;
    const uint32_t saved = vec_begin();
    while (fread(&kind, 8, 1, stdin) == 1 && fread(&digits, 8, 1, stdin) == 1 && fread(field, sizeof field, 1, stdin) == 1 &&
           fread(a, sizeof a, 1, stdin) == 1 && fread(b, sizeof b, 1, stdin) == 1) {
        switch (kind) {
%s
        }
        fwrite(t, sizeof t, 1, stdout);
    }
    vec_end(saved);
    return 0;
}
"""


def test_the_assembly_does_what_its_model_does(tmp_path):
    """Check that each routine's columns on the processor are those of the trial, so that the model has the right order of
    operands, and the right memory."""
    command = toolchain.runner("x86_64", *FLAGS["avx2"][1])
    constants, functions = lanes.assembly()
    names = sorted(functions)
    arguments = "(vec *, const void *, const void *, const void *)"
    source = tmp_path / "routines.c"
    source.write_text(ROUTINES % ("\n".join("void %s%s;" % (n, arguments) for n in names),
                                  "\n".join("case %d: %s(t, a, b, field); break;" % (k, n) for k, n in enumerate(names))))
    toolchain.call(toolchain.tool("x86_64", "gcc"), "-O1", "-I", SOURCE, *FLAGS["avx2"][0], "-o", tmp_path / "routines",
                   source, lanes.ASSEMBLY)
    packed, expected = b"", []
    for k, name in enumerate(names):
        digits = int(name[-1])
        for curve in CURVE_OF_DIGITS[digits][:1]:
            field = lanes.lane_digits(curve)
            trials = [lanes.assembly_product(name, curve, seed=seed, details=True) for seed in range(4)]  # one for each lane
            packed += struct.pack("<QQ", k, digits)
            packed += b"".join(struct.pack("<4d", *[float(d)] * 4) for d in field + [0] * (17 - len(field)))
            for base in "AB":
                values = [[memory[(base, 32 * i)].word.value if (base, 32 * i) in memory else 0 for i in range(16)]
                          for memory in trials]
                packed += b"".join(struct.pack("<4d", *(float(v[i]) for v in values)) for i in range(16))
            expected.append((name, digits, [[memory[("R", 32 * i)].value % WORD for memory in trials] for i in range(digits)]))
    out = subprocess.run([*command, str(tmp_path / "routines")], input=packed, capture_output=True, check=True).stdout
    for k, (name, digits, columns) in enumerate(expected):
        words = struct.unpack_from("<32Q", out, 256 * k)
        assert [list(words[4 * i:4 * i + 4]) for i in range(digits)] == columns, name
