# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has what the processors have in common: disassembly, registers and memory that hold words, and the search of all
paths.

objdump's text is trusted, and what the processors' files say of each instruction; test_field_assembly.py compares the latter
with the processors. Memory is a table of cells of 8 bytes. A pointer is (region, offset), never a word. The regions are
"result", the operands' names, "stack" and whatever a claim sets up. A routine may do this:

  read    It may read cells that were set up or written, but none of the stack below the stack pointer. If the result may
          alias operands, it may read no operand after it has stored a cell of the result.
  write   It may write cells of the result, and of the stack between the stack pointer and its value on entry.
"""
import re
import subprocess

from algebra import Reject

RESULT, STACK, MODULUS = "result", "stack", "P"


def disassemble(path, objdump, parse_operand):
    """Return {routine: [(address, mnemonic, operands)]} without padding. A jump's operand is its target's address. A relocation
    is a separate operand, which no instruction accepts."""
    command = [*objdump, "-d", "-r", "--no-show-raw-insn", str(path)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    routines, current = {}, None
    for line in text.splitlines():
        if match := re.match(r"^[0-9a-f]+ <(\S+)>:", line):
            current = routines.setdefault(match[1], [])
        elif match := re.match(r"^\s*[0-9a-f]+:\s+R_\S+\s+(\S+)", line):
            address, mnemonic, operands = current[-1]
            current[-1] = (address, mnemonic, operands + [("relocation", match[1])])
        elif match := re.match(r"^\s*([0-9a-f]+):\s+(\S.*)$", line):
            address, instruction = int(match[1], 16), match[2].strip()
            if re.match(r"nop|endbr64|((data16|cs) )+nop|xchg +ax,ax$", instruction):
                continue
            mnemonic, rest = (instruction.split(None, 1) + [""])[:2]
            current.append((address, mnemonic, parse_operands(mnemonic, rest, parse_operand)))
    return routines


def parse_operands(mnemonic, text, parse_operand):
    symbol = re.search(r"(?:#|//) ([0-9a-f]+) <", text)
    text = re.sub(r"\s*(//|#(?= )|<).*$", "", text).strip()
    if re.match(r"j|b(\.|$)", mnemonic):
        return [("i", int(text, 16))]
    operands = [parse_operand(part.strip()) for part in re.split(r",(?![^\[]*\])", text)] if text else []
    if mnemonic == "adrp":
        operands[1] = ("i", int(text.split(",")[1], 16))
    return [("known", int(symbol[1], 16)) if symbol and o == ("relative",) else o for o in operands]


class Section:
    """This is the read-only data of a linked file, by address."""

    def __init__(self, path, objdump, name=".rodata"):
        text = subprocess.run([objdump[0], "-s", "-j", name, str(path)], capture_output=True, text=True).stdout
        self.bytes = {}
        for match in re.finditer(r"^ ([0-9a-f]+) ((?:[0-9a-f]{2,8} ){1,4})", text, re.M):
            for i, byte in enumerate(bytes.fromhex(match[2])):
                self.bytes[int(match[1], 16) + i] = byte

    def word(self, address):
        if any(address + i not in self.bytes for i in range(8)):
            raise Reject("reads the unknown address %x" % address)
        return int.from_bytes(bytes(self.bytes[address + i] for i in range(8)), "little")


class State:
    """A state has registers, flags and memory in one case. A register holds a word, a pointer, or None where it is
    undefined."""

    flag_names = "C"
    stack_register = "sp"

    def __init__(self, world):
        self.world = world
        self.registers, self.memory = {}, {}
        self.flags = {name: None for name in self.flag_names}
        self.unread = {}  # {flag: its carry, which nothing has read yet}
        self.result_limbs, self.stored = 0, set()
        self.may_alias = True
        self.constants = None  # a Section, or None

    def copy(self):
        twin = type(self)(self.world.copy())
        for name in ("registers", "memory", "flags"):
            setattr(twin, name, {k: twin.world.counterpart(v) for k, v in getattr(self, name).items()})
        twin.unread, twin.stored = dict(self.unread), set(self.stored)
        twin.result_limbs, twin.may_alias, twin.constants = self.result_limbs, self.may_alias, self.constants
        return twin

    def abbreviate(self):
        """Abbreviate, at the start of a row, all words that a later instruction can still read."""
        values = [*self.registers.values(), *self.memory.values()]
        self.world.abbreviate({id(v): v for v in values if v is not None and not isinstance(v, tuple)}.values())

    # ---- flags ----

    def set_flag(self, name, word):
        """Set a flag. If nothing has read the old flag, its carry is decided, because a result that lacks it can only be right
        if it is always the same."""
        dropped = self.unread.pop(name, None)
        if dropped is not None:
            self.world.decide_carry(dropped)
        self.flags[name] = word
        if word is not None and len(word.poly) == 1:
            (monomial,) = word.poly
            if len(monomial) == 1 and monomial[0] in self.world.origin:
                self.unread[name] = monomial[0]

    def undefine(self, names):
        for name in names:
            self.set_flag(name, None)

    def flag(self, name):
        if self.flags[name] is None:
            raise Reject("flag %s is undefined here" % name)
        self.unread.pop(name, None)
        return self.flags[name]

    # ---- registers ----

    def read_register(self, name):
        value = self.registers.get(name)
        if value is None:
            raise Reject("%s is undefined" % name)
        return value

    def pointer(self, name):
        value = self.read_register(name)
        if not isinstance(value, tuple):
            raise Reject("%s is no pointer" % name)
        return value

    def move_pointer(self, pointer, distance):
        return (pointer[0], pointer[1] + distance)

    # ---- memory ----

    def load(self, where):
        region, offset = where
        if region == "constants":
            return self.world.number(self.constants.word(offset))
        if where not in self.memory:
            raise Reject("reads %s%+d" % where)
        if region == STACK and offset < self.pointer(self.stack_register)[1]:
            raise Reject("reads below the stack pointer")
        if self.may_alias and self.stored and region not in (RESULT, MODULUS, STACK):
            raise Reject("reads %s%+d, which the result may alias, after a result was stored" % where)
        return self.memory[where]

    def store(self, where, value):
        region, offset = where
        if region == RESULT:
            if offset % 8 or not 0 <= offset < 8 * self.result_limbs:
                raise Reject("stores outside the result")
            self.stored.add(where)
        elif region != STACK or offset % 8 or not self.pointer(self.stack_register)[1] <= offset < 0:
            raise Reject("stores to %s%+d" % where)
        self.memory[where] = value

    # ---- operands ----

    def masked(self, x, y):
        """Return x & y, one of which must be 0 or all bits."""
        if x.constant() in (0, self.world.base - 1):
            x, y = y, x
        if y.constant() not in (0, self.world.base - 1):
            raise Reject("and with other bits than all or none")
        return x if y.constant() else y

    def leave(self, saved):
        """Check what a caller relies on, when the routine returns."""
        for register in saved:
            if self.registers[register] != ("the caller's " + register, 0):
                raise Reject(register + " is not what it was")
        if self.registers[self.stack_register] != (STACK, 0):
            raise Reject("the stack pointer is not what it was")

    def value(self, operand):
        """Return the word or pointer that an operand has."""
        kind = operand[0]
        if kind == "r":
            return self.read_register(operand[1])
        if kind == "i":
            return self.world.number(operand[1] % self.world.base)
        if kind == "m":
            return self.load(self.address(operand))
        if kind == "known":
            return self.load(("constants", operand[1]))
        raise Reject("operand %r" % (operand,))

    def word(self, operand):
        value = self.value(operand)
        if isinstance(value, tuple):
            raise Reject("a pointer where a number belongs")
        return value

    def put(self, operand, value):
        if operand[0] == "r":
            self.registers[operand[1]] = value
        elif operand[0] == "m":
            self.store(self.address(operand), value)
        else:
            raise Reject("operand %r" % (operand,))

    def address(self, operand):
        """Return the address of an operand ("m", register, displacement, ...)."""
        return self.move_pointer(self.pointer(operand[1]), operand[2])


class Machine:
    """A machine follows every path of a routine. A subclass for a processor defines the effects of instructions and their
    dependencies."""

    jump = None  # the mnemonic of a jump without a condition
    longest = 20000

    def __init__(self, code):
        self.code = code
        self.numbers = {address: number for number, (address, _, _) in enumerate(code)}

    def run(self, state):
        """Return the states in which the routine returns, one for each case. The cases cover all operands."""
        ends, todo = [], [(state, 0)]
        while todo:
            s, number = todo.pop()
            for _ in range(self.longest):
                if number >= len(self.code):
                    raise Reject("runs past the end")
                _, name, operands = self.code[number]
                if name == "ret":
                    s.undefine(s.flag_names)
                    ends.append(s)
                    break
                condition = self.condition(s, name, operands)
                if condition is not None and condition.constant() is None:
                    atom = s.world.case_of(condition)
                    for value in (0, 1):
                        twin = s.copy()
                        twin.world.case(atom, value)
                        todo.append((twin, number))
                    break
                if name == self.jump or self.jumps(s, name):
                    number = self.target(operands)
                elif self.is_conditional_jump(name):
                    number += 1
                else:
                    self.step(s, name, operands)
                    number += 1
            else:
                raise Reject("does not end")
        return ends

    def target(self, operands):
        if operands[0][1] not in self.numbers:
            raise Reject("jumps out of the routine")
        return self.numbers[operands[0][1]]

    def condition(self, s, name, operands):
        """Return the flag that must be known before the instruction is executed, or None."""
        raise NotImplementedError

    def is_conditional_jump(self, name):
        raise NotImplementedError

    def jumps(self, s, name):
        """Return True if a conditional jump is taken, whose flag is known."""
        raise NotImplementedError

    def step(self, s, name, operands):
        raise NotImplementedError
