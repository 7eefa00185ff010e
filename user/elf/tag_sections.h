/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sections of a file that has no section headers: what dynamic tags and program headers point to
 * gets the name that linkers give it. The rest of a segment is named after the segment, in
 * brackets: "[code]", "[relro]", "[data]", "[constants]"; what lies behind its file part is ".bss".
 */
#ifndef FORKTAX_ELF_TAG_SECTIONS_H
#define FORKTAX_ELF_TAG_SECTIONS_H

#include "elf/sections.h"

void elf_tag_sections__add(struct elf_sections *sections, const struct elf_object *object);

#endif
