# SPDX-License-Identifier: GPL-2.0-or-later
"""`forktax run -k`: stacks that are easily taken for each other, or looked up late."""
import subprocess

from support import Case, needs, needs_root

# Caller and function of each pair are as far apart as those of the other one, and at addresses without carry.
ALIKE = """
static volatile char pages[4 << 12] __attribute__((aligned(4096)));

#define PAIR(number) \\
	__attribute__((noinline, noclone, noipa, aligned(16384))) void write_##number(void) \\
	{ \\
		pages[number << 12] = 1; \\
	} \\
	__attribute__((noinline, noclone, noipa, aligned(16384))) void call_##number(void) \\
	{ \\
		write_##number(); \\
		__asm__ volatile("" ::: "memory"); \\
	}

PAIR(0)
PAIR(1)
PAIR(2)

int main(void)
{
	call_0();
	call_1();
	call_2();
	return 0;
}
"""


@needs_root
class Stacks(Case):
    def run_with_stacks(self, *command):
        return self.trace(*command, options=["-k"])

    @staticmethod
    def callers(run, prefix):
        """Pairs of the innermost two functions of every stack of a fault whose innermost is called so."""
        frames, stacks = run["stacks"]["frames"], run["stacks"]["list"]
        names = [[frames[number]["symbol"] for number in stacks[share["stack"]]["frames"]]
                 for share in run["stacks"]["shares"]]
        return sorted((stack + [None])[:2] for stack in names if (stack[0] or "").startswith(prefix))

    @needs("gcc")
    def test_alike(self):
        """Functions and their callers that are the same distance apart."""
        with open("alike.c", "w", encoding="ascii") as file:
            file.write(ALIKE)
        subprocess.run(["gcc", "-O1", "-fomit-frame-pointer", "-fno-optimize-sibling-calls", "-fcf-protection=none",
                        "-static", "-o", "alike", "alike.c"], check=True)
        run = self.run_with_stacks("./alike")
        self.assertEqual(self.callers(run, "write_"),
                         [[f"write_{number}", f"call_{number}"] for number in range(3)])

    def test_many_programs(self):
        """The libraries of each are mapped elsewhere."""
        run = self.run_with_stacks("sh", "-c", "/bin/true; " * 16 + ":")
        self.assertEqual(run["stacks"]["lost"], 0)
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
        self.assertEqual([call for call in run["stacks"]["calls"] if call["stack"] is None], [])

    def test_more_faults_than_can_wait(self):
        """Faults of several mappings, with interrupts off: one look-up each."""
        run = self.run_with_stacks(self.sample("manypages", "now"))
        self.assertEqual(run["stacks"]["lost"], 0)
        left = [row["faults"] for row in run["anatomy"]]
        for share in run["stacks"]["shares"]:
            left[share["row"]] -= share["faults"]
        bare = {row["symbol"]: count for row, count in zip(run["anatomy"], left)
                if count and row["actor"] == "program" and row["phase"] == "child" and row["place"] == "bss"}
        self.assertEqual(bare, {})
