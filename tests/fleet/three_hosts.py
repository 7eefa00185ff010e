# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all needs:build/viewers needs:apache2-utils needs:iproute2
"""three_hosts.py FORKTAX [TEST]: three hosts, a watch and a node_exporter on each, below one Prometheus and one
VictoriaMetrics: sums over hosts are what the loads did."""
import collections
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import common
from engines import Prometheus, VictoriaMetrics
from machines import Host, leave_the_network
from common import main, program, queries_of_dashboard, queries_of_document, read, run, wait_until, write

PAGE = 4096
WORKERS = 3
POOL_PAGES = 512 # that each worker has written to
SHOP, BATCH = "shop.service", "batch.service"
# The kernel writes to the rseq area of a thread that was preempted: its page is then copied by the parent or by the child.
QUIET = {**os.environ, "GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
# The numbers of a round on host 1; on host N they are N times as many. Only the shop writes to inherited pages.
ROUND = {"forks": 20, "execs": 5, "vforks": 3}
PAGES = {SHOP: 100, BATCH: 0}


class Load:
    """fleetload as a unit of a host."""

    def __init__(self, host, unit, workers):
        self.host, self.unit = host, unit
        self.process = host.start(unit, f"{common.build()}/tests/fleet/fleet-load", str(workers),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=QUIET)

    def begin(self, forks, pages, execs, vforks):
        self.process.stdin.write(f"{forks} {pages} {execs} {vforks}\n")
        self.process.stdin.flush()

    def done(self):
        """What it did in the round that began, by its own count."""
        return collections.Counter(json.loads(self.process.stdout.readline()))

    def faults(self):
        """Its own and those of all children that have ended, as the kernel counts them."""
        fields = read(f"/proc/{self.process.host_pid}/stat").rpartition(")")[2].split()
        return sum(map(int, fields[7:11]))


class Machine:
    """A host with a watch, a node_exporter that reads its textfile, and loads."""

    def __init__(self, number, scratch, stack):
        self.host = stack.enter_context(Host(number))
        self.directory = f"{scratch}/{number}"
        os.mkdir(self.directory)
        # What a release leaves, as docs/use/fleet.md asks for it.
        write(f"{self.directory}/release.prom",
              f'release_info{{unit="{SHOP}",version="1.4.{number}"}} 1\nrelease_info{{unit="{BATCH}",version="7"}} 1\n')
        self.textfile = f"{self.directory}/forktax.prom"
        self.watch = None
        self.start_watch()
        self.host.start("node-exporter.service", program("prometheus-node-exporter"), "--collector.disable-defaults",
                        "--collector.cpu", "--collector.textfile", f"--collector.textfile.directory={self.directory}",
                        f"--web.listen-address={self.target}", stderr=subprocess.DEVNULL)
        self.loads = {SHOP: Load(self.host, SHOP, WORKERS), BATCH: Load(self.host, BATCH, 0)}

    @property
    def target(self):
        return f"{self.host.address}:9100"

    def start_watch(self):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.textfile)
        with open(f"{self.directory}/log", "ab") as log:
            self.watch = self.host.start("forktax-watch.service", common.forktax, "watch", "-a", "--level=classes",
                                         "--every=1s", f"--textfile={self.textfile}", stdout=log, stderr=log)
        wait_until(lambda: self.watch.poll() is not None or os.path.exists(self.textfile), "a textfile")
        if self.watch.poll() is not None:
            raise AssertionError(f"forktax watch ended: {read(f'{self.directory}/log')}")

    def end_watch(self):
        os.kill(self.watch.host_pid, signal.SIGTERM)
        return self.watch.wait(common.PATIENCE_S)

    def round(self, factor):
        for unit, load in self.loads.items():
            load.begin(factor * ROUND["forks"], PAGES[unit], factor * ROUND["execs"], factor * ROUND["vforks"])

    def forks(self, factor):
        for unit, load in self.loads.items():
            load.begin(factor * ROUND["forks"], PAGES[unit], 0, 0)


