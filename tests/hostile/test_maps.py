# SPDX-License-Identifier: GPL-2.0-or-later
"""/tmp/perf-PID.map, which a traced program, or anybody, puts there: names of code without a file."""
import os

from limits import HostileCase
from support import needs, needs_root

# A program whose child faults in code of its own making: forktax looks for a map of it, which has what {text} writes.
PROGRAM = """
import ctypes, mmap, os
code = mmap.mmap(-1, 1 << 16, flags=0x22, prot=7)  # MAP_PRIVATE
code.write(b"\\xc6\\x07\\x01\\xc3")  # movb $1, (%rdi); ret
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
data = mmap.mmap(-1, 1 << 20, flags=0x22)
place = ctypes.addressof(ctypes.c_char.from_buffer(data))
path = f"/tmp/perf-{{os.getpid()}}.map"
for number in range({processes}):
    child = os.fork()
    if not child:
        path = f"/tmp/perf-{{os.getpid()}}.map"
        {text}
        call(place + 4096 * number)
        os._exit(0)
    os.waitpid(child, 0)
    print(f"/tmp/perf-{{child}}.map", flush=True)
"""
TEXTS = {
    "1 GiB of nothing": "open(path, 'w').truncate(1 << 30)",
    "100 GiB of nothing behind a line": "f = open(path, 'w'); f.write('1000 10 x\\n'); f.truncate(100 << 30)",
    "one line of 64 MiB": "f = open(path, 'w'); f.write('1000 10 '); [f.write('x' * 65536) for _ in range(1024)]",
    "a million short names": "open(path, 'w').writelines(f'{n:x} 1 a\\n' for n in range(1 << 20))",
    "long names": "open(path, 'w').writelines(f'{n:x} 1 ' + 'a' * 4000 + '\\n' for n in range(10000))",
    "pieces in each other": "open(path, 'w').writelines(f'0 {n:x} a\\n' for n in range(1, 100000))",
    "a FIFO": "os.mkfifo(path)",
    "a link to /dev/zero": "os.symlink('/dev/zero', path)",
    "a link to a FIFO": "os.path.exists('fifo') or os.mkfifo('fifo'); os.symlink(os.path.abspath('fifo'), path)",
    "a directory": "os.mkdir(path)",
    "a device": "os.mknod(path, 0o20666, os.makedev(1, 5))",
    "escapes": "open(path, 'wb').write(b'%x 100 \\x1b[31m\\xff\\x9b\\n' % address)",
    "a link to itself": "os.symlink(path, path)",
}


@needs_root
class Maps(HostileCase):
    def each(self, processes, texts, **limits):
        for name, text in texts.items():
            with open("program.py", "w", encoding="utf-8") as file:
                file.write(PROGRAM.format(processes=processes, text=text))
            with self.call(name):
                result = self.limited("run", "-k", "--json", "python3", "program.py", statuses=(0,), **limits)
                with self.subTest("removed"):
                    self.remove(result.out)
        return result

    @staticmethod
    def remove(listed):
        for path in listed.decode().split():
            if os.path.isdir(path):
                os.rmdir(path)
            elif os.path.lexists(path):
                os.unlink(path)

    @needs("python3")
    def test_of_one_process(self):
        self.each(1, TEXTS)

    def test_of_many_processes(self):
        result = self.each(100, {"16 MiB each": "open(path, 'w').truncate(16 << 20)"})
        result = self.each(20, {"names": "open(path, 'w').writelines(f'{n:x} 1 abcdefgh\\n' for n in range(1 << 18))"})
        self.assertIn(b"reads 16 MiB", result.err)
