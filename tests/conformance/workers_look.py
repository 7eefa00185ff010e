# SPDX-License-Identifier: GPL-2.0-or-later
"""What forktax workers says of a pool, and the kernel's sums beside."""
import json
import os
import signal
import subprocess

from check import PATIENCE_S

CLASSES = ("identical", "few_words", "different", "unstable", "unread")
PLAIN = ("shared", "remapped", "merged", "private", "unknown_origin", "new", "file_private", "proven",
         "assumed", "unknown", "dropped", "swapped", "huge")
PERHAPS = tuple(f"perhaps_{name}" for name in CLASSES)  # of unknown origin
HINTS = ("changed_words", "count_words", "age_words")
ALL = PLAIN + CLASSES + PERHAPS + HINTS
PAGE = os.sysconf("SC_PAGE_SIZE")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def end_group(process):
    """Kills a process and its group, which has its pid, and closes its pipes."""
    os.killpg(process.pid, signal.SIGKILL)
    process.stdin.close()
    process.stdout.close()
    process.wait()


def look(forktax, pid, *options, before=(), status=0):
    done = subprocess.run([*before, forktax, "workers", "-p", str(pid), "--json", *options],
                          capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode != status:
        raise SystemExit(f"forktax workers: {done.returncode} {done.stderr}")
    return json.loads(done.stdout)


def flat(counts):
    """The pages of a worker or of one of its mappings, by class."""
    found = {name: counts[f"{name}_pages"] for name in PLAIN}
    found.update(counts["private"] | counts["hints"])
    found.update({f"perhaps_{name}": pages for name, pages in counts["unknown_origin"].items()})
    return {name: found[name] for name in ALL}


def kernel_sums(pid):
    sums = {}
    for line in read(f"/proc/{pid}/smaps_rollup").splitlines()[1:]:
        key, value = line.split(":")
        sums[key] = int(value.split()[0])
    return sums


def compare_with_kernel(check, state, exact=True):
    """Each present anonymous page is in one class, and the totals match."""
    for one in [state["master"], *state["workers"]]:
        check.context = f"process {one['pid']}"
        present = one["shared_pages"] + one["private_pages"] + one["unknown_pages"]
        sums = kernel_sums(one["pid"])
        anonymous = sums["Anonymous"]
        if exact:
            check.equal("KiB present, by smaps_rollup", present * PAGE // 1024, anonymous)
        else:
            check.that(abs(present * PAGE // 1024 - anonymous) <= 64 + anonymous * 0.02,
                       f"{present * PAGE // 1024} KiB present, {anonymous} by smaps_rollup")
        if one["counted_bytes"] is not None:
            reported = one["pss_anon_bytes"]  # None: not read, as it would hold up the pool
            gap = one["counted_bytes"] - (sums["Pss_Anon"] * 1024 if reported is None else reported)
            check.that(-1024 <= gap <= 1024 or not exact, f"gap of {gap} bytes")
    check.context = "pool"
    totals = state["pool"]["cross_check"]
    if exact and state["integrity"]["witness"] == "frames":
        check.that(totals["matches"], f"the totals do not match: {totals}")
