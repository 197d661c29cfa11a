# SPDX-License-Identifier: Apache-2.0 OR MIT
"""C functions, run from their source on values that a domain chooses.

gcc -E expands a header of src/, pycparser reads it, and Run executes a function statement by statement. Objects are real
objects and pointers point into them, so that a test may make r and an operand one object. Known integers are Python's,
wrapped to their C type; an overflow of a signed type, a read of an unset object and any C that this file does not
understand is a Reject. Unknown values belong to a domain (algebra's words, integers.py's numbers, fields.py's elements),
which has

    binary(op, x, y, type)   x op y for operands of that C type
    convert(x, from, to)     the C conversion
    compare(run, op, x, y)   the answer of a comparison, 0 or 1, which may be a question to run.ask()

Functions named in `leaves` are not entered: other claims prove the meaning that is assumed of them. A condition that the
domain cannot decide is asked of run.ask(); every_way() follows both answers.

Trusted: gcc -E, pycparser, and this file's meaning of C on integers of 8 to 128 bits in two's complement.
"""
import collections
import functools
import pathlib
import re
import subprocess

from pycparser import c_ast, c_parser

from algebra import Reject

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Impossible(Exception):
    """The answers contradict known facts: there is no such way through the function."""


# ---- Types and objects ----

Integer = collections.namedtuple("Integer", "bits signed")
Pointer = collections.namedtuple("Pointer", "target")
Array = collections.namedtuple("Array", "target count")
Element = collections.namedtuple("Element", "name")  # of a ring, where the type's limbs are not looked at

INT, UNSIGNED, LONG, UNSIGNED_LONG = Integer(32, True), Integer(32, False), Integer(64, True), Integer(64, False)
NAMED = {
    "int8_t": Integer(8, True), "uint8_t": Integer(8, False), "int32_t": INT, "uint32_t": UNSIGNED,
    "int64_t": LONG, "uint64_t": UNSIGNED_LONG, "size_t": UNSIGNED_LONG,
    "sumac_i128": Integer(128, True), "sumac_u128": Integer(128, False),
}
KEYWORDS = {
    "int": INT, "unsigned": UNSIGNED, "unsigned int": UNSIGNED, "long": LONG, "unsigned long": UNSIGNED_LONG,
    "char": Integer(8, True), "signed char": Integer(8, True), "unsigned char": Integer(8, False),
}


class Structure(dict):
    """Fields by name."""


class Cell:
    """An object that holds one value; None is a value that was not set."""

    __slots__ = ("type", "value")

    def __init__(self, type_, value=None):
        self.type, self.value = type_, value


class Address:
    """The place `index` of a list of objects."""

    __slots__ = ("block", "index")

    def __init__(self, block, index=0):
        self.block, self.index = block, index

    def target(self):
        if not 0 <= self.index < len(self.block):
            raise Reject("an access outside of its array")
        return self.block[self.index]

    def __eq__(self, other):
        return isinstance(other, Address) and self.block is other.block and self.index == other.index

    __hash__ = None


def address(thing):
    """The address of an object: of an array, that of its first element."""
    return Address(thing) if isinstance(thing, list) else Address([thing])


def wrap(value, type_):
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.signed and value >> (type_.bits - 1) else value


# ---- Reading ----

PRELUDE = "\n".join("typedef int %s;" % name for name in NAMED) + "\n"


