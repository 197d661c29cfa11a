#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Make random calls for fuzzing the bindings. The calls are valid at first, and then some of their arguments are changed.

  fuzz_calls.py python|rust|go|node DATA FOLDER [CALLS [SEED [FIRST]]]
  fuzz_calls.py --rust-source FILE      write Rust code that makes a call by its name, which build.rs compiles

A binding's functions and their parameters are read from its source, and the fields of options are read from the public headers.
DATA is the folder of the unpacked archives of tests/data. FOLDER is created. It has the files on which the calls work:

  points0 .. 2, scalars0 .. 2      eight points and eight scalars for each of WORLDS
  blob, cells, witness, publics    and so on: valid bytes of KZG and Groth16, and files that other programs wrote; those of PLONK
                                   begin with plonk_
  calls.json                       one call in each line: [its number, the function, its arguments]

The driver of a language makes objects from these files, and from the files table0 .., fk200 .., partial0 .., which it writes
itself. It also keeps the results of calls. An argument is one of

  null, true, 5, "text"       a value; "@name" is the path of a file in FOLDER; numbers may exceed every type, or be nan or inf
  {"o": 3, "of": "Bases"}     an object, by its number among all objects of its kind, modulo their count; -1 is a closed one
  {"b": "blob", "size": 7}    the bytes of a file (or of an earlier result: "b": 3), which are changed in this order: times repeats
                              them, size cuts them or appends zeros, flip changes a bit, fill makes all bytes equal
  {"s": {"c": 7}}             options, by the names of their fields in C
  [..]                        a list
  {"odd": 3}                  in Python and JavaScript a value of another type, by its number
