# SPDX-License-Identifier: GPL-2.0-or-later
"""Build systems and everyday tools."""

SOURCE = "#include <stdio.h>\\nint main(void) { puts(\"hello\"); return 0; }\\n"
SOURCES = f"for n in a b c d; do printf '{SOURCE}' > $n.c; done\n"
MAKE = SOURCES + "printf 'all: a b c d\\n\\t@echo $$(ls | wc -l)\\n%%: %%.c\\n\\tcc -o $@ $<\\nbad:\\n\\tfalse\\n' > Makefile\nmake -j4; make -j2 -B -s; make bad || true\n"
CMAKE = SOURCES + "printf 'cmake_minimum_required(VERSION 3.5)\\nproject(p C)\\nadd_executable(a a.c)\\nadd_library(b STATIC b.c)\\n' > CMakeLists.txt\ncmake -G Ninja -B build . && ninja -C build\n"
CARGO = "export HOME=$(getent passwd $(id -u) | cut -d: -f6); cargo init -q --vcs none --name one one && cd one && CARGO_HOME=$PWD/home cargo build -q --offline -j2\n"
AUTOCONF = "printf 'AC_INIT([p],[1])\\nAC_PROG_CC\\nAC_CHECK_HEADERS([stdio.h nosuch.h])\\nAC_CHECK_FUNCS([fork nosuch])\\nAC_OUTPUT\\n' > configure.ac\nautoconf && ./configure -q\n"
MESON = SOURCES + "printf \"project('p', 'c')\\nexecutable('a', 'a.c')\\n\" > meson.build\nmeson setup build && ninja -C build\n"
CCACHE = SOURCES + "export CCACHE_DIR=$PWD/cache; ccache cc -c a.c; ccache cc -c a.c; ccache -s >/dev/null\n"
LTO = SOURCES + "cc -O2 -flto=2 -o a a.c; printf '#include <stdlib.h>\\nint main(void){double s=0;\\n#pragma omp parallel for reduction(+:s)\\nfor(int i=0;i<1000000;i++)s+=i;system(\"true\");return s<0;}\\n' > o.c; cc -O1 -fopenmp -o o o.c && OMP_NUM_THREADS=8 ./o\n"
GIT = """\
git init -q a; cd a; git config user.name a; git config user.email a@example.org
for n in 1 2 3 4 5; do seq $((n * 1000)) > f; git add f; git commit -qm $n; done
git checkout -q -b other HEAD~2; echo x > g; git add g; git commit -qm g; git rebase -q master 2>/dev/null || git rebase -q main
printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
echo y >> g; git commit -qam y; git gc -q --aggressive; git clone -q . ../b; git -C ../b fetch -q; git stash -q || true
git bisect start -q HEAD HEAD~3 >/dev/null; git bisect run true >/dev/null || true; git fsck --no-progress; git archive HEAD | tar t >/dev/null
git gc --auto; git maintenance run --task=gc --quiet || true
"""
TAR = "mkdir d; for n in 1 2 3; do head -c 300000 /dev/urandom > d/$n; done; tar c d | xz -T2 -1 | xz -d | tar t; tar cJf a.tar.xz d; tar xf a.tar.xz; tar czf a.tgz d; tar c d | zstd -T2 -q | zstd -dq | wc -c; pigz -p 3 -k d/1\n"
RSYNC = "mkdir d; for n in 1 2 3; do head -c 100000 /dev/urandom > d/$n; done; rsync -a d/ e/; echo x >> d/1; rsync -ac --delete d/ e/; printf 'use chroot = no\\n[m]\\npath = '$PWD'/d\\nuid = root\\n' > r.conf; rsync --daemon --no-detach --port=$PORT --address=127.0.0.1 --config=r.conf & s=$!; until_ok rsync rsync://127.0.0.1:$PORT/; rsync -a rsync://127.0.0.1:$PORT/m/ f/; kill $s; wait || true\n"
SQLITE = "sqlite3 db 'create table t(a); insert into t values (1),(2)'; for n in 1 2 3 4; do (sqlite3 -cmd '.timeout 2000' db \"insert into t values ($n); select count(*) from t\") & done; wait; echo '.shell ls / | wc -l' | sqlite3 db; sqlite3 db .dump | sqlite3 db2\n"
TMUX = "tmux -L t$PORT -f /dev/null new-session -d 'ls; sleep 0.3'; tmux -L t$PORT split-window 'ls | wc -l; sleep 0.2'; tmux -L t$PORT run-shell 'true'; tmux -L t$PORT list-panes; sleep 0.1; tmux -L t$PORT kill-server; sleep 0.2\n"
SCREEN = "export SCREENDIR=$PWD/s; mkdir -m 700 s; screen -dmS x sh -c 'ls; sleep 0.2'; sleep 0.1; screen -ls || true; sleep 0.5\n"
SHELLS = """\
for shell in bash dash zsh ksh93 mksh tcsh fish yash 'busybox sh'; do
  command -v ${shell%% *} >/dev/null || continue
  $shell -c 'ls / | wc -l; true; /bin/true; nosuch' || true
done
bash -c 'coproc cat; echo a >&${COPROC[1]}; exec {COPROC[1]}>&-; wait; trap "true" CHLD; for n in 1 2 3; do sleep 0.01 & done; wait; shopt -s lastpipe; seq 3 | while read x; do (:); done; x=$(<a.missing); exec -a other bash -c "echo $0"' || true
"""
BUSYBOX = "busybox sh -c 'for n in 1 2 3 4 5; do busybox ls / | busybox wc -l; (:); done; busybox seq 10 | busybox xargs -n 2 busybox echo; busybox timeout 1 busybox true; busybox ash -c \"sleep 0.01 & wait\"'\n"
GPG = "export GNUPGHOME=$PWD/g; mkdir -m 700 g; gpg --batch -q --passphrase '' --quick-gen-key a@example.org ed25519 default never; echo x | gpg --batch -q -s | gpg --batch -q -d; gpgconf --kill all; sleep 0.3\n"
OPENSSL = "openssl speed -multi 3 -seconds 1 sha256 >/dev/null 2>&1; openssl genrsa -out k 1024; ssh-keygen -q -t rsa -b 1024 -N '' -f r; eval $(ssh-agent); ssh-add -q r; ssh-add -l; ssh-agent -k\n"
VIM = "vim.tiny -u NONE -es -c '!ls / | wc -l' -c 'r !echo x' -c 'w f' -c 'q!' </dev/null || true; cat f\n"
MAN = "printf '.TH A 1\\n.SH NAME\\na \\\\- b\\n' > a.1; man -l a.1 >/dev/null || true; groff -man -Tutf8 a.1 | wc -l\n"
PARALLEL = "seq 8 | parallel -j3 'echo {}; (:)' ; seq 12 | xargs -P4 -n1 sh -c 'exit 0'; find /usr/share/doc -maxdepth 1 -name 'a*' -exec ls -d {} \\; >/dev/null; find /usr/share/doc -maxdepth 1 -name 'b*' -exec sh -c ':' {} +\n"
DPKG = "mkdir -p p/DEBIAN; printf 'Package: p\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@example.org>\\nDescription: x\\n' > p/DEBIAN/control; fakeroot dpkg-deb -b p p.deb; dpkg-deb -I p.deb; dpkg -l | wc -l; apt-cache policy bash; fakeroot sh -c 'chown 1 p; ls -l; (:)'\n"
SOCAT = "socat TCP-LISTEN:$PORT,bind=127.0.0.1,fork,reuseaddr EXEC:'/bin/cat' & s=$!; sleep 0.2; for n in 1 2 3; do echo $n | socat -t1 - TCP:127.0.0.1:$PORT; done; kill $s; wait || true; sleep 0.1\n"
EXPECT = "expect -c 'spawn sh -c \"echo ready; read x; echo got \\$x\"; expect ready; send \"y\\r\"; expect got; wait'; script -qc 'ls / | wc -l' typescript; python3 -c 'import pty; pty.spawn([\"sh\", \"-c\", \"ls /\"])' </dev/null\n"
QEMU = SOURCES + "cc -static -o a a.c; qemu-x86_64-static ./a; qemu-x86_64-static $(command -v busybox) sh -c 'busybox ls / | busybox wc -l'\n"
FORKTAX = "$FORKTAX run -q --show=processes -- sh -c 'ls / | wc -l; (:)' 2>/dev/null; $FORKTAX run -q --json -o x -- true; $FORKTAX report x >/dev/null\n"
MPI = "mpirun --allow-run-as-root --oversubscribe -np 3 sh -c 'ls / | wc -l'\n"
GM = "gm convert -size 600x600 xc:red -blur 0x3 a.png; gm identify a.png\n"
MAVEN = "mvn -v\n"
PACKAGES = "python3 -c 'import subprocess; [subprocess.run([\"gcc\", \"--version\"], stdout=-3, close_fds=c, start_new_session=c) for c in (True, False)]'; python3 -m venv --without-pip v; v/bin/python -c pass; python3 -m compileall -q -j 3 v\n"
BIG = "python3 -c 'import os\na = bytearray(300 << 20)\nfor n in range(4):\n    if not os.fork():\n        a[::4096] = bytes(len(a) // 4096); os._exit(0)\nfor n in range(4): os.wait()'\n"
STORM = "for n in $(seq 40); do sh -c '(ls / | wc -l) & (:) & exec sh -c \"(true | true) & wait\"' & done; wait; sleep 0.2\n"
BOMB = "f() { [ $1 -gt 0 ] || return 0; f $(($1 - 1)) & f $(($1 - 1)) & wait; }; f 7\n"

