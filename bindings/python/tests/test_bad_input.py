# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests check that wrong arguments raise errors, and that nothing ends the interpreter."""
import array
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest

import sumac_msm as sumac
from sumac_msm import errors

CURVE = sumac.curves()[0]
NAME = CURVE.name


@pytest.fixture
def bases(context):
    return sumac.Bases.known(context, CURVE, 8, 1)


@pytest.fixture
def scalars(context):
    return sumac.known_logarithms(context, CURVE, 8, 2)


class Gpu:
    """An object that claims to lie on a GPU."""

    def __init__(self, **changed):
        self.__cuda_array_interface__ = {"shape": (8, CURVE.scalar_bytes), "typestr": "|u1", "data": (4096, False),
                                         "version": 3, **changed}


class DlpackGpu:
    def __dlpack_device__(self):
        return 4, 0

    def __dlpack__(self, **_):
        raise AssertionError("a device that nobody can use is not asked")


WRONG_SCALARS = [
    (None, TypeError, "NoneType"), (3, TypeError, "int"), ("abc", TypeError, "str"), (object(), TypeError, "object"),
    ({}, TypeError, "dict"), (iter([1]), TypeError, "iterator"), ([1, "2"], TypeError, "str"), ([1.5], TypeError, "float"),
    ([-1], errors.BadArgument, "-1"), ([2**256], errors.BadArgument, "less than 2^256"),
    (numpy.zeros(8), TypeError, "'d'"), (numpy.zeros(8, bool), TypeError, "'?'"), (numpy.zeros(8, complex), TypeError, "Zd"),
    (numpy.array(["a"]), TypeError, "w"), (numpy.zeros(8, "datetime64[s]"), TypeError, "ndarray"),
    (numpy.zeros(8, object), TypeError, "O"), (numpy.zeros(8, [("a", "u4")]), TypeError, "T{"),
    (numpy.zeros((8, 4), ">u8"), TypeError, "big-endian"),
    (numpy.zeros((CURVE.scalar_bytes, 8), numpy.uint8).T, errors.BadArgument, "contiguous"),
    (numpy.zeros((8, 2 * CURVE.scalar_bytes), numpy.uint8)[:, ::2], errors.BadArgument, "contiguous"),
    (numpy.zeros(8 * CURVE.scalar_bytes + 1, numpy.uint8), errors.BadLength, "no multiple"),
    (bytes(9 * CURVE.scalar_bytes), errors.BadLength, "9"),
    (numpy.zeros((8, 2 * CURVE.scalar_bytes), numpy.uint8), errors.BadArgument, "scalar_bytes"),
    (Gpu(), errors.BadArgument, "on a GPU, and the context computes on the CPU"), (Gpu(typestr="<f8"), TypeError, "<f8"),
    (Gpu(typestr=">u8"), TypeError, "big-endian"), (Gpu(data=None), TypeError, "as NVIDIA describes"),
    (Gpu(strides=(1, 8)), errors.BadArgument, "contiguous"), (Gpu(stream=0), errors.BadArgument, "stream 0"),
    (DlpackGpu(), TypeError, "kind 4"),
]


@pytest.mark.parametrize("given,error,words", WRONG_SCALARS, ids=range(len(WRONG_SCALARS)))
def test_scalars(bases, given, error, words):
    with pytest.raises(error, match=r".*") as caught:
        bases.msm(given)
    assert words in str(caught.value), str(caught.value)
    # The context still works.
    assert not bases.msm([0] * 8).any()


