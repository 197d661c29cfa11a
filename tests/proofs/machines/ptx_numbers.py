# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file defines for numbers what each instruction of PTX does, after "PTX ISA", chapters 9.7.1 (integers), 9.7.2 (extended
precision), 9.7.5 (comparison) and 9.7.8 (logic and shifts). It also has an interpreter, which shares no code with the engine's
machine.

ptx_meanings.py compares MEANINGS with a GPU. The tests run mutants here, and the routines on the trial's operands."""
import re

from machines.ptx import PARAMETERS, split_vector

M32, M64 = 2**32 - 1, 2**64 - 1


def signed(x, bits):
    return x - 2**bits if x >> (bits - 1) else x


def _carried(total, mask):
    return total & mask, total >> mask.bit_length() & 1


def _add(mask):
    return lambda a, b, flag: _carried(a + b + flag, mask)


def _sub(mask):
    return lambda a, b, flag: ((a - b - flag) & mask, 1 if a < b + flag else 0)


def _mad(half):
    return lambda a, b, c, flag: _carried((a * b >> (32 * half) & M32) + c + flag, M32)


# {name: function of the operands and of the carry or borrow in, which is 0 if the instruction reads none. It returns the result
# and the carry or borrow out.}
MEANINGS = {
    "add.cc.u32": _add(M32), "addc.cc.u32": _add(M32), "addc.u32": _add(M32),
    "add.cc.s64": _add(M64), "addc.cc.s64": _add(M64),
    "sub.cc.u32": _sub(M32), "subc.cc.u32": _sub(M32), "subc.u32": _sub(M32),
    "sub.cc.s64": _sub(M64), "subc.cc.s64": _sub(M64),
    "mad.lo.cc.u32": _mad(0), "madc.lo.cc.u32": _mad(0), "madc.hi.cc.u32": _mad(1),
    "add.s32": lambda a, b, flag: ((a + b) & M32, 0),
    "add.s64": lambda a, b, flag: ((a + b) & M64, 0), "add.u64": lambda a, b, flag: ((a + b) & M64, 0),
    "mul.lo.s32": lambda a, b, flag: (a * b & M32, 0), "mul.lo.s64": lambda a, b, flag: (a * b & M64, 0),
    "mul.hi.u64": lambda a, b, flag: (a * b >> 64, 0),
    "mul.wide.s32": lambda a, b, flag: (signed(a, 32) * signed(b, 32) & M64, 0),
    "neg.s64": lambda a, flag: (-a & M64, 0), "not.b64": lambda a, flag: (a ^ M64, 0),
    "and.b32": lambda a, b, flag: (a & b, 0), "and.b64": lambda a, b, flag: (a & b, 0),
    "or.b64": lambda a, b, flag: (a | b, 0),
    "shl.b32": lambda a, n, flag: (a << min(n, 32) & M32, 0), "shl.b64": lambda a, n, flag: (a << min(n, 64) & M64, 0),
    "shr.u64": lambda a, n, flag: (a >> min(n, 64), 0),
    "shf.l.wrap.b32": lambda low, high, n, flag: (((high << 32 | low) << n % 32) >> 32 & M32, 0),
    "bfi.b64": lambda a, b, at, count, flag: (
        (b & ~(((1 << count) - 1) << at) | (a & ((1 << count) - 1)) << at) & M64, 0),
    "cvt.u32.u64": lambda a, flag: (a & M32, 0), "cvt.u64.u32": lambda a, flag: (a, 0),
    "setp.eq.s32": lambda a, b, flag: (int(a == b), 0), "setp.ne.s32": lambda a, b, flag: (int(a != b), 0),
    "selp.b32": lambda a, b, p, flag: (a if p else b, 0),
}
READS_FLAG = re.compile(r"(add|sub|mad)c\.")


class Stuck(Exception):
    """The code of a mutant cannot be run."""


