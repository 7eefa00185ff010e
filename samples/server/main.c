/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * server -m MODEL: answers HTTP requests on the loopback interface; the subject of
 * `forktax bench serve`, and of any other load generator:
 *
 *	server -m prefork -w 8 -p 8080 & ab -n 10000 -c 8 http://127.0.0.1:8080/
 *
 *	-m MODEL	fork, exec, prefork, passing, daemon, threads or shell
 *	-w N		workers (8)
 *	-p PORT		port (8080)
 *	-s PATH		shell of the model shell (/bin/sh)
 *	-r BYTES	memory that the serving process has written
 *	-L FD -P FD	instead: a listening socket, and the page of probes/serve_page.h
 *	-a		answer the one request on stdin (what the model exec executes)
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server.h"

enum { PAGE = 4096, BACKLOG = 4096 };

static struct serve_page own_page; /* nobody looks */

static void print_error(const char *text)
{
	if (write(2, text, strlen(text)) < 0)
		_exit(2);
}

static void usage(void)
{
	print_error(
		"server: -m fork, exec, prefork, passing, daemon, threads or shell; and numbers "
		"must be whole\n");
	_exit(2);
}

static unsigned long number(const char *text, unsigned long least, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || value < least || value > most)
		usage();
	return value;
}

static int listen_on(unsigned long port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, BACKLOG))
		children__fail("cannot listen");
	return fd;
}

static struct serve_page *map_page(int fd)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		children__fail("cannot map the page of -P");
	close(fd);
	return page;
}

int main(int argc, char **argv)
{
	struct server server = {.socket = -1, .workers = 8, .shell = "/bin/sh", .page = &own_page};
	unsigned long port = 8080;
	model_fn *model = NULL;
	int option;

	while ((option = getopt(argc, argv, "m:w:p:s:r:L:P:a")) != -1) {
		switch (option) {
		case 'm':
			model = models__find(optarg);
			break;
		case 'w':
			server.workers = number(optarg, 1, WORKERS_MAX);
			break;
		case 'p':
			port = number(optarg, 1, 65535);
			break;
		case 's':
			server.shell = optarg;
			break;
		case 'r':
			server.resident = number(optarg, 0, 1ul << 46);
			break;
		case 'L':
			server.socket = number(optarg, 0, 1 << 20);
			break;
		case 'P':
			server.page = map_page(number(optarg, 0, 1 << 20));
			break;
		case 'a':
			request__answer(0);
			_exit(0);
		default:
			usage();
		}
	}
	if (!model)
		usage();
	children__begin(server.page);
	if (server.socket < 0)
		server.socket = listen_on(port);
	model(&server);
	return 1;
}
