# SPDX-License-Identifier: GPL-2.0-or-later
"""What developers start every day: hooks, scripts of packages, filters, forking servers, and long chains."""


def script(name, text, run):
    return f"cat > {name} <<'END'\n{text}END\n{run}\n"


GIT_HOOKS = """\
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
git init -q a; cd a; git config user.name a; git config user.email a@example.org; git config commit.gpgsign false
for hook in pre-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge post-rewrite pre-push post-index-change reference-transaction; do
  printf '#!/bin/sh\\ngit rev-parse -q --verify HEAD >/dev/null; (:)\\ntrue | true\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook
done
for n in 1 2 3; do seq $n > f$n; git add .; git commit -qm $n; done
git checkout -q -b other HEAD~1; seq 9 > g; git add g; git commit -qm g; git commit -q --amend -m h
git checkout -q -; git merge -q --no-edit other; git worktree add -q ../w; git -C ../w status >/dev/null
git init -q --bare ../b; printf '#!/bin/sh\\nwhile read a b c; do git cat-file -t $b; done\\n' > ../b/hooks/pre-receive; chmod +x ../b/hooks/pre-receive
git push -q ../b HEAD:refs/heads/x; git -c protocol.file.allow=always submodule --quiet add ../b sub || true
git config filter.up.clean 'tr a-z A-Z'; git config diff.up.textconv 'tr A-Z a-z <'; echo '*.up filter=up' > .gitattributes
for n in 1 2 3; do echo word > $n.up; done; git add .; git commit -qm filters; git log -p --stat -3 | wc -l; git -c core.pager=cat -p log | wc -l
git grep --threads 4 -q word; git stash -q || true; git -c core.fsmonitor=false -c index.threads=4 status --porcelain; git send-pack --all ../b || true
"""

NPM = script("package.json", r"""
{"name":"p","version":"1.0.0","scripts":{"prebuild":"true","build":"node -e 'require(`child_process`).execSync(`ls / | wc -l`)' && npm run -s inner","inner":"sh -c true | cat","postbuild":"node -p 1"}}
""", """\
export HOME=$PWD npm_config_update_notifier=false npm_config_cache=$PWD/cache npm_config_offline=true npm_config_audit=false npm_config_fund=false
npm run build; npm pkg get name; mkdir q; printf '{"name":"q","version":"1.0.0","bin":"x.js"}' > q/package.json; printf '#!/usr/bin/env node\\nconsole.log(1)\\n' > q/x.js
npm install --offline ./q; npx --offline q""")

PERL_SERVER = script("s.pl", r"""
use strict; use IO::Socket::INET; use POSIX ":sys_wait_h"; use Socket;
my $l = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ENV{PORT}, Listen => 50, ReuseAddr => 1) or die;
my %h = map { $_ => "x" x 100 } 1 .. 20000;
$SIG{CHLD} = sub { while (waitpid(-1, WNOHANG) > 0) {} };
my @clients = map { my $p = fork // die; if (!$p) { for (1 .. 10) { my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ENV{PORT}) or exit 1; print $s "q\n"; my $r = <$s>; } exit 0 } $p } 1 .. 4;
my $served = 0;
while ($served < 40) {
  my $c = $l->accept or next; $served++;
  my $pid = fork; next if !defined $pid;
  if (!$pid) { my $q = <$c>; $h{$_} .= "y" for 1 .. 500; my $out = $served % 4 ? "a" : `ls / | wc -l`; print $c "$out\n"; close $c; exit 0 }
  close $c;
}
1 while waitpid(-1, 0) > 0;
""", "perl s.pl")

TCL_PIPES = script("t.tcl", r"""
set l {}
for {set i 0} {$i < 12} {incr i} { lappend l [open "|sh -c {echo $i; ls / | wc -l}" r] }
foreach f $l { read $f; catch {close $f} }
exec ls / | sort -r | wc -l >@ stdout
catch {exec sh -c {echo bad >&2; exit 3}}
set p [open "|cat" r+]; fconfigure $p -buffering line; puts $p x; gets $p; close $p
exec sleep 0.05 &
after 120; exec true
catch {exec /nonexistent/program}
""", "tclsh t.tcl")

