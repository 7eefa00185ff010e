# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the files of docs/use/fleet and the programs of others are, and how a script of tests here runs."""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FLEET = f"{ROOT}/docs/use/fleet"
ENGINES = f"{ROOT}/build/viewers"
SKIPPED = 77
# How long anything may take that is certain to happen; only failures wait.
PATIENCE_S = 200

forktax = None  # pylint: disable=invalid-name


def build():
    """The build directory of the forktax that is tested."""
    return os.path.dirname(os.path.dirname(forktax))


def program(name):
    """Its path; the test is skipped if it is not there."""
    path = shutil.which(name, path=f"{ENGINES}:{os.environ['PATH']}:/usr/sbin:/sbin")
    if not path:
        raise unittest.SkipTest(f"no {name}: tests/run --all fetches it")
    return path


def run(*words, **options):
    return subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=PATIENCE_S, **options)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def queries_of_dashboard():
    """(title of the panel, query) for all hosts and units and the last minute."""
    for panel in json.loads(read(f"{FLEET}/forktax-dashboard.json"))["panels"]:
        for target in panel.get("targets", ()):
            query = target["expr"].replace("$__rate_interval", "20s").replace("$__range", "1m")
            yield panel["title"], re.sub(r"\$(host|unit)\b", ".*", query)


def queries_of_document():
    """(the last heading or question before it, query)"""
    text = read(f"{ROOT}/docs/use/fleet.md")
    for found in re.finditer(r"^```promql\n(.*?)^```", text, re.M | re.S):
        yield text[:found.start()].rpartition("**")[0].rpartition("**")[2], found[1]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def wait_until(condition, what):
    """The first true value of condition()."""
    end = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {PATIENCE_S} s: {what}")
        time.sleep(0.1)
    return value


def main(case):
    """SCRIPT FORKTAX [NAME...]: runs the methods test_NAME of the case. Exit status 77: one was skipped."""
    global forktax
    forktax = os.path.abspath(sys.argv[1])
    names = [f"{case.__name__}.test_{name}" for name in sys.argv[2:]] or [case.__name__]
    tests = unittest.defaultTestLoader.loadTestsFromNames(names, sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.skipped else 0)
