# SPDX-License-Identifier: GPL-2.0-or-later
"""ELF files that a traced program executes, or that lie beside it: tables that a sparse file claims to have."""
import os
import struct

import elf
from elf import BASE, TABLES
from limits import HostileCase
from support import needs_root

GIB = 1 << 30
STRINGS = b"\0global_variables\0line_number\0running_trap\0PL_current_context\0Py_Version\0shell_function_pid\0"
AT = TABLES + 0x1000


def dynamic(size, *tags, pieces=(), **more):
    """With strings and a symbol table that reaches to the end of the file."""
    return lambda path: elf.write(path, size, (
        (elf.STRTAB, BASE + 0x2800), (elf.STRSZ, len(STRINGS)), (elf.SYMTAB, BASE + 0x3000), *tags),
        pieces=((0x2800, STRINGS), *pieces), **more)


def sectioned(size, *sections, **more):
    return lambda path: elf.write(path, size, sections=elf.section() + b"".join(sections), **more)


# Each makes a file; none takes more of the disk than some pages.
FILES = {
    "a chain of .gnu.hash without end, 1 GiB": dynamic(
        GIB, (elf.GNU_HASH, BASE + 0x2000), pieces=((0x2000, elf.gnu_hash()),)),
    "a chain of .gnu.hash without end, 8 GiB": dynamic(
        8 * GIB, (elf.GNU_HASH, BASE + 0x2000), pieces=((0x2000, elf.gnu_hash()),)),
    "2^31 buckets of .gnu.hash": dynamic(
        9 * GIB, (elf.GNU_HASH, BASE + 0x2000), pieces=((0x2000, elf.gnu_hash(buckets=2**31)),)),
    "a bucket of .gnu.hash with the largest symbol": dynamic(
        8 * GIB, (elf.GNU_HASH, BASE + 0x2000), pieces=((0x2000, elf.gnu_hash(bucket=2**32 - 1)),)),
    "a bloom filter of 2^32 words": dynamic(
        GIB, (elf.GNU_HASH, BASE + 0x2000), pieces=((0x2000, elf.gnu_hash(bloom=2**32 - 1)),)),
    "2^32 symbols in DT_HASH": dynamic(
        8 * GIB, (elf.HASH, BASE + 0x2000), pieces=((0x2000, struct.pack("<II", 1, 2**32 - 1)),)),
    "strings of 8 GiB": lambda path: elf.write(path, 8 * GIB, (
        (elf.STRTAB, BASE + 0x2000), (elf.STRSZ, 7 * GIB), (elf.SYMTAB, BASE + 0x3000))),
    "relocations of 60 MiB": dynamic(GIB, (elf.RELA, BASE + 0x4000), (elf.RELASZ, 60 << 20)),
    "relocations of 8 GiB": dynamic(9 * GIB, (elf.RELA, BASE + 0x4000), (elf.RELASZ, 8 * GIB)),
    "relocations of each kind, 60 MiB": dynamic(
        GIB, (elf.RELA, BASE + 0x4000), (elf.RELASZ, 60 << 20), (elf.REL, BASE + 0x4000), (elf.RELSZ, 60 << 20),
        (elf.RELR, BASE + 0x4000), (elf.RELRSZ, 60 << 20), (elf.JMPREL, BASE + 0x4000), (elf.PLTRELSZ, 60 << 20)),
    "relocations that end behind the last address": dynamic(GIB, (elf.RELA, -8), (elf.RELASZ, 2**63)),
    "2^64 versions that are needed": dynamic(GIB, (elf.VERNEED, BASE + 0x4000), (elf.VERNEEDNUM, -1)),
    "2^64 versions that are defined": dynamic(GIB, (elf.VERDEF, BASE + 0x4000), (elf.VERDEFNUM, -1)),
    "versions in a circle": dynamic(
        GIB, (elf.VERNEED, BASE + 0x4000), (elf.VERNEEDNUM, -1),
        pieces=((0x4000, struct.pack("<HHIII", 1, 65535, 0, 0, 0)),)),
    "a symbol table of 8 GiB": sectioned(
        9 * GIB, elf.section(0, 2, AT, 8 * GIB, 2), elf.section(0, 3, AT, 8 * GIB)),
    "dynamic symbols of 8 GiB": sectioned(
        9 * GIB, elf.section(0, 11, AT, 8 * GIB, 2), elf.section(0, 3, AT, 8 * GIB)),
    "a section of names of 8 GiB": sectioned(9 * GIB, elf.section(0, 3, AT, 8 * GIB), shstrndx=1),
    "65,000 sections": lambda path: elf.write(path, GIB, sections=elf.section(0, 1, AT, GIB, flags=2) * 65000),
    "65,000 symbol tables": lambda path: elf.write(path, GIB, sections=elf.section(0, 2, AT, GIB - AT, 1) * 65000),
    "notes of 8 GiB": lambda path: elf.write(path, 9 * GIB, segments=[(elf.PT_NOTE, AT, 8 * GIB)] * 20),
    "an .eh_frame_hdr of 8 GiB": lambda path: elf.write(
        path, 9 * GIB, segments=[(elf.PT_EH_FRAME, AT, 8 * GIB)],
        pieces=[(AT, b"\x01\x1b\x03\x3b" + struct.pack("<iI", 64, 2**32 - 1))]),
    "an .eh_frame of 8 GiB": lambda path: elf.write(
        path, 9 * GIB, segments=[(elf.PT_EH_FRAME, AT, 4096)],
        pieces=[(AT, b"\x01\x1b\x03\x3b" + struct.pack("<iI", 64, 16))]),
    "debug sections of 8 GiB": lambda path: elf.write(
        path, 9 * GIB, shstrndx=1, pieces=[(AT, b"\0.strs\0.debug_frame\0.debug_info\0.debug_abbrev\0.debug_str\0")],
        sections=b"".join((elf.section(), elf.section(1, 3, AT, 256), elf.section(7, 1, AT, 8 * GIB),
                           elf.section(20, 1, AT, 8 * GIB), elf.section(32, 1, AT, 8 * GIB),
                           elf.section(46, 1, AT, 8 * GIB)))),
    "a debug section that claims to unpack to 8 GiB": lambda path: elf.write(
        path, GIB, shstrndx=1, pieces=[(AT, b"\0.strs\0.debug_frame\0"), (AT + 64, struct.pack("<IIQQ", 1, 0, 8 * GIB, 1))],
        sections=b"".join((elf.section(), elf.section(1, 3, AT, 64),
                           elf.section(7, 1, AT + 64, 1 << 20, flags=0x800)))),
    "a debug link to itself": lambda path: elf.write(
        path, GIB, shstrndx=1, pieces=[(AT, b"\0.strs\0.gnu_debuglink\0"), (AT + 64, b"debug\0\0\0\1\2\3\4")],
        sections=b"".join((elf.section(), elf.section(1, 3, AT, 64), elf.section(7, 1, AT + 64, 12)))),
    "packed symbols of zeros": lambda path: elf.write(
        path, GIB, shstrndx=1, pieces=[(AT, b"\0.strs\0.gnu_debugdata\0")],
        sections=b"".join((elf.section(), elf.section(1, 3, AT, 64), elf.section(7, 1, AT + 64, 16 << 20)))),
    "50 segments of everything": lambda path: elf.write(path, GIB, segments=[(elf.PT_LOAD, 0x1000, 4096)] * 30),
}
# What bindnow and check read further than a run does. explain reads it as they do; its own are symbols and stacks.
BOUND = [name for name in FILES if "relocations" in name or "versions" in name or "hash" in name]


