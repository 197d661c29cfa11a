#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program damages one instruction at a time, because a claim must not be proved for code that computes something else.

  mutants.py ARCHITECTURE COUNT [SEED]     test COUNT mutants, spread over all routines of field.S; print those that survive

A mutant is killed if its claim is not proved. A mutant that survives must be as good as the original, so that it is assembled
and run on the processor, and must meet the claim on 10,000 operands."""
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from algebra import Reject
from claims import field_assembly
from claims.routine import AARCH64, X86_64, prove
from machines.machine import disassemble
import processor
import toolchain

OTHER = {
    "adcx": ["adox", "add"], "adox": ["adcx", "add"], "adc": ["add", "sbb"], "add": ["adc", "sub"], "sbb": ["sub", "adc"],
    "sub": ["sbb", "add"], "cmovb": ["cmovae"], "cmove": ["cmovne"], "jae": ["jb"], "cmp": ["sub"], "xor": ["mov"],
    "adds": ["adcs", "subs"], "adcs": ["adds", "adc", "sbcs"], "subs": ["sbcs", "adds"], "sbcs": ["subs", "adcs"],
    "mul": ["umulh"], "umulh": ["mul"], "b.cs": ["b.cc"], "ldr": ["str"], "ldp": ["stp"],
}
KINDS = ("opcode", "register", "offset", "deletion")
TRIALS = 10000
PATIENCE = 6  # seconds after which a mutant counts as not proved


def changed(operands, place, operand):
    return [*operands[:place], operand, *operands[place + 1:]]


def damage(code, rng):
    """Return (what was done, the mutant). If the chosen instruction cannot be damaged in the chosen way, choose again."""
    registers = sorted({o[1] for _, _, operands in code for o in operands if o[0] == "r"} - {"rsp", "sp", "xzr"})
    while True:
        number, kind = rng.randrange(len(code)), rng.choice(KINDS)
        address, name, operands = code[number]
        mutant = list(code)
        if name == "ret":
            continue
        if kind == "opcode" and name in OTHER:
            if name == "mul" and len(operands) == 1 or name in ("cmp", "xor") and operands[0][0] != "r":
                continue
            mutant[number] = (address, rng.choice(OTHER[name]), operands)
        elif kind == "register" and any(o[0] in "rh" for o in operands):
            place = rng.choice([i for i, o in enumerate(operands) if o[0] in "rh"])
            register = rng.choice([r for r in registers if r != operands[place][1]])
            mutant[number] = (address, name, changed(operands, place, (operands[place][0], register)))
        elif kind == "offset" and any(o[0] in "mi" for o in operands) and name[0] not in "jb":
            place = rng.choice([i for i, o in enumerate(operands) if o[0] in "mi"])
            operand, step = operands[place], rng.choice([8, -8])
            if operand[0] == "i":
                moved = ("i", operand[1] + (step if abs(operand[1]) >= 8 else 1))
            else:
                moved = (*operand[:2], operand[2] + step, *operand[3:])
            mutant[number] = (address, name, changed(operands, place, moved))
        elif kind == "deletion":
            del mutant[number]
            if any(o == ("i", address) for _, other, ops in code if other[0] in "jb" for o in ops):
                mutant[number] = (address, *mutant[number][1:])  # A jump to it now goes to the next instruction.
        else:
            continue
        return "%s of %s %s at %d" % (kind, name, operands, number), mutant


def in_time(seconds, function, *arguments):
    """Return the function's result, or None if it raises Reject or takes longer than the given time."""
    def late(*_):
        raise Reject("no proof in time")

    before = signal.signal(signal.SIGVTALRM, late)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        result = function(*arguments)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return result
    except Reject:
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def is_as_good(claim, mutant, architecture, folder, rng):
    """Return whether the mutant meets the claim on the processor."""
    results = processor.run_routine(architecture, claim, mutant, [claim.trial(rng) for _ in range(TRIALS)], folder)
    return results is not None and all(claim.is_met(n, r, returned) and not missed for n, r, returned, missed in results)


def survivors(architecture, routines, claims, count, seed, folder):
    """Return [(claim, what was done, whether the mutant is as good)] for the mutants of which a claim was proved."""
    rng, found = random.Random(seed), []
    for i in range(count):
        claim = claims[i % len(claims)]
        what, mutant = damage(routines[architecture.prefix + claim.routine], rng)
        if in_time(PATIENCE, prove, claim, mutant, architecture, random.Random(1)):
            found.append((claim, what, is_as_good(claim, mutant, architecture, folder, rng)))
    return found


def main():
    architecture = {"x86_64": X86_64, "aarch64": AARCH64}[sys.argv[1]]
    count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = toolchain.ROOT / "src" / "math" / architecture.name / "field.S"
        built = toolchain.assemble(architecture.name, source, folder / "field.o")
        routines = disassemble(built, toolchain.objdump(architecture.name), architecture.module.parse_operand)
        start = time.process_time()
        found = survivors(architecture, routines, field_assembly.CLAIMS, count, seed, folder)
    for claim, what, good in found:
        print("%s %s: %s" % (claim.routine, "as good" if good else "WRONG", what))
    print("%s: %d mutants, %d killed, %d as good as the original, %d wrong, %.0f s" % (
        architecture.name, count, count - len(found), sum(g for _, _, g in found), sum(not g for _, _, g in found),
        time.process_time() - start))
    sys.exit(any(not good for _, _, good in found))


if __name__ == "__main__":
    main()
