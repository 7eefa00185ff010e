# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: needs:python3-jsonschema
"""start_compare.py FORKTAX SAMPLES WITNESS CASE: what `forktax compare --startup` says of a pair of
linkages, "A-and-B", beside `forktax explain --startup` of each, strace's calls and the page faults
that wait4 counted; and its sums."""
import csv
import json
import pathlib
import sys
from collections import Counter

import rules
from check import Check
from runs import Tools
from start import command_of, explain, strace

DIRTYING = ("cow_copy", "file_cow", "zero_fill")


def compare(tools, commands, *options):
    saved = tools.path("compare")
    result = tools.execute([tools.forktax, "compare", "--startup", "--no-time", "--traced-runs", "1",
                            *options, "-o", saved, *(" ".join(words) for words in commands)])
    if result.returncode:
        raise RuntimeError(result.stderr.decode())
    with open(saved, newline="") as file:
        return json.load(file) if "--json" in options else list(csv.DictReader(file))


def value(cell):
    return cell["median"] if cell else None


def rows_of(comparison, section, column):
    return {row["key"]: value(row["cells"][column]) for row in comparison["rows"]
            if row["section"] == section}


def sum_of(phases):
    return sum(number or 0 for key, number in phases.items() if key != "total")


def check_column(check, comparison, index, start):
    """The counts of another traced run of the same command in the same layout, by `explain`."""
    def rows(section):
        return rows_of(comparison, section, index)

    classes = rows("start_classes")
    for name, phase in start["phases"].items():
        by_class = Counter()
        for faults in phase["faults_by_actor"].values():
            by_class.update(faults)
        exists = phase["ns"] is not None
        check.equal(f"{name}: is there", rows("start_ns")[name] is not None, exists)
        for section, theirs in (("start_calls", phase["calls"]), ("start_errors", phase["errors"]),
                                ("start_faults", sum(by_class.values())),
                                ("start_dirtied", sum(by_class[key] for key in DIRTYING))):
            check.equal(f"{section} of {name}", rows(section)[name], theirs if exists else None)
        for key, count in by_class.items():
            check.equal(f"{name} {key}", classes.get(f"{name} {key}") or 0, count)
    check.equal("faults in no phase", rows("start_faults")["in_no_phase"], start["unplaced"])


WITNESSED = 20
# Few starts for each comparison: the odd one is often that.
TRIES = 5
COMPARISONS = 20


def chosen(start):
    """Faults by phase that the kernel chooses: how many file pages come with one depends on the page cache,
    and whether the sole owner copies a page on what still refers to it (rules.stay_on_one_cpu)."""
    return {name: {key: sum(faults.get(key, 0) for faults in phase["faults_by_actor"].values())
                   for key in ("file_map", "cow_copy", "cow_reuse")}
            for name, phase in start["phases"].items()}


def explained_alike(tools, command, run):
    """A start that found the machine as that of `run` did, and whether there was one."""
    for _ in range(TRIES):
        start = explain(tools, command)["start"]
        if chosen(start) == chosen(run["start"]):
            return start, True
    return start, False


def compared_and_explained(tools, commands):
    """
    A comparison, and for each column a start that found the machine as its start did. Where no start did,
    the one that was compared was the odd one: another comparison is made.
    """
    for _ in range(COMPARISONS):
        comparison = compare(tools, commands, "--json")
        found = [explained_alike(tools, command, comparison["runs"][index][0])
                 for index, command in enumerate(commands)]
        if all(alike for _, alike in found):
            break
    return comparison, [start for start, _ in found]


