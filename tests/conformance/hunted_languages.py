# SPDX-License-Identifier: GPL-2.0-or-later
"""Languages whose runtimes start processes in ways of their own: compiled ones, Lisps, shells, and young runtimes of
JavaScript."""

SHELL_SCRIPT = "for n in 1 2 3 4 5; do (echo $n | cat); done; sleep 0.01 & wait; x=$(ls / | wc -l)\n"

LUAJIT = """\
cat > a.lua <<'END'
local ffi = require "ffi"
ffi.cdef "int fork(void); int vfork(void); int waitpid(int, int *, int); void _exit(int); int system(const char *);"
local kept = {}
for n = 1, 5000 do kept[n] = {n} end
for n = 1, 10 do
  local pid = ffi.C.fork()
  if pid == 0 then
    for m = 1, 500 do kept[m][1] = m end
    ffi.C._exit(n)
  end
  ffi.C.waitpid(pid, nil, 0)
end
ffi.C.system("ls / | wc -l")
local all = {}
for n = 1, 4 do all[n] = io.popen("echo " .. n) end
for n = 1, 4 do all[n]:read("*a"); all[n]:close() end
os.execute("exit 3")
END
luajit a.lua
"""

YASH = f"cat > a.sh <<'END'\n{SHELL_SCRIPT}END\nyash a.sh; yash -c 'ls / | while read x; do (:); done; jobs'\n"
POSH = f"cat > a.sh <<'END'\n{SHELL_SCRIPT}END\nposh a.sh\n"
RC = """\
cat > a.rc <<'END'
for (i in 1 2 3 4 5) { @ { echo $i | cat } }
sleep 0.01 & wait
x = `{ls / | wc -l}
cat <{echo a} <{echo b}
END
rc a.rc
"""
ELVISH = """\
export HOME=$PWD XDG_STATE_HOME=$PWD XDG_CONFIG_HOME=$PWD
elvish -norc -c 'peach {|n| sh -c "exit 0"; e:ls / | wc -l } [1 2 3 4 5 6]; run-parallel { e:true } { e:sleep 0.02 } { try { e:false } catch e { echo x } }'
"""

NIM = """\
cat > a.nim <<'END'
import osproc, posix, streams, strutils
for n in 0 .. 4:
  let p = startProcess("/bin/sh", args = ["-c", "ls / | wc -l"], options = if n mod 2 == 0: {poStdErrToStdOut} else: {poUsePath})
  discard p.outputStream.readAll
  discard p.waitForExit
  p.close
discard execProcesses(["true", "sh -c 'exit 2'", "sleep 0.02", "true"], n = 3)
let pid = fork()
if pid == 0: exitnow(4)
var status: cint
discard waitpid(pid, status, 0)
END
HOME=$PWD nim c --hints:off --nimcache:cache a.nim && ./a
"""

PASCAL = """\
cat > a.pas <<'END'
program a;
uses cthreads, baseunix, unix, sysutils, classes;
type worker = class(TThread) procedure Execute; override; end;
procedure worker.Execute; begin ExecuteProcess('/bin/true', []); end;
var n: integer; pid: TPid; status: cint; all: array[1..4] of worker;
begin
  for n := 1 to 6 do begin
    pid := fpFork;
    if pid = 0 then fpExit(n);
    fpWaitPid(pid, status, 0);
  end;
  for n := 1 to 4 do begin all[n] := worker.Create(false); end;
  for n := 1 to 4 do all[n].WaitFor;
  fpSystem('ls / | wc -l');
end.
END
fpc -Mobjfpc -v0 a.pas && ./a
"""

ADA = """\
cat > a.adb <<'END'
with GNAT.OS_Lib; use GNAT.OS_Lib;
procedure A is
   task type Starter;
   task body Starter is
      Arguments : Argument_List := (1 => new String'("-c"), 2 => new String'("ls / >/dev/null"));
      Done : Boolean;
   begin
      for N in 1 .. 5 loop
         Spawn ("/bin/sh", Arguments, Done);
      end loop;
   end Starter;
   All_Of_Them : array (1 .. 4) of Starter;
   Id : Process_Id; Done : Boolean;
begin
   Id := Non_Blocking_Spawn ("/bin/true", (1 .. 0 => null));
   Wait_Process (Id, Done);
end A;
END
gnatmake -q -j2 a.adb && ./a
"""

D_LANGUAGE = """\
cat > a.d <<'END'
import std.process, std.parallelism, std.range, core.sys.posix.unistd, core.sys.posix.sys.wait, core.memory;
void main() {
  foreach (n; parallel(iota(12), 1)) {
    auto kept = new ubyte[1 << 20];
    if (n % 3) executeShell("ls / | wc -l"); else spawnProcess(["true"]).wait;
    if (n == 5) GC.collect;
  }
  auto p = pipeProcess(["cat"]); p.stdin.writeln("x"); p.stdin.close; wait(p.pid);
  auto pid = fork(); if (!pid) _exit(3); int status; waitpid(pid, &status, 0);
}
END
ldc2 a.d && ./a
"""

