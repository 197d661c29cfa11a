#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that manual pages and completions have each command and option that --help lists, with its words, and nothing
else.

The tests call bash's completion as bash does. If groff, mandoc, zsh and fish are installed, the tests use them.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, run  # noqa: E402


def printed(*arguments):
    done = run(*arguments)
    if done.returncode != 0 or done.stderr:
        raise AssertionError((arguments, done.stderr))
    return done.stdout.decode("ascii")


def commands():
    """Return (name, summary) of each command."""
    return re.findall(r"^  (\w+(?: \w+)?) +(.*)", printed("--help"), re.M)


def options(command):
    """Return (option, name of its value or "", help) of each option of a command, as --help lists them."""
    return re.findall(r"^  (--?[a-zA-Z][a-zA-Z0-9-]*) ([A-Z0-9=,.]*) *(.*)", printed(*command.split(), "--help"), re.M)


def keys(command):
    """Return (key, name of its value, help) of each key of --tune."""
    return re.findall(r"^    ([a-z-]+)=([A-Z]+) +(.*)", printed(*command.split(), "--help"), re.M)


def needs(*names):
    for name in names:
        if shutil.which(name) is None:
            raise unittest.SkipTest("%s is not installed" % name)


class Manual(CommandTest):
    def pages(self):
        """Write the manual pages to files: the program's (None), and one for each first word of a command."""
        words = sorted({name.split()[0] for name, _ in commands()})
        for word in [None] + words:
            yield word, self.write("%s.1" % (word or "sumac"), printed("help", "--man", *([word] if word else [])).encode())

    def rendered(self, path):
        """Return the page as a reader sees it, with single spaces. Options and commands must be ASCII there, so that they can be copied."""
        text = subprocess.run(["groff", "-man", "-Tutf8", "-P-cbou", "-rLL=1000n", path], stdout=subprocess.PIPE, check=True).stdout
        return " ".join(text.decode("utf-8").split())

    def test_options(self):
        """Each option is in the section of its command, with the name of its value and its help."""
        plain = lambda text: re.sub(r"\\(\(ga|\(aq|\(ha|\(ti|[-e&])",
                                    lambda m: {"(ga": "`", "(aq": "'", "(ha": "^", "(ti": "~", "e": "\\", "&": ""}.get(m[1], m[1]), text)
        pages = {word: plain(self.read(path).decode()) for word, path in self.pages()}
        for name, summary in commands():
            page = pages[name.split()[0]]
            if " " in name:
                page = re.search(r'^\.SH "%s"\n(.*?)^\.SH' % name, page, re.M | re.S)[1]
            self.assertIn(summary + ".\n", page)
            listed = re.findall(r'^\.TP\n\.BI? (-\S+)(?: " ([A-Z=,.]+)")?\n(.*)', page, re.M)
            self.assertEqual(sorted(listed), sorted(options(name)), name)
            self.assertEqual(re.findall(r'^\.TP\n\.BI ([a-z-]+) "=([A-Z]+)"\n(.*)', page, re.M), keys(name), name)
            for heading in re.findall(r"^([A-Z][a-z]+):$", printed(*name.split(), "--help"), re.M):
                self.assertIn(".SS %s\n" % heading, page)
            self.assertGreater(len(listed), 1)
            self.assertIn(".TP\n.B %s\n%s.\n" % (name, summary), pages[None])

    def test_rendered(self):
        needs("groff")
        for word, path in self.pages():
            text = self.rendered(path)
            for name, summary in commands():
                if word is None:
                    self.assertIn("%s %s." % (name, summary), text)
                elif name.split()[0] == word:
                    for option, value, words in options(name):
                        self.assertIn(" ".join(("%s %s %s" % (option, value, words)).split()), text)
                    for key, value, words in keys(name):
                        self.assertIn("%s=%s %s" % (key, value, words), text)
                    notes, _, example = printed(*name.split(), "--help").split("print this\n")[1].partition("Example:")
                    self.assertIn(" ".join(notes.split()), text)
                    self.assertIn(" ".join(example.split()), text)

    def test_no_warnings(self):
        needs("groff")
        for _, path in self.pages():
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_mandoc(self):
        needs("mandoc")
        for _, path in self.pages():
            warnings = subprocess.run(["mandoc", "-Tlint", "-W", "warning", path], stdout=subprocess.PIPE).stdout.decode()
            # A build from an archive does not have the date of a commit.
            self.assertEqual([line for line in warnings.splitlines() if "missing date" not in line], [])

    def test_refusals(self):
        self.refused(2, "'frobnicate'", "help", "--man", "frobnicate")
        self.refused(2, "'commit'", "help", "--man", "kzg", "commit")
        self.refused(2, "'tcsh'", "help", "--completion", "tcsh")
        self.refused(2, "SHELL", "help", "--completion")