RUST = script("m.rs", r"""
use std::process::{Command, Stdio}; use std::os::unix::process::CommandExt; use std::{thread, io::{Read, Write}};
fn main() {
    let all: Vec<_> = (0..6).map(|n| thread::spawn(move || for m in 0..4 {
        match (n + m) % 4 {
            0 => { Command::new("true").status().unwrap(); }
            1 => { let mut c = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
                   c.stdin.take().unwrap().write_all(b"x").unwrap(); let mut s = String::new(); c.stdout.take().unwrap().read_to_string(&mut s).unwrap(); c.wait().unwrap(); }
            2 => { let mut c = Command::new("sh"); c.args(["-c", "ls / | wc -l"]).stdout(Stdio::null()); unsafe { c.pre_exec(|| Ok(())); } c.status().unwrap(); }
            _ => { let _ = Command::new("/nonexistent").spawn(); let mut c = Command::new("sleep").arg("5").spawn().unwrap(); c.kill().unwrap(); c.wait().unwrap(); }
        }
    })).collect();
    for one in all { one.join().unwrap(); }
}
""", "export HOME=$(getent passwd $(id -u) | cut -d: -f6); rustc -O -C debuginfo=1 m.rs && ./m")

CARGO = """\
export HOME=$(getent passwd $(id -u) | cut -d: -f6); cargo init -q --vcs none --lib --name two two && cd two
export CARGO_HOME=$PWD/home; mkdir -p inner/src; printf '[package]\\nname="inner"\\nversion="0.1.0"\\nedition="2021"\\n' > inner/Cargo.toml; echo 'pub fn one() -> i32 { 1 }' > inner/src/lib.rs
printf '[package]\\nname="two"\\nversion="0.1.0"\\nedition="2021"\\n[dependencies]\\ninner={path="inner"}\\n' > Cargo.toml
printf 'fn main() { std::process::Command::new("true").status().unwrap(); println!("cargo:rerun-if-changed=build.rs"); }\\n' > build.rs
cargo test -q --offline -j2; cargo build -q --offline; cargo build -q --offline; touch inner/src/lib.rs; cargo check -q --offline
"""

GO = """\
export HOME=$PWD GOPATH=$PWD/go GOCACHE=${GOCACHE:-$PWD/cache} GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local
mkdir m; cd m; printf 'module m\\ngo 1.21\\n' > go.mod
cat > m.go <<'END'
package main
import ("fmt"; "os"; "os/exec"; "sync"; "syscall")
func main() {
	var all sync.WaitGroup
	for n := 0; n < 8; n++ { all.Add(1); go func(n int) { defer all.Done()
		for m := 0; m < 4; m++ {
			c := exec.Command("sh", "-c", "ls / | wc -l")
			if n % 2 == 0 { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL} }
			c.Output(); exec.Command("/nonexistent").Run()
		} }(n) }
	all.Wait(); fmt.Println(1)
	if len(os.Args) == 1 { syscall.Exec("/proc/self/exe", []string{"m", "again"}, os.Environ()) }
}
END
printf 'package main\\nimport "testing"\\nfunc TestOne(t *testing.T) { t.Parallel() }\\n' > m_test.go
go build -p 2 -o m . && ./m; go vet . || true; go test -count=1 .
"""

JAVA = script("S.java", r"""
import java.util.*; import java.util.concurrent.*;
public class S { public static void main(String[] a) throws Exception {
  var pool = Executors.newFixedThreadPool(6); var all = new ArrayList<Future<?>>();
  for (int n = 0; n < 24; n++) { final int m = n; all.add(pool.submit(() -> { try {
    if (m % 3 == 0) ProcessBuilder.startPipeline(List.of(new ProcessBuilder("ls", "/"), new ProcessBuilder("wc", "-l"))).get(1).waitFor();
    else if (m % 3 == 1) new ProcessBuilder("sh", "-c", "exit 3").inheritIO().start().onExit().get();
    else { var p = new ProcessBuilder("sleep", "9").start(); p.destroyForcibly(); p.waitFor(); }
    try { new ProcessBuilder("/nonexistent").start(); } catch (java.io.IOException e) { }
  } catch (Exception e) { throw new RuntimeException(e); } })); }
  for (var one : all) one.get(); pool.shutdown();
} }
""", "export HOME=$PWD; javac S.java && java -Xmx256m -XX:+UseParallelGC S && java -Xmx256m -XX:+UseZGC -Djdk.lang.Process.launchMechanism=VFORK S; jar cf s.jar *.class; java -Xshare:off -cp s.jar S")

MAKE_MANY = """\
printf 'N := $(shell seq 60)\\nall: $(N:%=o/%) sub\\no/%%: ; @mkdir -p o; (echo $* | cat) > $@; true & wait\\nsub: ; +$(MAKE) -s -f $(CURDIR)/inner X="$(shell ls / | wc -l)"\\n.ONESHELL:\\none:\\n\\tx=1\\n\\techo $$x\\n' > Makefile
printf 'all: $(foreach n,$(shell seq 20),t$(n))\\nt%%: ; @true\\n' > inner
make -s -j16; make -s -j8 -B --output-sync=target -k; make -s one; make -n | wc -l
"""

