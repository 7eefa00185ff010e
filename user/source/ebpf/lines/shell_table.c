// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/lines/shell_table.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <sys/stat.h>

#include "forktax.skel.h"
#include "source/ebpf/counts/exe_paths.h"

static void add_shell(const struct forktax_bpf *skeleton, const struct source_request *request,
		      const char *path, struct shell_key key)
{
	struct shell_value value = {};

	if (request->find_shell(path, &value))
		bpf_map__update_elem(skeleton->maps.shells, &key, sizeof(key), &value, sizeof(value),
				     BPF_ANY);
}

void shell_table__begin(const struct forktax_bpf *skeleton, const struct source_request *request)
{
	static const char *const usual[] = { "/bin/bash", "/usr/local/bin/bash", "/bin/sh" };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		struct stat status;

		if (stat(usual[i], &status))
			continue;
		add_shell(skeleton, request, usual[i],
			  (struct shell_key){ .ino = status.st_ino, .dev = kernel_device(status.st_dev) });
	}
}

void shell_table__add(const struct forktax_bpf *skeleton, const struct source_request *request,
		      const struct message *message)
{
	struct shell_key key = { .ino = message->ino, .dev = message->dev };
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/exe", message->pid);
	add_shell(skeleton, request, path, key);
}