class Candidates(CommandTest):
    """These are the candidates of `sumac __complete`, which all shells call."""

    def offered(self, *words):
        return [tuple(line.split("\t")) for line in self.ok("__complete", *words).decode().splitlines()]

    def test_commands(self):
        first = {name.split()[0] for name, _ in commands()} | {"help"}
        self.assertEqual({row[0] for row in self.offered("")}, first | {"version", "--help", "--version"})
        self.assertEqual({row[0] for row in self.offered("help", "")}, first - {"help"})
        self.assertEqual(self.offered("kzg", ""), [(name.split()[1], text) for name, text in commands() if name.startswith("kzg ")])
        self.assertEqual(self.offered("frobnicate", "-"), [])

    def test_options(self):
        """The offered options are those of --help, with its descriptions without the defaults."""
        for name, _ in commands():
            offered, listed = sorted(self.offered(*name.split(), "-")), sorted(options(name))
            self.assertEqual([row[0] for row in offered], [row[0] for row in listed], name)
            for row, (_, _, words) in zip(offered, listed):
                self.assertTrue(words.startswith(row[1]), (row, words))

    def test_values(self):
        self.assertEqual(self.offered("msm", "--validate", ""), [("default",), ("curve",), ("subgroup",), ("none",)])
        self.assertEqual(self.offered("msm", "--validate", "="), [("default",), ("curve",), ("subgroup",), ("none",)])
        self.assertEqual(self.offered("msm", "--validate=s"), [("--validate=subgroup",)])
        self.assertEqual(self.offered("msm", "--group", ""), [("g1",), ("g2",)])
        self.assertEqual(self.offered("bench", "--group", ""), [("g1",), ("g2",), ("all",)])
        self.assertEqual(self.offered("msm", "--backend", "c"), [("cpu",), ("cuda",)])
        self.assertIn("zcash-compressed", {row[0] for row in self.offered("generate", "--to", "")})
        self.assertEqual(self.offered("msm", "--bases", "x"), [(":files",)])
        self.assertEqual(self.offered("msm", "--threads", ""), [])
        self.assertEqual({row[0] for row in self.offered("msm", "--tune", "c=3,ch")}, {"c=3,chunks="})


class Bash(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("script", printed("help", "--completion", "bash").encode())

    def complete(self, *words):
        """Return the candidates for the last word. bash passes "=" as a separate word, so that callers do, too."""
        line = 'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sumac; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "--norc", "-c", line, "bash", cli_support.PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return sorted(done.stdout.decode().split("\n")[:-1]) if done.stdout != b"\n" else []

    def test_registered(self):
        out = subprocess.run(["bash", "--norc", "-c", "source ./script; complete -p sumac"], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(out, b"complete -F _sumac sumac\n")

    def test_words(self):
        self.assertEqual(self.complete("co"), ["combine", "compare", "convert"])
        self.assertEqual(self.complete("kzg", "com"), ["commit"])
        self.assertEqual(self.complete("msm", "--json", "--trun"), ["--truncate"])
        self.assertEqual(self.complete("msm", "--validate", "=", "s"), ["subgroup"])
        self.assertEqual(self.complete("msm", "--validate", "="), ["curve", "default", "none", "subgroup"])
        self.assertEqual(self.complete("frobnicate", "-"), [])

    def test_files(self):
        self.write("a file", b"")
        self.assertEqual(self.complete("msm", "--bases", ""), ["a file", "script"])
        self.assertEqual(self.complete("msm", "--bases", "="), ["a file", "script"])
        self.assertEqual(self.complete("bench", "--json", "s"), ["script"])
        self.assertEqual(self.complete("msm", "--json", "s"), [])
        self.assertEqual(self.complete("convert", "s"), ["script"])
        self.assertEqual(self.complete("bench", ""), [])


class Zsh(CommandTest):
    # These replace zsh's functions, and print their arguments.
    STUBS = """
        _describe() { print -r -- DESCRIBE; print -rl -- "${(P@)2}" }
        _files() { print -r -- FILES }
    """

    def complete(self, *line):
        needs("zsh")
        self.write("_sumac", printed("help", "--completion", "zsh").encode())
        script = self.STUBS + 'words=("$@"); CURRENT=$#; source ./_sumac'
        done = subprocess.run(["zsh", "-f", "-c", script, "zsh", cli_support.PROGRAM, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().splitlines()

    def test_words(self):
        self.assertEqual(self.complete("kzg", ""), ["DESCRIBE"] + ["%s:%s" % (name.split()[1], text.replace(":", "\\:")) for name, text in commands()
                                                                  if name.startswith("kzg ")])
        self.assertEqual(self.complete("msm", "--validate", "s"), ["DESCRIBE", "subgroup"])
        self.assertEqual(self.complete("msm", "--bases", "s")[0], "FILES")


class Fish(CommandTest):
    def complete(self, line):
        needs("fish")
        self.write("sumac.fish", printed("help", "--completion", "fish").encode())
        os.symlink(cli_support.PROGRAM, "sumac")
        script = "source ./sumac.fish; complete -C '%s'" % line
        done = subprocess.run(["fish", "--no-config", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=dict(os.environ, HOME=os.getcwd(), PATH=os.getcwd() + ":" + os.environ["PATH"]))
        os.remove("sumac")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return [tuple(row.split("\t")) for row in done.stdout.decode().splitlines()]

    def test_words(self):
        self.assertEqual(sorted(self.complete("sumac kzg ")), sorted((name.split()[1], text) for name, text in commands() if name.startswith("kzg ")))
        self.assertEqual({row[0] for row in self.complete("sumac msm --validate ")}, {"none", "curve", "default", "subgroup"})
        self.assertIn(("sumac.fish",), self.complete("sumac combine s"))


if __name__ == "__main__":
    cli_support.main()
