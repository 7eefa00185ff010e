# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests of watch have in common."""
import contextlib
import json
import os

from support import Case, wait_until
from test_cgroups import mount_point


def metrics(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rsplit(" ", 1) for line in file if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


class WatchCase(Case):
    def watch(self, *arguments, **popen):
        """forktax while it watches: counting has begun."""
        ready, said = os.pipe()
        process = self.start("watch", *arguments, f"--ready-fd={said}", pass_fds=[said], **popen)
        os.close(said)
        with os.fdopen(ready, "rb") as stream:
            self.assertEqual(stream.read(), b"ready\n", process)
        return process

    def samples(self, result):
        return [json.loads(line) for line in result.out.splitlines()]

    def cgroup(self, name):
        root = mount_point()
        if not root:
            self.skipTest("no cgroup file system of version 2 is mounted")
        path = f"/forktax-watch-p{os.getpid()}-{name}"
        try:
            os.mkdir(root + path)
        except OSError as error:
            self.skipTest(f"no cgroup can be made: {error}")
        self.addCleanup(wait_until, lambda: remove(root + path), 10)
        return path, root + path


def remove(directory):
    with contextlib.suppress(FileNotFoundError):
        try:
            os.rmdir(directory)
        except OSError as error:
            return isinstance(error, FileNotFoundError)
    return True
