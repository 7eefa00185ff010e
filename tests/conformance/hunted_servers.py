# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers: started, asked, reloaded and stopped by a script, on a loopback port of their own."""

NGINX = """\
mkdir -p logs html; echo hello > html/index.html
cat > nginx.conf <<END
user root;
worker_processes 3;
pid $PWD/nginx.pid;
error_log $PWD/logs/error.log;
events { worker_connections 64; }
http { access_log off; client_body_temp_path $PWD; proxy_temp_path $PWD; fastcgi_temp_path $PWD;
  uwsgi_temp_path $PWD; scgi_temp_path $PWD;
  server { listen 127.0.0.1:$PORT; root $PWD/html; } }
END
ngx() { nginx -p $PWD -c $PWD/nginx.conf -e $PWD/logs/error.log "$@"; }
ngx
until_ok curl -sf http://127.0.0.1:$PORT/
for n in 1 2 3 4 5 6 7 8; do curl -sf http://127.0.0.1:$PORT/ >/dev/null & done; wait
old=$(cat nginx.pid)
ngx -s reload; sleep 0.1
curl -sf http://127.0.0.1:$PORT/
ngx -s reopen
ngx -s quit
until_ok test ! -e nginx.pid
until_ok gone $old
"""

REDIS = """\
redis-server --port $PORT --bind 127.0.0.1 --daemonize no --save '' --appendonly yes --dir . \\
  --io-threads 2 --logfile log &
cli() { redis-cli -p $PORT "$@"; }
until_ok cli ping
cli eval 'for n = 1, 20000 do redis.call("set", "key" .. n, string.rep("x", 100)) end' 0
cli bgsave
cli incr counter
until_ok test -e dump.rdb
sleep 0.2
cli bgrewriteaof
for n in 1 2 3; do cli incr counter; done
sleep 0.3
cli shutdown nosave
wait
"""

APACHE = """\
chmod 755 $PWD; mkdir -p html; echo hello > html/index.html
cat > httpd.conf <<END
ServerRoot $PWD
DefaultRuntimeDir $PWD
ServerName localhost
Listen 127.0.0.1:$PORT
LoadModule mpm_@MPM@_module /usr/lib/apache2/modules/mod_mpm_@MPM@.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
PidFile $PWD/httpd.pid
ErrorLog $PWD/error.log
User www-data
Group www-data
DocumentRoot $PWD/html
StartServers 3
END
httpd() { apache2 -d $PWD -f $PWD/httpd.conf "$@"; }
httpd -k start
until_ok curl -sf http://127.0.0.1:$PORT/index.html
old=$(cat httpd.pid)
for n in 1 2 3 4 5 6; do curl -sf http://127.0.0.1:$PORT/index.html >/dev/null & done; wait
httpd -k graceful; sleep 0.3
curl -sf http://127.0.0.1:$PORT/index.html
httpd -k graceful-stop
until_ok gone $old
"""

LIGHTTPD = """\
mkdir -p html; printf '#!/bin/sh\\necho "Content-Type: text/plain"\\necho\\necho $$\\n' > html/a.cgi
chmod +x html/a.cgi
cat > lighttpd.conf <<END
server.modules = ("mod_cgi")
server.document-root = "$PWD/html"
server.port = $PORT
server.bind = "127.0.0.1"
cgi.assign = (".cgi" => "/bin/sh")
END
lighttpd -D -f lighttpd.conf & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/a.cgi
for n in 1 2 3 4 5; do curl -sf http://127.0.0.1:$PORT/a.cgi & done
for n in 1 2 3 4 5; do curl -sf http://127.0.0.1:$PORT/a.cgi; done
kill -INT $server; wait $server
sleep 0.2
"""

HAPROXY = """\
cat > haproxy.cfg <<END
global
  nbthread 2
defaults
  mode http
  timeout connect 1s
  timeout client 1s
  timeout server 1s
frontend front
  bind 127.0.0.1:$PORT
  http-request return status 200 content-type text/plain string hello
END
haproxy -W -f haproxy.cfg & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
kill -USR2 $server; sleep 0.3
until_ok curl -sf http://127.0.0.1:$PORT/
kill -USR1 $server; wait $server || true
"""

PHP_FPM = """\
cat > fpm.conf <<END
[global]
pid = $PWD/fpm.pid
error_log = $PWD/log
[www]
user = root
listen = 127.0.0.1:$PORT
pm = dynamic
pm.max_children = 5
pm.start_servers = 3
pm.min_spare_servers = 1
pm.max_spare_servers = 4
END
fpm=$(ls /usr/sbin/php-fpm* | head -n 1)
$fpm -R -F -y fpm.conf & server=$!
until_ok test -e fpm.pid
sleep 0.2
kill -USR2 $server; sleep 0.5
kill -QUIT $(cat fpm.pid) || true
until_ok gone $(cat fpm.pid)
wait || true
"""

