# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs of starts: the same program without and with the remedy that a rule for starts names. They are
made by docs/use/case-studies/linked-programs, and from starts.c."""
import collections
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LINK = os.path.join(HERE, "../../docs/use/case-studies/linked-programs")

# As pairs.Pair: `without` and `with_` are a program and its arguments; nothing is born.
Start = collections.namedtuple("Start", "name rule without with_ births environment", defaults=(1, {}))

STARTS = [
    Start("20 directories of RUNPATH", "S1", "far", "near"),
    Start("200 files that are not there", "S6", "starts misses 200", "starts misses 000"),
    Start("200 times the same question", "S7", "starts repeats 200", "starts repeats 001"),
    Start("1,000 bytes read one by one", "S8", "starts bytes 1000", "starts bytes 0001"),
    Start("20 libraries that nobody calls", "S9", "loose", "strict"),
    Start("libcurl and what it brings, not called", "S9", "loose-curl", "strict"),
    Start("libcurl and what it brings, called by few", "S10", "calls-curl", "strict"),
    Start("100,000 pointers, RELR", "S11", "rela", "relr"),
    Start("100,000 pointers, RELR, mold", "S11", "rela-mold", "relr"),
    Start("100,000 pointers, -no-pie", "S12", "rela", "fixed"),
    Start("100,000 pointers, -no-pie, mold", "S12", "rela-mold", "fixed-mold"),
    Start("100,000 pointers, -no-pie, lld", "S12", "rela-lld", "fixed-lld"),
    Start("100,000 packed pointers, -no-pie", "S12", "relr", "fixed"),
    Start("100,000 pointers read, -no-pie", "S12", "rela-read", "fixed-read"),
    Start("static, -no-pie", "S12", "static-pie", "static"),
    Start("2,000 functions, lazily", "S13", "now", "lazy"),
]
# Faults of these are held against the prediction in the default tests.
SHORT = ("20 libraries that nobody calls", "100,000 pointers, -no-pie")


class Programs:
    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="forktax-starts-")
        directory = self.scratch.name
        subprocess.run(["sh", LINK, directory], check=True, capture_output=True)
        subprocess.run(["cc", "-O1", "-o", os.path.join(directory, "starts"), os.path.join(HERE, "starts.c")],
                       check=True)

    def argv(self, text):
        words = text.split()
        return [os.path.join(self.scratch.name, words[0]), *words[1:]]

    def reason_against(self, pair):
        for text in (pair.without, pair.with_):
            if not os.path.exists(self.argv(text)[0]):
                return f"{text.split()[0]} could not be linked here"
        return None