class ThreeHosts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        leave_the_network()

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="forktax-fleet-")
        self.addCleanup(shutil.rmtree, self.scratch)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.machines = [Machine(number, self.scratch, stack) for number in (1, 2, 3)]
        targets = [machine.target for machine in self.machines]
        self.engines = [stack.enter_context(kind(self.scratch, targets)) for kind in (Prometheus, VictoriaMetrics)]
        for machine in self.machines: # pages that a load writes to once, such as buffers
            machine.round(1)
        self.done = self.ended()
        for machine in self.machines:
            os.kill(machine.watch.host_pid, signal.SIGHUP) # else pools are read every five minutes

    def ended(self):
        """{(machine, unit): what it did in the round that began}, when all have done it and engines know it."""
        done = {(machine, unit): load.done() for machine in self.machines for unit, load in machine.loads.items()}
        self.settle()
        return done

    def settle(self):
        """The engines have counts that were taken after now."""
        now = time.time()
        for engine in self.engines:
            wait_until(lambda engine=engine: engine.value(
                f"count (forktax_last_sample_time_seconds > {now})") == len(self.machines), f"{engine.name} is there")

    def counts(self, engine, unit):
        """All counts of a unit summed up over hosts."""
        selected = f'unit=~".*{unit}"'
        found = collections.Counter()
        for name in ("forks", "execs", "exits", "page_faults", "cow_copied_bytes", "ldso_pages", "syscalls"):
            found[name] = engine.value(f"sum (forktax_{name}_total{{{selected}}})") or 0
        found["fork_calls"] = engine.value(f"sum (forktax_fork_seconds_count{{{selected}}})")
        for labels, value in engine.query(f"sum by (parent, birth, fate) (forktax_children_total{{{selected}}})"):
            found[labels["parent"], labels["birth"], labels["fate"]] = value
        classes = engine.query(f"sum by (birth, class) (forktax_classified_page_faults_total{{{selected}}})")
        for labels, value in classes:
            found["faults", labels["birth"]] += value
            found[labels["class"], labels["birth"]] += value
        return found

    def faults(self, unit):
        return sum(machine.loads[unit].faults() for machine in self.machines)

    def grown(self, round_of_all):
        """{(engine, unit): how counts have grown in a round}, {unit: what the loads did}, {unit: faults as /proc has}"""
        before = {(engine, unit): self.counts(engine, unit) for engine in self.engines for unit in PAGES}
        faults = {unit: -self.faults(unit) for unit in PAGES}
        for machine in self.machines:
            round_of_all(machine)
        did = {unit: collections.Counter() for unit in PAGES}
        for (_, unit), done in self.ended().items():
            did[unit].update(done)
        for unit in PAGES:
            faults[unit] += self.faults(unit)
        grown = {}
        for (engine, unit), counts in before.items():
            grown[engine, unit] = self.counts(engine, unit)
            grown[engine, unit].subtract(counts)
        return grown, did, faults

    @staticmethod
    def expected(did, faults):
        """Of what the loads did on all hosts: the counts, as they are named in counts()."""
        born = did["forks"] + did["execs"] + did["vforks"]
        return {"forks": born, "exits": born, "execs": did["execs"] + did["vforks"],
                "fork_calls": did["forks"] + did["execs"], "page_faults": faults,
                ("fleet-load", "fork", "no_exec"): did["forks"], ("fleet-load", "fork", "exec"): did["execs"],
                ("fleet-load", "vfork", "exec"): did["vforks"]}

    def test_hosts_sums(self):
        """What PromQL sums up over three hosts is what the loads count themselves, and /proc of them."""
        grown, did, faults = self.grown(lambda machine: machine.round(machine.host.number))
        for (engine, unit), counts in grown.items():
            for name, value in self.expected(did[unit], faults[unit]).items():
                with self.subTest(engine=engine.name, unit=unit, name=name):
                    self.assertEqual(counts[name], value)
            self.assertGreaterEqual(counts["ldso_pages"], did[unit]["execs"])
        self.check_hosts()

    def test_hosts_faults(self):
        """Of children without an execve, in which the kernel counts faults that are no exceptions: each fault has a
        class, as wait4 counts them, and each page that is written to is copied."""
        grown, did, faults = self.grown(lambda machine: machine.forks(machine.host.number))
        for engine in self.engines:
            for unit in PAGES:
                counts = grown[engine, unit]
                with self.subTest(engine=engine.name, unit=unit):
                    self.assertEqual(counts["faults", "fork"], did[unit]["fork_faults"])
                    self.assertEqual(counts["page_faults"], faults[unit])
                    self.assertEqual(counts["cow_copied_bytes"], PAGE * sum(
                        count for name, count in counts.items() if name[0] == "cow_copy"))
            with self.subTest(engine=engine.name):
                self.assertEqual(grown[engine, SHOP]["cow_copy", "fork"] - grown[engine, BATCH]["cow_copy", "fork"],
                                 did[SHOP]["forks"] * PAGES[SHOP])

    def check_hosts(self):
        """Each host has what was done on it, and no other host's."""
        for engine in self.engines:
            for machine in self.machines:
                born = (1 + machine.host.number) * sum(ROUND.values())
                for unit, workers in ((SHOP, WORKERS), (BATCH, 0)):
                    selected = f'instance="{machine.target}", unit=~".*{unit}"'
                    with self.subTest(engine=engine.name, host=machine.host.number, unit=unit):
                        self.assertEqual(engine.value(f"forktax_children_total{{{selected}, birth='vfork'}}"),
                                         (1 + machine.host.number) * ROUND["vforks"])
                        self.assertEqual(engine.value(f"sum (forktax_processes{{{selected}}})"), 1 + workers)
                        self.assertGreaterEqual(engine.value(f"sum (forktax_forks_total{{{selected}}})"), born)
            self.assertEqual(engine.value("min (forktax_exact)"), 1)
            self.assertEqual(engine.value("sum (forktax_lost_events_total)"), 0)

    def test_hosts_pools(self):
        """Each shop has a pool, whose workers have copied half of what they inherited, all to the same bytes."""
        copied = len(self.machines) * WORKERS * POOL_PAGES * PAGE
        for engine in self.engines:
            with self.subTest(engine=engine.name):
                wait_until(lambda engine=engine: engine.value(
                    f'count (forktax_pool_workers{{unit=~".*{SHOP}"}})') == len(self.machines), "pools are read")
                workers, unshared, identical = (engine.value(f'sum (forktax_pool_{name}{{unit=~".*{SHOP}"}})')
                                                for name in ("workers", "unshared_bytes", "identical_bytes"))
                self.assertEqual(workers, len(self.machines) * WORKERS)
                self.assertGreaterEqual(unshared, copied)
                self.assertLess(unshared, 1.1 * copied)
                # One of the three copies of each page has to stay.
                self.assertGreaterEqual(identical, copied * (WORKERS - 1) / WORKERS)
                self.assertLess(identical, copied)

    def check_queries(self, queries):
        """Each has data in both engines, but for those that need a day."""
        for machine in self.machines:
            machine.round(1)
        self.ended()
        for engine in self.engines:
            for title, query in queries:
                with self.subTest(engine=engine.name, title=title, query=query):
                    self.assertNotIn("$", query)
                    rows = engine.query(query)
                    self.assertTrue(rows or "offset" in query)

    def test_hosts_dashboard(self):
        self.check_queries(queries_of_dashboard())

    def test_hosts_document(self):
        self.check_queries(queries_of_document())

    def test_hosts_releases(self):
        """The query of docs/use/fleet.md by release has a row for each version that runs, with what its hosts did."""
        grown, did, _ = self.grown(lambda machine: machine.round(machine.host.number))
        [query] = [query for _, query in queries_of_document() if "release_info" in query]
        rows = {(labels["unit"], labels["version"]): value for labels, value in self.engines[0].query(query)}
        self.assertEqual(set(rows), {(SHOP, "1.4.1"), (SHOP, "1.4.2"), (SHOP, "1.4.3"), (BATCH, "7")})
        per_fork = grown[self.engines[0], SHOP]["page_faults"] / grown[self.engines[0], SHOP]["forks"]
        self.assertGreater(did[SHOP]["forks"], 0)
        for version in ("1.4.1", "1.4.2", "1.4.3"): # the same code: the same faults per fork, whatever the load
            self.assertAlmostEqual(rows[SHOP, version] / per_fork, 1, delta=0.2)
        self.assertLess(rows[BATCH, "7"], rows[SHOP, "1.4.1"] / 2)

    def test_hosts_rules(self):
        """Prometheus evaluates each rule without an error, and no alert fires while all is well."""
        prometheus = self.engines[0]
        wait_until(lambda: all(rule["lastEvaluation"] > "0002" for rule in self.rules(prometheus)), "rules are evaluated")
        for rule in self.rules(prometheus):
            self.assertEqual((rule["name"], rule["health"], rule.get("lastError", "")), (rule["name"], "ok", ""))
        firing = [alert["labels"]["alertname"] for alert in prometheus.ask("alerts")["alerts"]
                  if alert["state"] == "firing"]
        self.assertEqual(firing, [])

    @staticmethod
    def rules(prometheus):
        return [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]

    def test_hosts_textfiles(self):
        """promtool finds no fault with them, and node_exporter reads each."""
        promtool = program("promtool")
        for machine in self.machines:
            result = run(promtool, "check", "metrics", input=read(machine.textfile))
            self.assertEqual((result.returncode, result.stdout), (0, ""))
        for engine in self.engines:
            self.assertEqual(engine.value("sum (node_textfile_scrape_error)"), 0)

    def test_hosts_restart(self):
        """After a restart the counts begin at 0, and the beginning says so; the last file of the first is whole."""
        machine = self.machines[0]
        prometheus = self.engines[0]
        host = f'instance="{machine.target}"'
        began = prometheus.value(f"forktax_start_time_seconds{{{host}}}")
        self.assertEqual(machine.end_watch(), 0, read(f"{machine.directory}/log"))
        self.assertIn("\nforktax_build_info{", read(machine.textfile))
        machine.start_watch()
        self.settle()
        self.assertGreater(prometheus.value(f"forktax_start_time_seconds{{{host}}}"), began)
        for machine_of_it in self.machines:
            machine_of_it.round(2)
        self.ended()
        self.assertEqual(prometheus.value(f'forktax_children_total{{{host}, unit=~".*{SHOP}", fate="no_exec"}}'),
                         2 * ROUND["forks"])
        self.assertEqual(prometheus.value(f"changes (forktax_start_time_seconds{{{host}}}[5m])"), 1)


if __name__ == "__main__":
    main(ThreeHosts)
