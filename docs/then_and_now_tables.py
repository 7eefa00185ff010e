# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of docs/then-and-now.md: figures of old, whose sources that document names, beside
those of a measurement."""
import os
import re

SIZES = {"1.70 MB": 1.7, "2.70 MB": 2.7, "11.70 MB": 11.7}
CREATE = ("fork", "vfork", "clone", "fork + exec", "vfork + exec")
PAGES_PER_MB = 256


def short(number):
    """Three digits, and thousands as a whole number."""
    if number >= 1000:
        return f"{number:,.0f}"
    return f"{number:.{max(0, 2 - (number >= 10) - (number >= 100))}f}"


def cell(figure, factor=1.0):
    return "-" if figure is None else short(figure.value * factor)


def count(figure):
    """A whole number unless it is a mean that is none."""
    return "-" if figure is None else f"{figure.value:.1f}".removesuffix(".0")


def spread(figure, factor=1.0):
    if figure is None or figure.low is None:
        return "-"
    return f"{short(figure.low * factor)} to {short(figure.high * factor)}"


def ratio(figure, baseline):
    if figure is None:
        return "1" if baseline else "-"
    if figure.low is None:
        return f"{figure.value:.2f}"
    if figure.no_difference():
        return "no difference shown"
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def table(header, rows, words=1):
    """`words`: how many columns on the left hold words."""
    rule = [":--"] * words + ["--:"] * (len(header) - words)
    return "".join("| " + " | ".join(line) + " |\n" for line in (header, rule, *rows))


def machine(benches):
    first = next(iter(benches.values()))
    # Of the kernel its release, without what the distributor has added.
    facts = [f"{name}: {re.sub(r'-[^ ]*', '', value) if name == 'kernel' else value}"
             for name, value in first.machine.items()
             if value and name not in ("load", "pinned to CPU")]
    lines = [f"Measured {first.started}. {'; '.join(facts)}.\n", "\n"]
    rows = [(f"`forktax bench {bench.command}`", str(bench.rounds),
             bench.machine.get("pinned to CPU") or "-", bench.machine.get("load") or "-")
            for bench in benches.values()]
    warnings = [f"- `bench {bench.command.split()[0]}`: {warning}\n"
                for bench in benches.values() for warning in bench.warnings
                if not warning.startswith("The machine was busy before")]
    return "".join(lines) + table(("", "rounds", "on CPU", "load before"), rows) + (
        "\n" + "".join(dict.fromkeys(warnings)) if warnings else "")


LINKAGES = ("dynamic", "-z now", "LD_BIND_NOW=1", "static", "static-pie", "dietlibc", "musl")


def fork(bench, by_exit):
    """dietlibc is the yardstick of the last two columns: 7.7 % and 10 % faster than static."""
    then = {"dynamic": "1.70 to 3", "static": "1", "dietlibc": "0.90 to 0.92"}
    then_diet = {"dynamic": "2.7 to 3.3", "static": "1.08 to 1.11", "dietlibc": "1"}
    diet = bench.get("dietlibc", "ns_per_op")
    rows = []
    for row in LINKAGES:
        now = bench.get(row, "ns_per_op")
        rows.append((
            row, then.get(row, "-"),
            ratio(bench.get(row, "ratio", baseline="static"), row == "static"),
            ratio(by_exit.get(row, "ratio", baseline="static"), row == "static"),
            cell(now, 1e-3), cell(by_exit.get(row, "ns_per_op"), 1e-3),
            then_diet.get(row, "-"), f"{now.value / diet.value:.2f}" if now and diet else "-"))
    return table(("", "2006", "today, `_exit`", "today, `exit`", "us, `_exit`", "us, `exit`",
                  "against dietlibc, 2006", "today"), rows)


def fork_counts(bench, by_exit):
    figures = ("minor_faults", "cow_copies", "ld_so_pages")
    rows = [(row, *(count(run.get(row, figure)) for run in (bench, by_exit) for figure in figures))
            for row in LINKAGES]
    return table(("", "faults, `_exit`", "COW copies", "pages dirtied by ld.so", "faults, `exit`",
                  "COW copies", "pages dirtied by ld.so"), rows)


def against(text, command):
    """The comparison of one fork here and one there, as it was printed."""
    lines = [line.rstrip() for line in text.splitlines()]
    begin = next(i for i, line in enumerate(lines) if line.startswith("One fork here"))
    end = next(i for i in range(begin, len(lines)) if " total" in lines[i])
    return f"```\n$ forktax {command}\n...\n" + "\n".join(lines[begin:end + 1]) + "\n```\n"


def startup(bench, build):
    then = {"dynamic": ("21", "8", "1.38 to 1.47"), "static": ("5", "388", "1.06"),
            "dietlibc": ("2", "4", "1")}
    directories = {"-z now": "now", "dietlibc": "diet"}
    rows = []
    for row in ("dynamic", "-z now", "static", "static-pie", "dietlibc", "musl"):
        path = f"{build}/samples/{directories.get(row, row)}/true"
        blocks = str(os.stat(path).st_blocks // 2) if os.path.exists(path) else "-"
        calls, kib, slower = then.get(row, ("-", "-", "-"))
        rows.append((row, calls, count(bench.get(row, "syscalls")), kib, blocks, slower,
                     ratio(bench.get(row, "ratio", baseline="dietlibc"), row == "dietlibc"),
                     cell(bench.get(row, "ns_per_op"), 1e-3),
                     count(bench.get(row, "minor_faults"))))
    return table(("", "system calls, 2006", "today", "KiB, 2006", "today", "time, 2006", "today",
                  "us", "faults"), rows)


def parts(bench):
    figures = ("kernel_exec_ns", "ld_so_ns", "libc_start_ns", "main_ns", "end_ns")
    rows = [(row, *(cell(bench.get(row, figure), 1e-3) for figure in figures))
            for row in ("dynamic", "static", "dietlibc", "musl")]
    return table(("us", "kernel: exec", "ld.so", "libc start", "main", "end"), rows)


def spawn(bench, musl):
    rows = []
    for size in SIZES:
        for row in CREATE:
            then, now = bench.then.get((row, size)), bench.get(row, "ns_per_op", size)
            small = musl.get(row, "ns_per_op", size)
            rows.append((row, size, short(then * 1e-4) if then else "-", cell(now, 1e-4),
                         spread(now, 1e-4), short(then / now.value) if then and now else "-",
                         cell(small, 1e-4),
                         short(then / small.value) if then and small else "-"))
    return table(("", "parent", "2010, s", "today, s", "95 % interval", "times as fast",
                  "today, musl, s", "times as fast"), rows)


def growth(bench):
    """What the sizes are in the table for."""
    small, large = "1.70 MB", "11.70 MB"
    pages = (SIZES[large] - SIZES[small]) * PAGES_PER_MB
    old = {key: bench.then[key] for key in bench.then}
    rows = []
    for row in CREATE:
        now = bench.get(row, "ns_per_op", small), bench.get(row, "ns_per_op", large)
        added = [f"{(old[row, large] - old[row, small]) / pages * 1e-3:.2f}",
                 f"{(now[1].value - now[0].value) / pages * 1e-3:.3f}"]
        if row not in ("fork", "fork + exec"):
            added = ["-", "-"]
        rows.append((row, f"{old[row, large] / old[row, small]:.2f}",
                     ratio(bench.get(row, "ratio", large, small), False),
                     f"{old[row, small] / old['fork', small]:.2f}",
                     ratio(bench.get(row, "ratio", small, "fork"), row == "fork"),
                     f"{old[row, large] / old['fork', large]:.3f}",
                     ratio(bench.get(row, "ratio", large, "fork"), row == "fork"), *added))
    return table(("", "11.70 MB against 1.70 MB, 2010", "today", "against fork, 1.70 MB, 2010",
                  "today", "against fork, 11.70 MB, 2010", "today",
                  "us for each page more, 2010", "today"), rows)


def ldd(comparison, commands):
    then = {"ldd": 696, "ldd -r": 777}
    totals = [comparison.get(command, "fault_totals", "total") for command in commands]
    copies = [comparison.get(command, "faults", "file_cow") for command in commands]
    rows = [(name, str(then[name]), f"{total:.0f}", f"{copy:.0f}")
            for name, total, copy in zip(then, totals, copies)]
    rows.append(("more", str(then["ldd -r"] - then["ldd"]), f"{totals[1] - totals[0]:.0f}",
                 f"{copies[1] - copies[0]:.0f}"))
    return table(("", "minor faults, 2007", "page faults today", "of these file COW"), rows)


def proxy(bench):
    """The tax is what the dynamic one takes longer than the static one."""
    then = {"dynamic": 2200, "LD_BIND_NOW=1": 3000, "static": 4700}
    old = {column: 1e6 / rate for column, rate in then.items()}
    now = {column: figure.value * 1e-3 for column in bench.columns
           if (figure := bench.get("fork", "cpu_ns_per_op", column))}

    def gone(times, column):
        if column not in times:
            return "-"
        share = (times["dynamic"] - times[column]) / (times["dynamic"] - times["static"])
        return f"{share * 100:.0f} %"

    rows = []
    for column in ("dynamic", "LD_BIND_NOW=1", "-z now", "static", "dietlibc"):
        more = bench.get("fork", "ratio", column, "dynamic")
        known = column in then
        rows.append((column, short(then[column]) if known else "-",
                     f"{then[column] / then['dynamic']:.2f}" if known else "-",
                     short(old[column]) if known else "-", gone(old, column),
                     cell(bench.get("fork", "ops_per_s", column)),
                     ratio(more.inverse() if more else None, column == "dynamic"),
                     short(now[column]) if column in now else "-", gone(now, column),
                     count(bench.get("fork", "faults_per_op", column))))
    return table(("", "connections/s, 2007", "of dynamic", "us each", "tax gone",
                  "connections/s today", "of dynamic", "CPU of the server, us each", "tax gone",
                  "faults each"), rows)


def shells(bench):
    size = bench.columns[0]
    then = {"fork": "2,430 and 342"}
    rows = [(row, then.get(row, "-"), cell(bench.get(row, "ops_per_s", size)),
             spread(bench.get(row, "ops_per_s", size)),
             ratio(bench.get(row, "ratio", size, "fork"), row == "fork"),
             count(bench.get(row, "syscalls", size)), count(bench.get(row, "minor_faults", size)))
            for row in ("fork", "system(), dash", "system(), bash")]
    return table(("", "per second, 2010", "today", "95 % interval", "time, against fork",
                  "system calls", "faults"), rows)


def models(bench):
    """Stevens's figures are CPU seconds above an iterative server; today's are all CPU time."""
    then = {"fork": (20.9, 20.9), "pre-fork": (1.8, 2.6), "handed over": (1.8, 2.6),
            "threads": (1.0, 1.0)}
    column, rows = "dynamic", []
    base = bench.get("fork", "cpu_ns_per_op", column)
    for row in ("fork", "fork + exec", "pre-fork", "handed over", "fork daemon", "threads",
                "system, dash", "system, bash"):
        old, now = then.get(row), bench.get(row, "cpu_ns_per_op", column)
        seconds = [f"{value:.1f}" for value in sorted(set(old or ()))]
        shares = [f"{value / then['fork'][0]:.2f}" for value in sorted(set(old or ()))]
        rows.append((row, " to ".join(seconds) or "-", " to ".join(shares) or "-",
                     cell(now, 1e-3), f"{now.value / base.value:.2f}" if now and base else "-",
                     cell(bench.get(row, "ops_per_s", column)),
                     cell(bench.get(row, "latency_p50_ns", column), 1e-3),
                     count(bench.get(row, "faults_per_op", column))))
    return table(("", "CPU s, 1998", "of fork", "CPU today, us each", "of fork", "requests/s",
                  "p50, us", "faults each"), rows)


def paragraph(lines, begins):
    """From the line that begins so to the next empty one."""
    begin = next(i for i, line in enumerate(lines) if line.startswith(begins))
    end = next((i for i in range(begin, len(lines)) if not lines[i]), len(lines))
    return lines[begin:end]


def answer(report):
    """As it was printed; of the linkages only the dynamic one, and all of fork."""
    lines = report.splitlines()
    table_lines = paragraph(lines, "What it would save")
    rows = [line for line in table_lines[2:] if ": dynamic" in line or line.startswith("fork:")]
    shown = [*paragraph(lines, "Answer:"), "", *paragraph(lines, "Load:"), "", *table_lines[:2], *rows]
    return "```\n" + "".join(line.rstrip() + "\n" for line in shown) + "```\n"
