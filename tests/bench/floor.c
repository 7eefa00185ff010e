// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor OBJECT enter|both|totals|classes|loads PATH [ARGUMENT]...: attaches the empty programs of floor.bpf.c up to
 * this level and becomes the command, which holds them by open descriptors: they go when it ends. Those of the last
 * level are loaded only.
 */
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const levels[] = { "enter", "both", "totals", "classes", "loads" };
enum { LEVELS = sizeof(levels) / sizeof(levels[0]), LOADED_ONLY = LEVELS - 1 };

/* Of a name that begins with it; LEVELS: none. */
static int level_of(const char *name)
{
	int level = 0;

	while (level < LEVELS && strncmp(name, levels[level], strlen(levels[level])))
		level++;
	return level;
}

static int fail(const char *what)
{
	perror(what);
	return 125;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	struct bpf_program *program;

	if (argc < 4 || level_of(argv[2]) == LEVELS)
		return 2;
	object = bpf_object__open_file(argv[1], NULL);
	if (!object)
		return fail(argv[1]);
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, level_of(bpf_program__name(program)) <=
						   level_of(argv[2]));
	if (bpf_object__load(object))
		return fail("floor: load");
	bpf_object__for_each_program(program, object) {
		struct bpf_link *link;

		if (!bpf_program__autoload(program) || level_of(bpf_program__name(program)) == LOADED_ONLY)
			continue;
		link = bpf_program__attach(program);
		if (!link || fcntl(bpf_link__fd(link), F_SETFD, 0))
			return fail("floor: attach");
	}
	execv(argv[3], argv + 3);
	return fail(argv[3]);
}
