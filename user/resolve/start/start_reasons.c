// SPDX-License-Identifier: GPL-2.0-or-later
/* Conditions and subjects of the rows of start_rules.def, and who applies them. */
#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "analysis/start/start_parts.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/words/x86_arguments.h"
#include "resolve/start/start_code.h"

typedef bool condition_fn(const struct start_view *view);
/* What the reason is about; to be freed; NULL: nothing. */
typedef char *subject_fn(const struct start_view *view);

static uint64_t argument(const struct start_view *view, int index)
{
	return start_call__argument(view->call, index);
}

static char *name_of(const char *path)
{
	return path ? checked_strdup(text__file_name(path)) : NULL;
}

/* The path that the call names, or that of its descriptor; NULL. */
static const char *path_about(const struct start_view *view)
{
	return view->call->path && *view->call->path ? view->call->path : view->file.path;
}

/* Subjects. */

static char *no_subject(const struct start_view *view)
{
	return NULL;
}

static char *path(const struct start_view *view)
{
	return text__copy(view->call->path);
}

static char *path_name(const struct start_view *view)
{
	return name_of(view->call->path);
}

static char *file(const struct start_view *view)
{
	return text__copy(view->file.path);
}

static char *file_name(const struct start_view *view)
{
	return name_of(view->file.path);
}

static char *about(const struct start_view *view)
{
	return text__copy(path_about(view));
}

static char *about_name(const struct start_view *view)
{
	return name_of(path_about(view));
}

static char *mapping(const struct start_view *view)
{
	return view->mapping ? text__copy(view->mapping->owner) : NULL;
}

static char *mapping_name(const struct start_view *view)
{
	return view->mapping ? name_of(view->mapping->owner) : NULL;
}

