# SPDX-License-Identifier: GPL-2.0-or-later
"""A cgroup of a test's own, in whichever hierarchy has the controller."""
import os

from support import wait_until


def hierarchy(controller):
    """(directory, version) of the cgroup below which we may make ours; None: there is none."""
    with open("/proc/self/mounts", encoding="utf-8") as file:
        mounts = [line.split()[1:4] for line in file]
    for directory, kind, options in mounts:
        if kind == "cgroup" and controller in options.split(","):
            return directory, 1
    for directory, kind, _ in mounts:
        try:
            with open(f"{directory}/cgroup.subtree_control", encoding="utf-8") as file:
                if kind == "cgroup2" and controller in file.read().split():
                    return directory, 2
        except OSError:
            pass
    return None


class Cgroup:
    """Limits what joins it; removed at the end of the test."""

    def __init__(self, case, controller, limits):
        found = hierarchy(controller)
        if not found:
            case.skipTest(f"no cgroup hierarchy with the {controller} controller")
        directory, version = found
        self.path = f"{directory}/forktax-faults-{os.getpid()}"
        try:
            os.mkdir(self.path)
        except OSError as error:
            case.skipTest(f"no cgroup can be made: {error}")
        case.addCleanup(self.remove)
        for name, value in limits[version].items():
            with open(f"{self.path}/{name}", "w", encoding="utf-8") as file:
                file.write(str(value))

    def remove(self):
        if not wait_until(self._removed):
            raise OSError(f"{self.path} cannot be removed")

    def _removed(self):
        try:
            os.rmdir(self.path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    @property
    def prefix(self):
        """Runs the command that follows inside."""
        return ["sh", "-c", f'echo $$ >{self.path}/cgroup.procs && exec "$@"', "sh"]
