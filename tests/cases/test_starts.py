# SPDX-License-Identifier: GPL-2.0-or-later
"""Where a start takes long: searches along lists of directories, and programs before the program."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from support import Case, needs, needs_root
import support

ROWS = 24


def first_screen(*command, environment=None, options=()):
    """What stands on the first 24 lines of 80 columns, as one line of text."""
    done = subprocess.run([support.FORKTAX, "explain", *options, *command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {}), "COLUMNS": "80"})
    assert done.returncode == 0, done
    return " ".join(" ".join(done.stdout.splitlines()[:ROWS]).split())


def advice(rule, *command, environment=None, options=("--no-try",)):
    """The advice of that rule on the run; None: it is silent."""
    done = subprocess.run([support.FORKTAX, "explain", "--json", *options, *command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    assert done.returncode == 0, done
    return next((one for one in json.loads(done.stdout).get("run_advice", ()) if one["rule"] == rule), None)


def failed_calls(calls, command, environment=None):
    """How many of these calls fail, in all processes."""
    with open("strace.log", "w+") as log:
        subprocess.run(["strace", "-f", "-qq", "-o", "strace.log", "-e", "trace=" + calls, *command], check=True,
                       env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL)
        return sum(" = -1 " in line for line in log)


@needs_root
class Starts(Case):
    def directories(self, count):
        """So many empty directories, as a list; they are no part of what the program needs."""
        paths = [os.path.join(os.getcwd(), f"part-{i}") for i in range(count)]
        for path in paths:
            os.mkdir(path)
        return ":".join(paths)

    def assert_remedy(self, calls, failed, command, before, after):
        """What is said to fail does, but not with the remedy."""
        truth = failed_calls(calls, command, before) - failed_calls(calls, command, after)
        self.assertAlmostEqual(failed, truth, delta=0.02 * truth)

    @needs("strace")
    def test_library_path(self):
        before = {"LD_LIBRARY_PATH": self.directories(80)}
        text = first_screen("/bin/true", environment=before)
        said = re.search(r"LD_LIBRARY_PATH has 80 directories, none of which is used: (\d+) look-ups along them fail", text)
        self.assertTrue(said, text)
        self.assertRegex(text, r"Best advice: leave LD_LIBRARY_PATH out .*?; (saves|not tried|tried in too few)")
        self.assertNotIn("RUNPATH", text)
        self.assert_remedy("open,openat,stat,newfstatat", int(said[1]), ["/bin/true"], before, {"LD_LIBRARY_PATH": ""})

    @needs("bash")
    def test_library_path_of_children(self):
        """The command forks, so no start is recorded: nobody knows which list of directories ld.so looked along."""
        with open("loop.sh", "w") as script:
            script.write("for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done\n")
        before = {"LD_LIBRARY_PATH": self.directories(60)}
        text = first_screen("bash", "loop.sh", environment=before, options=["--no-try"])
        self.assertNotIn("along them", text)

    @needs("strace")
    def test_path(self):
        """env(1) executes what it is given in one directory after the other."""
        command = ["/usr/bin/env", *["env"] * 30, "true"]
        last = self.directories(120) + ":/usr/bin"
        found = advice("R2", *command, environment={"PATH": last})
        said = re.search(r"PATH has 121 directories, 1 of which is used: (\d+) look-ups along them fail", found["evidence"])
        self.assertTrue(said, found)
        self.assertIn("put the directories that programs are found in first in PATH: /usr/bin", found["action"])
        first = {"PATH": "/usr/bin:" + last}
        self.assert_remedy("execve", int(said[1]), command, {"PATH": last}, first)
        self.assertNotIn("PATH has", first_screen(*command, environment=first, options=["--no-try"]))

    @needs("python3")
    def test_module_path(self):
        """python lists each directory once and asks for its time at each import: nothing fails."""
        command = ["/usr/bin/python3", "-c", "import json, csv"]
        before = {"PYTHONPATH": self.directories(100)}
        said = advice("R2", *command, environment=before)
        self.assertRegex(said["evidence"], r"PYTHONPATH has 100 directories, none of which is used: \d{4,} calls along them "
                                           r"\(\d+ fail\)")
        self.assertIn("leave PYTHONPATH out (env -u PYTHONPATH)", said["action"])
        hostile = advice("R2", *command, environment={"PYTHON;PATH": before["PYTHONPATH"], **before})
        self.assertIn("PYTHONPATH has 100", hostile["evidence"])

    @needs("bash")
    def test_path_of_what_is_asked_for(self):
        """ls looks at what it is told to."""
        before = {"XDG_DATA_DIRS": "/usr/local/share:/usr/share"}
        paths = [entry.path for directory in ("/usr/share", "/usr/share/doc") for entry in os.scandir(directory)]
        for command in (["ls", "-ld", *paths[:1000]], ["ls", "-lR", "/usr/share/doc/"]):
            self.assertNotIn("XDG_DATA_DIRS", first_screen(*command, environment=before, options=["--no-try"]))

    def test_needed(self):
        """A library that is found only there: without the variable the program does not start, so that is no advice."""
        last = os.path.join(os.getcwd(), "last")
        os.mkdir(last)
        with open("f.c", "w") as source:
            source.write("int f(void) { return 0; }\n")
        with open("main.c", "w") as source:
            source.write("int f(void); int main(void) { return f(); }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "last/libf.so", "f.c"], check=True)
        subprocess.run(["cc", "-o", "program", "main.c", "-Llast", "-lf"], check=True)
        path = self.directories(80) + ":" + last
        said = advice("R2", "./program", environment={"LD_LIBRARY_PATH": path}, options=())
        self.assertIn(f"name only the directories that are used in LD_LIBRARY_PATH: {last}", said["action"])
        self.assertNotIn("leave LD_LIBRARY_PATH out", first_screen("./program", environment={"LD_LIBRARY_PATH": path}))

    @needs("bash", "perl", "strace")
    def test_before(self):
        """Two scripts, one executed by the other, find out what to execute."""
        with open("tool", "w") as shim:
            shim.write("#!/usr/bin/env bash\nwhere=$(dirname \"$0\")\nexec $where/manager \"$@\"\n")
        with open("manager", "w") as manager:
            manager.write("#!/bin/bash\nfor i in 1 2 3 4 5 6; do v=$(basename $i | sed s/x//); done\nexec perl -e 1\n")
        for script in ("tool", "manager"):
            os.chmod(script, 0o755)
        text = first_screen("./tool", options=["--no-try"])
        said = re.search(r"Before perl starts, (\d+) programs of tool, manager take .*?"
                         r"Best advice: start \S*/perl directly, where the work of tool, manager is not needed", text)
        self.assertTrue(said, text)
        self.assertNotIn("above all basename", text)
        subprocess.run(["strace", "-f", "-qq", "-o", "strace.log", "-e", "trace=execve", "./tool"], check=True)
        with open("strace.log") as log:
            self.assertEqual(int(said[1]), sum(line.endswith(" = 0\n") for line in log) - 1)
        for innocent in (["bash", "-c"], ["bash", "-ce"], ["bash", "-eo", "pipefail", "-c"], ["env", "A=1", "bash", "-c"],
                         ["nice", "-n", "1", "bash", "-e", "-c"]):
            innocent.append("for i in 1 2 3 4 5 6; do basename $i; done; perl -e 1")
            self.assertNotIn("directly", first_screen(*innocent, options=["--no-try"]), innocent)
        self.assertNotIn("directly", first_screen("/usr/bin/env", "ls", options=["--no-try"]))
        self.assertIn("Before perl starts", first_screen("bash", "./manager", "-c", options=["--no-try"]))

    @needs("perl")
    def test_what_takes_most_before(self):
        """An entry point changes the owner of all files, and executes the server."""
        for number in range(4000):
            open(f"{number}", "w").close()
        with open("entry.sh", "w") as script:
            script.write("mkdir -p run\nchown -R root:root .\nexec perl -e 1\n")
        text = first_screen("sh", "entry.sh", options=["--no-try"])
        self.assertRegex(text, r"Before perl starts, 3 programs of sh take .*, above all chown -R root:root \.\.")

    @needs("perl")
    def test_completion_looks_into_path(self):
        """Each file of each directory of PATH is asked for: directories that nobody needs take time each time."""
        for number in range(40):
            os.makedirs(f"bin{number}")
            for tool in range(40):
                open(f"bin{number}/tool{tool}", "w").close()
        with open("complete.pl", "w") as script:
            script.write("for my $d (split /:/, $ENV{PATH}) { opendir my $h, $d or next; -x \"$d/$_\" for readdir $h; }\n")
        long = f"{os.environ['PATH']}:" + ":".join(os.path.abspath(f"bin{number}") for number in range(40))
        words = ["/usr/bin/perl", "complete.pl"]
        text = first_screen(*words, options=["--no-try"], environment={"PATH": long})
        said = re.search(r"PATH has (\d+) directories: (\d+) calls along them .*? Best advice: leave directories that are not needed "
                         r"out of PATH", text)
        self.assertTrue(said, text)
        self.assertEqual(int(said[1]), long.count(":") + 1)
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=stat,newfstatat,access", *words], check=True,
                       env={**os.environ, "PATH": long})
        with open("strace.log") as log:
            asked = sum("/bin" in line for line in log)
        self.assertGreater(int(said[2]), 40 * 40)
        self.assertLess(int(said[2]), 4 * asked)

    @needs("python3")
    def test_asked_again(self):
        """For each file all files are looked at again: as many questions as strace sees, and the remedy asks once."""
        for number in range(100):
            open(f"{number}.x", "w").close()
        with open("again.py", "w") as script:
            script.write("import os\nnames = [f'{i}.x' for i in range(100)]\n"
                         "print(sum(os.path.exists(name) for _ in names for name in names))\n")
        text = first_screen("/usr/bin/python3", "again.py", options=["--no-try"])
        said = re.search(r"^Calls that the program made before, with the same result.*?: (\d+), .* Best advice: keep what os.stat", text)
        self.assertTrue(said, text)
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=newfstatat", "/usr/bin/python3", "again.py"], check=True)
        with open("strace.log") as log:
            asked = sum(".x\"" in line for line in log)
        self.assertLess(abs(int(said[1]) - (asked - 100)), 100)

    def test_until_exec(self):
        """The start ends with the execve of sleep, not with the end of sleep."""
        with open("launch", "w") as script:
            script.write("#!/bin/sh\nexec sleep 0.4\n")
        os.chmod("launch", 0o755)
        text = first_screen("./launch", options=["--startup"])
        said = re.search(r"of the ([\d.]+) (us|ms) until it executes another program", text)
        self.assertTrue(said, text)
        self.assertLess(float(said[1]) / (1000 if said[2] == "us" else 1), 300)

    @needs("python3")
    def test_path_files(self):
        """An environment with packages in editable form: site executes a .pth file of each."""
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", "env"], check=True)
        site = next(path for path, names, _ in os.walk("env/lib") if path.endswith("/site-packages"))
        for i in range(40):
            with open(f"{site}/package{i}.pth", "w") as file:
                file.write(f"import _package{i}\n")
            with open(f"{site}/_package{i}.py", "w") as file:
                file.write("import ast, json, subprocess, pathlib\n")
        subprocess.run(["env/bin/python", "-c", "pass"], check=True)
        text = first_screen("env/bin/python", "-c", "pass")
        said = re.search(r"python opens \d+ files of packages, which takes .*? (\d+) of them are \.pth files in "
                         rf"{re.escape(os.getcwd())}/env/lib/[^ ]+/site-packages: these, and what they load, take ", text)
        self.assertTrue(said, text)
        self.assertIn("Best advice: install packages as files instead of in editable form", text)
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=openat", "env/bin/python", "-c", "pass"], check=True)
        with open("strace.log") as log:
            self.assertEqual(int(said[1]), sum(".pth" in line and " = -1 " not in line for line in log))

    @needs("python3")
    def test_metadata_of_all_packages(self):
        """A command is looked up among the entry points of all packages."""
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", "env"], check=True)
        site = next(path for path, names, _ in os.walk("env/lib") if path.endswith("/site-packages"))
        for i in range(200):
            os.mkdir(f"{site}/package{i}-1.0.dist-info")
            for name, text in (("METADATA", f"Name: package{i}\n"), ("entry_points.txt", f"[tools]\nx{i} = package{i}:main\n")):
                with open(f"{site}/package{i}-1.0.dist-info/{name}", "w") as file:
                    file.write(text)
        with open("command.py", "w") as script:
            script.write("from importlib.metadata import entry_points\nprint(len(entry_points(group='tools')))\n")
        words = ["env/bin/python", "command.py"]
        subprocess.run(words, check=True)
        text = first_screen(*words)
        said = re.search(r"(\d+) of them are \.dist-info files in \S+/site-packages: these, and what they load, take .*? "
                         r"Best advice: import what is needed by its name", text)
        self.assertTrue(said, text)
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=openat", *words], check=True)
        with open("strace.log") as log:
            self.assertEqual(int(said[1]), sum(".dist-info" in line and " = -1 " not in line for line in log))

    @needs("php", "strace")
    def test_extensions(self):
        """Files of settings name libraries, which the runtime opens by dlopen."""
        words = ["php", "-r", "1;"]
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=openat", *words], check=True)
        with open("strace.log") as log:
            opened = [line for line in log if " = -1 " not in line and re.search(r"php\S*\.(so|ini)\"", line)]
        if len(opened) < 40:
            self.skipTest("php has few extensions here")
        text = first_screen(*words)
        said = re.search(r"php opens (\d+) files of packages, which takes .*? (\d+) of them are \.so files in /usr/lib/php/\d+: .*? "
                         r"Best advice: start php with -n if", text)
        self.assertTrue(said, text)
        self.assertEqual(int(said[2]), sum(".so\"" in line for line in opened))

    # ctest: all needs:ruby
    @needs("ruby")
    def test_gems(self):
        self.assertRegex(first_screen("ruby", "-e", "1"),
                         r"ruby opens \d+ files of packages, which takes .*?ruby/gems.*?"
                         r"Best advice: start ruby with --disable-gems if the script needs no gems; .*? of the run")
        with open("gem.rb", "w") as script:
            script.write("exit Gem ? 0 : 1\n")
        text = first_screen("ruby", "gem.rb")
        self.assertRegex(text, r"opens \d+ files of packages, which takes")

    # ctest: all needs:zsh
    @needs("zsh")
    def test_completions(self):
        """The command forks, and makes more calls than a start keeps: each file is counted all the same."""
        with open("setup.zsh", "w") as script:
            script.write("autoload -Uz compinit; compinit -u -D\n")
        text = first_screen("zsh", "-f", "setup.zsh", options=["--no-try"])
        said = re.search(r"zsh opens (\d+) files of packages as its script asks for them, which takes", text)
        self.assertTrue(said, text)
        self.assertIn("compinit -C -d FILE at each start", text)
        self.assertNotIn("Phases of the start", text)
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=openat", "zsh", "-f", "setup.zsh"], check=True)
        with open("strace.log") as log:
            truth = sum('"/usr/' in line and " = -1 " not in line and ".so" not in line for line in log)
        self.assertAlmostEqual(int(said[1]), truth, delta=0.02 * truth)

    @needs("python3")
    def test_big_file(self):
        big = os.path.join(self.elsewhere(), "big.json")
        with open(big, "w") as file:
            file.write("[" + "1, " * 3000000 + "1]")
        with open("job.py", "w") as script:
            script.write(f"import json\njson.load(open('{big}'))\n")
        text = first_screen("/usr/bin/python3", "job.py", options=["--no-try"])
        self.assertRegex(text, r"reads [\d.]+ MiB of \S+big\.json\. Reading and using that takes [\d.]+ ms of the ")
        self.assertNotIn("MiB of", first_screen("/bin/cat", big, options=["--no-try"]))

    def write(self, name, text):
        with open(name, "w") as file:
            file.write(text)
        return name

    def walks(self, script, *command):
        return advice("R31", "/usr/bin/python3", self.write("walk.py", script), *command)

    @needs("python3", "strace")
    def test_directories_without_use(self):
        """A test runner that looks for tests in what others have installed."""
        for package in range(300):
            os.makedirs(f"modules/{package}/lib")
        os.mkdir("tests")
        self.write("tests/one", "")
        search = ("import os\nfor root, below, files in os.walk('.'):\n"
                  "    below[:] = [name for name in below if name not in {}]\n"
                  "    for name in files:\n        open(os.path.join(root, name)).close() if 'tests' in root else 0\n")
        said = self.walks(search.format([]))
        self.assertRegex(said["evidence"], "python3 looks through 600 directories below modules and opens no file there")
        self.assertIn("leave modules out of what it searches", said["action"])
        with open("strace.log", "w+") as log:
            subprocess.run(["strace", "-o", "strace.log", "-e", "trace=openat", "python3", "walk.py"], check=True)
            self.assertEqual(sum("/modules/" in line and "O_DIRECTORY" in line for line in log), 600)
        # Of the run's wall time, what leaving it out saves: between a third of it and all.
        took = [min(self.timed(["/usr/bin/python3", script]) for _ in range(8))
                for script in (self.write("all.py", search.format([])), self.write("less.py", search.format(["modules"])))]
        self.assertGreater(said["predicted"]["ns"]["high"], (took[0] - took[1]) * 1e9 / 3)
        self.assertLess(said["predicted"]["ns"]["high"], took[0] * 1e9 * 3)
        # It is asked to, or does nothing else; or there are files that it opens; or it is little.
        self.assertIsNone(self.walks(search.format([]), "modules"))
        self.assertIsNone(self.walks(search.format([]).replace("'tests' in root", "False")))
        self.assertIsNone(self.walks(search.format(["modules"])))
        for package in range(260):
            shutil.rmtree(f"modules/{package}")
        self.assertIsNone(self.walks(search.format([])))

    def timed(self, command):
        begin = time.monotonic()
        subprocess.run(command, check=True)
        return time.monotonic() - begin

    @needs("python3", "perl", "strace")
    def test_the_same_file_again(self):
        """A table is read from its beginning for each of its entries; read once, it is a list."""
        with open("table", "w") as table:
            table.writelines(f"{i} entry of the table, some text\n" for i in range(300))
        with open("again.py", "w") as script:
            script.write("def entry(n):\n    return open('table', buffering=512).readlines()[n]\n"
                         "print(sum(int(entry(n).split()[0]) for n in range(300)))\n")
        with open("once.py", "w") as script:
            script.write("print(sum(int(line.split()[0]) for line in open('table').readlines()))\n")
        command, once = ["/usr/bin/python3", "-I", "-S", "again.py"], ["/usr/bin/python3", "-I", "-S", "once.py"]
        text = first_screen(*command, options=["--no-try"])
        said = re.search(r"python3 opens \S*table (\d+) times and reads [\d.]+ MiB of it: again and again that takes "
                         r".*? of the .*?Best advice: read table once and keep what it says", text)
        self.assertTrue(said, text)
        subprocess.run(["strace", "-qq", "-o", "strace.log", "-e", "trace=openat", *command], check=True, stdout=subprocess.DEVNULL)
        with open("strace.log") as log:
            self.assertEqual(int(said[1]), sum('table"' in line for line in log))
        outputs = {subprocess.run(words, check=True, capture_output=True).stdout for words in (command, once)}
        self.assertEqual(len(outputs), 1)
        self.assertNotIn("again and again", first_screen(*once, options=["--no-try"]))
        operand = ["perl", "-e", "for (1..300) { open my $f, '<', $ARGV[0]; my @lines = <$f> } print 1", "table"]
        self.assertIn("perl opens table 300 times", first_screen(*operand, options=["--no-try"]))

    def elsewhere(self):
        """A directory that is not below this one."""
        directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, directory)
        return directory

    @needs("git", "bash", "python3", "gcc", "find", "grep")
    def test_innocent(self):
        with open("a.c", "w") as source:
            source.write("#include <stdio.h>\nint main(void) { return puts(\"a\") < 0; }\n")
        for command in (["ls", "-l", "/usr/lib"], ["/usr/bin/python3", "-c", "pass"], ["grep", "-rc", "x", "/usr/include/linux"],
                        ["gcc", "-c", "a.c"], ["find", "/usr/include", "-name", "x*"], ["git", "--version"],
                        ["tar", "cf", "/dev/null", "/usr/include/linux"]):
            text = first_screen(*command, options=["--no-try"])
            self.assertNotRegex(text, r"along them|Before \S+ starts|files of packages|reads [\d.]+ MiB|again and again", command)
