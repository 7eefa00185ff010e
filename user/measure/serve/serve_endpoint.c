// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "measure/serve/serve.h"
#include "measure/serve/serve_server.h"

/* The kernel lowers it to its limit. */
enum { BACKLOG = SERVE_CONCURRENCY_MAX };

static int listen_on(struct serve_endpoint *endpoint)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	const int yes = 1;

	endpoint->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (endpoint->listener < 0)
		return -1;
	/* Connections of an earlier round may linger in TIME_WAIT. */
	setsockopt(endpoint->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(endpoint->listener, (struct sockaddr *)&address, length) < 0 ||
	    listen(endpoint->listener, BACKLOG) < 0 ||
	    getsockname(endpoint->listener, (struct sockaddr *)&address, &length) < 0)
		return -1;
	endpoint->port = ntohs(address.sin_port);
	return 0;
}

int serve_endpoint__open(struct serve_endpoint *endpoint, char **reason)
{
	long size = sysconf(_SC_PAGESIZE);

	*endpoint = (struct serve_endpoint){ -1, -1, 0, MAP_FAILED };
	if (listen_on(endpoint) == 0) {
		endpoint->page_fd = memfd_create("forktax-serve", MFD_CLOEXEC);
		if (endpoint->page_fd >= 0 && ftruncate(endpoint->page_fd, size) == 0)
			endpoint->page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, endpoint->page_fd, 0);
		if (endpoint->page != MAP_FAILED)
			return 0;
	}
	error__set(reason, "cannot listen on 127.0.0.1: %s", strerror(errno));
	serve_endpoint__close(endpoint);
	return -1;
}

void serve_endpoint__share(const struct serve_endpoint *endpoint, bool shared)
{
	fcntl(endpoint->listener, F_SETFD, shared ? 0 : FD_CLOEXEC);
	fcntl(endpoint->page_fd, F_SETFD, shared ? 0 : FD_CLOEXEC);
}

void serve_endpoint__close(struct serve_endpoint *endpoint)
{
	if (endpoint->page != MAP_FAILED)
		munmap(endpoint->page, sysconf(_SC_PAGESIZE));
	if (endpoint->page_fd >= 0)
		close(endpoint->page_fd);
	if (endpoint->listener >= 0)
		close(endpoint->listener);
	*endpoint = (struct serve_endpoint){ -1, -1, 0, MAP_FAILED };
}
