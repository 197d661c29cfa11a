# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file compares the machines' meanings of instructions with what the processor does, on random operands. It compares
registers, flags and memory after each form of each instruction in routines that are proved."""
import random

import processor
import toolchain
from algebra import Reject, World
from machines.machine import STACK

CELLS = range(-344, -104, 8)  # cells of memory, by their distance from the stack pointer on entry
MEMORY = processor.BUFFER + 8 * 64  # the address of the first of them
SPECIAL = [0, 0, 1, 2 ** 63, 2 ** 64 - 1, 2 ** 64 - 1]
SAMPLES, TRIALS, LEAST = 2, 30, 5


def forms(architecture, routines):
    """Return up to SAMPLES instructions for each mnemonic and each pattern of operands. A pattern has the operands' kinds, and
    which operands are equal."""
    text, found = processor.TEXTS[architecture.name], {}
    for code in routines.values():
        for _, name, operands in code:
            if name in ("ret", architecture.machine.jump, "adrp"):
                continue
            if name in ("add", "sub") and architecture.name == "aarch64" and operands[1][1] != text.stack_register:
                continue  # The operand is an address of constants, which is not a number for the machine.
            # A constant in memory is read like any other cell, and a register may be used by the program itself.
            if any(o[0] == "known" or o[0] in "rh" and o[1] not in text.registers and o[1] != "xzr" for o in operands):
                continue
            pattern = (name, *(o[0] for o in operands), *(operands.index(o) for o in operands), str(operands[-1][-1])
                       if name.startswith("cs") else "", "xzr" in str(operands))
            same = found.setdefault(pattern, [])
            if len(same) < SAMPLES and (name, operands) not in same:
                same.append((name, operands))
    return [instruction for same in found.values() for instruction in same]


def pointers_of(text, name, operands):
    """Return {register: offset} of the registers that must be pointers."""
    pointers = {o[1]: -256 for o in operands if o[0] == "m"}
    if operands[0][0] == "r" and operands[0][1] == text.stack_register and name in ("add", "sub"):
        pointers[text.stack_register] = -320
    pointers[text.stack_register] = -320
    return pointers


def address(offset):
    return MEMORY + offset - CELLS[0]


def model(architecture, text, name, operands, pointers, registers, flags, memory, known):
    """Return (registers, flags, memory, whether a jump is taken) after the instruction, as the machine defines it. An undefined
    flag is None, and undefined registers are left out. Raise Reject if the machine does not define the instruction. With
    `known` operands are numbers, and otherwise unknowns with these values in the trial."""
    world = World(64)
    word = world.number if known else lambda value: world.unknown("x", value)
    state = architecture.state(world)
    for register, value in registers.items():
        state.registers[register] = (STACK, pointers[register]) if register in pointers else word(value)
    for offset, value in memory.items():
        state.memory[(STACK, offset)] = word(value)
    for flag in state.flag_names:
        state.flags[flag] = world.number(flags[flag])
    machine = architecture.machine([(0, name, operands)])
    condition = machine.condition(state, name, operands)
    assert condition is None or condition.constant() is not None
    taken = None
    if machine.is_conditional_jump(name):
        taken = machine.jumps(state, name)
    else:
        machine.step(state, name, operands)
    value_of = lambda v: address(v[1]) if isinstance(v, tuple) else v.value
    after = {r: value_of(v) for r, v in state.registers.items() if v is not None}
    cells = {offset: value_of(state.memory[(STACK, offset)]) for offset in memory}
    return after, {f: w if w is None else w.value for f, w in state.flags.items()}, cells, taken


def body_of(text, name, operands):
    if text.target(name, operands) is None:
        return [text.instruction(name, operands)]
    # If the jump is not taken, the second instruction is run, and marks this.
    return [text.instruction(name, operands), text.set_register(text.registers[0], 4711)]


def random_word(rng):
    return rng.choice([rng.choice(SPECIAL), rng.randrange(2 ** 64)])


def compare(architecture, routines, folder):
    """Return {instruction: the number of operands on which the two agree}. Fail if they differ on one, or if the machine
    defines too little."""
    text, rng = processor.TEXTS[architecture.name], random.Random(5)
    instructions = forms(architecture, routines)
    bodies = [body_of(text, name, operands) for name, operands in instructions]
    header = 2 + len(text.registers)  # the number (or address) of the instruction, registers, flags
    assert 8 * header <= MEMORY - processor.BUFFER
    length = (MEMORY - processor.BUFFER) // 8 + len(CELLS)
    program = toolchain.link_program(text.name, text.instructions_program(bodies, 8 * length), folder / "instructions",
                                     processor.BUFFER)
    starts = range(len(bodies))
    if architecture.name == "aarch64":
        first = next(int(line.split()[0], 16) for line in toolchain.call(
            toolchain.tool(architecture.name, "objdump"), "-t", program).stdout.splitlines() if line.endswith(" bodies"))
        starts = [first + 64 * i for i in range(len(bodies))]
    records, predictions = [], []
    for start, (name, operands) in zip(starts, instructions):
        pointers = pointers_of(text, name, operands)
        for trial in range(TRIALS):
            registers = {r: address(pointers[r]) if r in pointers else random_word(rng) for r in text.registers}
            memory = {offset: random_word(rng) for offset in CELLS}
            flags = {flag: rng.randrange(2) for flag in text.flags}
            try:
                said = model(architecture, text, name, operands, pointers, registers, flags, memory, trial % 2 == 0)
            except Reject:
                continue
            bits = text.flags_base + sum(text.flags[f] * flags[f] for f in flags)
            record = [start, *registers.values(), bits]
            record += [0] * ((MEMORY - processor.BUFFER) // 8 - len(record)) + list(memory.values())
            records.append(record)
            predictions.append(((name, operands), said))
    results = processor.run_records(text, program, records, folder)
    assert results is not None, "the program of the instructions crashed"
    compared = {}
    for ((name, operands), (registers, flags, cells, taken)), record in zip(predictions, results):
        got = dict(zip(text.registers, record[1:]))
        if taken is not None:
            registers[text.registers[0]] = registers[text.registers[0]] if taken else 4711
        wrong = [r for r, value in registers.items() if got[r] != value]
        wrong += [f for f, value in flags.items() if value is not None and bool(record[header - 1] & text.flags[f]) != value]
        wrong += [o for o, got_cell in zip(cells, record[(MEMORY - processor.BUFFER) // 8:]) if got_cell != cells[o]]
        assert not wrong, (text.instruction(name, operands), wrong)
        key = text.instruction(name, operands)
        compared[key] = compared.get(key, 0) + 1
    few = [text.instruction(n, o) for n, o in instructions if compared.get(text.instruction(n, o), 0) < LEAST]
    assert not few, "hardly compared: %s" % few
    return compared
