# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests what a routine may not do to registers and memory, with small routines that copy two limbs, most of which are
wrong."""
import random

import pytest

from algebra import Reject
from claims.routine import AARCH64, X86_64, Claim, prove
from machines.machine import parse_operands

COPY = Claim("copy", "r = a", 2, "integer", (("A", 2, None),), ((1, "A"),), 2)
APART = COPY.but(may_alias=False)

RIGHT = {
    X86_64: ["mov rax,[rsi]; mov rcx,[rsi+0x8]; mov [rdi],rax; mov [rdi+0x8],rcx",
             "push rbx; mov rbx,[rsi]; mov rcx,[rsi+0x8]; mov [rdi],rbx; mov [rdi+0x8],rcx; pop rbx",
             "sub rsp,0x10; mov rax,[rsi]; mov [rsp+0x8],rax; mov rcx,[rsi+0x8]; mov rax,[rsp+0x8]; mov [rdi],rax; "
             "mov [rdi+0x8],rcx; add rsp,0x10"],
    AARCH64: ["ldp x2, x3, [x1]; stp x2, x3, [x0]",
              "stp x19, x20, [sp, #-16]!; ldp x19, x20, [x1]; stp x19, x20, [x0]; ldp x19, x20, [sp], #16",
              "ldp x2, x3, [x1]; str x2, [x0]; str x3, [x0, #8]"],
}

WRONG = {
    X86_64: {
        "a limb is not stored": "mov rax,[rsi]; mov [rdi],rax",
        "limbs change places": "mov rax,[rsi]; mov rcx,[rsi+0x8]; mov [rdi],rcx; mov [rdi+0x8],rax",
        "stores behind the result": RIGHT[X86_64][0] + "; mov [rdi+0x10],rax",
        "stores before the result": RIGHT[X86_64][0] + "; mov [rdi-0x8],rax",
        "stores in the operand": RIGHT[X86_64][0] + "; mov [rsi],rcx",
        "stores at the return address": RIGHT[X86_64][0] + "; mov [rsp],rax",
        "stores below the stack pointer": RIGHT[X86_64][0] + "; mov [rsp-0x8],rax",
        "reads behind the operand": "mov rax,[rsi]; mov rcx,[rsi+0x10]; mov [rdi],rax; mov [rdi+0x8],rcx",
        "reads between limbs": "mov rax,[rsi]; mov rcx,[rsi+0x4]; mov [rdi],rax; mov [rdi+0x8],rcx",
        "reads the result first": "mov rax,[rdi]; mov rcx,[rsi+0x8]; mov [rdi],rax; mov [rdi+0x8],rcx",
        "reads an undefined register": "mov rcx,[rsi+0x8]; mov [rdi],r10; mov [rdi+0x8],rcx",
        "loses rbx": "mov rbx,[rsi]; mov rcx,[rsi+0x8]; mov [rdi],rbx; mov [rdi+0x8],rcx",
        "swaps saved registers": "push rbx; push rbp; " + RIGHT[X86_64][0] + "; pop rbx; pop rbp",
        "loses the stack pointer": "push rbx; " + RIGHT[X86_64][0],
        "reads what was popped": "push rbx; pop rbx; " + RIGHT[X86_64][0] + "; mov rbx,[rsp-0x8]",
        "stores a pointer": "mov rcx,[rsi+0x8]; mov [rdi],rsi; mov [rdi+0x8],rcx",
        "adds an undefined carry": "mov rax,[rsi]; mov rcx,[rsi+0x8]; adc rax,0x0; mov [rdi],rax; mov [rdi+0x8],rcx",
        "changes a limb": "mov rax,[rsi]; mov rcx,[rsi+0x8]; add rax,0x1; mov [rdi],rax; mov [rdi+0x8],rcx",
        "jumps away": RIGHT[X86_64][0] + "; jmp 1000",
    },
    AARCH64: {
        "a limb is not stored": "ldp x2, x3, [x1]; str x2, [x0]",
        "limbs change places": "ldp x2, x3, [x1]; stp x3, x2, [x0]",
        "stores behind the result": "ldp x2, x3, [x1]; stp x2, x3, [x0]; str x3, [x0, #16]",
        "stores in the operand": "ldp x2, x3, [x1]; stp x2, x3, [x0]; str x3, [x1]",
        "stores below the stack pointer": "ldp x2, x3, [x1]; stp x2, x3, [x0]; str x3, [sp, #-8]",
        "stores above the stack": "ldp x2, x3, [x1]; stp x2, x3, [x0]; str x3, [sp, #8]",
        "reads behind the operand": "ldr x2, [x1]; ldr x3, [x1, #16]; stp x2, x3, [x0]",
        "loses x19": "ldp x19, x2, [x1]; stp x19, x2, [x0]",
        "loses x18": "ldp x18, x2, [x1]; stp x18, x2, [x0]",
        "loses x30": "ldp x30, x2, [x1]; stp x30, x2, [x0]",
        "loses the stack pointer": "sub sp, sp, #16; ldp x2, x3, [x1]; stp x2, x3, [x0]",
        "reads what was popped": "stp x19, x20, [sp, #-16]!; ldp x19, x20, [sp], #16; ldp x2, x3, [x1]; stp x2, x3, [x0]; "
                                 "ldr x19, [sp, #-16]",
        "loads a pair into one register": "ldp x2, x2, [x1]; stp x2, x2, [x0]",
        "adds an undefined carry": "ldp x2, x3, [x1]; adcs x2, x2, xzr; stp x2, x3, [x0]",
    },
}

# These are right unless the result is the operand, moved by a limb.
LATE = {
    X86_64: "mov rax,[rsi]; mov [rdi],rax; mov rcx,[rsi+0x8]; mov [rdi+0x8],rcx",
    AARCH64: "ldr x2, [x1]; str x2, [x0]; ldr x3, [x1, #8]; str x3, [x0, #8]",
}


def prove_text(architecture, claim, text):
    code = []
    for number, line in enumerate([*text.split("; "), "ret"]):
        mnemonic, _, rest = line.partition(" ")
        code.append((number, mnemonic, parse_operands(mnemonic, rest, architecture.module.parse_operand)))
    prove(claim, code, architecture, random.Random(1))


def test_right_routines_are_proved(architecture):
    for text in RIGHT[architecture]:
        prove_text(architecture, COPY, text)


@pytest.mark.parametrize("name", sorted({name for table in WRONG.values() for name in table}))
def test_wrong_routines_are_refused(architecture, name):
    if name not in WRONG[architecture]:
        pytest.skip("nothing like that on this processor")
    for claim in (COPY, APART):
        with pytest.raises(Reject):
            prove_text(architecture, claim, WRONG[architecture][name])


def test_operands_that_the_result_may_alias_are_not_read_late(architecture):
    prove_text(architecture, APART, LATE[architecture])
    with pytest.raises(Reject):
        prove_text(architecture, COPY, LATE[architecture])
