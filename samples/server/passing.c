/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Models in which one process accepts and hands each connection over a Unix socket
 * (SCM_RIGHTS): to workers that wait for it, or to a small daemon that forks for it.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "server.h"

/* Control data of exactly one descriptor. */
union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

static void pass(int channel, int connection)
{
	char byte = 0;
	struct iovec data = {&byte, 1};
	union control control;
	struct msghdr message;
	ssize_t sent;

	memset(&control, 0, sizeof(control));
	memset(&message, 0, sizeof(message));
	message.msg_iov = &data;
	message.msg_iovlen = 1;
	message.msg_control = control.room;
	message.msg_controllen = sizeof(control.room);
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &connection, sizeof(int));
	do
		sent = sendmsg(channel, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		children__fail("cannot hand a connection over");
	close(connection);
}

static int receive(int channel)
{
	char byte;
	struct iovec data = {&byte, 1};
	union control control;
	struct msghdr message;
	ssize_t got;
	int connection;

	memset(&message, 0, sizeof(message));
	message.msg_iov = &data;
	message.msg_iovlen = 1;
	message.msg_control = control.room;
	message.msg_controllen = sizeof(control.room);
	do
		got = recvmsg(channel, &message, 0);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		_exit(0); /* the server has ended */
	if (!CMSG_FIRSTHDR(&message) || (message.msg_flags & MSG_CTRUNC)) {
		errno = 0;
		children__fail("a connection was lost on its way: too many open files?");
	}
	memcpy(&connection, CMSG_DATA(&control.header), sizeof(int));
	return connection;
}

/* [0] is for the server, [1] for whom it hands connections to. */
static void open_channel(int channel[2])
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel))
		children__fail("cannot make a Unix socket");
}

static void hand_over(const struct server *server, int channel[2])
{
	close(channel[1]);
	children__watch();
	children__ready();
	for (;;)
		pass(channel[0], request__take(server));
}

void passing__workers(const struct server *server)
{
	int channel[2];

	server__carry(server);
	open_channel(channel);
	for (long i = 0; i < server->workers; i++) {
		if (children__keep() == 0) {
			close(channel[0]);
			for (;;)
				request__answer(receive(channel[1]));
		}
	}
	hand_over(server, channel);
}

static void fork_on_demand(const int channel[2], const int reported[2])
{
	close(channel[0]);
	children__become_daemon();
	close(reported[0]);
	close(reported[1]);
	for (;;) {
		int connection = receive(channel[1]);

		if (children__fork() == 0) {
			request__answer(connection);
			_exit(0);
		}
		close(connection);
		children__reap();
	}
}

/* The daemon is there before the server grows: that is the point of it. */
void passing__daemon(const struct server *server)
{
	int channel[2], reported[2];
	char byte;

	open_channel(channel);
	if (pipe(reported))
		children__fail("cannot make a pipe");
	if (children__keep() == 0) {
		close(server->socket);
		fork_on_demand(channel, reported);
	}
	close(reported[1]); /* the daemon closes its own when it can be asked what it has used */
	if (read(reported[0], &byte, 1) != 0)
		children__fail("the daemon did not begin");
	close(reported[0]);
	server__carry(server);
	hand_over(server, channel);
}
