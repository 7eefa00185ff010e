# SPDX-License-Identifier: GPL-2.0-or-later
"""lateforks.py FORKTAX SAMPLES WITNESS PROGRAM OBJECT

Attaches to processes that are creating a child, after the kernel has announced it with its flags
(task_newtask) and before it exists (sched_process_fork): lateforks.c makes that moment long. The births
of all children must be right, also of the one that was being born.
"""
import json
import subprocess
import sys

from check import Check
from runs import Tools

TRIES = 8 # about every third attaches at that moment
BIRTHS = {"fork": "fork", "clone": "clone", "vfork": "vfork", "clone-vfork": "vfork", "clone3-vfork": "vfork",
          "int80-vfork": "vfork", "int80-clone-vfork": "vfork"}


def births(tools, program, slow, way):
    saved = tools.path("run.json")
    with subprocess.Popen([program, slow, way], stdout=subprocess.PIPE, text=True) as maker:
        try:
            if maker.stdout.readline() != "ready\n":
                raise RuntimeError(f"{program} did not begin")
            subprocess.run([tools.forktax, "run", "-q", "--json", "-o", saved, "--show=processes", "-p", str(maker.pid),
                            "--duration", "0.1"], check=True)
        finally:
            maker.kill()
    with open(saved, encoding="utf-8") as file:
        return [one["birth"] for one in json.load(file)["processes"] if one["birth"] != "attached"]


def main():
    tools = Tools(*sys.argv[1:4])
    check = Check()
    for way, birth in BIRTHS.items():
        check.context = way
        got = {one for _ in range(TRIES) for one in births(tools, *sys.argv[4:6], way)}
        check.equal("births", got, {birth})
    check.finish()


if __name__ == "__main__":
    main()
