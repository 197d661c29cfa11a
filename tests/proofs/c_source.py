# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file runs C functions from their source, on values that a domain chooses.

gcc -E expands a header of src/, pycparser reads the declarations that are needed, and each function becomes a tree of Python
functions. Objects are real objects and pointers point into them, so that a test may make r and an operand one object. Known
integers are Python's, wrapped to their C type. An overflow of a signed type, a read of an unset object, an access outside of
an array and any C that this file does not understand raises Reject. Unknown values belong to a domain: machine words
(words.py), numbers (integers.py), elements of a field (elements.py) or a lane of vectors (machines/vectors.py). A domain has

    binary(op, x, y, type)   x op y for operands of that C type
    convert(x, from, to)     the C conversion
    compare(run, op, x, y)   the answer of a comparison, 0 or 1, which may be a question to run.ask()
    known(x)                 a value that has to be a known integer

Functions named in `leaves` are not entered: other claims prove the meaning that is assumed of them. If the domain cannot
decide a condition, it calls run.ask(), and every_way() follows both answers.

gcc -E and pycparser are trusted, and so is this file's meaning of C on integers of 8 to 128 bits in two's complement. A double
must be known, and an integer.
"""
import collections
import functools
import pathlib
import re
import subprocess

from pycparser import c_ast, c_parser

from algebra import Reject

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_ROUNDS = 200000  # This limits the rounds of all loops of a run, so that a damaged loop ends, too.


class Impossible(Exception):
    """This is raised if answers contradict known facts, because there is no such way through the function."""


# ---- Types and objects ----

Integer = collections.namedtuple("Integer", "bits signed")
Pointer = collections.namedtuple("Pointer", "target")
Array = collections.namedtuple("Array", "target count")
Element = collections.namedtuple("Element", "name")  # an element of a ring, or a vector, whose parts are not used

INT, UNSIGNED, LONG, UNSIGNED_LONG = Integer(32, True), Integer(32, False), Integer(64, True), Integer(64, False)
DOUBLE = Integer(1100, True)
NAMED = {
    "int8_t": Integer(8, True), "uint8_t": Integer(8, False), "int32_t": INT, "uint32_t": UNSIGNED,
    "int64_t": LONG, "uint64_t": UNSIGNED_LONG, "size_t": UNSIGNED_LONG, "__mmask8": Integer(8, False),
    "sumac_i128": Integer(128, True), "sumac_u128": Integer(128, False),
}
KEYWORDS = {
    "int": INT, "unsigned": UNSIGNED, "unsigned int": UNSIGNED, "long": LONG, "unsigned long": UNSIGNED_LONG,
    "long long": LONG, "unsigned long long": UNSIGNED_LONG, "double": DOUBLE,
    "char": Integer(8, True), "signed char": Integer(8, True), "unsigned char": Integer(8, False),
}


class Structure(dict):
    """A struct is a dictionary of its fields."""


class Cell:
    """A cell is an object that holds one value, which is None if it was not set."""

    __slots__ = ("type", "value")

    def __init__(self, type_, value=None):
        self.type, self.value = type_, value


class Address:
    """An address is a pointer to the object at an index of a list of objects."""

    __slots__ = ("block", "index")

    def __init__(self, block, index=0):
        self.block, self.index = block, index

    def target(self, offset=0):
        if not 0 <= self.index + offset < len(self.block):
            raise Reject("an access outside of its array")
        return self.block[self.index + offset]

    def __eq__(self, other):
        if not isinstance(other, Address) or self.block is other.block:
            return isinstance(other, Address) and self.index == other.index
        return all(0 <= a.index < len(a.block) for a in (self, other)) and self.target() is other.target()

    __hash__ = None


def address(thing):
    """Return the address of an object. The address of an array is that of its first element."""
    return Address(thing) if isinstance(thing, list) else Address([thing])


def wrap(value, type_):
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.signed and value >> (type_.bits - 1) else value


def ends(type_):
    """Return the least and the greatest value of a type."""
    return (-1 << (type_.bits - 1), (1 << (type_.bits - 1)) - 1) if type_.signed else (0, (1 << type_.bits) - 1)


def contents(thing):
    """Return the value of an object in an expression. The value of an array is a pointer to its first element."""
    if type(thing) is Cell:
        if thing.value is None:
            raise Reject("reads what was not set")
        return thing.value
    return Address(thing) if type(thing) is list else thing


def store(thing, value):
    if type(thing) is Cell:
        thing.value = value
    else:
        for k in thing if isinstance(thing, Structure) else range(len(thing)):
            store(thing[k], value[k].value if type(value[k]) is Cell else value[k])


# ---- Reading ----


@functools.lru_cache(maxsize=None)
def expand(text, flags=(), wanted=r"/src/", folder=ROOT / "src"):
    """Return {name: declaration} for a translation unit of this text. Only files whose names match `wanted` count."""
    command = ["gcc", "-E", *flags, "-I%s" % folder, "-I%s" % (ROOT / "src"), "-I%s" % (ROOT / "include"), "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise Reject("gcc -E: " + done.stderr[:500])
    kept, keep = [], False
    for line in done.stdout.splitlines():
        if line.startswith("# "):
            keep = re.search(wanted, line) is not None
        elif keep and not line.startswith("#"):
            kept.append(re.sub(r"^\s*\(\(void\)sizeof\(.*\)\);$", ";", line))  # SUMAC_VERIFY_CHECK, which evaluates nothing
    return declarations("\n".join(kept))


def declarations(text):
    """Return {name: text} of functions and their prototypes, variables and types. Tags have names like "struct x", and
    constants of enumerations names like "enum x"."""
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__extension__ typedef .*__int128.*;", "", text)
    text = re.sub(r'_Static_assert\s*\((?:[^"]|"[^"]*")*?\)\s*;|_Pragma\s*\("[^"]*"\)', "", text)
    found, start, depth = {}, 0, 0
    for match in re.finditer(r"[{};]", text):
        depth += (match.group() == "{") - (match.group() == "}")
        if depth or match.group() == "{":
            continue
        chunk = text[start:match.end()].strip()
        head = chunk.partition("{")[0]
        is_function = "(" in head and "=" not in head and not chunk.startswith("typedef")
        if match.group() == "}" and not is_function:
            continue
        start = match.end()
        if is_function:
            names = [re.search(r"(\w+)\s*\(", head)[1]]
        else:
            names = ["struct " + tag for tag in re.findall(r"\bstruct\s+(\w+)\s*\{", chunk)]
            for constants in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", chunk):
                names += ["enum " + name for name in re.findall(r"(?:^|,)\s*(\w+)", constants)]
            last = re.search(r"(\w+)\s*;$" if chunk.startswith("typedef") else r"(\w+)\s*(?:\[[^=]*\]\s*)?[=;]", chunk)
            names += [last[1]] if last else []
        for name in names:
            if name not in found or not (is_function and chunk.endswith(";")):
                found[name] = chunk
    return found


def program(header, files, includes, flags=(), elements=(), replaced=(), before=""):
    """Return the program of the functions in these files of src/, for the curve of a generated header. `replaced` has pairs
    (old, new) of texts. A test damages the source with them: each old text in it is replaced by the new one."""
    text = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n%s\n" % before
    text += "".join('#include "%s"\n' % name for name in includes)
    flags = ('-DSUMAC_CURVE_HEADER="curves/generated/%s.h"' % header, "-DSUMAC_PLAIN_C", *flags)
    wanted = "|".join(["<stdin>", *("/(src|include)/" + re.escape(name) for name in files)])
    return damaged(text, flags, wanted, tuple(elements), replaced)


@functools.lru_cache(maxsize=None)
def damaged(text, flags, wanted, elements, replaced):
    texts = dict(expand(text, flags, wanted))
    for old, new in replaced:
        chunk = next((chunk for chunk in texts.values() if old in chunk), "")
        texts = {name: other.replace(old, new, 1) if other == chunk else other for name, other in texts.items()}
    return Program(texts, elements)


@functools.lru_cache(maxsize=None)
def parsed(text, types):
    """Return the syntax tree of a declaration that uses these types."""
    return c_parser.CParser().parse("".join("typedef int %s;\n" % name for name in types) + text).ext[len(types)]


class Known:
    """This is an expression whose value is known before the program runs."""

    __slots__ = ("number",)

    def __init__(self, number):
        self.number = number

    def __call__(self, run, frame):
        return self.number


BREAK, CONTINUE, RETURN = "break", "continue", "return"  # This is how a statement ends, if not at its end.
Function = collections.namedtuple("Function", "parameters body")


class Program:
    """A program has the functions, types and constants of one translation unit, {name: text}. Types named in `elements` are
    opaque.

    Each expression becomes a function of the run and of a frame, {local name: object}. `value` and `place` return this function
    and the expression's type. Scopes are {name: (name in the frame, type)}."""

    def __init__(self, texts, elements=()):
        self.texts, self.elements, self.known = texts, frozenset(elements), {}
        self.types = {name for name, text in texts.items() if text.startswith("typedef") and " " not in name} | {*NAMED, *elements}

    def node(self, name):
        """Return the declaration of this name, or None if there is none."""
        text = self.texts.get(name)
        if text is None:
            return None
        return parsed(text, tuple(sorted(self.types.intersection(re.findall(r"\w+", text)))))

    @property
    def constants(self):
        """Return {name: number} of all enumerations."""
        return {key[5:]: self.enumerator(key[5:]) for key in self.texts if key.startswith("enum ")}

    def enumerator(self, name):
        """Return the number of a constant of an enumeration, or None if there is none of this name."""
        node, number = self.node("enum " + name), -1
        while node is not None and not isinstance(node, c_ast.Enum):
            node = node.type
        for e in node.values.enumerators if node else ():
            number = self.number(e.value) if e.value else number + 1
            if e.name == name:
                return number
        return None

    def type_of(self, node):
        if isinstance(node, c_ast.PtrDecl):
            return Pointer(node.type)
        if isinstance(node, c_ast.ArrayDecl):
            return Array(node.type, node.dim)
        if isinstance(node, (c_ast.TypeDecl, c_ast.Typename, c_ast.Typedef)):
            return self.type_of(node.type)
        if isinstance(node, c_ast.Struct):
            return node if node.decls else self.node("struct " + node.name).type
        if isinstance(node, c_ast.Enum):
            return UNSIGNED
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            if name not in self.known:
                if name in self.elements:
                    self.known[name] = Element(name)
                elif name in NAMED or name in KEYWORDS:
                    self.known[name] = NAMED.get(name) or KEYWORDS[name]
                elif name in self.texts:
                    self.known[name] = self.type_of(self.node(name))
                elif name == "void":
                    self.known[name] = None
            if name in self.known:
                return self.known[name]
        if isinstance(node, (Integer, Element, Pointer, Array)):
            return node
        raise Reject("a type that is not known")

    def make(self, node):
        """Return a new object of a type. Its values are not set."""
        type_ = self.type_of(node)
        if isinstance(type_, Array):
            return [self.make(type_.target) for _ in range(self.number(type_.count))]
        if isinstance(type_, c_ast.Struct):
            return Structure((d.name, self.make(d.type)) for d in type_.decls)
        return Cell(type_)

    def new(self, name):
        """Return a new object of a named type."""
        return self.make(c_ast.IdentifierType([name]))

    def number(self, e):
        if not isinstance(self.value(e, {})[0], Known):
            raise Reject("a length that is not known")
        return self.value(e, {})[0].number

    def function(self, name):
        key = "function " + name
        if key not in self.known:
            node = self.node(name)
            if not isinstance(node, c_ast.FuncDef):
                raise Reject("calls %s, of which nothing is known" % name)
            scope, parameters = {}, []
            for p in node.decl.type.args.params if node.decl.type.args else ():
                if p.name is not None:
                    type_ = self.type_of(p.type)
                    type_ = Pointer(type_.target) if isinstance(type_, Array) else type_
                    parameters.append((p.name, type_))
                    scope[p.name] = p.name, type_
            self.returns = self.type_of(node.decl.type.type)
            self.known[key] = Function(parameters, self.statement(node.body, scope))
        return self.known[key]

    # ---- statements: they return how they end ----

    def statement(self, s, scope):
        maker = getattr(self, "do_" + type(s).__name__, None)
        if maker is not None:
            return maker(s, scope)
        get = self.value(s, scope)[0]

        def evaluate(run, frame):
            get(run, frame)
        return evaluate

    def sequence(self, items, scope):
        steps = [self.statement(x, scope) for x in items or ()]

        def block(run, frame):
            for step in steps:
                end = step(run, frame)
                if end is not None:
                    return end
            return None
        return block

    def do_Compound(self, s, scope):
        return self.sequence(s.block_items, dict(scope))

    def do_DeclList(self, s, scope):
        return self.sequence(s.decls, scope)

    def do_EmptyStatement(self, s, scope):
        return lambda run, frame: None

    def do_Decl(self, d, scope):
        type_ = self.type_of(d.type)
        if isinstance(type_, Array) and type_.count is None:
            last = length = 0
            for e in d.init.exprs:
                last = (self.number(e.name[0]) if isinstance(e, c_ast.NamedInitializer) else last) + 1
                length = max(last, length)
            type_ = Array(type_.target, c_ast.Constant("int", str(length)))
        key = d.name if all(k != d.name for k, _ in scope.values()) else d.name + "'%d" % len(scope)
        scope[d.name] = key, type_
        init = self.initializer(type_, d.init, scope) if d.init is not None else None
        static = "static" in d.storage
        if static and "const" not in d.quals:
            raise Reject("a static variable that may change")

        def declare(run, frame):
            if static and d.name in run.overrides:
                frame[key] = run.overrides[d.name]
                return
            frame[key] = thing = self.make(type_)
            if init is not None:
                init(run, frame, thing)
        return declare

    def do_If(self, s, scope):
        test, yes = self.truth(s.cond, scope), self.statement(s.iftrue, scope)
        no = self.statement(s.iffalse, scope) if s.iffalse else lambda run, frame: None
        return lambda run, frame: yes(run, frame) if test(run, frame) else no(run, frame)

    def loop(self, scope, condition, body, step=None, test_first=True):
        test = self.truth(condition, scope) if condition else Known(True)
        body = self.statement(body, scope)
        step = self.value(step, scope)[0] if step is not None else Known(None)

        def loop(run, frame):
            first = test_first
            while not first or test(run, frame):
                first = True
                run.count_round()
                end = body(run, frame)
                if end == BREAK:
                    return None
                if end == RETURN:
                    return end
                step(run, frame)
            return None
        return loop

    def do_For(self, s, scope):
        scope = dict(scope)
        init = self.statement(s.init, scope) if s.init else lambda run, frame: None
        loop = self.loop(scope, s.cond, s.stmt, s.next)

        def for_(run, frame):
            init(run, frame)
            return loop(run, frame)
        return for_

    def do_While(self, s, scope):
        return self.loop(scope, s.cond, s.stmt)

    def do_DoWhile(self, s, scope):
        return self.loop(scope, s.cond, s.stmt, None, False)

    def do_Switch(self, s, scope):
        chosen = self.value(s.cond, scope)[0]
        cases = [(None if isinstance(c, c_ast.Default) else self.number(c.expr), self.sequence(c.stmts, scope))
                 for c in s.stmt.block_items]

        def switch(run, frame):
            value, numbers = run.number(chosen(run, frame)), [number for number, _ in cases]
            first = next((numbers.index(n) for n in (value, None) if n in numbers), len(cases))
            for _, body in cases[first:]:
                end = body(run, frame)
                if end is not None:
                    return None if end == BREAK else end
            return None
        return switch

    def do_Return(self, s, scope):
        get = self.convert(*self.value(s.expr, scope), self.returns) if s.expr else Known(None)

        def return_(run, frame):
            run.returned = get(run, frame)
            return RETURN
        return return_

    def do_Break(self, s, scope):
        return lambda run, frame: BREAK

    def do_Continue(self, s, scope):
        return lambda run, frame: CONTINUE

    # ---- objects ----

    def initializer(self, type_, init, scope):
        """Return a function whose arguments are a run, a frame and an object, which it sets."""
        if not isinstance(init, c_ast.InitList):
            get = self.convert(*self.value(init, scope), type_)
            return lambda run, frame, thing: store(thing, get(run, frame))
        if isinstance(type_, Element):
            def constant(run, frame, thing):
                raise Reject("a constant of the field that no override names")
            return constant
        if not isinstance(type_, (Array, c_ast.Struct)):
            return self.initializer(type_, init.exprs[0], scope)
        names = [d.name for d in type_.decls] if isinstance(type_, c_ast.Struct) else range(1 << 30)
        parts, place = [], 0
        for e in init.exprs or ():
            if isinstance(e, c_ast.NamedInitializer):
                name = e.name[0].name if isinstance(e.name[0], c_ast.ID) else self.number(e.name[0])
                place, e = list(names).index(name) if isinstance(name, str) else name, e.expr
            part = type_.target if isinstance(type_, Array) else type_.decls[place].type
            parts.append((names[place], self.initializer(self.type_of(part), e, scope)))
            place += 1

        def set_all(run, frame, thing):
            run.clear(thing)
            for name, part in parts:
                if isinstance(name, int) and name >= len(thing):
                    raise Reject("an initializer outside of its array")
                part(run, frame, thing[name])
        return set_all

    def place(self, e, scope):
        """Return a function that returns the object that an expression names, and the object's type."""
        if isinstance(e, c_ast.ID):
            if e.name in scope:
                key, type_ = scope[e.name]
                return lambda run, frame: frame[key], type_
            node = self.node(e.name)  # The node is None for the name of an override or of limbs.
            return lambda run, frame: run.variable(e.name), self.type_of(node.type) if node else Array(UNSIGNED_LONG, None)
        if isinstance(e, c_ast.UnaryOp) and e.op == "*":
            get, type_ = self.value(e.expr, scope)
            return lambda run, frame: pointer(get(run, frame)).target(), self.type_of(type_.target)
        if isinstance(e, c_ast.StructRef):
            if e.type == "->":
                get, type_ = self.value(e.name, scope)
                base, type_ = lambda run, frame: pointer(get(run, frame)).target(), self.type_of(type_.target)
            else:
                base, type_ = self.place(e.name, scope)
            if isinstance(type_, Element):  # The limbs of an element are passed to a leaf.
                return lambda run, frame: [base(run, frame)], Array(UNSIGNED_LONG, None)
            name = e.field.name
            field = next((d.type for d in type_.decls if d.name == name), None)
            if field is None:
                raise Reject("no field " + name)
            return lambda run, frame: base(run, frame)[name], self.type_of(field)
        if isinstance(e, c_ast.ArrayRef):
            (base, type_), (index, _) = self.value(e.name, scope), self.value(e.subscript, scope)
            return lambda run, frame: pointer(base(run, frame)).target(run.number(index(run, frame))), self.type_of(type_.target)
        if isinstance(e, c_ast.CompoundLiteral):
            type_ = self.type_of(e.type)
            init = self.initializer(type_, e.init, scope)

            def literal(run, frame):
                thing = self.make(type_)
                init(run, frame, thing)
                return thing
            return literal, type_
        raise Reject("no object: " + type(e).__name__)

    # ---- values ----

    def value(self, e, scope):
        """Return a function that returns the value of an expression, and the value's type."""
        return getattr(self, "value_" + type(e).__name__, self.value_of_place)(e, scope)

    def value_of_place(self, e, scope):
        if isinstance(e, c_ast.ID) and e.name not in scope and (number := self.enumerator(e.name)) is not None:
            return Known(number), INT
        place, type_ = self.place(e, scope)
        return lambda run, frame: contents(place(run, frame)), type_

    def convert(self, get, from_, to):
        if from_ == to or not isinstance(to, Integer):
            return get
        if isinstance(get, Known):
            return Known(exact(wrap(get.number, to), to))
        low, high = ends(to)

        def converted(run, frame):
            value = get(run, frame)
            return value if type(value) is int and low <= value <= high and to is not DOUBLE else run.convert(value, from_, to)
        return converted

    def truth(self, e, scope):
        get, _ = self.value(e, scope)
        if isinstance(get, Known):
            return Known(get.number != 0)

        def test(run, frame):
            value = get(run, frame)
            if type(value) is int:
                return value != 0
            return isinstance(value, Address) or run.domain.compare(run, "!=", value, 0)
        return test

    def value_Constant(self, e, scope):
        return constant(e.value)

    def value_Cast(self, e, scope):
        type_ = self.type_of(e.to_type.type)
        return self.convert(*self.value(e.expr, scope), type_), type_

    def value_FuncCall(self, e, scope):
        name, values = e.name.name, [self.value(x, scope) for x in e.args.exprs] if e.args else []
        if name == "__builtin_expect":
            return values[0]
        if name in ("__builtin_ctzll", "__builtin_clzll"):
            def count(run, frame):
                number = run.number(values[0][0](run, frame))
                return (number & -number).bit_length() - 1 if "ctz" in name else 64 - number.bit_length()
            return count, INT
        node = self.node(name)
        type_ = node.decl.type if isinstance(node, c_ast.FuncDef) else node.type if node is not None else None
        getters, types = [get for get, _ in values], [t for _, t in values]
        return (lambda run, frame: run.enter(name, [get(run, frame) for get in getters], types),
                self.type_of(type_.type) if type_ is not None else UNSIGNED_LONG)

    def value_Assignment(self, e, scope):
        place, type_ = self.place(e.lvalue, scope)
        if e.op == "=":
            value = self.value(e.rvalue, scope)
        else:
            now = lambda run, frame: contents(frame[None])
            value = self.operation(e.op[:-1], (now, type_), self.value(e.rvalue, scope))
        get = self.convert(*value, type_)

        def assign(run, frame):
            thing = place(run, frame)
            if e.op != "=":
                frame[None] = thing
            value = get(run, frame)
            store(thing, value)
            return value
        return assign, type_

    def value_ExprList(self, e, scope):
        values = [self.value(x, scope) for x in e.exprs]
        return lambda run, frame: [get(run, frame) for get, _ in values][-1], values[-1][1]

    def value_UnaryOp(self, e, scope):
        if e.op == "sizeof":
            return Known(0), UNSIGNED_LONG  # used where nothing is evaluated, and in memcpy, a leaf
        if e.op == "&":
            if isinstance(e.expr, c_ast.ArrayRef):
                return self.operation("+", self.value(e.expr.name, scope), self.value(e.expr.subscript, scope))
            place, type_ = self.place(e.expr, scope)
            return lambda run, frame: Address([place(run, frame)]), Pointer(type_)
        if e.op in ("++", "--", "p++", "p--"):
            place, type_ = self.place(e.expr, scope)
            now = lambda run, frame: contents(frame[None])
            get = self.convert(*self.operation(e.op[-1], (now, type_), (Known(1), INT)), type_)

            def step(run, frame):
                frame[None] = thing = place(run, frame)
                before = contents(thing)
                thing.value = get(run, frame)
                return before if e.op.startswith("p") else thing.value
            return step, type_
        if e.op == "!":
            test = self.truth(e.expr, scope)
            return (Known(int(not test.number)) if isinstance(test, Known) else lambda run, frame: int(not test(run, frame))), INT
        if e.op in "-~+":
            get, type_ = self.value(e.expr, scope)
            type_ = promoted(type_)
            ones = (Known(-1 if type_.signed else (1 << type_.bits) - 1), type_)
            return self.operation(*{"-": ("-", (Known(0), type_), (get, type_)), "~": ("^", (get, type_), ones),
                                    "+": ("+", (get, type_), (Known(0), type_))}[e.op])
        return self.value_of_place(e, scope)

    def value_BinaryOp(self, e, scope):
        if e.op in ("&&", "||"):
            left, right = self.truth(e.left, scope), self.truth(e.right, scope)
            if e.op == "&&":
                return lambda run, frame: int(left(run, frame) and right(run, frame)), INT
            return lambda run, frame: int(left(run, frame) or right(run, frame)), INT
        return self.operation(e.op, self.value(e.left, scope), self.value(e.right, scope))

    def value_TernaryOp(self, e, scope):
        test, yes, no = self.truth(e.cond, scope), self.value(e.iftrue, scope), self.value(e.iffalse, scope)
        type_ = common(yes[1], no[1]) if isinstance(yes[1], Integer) and isinstance(no[1], Integer) else yes[1]
        yes, no = self.convert(*yes, type_), self.convert(*no, type_)
        if isinstance(test, Known):
            return (yes if test.number else no), type_
        return lambda run, frame: yes(run, frame) if test(run, frame) else no(run, frame), type_

    def operation(self, op, left, right):
        (x, tx), (y, ty) = left, right
        if not isinstance(tx, Integer) or not isinstance(ty, Integer):
            return lambda run, frame: pointers(op, x(run, frame), run.number(y(run, frame))), INT if op in COMPARISONS else tx
        type_ = promoted(tx) if op in ("<<", ">>") else common(tx, ty)
        x, y = self.convert(x, tx, type_), y if op in ("<<", ">>") else self.convert(y, ty, type_)
        if isinstance(x, Known) and isinstance(y, Known):
            return Known(calculate(op, x.number, y.number, type_)), INT if op in COMPARISONS else type_
        if op in COMPARISONS:
            compare = COMPARISONS[op]

            def answer(run, frame):
                a, b = x(run, frame), y(run, frame)
                return int(compare(a, b) if type(a) is type(b) is int else run.domain.compare(run, op, a, b))
            return answer, INT

        def operate(run, frame):
            a, b = x(run, frame), y(run, frame)
            if op in ("<<", ">>") and type(b) is not int:
                b = run.number(b)
            if type(a) is type(b) is int:
                return calculate(op, a, b, type_)
            if op in ("<<", ">>") and not 0 <= b < type_.bits:
                raise Reject("a shift by %d" % b)
            return run.domain.binary(op, a, b, type_)
        return operate, type_


