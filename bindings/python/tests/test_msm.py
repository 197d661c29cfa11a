# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests compare MSMs with the vectors of the C tests and with the reference in Python."""
import pickle
import random
import threading

import numpy
import pytest

import sumac_msm as sumac
from conftest import GROUPS, Group


@pytest.mark.parametrize("name,group", GROUPS)
def test_vectors(context, data, name, group):
    given = Group(name, group)
    for case, points, scalars, result in given.vectors(data):
        bases = sumac.Bases(context, given.curve, given.raw(points), check="subgroup")
        assert len(bases) == len(points) and bases.curve is given.curve
        raw = given.curve.scalars(scalars)
        assert bytes(bases.msm(raw)) == given.raw([result]), case
        assert bases.prepare().run(raw).tobytes() == given.raw([result]), case


@pytest.fixture
def some(context, group):
    """Return eight bases, their points, and integers as scalars."""
    random_numbers = random.Random(27)
    logarithms = [random_numbers.randrange(group.r) for _ in range(8)]
    points = group.points(logarithms)
    scalars = [random_numbers.randrange(group.r) for _ in range(8)]
    return sumac.Bases(context, group.curve, group.raw(points)), points, scalars


def test_what_scalars_may_be(context, group, some):
    bases, points, scalars = some
    expected, raw = group.msm(points, scalars), group.curve.scalars(scalars)
    for given in (scalars, tuple(scalars), raw, raw.ravel(), raw.tobytes(), bytearray(raw.tobytes()), memoryview(raw),
                  raw.view(numpy.uint64)):
        assert bytes(bases.msm(given)) == expected
    pinned = context.pinned(raw.size)
    pinned[:] = raw.ravel()
    assert bytes(bases.msm(pinned)) == expected
    tail = pinned[8:]
    del pinned
    tail[:] = 1  # the block lives as long as a view of it


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"])
def test_small_scalars(group, some, dtype):
    bases, points, _ = some
    information = numpy.iinfo(dtype)
    values = numpy.array([information.min, information.max, 0, 1, 2, 3, information.max // 3, information.max - 1], dtype)
    expected = group.msm(points, [int(v) for v in values])
    options = {"scalar_bytes": values.itemsize} if dtype in ("uint8", "uint64") else {}
    assert bytes(bases.msm(values, **options)) == expected
    assert bytes(bases.msm(values[:5], n=5, **options)) == group.msm(points[:5], [int(v) for v in values[:5]])
    if dtype != "uint8":
        packed = values.tobytes()
        assert bytes(bases.msm(packed, scalar_bytes=values.itemsize, scalar_signed=information.min < 0)) == expected


def test_options(context, group, some):
    bases, points, scalars = some
    expected = group.msm(points, scalars)
    small = [k % 2**40 for k in scalars]
    assert bytes(bases.msm(small, scalar_bits=40)) == group.msm(points, small)
    assert bytes(bases.msm(scalars, scalar_bits=40, cut_scalars=True)) == group.msm(points, small)
    with pytest.raises(sumac.errors.ScalarTooLarge):
        bases.msm(scalars, scalar_bits=40)
    assert bytes(bases.msm(scalars, tuning="c=7")) == expected
    assert bytes(bases.msm(scalars[:5], first=3)) == group.msm(points[3:], scalars[:5])
    assert bytes(bases.msm(scalars[:5], 5, first=2)) == group.msm(points[2:7], scalars[:5])
    for name, about in context.plans(group.curve)["plans"].items():
        assert bytes(bases.msm(scalars, tuning=f"plan={name}")) == expected and about
    assert bytes(bases.msm(scalars, tuning="reduction=halving")) == expected
    # The MSMs of a batch use the same bases, different bases, or two sets in turns.
    assert bases.msm(scalars + scalars[::-1], batch=2).tobytes() == expected + group.msm(points, scalars[::-1])
    both = bases.msm(scalars, 4, batch=2)
    assert both.shape == (2, group.curve.point_bytes)
    assert both.tobytes() == group.msm(points[:4], scalars[:4]) + group.msm(points[:4], scalars[4:])
    assert bases.msm(scalars, batch=2, base_sets=2).tobytes() == \
        group.msm(points[:4], scalars[:4]) + group.msm(points[4:], scalars[4:])
    four = bases.msm(scalars, 2, batch=4, base_sets=2).tobytes()
    assert four == b"".join(group.msm(points[2 * (j % 2):2 * (j % 2) + 2], scalars[2 * j:2 * j + 2]) for j in range(4))
    offsets = [0, 3, 3, 8]
    for given in (offsets, numpy.array(offsets, numpy.uint64)):
        assert bases.msm(scalars, offsets=given).tobytes() == \
            group.msm(points[:3], scalars[:3]) + group.msm([], []) + group.msm(points[:5], scalars[3:])
    # Scalars and results are in Montgomery form.
    shift = 2 ** (8 * group.curve.scalar_bytes)
    assert bytes(bases.msm([k * shift % group.r for k in scalars], scalar_form="montgomery")) == expected
    shifted = sumac.Point(group.curve, bases.msm(scalars, result_form=sumac.Form.MONTGOMERY))
    result = sumac.Point(group.curve, expected)
    for coordinate, plain in ((shifted.x, result.x), (shifted.y, result.y)):
        for part, of in zip(*((x if isinstance(x, tuple) else (x,)) for x in (coordinate, plain))):
            assert part == of * 2 ** (8 * group.curve.field_bytes) % group.curve.modulus


def test_results_in_place(group, some):
    bases, points, scalars = some
    expected = group.msm(points, scalars)
    for out in (numpy.zeros(group.curve.point_bytes, numpy.uint8), bytearray(group.curve.point_bytes),
                numpy.zeros(group.curve.point_bytes // 8, numpy.uint64)):
        assert bases.msm(scalars, out=out) is out
        assert bytes(out) == expected
    prepared, out = bases.prepare(batch=2, n=4), bytearray(2 * group.curve.point_bytes)
    assert prepared.run(scalars, out=out) is out
    assert bytes(out) == group.msm(points[:4], scalars[:4]) + group.msm(points[:4], scalars[4:])
    points_out = bytearray(3 * group.curve.point_bytes)
    bases.points(2, 3, out=points_out)
    assert bytes(points_out) == group.raw(points[2:5])


def test_bases_options(context, group, tmp_path):
    points = group.points([3, 5, 0, 7])
    raw, scalars = group.raw(points), [11, 12, 13, group.r - 1]
    expected, size = group.msm(points, scalars), group.curve.point_bytes
    multiples = sumac.Bases(context, group.curve, raw, precompute_factor=4, tuning="c=9", scalar_bits=256)
    assert multiples.precompute_factor == 4 and multiples.tables == sumac.Tables.MULTIPLES
    windows = sumac.Bases(context, group.curve, raw, tables="windows", table_bytes=2**24, typical_n=4, typical_batch=1)
    assert windows.tables == sumac.Tables.WINDOWS and windows.nbytes > multiples.nbytes
    # Each record has a flag after the point, followed by two more bytes.
    records = numpy.zeros((4, size + 8), numpy.uint8)
    records[:, :size] = numpy.frombuffer(raw, numpy.uint8).reshape(4, size)
    records[2, size] = 1
    flagged = sumac.Bases(context, group.curve, records, stride=size + 8, infinity="flag", infinity_offset=size)
    factor = 2 ** (8 * group.curve.field_bytes)
    words = [int.from_bytes(raw[i:i + group.curve.field_bytes], "little") for i in range(0, len(raw), group.curve.field_bytes)]
    montgomery = b"".join((w * factor % group.curve.modulus).to_bytes(group.curve.field_bytes, "little") for w in words)
    for bases in (multiples, windows, flagged, sumac.Bases(context, group.curve, montgomery, form="montgomery"),
                  sumac.Bases(context, group.curve, [raw][0], 4, outside_subgroup=False, replicated=True)):
        assert bytes(bases.msm(scalars)) == expected
        assert bases.points().tobytes() == raw
    # Bases are read from a table, from other formats, and from a part of a file.
    path = tmp_path / "table"
    multiples.save(path)
    for table in (sumac.Bases.open(context, None, path, check="none"), sumac.Bases.open(context, group.curve, path, "table"),
                  sumac.Bases.open(context, group.curve, str(path))):
        assert table.precompute_factor == 4 and bytes(table.msm(scalars)) == expected
    formats = {f.name for f in sumac.formats() if f.can_write}
    assert {"raw", "arkworks-compressed"} <= formats
    for name in ("raw", "arkworks-compressed", "gnark-compressed"):
        multiples.save(tmp_path / name, name)
        assert sumac.bases_file_count(context, group.curve, tmp_path / name, name) == 4
        assert bytes(sumac.Bases.open(context, group.curve, tmp_path / name, name).msm(scalars)) == expected
        part = sumac.Bases.open(context, group.curve, tmp_path / name, name, first=1)
        assert part.points().tobytes() == raw[size:]
        # The file has the encoded records. In some formats a count precedes them.
        records = sumac.points_encode(context, group.curve, raw, name)
        assert (tmp_path / name).read_bytes().endswith(records.tobytes())
        assert sumac.points_decode(context, group.curve, records, name, "subgroup").tobytes() == raw
    (tmp_path / "scalars").write_bytes(group.curve.scalars(scalars).tobytes())
    read = sumac.scalars_read(context, group.curve, tmp_path / "scalars")
    assert read.shape == (4, group.curve.scalar_bytes) and bytes(multiples.msm(read)) == expected
    result, report = sumac.msm_files(context, group.curve, tmp_path / "raw", tmp_path / "scalars", chunk=2,
                                     checkpoint=str(tmp_path / "checkpoint"), checkpoint_milliseconds=1, msm={"tuning": "c=5"})
    assert bytes(result) == expected and (report.n, report.chunk) == (4, 2)
    again, report = sumac.msm_files(context, group.curve, tmp_path / "raw", tmp_path / "scalars",
                                    checkpoint=str(tmp_path / "checkpoint"), msm={"tuning": "c=5"}, chunk=2)
    assert bytes(again) == expected and report.resumed == 4


def test_plans(context, group):
    bases = sumac.Bases.known(context, group.curve, 100, 5, precompute_factor=2, tuning="c=8")
    plan, prepared = bases.plan(tuning="c=8"), bases.prepare(tuning="c=8").plan()
    planned = sumac.plan(context, group.curve, 100, {"precompute_factor": 2, "tuning": "c=8"}, {"tuning": "c=8"})
    assert plan == prepared
    for p in (plan, planned):
        assert p["name"] == "auto" and p["milliseconds"] > 0
        assert p["numbers"]["c"] == 8 and p["numbers"]["n"] == 100 and p["numbers"]["precompute_factor"] in (1, 2)
        assert list(p["kinds"]) == ["recode", "sort", "accumulate", "reduce", "combine"]
        assert p["bytes"]["workspace"] > 0
    about = context.plans(group.curve)
    assert about["plans"]["auto"] and about["kinds"]["combine"][plan["kinds"]["combine"]]


def test_known_and_partial(context, group):
    n = 300
    bases, logarithms = sumac.Bases.known(context, group.curve, n, 9), sumac.known_logarithms(context, group.curve, n, 9)
    first = group.points([int.from_bytes(logarithms[0].tobytes(), "little")])
    assert bases.points(0, 1).tobytes() == group.raw(first)
    scalars = numpy.random.default_rng(3).integers(0, 256, (n, group.curve.scalar_bytes), numpy.uint8)
    expected = sumac.known_answer(context, group.curve, scalars, logarithms)
    assert (bases.msm(scalars) == expected).all()
    halves = [bases.msm_partial(scalars[:100], 100), bases.msm_partial(scalars[100:], first=100)]
    assert (sumac.partial_combine(context, group.curve, halves)[0] == expected).all()
    with pytest.raises(sumac.errors.BadChecksum):
        sumac.partial_combine(context, group.curve, [halves[0][:-1] + bytes([halves[0][-1] ^ 1])])


def test_curves():
    assert sumac.curve("BN128") is sumac.curve("bn254", "G1")
    for name, group in GROUPS:
        given = Group(name, group)
        curve, reference = given.curve, given.reference
        assert (curve.modulus, curve.order) == (reference.p, reference.r)
        G = curve.generator()
        assert bytes(G) == reference.praw(reference.G) and (G.x, G.y) == reference.G
        assert G == curve.point(*reference.G) == sumac.Point(curve, numpy.frombuffer(G, numpy.uint8)) == pickle.loads(pickle.dumps(G))
        assert (curve.scalar_bits, curve.field_bits) == (reference.r.bit_length(), reference.p.bit_length())
        assert curve.root_of_unity(1) == reference.r - 1
        if (reference.r - 1) % 2**5 == 0:
            assert pow(curve.root_of_unity(5), 16, reference.r) == reference.r - 1
        with pytest.raises(sumac.errors.NotSupported):
            curve.root_of_unity(200)


def test_contexts(context):
    assert context.backend == "cpu" and context.variant in ("portable", "adx", "avx2", "avx512") and context.threads == 2
    assert context.location == sumac.Location.HOST and context.devices == [""]
    context.check()
    context.wait()
    two = sumac.Context(backend="cpu", threads=2, devices=[0, 0], device_weights=[1, 3], replica_limit=1, memory_limit=2**30,
                        tuning="variant=portable")
    assert two.devices == ["", ""] and two.variant == "portable"
    assert max(two.measure_weights("bn254", 64)) == 1000
    bases = sumac.Bases.known(two, "bn254", 50, 1)
    scalars = sumac.known_logarithms(two, "bn254", 50, 2)
    assert (bases.msm(scalars) ==
            sumac.known_answer(two, "bn254", scalars, sumac.known_logarithms(two, "bn254", 50, 1))).all()
    assert sumac.Context(backend="cpu", devices="all").devices == [""]


def test_one_line(group):
    curve, logarithms, scalars = group.curve, [1, 0, 5, 7, 5], [3, 4, 2**100, 0, group.r - 1]
    points = group.points(logarithms)
    expected = group.reference.mul(sum(map(lambda a, k: a * k, logarithms, scalars)) % group.r, group.reference.G)
    as_points = [sumac.Point(curve, group.raw([point])) for point in points]
    for given in (points, as_points, group.raw(points), [bytes(p) for p in as_points], [*points[:2], *as_points[2:]]):
        result = sumac.msm(curve, given, scalars)
        assert (result.x, result.y, result.curve) == (*expected, curve)
    for given in (as_points[0], [points[0]], bytes(as_points[0])):
        assert sumac.msm(curve, given, [group.r]) == curve.infinity() and sumac.msm(curve, given, [group.r]).is_infinity
    assert as_points[1].x is None and as_points[1].y is None and as_points[1] != as_points[0]
    assert len(set(as_points)) == 4


def test_points_are_of_one_group():
    first, second = sumac.curve("bn254"), sumac.curve("bls12-381")
    assert sumac.Point(first, bytes(64)) != sumac.Point(sumac.curve("bn254", "g2"), bytes(128))
    assert "bn254 g1" in repr(first.generator()) and "(0x" in repr(sumac.curve("bn254", "g2").generator())
    for wrong in (second.generator(), [first.generator(), second.generator()]):
        with pytest.raises(sumac.errors.Mismatch, match="bls12-381 g1.*bn254 g1"):
            sumac.msm("bn254", wrong, [1, 2])
    for wrong, error in (([7], TypeError), ([(1, 2, 3)], sumac.errors.BadLength), ([(1, 3)], sumac.errors.NotOnCurve), (["ab"], TypeError),
                         ([b"ab"], sumac.errors.BadLength), ([(1, "2")], TypeError), ([(-1, 2)], sumac.errors.BadArgument)):
        with pytest.raises(error):
            sumac.msm("bn254", wrong, [1])
    with pytest.raises(sumac.errors.UnknownCurve, match="this build .* no curve bn999 g1; it has .*bls12-381 g2"):
        sumac.msm("bn999", [], [])


def test_each_thread_has_a_default_context():
    seen = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: seen.append((sumac.msm("bn254", [(1, 2)], [5]), sumac.contexts.default_context())))
        thread.start()
        thread.join()
    assert seen[0][0] == seen[1][0] and seen[0][1] is not seen[1][1]
    sumac.contexts.default_context().close()
    assert sumac.msm("bn254", [(1, 2)], [5]) == seen[0][0]
