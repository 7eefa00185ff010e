# SPDX-License-Identifier: GPL-2.0-or-later
"""Small ELF programs for x86-64 that fork once and exit, and claim whatever a test wants."""
import struct

BASE, HEADERS, CODE, DYNAMIC, TABLES = 0x400000, 0x40, 0x800, 0xa00, 0x1000
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_NOTE, PT_TLS = 1, 2, 3, 4, 7
PT_EH_FRAME, PT_RELRO = 0x6474e550, 0x6474e552
# fork(); write to the stack, which copies a page in the child; wait4(-1, 0, 0, 0); exit_group(0)
CODE_BYTES = (b"\xb8\x39\x00\x00\x00\x0f\x05" b"\x50" b"\xb8\x3d\x00\x00\x00\xbf\xff\xff\xff\xff\x31\xf6\x31\xd2\x45\x31\xd2"
              b"\x0f\x05" b"\x31\xff\xb8\xe7\x00\x00\x00\x0f\x05")
NEEDED, PLTRELSZ, HASH, STRTAB, SYMTAB, RELA, RELASZ, STRSZ, SONAME, RPATH, REL, RELSZ = 1, 2, 4, 5, 6, 7, 8, 10, 14, 15, 17, 18
PLTREL, JMPREL, RUNPATH, RELRSZ, RELR, GNU_HASH, VERSYM = 20, 23, 29, 35, 36, 0x6ffffef5, 0x6ffffff0
VERDEF, VERDEFNUM, VERNEED, VERNEEDNUM = 0x6ffffffc, 0x6ffffffd, 0x6ffffffe, 0x6fffffff


def section(name=0, kind=0, offset=0, size=0, link=0, flags=0, address=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, address, offset, size, link, 0, 1, 0)


def write(path, size, tags=(), segments=(), sections=b"", pieces=(), shstrndx=0, header=()):
    """An executable of `size` bytes, most of them sparse, of which one segment has all: addresses are offsets from BASE.
    tags: (tag, value); segments: (type, offset, size); pieces: (offset, bytes)."""
    loads = [(PT_LOAD, 0, size), *([(PT_DYNAMIC, DYNAMIC, 16 * (len(tags) + 1))] if tags else []), *segments]
    count = len(sections) // 64
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 2, 62, 1, BASE + CODE, HEADERS,
                       TABLES if count else 0, 0, 64, 56, len(loads), 64, count, shstrndx)
    with open(path, "wb") as file:
        file.truncate(size)
        file.write(head)
        for kind, offset, length in loads:
            file.write(struct.pack("<IIQQQQQQ", kind, 5 if kind == PT_LOAD else 4, offset, BASE + offset, BASE + offset,
                                   length, length, 0x1000))
        for offset, content in (
                (CODE, CODE_BYTES), (DYNAMIC, b"".join(struct.pack("<qQ", tag, value % 2**64) for tag, value in (*tags, (0, 0)))),
                (TABLES, sections), *header, *pieces):
            file.seek(offset)
            file.write(content)
    return path


def gnu_hash(buckets=1, first=1, bloom=1, bucket=1):
    """The head of a hash table, whose chain goes on behind it: zeros do not end it."""
    return struct.pack("<IIIIQI", buckets, first, bloom, 6, 2**64 - 1, bucket)
