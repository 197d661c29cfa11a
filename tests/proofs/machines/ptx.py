# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file reads PTX as nvcc writes it for the field arithmetic of a GPU, and defines its instructions for the engine.

A world of 32 bits follows code whose products are of 32-bit words; a 64-bit register is then a pair of words. A world of
64 bits follows the code for moduli without a spare bit, whose products are of 64-bit limbs. Loops have counters that are
numbers, so that they are followed round by round. A branch does not change the carry flag.

A register holds a `Word` whose polynomial equals the register modulo the base. If the word's range lies in [0, base), they
are equal. If the range has negative numbers, the word is a mask, in which -1 means "all bits", or a step towards one.

A pointer is an object's name and an offset in bytes. Objects are the operands R, A, B, C and D, tables of constants, and
local memory.
"""
import re
from fractions import Fraction
from typing import NamedTuple

from algebra import Reject, add, const

PARAMETERS = "RABCD"
MOST_STEPS = 100000  # This is more than any routine takes, so that a damaged one ends.
MOST_CASES = 16


class Instruction(NamedTuple):
    guard: str  # the name of a predicate, or ""
    name: str
    operands: tuple


class Pointer(NamedTuple):
    target: str
    offset: int


class Undecided(Exception):
    """This is raised if the next step depends on a carry, so that the machine must follow both cases."""

    def __init__(self, atom):
        super().__init__(atom)
        self.atom = atom


# ---- the text ----


class Code(NamedTuple):
    """This is the code of a routine."""

    instructions: list
    labels: dict  # {label: index of the instruction behind it}
    tables: dict  # {name: bytes} of the file


class Program:
    """A program is a file of PTX: its entries, {name: Code}, and its tables of numbers."""

    def __init__(self, text):
        text = re.sub(r"//[^\n]*", "", text)
        self.tables = {}
        for name, values in re.findall(r"\.(?:global|const)[^;={]* (\w+)\[\d+\] = \{([^}]*)\};", text):
            size = int(re.search(r" %s\[(\d+)\]" % name, text)[1])
            numbers = [int(v) for v in values.split(",")]
            self.tables[name] = bytes(numbers + [0] * (size - len(numbers)))
        for name, value in re.findall(r"\.(?:global|const)[^;={]*\.u32 (\w+) = (-?\d+);", text):
            self.tables[name] = (int(value) % 2**32).to_bytes(4, "little")
        self.entries = {}
        for name, body in re.findall(r"\.entry (\w+)\(.*?\)\s*\{(.*?)\n\}", text, re.DOTALL):
            self.entries[name] = Code(*parse_body(body), self.tables)


def parse_body(body):
    """Return the instructions and the labels."""
    code, labels = [], {}
    for statement in re.sub(r"\s+", " ", body).split(";"):
        statement = statement.strip()
        while match := re.match(r"(\$\w+): ?", statement):
            labels[match[1]] = len(code)
            statement = statement[match.end():]
        if not statement or statement.startswith("."):
            continue
        guard = ""
        if statement.startswith("@"):
            guard, _, statement = statement[1:].partition(" ")
        name, _, rest = statement.strip().partition(" ")
        operands = tuple(o.strip() for o in re.findall(r"\{[^}]*\}|[^,\s{][^,]*", rest))
        code.append(Instruction(guard, name, operands))
    return code, labels


def split_vector(operand):
    return [o.strip() for o in operand.strip("{}").split(",")]


# ---- the machine ----


class Machine:
    """A machine is one run on symbolic operands. `run` returns the final state of each case."""

    def __init__(self, world, code):
        self.world, self.code = world, code
        self.at, self.steps, self.ended = 0, 0, False
        self.registers, self.memory, self.predicates = {}, {}, {}
        self.flag, self.flag_is_borrow, self.flag_is_read = None, False, True
        self.doubles = {}  # {key of x: (2x mod base, the bit above)}
        self.multiples = {}  # {key of m * c mod base: (m, c)}
        self.parities = {}  # {key of a word: its lowest bit}
        self.stored = set()  # offsets of words in R
        self.differences = []  # results of subtractions, which may be the limbs of one number
        self.flag_word = None  # the result of the instruction that set the flag
        self.below = {}  # {carry out of a word: the word below it, whose carry out was added to the word}
        self.half_registers = {i.operands[0] for i in code.instructions if re.match(r"(mul|neg|shl)\.", i.name)}

    def copy(self):
        world = self.world.copy()
        twin = type(self)(world, self.code)
        for name in ("at", "steps", "flag_is_borrow", "flag_is_read"):
            setattr(twin, name, getattr(self, name))
        for name in ("registers", "memory", "doubles", "multiples", "parities", "below", "predicates"):
            setattr(twin, name, {k: world.counterpart(v) for k, v in getattr(self, name).items()})
        twin.flag, twin.flag_word = world.counterpart(self.flag), world.counterpart(self.flag_word)
        twin.stored, twin.differences = set(self.stored), [world.counterpart(w) for w in self.differences]
        return twin

    def run(self):
        ends, todo, cases = [], [self], 1
        while todo:
            machine = todo.pop()
            try:
                while not machine.ended:
                    machine.step()
                ends.append(machine)
            except Undecided as condition:
                cases += 1
                if cases > MOST_CASES:
                    raise Reject("too many cases") from None
                todo += machine.cases_of(condition.atom)
        return ends

    def cases_of(self, atom):
        """Return copies of the machine with the carry 0 and with 1, without a case that no operands lead to."""
        twins = []
        for value in (0, 1):
            twin = self.copy()
            twin.world.case(atom, value)
            if not twin.world.infeasible():
                twins.append(twin)
        return twins

    def step(self):
        """Execute an instruction. If it raises Undecided, it is executed again in each case. It must not write a register
        before it raises Undecided."""
        self.steps += 1
        if self.steps > MOST_STEPS or self.at >= len(self.code.instructions):
            raise Reject("it does not return")
        guard, name, operands = self.code.instructions[self.at]
        if guard:
            if name != "bra":
                raise Reject("a guarded " + name)
            negated = guard.startswith("!")
            if self.predicate(guard.lstrip("!")) == negated:
                self.at += 1
                return
        if name in ("bra", "bra.uni"):
            self.at = self.code.labels[operands[0]]
            return
        if name == "ret":
            self.set_flag(None, False)
            self.ended = True
            return
        if name not in HANDLERS:
            raise Reject("the instruction " + name)
        HANDLERS[name](self, name, *operands)
        self.at += 1

    # ---- what operands are ----

    def value(self, operand, width):
        """Return a word or a pointer, or if a world of 32 bits has a 64-bit register, a pair of words."""
        if re.fullmatch(r"-?\d+", operand):
            number = int(operand) % 2**width
            if width > self.world.bits:
                return self.world.number(number % 2**32), self.world.number(number >> 32)
            return self.world.number(number)
        if re.fullmatch(r"[A-Za-z_]\w*", operand) or operand in ("%SP", "%SPL") and operand not in self.registers:
            return Pointer(operand, 0)
        if operand not in self.registers:
            raise Reject(operand + " is undefined")
        return self.registers[operand]

    def word(self, operand, width=32):
        """Return a word that equals the register modulo the base."""
        value = self.value(operand, width)
        if isinstance(value, tuple):
            raise Reject(operand + " is not a word")
        return value

    def exact(self, word):
        """Return the word in [0, base) that equals a word modulo the base."""
        if word.constant() is not None:
            return self.world.number(word.constant() % self.world.base)
        if -1 <= word.low and word.high == 0:
            return self.combine([(word, 1 - self.world.base)], low=0, high=self.world.base - 1)  # -1 becomes base - 1
        if word.low < 0 or word.high >= self.world.base:
            raise Reject("a mask is used as a number")
        return word

    def pair(self, operand):
        """Return the two words of a 64-bit register."""
        value = self.value(operand, 64)
        if isinstance(value, Pointer) or not isinstance(value, tuple):
            raise Reject(operand + " is not a pair of words")
        return value

    def operand(self, name, width=32):
        return self.exact(self.word(name, width))

    def known(self, word):
        """Return the register's number. If it is unknown, the run splits on a carry that it depends on."""
        if word.constant() is not None:
            return word.constant() % self.world.base
        raise self.undecided(word)

    def undecided(self, *words):
        """Return the error that names the oldest carry on which masks depend. It is decided first, because what follows from it
        is simpler as long as later carries are unknown."""
        carries = [m[0] for w in words for m in w.poly
                   if len(m) == 1 and self.world.kinds[m[0]] == "cut" and self.world.highs[m[0]] == 1]
        return Undecided(min(carries)) if carries else Reject("a condition that is not a carry")

    def signed(self, word):
        """Return a number from base/2 on as a negative number, because it may stand for a mask. Return other words as they
        are."""
        if word.constant() is not None and word.constant() >= self.world.base // 2:
            return self.world.number(word.constant() - self.world.base)
        return word

    def predicate(self, name):
        if name not in self.predicates:
            raise Reject(name + " is undefined")
        return self.predicates[name]

    def combine(self, terms, constant=0, low=None, high=None):
        """Return the word constant + the sum of factor * word. If no range is given, it follows from those of the words."""
        forms = [const(constant), const(constant)]
        bounds = [constant, constant]
        value = constant
        for word, factor in terms:
            forms = [add(form, word.form(near), factor) for form, near in zip(forms, (False, True))]
            ends = sorted((factor * word.low, factor * word.high))
            bounds = [bounds[0] + ends[0], bounds[1] + ends[1]]
            value += factor * word.value
        low, high = (bounds[0] if low is None else low), (bounds[1] if high is None else high)
        return self.world.word(forms[0], low, high, int(value), forms[1])

    # ---- the carry flag ----

    def set_flag(self, word, is_borrow):
        """Set the carry flag. If nothing has read the old flag, its carry is decided if possible, because that shortens
        polynomials."""
        if not self.flag_is_read:
            self.drop(self.flag)
        self.flag, self.flag_is_borrow, self.flag_is_read = word, is_borrow, word is None

    def carry_in(self, is_borrow):
        if self.flag is None:
            raise Reject("the carry flag is undefined")
        if self.flag_is_borrow != is_borrow:
            raise Reject("a carry is read as a borrow")
        self.flag_is_read = True
        return self.flag

    def drop(self, carry):
        """If it can be proved that a carry is always 0, or always 1, replace it by that number."""
        for monomial in list(carry.poly) if carry else ():
            if len(monomial) == 1 and not self.is_zero_above(monomial[0]):
                self.world.decide_carry(monomial[0])

    def is_zero_above(self, atom):
        """Try to prove that the carry out of a word is 0, by the word below. n is the origin of the carry, and w is the word
        below, whose carry is part of n. As w >= 0, n < base follows from n + w / base < base, where the carry from w to n
        cancels."""
        world, below = self.world, self.below.get(atom)
        if below is None or atom not in world.origin:
            return False
        for near in (False, True):
            total = add(world.origin[atom][near], below.form(near), Fraction(1, world.base))
            if world.bound(total, True) < world.base:
                world.set_atom(atom, 0)
                return True
        return False

    def finish(self, name, target, result, carry, is_borrow):
        self.registers[target] = result
        if not is_borrow and self.flag_word is not None and carry.constant() is None and name[3] == "c":
            self.below[max(m[0] for m in carry.poly if m)] = self.flag_word
        self.flag_word = result if ".cc" in name else None
        if ".cc" in name:
            self.set_flag(carry, is_borrow)
        else:
            self.drop(carry)

    # ---- arithmetic ----

    def add_with_flag(self, name, target, left, right):
        width = width_of(name)
        carry = self.carry_in(False) if name.startswith("addc") else self.world.number(0)
        x, y = self.word(left, width), self.word(right, width)
        for one, other in ((x, y), (y, x)):
            # -1 + carry is a mask, which is 0 with a carry out if the carry is 1: base - 1 + carry >= base iff the carry is 1.
            if one.constant() == self.world.base - 1 and other.constant() == 0 and carry.constant() is None:
                self.finish(name, target, self.combine([(carry, 1)], -1), carry, False)
                return
        if name == "add.cc.s64" and not self.half_registers & {left, right}:
            # For the sum of two sums, what follows needs only their ranges.
            self.world.abbreviate([x, y])
        result, carry = self.world.add_carry(self.exact(x), self.exact(y), carry)
        if y.constant():
            self.differences.append(result)  # This is x - p, as a compiler writes it.
        self.finish(name, target, result, carry, False)

    def subtract_with_flag(self, name, target, left, right):
        width = width_of(name)
        borrow = self.carry_in(True) if name.startswith("subc") else self.world.number(0)
        x, y = self.word(left, width), self.word(right, width)
        if y.constant() == 0 and (x.low < 0 or x.constant() == 0 and ".cc" not in name):
            # A mask, or 0, less a borrow is again a mask, modulo the base. The borrow out is not followed.
            self.finish(name, target, self.combine([(x, 1), (borrow, -1)]), None, True)
            return
        if name == "sub.cc.s64" and self.differences and any(x is w for w in self.differences):
            self.differences.pop()
        result, borrow = self.world.sub_borrow(self.exact(x), self.exact(y), borrow)
        self.differences.append(result)
        self.finish(name, target, result, borrow, True)

    def multiply_add(self, name, target, left, right, addend):
        x, y = self.operand(left), self.operand(right)
        if name == "mad.lo.cc.u32" and (carry := self.carry_of_step(x, y, self.word(addend))):
            self.finish(name, target, self.world.number(0), carry, False)
            return
        half = self.world.multiply(x, y)[".hi" in name]
        carry = self.carry_in(False) if name.startswith("madc") else self.world.number(0)
        result, carry = self.world.add_carry(half, self.operand(addend), carry)
        self.finish(name, target, result, carry, False)

    def add_plain(self, name, target, left, right):
        width = width_of(name)
        x, y = self.value(left, width), self.value(right, width)
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            pointer, offset = (x, y) if isinstance(x, Pointer) else (y, x)
            self.registers[target] = Pointer(pointer.target, pointer.offset + self.offset(offset))
            return
        if isinstance(x, tuple) or isinstance(y, tuple):
            raise Reject("an addition of 64 bits")
        if x.constant() is not None and y.constant() is not None:
            self.registers[target] = self.world.number((x.constant() + y.constant()) % 2**width)
            return
        total = self.combine([(self.signed(x), 1), (self.signed(y), 1)])
        if total.low < -self.world.base or total.high >= self.world.base:
            raise Reject("a sum that may be longer than a register")
        self.registers[target] = total

    def offset(self, value):
        """Return a number of bytes, which is signed."""
        if isinstance(value, tuple):
            if isinstance(value, Pointer) or any(w.constant() is None for w in value):
                raise Reject("an offset that is no number")
            number, width = value[0].constant() + (value[1].constant() << 32), 64
        else:
            number, width = value.constant(), self.world.bits
            if number is None:
                raise Reject("an offset that is no number")
        return number - 2**width if number >> (width - 1) else number

    def multiply_wide(self, _, target, left, right):
        """Multiply known counters, which gives an offset."""
        x, y = self.word(left), self.word(right)
        if x.constant() is None or y.constant() is None:
            raise Reject("a wide product")
        number = [c - 2**32 if c >> 31 else c for c in (x.constant(), y.constant())]
        self.registers[target] = self.value(str(number[0] * number[1]), 64)

    def multiply_half(self, name, target, left, right):
        width = width_of(name)
        if width != self.world.bits:
            raise Reject("a product of another width")
        x, y = self.operand(left, width), self.operand(right, width)
        if x.constant() is not None:
            x, y = y, x
        if width == 64:
            self.abbreviate()
        self.registers[target] = self.half_of_product(x, y, ".hi" in name)

    def half_of_product(self, x, y, upper):
        """Return a half of x * y. If a factor is a number, it is y. A compiler that knows p and -1/p computes other numbers
        from them."""
        world, c = self.world, y.constant()
        if c is None:
            return world.multiply(x, y)[upper]
        if not upper and world.may_be_inverse(y):
            self.abbreviate()
            return world.quotient(x, y)
        if not upper and (same := self.product_of_quotient(x, c)):
            x, y = same
        if y.constant() == world.base - 1:
            return self.multiply_by_ones(x)[upper]
        return world.multiply(x, y)[upper]

    def carry_of_step(self, x, y, t):
        """If p ends in a word 1, the inverse is -1, and a reduction multiplies 1 by the multiplier m = -t mod base. Then m + t
        is 0 or base, because it is 0 modulo base and below 2 * base. So the carry of m * 1 + t is (m + t) / base, and the sum
        is 0. (`World.montgomery` needs a product that is longer than a word.)"""
        for m, one in ((x, y), (y, x)):
            for atom, (source, inverse) in self.world.quotients.items():
                if one.constant() == 1 and m.poly == {(atom,): 1} and source.key() == t.key() \
                        and inverse.constant() == self.world.base - 1:
                    return self.combine([(m, Fraction(1, self.world.base)), (t, Fraction(1, self.world.base))], 0, 0, 1)
        return None

    def product_of_quotient(self, t, c):
        """Let m = t * inverse and c = inverse * q modulo the base, where q is a limb of p. Then t * c = m * q (mod base).
        Return the factors m and q for t and c, or None."""
        world = self.world
        for m, (source, inverse) in world.quotients.items():
            if source.key() == t.key():
                for i in range(-(-world.p_range[0].bit_length() // world.bits)):
                    q = world.p_range[0] >> (world.bits * i) & (world.base - 1)
                    if inverse.constant() * q % world.base == c:
                        return world.of_atom(m), world.number(q)
        return None

    def multiply_by_ones(self, x):
        """Return the halves of x * (base - 1) = base * x - x. If x > 0, this is base * (x - 1) + (base - x), and if x = 0, it
        is 0. With z = [x != 0] the halves are base * z - x and x - z."""
        z, base = self.world.nonzero(x), self.world.base
        return (self.combine([(z, base), (x, -1)], low=0, high=base - 1),
                self.combine([(x, 1), (z, -1)], low=0, high=max(x.high - 1, 0)))

    def negate(self, name, target, source):
        """Negate a word modulo the base: -x = x * (base - 1), and -(m * c) = m * (base - c)."""
        x, base = self.word(source, width_of(name)), self.world.base
        if -1 <= x.low and x.high <= 1:
            self.registers[target] = self.combine([(x, -1)])
        elif x.key() in self.multiples:
            m, c = self.multiples[x.key()]
            self.registers[target] = self.half_of_product(m, self.world.number(base - c), False)
        else:
            self.registers[target] = self.half_of_product(self.exact(x), self.world.number(base - 1), False)

    # ---- bits ----

    def bit_and(self, name, target, left, right):
        width = width_of(name)
        x, y = self.word(left, width), self.word(right, width)
        if x.constant() is None:
            x, y = y, x
        base = self.world.base
        if x.constant() is None:
            masks = [w for w in (x, y) if w.low < 0]
            for mask in masks:
                if mask.low == -2 and mask.high == 0:
                    self.parity(mask)  # This gives its borrow a name.
        elif y.constant() is not None:
            self.registers[target] = self.world.number(x.constant() % base & y.constant() % base)
            return
        elif x.constant() == 1:
            self.registers[target] = self.parity(y)
            return
        elif x.constant() % base in (0, base - 1):
            self.registers[target] = y if x.constant() else x
            return
        else:
            masks = [y] if y.low < 0 else []
        raise self.undecided(*masks)

    def bit_or(self, name, target, left, right):
        x, y = self.value(left, width_of(name)), self.value(right, width_of(name))
        if isinstance(x, tuple) and isinstance(y, tuple):
            self.registers[target] = tuple(self.either(v, w) for v, w in zip(x, y))
        else:
            self.registers[target] = self.either(self.word(left, width_of(name)), self.word(right, width_of(name)))

    def either(self, x, y):
        if x.constant() == 0:
            return y
        if y.constant() == 0:
            return x
        raise Reject("an `or` of two numbers")

    def bit_not(self, name, target, source):
        """Invert all bits: -1 - x modulo the base."""
        self.registers[target] = self.combine([(self.word(source, width_of(name)), -1)], -1)

    def parity(self, word):
        """Return the lowest bit of a word that is k or k + 1: it is word - k if k is even, and else k + 1 - word.

        In 128-bit arithmetic a borrow comes about in this way, because the upper half of x - y is -1 or 0. The bounds of the
        word are made sharper by telescoping (algebra.py). As the word is an integer, low > k - 1 means low >= k."""
        if word.constant() is not None:
            return self.world.number(word.constant() & 1)
        if word.low >= 0 and word.high <= 1:
            return word
        key = word.key()
        if key in self.parities:
            return self.parities[key]
        low, high = self.sharpen(word)
        if high > low + 1:
            raise Reject("the lowest bit of an unknown")
        even = low % 2 == 0
        bit = self.combine([(word, 1 if even else -1)], -low if even else low + 1, 0, 1)
        self.parities[key] = bit
        if not even:
            self.name_borrow(bit)
        return bit

    def sharpen(self, word):
        """Return integers with low <= word <= high, from the word's polynomial."""
        low, high = word.low, word.high
        for near in (False, True):
            for negative_too in (False, True):
                v, least, most, k = self.world.telescope(word.form(near), negative_too, near)
                low = max(low, -((most - self.world.bound(v, False)) // k))
                high = min(high, (self.world.bound(v, True) - least) // k)
        return int(low), int(high)

    def name_borrow(self, bit):
        """Replace the newest of the carries that make a borrow bit by one new atom for the bit. Then the words of a subtraction
        in 128 bits have the form of those of one in 64 bits. The bit's polynomial defines the atom.

        The carry x belongs to a word w. It is w = n - base * x with n = origin[x], or for a borrow w = base - 1 - n + base * x.
        Let e be the bit. As 0 <= w < base, v = w - base * e is negative iff e = 1, so that e is a borrow whose origin is
        base - 1 - v."""
        world, base = self.world, self.world.base
        carries = [m[0] for m in bit.poly if len(m) == 1 and m in bit.near and m[0] in world.origin]
        if not carries or bit.poly == {(carries[0],): 1}:
            return
        x = max(carries)
        forms = [bit.form(near) for near in (False, True)]
        if x in world.borrows:
            origin = [add(add(n, e, base), {(x,): base}, -1) for n, e in zip(world.origin[x], forms)]
        else:
            origin = [add(add(add(const(base - 1), n, -1), e, base), {(x,): base}) for n, e in zip(world.origin[x], forms)]
        if any((x,) in form for form in origin):
            return
        e = world.atom("e", 0, 1, "cut", bit.value)
        world.origin[e] = tuple(origin)
        world.borrows.add(e)
        # bit - e = 0, where x is the first term, because it is the one that is replaced.
        world.equate(*[{(x,): form[(x,)], **add(form, {(e,): 1}, -1)} for form in forms])

    def shift_left(self, name, target, source, amount):
        width, count = width_of(name), self.word(amount).constant()
        value = self.value(source, width)
        if isinstance(value, tuple) and not isinstance(value, Pointer):
            if all(w.constant() is not None for w in value):
                self.registers[target] = self.value(str(self.offset(value) << count), 64)
            elif count == 32:
                self.registers[target] = (self.world.number(0), value[0])
            else:
                raise Reject("a shift of 64 bits")
        elif value.constant() is not None and count is not None:
            self.registers[target] = self.world.number((value.constant() << count) % 2**width)
        elif count == 1:
            doubled = self.double(self.exact(value))[0]
            self.multiples[doubled.key()] = (value, 2)
            self.registers[target] = doubled
        else:
            raise Reject("a shift")

    def funnel_shift(self, _, target, low, high, amount):
        """Set the upper word of (high:low) * 2. It is the top bit of `low` plus twice `high`, which is even."""
        if self.word(amount).constant() != 1:
            raise Reject("a funnel shift")
        bit, doubled = self.double(self.operand(low))[1], self.double(self.operand(high))[0]
        self.registers[target] = self.combine([(doubled, 1), (bit, 1)], high=self.world.base - 1)

    def double(self, x):
        if x.key() not in self.doubles:
            self.doubles[x.key()] = self.world.add_carry(x, x, self.world.number(0))
        return self.doubles[x.key()]

    def shift_right(self, _, target, source, amount):
        if self.word(amount).constant() != 32:
            raise Reject("a shift")
        self.registers[target] = (self.pair(source)[1], self.world.number(0))

    def insert_upper(self, _, target, upper, lower, position, length):
        if (position, length) != ("32", "32"):
            raise Reject("a bit field")
        self.registers[target] = (self.pair(lower)[0], self.pair(upper)[0])

    def narrow(self, _, target, source):
        self.registers[target] = self.pair(source)[0]

    def widen(self, _, target, source):
        self.registers[target] = (self.word(source), self.world.number(0))

    def compare(self, name, target, left, right):
        equal = self.known(self.word(left)) == self.known(self.word(right))
        self.predicates[target] = equal == (".eq" in name)

    def select(self, name, target, left, right, predicate):
        self.registers[target] = self.value(left if self.predicate(predicate) else right, width_of(name))

    # ---- moves and memory ----

    def move(self, name, target, source):
        self.registers[target] = self.value(source, width_of(name))

    def load_parameter(self, _, target, parameter):
        number = int(re.search(r"_param_(\d+)\]", parameter)[1])
        self.registers[target] = Pointer(PARAMETERS[number], 0)

    def address(self, operand):
        match = re.fullmatch(r"\[([%\w]+)(?:\+(-?\d+))?\]", operand)
        base = self.value(match[1], 64) if match else None
        if not isinstance(base, Pointer):
            raise Reject("the address " + operand)
        return Pointer(base.target, base.offset + int(match[2] or 0))

    def cells(self, address, size):
        """Return the addresses of the words in `size` bytes."""
        step = self.world.bits // 8
        if size % step or address.offset % size:
            raise Reject("part of a word, or not aligned")
        return [Pointer(address.target, address.offset + i) for i in range(0, size, step)]

    def read(self, cell):
        if cell.target in PARAMETERS and self.stored:
            raise Reject("reads an operand after it stored a word: the result may overlap the operands")
        if cell in self.memory:
            return self.memory[cell]
        table = self.code.tables.get(cell.target, b"")
        word = table[cell.offset:cell.offset + self.world.bits // 8] if cell.offset >= 0 else b""
        if len(word) != self.world.bits // 8:
            raise Reject("reads outside of what it may read")
        return self.world.number(int.from_bytes(word, "little"))

    def write(self, cell, word):
        if cell.target == "R":
            self.stored.add(cell.offset)
        elif not cell.target.startswith(("__local", "%SP")):
            raise Reject("stores to " + cell.target)
        self.memory[cell] = word

    def load(self, name, targets, operand):
        size, address = width_of(name) // 8, self.address(operand)
        for i, target in enumerate(split_vector(targets)):
            words = tuple(self.read(c) for c in self.cells(Pointer(address.target, address.offset + i * size), size))
            self.registers[target] = words[0] if len(words) == 1 else words

    def store(self, name, operand, sources):
        size, address = width_of(name) // 8, self.address(operand)
        for i, source in enumerate(split_vector(sources)):
            value = self.value(source, 8 * size)
            if isinstance(value, Pointer):
                raise Reject("stores a pointer")
            cells = self.cells(Pointer(address.target, address.offset + i * size), size)
            for cell, word in zip(cells, value if isinstance(value, tuple) else (value,), strict=True):
                self.write(cell, self.exact(word))

    def abbreviate(self):
        """Start a row. Before that, a carry that nothing has read yet is decided, from the words that it comes from."""
        if not self.flag_is_read:
            self.drop(self.flag)
        self.world.abbreviate(self.live())

    def live(self):
        """Return all words. In a world of 64 bits halves of products are left out, because the carries of a row are decided
        with them."""
        words = {}
        halves = self.half_registers if self.world.bits == 64 else ()
        for name, value in list(self.registers.items()) + list(self.memory.items()):
            for word in value if type(value) is tuple else (value,):
                if not isinstance(word, Pointer) and name not in halves:
                    words[id(word)] = word
        return words.values()


def width_of(name):
    return int(re.search(r"(32|64)$", name)[1])


HANDLERS = {
    "add.cc.u32": Machine.add_with_flag, "addc.cc.u32": Machine.add_with_flag, "addc.u32": Machine.add_with_flag,
    "add.cc.s64": Machine.add_with_flag, "addc.cc.s64": Machine.add_with_flag,
    "sub.cc.u32": Machine.subtract_with_flag, "subc.cc.u32": Machine.subtract_with_flag,
    "subc.u32": Machine.subtract_with_flag, "sub.cc.s64": Machine.subtract_with_flag,
    "subc.cc.s64": Machine.subtract_with_flag,
    "mad.lo.cc.u32": Machine.multiply_add, "madc.lo.cc.u32": Machine.multiply_add,
    "madc.hi.cc.u32": Machine.multiply_add,
    "add.s32": Machine.add_plain, "add.s64": Machine.add_plain, "add.u64": Machine.add_plain,
    "mul.wide.s32": Machine.multiply_wide, "mul.lo.s32": Machine.multiply_half,
    "mul.lo.s64": Machine.multiply_half, "mul.hi.u64": Machine.multiply_half, "neg.s64": Machine.negate,
    "and.b32": Machine.bit_and, "and.b64": Machine.bit_and, "or.b64": Machine.bit_or, "not.b64": Machine.bit_not,
    "shl.b32": Machine.shift_left, "shl.b64": Machine.shift_left, "shf.l.wrap.b32": Machine.funnel_shift,
    "shr.u64": Machine.shift_right, "bfi.b64": Machine.insert_upper,
    "cvt.u32.u64": Machine.narrow, "cvt.u64.u32": Machine.widen,
    "setp.eq.s32": Machine.compare, "setp.ne.s32": Machine.compare, "selp.b32": Machine.select,
    "mov.u32": Machine.move, "mov.b32": Machine.move, "mov.u64": Machine.move, "cvta.to.global.u64": Machine.move,
    "ld.param.u64": Machine.load_parameter,
    "ld.global.u32": Machine.load, "ld.global.u64": Machine.load, "ld.const.u32": Machine.load,
    "ld.local.u32": Machine.load, "ld.local.v2.u32": Machine.load, "ld.local.v4.u32": Machine.load,
    "st.global.u64": Machine.store, "st.global.u32": Machine.store, "st.local.u32": Machine.store,
    "st.local.v2.u32": Machine.store, "st.local.v4.u32": Machine.store,
}
