# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: quick
"""Command lines that make no sense: one line, exit status 2, nothing runs."""
import os

from support import Case, needs_root


class Usage(Case):
    def usage_error(self, *arguments):
        result = self.forktax(*arguments)
        with self.subTest(arguments):
            self.assert_fails(result, 2)
            self.assertEqual(result.out, b"")
            self.assert_not_run()
        return result

    def test_unknown_command(self):
        self.usage_error("frobnicate")
        self.assertIn(b'"report"', self.usage_error("reprot").err)

    def test_hostile_unknown_command(self):
        self.usage_error("ru\x1b")
        self.usage_error(b"r\xff\nn")

    def test_nothing_at_all(self):
        result = self.forktax()
        self.assertEqual((result.status, result.out), (2, b""))
        self.assertTrue(result.err.startswith(b"usage: forktax"))

    def test_no_command(self):
        for arguments in (["run"], ["run", "--"], ["run", "-q"], ["compare"], ["report"]):
            self.usage_error(*arguments)

    def test_unknown_option(self):
        for command in ("run", "compare", "report", "doctor"):
            self.usage_error(command, "--frobnicate", "touch", "ran")
            self.usage_error(command, "-J", "touch", "ran")

    def test_hostile_option(self):
        for command in ("run", "compare", "report", "doctor"):
            self.usage_error(command, "--fro\x1b[31m\nb", "touch", "ran")
            self.usage_error(command, "-\x1b", "touch", "ran")

    def test_option_without_its_value(self):
        for option in ("-o", "-p", "-u", "-e", "--duration", "--faults"):
            self.usage_error("run", option)

    def test_bad_values(self):
        for option in ("--duration=0", "--duration=-1", "--duration=nan", "--duration=1x",
                       "--faults=most", "--follow-daemons=x", "-e/(", "-enosuchcall",
                       "--color=pink"):
            self.usage_error("run", option, "touch", "ran")

    def test_bad_process_ids(self):
        for pid in ("abc", "-1", "0", "99999999999", "1,x", "", ",", "1,", " 1x", "1 2x", " ", "1, ,2"):
            self.usage_error("run", "-p", pid)
        self.assertIn(b"-p \"\": is empty: did pidof or pgrep find no process?", self.usage_error("run", "-p", "").err)

    def test_process_ids_as_pidof_prints_them(self):
        """All of them are taken: the message is about the second one, which ended long ago."""
        self.assert_fails(self.forktax("run", "-p", f"{os.getpid()} 4194303\n"), 125, "-p 4194303: no such process")

    def test_ready_descriptor(self):
        for descriptor in ("x", "-1", "0", "9", "", "1x"):
            for command in ("run", "explain"):
                self.usage_error(command, f"--ready-fd={descriptor}", "-p", "1")
        self.usage_error("run", "--ready-fd=1", "touch", "ran")
        self.usage_error("explain", "--ready-fd=1", "touch", "ran")

    def test_command_and_process(self):
        self.usage_error("run", "-p", "1", "touch", "ran")

    def test_formats_that_exclude_each_other(self):
        self.usage_error("run", "--json", "--csv", "touch", "ran")

    def test_complaints_name_what_was_typed(self):
        self.assert_stanzas("""
            run --duration=0 true       => --duration 0: must be a time above zero
            run --dura=0 true           => --duration 0: must be a time above zero
            compare -n 0 true           => -n 0: must be a whole number from 1 to 100000
            compare --runs 0 true       => --runs 0: must be
            compare --color=x true      => --color x: must be auto, always or never
            run --verbose=1 true        => --verbose=1: takes no value
            --frobnicate                => --frobnicate: no such option; see forktax --help
            run -E A=1 true             => put NAME=VALUE before forktax
            run --repeat 3 true         => forktax compare 'COMMAND' runs a command several times
            run -u nobody -p 1          => -u goes with a command
            run --user                  => --user: needs a value
            run -u                      => -u: needs a value""")

    def test_times(self):
        """500ms, 2s, 1h and plain seconds mean the same everywhere; and so do times as reports and --help print them."""
        took = 0
        for command, _, name, argument, kind, _ in self.options():
            if kind != "time" or not name:
                continue
            took += 1
            for time in ("500ms", "2s", "5m", "1h", "2", "0.5", "5min", "1.5 s"):
                result = self.forktax(*command.split(), f"--{name}={time}", "--help")
                self.assertEqual(result.status, 0, (command, name, time, result))
            for time in ("x", "0", "5mins", "-1s", "1e99h", ""):
                self.usage_error(*command.split(), f"--{name}={time}", "--help")
        self.assertGreater(took, 4)

    def test_options_that_do_not_go_together(self):
        self.assert_stanzas("""
            bench fork --json --html                    => --json and --html exclude each other
            compare --startup --traced-runs=0 true      => --startup needs traced runs
            run --ready-fd=1 touch ran                  => --ready-fd needs -p, --cgroup or -a
            run --cgroup=/ touch ran                    => give a command or --cgroup, not both
            run -a touch ran                            => give a command or -a, not both
            run --no-aslr -a                            => --no-aslr goes with a command
            run -u nobody -a                            => -u goes with a command
            run --follow-daemons -a                     => --follow-daemons goes with a command
            run --tree-times -a                         => --tree-times needs a command
            run -k --faults=totals touch ran            => need page faults by class
            run --tree-times --faults=totals touch ran  => --tree-times needs page faults
            compare -n 3 --no-time 'touch ran'          => -n and --no-time exclude each other
            explain -n 3 -p 1                           => -n goes with a command
            compare touch -c ran                        => one word: quote it
            watch --textfile=                           => must be the name of a file
            run --descendants touch ran                 => --descendants goes with -p
            explain --duration=1 touch ran              => --duration needs -p, --cgroup or -a
            explain -a touch ran                        => give a command or -a, not both
            run --cgroup=                               => must be the path of a cgroup""")

    def test_options_of_strace(self):
        self.assert_stanzas("""
            run -tt touch ran                   => no such option; a report is a summary
            run -y touch ran                    => no such option; a report is a summary
            run -r touch ran                    => no such option; a report is a summary
            run -C touch ran                    => no such option; a report is a summary
            run --decode-fds touch ran          => no such option; a report is a summary
            run -w touch ran                    => -T measures
            run -J touch ran                    => -J: no such option; see forktax run --help""")

    # ctest: brings:hyperfine
    def test_guesses(self):
        """Whoever types almost a name gets it; and that of another tool's option, or of a process instead of a command."""
        self.assert_stanzas("""
            run --verbsoe touch ran             => --verbsoe: no such option (did you mean --verbose?); see forktax run
            run --no-aslrr=1 touch ran          => did you mean --no-aslr?
            run --frobnicate touch ran          => --frobnicate: no such option; see forktax run --help
            run --show=syscalls touch ran       => or integrity; did you mean "calls"?
            compare --show=diffrences 'touch ran' => did you mean "differences"?
            run --show=calls,fautls touch ran   => did you mean "faults"?
            run --show=proceses touch ran       => did you mean "processes"?
            explain --show=exec touch ran       => did you mean "executables"?
            run --show=nothing-like-it touch ran => or integrity
            run --faults=clases touch ran       => must be totals or classes; did you mean "classes"?
            watc                                => did you mean "watch"?
            workers 12                          => there is no command "12"; did you mean the process, -p 12?
            run 12                              => did you mean the process, -p 12?
            explain 12                          => did you mean the process, -p 12?
            compare -r 5 'touch ran'            => -r: no such option; hyperfine's -r is -n here
            compare -w 5 'touch ran'            => hyperfine's -w is --warmup here
            compare -N 'touch ran'              => hyperfine's -N is the default here
            compare --export-json x 'touch ran' => hyperfine's --export-json is --json -o FILE here
            compare --min-runs=5 'touch ran'    => hyperfine's -r is -n here""")
        self.assert_not_run()

    @needs_root
    def test_what_k_implies(self):
        """-k records an anatomy, so whatever needs one goes with it."""
        for export in ("--collapsed", "--pprof"):
            result = self.forktax("run", "-k", export, "-o", "/dev/null", self.sample("forkloop"), "-n", "2")
            self.assertEqual((result.status, result.err), (0, b""), result)

    def test_the_option_that_chose(self):
        golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden/forks.json")
        for options, title in ((["-e", "mmap"], "-e shows 35"),
                               (["--status=failed"], "--status shows 4"),
                               (["-e", "%file", "--status=failed"], "-e and --status shows 3")):
            out = self.forktax("report", *options, golden).out
            self.assertIn(f"System calls ({title} of 480".encode(), out)

    def options(self):
        """(command, letter, name, argument, completion, words) of each option there is."""
        for line in self.forktax("--dump-options").out.decode().splitlines():
            command, letter, name, argument, _, kind, words, _ = line.split("\t")
            yield command, letter, name, argument, kind, words.split()

    def test_every_option_takes_what_it_says(self):
        """Of those with a list of words each word is taken, and another one is not."""
        tried = 0
        for command, _, name, _, kind, words in self.options():
            if kind != "words":
                continue
            for word in words:
                result = self.forktax(*command.split(), f"--{name}={word}", "--help")
                self.assertEqual(result.status, 0, (command, name, word, result))
            result = self.usage_error(*command.split(), f"--{name}=no-such-word", "--help")
            self.assertIn(f"--{name} no-such-word: must be".encode(), result.err)
            tried += 1
        self.assertGreater(tried, 10)

    def test_values_and_flags(self):
        """An option needs a value if and only if the table of options says so."""
        for command, letter, name, argument, kind, _ in self.options():
            if not name:
                continue
            result = self.forktax(*command.split(), f"--{name}=", "--help")
            self.assertEqual(b"takes no value" in result.err, not kind, (command, name, result))
            self.assertEqual(bool(argument), bool(kind), (command, name))

    def test_help_fits_a_terminal(self):
        for command in sorted({command for command, *_ in self.options()}):
            result = self.forktax(*command.split(), "--help")
            self.assertEqual((result.status, result.err), (0, b""), result)
            lines = result.out.decode().splitlines()
            self.assertEqual([line for line in lines if len(line) > 80], [])

    def test_repeated_options(self):
        result = self.forktax("run", "-q", "-q", "-o", "first", "-o", "second", "true")
        self.assertEqual(result.status, 0, result)
