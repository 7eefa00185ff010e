# SPDX-License-Identifier: GPL-2.0-or-later
"""Language runtimes: thread pools that create processes, and what else they do by themselves."""


def script(name, text, run):
    return f"cat > {name} <<'END'\n{text}END\n{run}\n"


JAVA = """\
import java.util.*;
import java.util.concurrent.*;
public class Pool {
    public static void main(String[] none) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(6);
        List<Future<Integer>> all = new ArrayList<>();
        for (int n = 0; n < 12; n++)
            all.add(pool.submit(() -> new ProcessBuilder("sh", "-c", "ls / | wc -l").inheritIO().start().waitFor()));
        for (Future<Integer> each : all) each.get();
        pool.shutdown();
        try { new ProcessBuilder("/nonexistent").start(); } catch (java.io.IOException expected) { }
        System.gc();
    }
}
"""

NODE = """\
const { execFile, fork, spawnSync } = require("child_process");
const { Worker, isMainThread } = require("worker_threads");
if (process.send) { process.send("here"); process.exit(3); }
for (let n = 0; n < 3; n++) new Worker("require('child_process').execFileSync('true')", { eval: true });
for (let n = 0; n < 3; n++) execFile("sh", ["-c", "ls / | wc -l"], () => {});
fork(__filename).on("message", () => {});
spawnSync("nosuchprogram");
"""

CLUSTER = """\
const cluster = require("cluster"), http = require("http");
if (cluster.isPrimary) {
  let left = 3;
  for (let n = 0; n < left; n++) cluster.fork();
  cluster.on("listening", (worker, address) => http.get({ host: "127.0.0.1", port: address.port, agent: false }, answer => {
    answer.resume(); answer.on("end", () => { if (!--left) for (const id in cluster.workers) cluster.workers[id].disconnect(); });
  }));
} else http.createServer((_, answer) => answer.end("hello")).listen(+process.env.PORT, "127.0.0.1");
"""

GO = """\
package main

import ("fmt"; "os"; "os/exec"; "runtime"; "sync"; "syscall")

func main() {
	var all sync.WaitGroup
	for n := 0; n < 16; n++ {
		all.Add(1)
		go func() {
			defer all.Done()
			runtime.LockOSThread()
			exec.Command("sh", "-c", "ls / | wc -l").Run()
			exec.Command("/nonexistent").Run()
		}()
	}
	all.Wait()
	if len(os.Args) > 1 {
		done := make(chan bool)
		go func() {
			runtime.LockOSThread()
			fmt.Println(syscall.Exec("/bin/ls", []string{"ls", "/"}, os.Environ()))
		}()
		<-done
	}
}
"""

PYTHON_POOL = """\
import concurrent.futures, multiprocessing, os, subprocess, threading
def work(n): return subprocess.run(["sh", "-c", "exit %d" % (n % 4)]).returncode
if __name__ == "__main__":
    for way in ("fork", "spawn", "forkserver"):
        with concurrent.futures.ProcessPoolExecutor(3, multiprocessing.get_context(way)) as pool:
            print(sum(pool.map(work, range(12))))
    def fork(n):
        for _ in range(5):
            pid = os.fork()
            if not pid: os._exit(n)
            os.waitpid(pid, 0)
    all = [threading.Thread(target=fork, args=(n,)) for n in range(6)]
    for each in all: each.start()
    for each in all: each.join()
"""

PYTHON_ASYNCIO = """\
import asyncio
async def main():
    async def one(n):
        process = await asyncio.create_subprocess_shell("echo %d; sleep 0.0%d" % (n, n), stdout=-1)
        await process.communicate()
    await asyncio.gather(*map(one, range(10)))
    try:
        await asyncio.wait_for(one(99), 0.05)
    except asyncio.TimeoutError: pass
asyncio.run(main())
"""

RUBY = """\
pids = 4.times.map { |n| fork { threads = 4.times.map { Thread.new { `echo #{n}` } }; threads.each(&:join); exit! n } }
pids.each { |pid| Process.wait pid }
reader, writer = IO.pipe
fork { reader.close; writer.puts Marshal.dump([1, 2]); }
Process.wait
system("nosuchprogram")
spawn("true"); Process.wait
begin; exec("/nonexistent"); rescue Errno::ENOENT; end
Process.daemon(true, true) if ARGV[0]
GC.start
"""

