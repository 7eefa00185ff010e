# SPDX-License-Identifier: GPL-2.0-or-later
"""lines-arm64.py CONFORMANCE FORKTAX SAMPLES WITNESS LANGUAGE: a script whose forks are known, by line. strace counts them."""
import os
import shutil
import sys
from collections import Counter

CONFORMANCE, *TOOLS, LANGUAGE = sys.argv[1:]
sys.path.insert(0, CONFORMANCE)

import balance # noqa: E402
from check import Check, skip # noqa: E402
from runs import Tools, forks_by_strace # noqa: E402

BASH = """f() {
    /bin/true
    x=$(:)
}
f
for i in 1 2; do /bin/true; done
f
"""
# The first fork may come before the program ever pauses.
PYTHON = """import os, threading
def f():
    os.spawnv(os.P_WAIT, "/bin/true", ["true"])
os.spawnv(os.P_WAIT, "/bin/true", ["true"])
f()
thread = threading.Thread(target=f)
thread.start()
thread.join()
pid = os.fork()
if not pid:
    f()
    os._exit(0)
os.waitpid(pid, 0)
"""
PERL = """my $pid = fork();
exit 0 if !$pid;
waitpid($pid, 0);
sub f { system("/bin/true"); }
f();
f() for 1 .. 2;
$pid = fork();
if (!$pid) { f(); exit 0; }
waitpid($pid, 0);
"""
# Forks by line and function.
CASES = {
    "bash": (BASH, {(2, "f"): 2, (3, "f"): 2, (6, None): 2}),
    "python": (PYTHON, {(4, None): 1, (3, "f"): 3, (9, None): 1}),
    "perl": (PERL, {(1, None): 1, (4, None): 4, (7, None): 1}),
}


def main():
    tools, check = Tools(*TOOLS), Check()
    text, expected = CASES[LANGUAGE]
    program = shutil.which({"python": "python3"}.get(LANGUAGE, LANGUAGE))
    if not program:
        skip(f"no {LANGUAGE}")
    script = tools.path("script")
    with open(script, "w", encoding="ascii") as file:
        file.write(text)
    command = [os.path.realpath(program), script]
    _, run = tools.trace(command, "--lines")
    balance.check_balance(check, run)
    rows = run.saved["lines"]["rows"]
    found = Counter()
    for row in rows:
        check.equal("text", row["text"], text.split("\n")[row["line"] - 1].strip() if row["line"] else None)
        found[row["line"], row["function"]] += row["children"]
    check.equal_counts("forks by line", found, Counter(expected))
    check.equal("language", {row["language"] for row in rows}, {LANGUAGE})
    check.equal("forks, by strace", run.saved["totals"]["forks"], forks_by_strace(command, tools.path("forks.log")))
    check.finish()


main()
