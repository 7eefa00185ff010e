# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""fleet.py FORKTAX [TEST]: the queries of docs/use/howto-fleet-questions.md find what was hidden in a thousand saved runs.

The runs are one real run whose numbers are changed: 50 hosts, 5 units, 4 releases.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FORKTAX = None
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/use/howto-fleet-questions.md")
# Children of two groups: one that ends as bash, one that executes something.
COMMAND = ["bash", "-c", "for i in 1 2 3; do (:); env true; done; true"]

HOSTS = [f"host{number:02}" for number in range(50)]
RELEASES = ["1.8", "1.9", "1.10", "1.11"]  # not the order of their names
BEGIN_NS, DAY_NS = 1_700_000_000_000_000_000, 86_400_000_000_000
SECONDS = 60
# Copies of a fork, and forks in a minute.
UNITS = {"cron": (40, 12), "db": (300, 240), "mail": (80, 60), "ssh": (120, 6), "web": (60, 900)}

# What is to be found. (unit, release or None for all, host): factor of the copies.
ODD_HOSTS = {("db", None, "host07"): 1.6, ("web", "1.11", "host31"): 0.5}
# (unit, first release): factor of the copies from then on, on all hosts.
CHANGES = {("mail", "1.9"): 1.5, ("cron", "1.11"): 0.5}
# (unit, first release, whether children execute something): more faults of each child.
RISEN = {("web", "1.10", False): 40, ("ssh", "1.9", True): 100}
INEXACT = 30


def is_from(release, first):
    return RELEASES.index(release) >= RELEASES.index(first)


def copies_of(unit, release, host):
    factor = 1
    for (changed, first), by in CHANGES.items():
        factor *= by if changed == unit and is_from(release, first) else 1
    for (odd, of, where), by in ODD_HOSTS.items():
        factor *= by if (odd, where) == (unit, host) and of in (None, release) else 1
    return UNITS[unit][0] * factor


def put(record, **members):
    """Changes what is there: a member that a run does not have would be a mistake."""
    for name in members:
        if name not in record:
            raise KeyError(name)
    record.update(members)


def changed_run(real, chance, unit, release, host):
    run = json.loads(real)
    forks = round(UNITS[unit][1] * chance.uniform(0.7, 1.3))
    copies = round(forks * copies_of(unit, release, host) * chance.uniform(0.97, 1.03))
    started = BEGIN_NS + RELEASES.index(release) * 30 * DAY_NS + chance.randrange(20 * DAY_NS)
    put(run, started=started, wall_ns=SECONDS * 1_000_000_000)
    put(run["totals"], forks=forks)
    faults = run["totals"]["faults"]
    put(faults, total=faults["total"] - faults["cow_copy"] + copies, cow_copy=copies)
    for group in run["groups"]:
        per_child = group["faults"]["total"] / group["children"]
        for (risen, first, execs), more in RISEN.items():
            per_child += more if risen == unit and is_from(release, first) and execs == bool(group["fate"]) else 0
        children = max(forks // len(run["groups"]), 1)
        put(group, children=children)
        put(group["faults"], total=round(children * per_child))
    return run


def make_runs(directory, real):
    """How many. Some hosts have another run, which is not exact, and would spoil every answer."""
    chance, count = random.Random(22), 0
    inexact = set(chance.sample(range(len(HOSTS) * len(UNITS) * len(RELEASES)), INEXACT))
    for host in HOSTS:
        for unit in UNITS:
            for release in RELEASES:
                folder = f"{directory}/runs/host={host}/release={release}/unit={unit}"
                os.makedirs(folder)
                run = changed_run(real, chance, unit, release, host)
                write(f"{folder}/1.json", run)
                if count in inexact:
                    spoil(run)
                    write(f"{folder}/2.json", run)
                count += 1
    return count


def spoil(run):
    put(run["integrity"], exact=False)
    put(run["totals"]["faults"], cow_copy=10**12)
    for group in run["groups"]:
        put(group["faults"], total=10**12)


def write(path, run):
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(run))


