// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/number.h"

void notify__say(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	int fd;

	if (length < 2 || length >= sizeof(address.sun_path) || !strchr("/@", *path))
		return;
	memcpy(address.sun_path, path, length);
	if (*path == '@') /* in the abstract namespace, without an end */
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&address,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	close(fd);
}

uint64_t notify__watchdog_ns(void)
{
	const char *time = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	uint64_t us, whom;

	if (!time || !number__whole(time, 1, UINT64_MAX / 1000, &us))
		return 0;
	if (pid && (!number__whole(pid, 1, INT32_MAX, &whom) || (pid_t)whom != getpid()))
		return 0;
	return us * 1000;
}
