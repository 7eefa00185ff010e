// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/facts.h"
#include "resolve/bindings/bindings.h"
#include "resolve/exit_needs.h"
#include "resolve/lines/script_names.h"
#include "resolve/lines/script_text.h"
#include "resolve/names/file_identity.h"
#include "resolve/names/place_names.h"
#include "resolve/names/stack_names.h"
#include "resolve/start/start_explain.h"

static char *linkage_by_file(const struct exe *exe)
{
	struct elf_file *file = elf_file__open(exe__file(exe));
	const char *reason;
	const struct elf_facts *facts = elf_facts__of(file, &reason);
	char *linkage = facts ? checked_strdup(elf_linkage_keys[facts->linkage]) : NULL;

	elf_file__close(file);
	return linkage;
}

/* If /proc was not read while it ran: where its path leads now, as the file is the same. */
static void resolve_path(struct exe *exe)
{
	char *resolved;

	if (exe->resolved)
		return;
	resolved = realpath(exe->path, NULL);
	if (resolved && strcmp(resolved, exe->path) != 0)
		exe->resolved = resolved;
	else
		free(resolved);
}

/* Returns whether any was recognised by its inode alone. */
static bool look_at_exes(struct run *run)
{
	bool by_inode = false;

	for (size_t i = 0; i < run->exe_count; i++) {
		struct exe *exe = &run->exes[i];
		enum file_identity identity;

		if (exe->linkage)
			continue;
		/* A source that knows only paths ran the file of that path a moment ago. */
		identity =
			exe->ino || !exe->path ? file_identity__of(exe__file(exe), exe->dev, exe->ino) : FILE_IS_SAME;
		if (identity != FILE_HAS_CHANGED) {
			resolve_path(exe);
			exe->linkage = linkage_by_file(exe);
		}
		by_inode |= exe->linkage && identity == FILE_HAS_SAME_INODE;
		if (!exe->linkage && exe->ino)
			exe->linkage = checked_strdup(exe->has_interp ? "dynamic" : "static");
	}
	return by_inode;
}

void resolve__run(struct run *run)
{
	bool by_inode = look_at_exes(run);

	if (run->anatomy) {
		by_inode |= anatomy__resolve(run);
		if (run->anatomy->stacks) {
			stacks__resolve(run->anatomy->stacks, run->anatomy->objects, run->anatomy->object_count);
			stacks__merge(run->anatomy->stacks);
		}
		layouts__part_bss(run->anatomy);
		bindings__find(run);
		bindings__find_opened(run);
		exit_needs__find(run);
	}
	if (run->start)
		start__explain(run);
	if (run->lines)
		script_text__read(run->lines);
	script_names__find(run);
	if (by_inode)
		run__note(run, "the file system shows one device to user space and another in the "
			       "kernel (as btrfs and overlayfs do): files were matched by inode alone");
}
