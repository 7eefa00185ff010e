# SPDX-License-Identifier: GPL-2.0-or-later
"""Another root directory, with other mounts and fewer capabilities, for one process and its children."""
import ctypes
import os
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS = 0x20000
MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
# linux/capability.h; what a container has by default (docker, podman, containerd), and what forktax uses
NUMBERS = {"chown": 0, "dac_override": 1, "dac_read_search": 2, "fowner": 3, "kill": 5, "setgid": 6,
           "setuid": 7, "setpcap": 8, "net_bind_service": 10, "sys_chroot": 18, "sys_ptrace": 19,
           "sys_admin": 21, "setfcap": 31, "perfmon": 38, "bpf": 39}
CONTAINER = ("chown", "dac_override", "fowner", "kill", "setgid", "setuid", "setpcap",
             "net_bind_service", "sys_chroot", "setfcap")
LAST = 63


def _check(result):
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def mount(source, target, kind, flags=0):
    _check(LIBC.mount(source and source.encode(), target.encode(), kind and kind.encode(), flags, None))


def own_mounts():
    """From here on mounts are this process's own."""
    _check(LIBC.unshare(CLONE_NEWNS))
    mount(None, "/", None, MS_REC | MS_PRIVATE)


def keep_capabilities(names):
    """What is executed next as root has these and no others."""
    kept = {NUMBERS[name] for name in names}
    for number in range(LAST + 1):
        if number not in kept and LIBC.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0:
            break  # the kernel has no more


def refuse_calls(*numbers):
    """A seccomp filter as container runtimes have: these system calls of x86-64 fail with EPERM."""
    load, jump_equal, answer, refuse, allow = 0x20, 0x15, 0x06, 0x00050001, 0x7fff0000
    steps = [(load, 0, 0, 0)]
    for at, number in enumerate(numbers):
        steps.append((jump_equal, len(numbers) - at, 0, number))
    steps += [(answer, 0, 0, allow), (answer, 0, 0, refuse)]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(buffer)))
    _check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _check(LIBC.prctl(PR_SET_SECCOMP, 2, program, 0, 0))


def enter(root, *, proc=True, sys=True, null=False, read_only=False, capabilities=None):
    """For preexec_fn of subprocess.Popen: what becomes of the child before its exec. `null`: the root has a file
    dev/null, in whose place the device is mounted."""
    def change():
        own_mounts()
        mount(root, root, None, MS_BIND | MS_REC)
        if read_only:
            mount(None, root, None, MS_REMOUNT | MS_BIND | MS_RDONLY)
        if proc:
            mount("proc", f"{root}/proc", "proc")
        if sys:
            mount("/sys", f"{root}/sys", None, MS_BIND | MS_REC)
        if null:
            mount("/dev/null", f"{root}/dev/null", None, MS_BIND)
        os.chroot(root)
        os.chdir("/")
        if capabilities is not None:
            keep_capabilities(capabilities)
    return change