def expand(text, flags=()):
    """The lines of src/ that a translation unit of this text has after the preprocessor, by file."""
    command = ["gcc", "-E", *flags, "-I%s" % (ROOT / "src"), "-I%s" % (ROOT / "include"), "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("gcc -E: " + done.stderr)
    parts, name = [], ""
    for line in done.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            name = marker.group(1)
        else:
            parts.append((name, line))
    return parts


def parse(code, elements=()):
    code = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", code)
    code = re.sub(r'_Static_assert\s*\((?:[^"]|"[^"]*")*?\)\s*;', "", code)
    code = re.sub(r'_Pragma\s*\("[^"]*"\)|#pragma.*', "", code)
    code = re.sub(r"__extension__ typedef .*__int128.*;", "", code)
    return c_parser.CParser().parse(PRELUDE + "".join("typedef int %s;\n" % name for name in elements) + code)


@functools.lru_cache(maxsize=None)
def program(header, files, includes, flags=(), elements=(), replaced=(), before=""):
    """The functions of these files of src/, for the curve of a generated header. `replaced` are pairs of texts, old and new,
    with which a test damages the source, where it has the old one."""
    text = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n%s\n" % before
    text += "".join('#include "%s"\n' % name for name in includes)
    flags = ('-DSUMAC_CURVE_HEADER="curves/generated/%s.h"' % header, "-DSUMAC_PLAIN_C", *flags)
    wanted = tuple("src/" + name for name in files)
    code = "\n".join(line for name, line in expand(text, flags) if name.endswith(wanted))
    for old, new in replaced:
        code = code.replace(old, new, 1)
    return Program(parse(code, elements), elements)


class Program:
    """Functions, types and constants of one translation unit. Types named in `elements` are elements of a ring."""

    def __init__(self, tree, elements=()):
        self.functions, self.types, self.tags, self.constants = {}, {}, {}, {}
        self.elements, self.globals = frozenset(elements), {}
        for e in tree.ext:
            if isinstance(e, c_ast.FuncDef):
                self.functions[e.decl.name] = e
            elif isinstance(e, c_ast.Typedef) and e.name not in NAMED:
                self.types[e.name] = e.type
                self.note_type(e.type)
            elif isinstance(e, c_ast.Decl):
                self.note_type(e.type)
                if e.name and not isinstance(e.type, c_ast.FuncDecl):
                    self.globals[e.name] = e

    def note_type(self, node):
        inner = getattr(node, "type", None)
        if isinstance(inner, c_ast.Struct):
            node = inner
        if isinstance(node, c_ast.Struct) and node.name and node.decls:
            self.tags[node.name] = node
        values = inner if isinstance(inner, c_ast.Enum) else node
        if isinstance(values, c_ast.Enum) and values.values:
            number = 0
            for e in values.values.enumerators:
                number = Run(self).number(e.value) if e.value is not None else number
                self.constants[e.name] = number
                number += 1

    def type_of(self, node):
        if isinstance(node, c_ast.PtrDecl):
            return Pointer(node.type)
        if isinstance(node, c_ast.ArrayDecl):
            return Array(node.type, node.dim)
        if isinstance(node, (c_ast.TypeDecl, c_ast.Typename)):
            return self.type_of(node.type)
        if isinstance(node, c_ast.Struct):
            return node if node.decls else self.tags[node.name]
        if isinstance(node, c_ast.Enum):
            return UNSIGNED
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            if name in self.elements:
                return Element(name)
            if name in NAMED or name in KEYWORDS:
                return NAMED.get(name) or KEYWORDS[name]
            if name == "void":
                return None
            if name in self.types:
                return self.type_of(self.types[name])
        raise Reject("a type that is not known")

    def make(self, node, run=None):
        """A new object of a type, which is not set."""
        type_ = node if isinstance(node, (Integer, Element, Pointer, Array)) else self.type_of(node)
        if isinstance(type_, Array):
            return [self.make(type_.target, run) for _ in range((run or Run(self)).number(type_.count))]
        if isinstance(type_, c_ast.Struct):
            return Structure((d.name, self.make(d.type, run)) for d in type_.decls)
        return Cell(type_)

    def new(self, name):
        """A new object of a named type."""
        return self.make(c_ast.IdentifierType([name]))


# ---- Running ----


class Return(Exception):
    pass


class Break(Exception):
    pass


class Continue(Exception):
    pass



class Run:
    """One way through functions. `choices` are the answers to its first questions, `answers` has all answers."""

    def __init__(self, source, domain=None, leaves=(), overrides=(), choices=()):
        self.source, self.domain, self.leaves = source, domain, dict(leaves)
        self.overrides, self.known_globals = dict(overrides), {}
        self.choices, self.answers, self.steps = choices, [], 0

    def ask(self):
        k = len(self.answers)
        self.answers.append(self.choices[k] if k < len(self.choices) else 1)
        return self.answers[-1]

    def call(self, name, *arguments):
        """The value that a function returns; arguments are values, and addresses of objects."""
        if name in self.leaves:
            return self.leaves[name](self, *arguments)
        function = self.source.functions.get(name)
        if function is None:
            raise Reject("calls %s, of which nothing is known" % name)
        scope = collections.ChainMap({}, self.overrides)
        parameters = function.decl.type.args.params if function.decl.type.args else []
        for parameter, argument in zip(parameters, arguments):
            if parameter.name is None:
                continue
            if isinstance(argument, Structure):
                scope[parameter.name] = thing = self.source.make(parameter.type, self)
                self.assign(thing, argument)
            else:
                type_ = self.source.type_of(parameter.type)
                type_ = Pointer(type_.target) if isinstance(type_, Array) else type_
                scope[parameter.name] = Cell(type_, self.convert(argument, None, type_))
        try:
            self.execute(function.body, scope)
        except Return as r:
            value = r.args[0]
            return value if value is None or isinstance(value, Structure) else self.convert(
                value[0], value[1], self.source.type_of(function.decl.type.type))
        return None

    # ---- Statements ----

    def execute(self, s, scope):
        self.steps += 1
        if self.steps > 200000:
            raise Reject("a loop that does not end")
        handler = getattr(self, "do_" + type(s).__name__, None)
        if handler:
            handler(s, scope)
        else:
            self.rvalue(s, scope)

    def do_Compound(self, s, scope):
        inner = scope.new_child()
        for x in s.block_items or []:
            self.execute(x, inner)

    def do_DeclList(self, s, scope):
        for d in s.decls:
            self.execute(d, scope)

    def do_Decl(self, d, scope):
        if "static" in d.storage and d.name in self.overrides:
            scope[d.name] = self.overrides[d.name]
            return
        scope[d.name] = thing = self.source.make(d.type, self)
        if d.init is not None:
            self.initialise(thing, d.init, scope)

    def do_If(self, s, scope):
        if self.truth(s.cond, scope):
            self.execute(s.iftrue, scope)
        elif s.iffalse:
            self.execute(s.iffalse, scope)

    def loop(self, scope, condition, body, step=None, test_first=True):
        while not test_first or condition is None or self.truth(condition, scope):
            test_first = True
            try:
                self.execute(body, scope)
            except Break:
                return
            except Continue:
                pass
            if step is not None:
                self.rvalue(step, scope)

    def do_For(self, s, scope):
        scope = scope.new_child()
        if s.init:
            self.execute(s.init, scope)
        self.loop(scope, s.cond, s.stmt, s.next)

    def do_While(self, s, scope):
        self.loop(scope, s.cond, s.stmt)

    def do_DoWhile(self, s, scope):
        self.loop(scope, s.cond, s.stmt, None, False)

    def do_Switch(self, s, scope):
        chosen, found = self.number(s.cond, scope), False
        try:
            for case in s.stmt.block_items:
                found = found or isinstance(case, c_ast.Default) or self.number(case.expr, scope) == chosen
                if found:
                    for x in case.stmts:
                        self.execute(x, scope)
        except Break:
            pass

    def do_Return(self, s, scope):
        raise Return(self.rvalue(s.expr, scope) if s.expr else None)

    def do_Break(self, s, scope):
        raise Break

    def do_Continue(self, s, scope):
        raise Continue

    def do_EmptyStatement(self, s, scope):
        pass

    # ---- Objects ----

    def initialise(self, thing, init, scope):
        if not isinstance(init, c_ast.InitList):
            value, type_ = self.rvalue(init, scope)
            self.assign(thing, value, type_)
            return
        if isinstance(thing, Cell):
            if isinstance(thing.type, Element):
                thing.value = self.domain.constant(self, init, scope)
            else:
                self.initialise(thing, init.exprs[0], scope)
            return
        self.clear(thing)
        names = list(thing) if isinstance(thing, Structure) else range(len(thing))
        for k, e in enumerate(init.exprs or []):
            if isinstance(e, c_ast.NamedInitializer):
                self.initialise(thing[e.name[0].name], e.expr, scope)
            else:
                self.initialise(thing[names[k]], e, scope)

    def clear(self, thing):
        if isinstance(thing, Cell):
            thing.value = {} if isinstance(thing.type, Element) else 0
        else:
            for x in thing.values() if isinstance(thing, Structure) else thing:
                self.clear(x)

    def assign(self, thing, value, type_=None):
        if isinstance(thing, Cell):
            thing.value = value if isinstance(thing.type, Element) else self.convert(value, type_, thing.type)
        else:
            for k in thing if isinstance(thing, Structure) else range(len(thing)):
                source = value[k]
                self.assign(thing[k], source.value if isinstance(source, Cell) else source,
                            source.type if isinstance(source, Cell) else None)

    def find(self, name, scope):
        if name in scope:
            return scope[name]
        if name not in self.known_globals:
            if name in self.source.constants:
                return Cell(INT, self.source.constants[name])
            d = self.source.globals.get(name)
            if d is None:
                raise Reject("%s is not known" % name)
            self.known_globals[name] = thing = self.source.make(d.type, self)
            self.initialise(thing, d.init, collections.ChainMap({}, self.overrides))
        return self.known_globals[name]

    def lvalue(self, e, scope):
        """The object that an expression names."""
        if isinstance(e, c_ast.ID):
            return self.find(e.name, scope)
        if isinstance(e, c_ast.UnaryOp) and e.op == "*":
            return self.rvalue(e.expr, scope)[0].target()
        if isinstance(e, c_ast.StructRef):
            thing = self.pointer(e.name, scope).target() if e.type == "->" else self.lvalue(e.name, scope)
            if isinstance(thing, Cell) and isinstance(thing.type, Element):
                return [thing]
            return thing[e.field.name]
        if isinstance(e, c_ast.ArrayRef):
            base, index = self.rvalue(e.name, scope)[0], self.number(e.subscript, scope)
            return Address(base.block, base.index + index).target()
        if isinstance(e, c_ast.CompoundLiteral):
            thing = self.source.make(e.type, self)
            self.initialise(thing, e.init, scope)
            return thing
        raise Reject("no object: " + type(e).__name__)

    def pointer(self, e, scope):
        value = self.rvalue(e, scope)[0]
        if not isinstance(value, Address):
            raise Reject("no pointer")
        return value

    # ---- Values ----

    def convert(self, value, from_, to):
        if isinstance(value, int) and isinstance(to, Integer):
            return wrap(value, to)
        if to is None or from_ == to or not isinstance(to, Integer) or isinstance(value, (Address, Structure)):
            return value
        return self.domain.convert(value, from_, to)

    def number(self, e, scope=None):
        """An integer that has to be known."""
        value = self.rvalue(e, {} if scope is None else scope)[0]
        if not isinstance(value, int):
            value = self.domain.known(value)
        return value

    def truth(self, e, scope):
        value, type_ = self.rvalue(e, scope)
        if isinstance(value, (int, bool)):
            return value != 0
        if isinstance(value, Address):
            return True
        return self.domain.compare(self, "!=", value, 0)

    def rvalue(self, e, scope):
        """(value, type)"""
        return getattr(self, "get_" + type(e).__name__, self.get_object)(e, scope)

    def get_object(self, e, scope):
        return self.read(self.lvalue(e, scope))

    def read(self, thing):
        if isinstance(thing, list):
            return Address(thing), None
        if isinstance(thing, Structure):
            return thing, None
        if thing.value is None:
            raise Reject("reads what was not set")
        return thing.value, thing.type

    def get_Constant(self, e, scope):
        digits = e.value.rstrip("uUlL")
        suffix = e.value[len(digits):].lower()
        value = int(digits, 0)
        types = [INT, UNSIGNED, LONG, UNSIGNED_LONG]
        if "u" in suffix:
            types = [t for t in types if not t.signed]
        elif not digits.startswith("0x"):
            types = [t for t in types if t.signed]
        if "l" in suffix:
            types = [t for t in types if t.bits == 64]
        return value, next(t for t in types if wrap(value, t) == value)

    def get_Cast(self, e, scope):
        type_ = self.source.type_of(e.to_type.type)
        value, from_ = self.rvalue(e.expr, scope)
        return (value, type_) if type_ is None else (self.convert(value, from_, type_), type_)

    def get_FuncCall(self, e, scope):
        name = e.name.name
        arguments = [self.rvalue(x, scope) for x in e.args.exprs] if e.args else []
        if name == "__builtin_expect":
            return arguments[0]
        if name in ("__builtin_ctzll", "__builtin_clzll") and isinstance(arguments[0][0], int):
            value = arguments[0][0]
            return ((value & -value).bit_length() - 1 if "ctz" in name else 64 - value.bit_length()), INT
        value = self.call(name, *(a[0] for a in arguments))
        function = self.source.functions.get(name)
        return value, self.source.type_of(function.decl.type.type) if function else UNSIGNED_LONG

    def get_Assignment(self, e, scope):
        thing = self.lvalue(e.lvalue, scope)
        value, type_ = self.rvalue(e.rvalue, scope)
        if e.op != "=":
            value, type_ = self.operate(e.op[:-1], *self.read(thing), value, type_)
        self.assign(thing, value, type_)
        return self.read(thing)

    def get_ExprList(self, e, scope):
        for x in e.exprs:
            result = self.rvalue(x, scope)
        return result

    def get_UnaryOp(self, e, scope):
        if e.op == "sizeof":
            return 0, UNSIGNED_LONG  # only in SUMAC_VERIFY_CHECK, which throws it away
        if e.op == "&":
            if isinstance(e.expr, c_ast.ArrayRef):
                base, index = self.rvalue(e.expr.name, scope)[0], self.number(e.expr.subscript, scope)
                return Address(base.block, base.index + index), None
            return Address([self.lvalue(e.expr, scope)]), None
        if e.op == "*":
            return self.read(self.lvalue(e, scope))
        if e.op in ("++", "--", "p++", "p--"):
            thing = self.lvalue(e.expr, scope)
            before = self.read(thing)
            after = self.operate(e.op[-1], *before, 1, INT)
            self.assign(thing, *after)
            return before if e.op.startswith("p") else self.read(thing)
        if e.op == "!":
            return int(not self.truth(e.expr, scope)), INT
        value, type_ = self.rvalue(e.expr, scope)
        type_ = self.promoted(type_)
        if e.op == "-":
            return self.operate("-", 0, type_, value, type_)
        if e.op == "~":
            return self.operate("^", value, type_, -1 if type_.signed else (1 << type_.bits) - 1, type_)
        if e.op == "+":
            return value, type_
        raise Reject("C: " + e.op)

    def get_BinaryOp(self, e, scope):
        if e.op in ("&&", "||"):
            left = self.truth(e.left, scope)
            return int(self.truth(e.right, scope) if left == (e.op == "&&") else left), INT
        return self.operate(e.op, *self.rvalue(e.left, scope), *self.rvalue(e.right, scope))

    def get_TernaryOp(self, e, scope):
        return self.rvalue(e.iftrue if self.truth(e.cond, scope) else e.iffalse, scope)

    @staticmethod
    def promoted(type_):
        return INT if type_.bits < 32 else type_

    def common(self, a, b):
        a, b = self.promoted(a), self.promoted(b)
        if a.signed == b.signed:
            return max(a, b, key=lambda t: t.bits)
        signed, other = (a, b) if a.signed else (b, a)
        return signed if signed.bits > other.bits else other

    def operate(self, op, x, tx, y, ty):
        if isinstance(x, Address) or isinstance(y, Address):
            if op in ("==", "!="):
                return int((x == y) == (op == "==")), INT
            if op in "+-" and isinstance(y, int):
                return Address(x.block, x.index + (y if op == "+" else -y)), tx
            raise Reject("an operation on pointers")
        if op in ("<<", ">>"):
            type_ = self.promoted(tx)
            y = y if isinstance(y, int) else self.domain.known(y)
            if not 0 <= y < type_.bits:
                raise Reject("a shift by %d" % y)
        else:
            type_ = self.common(tx, ty)
            y = self.convert(y, ty, type_)
        x = self.convert(x, tx, type_)
        known = isinstance(x, int) and isinstance(y, int)
        if op in COMPARISONS:
            return int(COMPARISONS[op](x, y) if known else self.domain.compare(self, op, x, y)), INT
        if not known:
            return self.domain.binary(op, x, y, type_), type_
        if op in "/%" and y == 0:
            raise Reject("a division by 0")
        value = ARITHMETIC[op](x, y)
        if type_.signed and wrap(value, type_) != value:
            raise Reject("a signed overflow")
        return wrap(value, type_), type_


COMPARISONS = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y, ">": lambda x, y: x > y,
    "<=": lambda x, y: x <= y, ">=": lambda x, y: x >= y,
}
ARITHMETIC = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "&": lambda x, y: x & y,
    "|": lambda x, y: x | y, "^": lambda x, y: x ^ y, "<<": lambda x, y: x << y, ">>": lambda x, y: x >> y,
    "/": lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1),
    "%": lambda x, y: abs(x) % abs(y) * (1 if x >= 0 else -1),
}


