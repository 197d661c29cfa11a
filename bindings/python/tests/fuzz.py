#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Make the random calls of tools/fuzz_calls.py.

  fuzz.py DATA-FOLDER [CALLS [SEED [FIRST]]]

A call must return, or a `raise` of the package must raise a sumac.Error or a TypeError with a sentence. Any other outcome is
printed, and the exit status is then 1. A crash, or a call of more than a minute, ends the program. The first line of the output
names a file. It then contains the number of the last call, which SEED and FIRST repeat. If the library runs under
AddressSanitizer, nothing may be written or read out of bounds (tests/README.md).
"""
import array
import collections
import ctypes
import faulthandler
import gc
import json
import os
import pathlib
import shutil
import sys
import tempfile
import traceback

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bindings" / "python"), str(ROOT / "tools")]

import fuzz_calls  # noqa: E402
import gen_bindings  # noqa: E402

gen_bindings.main(["python", str(ROOT / "bindings" / "python" / "sumac_msm")])
import sumac_msm as sumac  # noqa: E402

PACKAGE = os.path.dirname(sumac.__file__)


def objects_of(folder):
    """Make the initial objects of the calls, by their kinds. Each list has the order that fuzz_calls.py expects."""
    context = sumac.Context(backend="cpu", threads=1)
    made = collections.defaultdict(list, Context=[context], Pool=[sumac.Pool(2, backend="cpu", threads=1)])
    for w, (name, group, size) in enumerate(fuzz_calls.WORLDS):
        curve = sumac.curve(name, group)
        points, scalars = ((folder / f"{what}{w}").read_bytes() for what in ("points", "scalars"))
        bases = sumac.Bases(context, curve, points)
        bases.save(folder / f"table{w}")
        (folder / f"partial{w}").write_bytes(bases.msm_partial(scalars))
        fk20 = sumac.Fk20(context, bases, fuzz_calls.N)
        fk20.save(folder / f"fk20{w}")
        made["Curve"].append(curve)
        made["Point"].append(curve.generator())
        made["Bases"].append(bases)
        made["Vector"] += [sumac.Vector.of(context, curve, *given) for given in (
            (scalars,), (points, "points"), (scalars[:curve.scalar_bytes],), (points[:size], "points"), (scalars,))]
        made["Fk20"].append(fk20)
        made["PreparedMsm"].append(bases.prepare())
        made["PairingPoints"].append(sumac.PairingPoints(context, name, (folder / f"g2{w}").read_bytes()))
    made["Vector"].append(sumac.Vector.of(context, "bn254", (folder / "witness").read_bytes()))
    made["KzgSetup"].append(sumac.KzgSetup.open(context, folder / "trusted_setup.txt", check="none", cells=1))
    made["Groth16Key"].append(sumac.Groth16Key(context, folder / "key.zkey"))
    made["Groth16VerifyingKey"].append(made["Groth16Key"][0].verifying)
    made["PlonkKey"].append(sumac.PlonkKey(context, folder / "plonk_key.zkey"))
    made["PlonkVerifyingKey"].append(made["PlonkKey"][0].verifying)
    return made


def odd_value(number, objects):
    """Return a value of a wrong type."""
    index, bad_index = (type("Index", (), {"__index__": lambda _, answer=answer: answer})() for answer in (7, "7"))
    values = [None, True, 7, -1, 1.5, "", "text", "a\0b", "\ud800", b"", b"abc", (), [], {}, {"c": 4}, {7: 1}, object(), object, int, lambda: None, index,
              bad_index, ..., 3 + 4j, range(2**63), 10**400, [None], ["a"] * 3, [[b"abc"]], iter([1]), (1 for _ in ()), numpy.uint64(2**64 - 1), numpy.int8(-1),
              numpy.float32(1), numpy.arange(20, dtype=numpy.uint64)[::2], numpy.array([1, 2, 3], ">u8"), memoryview(bytes(64)).cast("Q"), bytearray(64),
              sumac.Slice(2**64, -1, 7, 2**63), sumac.Slice("a", 1), *(kept[0] for kept in objects.values())]
    return values[number % len(values)]


def odd_bytes(number, given):
    """Put bytes into a container that the package may refuse."""
    size = len(given)
    words = numpy.frombuffer(given + bytes(-size % 8), numpy.uint8)

    def released():
        view = memoryview(given)
        view.release()
        return view

    def lying(kind, length):
        says = {"__len__": lambda _: length, "__bytes__": lambda _: b"", "__iter__": lambda _: iter(())}
        return type("Liar", (kind,), says)

    class Gpu:
        __cuda_array_interface__ = {"shape": [(size,), (-1,), (2**40,), (size, -8), ()][number % 5], "typestr": ["|u1", "<u8", ">u4", "u", 7][number % 7 % 5],
                                    "data": ([4096, 0, -1, 2**64, None][number % 3], False), "version": 3, **[{}, {"strides": (1,)}, {"stream": 5}][number % 3]}

    dlpack = type("Dlpack", (), {"__dlpack_device__": lambda _: (number % 5, 0), "__dlpack__": lambda *_, **__: None})
    makers = [
        released, lambda: lying(bytearray, size)(given[:size // 2]), lambda: lying(list, 1)([given]), Gpu, Gpu, dlpack, lambda: bytearray(given), lambda: memoryview(b"x" + given)[1:],
        lambda: memoryview(given)[::2], lambda: memoryview(given)[::-1], lambda: array.array("Q", words.view(numpy.uint64).tolist()),
        lambda: (ctypes.c_int32 * (size // 4))(), lambda: (ctypes.c_double * 4)(), lambda: [given], lambda: [given, given], lambda: [given, None],
        lambda: iter([given]), lambda: {given: 1}, lambda: numpy.zeros((0, 5), numpy.uint8), lambda: numpy.array(3, numpy.uint64), lambda: words.astype(object),
        lambda: words.reshape(-1, 8).T, lambda: words.reshape(-1, 8)[:, ::2], lambda: words.reshape(1, 1, -1), lambda: words.view([("a", "u4"), ("b", "u4")]),
        *(lambda kind=kind: words.view(kind) for kind in ("u8", "i8", ">u8", "f8", "?", "M8[s]", "S8", "u4"))]
    return makers[number % len(makers)]()


class Fuzzer:
    def __init__(self, folder):
        self.folder, self.results = folder, [b""]
        self.closed = objects_of(folder)
        for kept in self.closed.values():
            for thing in kept:
                if not isinstance(thing, (sumac.Curve, sumac.Point)):
                    thing.close()
        self.objects = objects_of(folder)
        self.lasting = {kind: len(kept) for kind, kept in self.objects.items()}

    def object(self, number, of):
        kept = (self.closed if number == -1 else self.objects)[of]
        return None if number == -2 else kept[number % len(kept)]

    def bytes(self, number):
        return self.results[number % len(self.results)] if isinstance(number, int) else (self.folder / number).read_bytes()

    def value(self, given):
        if isinstance(given, list):
            return [self.value(one) for one in given]
        if isinstance(given, str) and given.startswith("@"):
            return self.folder / given[1:]
        if not isinstance(given, dict):
            return given
        if "o" in given:
            return self.object(given["o"], given["of"])
        if "s" in given:
            return {name: self.value(one) for name, one in given["s"].items()}
        if "odd" in given:
            return odd_value(given["odd"], self.objects)
        found = bytearray(self.bytes(given["b"]) * given.get("times", 1))
        if "size" in given:
            found = found[:given["size"]] + bytes(max(0, given["size"] - len(found)))
        if "fill" in given:
            found[:] = bytes([given["fill"]]) * len(found)
        if "flip" in given and found:
            found[given["flip"] // 8 % len(found)] ^= 1 << given["flip"] % 8
        return odd_bytes(given["as"], bytes(found)) if "as" in given else bytes(found)

    def call(self, form, named, on, given):
        """Make a call and return its outcome: "done", or the error's kind. If there is no object on which to call it, return
        None."""
        owner, _, name = form.rpartition(".")
        receiver = getattr(sumac, owner) if owner else sumac
        if on is not None:
            receiver = self.object(on["o"], on["of"])
            if name == "close":
                if len(self.objects[owner]) <= self.lasting[owner]:
                    return None
                receiver = self.objects[owner].pop()
        positional, keywords = [], {}
        for parameter, value in zip(named, map(self.value, given or [])):
            if parameter == "**":
                keywords = {**(value if isinstance(value, dict) and all(isinstance(key, str) for key in value) else {"nothing": 1}), **keywords}
            elif parameter.startswith("="):
                keywords[parameter[1:]] = value
            else:
                positional.append(value)
        keywords = {name: value for name, value in keywords.items() if name not in named}
        if receiver is None:
            return None
        try:
            found = getattr(receiver, name)
            self.keep(found if given is None else found(*positional, **keywords))
            return "done"
        except BaseException as error:  # noqa: BLE001: every exception is judged below
            last = traceback.extract_tb(error.__traceback__)[-1]
            # The package itself must have raised the error, with a sentence.
            if not (isinstance(error, (sumac.Error, TypeError)) and len(str(error)) > 10 and os.path.dirname(last.filename) == PACKAGE and
                    (last.line or "").startswith("raise ")):
                print(f"fuzz: {form}({[str(value)[:100] for value in positional]}, {str(keywords)[:400]})", file=sys.stderr)
                traceback.print_exc()
                return "FAILED"
            return "TypeError" if isinstance(error, TypeError) else "sumac.Error"

    def keep(self, result):
        for one in result if isinstance(result, tuple) else [result]:
            kind = type(one).__name__
            if kind in ("Pool", "Context", "PooledContext"):
                one.close()
            elif kind in self.lasting and one not in self.objects[kind]:
                del self.objects[kind][self.lasting[kind] + 5:]
                self.objects[kind].append(one)
            elif isinstance(one, (bytes, numpy.ndarray)):
                self.results = [bytes(one), *self.results[:20]]


def main(data, calls="1500", seed="1", first="0"):
    faulthandler.enable()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sumac-fuzz-"))
    progress = os.open(f"{folder}.last", os.O_CREAT | os.O_WRONLY)
    print(f"the number of the last call is in {folder}.last")
    try:
        fuzz_calls.main("python", data, folder, calls, seed, first)
        os.chdir(folder)  # the calls' random paths name files in it
        fuzzer, outcomes, called = Fuzzer(folder), collections.Counter(), collections.Counter()
        for line in (folder / "calls.json").read_text().splitlines():
            number, *call = json.loads(line)
            os.pwrite(progress, b"%12d" % number, 0)
            faulthandler.dump_traceback_later(60, exit=True)
            outcome = fuzzer.call(*call)
            faulthandler.cancel_dump_traceback_later()
            outcomes[outcome] += 1
            called[call[0]] += outcome == "done"
            if outcome == "FAILED":
                print(f"fuzz: that was call {number} of seed {seed}", file=sys.stderr)
            if number % 200 == 199:
                gc.collect()
        print(f"{calls} calls of seed {seed} of {len(called)} functions and properties: {dict(outcomes)}; never with a result: "
              f"{' '.join(form for form in called if not called[form]) or 'none'}")
        os.unlink(f"{folder}.last")
        return int("FAILED" in outcomes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