static char *mapping_or_memory(const struct start_view *view)
{
	char *name = mapping(view);

	if (name || (view->mapping && !view->mapping->owner))
		return name ? name : checked_strdup("anonymous memory");
	return checked_strdup("memory");
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* No object is larger than 2 GiB, as far as its code can reach. */
static const uint64_t OBJECT_REACH = 1ull << 31;

/*
 * What the kernel mapped at the execve is in no call: the program and ld.so, far apart, of each of
 * which one address is known.
 */
static char *relocated_name(const struct start_view *view)
{
	const struct start *start = view->start;
	const uint64_t address = argument(view, 0);
	char *name = mapping_name(view);

	if (name)
		return name;
	if (start->program_address && distance(address, start->program_address) < OBJECT_REACH)
		return checked_strdup("the program");
	if (start->ldso_address && distance(address, start->ldso_address) < OBJECT_REACH)
		return checked_strdup("ld.so");
	return checked_strdup("the program or ld.so");
}

static char *signal_name(const struct start_view *view)
{
	uint64_t number = argument(view, 0);
	const char *name = number < NSIG ? sigabbrev_np((int)number) : NULL;

	if (!view->call->known[0])
		return NULL;
	return name ? text__of("SIG%s", name) : text__of("signal %llu", (unsigned long long)number);
}

static char *descriptor(const struct start_view *view)
{
	return view->call->known[0] ? text__of("%d", (int)argument(view, 0)) : NULL;
}

/* Conditions. */

static bool always(const struct start_view *view)
{
	return true;
}

static bool is_first(const struct start_view *view)
{
	return !view->index;
}

static bool is_by_ldso(const struct start_view *view)
{
	return start_call__by_ldso(view->call) && !view->has_program;
}

static bool looks_for(const struct start_view *view)
{
	return is_by_ldso(view) && view->call->path && *view->call->path;
}

/* ld.so asks for directories, of RUNPATH and for the CPU, before it tries files in them; these it opens. */
static bool looks_for_directory(const struct start_view *view)
{
	return looks_for(view) && (!start_call__is(view->call, "readlink") || !text__names_library(view->call->path));
}

static bool is_preload_list(const struct start_view *view)
{
	return view->call->path && !strcmp(view->call->path, "/etc/ld.so.preload");
}

static bool is_cache(const char *path)
{
	return path && !strcmp(path, "/etc/ld.so.cache");
}

static bool is_cache_path(const struct start_view *view)
{
	return is_cache(view->call->path);
}

static bool is_cache_file(const struct start_view *view)
{
	return is_cache(view->file.path);
}

static bool is_cache_mapping(const struct start_view *view)
{
	return view->mapping && is_cache(view->mapping->owner);
}

static bool opens_library(const struct start_view *view)
{
	return view->call->returned && !start_call__errno(view->call) &&
	       start_calls__map_library(view->start, view->index);
}

static bool is_library_file(const struct start_view *view)
{
	return view->file.path && view->file.is_library;
}

static bool is_first_segment(const struct start_view *view)
{
	return is_library_file(view) && !(argument(view, 3) & MAP_FIXED);
}

static bool is_code_segment(const struct start_view *view)
{
	return is_library_file(view) && argument(view, 2) & PROT_EXEC;
}

static bool is_data_segment(const struct start_view *view)
{
	return is_library_file(view) && argument(view, 2) & PROT_WRITE;
}

static bool is_library_mapping(const struct start_view *view)
{
	return view->mapping && view->mapping->is_library;
}

static bool is_anonymous(const struct start_view *view)
{
	return argument(view, 3) & MAP_ANONYMOUS;
}

static bool is_bss(const struct start_view *view)
{
	return is_anonymous(view) && argument(view, 3) & MAP_FIXED && is_library_mapping(view);
}

static bool is_hole(const struct start_view *view)
{
	return is_library_mapping(view) && view->call->known[2] && argument(view, 2) == PROT_NONE;
}

static bool is_relro(const struct start_view *view)
{
	return start_call__by_ldso(view->call) && argument(view, 2) == PROT_READ &&
	       (!view->has_program || is_library_mapping(view));
}

/* Where words of a segment that may not be written to are relocated, ld.so opens and closes it again. */
static bool ends_text_relocation(const struct start_view *view)
{
	for (size_t i = view->index; i-- > 0;) {
		const struct start_call *before = &view->start->calls[i];

		if (start_call__is(before, "mprotect") && start_call__by_ldso(before) &&
		    start_call__argument(before, 0) == argument(view, 0) &&
		    start_call__argument(before, 1) == argument(view, 1))
			return start_call__argument(before, 2) & PROT_WRITE;
	}
	return false;
}

/* Of a static program, which relocates itself before main(). */
static bool is_own_relro(const struct start_view *view)
{
	const struct start *start = view->start;

	return !start->ldso_address && start->program_address && !view->mapping &&
	       view->call->begin_ns < start->marks.main && argument(view, 2) == PROT_READ &&
	       distance(argument(view, 0), start->program_address) < OBJECT_REACH;
}

static bool is_question(const struct start_view *view)
{
	return view->call->known[0] && !argument(view, 0);
}

/* malloc asks for so many bytes, and would rather not wait for them (glibc 2.36 and later). */
static bool is_heap_key(const struct start_view *view)
{
	enum { NONBLOCK = 1 };

	return argument(view, 1) == sizeof(long) && argument(view, 2) == NONBLOCK;
}

/* Does the thread pointer, set next, lead into that memory? */
static bool gets_thread_pointer(const struct start_view *view, uint64_t begin, uint64_t end)
{
	const struct start *start = view->start;

	for (size_t i = view->index + 1; i < start->call_count && !view->has_storage; i++)
		if (start_call__is(&start->calls[i], "arch_prctl") &&
		    start_call__argument(&start->calls[i], 0) == ARCH_SET_FS)
			return start_call__argument(&start->calls[i], 1) >= begin &&
			       start_call__argument(&start->calls[i], 1) < end;
	return false;
}

static bool is_storage(const struct start_view *view)
{
	return is_anonymous(view) &&
	       gets_thread_pointer(view, view->call->result, view->call->result + argument(view, 1));
}

/* Static programs of glibc have theirs at the begin of the heap. */
static bool is_heap_storage(const struct start_view *view)
{
	return view->heap_end && gets_thread_pointer(view, view->heap_end, argument(view, 0));
}

static bool is_ldso_data(const struct start_view *view)
{
	return is_anonymous(view) && is_by_ldso(view);
}

static bool sets_thread_pointer(const struct start_view *view)
{
	return argument(view, 0) == ARCH_SET_FS;
}

static bool is_stack_limit(const struct start_view *view)
{
	return argument(view, 1) == RLIMIT_STACK && view->call->known[2] && !argument(view, 2);
}

/* To which mprotect(2) applies down to where the stack ends now. */
static bool is_stack_code(const struct start_view *view)
{
	return argument(view, 2) & PROT_GROWSDOWN && argument(view, 2) & PROT_EXEC;
}

static bool wakes_all(const struct start_view *view)
{
	return (argument(view, 1) & FUTEX_CMD_MASK) == FUTEX_WAKE && argument(view, 2) == INT_MAX;
}

static bool asks_terminal(const struct start_view *view)
{
	return argument(view, 1) == TCGETS && view->file.path;
}

static bool is_standard(const struct start_view *view)
{
	return view->file.is_standard;
}

static bool has_file(const struct start_view *view)
{
	return path_about(view);
}

static bool is_not_open(const struct start_view *view)
{
	return start_call__errno(view->call) == EBADF;
}

static bool copies(const struct start_view *view)
{
	return argument(view, 1) == F_DUPFD || argument(view, 1) == F_DUPFD_CLOEXEC;
}

static bool copies_file(const struct start_view *view)
{
	return has_file(view) && copies(view);
}

static bool is_thread_name(const struct start_view *view)
{
	return argument(view, 0) == PR_SET_NAME || argument(view, 0) == PR_GET_NAME;
}

static bool is_thread_stack(const struct start_view *view)
{
	return is_anonymous(view) && argument(view, 3) & MAP_STACK;
}

static bool is_file_mapping(const struct start_view *view)
{
	return view->mapping && view->mapping->owner;
}

static bool is_anonymous_mapping(const struct start_view *view)
{
	return view->mapping && !view->mapping->owner;
}

static bool has_threads(const struct start_view *view)
{
	return view->index + 1 < view->start->call_count;
}

/* The rules. */

static const struct reason_rule {
	const char *names; /* with a space between; "*": any */
	condition_fn *applies;
	enum start_reason reason;
	subject_fn *subject;
	enum start_maker maker;
} rules[] = {
#define MADE_BY(maker, names, applies, reason, subject) \
	{ names, applies, REASON_##reason, subject, MADE_BY_##maker },
#define RULE(...) MADE_BY(ANYBODY, __VA_ARGS__)
#include "resolve/start/start_rules.def"
#undef RULE
#undef MADE_BY
};

static bool is_named(const char *names, const char *name)
{
	return !strcmp(names, "*") || text__lists(names, name, strlen(name));
}

/* The first that fits, and what its code says; NULL: none does. */
static const struct reason_rule *find_rule(const struct start_view *view, struct start_code *code,
				    enum start_says *says)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!is_named(rules[i].names, start_call__name(view->call)) || !rules[i].applies(view))
			continue;
		*says = start_code__says(code, view, rules[i].maker);
		if (*says != CODE_IS_ANOTHER)
			return &rules[i];
	}
	return NULL;
}

static void forget_stacks(struct start *start)
{
	for (size_t i = 0; i < start->call_count; i++) {
		free(start->calls[i].stack);
		start->calls[i].stack = NULL;
	}
}

void start_reasons__find(struct run *run)
{
	struct start_code *code = start_code__open(run);
	struct start *start = run->start;
	struct start_view view;

	start_view__begin(&view, start);
	for (size_t i = 0; i < start->call_count; i++) {
		const struct reason_rule *rule;
		enum start_says says;

		start_view__look(&view, i);
		rule = find_rule(&view, code, &says);
		if (rule) {
			start->calls[i].reason = rule->reason;
			start->calls[i].by_shape = says == CODE_UNKNOWN;
			start->calls[i].subject = rule->subject(&view);
		}
		start_view__pass(&view);
	}
	start_view__end(&view);
	start_code__close(code);
	forget_stacks(start);
}