"""
import ast
import glob
import json
import os
import random
import re
import shutil
import struct
import sys

import gen_bindings
import gen_node
import headers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORLDS = [("bn254", "g1", 64), ("bls12-381", "g1", 96), ("bn254", "g2", 128)]  # curve, group, and bytes of a point
N = 8
NUMBERS = [0, 1, 2, 3, 7, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
ODD_NUMBERS = [-1, -2**31, -2**63, 2**64, 2**200, 0.5, float("nan"), float("inf"), 1e300]  # for languages without types
TEXTS = ["", "none", "a\0b", "x" * 5000, "/", "/dev/null", "nosuch/file", "cuda", "raw", "g2"]
ODD = 60  # no driver has more odd values than this
# These functions are not called, because they take unchecked addresses, run after each call anyway, or are called by the driver
# itself.
SKIPPED = re.compile(r"Bases::from_records|Canceller|Context::canceller|Vector::(view_mut|split_at_mut|as_ptr)|Context.WrapDevice|Vector.Memory|ContextConfig::|Error::|Status\.|version|Call\.RunAt|(\w*Error)\.|Bytes$|PooledContext|Plan::|Plan$|Pool\.discard|Openings\.")


# ---- A binding's functions: (name, kind of the object on which it is called or None, parameters as (name, type)) ----

def read(*names):
    for pattern in names:
        for path in sorted(glob.glob(os.path.join(ROOT, "bindings", pattern))):
            if not path.endswith("_test.go"):
                with open(path, encoding="utf-8") as file:
                    yield os.path.basename(path), file.read()


def pieces(text, separator=","):
    """Split a text at separators outside brackets."""
    depth, found = 0, [""]
    for letter in text.replace("=>", "  "):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == separator and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [piece.strip() for piece in found if piece.strip()]


# Rust's calls have these options in addition to those of the C struct.
RUST_MORE = {"FilesConfig": [["msm", "MsmConfig"]], "Groth16KeyConfig": [["verifying", "Option<Arc<Groth16VerifyingKey>>"]]}


def is_called(language, form):
    """Say whether random calls have this function. A compiled driver cannot make Openings, which is a struct of handles."""
    return not SKIPPED.match(form[0]) and (language == "node" or "Openings" not in [given[1].lstrip("&") for given in form[2] or [] if len(given) == 2])


def rust(with_mut=False):
    for name, text in read("rust/sumac/src/*.rs"):
        owner = ""
        for match in re.finditer(r"^impl(?:<[^>]*>)? (\w+)[^{]*\{|^\}|^ *pub fn (\w+)(?:<'[^>T]*>)?\(([^{;]*)\)(?: -> ([^{]*))? \{",
                                 re.sub(r"//.*", "", text), re.M):
            if match.group(0) == "}":
                owner = ""
            elif match.group(1):
                owner = match.group(1)
            elif name not in ("fields.rs", "pass.rs", "typed.rs", "call.rs"):
                plain = re.sub(r"(?<=&)'\w+ |<'_>| \+ 'a", "", " ".join(match.group(3).split()))
                given = [p.split(": ", 1) for p in pieces(plain)]
                for options in re.findall(r"^Call<'\w+, (\w+)", match.group(4) or ""):  # options are set before the call runs
                    given += [["config", options], *RUST_MORE.get(options, [])]
                yield (f"{owner}::{match.group(2)}" if owner else match.group(2), owner if given and "self" in given[0][0] else None,
                       (["mut"] if with_mut and ["&mut self"] in given else []) + [tuple(p) for p in given if len(p) == 2])


def go():
    for _, text in read("go/*.go"):
        for owner, name, given in re.findall(r"^func (?:\(\w+ (\*?[A-Z]\w*)\) )?([A-Z]\w*)\((.*?)\)(?: .*)? \{", text, re.M):
            parameters, waiting = [], []
            for piece in pieces(given):
                waiting.append(piece.split(" ", 1)[0])
                if " " in piece:
                    parameters += [(w, piece.split(" ", 1)[1]) for w in waiting]
                    waiting = []
            owner = owner.lstrip("*")
            yield f"{owner}.{name}" if owner else name, owner or None, parameters


def python():
    for module, text in read(*(f"python/sumac_msm/{m}.py" for m in
                               ("bases", "contexts", "curves", "groth16", "kzg", "pairings", "plonk", "srs", "vectors"))):
        exported = re.search(rf"from \.{module[:-3]} import \(?([^)]*?)(\)|\n[^ ])", next(read("python/sumac_msm/__init__.py"))[1], re.S).group(1)
        for item in ast.parse(text).body:
            if getattr(item, "name", "") not in re.findall(r"\w+", exported):
                continue
            if isinstance(item, ast.FunctionDef):
                yield item.name, None, python_parameters(item)
            elif isinstance(item, ast.ClassDef) and not any(ast.unparse(base) == "NamedTuple" for base in item.bases):
                for function in item.body:
                    if not isinstance(function, ast.FunctionDef) or function.name.startswith("_") and function.name != "__init__":
                        continue
                    words = [ast.unparse(d) for d in function.decorator_list]
                    name = item.name if function.name == "__init__" else f"{item.name}.{function.name}"
                    on = None if name == item.name or "classmethod" in words else item.name
                    yield name, on, python_parameters(function)[0 if "property" in words else 1:] if "property" not in words else None


def python_parameters(function):
    positional = [(a.arg, ast.unparse(a.annotation) if a.annotation else "") for a in function.args.args]
    named = [("=" + a.arg, ast.unparse(a.annotation)) for a in function.args.kwonlyargs]
    rest = [("**", ast.unparse(function.args.kwarg.annotation))] if function.args.kwarg else []
    return positional + named + rest


def node():
    text = re.sub(r"/\*\*.*?\*/", "", next(read("node/index.d.ts"))[1], flags=re.S)
    typed = re.compile(r"(\w+)\??: (.*)", re.S)
    for kind, body in re.findall(r"interface (\w*)Calls \{\n(.*?)\n\}", text, re.S):
        for method, given in re.findall(r"(\w+)\((.*?)\): [^;]*;", " ".join(body.split())):
            yield f"{kind}.{method}" if kind else method, kind or "Context", [typed.match(p).groups() for p in pieces(given)]
    for function, given in re.findall(r"function (msm|msmSync|curve|rootOfUnity|pointsRecordBytes)\((.*)\): ", text):
        yield function, None, [typed.match(p).groups() for p in pieces(given)]
    for function, given in re.findall(r"^    (plans)\((.*)\): Plans", text, re.M):
        yield function, "Context", [typed.match(p).groups() for p in pieces(given)]
    for function, on in (("takeTrace", "Context"), ("curves", None), ("formats", None), *((f"{kind}.close", kind) for kind in CLOSED)):
        yield function, on, []
    yield "Context", None, [("options", "ContextOptions")]
    yield "Pool", None, [("most", "number"), ("options", "ContextOptions")]
    for kind, body in re.findall(r"^export (?:interface|class) (\w+)[^{]*\{\n(.*?)\n\}", text, re.M | re.S):
        for name in re.findall(r"readonly (\w+):", body):
            if kind not in ("SumacError", "Plan", "Plans", "Groth16KeyInfo", "PlonkKeyInfo", "Point"):
                yield f"{kind}.{name}", kind, None


# ---- Arguments ----

OBJECTS = {"FK20": "Fk20", "KZGSetup": "KzgSetup", "CurveLike": "Curve", "Call": "PreparedMsm"}
KINDS = ["Context", "Curve", "Bases", "Vector", "Fk20", "KzgSetup", "Groth16Key", "Groth16VerifyingKey", "PlonkKey", "PlonkVerifyingKey",
         "PairingPoints", "Pool", "PreparedMsm", "Pinned"]
CLOSED = ["Bases", "Vector", "Fk20", "KzgSetup", "Groth16Key", "Groth16VerifyingKey", "PlonkKey", "PlonkVerifyingKey", "PairingPoints", "Call",
          "Context"]
OPTIONS = {"context": "sumac_context_config", "bases": "sumac_bases_config", "msm": "sumac_msm_config", "files": "sumac_files_config",
           "transform": "sumac_transform_config", "elementlayout": "sumac_element_layout", "layout": "sumac_element_layout",
           "element": "sumac_element_layout", "groth16key": "sumac_groth16_key_config", "groth16prove": "sumac_groth16_prove_config",
           "plonkkey": "sumac_plonk_key_config", "plonkprove": "sumac_plonk_prove_config", "plonksetup": "sumac_plonk_setup_config",
           "key": "sumac_groth16_key_config", "prove": "sumac_groth16_prove_config", "slice": "sumac_slice", "kzg": "sumac_kzg_config"}
BYTES = re.compile(r"u8|byte|Uint8Array|SharedWords|Elements|Bytes(32|48|96)|Blob|Cell\b|^Any$|^(Points|Scalars?)\b")
# No binding takes these fields as options, or the bindings set them themselves.
UNKNOWN = {"size", "reserved", "user", "device_count", "location", "scalars_location", "result_location", "progress", "trace"}
SNAKE = re.compile(r"(?<=[a-z\d])(?=[A-Z])")


class Calls:
    def __init__(self, language, seed):
        self.language, self.random, self.seed = language, random.Random(), seed
        self.loose = language in ("python", "node")
        self.interface = headers.Interface(ROOT)
        self.forms = [form for form in globals()[language]() if is_called(language, form)]
        self.enums = {re.sub("sumac|_", "", enum.name): enum for enum in self.interface.enums}

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def one(self, values):
        return values[self.random.randrange(len(values))]

    def enum(self, type):
        return self.enums.get(type.lower())

    def field(self, field, form, w):
        """Return a valid value of an option."""
        name, type = field.name, field.type
        if type.function or name in UNKNOWN:
            return None
        if name == "verifying":
            return {"o": 0, "of": "Groth16VerifyingKey"}
        if type.pointers and type.base != "char":
            return {"offsets": [0, 3, N], "devices": [0], "device_weights": [1], "shift": {"b": "scalars0", "size": 32}, "root": {"b": "scalars0", "size": 32},
                    "randomness": {"b": "scalars0", "size": 64}, "commitment_wires": [4, 3],
                    "blinding": {"b": "scalars0", "times": 2, "size": 11 * 32}}[name]
        if type.base == "char":
            return {"backend": "cpu", "format": "raw", "protocol": self.one(["plonk", "fflonk"]), "checkpoint": "@checkpoint",
                    "tuning": self.one(["", "c=4", "c=7,chunks=2,reduction=halving", "plan=auto,variant=portable", "c=25", "c"])}[name]
        enum = self.interface.enum(type.base)
        return self.value_of(enum) if enum else self.number(name, form)

    def value_of(self, enum):
        value = self.one(enum.values)
        return gen_node.short(enum, value) if self.language == "node" else value.value

    def options(self, struct, form, w, percent=20):
        described = self.interface.struct(struct)
        chosen = [f for f in described.fields if f.name not in UNKNOWN and not gen_node.is_length(described, f) and self.chance(percent)]
        return {"s": {field.name: self.field(field, form, w) for field in chosen}}

    def number(self, name, form):
        return {"n": N, "count": self.one([0, 1, N]), "length": self.one([1, 2, N]), "rows": 2, "columns": N // 2, "l": 1, "rate": 1, "most": 1, "batch": 1,
                "log2": 3, "threads": self.one([0, 1]), "scalar_bits": self.one([0, 254, 256]), "runs": 1, "table_bytes": 1,
                "scalar_bytes": self.one([0, 32]), "memory_limit": self.one([0, 2**26]), "device": -1, "precompute_factor": self.one([0, 1, 2]),
                "size": 64, "bytes": 64, "checkpoint_seconds": 0.5, "stride": 0 if "ases" in form else N}.get(name, self.one([0, 0, 1]))

    def bytes(self, name, form, w):
        """Return valid bytes for a parameter, which depend on its name and on the function's name."""
        groth, plonk = "roth16" in form or "lonk" in form, "plonk_" if "lonk" in form else ""
        if self.chance(8):
            return {"b": self.random.randrange(30)}  # the bytes of an earlier result
        file = {"points": f"points{w}", "raw_points": f"points{w}", "records": f"points{w}", "scalars": f"scalars{w}", "logarithms": f"scalars{w}",
                "g1_points": f"g1{w}", "g1_point": f"g1{w}", "g2_points": f"g2{w}", "scalar": "scalar", "factor": "scalar", "ratio": "scalar",
                "blob": "blob", "blobs": "blob", "commitment": "commitment", "commitments": "commitment", "zs": "z", "ys": "y",
                "proof": plonk + "gproof" if groth else "proof", "proofs": plonk + "gproof" if groth else "cell_proof" if "ell" in form else "proof",
                "cell": "cell", "cells": "cells" if "ecover" in form else "cell", "given": "cells" if "ecover" in form else "cell",
                "publics": plonk + "publics", "witness": plonk + "witness", "witnesses": plonk + "witness",
                "g1_monomial": "g1_monomial", "g1_lagrange": "g1_lagrange", "g2_monomial": "g2_monomial"}.get(name)
        if name == "memory":  # the type of array that can be written, and in JavaScript shared
            return {"b": f"scalars{w}", "as": 6 if self.language == "python" else 16}
        if name == "elements":
            return {"b": f"points{w}", "size": WORLDS[w][2] // 2} if "ap" in form[:5] else {"b": f"scalars{w}"}
        if name == "b":
            file = "blob"
        if name in ("file", "data", "bytes", "contents") or file is None:
            file = plonk + "witness.wtns" if "itness" in form else self.one(["gnark_public", plonk + "public.json"]) if "ublics" in form else \
                self.one(["gnark_proof", plonk + "proof.json"]) if "roof" in form else \
                plonk + "verification_key.json" if "erifying" in form else plonk + "key.zkey" if groth else f"points{w}"
        times = self.one([1, 1, 1, 2]) if name.endswith("s") and file not in (f"points{w}", f"scalars{w}") and "monomial" not in file else 1
        if name == "results":
            return {"b": f"points{w}", "size": WORLDS[w][2]}
        if name == "g2_points" and re.search("srs.?verify|verifyOpenings", form, re.I):
            times = 2
        if name == "results":
            return {"b": f"points{w}", "size": WORLDS[w][2]}
        if name == "g2_points" and re.search("prepared|PairingPoints.check", form, re.I):
            return {"b": f"g2{w}", "size": 0}  # empty, because all points are prepared
        if name == "point":
            return {"b": f"points{w}", "size": WORLDS[w][2]}
        return {"b": file, "times": times} if times > 1 else {"b": file}

    def vector(self, name, form, w):
        """Return the number of a vector that fits. There are five vectors for each world, and one with the wires of a
        circuit."""
        which = 3 if name in ("commitments", "results") or name == "proofs" and "k20" not in form and "K20" not in form else \
            1 if name in ("proofs", "points") or "oint" in form or form == "Vector.createBases" else 2 if name in ("evaluation_points", "values") else 4 if name in ("result", "to", "out") else 0
        return {"o": 15 if name == "witnesses" else 5 * w + which, "of": "Vector"}

    def path(self, name, form, w):
        plonk = "plonk_" if "lonk" in form else ""
        if "ave" in form or name == "checkpoint" or "zkey" in name:
            return "@written"
        if "ptau" in name:
            return "@powers.ptau"
        if "r1cs" in name:
            return f"@{plonk}circuit.r1cs"
        if "scalars" in name or re.search("scalars.?read|read.?scalars", form, re.I):
            return f"@scalars{w}"
        return "@" + (plonk + "witness.wtns" if "itness" in form else plonk + "verification_key.json" if "erifying" in form else
                      plonk + "key.zkey" if plonk or "roth16" in form else
                      "trusted_setup.txt" if re.search("setup", form, re.I) else f"fk20{w}" if re.search("fk20", form, re.I) else
                      f"table{w}" if "able" in form else f"points{w}")

    def text(self, name, form):
        if "backend" in form.lower() or name == "backend":
            return "cpu"
        formats = ["snarkjs", "gnark", "gnark-raw"] if re.search("proof|publics", form, re.I) else ["raw"]
        hashes = ["xmd-sha256", "sha256", "sha512", "keccak256"]
        return {"format": self.one(formats), "hash": self.one(hashes), "commitment_hash": self.one(hashes), "group": "g1", "stage": "sort", "kind": "tiles", "row": "workspace"}.get(
            name, "bn254" if "urve" in form else "auto")

    def right(self, name, type, form, w):
        name = SNAKE.sub("_", name.lstrip("=")).lower()
        optional = re.search(r"Optional|Option<|\*|\?|undefined|null", type)
        plain = re.sub(r"&|\bmut |<'_>|Option(al)?[<\[]|Partial<|Arc<|\*|sumac\.|Unpack\[|Union\[|\?|readonly |impl (AsRef|Into)<| & (Control|Where)|"
                       r"\.\.\.| \| (undefined|null)|, str\b|, None|'", "", type).strip("[]<> ")
        plain = "byte" if "byte" in plain else plain
        if optional and self.language == "python" and self.chance(60):
            return None
        for part in re.split(r"[ &|]+", plain)[:1]:
            kind = OBJECTS.get(part, part)
            if kind == "Context" and self.language == "python" and optional:
                return None
            if kind == "Vector":
                return self.vector(name, form, w)
            if kind in KINDS:
                return {"o": w if kind in ("Curve", "Bases", "Fk20", "PairingPoints", "PreparedMsm") else 0, "of": kind}
            struct = OPTIONS.get(re.sub(r"(Config|Options?)$", "", part).lower())
            if struct:
                made = self.options(struct, form, w)
                for extra, given in re.findall(r"(\w+)\?: ([^;}]*)", plain):  # these options exist only in JavaScript
                    if self.chance(12):
                        made["s"][extra] = self.right(extra, given, form, w)
                return made
        if plain in ("Control", "Where"):
            return {"s": {}}
        if plain == "Openings":
            return {"s": {key: self.vector("scalars", form, w) for key in ("points", "factors")}}
        if plain == "keccak256 | sha256":
            return self.one(["keccak256", "sha256"])
        if plain.startswith("{"):
            return {"s": {extra: self.right(extra, given, form, w) for extra, given in re.findall(r"(\w+)\?: ([^;}]*)", plain) if self.chance(12)}}
        if plain in ("Any", "Sequence[int", "Sequence[Any") and name in ("curve", "partials", "values", "out", "rows", "cell_indices", "commitment_indices", "file"):
            if name == "file" and self.chance(50):
                return self.path(name, form, w)
            plain = {"curve": "Curve", "values": "list", "out": "out", "partials": "parts", "file": "u8"}.get(name, "list")
            if plain == "Curve":
                return {"o": w, "of": "Curve"}
            if plain == "out":
                return None
            if plain == "list":
                return list(range(64)) if name == "cell_indices" and "ecover" in form else list(range(N))[::-1] if name == "rows" else [1] if name == "values" else [0]
        if self.enum(plain):
            return self.value_of(self.enum(plain))
        if name == "partials" or plain == "parts":
            return [{"b": f"partial{w}"}] * 2
        if BYTES.search(plain):
            return self.bytes(name, form, w)
        if re.search(r"u64\b|uint64$|Integers|ArrayLike|^list$|int$", plain) and re.search(r"\[|Integers|ArrayLike|^list$|Sequence", type + plain):
            return list(range(64)) if name == "cell_indices" and "ecover" in form else list(range(N))[::-1] if name == "rows" else \
                list(range(4 * N)) if name == "memory" else [0]
        if "Path" in plain or plain == "File" or plain == "string" and ("path" in name):
            return self.path(name, form, w)
        if plain in ("str", "string", "Groth16Format", "snarkjs", "CommitmentHash"):
            return self.text(name, form)
        if plain in ("bool", "boolean"):
            return self.chance(50) if name != "wait" else False
        if "Range" in plain:
            return self.one([[0, N], [1, 3], [5, 2], [0, 2**64 - 1], [3, 3]])
        if plain == "AbortSignal":
            return None
        if re.fullmatch(r"[ui](8|16|32|64|size)|usize|u?int(\d+|ptr)?|number|Integer|number \| bigint|Coordinate|big\.Int|f(loat)?64", plain):
            return self.number(name, form)
        if plain in ("context.Context", "At", "(usize, u64>)", "T"):
            return None
        raise SystemExit(f"fuzz_calls.py: what is {name} of {form}, {type} ({plain})?")

    def wrong(self, given, w):
        """Return another value instead of a valid one."""
        if self.loose and self.chance(30) or given is None:
            return {"odd": self.random.randrange(ODD)} if self.loose else given
        if isinstance(given, dict) and "b" in given:
            size = {"points": 8 * WORLDS[w][2], "scalars": 8 * 32}.get(str(given["b"])[:-1], self.one([32, 48, 96, 64, 2048, 131072]))
            changes = [{"flip": self.random.randrange(2**20)}, {"size": 0}, {"size": max(0, size + self.one([-1, 1, -32, 32]))}, {"size": self.random.randrange(200)},
                       {"times": self.one([2, 3])}, {"fill": self.one([0, 255, 1])}]
            if self.loose:
                changes += [{"as": self.random.randrange(ODD)}] * 5  # an array of another type
            return {**given, **self.one(changes)}
        if isinstance(given, dict) and "o" in given:
            return {**given, "o": self.one([-1, -2, self.random.randrange(40)])}
        if isinstance(given, dict) and "s" in given:
            options = dict(given["s"])
            if self.loose and self.chance(15):
                options[self.one(["nothing", "signal", "onProgress", "context"])] = {"odd": self.random.randrange(ODD)}
            elif options:
                name = self.one(list(options))
                options[name] = self.wrong(options[name], w)
            return {"s": options}
        if isinstance(given, list):
            changed = [*given, *given] if not given else [*given]
            return self.one([[], changed[1:], changed * 2, [self.one(NUMBERS) if changed and isinstance(changed[0], int) else changed[0] for _ in range(3)] if changed
                             else [], {"odd": self.random.randrange(ODD)} if self.loose else []])
        if isinstance(given, str):
            return self.one(TEXTS)
        if isinstance(given, bool):
            return not given
        return self.one(NUMBERS + ODD_NUMBERS if self.loose else NUMBERS + [-1])

    SLOW = re.compile(r"(open|create)(KzgSetup|Groth16|Plonk)|Bases\.(open|create)Fk20|plonk_?[sS]etup|"
                      r"(KzgSetup|KZGSetup)|(Groth16|Plonk)(Verifying)?Key(\W+(prove|open|new|of_bytes|Prove\w*)|$)|Fk20\W+(open|new|save|Save)|"
                      r"Context\W+(New|Open)?(KZGSetup|Groth16|Plonk|FK20)|.*[Mm]easure", re.A)

    def is_too_much(self, form, name, value):
        """Recognise calls that are not errors, but take long or need much memory: tables of 2 GiB, thousands of contexts or
        threads."""
        name = SNAKE.sub("_", name.lstrip("=")).lower()
        if isinstance(value, dict) and "s" in value:
            return any(self.is_too_much(form, key, of) for key, of in value["s"].items())
        most = {"table_bytes": 2**24, "most": 64, "threads": 64, "typical_n": 2**20, "size": 2**28, "bytes": 2**28}.get(name)
        return most is not None and isinstance(value, (int, float)) and not abs(value) <= most

    def call(self, number):
        self.random.seed(f"{self.seed} {number}")
        while True:
            form, on, parameters = self.one(self.forms)
            if self.SLOW.match(form) and self.chance(95):
                continue
            w = self.one([0, 0, 1, 2])
            given = None if parameters is None else [self.right(name, type, form, w) for name, type in parameters]
            if on:
                on = OBJECTS.get(on, on)
                receiver = self.vector("vector", form, w) if on == "Vector" else {"o": w if on not in ("Context", "Groth16Key", "PlonkKey") else 0, "of": on}
                if re.search(r"close$|Close$|iscard$", form):
                    receiver["o"] = self.random.randrange(16, 40)
                elif self.chance(6):
                    receiver["o"] = self.one([-1, -2, self.random.randrange(40)])
            for _ in range(self.one([0, 0, 1, 1, 1, 2, 3]) if given else 0):
                at = self.random.randrange(len(given))
                given[at] = self.wrong(given[at], w)
            if not any(self.is_too_much(form, name, value) for (name, _), value in zip(parameters or [], given or [])):
                break
        named = [name for name, _ in parameters or []] if self.language == "python" else None
        return [number, form, *([named] if named is not None else []), *([receiver] if on else [None]), given]


# ---- Rust's calls ----

ARRAYS = ("Blob", "Cell", "Bytes32", "Bytes48", "Bytes96")
# For each type there is the expression that makes a value in the driver, and the way in which the value is passed.
TAKEN = {
    "Curve": ("w.curve({})?", "{}"), "Option<Curve>": ("w.curve({})", "{}"), "&[u8]": ("w.bytes({})", "&{}"), "&mut [u8]": ("w.bytes({})", "&mut {}"),
    "Option<&[u8]>": ("w.given({}).map(|given| w.bytes(given))", "{}.as_deref()"), "&[u64]": ("w.list({})", "&{}"),
    "&[&[u8]]": ("w.parts({})", "&{}.iter().map(Vec::as_slice).collect::<Vec<_>>()"), "&mut [u64]": ("w.list({}).leak()", "{}"), "bool": ("w.number::<u64>({}) != 0", "{}"), "usize": ("w.number({})", "{}"), "u64": ("w.number({})", "{}"),
    "u32": ("w.number({})", "{}"), "Option<i32>": ("w.given({}).map(|given| w.number(given))", "{}"), "Range<usize>": ("w.range({})", "{}"), "impl RangeBounds<usize>": ("w.range({})", "{}"), "std::ops::Range<usize>": ("w.range({})", "{}"),
    "&str": ("w.text({})", "&{}"), "Option<&str>": ("w.given({}).map(|given| w.text(given))", "{}.as_deref()"), "impl AsRef<Path>": ("w.text({})", "&{}"),
    "impl Into<Slice>": ("w.slice({})", "{}"), "ContextConfig": ("w.context_config({})", "{}"),
    "Option<Arc<Groth16VerifyingKey>>": ("w.given({}).and_then(|given| w.verifying(given))", "{}"), "&mut Option<(usize, Option<u64>)>": ("None", "&mut {}"),
    "Context": ("w.another_context()?", "{}"),
    **{f"&[{name}]": (f"w.arrays::<{{{{ std::mem::size_of::<{name}>() }}}}>({{}})", "&{}") for name in ARRAYS},
    **{f"&{name}": (f"w.array::<{{{{ std::mem::size_of::<{name}>() }}}}>({{}})", "&{}") for name in ARRAYS},
}
SHELVES = {"Bases": "bases", "Vector": "vectors", "Fk20": "fk20s", "KzgSetup": "setups", "Groth16Key": "keys",
           "Groth16VerifyingKey": "verifying", "PlonkKey": "plonk_keys", "PlonkVerifyingKey": "plonk_verifying", "PairingPoints": "prepared_points", "Pool": "pools", "PreparedMsm": "prepared"}


def rust_field(type, enums):
    type = type.replace("'a ", "").replace("<'a>", "")
    if type in enums:
        return f"{type}::taken(w, value)"
    return {"bool": "w.number::<u64>(value) != 0", "f64": "w.number::<u64>(value) as f64", "Option<&str>": "Some(w.text(value).leak())",
            "Option<&[u32]>": "Some(w.list(value).iter().map(|&number| number as u32).collect::<Vec<_>>().leak())",
            "Option<&[u8]>": "Some(w.bytes(value).leak())", "Option<&[u64]>": "Some(w.list(value).leak())", "Option<usize>": "Some(w.number(value))",
            "Option<Tuning>": "Some(Tuning::taken(w, value))"}.get(type, "w.number(value)")


def rust_call(name, parameters, on, enums, options):
    """Return statements that make a call and keep its result. Its arguments are `a`, its object is `on`, and its context is
    `c`."""
    lines, arguments, behind, run = [], [], "", ""
    called = name
    if on:
        method = name.split("::")[1]
        called = f"c.{method}" if on == "Context" else f"own.{method}"
        if on == "Curve":
            lines.append("let own = w.curve(on)?;")
        elif on != "Context":
            lines.append(f"let{' mut' if 'mut' in parameters else ''} own = w.{SHELVES[on]}.{'take' if 'mut' in parameters else 'get'}(on)?;")
            behind = f"w.{SHELVES[on]}.put_back(own);" if "mut" in parameters else ""
    at = 0
    for field, type in [p for p in parameters if p != "mut"]:
        bare = type.lstrip("&")
        if type == "&mut Context":
            arguments.append("c")
        elif type in options:
            lines.append(f"let {field} = {type}::taken(w, &a[{at}]);")
            if field != "config":
                lines.append(f"let config = {{ let mut config = config; config.{field} = Some({field}); config }};")
            run = ".config(config).run()"
        elif field == "verifying":
            lines.append(f"let verifying = {TAKEN[type][0].format(f'&a[{at}]')}; let config = Groth16KeyConfig {{ verifying: verifying.as_ref(), ..config }};")
        else:
            if type in TAKEN:
                taken, expression = TAKEN[type]
            elif type in enums:
                taken, expression = type + "::taken(w, {})", "{}"
            elif type.startswith("&mut "):
                taken, expression = f"w.{SHELVES[type[5:]]}.take({{}})?", "&mut {}"
                behind += f"w.{SHELVES[type[5:]]}.put_back(a{at});"
            else:
                taken, expression = f"w.{SHELVES[bare]}.get({{}})?", "&{}"
            mutable = "mut " if expression.startswith("&mut") else ""
            lines.append(f"let {mutable}a{at} = {taken.format(f'&a[{at}]')};")
            arguments.append(expression.format(f"a{at}"))
        at += 1
    return " ".join(lines) + f" let result = {called}({', '.join(arguments)}){run}; w.end(result); {behind} Some(())"


def rust_source(path):
    interface = headers.Interface(ROOT)
    enums = {gen_bindings.camel(enum.name): gen_bindings.rust_words(enum) for enum in interface.enums if enum.name != "sumac_status"}
    out = ["use super::*;\n"]
    for name, words in enums.items():
        arms = "".join(f"{value.value} => {name}::{word}, " for word, value in words)
        out.append(f"impl Taken for {name} {{ fn taken(w: &World, given: &Json) -> Self {{ match w.number::<u64>(given) {{ {arms}_ => {name}::{words[0][0]} }} }} }}\n")
    options = set()
    for struct in gen_bindings.rust_structs(interface):
        name = gen_bindings.camel(struct.name)
        rows = [(field, f"Option<{type}>" if missing else type) for field, type, missing in gen_bindings.rust_options(interface, struct)]
        options.add(name)
        life = "<'static>" if any("'a" in type for _, type in rows) or "'a" in "".join(gen_bindings.RUST_MORE.get(struct.name, "")) else ""
        arms = "".join(f'"{field.name}" => taken.{gen_bindings.rust_name(field.name)} = {rust_field(type, enums)}, ' for field, type in rows)
        out.append(f"impl Taken for {name}{life} {{ fn taken(w: &World, given: &Json) -> Self {{ let mut taken = Self::default(); "
                   f"for (name, value) in given.options() {{ match name.as_str() {{ {arms}_ => {{}} }} }} taken }} }}\n")
    out.append("pub fn call(w: &mut World, c: &mut Context, name: &str, on: &Json, a: &[Json]) -> Option<()> {\n    match name {\n")
    out += [f'        "{name}" => {{ {rust_call(name, parameters, on, enums, options)} }}\n' for name, on, parameters in rust(True)
            if is_called("rust", (name, on, parameters))]
    out.append('        _ => panic!("there is no {name}"),\n    }\n}\n')
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(out))