MEMCACHED = """\
memcached -u root -l 127.0.0.1 -p $PORT -t 8 & server=$!
until_ok bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
python3 - $PORT <<'END'
import socket, sys, threading, time
def ask():
    for _ in range(100):
        try:
            one = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            break
        except ConnectionRefusedError:
            time.sleep(0.02)
    one.sendall(b"set a 0 0 1\\r\\nx\\r\\nget a\\r\\n")
    one.recv(100)
    one.close()
all = [threading.Thread(target=ask) for _ in range(20)]
for each in all: each.start()
for each in all: each.join()
END
kill $server; wait $server || true
"""

SSHD = """\
ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f key
cp key.pub authorized; chmod 700 .; mkdir -p /run/sshd
cat > sshd.conf <<END
Port $PORT
ListenAddress 127.0.0.1
HostKey $PWD/host
AuthorizedKeysFile $PWD/authorized
StrictModes no
UsePAM no
PidFile $PWD/sshd.pid
PermitRootLogin yes
END
/usr/sbin/sshd -D -f $PWD/sshd.conf -E $PWD/log & server=$!
until_ok test -e sshd.pid
for n in 1 2; do
  ssh -F none -p $PORT -i key -o UserKnownHostsFile=known -o StrictHostKeyChecking=no \\
    -o BatchMode=yes root@127.0.0.1 'echo here; (ls / | wc -l)'
done
kill -HUP $server; sleep 0.3
kill $(cat sshd.pid); until_ok gone $server
"""

POSTGRES = """\
chmod 755 $PWD; mkdir db; chown nobody db
as() { setpriv --reuid nobody --clear-groups env PATH=$PATH "$@"; }
as initdb -D $PWD/db -A trust >/dev/null
as pg_ctl -D $PWD/db -w -l $PWD/db/log -o "-p $PORT -k $PWD/db -h 127.0.0.1" start
psql=$(command -v psql) && for n in 1 2 3; do
  as $psql -h 127.0.0.1 -p $PORT -U nobody postgres -c "create table t$n as select generate_series(1,1000)" & done
wait || true
as pg_ctl -D $PWD/db -w reload
as pg_ctl -D $PWD/db -w -m fast stop
"""

FORKING = """\
import os, socketserver, sys, threading, urllib.request, http.server
class Server(socketserver.ForkingMixIn, http.server.HTTPServer):
    max_children = 8
    block_on_close = True
os.chdir(os.environ["PWD"])
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *what): pass
server = Server(("127.0.0.1", 0), Handler)
thread = threading.Thread(target=server.serve_forever)
thread.start()
def ask():
    for _ in range(5):
        urllib.request.urlopen("http://127.0.0.1:%d/" % server.server_port).read()
all = [threading.Thread(target=ask) for _ in range(4)]
for each in all: each.start()
for each in all: each.join()
server.shutdown(); thread.join(); server.server_close()
"""

GUNICORN = """\
cat > app.py <<'END'
def app(environ, start):
    start("200 OK", [])
    return [b"hello"]
END
gunicorn -w 3 -b 127.0.0.1:$PORT --pid gunicorn.pid app:app & server=$!
until_ok curl -sf http://127.0.0.1:$PORT/
kill -TTIN $server; sleep 0.3
kill -HUP $server; sleep 0.5
until_ok curl -sf http://127.0.0.1:$PORT/
kill -TERM $server; wait $server
"""

DNSMASQ = """\
dnsmasq --no-daemon --port=$PORT --listen-address=127.0.0.1 --bind-interfaces --no-resolv --no-hosts \\
  --user=root --pid-file=$PWD/pid & server=$!
sleep 0.3; kill -HUP $server; sleep 0.1; kill $server; wait $server || true
"""

PROGRAMS = {
    "nginx-reload": (["nginx", "curl"], NGINX),
    "redis-bgsave": (["redis-server", "redis-cli"], REDIS),
    "apache-prefork": (["apache2", "curl"], APACHE.replace("@MPM@", "prefork")),
    "apache-event": (["apache2", "curl"], APACHE.replace("@MPM@", "event")),
    "lighttpd-cgi": (["lighttpd", "curl"], LIGHTTPD),
    "haproxy-reload": (["haproxy", "curl"], HAPROXY),
    "php-fpm": (["php"], PHP_FPM),
    "memcached": (["memcached"], MEMCACHED),
    "sshd": (["sshd", "ssh", "ssh-keygen"], SSHD),
    "postgres": (["initdb", "pg_ctl"], POSTGRES),
    "python-forking-server": (["python3"], "cat > s.py <<'END'\n" + FORKING + "END\npython3 s.py\n"),
    "gunicorn": (["gunicorn", "curl"], GUNICORN),
    "dnsmasq": (["dnsmasq"], DNSMASQ),
}
