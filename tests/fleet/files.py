# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all needs:build/viewers
"""files.py FORKTAX [TEST]: the files of docs/use/fleet, by the programs and schemas that they are for."""
import contextlib
import copy
import glob
import json
import re
import shutil
import tempfile
import unittest

from common import FLEET, ROOT, main, program, queries_of_dashboard, queries_of_document, read, run, write

RULES = f"{FLEET}/forktax.rules.yml"
DASHBOARD = f"{FLEET}/forktax-dashboard.json"
DAEMONSET = f"{FLEET}/forktax-daemonset.yaml"
UNIT = f"{FLEET}/forktax-watch.service"
DOCUMENT = f"{ROOT}/docs/use/fleet.md"
METRIC = re.compile(r"\bforktax_[a-z_]+\b")
# Members of the dashboard that Grafana reads and its published model lacks.
BEYOND_THE_MODEL = {"step", "titleFormat", "textFormat", "definition"}


def metrics():
    """The names that the textfile may have, of a histogram those of its parts."""
    rows = re.findall(r'^WATCH_METRIC\("(\w+)", (\w+)', read(f"{ROOT}/user/report/watch/watch_metrics.def"), re.M)
    for name, kind in rows:
        parts = ("_bucket", "_sum", "_count") if kind == "histogram" else ("",)
        yield from (f"forktax_{name}{part}" for part in parts)