class Interpreter:
    """This is one run of a routine. Memory has bytes at (object, offset)."""

    def __init__(self, code, operands, size):
        self.code, self.registers, self.flag = code, {}, None
        self.memory = {(name, i): byte for name, number in operands.items()
                       for i, byte in enumerate(number.to_bytes(size, "little"))}
        self.memory.update({(name, i): byte for name, table in code.tables.items() for i, byte in enumerate(table)})

    def run(self):
        at = 0
        for _ in range(100000):
            if at >= len(self.code.instructions):
                break
            guard, name, operands = self.code.instructions[at]
            at += 1
            if guard and bool(self.get(guard.lstrip("!"))) == guard.startswith("!"):
                continue
            if name == "ret":
                return
            if name.startswith("bra"):
                at = self.code.labels[operands[0]]
            else:
                self.step(name, operands)
        raise Stuck("it does not return")

    def get(self, operand):
        if re.fullmatch(r"-?\d+", operand):
            return int(operand)
        if operand in self.registers:
            return self.registers[operand]
        if operand[0] != "%":
            return operand, 0
        raise Stuck(operand + " is undefined")

    def step(self, name, operands):
        kind = name.split(".")[0]
        if name == "ld.param.u64":
            self.registers[operands[0]] = PARAMETERS[int(re.search(r"_param_(\d+)\]", operands[1])[1])], 0
        elif kind in ("mov", "cvta"):
            value = self.get(operands[1])
            self.registers[operands[0]] = value & (M64 if name.endswith("64") else M32) if isinstance(value, int) else value
        elif kind in ("ld", "st"):
            self.transfer(name, *operands)
        elif name in MEANINGS:
            values = [self.get(o) for o in operands[1:]]
            if kind == "add" and any(isinstance(v, tuple) for v in values):
                (target, at), offset = values if isinstance(values[0], tuple) else values[::-1]
                self.registers[operands[0]] = target, at + signed(offset & M64, 64)
                return
            if any(isinstance(v, tuple) for v in values):
                raise Stuck("a pointer is a number")
            if kind != "mul" or "wide" not in name:
                mask = M64 if re.search(r"64$", name) or name == "cvt.u32.u64" else M32
                values = [v & mask for v in values]
            if READS_FLAG.match(name) and self.flag is None:
                raise Stuck("no carry")
            result, out = MEANINGS[name](*values, self.flag if READS_FLAG.match(name) else 0)
            self.registers[operands[0]] = result
            if ".cc" in name:
                self.flag = out
        else:
            raise Stuck(name)

    def transfer(self, name, first, second):
        registers, operand = (first, second) if name.startswith("ld") else (second, first)
        size = int(re.search(r"(32|64)$", name)[1]) // 8
        match = re.fullmatch(r"\[([%\w]+)(?:\+(-?\d+))?\]", operand)
        base = self.get(match[1])
        if not isinstance(base, tuple):
            raise Stuck("no address")
        for i, register in enumerate(split_vector(registers)):
            cells = [(base[0], base[1] + int(match[2] or 0) + i * size + k) for k in range(size)]
            if name.startswith("ld"):
                if any(c not in self.memory for c in cells):
                    raise Stuck("reads what nothing wrote")
                self.registers[register] = int.from_bytes(bytes(self.memory[c] for c in cells), "little")
            else:
                value = self.get(register)
                if isinstance(value, tuple):
                    raise Stuck("stores a pointer")
                for cell, byte in zip(cells, (value & (1 << 8 * size) - 1).to_bytes(size, "little")):
                    self.memory[cell] = byte

    def result(self, size):
        if any(("R", i) not in self.memory for i in range(size)):
            raise Stuck("not all of the result is stored")
        return int.from_bytes(bytes(self.memory["R", i] for i in range(size)), "little")


def execute(code, operands, size):
    """Return the result, which has so many bytes, for operands that are numbers."""
    interpreter = Interpreter(code, operands, size)
    interpreter.run()
    return interpreter.result(size)