@needs_root
class Elf(HostileCase):
    def each_file(self, *words, files=FILES, **limits):
        for name in files:
            os.chmod(FILES[name]("hostile"), 0o755)
            with self.call(f"{' '.join(words)}: {name}"):
                if os.path.exists("baseline.json"):
                    os.unlink("baseline.json")
                self.limited(*words, "./hostile", statuses=(0, 125, 126, 127, 139), **limits)

    def test_counted(self):
        self.each_file("run", "-k", "--lines", "--json")

    def test_explained(self):
        self.each_file("explain", "--no-try", "-n1", "--traced-runs=1", files=[name for name in FILES if name not in BOUND],
                       resident_mib=200)

    def test_bound(self):
        self.each_file("bindnow", "--traced-runs", "0", "--runs", "1", files=BOUND)

    def test_checked(self):
        self.each_file("check", "-q", "--init", "-n1", "-f", "baseline.json", files=BOUND)

    def test_beside_the_program(self):
        """What a program needs: a library that is not a file, and search paths without end."""
        needs = [f"lib{number}.so".encode() for number in range(800)]
        strings = b"\0/lib64/ld-linux-x86-64.so.2\0" + b"\0".join(needs) + b"\0" + b":".join(
            b"/nowhere/%d" % number for number in range(250)) + b"\0"
        at = {name: strings.index(name) for name in needs}
        path = elf.write("needy", 1 << 20, (
            *((elf.NEEDED, at[name]) for name in needs[:100]), (elf.RUNPATH, strings.index(b"/nowhere")),
            (elf.STRTAB, BASE + 0x4000), (elf.STRSZ, len(strings))), pieces=[(0x4000, strings)])
        os.chmod(path, 0o755)
        for words in (["run"], ["run", "--json"], ["bindnow", "--traced-runs", "1", "--runs", "3"]):
            with self.call(" ".join(words)):
                self.limited(*words, "./needy", statuses=(0, 125, 126, 139))
