# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax help, and the form of what it says."""
import re

from support import Case


# What an option does: its help begins with one of these.
VERBS = set("""accept add call compare continue count disable do drop exit explain export find fork give go keep
    let link list listen make measure open pass predict print put read record repeat replace run save say scan
    show skip sort start stop sum take test time trace use vary wait watch write""".split())

COLUMN = 23  # of the help of an option


class Help(Case):
    def help(self, *words):
        return self.forktax("help", *words)

    def commands(self):
        return [line.split("\t")[0] for line in
                self.forktax("--dump-commands").out.decode().splitlines()]

    def test_is_help_of_options(self):
        for command in self.commands():
            words = command.split()
            self.assertEqual(self.help(*words), self.forktax(*words, "--help"), command)

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
        self.assert_fails(self.forktax("bench", "--rounds=2", "fork"), 2, "options follow the name of a measurement")
        result = self.forktax("ls")
        self.assert_fails(result, 2, 'no command is named "ls" (to trace a program: forktax run ls)')
        # A program is meant, however near to the name of a command.
        self.assert_fails(self.forktax("true"), 2, "(to trace a program: forktax run true)")
