# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax does not get the CPU: what it was asked for does not fit into its buffers, and that is said."""
from support import Case, needs, needs_root

STATS = 100000
FORKS = 8000


@needs_root
class Stopped(Case):
    def stopped_while(self, script, *options):
        """The saved run of a script of sh during which forktax is stopped, and the first line of its report."""
        result = self.forktax("run", "--json", "-o", "run.json", *options, "--", "sh", "-c",
                              f"kill -STOP $PPID; {script}; kill -CONT $PPID")
        self.assertEqual((result.status, result.err), (0, b""))
        return self.saved(), self.forktax("report", "run.json").out.splitlines()[0].decode()

    def assert_said(self, run, first, part):
        self.assertFalse(run["integrity"]["exact"], run["integrity"])
        missing = run["integrity"]["unrecorded"]
        self.assertGreater(missing, 0)
        self.assertTrue(first.startswith(f"NOT EXACT: {missing} single events"), first)
        self.assertIn(part, first)
        self.assertEqual(self.forktax("report", "--strict", "run.json").status, 3)

    @needs("perl")
    def test_files(self):
        run, first = self.stopped_while(f"perl -e 'stat q(/nowhere) for 1..{STATS}'", "--files")
        self.assert_said(run, first, "the files")
        missed = run["files"]["missed"]
        self.assertEqual(run["integrity"]["unrecorded"], missed)
        recorded = sum(row["uses"]["looked_at"]["calls"] for row in run["files"]["rows"]
                       if row["path"] == "/nowhere")
        self.assertLess(recorded, STATS)
        self.assertGreaterEqual(recorded + missed, STATS)
        # Counts are those of the table of calls all the same.
        self.assertGreaterEqual(self.calls(run, "newfstatat") + self.calls(run, "stat"), STATS)

    def test_anatomy(self):
        loop = self.sample("forkloop", "static")
        for options in ((), ("-k",)):
            with self.subTest(options):
                run, first = self.stopped_while(f"{loop} -n {FORKS}", "--anatomy", *options)
                self.assert_said(run, first, "the anatomy")
                self.assertEqual(run["totals"]["forks"], FORKS + 1)

    def test_processes(self):
        """Messages of ends are lost; the processes themselves wait in the kernel half until the end."""
        loop = self.sample("forkloop", "static")
        run, _ = self.stopped_while(f"{loop} -n {FORKS}", "--show=processes")
        self.assertEqual(len(run["processes"]), FORKS + 2)
        self.assertTrue(run["integrity"]["exact"], run["integrity"])
