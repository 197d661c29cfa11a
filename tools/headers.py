# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This module reads the declarations of the public headers: constants, enums, structs and functions, with their documentation.

It is not a parser of C, because the headers are regular. If it does not know a construct, it stops with the file and a
sentence, and never skips anything.
"""
import dataclasses
import os
import re

# Each header comes after those that it includes. mpi.h is missing, because its types belong to the MPI of the library's build.
HEADERS = ("status", "context", "group", "pool", "bases", "msm", "formats",
           "vector", "pairing", "map", "srs", "kzg", "groth16", "experimental", "plonk")
# The functions of these headers may change in any version.
EXPERIMENTAL = ("experimental", "plonk")
# These macros exist only for C, because they are texts and attributes.
C_ONLY = re.compile(r"SUMAC_(\w+_H|API|MUST_USE|QUOTED|VERSION_TEXT|VERSION_STRING)$")
INTEGERS = {"UINT64_MAX": 2**64 - 1, "SIZE_MAX": 2**64 - 1}
# For each of these words the vocabulary of sumac.h has another word.
OTHER_WORDS = {"curve": "group", "reason": "message", "why": "message", "holds": "ok", "hold": "ok", "is_one": "ok", "num": "count",
               "places": "evaluation_points", "len": "bytes", "filename": "path", "table_limit": "table_bytes"}
# The stable headers may declare at most this many functions.
MOST_FUNCTIONS = 125


@dataclasses.dataclass
class Type:
    """A C type. It has `const`, the base, the length of an array, and for each pointer whether the pointer itself is
    constant."""
    base: str
    const: bool = False
    pointers: tuple = ()
    count: int = 0
    function: "Function" = None  # the function, if this is a pointer to one
    enum: str = ""  # the enum whose values an integer field of a struct has; the base of an argument is its enum

    def c(self, name=""):
        if self.function:
            return f"{self.function.result.c()} (*{name})({', '.join(p.type.c(p.name) for p in self.function.parameters)})"
        text = ("const " if self.const else "") + self.base + " "
        for const in self.pointers:
            text += "*const " if const else "*"
        return (text + name).rstrip() + (f"[{self.count}]" if self.count else "")


@dataclasses.dataclass
class Named:
    """A parameter, a field of a struct, or a value of an enum or constant."""
    name: str
    type: Type = None
    value: int = 0
    doc: str = ""


@dataclasses.dataclass
class Function:
    name: str
    result: Type
    parameters: list
    doc: str = ""


@dataclasses.dataclass
class Struct:
    """A struct, or a handle if it has no fields."""
    name: str
    fields: list
    doc: str = ""


@dataclasses.dataclass
class Enum:
    name: str
    values: list
    doc: str = ""


class Interface:
    def __init__(self, root):
        self.constants, self.enums, self.structs, self.functions = [], [], [], []
        for name in HEADERS:
            path = os.path.join(root, "include", "sumac", name + ".h")
            with open(path, encoding="utf-8") as file:
                _Reader(self, os.path.relpath(path, root), file.read()).read()
            if name not in EXPERIMENTAL:
                self.stable = len(self.functions)

        # A field of a struct is a uint32_t instead of an enum. Its name ends with that of the enum: for example,
        # sumac_msm_config.scalar_form has a sumac_form.
        kinds = sorted((enum.name.removeprefix("sumac_") for enum in self.enums), key=len, reverse=True)
        for struct in self.structs:
            for field in struct.fields:
                if field.type.c() == "uint32_t":
                    kind = next((kind for kind in kinds if ("_" + field.name).endswith("_" + kind)), "")
                    field.type = dataclasses.replace(field.type, enum=kind and "sumac_" + kind)

    def check_statuses(self, root):
        """Check the table in sumac.h of the statuses that any call with a context may return. Each must be a status. A call's
        own list must not repeat them, and must name only statuses that exist."""
        with open(os.path.join(root, "include", "sumac", "sumac.h"), encoding="utf-8") as file:
            general = re.findall(r"^ \*  \| (SUMAC_\w+)", file.read(), re.M)
        statuses = [value.name for value in self.enum("sumac_status").values]
        known = {c.name for c in self.constants} | {value.name for enum in self.enums for value in enum.values}
        faults = [f"sumac.h: {name} is no status" for name in general if name not in statuses]
        if not general:
            faults.append("sumac.h: there is no table of statuses")
        for function in self.functions:
            listed = re.findall(r"SUMAC_[A-Z0-9_]+", function.doc.partition("@return")[2])
            faults += [f"{function.name}: there is no {name}" for name in listed if name not in known]
            if any(parameter.type.base == "sumac_context" and len(parameter.type.pointers) == 1 for parameter in function.parameters):
                faults += [f"{function.name}: sumac.h says {name} for all calls" for name in listed if name in general]
        if faults:
            raise SystemExit("\n".join(faults))

    def check_vocabulary(self, root):
        """Check that arguments and fields have names from the table in sumac.h, and that a length follows each buffer."""
        with open(os.path.join(root, "include", "sumac", "sumac.h"), encoding="utf-8") as file:
            words = re.findall(r"^ \*  \| `(\w+)`", file.read(), re.M)
        faults = [f"sumac.h: the table of words lacks {word}" for word in set(OTHER_WORDS.values()) - set(words) - {"evaluation_points"}]
        for function in self.functions:
            names = [parameter.name for parameter in function.parameters]
            faults += [f"{function.name}: {name} is called {OTHER_WORDS[name]}"
                       for name in names if name in OTHER_WORDS and not (name == "curve" and function.name == "sumac_group_find")]
            if any(p.type.base == "sumac_context" and len(p.type.pointers) == 1 for p in function.parameters[1:]) and names[0] != "pool":
                faults.append(f"{function.name}: the context comes first")
            for parameter, following in zip(function.parameters, [*function.parameters[1:], None]):
                type, bytes = parameter.type, parameter.name + "_bytes"
                lists = type.const and len(type.pointers) == 2  # a list of buffers of the length that follows the list
                if type.base == "void" and type.pointers and parameter.name not in ("user", "stream", "memory"):
                    if not following or following.name != (parameter.name.removesuffix("s") + "_bytes" if lists else bytes):
                        faults.append(f"{function.name}: {parameter.name} is not followed by {bytes}")
                if type.base == "int" and type.pointers and parameter.name != "ok":
                    faults.append(f"{function.name}: the verdict {parameter.name} is called ok")
            if re.search(r"_batch(_|$)", function.name):
                faults.append(f"{function.name}: functions take any number of inputs, and their names do not say so")
        for struct in self.structs:
            for field in struct.fields:
                if self.enum(field.type.base) and not field.type.pointers or field.type.base in ("int", "unsigned", "long"):
                    faults.append(f"{struct.name}.{field.name}: the size of a {field.type.base} is not fixed")
                if field.name in OTHER_WORDS and struct.name != "sumac_group":
                    faults.append(f"{struct.name}.{field.name}: it is called {OTHER_WORDS[field.name]}")
        if self.stable > MOST_FUNCTIONS:
            faults.append(f"the stable headers have {self.stable} functions, and may have {MOST_FUNCTIONS}")
        if faults:
            raise SystemExit("\n".join(faults))

    def struct(self, name):
        return next((s for s in self.structs if s.name == name and s.fields), None)

    def enum(self, name):
        return next((e for e in self.enums if e.name == name), None)

    def enum_of(self, type):
        """Return the enum whose values an argument or a field of this type has, or None."""
        return None if type.pointers else self.enum(type.enum or type.base)

    def constant(self, text):
        """Return the value of a constant expression in the headers."""
        values = {**INTEGERS, **{c.name: c.value for c in self.constants}}
        if not re.fullmatch(r"[\w\s()*+-]+", text):
            raise ValueError(f"no constant: {text}")
        return eval(text, {"__builtins__": {}}, values)  # the text has only numbers, names and + - *


def clean(comment):
    """Return the text of a comment /** .. */ or /**< .. */, with its paragraphs and tables."""
    text = re.sub(r"^/\*\*<?|\*/$", "", comment.strip())
    lines = [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip()


class _Reader:
    def __init__(self, interface, path, text):
        self.interface, self.path, self.text = interface, path, text

    def refuse(self, what):
        raise SystemExit(f"{self.path}: tools/headers.py does not know what this is: {what.strip()[:200]}")

    def read(self):
        text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", self.text, flags=re.S)
        text = re.sub(r"\\\n\s*", " ", text)
        doc = ""
        while text.strip():
            text = text.lstrip()
            if text.startswith("/*"):
                comment, text = text[:text.index("*/") + 2], text[text.index("*/") + 2:]
                # If a comment describes the file or is a heading, it does not document the next declaration.
                doc = clean(comment) if comment.startswith("/**") and "@file" not in comment else ""
                continue
            if text.startswith("#"):
                line, _, text = text.partition("\n")
                trailing = re.search(r"/\*\*<.*?\*/\s*$", line)
                self.directive(line[:trailing.start()] if trailing else line, clean(trailing.group()) if trailing else doc)
                continue
            if text.startswith("static inline"):
                text = text[self.closing_brace(text) + 1:]
                doc = ""
                continue
            end = self.end_of_declaration(text)
            self.declaration(text[:end], doc)
            text = text[end + 1:]
            # If the next declaration is on the next line, it has the same documentation. After an empty line it does not.
            if re.match(r"\s*\n\s*\n", text):
                doc = ""

    @staticmethod
    def closing_brace(text):
        depth = 0
        for at, character in enumerate(text):
            depth += (character == "{") - (character == "}")
            if character == "}" and depth == 0:
                return at
        raise SystemExit("a brace that is not closed")

    def end_of_declaration(self, text):
        """Return the position of the semicolon outside braces and comments."""
        depth, at = 0, 0
        while at < len(text):
            if text.startswith("/*", at):
                at = text.index("*/", at) + 2
                continue
            depth += (text[at] == "{") - (text[at] == "}")
            if text[at] == ";" and depth == 0:
                return at
            at += 1
        return self.refuse(text)

    def directive(self, line, doc):
        match = re.match(r"#define (\w+)(\(?)(.*)$", line)
        if not match or C_ONLY.match(match.group(1)) or match.group(2):
            if not re.match(r"#(if|ifdef|ifndef|else|endif|include|define)\b", line):
                self.refuse(line)
            return
        value = re.sub(r"/\*.*?\*/", "", match.group(3)).strip()
        self.interface.constants.append(Named(match.group(1), value=self.interface.constant(value), doc=doc))

    def declaration(self, text, doc):
        match = re.fullmatch(r"typedef struct (\w+) (\w+)", text)
        if match and match.group(1) == match.group(2):
            self.interface.structs.append(Struct(match.group(1), [], doc))
            return
        match = re.fullmatch(r"typedef (struct|enum) (\w+) \{(.*)\} (\w+)", text, re.S)
        if match and match.group(2) == match.group(4):
            kind, name, body = match.group(1), match.group(2), match.group(3)
            if kind == "enum":
                self.interface.enums.append(Enum(name, self.enum_values(body), doc))
            else:
                self.interface.structs.append(Struct(name, self.fields(body), doc))
            return
        match = re.fullmatch(r"SUMAC_API\s+(?:SUMAC_MUST_USE\s+)?(.+?)(\w+)\((.*)\)", text, re.S)
        if not match:
            self.refuse(text)
        result, name, parameters = match.groups()
        self.interface.functions.append(
            Function(name, self.type_of(result + "result").type, self.parameters(parameters), doc))

    def parameters(self, text):
        text = " ".join(text.split())
        return [] if text == "void" else [self.type_of(parameter) for parameter in text.split(",")]

    def type_of(self, text):
        match = re.fullmatch(r"\s*(const )?(\w+)((?:\s*\*(?:\s*const\b)?)*)\s*(\w+)(?:\[([^\]]+)\])?\s*", text)
        if not match:
            self.refuse(text)
        const, base, pointers, name, count = match.groups()
        return Named(name, Type(base, bool(const), tuple("const" in p for p in re.findall(r"\*(?:\s*const\b)?", pointers)),
                                self.interface.constant(count) if count else 0))

    def pieces(self, body, separator):
        """Return (code, documentation) for each field or value. The comment precedes it, or follows it as /**< */."""
        pieces, doc = [], ""
        for comment, code in re.findall(r"(/\*.*?\*/)|((?:[^/]|/(?!\*))+)", body, re.S):
            if comment.startswith("/**<"):
                pieces[-1][1] = clean(comment)
            elif comment:
                doc = clean(comment) if comment.startswith("/**") else doc
            else:
                for part in code.split(separator):
                    if part.strip():
                        pieces.append([part.strip(), doc])
                        doc = ""
        return pieces

    def enum_values(self, body):
        values, following = [], 0
        # A value's comment may precede the comma that follows the value.
        body = re.sub(r"=\s*(\d+)\s*,", r"= \1,", body)
        for code, doc in self.pieces(body, ","):
            match = re.fullmatch(r"(\w+)(?:\s*=\s*(\d+))?", code)
            if not match:
                self.refuse(code)
            value = int(match.group(2)) if match.group(2) else following
            values.append(Named(match.group(1), value=value, doc=doc))
            following = value + 1
        return values

    def fields(self, body):
        fields = []
        for code, doc in self.pieces(body, ";"):
            code = " ".join(code.split())
            match = re.fullmatch(r"(\w+) \(\*(\w+)\)\((.*)\)", code)
            if match:
                function = Function("", Type(match.group(1)), self.parameters(match.group(3)))
                fields.append(Named(match.group(2), Type("", function=function), doc=doc))
                continue
            # If several fields of one type are declared together, they share their comment.
            first, *others = code.split(",")
            field = self.type_of(first)
            for name in [field.name] + [other.strip() for other in others]:
                fields.append(Named(name, field.type, doc=doc))
        return fields
