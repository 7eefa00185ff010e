# SPDX-License-Identifier: GPL-2.0-or-later
"""second_try.py FORKTAX SAMPLES WITNESS: a failure of a run that calls itself exact is final, another is not."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEST = """
import sys
from check import Check
from runs import Run
check = Check()
Run({"integrity": {"exact": sys.argv[1] == "exact"}, "totals": 0, "processes": 0, "groups": 0})
check.equal("a count", sys.argv[2], "right")
check.finish()
"""


def statuses(exactness, counts, directory):
    environment = {**os.environ, "PYTHONPATH": HERE}
    environment.pop("FORKTAX_DIFFERENCES", None)
    if directory:
        environment["FORKTAX_DIFFERENCES"] = directory
    found = []
    for count in counts:
        test = TEST.replace("sys.argv[2]", repr(count))
        found.append(subprocess.run([sys.executable, "-B", "-c", test, exactness], env=environment,
                                    stdout=subprocess.DEVNULL, check=False).returncode)
    return found


def main():
    failures = 0
    for exactness, wanted in (("exact", [1, 1]), ("inexact", [1, 0])):
        with tempfile.TemporaryDirectory() as directory:
            for place, tries in ((directory, wanted), (None, [1, 0])):
                got = statuses(exactness, ["wrong", "right"], place)
                print(f"{exactness}, {'marked' if place else 'not marked'}: {got}")
                failures += got != tries
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
