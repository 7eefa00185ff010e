# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that say what differs, all of them, before the test fails."""
import sys

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


class Check:
    def __init__(self):
        self.context = ""
        self.failures = 0
        self.done = 0

    def fail(self, what):
        self.failures += 1
        print(f"FAIL {self.context}: {what}")

    def that(self, condition, what):
        self.done += 1
        if not condition:
            self.fail(what)

    def equal(self, what, got, want):
        self.that(got == want, f"{what}: {got}, not {want}")

    def equal_counts(self, what, got, want, names=("forktax", "expected")):
        """Two Counters, compared key by key."""
        for key in sorted(set(got) | set(want), key=str):
            label = " ".join(key) if isinstance(key, tuple) else str(key)
            self.that(got[key] == want[key],
                      f"{what} {label}: {names[0]} {got[key]}, {names[1]} {want[key]}")

    def finish(self):
        print(f"{self.done} checks, {self.failures} failures")
        sys.exit(1 if self.failures else 0)
