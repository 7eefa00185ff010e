# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers that start a process for each who asks, schedule programs, give up rights, or execute their successor."""

# Where its spools and marks would be, it has empty directories of its own.
CRON = """\
cat > run.sh <<'END'
mount -t tmpfs none /var/spool/cron; mount -t tmpfs none /run
mkdir -p /var/spool/cron/crontabs /var/spool/cron/atjobs /var/spool/cron/atspool
chown daemon:daemon /var/spool/cron/atjobs /var/spool/cron/atspool 2>/dev/null; touch /var/spool/cron/atjobs/.SEQ; chown daemon:daemon /var/spool/cron/atjobs/.SEQ
printf '@reboot ls / | wc -l >/dev/null\\n@reboot (:); true\\n' > /var/spool/cron/crontabs/root; chmod 600 /var/spool/cron/crontabs/root
cron -f & cron=$!
atd -f & atd=$!
sleep 0.5; echo 'ls / | wc -l; true' | at now; sleep 1.5
kill $cron $atd; wait
END
unshare -m sh run.sh
"""

EXIM = """\
mkdir spool log; chmod 777 . spool log
cat > exim.conf <<END
spool_directory = $PWD/spool
log_file_path = $PWD/log/%slog
acl_smtp_rcpt = r
qualify_domain = example.org
begin acl
r: accept
begin routers
all:
  driver = accept
  transport = piped
begin transports
piped:
  driver = pipe
  command = /bin/cat
  user = nobody
  log_output
END
exim4 -C $PWD/exim.conf -bdf -oX $PORT -oP $PWD/pid & server=$!
until_ok test -e pid
for n in 1 2 3; do
  exec 3<>/dev/tcp/127.0.0.1/$PORT; read -r line <&3
  for line in 'HELO x' 'MAIL FROM:<a@example.org>' "RCPT TO:<nobody$n@example.org>" DATA; do printf '%s\\r\\n' "$line" >&3; read -r answer <&3; done
  printf 'x\\r\\n.\\r\\n' >&3; read -r answer <&3; printf 'QUIT\\r\\n' >&3; cat <&3; exec 3>&-
done
sleep 1; exim4 -C $PWD/exim.conf -bp | wc -l; kill $server; wait $server || true
"""

VSFTPD = """\
mkdir -p ftp empty; echo x > ftp/a; chmod 555 ftp
cat > v.conf <<END
listen=YES
listen_port=$PORT
listen_address=127.0.0.1
background=NO
anonymous_enable=YES
anon_root=$PWD/ftp
secure_chroot_dir=$PWD/empty
ftp_username=daemon
no_anon_password=YES
END
chmod 755 .; vsftpd $PWD/v.conf & server=$!
until_ok curl -sf ftp://127.0.0.1:$PORT/
for n in 1 2 3; do curl -s ftp://127.0.0.1:$PORT/a & done; wait %2 %3 %4 || true
curl -s -m 1 ftp://127.0.0.1:$PORT/none || true
kill $server; wait $server || true
"""

INETDS = """\
cat > x.conf <<END
service a
{
	type = UNLISTED
	socket_type = stream
	protocol = tcp
	port = $PORT
	wait = no
	user = nobody
	server = /bin/ls
	server_args = /
}
END
xinetd -dontfork -f $PWD/x.conf -pidfile $PWD/pid & server=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
for n in 1 2 3 4; do (exec 3<>/dev/tcp/127.0.0.1/$PORT; wc -l <&3); done
kill -HUP $server; sleep 0.1; kill $server; wait $server || true
tcpserver -R -H -l 0 127.0.0.1 $PORT sh -c 'ls / | wc -l' & server=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
for n in 1 2 3 4; do (exec 3<>/dev/tcp/127.0.0.1/$PORT; cat <&3) & done; sleep 0.5
kill $server; wait $server || true
ncat -l -k -m 9 -c 'ls / | wc -l' 127.0.0.1 $PORT & server=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
for n in 1 2 3; do (exec 3<>/dev/tcp/127.0.0.1/$PORT; timeout 2 cat <&3); done
kill $server; wait || true
"""

