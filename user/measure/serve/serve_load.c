// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/serve/serve_load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"

enum { ANSWER_MAX = 512, EVENTS = 64, PATIENCE_MS = 10000 };
static const char request_text[] = "GET / HTTP/1.0\r\n\r\n";
static const char answer_start[] = "HTTP/1.0 200 ", answer_end[] = "\r\n\r\nok\n";

struct connection {
	int fd; /* -1: none */
	bool sent;
	double begin;
	char answer[ANSWER_MAX];
	size_t length;
};

struct load {
	const struct load_request *request;
	struct connection *connections;
	int epoll;
	uint64_t started, done;
	double *durations;
	char **reason;
};

static enum load_outcome fail_load(struct load *load, const char *what, int error)
{
	*load->reason = error ? text__of("%s: %s", what, strerror(error)) : checked_strdup(what);
	return LOAD_FAILED;
}

static enum load_outcome fail_to_open(struct load *load)
{
	return fail_load(load,
		    errno == EMFILE ? "cannot open a connection (try a lower --concurrency, or a "
				      "higher ulimit -n)" :
				      "cannot open a connection",
		    errno);
}

static int watch(struct load *load, struct connection *connection, int how, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = connection };

	return epoll_ctl(load->epoll, how, connection->fd, &event);
}

/* The loopback interface connects at once, so the request can mostly be sent at once. */
static int send_request(struct connection *connection)
{
	ssize_t sent = send(connection->fd, request_text, sizeof(request_text) - 1, MSG_NOSIGNAL);

	connection->sent = sent == sizeof(request_text) - 1;
	return sent < 0 && errno != EAGAIN && errno != ENOTCONN ? -1 : 0;
}

static int open_socket(const struct load_request *request, int flags)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons(request->port),
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	/* Close by a reset, so that no port is left in TIME_WAIT. */
	const struct linger reset = { .l_onoff = 1, .l_linger = 0 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0), error;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 || errno == EINPROGRESS)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

static int start(struct load *load, struct connection *connection)
{
	connection->begin = clock__now_ns();
	connection->length = 0;
	connection->fd = open_socket(load->request, SOCK_NONBLOCK);
	if (connection->fd < 0 || send_request(connection) < 0 ||
	    watch(load, connection, EPOLL_CTL_ADD, connection->sent ? EPOLLIN : EPOLLOUT) < 0)
		return -1;
	load->started++;
	return 0;
}

static bool is_whole(const struct connection *connection)
{
	const size_t end = sizeof(answer_end) - 1;

	return connection->length > end && !memcmp(connection->answer, answer_start, sizeof(answer_start) - 1) &&
	       !memcmp(connection->answer + connection->length - end, answer_end, end);
}

static enum load_outcome finish(struct load *load, struct connection *connection)
{
	if (!is_whole(connection))
		return fail_load(load, "a connection was closed before its answer was complete", 0);
	close(connection->fd);
	connection->fd = -1;
	if (load->durations)
		load->durations[load->done] = clock__now_ns() - connection->begin;
	load->done++;
	if (load->started < load->request->count && start(load, connection) < 0)
		return fail_to_open(load);
	return LOAD_DONE;
}

static enum load_outcome advance(struct load *load, struct connection *connection)
{
	ssize_t got;

	if (!connection->sent) {
		if (send_request(connection) < 0 ||
		    watch(load, connection, EPOLL_CTL_MOD, connection->sent ? EPOLLIN : EPOLLOUT))
			return fail_load(load, "cannot send a request", errno);
		return LOAD_DONE;
	}
	while ((got = recv(connection->fd, connection->answer + connection->length,
			   ANSWER_MAX - connection->length, 0)) > 0)
		connection->length += got;
	if (got < 0 && errno == EAGAIN)
		return LOAD_DONE;
	if (got < 0)
		return fail_load(load, "a connection broke", errno);
	return finish(load, connection);
}

static int open_all(struct load *load)
{
	const struct load_request *request = load->request;

	load->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (load->epoll < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		struct epoll_event event = { .events = EPOLLIN };

		if (request->stops[i] >= 0 && epoll_ctl(load->epoll, EPOLL_CTL_ADD, request->stops[i], &event) < 0)
			return -1;
	}
	for (uint32_t i = 0; i < request->concurrency && load->started < request->count; i++) {
		if (start(load, &load->connections[i]) < 0)
			return -1;
	}
	return 0;
}

static enum load_outcome drive(struct load *load)
{
	struct epoll_event events[EVENTS];

	while (load->done < load->request->count) {
		int ready = epoll_wait(load->epoll, events, EVENTS, PATIENCE_MS);

		if (ready < 0 && errno != EINTR)
			return fail_load(load, "cannot wait for an answer", errno);
		if (ready == 0)
			return fail_load(load, "no answer came for 10 seconds", 0);
		for (int i = 0; i < ready; i++) {
			enum load_outcome outcome =
				events[i].data.ptr ? advance(load, events[i].data.ptr) : LOAD_STOPPED;

			if (outcome != LOAD_DONE)
				return outcome;
		}
	}
	return LOAD_DONE;
}

static struct connection *new_connections(const struct load_request *request)
{
	struct connection *connections = checked_calloc(request->concurrency, sizeof(*connections));

	for (uint32_t i = 0; i < request->concurrency; i++)
		connections[i].fd = -1;
	return connections;
}

static void close_all(struct connection *connections, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (connections[i].fd >= 0)
			close(connections[i].fd);
	}
	free(connections);
}

enum load_outcome load__run(const struct load_request *request, double *durations, double *elapsed_ns, char **reason)
{
	struct load load = { .request = request, .durations = durations, .reason = reason };
	enum load_outcome outcome;
	double begin;

	load.connections = new_connections(request);
	begin = clock__now_ns();
	outcome = open_all(&load) < 0 ? fail_to_open(&load) : drive(&load);
	*elapsed_ns = clock__now_ns() - begin;
	close_all(load.connections, request->concurrency);
	if (load.epoll >= 0)
		close(load.epoll);
	return outcome;
}

enum load_outcome load__hold(const struct load_request *request, void (*look)(void *context),
			     void *context, char **reason)
{
	struct load load = { .request = request, .reason = reason };
	enum load_outcome outcome = LOAD_DONE;

	load.connections = new_connections(request);
	for (uint32_t i = 0; i < request->concurrency && outcome == LOAD_DONE; i++) {
		load.connections[i].fd = open_socket(request, SOCK_NONBLOCK);
		if (load.connections[i].fd < 0)
			outcome = fail_to_open(&load);
	}
	if (outcome == LOAD_DONE)
		look(context);
	close_all(load.connections, request->concurrency);
	return outcome;
}
