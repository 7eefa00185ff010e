# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax help: pages of the manual, with man and without, installed or just built."""
import os
import re
import shutil

import support
from support import Case, needs


# What an option does: its help begins with one of these.
VERBS = set("""accept add call compare continue count disable do drop exit explain export find fork give go keep
    let link list listen make measure open pass predict print put read record repeat replace run save say scan
    show skip sort start stop sum take test time trace use vary wait watch write""".split())

COLUMN = 23  # of the help of an option


class Help(Case):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "MANPAGER": "cat", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}

    def help(self, *words, **changes):
        return self.forktax("help", *words, env={**self.environment, **changes})

    def commands(self):
        return [line.split("\t")[0] for line in
                self.forktax("--dump-commands").out.decode().splitlines()]

    # ctest: needs:man-db
    @needs("man", "scdoc")
    def test_page_of_each_command(self):
        """As it was built: nobody has installed these pages."""
        tried = 0
        for command in self.commands():
            result = self.help(*command.split())
            title = f"forktax-{command.replace(' ', '-')}(1)"
            self.assertEqual((result.status, result.err), (0, b""), (command, result))
            self.assertTrue(result.out.decode().startswith(title), (command, result.out[:200]))
            tried += 1
        self.assertGreater(tried, 8)

    # ctest: needs:man-db
    @needs("man", "scdoc")
    def test_pages_beside_an_installed_program(self):
        os.makedirs("prefix/bin")
        os.makedirs("prefix/share/man/man1")
        shutil.copy(support.FORKTAX, "prefix/bin/forktax")
        with open("prefix/share/man/man1/forktax-doctor.1", "w", encoding="utf-8") as file:
            file.write('.TH forktax-doctor 1\n.SH NAME\nforktax-doctor \\- of this prefix\n')
        result = self.shell("prefix/bin/forktax help doctor", env=self.environment)
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"of this prefix", result.out)

    def test_without_man(self):
        result = self.help("run", PATH=self.scratch)
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.err, b"forktax help: man is not installed; this is forktax run --help\n")
        self.assertEqual(result.out, self.forktax("run", "--help").out)

    # ctest: needs:man-db
    def test_without_page(self):
        with open("man", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 16\n")
        os.chmod("man", 0o755)
        for words in (["bench"], ["bench", "fork"]):
            result = self.help(*words, PATH=f"{self.scratch}:{os.environ['PATH']}")
            self.assertEqual(result.status, 0, result)
            self.assertIn(b"man does not find forktax-" + "-".join(words).encode(), result.err)
            self.assertEqual(result.out, self.forktax(*words, "--help").out)

    # ctest: needs:man-db
    def test_what_it_asks_man(self):
        """Pages of its own go before those of the system, whatever MANPATH says."""
        with open("man", "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "$*" "$MANPATH"\n')
        os.chmod("man", 0o755)
        path = f"{self.scratch}:{os.environ['PATH']}"
        shown = self.help("run", PATH=path, MANPATH="/mine").out.decode()
        self.assertRegex(shown, r"^forktax-run (/.*/docs/reference/man:)?/mine\n$")

    def test_help_of_options_begins_with_a_verb(self):
        for command in self.commands():
            lines = self.forktax(*command.split(), "--help").out.decode().splitlines()
            for line, below in zip(lines, lines[1:] + [""]):
                if not re.match(r"  (-\w(, --| )|    --)", line):
                    continue
                text = line[COLUMN:] if line[COLUMN - 1:COLUMN] == " " and line[COLUMN:] else below[COLUMN:]
                words = text.split()
                self.assertTrue(words[0] in VERBS or words[:2] == ["same", "as"], (command, line, below))

    def test_alone(self):
        for words in ([], ["--help"], ["-h"]):
            self.assertEqual(self.help(*words), self.forktax("--help"))

    def test_no_such_command(self):
        for words, expected in ((["reprot"], b'did you mean "report"?'),
                                (["run", "true"], b"true: one command at a time"),
                                (["bench", "frok"], b"frok: no such measurement"),
                                (["bench", "fork", "fork"], b"fork: one command at a time")):
            result = self.help(*words)
            self.assert_fails(result, 2)
            self.assertIn(expected, result.err)
        result = self.forktax("ls")
        self.assert_fails(result, 2, 'no command is named "ls" (to trace a program: forktax run ls)')
        # A program is meant, however near to the name of a command.
        self.assert_fails(self.forktax("true"), 2, "(to trace a program: forktax run true)")
