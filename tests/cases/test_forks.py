# SPDX-License-Identifier: GPL-2.0-or-later
"""What makes forks slow, by shape: descriptors, page tables, pinned pages, shared memory that each child maps again."""
import os
import re
import resource
import subprocess

from support import Case, needs, needs_root

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "forks.c")
ROUNDS = 2
LINES = 24


@needs_root
@needs("cc")
class Forks(Case):
    def setUp(self):
        super().setUp()
        subprocess.run(["cc", "-O1", "-fno-omit-frame-pointer", "-o", "forks", SOURCE], check=True)

    def cpu_s(self, words):
        """CPU time of the command and its children: others on the machine add nothing to it."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status = subprocess.run(["./forks", *words], check=False).returncode
        if status == 77:
            self.skipTest(f"not possible here: {words}")
        self.assertEqual(status, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def savings_s(self, words):
        """What the remedy saves, in turns with the program as it is: the least and the most."""
        savings = [self.cpu_s(words) - self.cpu_s([*words, "cured"]) for _ in range(ROUNDS)]
        return min(savings), max(savings)

    def screen(self, *words, options=()):
        """The first screen, in one line; and the run."""
        result = self.forktax("explain", *options, *words, env={**os.environ, "COLUMNS": "80"})
        self.assertEqual(result.status, 0, result.err)
        return re.sub(r"\s+", " ", " ".join(result.out.decode().split("\n")[:LINES]))

    def rule(self, words, rule):
        result = self.forktax("explain", "--json", "-o", "run.json", *words)
        self.assertEqual(result.status, 0, result.err)
        return next((item for item in self.saved().get("run_advice", ()) if item["rule"] == rule), None)

    def had(self, key):
        """What the parent had when it forked."""
        return self.saved()["fork_cost"][0][key]

    def assert_predicts(self, words, rule):
        """The printed interval meets what is measured before and after; twice as much room, as both vary with what else
        the machine does."""
        before = self.savings_s(words)
        predicted = self.rule(["./forks", *words], rule)["predicted"]["ns"]
        savings = [*before, *self.savings_s(words)]
        self.assertLess(predicted["low"] / 2, max(savings) * 1e9)
        self.assertGreater(predicted["high"] * 2, min(savings) * 1e9)

    # ctest: all
    def test_descriptors(self):
        words = ["descriptors", "15000", "300"]
        self.assert_predicts(words, "R6")
        self.assertIn(self.had("open_files"), range(15003, 15020))
        screen = self.screen("./forks", *words)
        self.assertRegex(screen, r"fork copies 150\d\d open descriptors, and the child's end closes them")
        self.assertRegex(screen, r"Best advice: fork from a small helper process .* before the files were opened")
        self.assertNotRegex(screen, r"Best advice: (link|use posix_spawn|use huge)")

    def test_few_descriptors(self):
        self.assertIsNone(self.rule(["./forks", "descriptors", "900", "300"], "R6"))

    # ctest: all
    def test_page_tables(self):
        words = ["memory", "300", "10"]
        self.assert_predicts(words, "R6")
        screen = self.screen("./forks", *words)
        self.assertRegex(screen, r"fork copies [0-9.]+ [KM]iB of page tables")
        self.assertRegex(screen, r"Best advice: use huge pages")
        self.assertNotRegex(screen, "DONTFORK|posix_spawn")

    def test_huge_pages_have_no_cure(self):
        with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="ascii") as file:
            if "[never]" in file.read():
                self.skipTest("no huge pages here")
        self.assertIsNone(self.rule(["./forks", "memory", "300", "10", "cured"], "R6"))

    # ctest: all
    def test_spawn(self):
        words = ["spawn", "300", "10"]
        self.assert_predicts(words, "R21")
        screen = self.screen("./forks", *words)
        self.assertRegex(screen, r"fork copies [0-9.]+ [KM]iB of page tables, and each exec frees them")
        self.assertRegex(screen, r"Best advice: start programs by posix_spawn\(\) or vfork\(\)")
        self.assertNotRegex(screen, r"Best advice: use huge pages")

    def test_vfork_has_no_cure(self):
        self.assertIsNone(self.rule(["./forks", "spawn", "300", "10", "cured"], "R21"))

    def test_handlers(self):
        """What a handler of pthread_atfork() takes in each child: by call stacks, and by counting faults without it."""
        words = ["handlers", "8", "30"]
        faults = self.faults(words) - self.faults([*words, "cured"])
        screen = self.screen("./forks", *words, options=["-k", "--no-try"])
        said = re.search(r"Handlers around each fork of forks \(pthread_atfork\) take (\d+) page faults: allocator_child\(\) of "
                         r"forks\. .*? Best advice: let these handlers do less", screen)
        if not said and "__run_postfork_handlers" not in self.forktax("explain", "-k", "-v", "--no-try", "./forks", *words).out.decode():
            self.skipTest("the C library has no symbols for its own functions")
        self.assertTrue(said, screen)
        self.assertLess(abs(int(said[1]) - faults / 30), 0.02 * faults / 30)
        self.assertNotIn("Handlers", self.screen("./forks", *words, options=["--no-try"]))
        self.assertNotIn("Handlers", self.screen("./forks", *words, "cured", options=["-k", "--no-try"]))

    def faults(self, words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        subprocess.run(["./forks", *words], check=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    def test_pinned(self):
        words = ["pinned", "64", "10"]
        self.assert_predicts(words, "R6")
        self.assertEqual(self.had("pinned_bytes"), 64 << 20)
        screen = self.screen("./forks", *words)
        self.assertRegex(screen, r"fork copies 64 MiB of pinned pages \(io_uring, RDMA, GPU\)")
        self.assertRegex(screen, r"Best advice: keep pinned memory out of children by madvise\(MADV_DONTFORK\)")

    def test_pinned_pages_that_stay_out_have_no_cure(self):
        self.savings_s(["pinned", "64", "1"])  # skips where nothing can be pinned
        self.assertNotRegex(self.screen("./forks", "pinned", "64", "10", "cured"), r"fork copies \S+ MiB of pinned")

    # ctest: all
    def test_shared_memory(self):
        words = ["shared", "128", "20"]
        self.assert_predicts(words, "R13")
        screen = self.screen("./forks", *words)
        self.assertRegex(screen, r"Each of 20 children of forks maps the same shared memory again")
        self.assertRegex(screen, r"Best advice: use huge pages for the shared memory .* children that live longer")
        self.assertNotRegex(screen, r"(?i)nothing worth saving|forks are a small part")

    def test_shared_memory_of_one_child_has_no_cure(self):
        self.assertIsNone(self.rule(["./forks", "shared", "8", "20"], "R13"))