PERL = """\
use POSIX ":sys_wait_h";
$SIG{CHLD} = sub { 1 while waitpid(-1, WNOHANG) > 0 };
for my $n (1 .. 30) { my $pid = fork; if (!$pid) { $n % 3 or exec "sh", "-c", "exit $n"; $n % 5 or kill 9, $$; exit $n } }
open(my $pipe, "-|") // exec "echo", "from a child"; print <$pipe>; close $pipe;
exec { "/nonexistent" } "x" if 0; system "/nonexistent"; system { "/bin/true" } "other name";
sleep 1;
"""

TCL = """\
for {set n 0} {$n < 5} {incr n} { exec sh -c "echo $n | cat" }
set pipes {}
for {set n 0} {$n < 5} {incr n} { lappend pipes [open "|sh -c {sleep 0.05; echo $n}" r] }
foreach one $pipes { gets $one; close $one }
catch {exec /nonexistent}
exec sleep 0.05 &
"""

LUA = """\
for n = 1, 5 do os.execute("exit " .. n); print(io.popen("ls / | wc -l"):read()) end
"""

PHP = """\
<?php
for ($n = 0; $n < 8; $n++) { $pid = pcntl_fork(); if (!$pid) { if ($n % 2) pcntl_exec("/bin/true"); exit($n); } }
while (pcntl_wait($status) > 0);
echo shell_exec("ls / | wc -l");
$all = []; for ($n = 0; $n < 3; $n++) $all[] = proc_open("echo $n", [], $pipes);
foreach ($all as $one) proc_close($one);
"""

ERLANG = """\
erl -noshell -eval 'All = [spawn_monitor(fun() -> os:cmd("ls / | wc -l") end) || _ <- lists:seq(1, 8)],
  [receive {_, R, _, _, _} -> ok end || {_, R} <- All], halt(0).'
"""

GUILE = "(system \"ls / >/dev/null\") (let loop ((n 5)) (if (> n 0) (let ((pid (primitive-fork))) (if (= pid 0) (primitive-exit n) (begin (waitpid pid) (loop (- n 1)))))))"

OCAML = """\
let () = for n = 1 to 10 do
  match Unix.fork () with 0 -> (if n mod 2 = 0 then Unix.execvp "true" [|"true"|]); exit n
  | pid -> ignore (Unix.waitpid [] pid) done;
  ignore (Sys.command "ls / | wc -l")
"""

PROGRAMS = {
    "java-processes": (["java", "javac"], script("Pool.java", JAVA, "javac Pool.java && java -XX:+UseParallelGC Pool")),
    "java-source": (["java", "javac"], script("Pool.java", JAVA, "java Pool.java")),
    "node-children": (["node"], script("children.js", NODE, "node children.js")),
    "node-cluster": (["node"], script("cluster.js", CLUSTER, "node cluster.js")),
    "go-exec": (["go"], script("main.go", GO, "GOCACHE=$PWD/cache GOFLAGS=-mod=mod go build -o one main.go && ./one")),
    "go-exec-of-thread": (["go"], script("main.go", GO, "GOCACHE=$PWD/cache go build -o one main.go && ./one exec")),
    "python-pools": (["python3"], script("pool.py", PYTHON_POOL, "python3 pool.py")),
    "python-asyncio": (["python3"], script("a.py", PYTHON_ASYNCIO, "python3 a.py; sleep 0.2")),
    "ruby-fork": (["ruby"], script("a.rb", RUBY, "ruby a.rb; ruby a.rb daemon; sleep 0.3")),
    "perl-children": (["perl"], script("a.pl", PERL, "perl a.pl")),
    "tcl-exec": (["tclsh"], script("a.tcl", TCL, "tclsh a.tcl; sleep 0.1")),
    "lua": (["lua5.4"], script("a.lua", LUA, "lua5.4 a.lua")),
    "php-pcntl": (["php"], script("a.php", PHP, "php a.php")),
    "erlang-ports": (["erl"], ERLANG),
    "guile-fork": (["guile"], script("a.scm", GUILE + "\n", "guile --no-auto-compile a.scm")),
    "ocaml-unix": (["ocaml"], script("a.ml", OCAML, "ocaml unix.cma a.ml || ocaml -I +unix unix.cma a.ml")),
    "sbcl": (["sbcl"], "sbcl --non-interactive --eval '(progn (sb-ext:run-program \"/bin/ls\" (list \"/\")) (sb-ext:gc :full t))'"),
}
