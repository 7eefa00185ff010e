// SPDX-License-Identifier: GPL-2.0-or-later
/* What calls sleep for: which of them are kept, and who is at the other end of a socket. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "source/calls/call_stream.h"
#include "source/calls/socket_address.h"
#include "source/calls/wait_log.h"

static struct run *run;
static struct call_stream *stream;
static uint64_t now;

static int begin(void **state)
{
	now = 0;
	run = run__new();
	stream = call_stream__new(run, CALLS_FOR_FILES | CALLS_FOR_WAITS);
	call_stream__directory(stream, 1, "/home", 0);
	return 0;
}

static int end(void **state)
{
	call_stream__free(stream);
	run__free(run);
	return 0;
}

/* The next call of process 1. */
static void call(const char *name, uint64_t ns, int64_t result, uint64_t a, uint64_t b, uint64_t c, const void *memory,
		 size_t size)
{
	const struct call_record record = {
		.process = 1, .tid = 1, .name = name, .actor = ACTOR_PROGRAM, .returned = true, .begin_ns = now + 1,
		.end_ns = now + 1 + ns, .entered = now + 1, .left = now + 1 + ns, .result = result,
		.arguments = { a, b, c }, .known = 0x3f, .memory = memory, .memory_size = size,
	};

	now = record.end_ns;
	call_stream__call(stream, &record);
}

static void open_file(int fd, const char *path)
{
	const struct call_record record = {
		.process = 1, .tid = 1, .name = "openat", .actor = ACTOR_PROGRAM, .returned = true, .begin_ns = now + 1,
		.end_ns = now + 2, .entered = now + 1, .left = now + 2, .result = fd,
		.arguments = { AT_FDCWD }, .known = 0x3f, .paths = { path }, .path_states = { PATH_WHOLE },
	};

	now = record.end_ns;
	call_stream__call(stream, &record);
}

static void finish(void)
{
	static const uint32_t positions[] = { NO_GROUP };

	call_stream__finish(stream, positions, 1);
}