WRONG_OPTIONS = [
    ({"tuning": "c=-1"}, errors.BadArgument), ({"tuning": "c=25"}, errors.BadArgument), ({"tuning": "c=4,"}, errors.BadArgument),
    ({"scalar_bits": "7"}, TypeError), ({"scalar_bits": 1.5}, TypeError), ({"window": 3}, TypeError), ({"size": 3}, TypeError),
    ({"scalar_form": "mont"}, errors.BadArgument), ({"scalar_form": 7}, errors.BadArgument), ({"scalar_form": -1}, errors.BadArgument),
    ({"scalar_form": 1.0}, TypeError), ({"scalar_form": True}, TypeError), ({"cut_scalars": 2}, errors.BadArgument),
    ({"batch": 3}, errors.BadLength), ({"first": 1}, errors.BadLength), ({"n": 9}, errors.BadLength),
    ({"n": 2**63, "batch": 2}, errors.BadLength), ({"first": 2**64 - 1}, errors.BadLength), ({"first": 2**64}, errors.BadArgument),
    ({"offsets": [0, 9]}, errors.BadLength), ({"offsets": [3, 0, 8]}, errors.BadArgument), ({"offsets": []}, errors.BadLength),
    ({"offsets": [0]}, errors.BadLength), ({"offsets": ["a", 1]}, TypeError), ({"offsets": 7}, TypeError),
    ({"offsets": [-1, 8]}, errors.BadArgument), ({"offsets": [0, 4, 8], "batch": 3}, errors.BadLength),
    ({"tuning": "plan=no such"}, errors.UnknownPlan), ({"tuning": "plan=a\0b"}, errors.BadArgument),
    ({"tuning": 7}, TypeError), ({"tuning": {"plan": "auto"}}, TypeError), ({"tuning": "nothing=1"}, errors.BadArgument),
    ({"stream": 8}, TypeError), ({"scalar_bytes": 33}, errors.BadLength),
    ({"scalar_bytes": 2**32}, errors.BadArgument), ({"out": bytes(CURVE.point_bytes)}, errors.BadArgument),
    ({"out": bytearray(3)}, errors.BadLength), ({"out": numpy.zeros(CURVE.point_bytes, numpy.float32)}, TypeError),
    ({"out": "abc"}, TypeError), ({"out": Gpu(shape=(CURVE.point_bytes,))}, errors.BadArgument), ({"context": 7}, TypeError),
]


@pytest.mark.parametrize("options,error", WRONG_OPTIONS, ids=[str(o)[:40] for o, _ in WRONG_OPTIONS])
def test_options(bases, scalars, options, error):
    with pytest.raises(error) as caught:
        bases.msm(scalars, **options)
    assert str(caught.value)
    if error is not TypeError:
        assert isinstance(caught.value, errors.Error)


def test_points_are_on_the_curve_unless_told_otherwise(context, tmp_path):
    generator = CURVE.generator()
    off = generator + bytes([generator[0] ^ 1]) + generator[1:]
    (tmp_path / "points").write_bytes(off)
    (tmp_path / "scalars").write_bytes(bytes(CURVE.scalar_bytes) + b"\1" + bytes(CURVE.scalar_bytes - 1))
    files = tmp_path / "points", tmp_path / "scalars"
    for call in (lambda **check: sumac.Bases(context, CURVE, off, **check).points().tobytes(),
                 lambda **check: sumac.Bases(context, CURVE, off, precompute_factor=2, **check).points().tobytes(),
                 lambda **check: sumac.Bases.open(context, CURVE, files[0], **check).points().tobytes(),
                 lambda **check: sumac.Vector.of(context, CURVE, off, "points", **check).get().tobytes(),
                 lambda **check: sumac.points_decode(context, CURVE, off, **check).tobytes(),
                 lambda **check: generator + sumac.msm_files(context, CURVE, *files, **check)[0].tobytes()):
        with pytest.raises(errors.NotOnCurve, match=rf"point (1|at byte {len(generator)})\b"):
            call()
        assert call(check="none") == off


def test_points(context):
    generator = CURVE.generator()
    size = CURVE.field_bytes
    for given, error in ((generator[:-1], errors.BadLength), (numpy.zeros(4), TypeError), (None, TypeError),
                         (Gpu(), errors.BadArgument), (bytes([1]) + generator[1:-1] + b"\0", errors.NotOnCurve),
                         (b"\xff" * len(generator), errors.BadEncoding)):
        with pytest.raises(error):
            sumac.Bases(context, CURVE, given)
    with pytest.raises(errors.NotOnCurve, match="1"):
        sumac.Bases(context, CURVE, generator + generator[:size] + generator[:size], check="subgroup")
    for curve, error in (("no such", errors.UnknownCurve), (7, TypeError), ("a\0", errors.BadArgument)):
        with pytest.raises(error):
            sumac.Bases(context, curve, generator)
    with pytest.raises(errors.UnknownCurve):
        sumac.curve(NAME, "g3")
    with pytest.raises(errors.BadLength):
        sumac.Point(CURVE, b"abc")
    with pytest.raises(errors.BadArgument):
        CURVE.point(*(CURVE.modulus,) * 2 if CURVE.degree == 1 else ((CURVE.modulus, 0),) * 2)
    for options in ({"stride": 1}, {"check": 9}, {"infinity": "flag"}, {"table_bytes": -1}):
        with pytest.raises(errors.Error):
            sumac.Bases(context, CURVE, generator, **options)


