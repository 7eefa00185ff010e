// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static bool of_ipv4(const void *memory, size_t size, char *text, size_t room)
{
	struct sockaddr_in address;
	char name[INET_ADDRSTRLEN];

	if (size < sizeof(address))
		return false;
	memcpy(&address, memory, sizeof(address));
	inet_ntop(AF_INET, &address.sin_addr, name, sizeof(name));
	return snprintf(text, room, "%s:%u", name, ntohs(address.sin_port)) < (int)room;
}

static bool of_ipv6(const void *memory, size_t size, char *text, size_t room)
{
	struct sockaddr_in6 address;
	char name[INET6_ADDRSTRLEN];

	if (size < sizeof(address))
		return false;
	memcpy(&address, memory, sizeof(address));
	inet_ntop(AF_INET6, &address.sin6_addr, name, sizeof(name));
	return snprintf(text, room, "[%s]:%u", name, ntohs(address.sin6_port)) < (int)room;
}

/* A name in the abstract namespace begins with a NUL. */
static bool of_unix(const char *memory, size_t size, char *text, size_t room)
{
	const size_t begin = offsetof(struct sockaddr_un, sun_path);
	const bool is_abstract = size > begin && !memory[begin];
	const size_t length = size > begin + is_abstract ? size - begin - is_abstract : 0;

	if (!length)
		return false;
	return snprintf(text, room, "%s%.*s", is_abstract ? "@" : "", (int)length, memory + begin + is_abstract) <
	       (int)room;
}

bool socket_address__text(const void *memory, size_t size, char *text, size_t room)
{
	sa_family_t family;

	if (size < sizeof(family))
		return false;
	memcpy(&family, memory, sizeof(family));
	switch (family) {
	case AF_INET:
		return of_ipv4(memory, size, text, room);
	case AF_INET6:
		return of_ipv6(memory, size, text, room);
	case AF_UNIX:
		return of_unix(memory, size, text, room);
	default:
		return false;
	}
}
