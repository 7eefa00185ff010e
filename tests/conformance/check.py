# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that say what differs, all of them, before the test fails.

tests/run tries a test that fails once more. Not so if it was a run that calls itself exact that failed:
such a difference is the worst that forktax can do, and that it does not come back proves nothing. tests/run
names a directory for these (FORKTAX_DIFFERENCES); a test that finds its mark there fails at once.
"""
import hashlib
import os
import sys

SKIPPED = 77

# How long anything may take that is certain to happen: machines are busy, guests are slow, and only failures wait.
PATIENCE_S = 600

# What a guest prints, where there is no such directory: tests/vm/run-checks looks for it.
DIFFERS = "a run that calls itself exact differs"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def place_of_difference():
    """A file for this test and these arguments; None: tests/run does not ask for it."""
    directory = os.environ.get("FORKTAX_DIFFERENCES")
    if not directory:
        return None
    return os.path.join(directory, hashlib.sha256("\0".join(sys.argv).encode()).hexdigest())


def is_near(got, want, share, ns):
    return abs(got - want) <= share * want + ns


class Check:
    last_run_is_exact = False # as it says of itself (runs.Run)

    def __init__(self):
        self.place = place_of_difference()
        if self.place and os.path.exists(self.place):
            print(f"no second try: {DIFFERS} (see the first)")
            sys.exit(1)
        self.context = ""
        self.failures = 0
        self.differences = 0 # failures of runs that call themselves exact
        self.done = 0

    def fail(self, what):
        self.failures += 1
        self.differences += Check.last_run_is_exact
        print(f"FAIL {self.context}: {what}")

    def that(self, condition, what):
        self.done += 1
        if not condition:
            self.fail(what)

    def equal(self, what, got, want):
        self.that(got == want, f"{what}: {got}, not {want}")

    def near(self, what, got, want, share, ns):
        """Times. A run that calls itself exact says that of its counts alone."""
        is_exact, Check.last_run_is_exact = Check.last_run_is_exact, False
        self.that(is_near(got, want, share, ns), f"{what}: {got / 1e6:.3f} ms, not {want / 1e6:.3f} ms")
        Check.last_run_is_exact = is_exact

    def equal_counts(self, what, got, want, names=("forktax", "expected")):
        """Two Counters, compared key by key."""
        for key in sorted(set(got) | set(want), key=str):
            label = " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
            self.that(got[key] == want[key],
                      f"{what} {label}: {names[0]} {got[key]}, {names[1]} {want[key]}")

    def finish(self):
        print(f"{self.done} checks, {self.failures} failures")
        if self.differences:
            print(DIFFERS)
            if self.place:
                open(self.place, "w", encoding="ascii").close()
        sys.exit(1 if self.failures else 0)
