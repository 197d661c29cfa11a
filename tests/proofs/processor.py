# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file runs instructions and routines on a processor, or under qemu. The results show whether the engine's rules are
right.

There are two programs. Each reads records from a file, which are as long as the buffer in .bss, works on them and writes them.
Instructions are written back from the result of parsing objdump's text."""
import subprocess

import toolchain

BUFFER = 0x10000000


class X86Text:
    """These are the assembly texts for x86-64."""

    name = "x86_64"
    registers = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"] + ["r%d" % i for i in range(8, 16)]
    stack_register = "rsp"
    flags = {"C": 1 << 0, "Z": 1 << 6, "O": 1 << 11}
    flags_base = 0x202
    needs = ("adx", "bmi1", "bmi2")

    @staticmethod
    def instruction(name, operands, label="9f"):
        halves = {"r" + r: "e" + r for r in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")}
        parts = []
        for o in operands:
            if o[0] == "r":
                parts.append(o[1])
            elif o[0] == "h":
                parts.append(halves.get(o[1], o[1] + "d"))
            elif o[0] == "i":
                parts.append(label if name[0] == "j" else str(o[1]))
            else:
                parts.append("qword ptr [%s%+d]" % (o[1], o[2]))
        return "    %s %s" % (name, ", ".join(parts))

    @staticmethod
    def target(name, operands):
        return operands[0][1] if name[0] == "j" else None

    @staticmethod
    def set_register(register, value):
        return "    movabs %s, %d" % (register, value)

    @classmethod
    def instructions_program(cls, bodies, size):
        """Return a program whose records have the number of the instruction, registers, flags and memory. All registers and
        flags are set before the instruction."""
        regs = cls.registers
        lines = [".intel_syntax noprefix", ".globl _start", "_start:", "again:", *cls.system_call(0, 0, size),
                 "    cmp rax, %d" % size, "    jne stop", "    mov rax, [buffer]",
                 "    mov rax, [table + 8 * rax]", "    mov [target], rax", "    mov [stack], rsp",
                 "    push qword ptr [buffer + %d]" % (8 + 8 * len(regs)), "    popfq"]
        lines += ["    mov %s, [buffer + %d]" % (r, 8 + 8 * i) for i, r in enumerate(regs)]
        lines += ["    jmp qword ptr [target]", "done:"]
        lines += ["    mov [buffer + %d], %s" % (8 + 8 * i, r) for i, r in enumerate(regs)]
        lines += ["    mov rsp, [stack]", "    pushfq", "    pop qword ptr [buffer + %d]" % (8 + 8 * len(regs)),
                  *cls.system_call(1, 1, size), "    jmp again", *cls.stop()]
        for i, body in enumerate(bodies):
            lines += ["body%d:" % i, *body, "9:", "    jmp done"]
        lines += [".data", "table:"] + ["    .quad body%d" % i for i in range(len(bodies))]
        lines += ["target: .quad 0", "stack: .quad 0", ".bss", "buffer: .skip %d" % size]
        return "\n".join(lines) + "\n"

    @staticmethod
    def system_call(number, file, size):
        return ["    mov eax, %d" % number, "    mov edi, %d" % file, "    lea rsi, [buffer]", "    mov edx, %d" % size,
                "    syscall"]

    @staticmethod
    def stop():
        return ["stop:", "    mov eax, 60", "    xor edi, edi", "    syscall"]

    @classmethod
    def routine_program(cls, body, arguments, size, returned, missed):
        """Return a program whose records have what the arguments point to. An argument is ("at", offset) or ("cell",
        offset)."""
        lines = [".intel_syntax noprefix", ".globl _start", "_start:", "again:", *cls.system_call(0, 0, size),
                 "    cmp rax, %d" % size, "    jne stop", "    mov [stack], rsp"]
        names = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
        for kind, offset in reversed(arguments[6:]):
            lines += ["    lea rax, [buffer + %d]" % offset if kind == "at" else "    mov rax, [buffer + %d]" % offset,
                      "    push rax"]
        for (kind, offset), name in zip(arguments, names):
            lines.append(("    lea %s, [buffer + %d]" if kind == "at" else "    mov %s, [buffer + %d]") % (name, offset))
        saved = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
        lines += ["    mov %s, %d" % (r, 0x5151 + i) for i, r in enumerate(saved)]
        lines += ["    call f", "    mov [buffer + %d], rax" % returned, "    xor eax, eax"]
        for i, r in enumerate(saved):
            lines += ["    cmp %s, %d" % (r, 0x5151 + i), "    setne cl", "    or al, cl"]
        lines += ["    lea rdx, [rsp + %d]" % (8 * len(arguments[6:])), "    cmp rdx, [stack]", "    setne cl", "    or al, cl",
                  "    mov [buffer + %d], rax" % missed, "    mov rsp, [stack]", *cls.system_call(1, 1, size), "    jmp again",
                  *cls.stop(), "f:", *body, ".data", "stack: .quad 0", ".bss", "buffer: .skip %d" % size]
        return "\n".join(lines) + "\n"


class Aarch64Text:
    """These are the assembly texts for aarch64. x30 holds addresses between instructions, and no tested instruction uses it."""

    name = "aarch64"
    registers = ["x%d" % i for i in range(30)] + ["sp"]
    stack_register = "sp"
    flags = {"C": 1 << 29}
    flags_base = 0
    needs = ()

    @staticmethod
    def instruction(name, operands, label="9f"):
        parts = []
        for i, o in enumerate(operands):
            if o[0] == "i":
                parts.append(label if name[0] == "b" else "#%d" % o[1])
            elif o[0] == "m":
                last = i + 1 == len(operands)
                parts.append("[%s]" % o[1] if not last else "[%s, #%d]%s" % (o[1], o[2], "!" if o[3] else ""))
            else:
                parts.append(o[1])
        return "    %s %s" % (name, ", ".join(parts))

    @staticmethod
    def target(name, operands):
        return operands[0][1] if name == "b" or name.startswith("b.") else None

    @staticmethod
    def set_register(register, value):
        return "    ldr %s, =%d" % (register, value)

    @staticmethod
    def system_call(number, file, size):
        return ["    mov x8, #%d" % number, "    mov x0, #%d" % file, "    ldr x1, =buffer", "    mov x2, #%d" % size, "    svc #0"]

    @staticmethod
    def stop():
        return ["stop:", "    mov x8, #93", "    mov x0, #0", "    svc #0"]

    @classmethod
    def instructions_program(cls, bodies, size):
        plain = cls.registers[:-1]
        flags, sp = 8 + 8 * len(cls.registers), 8 * len(cls.registers)
        lines = [".globl _start", "_start:", "again:", *cls.system_call(63, 0, size), "    cmp x0, #%d" % size, "    b.ne stop",
                 "    ldr x30, =buffer", "    ldr x0, [x30, #%d]" % flags, "    msr nzcv, x0",
                 "    mov x0, sp", "    ldr x1, =stack", "    str x0, [x1]", "    ldr x0, [x30, #%d]" % sp, "    mov sp, x0"]
        lines += ["    ldr %s, [x30, #%d]" % (r, 8 + 8 * i) for i, r in enumerate(plain)]
        lines += ["    ldr x30, [x30]", "    br x30", "done:", "    ldr x30, =buffer"]
        lines += ["    str %s, [x30, #%d]" % (r, 8 + 8 * i) for i, r in enumerate(plain)]
        lines += ["    mov x0, sp", "    str x0, [x30, #%d]" % sp, "    mrs x0, nzcv", "    str x0, [x30, #%d]" % flags,
                  "    ldr x1, =stack", "    ldr x0, [x1]", "    mov sp, x0",
                  *cls.system_call(64, 1, size), "    b again", *cls.stop(), "    .ltorg", "    .balign 64", "bodies:"]
        for body in bodies:
            lines += [*body, "9:", "    b done", "    .ltorg", "    .balign 64"]
        lines += [".data", "stack: .quad 0", ".bss", "buffer: .skip %d" % size]
        return "\n".join(lines) + "\n"

    @classmethod
    def routine_program(cls, body, arguments, size, returned, missed):
        lines = [".globl _start", "_start:", "again:", *cls.system_call(63, 0, size), "    cmp x0, #%d" % size, "    b.ne stop"]
        lines += ["    ldr x30, =buffer + %d" % offset + ("" if kind == "at" else "\n    ldr x30, [x30]") + "\n    mov x%d, x30" % i
                  for i, (kind, offset) in enumerate(arguments)]
        saved = ["x%d" % i for i in range(18, 30)]
        lines += ["    mov %s, #%d" % (r, 0x51 + i) for i, r in enumerate(saved)]
        lines += ["    mov x17, sp", "    ldr x16, =stack", "    str x17, [x16]", "    bl f", "    ldr x17, =buffer + %d" % returned,
                  "    str x0, [x17]", "    mov x0, #0"]
        for i, r in enumerate(saved):
            lines += ["    cmp %s, #%d" % (r, 0x51 + i), "    csinc x0, x0, xzr, eq"]
        lines += ["    ldr x16, =stack", "    ldr x16, [x16]", "    mov x17, sp", "    cmp x16, x17", "    csinc x0, x0, xzr, eq",
                  "    mov sp, x16", "    ldr x17, =buffer + %d" % missed, "    str x0, [x17]", *cls.system_call(64, 1, size),
                  "    b again", *cls.stop(), "    .ltorg", "f:", *body, ".data", "stack: .quad 0", ".bss", "buffer: .skip %d" % size]
        return "\n".join(lines) + "\n"


TEXTS = {"x86_64": X86Text, "aarch64": Aarch64Text}


def run_records(text, program, records, folder):
    """Return the program's output for records, which are lists of 64-bit words of one length. Return None if it crashes or does
    not end."""
    length = len(records[0])
    packed = b"".join(word.to_bytes(8, "little") for record in records for word in record)
    (folder / "in").write_bytes(packed)
    with open(folder / "in", "rb") as source:
        try:
            done = subprocess.run([*toolchain.runner(text.name, *text.needs), str(program)], stdin=source, capture_output=True,
                                  timeout=60)
        except subprocess.TimeoutExpired:
            return None
    if done.returncode or len(done.stdout) != len(packed):
        return None
    words = [int.from_bytes(done.stdout[i : i + 8], "little") for i in range(0, len(done.stdout), 8)]
    return [words[i : i + length] for i in range(0, len(words), length)]


def run_routine(architecture, claim, code, trials, folder):
    """Return [(numbers, result, returned, missed)] of the code on trials of the claim, or None if it crashes or cannot be
    assembled."""
    text = TEXTS[architecture.name]
    targets = {text.target(name, operands) for _, name, operands in code}
    body = []
    for address, name, operands in code:
        if address in targets:
            body.append("L%d:" % address)
        body.append(text.instruction(name, operands, "L%s" % text.target(name, operands)))
    cells, arguments = {}, []
    used = 0
    for name, limbs in [("result", claim.result_limbs), *((n, k) for n, k, _ in claim.operands), ("P", claim.limbs + 1)]:
        cells[name] = used
        used += 8 * limbs
    arguments = [("at", cells[name]) for name in ["result", *(n for n, _, _ in claim.operands)]]
    if claim.share:
        arguments.append(("at", cells["P"]))
        if claim.kind == "montgomery" and not architecture.inverse_behind_p:
            arguments.append(("cell", cells["P"] + 8 * claim.limbs))
    returned, missed = used, used + 8
    program = folder / "routine"
    try:
        toolchain.link_program(text.name, text.routine_program(body, arguments, used + 16, returned, missed), program, BUFFER)
    except subprocess.CalledProcessError:
        return None
    records = []
    for numbers in trials:
        record = [0] * (used // 8 + 2)
        for name, start in cells.items():
            number = numbers.get(name, 0)
            if name == "P" and number:
                number += (-pow(number, -1, 1 << 64) % (1 << 64)) << (64 * claim.limbs)
            for i in range((number.bit_length() + 63) // 64):
                record[start // 8 + i] = number >> (64 * i) & (2 ** 64 - 1)
        records.append(record)
    results = run_records(text, program, records, folder)
    if results is None:
        return None
    joined = lambda record: sum(word << (64 * i) for i, word in enumerate(record[: claim.result_limbs]))
    return [(numbers, joined(record), record[returned // 8], record[missed // 8]) for numbers, record in zip(trials, results)]
