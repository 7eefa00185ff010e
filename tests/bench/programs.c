// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * programs [--all] FILE PID...: writes the eBPF programs that the processes hold as a list of JSON, with what the
 * kernel has counted of each (bpf_stats), and their instructions. With --all those that have not run, too. Nobody else's program is looked at, so none can go away meanwhile.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS_MOST = 256 };

static struct bpf_prog_info found[PROGRAMS_MOST];
static int fds[PROGRAMS_MOST], count;

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* 0 if the descriptor is of no program. */
static unsigned int id_in(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned int id = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file) && !id)
		sscanf(line, "prog_id: %u", &id);
	if (file)
		fclose(file);
	return id;
}

static int is_known(unsigned int id)
{
	for (int i = 0; i < count; i++)
		if (found[i].id == id)
			return 1;
	return 0;
}

/* The counts first: what follows makes system calls, and these are counted, too. */
static int look_at(unsigned int id)
{
	__u32 size = sizeof(found[0]);
	int fd;

	if (!id || is_known(id))
		return 0;
	if (count == PROGRAMS_MOST) {
		fprintf(stderr, "more than %d programs\n", PROGRAMS_MOST);
		return 1;
	}
	fd = bpf_prog_get_fd_by_id(id);
	if (fd < 0)
		return errno == ENOENT ? 0 : fail("bpf_prog_get_fd_by_id");
	if (bpf_obj_get_info_by_fd(fd, &found[count], &size))
		return fail("bpf_obj_get_info_by_fd");
	fds[count++] = fd;
	return 0;
}

static int look_at_process(const char *pid)
{
	char path[512];
	struct dirent *entry;
	DIR *directory;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%s/fdinfo", pid);
	directory = opendir(path);
	if (!directory)
		return fail(path);
	while (!err && (entry = readdir(directory))) {
		snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", pid, entry->d_name);
		err = look_at(id_in(path));
	}
	closedir(directory);
	return err;
}

/* bpf_prog_info.name has 15 characters of it at most. */
static void print_name(FILE *file, int fd, unsigned int btf_id, const char *otherwise)
{
	struct bpf_func_info function = {};
	struct bpf_prog_info info = { .nr_func_info = 1,
				      .func_info_rec_size = sizeof(function),
				      .func_info = (__u64)(unsigned long)&function };
	struct btf *btf = btf_id ? btf__load_from_kernel_by_id(btf_id) : NULL;
	const struct btf_type *type = NULL;
	__u32 size = sizeof(info);

	if (btf && !bpf_obj_get_info_by_fd(fd, &info, &size) && info.nr_func_info)
		type = btf__type_by_id(btf, function.type_id);
	fprintf(file, "\"%s\"", type ? btf__name_by_offset(btf, type->name_off) : otherwise);
	btf__free(btf);
}

int main(int argc, char **argv)
{
	const char *before = "[";
	bool all = false;
	FILE *file;

	if (argc > 1 && !strcmp(argv[1], "--all")) {
		all = true;
		argv++;
		argc--;
	}
	if (argc < 3)
		return 2;
	for (int i = 2; i < argc; i++)
		if (look_at_process(argv[i]))
			return 1;
	file = fopen(argv[1], "we");
	if (!file)
		return fail(argv[1]);
	for (int i = 0; i < count; i++) {
		if (!found[i].run_cnt && !all)
			continue;
		fprintf(file, "%s{\"program\":", before);
		print_name(file, fds[i], found[i].btf_id, found[i].name);
		fprintf(file, ",\"runs\":%llu,\"ns\":%llu", (unsigned long long)found[i].run_cnt,
			(unsigned long long)found[i].run_time_ns);
		/* What the verifier has kept, in units of 8 bytes; what it has gone through to check it. */
		fprintf(file, ",\"kept\":%u,\"verified\":%u}", found[i].xlated_prog_len / 8,
			found[i].verified_insns);
		before = ",\n";
	}
	fprintf(file, "%s]\n", *before == '[' ? "[" : "");
	return fclose(file) ? fail(argv[1]) : 0;
}