def test_length_of_points(context):
    size = CURVE.point_bytes
    with pytest.raises(errors.BadLength, match=f"points take {size - 1} bytes, which is no multiple of the {size} of a point of {NAME}"):
        sumac.Bases(context, CURVE, bytes(size - 1))
    with pytest.raises(errors.BadLength, match=f"points take {size} bytes, which is no multiple of the {size + 8} of the stride"):
        sumac.Bases(context, CURVE, bytes(size), stride=size + 8)
    with pytest.raises(errors.BadLength, match=f"points take {size} bytes, and 2 points .* take {2 * size}"):
        sumac.Bases(context, CURVE, bytes(size), 2)


def test_fewer_scalars_than_bases(context, bases, scalars):
    fewer = r"there are 8 bases, and the scalars are for \d; give n if only the first of them are meant"
    vector, results = sumac.Vector(context, CURVE, 4), sumac.Vector(context, CURVE, 1, "points")
    for call in (bases.msm, bases.msm_partial):
        for given, options in ((scalars[:5], {}), (scalars[:5].tobytes(), {}), ([1] * 5, {}), ([], {}), (b"", {}),
                               (numpy.ones(5, numpy.int32), {}), (scalars[:4], {"first": 3}), (scalars, {"batch": 2}),
                               (scalars[:4], {"batch": 2, "base_sets": 2}),
                               (scalars, {"batch": 4, "base_sets": 2})):
            with pytest.raises(errors.BadLength, match=fewer):
                call(given, **options)
        with pytest.raises(errors.BadLength, match="there are 8 bases, and the scalars are for 9$"):
            call([1] * 9)
        for n in (4, 6):
            with pytest.raises(errors.BadLength, match="must take"):
                call(scalars[:5], n)
        with pytest.raises(errors.BadLength, match="must take"):
            call(scalars, offsets=[0, 3, 5])  # there are more scalars than the offsets use
    expected = sumac.known_answer(context, CURVE, scalars[:5], sumac.known_logarithms(context, CURVE, 5, 1))
    assert (bases.msm(scalars[:5], 5) == expected).all() and not bases.msm([], 0).any()
    with pytest.raises(errors.BadLength, match=fewer):
        sumac.msm_vectors(bases, vector, results=results)
    with pytest.raises(errors.BadLength, match="no multiple of 3"):
        sumac.msm_vectors(bases, vector, results=results, msm={"batch": 3})
    sumac.msm_vectors(bases, vector, 4, results=results)


def test_words_or_small_scalars(context, bases, scalars):
    """An array of uint64 without rows may have words or scalars. It is refused unless scalar_bytes says which."""
    words = scalars.view(numpy.uint64)
    for given in (words.ravel(), numpy.arange(8, dtype=numpy.uint64), memoryview(bytes(256)).cast("Q"), array.array("Q", range(8))):
        for call in (bases.msm, bases.msm_partial):
            with pytest.raises(errors.BadArgument, match="uint64 without rows, .* say scalar_bytes=8 for one an element, or scalar_bytes=32"):
                call(given)
    expected = bases.msm(scalars)
    for given in (words, words.ravel()):
        assert (bases.msm(given, **({} if given.ndim == 2 else {"scalar_bytes": CURVE.scalar_bytes})) == expected).all()
    small = numpy.arange(8, dtype=numpy.uint64)
    assert (bases.msm(small, scalar_bytes=8) == bases.msm(list(range(8)))).all()
    assert (bases.msm(small.astype(numpy.int64)) == bases.msm(list(range(8)))).all()


