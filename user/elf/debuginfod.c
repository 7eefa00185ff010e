// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/debug.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * The library is loaded only when needed: it brings an HTTP client and some thirty more libraries.
 */
struct client {
	void *(*begin)(void);
	int (*find)(void *client, const unsigned char *id, int size, char **path);
	void (*end)(void *client);
};

static bool load(struct client *client)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW);

	if (!library)
		return false;
	client->begin = dlsym(library, "debuginfod_begin");
	client->find = dlsym(library, "debuginfod_find_debuginfo");
	client->end = dlsym(library, "debuginfod_end");
	return client->begin && client->find && client->end;
}

char *debuginfod__fetch(const struct build_id *id)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct client client;
	char *path = NULL;
	void *handle;
	int fd;

	if (!urls || !*urls || !load(&client))
		return NULL;
	handle = client.begin();
	if (!handle)
		return NULL;
	fd = client.find(handle, id->bytes, id->size, &path);
	client.end(handle);
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? path : NULL;
}
