# SPDX-License-Identifier: GPL-2.0-or-later
"""samples.py FORKTAX SAMPLES WITNESS NAME [brief] [LINKAGE]...: one sample in these linkages, or in all.

Each is run twice: alone under forktax, against the sample's own expectation; and under forktax
and strace at once, started by a witness that calls wait4, against what these two saw. And of the first run of a dynamic
program `forktax report` reads what strace wrote.
"""
import json
import os
import sys
from collections import Counter

import balance
import rules
import strace_report
import witnesses
from check import SKIPPED, Check, skip
from runs import Tools

# Linkages of the samples, and what the ELF file of each states.
LINKAGES = {"dynamic": "dynamic", "now": "dynamic-now", "static": "static",
            "static-pie": "static-pie", "diet": "static", "musl": "static", "musl-dyn": "dynamic"}

# Options of the runs, where the defaults would take long under strace; several rows: several runs.
ARGUMENTS = {
    "getppidloop": [["-n", "2000"]],
    "forkloop": [["-n", "20"], ["-n", "10", "-x"], ["-n", "10", "-t", "64"],
                 ["-n", "10", "-m", "vfork"], ["-n", "10", "-m", "clone"],
                 ["-n", "5", "-e", "/bin/true"], ["-n", "5", "-m", "vfork", "-e", "/bin/true"],
                 ["-n", "5", "-m", "spawn", "-e", "/bin/true"],
                 ["-n", "5", "-b", "48", "-r", "512", "-v", "20"]],
    "spawnloop": [["-n", "5", "-g", "12000"], ["-n", "10", "-m", "clone"], ["-n", "10", "-m", "pidfd"]]
                 + [["-n", "5", "-m", way, "-e", "/bin/true"]
                    for way in ("vfork-exec", "posix_spawn", "clone3-exec")],
    "vforkexec": [[], ["-f"]],
    "seccompsync": [[], ["-w"]],
    # On a busy machine forktax may take a while to see that the command has ended, before the daemon.
    "daemon": [["-l", "1000"]],
    "faultclasses": [[], ["-c", "huge"]],
}

# Instead of these, with `brief`: for emulated guests, where everything takes long.
BRIEF = {
    "manychildren": [["-n", "100"]],
    "forkloop": [["-n", "20"], ["-n", "10", "-t", "64"],
                 ["-n", "5", "-m", "spawn", "-e", "/bin/true"]],
    "spawnloop": [["-n", "10", "-m", "pidfd"], ["-n", "5", "-m", "clone3-exec", "-e", "/bin/true"]],
    "vforkexec": [["-f"]],
}


def expected(rows, value):
    return Counter({(row["abi"], row["name"]): row[value] or 0 for row in rows})


def check_calls(check, run, expectation):
    rows = expectation["syscalls"]
    for value in ("calls", "errors", "denied"):
        wanted = [row for row in rows if row[value] is not None]
        got = run.calls(value)
        for row in wanted:
            key = (row["abi"], row["name"])
            check.equal(f"{value} of {key}", got[key], row[value])
    wanted = Counter({(rules.ABI, row["call"], row["name"]): row["calls"]
                      for row in expectation["errnos"]})
    listed = {row["call"] for row in expectation["errnos"]}
    check.equal_counts("errors by errno", wanted, Counter({
        key: count for key, count in run.errnos().items() if key[1] in listed}),
        ("expected", "forktax"))
    got = run.root_calls()
    for row in rows:
        key = (row["abi"], row["name"])
        check.equal(f"calls of {key} by the root", got[key], row["of_root"])
    got = run.calls()
    for row in expectation["late"]:
        key = (row["abi"], row["name"])
        if key[1] not in rules.NEVER_RETURN:
            check.equal(f"late calls of {key}", got[key], 0)


