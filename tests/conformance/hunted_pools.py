# SPDX-License-Identifier: GPL-2.0-or-later
"""Pools of real programs, held still: forktax workers beside a second reader, figure by figure (tests/hunt --pools).

usage: hunted_pools.py FORKTAX PROGRAMS [NAME]...

Each is read after its start, where it has workers by then, and after its load.
"""
import os
import sys
import tempfile

import check as checks
import pool_reader
import workers_real
from workers_look import look

UWSGI = """\
cat > app.py <<'END'
data = [{"a": i, "b": str(i)} for i in range(60000)]
def application(environ, start):
    start("200 OK", [])
    return [b"%d" % sum(len(one["b"]) for one in data)]
END
uwsgi --plugin python3 --master --processes 3 --http-socket 127.0.0.1:$PORT --wsgi-file app.py 2>log >&2 & master=$!
end=INT
serve 60
"""

UNICORN = """\
cat > config.ru <<'END'
data = Array.new(200_000) { |i| "string number #{i} that is long enough" }
run lambda { |env| [200, { "content-type" => "text/plain" }, [data.sum(&:size).to_s]] }
END
printf 'worker_processes 3\npreload_app true\nlisten "127.0.0.1:%d"\n' $PORT > unicorn.rb
unicorn -c unicorn.rb config.ru >log 2>&1 & master=$!
serve 300
"""

NGINX = """\
chmod 755 $PWD
cat > nginx.conf <<END
daemon off; worker_processes 3; pid $PWD/pid; error_log $PWD/log;
events {}
http { access_log off; client_body_temp_path $PWD; proxy_temp_path $PWD; fastcgi_temp_path $PWD; uwsgi_temp_path $PWD;
scgi_temp_path $PWD; server { listen 127.0.0.1:$PORT; location / { return 200 "well"; } } }
END
nginx -p $PWD -c $PWD/nginx.conf 2>/dev/null & master=$!
serve 3000
"""

APACHE = """\
# apache ends its whole process group.
chmod 755 $PWD; echo well > index.html
cat > apache.conf <<END
ServerRoot /usr/lib/apache2
ServerName localhost
Listen 127.0.0.1:$PORT
PidFile $PWD/pid
ErrorLog $PWD/log
DocumentRoot $PWD
Mutex file:$PWD
User nobody
Group nogroup
LoadModule mpm_prefork_module modules/mod_mpm_prefork.so
LoadModule authz_core_module modules/mod_authz_core.so
<IfModule mpm_prefork_module>
StartServers 3
MinSpareServers 3
MaxSpareServers 3
</IfModule>
<Directory $PWD>
Require all granted
</Directory>
END
apache2 -f $PWD/apache.conf -t >/dev/null 2>&1 || exit 1
setsid apache2 -D FOREGROUND -f $PWD/apache.conf 2>/dev/null & master=$!
serve 3000 index.html
"""

STARMAN = """\
cat > app.psgi <<'END'
my @data = map { "string number $_" } 1 .. 100000;
sub { [200, [], [scalar grep { length > 15 } @data]] };
END
starman --preload-app --workers 3 --listen 127.0.0.1:$PORT app.psgi >log 2>&1 & master=$!
serve 60
"""

POOLS = {name: (programs, script) for name, (programs, script, *_) in workers_real.POOLS.items()} | {
    "uwsgi": (["uwsgi", "curl", "ab"], UWSGI),
    "unicorn": (["unicorn", "curl", "ab"], UNICORN),
    "nginx": (["nginx", "curl", "ab"], NGINX),
    "apache": (["apache2", "curl", "ab"], APACHE),
    "starman": (["starman", "curl", "ab"], STARMAN),
}


def hunt(check, forktax, script):
    with tempfile.TemporaryDirectory(prefix="forktax-pools-") as scratch, \
            workers_real.start(script, scratch) as pool:
        master = workers_real.begin(pool)
        if len(pool_reader.members_of(master)) > 1:
            pool_reader.compare(check, lambda pid: look(forktax, pid), master)
        workers_real.put_load_on(pool)
        pool_reader.compare(check, lambda pid: look(forktax, pid), master)
        pool.stdin.close()


def main():
    forktax = sys.argv[1]
    if os.geteuid():
        checks.skip("needs root")
    check = checks.Check()
    for name in sys.argv[3:] or POOLS:
        programs, script = POOLS[name]
        missing = workers_real.missing_of(programs)
        print(f"{name}: " + (f"left out, not installed: {' '.join(missing)}" if missing else "..."))
        if not missing:
            try:
                hunt(check, forktax, script)
            except SystemExit as failure:
                check.context = name
                check.fail(failure)
    check.finish()


if __name__ == "__main__":
    main()
