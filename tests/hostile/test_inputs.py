# SPDX-License-Identifier: GPL-2.0-or-later
"""What a command of forktax is told to read, and what lies there instead."""
from limits import HostileCase

# Devices and files of the kernel that never end, that end at once, and that are no files.
PLACES = ("/dev/zero", "/dev/urandom", "/dev/full", "/dev/null", "/", "/proc/self/mem", "/proc/kmsg-not-there", "")


class Inputs(HostileCase):
    def test_places_that_are_no_reports(self):
        for place in PLACES:
            for words in (["report"], ["compare"], ["report", "--csv"]):
                with self.call(f"{' '.join(words)} {place}"):
                    self.limited(*words, place, statuses=(2, 125))
