/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tells the service manager that started us how we are: the protocol of sd_notify(3).
 */
#ifndef FORKTAX_BASE_NOTIFY_H
#define FORKTAX_BASE_NOTIFY_H

#include <stdint.h>

/* "READY=1", "WATCHDOG=1", "STOPPING=1". Does nothing if nobody asked for it (NOTIFY_SOCKET), or cannot be reached. */
void notify__say(const char *state);
/* Within which time the manager wants to hear "WATCHDOG=1"; 0: it does not. */
uint64_t notify__watchdog_ns(void);

#endif
