# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts a result between the marks of a document that is otherwise written by people."""
import os
import re

from command import Failed

BEGIN = "<!-- measured: written by tests/bench/run --update-docs -->"
END = "<!-- end of measured -->"


def update(path, text):
    with open(path) as file:
        document = file.read()
    marked = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.S)
    if not marked.search(document):
        raise Failed(f"{path} has no place for the result ({BEGIN})")
    document = marked.sub(lambda _: f"{BEGIN}\n\n{text}\n\n{END}", document)
    with open(path + ".new", "w") as file:
        file.write(document)
    os.replace(path + ".new", path)
