# SPDX-License-Identifier: GPL-2.0-or-later
"""Saved runs that are none, or none any more: report and compare refuse them in one line."""
import json
import os
import random
import shutil

from support import Case

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")
MUTATIONS = 150


class Saved(Case):
    def setUp(self):
        super().setUp()
        self.take("tree")

    def take(self, name):
        shutil.copy(f"{GOLDEN}/{name}.json", "run.json")
        self.run = self.saved()
        with open("run.json", "rb") as file:
            self.text = file.read()

    def refused(self, content, *words):
        with open("bad.json", "wb") as file:
            file.write(content)
        os.chmod("bad.json", 0o644)
        result = self.forktax("report", "bad.json")
        self.assert_fails(result, 125, "bad.json", *words)
        self.assertEqual(result.out, b"")
        with open("bad.json", "rb") as file:
            self.assert_fails(self.forktax("report", "-", stdin=file), 125, "stdin", *words)
        result = self.forktax("compare", "run.json", "bad.json")
        if content.lstrip()[:1] == b"{":
            self.assert_fails(result, 125, "bad.json", *words)
        else:  # taken for a command
            self.assert_fails(result, 127, "bad.json", "no saved run")
        self.assertEqual(result.out, b"")

    def changed(self, change):
        run = json.loads(self.text)
        change(run)
        return json.dumps(run).encode()

    def test_good(self):
        self.assertEqual(self.forktax("report", "run.json").status, 0)
        self.assertEqual(self.forktax("compare", "run.json", "run.json").status, 0)

    def test_changed(self):
        calls = self.run["totals"]["syscalls"]
        for content, *words in ((b"", "empty"),
                                (self.changed(lambda run: run.update(schema="forktax/2")), "another version"),
                                (self.text.replace(b'"arch"', b'"kernel"', 1), "twice"),
                                (self.text.replace(b"x86_64", b"x86\xff64", 1),),
                                (self.changed(lambda run: run["totals"].update(syscalls=calls + 1)),)):
            with self.subTest(content[:40], words=words):
                self.refused(content, *words)

    def test_truncated(self):
        for length in [1, 2, len(self.text) - 3, *range(100, len(self.text) - 3, len(self.text) // 7)]:
            with self.subTest(length):
                self.refused(self.text[:length], "cut off")

    def test_other_json(self):
        for text in (b"{}", b"[]", b"null", b"5", b'"forktax/1"', b'{"a": 1}', b"[1, {}]",
                     b'{"schema": 1}', b'{"schema": null}', b'{"schema": "other/1"}',
                     b'{"schema": "forktax/1"}', b'{"schema": "forktax/"}'):
            with self.subTest(text):
                self.refused(text)

    def test_no_json(self):
        for text in (b"hello\n", b"\x7fELF\0\0", b"\0" * 100, b"{'a': 1}", b"{\"a\": NaN}",
                     b"\xff\xfe{\0}\0", self.text + b"x", self.text + self.text):
            with self.subTest(text[:20]):
                self.refused(text)

    def test_numbers(self):
        for number in (b"-1", b"1e400", b"1.5", b"18446744073709551616", b"9" * 400, b"true", b'"1"',
                       b"null", b"[]"):
            with self.subTest(number[:30]):
                old = b'"processes":%d' % self.run["totals"]["processes"]
                self.assertIn(old, self.text)
                self.refused(self.text.replace(old, b'"processes":' + number, 1))

    def test_indexes_out_of_range(self):
        for index in (10**6, 2**32 - 1, 2**64 - 1, -5):
            with self.subTest(index):
                self.refused(self.changed(lambda run: run["groups"][0].update(parent_exe=index)))

    def test_deeply_nested(self):
        for deep in (b"[" * 100000, b'{"a":' * 100000, b'{"a":[' * 50000 + b"]}" * 50000):
            with self.subTest(deep[:6]):
                self.refused(deep)

    def test_no_file(self):
        self.assert_fails(self.forktax("report", "missing.json"), 125, "missing.json", "No such file")
        self.assert_fails(self.forktax("report", "."), 125, "directory")
        self.assert_fails(self.forktax("report", "run.json", "run.json"), 2)

    def test_mutations(self):
        """Whatever happens to a file: it is read, or refused in one line."""
        seed = int.from_bytes(os.urandom(4), "little")
        chance = random.Random(seed)
        for _ in range(MUTATIONS):
            text = bytearray(self.text)
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(text))
                text[at:at + chance.randint(0, 3)] = chance.choice(
                    [b"", b"0", b"9" * 20, b"-", b"[", b"}", b"null", b'"', bytes([chance.randrange(256)])])
            result = self.forktax("report", "-", data=bytes(text))
            with self.subTest(seed=seed):
                if result.status:
                    self.assert_fails(result, 125)
                else:
                    self.assertEqual(result.err, b"")
