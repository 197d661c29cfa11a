# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests compare vectors, transforms, openings, FK20 and pairings with Python's integers and the reference's points."""
import gc
import hashlib
import json
import random
import weakref

import numpy
import pytest

import sumac_msm as sumac
from conftest import Group


@pytest.fixture
def numbers(group):
    random_numbers = random.Random(8)
    return [random_numbers.randrange(group.r) for _ in range(8)]


def evaluate(coefficients, x, r):
    return sum(a * pow(x, j, r) for j, a in enumerate(coefficients)) % r


def test_elements(context, group, numbers):
    r, size = group.r, group.curve.scalar_bytes
    a = sumac.Vector.of(context, group.curve, numbers)
    assert len(a) == 8 and a.kind == sumac.VectorKind.SCALARS and a.curve is group.curve
    assert a.integers() == numbers and a.integers(2, 3) == numbers[2:5]
    assert a.get().shape == (8, size)
    out = bytearray(2 * size)
    assert a.get(1, 2, out=out) is out and bytes(out) == group.curve.scalars(numbers[1:3]).tobytes()
    big = b"".join(k.to_bytes(size, "big") for k in numbers)
    assert a.get(byte_order="big_endian").tobytes() == big
    for given in (big, numbers):
        assert sumac.Vector.of(context, group.curve, given, byte_order="big_endian").integers() == numbers
    shift = 2 ** (8 * size)
    assert [int.from_bytes(row.tobytes(), "little") for row in a.get(form="montgomery")] == [k * shift % r for k in numbers]
    b = sumac.Vector.of(context, group.curve, [3, 5])
    assert a.add(b).integers() == [(k + (3, 5)[i % 2]) % r for i, k in enumerate(numbers)]
    assert a.subtract(b, 4).integers() == [(k - (3, 5)[i // 4]) % r for i, k in enumerate(numbers)]
    assert a.multiply(a).integers() == [k * k % r for k in numbers]
    target = sumac.Vector(context, group.curve, 8)
    assert a.multiply(b, 4, out=target) is target and target.integers(0, 1) == [3 * numbers[0] % r]
    assert a.sum().integers() == [sum(numbers) % r] and a.sum(4).integers() == [sum(numbers[:4]) % r, sum(numbers[4:]) % r]
    assert a.transpose(2, 4).integers() == [numbers[4 * (i % 2) + i // 2] for i in range(8)]
    assert sumac.Vector(context, group.curve, 4).fill(7).integers() == [7] * 4
    assert sumac.Vector(context, group.curve, 8).copy_from(a).invert().integers() == [pow(k, -1, r) for k in numbers]
    c = sumac.Vector(context, group.curve, 4).copy_from(a, sumac.Slice(1, 1, runs=2, stride=3), sumac.Slice(0, 1, 2, 2))
    assert c.integers() == [numbers[1], 0, numbers[4], 0]
    assert sumac.Vector(context, group.curve, 4).gather(a, [3, 0], 2).integers() == numbers[6:] + numbers[:2]
    scaled = sumac.Vector.of(context, group.curve, numbers).scale_powers(5, 3, 4)
    assert scaled.integers() == [k * 3 * 5 ** (i % 4) % r for i, k in enumerate(numbers)]
    assert sumac.Vector.of(context, group.curve, numbers).bit_reverse().integers() == [numbers[i] for i in (0, 4, 2, 6, 1, 5, 3, 7)]
    assert a.set([1, 2], 6).integers() == numbers[:6] + [1, 2]


def test_transforms(context, group, numbers):
    r, root = group.r, group.curve.root_of_unity(3)
    values = [evaluate(numbers, pow(root, i, r), r) for i in range(8)]
    a = sumac.Vector.of(context, group.curve, numbers)
    assert a.ntt() is a and a.integers() == values
    assert a.ntt(inverse=True).integers() == numbers
    assert a.ntt(shift=7, value_order="bit_reversed").integers() == \
        [evaluate(numbers, 7 * pow(root, i, r), r) for i in (0, 4, 2, 6, 1, 5, 3, 7)]
    assert a.ntt(shift=7, value_order=sumac.Order.BIT_REVERSED, inverse=1).integers() == numbers
    rows = sumac.Vector.of(context, group.curve, numbers).ntt(length=2).integers()
    assert rows[:2] == [(numbers[0] + numbers[1]) % r, (numbers[0] - numbers[1]) % r]
    points = sumac.Vector.of(context, group.curve, group.raw(group.points(numbers[:4])), "points", check="subgroup")
    assert points.ntt().get().tobytes() == \
        group.raw(group.points([evaluate(numbers[:4], pow(root, 2 * i, r), r) for i in range(4)]))


def test_scans(context, group, numbers):
    r = group.r
    a = sumac.Vector.of(context, group.curve, numbers)
    b, out = sumac.Vector.of(context, group.curve, [3, 5]), sumac.Vector(context, group.curve, 8)
    assert a.multiply_add(b, a, 4, out=out) is out and out.integers() == [(k * (3, 5)[i // 4] + k) % r for i, k in enumerate(numbers)]
    for length in 8, 4:
        for operation, first, join in (("sum", 0, lambda x, y: x + y), (sumac.Scan.PRODUCT, 1, lambda x, y: x * y)):
            for exclusive in False, True:
                expected = []
                for i, k in enumerate(numbers):
                    before = first if i % length == 0 else after
                    after = join(before, k) % r
                    expected.append(before if exclusive else after)
                assert out.copy_from(a).scan(operation, length % 8, exclusive=exclusive).integers() == expected
    root = group.curve.root_of_unity(3)
    divided = out.copy_from(a).divide_by_vanishing(4, shift=7).integers()
    assert [q * (pow(7 * pow(root, i, r), 4, r) - 1) % r for i, q in enumerate(divided)] == numbers
    with pytest.raises(sumac.errors.BadArgument):
        a.divide_by_vanishing(4, shift=root)


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"])
def test_columns(context, group, kind):
    limits = numpy.iinfo(kind)
    column = numpy.array([0, 1, limits.min, limits.max, 100], kind)
    expected = [int(k) % group.r for k in column]
    assert sumac.Vector.of(context, group.curve, column, integers=True).integers() == expected
    v = sumac.Vector(context, group.curve, 7).set(column, 2, integers=True)
    assert v.integers() == [0, 0, *expected]
    if kind == "u2":
        assert v.set(column.tobytes(), 0, scalar_bytes=2).integers(0, 5) == expected
        with pytest.raises(sumac.errors.BadLength):
            v.set(bytes(3), scalar_bytes=2)
        for wrong in ({"scalar_bytes": 3}, {"scalar_bytes": 2, "scalar_signed": 2}):
            with pytest.raises(sumac.errors.BadArgument):
                v.set(bytes(6), **wrong)


def test_memory_and_views(context, group, numbers):
    """Views and wrapped memory show the same numbers, in Montgomery form. They live as long as an object uses them."""
    r, size = group.r, group.curve.scalar_bytes
    shift = 2 ** (8 * size)
    mine = numpy.frombuffer(bytearray(b"".join((k * shift % r).to_bytes(size, "little") for k in numbers)), numpy.uint64)
    wrapped = sumac.Vector.wrap(context, group.curve, mine)
    mine_is = weakref.ref(mine)
    assert wrapped.integers() == numbers
    view = wrapped.view(2, 4)
    inner = view.view(1)
    assert (len(view), len(inner), inner.kind, inner.curve) == (4, 3, sumac.VectorKind.SCALARS, group.curve)
    inner.fill(9)
    assert int.from_bytes(mine[3 * size // 8:4 * size // 8].tobytes(), "little") == 9 * shift % r
    assert wrapped.integers() == [*numbers[:3], 9, 9, 9, *numbers[6:]]
    memory = wrapped.memory
    assert memory.shape == (8, size) and memory.ctypes.data == mine.ctypes.data and (memory == wrapped.get(form="montgomery")).all()
    del mine, memory
    wrapped.close()
    view.close()
    gc.collect()
    assert mine_is() is not None and inner.integers() == [9, 9, 9]
    memory = inner.memory
    inner.close()
    assert [int.from_bytes(row.tobytes(), "little") * pow(shift, -1, r) % r for row in memory] == [9, 9, 9] and mine_is() is not None
    del memory
    gc.collect()
    assert mine_is() is None
    own = sumac.Vector.of(context, group.curve, numbers)
    memory = own.memory
    memory[1] = memory[0]
    assert own.integers(0, 2) == [numbers[0]] * 2
    own.close()
    gc.collect()
    assert memory[0].any() and sumac.Vector(context, group.curve, 0).memory.shape == (0, size)
    points = sumac.Vector(context, group.curve, 2, "points")
    assert points.memory is None and len(points.view(1)) == 1

    class OnGpu:
        __cuda_array_interface__ = {"shape": (size,), "typestr": "|u1", "data": (4096, False), "version": 3}

    for wrong in bytes(size), bytearray(size - 1), OnGpu(), memoryview(bytearray(size + 8))[4:size + 4]:
        with pytest.raises(sumac.Error):
            sumac.Vector.wrap(context, group.curve, wrong)
    for wrong in (8, 1), (0, 9), (2**64 - 1, 2):
        with pytest.raises(sumac.errors.BadArgument):
            sumac.Vector.of(context, group.curve, numbers).view(*wrong)


def test_sums_over_vectors(context, group, numbers):
    points = group.points([2, 3, 5, 8])
    vector = sumac.Vector.of(context, group.curve, group.raw(points), sumac.VectorKind.POINTS)
    assert vector.get().tobytes() == group.raw(points)
    with pytest.raises(TypeError):
        vector.integers()
    bases, scalars = sumac.bases_of(context, vector, check="none"), sumac.Vector.of(context, group.curve, numbers)
    assert len(bases) == 4 and len(sumac.bases_of(context, vector, 1, 2)) == 2
    both = sumac.msm_vectors(bases, scalars, msm={"batch": 2})
    assert both.get().tobytes() == group.msm(points, numbers[:4]) + group.msm(points, numbers[4:])
    assert sumac.msm_vectors(bases, scalars, 4, first=2, results=both, result_first=1) is both
    assert both.get(1).tobytes() == group.msm(points, numbers[2:6])
    assert vector.add(vector).get().tobytes() == group.raw(group.points([4, 6, 10, 16]))


def test_openings(context, group, numbers):
    r, s = group.r, 1234567
    srs = sumac.Bases(context, group.curve, group.raw(group.points([pow(s, i, r) for i in range(8)])))
    polynomial = sumac.Vector.of(context, group.curve, numbers)
    value = evaluate(numbers, s, r)
    assert sumac.srs_commit(srs, polynomial).get().tobytes() == group.raw(group.points([value]))
    assert len(sumac.srs_commit(srs, polynomial, 4)) == 2
    root = group.curve.root_of_unity(4)
    places = [pow(root, i, r) for i in range(16)]

    def proof(z):
        return group.raw(group.points([(value - evaluate(numbers, z, r)) * pow(s - z, -1, r) % r]))

    values, proofs = sumac.srs_open(srs, polynomial, sumac.Vector.of(context, group.curve, [places[3]]))
    assert values.integers() == [evaluate(numbers, places[3], r)] and proofs.get().tobytes() == proof(places[3])
    fk20 = sumac.Fk20(context, srs, 8)
    assert (fk20.n, fk20.cell_elements) == (8, 1) and fk20.table_bytes > 0
    expected = b"".join(map(proof, places))
    assert fk20.prove(polynomial, 2).get().tobytes() == expected
    assert sumac.Fk20(context, srs, 8, 1, 2**20).prove(polynomial, 2, "natural").get().tobytes() == expected


def test_srs_verify(context):
    """If w (s - z) = c - y, the claim is valid. If one value is changed, one claim is refused, and so are two claims
    together."""
    g1, g2, s = Group("bn254", "g1"), Group("bn254", "g2"), 1234567
    commitments, places, values = [5, 2**200], [3, 4], [7, 11]
    proofs = [(c - y) * pow(s - z, -1, g1.r) % g1.r for c, y, z in zip(commitments, values, places)]
    vector = lambda numbers: sumac.Vector.of(context, g1.curve, numbers)  # noqa: E731
    points = lambda numbers: sumac.Vector.of(context, g1.curve, g1.raw(g1.points(numbers)), kind="points")  # noqa: E731
    setup = g1.curve, g1.raw(g1.points([1])), g2.raw(g2.points([1, s]))
    for n in 1, 2:
        claims = points(commitments[:n]), vector(places[:n]), vector(values[:n]), points(proofs[:n])
        assert sumac.srs_verify(*setup, *claims) is True
        assert sumac.srs_verify(*setup, *claims[:2], vector([8, 11][:n]), claims[3]) is False
    with pytest.raises(sumac.Error):
        sumac.srs_verify(g1.curve, setup[1], setup[2][1:], *claims)


def test_challenges(context):
    """hashlib computes the same digest. It has no Keccak-256, of which the digest of nothing is known."""
    transcript = bytes(range(200))
    for curve in {c.name for c in sumac.curves()}:
        expected = int.from_bytes(hashlib.sha256(transcript).digest(), "big") % sumac.curve(curve).order
        assert sumac.challenge(context, curve, transcript, "sha256") == expected
        empty = 0xC5D2460186F7233C927E7DB2DCC703C0E500B653CA82273B7BFAD8045D85A470 % sumac.curve(curve).order
        assert sumac.challenge(context, curve, b"") == empty
    with pytest.raises(sumac.errors.BadArgument):
        sumac.challenge(context, "bn254", b"", "md5")


def test_shplonk(context):
    """For f_0 = 3 + 5X^2 at the points 4 and 7, and f_1 = 8X^3 at 7, the proof's points are computed from the secret."""
    g1, g2, s, z, r = Group("bn254", "g1"), Group("bn254", "g2"), 1234567, 99, Group("bn254", "g1").r
    vector = lambda numbers: sumac.Vector.of(context, g1.curve, numbers)  # noqa: E731
    points = lambda numbers: sumac.Vector.of(context, g1.curve, g1.raw(g1.points(numbers)), kind="points")  # noqa: E731
    srs = sumac.Bases(context, g1.curve, g1.raw(g1.points([1, s, s**2 % r, s**3 % r])))
    f = [lambda x: 3 + 5 * x * x, lambda x: 8 * x**3]
    opened, factors, places = [[1, 1], [0, 1]], [11, 13], [4, 7]
    remainder = lambda x: f[0](4) + (x - 4) * ((f[0](7) - f[0](4)) // 3)  # noqa: E731
    h = (11 * (f[0](s) - remainder(s)) * pow((s - 4) * (s - 7), -1, r) + 13 * (f[1](s) - f[1](7)) * pow(s - 7, -1, r)) % r
    rest = 11 * (f[0](s) - remainder(z)) + 13 * (z - 4) * (f[1](s) - f[1](7)) - (z - 4) * (z - 7) * h
    given = vector([3, 0, 5, 0, 0, 0, 0, 8]), vector(places), opened, vector(factors)
    quotient, first = sumac.shplonk_quotient(srs, *given, 4)
    second = sumac.shplonk_open(srs, *given, quotient, vector([z]))
    logarithms = [h, rest * pow(s - z, -1, r) % r]
    assert first.get().tobytes() + second.get().tobytes() == points(logarithms).get().tobytes()
    setup = g1.curve, g1.raw(g1.points([1])), g2.raw(g2.points([1, s])), points([f[0](s) % r, f[1](s) % r]), given[1], opened
    holds = lambda values, *rest: sumac.shplonk_verify(*setup, vector(values), given[3], *rest)  # noqa: E731
    values = [f[0](4), f[0](7), 0, f[1](7)]
    assert holds(values, vector([z]), points(logarithms)) is True
    assert holds([*values[:3], 1], vector([z]), points(logarithms)) is False
    assert holds(values, vector([z + 1]), points(logarithms)) is False
    with pytest.raises(sumac.errors.BadLength):
        sumac.shplonk_quotient(srs, given[0], given[1], [[1, 1]], given[3], 4)


def test_fk20_files(context, group, tmp_path):
    srs = sumac.Bases.known(context, group.curve, 8, 1)
    fk20 = sumac.Fk20(context, srs, 8, 2)
    fk20.save(tmp_path / "fk20")
    polynomial = sumac.Vector.of(context, group.curve, [1, 2, 3, 4, 5, 6, 7, 8])
    opened = sumac.Fk20.open(context, srs, 8, 2, tmp_path / "fk20")
    assert (opened.prove(polynomial).get() == fk20.prove(polynomial).get()).all()
    with pytest.raises(sumac.errors.Mismatch):
        sumac.Fk20.open(context, srs, 8, 4, tmp_path / "fk20")


@pytest.mark.parametrize("name", ["bn254", "bls12-381"])
def test_pairings(context, data, name):
    if [c.name for c in sumac.curves()].count(name) < 2:
        pytest.skip(f"the library has not both groups of {name}")
    first, second = Group(name, "g1"), Group(name, "g2")
    case = json.loads((data / "pairings" / f"{name}.json").read_text())["cases"][0]
    assert int(case["g1"]["x"], 16) == first.reference.G[0]
    # e(a*G, b*H) e(-ab*G, H) = 1
    g1 = first.raw(first.points([6, first.r - 30]))
    g2 = second.raw(second.points([5, 1]))
    assert sumac.pairing_check(context, name, g1, g2)
    assert not sumac.pairing_check(context, name, g1, second.raw(second.points([5, 2])), "none")
    size = second.curve.point_bytes
    with sumac.PairingPoints(context, name, g2[:size]) as prepared:
        assert len(prepared) == 1
        assert prepared.check(g1, g2[size:])
        assert not prepared.check(g1, g2[:size])
    assert sumac.PairingPoints(context, second.curve, g2).check(g1)
    with pytest.raises(sumac.errors.BadLength):
        sumac.pairing_check(context, name, g1, g2[size:])
    assert sumac.pairing_check(context, name, b"", b"")


@pytest.mark.parametrize("name", ["bls12-377", "bls12-381", "bn254", "bw6-761"])
def test_values_of_pairings(context, data, name):
    """The values are those that gnark-crypto computed, and bilinear."""
    if [c.name for c in sumac.curves()].count(name) < 2:
        pytest.skip(f"the library has not both groups of {name}")
    first, second = sumac.curve(name), sumac.curve(name, "g2")

    def raw(point):
        numbers = [n for given in (point["x"], point["y"]) for n in ([given] if isinstance(given, str) else given)]
        return b"".join(int(n, 16).to_bytes(first.field_bytes, "little") for n in numbers)

    cases = json.loads((data / "pairings" / "gnark" / f"{name}.json").read_text())["cases"]
    for case in cases:
        value = sumac.pairing_value(context, name, raw(case["g1"]), raw(case["g2"]))
        assert value.tobytes()[::-1].hex() == case["value"]
    p, q = raw(cases[0]["g1"]), raw(cases[0]["g2"])
    times = lambda curve, point, k: bytes(sumac.msm(curve, point, [k]))  # noqa: E731
    # e(2P, 3Q) = e(P, Q) e(5P, Q)
    expected = sumac.pairing_value(context, second, p + times(first, p, 5), q + q, "none").tobytes()
    assert sumac.pairing_value(context, first, times(first, p, 2), times(second, q, 3)).tobytes() == expected
    one = sumac.pairing_value(context, name, b"", b"").tobytes()
    assert int.from_bytes(one, "little") == 1 and len(one) == len(expected)
    assert sumac.pairing_value(context, name, p + times(first, p, first.order - 1), q + q).tobytes() == one
    with pytest.raises(sumac.errors.BadLength):
        sumac.pairing_value(context, name, p, q + q)


def test_maps(context, data):
    if "bls12-381" not in [c.name for c in sumac.curves()]:
        pytest.skip("the library has no group of bls12-381")
    curve = sumac.curve("bls12-381", "g1")
    raw = lambda number: int(number, 16).to_bytes(48, "little")
    cases = json.loads((data / "maps" / "bls12-381_g1.json").read_text())
    points = [case["point"] or {"x": "0", "y": "0"} for case in cases]
    mapped = sumac.map_to_group(context, curve, b"".join(raw(case["u"]) for case in cases))
    assert mapped.tobytes() == b"".join(raw(point["x"]) + raw(point["y"]) for point in points)
    assert sumac.map_to_group(context, curve, b"").shape == (0, 96)
    with pytest.raises(sumac.errors.BadLength):
        sumac.map_to_group(context, curve, bytes(47))
    with pytest.raises(sumac.errors.BadEncoding):
        sumac.map_to_group(context, curve, b"\xff" * 48)


def test_empty(context, group):
    empty = sumac.Vector(context, group.curve, 0)
    assert empty.get().shape == (0, group.curve.scalar_bytes) and empty.integers() == []
    bases = sumac.Bases(context, group.curve, b"")
    assert len(bases) == 0 and not bases.msm([]).any() and not bases.msm(numpy.empty(0, numpy.uint8)).any()
    assert bases.points().shape == (0, group.curve.point_bytes)
