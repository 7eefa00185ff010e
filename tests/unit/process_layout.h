/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A live process as an anatomy sees it: its mappings and their contents, from /proc.
 */
#ifndef FORKTAX_PROCESS_LAYOUT_H
#define FORKTAX_PROCESS_LAYOUT_H

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "made.h"

extern char **environ;

/* A child that tells of its progress by one byte, and goes on for one byte. */
struct guest {
	pid_t pid;
	int to, from;
};

/* Until it sleeps in the read(2) that follows its byte. */
static inline void guest__wait(const struct guest *guest)
{
	char byte, path[64], state = '?';
	FILE *stream;

	assert_int_equal(read(guest->from, &byte, 1), 1);
	snprintf(path, sizeof(path), "/proc/%d/stat", guest->pid);
	while (state != 'S') {
		usleep(1000);
		stream = fopen(path, "re");
		assert_non_null(stream);
		assert_int_equal(fscanf(stream, "%*d (%*[^)]) %c", &state), 1);
		fclose(stream);
	}
}

static inline void guest__go_on(const struct guest *guest)
{
	assert_int_equal(write(guest->to, "", 1), 1);
	guest__wait(guest);
}

static inline void guest__start(struct guest *guest, const char *path)
{
	char *argv[] = { (char *)path, NULL };
	posix_spawn_file_actions_t actions;
	int in[2], out[2];

	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	assert_int_equal(posix_spawn(&guest->pid, path, &actions, NULL, argv, environ), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(out[1]);
	guest->to = in[1];
	guest->from = out[0];
	guest__wait(guest);
}

static inline void guest__end(const struct guest *guest)
{
	kill(guest->pid, SIGKILL);
	waitpid(guest->pid, NULL, 0);
	close(guest->to);
	close(guest->from);
}

static inline void guest__read(const struct guest *guest, uint64_t address, void *to, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", guest->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, to, size, (off_t)address), size);
	close(fd);
}

static inline uint32_t object_of(struct anatomy *anatomy, const char *path)
{
	struct stat status;

	for (uint32_t i = 0; i < anatomy->object_count; i++) {
		if (!strcmp(anatomy->objects[i].path, path))
			return i;
	}
	assert_int_equal(stat(path, &status), 0);
	anatomy->objects = checked_grow(anatomy->objects, anatomy->object_count,
					sizeof(*anatomy->objects));
	anatomy->objects[anatomy->object_count] = (struct object){
		.path = checked_strdup(path), .dev = status.st_dev, .ino = status.st_ino
	};
	return anatomy->object_count++;
}

static inline void add_mapping(struct anatomy *anatomy, struct layout *layout,
			       const struct guest *guest, const char *line)
{
	struct layout_vma vma = { .object = NO_OBJECT, .kind = PLACE_ANON };
	const struct layout_vma *last =
		layout->vma_count ? &layout->vmas[layout->vma_count - 1] : NULL;
	char rights[5], path[512] = "";

	assert_true(sscanf(line, "%lx-%lx %4s %lx %*s %*s %511[^\n]", &vma.start, &vma.end, rights,
			   &vma.offset, path) >= 4);
	vma.read = rights[0] == 'r';
	vma.write = rights[1] == 'w';
	vma.exec = rights[2] == 'x';
	vma.shared = rights[3] == 's';
	if (path[0] == '/') {
		vma.object = object_of(anatomy, path);
		vma.kind = PLACE_FILE;
	} else if (!path[0] && last && last->end == vma.start && last->write &&
		   last->object != NO_OBJECT) {
		vma.object = last->object;
		vma.kind = PLACE_BSS;
		vma.offset = last->offset + (last->end - last->start);
	}
	if (vma.object != NO_OBJECT && vma.read && !vma.exec) {
		vma.bytes = checked_calloc(1, vma.end - vma.start);
		guest__read(guest, vma.start, vma.bytes, vma.end - vma.start);
	}
	layout->vmas = checked_grow(layout->vmas, layout->vma_count, sizeof(*layout->vmas));
	layout->vmas[layout->vma_count++] = vma;
}

/* A run with one layout, of the guest as it is. */
static inline struct run *run_of(const struct guest *guest)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct layout *layout = MADE_LAYOUT(run, .group = 0);
	char path[64], line[1024];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", guest->pid);
	maps = fopen(path, "re");
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		add_mapping(run->anatomy, layout, guest, line);
	fclose(maps);
	return run;
}

#endif
