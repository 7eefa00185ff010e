/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the dynamic linker did to the objects of a traced run, from three witnesses: the tables of
 * the ELF files, the memory of the parent at its first fork (anatomy.layouts), and the pages that
 * ld.so changed in children (anatomy.got_pages).
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_BINDINGS_H
#define FORKTAX_ANALYSIS_BINDINGS_BINDINGS_H

#include "model/run.h"

/*
 * Fills bindings and symbols of run->anatomy, and names the slots among the places of its rows
 * ("_exit@got"). For live runs only, once, after anatomy__resolve().
 *
 * Bindings: one per layout and ELF object that is loaded in it, that is, mapped to execute or to
 * write, and unchanged on disk. By layout, then by object.
 * - A JUMP_SLOT is unbound while it holds what its file states for it plus the load address, and
 *   that lies in the segment of its own PLT; so a slot that leads to a function of its own object
 *   counts as bound. One that the parent bound after the fork, but before its memory was read, is
 *   unbound, too, as far as that can be told (object_bindings.c). Both counts are ABSENT if any
 *   JUMP_SLOT could not be read.
 * - `lazy` is what the loader did, not what the file allows: the third word of DT_PLTGOT holds
 *   the resolver if, and only if, slots wait for it; LD_BIND_NOW and musl leave it zero.
 * - startup_pages is ABSENT for processes that were attached to, and if nothing of the start of
 *   the layout's executable was recorded. With several programs of that name or several execs it
 *   is the union. child_pages counts pages that ld.so copied, of anonymous memory or of the file.
 * - bound_to and data_to count words of other objects, so an object that others use only by
 *   dlsym(3), thread-local variables or copy relocations has 0. They are ABSENT in a layout of
 *   which some slot could not be read or some loaded file not be looked into.
 *
 * Symbols: by group, then by children, descending.
 * - BY_GOT_DIFFERENCE: the JUMP_SLOT was unbound before ld.so wrote its page, and is not at the
 *   child's end. `children` sums up the got_pages that show it. If ld.so wrote to the page in more
 *   recorded children than the source kept contents of (it does so for the first ones), it is
 *   scaled up to those: an estimate then, but one that compares with sample.children.
 * - BY_FIRST_SLOT: of pages without got_pages: the JUMP_SLOT at the fault's address, so one symbol
 *   a page. If the row says `varies`, which slot the other faults hit is not known, and `children`
 *   is 1. The provider is not known.
 */
void bindings__find(struct run *run);

/*
 * Sets `opened` of all bindings: no file asks for the object, so that the program opened it as it ran
 * (dlopen(3)), or LD_PRELOAD put it in. Where the libraries of a program cannot be found, of none.
 */
void bindings__find_opened(struct run *run);

#endif
