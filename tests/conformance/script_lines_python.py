# SPDX-License-Identifier: GPL-2.0-or-later
"""script_lines_python.py FORKTAX SAMPLES WITNESS [library]: forks by line of Python programs.

Python itself says where it is when it forks: an audit hook writes down its frames. That is held against the lines of
forktax, for a made program that forks in all ways, and for programs of Python's own library. strace counts the forks.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
from collections import Counter

import balance
from check import Check, skip
from runs import Tools, forks_by_strace

# What the interpreter does before the program: it writes the frames of each call that forks, innermost first.
HOOK = r'''
import os, sys
def note(event, arguments, calls=("os.fork", "os.forkpty", "os.system", "os.posix_spawn", "subprocess.Popen")):
    # What subprocess executes by posix_spawn(3) has an event of its own.
    if event not in calls:
        return
    frame, frames = sys._getframe(1), []
    if event == "os.posix_spawn" and frame.f_code.co_filename.endswith("/subprocess.py"):
        return
    while frame:
        code = frame.f_code
        frames.append("%s\t%d\t%s" % (code.co_filename, frame.f_lineno, getattr(code, "co_qualname", code.co_name)))
        frame = frame.f_back
    file = os.open(os.environ["FRAMES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, ("\t\t".join(frames) + "\n").encode())
    os.close(file)
sys.addaudithook(note)
'''

MODULE = '''
import os, subprocess

class Worker:
    def __init__(self):
        self.run()

    def run(self):
        subprocess.run(["/bin/true"])
        return [os.system("/bin/true") for _ in range(2)]

def nested():
    def inner():
        subprocess.check_output(
            ["/bin/true"],
        )
    inner()

def generate():
    for _ in range(2):
        yield os.spawnv(os.P_WAIT, "/bin/true", ["true"])
'''

PROGRAM = '''
import asyncio, contextlib, functools, multiprocessing, os, subprocess, threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
import module

def child():
    subprocess.run(["/bin/true"])

async def start():
    process = await asyncio.create_subprocess_exec("/bin/true")
    await process.wait()

def recurse(depth):
    if depth:
        return recurse(depth - 1)
    os.system("/bin/true")

if __name__ == "__main__":
    module.Worker()
    [module.Worker() for _ in range(20)]
    module.nested()
    list(module.generate())
    pid = os.fork()
    if not pid:
        child()
        os._exit(0)
    os.waitpid(pid, 0)
    os.popen("/bin/true").read()
    os.waitpid(os.posix_spawn("/bin/true", ["true"], os.environ), 0)
    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join()
    thread = threading.Thread(target=child)
    thread.start()
    thread.join()
    asyncio.run(start())
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: os.system("/bin/true"), range(9)))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        list(pool.map(len, ["a", "bb"]))
    recurse(40)
    eval("os.system('/bin/true')")
    exec(compile("\\n\\nos.system('/bin/true')", "made", "exec"))
    functools.partial(os.system, "/bin/true")()
    with contextlib.suppress(OSError):
        subprocess.Popen("/nonexistent/program")
    long = [
        1,
        subprocess.call("/bin/true"),
        2,
    ]
    for i in range(3): os.system("/bin/true"); os.system("/bin/true")
''' + "    x = 1\n" * 300 + "    os.system('/bin/true')\n" + "\n" * 70000 + "    os.system('/bin/true')\n"


def pythons():
    """The newest of each version that forktax knows, by what they say themselves."""
    names = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13)] + [sys.executable]
    names += glob.glob(os.path.expanduser("~/.pyenv/versions/3.1[123].*/bin/python3"))
    found = {}
    for name in filter(None, names):
        result = subprocess.run([name, "-c", "import sys; print(sys.executable, sys.version_info[:2])"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        if re.search(r"\(3, 1[123]\)$", result.stdout.strip()):
            found[os.path.realpath(result.stdout.split()[0])] = True
    return list(found)


def is_library(file):
    """Of Python itself: what docs/use/scripts.md says."""
    below = re.search(r"/lib(?:64)?/python3\.\d\d/(.*)", file)
    return file.startswith("<frozen ") or (below and not below[1].startswith(("site-packages/", "dist-packages/", "test/")))


def wanted(frames):
    """The innermost frame that is not of the library: (file, line, function) as forktax has them."""
    file, line, function = next((frame for frame in frames if not is_library(frame[0])), frames[0])
    function = None if function == "<module>" else function
    return (None if file.startswith("<") else file, int(line), function)


def expected_of(path):
    expected = Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            expected[wanted([frame.split("\t") for frame in line.rstrip("\n").split("\t\t")])] += 1
    return expected


def forks_of_python(run, python):
    exes = [exe["path"] for exe in run.saved["exes"]]
    forks = Counter()
    for row in run.saved["lines"]["rows"]:
        if row["parent_exe"] is not None and os.path.realpath(exes[row["parent_exe"]] or "") == python:
            forks[(row["file"], row["line"], row["function"]) if row["source"] != "unknown" else None] += row["children"]
    return forks


def trace(tools, python, arguments):
    """A run of forktax, and the forks by line that Python itself noted meanwhile."""
    frames = tools.path("frames")
    if os.path.exists(frames):
        os.remove(frames)
    os.makedirs(tools.path("hook"), exist_ok=True)
    with open(tools.path("hook/sitecustomize.py"), "w", encoding="utf-8") as file:
        file.write(HOOK)
    command = ["env", f"PYTHONPATH={tools.path('hook')}", f"FRAMES={frames}", python, "-B", *arguments]
    _, run = tools.trace(command, "--lines")
    return run, expected_of(frames)


def check_program(check, tools, python, arguments):
    run, expected = trace(tools, python, arguments)
    balance.check_balance(check, run)
    check.equal_counts("forks by line", forks_of_python(run, python), expected)
    return run


def texts_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file.read().split("\n")]


def check_texts(check, run):
    rows = [row for row in run.saved["lines"]["rows"] if row["file"] and row["file"].startswith("/")]
    texts = {path: texts_of(path) for path in {row["file"] for row in rows}}
    check.equal("texts of lines", {(row["file"], row["line"]): row["text"] for row in rows},
                {(row["file"], row["line"]): texts[row["file"]][row["line"] - 1] for row in rows})


def check_made(check, tools, python):
    for name, text in (("module.py", MODULE), ("program.py", PROGRAM)):
        with open(tools.path(name), "w", encoding="utf-8") as file:
            file.write(text)
    run = check_program(check, tools, python, [tools.path("program.py")])
    check_texts(check, run)
    check.equal("forks, by strace", run.saved["totals"]["forks"],
                forks_by_strace(["env", python, "-B", tools.path("program.py")], tools.path("forks.log")))
    check.equal("languages", {row["language"] for row in run.saved["lines"]["rows"] if row["source"] != "unknown"}, {"python"})
    # What is compiled already is only asked for its times.
    subprocess.run([python, "-m", "compileall", "-q", tools.path("module.py")], check=True)
    check_texts(check, check_program(check, tools, python, [tools.path("program.py")]))


def check_library(check, tools, python, tests):
    """
    Python's own tests of what creates processes, where they are installed. Some calls fail before they fork, so a line
    may have fewer forks than calls, but no others.
    """
    for test in tests:
        if subprocess.run([python, "-c", f"import test.{test}"], stderr=subprocess.DEVNULL, check=False).returncode:
            continue
        check.context = f"{python} {test}"
        run, expected = trace(tools, python, ["-m", "unittest", "-q", f"test.{test}"])
        found = forks_of_python(run, python)
        in_files = Counter({key: count for key, count in found.items() if key is None or key[0]})
        check.equal("forks of other lines", dict(in_files - expected), {})
        check.equal("lines that fork", sum(in_files.values()) > 0, True)


def check_unknown(check, tools, python):
    """A name that is not ASCII, and a program with several interpreters: the line is not known."""
    check.context = f"{python}, unknown"
    path = tools.path("pr\u00f6gram.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write("import os\nos.system('/bin/true')\n")
    _, run = tools.trace([python, path], "--lines")
    check.equal("a name that is not ASCII", dict(forks_of_python(run, python)), {None: 1})


def main():
    tools = Tools(*sys.argv[1:4])
    found = pythons()
    if not found:
        skip("no Python from 3.11 to 3.13 is installed")
    check = Check()
    for python in found:
        check.context = python
        if len(sys.argv) > 4:
            newest = max(found, key=lambda path: path.rpartition("python")[2])
            long = ["test_subprocess"] if python == newest else []
            check_library(check, tools, python, ["test_popen", "test_platform", "test_posix", *long])
        else:
            check_made(check, tools, python)
            check_unknown(check, tools, python)
    check.finish()


main()
