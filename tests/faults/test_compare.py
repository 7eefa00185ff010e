# SPDX-License-Identifier: GPL-2.0-or-later
"""Comparisons in which a command fails, cannot be found, or is interrupted."""
import collections
import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import time

import support
from support import Case, busy_loops, needs, needs_root, stat, wait_until


@needs_root
@needs("bash")
class Scripts(Case):
    """Which line of a script forks more than before, wherever it stands now."""

    def test_lines_of_scripts(self):
        for name, lines in (("old", ["f() { x=$(:); }", "a=$(cat /etc/hostname)", "f; f"]),
                            ("new", ["# new", "f() { x=$(:); }", "a=$(</etc/hostname)", "f; f; f"])):
            with open(f"{name}.sh", "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        result = self.forktax("compare", "--no-time", "--json", "-o", "saved", "bash old.sh", "bash new.sh")
        self.assertEqual((result.status, result.err), (0, b""), result)
        with open("saved", encoding="utf-8") as file:
            rows = {row["key"]: [cell["median"] for cell in row["cells"]]
                    for row in json.load(file)["rows"] if row["section"] == "lines"}
        self.assertEqual(rows, {"f() { x=$(:); }": [2, 3], "a=$(cat /etc/hostname)": [1, 0]})
        text = " ".join(self.forktax("report", "saved").out.decode().split())
        self.assertIn('In bash old.sh these lines fork more: "a=$(cat /etc/hostname)" (1 instead of 0).', text)
        self.assertIn('In bash new.sh these lines fork more: "f() { x=$(:); }" (3 instead of 2).', text)


LINKAGES = ("dynamic", "now", "static", "static-pie", "diet", "musl", "musl-dyn")


@needs_root
@needs("strace")
class SideBySide(Case):
    """The first screen has a row for each call and class of faults; strace has the same calls."""

    def linked(self, name):
        paths = {linkage: f"{support.SAMPLES}/{linkage}/{name}" for linkage in LINKAGES}
        return {linkage: path for linkage, path in paths.items() if os.path.exists(path)}

    def shown(self, *arguments):
        """{(part, row): [numbers of the columns]}, of rows and of their errors; the columns; and the lines."""
        result = self.forktax("compare", *arguments)
        self.assertEqual((result.status, result.err), (0, b""), result)
        lines = result.out.decode().splitlines()
        head = next(number for number, line in enumerate(lines) if re.match(" +dynamic ", line))
        columns, rows, parts = lines[head].split(), {}, []
        for line in lines[head + 1:lines.index("", head)]:
            words = line.split()
            name, numbers = " ".join(words[:-len(columns)]), words[-len(columns):]
            if not name:
                continue  # "(3 more: -v)"
            parts = parts[:(len(line) - len(line.lstrip())) // 2] + [name]
            rows[tuple(parts)] = numbers
        return rows, columns, lines

    def by_strace(self, *command):
        """{process: [calls]}, in the order in which they began; errors as "access ENOENT"."""
        subprocess.run(["strace", "-f", "-qq", "-o", "log", *command], check=True)
        processes = {}
        with open("log", encoding="utf-8") as log:
            for line in log:
                found = re.match(r"(\d+) +(\w+)\(", line)
                if found:
                    processes.setdefault(found[1], []).append(found[2])
                found = re.match(r"(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed).* = -1 (E\w+) ", line)
                if found:
                    processes[found[1]].append(f"{found[2]} {found[3]}")
        return list(processes.values())

    def assert_as_by_strace(self, rows, part, counts):
        """Each row; and each call without one is in the row of those that are equal, with the others in their sum."""
        names = {name for count in counts for name in count if " " not in name}
        shown = {row[-1] for row in rows if row[:-1] == part}
        for name in shown & names:
            self.assertEqual([int(number) for number in rows[(*part, name)]], [count[name] for count in counts], name)
        equal = [counts[0][name] for name in names - shown]
        for name in names - shown:
            self.assertEqual({count[name] for count in counts}, {counts[0][name]}, name)
        if equal:
            self.assertEqual(rows[(*part, f"{len(equal)} others, equal")], [str(sum(equal))] * len(counts))
        self.assertEqual([int(number) for number in rows[part]],
                         [sum(count[name] for name in names) for count in counts])

    def test_program_that_does_nothing(self):
        paths = self.linked("true")
        rows, columns, lines = self.shown("-n2", *paths.values())
        self.assertEqual(columns, list(paths))
        self.assertLessEqual(len(lines), 40, "\n".join(lines))
        self.assertLessEqual(max(map(len, lines)), 80, "\n".join(lines))
        counts = [collections.Counter(self.by_strace(path)[0]) for path in paths.values()]
        self.assert_as_by_strace(rows, ("system calls",), counts)
        self.assertEqual(rows[("system calls", "access", "ENOENT")], [str(count["access ENOENT"]) for count in counts])

    def test_each_child(self):
        """What the children do is what those do that strace sees; the run has so many of them."""
        paths = self.linked("forkloop")
        rows, _, lines = self.shown("--no-time", *(f"{path} -n 20" for path in paths.values()))
        self.assertLessEqual(len(lines), 40, "\n".join(lines))
        self.assertEqual(rows[("child processes",)], ["20"] * len(paths))
        counts = []
        for path in paths.values():
            _, *children = self.by_strace(path, "-n", "20")
            self.assertEqual(len(children), 20)
            self.assertEqual({tuple(child) for child in children}, {tuple(children[0])})
            counts.append(collections.Counter(children[0]))
        self.assert_as_by_strace(rows, ("child processes", "calls of each"), counts)

    def test_classes_add_up(self):
        """Of one run they are its total."""
        rows, columns, _ = self.shown("--no-time", "--traced-runs=1", *self.linked("true").values())
        for column in range(len(columns)):
            classes = [int(numbers[column]) for row, numbers in rows.items() if row[:-1] == ("page faults",)]
            self.assertGreaterEqual(len(classes), 4)
            self.assertEqual(sum(classes), int(rows[("page faults",)][column]))


@needs_root
class Compare(Case):
    def test_failing_command(self):
        for command, message in (("false", "status 1"), ("sh -c 'kill -KILL $$'", "signal 9")):
            for options in (["-n1"], ["--no-time", "--traced-runs=1"]):
                with self.subTest(command=command, options=options):
                    result = self.forktax("compare", *options, "true", command)
                    self.assert_fails(result, 125, message)
                    self.assertEqual(result.out, b"")

    def test_failure_that_is_accepted(self):
        result = self.forktax("compare", "-n1", "--traced-runs=1", "-i", "true", "false")
        self.assertEqual((result.status, result.err), (0, b""))

    def test_bad_quotes(self):
        for word in ("echo 'x", "true | true", "echo $(touch ran)", "echo `touch ran`", "", " "):
            with self.subTest(word):
                self.assert_fails(self.forktax("compare", "-n1", word), 2)
                self.assert_not_run()

    def test_output_of_commands_does_not_show(self):
        """They write MARK, which stands in no label: a line of the answer may begin with any word of these."""
        result = self.forktax("compare", "-n1", "--traced-runs=1", "printf M%s ARK", "sh -c 'printf M%s ARK >&2'")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertNotIn(b"MARK", result.out)

    def test_disturbed_by_others(self):
        """Two busy loops on each CPU: each run sees it, and the report says so; no run waits itself, so CPU time decides."""
        burn = "echo >> runs; n=0; while [ $n -lt 80000 ]; do n=$((n + 1)); done"
        with contextlib.ExitStack() as loops:
            for cpu in os.sched_getaffinity(0):
                loops.enter_context(busy_loops(2, {cpu}))
            result = self.forktax("compare", "-n2", "--traced-runs=0", "--shell", "--json", "-o",
                                  "saved", burn, burn + " ")
        self.assertEqual((result.status, result.err), (0, b""))
        with open("saved", encoding="utf-8") as file:
            saved = json.load(file)
        self.assertEqual(saved["clock"], "cpu")
        for column in saved["columns"]:
            self.assertGreater(min(column["others_share"]), 0.3)
        printed = b" ".join(self.forktax("report", "saved").out.split())
        self.assertIn(b"Warning: Other programs, or what commands have left running, used the CPUs for ", printed)
        self.assertIn(b"CPU time, untraced", printed)
        # Each once to warm up, four measurements, and half as many that were tried again.
        self.assertEqual(os.path.getsize("runs"), 2 + 4 + 2 + 2)

    def test_busy_while_short_runs_were_timed(self):
        """Of a run of a millisecond nobody can tell who had the CPU; of all of them it is said."""
        with busy_loops(3 * len(os.sched_getaffinity(0))):
            result = self.forktax("compare", "-n30", "--traced-runs=0", "--json", "-o", "saved", "true", "true -")
        self.assertEqual((result.status, result.err), (0, b""))
        with open("saved", encoding="utf-8") as file:
            self.assertGreater(json.load(file)["columns"][0]["busy_share"], 0.1)
        report = b" ".join(self.forktax("report", "saved").out.split())
        self.assertIn(b"Warning: Other programs, or what commands have left running, used the CPUs for ", report)

    def test_clock_that_decides(self):
        """What waits, or computes on several CPUs, is judged by wall time."""
        burn = "n=0; while [ $n -lt 30000 ]; do n=$((n + 1)); done"
        for commands, clock in (([burn, burn + " "], "cpu"), ([burn, "sleep 0.3"], "wall")):
            result = self.forktax("compare", "-n6", "--traced-runs=0", "--shell", "--json", "-o", "saved", *commands)
            self.assertEqual((result.status, result.err), (0, b""))
            with open("saved", encoding="utf-8") as file:
                self.assertEqual(json.load(file)["clock"], clock)

    def test_several_starts(self):
        """A row for each: how long before main(), and the biggest phase but main(), as the medians of the saved runs."""
        result = self.forktax("compare", "--startup", "--no-time", "--traced-runs=3", "--json", "-o", "saved",
                              *(f"{support.SAMPLES}/{linkage}/forkloop -n 30" for linkage in ("dynamic", "now", "static")))
        self.assertEqual((result.status, result.err), (0, b""))
        with open("saved", encoding="utf-8") as file:
            saved = json.load(file)
        lines = self.forktax("report", "saved").out.decode().splitlines()
        for column, runs in zip(saved["columns"], saved["runs"]):
            before = statistics.median(run["start"]["marks"]["main_ns"] for run in runs) / 1000
            biggest = max(statistics.median(run["start"]["phases"][phase]["ns"] or 0 for run in runs)
                          for phase in runs[0]["start"]["phases"] if phase != "main") / 1000
            self.assertTrue(any(line.split()[:3] == [f"{before:.1f}", f"{biggest:.1f}", "-"] and
                                line.endswith(f" {column['label']}") for line in lines), (column["label"], lines))

    # The runs of a round: each command in turn, and again at once, up to three times, if others disturbed it.
    ROUND = "|".join("".join(f"{letter}{{1,3}}" for letter in order) for order in itertools.permutations("ABC"))

    def rounds(self, count, *options, warm_ups=0):
        """In which order the commands ran, by round, after so many warm-up runs of each."""
        if os.path.exists("order"):
            os.unlink("order")
        result = self.forktax("compare", *options, "--shell", *(f"printf {letter} >> order" for letter in "ABC"),
                              env={**os.environ, "FORKTAX_SEED": "7"})
        self.assertEqual((result.status, result.err), (0, b""))
        with open("order", encoding="utf-8") as file:
            order = file.read()
        warm_up = "".join(letter * warm_ups for letter in "ABC")
        self.assertEqual(order[-3:], "ABC")  # whose outputs are compared
        order = order[:-3]
        rounds = re.fullmatch(warm_up + f"({self.ROUND})" * count, order)
        self.assertTrue(rounds, order)
        # Half as many runs as were asked for may be repeated.
        self.assertLessEqual(len(order), len(warm_up) + 3 * count + 3 * count // 2, order)
        return ["".join(dict.fromkeys(one)) for one in rounds.groups()]

    def test_order(self):
        """Each round has an order of its own, timed or traced: a period would favour somebody. Of another seed, eight
        rounds may have two orders by chance."""
        for rounds in (self.rounds(8, "-n8", "--traced-runs=0", warm_ups=1),
                       self.rounds(8, "--no-time", "--traced-runs=8")):
            self.assertGreater(len(set(rounds)), 2)

    def test_what_a_command_leaves_behind(self):
        """It is ended (tearDown looks): what runs on would disturb the next ones."""
        for options in (["-n3", "--traced-runs=0"], ["--no-time", "--traced-runs=1"]):
            for command in ("sleep 60 &", "setsid sleep 60 &"):
                result = self.forktax("compare", *options, "--shell", command)
                self.assertEqual((result.status, result.err), (0, b""))

    def test_saved_without_its_start(self):
        """Where phases are asked for, a run that has none is no column of dashes."""
        self.forktax("run", "--json", "-o", "saved", "true")
        result = self.forktax("compare", "--startup", "--no-time", "--traced-runs=1", "true", "saved")
        self.assert_fails(result, 125, "saved was saved without its start")

    def save(self, name, *command):
        self.assertEqual(self.forktax("run", "--json", "-o", name, *command).status, 0)

    def headline(self, *sides):
        result = self.forktax("compare", "-v", *sides)
        self.assertEqual((result.status, result.err), (0, b""), result)
        text = result.out.decode()
        return " ".join(text[text.index("From "):].split("\n\n")[0].split())

    def record(self, name, *command):
        result = self.forktax("run", "--anatomy", "--no-aslr", "--json", "-o", name, "--", *command)
        self.assertEqual(result.status, 0, result)

    def test_single_runs(self):
        """Two runs differ by chance, too: what does is listed, and nothing is said to be more."""
        for name, command in (("a.json", ["sh", "-c", "/bin/true; /bin/true"]),
                              ("b.json", ["sh", "-c", "/bin/true; /bin/true; /bin/true"])):
            self.record(name, *command)
        headline = self.headline("a.json", "b.json")
        self.assertIn("From a.json to b.json, by a single run of each, which is no proof of a difference", headline)
        self.assertIn("Different: ", headline)
        self.assertIn("system calls: ", headline)
        self.assertNotRegex(headline, r"\b(more|fewer|new|lost) ")
        self.assertIn(": no difference in what was recorded of both.", self.headline("a.json", "a.json"))

    def test_what_varies_by_itself(self):
        """Of counts that the scheduler or the page cache decides single runs say so."""
        self.record("a.json", self.sample("forkloop"), "-n", "20")
        headlines = []
        for number in range(6):
            self.record(f"{number}.json", self.sample("forkloop"), "-n", "20")
            headlines.append(self.headline("a.json", f"{number}.json"))
        for headline in headlines:
            self.assertNotRegex(headline, r"\b(more|fewer) ")
            before = headline.split("Decided by the scheduler or the page cache")[0]
            self.assertNotIn("COW reuse", before)
            self.assertNotIn("COW copy", before)

    def test_command_without_quotes(self):
        result = self.forktax("compare", "echo", "no-such-status")
        self.assertEqual(result.status, 127)
        self.assertIn(b"a command with its arguments is one word: quote it", result.err)

    def test_warmup(self):
        """Each command runs so often before the rounds, which are no more for it."""
        self.rounds(2, "-n2", "--traced-runs=0", warm_ups=1)
        self.rounds(2, "-n2", "--traced-runs=0", "--warmup=5", warm_ups=5)

    def test_prepare(self):
        """Before each run, once: the command finds what was prepared, and removes it."""
        result = self.forktax("compare", "-n3", "--traced-runs=2", "--prepare", "echo >> runs; mkdir here",
                              "rmdir here", "rmdir ./here")
        self.assertEqual((result.status, result.err), (0, b""))
        self.assertIn(os.path.getsize("runs"), range(14, 14 + 4))  # half as many timed ones may be repeated
        result = self.forktax("compare", "-n1", "--prepare", "exit 3", "true")
        self.assert_fails(result, 125, "--prepare: \"exit 3\" exited with status 3; --show-output shows why")
        result = self.forktax("compare", "-n1", "--show-output", "--prepare", "kill -9 $$", "true")
        self.assert_fails(result, 125, "--prepare: \"kill -9 $$\" was killed by signal 9 (Killed)\n")

    def columns_of(self, *words):
        result = self.forktax("compare", "-n1", "--traced-runs=1", "--json", *words)
        self.assertEqual((result.status, result.err), (0, b""))
        return json.loads(result.out)["columns"]

    def test_settings(self):
        """A command gets them as from a shell, in timed and traced runs, and is found in its own PATH."""
        os.mkdir("new")
        for path, text in (("new/tool", "touch new-ran"), ("tool", "touch old-ran")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=f"{os.getcwd()}:{os.environ['PATH']}", VALUE="it's", PWD=os.getcwd())
        words = ["tool", "PATH=$PWD/new:${PATH} tool", "A='$VALUE b' B=\"$VALUE\" C=\\$x$ D= sh -c 'env >> seen'"]
        for source in ("ebpf", "strace"):
            with self.subTest(source):
                result = self.forktax("compare", "-n1", "--traced-runs=1", f"--source={source}", "--json", *words,
                                      env=environment)
                self.assertEqual((result.status, result.err), (0, b""))
                columns = json.loads(result.out)["columns"]
                self.assertEqual([column.get("settings") for column in columns],
                                 [None, [f"PATH={os.getcwd()}/new:{environment['PATH']}"],
                                  ["A=$VALUE b", "B=it's", "C=$x$", "D="]])
                self.assertEqual([column["path"] for column in columns[:2]],
                                 [f"{os.getcwd()}/tool", f"{os.getcwd()}/new/tool"])
                self.assertTrue(os.path.exists("new-ran") and os.path.exists("old-ran"))
                os.unlink("new-ran")
                with open("seen", encoding="utf-8") as file:
                    lines = file.read().splitlines()
                os.unlink("seen")
                runs = lines.count("A=$VALUE b")
                self.assertGreaterEqual(runs, 3)
                self.assertEqual([lines.count(line) for line in ("B=it's", "C=$x$", "D=")], [runs] * 3)

    def test_settings_that_are_set_already(self):
        result = self.forktax("compare", "-n1", "--traced-runs=0", "/bin/true", "A=1 B=2 /bin/true",
                              env=dict(os.environ, A="1", B="1"))
        self.assertEqual((result.status, result.err.decode()),
                         (0, "forktax compare: warning: A=1 is set already: commands without it have it, too\n"))

    def test_small_difference_without_a_cause(self):
        """The same faults and calls, but 2 % more work. Whether that is found, the machine decides; if so, it is doubted."""
        script = "sh -c 'i=0; while [ $i -lt $N ]; do i=$((i + 1)); done'"
        result = self.forktax("compare", "-n40", "--json", "-o", "saved", f"N=20000 {script}", f"N=20400 {script}")
        self.assertEqual((result.status, result.err), (0, b""))
        with open("saved", encoding="utf-8") as file:
            saved = json.load(file)
        column = saved["columns"][1]
        ratio = column["cpu_ratio" if saved["clock"] == "cpu" else "ratio"]
        small = abs(ratio["value"] - 1) < 0.03 and not ratio["low"] <= 1 <= ratio["high"]
        self.assertEqual(small, "explained_ns" in column, ratio)
        text = " ".join(self.forktax("report", "saved").out.decode().split())
        self.assertEqual(small, "is not explained by" in text, text)

    def test_settings_shift_no_stack(self):
        """Strings of the environment, with a pointer to each, take as many bytes in all columns."""
        environment = {name: value for name, value in os.environ.items() if name != "FORKTAX_PADDING"}
        script = "tr '\\\\0' '\\\\n' </proc/self/environ >>seen; echo end >>seen"
        words = [f'sh -c "{script}"']
        for settings in ("A=1 ", "LD_BIND_NOW=1 A=" + 50 * "x" + " "):
            words.append(settings + words[0])
        result = self.forktax("compare", "-n1", "--traced-runs=1", "--json", *words, env=environment)
        self.assertEqual((result.status, result.err), (0, b""))
        with open("seen", encoding="utf-8") as file:
            runs = [run.splitlines() for run in file.read().split("end\n")[:-1]]
        self.assertGreaterEqual(len({tuple(run) for run in runs}), 3)
        self.assertEqual(len({sum(len(entry) + 1 + 8 for entry in run) for run in runs}), 1, runs)

    def test_order_is_repeatable(self):
        """The seed of the order is saved and printed, and makes the same order again."""
        orders = []
        for seed in (None, None, "7", "7"):
            environment = {**os.environ, **({"FORKTAX_SEED": seed} if seed else {})}
            result = self.forktax("compare", "-n8", "--traced-runs=0", "--json", "-o", "saved", "sh -c 'echo 1 >>ran'",
                                  "sh -c 'echo 2 >>ran'", env=environment)
            self.assertEqual((result.status, result.err), (0, b""))
            with open("saved", encoding="utf-8") as file:
                seeds = {column["seed"] for column in json.load(file)["columns"]}
            shown = " ".join(self.forktax("report", "-v", "saved").out.decode().split())
            self.assertIn(f"FORKTAX_SEED={seeds.pop()}.", shown)
            with open("ran", encoding="utf-8") as file:
                orders.append((shown.partition("FORKTAX_SEED=")[2].partition(".")[0], file.read()))
            os.unlink("ran")
        self.assertNotEqual(orders[0][0], orders[1][0])
        self.assertEqual([seed for seed, _ in orders[2:]], ["7", "7"])

    def test_names_of_settings(self):
        """What tells the columns apart; the last of two values holds."""
        self.assertEqual([column["label"] for column in self.columns_of(
            "/bin/true", "A=1 /bin/true", "A=/long/enough/to/be/cut/off /bin/true", "A=1 A=2 sh -c '[ $A = 2 ]'")],
            ["true", "A=1 true", "A=/long/enough/to/be/...", "A=1 A=2 sh -c '[ $A =..."])
        self.assertEqual([column["label"] for column in self.columns_of(
            "/bin/true", "LD_LIBRARY_PATH=/some/where /bin/true")], ["true", "LD_LIBRARY_PATH=/some..."])

    def test_wrong_settings(self):
        self.assert_stanzas("""
            'A=1'                       => "A=1": settings without a command
            'A=$(touch ran) true'       => needs a shell
            "A='x true"                 => a quote is not closed
            'A=${B:-1} true'            => needs a shell
            'A=1;touch ran'             => needs a shell""", before=["compare"])

    def test_what_differs_in_outputs(self):
        """What differs between commands, and what differs from run to run of one, are told apart."""
        for second, said, vary in (("A=2 sh -c 'echo a'", "Both did the same: 2 equal bytes of output, exit 0.", []),
                                   ("echo b", "They did not do the same. echo b: 2 bytes on stdout that differ.", []),
                                   ("sh -c 'echo bb; echo >&2; exit 3'", "exit 3 instead of exit 0, "
                                    "3 bytes instead of 2 on stdout, 1 byte instead of 0 on stderr.", []),
                                   ("sh -c 'kill -9 $$'", "SIGKILL instead of exit 0, 0 bytes instead of 2", []),
                                   ("sh -c 'echo $$ >&2; echo b'", "2 bytes on stdout that differ. The same command "
                                    "differs from run to run in stderr, so", ["stderr_varies"])):
            with self.subTest(second):
                result = self.forktax("compare", "-i", "-n1", "--traced-runs=0", "--json", "-o", "saved", "echo a",
                                      second)
                self.assertEqual((result.status, result.err), (0, b""))
                for options in ([], ["-v"]):
                    report = self.forktax("report", *options, "saved").out.decode()
                    self.assertIn(said, " ".join(report.split()))
                with open("saved", encoding="utf-8") as file:
                    outcome = json.load(file)["columns"][1]["outcome"]
                self.assertEqual([key for key in outcome if "varies" in key and outcome[key]], vary)

    def test_few_runs(self):
        """Three runs of each: chance puts them so apart once in ten times."""
        commands = ["sh -c '/bin/true; /bin/true'", "sh -c '/bin/true; /bin/true; /bin/true'"]
        headline = self.headline("--no-time", "--no-aslr", "--traced-runs=3", *commands)
        self.assertIn("With too few runs to exclude chance: ", headline)
        headline = self.headline("--no-time", "--no-aslr", "--traced-runs=4", *commands)
        self.assertNotIn("too few runs", headline)
        self.assertRegex(headline, r": (.*; )?more ")

    def test_directory_is_one_column(self):
        for side, command in (("a", ["true"]), ("b", ["sh", "-c", "(true); (true)"])):
            os.mkdir(side)
            for number in range(4):
                self.save(f"{side}/{number}", *command)
            os.mkdir(f"{side}/more")  # not looked into
            with open(f"{side}/notes.txt", "w", encoding="utf-8") as file:
                file.write("not ours\n")
        result = self.forktax("compare", "--json", "a", "b")
        self.assertEqual((result.status, result.err), (0, b""))
        saved = json.loads(result.out)
        self.assertEqual([len(runs) for runs in saved["runs"]], [4, 4])
        self.assertEqual([column["measurement"] for column in saved["columns"]], [0, 1])
        [exits] = [row for row in saved["rows"] if (row["section"], row["key"]) == ("syscalls", "exit_group")]
        self.assertEqual((exits["cells"][0]["median"], exits["cells"][1]["median"], exits["moved"]),
                         (1, 3, ["same", "shown"]))
        self.assertRegex(b" ".join(self.forktax("compare", "-v", "a", "b").out.split()), b"more system calls: [^;]*exit_group")

    def test_directory_without_runs(self):
        os.mkdir("empty")
        self.save("saved", "true")
        self.assert_fails(self.forktax("compare", "empty", "saved"), 125, "empty", "no file in this directory")
        with open("empty/cut.json", "w", encoding="utf-8") as file:
            file.write("{")
        self.assert_fails(self.forktax("compare", "empty", "saved"), 125, "empty/cut.json", "cut off")
        os.unlink("empty/cut.json")
        shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden/bench/fork.json"),
                    "empty/bench.json")
        self.assert_fails(self.forktax("compare", "empty", "saved"), 125, "empty/bench.json", "not a run")

    def test_saved_comparisons_are_columns(self):
        """Of other rounds, and as many as they are."""
        for name, runs in (("a", "6"), ("b", "7")):
            result = self.forktax("compare", "-n", runs, "--traced-runs", "2", "--json", "-o", name, "true", "ls")
            self.assertEqual(result.status, 0, result)
        result = self.forktax("compare", "--json", "-o", "both", "a", "b")
        self.assertEqual((result.status, result.err), (0, b""))
        saved = self.saved("both")
        self.assertEqual([column["measurement"] for column in saved["columns"]], [0, 0, 1, 1])
        self.assertEqual(len({column["label"] for column in saved["columns"]}), 4)
        self.assertEqual([len(column["samples_ns"]) for column in saved["columns"]], [6, 6, 7, 7])
        self.assertTrue(all(column["ratio"] for column in saved["columns"][1:]))
        shown = self.forktax("report", "both")
        self.assertEqual(shown.status, 0, shown)
        self.assertIn(b"ratios are of medians", b" ".join(shown.out.split()))
        self.assertEqual(self.forktax("compare", "a", "b").out, shown.out)
        # One measurement cannot have rounds of different numbers.
        for column in saved["columns"]:
            column["measurement"] = 0
        with open("edited", "w", encoding="utf-8") as file:
            json.dump(saved, file)
        self.assert_fails(self.forktax("report", "edited"), 125, "different rounds")
        self.assert_fails(self.forktax("compare", "--baseline", "5", "a", "b"), 2, "there are 4 columns")

    def test_layout(self):
        """It is fixed for the commands, and not for forktax itself."""
        for options in (["-n1", "--traced-runs=0"], ["--no-time", "--traced-runs=1"]):
            for option, personality in ((["--no-aslr"], b"00040000"), ([], b"00000000")):
                with self.subTest(options=options, option=option):
                    result = self.forktax("compare", *options, *option, "--show-output", "-o",
                                          "report", "cat /proc/self/personality")
                    self.assertEqual(set(result.out.split()), {personality})
        process = self.start("compare", "-n1", "--no-aslr", "--traced-runs=0", "--shell",
                             "touch ready; exec sleep 60")
        self.assertTrue(wait_until(lambda: os.path.exists("ready")))
        with open(f"/proc/{process.pid}/personality", encoding="utf-8") as file:
            self.assertEqual(file.read().strip(), "00000000")
        process.terminate()
        self.finish(process)

    def test_reading_from_a_terminal(self):
        """With --show-output a command may: it is not in the background."""
        pid, terminal = os.forkpty()
        if pid == 0:
            os.execv(support.FORKTAX, ["forktax", "compare", "-q", "-n1", "--traced-runs=0",
                                       "--show-output", "-o", "report", "head -n1"])
        os.write(terminal, b"first\nsecond\n")
        self.assertTrue(wait_until(lambda: stat(pid)[0] == "Z"))
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        os.close(terminal)
        self.assertTrue(os.path.exists("report"))

    def test_interrupted_early(self):
        """Neither a report nor a command is left."""
        for options in (["-n5"], ["--no-time", "--traced-runs=5"]):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(options=options, number=number):
                    process = self.start("compare", *options, "-o", "report",
                                         "sh -c 'touch ready; exec sleep 60'", start_new_session=True)
                    self.assertTrue(wait_until(lambda: os.path.exists("ready")))
                    time.sleep(0.1)
                    os.killpg(process.pid, number)
                    self.assert_fails(self.finish(process), -number, "before a round")
                    self.assertFalse(os.path.exists("report"))
                    os.unlink("ready")

    def interrupt_run(self, number, signal_to, options, count):
        """Sends a signal in run `count` of a command that takes turns with `true`."""
        script = f"echo >> runs; [ $(wc -l < runs) -lt {count} ] || " \
                 "{ touch ready; sleep 60; }"
        process = self.start("compare", *options, "--json", "-o", "saved", "--shell", "true",
                             script, start_new_session=True)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")))
        signal_to(process.pid, number)
        result = self.finish(process)
        os.unlink("ready")
        os.unlink("runs")
        return result

    def test_interrupted(self):
        """What is finished is shown, whole rounds only; no command is left."""
        for number in (signal.SIGINT, signal.SIGTERM):
            for signal_to in (os.kill, os.killpg):
                with self.subTest(number=number, signal_to=signal_to):
                    result = self.interrupt_run(number, signal_to, ["-n9", "--traced-runs=2"], 8)
                    self.assert_fails(result, -number, "0 of 2 traced")
                    # One run warms up; there are less rounds if others have disturbed some.
                    rounds = int(re.search(rb"(\d) of 9 timed rounds", result.err).group(1))
                    self.assertIn(rounds, range(2, 7))
                    saved = self.saved("saved")
                    self.assertEqual([len(column["samples_ns"]) for column in saved["columns"]],
                                     [rounds, rounds])
                    result = self.interrupt_run(number, signal_to,
                                                ["--no-time", "--traced-runs=9"], 3)
                    self.assert_fails(result, -number, "2 of 9 traced")
                    saved = self.saved("saved")
                    self.assertEqual([len(runs) for runs in saved["runs"]], [2, 2])
                    shown = self.forktax("report", "saved")
                    self.assertEqual((shown.status, shown.err), (0, b""))

    def test_clearing_up(self):
        """A command that is interrupted gets the signal, and a second to put things in order."""
        script = "trap 'echo > cleared; exit' TERM; touch ready; while :; do sleep 0.01; done"
        process = self.start("compare", "-n1", "--traced-runs=0", "--shell", script)
        self.assertTrue(wait_until(lambda: os.path.exists("ready")))
        process.terminate()
        self.assert_fails(self.finish(process), -signal.SIGTERM, "before a round")
        self.assertTrue(os.path.exists("cleared"))
