/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an ELF file offers to others by name, and what it asks of them: its dynamic symbols, with
 * versions, as far as relocations refer to them.
 */
#ifndef FORKTAX_ELF_LINKING_H
#define FORKTAX_ELF_LINKING_H

#include "elf/object.h"

struct elf_definition {
	const char *name;
	const char *version; /* NULL: it has none */
	bool is_hidden; /* only for those who ask for the version */
	bool is_stub; /* undefined here: the PLT entry that stands for a function's address */
};

struct elf_reference {
	const char *name;
	const char *version; /* NULL: any */
	bool calls; /* through the PLT ... */
	bool takes; /* ... otherwise: each is looked up by itself */
	bool copies; /* what another object defines */
};

struct elf_linking {
	struct elf_definition *definitions;
	size_t definition_count;
	struct elf_reference *references; /* one for each symbol; also to what it defines itself */
	size_t reference_count;
	char **needed; /* DT_NEEDED, NULL-terminated */
	char *soname; /* NULL: none */
	bool is_symbolic; /* looks for symbols in itself first */
	char *strings; /* all names */
};

/* NULL and a reason, to be freed, if the file contradicts itself or cannot be read. */
struct elf_linking *elf_linking__read(const struct elf_object *object, char **reason);
void elf_linking__free(struct elf_linking *linking); /* NULL is fine */

/* Does ld.so bind the reference to that definition, whose name is the same; that of a call? */
bool elf_definition__meets(const struct elf_definition *definition, const struct elf_reference *reference, bool call);

#endif
