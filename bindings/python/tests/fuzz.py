#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random calls of the package, right ones of which some arguments are made wrong. What a call takes is asked of the package
itself; the fields of options, and what they are, come from the headers by _interface.py, the numbers from tools/fuzz_table.py.

  fuzz.py DATA-FOLDER [CALLS [SEED [FIRST]]]

A call returns, or raises a sumac.Error or a TypeError with a sentence by a `raise` of the package's own. Anything else is printed,
and makes the exit status 1; a crash and a call of more than a minute end the program, with what repeats the call: SEED and FIRST. With the library under
AddressSanitizer nothing may be written or read out of bounds (tests/README.md).
"""
import array
import ctypes
import gc
import inspect
import mmap
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bindings" / "python"), str(ROOT / "tools")]
MOST_SECONDS = 60
N = 8


def watch(child, progress, seed):
    """The end of the process that makes the calls: its status, and which call was its last if it did not end well."""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        number, begun = struct.unpack("qd", progress[:16])
        if not ended:
            if begun and time.time() - begun > MOST_SECONDS:
                os.kill(child, signal.SIGKILL)
                print(f"fuzz: call {number} of seed {seed} takes more than {MOST_SECONDS} seconds", file=sys.stderr)
                os.waitpid(child, 0)
                return 1
            time.sleep(0.2)
            continue
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            print(f"fuzz: ended with {code} in call {number} of seed {seed}", file=sys.stderr)
        return 0 if code == 0 else 1


class Calls:
    """Calls of a seed, and the objects that they are made with."""

    def __init__(self, data, seed, folder):
        import numpy
        import sumac
        from sumac import _interface, _library
        import fuzz_table
        self.sumac, self.numpy, self.data, self.seed, self.folder = sumac, numpy, data, seed, folder
        self.numbers = fuzz_table.table()["numbers"]
        self.kinds = _interface.OPTIONS
        # MsmOptions: sumac_msm_config, by what its documentation says.
        self.structs = {name: re.search(r"sumac_\w+", given.__doc__).group() for name, given in vars(_interface).items()
                        if name.endswith("Options") and isinstance(given.__annotations__, dict)}
        self.options = {name: list(getattr(_interface, name).__annotations__) for name in self.structs}
        self.enums = {name: value for name, value in vars(_interface).items() if isinstance(value, type) and hasattr(value, "__members__")}
        self.package = os.path.dirname(sumac.__file__)
        self.random = random.Random()
        self.context = context = sumac.Context(backend="cpu", threads=1)
        self.pool = sumac.Pool(2, backend="cpu", threads=1)
        groth = data / "groth16" / "tiny-bn254"
        self.setup_file = data / "kzg" / "trusted_setup.txt"
        self.setup = sumac.KzgSetup.open(context, self.setup_file, check="none").make_tables()
        points = [bytes.fromhex(word) for word in self.setup_file.read_text().split()[2:]]
        self.setup_points = {"g1_lagrange": points[:4096], "g2_monomial": points[4096:4161], "g1_monomial": points[4161:]}
        self.key = sumac.Groth16Key(context, groth / "key.zkey")
        self.verifying = self.key.verifying
        self.groth = {name: groth / name for name in ("key.zkey", "witness.wtns", "public.json", "verification_key.json", "circuit.r1cs")}
        self.witness = self.key.witness(groth / "witness.wtns").tobytes()
        self.publics = self.verifying.publics_from_json((groth / "public.json").read_text())
        self.proof = self.key.prove(self.witness).tobytes()
        blob = (data / "kzg" / "blob.bin").read_bytes()
        commitment = self.setup.commit(blob).tobytes()
        cells, cell_proofs = self.setup.compute_cells_and_proofs(blob)
        self.kzg = {"blob": blob, "commitment": commitment, "proof": self.setup.compute_blob_proof(blob, commitment).tobytes(),
                    "cells": cells.tobytes(), "cell_proofs": cell_proofs.tobytes()}
        self.worlds = [self.world("bn254", "g1"), self.world("bls12-381", "g1"), self.world("bn254", "g2")]
        self.closed = self.closed_objects()
        self.forms = list(self.find_forms())
        self.frames = (_library, sumac)

    # ---- Objects that fit each other ----

    def world(self, name, group):
        sumac, context, made = self.sumac, self.context, {}
        made["curve"] = curve = sumac.curve(name, group)
        made["name"] = name if group == "g1" else curve
        made["bases"] = bases = sumac.Bases.known(context, curve, N, 1)
        made["points"] = bases.points().tobytes()
        made["scalars"] = scalars = sumac.known_logarithms(context, curve, N, 2).tobytes()
        made["vector"] = lambda: sumac.Vector.of(context, curve, scalars)
        made["point_vector"] = lambda count=N: sumac.Vector.of(context, curve, made["points"][:count * curve.point_bytes], "points")
        made["partial"] = bases.msm_partial(scalars)
        made["prepared"], made["plan"] = bases.prepare(), bases.plan()
        made["fk20"] = sumac.Fk20(context, bases, N)
        made["pairs"] = [sumac.curve(name, which).generator().tobytes() for which in ("g1", "g2")]
        made["pairing_points"] = sumac.PairingPoints(context, name, made["pairs"][1])
        made["files"] = files = {what: self.folder / f"{name}-{group}.{what}" for what in ("points", "table", "scalars", "fk20")}
        bases.save(files["points"], "raw")
        bases.save(files["table"])
        made["fk20"].save(files["fk20"])
        files["scalars"].write_bytes(scalars)
        return made

    def closed_objects(self):
        sumac = self.sumac
        own = sumac.Context(backend="cpu", threads=1)
        bases = sumac.Bases.known(own, "bn254", 2, 1)
        things = [bases, sumac.Vector(own, "bn254", 2), bases.prepare(), bases.plan(), sumac.Fk20(own, bases, 2),
                  sumac.KzgSetup.open(own, self.setup_file, check="none"), sumac.Groth16Key(own, self.groth["key.zkey"]),
                  sumac.Groth16VerifyingKey(own, self.groth["key.zkey"]),
                  sumac.PairingPoints(own, "bn254", self.worlds[0]["pairs"][1]), sumac.Pool(1, backend="cpu"), own]
        for thing in things:
            thing.close()
        return things

    # ---- What there is to be called ----

    def find_forms(self):
        """(name, what it is called on or None, the function's name, its parameters)."""
        sumac = self.sumac
        for name in sorted(sumac.__all__):
            found = getattr(sumac, name)
            if inspect.isfunction(found):
                yield name, None, name, self.parameters(found)
            elif inspect.isclass(found) and issubclass(found, (sumac._library.Handle, sumac.Curve)):
                yield name, None, name, self.parameters(found)
                for attribute in dir(found):
                    static = inspect.getattr_static(found, attribute)
                    if attribute.startswith("_") and attribute != "__len__" or attribute == "discard":
                        continue
                    if isinstance(static, property):
                        yield f"{name}.{attribute}", name, attribute, None
                    elif isinstance(static, classmethod):
                        yield f"{name}.{attribute}", "class " + name, attribute, self.parameters(getattr(found, attribute))
                    else:
                        yield f"{name}.{attribute}", name, attribute, self.parameters(getattr(found, attribute))[1:]

    @staticmethod
    def parameters(function):
        return list(inspect.signature(function).parameters.values())

    def receiver(self, name, world):
        return {"Bases": world["bases"], "Context": self.context, "Curve": world["curve"], "Fk20": world["fk20"], "Groth16Key": self.key,
                "Groth16VerifyingKey": self.verifying, "KzgSetup": self.setup, "PairingPoints": world["pairing_points"], "Plan": world["plan"],
                "Pool": self.pool, "PooledContext": self.context, "PreparedMsm": world["prepared"]}.get(name) or world["vector"]()

    # ---- Right values ----

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def one(self, values):
        return values[self.random.randrange(len(values))]

    def several(self, record, count=1):
        return [record] * count if self.chance(50) else record * count

    def right(self, form, parameter, world):
        name, said = parameter.name, str(parameter.annotation)
        if parameter.default is not inspect.Parameter.empty and self.chance(60):
            return parameter.default
        for kind, value in (("Optional[Context]", None), ("Context", self.context), ("Curve", self.one([world["curve"], world["name"]])),
                            ("Bases", world["bases"]), ("Pool", self.pool), ("Groth16VerifyingKey", self.verifying)):
            if said.removeprefix("Optional[").rstrip("]") == kind or said == kind or said.startswith(f"Union[{kind},"):
                return "bn254" if kind == "Curve" and form.startswith("groth16") else value
        if "Vector" in said and "VectorKind" not in said:
            return self.right_vector(form, name, world)
        if "Options" in said:
            return self.right_options(re.search(r"\w+Options", said).group(), form, world)
        if "Slice" in said:
            return self.one([None, self.sumac.Slice(0, 2), self.sumac.Slice(1, 2, 2, 3)])
        enum = next((self.enums[word] for word in re.findall(r"\w+", said) if word in self.enums), None)
        if enum is not None:
            return self.one([*enum, *(member.lower() for member in enum.__members__)])
        if said == "Path":
            return self.right_path(form, name, world)
        if said in ("int", "Optional[int]", "Coordinate"):
            return self.right_integer(form, name)
        if said in ("str", "Optional[str]"):
            return {"format": "arkworks-compressed" if form.startswith("points") else "raw", "backend": "cpu", "group": "g1", "stage": "sort",
                    "kind": "tiles"}.get(name, "bn254" if form == "curve" else "auto")
        if said == "bool":
            return self.chance(50) if name != "wait" else False
        return self.right_any(form, name, world)

    def right_vector(self, form, name, world):
        if name == "places":
            return self.sumac.Vector.of(self.context, world["curve"], [5])
        if name == "results" or form == "bases_of":
            return world["point_vector"](1 if name == "results" else N)
        return world["vector"]()

    def right_path(self, form, name, world):
        if "save" in form:
            return self.folder / f"written-{name}"
        return {"r1cs_path": self.groth["circuit.r1cs"], "scalars_path": world["files"]["scalars"], "bases_path": world["files"]["points"]}.get(
            name) or {"Bases.open_table": world["files"]["table"], "scalars_read": world["files"]["scalars"], "Fk20.open": world["files"]["fk20"],
                      "KzgSetup.open": self.setup_file}.get(form, world["files"]["points"])

    def right_integer(self, form, name):
        if name == "n":
            return self.one([1, N, 1000]) if form == "plan" else N
        return {"count": self.one([0, 1, N]), "length": self.one([1, 2, N]), "rows": 2, "columns": N // 2, "l": 1, "rate": 1, "most": 1,
                "constraints": 3, "batch": 1, "log2": 3, "device": -1, "bits_percent": 50, "size": 100, "table_bytes": 1, "x": 1, "y": 2}.get(name, self.one([0, 0, 1]))

    def right_any(self, form, name, world):
        kzg, of = self.kzg, form.split(".")[0]
        if of.startswith("Groth16") or form.startswith("groth16"):
            verifying = self.verifying
            return {"witness": self.witness, "witnesses": self.one([self.witness, [self.witness] * 2]), "proof": self.proof,
                    "proofs": self.several(self.proof), "publics": self.publics, "out": None, "data": self.proof,
                    "file": self.groth["witness.wtns" if form.endswith("witness") else "key.zkey"] if self.chance(50) else
                    self.groth["witness.wtns" if form.endswith("witness") else "key.zkey"].read_bytes(),
                    "text": verifying.proof_to_json(self.proof) if "proof" in form else verifying.publics_to_json(self.publics)}[name]
        if of == "KzgSetup" or form in ("blob_challenge", "cell_batch_challenge"):
            cells = "cell" in form
            return {**self.setup_points, "blobs": self.several(kzg["blob"]), "blob": kzg["blob"], "commitment": kzg["commitment"],
                    "commitments": self.several(kzg["commitment"]), "zs": self.several(bytes(31) + b"\5"), "ys": self.several(bytes(31) + b"\7"),
                    "proofs": self.several(kzg["cell_proofs"][:48] if cells else kzg["proof"]),
                    "cells": kzg["cells"][:64 * 2048] if "recover" in form else self.several(kzg["cells"][:2048]),
                    "cell_indices": list(range(64)) if "recover" in form else [0], "commitment_indices": [0]}[name]
        curve = world["curve"]
        return {"points": world["points"], "scalars": world["scalars"], "logarithms": world["scalars"], "g1_points": world["pairs"][0],
                "g1_point": world["pairs"][0], "g2_points": world["pairs"][1] * 2 if form == "srs_verify" else world["pairs"][1] if form != "PairingPoints.check" else b"", "records": self.sumac.points_encode(
                    self.context, curve, world["points"], "arkworks-compressed"), "out": None, "partials": [world["partial"]] * 2,
                "elements": world["points"][:curve.point_bytes // 2] if form == "map_to_group" else self.one([world["scalars"], [1] * N]),
                "rows": list(range(N)), "values": [1, 2, 3], "point": world["points"][:curve.point_bytes], "curve": curve,
                "scalar": self.one([3, bytes(31) + b"\0"]), "ratio": 3, "factor": 4, "options": {}, "pointer": None, "owned": None,
                "wait": False, "x": 1, "y": 2}[name]

    def right_options(self, options, form, world):
        return {name: self.right_option(options, name, form, world) for name in self.options[options] if self.chance(10)}

    def right_option(self, options, name, form, world):
        kind = self.kinds[self.structs[options]][name]
        if kind == "text":
            return {"backend": "cpu", "plan": "auto", "variant": "portable", "format": "raw", "checkpoint": str(self.folder / "checkpoint")}[name]
        if kind == "pointer":
            return {"tuning": {"plan": "auto"}, "offsets": [0, 3, N], "stream": 0, "event": 0, "trace": lambda event: None,
                    "progress": lambda done: None, "devices": [0], "device_weights": [1], "shift": 3, "randomness": [1, 2]}[name]
        if not isinstance(kind, str):
            return self.one(list(kind))
        return {"c": self.one([0, 4, 7]), "batch": 1, "scalar_bits": 254, "scalar_bytes": self.one([0, 32]), "memory_limit": self.one([0, 2**26]),
                "device": -1, "n": N, "length": N, "checkpoint_seconds": 0.5}.get(name, self.one([0, 0, 1]))

    # ---- Wrong values ----

    def number(self):
        return self.one([*self.numbers, -1, -2**31, -2**63, 2**64, 2**200, 0.5, float("nan"), float("inf"), 10**400, True,
                         self.numpy.uint64(2**64 - 1), self.numpy.int8(-1), self.numpy.float32(1)])

    def wrong_bytes(self, given):
        numpy, size = self.numpy, len(given)
        words = numpy.frombuffer(given + bytes(-size % 8), numpy.uint8)

        def released():
            view = memoryview(given)
            view.release()
            return view

        class Liar(bytearray):
            def __len__(self):
                return size

            def __bytes__(self):
                return b""

            def __iter__(self):
                return iter(())

        class Gpu:
            __cuda_array_interface__ = {"shape": self.one([(size,), (-1,), (2**40,), (size, -8), ()]), "typestr": self.one(["|u1", "<u8", ">u4", "u", 7]),
                                        "data": (self.one([4096, 0, -1, 2**64, None]), False), "version": 3, **self.one([{}, {"strides": (1,)}, {"stream": 5}])}

        class Dlpack:
            def __dlpack_device__(self):
                return device

            def __dlpack__(self, **_):
                return None

        device = self.one([(1, 0), (2, 0), (3, 0), (4, 0)])
        return self.one([
            lambda: given[1:], lambda: given[:-1], lambda: b"", lambda: bytes(size), lambda: bytes(size + 1), lambda: bytes(2 * size),
            lambda: b"\xff" * size, lambda: self.random.randbytes(size), lambda: bytearray(given), lambda: memoryview(b"x" + given)[1:],
            lambda: memoryview(given)[::2], lambda: memoryview(given)[::-1], released, lambda: Liar(given[:size // 2]), Gpu, Dlpack,
            lambda: words.view(numpy.uint64), lambda: words.view(numpy.int64), lambda: words.view(">u8"), lambda: words.view(numpy.float64),
            lambda: words.view(bool), lambda: words.view("M8[s]"), lambda: words.view("S8"), lambda: words.view([("a", "u4"), ("b", "u4")]), lambda: words.astype(object),
            lambda: words.reshape(-1, 8).T, lambda: words.reshape(-1, 8)[:, ::2], lambda: words.reshape(1, 1, -1), lambda: numpy.zeros((0, 5), numpy.uint8),
            lambda: numpy.zeros((3, 0), numpy.uint8), lambda: numpy.uint8(3), lambda: numpy.array(3, numpy.uint64), lambda: words.view(numpy.uint32),
            lambda: array.array("Q", words.view(numpy.uint64).tolist()), lambda: (ctypes.c_int32 * (size // 4))(), lambda: (ctypes.c_double * 4)(),
            lambda: [given], lambda: [given, given], lambda: [given, None], lambda: ["a"] * 3, lambda: [[given]], lambda: iter([given]), lambda: {given: 1},
        ])()

    def wrong_list(self, given):
        some, rest = given[0], list(given)

        class Liar(list):
            def __len__(self):
                return 1

            def __iter__(self):
                return iter(())

        changed = list(rest)
        changed[self.random.randrange(len(rest))] = self.wrong(some)
        return self.one([
            lambda: [], lambda: rest[1:], lambda: rest + rest, lambda: [None], lambda: rest + [None], lambda: [rest], lambda: tuple(rest), lambda: iter(rest),
            lambda: (value for value in rest), lambda: set(map(str, rest)), lambda: dict.fromkeys(map(str, rest)), lambda: changed, lambda: Liar(rest),
            lambda: self.numpy.array([1, 2, 3], self.one(["u8", "i8", "f8", "u1", ">u8"])), lambda: range(len(rest)), lambda: [self.number()] * len(rest),
            lambda: self.numpy.arange(20, dtype=self.numpy.uint64)[::2], lambda: memoryview(bytes(64)).cast("Q"), lambda: "abc", lambda: b"abc",
        ])()

    def wrong(self, given):
        if self.chance(25):
            world = self.one(self.worlds)

            class Index:
                def __index__(self):
                    return 7

            class BadIndex:
                def __index__(self):
                    return "7"

            return self.one([None, True, 7, -1, 1.5, "", "text", "a\0b", "\ud800", b"", b"abc", (), [], {}, {"c": 4}, {7: 1}, object(), object, int, lambda: None,
                             self.context, self.pool, world["bases"], world["curve"], world["vector"](), Index(), BadIndex(), ..., 3 + 4j,
                             self.one(self.closed), self.one(self.closed), self.number(), range(2**63), self.sumac.Slice(*(self.number() for _ in range(4)))])
        if type(given) in (bytes, bytearray):
            return self.wrong_bytes(bytes(given))
        if type(given) in (list, tuple) and len(given) > 0:
            return self.wrong_list(given)
        if isinstance(given, str):
            return self.one(["", "none", "a\0b", "\ud800", "x" * 5000, "/", "/dev/null", "nosuch/file", given.upper(), given + "x", "cuda", "raw", b"raw", self.number()])
        if isinstance(given, os.PathLike):
            return self.one(["", "a\0b", "\ud800", "x" * 5000, "/", "/dev/null", "nosuch/file", b"/nosuch", self.folder, 7, None])
        if isinstance(given, dict):
            return {"nothing": 1} if not given else {**given, self.one(list(given)): self.number()}
        return self.number()

    def wrong_options(self, options, given, form, world):
        made = dict(given)
        for _ in range(self.one([1, 1, 2])):
            name = self.one(self.options[options])
            made[name] = self.wrong(self.right_option(options, name, form, world))
        return {**made, "nothing": 1} if self.chance(3) else made

    # ---- Calls ----

    # Slow functions are called less often.
    SLOW = re.compile(r"KzgSetup(\.(open|make_tables|commit|comp|recov|verify)|$)|Groth16(Key|VerifyingKey)(\.prove|$)|Fk20(\.(open|copy|save)|$)|"
                      "Context.measure")

    def is_too_much(self, form, given):
        """Recognise calls that are no error, but take long or much memory: tables of 2 GiB take a minute."""
        def large(name, most):
            return isinstance(given.get(name), (int, self.numpy.integer)) and given[name] > most
        return large("table_bytes", 2**24) or \
            form == "Pool" and large("most", 64) or form == "Context.pinned" and large("size", 2**28) or form == "Pool.take"

    def call(self, number):
        self.random.seed(f"{self.seed} {number}")
        form, on, name, parameters = self.one(self.forms)
        while self.SLOW.match(form) and self.chance(95):
            form, on, name, parameters = self.one(self.forms)
        world = self.one([self.worlds[0], *self.worlds])
        given, options = {}, {}
        for parameter in parameters or []:
            if parameter.kind == parameter.VAR_KEYWORD:
                options = self.right_options(re.search(r"\w+Options", str(parameter.annotation)).group(), form, world)
            else:
                given[parameter.name] = self.right(form, parameter, world)
        for _ in range(self.one([0, 0, 1, 1, 1, 2, 3])):
            if parameters:
                parameter = self.one(parameters)
                if parameter.kind == parameter.VAR_KEYWORD:
                    options = self.wrong_options(re.search(r"\w+Options", str(parameter.annotation)).group(), options, form, world)
                elif "Options" in str(parameter.annotation) and self.chance(70):
                    given[parameter.name] = self.wrong_options(re.search(r"\w+Options", str(parameter.annotation)).group(),
                                                               given[parameter.name] if isinstance(given[parameter.name], dict) else {}, form, world)
                elif parameter.name == "out" and self.chance(80):
                    given["out"] = self.wrong(bytearray(world["curve"].point_bytes))
                else:
                    given[parameter.name] = self.wrong(given[parameter.name])
        if self.is_too_much(form, given):
            return "left out"
        options = {key: value for key, value in options.items() if key not in given}
        receiver = None
        if on and on.startswith("class "):
            receiver = getattr(self.sumac, on[6:])
        elif on:
            receiver = self.receiver(on, world)
            same = [thing for thing in self.closed if type(thing) is type(receiver)]
            if name == "close" or self.chance(5) and same:
                receiver = self.one(same) if same else None
                if receiver is None:
                    return "left out"
        if self.verbose:
            print(form, {key: str(value)[:70] for key, value in given.items()}, {key: str(value)[:70] for key, value in options.items()})
        try:
            found = getattr(receiver if on else self.sumac, name)
            result = found if parameters is None else found(*(given[p.name] for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD),
                                                            **{p.name: given[p.name] for p in parameters if p.kind == p.KEYWORD_ONLY}, **options)
            if isinstance(result, (self.sumac.Context, self.sumac.Pool)):
                result.close()
            return "done"
        except BaseException as error:  # noqa: BLE001: whatever it is, it is looked at
            if not self.is_own(error):
                print(f"fuzz: call {number} of seed {self.seed}: {form}{({k: str(v)[:100] for k, v in {**given, **options}.items()})}", file=sys.stderr)
                traceback.print_exc()
                return "FAILED"
            return type(error).__name__ if isinstance(error, TypeError) else "sumac.Error"

    def is_own(self, error):
        """True if the package has raised the error itself, with a sentence."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        return isinstance(error, (self.sumac.Error, TypeError)) and len(str(error)) > 10 and \
            os.path.dirname(last.filename) == self.package and (last.line or "").startswith("raise ")

    def run(self, first, count, progress):
        outcomes = {}
        self.verbose = count == 1
        for number in range(first, first + count):
            progress[:16] = struct.pack("qd", number, time.time())
            outcome = self.call(number)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if number % 200 == 199:
                gc.collect()
        progress[:16] = struct.pack("qd", number, 0)
        print(f"{count} calls of seed {self.seed} of {len(self.forms)} functions and properties: {outcomes}")
        return 1 if "FAILED" in outcomes else 0


def main(data, calls="2000", seed="1", first="0"):
    progress = mmap.mmap(-1, 16)
    folder = tempfile.mkdtemp(prefix="sumac-fuzz-")
    child = os.fork()
    if child == 0:
        import faulthandler
        faulthandler.enable()
        code = 1
        try:
            os.chdir(folder)
            code = Calls(pathlib.Path(data).resolve(), seed, pathlib.Path(folder)).run(int(first), int(calls), progress)
        except BaseException:  # noqa: BLE001: the parent has to hear of it
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)
    try:
        return watch(child, progress, seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
