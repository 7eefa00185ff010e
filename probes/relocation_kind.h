/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Relocations by what they ask of the dynamic linker: row ID, key (JSON).
 */
#ifndef FORKTAX_RELOCATION_KIND_H
#define FORKTAX_RELOCATION_KIND_H

#define RELOCATION_KINDS(ROW)                                                                      \
	ROW(RELATIVE, "relative")                                                                  \
	ROW(RELR, "relr") /* a relative one, packed */                                             \
	ROW(GLOB_DAT, "glob_dat")                                                                  \
	ROW(JUMP_SLOT, "jump_slot")                                                                \
	ROW(IRELATIVE, "irelative")                                                                \
	ROW(COPY, "copy")                                                                          \
	ROW(TLS, "tls")                                                                            \
	ROW(OTHER, "other") /* those of other machines than x86, too, except RELR */

#define RELOCATION_ID(id, key) RELOC_##id,
enum relocation_kind { RELOCATION_KINDS(RELOCATION_ID) RELOC_KIND_COUNT };
#undef RELOCATION_ID

#endif
