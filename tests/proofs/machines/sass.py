# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file reads SASS of sm_90, which is what a GPU runs, as nvdisasm shows it. NVIDIA documents only the names of the
instructions. Their meanings here are those on which ptxas relies when it makes them of PTX, where products of 32-bit words
become IMAD.WIDE.U32.

Predicates are carries. An instruction with two of them adds both. It is not documented which of an instruction's two carries
out is which, so that only an instruction that adds up both may read them."""
import re

from algebra import Reject
from machines.ptx import Code, Instruction, Machine, PARAMETERS, Pointer

DESCRIPTOR, FIRST_PARAMETER = 0x208, 0x210  # in bank 0


def parse(text, constants):
    """Return {kernel: Code}."""
    kernels, code = {}, None
    for line in text.splitlines():
        if match := re.match(r"\.text\.(\w+):", line):
            code = kernels[match[1]] = Code([], {}, constants)
        elif code and (match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;", line)):
            name, _, rest = match[1].partition(" ")
            operands = tuple(o.strip().replace(".reuse", "") for o in rest.split(",") if o.strip())
            code.instructions.append(Instruction("", name, operands))
    return kernels


class Sass(Machine):
    """This is the machine of PTX with other instructions. It has the registers R and UR, and the predicates P and UP."""

    def __init__(self, world, code):
        super().__init__(world, code)
        self.mates = {}  # {one of two carries out: the other, or None if that was overwritten}
        self.sums = {}  # {keys of two words and a carry: (sum, carry)}

    def copy(self):
        twin = super().copy()
        twin.mates = dict(self.mates)
        twin.sums = {key: twin.world.counterpart(pair) for key, pair in self.sums.items()}
        return twin

    def step(self):
        self.steps += 1
        _, name, operands = self.code.instructions[self.at]
        if name == "EXIT":
            self.ended = True
            return
        plain = re.sub(r"^U(?=IMAD|IADD|LDC|SEL|MOV|SHF)", "", name)
        kind = plain.split(".")[0]
        handler = getattr(self, "do_" + kind.lower(), None)
        if handler is None:
            raise Reject("the instruction " + name)
        handler(plain, operands)
        self.at += 1

    # ---- operands ----

    def word(self, operand, width=32):
        if operand in ("RZ", "URZ"):
            return self.world.number(0)
        if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", operand):
            return self.world.number(int(operand, 0) % self.world.base)
        if operand[0] == "~":
            return self.combine([(self.operand(operand[1:]), -1)], self.world.base - 1)
        if operand not in self.registers or isinstance(self.registers[operand], Pointer):
            raise Reject(operand + " is not a word")
        return self.registers[operand]

    def upper(self, operand):
        """Return the register behind this one, which has the upper word of a pair."""
        return operand if operand in ("RZ", "URZ") else re.sub(r"\d+", lambda m: str(int(m[0]) + 1), operand)

    def carry(self, operand, others=()):
        """Return a predicate as 0 or 1. `others` are other predicates that the instruction reads."""
        if operand.lstrip("!") in self.mates and self.mates.get(operand) not in others:
            raise Reject("one of two carries")
        if operand.lstrip("!") in ("PT", "UPT"):
            return self.world.number(0 if operand[0] == "!" else 1)
        word = self.predicate(operand.lstrip("!"))
        return self.combine([(word, -1)], 1) if operand[0] == "!" else word

    def split_carries(self, operands):
        """Return (target, the predicates that get carries, the other operands)."""
        outs = []
        rest = list(operands[1:])
        while rest and re.fullmatch(r"U?P\d", rest[0]):
            outs.append(rest.pop(0))
        return operands[0], outs, rest

    def set_carries(self, outs, carries):
        """Write carries to predicates. If there are more carries than predicates, all but one of the carries are 0."""
        live = [c for c in carries if c.constant() != 0]
        if len(live) > len(outs):
            for carry in live:
                self.drop(carry)
            live = [c for c in live if c.constant() != 0]
        if len(outs) == 2:
            live = carries
        elif outs and len(live) > 1:
            raise Reject("two carries in one predicate")
        for out in outs:
            if mate := self.mates.pop(out, None):
                self.mates[mate] = None
        if len(outs) == 2 and all(c.constant() != 0 for c in live):
            self.mates.update({outs[0]: outs[1], outs[1]: outs[0]})
        for i, out in enumerate(outs):
            self.predicates[out] = live[i] if i < len(live) else self.world.number(0)

    def set(self, target, word):
        if target not in ("RZ", "URZ"):
            self.registers[target] = word

    # ---- arithmetic ----

    def do_imad(self, name, operands):
        target, outs, rest = self.split_carries(operands)
        if ".MOV" in name or name == "IMAD.U32" and rest[:2] == ["RZ", "RZ"]:
            negative = re.match(r"-U?R", rest[2])  # -x = ~x + 1
            self.set(target, self.plus("~" + rest[2][1:], "RZ", self.world.number(1))[0] if negative else self.word(rest[2]))
        elif name in ("IMAD.WIDE.U32", "IMAD.WIDE.U32.X", "IMAD.HI.U32"):
            carry = self.carry(rest[3]) if name.endswith(".X") else self.world.number(0)
            low, high = self.world.multiply(self.operand(rest[0]), self.operand(rest[1]))
            addend = self.operand(rest[2])
            if not name.endswith(".X") and (step := self.carry_of_step(self.operand(rest[0]), self.operand(rest[1]), addend)):
                low, carry = self.world.number(0), step
            else:
                low, carry = self.world.add_carry(low, addend, carry)
            high, carry = self.world.add_carry(high, self.operand(self.upper(rest[2])), carry)
            if name != "IMAD.HI.U32":
                self.set(target, low)
            self.set(target if name == "IMAD.HI.U32" else self.upper(target), high)
            self.set_carries(outs, [carry])
        elif name == "IMAD.X":
            self.add_predicates(target, outs, self.times_bit(rest[0], rest[1]), rest[2], [rest[3]])
        elif name == "IMAD" and rest[2] in ("RZ", "URZ"):
            x, y = self.operand(rest[0]), self.operand(rest[1])
            x, y = (y, x) if x.constant() is not None else (x, y)
            if not self.world.may_be_inverse(y):
                raise Reject("a product that is no multiplier")
            self.world.abbreviate(self.live())
            self.set(target, self.world.quotient(x, y))
        else:
            raise Reject("the instruction " + name)

    def times_bit(self, left, right):
        """Return the operand that is multiplied by 1, or RZ."""
        factors = [self.word(o).constant() for o in (left, right)]
        if 0 in factors:
            return "RZ"
        if 1 not in factors:
            raise Reject("a product in IMAD.X")
        return right if factors[0] == 1 else left

    def add_predicates(self, target, outs, left, right, carries):
        x, y, carry = self.word(left), self.word(right), self.carry(carries[0])
        for one, other in ((x, y), (y, x)):
            if one.constant() == self.world.base - 1 and other.constant() == 0:
                self.set(target, self.combine([(carry, 1)], -1))  # all bits, or 0
                self.set_carries(outs, [carry])
                return
        total, carry = self.world.add_carry(self.exact(x), self.exact(y), carry)
        self.set(target, total)
        self.set_carries(outs, [carry])

    def do_iadd3(self, name, operands):
        target, outs, rest = self.split_carries(operands)
        carries = [self.carry(o, rest[3:5]) for o in rest[3:5]] if name.endswith(".X") else []
        carries += [self.world.number(0)] * (2 - len(carries))
        negative = [i for i in range(3) if re.match(r"-U?R", rest[i])]
        if negative:  # a - b = a + ~b + 1
            if len(negative) > 1 or any(c.constant() != 0 for c in carries):
                raise Reject("two negated operands")
            rest[negative[0]] = "~" + rest[negative[0]][1:]
            carries[0] = self.world.number(1)
        if "RZ" in rest[:3] and carries[1].constant() == 0:
            rest.remove("RZ")
            self.add_exact(target, outs, rest, carries[0])
            return
        total, first = self.world.add_carry(self.operand(rest[0]), self.operand(rest[1]), carries[0])
        total, second = self.world.add_carry(total, self.operand(rest[2]), carries[1])
        self.set(target, total)
        self.set_carries(outs, [first, second])

    def add_exact(self, target, outs, rest, carry):
        total, carry = self.plus(rest[0], rest[1], carry)
        self.set(target, total)
        self.set_carries(outs, [carry])

    def plus(self, left, right, carry):
        """Return the sum and the carry. For the same operands they are the same words, because ptxas computes each in a
        separate instruction."""
        x, y = self.operand(left), self.operand(right)
        key = x.key(), y.key(), carry.key()
        if key not in self.sums:
            self.sums[key] = self.world.add_carry(x, y, carry)
        return self.sums[key]

    # ---- bits and moves ----

    def do_lop3(self, _, operands):
        """The table 0x33 is "not" of the second operand. 0xc0 is "and", which here has a mask and a number as operands."""
        if operands[1] == operands[3] == "RZ" and operands[4] == "0x33":
            self.set(operands[0], self.word("~" + operands[2]))
            return
        if operands[3:5] != ("RZ", "0xc0"):
            raise Reject("a table of LOP3")
        x, y = self.word(operands[1]), self.word(operands[2])
        mask, other = (x, y) if x.low < 0 or x.constant() in (0, self.world.base - 1) else (y, x)
        known = self.known(mask)
        if known not in (0, self.world.base - 1):
            raise Reject("an `and` without a mask")
        self.set(operands[0], other if known else self.world.number(0))

    def do_sel(self, _, operands):
        self.set(operands[0], self.word(operands[1] if self.known(self.carry(operands[3])) else operands[2]))

    def do_shf(self, name, operands):
        if operands[2] != "0x1":
            raise Reject("a shift")
        doubled = self.double(self.operand(operands[3] if "HI" in name else operands[1]))[0]
        if name == "SHF.L.W.U32.HI":
            bit = self.double(self.operand(operands[1]))[1]
            doubled = self.combine([(doubled, 1), (bit, 1)], high=self.world.base - 1)
        self.set(operands[0], doubled)

    def do_mov(self, _, operands):
        value = self.registers.get(operands[1])
        self.set(operands[0], value if isinstance(value, Pointer) else self.word(operands[1]))

    do_r2ur = do_mov

    def do_hfma2(self, name, operands):
        """Accept only zeros as operands: the instruction then moves 0."""
        if set(operands[1:]) - {"-RZ", "RZ", "0"}:
            raise Reject(name)
        self.set(operands[0], self.world.number(0))

    def do_nop(self, *_):
        pass

    # ---- memory ----

    def do_ldc(self, name, operands):
        """Load a parameter, -1/p, or what the driver puts below the parameters. There it puts the stack, and the descriptor of
        memory, whose words ptxas may move."""
        bank, at = re.fullmatch(r"c\[0x(\w+)\]\[(\w+)\]", operands[1]).groups()
        at = 0 if at in ("RZ", "URZ") else int(at, 0)
        if bank == "3" and at == 0:
            self.set(operands[0], self.world.number(int.from_bytes(self.code.tables["fp_inv_word"], "little")))
        elif bank == "0" and at >= FIRST_PARAMETER:
            self.set(operands[0], Pointer(PARAMETERS[(at - FIRST_PARAMETER) // 8], 0))
        elif bank == "0":
            self.set(operands[0], Pointer("driver's", at))
            if name.endswith("64"):
                self.set(self.upper(operands[0]), Pointer("driver's", at + 4))
        else:
            raise Reject("the constants of bank " + bank)

    def address(self, operand):
        descriptor = re.match(r"desc\[(UR\d+)\]", operand)
        for i, name in enumerate((descriptor[1], self.upper(descriptor[1])) if descriptor else ()):
            if self.registers.get(name) != Pointer("driver's", DESCRIPTOR + 4 * i):
                raise Reject("no descriptor of memory")
        match = re.search(r"\[(U?R\d+)(?:\.64)?(?:\+(0x[0-9a-f]+))?\]$", operand)
        base = self.registers.get(match[1]) if match else None
        if not isinstance(base, Pointer):
            raise Reject("the address " + operand)
        return Pointer(base.target, base.offset + int(match[2] or "0", 0))

    def do_ldg(self, name, operands):
        for i, cell in enumerate(self.cells(self.address(operands[1]), 8 if name.endswith("64") else 4)):
            self.set(self.upper(operands[0]) if i else operands[0], self.read(cell))

    def do_stg(self, name, operands):
        for i, cell in enumerate(self.cells(self.address(operands[0]), 8 if name.endswith("64") else 4)):
            self.write(cell, self.operand(self.upper(operands[1]) if i else operands[1]))
