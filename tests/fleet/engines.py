# SPDX-License-Identifier: GPL-2.0-or-later
"""Prometheus and VictoriaMetrics, as processes of the test, and what they answer."""
import glob
import json
import re
import shutil
import subprocess
import urllib.parse
import urllib.request

from common import FLEET, program, read, wait_until, write


class Engine:
    """Started with docs/use/fleet/prometheus.yml, with an interval of 1 s for everything; stopped at the end of `with`."""

    name = None
    port = None
    options = ()

    def __init__(self, scratch, hosts):
        self.directory = f"{scratch}/{self.name}"
        self.hosts = hosts
        self.process = None

    def __enter__(self):
        shutil.copytree(FLEET, f"{self.directory}/etc")
        # Prometheus first evaluates a group of rules at a time within its interval that depends on the file's path.
        for path in glob.glob(f"{self.directory}/etc/*.yml"):
            write(path, re.sub(r"interval: \d+[sm]$", "interval: 1s", read(path), flags=re.M))
        config = f"{self.directory}/etc/prometheus.yml"
        write(f"{self.directory}/etc/hosts.json", json.dumps([{"targets": self.hosts}]))
        words = [option.format(config=config, data=f"{self.directory}/data", port=self.port)
                 for option in self.options]
        with open(f"{self.directory}/log", "wb") as log:
            self.process = subprocess.Popen([program(self.name), *words], stdout=log, stderr=log,
                                            cwd=f"{self.directory}/etc")
        wait_until(self.answers, f"{self.name} answers")
        return self

    def __exit__(self, *failure):
        self.process.terminate()
        self.process.wait()

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(read(f"{self.directory}/log"))
        try:
            return self.query("1") is not None
        except OSError:
            return False

    def ask(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]

    def query(self, expression, **more):
        """[(labels, value)]"""
        found = self.ask("query", query=expression, **more)
        if found["resultType"] == "scalar":
            return [({}, float(found["result"][1]))]
        return [(row["metric"], float(row["value"][1])) for row in found["result"]]

    def value(self, expression, **more):
        """Of an expression that has one value; None: it has none."""
        rows = self.query(expression, **more)
        assert len(rows) < 2, rows
        return rows[0][1] if rows else None


class Prometheus(Engine):
    name = "prometheus"
    port = 9090
    options = ("--config.file={config}", "--storage.tsdb.path={data}", "--web.listen-address=127.0.0.1:{port}")


class VictoriaMetrics(Engine):
    name = "victoria-metrics"
    port = 8428
    # Rules are for vmalert, which is another program: not an error here. A query may ask for the last second.
    options = ("-promscrape.config={config}", "-promscrape.config.strictParse=false", "-storageDataPath={data}",
               "-httpListenAddr=127.0.0.1:{port}", "-search.latencyOffset=0s")
