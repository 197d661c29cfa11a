# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests check that the package as a whole is complete and documented, has the headers' layout, and copies nothing."""
import gc
import inspect
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import types

import pytest

import sumac_msm as sumac
from conftest import ROOT
from sumac_msm import _interface, _library

PACKAGE = ROOT / "bindings" / "python"


def test_complete():
    """The package calls every function of the interface, except those that Python does not need."""
    text = "".join(path.read_text() for path in (PACKAGE / "sumac_msm").glob("*.py") if path.name != "_declarations.py")
    functions = {name for name in dir(_library.lib) if name.startswith("sumac_")}
    used = set(re.findall(r"\blib\.(sumac_\w+)", text))
    assert functions - used == {"sumac_version_number", "sumac_status_is_machine_fault", "sumac_vectors_ntt"}
    assert used <= functions
    for name in functions:
        getattr(_library.lib, name)  # the library has it


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_layout(tmp_path):
    """Sizes, offsets and values equal those that a C compiler finds in the headers."""
    lines, expected = [], []
    ffi = _library.ffi
    headers = "".join(path.read_text() for path in (ROOT / "include" / "sumac").glob("*.h") if path.name != "mpi.h")
    for name in re.findall(r"^typedef struct (\w+) \{", headers, re.M):
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        expected.append(ffi.sizeof(name))
        for field, _ in ffi.typeof(name).fields:
            lines.append(f'printf("%zu\\n", offsetof({name}, {field}));')
            expected.append(ffi.offsetof(name, field))
    for name in re.findall(r"^typedef enum (\w+) \{", headers, re.M):
        for value, word in ffi.typeof(name).elements.items():
            lines.append(f'printf("%d\\n", (int){word});')
            expected.append(value)
    for name, value in vars(_interface).items():
        if isinstance(value, int) and name.isupper():
            lines.append(f'printf("%llu\\n", (unsigned long long)SUMAC_{name});')
            expected.append(value)
    headers = "".join(f"#include <sumac/{h}.h>\n" for h in ("sumac", "pool", "vector", "pairing", "srs", "kzg", "groth16", "experimental", "plonk"))
    (tmp_path / "layout.c").write_text(f"#include <stdio.h>\n#include <stddef.h>\n{headers}int main(void) {{ {' '.join(lines)} }}")
    subprocess.run(["cc", "-I", str(ROOT / "include"), str(tmp_path / "layout.c"), "-o", str(tmp_path / "layout")], check=True)
    found = subprocess.run([str(tmp_path / "layout")], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    assert [int(x) for x in found] == expected and len(expected) > 200


def test_errors():
    """Every status except success has a class. If Python has a class for such an error, the class derives from it."""
    for status in sumac.Status:
        if status != sumac.Status.OK:
            error = sumac.errors.error_of(status, "a sentence")
            assert type(error) is not sumac.Error and error.status == status and str(error) == "a sentence"
    assert sumac.errors.error_of(999, "of a newer library").status == 999
    assert issubclass(sumac.errors.CannotOpen, OSError) and issubclass(sumac.errors.BadLength, ValueError)


def test_documented():
    """Everything public has a docstring and annotations."""
    assert (PACKAGE / "sumac_msm" / "py.typed").exists()
    # The list of names is written out, because type checkers read it.
    public = {name for name, value in vars(sumac).items() if name[0] != "_" and not isinstance(value, types.ModuleType)}
    assert {*sumac.__all__} == public - {"annotations"} | {"errors"}
    for name in sumac.__all__:
        thing = getattr(sumac, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, name
        if inspect.isclass(thing) and issubclass(thing, _library.Handle):
            for member, function in vars(thing).items():
                if member.startswith("_"):
                    continue
                function = function.fget if isinstance(function, property) else getattr(function, "__func__", function)
                assert "return" in function.__annotations__, (name, member)
                assert function.__doc__ or member == "curve", (name, member)


@pytest.mark.parametrize("folder", (PACKAGE, PACKAGE.parents[1]))
def test_example(tmp_path, folder):
    """The example of the package's README must print the output below it, and so must the example of the repository's
    README."""
    code, output = re.search(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", (folder / "README.md").read_text(), re.S).groups()
    if len([c for c in sumac.curves() if c.name in ("bn254", "bls12-381")]) < 4:
        pytest.skip("the library has not both groups of both curves")
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
                          cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(pathlib.Path(sumac.__file__).parents[1])})
    assert done.stdout == output


COPIES = """
import resource, sumac_msm as sumac, numpy
context = sumac.Context(backend="cpu", threads=1, memory_limit=64 << 20)
curve, n = sumac.curves()[0], 2**20
bases = sumac.Bases.known(context, curve, 2**10, 1)
offsets = numpy.arange(0, n + 1, 2**10, dtype=numpy.uint64)
small = numpy.zeros((2**10, curve.scalar_bytes), numpy.uint8)
out = numpy.empty((2**10, curve.point_bytes), numpy.uint8)
scalars = numpy.ones((n, curve.scalar_bytes), numpy.uint8)
bases.msm(small, batch=1, out=out[:1])
bases.msm(scalars[:2**15], batch=2**5, out=out[:2**5])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
bases.msm(scalars, batch=2**10, tuning="c=4", scalar_bits=8, cut_scalars=True, out=out)
bases.prepare(2**10, batch=2**10, tuning="c=4", scalar_bits=8, cut_scalars=True).run(scalars, out=out)
print(scalars.nbytes // 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_no_copies():
    """2^20 numpy scalars are not copied, so the peak of memory grows by less than their size."""
    done = subprocess.run([sys.executable, "-c", COPIES], stdout=subprocess.PIPE, check=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(sumac.__file__).parents[1])})
    scalars, grown = (int(x) for x in done.stdout.split())
    assert scalars == 2**20 * 32 // 1024 and grown < scalars / 2, f"{grown} KiB more, and the scalars take {scalars}"


def test_no_leaks():
    """Creating objects repeatedly does not grow memory."""
    def many(count):
        for _ in range(count):
            with sumac.Context(backend="cpu", threads=2) as context:
                bases = sumac.Bases.known(context, sumac.curves()[0], 1000, 1)
                bases.prepare(batch=1).run(sumac.known_logarithms(context, sumac.curves()[0], 1000, 1))
                bases.plan()
                context.pinned(2**16)
                try:
                    bases.msm(b"abc")
                except sumac.Error:
                    pass

    many(30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    many(100)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 << 10


def test_calls_keep_nothing():
    """A call leaves no block of Python's memory. Only the interpreter's free lists grow, by at most 150 blocks for any number
    of calls. A garbage collection would empty them, but none runs here."""
    curve = sumac.curves()[0]
    with sumac.Context(backend="cpu", threads=1) as context:
        bases, scalars = sumac.Bases.known(context, curve, 8, 1), bytes(8 * curve.scalar_bytes)
        prepared = bases.prepare()

        def many(count):
            before = sys.getallocatedblocks()
            for _ in range(count):
                bases.msm(scalars)
                prepared.run(scalars)
                try:
                    bases.msm(scalars[1:])
                except sumac.Error:
                    pass
            return sys.getallocatedblocks() - before

        gc.collect()
        gc.disable()
        try:
            many(1000)
            grown = many(600)
            assert grown < 60, grown
        finally:
            gc.enable()


def test_gpu():
    """Scalars and results lie on a GPU, and are passed by __cuda_array_interface__ and DLPack. Without a GPU this is
    skipped."""
    try:
        sumac.Context(backend="cuda")
    except sumac.Error as error:
        pytest.skip(str(error))
    numpy, cupy = pytest.importorskip("numpy"), pytest.importorskip("cupy")
    context, curve, n = sumac.Context(backend="cuda"), sumac.curves()[0], 1000
    bases, scalars = sumac.Bases.known(context, curve, n, 1), sumac.known_logarithms(context, curve, n, 2)
    expected = sumac.known_answer(context, curve, scalars, sumac.known_logarithms(context, curve, n, 1))
    given = cupy.asarray(scalars)
    out = cupy.zeros(curve.point_bytes, numpy.uint8)
    cupy.cuda.runtime.deviceSynchronize()

    class Dlpack:
        __dlpack__, __dlpack_device__ = given.__dlpack__, given.__dlpack_device__

    for way in (scalars, given, Dlpack()):
        assert (bases.msm(way) == expected).all()
    bases.msm(given, out=out)
    assert (cupy.asnumpy(out) == expected).all()
    points = cupy.asarray(bases.points())
    cupy.cuda.runtime.deviceSynchronize()
    assert (sumac.Bases(context, curve, points).msm(given) == expected).all()
    stream = cupy.cuda.Stream()
    out[:] = 0
    cupy.cuda.runtime.deviceSynchronize()
    context.set_stream(stream.ptr)
    assert bases.msm(given, out=out) is out
    context.wait()
    context.set_stream(None)
    assert (cupy.asnumpy(out) == expected).all()


def test_what_queued_calls_hold():
    """An object of a queued call is freed after the context of the call, which waits for the call. This holds for any order in
    which Python frees them."""
    order = []
    context, bases = _library.Owned("context", order.append), _library.Owned("bases", order.append)
    context.hold(bases)
    del bases
    assert order == []
    del context
    assert order == ["context", "bases"]
    context, first, second = (_library.Owned(name, order.append) for name in ("context", "first", "second"))
    order.clear()
    context.hold(first)
    context.hold(second, first)
    del first, second
    assert order == []
    context.let_go()
    assert order == ["first", "second"]


WITHOUT_NUMPY = """
import array, sys
sys.modules["numpy"] = None
import sumac_msm as sumac
context, curve = sumac.Context(backend="cpu", threads=1), sumac.curve("bn254")
bases = sumac.Bases(context, curve, curve.generator() * 4)
single = bases.msm([1, 2, 4, 3])
assert type(single) is memoryview and single.shape == (curve.point_bytes,)
assert single == bases.msm(curve.scalars([10, 0, 0, 0])) == bases.prepare().run([4, 3, 2, 1])
batch = bases.msm([1, 2, 4, 3, 10, 0, 0, 0], batch=2)
assert batch.shape == (2, curve.point_bytes) and batch.tobytes() == 2 * single.tobytes()
offsets = array.array("Q", [0, 4, 5])
assert bases.msm([1, 2, 4, 3, 10], offsets=offsets).tobytes() == 2 * single.tobytes()
vector = sumac.Vector(context, curve, 4).set([1, 2, 3, 4], byte_order="big_endian")
assert vector.ntt().ntt(inverse=True).integers() == [1, 2, 3, 4] and vector.get().shape == vector.memory.shape == (4, curve.scalar_bytes)
assert vector.get(0, 0).nbytes == 0
assert sumac.points_decode(context, curve, curve.generator()).tobytes() == curve.generator()
class Tensor:
    __dlpack__ = None
    def __dlpack_device__(self): return 1, 0
try:
    bases.msm(Tensor())
except TypeError as error:
    print(error)
"""


def test_without_numpy():
    """Without numpy, results are memoryviews of the same shapes."""
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], stdout=subprocess.PIPE, text=True, check=True, cwd=PACKAGE)
    assert run.stdout == "scalars are handed over by DLPack on the host, which takes numpy, and numpy is not installed\n"
