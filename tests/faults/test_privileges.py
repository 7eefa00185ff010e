# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:libcap2-bin
"""Without root, without a capability, without the kernel's type information."""
import os
import shutil
import subprocess

from support import NOBODY, Case, needs, needs_root
import support

# Where nobody finds it, but all else that these tests need.
WITHOUT_STRACE = ["env", "PATH=/nowhere"]
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def with_capabilities(*names):
    """A user with these capabilities and no others."""
    chosen = ",".join(["-all", *(f"+{name}" for name in names)])
    return [*AS_NOBODY, f"--inh-caps={chosen}", f"--ambient-caps={chosen}",
            f"--bounding-set={chosen}"]


@needs_root
@needs("setpriv")
class Privileges(Case):
    def setUp(self):
        super().setUp()
        # The user may not be able to reach the directory of the build.
        self.copy = shutil.copy(support.FORKTAX, "forktax")
        os.chmod(self.copy, 0o755)
        if subprocess.run([*AS_NOBODY, "./forktax", "--version"], capture_output=True,
                          check=False).returncode:
            self.skipTest("nobody cannot execute a file in the directory for temporary files")

    def as_user(self, *arguments, prefix=AS_NOBODY):
        return self.finish(subprocess.Popen([*prefix, "./forktax", *arguments],
                                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE))

    def refused(self, prefix, missing):
        result = self.as_user("run", "--source=ebpf", "touch", "ran", prefix=prefix)
        self.assert_fails(result, 125, f"needs {missing};", "root", "setcap")
        self.assert_not_run()
        result = self.as_user("compare", "--no-time", "--source=ebpf", "touch ran",
                              prefix=prefix)
        self.assert_fails(result, 125, f"needs {missing}; ", "root")
        self.assert_not_run()
        result = self.as_user("run", shutil.which("touch"), "ran",
                              prefix=[*prefix, *WITHOUT_STRACE])
        self.assert_fails(result, 125, f"needs {missing};", "strace is not installed")
        self.assert_not_run()

    def test_no_capability(self):
        self.refused(AS_NOBODY, "CAP_BPF and CAP_PERFMON")

    def test_only_cap_bpf(self):
        self.refused(with_capabilities("bpf"), "CAP_PERFMON")

    def test_only_cap_perfmon(self):
        self.refused(with_capabilities("perfmon"), "CAP_BPF")

    def test_explain_without(self):
        """A start is explained by strace; forks are not, in the words of all other commands."""
        result = self.as_user("explain", "true")
        self.assert_fails(result, 125, "needs CAP_BPF and CAP_PERFMON; run forktax as root (sudo)", "setcap",
                          "--startup explains the start of a command by strace")
        result = self.as_user("explain", "--startup", "true")
        if b"strace is not installed" in result.err:
            self.skipTest("no strace")
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"Phases of the start", result.out)
        self.assertIn(b"explained by strace: without page faults", result.err)

    def test_starts_beside_each_other_without(self):
        result = self.as_user("compare", "--startup", "--no-time", "true", "false")
        self.assert_fails(result, 125, "needs CAP_BPF and CAP_PERFMON; run forktax as root (sudo)",
                          "leave out --startup, to count by strace")

    def test_stacks_without(self):
        """Only the call stacks need eBPF: the message names what goes without."""
        result = self.as_user("run", "-k", "touch", "ran")
        self.assert_fails(result, 125, "needs CAP_BPF and CAP_PERFMON; run forktax as root (sudo)",
                          "leave out -k")
        self.assert_not_run()
        result = self.as_user("run", "-k", "--source=ebpf", "touch", "ran")
        self.assert_fails(result, 125, "needs CAP_BPF and CAP_PERFMON")
        self.assertNotIn(b"leave out", result.err)

    def test_enough_capabilities(self):
        result = self.as_user("run", "--json", "touch", "ran",
                              prefix=with_capabilities("bpf", "perfmon"))
        self.assertEqual(result.status, 0, result)
        self.assertTrue(os.path.exists("ran"))

    def test_doctor_without_capabilities(self):
        result = self.as_user("doctor", prefix=[*AS_NOBODY, *WITHOUT_STRACE])
        self.assertEqual((result.status, result.err), (125, b""), result)
        self.assertTrue(result.out.startswith(b"forktax cannot trace commands here.\n"), result)
        self.assertIn(b"CAP_BPF and CAP_PERFMON", result.out)

    def test_report_needs_no_capability(self):
        self.trace("true")
        os.chmod("run.json", 0o644)
        self.assertEqual(self.as_user("report", "run.json").status, 0)

    def test_another_user_without_the_right(self):
        result = self.as_user("run", "-u", "root", "touch", "ran",
                              prefix=with_capabilities("bpf", "perfmon"))
        self.assert_fails(result, 125, "-u root: only root (CAP_SETUID and CAP_SETGID)")
        self.assert_not_run()
        result = self.as_user("run", "--source=strace", "-u", "root", "touch", "ran")
        self.assert_fails(result, 125, "-u root: only root (CAP_SETUID and CAP_SETGID)")

    def test_directory_that_may_not_be_entered(self):
        os.mkdir("closed", 0o700)
        self.assert_fails(self.as_user("run", "closed/program"), 126, "closed/program: Permission denied")

    def test_root_without_sys_resource(self):
        prefix = ["setpriv", "--bounding-set=-sys_resource"]
        self.assertEqual(self.as_user("run", "true", prefix=prefix).status, 0)

    def test_no_new_privileges(self):
        self.assertEqual(self.as_user("run", "true", prefix=["setpriv", "--no-new-privs"]).status, 0)