def every_way(start):
    """Follow every way: start(choices) returns a Run and a function that runs it. Yields (run, result) of each possible way. A
    way answers its first questions by its choices and all others by 1; for each of the others a further way answers 0."""
    todo = [[]]
    while todo:
        choices = todo.pop()
        run, go = start(choices)
        try:
            result = go()
        except Impossible:
            result = Impossible
        for k in range(len(choices), len(run.answers)):
            todo.append(run.answers[:k] + [0])
        if result is not Impossible:
            yield run, result


def excerpt(path, names, before="", replaced=(), elements=()):
    """Read some functions and types of a file of src/ without its includes, which this reader can't parse. `before` declares the
    names that they use; `replaced` has macros as well as a test's damage."""
    lines, code = (ROOT / "src" / path).read_text().splitlines(), before + "\n"
    for name in names:
        first = next((k for k, line in enumerate(lines) if re.match(r"\S.*(?<!\w)%s(?!\w)" % re.escape(name), line) and not line.endswith(";")), None)
        if first is None:
            raise RuntimeError("%s has no %s" % (path, name))
        last = next(k for k in range(first, len(lines)) if re.match(r"}", lines[k]))
        code += "\n".join(lines[first:last + 1]) + "\n"
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    code = re.sub(r"UINT64_C\((\w+)\)", r"\1ULL", code)
    code = re.sub(r"\bSUMAC_(BIG_)?FN\b", "static", code)
    for old, new in replaced:
        code = code.replace(old, new)
    return Program(parse(code, elements), elements)
