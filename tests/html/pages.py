# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all needs:chromium
"""pages.py FORKTAX [TEST]: HTML reports as a browser shows them, of all files in tests/golden."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    from playwright.sync_api import sync_playwright
except ImportError as error:
    print(f"skipped: {error} (tests/run installs it)")
    sys.exit(77)

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")
CHROMIUM = shutil.which("chromium")
FORKTAX = None
WIDTHS = (1280, 768, 375)

# All texts of a page's tables, as a list of [title, headers, rows].
TABLES = """() => [...document.querySelectorAll("table")].map(table => [
    table.closest("section").querySelector("h2")?.textContent,
    [...table.tHead.rows[0].cells].map(cell => cell.textContent),
    [...table.tBodies].map(body => [...body.rows].map(
        row => [...row.cells].map(cell => cell.textContent)))])"""


def number(text):
    found = re.match(r"-?[0-9.]+", text)
    return float(found.group()) if found else 0


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(prefix="forktax-html-")
        cls.files = {}
        for path in sorted(glob.glob(GOLDEN + "/**/*.json", recursive=True)):
            name = os.path.relpath(path, GOLDEN).replace("/", "-")[:-5]
            page = f"{cls.scratch}/{name}.html"
            made = subprocess.run([FORKTAX, "report", "--html", "-o", page, path], check=False,
                                  capture_output=True)
            if not made.returncode:
                cls.files[name] = (path, page)
        cls.different = cls.with_something_new()
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def with_something_new(cls):
        """The files whose pages have a section, a column or a kind of mark that no other has; and one of hostile names."""
        parts, seen, names = {}, set(), ["hostile"]
        for name, (_, page) in cls.files.items():
            with open(page, encoding="utf-8") as file:
                text = file.read()
            parts[name] = set(re.findall(r"<h2[^>]*>([^<:(]*)|<th[^>]*>([^<]*)|<rect class=\"(mark[^\"]*)", text))
        for name in sorted(parts, key=lambda name: -len(parts[name])):
            if parts[name] - seen:
                names.append(name)
                seen |= parts[name]
        return names

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        shutil.rmtree(cls.scratch)

    def open(self, name, **context):
        """The page in a window of its own; whatever the browser has to say against it is an error."""
        window = self.browser.new_context(**context)
        self.addCleanup(window.close)
        page = window.new_page()
        page.said, page.asked, page.refused = [], [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("dialog", lambda dialog: (page.said.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("requestfailed", lambda request: page.refused.append(request.url)
                if request.failure == "csp" else None)
        page.goto(f"file://{self.files[name][1]}")
        return page

    def each(self, *names, **context):
        """(name, page) of these files, or of all that differ, one after the other; what fails then says which it was."""
        for self.name in names or self.different:
            page = self.open(self.name, **context)
            yield self.name, page
            page.context.close()
        self.name = None

    name = None

    def _formatMessage(self, msg, standardMsg):
        return super()._formatMessage(f"{self.name}: {msg}" if self.name else msg, standardMsg)

    def saved(self, name):
        with open(self.files[name][0], encoding="utf-8") as file:
            return json.load(file)

    def test_loads_nothing_and_says_nothing(self):
        self.assertGreater(len(self.files), 20)
        for name, page in self.each():
            page.mouse.wheel(0, 2000)
            page.keyboard.press("Tab")
            self.assertEqual(page.said, [])
            self.assertEqual(page.asked, [f"file://{self.files[name][1]}"])

    def test_policy_stops_what_is_not_ours(self):
        page = self.open("true")
        page.evaluate("""() => {
            const script = document.createElement("script");
            script.textContent = "window.intruder = 1";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend",
                "<img src='http://127.0.0.1:9/x.png' onerror='window.intruder = 2'>"
                + "<p id='styled' style='color: red'>x</p>");
        }""")
        page.wait_for_timeout(200)
        self.assertIsNone(page.evaluate("window.intruder ?? null"))
        self.assertEqual(page.refused, page.asked[1:])
        self.assertNotEqual(page.evaluate("getComputedStyle(styled).color"), "rgb(255, 0, 0)")

    def test_totals_of_the_file_are_there(self):
        for name, page in self.each():
            saved = self.saved(name)
            if not saved["schema"].startswith("forktax/") or not isinstance(saved.get("totals"), dict):
                continue
            if name == "moved": # a comparison of that run
                continue
            texts = page.evaluate(TABLES)
            cells = {cell for _, _, bodies in texts for body in bodies for row in body for cell in row}
            text = page.inner_text("main")
            totals = saved["totals"]
            for key in ("forks", "execs", "threads"):
                if (totals.get(key) or 0) > 1:
                    self.assertRegex(text, rf"\b{totals[key]} {key}")
            if "(system calls" not in text and totals.get("syscalls") and "System calls" in text:
                self.assertIn(str(totals["syscalls"]), cells)
            faults = totals.get("faults") or {}
            if "Page faults" in text:
                for key in ("total", "cow_copy", "file_cow", "zero_fill", "file_map", "major"):
                    if faults.get(key):
                        self.assertIn(str(faults[key]), cells, key)

    def test_every_call_has_its_row(self):
        for name in ("true", "forks", "busy", "tree"):
            page, saved = self.open(name), self.saved(name)
            for title, headers, bodies in page.evaluate(TABLES):
                if title != "System calls":
                    continue
                calls, call = headers.index("calls"), headers.index("syscall")
                rows = {row[call]: int(row[calls]) for row in bodies[0]}
                wanted = {}
                for row in saved["syscalls"]:
                    called = row["name"] if row["abi"] == "x86_64" else f"{row['name']} ({row['abi']})"
                    wanted[called] = wanted.get(called, 0) + row["calls"]
                self.assertEqual(rows, wanted)
                self.assertEqual(int(bodies[1][0][calls]), sum(rows.values()))
                self.assertEqual(sum(rows.values()), saved["totals"]["syscalls"])

    def test_flame_frames_sum_to_the_one_above(self):
        page, rows = self.open("anatomy"), self.saved("anatomy")["anatomy"]
        flames = page.evaluate("""() => [...document.querySelectorAll("svg.flame")].map(svg =>
            [svg.getAttribute("aria-label"), [...svg.querySelectorAll(".mark")].map(mark => {
                const box = mark.querySelector("rect");
                return [mark.querySelector("title").textContent, box.x.baseVal.value,
                        box.y.baseVal.value, box.width.baseVal.value]; })])""")
        self.assertTrue(flames)
        for label, frames in flames:
            root = frames[0]
            if label.endswith("faults"):
                self.assertEqual(number(root[0].split("\n")[1]), sum(row["faults"] for row in rows))
            if label.endswith("copies"):
                self.assertEqual(number(root[0].split("\n")[1]), sum(
                    row["faults"] for row in rows if row["class"] in ("cow_copy", "file_cow")))
            second = [frame for frame in frames if frame[2] == frames[1][2]]
            self.assertAlmostEqual(sum(frame[3] for frame in second), root[3], delta=5 + len(second))
            levels = {}
            for _, x, y, width in frames:
                levels.setdefault(y, []).append((x, x + width))
            for level in levels.values():  # side by side
                for (_, end), (begin, _) in zip(sorted(level), sorted(level)[1:]):
                    self.assertLessEqual(end, begin + 0.2)
            for text, x, y, width in frames[1:]:  # inside the one above
                self.assertTrue(any(above[2] < y and above[1] <= x + 0.2 and
                                    x + width <= above[1] + above[3] + 0.2 for above in frames), text)
                share = number(text.rsplit(", ", 1)[1])
                self.assertAlmostEqual(width / root[3] * 100, share, delta=0.06)

    # Marks of the first picture in the section of that title: [class, hint, x, width], by lines.
    MARKS = """title => { const section = [...document.querySelectorAll("section")].find(section =>
            section.querySelector("h2")?.textContent.startsWith(title));
        if (!section) return null;
        return { lines: Object.values(Object.groupBy([...section.querySelector("svg[tabindex]")
                    .querySelectorAll("rect.mark")].map(mark => [mark.getAttribute("class"), mark.textContent,
                        mark.x.baseVal.value, mark.width.baseVal.value, mark.y.baseVal.value]),
                    mark => mark[4])),
                 texts: [...section.querySelectorAll("svg[tabindex] text")].map(text => text.textContent),
                 table: [...section.querySelectorAll("tbody tr")].map(row =>
                     [...row.cells].map(cell => cell.textContent)) }; }"""

    def test_workers_are_whole(self):
        for name, page in self.each("workers-pool", "workers-user"):
            saved, found = self.saved(name), page.evaluate(self.MARKS, "Which memory")
            members = [saved["master"], *saved["workers"]]
            self.assertEqual(len(found["lines"]), len(members))
            scale = None
            for member, marks in zip(members, found["lines"]):
                drawn = sum(int(re.search(r"(\d+) pages", hint).group(1)) for _, hint, *_ in marks)
                self.assertEqual(drawn, member["shared_pages"] + member["private_pages"]
                                 + member["unknown_pages"])
                for before, after in zip(marks, marks[1:]):  # without a gap
                    self.assertAlmostEqual(before[2] + before[3], after[2], delta=1.2)
                width = marks[-1][2] + marks[-1][3] - marks[0][2]
                scale = scale or width / drawn
                self.assertAlmostEqual(width, drawn * scale, delta=2)

    def test_clock_of_a_fork(self):
        page, cost = self.open("anatomy"), self.saved("anatomy")["fork_cost"][0]
        marks = sum(page.evaluate(self.MARKS, "One fork on the clock")["lines"], [])
        parts = {hint.split(": ")[1] if hint.count(": ") > 1 else hint: (x, width)
                 for _, hint, x, width, _ in marks if " by " not in hint}
        wanted = {key: ns / cost["typical"] / 1000 for key, ns in cost["part_ns"].items() if ns}
        self.assertEqual(len(parts), len(wanted))
        scale = sum(width for _, width in parts.values()) / sum(wanted.values())
        ends = sorted(parts.values())
        for (x, width), us in zip(ends, [wanted[key] for key in ("copy", "start", "run", "exit", "reap")]):
            self.assertAlmostEqual(width, us * scale, delta=0.2)
        for (x, width), (after, _) in zip(ends, ends[1:]):
            self.assertAlmostEqual(x + width, after, delta=0.2)
        faults = [hint for _, hint, *_ in marks if " by " in hint]
        self.assertTrue(faults)
        rows = [row for row in self.saved("anatomy")["anatomy"] if row["group"] == 0 and row["phase"] != "parent"]
        drawn = sum(1 + int((re.search(r"and (\d+) more", hint) or [0, 0])[1]) for hint in faults)
        late = re.search(r"(\d+) more (is|are) only", page.inner_text("main"))
        self.assertEqual(drawn + (int(late.group(1)) if late else 0), len(rows))

    def test_comparison_says_what_shows_no_difference(self):
        page = self.open("compare-three")
        text = page.evaluate("""() => [...document.querySelectorAll("svg[aria-label^='Wall time']")].map(svg =>
            [[...svg.querySelectorAll("rect")].map(bar => bar.getAttribute("class")),
             [...svg.querySelectorAll("text")].map(text => text.textContent)])""")
        self.assertTrue(text)
        for classes, texts in text:
            for one, said in zip(classes, texts[1::2]):
                self.assertEqual("hatched" in one, "no difference" in said or "too few" in said, said)

    def test_no_difference_is_hatched(self):
        saved = self.saved("compare-three")
        saved["columns"][1]["samples_ns"] = [1100000, 1000000, 1200000, 1050000, 1200000, 1000000]
        made = f"{self.scratch}/same.json", f"{self.scratch}/same.html"
        with open(made[0], "w", encoding="utf-8") as file:
            json.dump(saved, file)
        subprocess.run([FORKTAX, "report", "--html", "-o", made[1], made[0]], check=True)
        self.files["same"] = made
        self.addCleanup(self.files.pop, "same")
        found = self.open("same").evaluate(self.MARKS, "Wall time")
        self.assertEqual([marks[0][0] for marks in found["lines"]], ["mark c4", "mark hatched"])
        self.assertIn("no difference shown", found["texts"][3])

    def test_no_width_overflows(self):
        for name, page in self.each():
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width, name)

    def test_same_without_script(self):
        for name, plain in self.each(java_script_enabled=False):
            with self.subTest(name):
                full = self.open(name)
                self.assertEqual(plain.locator("table").count(), full.locator("table").count())
                self.assertEqual(plain.locator("td").all_inner_texts(),
                                 full.locator("td").all_inner_texts())
                # Nothing waits for a script to appear.
                for svg in plain.locator("figure svg").all()[:3]:
                    self.assertTrue(svg.is_visible() or "flame" in (svg.get_attribute("class") or ""))
                self.assertEqual(plain.locator(".bar").count(), 0)
                full.context.close()

    def test_choice_of_units_without_script(self):
        page = self.open("anatomy", java_script_enabled=False)
        flames = page.locator("svg.flame")
        self.assertTrue(flames.nth(0).is_visible())
        self.assertFalse(flames.nth(1).is_visible())
        page.locator(".choice > label").nth(1).click()
        self.assertFalse(flames.nth(0).is_visible())
        self.assertTrue(flames.nth(1).is_visible())

    def test_dark(self):
        for scheme, dark in (("light", False), ("dark", True)):
            page = self.open("anatomy", color_scheme=scheme)
            def luminance(what):
                colour = page.evaluate(f"getComputedStyle(document.querySelector('{what[0]}')).{what[1]}")
                parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
                parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
            paper, ink = luminance(("body", "backgroundColor")), luminance(("body", "color"))
            self.assertEqual(paper < ink, dark)
            for what in (("body", "color"), ("figcaption", "color"), ("h1", "color"), ("a", "color"),
                         ("figure svg text", "fill")):
                light, deep = sorted((luminance(what), paper), reverse=True)
                self.assertGreaterEqual((light + 0.05) / (deep + 0.05), 4.5, (scheme, what))

    def test_print(self):
        page = self.open("anatomy", color_scheme="dark")
        page.emulate_media(media="print")
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")
        self.assertFalse(page.locator(".bar").is_visible())
        self.assertTrue(page.pdf().startswith(b"%PDF"))

    def test_keyboard_alone(self):
        page = self.open("anatomy")
        page.keyboard.press("/")
        self.assertEqual(page.evaluate("document.activeElement.type"), "search")
        seen = set()
        for _ in range(400):
            page.keyboard.press("Tab")
            seen.add(page.evaluate("document.activeElement.localName"))
        self.assertLessEqual({"summary", "button", "svg", "input"}, seen)

    def test_keyboard_walks_marks(self):
        page = self.open("anatomy")
        picture = page.locator("figure svg[tabindex]").first
        picture.focus()
        hints = []
        for _ in range(3):
            page.keyboard.press("ArrowRight")
            hints.append(page.locator(".tip").inner_text())
        self.assertEqual(len(set(hints)), 3, hints)
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.locator(".tip").inner_text(), hints[1])
        page.keyboard.press("Escape")
        self.assertFalse(page.locator(".tip").is_visible())

    def test_pointing_at_a_mark(self):
        page = self.open("anatomy")
        mark = page.locator("svg .mark").first
        mark.hover()
        self.assertTrue(page.locator(".tip").is_visible())
        self.assertIn("us", page.locator(".tip").inner_text())

    def test_sorting(self):
        page = self.open("forks")
        table = page.locator("table").first
        def column(index):
            return [row.locator("td").nth(index).inner_text() for row in table.locator("tbody").first.locator("tr").all()]
        headers = table.locator("th").all_inner_texts()
        calls, name = headers.index("calls"), headers.index("syscall")
        total = table.locator("tbody").last.inner_text()
        table.locator("th").nth(name).get_by_role("button").press("Enter")
        self.assertEqual(column(name), sorted(column(name)))
        self.assertEqual(table.locator("th").nth(name).get_attribute("aria-sort"), "ascending")
        table.locator("th").nth(calls).get_by_role("button").click()
        numbers = [int(text) for text in column(calls)]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertIsNone(table.locator("th").nth(name).get_attribute("aria-sort"))
        table.locator("th").nth(calls).get_by_role("button").click()
        self.assertEqual([int(text) for text in column(calls)], numbers[::-1])
        self.assertEqual(table.locator("tbody").last.inner_text(), total)

    def test_stacks_cannot_be_sorted(self):
        """Their frames would be torn apart."""
        page = self.open("stacks")
        table = page.locator("table.ordered").first
        self.assertIn("call stack", table.locator("th").all_inner_texts())
        self.assertEqual(table.get_by_role("button").count(), 0)
        self.assertGreater(page.locator("table:not(.ordered) th button").count(), 0)

    def test_searching(self):
        page = self.open("forks")
        rows = page.locator("tbody tr")
        before = rows.count()
        page.get_by_role("searchbox").fill("mmap")
        shown = [row.inner_text() for row in rows.all() if row.is_visible()]
        self.assertTrue(shown)
        self.assertLess(len(shown), before)
        self.assertTrue(all("mmap" in text for text in shown), shown)
        self.assertIn(f"{len(shown)} rows", page.locator(".bar output").inner_text())
        page.get_by_role("searchbox").fill("")
        self.assertTrue(all(row.is_visible() for row in rows.all()))

    def test_folding(self):
        page = self.open("forks")
        self.assertTrue(page.locator("table").first.is_visible())
        page.get_by_role("button", name="Fold all").click()
        self.assertFalse(page.locator("table").first.is_visible())
        page.get_by_role("button", name="Unfold all").click()
        self.assertTrue(page.locator("table").first.is_visible())

    def test_zooming(self):
        page = self.open("anatomy")
        flame = page.locator("svg.flame").first
        frames = flame.locator(".mark")
        widths = "frames => frames.map(frame => [frame.style.display, +frame.querySelector('rect').getAttribute('width')])"
        before = frames.evaluate_all(widths)
        frames.nth(2).click()
        after = frames.evaluate_all(widths)
        self.assertNotEqual(before[2][1], after[2][1])
        self.assertAlmostEqual(after[2][1], before[0][1], delta=1)
        self.assertIn("none", [display for display, _ in after])
        frames.first.click()
        for (_, width), (_, first) in zip(frames.evaluate_all(widths), before):
            self.assertAlmostEqual(width, first, delta=0.01)

    def test_contents_lead_to_sections(self):
        for _, page in self.each("forks", "anatomy"):
            links = page.locator("nav a")
            titles = [text.strip() for text in page.locator("h2").all_inner_texts()]
            self.assertEqual([text.strip() for text in links.all_inner_texts()], titles)
            self.assertTrue(all(page.locator(link.get_attribute("href")).count() == 1 for link in links.all()))

    # Headings of all sections in order, with the table of contents as "Contents".
    ORDER = """() => [...document.querySelectorAll("main > section, main > nav")].map(
        part => part.localName === "nav" ? "Contents" : part.querySelector("h2")?.textContent ?? "")"""

    def test_begins_with_the_answer(self):
        """A sentence, the picture of it, advice; then contents and the rest."""
        for name, picture, advice in (
                ("anatomy", "One fork on the clock", "Advice"), ("start", "Phases of the start", "Advice"),
                ("workers-pool", "Which memory is still shared", "Advice"),
                ("compare-three", "Wall time", None)):
            page = self.open(name)
            self.name, order = name, page.evaluate(self.ORDER)
            contents = order.index("Contents")
            self.assertEqual(order[0], "")
            self.assertTrue(order[1].startswith(picture), order)
            self.assertEqual([title.split(":")[0] for title in order[2:contents]], [advice] if advice else [],
                             order)
            self.assertLess(contents, len(order) - 1)
            self.assertLess(page.locator("figure").first.bounding_box()["y"], 500)
            self.assertTrue(page.locator("section.first").inner_text().strip())

    def test_points_to_no_options_for_the_rest(self):
        """Whatever a screen leaves out stands in the page."""
        for name, page in self.each():
            found = re.findall(r"--(?:json|csv|all|all-groups|files=all|start-calls)\b", page.text_content("main"))
            self.assertEqual(found, [], name)
            if not name.startswith("doctor"):  # whose commands are to be copied
                bars = page.locator("main pre").all_inner_texts()  # where the time of a fork goes
                self.assertFalse([text for text in bars if " % " not in text], name)

    def test_long_tables_are_folded(self):
        for script in (True, False):
            page = self.open("start", java_script_enabled=script)
            long = page.locator(".long").first
            rows = long.locator("tbody").first.locator("tr")
            hidden = rows.count() - 20
            self.assertGreater(hidden, 10)
            self.assertEqual([row.is_visible() for row in rows.all()], [True] * 20 + [False] * hidden)
            self.assertEqual(long.locator("summary").inner_text(), f"{hidden} more rows")
            summary, table = long.locator("summary").bounding_box(), long.locator("table").bounding_box()
            self.assertGreaterEqual(summary["y"], table["y"] + table["height"] - 1)
            long.locator("summary").click()
            self.assertTrue(all(row.is_visible() for row in rows.all()))

    def test_options_are_not_broken(self):
        page = self.open("anatomy", viewport={"width": 700, "height": 800})
        words = page.locator("td .whole")
        self.assertIn("-Wl,-z,now,", words.all_inner_texts())
        for word in words.all():
            self.assertLessEqual(word.evaluate("word => word.getClientRects().length"), 1)

    def test_folded_rows_are_found_and_printed(self):
        page = self.open("start")
        last = page.locator(".long tbody tr").nth(24)
        self.assertFalse(last.is_visible())
        page.get_by_role("searchbox").fill(last.locator("td").last.text_content())
        self.assertTrue(last.is_visible())
        page.get_by_role("searchbox").fill("")
        self.assertFalse(last.is_visible())
        page.emulate_media(media="print")
        self.assertTrue(last.is_visible())

    def test_every_row_of_a_fault_is_there(self):
        page, saved = self.open("stacks"), self.saved("stacks")
        rows = [row for row in saved["anatomy"] if row["group"] == 0 and row["phase"] == "child"]
        found = [bodies for title, _, bodies in page.evaluate(TABLES) if title.startswith("Faults in the child")]
        self.assertEqual(len(found[0][0]), len(rows))

    def test_advice_by_what_it_saves(self):
        saved = self.saved("anatomy")
        def advice(rule, ns, low, high):
            figures = {"faults": None, "ns": ns and {"value": ns, "low": low, "high": high}}
            return dict(saved["advice"][0], rule=rule, measured=figures)
        saved["advice"] = [advice("A1", None, 0, 0), advice("A2", 5000, 4000, 6000),
                           advice("A3", -7000, -9000, 8000), advice("A4", 90000, 80000, 95000)]
        made = f"{self.scratch}/advice.json", f"{self.scratch}/advice.html"
        with open(made[0], "w", encoding="utf-8") as file:
            json.dump(saved, file)
        subprocess.run([FORKTAX, "report", "--html", "-o", made[1], made[0]], check=True)
        self.files["advice"] = made
        self.addCleanup(self.files.pop, "advice")
        page = self.open("advice")
        tables = [(headers, bodies[0]) for title, headers, bodies in page.evaluate(TABLES)
                  if title.startswith("Advice")]
        self.assertEqual(len(tables), 2)
        for headers, rows in tables:
            self.assertEqual([row[headers.index("rule")] for row in rows], ["A4", "A1", "A2", "A3"])
        self.assertRegex(page.inner_text("main"), r"Tried, no saving of time shown: A3\b")

    def test_phases_of_a_start_sum_to_it(self):
        page, start = self.open("start"), self.saved("start")["start"]
        bars, clock = page.evaluate("""() => [...document.querySelectorAll("section")].find(section =>
            section.querySelector("h2")?.textContent === "Phases of the start").querySelectorAll("svg[tabindex]")
            .values().map(svg => [...svg.querySelectorAll("rect.mark")].map(mark => [mark.textContent,
                mark.x.baseVal.value, mark.width.baseVal.value, mark.y.baseVal.value])).toArray()""")
        wanted = [phase["ns"] for phase in start["phases"].values() if phase["ns"] is not None]
        self.assertEqual(len(bars), len(wanted))
        scale = sum(bar[2] for bar in bars) / sum(wanted)
        for (_, x, width, _), ns in zip(bars, wanted):
            self.assertAlmostEqual(width, ns * scale, delta=1)
        for before, after in zip(bars, bars[1:]):
            self.assertAlmostEqual(before[1] + before[2], after[1], delta=1.1)
        spans = [mark for mark in clock if mark[3] == clock[0][3]]
        calls = [mark for mark in clock if mark[3] != clock[0][3]]
        counts = [1 + int((re.search(r"and (\d+) more$", mark[0]) or [0, 0])[1]) for mark in calls]
        self.assertEqual(sum(counts), len(start["calls"]))
        self.assertGreater(len(calls), 20)
        scale, first = (spans[-1][1] + spans[-1][2] - spans[0][1]) / sum(wanted), 0
        for mark, count in zip(calls, counts):  # each is where its calls are
            begin, last = start["calls"][first], start["calls"][first + count - 1]
            self.assertAlmostEqual(mark[1] - spans[0][1], begin["begin_ns"] * scale, delta=1)
            self.assertGreaterEqual(mark[1] + mark[2] - spans[0][1], last["begin_ns"] * scale - 1)
            self.assertTrue(mark[0].startswith(begin["name"]), mark[0])
            first += count
        for before, after in zip(spans, spans[1:]):
            self.assertAlmostEqual(before[1] + before[2], after[1], delta=1.1)

    def test_what_calls_are_for_is_a_table(self):
        page, start = self.open("start"), self.saved("start")["start"]
        [(headers, bodies)] = [(headers, bodies) for title, headers, bodies in page.evaluate(TABLES)
                               if title == "Calls of the start"]
        rows = [row for rows in bodies for row in rows]
        self.assertEqual([row[headers.index("call")].split("(")[0] for row in rows],
                         [call["name"] for call in start["calls"]])
        self.assertTrue(all(row[headers.index("for")] for row in rows))

    def test_marks_tell_what_they_are(self):
        for _, page in self.each(java_script_enabled=False):
            marks = page.locator("svg .mark")
            self.assertEqual(marks.count(), page.locator("svg .mark > title").count())


def main():
    global FORKTAX
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not CHROMIUM:
        print("skipped: no chromium (tests/run installs it)")
        sys.exit(77)
    FORKTAX = os.path.abspath(sys.argv[1])
    names = [f"Pages.test_{name}" for name in sys.argv[2:]] or ["Pages"]
    tests = unittest.defaultTestLoader.loadTestsFromNames(names, sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    sys.exit(not result.wasSuccessful())


main()
