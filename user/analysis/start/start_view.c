// SPDX-License-Identifier: GPL-2.0-or-later
/* Follows descriptors and mappings through the calls of a start. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/files/file_calls.h"

/* Its offset is in units of 4 KiB, whatever the size of a page. */
static bool is_mmap2(const struct start_call *call)
{
	return !strcmp(call->name, "mmap2");
}

const char *start_call__name(const struct start_call *call)
{
	return is_mmap2(call) ? "mmap" : call->name;
}

bool start_call__is(const struct start_call *call, const char *name)
{
	return !strcmp(start_call__name(call), name);
}

bool start_call__is_any(const struct start_call *call, const char *const *names)
{
	return text__is_any(start_call__name(call), names);
}

uint64_t start_call__argument(const struct start_call *call, int index)
{
	return call->known[index] ? call->arguments[index] : 0;
}

bool start_call__by_ldso(const struct start_call *call)
{
	return call->actor == ACTOR_LDSO || call->before_program;
}

bool start_call__may_be_ldso(const struct start_call *call)
{
	return start_call__by_ldso(call) || call->actor == ACTOR_COUNT;
}

static bool succeeded(const struct start_call *call)
{
	return call->returned && !call->denied && !start_call__errno(call);
}

bool start_call__opens(const struct start_call *call)
{
	static const char *const names[] = { "open", "openat", "openat2", NULL };

	return start_call__is_any(call, names);
}

bool start_call__asks(const struct start_call *call)
{
	static const char *const names[] = { "access",	   "faccessat", "faccessat2", "stat",	    "lstat",
					     "newfstatat", "statx",	"readlink",   "readlinkat", NULL };

	return call->path && *call->path && start_call__is_any(call, names);
}

/* Which argument is a descriptor; -1: none that says which file the call is about. */
static int descriptor_argument(const struct start_call *call)
{
	static const char *const first[] = {
		"read", "pread64", "readv", "preadv", "preadv2", "write", "pwrite64", "writev",
		"fstat", "lseek", "ioctl", "fcntl", "getdents64", "getdents", "close", "fadvise64",
		"ftruncate", "fsync", "fdatasync", "flock", "fstatfs", "fchdir", "dup", "dup2",
		"dup3", "readahead", "fgetxattr", "fchmod", "fchown", NULL,
	};
	static const char *const at[] = { "newfstatat", "statx", NULL };

	if (start_call__is_any(call, first) || (start_call__is_any(call, at) && (!call->path || !*call->path)))
		return 0;
	return start_call__is(call, "mmap") &&
			       !(start_call__argument(call, 3) & MAP_ANONYMOUS)
		       ? 4
		       : -1;
}

static struct start_file *file_at(struct start_view *view, uint64_t descriptor)
{
	return descriptor < START_FILES ? &view->files[descriptor] : NULL;
}

static bool maps_library(const struct start_call *call)
{
	return start_call__argument(call, 2) & PROT_EXEC ||
	       (start_call__by_ldso(call) && start_call__argument(call, 3) & (MAP_FIXED | MAP_DENYWRITE));
}

/* ld.so needs ten for a library; other threads may come between. */
enum { LIBRARY_CALLS = 100 };

bool start_calls__map_library(const struct start *start, size_t index)
{
	const uint64_t descriptor = start->calls[index].result;
	const size_t last = index + LIBRARY_CALLS;

	for (size_t i = index + 1; i < start->call_count && i < last; i++) {
		const struct start_call *call = &start->calls[i];

		if (call->tid != start->calls[index].tid)
			continue;
		if (start_call__is(call, "close") && start_call__argument(call, 0) == descriptor)
			return false;
		if (start_call__is(call, "mmap") && start_call__argument(call, 4) == descriptor && maps_library(call))
			return true;
	}
	return false;
}

void start_view__begin(struct start_view *view, const struct start *start)
{
	static const char *const standard[] = { "stdin", "stdout", "stderr" };

	*view = (struct start_view){ .start = start };
	for (int i = 0; i < 3; i++)
		view->files[i] = (struct start_file){ .path = standard[i], .is_standard = true };
}