DROPBEAR = """\
cat > run.sh <<'END'
mount -t tmpfs none /root; mkdir -m 700 /root/.ssh; export HOME=/root
dropbearkey -t ed25519 -f host; dropbearkey -t ed25519 -f own | grep ^ssh > /root/.ssh/authorized_keys
chmod 600 /root/.ssh/authorized_keys
dropbear -F -E -r host -p 127.0.0.1:$PORT -P $PWD/pid & server=$!
sleep 0.7
for n in 1 2 3; do timeout 10 dbclient -y -y -i own -p $PORT root@127.0.0.1 'ls / | wc -l; (:)' </dev/null; done
timeout 10 dbclient -y -y -t -i own -p $PORT root@127.0.0.1 'tty; true | cat' </dev/null
kill $server; wait $server
END
unshare -m sh run.sh || true
"""

QUERY = """\
python3 - $PORT <<'END' || true
import socket, struct, sys
for n in range(20):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(2)
        one.sendto(struct.pack(">6H", n, 256, 1, 0, 0, 0) + b"\\x01a\\x07example\\x00" + struct.pack(">2H", 1, 1), ("127.0.0.1", int(sys.argv[1])))
        try:
            one.recv(999)
        except OSError:
            break
END
"""
NAME_SERVERS = f"""\
cat > u.conf <<END
server:
  interface: 127.0.0.1
  port: $PORT
  num-threads: 4
  username: ""
  chroot: ""
  pidfile: ""
  directory: "$PWD"
  use-syslog: no
  local-zone: "example." static
  local-data: "a.example. A 127.0.0.2"
remote-control:
  control-enable: no
END
unbound -d -c $PWD/u.conf 2>/dev/null & server=$!
sleep 0.7
{QUERY}kill -HUP $server; sleep 0.3; kill $server; wait $server || true
cat > n.conf <<END
options {{ directory "$PWD"; listen-on port $PORT {{ 127.0.0.1; }}; listen-on-v6 {{ none; }}; recursion no; pid-file "$PWD/n.pid"; session-keyfile "$PWD/key"; }};
controls {{ }};
zone "example" {{ type primary; file "$PWD/zone"; }};
END
printf '$TTL 60\\n@ SOA a.example. a.example. 1 60 60 60 60\\n@ NS a.example.\\na A 127.0.0.2\\n' > zone
named -f -n 4 -c $PWD/n.conf & server=$!
sleep 1
{QUERY}kill $server; wait $server || true
"""

STUNNEL = """\
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=x -days 2 2>/dev/null
printf 'foreground = yes\\npid =\\ndebug = 0\\n[a]\\naccept = 127.0.0.1:%s\\ncert = %s/cert.pem\\nkey = %s/key.pem\\nexec = /bin/sh\\nexecArgs = sh -c "ls / | wc -l"\\n' $PORT $PWD $PWD > s.conf
stunnel4 $PWD/s.conf & server=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
for n in 1 2 3; do timeout 5 openssl s_client -quiet -connect 127.0.0.1:$PORT </dev/null 2>/dev/null || true; done
kill $server; wait $server || true
"""

SVNSERVE = """\
export HOME=$PWD
svnadmin create r; printf '[general]\\nanon-access = write\\n' > r/conf/svnserve.conf
printf '#!/bin/sh\\nls / | wc -l >/dev/null\\n' > r/hooks/post-commit; chmod +x r/hooks/post-commit
svnserve -d --foreground --listen-host 127.0.0.1 --listen-port $PORT -r $PWD & server=$!
until_ok svn info svn://127.0.0.1:$PORT/r
svn co -q svn://127.0.0.1:$PORT/r w; cd w; for n in 1 2; do echo $n > f$n; svn add -q f$n; svn ci -q -m $n; done; svn log -v | wc -l; svn diff -r1:2 --diff-cmd diff | wc -l
kill $server; wait $server || true
svnserve -T -d --foreground --listen-host 127.0.0.1 --listen-port $PORT -r $PWD/.. & server=$!
until_ok svn info svn://127.0.0.1:$PORT/r; svn export -q svn://127.0.0.1:$PORT/r e
kill $server; wait $server || true
"""

