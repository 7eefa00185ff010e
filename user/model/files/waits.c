// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/files/waits.h"

#include <stddef.h>
#include <string.h>

static const struct waiting_call calls[] = {
	{ "accept", .descriptor = 1 },
	{ "accept4", .descriptor = 1 },
	{ "clock_nanosleep", .on_timer = true },
	{ "connect", .descriptor = 1, .memory = 2 },
	{ "fcntl", .descriptor = 1 },
	{ "flock", .descriptor = 1 },
	{ "nanosleep", .on_timer = true },
	{ "poll", .memory = 1, .lists = true, .count = 2 },
	{ "ppoll", .memory = 1, .lists = true, .count = 2 },
	{ "pselect6", .count = 1 },
	{ "read", .descriptor = 1 },
	{ "readv", .descriptor = 1 },
	{ "recvfrom", .descriptor = 1 },
	{ "recvmsg", .descriptor = 1 },
	{ "select", .count = 1 },
	{ "sendto", .descriptor = 1, .memory = 5 },
	{ .name = "wait4" },
};

const struct waiting_call *waiting_call__find(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}
