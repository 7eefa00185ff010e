/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A child that ends with its parent, also with one that has ended before the child could ask for that: it would keep
 * the test's pipes open, and ctest would wait for it.
 */
#ifndef FORKTAX_TESTS_CONFORMANCE_DIE_WITH_H
#define FORKTAX_TESTS_CONFORMANCE_DIE_WITH_H

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static inline void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
}

#endif
