# SPDX-License-Identifier: GPL-2.0-or-later
"""Profiles of a watch: their sums are those of the load and of the counters, in a directory of bad days, too."""
import collections
import gzip
import os
import re
import subprocess
import time

from support import needs, needs_root, wait_until
from watching import WatchCase, metrics
import profiles
import support

NAME = re.compile(r"forktax-copies-\d{8}T\d{6}\.\d{9}Z-\d+\.pb\.gz")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
CHILDREN, FIRST, SECOND = 60, 30, 12
OF_LOAD = {"write_first": CHILDREN * FIRST, "write_second": CHILDREN * SECOND}


@needs_root
class Profiles(WatchCase):
    def setUp(self):
        super().setUp()
        self.program = os.path.join(os.path.dirname(support.SAMPLES), "tests/fleet/fleet-copies")
        if not os.path.exists(self.program):
            self.skipTest("fleet-copies is not built")
        self.path, self.directory = self.cgroup("profiles")

    def begin(self, *arguments, **popen):
        os.makedirs("p", exist_ok=True)
        return self.watch("--level=classes", f"--cgroup={self.path}", "--pprof-dir=p", *arguments, **popen)

    def load(self):
        """Runs the load in the cgroup; it stays there, so that its file can be found."""
        load = subprocess.Popen(["sh", "-c", f"echo $$ >{self.directory}/cgroup.procs; exec \"$@\"", "sh", self.program,
                                 str(CHILDREN), str(FIRST), str(SECOND)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(load.stdout.readline(), b"done\n")
        return load

    def end_load(self, load):
        load.stdin.close()
        load.stdout.close()
        self.assertEqual(load.wait(), 0)

    def end(self, watch):
        watch.terminate()
        result = self.finish(watch)
        self.assertEqual((result.status, result.err), (0, b""))
        return result

    def files(self, directory="p"):
        return sorted(name for name in os.listdir(directory) if name.startswith("forktax-copies-"))

    def read(self):
        return [profiles.read(f"p/{name}") for name in self.files()]

    def copies(self, all_profiles, where=lambda sample: True):
        return sum(sample.values["copies"] for profile in all_profiles for sample in profile.samples if where(sample))

    @staticmethod
    def leaves(all_profiles):
        """{function of the load: its copies}"""
        leaves = collections.Counter()
        for profile in all_profiles:
            for sample in profile.samples:
                if sample.stack[0] in OF_LOAD:
                    leaves[sample.stack[0]] += sample.values["copies"]
        return leaves

    def assert_load(self, all_profiles):
        """Who wrote is the function of the load, with its callers."""
        for profile in all_profiles:
            for sample in profile.samples:
                self.assertEqual(sample.values["copied"], 4096 * sample.values["copies"])
                self.assertEqual(sample.labels["class"], "cow_copy")
                if sample.stack[0] in OF_LOAD:
                    self.assertEqual(sample.stack[:3], [sample.stack[0], "work", "main"])
                    self.assertEqual((sample.labels["unit"], sample.labels["birth"]), (self.path, "fork"))
        self.assertEqual(self.leaves(all_profiles), OF_LOAD)

    def test_each_is_the_difference_of_two_samples(self):
        watch = self.begin("--json", "--every=0.2")
        load = self.load()
        wait_until(lambda: len(self.files()) >= 3)
        lines = self.samples(self.end(watch))
        self.end_load(load)
        written = self.read()
        self.assertEqual(len(written), len(lines) - 1)  # the first one is of two samples
        self.assert_load(written)
        counts = [self.counts(line) for line in lines]
        counts[0] = collections.Counter()
        for profile, before, after in zip(written, counts, counts[1:]):
            sums = collections.Counter()
            for sample in profile.samples:
                sums[sample.labels["unit"], sample.labels["birth"]] += sample.values["copies"]
                self.assertNotIn(sample.stack[0], ("[stack not kept]", "[stack not found]"))
            self.assertEqual(sums, after - before)
            self.assertIn("exact", profile.comments)
        for one, following, line in zip(written, written[1:], lines[1:]):
            self.assertAlmostEqual(one.began + one.took, following.began, delta=0.1)
            self.assertAlmostEqual(one.began + one.took, line["time"], delta=0.1)

    def counts(self, line):
        return collections.Counter({(unit["name"], birth): classes["cow_copy"] for unit in line["units"]
                                    for birth, classes in unit["by_birth"].items() if classes.get("cow_copy")})

    def test_sum_is_that_of_the_textfile(self):
        watch = self.begin("--textfile=x.prom", "--every=0.3")
        load = self.load()
        self.end(watch)
        self.end_load(load)
        counted = metrics("x.prom")
        of_class = sum(value for name, value in counted.items()
                       if name.startswith("forktax_classified_page_faults_total") and 'class="cow_copy"' in name)
        of_bytes = sum(value for name, value in counted.items() if name.startswith("forktax_cow_copied_bytes_total"))
        written = self.read()
        self.assertGreater(of_class, CHILDREN * (FIRST + SECOND))
        self.assertEqual((self.copies(written), 4096 * self.copies(written)), (of_class, of_bytes))
        self.assert_load(written)

    def test_ended_program(self):
        """What nobody maps any more has its build id, and the offset in its file."""
        build_id = self.use_copy()
        watch = self.begin("--every=1h")
        self.end_load(self.load())
        self.end(watch)
        leaves = collections.Counter()
        for sample in self.read()[0].samples:
            if isinstance(sample.stack[0], tuple) and sample.stack[0][0] == build_id:
                leaves[self.function_at(sample.stack[0][1])] += sample.values["copies"]
        # Where the stack begins is random: a page of it may be copied in another function.
        self.assertEqual((leaves["write_first"], leaves["write_second"]), (CHILDREN * FIRST, CHILDREN * SECOND))

    # ctest: all needs:protobuf-compiler needs:build/viewers
    @needs("protoc")
    def test_published_schema(self):
        """By the schema that readers of profiles (pprof, Parca, Pyroscope, the OpenTelemetry Collector) are made from: each field is
        known, each reference leads to something, and the sum of all samples is that of the counters."""
        schema = f"{ROOT}/build/viewers/profile.proto"
        if not os.path.exists(schema):
            self.skipTest(f"no {schema}: tests/run --all fetches it")
        watch = self.begin("--json", "--every=1h")
        self.end_load(self.load())
        last = self.samples(self.end(watch))[-1]
        with gzip.open(f"p/{self.files()[0]}") as file:
            message = file.read()
        text = subprocess.run(["protoc", f"--proto_path={os.path.dirname(schema)}", "--decode=perftools.profiles.Profile", schema],
                              input=message, stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertNotRegex(text, r"(?m)^ *\d+[:{ ]")  # a field that the schema lacks has a number for a name
        for owner, reference in (("mapping", "mapping_id"), ("function", "function_id"), ("location", "location_id")):
            there = set(re.findall(rf"^{owner} {{\n  id: (\d+)", text, re.M))
            self.assertGreater(len(there), 0)
            self.assertLessEqual(set(re.findall(rf"{reference}: (\d+)", text)), there)
        strings = re.findall(r'^string_table: "(.*)"$', text, re.M)
        self.assertEqual(strings[0], "")
        for number in re.findall(r"^ *(?:type|unit|name|system_name|filename|build_id|key|str): (\d+)$", text, re.M):
            self.assertLess(int(number), len(strings))
        values = re.findall(r"^sample {\n(?:  location_id: \d+\n)*  value: (\d+)\n  value: (\d+)\n", text, re.M)
        copies = sum(classes.get("cow_copy", 0) for unit in last["units"] for classes in unit["by_birth"].values())
        self.assertEqual([sum(map(int, column)) for column in zip(*values)], [copies, 4096 * copies])
        self.assertEqual(len(values), len(re.findall("^sample {", text, re.M)))

    def use_copy(self):
        """The program with a build id of its own: other tests may run the same one."""
        notes = subprocess.run(["readelf", "-n", self.program], capture_output=True, check=True).stdout.decode()
        old, new = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", notes)[1]), os.urandom(20)
        with open(self.program, "rb") as file:
            content = file.read()
        self.assertEqual(content.count(old), 1)
        with open("copy", "wb") as file:
            file.write(content.replace(old, new))
        os.chmod("copy", 0o755)
        self.program = f"{self.scratch}/copy"
        return new.hex()

    def function_at(self, offset):
        """Of the program, whose code has the same offsets as addresses where it is linked as usual."""
        symbols = subprocess.run(["nm", "-nS", "--defined-only", self.program], capture_output=True, check=True).stdout
        for line in symbols.decode().splitlines():
            parts = line.split()
            if len(parts) == 4 and int(parts[0], 16) <= offset < int(parts[0], 16) + int(parts[1], 16):
                return parts[3]
        return None

    def test_so_many_are_kept(self):
        """Of all watches; what is not called so is never removed."""
        os.mkdir("p")
        others = {"forktax-copies-x.pb.gz", "forktax-copies-20200101T000000.000000000Z-1.pb.gz.bak", "run.pb.gz"}
        for name in others | {"forktax-copies-20200101T000000.000000000Z-1.pb.gz"}:
            with open(f"p/{name}", "wb"):
                pass
        directory = "forktax-copies-20190101T000000.000000000Z-1.pb.gz"
        os.mkdir(f"p/{directory}")
        watch = self.begin("--every=0.1", "--pprof-keep=3")
        seen = set()
        self.assertTrue(wait_until(lambda: seen.update(os.listdir("p")) or len(seen) > 12))
        self.end(watch)
        left = set(os.listdir("p"))
        self.assertEqual(left & others, others)
        self.assertIn(directory, left)
        kept = left - others - {directory}
        self.assertEqual(len(kept), 3, left)
        for name in kept:
            self.assertRegex(name, f"^{NAME.pattern}$")
        self.assertEqual(sorted(kept), sorted(name for name in seen | kept if NAME.fullmatch(name))[-3:])

    def test_two_watches(self):
        """Each has its files; both count all. Only one at a time can find out a stack of a fault."""
        watches = [self.begin("--every=0.2") for _ in range(2)]
        load = self.load()
        for watch in watches:
            self.end(watch)
        self.end_load(load)
        by_pid = collections.Counter(name.rsplit("-", 1)[1] for name in self.files())
        self.assertEqual(set(by_pid), {f"{watch.pid}.pb.gz" for watch in watches})
        for watch in watches:
            written = [profiles.read(f"p/{name}") for name in self.files() if name.endswith(f"-{watch.pid}.pb.gz")]
            unknown = self.copies(written, lambda sample: sample.stack[0] == "[stack not found]")
            of_load = self.copies(written, lambda sample: sample.stack[0] in ("write_first", "write_second"))
            self.assertLess(unknown, 20)
            self.assertLessEqual(of_load, CHILDREN * (FIRST + SECOND))
            self.assertGreaterEqual(of_load + unknown, CHILDREN * (FIRST + SECOND))

    def test_killed(self):
        """Nothing stays attached, and each file is whole."""
        for _ in range(3):
            watch = self.begin("--every=0.1")
            load = self.load()
            count = len(self.files())
            wait_until(lambda: len(self.files()) > count + 1)
            programs = support.programs_of(watch.pid)
            watch.kill()
            self.finish(watch)
            self.end_load(load)
            self.assert_unloaded(programs)
        self.assertTrue(self.read())

    def test_no_place(self):
        """It says so once; what was not written is in the next profile."""
        watch = self.begin("--every=0.2")
        os.rename("p", "away")
        self.assert_one_line(self.next_line(watch), "p/forktax-copies-", "No such file or directory")
        load = self.load()
        time.sleep(0.5)
        os.rename("away", "p")
        self.assert_one_line(self.next_line(watch), "profiles in p are written again")
        # On a busy machine that one may be of a sample that began before the load was done.
        wait_until(lambda: self.leaves(self.read()) == OF_LOAD)
        os.rename("p", "other")
        self.assert_one_line(self.next_line(watch), "p/forktax-copies-")
        watch.terminate()
        self.assert_fails(self.finish(watch), 125, "the last profile is not in p")
        self.end_load(load)
        os.rename("other", "p")
        self.assert_load(self.read())

    def test_full(self):
        os.mkdir("p")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", "p"], check=False).returncode:
            self.skipTest("no file system can be mounted")
        self.addCleanup(subprocess.run, ["umount", "-l", f"{self.scratch}/p"], check=True)
        with open("p/filling", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        watch = self.begin("--every=0.2")
        self.assert_one_line(self.next_line(watch), "p/forktax-copies-", "No space left on device")
        load = self.load()
        self.assertEqual(os.listdir("p"), ["filling"])
        os.truncate("p/filling", 0)
        self.assert_one_line(self.next_line(watch), "profiles in p are written again")
        self.end(watch)
        self.end_load(load)
        self.assert_load(self.read())

    @needs("go")
    def test_go_reads_them(self):
        """-base subtracts one interval from another."""
        watch = self.begin("--every=1h")
        load = self.load()
        self.end(watch)
        self.end_load(load)
        path = f"p/{self.files()[0]}"
        top = self.pprof("-top", path)
        for name, pages in (("write_first", FIRST), ("write_second", SECOND)):
            self.assertRegex(top, rf"(?m)^ +{CHILDREN * pages} +\S+ +\S+ +{CHILDREN * pages} +\S+ +{name}$")
        self.assertIn("Type: copies", top)
        self.assertRegex(self.pprof("-top", "-base", path, path), r"Showing nodes accounting for 0, 0%")
        self.assertRegex(self.pprof("-top", "-sample_index=copied", path), r"Type: copied")
        self.assertIn(f"unit:[{self.path}]", self.pprof("-raw", path))

    def pprof(self, *arguments):
        return subprocess.run(["go", "tool", "pprof", *arguments], capture_output=True, check=True).stdout.decode()