def test_batch_0(context, bases, scalars):
    vector, results = sumac.Vector(context, CURVE, 8), sumac.Vector(context, CURVE, 1, "points")
    partial = bases.msm_partial(scalars)
    """A batch of 0 in the options means the default, one MSM. As an argument it is refused."""
    expected = bases.msm(scalars).tobytes()
    assert bases.msm(scalars, batch=0).tobytes() == bases.prepare(batch=0).run(scalars).tobytes() == expected
    sumac.msm_vectors(bases, vector, 8, results=results, msm={"batch": 0})
    for partials in ([partial], []):
        with pytest.raises(errors.BadArgument, match="batch is 0, and must be at least 1"):
            sumac.partial_combine(context, CURVE, partials, 0)
    assert not sumac.partial_combine(context, CURVE, [], 1).any()
    assert (sumac.partial_combine(context, CURVE, [partial])[0] == bases.msm(scalars)).all()


def test_results_too_large(context, bases):
    huge = 2**32 - 1
    for call in (lambda: sumac.known_logarithms(context, CURVE, 2**40), lambda: sumac.known_logarithms(context, CURVE, 2**64 - 1),
                 lambda: sumac.partial_combine(context, CURVE, [], huge), lambda: bases.points(0, 2**57), lambda: bases.points(0, 2**63),
                 lambda: bases.msm([], 0, batch=huge), lambda: bases.msm_partial([], 0, batch=huge),
                 lambda: bases.prepare(0, batch=huge).run([])):
        with pytest.raises(errors.OutOfMemory, match="there is no memory of [0-9]+ bytes for the results"):
            call()


def test_other_objects(context, bases, scalars, data):
    """An object of another kind raises a TypeError whose sentence names the argument. The random calls below pass odd objects
    to every function, and check that the package itself refuses them."""
    vector = sumac.Vector(context, CURVE, 4)
    setup = sumac.KzgSetup.open(context, data / "kzg" / "trusted_setup.txt", check="none")
    for what, *functions in (
            ("context", lambda k: sumac.Bases(k, CURVE, b""), lambda k: bases.msm(scalars, context=k), lambda k: sumac.Vector(k, CURVE, 1),
             lambda k: vector.add(vector, context=k), lambda k: setup.commit([], context=k), lambda k: sumac.Groth16Key(k, "/")),
            ("SRS", lambda s: sumac.srs_commit(s, vector), lambda s: sumac.Fk20(context, s, 4)),
            ("polynomials", lambda v: sumac.srs_commit(bases, v)), ("evaluation points", lambda v: sumac.srs_open(bases, vector, v)),
            ("vector", vector.add, vector.copy_from, lambda v: vector.gather(v, [0])), ("addend", lambda v: vector.multiply_add(vector, v)),
            ("out", lambda v: vector.add(vector, out=v)), ("slice", lambda s: vector.copy_from(vector, s)),
            ("points", lambda v: sumac.bases_of(context, v)), ("for", lambda b: sumac.msm_vectors(b, vector)),
            ("results", lambda v: sumac.msm_vectors(bases, vector, 4, results=v)), ("key", lambda v: sumac.Groth16Key(context, "/", verifying=v)),
            ("bases", lambda o: sumac.plan(context, CURVE, 1, o)), ("msm", lambda o: sumac.plan(context, CURVE, 1, msm=o)),
            ("scalars", CURVE.scalars, lambda v: sumac.Vector.wrap(context, CURVE, v)), ("path", bases.save),
            ("result", lambda p: sumac.partial_combine(context, CURVE, p)), ("curve", sumac.Curve)):
        for function in functions:
            for wrong in (7, object(), [object()]):
                with pytest.raises(TypeError, match=what):
                    function(wrong)
    assert sumac.plan(context, CURVE, 8, None, None)["name"] == "auto"