@needs_root
@needs("unshare")
class Machine(Case):
    def hiding(self, directory, *arguments, without_strace=False):
        script = f'mount -t tmpfs none {directory} && exec "$@"'
        if without_strace:
            script = script.replace("exec", f"exec {' '.join(WITHOUT_STRACE)}")
        return self.forktax(*arguments,
                            prefix=["unshare", "-m", "--propagation=private", "sh", "-c", script, "sh"])

    def test_no_btf(self):
        self.assert_fails(self.hiding("/sys", "run", "--source=ebpf", "touch", "ran"), 125,
                          "/sys/kernel/btf/vmlinux")
        self.assert_not_run()

    @needs("strace")
    def test_strace_where_there_is_no_btf(self):
        result = self.hiding("/sys", "run", "-o", "report", "touch", "ran")
        self.assertEqual(result.status, 0, result)
        self.assert_one_line(result.err, "counted by strace", "/sys/kernel/btf/vmlinux")
        self.assertTrue(os.path.exists("ran"))

    @needs("strace")
    def test_lines_are_only_wanted_where_they_are_seen(self):
        """compare counts by line of scripts if it can; run --lines was asked for them."""
        result = self.hiding("/sys", "compare", "--no-time", "--traced-runs=1", "true", "true")
        self.assertEqual(result.status, 0, result)
        self.assert_one_line(result.err, "counted by strace")
        self.assert_fails(self.hiding("/sys", "run", "--lines", "touch", "ran"), 125, "/sys/kernel/btf/vmlinux")
        self.assert_not_run()

    def test_doctor_without_btf(self):
        result = self.hiding("/sys", "doctor", without_strace=True)
        self.assertEqual((result.status, result.err), (125, b""), result)

    def rows_of_strace(self, *prefix):
        self.shell(" ".join([*prefix, "$FORKTAX doctor --json -o doctor.json"]))
        return {row["name"]: row for row in self.saved("doctor.json")["capabilities"] if row["of"] == "strace"}

    def test_doctor_without_strace(self):
        """Nothing is said to work by it, or to be missing of it."""
        for name, row in self.rows_of_strace(*WITHOUT_STRACE).items():
            with self.subTest(name):
                self.assertNotEqual(row["state"], "available")
                self.assertIn("strace is not installed", row["reason"])

    @needs("strace")
    def test_no_dev_fd(self):
        """/dev of a bare container: strace needs nothing of it."""
        bare = "unshare -m --propagation=private sh -c 'mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && exec \"$@\"' sh"
        result = self.shell(f"{bare} $FORKTAX run --source=strace -o report true")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertEqual({row["state"] for row in self.rows_of_strace(bare).values()}, {"available"})

    def test_no_proc(self):
        result = self.hiding("/proc", "run", "--json", "-o", "run.json", "sh", "-c", "true & wait")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(self.saved()["totals"]["forks"], 1)
