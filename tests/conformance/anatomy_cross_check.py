# SPDX-License-Identifier: GPL-2.0-or-later
"""The totals of an anatomy: rows, samples and the counts of the same run must agree.

The counts (totals, groups, processes) are checked by balance.py and against other witnesses; what
stands here ties the anatomy to them.
"""
from collections import Counter

import balance
import rules

# Of the faults of a run, those whose place may be unknown: a mapping that was gone when it was looked up.
UNPLACED = 0.01


def rows(run, group=..., phase=None):
    """group None: of the roots."""
    return [row for row in run.saved["anatomy"]
            if group in (..., row["group"]) and phase in (None, row["phase"])]


def faults(some):
    return sum(row["faults"] for row in some)


def by_class(some):
    total = Counter()
    for row in some:
        total[row["class"]] += row["faults"]
    return total


def members(run, group):
    return [one for one in run.processes if one["group"] == group]


def provider_of(run, symbol):
    """None where it is not known: the parent had ended before its mappings were looked at."""
    seen = any(layout["group"] == symbol["group"] for layout in run.saved["layouts"])
    if seen and symbol["provider"] is None:
        return "no object"
    return symbol["provider"]


def is_complete(run):
    """Every child was recorded: there were not more than are recorded anyway."""
    recorded = sum(sample["children"] for sample in run.saved["sampling"]["samples"])
    return recorded == run.totals["processes"]


def check_sample(check, run, sample):
    group = sample["group"]
    what = f"sample of group {group}"
    ended = [one for one in members(run, group) if one["finished"]]
    check.equal(f"{what}: recorded", sample["children"], len(ended))
    check.equal(f"{what}: faults", sample["faults"],
                sum(one["minflt"] + one["majflt"] for one in ended))
    check.equal(f"{what}: missed", sample["missed"], 0)
    check.equal(f"{what}: after forks outside of the sample", sample["unsampled"], 0)
    check.equal(f"{what}: rows of phase child + unattributed",
                faults(rows(run, group, "child")) + sample["child_unattributed"] +
                sample["child_beyond"],
                sample["child_faults"])
    if all(not one["children"] for one in ended):
        inherited = [image["faults"] for one in ended for image in one["images"]
                     if image["kind"] != "exec"]
        check.equal(f"{what}: child_faults", sample["child_faults"],
                    sum(one["total"] for one in inherited))
        check.equal_counts(f"{what}: classes of", by_class(rows(run, group, "child")),
                           Counter({key: sum(one[key] for one in inherited)
                                    for key in balance.CLASSES}),
                           ("rows", "images"))


def check_row(check, run, row):
    what = f"{row['phase']} {row['actor']} {row['class']} {row['object'] or row['place']}"
    sample = next(one for one in run.saved["sampling"]["samples"] if one["group"] == row["group"])
    check.that(row["faults"] > 0, f"{what}: a row of nothing")
    check.that(row["per_child"] == row["faults"] / sample["children"],
               f"{what}: {row['per_child']} per child of {sample['children']}")
    if row["phase"] == "child":
        check.that(0 < row["children"] <= min(row["faults"], sample["children"]),
                   f"{what}: {row['children']} children, {row['faults']} faults")
        check.that(row["since_ns"] > 0, f"{what}: not after the birth of any child")
    for prefix in ("", "ip_"):
        place, name = row[prefix + "place"], row[prefix + "object"]
        of_object = place in ("file", "bss")
        check.that((name is not None) == of_object, f"{what}: {prefix}object {name} of {place}")
    check.equal(f"{what}: place of kernel code", row["ip_place"] == "unknown" or
                row["actor"] != "kernel", True)
    check.that(row["call"] is None or row["actor"] == "kernel", f"{what}: call {row['call']}")


def check_durations(check, run):
    check.that(run.saved["sampling"]["durations"], f"no durations: {run.saved['integrity']['notes']}")
    rows = run.saved["anatomy"]
    untimed = sum(row["faults"] - row["timed"] for row in rows)
    # The kernel does not run the program that takes the time while another of its kind, preempted,
    # is unfinished on that CPU. The fault is recorded all the same.
    most = 0.02 * sum(row["faults"] for row in rows) if rules.programs_can_be_preempted() else 0
    check.that(untimed <= most, f"{untimed} faults were not timed")
    check.that(all((row["timed_ns"] > 0) == (row["timed"] > 0) for row in rows),
               "faults that took no time")


def check_places(check, run):
    total = faults(run.saved["anatomy"])
    lost = [row for row in run.saved["anatomy"] if row["place"] == "unknown" or
            (row["ip_place"] == "unknown" and row["actor"] != "kernel")]
    check.that(faults(lost) <= UNPLACED * total,
               f"places unknown of {faults(lost)} of {total} faults: {lost[:3]}")


def check_forks(check, run):
    for cost in run.saved["fork_cost"]:
        what = f"forks of group {cost['group']}"
        parts, whole = sum(cost["part_ns"].values()), cost["whole_ns"]
        ended = [one for one in members(run, cost["group"]) if one["finished"]]
        check.that(cost["complete"] <= cost["forks"] == len(ended),
                   f"{what}: {cost['forks']} of {len(ended)}, {cost['complete']} complete")
        check.equal(f"{what}: parts", parts, cost["typical_ns"])
        least, most = whole["min"] or 0, whole["max"] or 0
        check.that(cost["typical"] * least <= parts <= cost["typical"] * most,
                   f"{what}: {parts} ns in {cost['typical']} typical forks of {whole}")
        check.equal(f"{what}: those that are not typical, on either side",
                    cost["complete"] - cost["typical"], 2 * (cost["complete"] // 4))
        check.equal(f"{what}: those with all parts", cost["complete"], whole["count"])
        check.equal(f"{what}: calls timed", cost["call_ns"]["count"], cost["forks"])


def check_totals(check, run):
    """Of a run in which every child was recorded."""
    check.that(is_complete(run), f"not all recorded: {run.saved['sampling']}")
    samples = run.saved["sampling"]["samples"]
    for sample in samples:
        check_sample(check, run, sample)
    for row in run.saved["anatomy"]:
        check_row(check, run, row)
    apart = sum(sample["unattributed"] + sample["missed"] + sample["beyond"] for sample in samples)
    check.equal("all rows + unattributed + missed + beyond", faults(run.saved["anatomy"]) + apart,
                run.totals["faults"]["total"])
    check.equal_counts("all rows: class", by_class(run.saved["anatomy"]),
                       Counter({key: run.totals["faults"][key] for key in balance.CLASSES}),
                       ("rows", "totals"))
    check_durations(check, run)
    check_places(check, run)
    check_forks(check, run)


def trace_named(tools, command, *options, before=()):
    """Again if the paths of files were lost: the last run."""
    for left in reversed(range(rules.NAMES_TRIES)):
        result, run = tools.trace(command, "--anatomy", *options, before=before)
        nameless = [one for one in run.saved["objects"] if one["path"] is None]
        if not left or not nameless:
            return result, run
        print(f"again: {' '.join(command)}: paths lost of {nameless}")


def trace(check, tools, command, *options, before=()):
    """A run with its anatomy, its totals compared, and read back by forktax."""
    result, run = trace_named(tools, command, *options, before=before)
    balance.check_balance(check, run)
    check_totals(check, run)
    report = tools.execute([tools.forktax, "report", tools.path("run.json")])
    check.equal(f"forktax report ({report.stderr.decode().strip()})", report.returncode, 0)
    return result, run