@functools.lru_cache(maxsize=None)
def constant(text):
    if "p" in text:
        return Known(exact(int(float.fromhex(text)), DOUBLE, float.fromhex(text))), DOUBLE
    digits = text.rstrip("uUlL")
    suffix, number = text[len(digits):].lower(), int(digits, 0)
    types = [INT, UNSIGNED, LONG, UNSIGNED_LONG]
    if "u" in suffix:
        types = [t for t in types if not t.signed]
    elif not digits.startswith("0x"):
        types = [t for t in types if t.signed]
    if "l" in suffix:
        types = [t for t in types if t.bits == 64]
    return Known(number), next(t for t in types if wrap(number, t) == number)


def pointer(value):
    if not isinstance(value, Address):
        raise Reject("no pointer")
    return value


def promoted(type_):
    return INT if type_.bits < 32 else type_


def common(a, b):
    """Return the type of a sum of these types."""
    a, b = promoted(a), promoted(b)
    if a.signed == b.signed:
        return max(a, b, key=lambda t: t.bits)
    signed, other = (a, b) if a.signed else (b, a)
    return signed if signed.bits > other.bits else other


def exact(number, type_, source=None):
    """Return the number. If the type is double, check that a double can hold it."""
    if type_ is DOUBLE and (int(float(number)) != number or source not in (None, number)):
        raise Reject("a number that no double holds")
    return number


