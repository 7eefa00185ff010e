// SPDX-License-Identifier: GPL-2.0-or-later
/* A5: posix_spawn of glibc before 2.38 sets every signal by a call of its own. */
#include "advice/rules.h"
#include "advice/saving.h"

/* More than programs set themselves; the loop of posix_spawn makes about 120 calls. */
enum { SIGNAL_CALLS = 60 };

/* Were the calls made before the exec? Only the first child of the group is kept, and shows it. */
static bool made_before_exec(const struct subject *subject)
{
	for (size_t i = 0; i < subject->run->process_count; i++) {
		const struct process *process = &subject->run->processes[i];

		if (process->group == subject->index)
			return process->image_count > 0 &&
			       process->images[0].kind != IMAGE_EXEC &&
			       process->images[0].syscalls >= SIGNAL_CALLS;
	}
	return false;
}

/* vfork() saves the child's own stack as well: all that posix_spawn() does beyond it. */
static void add_rest_of_spawn(struct saving *saving, const struct subject *subject)
{
	const struct estimate *spawn = &subject->anatomy->costs[COST_SPAWN];

	if (spawn->known && spawn->high > saving->high)
		saving->high = spawn->high;
}

bool rule__a05_spawn_signals(const struct subject *subject, struct advice *advice)
{
	double calls = subject__calls(subject, "rt_sigaction");
	struct saving saving = { 0 };

	if (subject->group->fate_exe == NO_EXE || subject->group->birth == BIRTH_FORK ||
	    calls < SIGNAL_CALLS || !made_before_exec(subject))
		return false;
	saving__add_cost(&saving, subject, COST_SYSCALL, calls); /* after the exec, too */
	advice->evidence = text__of(
		"Each child makes %.0f rt_sigaction calls, most of them before its execve: %.1f us "
		"at the price of a system call on this machine. The child pays, and its parent "
		"waits for it.",
		calls, saving.ns / 1e3);
	advice->action = text__of(
		"Use glibc 2.38 or later, where the kernel resets signals with the clone, or "
		"vfork() and execve() in a helper that leaves signals alone.");
	add_rest_of_spawn(&saving, subject);
	saving__predict(&saving, advice);
	advice->predicted_faults = (struct estimate){ .known = true, .bounded = true, .high = 1 };
	return true;
}