static struct sockaddr_in server(uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static void assert_wait(size_t i, enum wait_for what, const char *name, const char *object)
{
	assert_true(i < run->files->wait_count);
	assert_int_equal(run->files->waits[i].what, what);
	assert_string_equal(run->files->waits[i].call, name);
	assert_string_equal(run->files->waits[i].object, object);
}

static void test_sockets(void **state)
{
	const struct sockaddr_in address = server(53), other = server(54);
	const struct pollfd one = { .fd = 3 }, two[2] = { { .fd = 3 }, { .fd = 4 } };

	call("socket", 10, 3, 0, 0, 0, NULL, 0);
	call("connect", WAIT_NS_LEAST, 0, 3, 0, 0, &address, sizeof(address));
	call("recvfrom", WAIT_NS_LEAST, 5, 3, 0, 0, NULL, 0);
	call("recvfrom", WAIT_NS_LEAST - 1, 5, 3, 0, 0, NULL, 0);
	call("poll", WAIT_NS_LEAST, 0, 0, 1, 0, &one, sizeof(one));
	call("poll", WAIT_NS_LEAST, 1, 0, 2, 0, two, sizeof(two));
	call("connect", 10, -ECONNREFUSED, 3, 0, 0, &other, sizeof(other));
	call("recvfrom", WAIT_NS_LEAST, 5, 3, 0, 0, NULL, 0);
	call("close", 10, 0, 3, 0, 0, NULL, 0);
	call("socket", 10, 3, 0, 0, 0, NULL, 0);
	call("recvfrom", WAIT_NS_LEAST, 5, 3, 0, 0, NULL, 0);
	finish();
	assert_wait(0, WAIT_SOCKET, "connect", "127.0.0.1:53");
	assert_wait(1, WAIT_SOCKET, "recvfrom", "127.0.0.1:53");
	assert_wait(2, WAIT_SOCKET, "poll", "127.0.0.1:53");
	assert_true(run->files->waits[2].timed_out);
	assert_wait(3, WAIT_SOCKET, "recvfrom", "127.0.0.1:53");
	assert_wait(4, WAIT_SOCKET, "recvfrom", "");
	assert_int_equal(run->files->wait_count, 5);
}

static void test_locks_and_input(void **state)
{
	open_file(3, "lock");
	call("flock", WAIT_NS_LEAST, 0, 3, LOCK_EX, 0, NULL, 0);
	call("flock", WAIT_NS_LEAST, 0, 3, LOCK_EX | LOCK_NB, 0, NULL, 0);
	call("fcntl", WAIT_NS_LEAST, 0, 3, F_SETLKW, 0, NULL, 0);
	call("fcntl", WAIT_NS_LEAST, 0, 3, F_GETFL, 0, NULL, 0);
	call("read", WAIT_NS_LEAST, 0, 3, 0, 0, NULL, 0);
	call_stream__descriptor(stream, 1, 0, "pipe:[4711]", false, 0);
	call("read", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	finish();
	assert_wait(0, WAIT_LOCK, "flock", "/home/lock");
	assert_wait(1, WAIT_LOCK, "fcntl", "/home/lock");
	assert_wait(2, WAIT_INPUT, "read", "pipe:");
	assert_int_equal(run->files->wait_count, 3);
}

static void test_timers(void **state)
{
	call("nanosleep", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	call("poll", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	call("poll", WAIT_NS_LEAST, 0, 0, 2, 0, NULL, 0);
	call("select", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	call("select", WAIT_NS_LEAST, 0, 4, 0, 0, NULL, 0);
	call("getpid", WAIT_NS_LEAST, 1, 0, 0, 0, NULL, 0);
	finish();
	assert_wait(0, WAIT_TIMER, "nanosleep", "");
	assert_wait(1, WAIT_TIMER, "poll", "");
	assert_wait(2, WAIT_TIMER, "select", "");
	assert_int_equal(run->files->wait_count, 3);
}

static void test_looks_for_a_child(void **state)
{
	uint64_t looked;

	call("wait4", WAIT_NS_LEAST, 7, 7, 0, 0, NULL, 0);
	call("wait4", 10, 0, 8, 0, WNOHANG, NULL, 0);
	call("nanosleep", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	looked = now + 1;
	call("wait4", 10, 0, 8, 0, WNOHANG, NULL, 0);
	call("nanosleep", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	call("wait4", 10, 8, 8, 0, WNOHANG, NULL, 0);
	call("nanosleep", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	finish();
	assert_wait(0, WAIT_LOOKING, "nanosleep", "");
	assert_wait(1, WAIT_LOOKING, "nanosleep", "");
	assert_wait(2, WAIT_REAP, "wait4", "");
	assert_int_equal(run->files->waits[2].begin_ns, looked);
	assert_int_equal(run->files->waits[2].child, 8);
	assert_wait(3, WAIT_TIMER, "nanosleep", "");
	assert_int_equal(run->files->wait_count, 4);
}

static void test_too_many(void **state)
{
	for (int i = 0; i <= WAITS_MOST; i++)
		call("nanosleep", WAIT_NS_LEAST, 0, 0, 0, 0, NULL, 0);
	finish();
	assert_null(run->files->waits);
}

static void assert_address(const char *text, const void *address, size_t size)
{
	char found[WAIT_OBJECT];

	assert_true(socket_address__text(address, size, found, sizeof(found)));
	assert_string_equal(found, text);
}

static void test_addresses(void **state)
{
	const struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons(53),
					  .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	const struct sockaddr_un path = { AF_UNIX, "/run/nscd/socket" }, name = { AF_UNIX, "\0name" };
	const struct sockaddr_in four = server(53);
	char found[8];

	assert_address("127.0.0.1:53", &four, sizeof(four));
	assert_address("[::1]:53", &six, sizeof(six));
	assert_address("/run/nscd/socket", &path, sizeof(path));
	assert_address("@name", &name, 2 + 5);
	assert_false(socket_address__text(&four, sizeof(four) - 1, found, sizeof(found)));
	assert_false(socket_address__text(&four, sizeof(four), found, sizeof(found)));
	assert_false(socket_address__text(&six, sizeof(six) - 1, found, sizeof(found)));
	assert_false(socket_address__text(&name, 2, found, sizeof(found)));
	assert_false(socket_address__text(&name, 1, found, sizeof(found)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sockets, begin, end),
		cmocka_unit_test_setup_teardown(test_locks_and_input, begin, end),
		cmocka_unit_test_setup_teardown(test_timers, begin, end),
		cmocka_unit_test_setup_teardown(test_looks_for_a_child, begin, end),
		cmocka_unit_test_setup_teardown(test_too_many, begin, end),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