XARGS = """\
seq 200 | xargs -P8 -n3 sh -c 'true; :' sh; seq 60 | xargs -P16 -I{} echo {} | sort | wc -l; seq 40 | xargs -P4 -n1 sh -c 'exit $(($1 % 2))' sh || true
for n in $(seq 30); do (sh -c 'ls / | wc -l' > out.$n) & [ $((n % 8)) = 0 ] && wait -n; done; wait
while read -r x; do (echo $x | tr 0-9 a-j) & done < <(seq 30); wait
trap 'true' TERM; for n in 1 2 3; do sleep 9 & kill -TERM $!; done; wait || true; printf '%s\\n' {1..40} | while read -r x; do y=$(echo $x); done
"""

SQLITE = "sqlite3 db 'create table t(a,b)'; for n in $(seq 12); do sqlite3 -cmd '.timeout 5000' db \"begin immediate; insert into t select value, hex(randomblob(50)) from generate_series(1,200); commit;\" & done; wait; sqlite3 db '.import \"|seq 50\" u' '.output |wc -l' 'select * from t' '.output' 'pragma threads=4' 'create index i on t(b)' 'select count(*) from t a join t b using (b)' 'vacuum'\n"

DOCKER = "export HOME=$PWD DOCKER_HOST=unix://$PWD/none; for n in 1 2 3 4; do docker version & docker ps & docker --help > /dev/null & done; wait; docker buildx version; docker compose version; docker info; true\n"

# A real package build: dpkg's own tools, perl, fakeroot's preloaded library, make, strip.
DEBIAN = """\
export HOME=$PWD; mkdir p-1; cd p-1; mkdir -p debian/source
printf '#include <stdio.h>\\nint main(void) { return puts("p") < 0; }\\n' > p.c
printf 'p: p.c\\n\\tcc -g -O2 -o $@ $<\\n' > Makefile
printf 'p (1) unstable; urgency=low\\n\\n  * One.\\n\\n -- A <a@example.org>  Thu, 01 Jan 2026 00:00:00 +0000\\n' > debian/changelog
printf 'Source: p\\nMaintainer: A <a@example.org>\\nSection: misc\\nPriority: optional\\n\\nPackage: p\\nArchitecture: any\\nDepends: ${shlibs:Depends}\\nDescription: one\\n two\\n' > debian/control
printf '3.0 (native)\\n' > debian/source/format
printf '#!/usr/bin/make -f\\nbuild build-arch build-indep:\\n\\tmake\\nbinary binary-arch:\\n\\tmkdir -p debian/p/usr/bin debian/p/DEBIAN\\n\\tcp p debian/p/usr/bin\\n\\tstrip debian/p/usr/bin/p\\n\\tdpkg-shlibdeps debian/p/usr/bin/p\\n\\tdpkg-gencontrol -Pdebian/p -pp\\n\\tdpkg-deb --root-owner-group -b debian/p ..\\nbinary-indep:\\nclean:\\n\\trm -rf p debian/p debian/files debian/*vars\\n' > debian/rules
chmod +x debian/rules; dpkg-buildpackage -us -uc -b -d; dpkg-deb -c ../p_1_*.deb
"""

AUTOTOOLS = """\
export HOME=$PWD
printf 'AC_INIT([p],[1])\\nAM_INIT_AUTOMAKE([foreign])\\nAC_CONFIG_SRCDIR([p.c])\\nAC_PROG_CC\\nAC_PROG_INSTALL\\nAC_CHECK_HEADERS([stdio.h sys/mman.h nosuch.h])\\nAC_CHECK_FUNCS([fork vfork mmap nosuch])\\nAC_TYPE_SIZE_T\\nAC_CHECK_SIZEOF([long])\\nAC_CONFIG_FILES([Makefile])\\nAC_OUTPUT\\n' > configure.ac
printf 'bin_PROGRAMS = p\\np_SOURCES = p.c\\nTESTS = p\\n' > Makefile.am
printf 'int main(void) { return 0; }\\n' > p.c
autoreconf -i; mkdir b; cd b; ../configure -q; make -s -j3; make -s check; make -s dist; make -s install DESTDIR=$PWD/d
"""

