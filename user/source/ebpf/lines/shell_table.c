// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/lines/shell_table.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "forktax.skel.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "source/ebpf/counts/exe_paths.h"

static void add_shell(const struct forktax_bpf *skeleton, const struct source_request *request,
		      const char *path, struct shell_key key)
{
	struct shell_value value = {};

	if (request->find_shell(path, &value))
		bpf_map__update_elem(skeleton->maps.shells, &key, sizeof(key), &value, sizeof(value), BPF_ANY);
}

static void add_path(const struct forktax_bpf *skeleton, const struct source_request *request, const char *path)
{
	struct stat status;

	if (!stat(path, &status) && S_ISREG(status.st_mode))
		add_shell(skeleton, request, path,
			  (struct shell_key){ .ino = status.st_ino, .dev = kernel_device(status.st_dev) });
}

static void add_command(const struct forktax_bpf *skeleton, const struct source_request *request, const char *path)
{
	autofree char *interpreter = untrusted__interpreter(path);

	add_path(skeleton, request, interpreter ? interpreter : path);
}

static void add_in(const struct forktax_bpf *skeleton, const struct source_request *request, const char *directory)
{
	static const char *const names[] = { "bash", "python3", "perl", "make", "zsh" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		autofree char *path = text__of("%s/%s", directory, names[i]);

		add_path(skeleton, request, path);
	}
	if (request->command && !strchr(request->command, '/')) {
		autofree char *path = text__of("%s/%s", directory, request->command);

		add_command(skeleton, request, path);
	}
}

static void add_in_path(const struct forktax_bpf *skeleton, const struct source_request *request)
{
	const char *path = getenv("PATH");
	autofree char *rest = path ? checked_strdup(path) : NULL;

	for (char *next = rest, *directory; (directory = strsep(&next, ":"));) {
		add_in(skeleton, request, *directory ? directory : ".");
	}
}

void shell_table__begin(const struct forktax_bpf *skeleton, const struct source_request *request)
{
	static const char *const usual[] = { "/bin/bash", "/usr/local/bin/bash", "/bin/sh" };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		add_path(skeleton, request, usual[i]);
	add_in_path(skeleton, request);
	if (request->command && strchr(request->command, '/'))
		add_command(skeleton, request, request->command);
}

void shell_table__add(const struct forktax_bpf *skeleton, const struct source_request *request,
		      const struct message *message)
{
	struct shell_key key = { .ino = message->ino, .dev = message->dev };
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/exe", message->pid);
	add_shell(skeleton, request, path, key);
}
