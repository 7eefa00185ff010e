# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that keep others: browsers, sandboxes, containers, supervisors, servers with a master;
and a few that are nothing but threads."""

PAGE = "data:text/html,<p>x</p>"
CHROMIUM = f"""\
HOME=$PWD chromium --headless --no-sandbox --disable-gpu --dump-dom '{PAGE}' 2>/dev/null
"""
CHROMIUM_BOXED = f"""\
chown -R nobody .
HOME=$PWD setpriv --reuid=nobody --regid=nogroup --clear-groups chromium --headless --disable-gpu \\
  --user-data-dir=$PWD/user --dump-dom '{PAGE}' 2>/dev/null || true
"""

FIREJAIL = """\
HOME=$PWD firejail --quiet --noprofile --net=none --private sh -c 'ls / | wc -l; (:)' || true
"""

# Where it may not, it says so, and has traced and stopped processes by then.
CRIU = """\
setsid sh -c 'while :; do sleep 0.05; done' </dev/null >/dev/null 2>&1 & looping=$!
sleep 0.3
mkdir images
criu dump -t $looping -D images --shell-job -v0 || true
sleep 0.1
criu restore -D images --shell-job -d -v0 || true
kill -9 -- -$looping || kill -9 $looping || true
sleep 0.2
"""

# It needs counters of the processor: else it ends by abort() and leaves its child to others.
RR = """\
export HOME=$PWD _RR_TRACE_DIR=$PWD/traces
rr record -n true || true
rr record sh -c 'ls | wc -l' || true
"""

NSPAWN = """\
mkdir -p root/bin root/usr root/etc
cp $(command -v busybox) root/bin/sh
echo ID=x > root/etc/os-release
systemd-nspawn -q --register=no --keep-unit -D root /bin/sh -c 'echo $$; (:)' || true
"""

PODMAN = """\
mkdir -p root/bin
cp $(command -v busybox) root/bin/sh
podman --root $PWD/storage --runroot $PWD/run --cgroup-manager=cgroupfs run --rm --network=none \\
  --cgroups=disabled --rootfs $PWD/root /bin/sh -c 'echo $$; (:)' || true
