# SPDX-License-Identifier: GPL-2.0-or-later
"""Small tools, each of another package, that begin quickly: an emulated machine needs seconds for each process."""

BASH = r"""
cat > a.sh <<'END'
coproc cat; echo a >&${COPROC[1]}; exec {COPROC[1]}>&-; wait
for n in 1 2 3; do (exit $n) & done; wait -n; wait
shopt -s lastpipe; seq 3 | while read -r x; do y=$(echo $x); done
cat <(echo b) - <<<"$(ls / | wc -l)"; nosuch; (exec -a other true); true
END
bash a.sh
"""

DASH = r"""
cat > a.sh <<'END'
trap : TERM; kill -TERM $$
cat <<X
$(ls / | wc -l)
X
sleep 9 & kill -KILL $!; wait $!
echo a | { read x; (exit 3); } || (true; nosuch)
exec sh -c '(:) & wait'
END
dash a.sh
"""

GAWK = r"""
gawk 'BEGIN { c = "sort"; for (n = 9; n; n--) print n |& c; close(c, "to"); while ((c |& getline x) > 0) s = s x
close(c); "echo a" | getline x; system("exit 3"); print s, x | "cat" }'
"""
MAWK = """mawk 'BEGIN { "ls / | wc -l" | getline x; for (n = 9; n; n--) print n | "sort"; close("sort"); exit system("true") }'\n"""
SED = "seq 5 | sed 's/.*/echo &/e'; seq 9 > f; sed -i.old -e '2~3d' -e '$e ls / | wc -l' f; sed -n '1w g' f f.old; cat f g\n"
COREUTILS = """\
seq 3000 | sort -R --parallel=2 -S 64K --compress-program=gzip -T . | wc -l; seq 100 | split -l 50 --filter='wc -l > $FILE'
timeout 5 env -i nice -n 1 nohup stdbuf -o0 true; timeout 0.1 sleep 9; chroot / true; yes | head -n 1; install -m 600 /etc/passwd p
cut -d: -f1 p | uniq | tac
"""
BC = "echo 'scale = 30; 4 * a(1)' | bc -lq; echo 'define f(n) { if (n < 2) return (n); return (f(n-1) + f(n-2)); } f(12)' | bc -q\n"
DC = "printf '2 100 ^ p\\n!ls / | wc -l\\n!exit 3\\n[1 - d 0 <a] sa 5 la x\\n' | dc\n"

M4 = r"""
cat > f <<'END'
esyscmd(`ls / | wc -l')syscmd(`exit 3')sysval maketemp(`m.XXXXXX')
define(`f', `ifelse($1, 0, , `f(decr($1))')')f(50)
END
m4 f
"""
JQ = "seq 500 | jq -s 'map(. * .) | add'; jq -n '[range(2000)] | map(tostring) | join(\",\")' | wc -c; echo '{' | jq . || true\n"
FILE = "gzip -c /etc/passwd > p.gz; file /bin/ls p.gz $PWD /dev/null; file -z p.gz; ls /bin | head -n 40 | sed 's,^,/bin/,' | file -bf - | sort | uniq | wc -l\n"
ED = "printf '!ls / | wc -l\\nr !echo x; (:)\\n1,$p\\nw !cat\\nw f\\nq\\n' | ed -s; cat f\n"
GZIP = "seq 20000 > f; gzip -k f; zcat f.gz | tail -n 1; zgrep -c 7 f.gz; zdiff f f.gz; gunzip -t f.gz\n"
BZIP2 = "seq 20000 > f; bzip2 -k f; bzcat f.bz2 | tail -n 1; bzgrep -c 7 f.bz2; bzdiff f f.bz2; bunzip2 -t f.bz2\n"
XZ = "seq 20000 > f; xz -T2 --block-size=64KiB -0k f; xz -T2 -dc f.xz | tail -n 1; xzgrep -c 7 f.xz; xzcmp f f.xz\n"
ZSTD = "seq 20000 > f; zstd -qT2 f; zstdcat f.zst | tail -n 1; zstdgrep -c 7 f.zst; zstd -q --rm f -o g.zst\n"
CPIO = """\
mkdir d e; seq 900 > d/1; ln d/1 d/2; find d | cpio -o --quiet > f; cpio -t --quiet < f | wc -l
(cd e; cpio -id --quiet < ../f); find d -depth | cpio -pdm --quiet e/x
"""
TAR = """\
mkdir d; seq 9000 > d/1; seq 9 > d/2; tar czf a.tgz d; tar tf a.tgz; tar xOf a.tgz d/2 | wc -l; tar cf b --use-compress-program='gzip -1' d
tar cf - d | tar xf - --to-command='wc -c'; tar cf c --checkpoint=1 --checkpoint-action=exec='exit 3' d || true
"""
DIFFUTILS = "seq 9 > a; sed s/5/x/ a > b; sed s/7/y/ a > c; diff3 a b c; sdiff -s a b; cmp a c; diff -u <(cat a) <(cat b) || true\n"
FINDUTILS = """\
mkdir d; touch d/1 d/2 d/3; find d -type f -exec sh -c ': $1' sh {} \\; -execdir true {} +; find d -print0 | xargs -0 -n1 -P2 echo
seq 9 | xargs -n4 sh -c 'exit 0'; find d -name 1 -delete
"""

