/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which libc an ELF file uses, by evidence only.
 */
#ifndef FORKTAX_ELF_LIBC_H
#define FORKTAX_ELF_LIBC_H

#include "elf/facts.h"
#include "elf/object.h"

/*
 * A dynamic file names its libc by its interpreter, else by DT_NEEDED. A static one shows it by
 * symbols or sections that only that libc has; stripped static musl and dietlibc programs
 * carry none, and stay LIBC_UNKNOWN.
 */
enum elf_libc elf_libc__of(const struct elf_object *object, const struct elf_facts *facts);

#endif
