# SPDX-License-Identifier: GPL-2.0-or-later
"""Interleaved rounds: every tool once per round, so that what drifts, drifts for all of them."""
import time

from command import Failed
from machine import QUIET, Others, foreign_programs, wait_until_quiet

TRIES = 5


class Rounds:
    def __init__(self, experiment, runner, patience_s, say):
        self.experiment, self.runner, self.say = experiment, runner, say
        self.patience_s = patience_s
        self.samples = []
        self.noisy = []
        self.problems = []
        self.repeated = []  # why runs were
        self.failed_peers = {}  # name: how

    def sample(self, tool, target):
        """Another run for one whose records came faster than the machine let forktax read them."""
        for left in reversed(range(TRIES)):
            sample = self.runner.run(tool, target, self.experiment.watch_maps,
                                     self.experiment.around(tool))
            if not left or not self.experiment.misses_records(tool, sample):
                return sample
            self.repeated.append(f"{self.experiment.name}: {tool.name}: {sample['losses']}")
            self.say(f"repeated: {self.repeated[-1]}")

    def sample_of_peer(self, tool, target):
        """None if it fails: then it is left out of the rounds that follow."""
        if tool.name in self.failed_peers:
            return None
        try:
            return self.sample(tool, target)
        except Failed as error:
            self.failed_peers[tool.name] = str(error)
            self.say(f"{self.experiment.name}: {tool.name}: {error}")
            return None

    def one(self, number):
        """One round; the CPUs that others used meanwhile (None: their programs were attached)."""
        others = Others()
        samples = []
        for tool in self.experiment.tools:
            target, operations = self.experiment.target(tool)
            take = self.sample_of_peer if tool.is_peer else self.sample
            sample = take(tool, target)
            if not sample:
                continue
            sample["round"] = number
            for key in ("loop", "cpu"):
                if sample[f"{key}_ns"] is not None:
                    sample[f"{key}_op_ns"] = sample[f"{key}_ns"] / operations
            self.problems += self.experiment.problems(tool, sample)
            samples.append(sample)
        used = others.cpus()
        for sample in samples:
            sample["others_cpus"] = round(used, 3)
        return samples, used < QUIET and not foreign_programs()

    def measure(self, wanted, deadline):
        """`wanted` quiet rounds after one to warm up; noisy ones are repeated while there is time,
        and are used only if less than half of the wanted number was quiet."""
        if wanted > 1:
            self.one(-1)
        number = 0
        rounds = 0
        while rounds < wanted and number < 3 * wanted:
            late = time.monotonic() > deadline
            if late and number >= wanted:
                break
            wait_until_quiet(0 if late else self.patience_s)
            samples, quiet = self.one(number)
            (self.samples if quiet else self.noisy).extend(samples)
            rounds += quiet
            number += 1
            self.say(f"{self.experiment.name}: {rounds} of {wanted} rounds"
                     f"{'' if quiet else ', the last one disturbed'}")
        self.quiet = rounds >= (wanted + 1) // 2
        if not self.quiet:
            self.samples += self.noisy
            self.noisy = []

    def result(self):
        return {"what": self.experiment.what, "quiet": self.quiet, "samples": self.samples,
                "disturbed_samples": self.noisy, "problems": self.problems,
                "repeated": self.repeated, "failed_peers": self.failed_peers}