umount -l $PWD/storage/overlay || true
"""

TINI = """\
tini -s -- sh -c '(sleep 0.1 &); (sleep 0.2 &); ls / | wc -l'
tini -g -s -- sh -c 'sleep 5 & kill -TERM $PPID; wait' || true
"""

SUPERVISOR = """\
cat > supervisor.conf <<END
[supervisord]
nodaemon=true
user=root
logfile=/dev/null
logfile_maxbytes=0
pidfile=$PWD/pid
[program:short]
command=sh -c "sleep 0.1"
startsecs=0
autorestart=true
[program:long]
command=sleep 20
END
supervisord -c supervisor.conf >/dev/null 2>&1 & server=$!
sleep 2
kill $server; wait $server || true
"""

RUNIT = """\
mkdir -p services/a services/b
printf '#!/bin/sh\\nexec sleep 0.1\\n' > services/a/run
printf '#!/bin/sh\\ntrap : CHLD\\nsleep 1 & wait; wait\\n' > services/b/run
chmod +x services/*/run
runsvdir -P services & server=$!
sleep 2
sv status services/a || true
sv -w3 force-shutdown services/a services/b || true
kill -HUP $server; wait $server || true
sleep 1.2
"""

UWSGI = """\
printf 'def application(e, s):\\n    s("200 OK", [])\\n    return [b"x"]\\n' > app.py
uwsgi --plugin python3 --http-socket 127.0.0.1:$PORT --master --processes 3 --threads 2 \\
  --enable-threads --wsgi-file app.py --max-requests 5 >/dev/null 2>&1 & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
for n in $(seq 20); do curl -sf http://127.0.0.1:$PORT/ || true; done
kill -HUP $server; sleep 1
until_ok curl -sf http://127.0.0.1:$PORT/
kill -INT $server; wait $server || true
"""

UNICORN = """\
echo 'run lambda { |e| [200, {}, ["x"]] }' > config.ru
printf 'worker_processes 3\\npreload_app true\\npid "pid"\\n' > unicorn.rb
unicorn -c unicorn.rb -l 127.0.0.1:$PORT config.ru >/dev/null 2>&1 & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
for n in 1 2 3 4; do curl -sf http://127.0.0.1:$PORT/; done
kill -TTIN $server; sleep 0.3
kill -USR2 $server; sleep 1.5
kill -QUIT $(cat pid) || true
kill -QUIT $server; wait $server || true
sleep 0.5
"""

SQUID = """\
cat > squid.conf <<END
http_port 127.0.0.1:$PORT
cache deny all
http_access allow all
pid_filename $PWD/pid
access_log none
cache_log /dev/null
coredump_dir $PWD
cache_effective_user root
END
squid -N -f squid.conf & server=$!
sleep 1.5
curl -s -x 127.0.0.1:$PORT http://127.0.0.1:9/ >/dev/null || true
kill $server; sleep 0.5
kill -9 $server || true
wait || true
"""

VARNISH = """\
echo 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200)); }' > default.vcl
varnishd -F -a 127.0.0.1:$PORT -f $PWD/default.vcl -n $PWD/varnish -j none -s malloc,16M -T none \\
  >/dev/null 2>&1 & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
for n in 1 2 3 4; do curl -s http://127.0.0.1:$PORT/ >/dev/null; done
kill $server; wait $server || true
"""

DOVECOT = """\
mkdir run state
cat > dovecot.conf <<END
base_dir = $PWD/run
state_dir = $PWD/state
log_path = /dev/null
protocols = imap
ssl = no
default_internal_user = root
default_internal_group = root
default_login_user = nobody
service imap-login {
  process_min_avail = 2
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = $PORT
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=$PWD/home
}
END
dovecot -F -c dovecot.conf & server=$!
sleep 1
for n in 1 2 3; do
  printf 'a login x y\\r\\nb logout\\r\\n' | timeout 2 socat -t1 - TCP:127.0.0.1:$PORT || true
done
kill $server; wait $server || true
"""

POSTFIX = """\
mkdir conf queue data
cp -r /etc/postfix/* conf/
cat > conf/main.cf <<END
compatibility_level = 3.6
queue_directory = $PWD/queue
data_directory = $PWD/data
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
inet_interfaces = 127.0.0.1
mail_owner = postfix
setgid_group = postdrop
END
chown postfix data
postfix -c $PWD/conf check || true
postfix -c $PWD/conf start || true
sleep 1
postfix -c $PWD/conf stop || true
"""

FFMPEG = """\
ffmpeg -v error -threads 4 -f lavfi -i testsrc=duration=1:size=320x240:rate=10 \\
  -f lavfi -i sine=duration=1 -c:v mpeg4 -c:a aac -y a.mp4 </dev/null
ffprobe -v error a.mp4
ffmpeg -v error -i a.mp4 -f null - </dev/null
"""

GHOSTSCRIPT = """\
cat > a.ps <<'END'
%!PS
/Times-Roman findfont 20 scalefont setfont 100 100 moveto (x) show showpage
END
gs -q -dBATCH -dNOPAUSE -sDEVICE=png16m -dNumRenderingThreads=4 -r300 -sOutputFile=a.png a.ps
ps2pdf a.ps
gs -q -dBATCH -dNOPAUSE -sDEVICE=txtwrite -sOutputFile=- a.pdf
"""

PANDOC = """\
printf '# a\\n\\n*b* `c`\\n' > a.md
pandoc a.md -o a.html; pandoc a.md -t docx -o a.docx; pandoc a.docx -t plain
"""

GNUPLOT = """\
gnuplot -e 'set terminal dumb; plot sin(x), system("echo 1") + 0'
gnuplot -e 'set terminal svg; set output "|cat >a.svg"; splot x*y'
"""

PYLINT = """\
printf 'import os\\nprint(os.name)\\n' > a.py; cp a.py b.py
pylint -j 3 -sn a.py b.py >/dev/null || true
"""

# Each task is a thread that forks or starts a program, forty at once.
ASYNC = """\
cat > a.cpp <<'END'
#include <cstdlib>
#include <future>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
static int task(int number)
{
	if (number % 4 == 0)
		return system("true");
	int status;
	pid_t pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	return std::vector<char>(1 << 20, 1)[number];
}
int main()
{
	std::vector<std::future<int>> all;
	for (int i = 0; i < 40; i++)
		all.push_back(std::async(std::launch::async, task, i));
	for (auto &one : all)
		one.get();
}
END
c++ -O1 -pthread a.cpp -o a && ./a
"""

SPAWNERS = """\
python3 - <<'END'
import mmap, os, threading
def start():
    for _ in range(20):
        os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
threads = [threading.Thread(target=start) for _ in range(6)]
for thread in threads:
    thread.start()
for _ in range(10):
    pid = os.fork()
    if not pid:
        memory = mmap.mmap(-1, 4 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_HUGEPAGE)
        memory.write(b"x" * (4 << 20))
        os._exit(0)
    os.waitpid(pid, 0)
for thread in threads:
    thread.join()
END
"""

PROGRAMS = {
    "chromium": (["chromium"], CHROMIUM),
    "chromium-boxed": (["chromium"], CHROMIUM_BOXED),
    "firejail": (["firejail"], FIREJAIL),
    "criu": (["criu"], CRIU),
    "rr": (["rr"], RR),
    "nspawn": (["systemd-nspawn", "busybox"], NSPAWN),
    "podman": (["podman", "busybox"], PODMAN),
    "tini": (["tini"], TINI),
    "supervisor": (["supervisord"], SUPERVISOR),
    "runit": (["runsvdir"], RUNIT),
    "uwsgi": (["uwsgi", "curl"], UWSGI),
    "unicorn": (["unicorn", "curl"], UNICORN),
    "squid": (["squid", "curl"], SQUID),
    "varnish": (["varnishd", "curl"], VARNISH),
    "dovecot": (["dovecot", "socat"], DOVECOT),
    "postfix": (["postfix"], POSTFIX),
    "ffmpeg": (["ffmpeg"], FFMPEG),
    "ghostscript": (["gs"], GHOSTSCRIPT),
    "pandoc": (["pandoc"], PANDOC),
    "gnuplot": (["gnuplot"], GNUPLOT),
    "pylint": (["pylint"], PYLINT),
    "async": (["c++"], ASYNC),
    "spawners": (["python3"], SPAWNERS),
}