void start_view__end(struct start_view *view)
{
	free(view->mappings);
}

const struct start_mapping *start_view__mapping(const struct start_view *view, uint64_t address)
{
	for (size_t i = view->mapping_count; i-- > 0;)
		if (address >= view->mappings[i].begin && address < view->mappings[i].end)
			return &view->mappings[i];
	return NULL;
}

void start_view__look(struct start_view *view, size_t index)
{
	static const char *const addressed[] = { "mmap", "munmap", "mprotect", "madvise", "mremap", NULL };
	const struct start_call *call = &view->start->calls[index];
	int descriptor = descriptor_argument(call);
	const struct start_file *file = NULL;

	if (descriptor >= 0 && call->known[descriptor])
		file = file_at(view, call->arguments[descriptor]);
	view->index = index;
	view->call = call;
	view->file = file ? *file : (struct start_file){ 0 };
	view->mapping =
		start_call__is_any(call, addressed) ? start_view__mapping(view, start_call__argument(call, 0)) : NULL;
	view->has_program = call->begin_ns >= view->start->marks.entry;
}

static void map(struct start_view *view, uint64_t begin, uint64_t length, const char *owner, bool is_library)
{
	const struct start_call *call = view->call;

	view->mappings = checked_grow(view->mappings, view->mapping_count, sizeof(*view->mappings));
	view->mappings[view->mapping_count++] = (struct start_mapping){
		.begin = begin,
		.end = begin + length,
		.offset = view->file.path ? start_call__argument(call, 5) << (is_mmap2(call) ? 12 : 0) : 0,
		.owner = owner,
		.is_library = is_library,
	};
}

/* Anonymous memory put over a part of a library is its .bss, and stays the library's. */
static void pass_mmap(struct start_view *view)
{
	const struct start_call *call = view->call;
	const struct start_mapping *below = view->mapping;
	const bool over = start_call__argument(call, 3) & MAP_FIXED && below;

	if (view->file.path)
		map(view, call->result, start_call__argument(call, 1), view->file.path, view->file.is_library);
	else
		map(view, call->result, start_call__argument(call, 1),
		    over ? below->owner : NULL, over && below->is_library);
}

static void pass_descriptor(struct start_view *view)
{
	static const char *const copies[] = { "dup", "dup2", "dup3", NULL };
	const struct start_call *call = view->call;
	const bool duplicates = start_call__is_any(call, copies) ||
				(start_call__is(call, "fcntl") && (start_call__argument(call, 1) == F_DUPFD ||
								   start_call__argument(call, 1) == F_DUPFD_CLOEXEC));
	const struct file_call *kind = file_call__find(call->name);
	struct start_file *made = file_at(view, call->result);
	struct start_file *closed = file_at(view, start_call__argument(call, 0));

	if (start_call__opens(call) && made)
		*made = (struct start_file){
			.path = call->path,
			.is_library = start_calls__map_library(view->start, view->index),
			.opened = call,
		};
	else if (kind && kind->effect == EFFECT_MAKE && made)
		*made = (struct start_file){ .path = kind->what };
	else if (duplicates && made)
		*made = view->file;
	else if (start_call__is(call, "close") && call->known[0] && closed)
		*closed = (struct start_file){ 0 };
}

void start_view__pass(struct start_view *view)
{
	const struct start_call *call = view->call;

	if (!succeeded(call))
		return;
	if (start_call__is(call, "brk"))
		view->heap_end = call->result;
	else if (start_call__is(call, "mmap"))
		pass_mmap(view);
	else if (start_call__is(call, "munmap"))
		map(view, start_call__argument(call, 0), start_call__argument(call, 1), NULL, false);
	else
		pass_descriptor(view);
	view->has_storage |= start_call__is(call, "arch_prctl") || start_call__is(call, "set_thread_area");
}
