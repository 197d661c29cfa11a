# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C source of src/lanes/, run on words of vectors.py. gcc -E expands it for a field and a processor, pycparser reads
the functions that a claim needs, and `Run` interprets them; intrinsics are leaves, in LEAVES, so that no compiler is
trusted. A lane of a vector is a word. Integers keep C's types: unsigned ones wrap, and signed overflow is refused.

An object in memory is a `Cell` (a scalar or a vector), a list (an array) or a dict (a struct). A `Pointer` is an array
with an index, so that accesses outside of it are refused; reading what was not written is refused as well."""
import functools
import os
import re
import subprocess
import tempfile

from pycparser import c_ast, c_parser

from algebra import Reject
from machines.vectors import Double, Sign, Word

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SOURCE = os.path.join(ROOT, "src")

INTEGERS = {"int": "int", "char": "int", "int32_t": "int", "unsigned": "unsigned", "unsigned int": "unsigned",
            "uint32_t": "unsigned", "long": "long", "long long": "long", "int64_t": "long", "uint64_t": "ulong",
            "size_t": "ulong", "unsigned long": "ulong", "unsigned long long": "ulong", "double": "double"}
RANKS = ["int", "unsigned", "long", "ulong", "double"]  # of two operands, the later one's type is the result's
BITS = {"int": 32, "unsigned": 32, "long": 64, "ulong": 64}
PRELUDE = "typedef struct { int lane; } __m512i, __m256i, __m256d;\n" \
          "typedef int uint32_t, int64_t, uint64_t, size_t, __mmask8;\n"
CONSTANTS = {"_MM_MASK_MASK": 0x1F80, "_MM_ROUND_TOWARD_ZERO": 0x6000}  # immintrin.h's, of MXCSR
VECTORS = ("vec", "__m512i", "__m256i", "__m256d")


class Number:
    """A C integer, or a double that is an integer."""

    __slots__ = ("value", "type")

    def __init__(self, value, type="int"):
        if type in ("unsigned", "ulong"):
            value %= 1 << BITS[type]
        elif type in BITS and not -(1 << (BITS[type] - 1)) <= value < 1 << (BITS[type] - 1):
            raise Reject("a signed integer overflows")
        elif type == "double" and int(float(value)) != value:
            raise Reject("a constant that no double holds")
        self.value, self.type = value, type


def converted(value, type):
    """As an assignment does. To a signed type, gcc and clang take the value modulo 2^bits, as the standard permits."""
    if not isinstance(value, Number):
        return value
    if type in ("int", "long"):
        half = 1 << (BITS[type] - 1)
        return Number((value.value + half) % (2 * half) - half, type)
    return Number(value.value, type)


class Cell:
    def __init__(self, type, value=None):
        self.type, self.value = type, value

    def read(self):
        if self.value is None:
            raise Reject("reads what was not written")
        return self.value

    def write(self, value):
        if self.type in VECTORS and not isinstance(value, (Word, Double, tuple)):
            raise Reject("no vector is assigned to a vector")
        self.value = converted(value, self.type) if self.type in RANKS else value


class Pointer:
    def __init__(self, array, index=0):
        self.array, self.index = array, index

    def target(self, offset=0):
        if not 0 <= self.index + offset < len(self.array):
            raise Reject("an access outside of an array")
        return self.array[self.index + offset]


class Returned(Exception):
    pass


# ---- reading ----


def preprocessed(text, curve, machine, lines_of, source=SOURCE):
    """The lines of `text`, expanded, that come from files whose names match `lines_of`. Intrinsics stay names, as the
    compiler's immintrin.h is replaced by an empty one."""
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "immintrin.h"), "w", encoding="utf-8").close()
        command = ["gcc", "-E", "-I", folder, "-I", source, "-I", SOURCE, "-I", os.path.join(ROOT, "include"), "-x", "c",
                   '-DSUMAC_CURVE_HEADER="curves/generated/%s.h"' % curve, "-DSUMAC_VARIANT_" + machine.upper(), "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Reject("the preprocessor: " + done.stderr[:500])
    kept, keep = [], False
    for line in done.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            keep = re.search(lines_of, marker.group(1)) is not None
        elif keep and not line.startswith("#pragma"):
            kept.append(line)
    return _without("\n".join(kept))


@functools.lru_cache(maxsize=None)
def expanded(curve, machine, scalars, vectors, source=SOURCE):
    """{name: text} of what src/lanes/ and the field's header declare. `vectors` is the number of vectors of a bundle, 0:
    as in the source."""
    text = '#include "math/%s.h"\n#include "lanes/vec.h"\n' % ("fr" if scalars else "curve")
    if vectors:
        text += "#undef FPV_VECTORS\n#define FPV_VECTORS %d\n" % vectors
    text += '#include "lanes/%s.h"\n' % ("fpv_mul" if scalars else "fev")
    if machine == "avx512":
        text += '#include "lanes/scalars.h"\n' if scalars else '#include "lanes/fev_formulas.h"\n'
    for macro in ("VEC_LANES", "FPV_DIGITS", "FPV_HALVES", "SLOPE_SHIFT", "FPV_VECTORS", "FE_DEGREE"):
        text += "static const int constant_%s = %s;\n" % (macro, macro)
    if scalars and machine == "avx512":
        text += "static const int constant_FACTOR_SHIFT = FACTOR_SHIFT;\n"
    text += "#if FE_DEGREE == 2\nstatic const int constant_FP2_BETA = FP2_BETA;\n#endif\n"
    return declarations(preprocessed(text, curve, machine, r"/lanes/|/math/field\.h$|<stdin>", source))


def _without(text):
    """Without attributes, pragmas, assertions, and the conditions that only a SUMAC_VERIFY build evaluates."""
    for start in ("__attribute__", "_Static_assert", "_Pragma", "((void)sizeof("):
        parts = text.split(start)
        text = parts[0]
        for part in parts[1:]:
            depth = 2 if start.startswith("((") else 0
            for i, c in enumerate(part):
                depth += (c == "(") - (c == ")")
                if depth == 0 and c == ")":
                    break
            text += part[i + 1:]
    return text


def declarations(text):
    """Cuts the text after each ; or } at depth 0 that ends a declaration."""
    found, start, depth = {}, 0, 0
    for match in re.finditer(r"[{}();]", text):
        depth += (match.group() in "{(") - (match.group() in "})")
        chunk = text[start:match.end()].strip()
        head = chunk.split("{")[0]
        is_function = "(" in head and "=" not in head and not chunk.startswith("typedef")
        if depth or match.group() not in ";}" or match.group() == "}" and not is_function:
            continue
        start = match.end()
        if chunk == ";":
            continue
        if chunk.startswith("typedef"):
            name = re.search(r"(\w+)\s*;$|$", chunk).group(1) or chunk
        elif is_function:
            name = re.search(r"(\w+)\s*\(", head).group(1)
        else:
            name = re.search(r"(\w+)\s*(\[[^=]*\])?\s*(=|;)|$", chunk, re.S).group(1) or chunk
        if not (is_function and chunk.endswith(";")) or name not in found:
            found[name] = chunk
    return found


class Program:
    """The functions `names`, and all that they need, of a field on a processor."""

    def __init__(self, curve, machine, names, scalars=False, vectors=1, source=SOURCE):
        texts = expanded(curve, machine, scalars, vectors, source)
        constants = [n for n in texts if n.startswith("constant_")]
        needed, todo = set(), [*names, *constants, "fp_modulus", "vec_begin", "vec_end"]
        while todo:
            name = todo.pop()
            if name in texts and name not in needed and name not in LEAVES:
                needed.add(name)
                todo += re.findall(r"\b[A-Za-z_]\w+\b", texts[name])
        self.texts = {n: texts[n] for n in texts if n in needed}
        self.functions, self.types, self.variables = {}, {}, {}
        for node in _parsed("\n".join(self.texts.values())).ext:
            if isinstance(node, c_ast.FuncDef):
                self.functions[node.decl.name] = node
            elif isinstance(node, c_ast.Typedef):
                self.types[node.name] = node.type
            elif not isinstance(node.type, c_ast.FuncDecl):
                self.variables[node.name] = node
        self.curve, self.machine = curve, machine
        run = Run(self, None)
        self.constants = {n[9:]: run.variable(n).read().value for n in constants}
        if self.constants["VEC_LANES"] != {"avx512": 8, "avx2": 4}[machine]:
            raise Reject("a vector has other lanes")
        limbs = [c.read().value for c in run.variable("fp_modulus")]
        self.p = sum(limb << (64 * i) for i, limb in enumerate(limbs))

    def __getattr__(self, name):
        if name in self.__dict__.get("constants", {}):
            return self.constants[name]
        raise AttributeError(name)


@functools.lru_cache(maxsize=4)
def _parsed(text):
    return c_parser.CParser().parse(PRELUDE + text)


# ---- running ----


class Run:
    """One way through a function. `choices` are the answers for the signs it asks for, one after another, and True from
    there on; `asked` lists what was asked. `leaves` are functions that this claim takes as leaves as well."""

    def __init__(self, program, lane, choices=(), leaves=None):
        self.program, self.lane, self.choices = program, lane, list(choices)
        self.leaves = {**LEAVES, **(leaves or {})}
        self.asked, self.globals = [], {}

    def negative(self, sign):
        """The answer of this way, which is then a fact."""
        for asked, answer in self.asked:
            if asked is sign:
                return answer
        k = len(self.asked)
        answer = self.choices[k] if k < len(self.choices) else True
        self.asked.append((sign, answer))
        self.lane.assume(sign, answer)
        return answer

    def call(self, name, arguments):
        if name in self.leaves:
            return self.leaves[name](self, *arguments)
        function = self.program.functions.get(name)
        if function is None:
            raise Reject("calls %s, which has no body" % name)
        scope = {}
        parameters = function.decl.type.args.params
        if [p.name for p in parameters] != [None]:
            for parameter, argument in zip(parameters, arguments, strict=True):
                if isinstance(parameter.type, (c_ast.PtrDecl, c_ast.ArrayDecl)):
                    scope[parameter.name] = Cell("pointer", argument)
                else:
                    scope[parameter.name] = self.make(parameter.type)
                    self.assign(scope[parameter.name], argument)
        try:
            self.statement(function.body, scope)
        except Returned as result:
            return result.args[0]
        return None

    # ---- objects ----

    def make(self, type):
        """A new object of a declared type."""
        if isinstance(type, c_ast.ArrayDecl):
            return [self.make(type.type) for _ in range(self.value(type.dim, {}).value)]
        if isinstance(type, c_ast.PtrDecl):
            return Cell("pointer")
        if isinstance(type.type, c_ast.Struct):
            return {d.name: self.make(d.type) for d in type.type.decls}
        name = " ".join(type.type.names)
        if name in VECTORS or name in INTEGERS:
            return Cell(INTEGERS.get(name, name))
        if name not in self.program.types:
            raise Reject("an unknown type " + name)
        return self.make(self.program.types[name])

    def initialize(self, target, init, scope):
        if isinstance(init, c_ast.InitList):
            places = list(target.values()) if isinstance(target, dict) else target
            for i, place in enumerate(places):
                if i < len(init.exprs):
                    self.initialize(place, init.exprs[i], scope)
                else:
                    self.clear(place)
        else:
            self.assign(target, self.value(init, scope))

    def clear(self, target):
        if isinstance(target, Cell):
            target.write(Number(0) if target.type != "pointer" else None)
        else:
            for place in target.values() if isinstance(target, dict) else target:
                self.clear(place)

    def assign(self, target, value):
        if isinstance(target, Cell):
            if isinstance(value, Cell):
                target.value = value.value  # of a struct that is copied: an element may be undefined
            else:
                target.write(value)
        elif isinstance(target, dict):
            for key in target:
                self.assign(target[key], value[key])
        else:
            for place, part in zip(target, value, strict=True):
                self.assign(place, part)

    def declare(self, declaration, scope):
        type = declaration.type
        if isinstance(type, c_ast.ArrayDecl) and type.dim is None:
            type = c_ast.ArrayDecl(type.type, c_ast.Constant("int", str(len(declaration.init.exprs))), [])
        scope[declaration.name] = self.make(type)
        if declaration.init is not None:
            self.initialize(scope[declaration.name], declaration.init, scope)

    def variable(self, name):
        if name in CONSTANTS:
            return Cell("unsigned", Number(CONSTANTS[name], "unsigned"))
        if name not in self.globals:
            if name not in self.program.variables:
                raise Reject("no variable " + name)
            self.declare(self.program.variables[name], self.globals)
        return self.globals[name]

    def place(self, e, scope):
        """The object that an expression names."""
        if isinstance(e, c_ast.ID):
            return scope[e.name] if e.name in scope else self.variable(e.name)
        if isinstance(e, c_ast.UnaryOp) and e.op == "*":
            return self.value(e.expr, scope).target()
        if isinstance(e, c_ast.StructRef):
            base = self.value(e.name, scope).target() if e.type == "->" else self.place(e.name, scope)
            return base[e.field.name]
        if isinstance(e, c_ast.ArrayRef):
            return self.value(e.name, scope).target(self.value(e.subscript, scope).value)
        if isinstance(e, c_ast.CompoundLiteral):
            target = self.make(e.type.type)
            self.initialize(target, e.init, scope)
            return target
        raise Reject("no place: " + type(e).__name__)

    def address(self, e, scope):
        if isinstance(e, c_ast.ArrayRef):
            base = self.value(e.name, scope)
            pointer = Pointer(base.array, base.index + self.value(e.subscript, scope).value)
            pointer.target()
            return pointer
        return Pointer([self.place(e, scope)])

    # ---- statements and expressions ----

    def statement(self, s, scope):
        if isinstance(s, c_ast.Compound):
            inner = dict(scope)
            for item in s.block_items or []:
                self.statement(item, inner)
        elif isinstance(s, c_ast.Decl):
            self.declare(s, scope)
        elif isinstance(s, c_ast.DeclList):
            for declaration in s.decls:
                self.declare(declaration, scope)
        elif isinstance(s, c_ast.If):
            if self.truth(s.cond, scope):
                self.statement(s.iftrue, scope)
            elif s.iffalse is not None:
                self.statement(s.iffalse, scope)
        elif isinstance(s, c_ast.For):
            inner = dict(scope)
            self.statement(s.init, inner)
            while self.truth(s.cond, inner):
                self.statement(s.stmt, inner)
                self.value(s.next, inner)
        elif isinstance(s, c_ast.Return):
            raise Returned(self.value(s.expr, scope) if s.expr is not None else None)
        elif not isinstance(s, c_ast.EmptyStatement):
            self.value(s, scope)

    def truth(self, e, scope):
        value = self.value(e, scope)
        return value is not None and (value.value != 0 if isinstance(value, Number) else isinstance(value, Pointer))

    def value(self, e, scope):
        """The value of an expression: a Number, a word, a Pointer (None: null), or a struct."""
        if isinstance(e, c_ast.Constant):
            return _constant(e.value)
        if isinstance(e, (c_ast.ID, c_ast.StructRef, c_ast.ArrayRef, c_ast.CompoundLiteral)):
            return _contents(self.place(e, scope))
        if isinstance(e, c_ast.FuncCall):
            return self.call(e.name.name, [self.value(x, scope) for x in (e.args.exprs if e.args else [])])
        if isinstance(e, c_ast.Assignment):
            value, target = self.value(e.rvalue, scope), self.place(e.lvalue, scope)
            if e.op != "=":
                value = self.binary(e.op[:-1], target.read(), value)
            self.assign(target, value)
            return value
        if isinstance(e, c_ast.UnaryOp):
            return self.unary(e, scope)
        if isinstance(e, c_ast.BinaryOp):
            if e.op in ("&&", "||"):
                left = self.truth(e.left, scope)
                return Number(int(left if left == (e.op == "||") else self.truth(e.right, scope)))
            return self.binary(e.op, self.value(e.left, scope), self.value(e.right, scope))
        if isinstance(e, c_ast.TernaryOp):
            return self.value(e.iftrue if self.truth(e.cond, scope) else e.iffalse, scope)
        if isinstance(e, c_ast.Cast):
            value = self.value(e.expr, scope)
            if isinstance(value, Number) and isinstance(e.to_type.type, c_ast.TypeDecl):
                kind = INTEGERS.get(" ".join(e.to_type.type.type.names))
                return converted(value, kind) if kind else None
            if isinstance(value, Number) and value.value == 0:
                return None  # NULL
            return value
        raise Reject("C: " + type(e).__name__)

    def unary(self, e, scope):
        if e.op == "&":
            return self.address(e.expr, scope)
        if e.op == "*":
            return _contents(self.place(e, scope))
        if e.op in ("++", "p++", "--", "p--"):
            place = self.place(e.expr, scope)
            before = place.read()
            place.write(self.binary(e.op[-1], before, Number(1)))
            return before if e.op[0] == "p" else place.read()
        if e.op == "!":
            return Number(int(not self.truth(e.expr, scope)))
        value = self.value(e.expr, scope)
        if e.op == "-":
            return Number(-value.value, value.type)
        if e.op == "~":
            return Number(~value.value, value.type)
        raise Reject("C: " + e.op)

    def binary(self, op, x, y):
        if isinstance(x, Pointer) and op in "+-":
            return Pointer(x.array, x.index + (y.value if op == "+" else -y.value))
        if x is None or y is None or isinstance(x, Pointer) or isinstance(y, Pointer):
            if op in ("==", "!="):
                return Number(int((x is y) == (op == "==")))
        if not isinstance(x, Number) or not isinstance(y, Number):
            raise Reject("C: %s of vectors" % op)
        type = x.type if op in ("<<", ">>") else max(x.type, y.type, key=RANKS.index)
        a, b = Number(x.value, type).value, (y if op in ("<<", ">>") else Number(y.value, type)).value
        if op in ("<", ">", "<=", ">=", "==", "!="):
            return Number(int({"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "!=": a != b}[op]))
        if op in ("<<", ">>"):
            if not 0 <= b < BITS[type] or a < 0:
                raise Reject("a shift that C does not define")
            return Number(a << b if op == "<<" else a >> b, type)
        if op in ("/", "%"):
            if b == 0:
                raise Reject("division by 0")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return Number(quotient if op == "/" else a - quotient * b, type)
        return Number({"+": a + b, "-": a - b, "*": a * b}[op] if op in "+-*" else
                      {"&": a & b, "|": a | b, "^": a ^ b}[op], type)


def _contents(place):
    """Return the value of an object in an expression: an array is a pointer to its first element."""
    if isinstance(place, Cell):
        return place.value if place.type == "pointer" else place.read()
    return Pointer(place) if isinstance(place, list) else place


@functools.lru_cache(maxsize=None)
def _constant(text):
    if "p" in text.lower() and text.lower().startswith("0x"):
        value = float.fromhex(text)
        if value != int(value):
            raise Reject("a constant that is no integer")
        return Number(int(value), "double")
    suffix = re.search(r"[uUlL]*$", text).group().lower()
    value = int(text[:len(text) - len(suffix)] or text, 0)
    if "l" in suffix or value >= 1 << 31:
        return Number(value, "ulong" if "u" in suffix or value >= 1 << 63 else "long")
    return Number(value, "unsigned" if "u" in suffix else "int")


# ---- leaves: what an intrinsic does to a lane; each is compared with the processor ----


def _number(run, n):
    return run.lane.number(n.value)


def _double_constant(run, n):
    return Double(run.lane.number(n.value))


def _table(run, *numbers):
    return tuple(n.value for n in numbers)  # one number a lane


def _load_doubles(run, pointer):
    """A vector that the source casts to an array of doubles, or doubles that are the same in all lanes."""
    if isinstance(pointer, Double):
        return pointer
    same = {cell.read().value for cell in pointer.array[pointer.index:pointer.index + 4]}
    if len(same) != 1:
        raise Reject("lanes with different constants")
    return Double(run.lane.number(same.pop()))


def _multiply_even(run, x, y):
    """The product of the low 32 bits of both."""
    lane = run.lane
    low = [lane.cut(lane.window(w, 0), 32)[0] for w in (x, y)]
    for a, b in (low, low[::-1]):
        if a.constant() is not None:
            return lane.times(b, a.constant())
    raise Reject("a product of unknown words")


def _select(run, unset, mask, set_):
    return set_ if run.negative(mask) else unset


def _set_rounding(run, state):
    run.lane.rounding = state.value


def _bits(f):
    """A leaf on words, whose operands may be doubles' bits."""
    return lambda run, *words: f(run.lane, *(run.lane.bits(w) if isinstance(w, Double) else w for w in words))


LEAVES = {
    "_mm512_setzero_si512": lambda run: run.lane.number(0),
    "_mm512_set1_epi64": _number,
    "_mm512_add_epi64": _bits(lambda lane, x, y: lane.sum(x, y)),
    "_mm512_sub_epi64": _bits(lambda lane, x, y: lane.sum(x, y, -1)),
    "_mm512_and_si512": _bits(lambda lane, x, y: lane.both(x, y)),
    "_mm512_or_si512": _bits(lambda lane, x, y: lane.either(x, y)),
    "_mm512_xor_si512": _bits(lambda lane, x, y: lane.exclusive(x, y)),
    "_mm512_slli_epi64": _bits(lambda lane, x, n: lane.shift_left(x, n.value)),
    "_mm512_srli_epi64": _bits(lambda lane, x, n: lane.shift_right(x, n.value)),
    "_mm512_srai_epi64": _bits(lambda lane, x, n: lane.shift_right_signed(x, n.value)),
    "_mm512_shldi_epi64": _bits(lambda lane, x, y, n: lane.funnel_left(x, y, n.value)),
    "_mm512_madd52lo_epu64": _bits(lambda lane, x, a, b: lane.sum(x, lane.halves(a, b)[0])),
    "_mm512_madd52hi_epu64": _bits(lambda lane, x, a, b: lane.sum(x, lane.halves(a, b)[1])),
    "_mm512_setr_epi64": _table,
    "_mm512_permutexvar_epi64": lambda run, q, table: run.lane.pick(q, table),
    "_mm512_permutex2var_epi64": lambda run, few, q, many: run.lane.pick(q, few + many),
    "_mm256_setzero_si256": lambda run: run.lane.number(0),
    "_mm256_set1_epi64x": _number,
    "_mm256_set1_pd": _double_constant,
    "_mm256_add_epi64": _bits(lambda lane, x, y: lane.sum(x, y)),
    "_mm256_sub_epi64": _bits(lambda lane, x, y: lane.sum(x, y, -1)),
    "_mm256_and_si256": _bits(lambda lane, x, y: lane.both(x, y)),
    "_mm256_or_si256": _bits(lambda lane, x, y: lane.either(x, y)),
    "_mm256_xor_si256": _bits(lambda lane, x, y: lane.exclusive(x, y)),
    "_mm256_slli_epi64": _bits(lambda lane, x, n: lane.shift_left(x, n.value)),
    "_mm256_srli_epi64": _bits(lambda lane, x, n: lane.shift_right(x, n.value)),
    "_mm256_mul_epu32": _multiply_even,
    "_mm256_castsi256_pd": lambda run, x: x,
    "_mm256_castpd_si256": lambda run, x: x,
    "_mm256_load_pd": _load_doubles,
    "_mm256_fmadd_pd": lambda run, a, b, c: run.lane.fused(a, b, c),
    "_mm256_sub_pd": lambda run, x, y: run.lane.double_difference(x, y),
    "vec_negative_lanes": lambda run, x: Sign(x),
    "vec_select": _select,
    "_mm_getcsr": lambda run: Number(run.lane.rounding, "unsigned"),
    "_mm_setcsr": _set_rounding,
}
