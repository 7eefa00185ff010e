/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the descriptors of a process lead to, as numbers of a path_table. Processes may share a table
 * (CLONE_FILES).
 *
 * Threads race, and calls are only known to do what they do between their begin and their end: close(2)
 * frees the number at once, and returns when the file has been flushed; open(2) takes a number first, and
 * puts the file there last (file_close_fd(), get_unused_fd_flags(), fd_install() in the kernel's
 * fs/file.c). Who closes a file knows its number, from an open that has returned: so a close that began
 * before that is one of what was there before, whenever it returns. What a call used that began before
 * the last change is what was there then; OBJECT_UNKNOWN, if that has changed, too.
 */
#ifndef FORKTAX_SOURCE_CALLS_DESCRIPTORS_H
#define FORKTAX_SOURCE_CALLS_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DESCRIPTORS_MOST = 65536, /* of a table; those beyond are not followed */
	DESCRIPTORS_IN_ALL = 1 << 19, /* of all tables together, the same */
};

/* Of all tables of a run. */
struct descriptor_budget {
	size_t used;
	uint64_t left_out; /* descriptors for which there was no room, each time */
};

/* A call: it begins and ends in the order of these numbers, whichever thread made it. */
struct span {
	uint64_t from, until;
};

struct descriptors;

/* The budget must outlive all tables. */
struct descriptors *descriptors__new(struct descriptor_budget *budget);
struct descriptors *descriptors__share(struct descriptors *table);
struct descriptors *descriptors__copy(const struct descriptors *table);
void descriptors__drop(struct descriptors *table); /* by one who shared it; NULL is fine */

/*
 * What a call that has ended had from a descriptor. `worked`: it was open then. OBJECT_UNKNOWN if
 * nothing was set, or if it is not known.
 */
uint32_t descriptors__get(const struct descriptors *table, int32_t descriptor, struct span call, bool worked);
/* As whom strace -y has shown what it leads to now; OBJECT_UNKNOWN if it has not. */
uint32_t descriptors__shown(const struct descriptors *table, int32_t descriptor);

struct opened {
	uint32_t object, shown;
	bool cloexec;
};

/* Who is at the other end of this socket, as a number of the same table. OBJECT_UNKNOWN. */
void descriptors__set_peer(struct descriptors *table, int32_t descriptor, uint32_t peer);
uint32_t descriptors__peer(const struct descriptors *table, int32_t descriptor);

/* The call has got this number, or (dup2) replaced what was there. */
void descriptors__open(struct descriptors *table, int32_t descriptor, struct opened opened, struct span call);
void descriptors__close(struct descriptors *table, int32_t descriptor, struct span call);
void descriptors__set_cloexec(struct descriptors *table, int32_t descriptor, bool cloexec);
/* Closes, or marks to be closed by the next execve, all from `first` to `last`. */
void descriptors__close_range(struct descriptors *table, uint32_t first, uint32_t last,
			      bool only_mark, struct span call);
/* The table after an execve, which drops the given one. */
struct descriptors *descriptors__exec(struct descriptors *table);

#endif
