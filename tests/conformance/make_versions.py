# SPDX-License-Identifier: GPL-2.0-or-later
"""The versions of GNU make whose makefiles forktax knows the lines of."""
import subprocess

OTHERS = {b"4.3": b"4.4", b"4.4.1": b"4.4.2"}  # of each known version an unknown one, with as many characters


def version_of(make):
    result = subprocess.run([make, "--version"], stdout=subprocess.PIPE, check=False)
    return result.stdout.split(b"\n", maxsplit=1)[0].removeprefix(b"GNU Make ")
