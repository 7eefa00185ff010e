# SPDX-License-Identifier: GPL-2.0-or-later
"""Quick measurements with forktax bench, and what they have saved."""
import os
import stat

import support

QUICK = ("--rounds", "3", "--count", "3")


class Bench(support.Case):
    kind = None

    def bench(self, *arguments, **popen):
        return self.forktax("bench", self.kind, *arguments, **popen)

    def measured(self, *arguments, status=0, **popen):
        """The saved bench of a quick measurement, its cells by row and column."""
        result = self.bench(*QUICK, "--json", "-o", "bench.json", *arguments, **popen)
        self.assertEqual(result.status, status, result)
        saved = self.saved("bench.json")
        rows = [row["name"] for row in saved["rows"]]
        columns = [column["name"] for column in saved["columns"]]
        return {(rows[cell["row"]], columns[cell["column"]]): cell for cell in saved["cells"]}

    def script(self, name, text):
        with open(name, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(name, stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
        return os.path.abspath(name)

    def refuses(self, *arguments, words=()):
        result = self.bench(*arguments)
        with self.subTest(arguments):
            self.assert_fails(result, 2, *words)
            self.assertEqual(result.out, b"")
