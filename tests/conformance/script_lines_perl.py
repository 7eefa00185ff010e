# SPDX-License-Identifier: GPL-2.0-or-later
"""script_lines_perl.py FORKTAX SAMPLES WITNESS: forks by line of a perl program.

Each statement that forks first notes where caller() says that it is. strace counts the forks.
"""
import shutil
import subprocess
import sys
from collections import Counter

import balance
from check import Check, skip
from runs import Tools, forks_by_strace

NOTE = '''package Note;
sub here {
    my (undef, $file, $line) = caller;
    open(my $log, ">>", $ENV{PLACES}) or die;
    print $log "$file\\t$line\\n";
    close $log;
}
1;
'''

MODULE = '''package Made;

sub run {
    Note::here(), system("/bin/true");
    for my $i (1 .. 2) {
        Note::here(), my $x = `/bin/true`;
    }
}

sub start {
    my $pid = (Note::here(), fork());
    return $pid if $pid;
    Note::here(), system("/bin/true");
    exit 0;
}
1;
'''

PROGRAM = '''use strict;
use Note;
use Made;
BEGIN { Note::here(), system("/bin/true"); }
Made::run() for 1 .. 3;
waitpid(Made::start(), 0);
my $f = sub { Note::here(), system("/bin/true") };
$f->(); map { $f->() } 1 .. 2;
eval { Note::here(), system("/bin/true"); 1 };
eval 'Note::here(), system("/bin/true"); 1';
Note::here(), open(my $in, "-|", "/bin/true"); close $in;
my @sorted = sort { Note::here(), system("/bin/true"); $a <=> $b } 2, 1;
Note::here(), system("/bin/true",
    "x");
if (0) {
    1;
} elsif ((Note::here(), system("/bin/true"))[0]) {
    2;
}
"x" =~ /(?{ Note::here(); })x/; system("/bin/true");
local $SIG{ALRM} = sub { Note::here(), system("/bin/true") };
kill ALRM => $$;
# line 7 "elsewhere.pl"
Note::here(), system("/bin/true");
''' + "\n" * 70000 + 'Note::here(), system("/bin/true");\nEND { Note::here(), system("/bin/true"); }\n'


IF = PROGRAM.split("\n").index("if (0) {") + 1


def write(tools, name, text):
    with open(tools.path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return tools.path(name)


def expected_of(path):
    """What has no file is counted together: "(eval 1)"."""
    expected = Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, number = line.rstrip("\n").split("\t")
            expected[None if name.startswith("(") else name, int(number)] += 1
    return expected


def is_known(perl):
    result = subprocess.run([perl, "-MConfig", "-e", "print $Config{useithreads} && $] >= 5.036 && $] < 5.037"],
                            stdout=subprocess.PIPE, check=False)
    return result.stdout == b"1"


def main():
    tools = Tools(*sys.argv[1:4])
    perl = shutil.which("perl")
    if not perl or not is_known(perl):
        skip("no perl 5.36 with threads is installed")
    check = Check()
    write(tools, "Note.pm", NOTE)
    write(tools, "Made.pm", MODULE)
    places = tools.path("places")
    program = write(tools, "program.pl", PROGRAM)
    command = ["env", f"PLACES={places}", perl, f"-I{tools.path('')}", program]
    _, run = tools.trace(command, "--lines")
    expected = expected_of(places)
    # caller() looks for the line of an elsif in the program's code; while it runs, perl is at the if.
    expected[program, IF] += expected.pop((program, IF + 2))
    balance.check_balance(check, run)
    rows = run.saved["lines"]["rows"]
    found = Counter()
    for row in rows:
        found[row["file"], row["line"]] += row["children"]
    check.equal_counts("forks by line", found, expected)
    check.equal("forks, by strace", sum(found.values()), forks_by_strace(command, tools.path("forks.log")))
    check.equal("languages", {row["language"] for row in rows}, {"perl"})
    for row in rows:
        if row["file"] and row["file"] != "elsewhere.pl":
            with open(row["file"], encoding="utf-8") as file:
                check.equal("text", row["text"], file.read().split("\n")[row["line"] - 1].strip())
        else:
            check.equal("text", row["text"], None)
    check.finish()


main()
