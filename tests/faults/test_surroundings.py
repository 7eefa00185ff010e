# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""Machines and containers that lack something: what is missing and what it costs, in one line, and in doctor."""
import json
import os
import re
import shutil
import subprocess

from support import NOBODY, Case, TargetCase, needs_root, wait_until
import rooted
import support

# Where nobody finds strace, but all else that these tests need.
WITHOUT_STRACE = {**os.environ, "PATH": "/nowhere"}
BTF = "/sys/kernel/btf"


def doctor_rows(text):
    """name -> "state: reason; effect", of all that doctor --json has tried."""
    return {row["name"]: f"{row['state']}: {row['reason'] or ''}; {row['effect']}"
            for row in json.loads(text)["capabilities"]}


@needs_root
class Machine(Case):
    """The forktax of the build, where a part of the machine is hidden from it."""

    def without(self, hide, *arguments, **popen):
        """hide(): called in a mount namespace of its own."""
        def change():
            rooted.own_mounts()
            hide()
        return self.forktax(*arguments, preexec_fn=change, **popen)

    def assert_refused(self, hide, *words):
        """run says it in one line, and doctor in the row of the types."""
        result = self.without(hide, "run", "--source=ebpf", shutil.which("touch"), "ran")
        self.assert_fails(result, 125, "BTF", *words)
        self.assert_not_run()
        result = self.without(hide, "doctor", "--json", env=WITHOUT_STRACE)
        self.assertEqual((result.status, result.err), (125, b""), result)
        row = doctor_rows(result.out)["kernel types (BTF)"]
        for word in ("missing", *words, "nothing can be traced"):
            self.assertIn(word, row)

    def test_kernel_without_btf(self):
        self.assert_refused(lambda: rooted.mount("none", BTF, "tmpfs"), "CONFIG_DEBUG_INFO_BTF")

    def test_no_sys(self):
        self.assert_refused(lambda: rooted.mount("none", "/sys", "tmpfs"), "/sys is not mounted")

    def test_damaged_btf(self):
        for content in (b"", b"\x9f\xeb\x01\x00", os.urandom(4096)):
            with open("types", "wb") as file:
                file.write(content)
            with self.subTest(size=len(content)):
                self.assert_refused(
                    lambda: rooted.mount(f"{self.scratch}/types", f"{BTF}/vmlinux", None,
                                         rooted.MS_BIND), "empty or damaged")

    def test_no_tracefs(self):
        def hide():
            rooted.mount("none", "/sys/kernel/tracing", "tmpfs")
            rooted.mount("none", "/sys/kernel/debug", "tmpfs")
        result = self.without(hide, "run", "--json", "-o", "run.json", "sh", "-c", "true & wait")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertTrue(self.saved()["integrity"]["exact"])
        self.assertEqual(self.without(hide, "doctor").status, 0)

    def test_no_proc(self):
        def hide():
            rooted.mount("none", "/proc", "tmpfs")
        for arguments in (["run", "-p", "1"], ["workers", "-p", "1"], ["explain", "-p", "1"]):
            with self.subTest(arguments):
                result = self.without(hide, *arguments)
                self.assertEqual(result.status, 125, result)
                self.assertIn(b"/proc is not mounted", result.err.splitlines()[-1])
        rows = doctor_rows(self.without(hide, "doctor", "--json").out)
        self.assertIn("not mounted", rows["/proc"])
        for name in ("memory of own children", "numbers of page frames", "PAGEMAP_SCAN"):
            self.assertIn("/proc is not mounted", rows[name])

    def test_no_proc_to_calibrate_by(self):
        result = self.without(lambda: rooted.mount("none", "/proc", "tmpfs"), "explain",
                              "--no-try", self.sample("forkloop"), "-n", "50")
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"/proc/self/maps", result.err)

    def test_seccomp_filter(self):
        """As container runtimes have it: bpf(2), perf_event_open(2), and personality(2) for --no-aslr."""
        def change():
            rooted.refuse_calls(321, 298, 135)
        result = self.forktax("run", "--source=ebpf", "touch", "ran", preexec_fn=change)
        self.assert_fails(result, 125, "although forktax has the capabilities", "seccomp")
        self.assert_not_run()
        result = self.forktax("doctor", "--json", preexec_fn=change, env=WITHOUT_STRACE)
        self.assertEqual((result.status, result.err), (125, b""))
        rows = doctor_rows(result.out)
        for name in ("task storage", "ring buffer", "bpf_find_vma"):
            self.assertRegex(rows[name], r"\Aunknown: bpf\(2\) is refused: by a seccomp filter")
        self.assertIn("Operation not permitted", rows["address layout (--no-aslr)"])
        self.assertRegex(rows["privileges"], "^available")

    def test_read_only_root(self):
        os.mkdir("root")
        def change():
            rooted.own_mounts()
            rooted.mount("/", f"{self.scratch}/root", None, rooted.MS_BIND | rooted.MS_REC)
            rooted.mount(None, f"{self.scratch}/root", None,
                         rooted.MS_REMOUNT | rooted.MS_BIND | rooted.MS_RDONLY)
            os.chroot(f"{self.scratch}/root")
            os.chdir("/")
        result = self.forktax("run", "-q", "true", preexec_fn=change)
        self.assertEqual(result.status, 0, result)
        result = self.forktax("doctor", preexec_fn=change)
        self.assertEqual(result.status, 0, result)
        result = self.forktax("run", "-o", "/run.json", "touch", f"{self.scratch}/ran",
                              preexec_fn=change)
        self.assert_fails(result, 125, "/run.json", "Read-only file system")
        self.assert_not_run()


