# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file models aarch64: it reads instructions from objdump's text, and defines what each of them does to a state (Arm's
manual, C6.2).

The only flag is C. After a sum it is the carry, and after a difference it is 1 if there is no borrow.
"""
import re

from algebra import Reject, add, const
from machines.machine import STACK, Machine, State

SAVED = ["x%d" % i for i in [18, *range(19, 31)]]
CONDITIONS = {"cs": 1, "cc": 0}


def parse_operand(text):
    """Return ("r", register), ("i", number), ("m", register, displacement, whether the register moves along), or ("?", text),
    which no instruction accepts."""
    if re.fullmatch(r"x\d+|xzr|sp", text):
        return ("r", text)
    if match := re.fullmatch(r"#?(-?(?:0x[0-9a-f]+|\d+))", text):
        return ("i", int(match[1], 0))
    if match := re.fullmatch(r"\[(x\d+|sp)(?:, #(-?\d+))?\](!?)", text):
        return ("m", match[1], int(match[2] or 0), bool(match[3]))
    return ("?", text)


class Aarch64State(State):
    def value(self, operand):
        return self.world.number(0) if operand == ("r", "xzr") else super().value(operand)

    def put(self, operand, value):
        if operand != ("r", "xzr"):
            super().put(operand, value)


class Aarch64(Machine):
    jump = "b"

    def condition(self, s, name, operands):
        return s.flag("C") if self.meaning(name, operands) is not None else None

    @staticmethod
    def meaning(name, operands):
        """Return the value of C for which a conditional instruction's condition holds."""
        if name in ("csel", "csetm"):
            if operands[-1][1] not in CONDITIONS:
                raise Reject("the condition %s" % (operands[-1][1],))
            return CONDITIONS[operands[-1][1]]
        return CONDITIONS.get(name[2:]) if name.startswith("b.") else None

    def is_conditional_jump(self, name):
        return self.meaning(name, [("?", "cs")]) is not None and name.startswith("b.")

    def jumps(self, s, name):
        return self.is_conditional_jump(name) and s.flag("C").constant() == CONDITIONS[name[2:]]

    def step(self, s, name, operands):
        handler = getattr(self, "do_" + name, None)
        if handler is None:
            raise Reject("the instruction " + name)
        handler(s, name, operands)

    # ---- moves ----

    def do_mov(self, s, name, operands):
        s.put(operands[0], s.value(operands[1]))

    def transfer(self, s, name, operands):
        """Execute ldr, str, ldp or stp. The address is the register's. The register is moved before the access if there is a
        `!`, and after it if a number follows."""
        registers = [o for o in operands if o[0] == "r"]
        memory = next(o for o in operands if o[0] == "m")
        first = s.address(memory)
        base = memory[1]
        if memory[3]:
            s.registers[base] = first
        for i, register in enumerate(registers):
            where = s.move_pointer(first, 8 * i)
            if name.startswith("ld"):
                s.put(register, s.load(where))
            else:
                s.store(where, s.value(register))
        if operands[-1][0] == "i":
            s.registers[base] = s.move_pointer(s.pointer(base), operands[-1][1])

    def do_ldr(self, s, name, operands):
        self.transfer_of(1, s, name, operands)

    def do_ldp(self, s, name, operands):
        self.transfer_of(2, s, name, operands)

    do_str, do_stp = do_ldr, do_ldp

    def transfer_of(self, count, s, name, operands):
        kinds = "".join(o[0] for o in operands)
        if not re.fullmatch("r" * count + "mi?", kinds) or kinds[-1] == "i" and operands[count][2:] != (0, False):
            raise Reject("%s of %s" % (name, kinds))
        names = [o[1] for o in operands if o[0] == "r"]
        moves = kinds[-1] == "i" or operands[count][3]
        # If two targets are the same register, or if the base moves and is also a target, the manual does not define the
        # result.
        if (name == "ldp" and names[0] == names[1]) or (moves and operands[count][1] in names):
            raise Reject("%s whose registers overlap" % name)
        self.transfer(s, name, operands)

    def do_adrp(self, s, name, operands):
        s.put(operands[0], ("constants", operands[1][1]))

    # ---- sums ----

    def do_add(self, s, name, operands):
        """Add to a pointer; other operands are refused."""
        pointer = s.value(operands[1])
        if not isinstance(pointer, tuple) or operands[2][0] != "i":
            raise Reject("add of words")
        s.put(operands[0], s.move_pointer(pointer, operands[2][1] if name == "add" else -operands[2][1]))

    do_sub = do_add

    def sum(self, s, operands, carry):
        total, out = s.world.add_carry(s.word(operands[1]), s.word(operands[2]), carry)
        s.put(operands[0], total)
        return out

    def do_adds(self, s, name, operands):
        s.set_flag("C", self.sum(s, operands, s.world.number(0)))

    def do_adcs(self, s, name, operands):
        s.set_flag("C", self.sum(s, operands, s.flag("C")))

    def do_adc(self, s, name, operands):
        """Drop the carry out, which is decided."""
        out = self.sum(s, operands, s.flag("C"))
        if out.constant() is None:
            for monomial in list(out.poly):
                if len(monomial) == 1:
                    s.world.decide_carry(monomial[0])

    @staticmethod
    def complement(world, bit):
        if bit.constant() is not None:
            return world.number(1 - bit.constant())
        return world.word(add(const(1), bit.poly, -1), 0, 1, 1 - bit.value, add(const(1), bit.near, -1))

    def difference(self, s, x, y, borrow):
        value, out = s.world.sub_borrow(s.word(x), s.word(y), borrow)
        s.set_flag("C", self.complement(s.world, out))
        return value

    def do_subs(self, s, name, operands):
        s.put(operands[0], self.difference(s, operands[1], operands[2], s.world.number(0)))

    def do_sbcs(self, s, name, operands):
        borrow = self.complement(s.world, s.flag("C"))
        s.put(operands[0], self.difference(s, operands[1], operands[2], borrow))

    def do_cmp(self, s, name, operands):
        """`cmp t, #1` asks whether t is not 0. This is the start of a row of the reduction."""
        if operands[1] == ("i", 1):
            s.undefine("C")
            s.abbreviate()
            s.set_flag("C", s.world.nonzero(s.word(operands[0])))
        else:
            self.difference(s, operands[0], operands[1], s.world.number(0))

    # ---- products ----

    def do_mul(self, s, name, operands):
        x, y = s.word(operands[1]), s.word(operands[2])
        if s.world.may_be_inverse(x):
            x, y = y, x
        if s.world.may_be_inverse(y):
            s.put(operands[0], s.world.quotient(x, y))
        else:
            s.put(operands[0], s.world.multiply(x, y)[0])

    def do_umulh(self, s, name, operands):
        s.put(operands[0], s.world.multiply(s.word(operands[1]), s.word(operands[2]))[1])

    # ---- choices, whose flag condition() has made known ----

    def do_csel(self, s, name, operands):
        yes, no = s.word(operands[1]), s.word(operands[2])
        s.put(operands[0], yes if s.flag("C").constant() == self.meaning(name, operands) else no)

    def do_csetm(self, s, name, operands):
        holds = s.flag("C").constant() == self.meaning(name, operands)
        s.put(operands[0], s.world.number(s.world.base - 1 if holds else 0))

    def do_and(self, s, name, operands):
        """Do this with 0 or with all bits."""
        s.put(operands[0], s.masked(s.word(operands[1]), s.word(operands[2])))


def enter(state, arguments):
    """Set up the state in which a routine is called with these words and pointers (AAPCS64)."""
    for i in range(31):
        state.registers["x%d" % i] = arguments[i] if i < len(arguments) else None
    for register in SAVED:
        state.registers[register] = ("the caller's " + register, 0)
    state.registers["sp"] = (STACK, 0)


def leave(state):
    """Return the routine's result."""
    state.leave(SAVED)
    return state.registers["x0"]
