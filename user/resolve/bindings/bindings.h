/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the dynamic linker did to the objects of a traced run. The evidence: the tables of the ELF
 * files, the memory of the parent at its first fork (anatomy.layouts), and the pages that ld.so
 * changed in children (anatomy.got_pages).
 */
#ifndef FORKTAX_RESOLVE_BINDINGS_BINDINGS_H
#define FORKTAX_RESOLVE_BINDINGS_BINDINGS_H

#include "model/run/run.h"

/*
 * Fills bindings and symbols of run->anatomy, and names the slots among the places of its rows
 * ("_exit@got"). For live runs only, once, after anatomy__resolve().
 *
 * Bindings: one per layout and ELF object that it loads (maps to execute or to write) and that is
 * unchanged on disk. By layout, then by object.
 * - A JUMP_SLOT is unbound while it holds the file's value plus the load address, and that lies in
 *   the segment of its own PLT; so a slot that leads to a function of its own object counts as
 *   bound. A slot that the parent bound after the fork, but before its memory was read, counts as
 *   unbound, as far as that shows (object_bindings.c). Both counts are ABSENT if any JUMP_SLOT could
 *   not be read.
 * - `lazy` is what the loader did, not what the file allows: the third word of DT_PLTGOT holds
 *   the resolver if, and only if, slots wait for it; LD_BIND_NOW and musl leave it zero.
 * - startup_pages is ABSENT for attached processes, and if nothing of the start of the layout's
 *   executable was recorded. With several programs of that name or several execs it is the union.
 *   child_pages counts pages that ld.so copied, of anonymous memory or of the file.
 * - bound_to and data_to count words of other objects, so an object that others use only by
 *   dlsym(3), thread-local variables or copy relocations has 0. They are ABSENT if some slot of the
 *   layout or some loaded file could not be read. `awaited` then is false; else, where both are 0, it
 *   compares names only, without versions and the order of objects: true too often rather than too rarely.
 *
 * Symbols: by group, then by children, descending.
 * - BY_GOT_DIFFERENCE: the JUMP_SLOT was unbound before ld.so wrote its page, and bound at the
 *   child's end. `children` sums up the got_pages that show it. The source keeps contents of the
 *   first children only; if ld.so wrote the page in more recorded children, `children` is scaled up
 *   to these: an estimate, but one that compares with sample.children.
 * - BY_FIRST_SLOT: for pages without got_pages, the JUMP_SLOT at the fault's address: one symbol
 *   per page. If the row says `varies`, the slots of the other faults are unknown and `children` is
 *   1. The provider is not known.
 */
void bindings__find(struct run *run);

/*
 * Sets `opened` of bindings whose object no file asks for: the program opened it as it ran
 * (dlopen(3)), or LD_PRELOAD added it. Sets none if the libraries of the program cannot be found.
 */
void bindings__find_opened(struct run *run);

#endif
