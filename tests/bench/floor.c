// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor OBJECT enter|both PATH [ARGUMENT]...: attaches the empty programs of floor.bpf.c and
 * becomes the command, which holds them by open descriptors: they go when it ends.
 */
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *what)
{
	perror(what);
	return 125;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	struct bpf_program *program;

	if (argc < 4)
		return 2;
	object = bpf_object__open_file(argv[1], NULL);
	if (!object)
		return fail(argv[1]);
	if (strcmp(argv[2], "both"))
		bpf_program__set_autoload(bpf_object__find_program_by_name(object, "floor_exit"),
					  false);
	if (bpf_object__load(object))
		return fail("floor: load");
	bpf_object__for_each_program(program, object) {
		struct bpf_link *link;

		if (!bpf_program__autoload(program))
			continue;
		link = bpf_program__attach(program);
		if (!link || fcntl(bpf_link__fd(link), F_SETFD, 0))
			return fail("floor: attach");
	}
	execv(argv[3], argv + 3);
	return fail(argv[3]);
}