PROGRAMS = {
    "make": (["make", "cc"], MAKE),
    "cmake-ninja": (["cmake", "ninja", "cc"], CMAKE),
    "cargo": (["cargo"], CARGO),
    "autoconf": (["autoconf", "cc"], AUTOCONF),
    "meson": (["meson", "ninja", "cc"], MESON),
    "ccache": (["ccache", "cc"], CCACHE),
    "lto-openmp": (["cc"], LTO),
    "git": (["git"], GIT),
    "tar-xz": (["tar", "xz"], TAR),
    "rsync": (["rsync"], RSYNC),
    "sqlite": (["sqlite3"], SQLITE),
    "tmux": (["tmux"], TMUX),
    "screen": (["screen"], SCREEN),
    "shells": (["bash", "dash"], SHELLS),
    "busybox": (["busybox"], BUSYBOX),
    "gpg-agent": (["gpg"], GPG),
    "openssl-ssh-agent": (["openssl", "ssh-agent"], OPENSSL),
    "vim": (["vim.tiny"], VIM),
    "man-groff": (["man", "groff"], MAN),
    "parallel-find": (["parallel", "find"], PARALLEL),
    "dpkg-fakeroot": (["fakeroot", "dpkg-deb"], DPKG),
    "socat-fork": (["socat"], SOCAT),
    "expect-pty": (["expect", "script"], EXPECT),
    "qemu-user": (["qemu-x86_64-static", "busybox", "cc"], QEMU),
    "forktax-itself": (["sh"], FORKTAX),
    "mpi": (["mpirun"], MPI),
    "graphicsmagick": (["gm"], GM),
    "maven": (["mvn"], MAVEN),
    "python-venv": (["python3", "gcc"], PACKAGES),
    "large-parent": (["python3"], BIG),
    "storm-of-shells": (["sh"], STORM),
    "tree-of-forks": (["bash"], BOMB),
}
