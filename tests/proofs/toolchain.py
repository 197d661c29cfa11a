# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file assembles, compiles, links and runs code for a processor. If the machine has that processor, its own tools are
used, and otherwise Debian's cross tools and qemu. If a tool is missing, the test is skipped and names the tool's package."""
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"as": "binutils-{dash}-linux-gnu", "ld": "binutils-{dash}-linux-gnu", "objdump": "binutils-{dash}-linux-gnu",
            "gcc": "gcc-{dash}-linux-gnu"}


def tool(architecture, name):
    """Return the path of as, ld, objdump or gcc for the architecture."""
    native = platform.machine() == architecture
    names = [name] if native else ["%s-linux-gnu-%s" % (architecture, name)]
    if native and name == "gcc":
        names.append("cc")
    found = next(filter(None, map(shutil.which, names)), None)
    if not found:
        package = PACKAGES[name].format(dash=architecture.replace("_", "-"))
        pytest.skip("%s is missing (Debian: %s; tools/install-deps.sh test)" % (names[0], package))
    return found


def runner(architecture, *needs):
    """Return the words that run a program of the architecture if its path follows. If none are needed because the machine has
    that processor, /proc/cpuinfo must name all of `needs`, or the test is skipped."""
    if platform.machine() == architecture:
        flags = set(Path("/proc/cpuinfo").read_text().split())
        if not set(needs) <= flags:
            pytest.skip("this processor lacks one of %s" % ", ".join(needs))
        return []
    emulator = shutil.which("qemu-%s-static" % architecture) or shutil.which("qemu-%s" % architecture)
    if not emulator:
        pytest.skip("qemu-%s-static is missing (Debian: qemu-user-static)" % architecture)
    return [emulator] if not needs else [emulator, "-cpu", "max"]


def call(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True, **options)


def objdump(architecture):
    return [tool(architecture, "objdump")] + (["-M", "intel"] if architecture == "x86_64" else [])


def assemble(architecture, source, target):
    """Assemble a file, after the C preprocessor."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("cc is missing (Debian: gcc)")
    text = call(compiler, "-E", "-P", "-U__APPLE__", "-x", "assembler-with-cpp", source).stdout
    call(tool(architecture, "as"), "-o", target, "-", input=text)
    return target


def compile_library(architecture, text, target):
    """Compile C with the library's options to a linked file, so that read-only data have known addresses."""
    source = Path(str(target) + ".c")
    source.write_text(text)
    flags = ["-fcf-protection=none"] if architecture == "x86_64" else ["-mbranch-protection=none", "-ffixed-x18"]
    call(tool(architecture, "gcc"), "-std=c11", "-O3", "-fPIC", "-ffreestanding", "-fno-stack-protector", *flags, "-shared",
         "-nostdlib", "-I", ROOT / "src", "-o", target, source)
    return target


def link_program(architecture, text, target, bss):
    """Make of assembly with _start a static program whose .bss lies at a known address."""
    call(tool(architecture, "as"), "-o", str(target) + ".o", "-", input=text)
    call(tool(architecture, "ld"), "-static", "--section-start=.bss=%#x" % bss, "-o", target, str(target) + ".o")
    return target