def check_children(check, run, expectation):
    wanted = Counter()
    for row in expectation["children"]:
        status = None if row["signal"] else row["status"]
        wanted[(row["birth"], str(status), str(row["signal"] or None))] += row["count"]
    got = Counter((one["birth"], str(one["exit"]["status"]), str(one["exit"]["signal"]))
                  for one in run.children())
    if expectation["unfinished"]:
        # Whoever still runs has not ended as expected; it will, and then has exit status 0.
        for one in run.children():
            if not one["finished"]:
                got[(one["birth"], "None", "None")] -= 1
                got[(one["birth"], "0", "None")] += 1
    check.equal_counts("children (birth, status, signal)", got, wanted)


def check_faults(check, faults, expectation, path):
    for classes, least, exact in rules.certain_faults(expectation["faults"], path):
        got = sum(faults[key] for key in classes)
        check.that(got == least if exact else got >= least,
                   f"faults {' + '.join(classes)}: {got}, not {'' if exact else 'at least '}{least}"
                   f"; all: { {key: count for key, count in faults.items() if key != 'by_actor'} }")


def check_expectation(check, result, run, expectation, path):
    for key in ("processes", "forks", "execs", "threads"):
        check.equal(key, run.totals[key], expectation[key])
    check.equal("exit status of forktax", result.returncode, expectation["status"])
    check.equal("exit", run.saved["exit"], {"status": expectation["status"], "signal": None})
    check.equal("unfinished", run.saved["integrity"]["unfinished"], expectation["unfinished"])
    check_calls(check, run, expectation)
    check_children(check, run, expectation)
    check_faults(check, run.totals["faults"], expectation, path)


def check_two_runs(check, alone, together, log, expectation, name):
    """Being traced by strace changes nothing that is counted; what the witness created is the
    sample, and before its execve it makes no call. The second run waits for daemons."""
    with_strace = together.group_calls() - rules.restarted_waits(log)
    without = alone.calls() + expected(expectation["late"], "calls")
    check.equal_counts("calls with strace beside", rules.same_in_every_run(with_strace, name),
                       rules.same_in_every_run(without, name), ("with strace", "without"))


def test(check, tools, path, name, arguments, reported):
    printed = tools.execute([path, "--expect", *arguments])
    if printed.returncode == SKIPPED:
        print(f"left out: {check.context}: {printed.stderr.decode().strip()}")
        return
    expectation = json.loads(printed.stdout)
    command = [path, *arguments]
    result, alone = tools.trace(command)
    if result.returncode == SKIPPED:
        print(f"left out: {check.context}: {result.stderr.decode().splitlines()[0]}")
        return
    check_expectation(check, result, alone, expectation, path)
    linkage = LINKAGES[os.path.basename(os.path.dirname(path))]
    check.equal("linkage", alone.root()["images"][0]["linkage"], linkage)
    balance.check_balance(check, alone)
    result, together, log = tools.trace_with_strace(tools.under_witness(command))
    balance.check_balance(check, together)
    witnesses.check_strace(check, together, log, name)
    witnesses.check_wait4(check, together, tools.witnessed())
    if reported:
        strace_report.check_report(check, tools, together, name)
    if result.returncode == SKIPPED:
        print(f"left out: {check.context}: beside strace: {result.stderr.decode().strip()}")
    else:
        check_two_runs(check, alone, together, log, expectation, name)


def main():
    tools = Tools(*sys.argv[1:4])
    name, *options = sys.argv[4:]
    rows = (ARGUMENTS | BRIEF if "brief" in options else ARGUMENTS).get(name, [[]])
    linkages = [each for each in LINKAGES if each in options] or LINKAGES
    check = Check()
    found = False
    for linkage in linkages:
        path = os.path.join(tools.samples, linkage, name)
        if not os.path.exists(path):
            continue
        found = True
        for arguments in rows:
            check.context = " ".join([linkage, name, *arguments])
            # A log says nothing of linkages, and a guest reads it as everybody else does.
            reported = linkage == "dynamic" and arguments is rows[0] and "brief" not in options
            test(check, tools, path, name, arguments, reported)
    with open(os.path.join(tools.samples, "left-out.txt")) as left_out:
        for line in left_out:
            linkage, *names = line.split()
            if linkage in linkages and names[0] in (name, "*"):
                print("left out:", line.strip())
    if not found:
        skip(f"no linkage of {name} was built")
    check.finish()


if __name__ == "__main__":
    main()
