# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file models x86-64: it reads instructions from objdump's text, and defines what each of them does to a state (Intel's
manual, volume 2).

The flags are C, O and Z. If an instruction sets a flag to something that no routine here needs, the flag becomes undefined,
which is stricter than the processor.
"""
import re

from algebra import Reject
from machines.machine import STACK, Machine, State

HALVES = {"e" + name: "r" + name for name in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")}
HALVES.update({"r%dd" % i: "r%d" % i for i in range(8, 16)})
REGISTERS = set(HALVES.values())
ARGUMENTS = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
SAVED = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
NUMBER = re.compile(r"-?0x[0-9a-f]+|-?\d+")
CONDITIONS = {"b": ("C", 1), "ae": ("C", 0), "e": ("Z", 1), "ne": ("Z", 0)}


def parse_operand(text):
    """Return ("r", register), ("h", the register of which it is the lower half), ("i", number), ("m", register, displacement),
    ("relative",) for an address relative to rip, or ("?", text), which no instruction accepts."""
    if text in REGISTERS:
        return ("r", text)
    if text in HALVES:
        return ("h", HALVES[text])
    if NUMBER.fullmatch(text):
        return ("i", int(text, 0))
    if match := re.fullmatch(r"(?:QWORD PTR )?(?:[cdes]s:)?\[(\w+)([+-]0x[0-9a-f]+)?\]", text):
        if match[1] == "rip":
            return ("relative",)
        if match[1] in REGISTERS:
            return ("m", match[1], int(match[2] or "0", 0))
    return ("?", text)


class X86State(State):
    flag_names = "COZ"
    stack_register = "rsp"


class X86(Machine):
    jump = "jmp"

    def condition(self, s, name, operands):
        """Return the flag on which the instruction's effect depends, or which `sbb x, x` turns into a mask."""
        if name == "sbb" and operands[0] == operands[1]:
            return s.flag("C")
        flag, _ = self.meaning(name)
        return s.flag(flag) if flag else None

    @staticmethod
    def meaning(name):
        """Return (flag, the value with which the condition holds) of a conditional instruction."""
        for prefix in ("cmov", "j"):
            if name.startswith(prefix):
                return CONDITIONS.get(name[len(prefix):], (None, None))
        return None, None

    def is_conditional_jump(self, name):
        return name[0] == "j" and self.meaning(name)[0] is not None

    def holds(self, s, name):
        flag, value = self.meaning(name)
        return s.flag(flag).constant() == value

    def jumps(self, s, name):
        return self.is_conditional_jump(name) and self.holds(s, name)

    def step(self, s, name, operands):
        handler = getattr(self, "do_" + name, None)
        if handler is None and name.startswith("cmov") and self.meaning(name)[0]:
            handler = self.do_cmov
        if handler is None:
            raise Reject("the instruction " + name)
        handler(s, name, operands)

    # ---- moves ----

    def do_mov(self, s, name, operands):
        target, source = operands
        if target[0] == "h":  # The upper half becomes 0.
            if source[0] != "i":
                raise Reject("a move of 32 bits")
            s.put(("r", target[1]), s.world.number(source[1] % (1 << 32)))
        else:
            s.put(target, s.value(source))

    do_movabs = do_mov

    def do_cmov(self, s, name, operands):
        value = s.word(operands[1])  # The operand is read whatever the flag is.
        if self.holds(s, name):
            s.put(operands[0], value)

    def do_push(self, s, name, operands):
        value = s.value(operands[0])
        s.registers["rsp"] = s.move_pointer(s.pointer("rsp"), -8)
        s.store(s.pointer("rsp"), value)

    def do_pop(self, s, name, operands):
        value = s.load(s.pointer("rsp"))
        s.registers["rsp"] = s.move_pointer(s.pointer("rsp"), 8)
        s.put(operands[0], value)

    # ---- products ----

    def do_mulx(self, s, name, operands):
        """Leave the flags as they are. If both targets are one register, it gets the upper half."""
        low, high = s.world.multiply(s.word(("r", "rdx")), s.word(operands[2]))
        s.put(operands[1], low)
        s.put(operands[0], high)

    def do_mul(self, s, name, operands):
        low, high = s.world.multiply(s.word(("r", "rax")), s.word(operands[0]))
        s.put(("r", "rax"), low)
        s.put(("r", "rdx"), high)
        s.undefine("COZ")

    def do_imul(self, s, name, operands):
        """Set only the lower half, which is the m of a row of the reduction."""
        if len(operands) != 2:
            raise Reject("imul with %d operands" % len(operands))
        x, y = (s.word(o) for o in operands)
        if s.world.may_be_inverse(x):
            x, y = y, x
        s.undefine("COZ")
        s.abbreviate()
        s.put(operands[0], s.world.quotient(x, y))

    # ---- sums ----

    def add(self, s, operands, flag, carry):
        x, y = (s.word(o) for o in operands)
        total, out = s.world.add_carry(x, y, carry)
        s.put(operands[0], total)
        s.set_flag(flag, out)

    def subtract(self, s, operands, borrow):
        x, y = (s.word(o) for o in operands)
        difference, out = s.world.sub_borrow(x, y, borrow)
        s.set_flag("C", out)
        s.undefine("OZ")
        return difference

    def moves_pointer(self, s, operands, sign):
        """If this adds a number to a pointer, such as rsp, or subtracts one from it, do it and return True. Otherwise return
        False."""
        if operands[0][0] != "r" or not isinstance(s.value(operands[0]), tuple):
            return False
        if operands[1][0] != "i":
            raise Reject("arithmetic with a pointer")
        s.put(operands[0], s.move_pointer(s.value(operands[0]), sign * operands[1][1]))
        s.undefine("COZ")
        return True

    def do_add(self, s, name, operands):
        if not self.moves_pointer(s, operands, 1):
            self.add(s, operands, "C", s.world.number(0))
            s.undefine("OZ")

    def do_adc(self, s, name, operands):
        self.add(s, operands, "C", s.flag("C"))
        s.undefine("OZ")

    def do_adcx(self, s, name, operands):
        self.add(s, operands, "C", s.flag("C"))

    def do_adox(self, s, name, operands):
        self.add(s, operands, "O", s.flag("O"))

    def do_sub(self, s, name, operands):
        if not self.moves_pointer(s, operands, -1):
            s.put(operands[0], self.subtract(s, operands, s.world.number(0)))

    def do_sbb(self, s, name, operands):
        if operands[0] == operands[1]:  # This is 0 or -1, whatever the register was. condition() has made the flag known.
            s.put(operands[0], s.world.number(-s.flag("C").constant() % s.world.base))
            s.undefine("OZ")  # C stays.
        else:
            s.put(operands[0], self.subtract(s, operands, s.flag("C")))

    def do_cmp(self, s, name, operands):
        self.subtract(s, operands, s.world.number(0))

    # ---- bits ----

    def do_xor(self, s, name, operands):
        if operands[0] != operands[1] or operands[0][0] not in "rh":
            raise Reject("xor of two registers")
        s.put(("r", operands[0][1]), s.world.number(0))
        for flag, value in (("C", 0), ("O", 0), ("Z", 1)):
            s.set_flag(flag, s.world.number(value))

    def do_and(self, s, name, operands):
        """Accept the instruction only if one operand is known to be 0 or all ones."""
        s.put(operands[0], s.masked(*(s.word(o) for o in operands)))
        s.undefine("COZ")

    def do_test(self, s, name, operands):
        x = s.word(operands[0])
        if operands[0] != operands[1] or x.constant() is None:
            raise Reject("test of an unknown word")
        for flag, value in (("C", 0), ("O", 0), ("Z", int(x.constant() == 0))):
            s.set_flag(flag, s.world.number(value))

    def do_blsi(self, s, name, operands):
        """Isolate the lowest set bit. The result is an unknown word, because no routine uses it. C says whether any bit is
        set."""
        x = s.word(operands[1])
        s.put(operands[0], s.world.unknown("bit", x.value & -x.value))
        s.set_flag("C", s.world.nonzero(x))
        s.set_flag("O", s.world.number(0))
        s.set_flag("Z", None)


def enter(state, arguments):
    """Set up the state in which a routine is called with these words and pointers (System V, AMD64)."""
    for register in REGISTERS:
        state.registers[register] = None
    for register in SAVED:
        state.registers[register] = ("the caller's " + register, 0)
    state.registers["rsp"] = (STACK, 0)  # The return address lies there, which nothing may read or write.
    for i, argument in enumerate(arguments):
        if i < len(ARGUMENTS):
            state.registers[ARGUMENTS[i]] = argument
        else:
            state.memory[(STACK, 8 * (i - len(ARGUMENTS) + 1))] = argument


def leave(state):
    """Return the routine's result."""
    state.leave(SAVED)
    return state.registers["rax"]
