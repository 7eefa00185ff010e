# SPDX-License-Identifier: GPL-2.0-or-later
"""Where forktax spends its time: runs and nanoseconds of each of its programs, by the kernel's own
bpf_stats."""
import json

SWITCH = "/proc/sys/kernel/bpf_stats_enabled"


class Statistics:
    """The kernel counts while this is open. Its two clock readings per run are in the time."""

    def __enter__(self):
        with open(SWITCH) as file:
            self.before = file.read()
        self.write("1")

    def __exit__(self, *_):
        self.write(self.before)

    def write(self, value):
        with open(SWITCH, "w") as file:
            file.write(value)


# The tracer's own programs are those whose descriptors it holds; the empty ones are held by the
# command itself.
SCRIPT = """shown=$1; list=$2; shift 2
"$@" 2>/dev/null || exit
exec "$list" "$shown" $PPID $$
"""


def run(setup, tool, target):
    """The programs as they stand when the target has ended, but the tracer has not."""
    shown = setup.runner.path("programs")
    setup.runner.run(tool, ["/bin/sh", "-c", SCRIPT, "sh", shown,
                            f"{setup.build}/tests/bench/bench-programs", *target])
    with open(shown) as file:
        return json.load(file)