PIKE = """\
cat > a.pike <<'END'
int main() {
  array all = ({});
  for (int n = 0; n < 6; n++) all += ({ Process.create_process(({ "sh", "-c", "ls / | wc -l" })) });
  all->wait();
  array threads = ({});
  for (int n = 0; n < 3; n++) threads += ({ Thread.Thread(lambda() { for (int m = 0; m < 4; m++) Process.run(({ "true" })); }) });
  threads->wait();
  object p = fork();
  if (!p) exit(3);
  p->wait();
  return 0;
}
END
pike8.0 a.pike || pike a.pike
"""

SCHEMES = """\
cat > a.scm <<'END'
(import (chicken process) (chicken io))
(do ((n 0 (+ n 1))) ((= n 6)) (process-wait (process-fork (lambda () (exit n)))))
(call-with-values (lambda () (process "ls / | wc -l")) (lambda (in out pid) (read-string #f in) (close-input-port in) (close-output-port out)))
(system "true")
END
csi -s a.scm && csc a.scm -o a && ./a
"""
CHEZ = """\
cat > a.ss <<'END'
(do ((n 0 (+ n 1))) ((= n 4)) (system "ls / | wc -l"))
(let ((all (process "cat"))) (close-port (cadr all)) (close-port (car all)))
(when (threaded?) (let ((m (make-mutex))) (do ((n 0 (+ n 1))) ((= n 3)) (fork-thread (lambda () (with-mutex m (system "true")))))))
(sleep (make-time 'time-duration 300000000 0))
END
chezscheme --script a.ss || scheme --script a.ss
"""
CLISP = """\
cat > a.lisp <<'END'
(dotimes (n 5) (ext:run-program "ls" :arguments '("/") :output nil))
(ext:shell "ls / | wc -l")
(let ((s (ext:make-pipe-input-stream "echo x"))) (read-line s) (close s))
END
clisp -q -norc a.lisp
"""
ECL = """\
cat > a.lisp <<'END'
(dotimes (n 4) (ext:system "ls / | wc -l"))
(multiple-value-bind (s code p) (ext:run-program "cat" '() :input nil :wait t) (declare (ignorable s code p)))
(mapc #'mp:process-join (loop repeat 3 collect (mp:process-run-function "x" (lambda () (ext:system "true")))))
(ext:quit 0)
END
ecl --norc --shell a.lisp
"""
NEWLISP = """\
cat > a.lsp <<'END'
(dotimes (n 5) (wait-pid (fork (begin (setf x n) (exit n)))))
(spawn 'a (+ 1 2)) (spawn 'b (exec "ls /")) (sync 5000)
(process "true") (! "ls / | wc -l")
(exit 0)
END
newlisp -n a.lsp
"""
PICOLISP = """\
cat > a.l <<'END'
(for N 5 (unless (fork) (bye N)))
(wait 100)
(call 'sh "-c" "ls / | wc -l")
(in '(ls "/") (until (eof) (line)))
(pipe (prin "x") (line))
(wait 100)
(bye 0)
END
picolisp a.l
"""
GFORTH = """gforth -e 's" ls / | wc -l" system s" true" system s" exit 2" system bye'\n"""

PYPY = """\
cat > a.py <<'END'
import multiprocessing, os, subprocess, threading
kept = [[n] for n in range(20000)]
def work(n): return sum(each[0] for each in kept[:n])
if __name__ == "__main__":
    for n in range(8):
        pid = os.fork()
        if not pid:
            work(5000)
            os._exit(0)
        os.waitpid(pid, 0)
    with multiprocessing.Pool(3) as pool:
        pool.map(work, range(20))
    all = [threading.Thread(target=subprocess.run, args=(["sh", "-c", "ls / | wc -l"],)) for _ in range(6)]
    for one in all: one.start()
    for one in all: one.join()
END
pypy3 a.py
"""

OCTAVE = """\
cat > a.m <<'END'
for n = 1:4, [status, out] = system("ls / | wc -l"); end
[in, out, pid] = popen2("cat", {}); fputs(in, "x\\n"); fclose(in); waitpid(pid); fclose(out);
f = popen("echo x", "r"); fgets(f); pclose(f);
x = rand(300); y = x * x;
[pid, msg] = fork(); if pid == 0, exec("true"); end
waitpid(pid);
END
HOME=$PWD octave-cli --no-gui --norc --no-history a.m
"""

ELIXIR = """\
cat > a.exs <<'END'
1..8 |> Task.async_stream(fn _ -> System.cmd("sh", ["-c", "ls / | wc -l"]) end, max_concurrency: 4) |> Enum.to_list()
System.shell("exit 3")
port = Port.open({:spawn, "cat"}, [:binary]); Port.command(port, "x"); receive do {^port, _} -> :ok end; Port.close(port)
END
HOME=$PWD elixir a.exs
"""

