/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of /proc/PID (proc(5)). Where the first thread of a process has ended and others have not, the kernel shows
 * memory, files and status by these alone: so all but `stat` are then those of another thread.
 */
#ifndef FORKTAX_BASE_PROCFS_H
#define FORKTAX_BASE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Who has created whom, as /proc shows it now: a process whose parent has ended is the child of another one. */
/* All descendants of these processes, without them, to be freed; children before grandchildren. */
int32_t *process_tree__below(const int32_t *pids, size_t pid_count, size_t *count);

/* Is /proc mounted? In a bare root it is not. */
bool procfs__is_there(void);
/* The pids of all processes that are there now, to be freed; without /proc none. */
int32_t *procfs__pids(size_t *count);
/* The thread that a process is seen by: the first one, or one that still lives if there is any. */
pid_t procfs__thread(pid_t pid);
/* For reading; NULL with errno if the process or the file is gone, or may not be read. */
FILE *procfs__open(pid_t pid, const char *name);
/* The same as a descriptor, with these flags (open(2)); -1 with errno. */
int procfs__open_fd(pid_t pid, const char *name, int flags);
/*
 * Reads /proc/PID/stat, up to size - 1 bytes. Returns what stands behind the name, from field 3 on; NULL: it
 * is gone. The name is in `text`, between the first parenthesis and the last; it may hold anything.
 */
char *procfs__stat(pid_t pid, char *text, size_t size);
/* CPU time of all its threads, including ended ones, in ns; also of a zombie. 0: it is gone. */
double procfs__cpu_ns(pid_t pid);
/* A line "KEY N kB" of smaps or smaps_rollup. False: it is another one; nothing is stored. */
bool procfs__bytes(const char *line, const char *key, uint64_t *bytes);
/* Where a link points, to be freed; NULL with errno. */
char *procfs__link(pid_t pid, const char *name);

#endif