@needs_root
class EmptyRoot(TargetCase):
    """The static forktax, in a root directory that holds nothing else."""

    def setUp(self):
        super().setUp()
        program = f"{support.FORKTAX}-static"
        if not os.path.exists(program):
            self.skipTest("forktax-static is not built: no archives of its libraries")
        self.root = f"{self.scratch}/root"
        self.null = False
        for name in ("proc", "sys", "tmp", "dev", "etc"):
            os.makedirs(f"{self.root}/{name}")
        shutil.copy(program, f"{self.root}/forktax")

    def inside(self, *arguments, program="/forktax", env=None, data=None, **surroundings):
        change = rooted.enter(self.root, null=self.null, **surroundings)
        process = subprocess.Popen([program, *arguments], preexec_fn=change, env=env or {},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        return self.finish(process, data)

    def has_null(self):
        with open(f"{self.root}/dev/null", "wb"):
            self.null = True

    def target(self, uid=0):
        process = subprocess.Popen(["sleep", "60"], user=uid)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return str(process.pid)

    def test_nothing_but_the_program(self):
        bare = {"proc": False, "sys": False}
        self.assertEqual(self.inside("--version", **bare).status, 0)
        result = self.inside("run", "/forktax", "--version", **bare)
        self.assert_fails(result, 125, "/sys is not mounted", "strace is not installed")
        result = self.inside("run", "true", **bare)
        self.assert_fails(result, 127, "true: command not found")
        result = self.inside("doctor", **bare)
        self.assertEqual((result.status, result.err), (125, b""))
        self.assertTrue(result.out.startswith(b"forktax cannot trace commands here.\n"), result)
        rows = doctor_rows(self.inside("doctor", "--json", **bare).out)
        self.assertIn("/sys is not mounted", rows["kernel types (BTF)"])
        self.assertIn("not mounted", rows["/proc"])
        self.assertIn("No such file", rows["/dev/null"])

    def test_doctor_traces_itself(self):
        result = self.inside("doctor", "--json")
        self.assertEqual((result.status, result.err), (0, b""), result)
        self.assertRegex(doctor_rows(result.out)["a trace of `true`"], "^available")

    def test_traces(self):
        result = self.inside("run", "--json", "-o", "/tmp/run.json", "/forktax", "--version")
        self.assertEqual((result.status, result.err), (0, b""))
        run = self.saved(f"{self.root}/tmp/run.json")
        self.assertTrue(run["integrity"]["exact"])
        self.assertEqual(self.calls(run, "execve"), 1)
        self.assertGreater(run["totals"]["faults"]["total"], 0)

    def test_no_null_device(self):
        result = self.inside("explain", "/forktax", "--version")
        self.assert_fails(result, 125, "/dev/null", "is missing")

    def test_no_samples(self):
        result = self.inside("bench", "fork")
        self.assertEqual(result.status, 125, result)
        self.assertIn(b"forktax-samples", result.err)

    def test_benchmark_where_only_static_programs_start(self):
        self.has_null()
        for linkage in ("dynamic", "static"):
            os.makedirs(f"{self.root}/loops/{linkage}")
            shutil.copy(self.sample("forkloop", linkage), f"{self.root}/loops/{linkage}/")
        result = self.inside("bench", "fork", "--rounds=1", "--count=20", "--json", env={"FORKTAX_LOOPS": "/loops"})
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"needs /lib64/ld-linux-x86-64.so.2, which is not here", result.out)
        self.assertIn(b'"state":"measured"', result.out)

    def test_samples_of_another_libc(self):
        for linkage in ("musl", "static", "diet"):
            shutil.copy(self.sample("forkloop", linkage), f"{self.root}/{linkage}")
            result = self.inside("run", "--json", "-o", "/tmp/run.json", f"/{linkage}", "-n", "20")
            self.assertEqual((result.status, result.err), (0, b""))
            self.assertEqual(self.saved(f"{self.root}/tmp/run.json")["totals"]["forks"], 20)

    def test_musl_machine(self):
        loader = "lib/ld-musl-x86_64.so.1"
        if not os.path.exists(f"/{loader}"):
            self.skipTest("musl is not installed")
        os.mkdir(f"{self.root}/lib")
        shutil.copy(f"/{loader}", f"{self.root}/{loader}")
        shutil.copy(self.sample("forkloop", "musl-dyn"), f"{self.root}/forkloop")
        self.has_null()
        result = self.inside("explain", "--no-try", "/forkloop", "-n", "50")
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"forkloop, fork, no exec", result.out)

    def test_user(self):
        with open(f"{self.root}/etc/passwd", "w", encoding="utf-8") as file:
            file.write(f"root:x:0:0::/:\nworker:x:{NOBODY}:{NOBODY}::/:\n")
        with open(f"{self.root}/etc/group", "w", encoding="utf-8") as file:
            file.write("root:x:0:\nmore:x:4711:other,worker\nothers:x:4712:other\n")
        with open(f"{self.root}/etc/nsswitch.conf", "w", encoding="utf-8") as file:
            file.write("passwd: systemd sss files\ngroup: systemd files\n")
        shutil.copy(self.sample("true", "static"), f"{self.root}/true")
        ids = "Uid:\t65534\t65534\t65534\t65534"
        shutil.copy(self.sample("forkloop", "static"), f"{self.root}/forkloop")
        result = self.inside("run", "-q", "-u", "nobody", "/true")
        self.assert_fails(result, 125, "no such user")
        # grep of busybox is not here: the status of a process is read from outside, while it sleeps.
        process = subprocess.Popen(["/forktax", "run", "-q", "-u", "worker", "/forkloop", "-n", "2000000"],
                                   preexec_fn=rooted.enter(self.root), env={},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def status():
            for pid in support.children(process.pid):
                with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                    text = file.read()
                if "Name:\tforkloop" in text:
                    os.kill(pid, 9)
                    return text
            return None
        text = wait_until(status)
        self.assertIn(ids, text)
        self.assertRegex(text, r"Groups:\t4711 65534 *\n")

    def test_capabilities(self):
        """A container with none, some, all of them: what each is for, and who says so."""
        self.has_null()
        own, others = self.target(), self.target(NOBODY)
        tracing = ("run", "--source=ebpf", "-q", "/forktax", "--version")
        attaching = ("run", "-q", "--duration", "0.2", "-p")
        for more, refused, excluded in (
                ((), "CAP_BPF and CAP_PERFMON", "CAP_SYS_PTRACE"),
                (("bpf",), "CAP_PERFMON", "CAP_SYS_PTRACE"),
                (("perfmon",), "CAP_BPF", "CAP_SYS_PTRACE"),
                (("bpf", "perfmon"), None, "CAP_SYS_PTRACE"),
                (("bpf", "perfmon", "sys_ptrace"), None, None)):
            kept = rooted.CONTAINER + more
            with self.subTest(more):
                result = self.inside(*tracing, capabilities=kept)
                if refused:
                    self.assert_fails(result, 125, f"needs {refused},", "--cap-add")
                else:
                    self.assertEqual(result.status, 0, result)
                    self.assertEqual(self.inside(*attaching, own, capabilities=kept).status, 0)
                result = self.inside(*attaching, others, capabilities=kept)
                if excluded:
                    self.assert_fails(result, 125, excluded)
                else:
                    self.assertEqual(result.status, 0, result)
                result = self.inside("doctor", "--json", capabilities=kept)
                self.assertEqual(result.status, 125 if refused else 0, result)
                row = doctor_rows(result.out)["privileges"]
                self.assertIn(f"{refused} missing" if refused else "available", row)

    def test_what_cannot_be_asked_is_not_called_missing(self):
        rows = doctor_rows(self.inside("doctor", "--json", capabilities=rooted.CONTAINER).out)
        for name in ("task storage", "ring buffer", "bpf_loop"):
            self.assertRegex(rows[name], r"\Aunknown: cannot be asked without CAP_BPF;")

    def test_pool_of_another_user(self):
        pid = self.target(NOBODY)
        for kept, words in (((), "CAP_SYS_PTRACE"), (("sys_ptrace",), "CAP_DAC_READ_SEARCH")):
            with self.subTest(kept):
                self.assert_fails(self.inside("workers", "-p", pid, capabilities=kept), 125, words)
        result = self.inside("workers", "-p", pid, capabilities=("sys_ptrace", "dac_read_search"))
        self.assert_fails(result, 125, "is no pool")
