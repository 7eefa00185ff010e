# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands, their arguments, environments and descriptors, made to harm."""
import os
import resource
import subprocess

import support
from limits import HostileCase
from support import needs, needs_root

ESCAPES = b"\x1b]0;x\x07\n\r\xff"
COUNTS = (1, 1000, 50000, 200000)


@needs_root
class Commands(HostileCase):
    def test_arguments(self):
        for count in COUNTS:
            for argument in (b"", b"x", b"'", ESCAPES[:3], b"%s"):
                for words in (["run"], ["run", "--json"]):
                    if count * (len(argument) + 1 + 8) > 2000000:
                        continue
                    with self.call(f"{' '.join(words)} with {count} times {argument!r}"):
                        self.limited(*words, "true", *[argument] * count, statuses=(0, 125, 126))

    def test_arguments_that_are_saved(self):
        self.limited("run", "--json", "-o", "run.json", "true", *[""] * 200000, statuses=(0,))
        for words in (["report"], ["report", "--csv"], ["report", "--html"], ["compare"]):
            with self.call(" ".join(words)):
                self.limited(*words, "run.json", statuses=(0,))

    def test_environment(self):
        environments = {
            "many variables": {f"V{number}": "x" for number in range(20000)},
            "a long variable": {"V": "x" * 100000},
            "a long PATH": {"PATH": ":".join(["/nowhere"] * 10000) + ":/bin"},
            "a PATH of FIFOs": {"PATH": ":".join(["fifo"] * 1000) + ":/bin"},
            "an empty PATH": {"PATH": ""},
            "LD_PRELOAD of a FIFO": {"LD_PRELOAD": "./fifo-that-is-none"},
            "LD_LIBRARY_PATH": {"LD_LIBRARY_PATH": ":".join(["/nowhere"] * 2000)},
            "no TMPDIR": {"TMPDIR": "/nowhere"},
            "COLUMNS": {"COLUMNS": "4000000000"}, "COLUMNS below": {"COLUMNS": "-1"}, "LINES": {"LINES": "99999999999"},
            "LANG": {"LANG": "x" * 10000, "LC_ALL": "../../../dev/zero"},
            "TERM": {"TERM": "../" * 100 + "dev/zero"}, "NO_COLOR": {"NO_COLOR": ""},
        }
        os.mkfifo("fifo", 0o777)
        for name, variables in environments.items():
            for words in (["run"], ["run", "--lines", "--json"]):
                with self.call(f"{' '.join(words)}: {name}"):
                    self.limited(*words, "/bin/true", env={**os.environ, **variables}, statuses=(0, 127))

    def test_descriptors(self):
        closings = ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", "</dev/zero", ">/dev/full", "2>/dev/full", "<.", "3<>fifo >fifo")
        os.mkfifo("fifo")
        for closed in closings:
            for words in ("run true", "run --lines bash -c :", "report -", "doctor", "run -o /dev/full true"):
                with self.call(f"{words} {closed}"):
                    process = subprocess.run(["timeout", "60", "sh", "-c", f'exec "$0" {words} {closed}', support.FORKTAX],
                                             stdin=subprocess.DEVNULL, capture_output=True, check=False)
                    self.assertIn(process.returncode, (0, 1, 2, 125), process.stderr[:300])  # 124: it did not end

    def test_limits(self):
        def limit(kind, value):
            return lambda: resource.setrlimit(kind, (value, value))

        for name, kind, values in (("descriptors", resource.RLIMIT_NOFILE, (3, 8, 16, 64)),
                                   ("file size", resource.RLIMIT_FSIZE, (0, 1)),
                                   ("stack", resource.RLIMIT_STACK, (65536, 262144)),
                                   ("core", resource.RLIMIT_CORE, (0,)),
                                   ("data", resource.RLIMIT_DATA, (1 << 20, 8 << 20))):
            for value in values:
                for words in (["run"], ["run", "--lines"], ["report", "-"]):
                    with self.call(f"{' '.join(words)}: {value} {name}"):
                        self.limited(*words, *([] if words[-1] == "-" else ["true"]), preexec_fn=limit(kind, value),
                                     statuses=(0, 1, 2, 124, 125, 126, 127, 139, -11, -25, -31, 153))

    @needs("perl")
    def test_names_of_processes(self):
        for name in (b"", b")", b") S 1 1", b"\n", b"\nPid:\t1\n", ESCAPES, b"(" * 15, b"a b c", b"%n", b"\xf0\x9f\x92"):
            for words in (["run", "--show=tree"], ["run", "-k", "--lines", "--json"]):
                with self.call(f"{' '.join(words)}: {name!r}"):
                    self.limited(*words, b"perl", b"-e", b"$0 = shift; fork; wait", name, statuses=(0,))

    def test_forks_without_end(self):
        """A tree deeper, and wider, than anything ordinary."""
        for name, script in (("a chain", "f() { [ $1 = 0 ] || (f $(($1 - 1))); }; f 60"),
                             ("many", "for i in $(seq 2000); do (:); done"),
                             ("many at once", "for i in $(seq 300); do sleep 1 & done; wait"),
                             ("many programs", "for i in $(seq 300); do ln /bin/true t$i || cp /bin/true t$i; ./t$i; done")):
            for words in (["run", "--show=tree,processes"], ["run", "--lines"]):
                with self.call(f"{' '.join(words)}: {name}"):
                    self.limited(*words, "bash", "-c", script, statuses=(0,))
