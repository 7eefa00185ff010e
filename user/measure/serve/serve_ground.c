// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory.h"
#include "measure/serve/serve.h"
#include "measure/serve/serve_server.h"

/* Where there is a limit, the kernel takes what it allows. */
enum { BACKLOG = SERVE_CONCURRENCY_MAX };

static int explain(char **reason, uint16_t port)
{
	int error = errno;

	if (asprintf(reason, error == EADDRINUSE ? "cannot listen on 127.0.0.1:%d: %s; without "
						   "--port a free one is taken" :
						   "cannot listen on 127.0.0.1:%d: %s",
		     port, strerror(error)) < 0)
		err(125, "out of memory");
	return -1;
}

static int listen_on(struct serve_ground *ground, uint16_t port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	const int yes = 1;

	ground->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (ground->listener < 0)
		return -1;
	/* Connections of the round before may linger in TIME_WAIT. */
	setsockopt(ground->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(ground->listener, (struct sockaddr *)&address, length) < 0 ||
	    listen(ground->listener, BACKLOG) < 0 ||
	    getsockname(ground->listener, (struct sockaddr *)&address, &length) < 0)
		return -1;
	ground->port = ntohs(address.sin_port);
	return 0;
}

int serve_ground__open(struct serve_ground *ground, uint16_t port, char **reason)
{
	long size = sysconf(_SC_PAGESIZE);

	*ground = (struct serve_ground){ -1, -1, 0, MAP_FAILED };
	if (listen_on(ground, port) == 0) {
		ground->page_fd = memfd_create("forktax-serve", MFD_CLOEXEC);
		if (ground->page_fd >= 0 && ftruncate(ground->page_fd, size) == 0)
			ground->page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
					    ground->page_fd, 0);
		if (ground->page != MAP_FAILED)
			return 0;
	}
	explain(reason, port);
	serve_ground__close(ground);
	return -1;
}

void serve_ground__share(const struct serve_ground *ground, bool shared)
{
	fcntl(ground->listener, F_SETFD, shared ? 0 : FD_CLOEXEC);
	fcntl(ground->page_fd, F_SETFD, shared ? 0 : FD_CLOEXEC);
}

void serve_ground__close(struct serve_ground *ground)
{
	if (ground->page != MAP_FAILED)
		munmap(ground->page, sysconf(_SC_PAGESIZE));
	if (ground->page_fd >= 0)
		close(ground->page_fd);
	if (ground->listener >= 0)
		close(ground->listener);
	*ground = (struct serve_ground){ -1, -1, 0, MAP_FAILED };
}

int serve_settings__try_port(const struct serve_settings *settings, char **reason)
{
	struct serve_ground ground;

	if (serve_ground__open(&ground, settings->port, reason) < 0)
		return -1;
	serve_ground__close(&ground);
	return 0;
}