class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="forktax-fleet-")
        traced = subprocess.run([FORKTAX, "run", "-q", "--json", "-o", f"{cls.scratch}/real.json", "--", *COMMAND],
                                check=False, capture_output=True)
        if traced.returncode:
            raise AssertionError(traced)
        with open(f"{cls.scratch}/real.json", encoding="utf-8") as file:
            cls.real = file.read()
        with open(DOCUMENT, encoding="utf-8") as file:
            cls.text = file.read()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.scratch)
        os.chdir(self.folder)

    def database(self):
        """A connection with the table and the view of the document."""
        import duckdb
        database = duckdb.connect()
        for statement in self.statements("Read them"):
            if statement.startswith("CREATE"):
                database.execute(statement)
        return database

    def statements(self, heading):
        [section] = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", self.text, re.M | re.S)
        blocks = re.findall(r"^```sql\n(.*?)^```", section, re.M | re.S)
        return [one.strip() for block in blocks for one in block.split(";\n") if one.strip()]

    def answer(self, database, heading):
        """Rows of the only query there, as dictionaries."""
        [query] = [one for one in self.statements(heading) if not one.startswith("CREATE")]
        result = database.execute(query)
        names = [column[0] for column in result.description]
        return [dict(zip(names, row)) for row in result.fetchall()]

    def test_fleet_questions(self):
        groups = json.loads(self.real)["groups"]
        self.assertEqual({bool(group["fate"]) for group in groups}, {False, True})
        count = make_runs(self.folder, self.real)
        self.assertEqual(count, 1000)
        database = self.database()
        self.assertEqual(self.answer(database, "Read them"), [{"runs": count + INEXACT, "exact": count, "hosts": 50}])
        self.check_hosts(self.answer(database, "Which hosts differ?"))
        self.check_releases(self.answer(database, "Since which release?"))
        self.check_units(self.answer(database, "Which unit copies most?"))
        self.check_groups(self.answer(database, "Which group's faults rose?"))
        self.assertEqual(len(re.findall(r"^## Wh|^## Since", self.text, re.M)), 4)

    def check_hosts(self, rows):
        expected = {(unit, release, host): factor for (unit, of, host), factor in ODD_HOSTS.items()
                    for release in RELEASES if of in (None, release)}
        found = {(row["unit"], row["release"], row["host"]): row for row in rows}
        self.assertEqual(set(found), set(expected))
        for key, factor in expected.items():
            self.assertAlmostEqual(float(found[key]["of_median"]), factor, delta=0.08 * factor)

    def check_releases(self, rows):
        found = {(row["unit"], row["release"]): row for row in rows}
        self.assertEqual(set(found), set(CHANGES))
        for key, factor in CHANGES.items():
            self.assertAlmostEqual(found[key]["of_release_before"], factor, delta=0.03 * factor)

    def check_units(self, rows):
        expected = {unit: sum(copies_of(unit, release, host) for release in RELEASES for host in HOSTS)
                    / len(RELEASES) / len(HOSTS) * forks / SECONDS * 4096 / 1048576
                    for unit, (_, forks) in UNITS.items()}
        self.assertEqual([row["unit"] for row in rows], sorted(expected, key=expected.get, reverse=True))
        for row in rows:
            self.assertAlmostEqual(row["mib_per_second"], expected[row["unit"]],
                                   delta=0.01 + 0.06 * expected[row["unit"]])
            self.assertAlmostEqual(row["forks_per_second"], UNITS[row["unit"]][1] / SECONDS,
                                   delta=0.1 + 0.06 * UNITS[row["unit"]][1] / SECONDS)

    def check_groups(self, rows):
        found = {(row["unit"], row["release"], row["fate"] != "no exec"): row for row in rows}
        self.assertEqual(set(found), set(RISEN))
        for key, more in RISEN.items():
            self.assertAlmostEqual(found[key]["more"], more, delta=1)
        self.assertEqual([row["more"] for row in rows], sorted((row["more"] for row in rows), reverse=True))

    def test_fleet_saves(self):
        """What the document saves is what it reads."""
        [script] = re.findall(r"^```sh\n(.*?)^```", self.text, re.M | re.S)
        for asked, here in (("/etc/app-release", "release"), ("--cgroup \"/system.slice/$unit\"", "-a"),
                            ("--duration 60s", "--duration 0.2s")):
            self.assertIn(asked, script)
            script = script.replace(asked, here)
        with open(f"{self.folder}/release", "w", encoding="utf-8") as file:
            file.write("2.0\n")
        path = f"{os.path.dirname(FORKTAX)}:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-e", "-c", script], check=False, cwd=self.folder, capture_output=True,
                              env={**os.environ, "PATH": path})
        self.assertEqual((done.returncode, done.stderr), (0, b""), done)
        [row] = self.database().execute("SELECT unit, release, host, exact, forks, copies, seconds FROM runs").fetchall()
        host = subprocess.run(["hostname"], check=True, capture_output=True, text=True).stdout.strip()
        self.assertEqual(row[:3], ("app.service", "2.0", host))
        self.assertTrue(all(value is not None for value in row), row)
        self.assertGreaterEqual(row[6], 0.2)


if __name__ == "__main__":
    FORKTAX = os.path.abspath(sys.argv[1])
    program = unittest.main(argv=[sys.argv[0], *(f"Fleet.test_{name}" for name in sys.argv[2:])], exit=False)
    sys.exit(not program.result.wasSuccessful())