# One process, many images: each execs the next one.
EXEC_CHAIN = script("c.c", r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char left[16];
	int n = atoi(argv[1]);
	if (!n) return 0;
	snprintf(left, sizeof(left), "%d", n - 1);
	execl(argv[0], argv[0], left, (char *)0);
	return 1;
}
""", "cc -O1 -static -o c c.c && ./c 8000")

FILTERS = """\
awk 'BEGIN { for (i = 0; i < 20; i++) { "echo " i | getline x; close("echo " i); print x | "sort"; system("true") } }' | wc -l
seq 5 | sed 's/.*/echo &/e' | wc -l; seq 100000 | sort -R --parallel=4 -S 1M --compress-program=gzip -T . | wc -l
tar c --use-compress-program='gzip -1' -f a.tgz /etc/passwd; tar x --to-command='cat > /dev/null' -f a.tgz; split -l 1000 --filter='gzip > $FILE.gz' <(seq 5000) s.; ls s.* | wc -l
find /etc -maxdepth 1 -name 'p*' -execdir true {} + -exec sh -c ':' {} \\; ; env -i sh -c ':'; nice -n 1 ionice -c3 setsid -w timeout 5 stdbuf -o0 true
printf 'a\\nb\\n' | tee >(wc -l) >(cat) > /dev/null; diff <(ls /) <(ls /usr) > /dev/null; watch -n 0.1 -g date > /dev/null 2>&1 & w=$!; sleep 0.3; kill $w 2>/dev/null; wait $w || true
"""

PYTHON = script("p.py", r"""
import asyncio, concurrent.futures, multiprocessing, os, subprocess, threading
def work(n): return sum(range(n)) + len(os.listdir("/"))
async def main():
    async def one(n):
        p = await asyncio.create_subprocess_exec("sh", "-c", f"exit {n % 3}", stdout=subprocess.PIPE, start_new_session=bool(n % 2)); await p.communicate()
    await asyncio.gather(*(one(n) for n in range(20)))
if __name__ == "__main__":
    asyncio.run(main())
    threads = [threading.Thread(target=lambda: [subprocess.run(["true"], close_fds=c) for c in (True, False)]) for _ in range(6)]
    [t.start() for t in threads]; [t.join() for t in threads]
    for method in ("fork", "spawn", "forkserver"):
        with concurrent.futures.ProcessPoolExecutor(3, mp_context=multiprocessing.get_context(method)) as pool: list(pool.map(work, range(30)))
    for n in range(20):
        pid = os.fork()
        if not pid: os.posix_spawn("/bin/true", ["true"], {}); os.wait(); os.execv("/bin/sh", ["sh", "-c", "exit 0"])
        os.waitpid(pid, 0)
    os.popen("ls / | wc -l").read(); os.system("true")
""", "python3 p.py")

NODE = script("n.js", r"""
const cp = require("child_process"), { Worker, isMainThread } = require("worker_threads");
if (isMainThread) {
  for (let n = 0; n < 10; n++) { cp.execSync("ls / | wc -l"); cp.spawnSync("/nonexistent"); }
  let left = 0;
  for (let n = 0; n < 12; n++) { left++; const c = cp.spawn("sh", ["-c", n % 2 ? "exit 1" : "sleep 9"], { detached: n % 3 == 0 }); c.on("exit", () => left--); if (n % 2 == 0) setTimeout(() => c.kill("SIGKILL"), 30 * n); }
  for (let n = 0; n < 3; n++) { new Worker(__filename); const f = cp.fork("-e", ["1"], { execArgv: [], stdio: "ignore" }); f.on("error", () => 0); }
} else cp.execFileSync("true");
""", "node n.js; true")

PROGRAMS = {
    "git-hooks": (["git"], GIT_HOOKS),
    "npm-scripts": (["npm", "node"], NPM),
    "perl-server": (["perl"], PERL_SERVER),
    "tcl-pipes": (["tclsh"], TCL_PIPES),
    "rust-commands": (["rustc"], RUST),
    "cargo-test": (["cargo"], CARGO),
    "go-test": (["go"], GO),
    "java-pipelines": (["javac"], JAVA),
    "make-many": (["make"], MAKE_MANY),
    "xargs-and-loops": (["xargs"], XARGS),
    "sqlite-writers": (["sqlite3"], SQLITE),
    "docker-client": (["docker"], DOCKER),
    "package-build": (["dpkg-buildpackage", "cc"], DEBIAN),
    "autotools": (["autoreconf", "automake", "cc"], AUTOTOOLS),
    "exec-chain": (["cc"], EXEC_CHAIN),
    "filters": (["gzip", "sed"], FILTERS),
    "python-everything": (["python3"], PYTHON),
    "node-everything": (["node"], NODE),
}