CUPS = """\
mkdir -p spool cache state root tmp; chmod 777 .
cat > cupsd.conf <<END
Listen $PWD/socket
Listen 127.0.0.1:$PORT
Browsing No
WebInterface No
<Location />
Order allow,deny
Allow all
</Location>
END
printf 'ServerRoot %s/root\\nRequestRoot %s/spool\\nCacheDir %s/cache\\nStateDir %s/state\\nTempDir %s/tmp\\nFileDevice Yes\\nAccessLog %s/access\\nErrorLog %s/error\\nPageLog %s/page\\n' $PWD $PWD $PWD $PWD $PWD $PWD $PWD $PWD > files.conf
cupsd -f -c $PWD/cupsd.conf -s $PWD/files.conf & server=$!
export CUPS_SERVER=$PWD/socket; until_ok lpstat -r
timeout 10 lpinfo -v || true
lpadmin -p x -E -v file:///dev/null -m raw || true
for n in 1 2 3; do echo $n | lp -d x || true; done
sleep 0.5; lpstat -W all -o || true; kill $server; wait $server || true
"""

# The old master executes the new one, which inherits its sockets.
NGINX_UPGRADE = """\
mkdir -p logs; echo x > index.html; chmod 755 .
printf 'daemon on; pid %s/nginx.pid; error_log %s/error.log; worker_processes 2; events {}\\nhttp { access_log off; server { listen 127.0.0.1:%s; root %s; } }\\n' $PWD $PWD $PORT $PWD > nginx.conf
$(command -v nginx) -c $PWD/nginx.conf; until_ok curl -sf http://127.0.0.1:$PORT/
old=$(cat nginx.pid); kill -USR2 $old; until_ok test -e nginx.pid.oldbin; until_ok test -s nginx.pid
curl -s http://127.0.0.1:$PORT/; kill -WINCH $old; sleep 0.3; curl -s http://127.0.0.1:$PORT/; kill -QUIT $old; until_ok gone $old
new=$(cat nginx.pid); nginx -c $PWD/nginx.conf -s reopen; nginx -c $PWD/nginx.conf -s quit; until_ok gone $new
"""

TSHARK = """\
python3 -m http.server -b 127.0.0.1 $PORT 2>/dev/null & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
(sleep 1; for n in 1 2 3; do curl -s http://127.0.0.1:$PORT/ >/dev/null; done) &
HOME=$PWD timeout 10 tshark -Q -i lo -c 8 -f "tcp port $PORT" -w - 2>/dev/null | wc -c
siege -q -c 4 -r 3 http://127.0.0.1:$PORT/ >/dev/null 2>&1 || true
kill $server; wait || true
"""

PROGRAMS = {
    "cron-at": (["cron", "atd"], CRON),
    "exim": (["exim4"], EXIM),
    "vsftpd": (["vsftpd", "curl"], VSFTPD),
    "inetds": (["xinetd", "tcpserver", "ncat"], INETDS),
    "dropbear": (["dropbear", "dbclient"], DROPBEAR),
    "name-servers": (["unbound", "named"], NAME_SERVERS),
    "stunnel": (["stunnel4", "openssl"], STUNNEL),
    "svnserve": (["svnserve", "svn"], SVNSERVE),
    "cups": (["cupsd", "lpstat"], CUPS),
    "nginx-upgrade": (["nginx", "curl"], NGINX_UPGRADE),
    "tshark-siege": (["tshark", "siege"], TSHARK),
}
