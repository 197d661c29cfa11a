# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file writes assembly for aarch64: names of registers, and functions with unwind information for their stack."""

SCRATCH = ["x%d" % j for j in range(18)]  # x18 belongs to the system, so it is missing
SAVED = ["x%d" % j for j in range(19, 29)]


class Routine:
    """A routine collects the instructions of one function. Registers are taken and given back by name. If a used register must
    be preserved, the function saves it."""

    def __init__(self, name, comment, arguments, frame_limbs=0):
        self.name = name
        self.comment = comment
        self.frame = (8 * frame_limbs + 15) // 16 * 16
        self.lines = []
        self.used = set()
        self.free = [register for register in SCRATCH + SAVED if register not in SCRATCH[:arguments]]

    def take(self, count):
        taken, self.free = self.free[:count], self.free[count:]
        if len(taken) < count:
            raise RuntimeError(self.name + " needs more registers")
        self.used.update(taken)
        return taken

    def give(self, registers):
        self.free = sorted(set(self.free) | set(registers), key=lambda register: int(register[1:]))

    def op(self, mnemonic, *operands):
        self.lines.append("    " + mnemonic + (" " + ", ".join(operands) if operands else ""))

    def note(self, text):
        self.lines.append("    /* " + text + " */")

    def label(self, name):
        self.lines.append(name + ":")

    def leave(self):
        self.lines.append(None)  # this is replaced by the frame's instructions at the end

    def load(self, registers, pointer, first=0):
        """Load the limbs at pointer[first..] into registers. The last register may be the pointer itself."""
        self.memory("ld", registers, pointer, first)

    def store(self, registers, pointer, first=0):
        self.memory("st", registers, pointer, first)

    def memory(self, verb, registers, pointer, first):
        for j in range(0, len(registers) - 1, 2):
            self.op(verb + "p", registers[j], registers[j + 1], at(pointer, first + j))
        if len(registers) % 2:
            self.op(verb + "r", registers[-1], at(pointer, first + len(registers) - 1))

    def saved_pairs(self):
        count = max([SAVED.index(register) + 1 for register in self.used if register in SAVED], default=0)
        return [SAVED[j : j + 2] for j in range(0, count, 2)]

    def enter_lines(self):
        pairs = self.saved_pairs()
        size = 16 * len(pairs) + self.frame
        if not size:
            return []
        if self.frame:
            lines = ["    sub sp, sp, #%d" % size]
        else:
            lines = ["    stp %s, %s, [sp, #-%d]!" % (*pairs[0], size)]
        lines += ["    .cfi_def_cfa_offset %d" % size]
        for k, pair in enumerate(pairs):
            if k or self.frame:
                lines += ["    stp %s, %s, [sp, #%d]" % (*pair, self.frame + 16 * k)]
            lines += ["    .cfi_offset %s, %d" % (pair[j], self.frame + 16 * k + 8 * j - size) for j in (0, 1)]
        return lines

    def leave_lines(self):
        pairs = self.saved_pairs()
        size = 16 * len(pairs) + self.frame
        lines = ["    .cfi_remember_state"]
        for k, pair in reversed(list(enumerate(pairs))):
            if k or self.frame:
                lines += ["    ldp %s, %s, [sp, #%d]" % (*pair, self.frame + 16 * k)]
        if self.frame:
            lines += ["    add sp, sp, #%d" % size]
        elif pairs:
            lines += ["    ldp %s, %s, [sp], #%d" % (*pairs[0], size)]
        for pair in pairs:
            lines += ["    .cfi_restore %s" % register for register in pair]
        if size:
            lines += ["    .cfi_def_cfa_offset 0"]
        return lines + ["    ret", "    .cfi_restore_state"]

    def text(self):
        head = [
            "",
            "/* %s */" % self.comment,
            "    .globl SYMBOL(%s)" % self.name,
            "    HIDDEN(%s)" % self.name,
            "    TYPE(%s)" % self.name,
            "    .p2align 5",
            "SYMBOL(%s):" % self.name,
            "    .cfi_startproc",
        ]
        body = []
        for line in self.lines:
            body += self.leave_lines() if line is None else [line]
        tail = ["    .cfi_endproc", "    SIZE(%s)" % self.name, ""]
        return "\n".join(head + self.enter_lines() + body + tail)


def at(pointer, limb=0):
    return "[%s, #%d]" % (pointer, 8 * limb) if limb else "[%s]" % pointer