class Files(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="forktax-fleet-")
        self.addCleanup(shutil.rmtree, self.scratch)

    def copied(self, *changes):
        """The files in a directory of the test, with changes (file, old, new)."""
        shutil.copytree(FLEET, self.scratch, dirs_exist_ok=True)
        for name, old, new in changes:
            text = read(f"{self.scratch}/{name}")
            self.assertIn(old, text, name)
            write(f"{self.scratch}/{name}", text.replace(old, new))
        return self.scratch

    def assert_said(self, status, *words, saying="", **options):
        result = run(*words, **options)
        self.assertEqual(result.returncode, status, result.stdout)
        self.assertIn(saying, result.stdout)

    # Names

    def test_names(self):
        """What the files ask for is written; and what is written is asked for, or in the document."""
        written = set(metrics())
        asked = {path: set(METRIC.findall(read(path))) - {"forktax_watch"}
                 for path in (RULES, DASHBOARD, DOCUMENT)}
        recorded = set(re.findall(r"record: \w+:(\w+):", read(RULES)))
        for path, names in asked.items():
            unknown = {name for name in names - recorded - written
                       if path != DOCUMENT or f"{name}_bucket" not in written}
            self.assertEqual(unknown, set(), path)
        self.assertEqual({name for name in written if not name.endswith(("_bucket", "_sum", "_count"))}
                         - set().union(*asked.values()), set(), "asked for by nobody")

    # Prometheus

    def test_rules(self):
        promtool = program("promtool")
        self.assert_said(0, promtool, "check", "rules", RULES)
        self.assert_said(0, promtool, "test", "rules", "forktax.rules.test.yml", cwd=FLEET, saying="SUCCESS")

    def test_rules_are_all_tried(self):
        """Without the alerts each of them is missed, by name."""
        promtool = program("promtool")
        rules = read(RULES)
        alert = re.compile(r"^      - alert: (\w+)\n(?:        .*\n|\n(?=        ))*", re.M)
        self.copied(("forktax.rules.yml", rules, re.sub(r"rules:\n(?=\n|\Z)", "rules: []\n", alert.sub("", rules))))
        result = run(promtool, "test", "rules", "forktax.rules.test.yml", cwd=self.scratch)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(set(re.findall(r"alertname: ?(\w+)", result.stdout)), set(alert.findall(rules)), result.stdout)

    def test_no_query_of_an_idle_unit_is_nan(self):
        """All counters stay as they are, and a pool has no memory: no query, and no rule, gives a value that is no number."""
        promtool = program("promtool")
        series = {f'{name}{{instance="a", unit="idle.service", le="{bound}"}}': value
                  for name in metrics() for value in (0 if "pool" in name else 7,)
                  for bound in (("0.01", "+Inf") if name.endswith("_bucket") else ("",))}
        series['release_info{instance="a", unit="idle.service", version="1"}'] = 1
        rules = re.findall(r"record: (\S+)", read(RULES))
        queries = [query for _, query in (*queries_of_dashboard(), *queries_of_document())] + rules
        self.assertGreater(len(queries), 50)
        tests = [{"expr": f"count(({query}) != ({query})) or vector(0)", "eval_time": "2h", "exp_samples": [{"labels": "{}", "value": 0}]}
                 for query in queries]
        self.copied()
        write(f"{self.scratch}/idle.yml", json.dumps({
            "rule_files": ["forktax.rules.yml"], "evaluation_interval": "1m", "tests": [{
                "interval": "10s", "input_series": [{"series": name, "values": f"{value}x720"} for name, value in series.items()],
                "promql_expr_test": tests}]}))
        self.assert_said(0, promtool, "test", "rules", "idle.yml", cwd=self.scratch, saying="SUCCESS")

    def test_scrape_config(self):
        promtool = program("promtool")
        self.copied()
        write(f"{self.scratch}/hosts.json", '[{"targets": ["host-a:9100"]}]')
        self.assert_said(0, promtool, "check", "config", "prometheus.yml", cwd=self.scratch, saying="SUCCESS")
        self.copied(("prometheus.yml", "file_sd_configs", "file_configs"))
        self.assert_said(1, promtool, "check", "config", "prometheus.yml", cwd=self.scratch, saying="file_configs")

    # Grafana

    def test_dashboard(self):
        """Grafana's own model of a dashboard has each member of it, with the same value."""
        from grafana_foundation_sdk.cog.encoder import JSONEncoder
        from grafana_foundation_sdk.models.dashboard import Dashboard
        ours = json.loads(read(DASHBOARD))
        model = json.loads(JSONEncoder().encode(Dashboard.from_json(copy.deepcopy(ours))))
        self.assertEqual(set(self.differences(ours, model, "")), set())
        ours["panels"][1]["title_of_it"] = "x"
        model = json.loads(JSONEncoder().encode(Dashboard.from_json(copy.deepcopy(ours))))
        self.assertEqual(set(self.differences(ours, model, "")), {".panels[1].title_of_it"})

    def differences(self, ours, model, place):
        if isinstance(ours, dict) and isinstance(model, dict):
            for key in ours.keys() - BEYOND_THE_MODEL:
                yield from self.differences(ours[key], model.get(key), f"{place}.{key}")
        elif isinstance(ours, list) and isinstance(model, list) and len(ours) == len(model):
            for i, (one, other) in enumerate(zip(ours, model)):
                yield from self.differences(one, other, f"{place}[{i}]")
        elif ours != model:
            yield place

    def test_dashboard_panels(self):
        """They do not overlap, have a query and a title each, and ask the data source that was chosen."""
        dashboard = json.loads(read(DASHBOARD))
        panels = dashboard["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        self.assertEqual(len({panel["title"] for panel in panels}), len(panels))
        taken = set()
        for panel in panels:
            grid = panel["gridPos"]
            self.assertLessEqual(grid["x"] + grid["w"], 24, panel["title"])
            cells = {(x, y) for x in range(grid["x"], grid["x"] + grid["w"])
                     for y in range(grid["y"], grid["y"] + grid["h"])}
            self.assertEqual(taken & cells, set(), panel["title"])
            taken |= cells
            if panel["type"] != "row":
                self.assertTrue(panel["targets"], panel["title"])
                sources = [panel["datasource"], *(target["datasource"] for target in panel["targets"])]
                self.assertEqual({source["uid"] for source in sources}, {"${datasource}"})
        names = [variable["name"] for variable in dashboard["templating"]["list"]]
        self.assertEqual(names, ["datasource", "host", "unit"])

    # systemd

    # ctest: needs:systemd
    def test_unit(self):
        """systemd has nothing to say about it, but for where forktax is."""
        analyze = program("systemd-analyze")
        words = (analyze, "verify", "--man=no", "--recursive-errors=no", "forktax-watch.service")
        self.copied(("forktax-watch.service", "/usr/bin/forktax", "/bin/true"))
        result = run(*words, cwd=self.scratch)
        said = [line for line in result.stdout.splitlines() if "forktax" in line]
        self.assertEqual((result.returncode, said), (0, []))
        self.copied(("forktax-watch.service", "ProtectSystem=strict", "ProtectSystem=very"))
        self.assertIn("protect system value", run(*words, cwd=self.scratch).stdout)

    # ctest: needs:systemd
    def test_unit_exposure(self):
        """The score is the one that the document states; each right more would raise it."""
        analyze = program("systemd-analyze")

        def score(unit):
            said = run(analyze, "security", "--offline=true", "--no-pager", unit).stdout
            return float(re.search(r"Overall exposure level for forktax-watch.service: (\d+\.\d+)", said)[1])
        stated = re.search(r"exposure level of (\d\.\d)", read(DOCUMENT))
        self.assertIsNotNone(stated, "no score in docs/use/fleet.md")
        self.assertEqual(score(UNIT), float(stated[1]))
        self.copied(("forktax-watch.service", "CapabilityBoundingSet=CAP_BPF CAP_PERFMON\n", ""))
        self.assertGreater(score(f"{self.scratch}/forktax-watch.service"), float(stated[1]))

    # Kubernetes

    def versions(self):
        import kubernetes_validate
        found = glob.glob(f"{kubernetes_validate.__path__[0]}/kubernetes-json-schema/v*-local-strict")
        return sorted({re.search(r"/v(\d+\.\d+)", path)[1] for path in found})

    # ctest: needs:python3-yaml
    def test_daemonset(self):
        """The published schemas of Kubernetes, of each version that there is, take it, and take no other member."""
        import kubernetes_validate
        import yaml
        documents = list(yaml.safe_load_all(read(DAEMONSET)))
        self.assertGreaterEqual(len(self.versions()), 10)
        for version in self.versions():
            for document in documents:
                kubernetes_validate.validate(document, version, strict=True)
        pod = documents[1]["spec"]["template"]["spec"]
        pod["hostPid"] = pod.pop("hostPID")
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(documents[1], self.versions()[-1], strict=True)

    # ctest: needs:python3-yaml
    def test_daemonset_is_consistent(self):
        """What no schema looks at: labels that choose its own pods, volumes that exist, rights as the unit has."""
        import yaml
        daemonset = list(yaml.safe_load_all(read(DAEMONSET)))[1]
        labels = daemonset["spec"]["template"]["metadata"]["labels"]
        self.assertLessEqual(daemonset["spec"]["selector"]["matchLabels"].items(), labels.items())
        pod = daemonset["spec"]["template"]["spec"]
        [container] = pod["containers"]
        self.assertEqual({mount["name"] for mount in container["volumeMounts"]},
                         {volume["name"] for volume in pod["volumes"]})
        textfile = next(word for word in container["args"] if word.startswith("--textfile="))
        self.assertIn(textfile.split("=")[1].rpartition("/")[0],
                      [mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")])
        given = set(re.search(r"^AmbientCapabilities=(.*)$", read(UNIT), re.M)[1].replace("CAP_", "").split())
        self.assertEqual(set(container["securityContext"]["capabilities"]["add"]), given | {"SYS_PTRACE"})
        self.assertIn(f"forktax:{self.version()}", container["image"])

    @staticmethod
    def version():
        return re.search(r"project\(forktax VERSION ([\d.]+)", read(f"{ROOT}/CMakeLists.txt"))[1]


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(Files)
