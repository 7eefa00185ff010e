/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The mappings of one member (/proc/PID/maps), as far as they can hold anonymous pages.
 */
#ifndef FORKTAX_POOL_POOL_MAPS_H
#define FORKTAX_POOL_POOL_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"

struct pool_vma {
	uint64_t start, end, offset; /* offset in the file, bytes */
	uint64_t inode; /* 0: anonymous */
	uint32_t device; /* as the kernel packs it */
	uint32_t name; /* position in a list of texts; that of "": none */
	uint32_t row; /* where the member counts its pages */
	bool proven; /* a page of it is seen to be shared: it was there at a fork */
};

struct pool_maps {
	struct pool_vma *list; /* private mappings, in order of address; owned */
	size_t count;
	uint64_t python_start, python_end; /* where CPython has its own data, or code, too; end 0: nowhere */
};

/*
 * Replaces the list. Mappings are left out whose pages are not the process's: shared ones, the
 * kernel's own ([vdso] and the like), devices, and huge pages from a pool (hugetlb), which no sum of
 * the kernel's has as anonymous. Returns false if the process is gone.
 */
bool pool_maps__read(struct pool_maps *maps, pid_t pid, struct texts *names);
/* Does this address have the same backing in both: the same offset of the same file, or no file? */
bool pool_vma__has_backing_of(const struct pool_vma *left, const struct pool_vma *right);

#endif
