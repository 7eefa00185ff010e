# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's accounting of every thread that ends (taskstats), by netlink.

It is filled in from the same task_struct as acct(2), at the same moment of do_exit(). But it has
one record for each thread, numbers are not rounded as in a comp_t, and any number of listeners may
hear it, where acct(2) knows one file. The records of all threads of the machine come here; a socket
that overflows says so (ENOBUFS).
"""
import os
import socket
import struct
from collections import defaultdict, namedtuple

from check import skip

GENERIC, CONTROL = 16, 16  # NETLINK_GENERIC, GENL_ID_CTRL
GET_FAMILY, FAMILY_ID, FAMILY_NAME = 3, 1, 2
GET, REGISTER_CPUMASK = 1, 3
TYPE_STATS, TYPE_AGGREGATE_PID = 3, 4
REQUEST, ACKNOWLEDGE, ERROR = 1, 4, 2
RECEIVE_BYTES = 256 << 20
HEADER = struct.Struct("<IHHIIBBH")  # nlmsghdr and genlmsghdr
ATTRIBUTE = struct.Struct("<HH")
NETLINK_HEADER = 16


# What is asked for of struct taskstats, <linux/taskstats.h>, version 12.
STATS = struct.Struct("=4xI72x32s16xI36xQQ184xI")
Account = namedtuple("Account", "ac_exitcode ac_comm ac_pid ac_minflt ac_majflt ac_tgid")


def attribute(kind, data):
    data = bytes(data)
    return ATTRIBUTE.pack(ATTRIBUTE.size + len(data), kind) + data + bytes(-len(data) % 4)


def attributes(data):
    at = 0
    while at + ATTRIBUTE.size <= len(data):
        length, kind = ATTRIBUTE.unpack_from(data, at)
        yield kind & 0x3FFF, data[at + ATTRIBUTE.size:at + length]
        at += (length + 3) & ~3


class Listener:
    """From its making on it hears of every thread that ends."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, GENERIC)
        self.socket.setsockopt(socket.SOL_SOCKET, 33, RECEIVE_BYTES)  # SO_RCVBUFFORCE
        self.socket.bind((0, 0))
        self.records = defaultdict(list)  # thread id: its records, in order
        try:
            self.family = self.find_family()
            cpus = f"0-{os.sysconf('SC_NPROCESSORS_CONF') - 1}".encode() + b"\0"
            self.request(self.family, GET, attribute(REGISTER_CPUMASK, cpus))
        except OSError as error:
            self.socket.close()
            skip(f"no taskstats: {error}")

    def request(self, family, command, body):
        """The answer's attributes; raises OSError for an error."""
        self.socket.send(HEADER.pack(HEADER.size + len(body), family, REQUEST | ACKNOWLEDGE, 0, 0,
                                     command, 1, 0) + body)
        found = []
        while True:
            message = self.socket.recv(1 << 16)
            length, kind = struct.unpack_from("<IH", message)
            if kind == ERROR:
                error, = struct.unpack_from("<i", message, NETLINK_HEADER)
                if error:
                    raise OSError(-error, os.strerror(-error))
                return found
            found += attributes(message[HEADER.size:length])

    def find_family(self):
        found = self.request(CONTROL, GET_FAMILY, attribute(FAMILY_NAME, b"TASKSTATS\0"))
        return struct.unpack("<H", dict(found)[FAMILY_ID])[0]

    def read(self):
        """Takes what has come so far. OSError(ENOBUFS): some was lost."""
        while True:
            try:
                message = self.socket.recv(1 << 16, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            at = 0
            while at < len(message):
                length, = struct.unpack_from("<I", message, at)
                self.take(message[at + HEADER.size:at + length])
                at += (length + 3) & ~3

    def take(self, body):
        for kind, data in attributes(body):
            stats = dict(attributes(data)).get(TYPE_STATS)
            if kind == TYPE_AGGREGATE_PID and stats:
                one = Account(*STATS.unpack_from(stats.ljust(STATS.size, b"\0")))
                one = one._replace(ac_comm=one.ac_comm.partition(b"\0")[0])
                self.records[one.ac_pid].append(one)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.socket.close()