def pointers(op, x, y):
    if op in ("==", "!="):
        return int((x == y) == (op == "=="))
    if op not in "+-" or not isinstance(x, Address) or not isinstance(y, int):
        raise Reject("an operation on pointers")
    return Address(x.block, x.index + (y if op == "+" else -y))


def calculate(op, x, y, type_):
    """Return x op y for known operands of this type."""
    if op in COMPARISONS:
        return int(COMPARISONS[op](x, y))
    if op in ("<<", ">>") and not 0 <= y < type_.bits:
        raise Reject("a shift by %d" % y)
    if op in "/%" and y == 0:
        raise Reject("a division by 0")
    result = ARITHMETIC[op](x, y)
    low, high = ends(type_)
    if type_ is DOUBLE:
        return exact(result, type_)
    if low <= result <= high:
        return result
    if type_.signed:
        raise Reject("a signed overflow")
    return result & high


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


# ---- Running ----


class Run:
    """A run is one way through functions. `choices` are the answers to its first questions, and `answers` has all answers.
    `overrides` are objects that replace variables."""

    def __init__(self, source, domain=None, leaves=(), overrides=(), choices=()):
        self.source, self.domain, self.leaves = source, domain, dict(leaves)
        self.overrides, self.variables = dict(overrides), {}
        self.choices, self.answers, self.rounds, self.returned = choices, [], 0, None

    def ask(self):
        k = len(self.answers)
        self.answers.append(self.choices[k] if k < len(self.choices) else 1)
        return self.answers[-1]

    def count_round(self):
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise Reject("a loop that does not end")

    def call(self, name, *arguments):
        """Call a function, and return its value. Arguments are values, and addresses of objects."""
        return self.enter(name, arguments, [None] * len(arguments))

    def enter(self, name, arguments, types):
        if name in self.leaves:
            return self.leaves[name](self, *arguments)
        parameters, body = self.source.function(name)
        frame = {}
        for (key, type_), argument, from_ in zip(parameters, arguments, types):
            if isinstance(argument, Structure):
                frame[key] = self.source.make(type_)
                store(frame[key], argument)
            else:
                frame[key] = Cell(type_, argument if from_ == type_ else self.convert(argument, from_, type_))
        self.returned = None
        body(self, frame)
        return self.returned

    def part(self, statements, objects):
        """Run statements of a function on these objects, {name: cell}. Return how they end."""
        scope = {name: (name, cell.type) for name, cell in objects.items()}
        return self.source.sequence(statements, scope)(self, objects)

    def evaluate(self, expression, objects):
        return self.source.value(expression, {name: (name, cell.type) for name, cell in objects.items()})[0](self, objects)

    def convert(self, value, from_, to):
        if not isinstance(to, Integer) or isinstance(value, (Address, Structure)):
            return value
        if isinstance(value, int):
            return exact(wrap(value, to), to)
        return value if from_ == to else self.domain.convert(value, from_, to)

    def number(self, value):
        """Return an integer, which must be known. If the value is an address, return the address."""
        return value if isinstance(value, (int, Address)) else self.domain.known(value)

    def variable(self, name):
        if name in self.overrides:
            return self.overrides[name]
        if name not in self.variables:
            node = self.source.node(name)
            if not isinstance(node, c_ast.Decl):
                raise Reject("%s is not known" % name)
            self.source.do_Decl(node, {})(self, self.variables)
        return self.variables[name]

    def clear(self, thing):
        if type(thing) is Cell:
            thing.value = getattr(self.domain, "zero", None) if isinstance(thing.type, Element) else 0
        else:
            for x in thing.values() if isinstance(thing, Structure) else thing:
                self.clear(x)


def every_way(start):
    """Follow every way through functions, and yield (run, result) of each possible one. start(choices) must return a Run and a
    function that runs it. A way answers its first questions by its choices, and all others by 1. For each of the others, a
    further way answers it by 0."""
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