MAKE = r"""
printf 'N := $(shell echo 1 2 3)\nall: $(N:%%=o%%) sub\no%%: ; @(echo $*; :) > $@\nsub: ; @+$(MAKE) -s -f inner\nbad: ; exit 3\n' > Makefile
printf 'all: a b\na b: ; @true\n' > inner; make -s -j2; make -s bad || true; make -n | wc -l
"""
TIME = "command time -f '%R %x' sh -c '(:); exit 3'; command time -p ls / > /dev/null; command time nosuch || true\n"
UTIL_LINUX = """\
flock f sh -c '(:); flock -n f true'; setsid -w sh -c 'true & wait'; unshare -pf sh -c 'echo $$; (:)'
chrt -i 0 ionice -c3 taskset 1 prlimit --core=0 nsenter -t $$ -u true
"""
SCRIPT = "script -qec 'ls / | wc -l; exit 3' f < /dev/null; wc -l < f; script -qec tty /dev/null < /dev/null\n"
RUN_PARTS = """\
mkdir d; printf '#!/bin/sh\\n(:); ls / | wc -l\\n' > d/a; printf '#!/bin/sh\\nexit 3\\n' > d/b; chmod +x d/*
run-parts d; run-parts --report --exit-on-error d; which ls
"""
DAEMON = """\
start-stop-daemon -S -b -m -p $PWD/pid -x /bin/sleep -- 30; until_ok pgrep -F pid; start-stop-daemon -K -p $PWD/pid -R 5
start-stop-daemon -S -p $PWD/pid -x /bin/true
"""

PERL = r"""
cat > a.pl <<'END'
$| = 1; my @kept = map { "x" x 100 } 1 .. 2000;
for my $n (1 .. 3) { my $pid = fork; if (!$pid) { $_ .= "y" for @kept; exit $n } waitpid $pid, 0 }
open my $in, "-|", "ls / | wc -l"; print <$in>; close $in; open my $out, "|-" or exec "cat"; print $out "a\n"; close $out;
system "true"; print `echo b; exit 3`, $? >> 8, "\n"; my $p = fork // die; if (!$p) { sleep 9; exit } kill KILL => $p; wait; exec "true"
END
perl a.pl
"""
PYTHON = r"""
cat > a.py <<'END'
import os, subprocess, threading
for n in range(2):
    pid = os.fork()
    if not pid: os._exit(n)
    os.waitpid(pid, 0)
os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
subprocess.run("ls / | wc -l", shell=True); subprocess.run(["true"], close_fds=False)
try: subprocess.run(["/nonexistent"])
except FileNotFoundError: pass
many = [threading.Thread(target=os.system, args=("exit 3",)) for n in range(2)]
[one.start() for one in many]; [one.join() for one in many]
END
python3 -SI a.py
"""
MOREUTILS = "seq 9 | pee 'wc -l' cat | sponge f; ifne wc -l < f; lckdo l true; mispipe true cat < /dev/null; errno 2\n"

PROGRAMS = {
    "bash": (["bash"], BASH),
    "dash": (["dash"], DASH),
    "gawk": (["gawk"], GAWK),
    "mawk": (["mawk"], MAWK),
    "sed": (["sed"], SED),
    "coreutils": (["sort", "gzip"], COREUTILS),
    "bc": (["bc"], BC),
    "dc": (["dc"], DC),
    "m4": (["m4"], M4),
    "jq": (["jq"], JQ),
    "file": (["file", "gzip"], FILE),
    "ed": (["ed"], ED),
    "gzip": (["gzip"], GZIP),
    "bzip2": (["bzip2"], BZIP2),
    "xz": (["xz"], XZ),
    "zstd": (["zstd"], ZSTD),
    "cpio": (["cpio"], CPIO),
    "tar": (["tar", "gzip"], TAR),
    "diffutils": (["diff3"], DIFFUTILS),
    "findutils": (["find"], FINDUTILS),
    "make-small": (["make"], MAKE),
    "time": (["time"], TIME),
    "util-linux": (["flock", "unshare"], UTIL_LINUX),
    "script": (["script"], SCRIPT),
    "run-parts": (["run-parts"], RUN_PARTS),
    "start-stop-daemon": (["start-stop-daemon", "pgrep"], DAEMON),
    "perl": (["perl"], PERL),
    "python": (["python3"], PYTHON),
    "moreutils": (["sponge"], MOREUTILS),
}
