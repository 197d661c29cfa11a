# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file writes assembly: names of registers and operands, and functions with unwind information for their stack."""

CALLEE_SAVED = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
LOW, HIGH = "rax", "rbp"
R, A, B, P, INV = "rdi", "rsi", "rbx", "rcx", "r8"


def reg(name):
    return "%" + name


def half(name):
    """Return the name of a register's low 32 bits. Writing them clears the upper bits."""
    return "%" + (name + "d" if name[1:].isdigit() else "e" + name[1:])


def at(register, limb=0):
    return "%d(%%%s)" % (8 * limb, register) if limb else "(%%%s)" % register


class Routine:
    """A routine collects the instructions of a function, and describes its stack to the unwinder."""

    def __init__(self, name, comment, frame_limbs=0, saved=CALLEE_SAVED):
        self.name = name
        self.comment = comment
        self.frame = 8 * frame_limbs
        self.saved = saved
        self.lines = []
        for register in saved:
            self.op("pushq", reg(register))
            self.lines += ["    .cfi_adjust_cfa_offset 8", "    .cfi_rel_offset %%%s, 0" % register]
        if self.frame:
            self.op("subq", "$%d" % self.frame, "%rsp")
            self.lines.append("    .cfi_adjust_cfa_offset %d" % self.frame)

    def op(self, mnemonic, *operands):
        self.lines.append("    " + mnemonic + (" " + ", ".join(operands) if operands else ""))

    def note(self, text):
        self.lines.append("    /* " + text + " */")

    def local(self, name):
        return ".L" + self.name + "_" + name

    def label(self, name):
        self.lines.append(self.local(name) + ":")

    def leave(self):
        self.lines.append("    .cfi_remember_state")
        if self.frame:
            self.op("addq", "$%d" % self.frame, "%rsp")
            self.lines.append("    .cfi_adjust_cfa_offset -%d" % self.frame)
        for register in reversed(self.saved):
            self.op("popq", reg(register))
            self.lines += ["    .cfi_adjust_cfa_offset -8", "    .cfi_restore %%%s" % register]
        self.op("ret")
        self.lines.append("    .cfi_restore_state")

    def text(self):
        head = [
            "",
            "/* %s */" % self.comment,
            "    .globl %s" % self.name,
            "    .hidden %s" % self.name,
            "    .type %s, @function" % self.name,
            "    .p2align 6",
            "%s:" % self.name,
            "    .cfi_startproc",
        ]
        tail = ["    .cfi_endproc", "    .size %s, . - %s" % (self.name, self.name), ""]
        return "\n".join(head + self.lines + tail)
