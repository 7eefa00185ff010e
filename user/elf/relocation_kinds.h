/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Relocation types of each machine, by what they ask of the dynamic linker.
 */
#ifndef FORKTAX_ELF_RELOCATION_KINDS_H
#define FORKTAX_ELF_RELOCATION_KINDS_H

#include "elf/relocations.h"

/* `machine` as e_machine, `type` as in r_info. */
enum elf_relocation_kind elf_relocation__kind(unsigned int machine, uint32_t type);

/* Whether the word gets the address of the relocation's symbol and nothing else. */
bool elf_relocation__is_slot(unsigned int machine, uint32_t type);

#endif
