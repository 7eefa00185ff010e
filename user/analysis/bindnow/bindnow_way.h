/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When the functions that an ELF file calls in other files are bound to their addresses.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_WAY_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_WAY_H

enum bindnow_way {
	WAY_UNKNOWN,  /* the file could not be read */
	WAY_LAZY,     /* at their first call: the only way that LD_BIND_NOW changes */
	WAY_NOW,      /* at start: the file asks for it */
	WAY_MUSL,     /* at start: musl never does otherwise */
	WAY_NO_SLOTS, /* it calls none, or only through words bound at start (-fno-plt) */
	WAY_SELF,     /* a dynamic linker: it binds itself first of all */
	WAY_STATIC,   /* no dynamic linker */
	WAY_COUNT
};

extern const char *const bindnow_way_keys[WAY_COUNT];

#endif
