#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs cases: run.py FORKTAX SAMPLES ROOM/test_SUBJECT.py [NAME], where ROOM is a directory beside this one (faults,
hostile). Exit status 77: all were skipped."""
import os
import sys
import unittest

import support


def wanted(suite, name):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from wanted(item, name)
        elif name is None or item.id().endswith(f".test_{name}"):
            yield item


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    support.FORKTAX, support.SAMPLES = map(os.path.abspath, sys.argv[1:3])
    room, module = os.path.split(os.path.abspath(sys.argv[3]))
    name = sys.argv[4] if len(sys.argv) > 4 else None
    found = unittest.defaultTestLoader.discover(room, module)
    tests = unittest.TestSuite(wanted(found, name))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    if not result.testsRun:
        sys.exit("no such test")
    if not result.wasSuccessful():
        sys.exit(1)
    if len(result.skipped) == result.testsRun:
        sys.exit(77)


main()
