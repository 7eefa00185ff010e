# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts whose text is not what it was when they ran, or never ends: `run --lines` and `explain` read it."""
import os
import subprocess

from limits import HostileCase
from support import needs, needs_root

GIB = 1 << 30
FORKS = b"(:)\n(:)\n"

# What a script puts in its own place before it ends: words of sh, {} is its path.
PLACES = {
    "a FIFO": "mkfifo {}",
    "a link to a FIFO": "mkfifo fifo; ln -s fifo {}",
    "a link to /dev/ptmx": "ln -s /dev/ptmx {}",
    "a link to /dev/zero": "ln -s /dev/zero {}",
    "a link to /dev/random": "ln -s /dev/random {}",
    "a link to /dev/tty": "ln -s /dev/tty {}",
    "a link to /proc/kmsg": "ln -s /proc/kmsg {}",
    "a link to /proc/self/mem": "ln -s /proc/self/mem {}",
    "a link to /proc/kcore": "ln -s /proc/kcore {}",
    "a link to /sys/kernel/tracing/trace_pipe": "ln -s /sys/kernel/tracing/trace_pipe {}",
    "a link to itself": "ln -s {} {}",
    "a link to nothing": "ln -s nowhere {}",
    "a directory": "mkdir {}",
    "a device": "mknod {} c 1 5",
    "a socket": "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => shift, Listen => 1)' {}",
    "nothing": ":",
    "another file": "echo '# another' > {}",
    "an endless file": "truncate -s 100G {}",
}


@needs_root
class Scripts(HostileCase):
    def script(self, name, text):
        with open(name, "wb") as file:
            file.write(text)
        os.chmod(name, 0o755)
        return name

    def replaced(self, *words, suffix=b"", **limits):
        for name, place in PLACES.items():
            replace = f"rm -rf script fifo; {place.replace('{}', 'script')}\n".encode()
            self.script("script", b"#!/bin/bash\n" + FORKS + replace + suffix)
            with self.call(f"{' '.join(words)}: {name}"):
                self.limited(*words, "bash", "script", statuses=(0,), **limits)
            subprocess.run("rm -rf script fifo", shell=True, check=True)

    def test_replaced(self):
        self.replaced("run", "--lines")

    def test_replaced_for_a_while(self):
        self.replaced("run", "--lines", "--duration=1", suffix=b"sleep 3 &\n")

    def test_replaced_and_explained(self):
        self.replaced("explain", "--no-try", "-n1", "--traced-runs=1", resident_mib=200)

    def test_nothing_is_opened_but_files(self):
        """Who writes to the FIFO would go on if forktax opened it."""
        self.script("script", b"#!/bin/bash\n" + FORKS + b"rm script; mkfifo script\n")
        writer = subprocess.Popen(["sh", "-c", "until [ -p script ]; do sleep 0.01; done; echo : > script; echo opened > seen"])
        try:
            result = self.limited("run", "--lines", "bash", "script", statuses=(0,))
        finally:
            writer.kill()
            writer.wait()
        self.assertIn(b"the file has changed", result.err)
        self.assertFalse(os.path.exists("seen"), "somebody opened the FIFO")

    @needs("perl")
    def test_endless(self):
        texts = {
            "a line far behind a hole": (b"#!/usr/bin/perl\nsystem '(:)';\n# line 100000\nsystem '(:)';\n__END__\n", GIB),
            "a hole of 8 GiB": (b"#!/usr/bin/perl\n# line 4000000000\nsystem '(:)';\n__END__\n", 8 * GIB),
            "a long line": (b"#!/usr/bin/perl\n# line 3\nsystem '(:)'; #" + b"x" * (40 << 20) + b"\nsystem '(:)';\n", 0),
            "many lines": (b"#!/usr/bin/perl\nsystem '(:)';\n# line 30000000\nsystem '(:)';\n__END__\n" + b"\n" * (20 << 20), 0),
        }
        for name, (text, size) in texts.items():
            self.script("script", text)
            if size:
                os.truncate("script", size)
            with self.call(name):
                result = self.limited("run", "--lines", "./script", statuses=(0, 255))
                if result.status == 0:
                    self.assertIn(b"script:", result.err)

    def test_cut_text_is_said(self):
        self.script("script", b"#!/usr/bin/perl\nsystem '(:)';\n# line 100000\nsystem '(:)';\n__END__\n")
        os.truncate("script", 64 << 20)
        result = self.limited("run", "--lines", "--show=lines", "./script", statuses=(0,))
        self.assertIn(b"reads 16 MiB of a script", result.err.replace(b"\n", b" "))

    def test_first_lines(self):
        heads = {
            "an endless word": b"#!/" + b"x" * (1 << 20),
            "blanks without end": b"#!" + b" " * (1 << 20) + b"/bin/sh\n",
            "nothing": b"#!\n", "zeros": b"#!" + bytes(1000), "itself": b"#!./script\n", "a device": b"#!/dev/zero\n",
            "a FIFO": b"#!./fifo\n", "escapes": b"#!\x1b[31m\xff\n", "a directory": b"#!/\n", "relative": b"#!bash\n",
        }
        os.mkfifo("fifo", 0o777)
        for name, head in heads.items():
            self.script("script", head)
            os.truncate("script", GIB)
            for words in (["run", "--lines"], ["explain", "--no-try", "-n1", "--traced-runs=1"], ["compare", "-n1"]):
                with self.call(f"{' '.join(words)}: {name}"):
                    self.limited(*words, "./script", statuses=(0, 125, 126, 127, 1), resident_mib=200)

    def test_earlier_in_the_path(self):
        """What is called like the command, and stands before it in PATH."""
        places = {"a FIFO": "mkfifo -m 777 {}", "a device": "mknod -m 777 {} c 5 2", "a directory": "mkdir {}",
                  "a link to /dev/ptmx": "ln -s /dev/ptmx {}", "a link to itself": "ln -s {} {}",
                  "an endless script": "printf '#!/' > {}; truncate -s 100G {}; chmod 755 {}"}
        for name, place in places.items():
            for command in ("bash", "python3", "make", "true"):
                os.makedirs("first", exist_ok=True)
                subprocess.run(place.replace("{}", f"first/{command}"), shell=True, check=True)
                for words in (["run", "--lines"], ["explain", "--no-try", "-n1", "--traced-runs=1"])[:1 + (command == "bash")]:
                    with self.call(f"{' '.join(words)} {command}: {name}"):
                        self.limited(*words, command, "--version", statuses=(0, 1, 125, 126, 127), resident_mib=200,
                                     env={**os.environ, "PATH": f"{self.scratch}/first:{os.environ['PATH']}"})
                subprocess.run("rm -rf first", shell=True, check=True)
