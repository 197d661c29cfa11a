#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""gen_fuzz.py FILE

Writes the calls that the fuzzing of Rust's safe layer makes: every public function of the crate, with a drawn value for every argument, and
of every structure of options a drawn value for every field. What an argument is is its type's; one that is not known here ends
the generator, so that a new one is not left out. bindings/rust/fuzz/tests/fuzz.rs draws the values.
"""
import glob
import os
import re
import sys

import fuzz_table
import gen_bindings
import headers

LICENCE = "SPDX-License-Identifier: Apache-2.0 OR MIT"
# Not called: what takes functions (the driver's contexts have them), and what is unsafe.
SKIPPED = {"ContextConfig::on_progress", "ContextConfig::on_trace", "Bases::from_records"}
SKIPPED_TYPES = {"Error"}  # looked at after each call that fails
ARRAYS = ("Blob", "Cell", "Bytes32", "Bytes48", "Bytes96")
# What is drawn for a type.
DRAWN = {
    "&mut Context": "c",
    "Curve": "w.curve()",
    "Option<Curve>": "w.some(World::curve)",
    "&[u8]": "&w.bytes()",
    "Option<&[u8]>": "w.some(World::bytes).as_deref()",
    "&mut [u8]": "&mut w.bytes()",
    "&[u64]": "&w.list()",
    "&[&[u8]]": "&w.several().iter().map(Vec::as_slice).collect::<Vec<_>>()",
    "usize": "w.number()", "u64": "w.number()", "u32": "w.number()",
    "Option<i32>": "w.some(World::number)",
    "Range<usize>": "w.range()",
    "&str": "w.text()",
    "Option<&str>": "w.some(World::text)",
    "impl AsRef<Path>": "w.path()",
    "impl Into<Slice>": "w.slice()",
    "ContextConfig<'_>": "w.context_config()",
    "Option<Arc<Groth16VerifyingKey>>": "w.some_verifying()",
    "&mut Option<(usize, Option<u64>)>": "&mut None",
    **{f"&[{name}]": f"&w.arrays::<{{ std::mem::size_of::<{name}>() }}>()" for name in ARRAYS},
    **{f"&{name}": f"&w.array::<{{ std::mem::size_of::<{name}>() }}>()" for name in ARRAYS},
}
# Objects of the driver: how one is borrowed, and how one is taken, to be changed and given back.
OBJECTS = {"Bases": "bases", "Vector": "vector", "Plan": "plan", "Fk20": "fk20", "KzgSetup": "setup", "Groth16Key": "key",
           "Groth16VerifyingKey": "verifying", "PairingPoints": "pairing_points", "Pool": "pool"}
NUMBERS = {"u32", "u64", "usize"}


def split(parameters):
    """At the commas that are in no brackets."""
    depth, start, pieces = 0, 0, []
    for at, character in enumerate(parameters + ","):
        depth += (character in "<([{") - (character in ">)]}")
        if character == "," and depth == 0:
            pieces.append(parameters[start:at].strip())
            start = at + 1
    return [piece for piece in pieces if piece]


def functions(root):
    """(name, type it belongs to or "", parameters, result) of each public function."""
    for path in sorted(glob.glob(os.path.join(root, "bindings/rust/sumac/src/*.rs"))):
        if os.path.basename(path) in ("options.rs", "fields.rs", "pass.rs"):
            continue
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
        owner = ""
        for match in re.finditer(r"^impl(?:<[^>]*>)? (\w+)[^{]*\{|^\}|^ *pub (?:unsafe )?fn (\w+)\(([^{;]*)\)(?: -> ([^{]*))? \{", text, re.M):
            if match.group(0) == "}":
                owner = ""
            elif match.group(1):
                owner = match.group(1)
            else:
                parameters = split(" ".join(match.group(3).replace("std::ops::", "").split()))
                yield match.group(2), owner, parameters, " ".join((match.group(4) or "()").split())


def argument(type, options, enums):
    """(statement before the call, expression, statement behind it)."""
    bare = type.replace("<'_>", "").lstrip("&")
    if type in DRAWN:
        return "", DRAWN[type], ""
    if type in enums:
        return "", f"{type}::draw(w)", ""
    if type.startswith("&") and bare in options:
        return "", f"&{bare}::draw(w)", ""
    if type.startswith("&mut ") and type[5:] in OBJECTS:
        name = OBJECTS[type[5:]]
        return f"let Some(mut {name}) = w.own_{name}() else {{ return }};", f"&mut {name}", f"w.give_{name}({name});"
    if type.startswith("&") and bare in OBJECTS:
        return "", f"&or_return!(w.{OBJECTS[bare]}())", ""
    if type == "Context":
        return "", "or_return!(w.another_context())", ""
    raise SystemExit(f"gen_fuzz.py: what is drawn for {type}?")


def receiver(type, owner):
    """The same for self."""
    if owner == "Context":
        return "", "c", ""
    if owner == "Curve":
        return "", "w.curve()", ""
    if owner == "PreparedMsm":
        return "", "or_return!(w.prepared(c))", ""
    if type == "&mut self":
        name = OBJECTS[owner]
        return f"let Some(mut own) = w.own_{name}() else {{ return }};", "own", f"w.give_{name}(own);"
    return "", f"or_return!(w.{OBJECTS[owner]}())", ""


def calls(root, options, enums):
    for name, owner, parameters, result in functions(root):
        path = f"{owner}::{name}" if owner else name
        if path in SKIPPED or owner in SKIPPED_TYPES:
            continue
        before, arguments, behind, called = [], [], [], path
        for parameter in parameters:
            if parameter in ("&self", "&mut self"):
                first, expression, last = receiver(parameter, owner)
                called = f"own.{name}" if first else f"{'c' if owner == 'Context' else 'object'}.{name}"
                before += [first] if first else [] if owner == "Context" else [f"let object = {expression};"]
            else:
                first, expression, last = argument(parameter.split(": ", 1)[1], options, enums)
                before += [first] if first else []
                if expression not in ("c", "&mut None") and not first:
                    # In its own statement: each draw borrows the driver.
                    local = f"a{len(arguments)}"
                    borrow = re.match("&mut |&", expression)
                    mutable = "mut " if borrow and borrow.group() == "&mut " else ""
                    borrowed = borrow.group() if borrow else ""
                    after = ".as_deref()" if expression.endswith(".as_deref()") else ""
                    if ".several()" in expression:
                        before.append(f"let {local} = w.several();")
                        expression = expression.replace("w.several()", local)
                    else:
                        before.append(f"let {mutable}{local} = {expression[len(borrowed):].removesuffix('.as_deref()')};")
                        expression = borrowed + local + after
                arguments.append(expression)
            behind += [last] if last else []
        call = f"{called}({', '.join(arguments)})"
        if behind:
            before.append(f"let result = {call};")
            call = "result"
        end = "w.end" if result.startswith("Result<") else "w.answered"
        lines = before + ([f"{call};", "w.answered(());"] if result == "()" else [f"{end}({call});"]) + behind
        yield path, len(arguments) + 1, lines


def draw_field(type, struct, field, enums):
    type = type.replace("'a ", "").replace("<'a>", "")
    if type in NUMBERS:
        return "w.number()"
    if type == "Option<usize>":
        return "Some(w.number())"
    if type in enums:
        return f"{type}::draw(w)"
    return {
        "bool": "w.chance(50)", "f64": "w.real()", "Option<&str>": "Some(w.text_for_ever())", "Option<&[u8]>": "Some(w.bytes_for_ever())",
        "Option<&[u64]>": "Some(w.list_for_ever())", "Option<Tuning>": "Some(Tuning::draw(w))",
    }.get(type) or fail(f"gen_fuzz.py: what is drawn for {struct}.{field}, {type}?")


def fail(sentence):
    raise SystemExit(sentence)


def rust(root):
    interface = headers.Interface(root)
    enums = {gen_bindings.camel(enum.name): [word for word, _ in gen_bindings.rust_words(enum)] for enum in interface.enums}
    options = {}
    for struct in gen_bindings.rust_structs(interface):
        more = gen_bindings.RUST_MORE.get(struct.name)
        options[gen_bindings.camel(struct.name)] = [
            (gen_bindings.rust_name(field.name), type) for field, type in gen_bindings.rust_options(interface, struct)] + (
            [more[:2]] if more else [])
    out = [f"// {LICENCE}\n// Generated by tools/gen_fuzz.py from the headers and the crate's source.\n\n"
           "use super::*;\n\n/// Numbers of which arguments are drawn, beside right ones.\n"
           f"pub const NUMBERS: &[u64] = &{fuzz_table.NUMBERS};\n"]
    for name, values in enums.items():
        if name in ("Status", "Location"):
            continue
        out.append(f"\nimpl Draw for {name} {{\n    fn draw(w: &mut World) -> Self {{\n        w.one_of(&[" +
                   ", ".join(f"{name}::{value}" for value in values) + "])\n    }\n}\n")
    for name, fields in options.items():
        life = "<'static>" if any("'a" in type for _, type in fields) else ""
        out.append(f"\nimpl Draw for {name}{life} {{\n    fn draw(w: &mut World) -> Self {{\n        let mut drawn = Self::default();\n" +
                   "".join(f"        if w.chance(15) {{\n            drawn.{field} = {draw_field(type, name, field, enums)};\n        }}\n"
                           for field, type in fields) + "        drawn\n    }\n}\n")
    out.append("\npub type Call = fn(&mut World, &mut Context);\n\n/// Every call: its name, and how often it is made beside the others.\n"
               "pub const CALLS: &[(&str, usize, Call)] = &[\n")
    for path, weight, lines in calls(root, options, set(enums)):
        body = "".join(f"        {line}\n" for line in lines)
        uses_context = re.search(r"\bc\b", body)
        out.append(f'    ("{path}", {weight}, |w, {"c" if uses_context else "_c"}| {{\n{body}    }}),\n')
    out.append("];\n")
    return "".join(out)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(rust(gen_bindings.ROOT))