def check_sums(check, comparison, index, run):
    for section in ("start_ns", "start_calls", "start_errors", "start_faults", "start_dirtied"):
        rows = rows_of(comparison, section, index)
        check.equal(f"{section}: sum of the phases", sum_of(rows), rows["total"])
    for section, whole in (("start_calls", "syscall_totals"), ("start_faults", "fault_totals")):
        check.equal(f"{section} of a command that is one image",
                    rows_of(comparison, section, index)["total"],
                    rows_of(comparison, whole, index)["total"])
    check.equal("errors", rows_of(comparison, "start_errors", index)["total"],
                sum(number for number in rows_of(comparison, "errors", index).values() if number))
    by_class = Counter()
    for key, number in rows_of(comparison, "start_classes", index).items():
        by_class[key.split()[1]] += number or 0
    for key, number in by_class.items():
        check.equal(f"{key} of all phases", number, rows_of(comparison, "faults", index)[key])
    check.equal("time", rows_of(comparison, "start_ns", index)["total"], run["wall_ns"]
                if run["processes"][0]["end_ns"] == run["wall_ns"] else run["processes"][0]["end_ns"])


def wait4_faults(tools, command):
    """Of the command without us, in the same layout."""
    tools.execute(["setarch", "-R", *tools.under_witness(command)])
    minor, major, _ = tools.witnessed()
    return minor + major


def check_schema(check, comparison):
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("not held against its schema: python3-jsonschema is not installed")
        return
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs/schema"
    schema = json.loads((docs / "forktax-compare-1.schema.json").read_text())
    run = "forktax-1.schema.json"
    schema["$defs"][run] = json.loads((docs / run).read_text())
    for error in Draft202012Validator(schema).iter_errors(comparison):
        check.that(False, f"schema: {error.json_path}: {error.message}")


def check_ratios(check, comparison):
    for row in comparison["rows"]:
        check.equal(f"{row['section']} {row['key']} has ratios", "ratios" in row,
                    row["section"] == "start_ns")
        if "ratios" not in row:
            continue
        ours, base = value(row["cells"][1]), value(row["cells"][0])
        check.equal(f"{row['key']}: of the baseline", row["ratios"][0], None)
        if not ours or not base:
            check.equal(f"{row['key']}: ratio", row["ratios"][1], None)
            continue
        ratio = row["ratios"][1]
        check.that(abs(ratio["value"] - ours / base) < 1e-9 * ratio["value"],
                   f"{row['key']}: ratio {ratio['value']}, of the times {ours / base}")
        check.equal(f"{row['key']}: interval of one round", ratio["low"], None)


def check_csv(check, tools, commands, comparison):
    """The same rows for programs; counts are those of another run in the same layout."""
    table = compare(tools, commands, "--csv")
    labels = [column["label"] for column in comparison["columns"]]
    for row in comparison["rows"]:
        for label, cell in zip(labels, row["cells"]):
            ours = [line["value"] for line in table if (line["column"], line["section"], line["key"])
                    == (label, row["section"], row["key"])]
            check.equal(f"csv lines of {label} {row['section']} {row['key']}", len(ours), 1)
            if row["section"] in ("start_calls", "start_errors", "start_dirtied"):
                check.equal(f"csv {label} {row['section']} {row['key']}", ours[0],
                            "" if cell is None else str(cell["median"]))


def main():
    tools, case = Tools(*sys.argv[1:4]), sys.argv[4]
    check = Check()
    check.context = case
    rules.stay_on_one_cpu()
    commands = [command_of(tools, one) for one in case.split("-and-")]
    comparison, starts = compared_and_explained(tools, commands)
    for index, command in enumerate(commands):
        check.context = f"{case}: {command[0]}"
        run = comparison["runs"][index][0]
        check_column(check, comparison, index, starts[index])
        check_sums(check, comparison, index, run)
        calls = Counter(name for task in strace(tools, command) for name, _ in task)
        check.equal("calls, by strace", rows_of(comparison, "start_calls", index)["total"],
                    sum(calls.values()))
        faults = rows_of(comparison, "start_faults", index)["total"]
        witnessed = []
        while faults not in witnessed and len(witnessed) < WITNESSED:
            witnessed.append(wait4_faults(tools, command))
        check.that(faults in witnessed, f"faults {faults}, by wait4 {witnessed}")
    check.context = case
    check_schema(check, comparison)
    check_ratios(check, comparison)
    check_csv(check, tools, commands, comparison)
    check.finish()


if __name__ == "__main__":
    main()
