/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The files of `strace -ff -o NAME`, as one log: line by line in the order of their times, or, where
 * they have none, one file after the other.
 */
#ifndef FORKTAX_SOURCE_STRACE_FILE_SET_H
#define FORKTAX_SOURCE_STRACE_FILE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strace_log;
struct file_set;

/* `path` is NAME or one of NAME.PID. NULL: there is no such set. */
struct file_set *file_set__find(const char *path);
/* The file of the smallest pid, which most often is the command. */
const char *file_set__first(const struct file_set *set);
/* 0, or -errno. */
int file_set__read(struct file_set *set, struct strace_log *log);
void file_set__free(struct file_set *set); /* NULL is fine */

#endif
