# SPDX-License-Identifier: GPL-2.0-or-later
"""What a remedy saves, and what the advice says that it saves, as shares of the run."""
import os
import resource
import statistics
import subprocess

from support import Case

ROUNDS = 5


class Savings(Case):
    environment = os.environ  # of the commands

    def cpu_ns(self, words, env=None):
        """CPU time of the command and its children: others on the machine add little to it."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, env={**self.environment, **(env or {})}, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e9

    def share_saved(self, words, cured, env=None, cured_env=None):
        """Of the CPU time, in turns."""
        pairs = [(self.cpu_ns(words, env), self.cpu_ns(cured, cured_env)) for _ in range(ROUNDS)]
        return statistics.median(1 - after / before for before, after in pairs)

    def share_said(self, advice):
        """Of the run as it was timed: what is predicted, its upper end."""
        saved = self.saved()
        return advice["predicted"]["ns"]["high"] / (saved["bill"]["untraced_wall_ns"] or saved["wall_ns"])

    def share_of_busy(self, advice):
        """Of the time in which somebody of the run works: others on the machine make the rest longer."""
        bill = self.saved()["bill"]
        waits = sum(row["wall_ns"] for row in bill["rows"] if row["kind"] in ("ready", "device", "others", "unknown"))
        return self.share_said(advice) / (1 - waits / bill["wall_ns"])