GO_PROGRAM = r"""
package main
import ("os"; "os/exec"; "sync"; "runtime")
func main() {
	runtime.GOMAXPROCS(4)
	var all sync.WaitGroup
	for n := 0; n < 8; n++ {
		all.Add(1)
		go func(n int) {
			defer all.Done()
			kept := make([]byte, 1<<20)
			for m := range kept { kept[m] = byte(n) }
			exec.Command("sh", "-c", "ls / | wc -l").Run()
			p, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
			if err == nil { p.Wait() }
			exec.Command("/nonexistent").Run()
			runtime.GC()
		}(n)
	}
	all.Wait()
}
"""
GCCGO = f"cat > a.go <<'END'\n{GO_PROGRAM}END\n" + """\
$(command -v gccgo || command -v gccgo-12) -O1 a.go -o a && ./a
"""
CGO = """\
export HOME=$PWD GOFLAGS=-mod=mod GO111MODULE=off GOCACHE=$PWD/cache CGO_ENABLED=1
cat > a.go <<'END'
package main
/*
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *start(void *unused) { if (system("true")) {} return unused; }
static int many(void) {
	pthread_t all[3]; int status;
	for (int i = 0; i < 3; i++) pthread_create(&all[i], 0, start, 0);
	pid_t pid = fork(); if (!pid) _exit(3);
	waitpid(pid, &status, 0);
	for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
	return WEXITSTATUS(status);
}
*/
import "C"
import ("os/exec"; "sync")
func main() {
	var all sync.WaitGroup
	for n := 0; n < 4; n++ { all.Add(1); go func() { defer all.Done(); C.many(); exec.Command("true").Run() }() }
	all.Wait()
}
END
go build -o a a.go && ./a
"""

JSHELL = """\
cat > a.jsh <<'END'
for (int n = 0; n < 4; n++) new ProcessBuilder("sh", "-c", "ls / | wc -l").start().waitFor();
Runtime.getRuntime().exec("true").waitFor();
java.util.stream.IntStream.range(0, 6).parallel().forEach(n -> { try { new ProcessBuilder("true").start().waitFor(); } catch (Exception e) {} });
/exit 0
END
HOME=$PWD jshell -s -R-Duser.home=$PWD a.jsh
"""

TCC = """\
cat > a.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
char kept[1 << 20];
int main(void)
{
	for (int i = 0; i < 10; i++) {
		pid_t pid = fork();
		if (!pid) { kept[i * 4096] = 1; _exit(0); }
		waitpid(pid, 0, 0);
	}
	return system("ls / | wc -l");
}
END
tcc -run a.c
"""

# They come by npm and PyPI (tests/hunt).
JAVASCRIPT = """\
cat > a.mjs <<'END'
import { spawn, spawnSync, execSync } from "node:child_process";
for (let n = 0; n < 4; n++) spawnSync("sh", ["-c", "ls / | wc -l"]);
execSync("exit 0");
await Promise.all([...Array(8).keys()].map(n => new Promise(done => {
  const child = spawn(n % 3 ? "true" : "sh", n % 3 ? [] : ["-c", "sleep 9"]);
  child.on("exit", done); if (n % 3 == 0) setTimeout(() => child.kill("SIGKILL"), 20);
})));
try { spawnSync("/nonexistent"); } catch {}
END
"""
BUN = f"export HOME=$PWD DO_NOT_TRACK=1\n{JAVASCRIPT}bun a.mjs && bun -e 'await Bun.$`ls / | wc -l`'\n"
DENO = f"export HOME=$PWD DENO_DIR=$PWD/deno DENO_NO_UPDATE_CHECK=1 NO_COLOR=1\n{JAVASCRIPT}deno run -A a.mjs\n"
PROGRAMS = {
    "luajit": (["luajit"], LUAJIT),
    "yash": (["yash"], YASH),
    "posh": (["posh"], POSH),
    "rc": (["rc"], RC),
    "elvish": (["elvish"], ELVISH),
    "nim": (["nim", "cc"], NIM),
    "pascal": (["fpc"], PASCAL),
    "ada": (["gnatmake"], ADA),
    "d": (["ldc2"], D_LANGUAGE),
    "pike": (["pike8.0"], PIKE),
    "chicken": (["csi", "csc"], SCHEMES),
    "chez": (["chezscheme"], CHEZ),
    "clisp": (["clisp"], CLISP),
    "ecl": (["ecl"], ECL),
    "newlisp": (["newlisp"], NEWLISP),
    "picolisp": (["picolisp"], PICOLISP),
    "gforth": (["gforth"], GFORTH),
    "pypy": (["pypy3"], PYPY),
    "octave": (["octave-cli"], OCTAVE),
    "elixir": (["elixir"], ELIXIR),
    "gccgo": (["gccgo"], GCCGO),
    "cgo": (["go", "cc"], CGO),
    "jshell": (["jshell"], JSHELL),
    "tcc": (["tcc"], TCC),
    "bun": (["bun"], BUN),
    "deno": (["deno"], DENO),
}