# ---- The files on which calls work ----

def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def make_world(data, folder):
    number = lambda text: int(text, 16)  # noqa: E731
    for w, (name, group, size) in enumerate(WORLDS):
        with open(os.path.join(data, "vectors", f"{name}_{group}.json"), encoding="utf-8") as file:
            bases = [b for case in json.load(file)["cases"] for b in case["bases"] if b]
        raw = [b"".join(number(part).to_bytes(size // (4 if group == "g2" else 2), "little")
                        for axis in "xy" for part in (b[axis] if group == "g2" else [b[axis]])) for b in bases]
        write(folder, f"points{w}", b"".join((raw * N)[:N]))
        write(folder, f"scalars{w}", b"".join((5**(40 + i) * 3**(30 + i)).to_bytes(32, "little") for i in range(N)))
        for which in ("g1", "g2"):
            other = {"g1": 0, "g2": 2}[which] if name == "bn254" else None
            if other is None and which == "g2":
                write(folder, f"g2{w}", bytes(192))
            elif other is None or other == w:
                write(folder, f"{which}{w}", raw[0])
    shutil.copy(os.path.join(folder, "g10"), os.path.join(folder, "g12"))
    shutil.copy(os.path.join(folder, "g22"), os.path.join(folder, "g20"))
    for source in ("key.zkey", "witness.wtns", "public.json", "proof.json", "verification_key.json", "circuit.r1cs"):
        shutil.copy(os.path.join(data, "groth16", "tiny-bn254", source), folder)
        shutil.copy(os.path.join(data, "plonk", "tiny-bn254", source), os.path.join(folder, "plonk_" + source))
    shutil.copy(os.path.join(data, "plonk", "bn254.ptau"), os.path.join(folder, "powers.ptau"))
    shutil.copy(os.path.join(data, "groth16", "tiny-bn254", "expected.bin"), os.path.join(folder, "gproof"))
    shutil.copy(os.path.join(data, "gnark", "bn254", "proof.compressed"), os.path.join(folder, "gnark_proof"))
    integers = lambda texts: b"".join(int(text).to_bytes(32, "little") for text in texts)  # noqa: E731
    for prefix in "", "plonk_":
        with open(os.path.join(folder, prefix + "witness.wtns"), "rb") as file:
            sections = file.read()
        at = 12
        while struct.unpack_from("<I", sections, at)[0] != 2:
            at += 12 + struct.unpack_from("<Q", sections, at + 4)[0]
        write(folder, prefix + "witness", sections[at + 12:at + 12 + struct.unpack_from("<Q", sections, at + 4)[0]])
        with open(os.path.join(folder, prefix + "public.json"), encoding="utf-8") as file:
            write(folder, prefix + "publics", integers(json.load(file)))
    with open(os.path.join(folder, "plonk_proof.json"), encoding="utf-8") as file:  # points, then scalars, in snarkjs' order
        values = list(json.load(file).values())[:15]
    write(folder, "plonk_gproof", b"".join(integers(value[:2] if isinstance(value, list) else [value]) for value in values))
    with open(os.path.join(folder, "public.json"), encoding="utf-8") as file:
        numbers = [int(text) for text in json.load(file)]
    write(folder, "gnark_public", struct.pack(">III", len(numbers), 0, len(numbers)) + b"".join(k.to_bytes(32, "big") for k in numbers))
    with open(os.path.join(data, "kzg", "trusted_setup.txt"), encoding="utf-8") as file:
        text = file.read()
    write(folder, "trusted_setup.txt", text.encode())
    points = text.split()[2:]
    for name, part in (("g1_lagrange", points[:4096]), ("g2_monomial", points[4096:4161]), ("g1_monomial", points[4161:])):
        write(folder, name, bytes.fromhex("".join(part)))

    def case(function, pattern):
        """Return the bytes of all hexadecimal texts in a case of the consensus specification's vectors."""
        with open(sorted(glob.glob(os.path.join(data, "tests", function, "kzg-mainnet", pattern, "data.yaml")))[0], encoding="utf-8") as file:
            return [bytes.fromhex(digits) for digits in re.findall(r"0x([0-9a-f]+)", file.read())]

    for name, value in zip(("commitment", "z", "y", "proof_at_z"), case("verify_kzg_proof", "*_correct_proof*")):
        write(folder, name, value)
    for name, value in zip(("blob", "commitment", "proof"), case("verify_blob_kzg_proof", "*_correct_proof*")):
        write(folder, name, value)
    found = case("compute_cells_and_kzg_proofs", "*_valid*")
    for name, value in (("cells", b"".join(found[1:65])), ("cell", found[1]), ("cell_proof", found[129])):
        write(folder, name, value)
    write(folder, "scalar", (3).to_bytes(32, "little"))


def main(language, data, folder, calls="1500", seed="1", first="0"):
    os.makedirs(folder, exist_ok=True)
    make_world(data, folder)
    made = Calls(language, seed)
    with open(os.path.join(folder, "calls.json"), "w", encoding="utf-8") as file:
        for number in range(int(first), int(first) + int(calls)):
            file.write(json.dumps(made.call(number)) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--rust-source":
        rust_source(sys.argv[2])
    elif len(sys.argv) < 4:
        sys.exit(__doc__)
    else:
        main(*sys.argv[1:])
