// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/wait_log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "source/calls/call_objects.h"
#include "source/calls/socket_address.h"

static void keep(struct wait_log *log, const struct wait *wait)
{
	if (log->count == WAITS_MOST) {
		log->left_out++;
		return;
	}
	log->list = checked_grow(log->list, log->count, sizeof(*log->list));
	log->list[log->count++] = *wait;
}

/* The address that the call names; "": none. */
static void read_address(char address[WAIT_OBJECT], const struct waiting_call *kind, const struct call_record *call)
{
	if (!call->memory || kind->lists ||
	    !socket_address__text(call->memory, call->memory_size, address, WAIT_OBJECT))
		*address = 0;
}

/* Where something is sent to, or who is asked: from now on that socket's other end. */
static void learn_peer(struct path_table *paths, const struct stream_process *process, const struct waiting_call *kind,
		       const struct call_record *call, const char *address)
{
	uint64_t descriptor;

	if (*address && call_objects__argument(call, kind->descriptor, &descriptor) &&
	    (!call_record__failed(call) || call->result == -EINPROGRESS))
		descriptors__set_peer(process->descriptors, (int32_t)descriptor, call_objects__named(paths, address));
}

/* The one descriptor that poll waits for; -1: it has several, or it is not known. */
static int32_t only_one(const struct call_record *call)
{
	struct pollfd first;

	if (!call->memory || call->memory_size != sizeof(first))
		return -1;
	memcpy(&first, call->memory, sizeof(first));
	return first.fd;
}

static int32_t descriptor_of(const struct waiting_call *kind, const struct call_record *call)
{
	uint64_t value;

	if (kind->lists)
		return only_one(call);
	return call_objects__argument(call, kind->descriptor, &value) ? (int32_t)value : -1;
}

static bool is_terminal(const char *path)
{
	return !strncmp(path, "/dev/tty", strlen("/dev/tty")) || !strncmp(path, "/dev/pts/", strlen("/dev/pts/"));
}

/* F_SETLKW of 32-bit programs, and that of open file descriptions: <linux/fcntl.h>. */
static bool waits_for_lock(const struct call_record *call)
{
	enum { SETLKW64 = 14, OFD_SETLKW = 38 };

	if (!strcmp(call->name, "flock"))
		return !(call->arguments[1] & LOCK_NB);
	return !strcmp(call->name, "fcntl") && (call->arguments[1] == F_SETLKW || call->arguments[1] == SETLKW64 ||
						call->arguments[1] == OFD_SETLKW);
}

static void name_object(struct wait *wait, const char *text)
{
	if (text && strlen(text) < sizeof(wait->object))
		strcpy(wait->object, text);
}

/* What a call waits for that has a descriptor. False: a disk, or something that is not known. */
static bool find_object(struct wait *wait, struct path_table *paths, const struct stream_process *process,
			const struct waiting_call *kind, const struct call_record *call, const char *address)
{
	const int32_t descriptor = descriptor_of(kind, call);
	const uint32_t object = descriptors__get(process->descriptors, descriptor, call_objects__span(call), true);
	const char *text = path_table__text(paths, object);

	wait->timed_out = kind->lists && call->returned && !call->result;
	if (waits_for_lock(call)) {
		wait->what = WAIT_LOCK;
		name_object(wait, text);
		return true;
	}
	if (text && !strcmp(text, "socket:")) {
		wait->what = WAIT_SOCKET;
		name_object(wait, *address ? address :
				  path_table__text(paths, descriptors__peer(process->descriptors, descriptor)));
		return true;
	}
	wait->what = WAIT_INPUT;
	name_object(wait, text);
	return text && (!strcmp(text, "pipe:") || is_terminal(text)) && strcmp(call->name, "fcntl") != 0;
}

static bool is_pause(const struct waiting_call *kind, const struct call_record *call)
{
	uint64_t count;

	return kind->on_timer || (kind->count && call_objects__argument(call, kind->count, &count) && !count);
}

/* A child is looked for, and has ended or not: what the process sleeps in between is for that child. */
static void look_for_child(struct wait_log *log, struct stream_process *process, const struct call_record *call)
{
	if (!call->returned || call_record__failed(call))
		return;
	if (!call->result) {
		process->looked_ns = call->begin_ns;
		return;
	}
	if (process->looked_ns && call->arguments[2] & WNOHANG)
		keep(log, &(struct wait){ .process = process->id, .tid = call->tid, .what = WAIT_REAP, .call = "wait4",
					  .child = (int32_t)call->result, .begin_ns = process->looked_ns,
					  .end_ns = call->begin_ns });
	process->looked_ns = 0;
}

void wait_log__call(struct wait_log *log, struct path_table *paths, struct stream_process *process,
		    const struct call_record *call)
{
	const struct waiting_call *kind = waiting_call__find(call->name);
	struct wait wait = {
		.process = process->id,
		.tid = call->tid,
		.begin_ns = call->begin_ns,
		.end_ns = call->end_ns,
	};
	char address[WAIT_OBJECT];

	if (!kind || call->denied || call->begin_ns == ABSENT || call->end_ns == ABSENT)
		return;
	wait.call = kind->name;
	if (!strcmp(kind->name, "wait4")) {
		look_for_child(log, process, call);
		return;
	}
	read_address(address, kind, call);
	learn_peer(paths, process, kind, call, address);
	if (call->end_ns - call->begin_ns < WAIT_NS_LEAST)
		return;
	wait.what = process->looked_ns ? WAIT_LOOKING : WAIT_TIMER;
	if (is_pause(kind, call) || find_object(&wait, paths, process, kind, call, address))
		keep(log, &wait);
}

void wait_log__finish(struct wait_log *log, struct files *files)
{
	if (log->left_out)
		return;
	files->waits = log->list;
	files->wait_count = log->count;
	log->list = NULL;
}

void wait_log__release(struct wait_log *log)
{
	free(log->list);
}
