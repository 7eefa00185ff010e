# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts a result between the marks of a document that is otherwise written by people."""
import os
import re

from command import Failed

END = "<!-- end of measured -->"


def update(path, text, writer="run"):
    """`writer`: the script of tests/bench whose marks they are."""
    begin = f"<!-- measured: written by tests/bench/{writer} --update-docs -->"
    with open(path) as file:
        document = file.read()
    marked = re.compile(f"{re.escape(begin)}.*?{re.escape(END)}", re.S)
    if not marked.search(document):
        raise Failed(f"{path} has no place for the result ({begin})")
    document = marked.sub(lambda _: f"{begin}\n\n{text}\n\n{END}", document)
    with open(path + ".new", "w") as file:
        file.write(document)
    os.replace(path + ".new", path)