def test_random_calls(data):
    """Run a short form of fuzz.py. tests/README.md describes the long form."""
    done = subprocess.run([sys.executable, "-B", os.path.join(os.path.dirname(__file__), "fuzz.py"), str(data), "1500"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-5000:]


def test_text(context, tmp_path):
    """Strings with characters that can't be encoded are refused."""
    verifying = sumac.Groth16VerifyingKey.__new__(sumac.Groth16VerifyingKey)
    for call in (lambda: sumac.curve("\ud800"), lambda: sumac.Bases.open(context, CURVE, "\ud800"), lambda: sumac.plan(context, CURVE, 8, None, {"tuning": "\ud800"}),
                 lambda: sumac.Bases.open(context, CURVE, tmp_path / "none", "\ud800"),
                 lambda: verifying._decode(context, None, "\ud800", "snarkjs", "name", 1)):
        with pytest.raises(errors.BadArgument, match="has a character that"):
            call()
    assert verifying.closed


def test_proofs_elsewhere(context, data):
    """Memory of a GPU is refused for proofs, because the host writes them."""
    key = sumac.Groth16Key(context, data / "groth16" / "tiny-bn254" / "key.zkey")
    witness = key.witness(data / "groth16" / "tiny-bn254" / "witness.wtns")
    with pytest.raises(errors.BadArgument, match="out lies on a GPU"):
        key.prove(witness, out=Gpu(shape=(key.info.proof_bytes,)))
    for shape in ((-1,), (2, -4), "a", (1.5, None)):
        with pytest.raises(TypeError, match="as NVIDIA describes"):
            key.prove(witness, out=Gpu(shape=shape))


def test_weights_of_devices():
    """Each listed device needs a weight, because the library reads as many weights as devices."""
    for options in ({"devices": "all", "device_weights": [1]}, {"devices": [0, 0], "device_weights": [1]}, {"device_weights": [1]},
                    {"devices": numpy.array([0, 0]), "device_weights": numpy.array([1])}, {"devices": [], "device_weights": []}):
        with pytest.raises(errors.BadArgument):
            sumac.Context(backend="cpu", **options)
    assert sumac.Context(backend="cpu", devices=numpy.array([0, 0]), device_weights=(1, 2)).devices == ["", ""]


def test_files(context, tmp_path):
    (tmp_path / "short").write_bytes(b"abc")
    for path, error in ((tmp_path / "none", errors.CannotOpen), (tmp_path, errors.CannotOpen), ("a\0b", errors.BadArgument),
                        (7, TypeError), (tmp_path / "short", errors.Error)):
        with pytest.raises(error):
            sumac.Bases.open(context, CURVE, path)
    with pytest.raises(errors.UnknownFormat):
        sumac.Bases.open(context, CURVE, tmp_path / "short", "no such")
    bases = sumac.Bases.known(context, CURVE, 4, 1)
    with pytest.raises(OSError):
        bases.save(tmp_path / "no" / "folder")
    with pytest.raises(errors.UnknownFormat):
        sumac.points_encode(context, CURVE, bases.points(), "no such")
    with pytest.raises(errors.BadLength):
        sumac.points_decode(context, CURVE, b"abc", "raw")
    with pytest.raises(errors.BadFile):
        sumac.Groth16Key(context, b"abc")
    with pytest.raises(errors.BadFile):
        sumac.Groth16VerifyingKey(context, b"{}")


def test_vectors(context):
    vector = sumac.Vector(context, CURVE, 4)
    for function, error in ((lambda: vector.set([1] * 5), errors.BadArgument), (lambda: vector.set([CURVE.order]), errors.BadEncoding),
                            (lambda: vector.get(3, 2), errors.BadArgument), (lambda: vector.get(-1), errors.BadArgument),
                            (lambda: vector.ntt(length=3), errors.BadArgument), (lambda: vector.ntt(shift=0), errors.BadArgument),
                            (lambda: vector.ntt(shift="a"), TypeError), (lambda: vector.ntt(shift=-1), errors.BadArgument),
                            (lambda: vector.sum(3), errors.BadLength), (lambda: vector.gather(vector, [0]), errors.BadArgument),
                            (lambda: vector.fill(None), errors.BadArgument), (lambda: vector.fill(b"abc"), errors.BadLength),
                            (lambda: sumac.Vector(context, CURVE, -1), errors.BadArgument),
                            (lambda: sumac.Vector(context, CURVE, 2**62), MemoryError),
                            (lambda: sumac.Vector(context, CURVE, 1, "things"), errors.BadArgument),
                            (lambda: vector.add(sumac.Vector(context, CURVE, 4, "points")), errors.BadArgument)):
        with pytest.raises(error):
            function()
    assert vector.integers() == [0] * 4


def test_closed(context, bases, scalars):
    vector, prepared = sumac.Vector(context, CURVE, 4), bases.prepare()
    other = sumac.Bases.known(context, CURVE, 8, 2)
    expected = other.msm(scalars).tobytes()
    for thing, call in ((vector, vector.get), (vector, lambda: len(vector)), (prepared, lambda: prepared.run(scalars)), (bases, lambda: bases.msm(scalars)), (bases, bases.points),
                        (bases, bases.prepare), (bases, bases.plan)):
        thing.close()
        assert thing.closed
        thing.close()
        with pytest.raises(errors.BadArgument, match="closed"):
            call()
        with pytest.raises(errors.BadArgument), thing:
            pass
    # Objects of a closed context remain usable with another context.
    prepared = other.prepare()
    context.close()
    with pytest.raises(errors.BadArgument, match="the context is closed"):
        other.msm(scalars)
    with pytest.raises(errors.BadArgument, match="the context is closed"):
        prepared.run(scalars)
    with pytest.raises(errors.BadArgument, match="the context is closed"):
        context.backend
    with sumac.Context(backend="cpu", threads=1) as another:
        assert other.msm(scalars, context=another).tobytes() == expected
    for thing in (context, other, CURVE):
        if thing is not CURVE:
            with pytest.raises(TypeError, match="pickled"):
                pickle.dumps(thing)
    assert pickle.loads(pickle.dumps(CURVE)) is CURVE


def test_freed_in_any_order(scalars):
    """Python frees objects without references, also in cycles. The library's object is freed only after the objects that need
    it."""
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        context = sumac.Context(backend="cpu", threads=2)
        bases = sumac.Bases.known(context, CURVE, 8, 1)
        prepared = bases.prepare()
        prepared.itself = prepared
        things = [context, bases, prepared]
        gone = [weakref.ref(thing) for thing in things]
        del context, bases, prepared
        for which in order:
            things[which] = None
        gc.collect()
        assert [r() for r in gone] == [None] * 3
    for closing in range(3):
        context = sumac.Context(backend="cpu", threads=2)
        bases = sumac.Bases.known(context, CURVE, 8, 1)
        prepared = bases.prepare()
        (context, bases, prepared)[closing].close()
        if closing == 1:
            prepared.run(scalars)  # it holds context and bases


def test_closed_in_a_call():
    """A thread closes objects that another thread's call uses."""
    n = 2**12
    for _ in range(3):
        context = sumac.Context(backend="cpu", threads=2)
        bases, results = sumac.Bases.known(context, CURVE, n, 1), []
        scalars = sumac.known_logarithms(context, CURVE, n, 2)
        expected = bases.msm(scalars).tobytes()
        thread = threading.Thread(target=lambda: results.append(bases.msm(scalars).tobytes()))
        thread.start()
        time.sleep(0.005)
        context.close()
        bases.close()
        thread.join()
        assert results == [expected] or not results  # if the call had not begun, the thread got the error


def test_two_threads(bases, scalars):
    """A context serves one call at a time. A second call is refused with a sentence."""
    context = sumac.Context(backend="cpu", threads=1)
    n = 2**13
    many = sumac.Bases.known(context, CURVE, n, 1)
    numbers = sumac.known_logarithms(context, CURVE, n, 2)
    expected, outcomes = many.msm(numbers).tobytes(), []

    def work():
        for _ in range(3):
            try:
                outcomes.append(many.msm(numbers).tobytes() == expected)
            except errors.Busy as error:
                outcomes.append("in use by another call" in str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True] * 12


@pytest.mark.parametrize("progress", [None, lambda done: None])
def test_cancel(progress):
    """Another thread cancels the running call, but no later call."""
    context = sumac.Context(backend="cpu", threads=2, progress=progress)
    bases, scalars = big(context)
    expected, over = bases.msm(scalars).tobytes(), threading.Event()

    def work():
        while not over.is_set():
            context.cancel()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with pytest.raises(errors.Cancelled, match="the call was cancelled"):
            for _ in range(10000):
                assert bases.msm(scalars).tobytes() == expected
    finally:
        over.set()
        thread.join()
    assert bases.msm(scalars).tobytes() == expected
    context.cancel()
    assert bases.msm(scalars).tobytes() == expected
    context.close()
    with pytest.raises(errors.BadArgument, match="closed"):
        context.cancel()


def test_lock_is_released():
    """Another thread of Python runs during a call."""
    context = sumac.Context(backend="cpu", threads=1)
    bases = sumac.Bases.known(context, CURVE, 2**14, 1)
    numbers, ticks, done = sumac.known_logarithms(context, CURVE, 2**14, 2), [], threading.Event()
    thread = threading.Thread(target=lambda: [ticks.append(time.sleep(0.001)) for _ in iter(done.is_set, True)])
    thread.start()
    before = len(ticks)
    bases.msm(numbers)
    counted = len(ticks) - before
    done.set()
    thread.join()
    assert counted > 0


def test_pools(scalars):
    pool = sumac.Pool(2, backend="cpu", threads=1)
    bases = None
    with pool.take() as first, pool.take(wait=False) as second:
        bases = sumac.Bases.known(first, CURVE, 8, 1)
        assert (bases.msm(scalars, context=second) == bases.msm(scalars)).all()
        with pytest.raises(errors.Busy):
            pool.take(wait=False)
    with pytest.raises(errors.BadArgument):
        first.check()
    third = pool.take()
    third.discard()
    assert third.closed
    taken = pool.take()
    pool.close()
    taken.check()  # the context works until it is given back
    taken.close()
    with pytest.raises(errors.BadArgument):
        pool.take()
    for most in (0, 5000, -1, "a"):
        with pytest.raises((errors.BadArgument, TypeError)):
            sumac.Pool(most, backend="cpu")


def test_pool_among_threads(scalars):
    pool, wrong = sumac.Pool(2, backend="cpu", threads=1), []
    with pool.take() as context:
        bases = sumac.Bases.known(context, CURVE, 8, 1)
        expected = bases.msm(scalars).tobytes()

    def work():
        for _ in range(20):
            with pool.take() as context:
                if bases.msm(scalars, context=context).tobytes() != expected:
                    wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_contexts():
    for options, error in (({"backend": "no such"}, errors.UnknownBackend), ({"backend": 7}, TypeError), ({"threads": -1}, errors.BadArgument),
                           ({"devices": [2**31]}, errors.BadArgument), ({"devices": [0] * 17, "backend": "cpu"}, errors.Error),
                           ({"devices": ["a"]}, TypeError), ({"devices": 7}, TypeError), ({"device_weights": [1, 2], "devices": [0]}, errors.BadArgument),
                           ({"progress": 7}, TypeError), ({"trace": "a"}, TypeError), ({"tuning": "variant=no such", "backend": "cpu"}, errors.Error),
                           ({"nothing": 1}, TypeError), ({"memory_limit": 2**64}, errors.BadArgument)):
        with pytest.raises(error):
            sumac.Context(**options)


def test_missing_engine():
    """Without a GPU or its engine, the error says what is missing."""
    try:
        sumac.Context(backend="cuda")
    except errors.BackendUnavailable as error:
        assert len(str(error)) > 20
    assert sumac.Context().backend in ("cpu", "cuda")


# ---- Callbacks ----


def big(context, n=2**13):
    return sumac.Bases.known(context, CURVE, n, 1), sumac.known_logarithms(context, CURVE, n, 2)


def test_progress():
    seen, stop = [], []

    def progress(done):
        seen.append(done)
        return stop and stop[0]

    context = sumac.Context(backend="cpu", threads=1, progress=progress)
    bases, scalars = big(context)
    expected = bases.msm(scalars).tobytes()
    assert seen and all(0 <= done <= 1 for done in seen)
    stop.append(True)
    with pytest.raises(errors.Cancelled):
        bases.msm(scalars)
    stop.clear()
    assert bases.msm(scalars).tobytes() == expected


class Own(Exception):
    pass


def test_exceptions_in_callbacks():
    raising = []

    def progress(_done):
        if "progress" in raising:
            raise Own("in progress")
        return None

    def trace(event):
        assert event.end >= event.start and event.name
        if "trace" in raising:
            raise Own("in trace")

    context = sumac.Context(backend="cpu", threads=2, progress=progress, trace=trace)
    bases, scalars = big(context)
    expected = bases.msm(scalars).tobytes()
    for what in ("progress", "trace"):
        raising[:] = [what]
        with pytest.raises(Own, match=what):
            bases.msm(scalars)
        raising.clear()
        assert bases.msm(scalars).tobytes() == expected

    def ends(_done):
        raise SystemExit(3)

    with sumac.Context(backend="cpu", threads=1, progress=ends) as context, pytest.raises(SystemExit):
        big(context)
    # One progress function returns an object that has no truth value. Another one makes a call with its own context.
    odd = sumac.Context(backend="cpu", threads=1, progress=lambda _: numpy.zeros(2))
    with pytest.raises(ValueError, match="ambiguous"):
        big(odd)
    inner = []

    def calls(_done):
        with pytest.raises(errors.Busy):
            context.check()
        inner.append(1)

    context = sumac.Context(backend="cpu", threads=1, progress=calls)
    big(context)
    assert inner


@pytest.mark.parametrize("own", [False, True])
def test_interrupt(own):
    """Ctrl-C ends a call, with or without a progress function."""
    context = sumac.Context(backend="cpu", threads=1, **({"progress": lambda done: None} if own else {}))
    bases, scalars = big(context, 2**15)
    timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        timer.start()  # on a busy machine the signal can arrive before this returns
        for _ in range(200):
            bases.msm(scalars)
    timer.join()
    assert time.monotonic() - start < 60
    assert (bases.msm(scalars) == bases.msm(scalars)).all()


# ---- Forks, and the interpreter's end ----


def in_child(function):
    """Run a function in a forked process, and return the text that it reports."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            try:
                words = str(function())
            except BaseException as error:  # noqa: BLE001: the parent reports it
                words = f"{type(error).__name__}: {error}"
            os.write(write, words.encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        words = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return words


def test_fork(bases, scalars):
    """If a CPU context was in no call at the fork, it works in the child."""
    expected = bases.msm(scalars).tobytes()
    assert in_child(lambda: bases.msm(scalars).tobytes() == expected) == "True"
    assert bases.msm(scalars).tobytes() == expected


def test_fork_in_a_call():
    context = sumac.Context(backend="cpu", threads=1)
    bases, scalars = big(context, 2**15)
    ready, results = threading.Event(), []

    def work():
        ready.set()
        results.append(bases.msm(scalars))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    while not context._owned.calls:
        pass
    words = in_child(lambda: bases.msm(scalars))
    thread.join()
    assert words.startswith("BadArgument: the context is of no use here: this process was forked"), words

    def closes():
        context.close()
        with sumac.Context(backend="cpu", threads=1) as another:
            return bases.msm(scalars, context=another).tobytes() == results[0].tobytes()

    assert in_child(closes) == "True"


def test_fork_of_a_device(context):
    """If a context is marked as a GPU's, it can't be used after a fork."""
    context._owned.on_device = True
    assert "was forked" in in_child(lambda: context.backend)
    context._owned.on_device = False


def run(program, **environment):
    return subprocess.run([sys.executable, "-X", "dev", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(sumac.__file__)), **environment})


def test_end_of_the_interpreter():
    """The interpreter ends while objects are open, some of which a daemon thread uses."""
    done = run("import sumac_msm as sumac, threading\n"
               "context = sumac.Context(backend='cpu', threads=2)\n"
               f"bases = sumac.Bases.known(context, '{NAME}', 5000, 1)\n"
               "prepared, pool = bases.prepare(), sumac.Pool(2, backend='cpu')\n"
               "held = pool.take()\n"
               f"scalars = sumac.known_logarithms(context, '{NAME}', 5000, 1)\n"
               "threading.Thread(target=lambda: bases.msm(scalars), daemon=True).start()\n"
               "print('good')\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "good\n", "")


def test_missing_library(tmp_path):
    done = run("import sumac_msm as sumac", LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 1 and "ImportError: sumac's library is not found" in done.stderr
    assert re.search(r"install sumac, .*or set LD_LIBRARY_PATH=PREFIX/lib", done.stderr.splitlines()[-1])
    (tmp_path / os.path.basename(sumac._library._NAME)).write_bytes(b"no library")
    done = run("import sumac_msm as sumac", LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 1 and "ImportError" in done.stderr
