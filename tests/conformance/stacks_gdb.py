# SPDX-License-Identifier: GPL-2.0-or-later
"""stacks_gdb.py FORKTAX SAMPLES WITNESS CASE: call stacks of the faults of a real program, beside gdb.

The program runs under forktax, and again under gdb, which stops wherever a fault was and unwinds the stack there
(.eh_frame, .debug_frame, prologues). Each stack that forktax calls proven must be among those that gdb sees at this
instruction. What the second run does not reach, or reaches too often to look each time, is left out and counted.
"""
import json
import os
import shutil
import subprocess
import sys
from collections import Counter

from check import PATIENCE_S, Check, skip
from runs import Tools

TRIES = 3
C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char room[1 << 20];
__attribute__((noinline)) static int order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static void sort(int *all, int n)
{
	qsort(all, n, sizeof(*all), order);
	asm volatile("");
}
__attribute__((noinline)) static void fill(int n)
{
	char frame[500 + n];

	memset(frame, n, sizeof(frame));
	memset(room + n * 20000, frame[n], 20000);
	asm volatile("");
}
__attribute__((noinline)) static void work(int n)
{
	int *all = malloc(400000);

	for (int i = 0; i < 100000; i++)
		all[i] = i * 7919 % 10007;
	sort(all, 100000);
	fill(n);
	free(all);
	asm volatile("");
}
int main(void)
{
	memset(room, 1, sizeof(room));
	for (int n = 0; n < 8; n++) {
		work(n);
		printf("%f\n", n / 3.0);
	}
	return 0;
}
"""

RUST = r"""
use std::{collections::HashMap, thread};
#[inline(never)]
fn grow(n: usize) -> usize {
    let mut all = HashMap::new();
    for i in 0..20000 { all.insert(i * n, vec![i as u8; 64]); }
    let mut keys: Vec<_> = all.keys().copied().collect();
    keys.sort_unstable_by(|a, b| b.cmp(a));
    keys[1]
}
fn main() {
    let all: Vec<_> = (1..4).map(|n| thread::spawn(move || grow(n))).collect();
    for one in all { one.join().unwrap(); }
    println!("{}", grow(5));
}
"""

GO = r"""
package main
import ("fmt"; "sort"; "strings")
//go:noinline
func grow(n int) int {
	all := map[int]string{}
	for i := 0; i < 20000; i++ { all[i*n] = strings.Repeat("x", 40) }
	keys := []int{}
	for k := range all { keys = append(keys, k) }
	sort.Ints(keys)
	return keys[1]
}
func main() {
	done := make(chan int)
	for n := 1; n < 4; n++ { go func() { done <- grow(n) }() }
	for n := 1; n < 4; n++ { <-done }
	fmt.Println(grow(5))
}
"""

# How a program is made (source, its name, the compiler), and what is run. Each is one process.
WITH, WITHOUT = ["-fno-omit-frame-pointer"], ["-fomit-frame-pointer"]
CASES = {
    "c-with": ((C, "p.c", ["gcc", "-O2", "-g", *WITH, "-o", "p", "p.c"]), ["./p"]),
    "c-without": ((C, "p.c", ["gcc", "-O2", "-g", *WITHOUT, "-o", "p", "p.c"]), ["./p"]),
    "c-clang": ((C, "p.c", ["clang", "-O2", *WITH, "-o", "p", "p.c"]), ["./p"]),
    "c-stripped": ((C, "p.c", ["gcc", "-O2", "-s", *WITH, "-o", "p", "p.c"]), ["./p"]),
    "c-static": ((C, "p.c", ["gcc", "-O2", "-static", *WITH, "-o", "p", "p.c"]), ["./p"]),
    "rust-with": ((RUST, "p.rs", ["rustc", "-O", "-g", "-Cforce-frame-pointers=yes", "p.rs"]), ["./p"]),
    "rust-without": ((RUST, "p.rs", ["rustc", "-O", "p.rs"]), ["./p"]),
    "go": ((GO, "p.go", ["go", "build", "-o", "p", "p.go"]), ["./p"]),
    "bash": (None, ["/usr/bin/bash", "-c", "x=$(</etc/passwd); for n in {1..50}; do y=${x//a/$n}; "
                    "declare -A z[$n]=$y; done"]),
    "python3": (None, ["/usr/bin/python3", "-c", "import json, re; json.dumps(list(range(9000))); "
                       "re.compile('(a|b)*c' * 50)"]),
    "git": (None, ["/usr/bin/git", "--no-pager", "config", "--list", "--show-origin"]),
    "perl": (None, ["/usr/bin/perl", "-MPOSIX", "-e", "my %h = map { $_ => 'x' x 50 } 1 .. 9000; my @s = sort keys %h;"]),
    "sqlite3": (None, ["/usr/bin/sqlite3", ":memory:", "create table t(a); with recursive c(x) as (select 1 "
                       "union all select x + 1 from c limit 9000) insert into t select x from c; "
                       "create index i on t(a);"]),
    "node": (None, ["node", "-e", "const a = {}; for (let n = 0; n < 5000; n++) a['x' + n] = [n]"]),
    "java": (None, ["java", "-Xmx64m", "-XX:+UseSerialGC", "-version"]),
}


def frame_of(saved, number):
    frame = saved["stacks"]["frames"][number]
    index = frame["object_index"]
    return (None if index is None else saved["objects"][index]["path"]), frame["offset"]


def proven_of(saved):
    """{the frames that are proven: faults in user mode}"""
    total = Counter()
    for share in saved["stacks"]["shares"]:
        if saved["anatomy"][share["row"]]["actor"] == "kernel":
            continue
        stack = saved["stacks"]["list"][share["stack"]]
        frames = [frame_of(saved, number) for number in stack["frames"]]
        if any(name is None for name, _ in frames[:stack["proven"]]):
            continue  # made by the process itself, or the vDSO
        total[tuple(frames[:stack["proven"]])] += share["faults"]
    return total


def text_of(frames):
    return " < ".join(f"{os.path.basename(frame[0])}+{frame[1]:#x}" if frame else "?"
                      for frame in frames)


def make(tools, made):
    text, name, compiler = made
    if not shutil.which(compiler[0]):
        skip(f"{compiler[0]} is not installed")
    with open(tools.path(name), "w", encoding="ascii") as file:
        file.write(text)
    built = subprocess.run(compiler, cwd=tools.scratch, capture_output=True, text=True, check=False,
                           env=os.environ | {"GOCACHE": tools.path("cache"), "GO111MODULE": "off"})
    if built.returncode:
        skip(f"{' '.join(compiler)}: {built.stderr.strip().splitlines()[0]}")


def ask_gdb(tools, command, stacks):
    """What gdb says of each: see gdb_stacks.py."""
    path = tools.path("stacks")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"wanted": stacks}, file)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gdb_stacks.py")
    said = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", script, "--args", *command], cwd=tools.scratch,
                          env=tools.environment | {"FORKTAX_STACKS": path}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=PATIENCE_S, check=False)
    with open(path, encoding="utf-8") as file:
        answers = json.load(file)
    if isinstance(answers, dict):
        raise RuntimeError(f"gdb: {said.stderr[-500:]}")
    return answers


def ask_often(tools, command, stacks):
    """{stack: answer}. What one run of the program does not do, another one may: threads take turns."""
    answers = {}
    for _ in range(TRIES):
        left = [stack for stack in stacks if answers.get(stack, ["other"])[0] == "other"]
        if left:
            answers.update(zip(left, ask_gdb(tools, command, left)))
    return answers


def main():
    tools, check = Tools(*sys.argv[1:4]), Check()
    check.context = case = sys.argv[4]
    made, command = CASES[case]
    if not shutil.which("gdb"):
        skip("gdb is not installed")
    if made:
        make(tools, made)
    elif not shutil.which(command[0]):
        skip(f"{command[0]} is not installed")
    tools.environment.update(PERL_HASH_SEED="0", PYTHONHASHSEED="0")
    result, run = tools.trace(command, "--stack-trace", "--no-aslr")
    check.equal("exit status", result.returncode, 0)
    proven, frames = proven_of(run.saved), Counter()
    answers = ask_often(tools, command, list(proven))
    for stack, answer in answers.items():
        frames[answer[0]] += len(stack) * proven[stack]
        if answer[0] in ("seen", "other"):
            check.that(answer[0] == "seen", f"{proven[stack]} faults at {text_of(stack)}; gdb has "
                       f"{text_of((answer + [[]])[1])}")
    print(f"{case}: {sum(proven.values())} faults, {len(proven)} stacks; frames: {dict(frames)}; "
          f"stacks that are missing, as the run says: {run.saved['stacks']['lost']}")
    check.that(frames["seen"] > frames["never"], "too few stacks were compared")
    check.finish()


main()
