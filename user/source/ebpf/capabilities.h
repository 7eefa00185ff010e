/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forktax uses of kernel, privileges and machine, each tried rather than guessed from a
 * version number.
 */
#ifndef FORKTAX_SOURCE_EBPF_CAPABILITIES_H
#define FORKTAX_SOURCE_EBPF_CAPABILITIES_H

#include <stdbool.h>
#include <stddef.h>

enum capability_state { CAPABILITY_THERE, CAPABILITY_MISSING, CAPABILITY_UNTRIED };

struct capability {
	const char *name;
	bool needed; /* nothing can be traced without it */
	/* Tries it. On anything but CAPABILITY_THERE may say why in `why`. */
	enum capability_state (*try)(char *why, size_t size);
	const char *cost; /* what is lost without it */
	const char *remedy; /* how to get it */
};

extern const struct capability capabilities[];
extern const size_t capability_count;

#endif
