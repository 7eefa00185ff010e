# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls that a filter of another thread denies: where they cannot be told from the end of a call before,
the run says so."""
from support import Case, needs_root

DENIED = 20


@needs_root
class Denied(Case):
    def trace(self, *options, status=0):
        result = self.forktax("run", "-q", "--json", "-o", "run.json", *options, "--",
                              self.sample("seccompsync", "static"), "-s")
        self.assertEqual(result.status, status, result)
        run = self.saved()
        row, = [row for row in run["syscalls"] if row["name"] == "getpgid"]
        return run["integrity"], row

    def test_same_call(self):
        for _ in range(5):
            integrity, row = self.trace()
            self.assertEqual((row["calls"], row["denied"] + integrity["unsure_denials"]), (1, DENIED))
            self.assertEqual(integrity["exact"], not integrity["unsure_denials"])

    def test_strict(self):
        """The thread runs all the time: that it has left its call nobody can have seen."""
        integrity, _ = self.trace("--strict", status=3)
        self.assertEqual(integrity["unsure_denials"], 1)

    def test_told_apart_by_time(self):
        integrity, row = self.trace("--time", "--strict")
        self.assertTrue(integrity["exact"])
        self.assertEqual((row["calls"], row["errors"], row["denied"]), (1, 0, DENIED))

    def test_said_to_people(self):
        result = self.forktax("run", "--", self.sample("seccompsync", "static"), "-s")
        first = result.err.splitlines()[0]
        self.assertRegex(first, rb"^NOT EXACT: up to 1 denied call may be counted as the end of another")
        self.assertIn(b"--time", first)
