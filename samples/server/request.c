/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One request and its answer, the same in every model.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server.h"

enum { REQUEST_MAX = 4096 };

/* What a printf(1) of the model shell makes it of as well. */
const char request_answer[] = "HTTP/1.0 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nok\\n";
static const char answer[] = "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n";

int request__take(const struct server *server)
{
	for (;;) {
		int connection = accept(server->socket, NULL, NULL);

		if (connection >= 0)
			return connection;
		/* The client may have gone before it was its turn. */
		if (errno != EINTR && errno != ECONNABORTED)
			children__fail("cannot accept a connection");
	}
}

int request__read(int connection)
{
	char request[REQUEST_MAX + 1];
	size_t length = 0;

	while (length < REQUEST_MAX) {
		ssize_t got = read(connection, request + length, REQUEST_MAX - length);

		if (got <= 0)
			return 0;
		length += got;
		request[length] = '\0';
		if (strstr(request, "\r\n\r\n"))
			return 1;
	}
	return 0;
}

/* A client that has gone is no affair of ours: no SIGPIPE. */
void request__answer(int connection)
{
	if (request__read(connection))
		send(connection, answer, sizeof(answer) - 1, MSG_NOSIGNAL);
	close(connection);
}
