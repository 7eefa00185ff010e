// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_profile_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/output.h"

char *watch_profile_files__name(double time, pid_t pid)
{
	const time_t seconds = (time_t)floor(time);
	const long ns = (long)((time - (double)seconds) * 1e9);
	struct tm parts;
	char text[64];

	gmtime_r(&seconds, &parts);
	strftime(text, sizeof(text), "%Y%m%dT%H%M%S", &parts);
	return text__of("forktax-copies-%s.%09ldZ-%d.pb.gz", text, ns, (int)pid);
}

bool watch_profile_files__is_name(const char *name)
{
	const char *pattern = "forktax-copies-########T######.#########Z-";

	for (; *pattern; pattern++, name++)
		if (*pattern == '#' ? !isdigit((unsigned char)*name) : *name != *pattern)
			return false;
	if (!isdigit((unsigned char)*name))
		return false;
	while (isdigit((unsigned char)*name))
		name++;
	return !strcmp(name, ".pb.gz");
}

int watch_profile_files__write(const char *directory, const struct watch_profile *profile, char **message)
{
	autofree char *name = watch_profile_files__name(profile->sample->time, getpid());
	autofree char *path = text__of("%s/%s", directory, name);
	struct output *output = output__open(path, NULL, message);

	if (!output)
		return -1;
	watch_profile__print(profile, output__stream(output));
	return output__commit(output, message);
}

static int is_profile(const struct dirent *entry)
{
	return entry->d_type != DT_DIR && watch_profile_files__is_name(entry->d_name);
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

int watch_profile_files__keep(const char *directory, size_t most, char **message)
{
	const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **entries = NULL;
	const int count = fd < 0 ? -1 : scandirat(fd, ".", &entries, is_profile, by_name);
	int err = count < 0 ? error__set(message, "cannot list %s: %m", directory) : 0;

	for (int i = 0; i < count; i++) {
		/* Another watch may have removed it. */
		if (!err && (size_t)(count - i) > most && unlinkat(fd, entries[i]->d_name, 0) && errno != ENOENT)
			err = error__set(message, "cannot remove %s/%s: %m", directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (fd >= 0)
		close(fd);
	return err;
}
