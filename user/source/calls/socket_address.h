/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses of sockets as text.
 */
#ifndef FORKTAX_SOURCE_CALLS_SOCKET_ADDRESS_H
#define FORKTAX_SOURCE_CALLS_SOCKET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

/* "127.0.0.1:53", "[::1]:53", "/run/nscd/socket", "@name". False: of another family, or not all is there. */
bool socket_address__text(const void *memory, size_t size, char *text, size_t room);

#endif
