# SPDX-License-Identifier: GPL-2.0-or-later
"""What a traced program is called, and what its script says: in no format does it control how it is shown, hide, become
a formula of a spreadsheet, or break the format. Judged by Python's own tables of Unicode and its own parsers."""
import csv
import io
import json
import os
import re
import shutil
import unicodedata
import xml.etree.ElementTree

from limits import HostileCase
from support import needs_root

# Unicode's Default_Ignorable_Code_Point that is neither a control nor a format character (Cc, Cf).
FILLERS = {0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180f, 0x3164, 0xffa0,
           *range(0xfe00, 0xfe10), *range(0xe0100, 0xe01f0)}
# Format characters that are seen: they begin a number, or name a place for signs.
SEEN = {*range(0x600, 0x606), 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd, *range(0x13430, 0x13440)}
FORMULAS = ("=1+1", "+cmd", "-cmd", "@cmd", "\uff1dx", "'=x")


def is_hidden(code):
    category = unicodedata.category(chr(code))
    return category in ("Cc", "Zl", "Zp") or category == "Cf" and code not in SEEN or code in FILLERS \
        or code & 0xfffe == 0xfffe or 0xfdd0 <= code <= 0xfdef


HIDDEN = [code for code in range(1, 0x110000) if is_hidden(code) and code != ord("\n")]
NAMES = ["".join(map(chr, HIDDEN[at:at + 40])).replace("/", "") for at in range(0, len(HIDDEN), 40)]
FORMS = {
    "text": [], "csv": ["--csv"], "json": ["--json"], "html": ["--html"],
    "verbose": ["-v"],
}


@needs_root
class Text(HostileCase):
    def assert_seen(self, text, lines="\n"):
        shown = text.decode("utf-8")
        found = {hex(ord(letter)) for letter in shown if letter not in lines and is_hidden(ord(letter))}
        self.assertEqual(found, set())
        return shown

    def test_every_report(self):
        """As arguments, as the name of a program, and as the text of a script."""
        program = NAMES[0][:60]
        shutil.copy("/bin/true", program)
        with open("script.sh", "w", encoding="utf-8") as file:
            file.write("".join(f"/bin/true {name!r}{name[40:80]}\n" for name in NAMES[1:9]))
        self.trace(f"./{program}", *NAMES, *FORMULAS)
        self.limited("explain", "--json", "-o", "explain.json", "-n1", "--traced-runs=1", "--", "bash", "-c",
                     f"(:) ; ./'{program}' {' '.join(map(repr, FORMULAS))}")
        for name in ("run.json", "explain.json"):
            for form, options in FORMS.items():
                with self.call(f"{name}, {form}"):
                    result = self.limited("report", *options, name, env={**os.environ, "LC_ALL": "C.UTF-8"})
                    self.assertEqual(result.err, b"")
                    out = re.sub(rb"<(style|script)>.*?</\1>", b"", result.out, flags=re.S)  # of the page itself
                    self.assert_seen(out, "\r\n" if form.startswith("csv") else "\n")
        for form in ("--pprof", "--collapsed"):
            with self.call(form):
                self.limited("report", form, "-o", "export", "explain.json")

    def test_json_keeps_names(self):
        """What is escaped is read as it was, and saved again as the same bytes."""
        run = self.trace("true", *NAMES, *FORMULAS)
        self.assertEqual(run["command"], ["true", *NAMES, *FORMULAS])
        again = self.limited("report", "--json", "run.json").out
        with open("run.json", "rb") as file:
            self.assertEqual(file.read(), again)

    def test_csv(self):
        """A command whose name spreadsheets would run."""
        shutil.copy("/bin/true", "=1+1")
        result = self.limited("compare", "-q", "-n1", "--traced-runs=1", "--csv", "=1+1", "true", statuses=[0],
                              env={**os.environ, "PATH": f"{self.scratch}:{os.environ['PATH']}"})
        cells = [cell for row in csv.reader(io.StringIO(result.out.decode())) for cell in row]
        self.assertIn("'=1+1", cells)
        for cell in cells:
            if cell[:1] and cell[0] in "=+-@\uff1d\uff0b\uff0d\uff20":
                self.assertRegex(cell, r"^([-+]?[0-9.]+(e[-+]?[0-9]+)?|-)$")

    def test_check(self):
        """JUnit is well-formed, whatever a command is called, and shows all; so do the annotations for GitHub."""
        names = ["\ufffe\uffff\u202e", "\x85\x7f\u200b", "]]>&<\"'"]
        for name in names:
            self.limited("check", "-q", "--init", "-n1", "-f", "check.json", f"--name={name}", "true", statuses=[0])
        for name in names:
            with self.call(repr(name)):
                result = self.limited("check", "-q", "-n1", "-f", "check.json", "--junit=junit.xml", "--github=always",
                                      name, statuses=(0, 1), env={**os.environ, "LD_PRELOAD": "libm.so.6",
                                                                  "GITHUB_STEP_SUMMARY": ""})
                self.assert_seen(result.out)
                with open("junit.xml", "rb") as file:
                    text = file.read()
                self.assert_seen(text)
                self.assertEqual(len(xml.etree.ElementTree.fromstring(text)), 1)
        with open("check.json", "rb") as file:
            saved = self.assert_seen(file.read())
        for name in names:
            self.assertIn(json.dumps(name), json.dumps(json.loads(saved)))
