# SPDX-License-Identifier: GPL-2.0-or-later
"""GNU make: of which versions forktax knows the lines of makefiles."""
import subprocess

OTHERS = {b"4.3": b"4.4", b"4.4.1": b"4.4.2"}  # of each known version an unknown one, with as many characters


def version_of(make):
    result = subprocess.run([make, "--version"], stdout=subprocess.PIPE, check=False)
    return result.stdout.split(b"\n", maxsplit=1)[0].removeprefix(b"GNU Make ")
