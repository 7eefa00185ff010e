#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""web.py reads|collects PORT: gunicorn with three workers that share 60,000 records.

The first application only reads half of the records. The second keeps a session for each request,
too, so that the collector runs now and then, over all objects.
"""
import os
import sys

records = [{"name": str(number), "tags": [number]} for number in range(60000)]
sessions = []


def reads(_environ, start):
    total = sum(len(record["name"]) for record in records[:30000])
    start("200 OK", [])
    return [b"%d" % total]


def collects(_environ, start):
    sessions.append([{"tags": [number]} for number in range(2000)])
    start("200 OK", [])
    return [b"%d" % len(sessions)]


if __name__ == "__main__":
    application, port = sys.argv[1:]
    os.execvp("gunicorn", ["gunicorn", "--preload", "-w", "3", "-b", f"127.0.0.1:{port}", "--chdir",
                           os.path.dirname(os.path.realpath(__file__)), f"web:{application}"])
