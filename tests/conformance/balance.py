# SPDX-License-Identifier: GPL-2.0-or-later
"""The totals of a saved run match, whatever the command was."""
from collections import Counter
from statistics import median_low

import rules

CLASSES = ["cow_copy", "cow_reuse", "file_cow", "zero_fill", "zero_page", "file_map",
           "shared_write", "shmem", "swap_in", "pfn_map", "access_flag", "other"]
IMAGES_MOST = 1024 # of one process are listed
COUNTED = [*CLASSES, "unattributed", "total", "major", "kernel_mode", "page_table_pages"]


def sum_faults(parts):
    total = Counter()
    for part in parts:
        total.update({key: part[key] for key in COUNTED})
    return total


def check_faults(check, what, faults):
    parts = {key: faults[key] for key in [*CLASSES, "unattributed"]}
    check.equal(f"{what}: faults: sum of {parts}", sum(parts.values()), faults["total"])
    actors = Counter()
    for classes in faults["by_actor"].values():
        actors.update(classes)
    check.equal_counts(f"{what}: faults by actor", actors,
                       Counter({key: faults[key] for key in CLASSES if faults[key]}),
                       ("sum of actors", "class"))


def check_process(check, one):
    what = f"process {one['id']} (pid {one['pid']})"
    total = sum(image["faults"]["total"] for image in one["images"])
    check.equal(f"{what}: images are left out", one["images_left_out"] > 0, len(one["images"]) == IMAGES_MOST)
    check.equal(f"{what}: faults of its images", total, one["minflt"] + one["majflt"])
    check.equal(f"{what}: major faults of its images",
                sum(image["faults"]["major"] for image in one["images"]), one["majflt"])
    for image in one["images"]:
        check_faults(check, f"{what}, {image['kind']} image", image["faults"])


def check_copies(check, one):
    """The kernel's own count of copies on write: all COW copies are among them, and those first
    writes to a page of a file, or to the zero page, that find it mapped already. Threads that
    write to one page at once may each copy it, and all but one throw the copy away.
    To be asked for only while nobody switches delay accounting."""
    what = f"process {one['id']} (pid {one['pid']})"
    if one["wpcopy"] is None or one["threads"] > 1 or not one["finished"]:
        return
    faults = sum_faults([image["faults"] for image in one["images"]])
    copies = faults["cow_copy"]
    least = 0 if rules.short_copies_take_no_time() else copies
    most = copies + faults["file_cow"] + faults["zero_fill"]
    check.that(least <= one["wpcopy"] <= most,
               f"{what}: wpcopy {one['wpcopy']}, but {least} COW copies and at most {most} copies")


def check_distribution(check, what, distribution, values):
    check.equal(f"{what}: total", distribution["total"], sum(values))
    if distribution["rounded"] or not values:
        return
    check.equal(f"{what}: min", distribution["min"], min(values))
    check.equal(f"{what}: max", distribution["max"], max(values))
    check.equal(f"{what}: median", distribution["median"], median_low(values))


def check_group(check, run, index):
    group = run.groups[index]
    what = f"group {index} ({group['birth']}, fate {group['fate']})"
    members = [one for one in run.processes if one["group"] == index]
    ended = [one for one in members if one["finished"]]
    check.equal(f"{what}: children", group["children"], len(ended))
    check.equal(f"{what}: unfinished", group["unfinished"], len(members) - len(ended))
    for one in members:
        check.equal(f"{what}: birth of process {one['id']}", one["birth"], group["birth"])
    images = [[image for image in one["images"]] for one in ended]
    check_distribution(check, f"{what}: syscalls", group["syscalls"],
                       [sum(image["syscalls"] for image in each) for each in images])
    check_distribution(check, f"{what}: faults", group["faults"],
                       [sum(image["faults"]["total"] for image in each) for each in images])
    for key in CLASSES:
        check_distribution(check, f"{what}: {key}", group["classes"][key],
                           [sum(image["faults"][key] for image in each) for each in images])
    everything = [image["faults"] for one in members for image in one["images"]]
    check.equal_counts(f"{what}: inherited + exec'd faults",
                       sum_faults([group["inherited"], group["execd"]]), sum_faults(everything),
                       ("group", "processes"))


def check_totals(check, run):
    totals, processes = run.totals, run.processes
    roots = [one for one in processes if one["birth"] in ("root", "attached")]
    check.equal("processes listed", len(processes), totals["processes"])
    check.equal("roots + forks", len(roots) + totals["forks"], totals["processes"])
    threads = sum(one["threads"] - 1 for one in processes)
    brought = sum(one["threads"] - 1 for one in processes if one["birth"] == "attached")
    check.that(threads - brought <= totals["threads"] <= threads,
               f"threads of the processes: {threads}, {brought} of which may have been there, not {totals['threads']}")
    check.equal("children of the processes", sum(one["children"] for one in processes),
                totals["forks"])
    check.equal("exec'd images", sum(one["images_left_out"] for one in processes) +
                sum(image["kind"] == "exec" for one in processes for image in one["images"]), totals["execs"])
    check.equal("calls in the table", sum(run.calls().values()), totals["syscalls"])
    check.equal("calls of the processes", sum(image["syscalls"] for one in processes
                                              for image in one["images"]), totals["syscalls"])
    for value in ("calls", "errors", "denied"):
        check.equal_counts(f"roots + groups: {value} of",
                           run.root_calls(value) + run.group_calls(value), run.calls(value),
                           ("sum", "table"))
    check.equal_counts("roots + groups: errnos of", run.part_errnos(), run.errnos(),
                       ("sum", "table"))
    parts = [run.saved["roots"]["faults"]]
    parts += [part for group in run.groups for part in (group["inherited"], group["execd"])]
    check.equal_counts("roots + groups: faults", sum_faults(parts),
                       sum_faults([totals["faults"]]), ("sum", "total"))
    check_faults(check, "total", totals["faults"])


def check_errnos(check, rows):
    for row in rows:
        what = f"{row['abi']} {row['name']}"
        check.equal(f"errors of {what}, by errno", sum(each["calls"] for each in row["errnos"]),
                    row["errors"])
        check.equal(f"calls of {what} that never returned", row["unfinished"],
                    row["calls"] if row["name"] in rules.NEVER_RETURN else 0)


def check_balance(check, run):
    losses = run.saved["integrity"]
    attached = any(run.saved.get(key) for key in ("attached", "cgroups", "whole_machine"))
    if rules.inexact_by_preemption(losses): # Tools.trace() has tried often enough; all that was counted is checked
        print(f"not exact, because of recursion misses: {check.context}")
    else:
        check.equal("exact", losses["exact"], attached or not losses["unfinished"])
    check_totals(check, run)
    for rows in (run.saved["syscalls"], run.saved["roots"]["calls"],
                 *(group["calls"] for group in run.groups)):
        check_errnos(check, rows)
    for one in run.processes:
        check_process(check, one)
    for index in range(len(run.groups)):
        check_group(check, run, index)
