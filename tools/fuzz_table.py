#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the fuzzing of the bindings knows of the C interface, from the public headers, as JSON on standard output.

  fuzz_table.py

  numbers     the values that an integer of a call is set to, beside its own right one; a type holds those that it can
  calls       of each function its arguments: name, kind, and for a handle, structure or enum which one
  structures  of each structure that a caller fills in its fields, likewise

The kinds: context (changed by the call), handle, made (the address of a handle that the call makes), number (with its type),
enum, flag, real, text, path, bytes (read by the call), room (written by it), list (of addresses), numbers (a list of them),
structure, outcome (a structure that the call fills in), message, allocated (what the call allocates), callback.
"""
import json
import os
import re
import sys

import headers

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBERS = [0, 1, 2, 3, 7, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
INTEGERS = re.compile(r"u?int(\d+_t)?|size_t")


def is_flag(doc):
    """Whether the documentation of a uint32_t says that it is 0 or 1."""
    return bool(re.match(r"1: ", doc))


def kind_of(interface, named):
    """(kind, of what) of a parameter or field."""
    type, base, pointers = named.type, named.type.base, len(named.type.pointers)
    handles = {s.name for s in interface.structs if not s.fields}
    if type.function:
        return "callback", None
    if not pointers:
        if interface.enum(base):
            return "enum", base
        if base == "double":
            return "real", base
        if not INTEGERS.fullmatch(base):
            raise SystemExit(f"fuzz_table.py: what is {named.name}, {type.c()}?")
        return ("flag" if is_flag(named.doc) else "number"), base
    if base == "sumac_message":
        return "message", base
    if base in handles:
        return ("made" if pointers == 2 else "handle" if type.const or base != "sumac_context" else "context"), base
    if base == "char" and pointers == 1:
        return ("path" if "path" in named.name else "text"), None
    if pointers == 2:
        return ("list" if type.const else "allocated"), base
    struct = interface.struct(base)
    if struct and any(field.name == "size" for field in struct.fields):
        return ("structure" if type.const else "outcome"), base
    if INTEGERS.fullmatch(base) and base != "uint8_t":
        return ("numbers" if type.const else "outcome"), base
    return ("bytes" if type.const else "room"), base


def row(interface, named):
    kind, of = kind_of(interface, named)
    return {"name": named.name, "kind": kind} | ({"of": of} if of else {})


def table():
    interface = headers.Interface(ROOT)
    options = [s for s in interface.structs if any(f.name == "size" for f in s.fields)]
    return {
        "numbers": NUMBERS,
        "enums": {enum.name: [value.value for value in enum.values] for enum in interface.enums},
        "structures": {s.name: [row(interface, f) for f in s.fields if f.name not in ("size", "reserved")] for s in options},
        "calls": {f.name: [row(interface, p) for p in f.parameters] for f in interface.functions},
    }


if __name__ == "__main__":
    json.dump(table(), sys.stdout, indent=1)
