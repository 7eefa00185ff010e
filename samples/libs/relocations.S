/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A library with COUNT relocations, each with a symbol of its own that the dynamic linker has to
 * look up before the program can start: words that hold their own address under a global name.
 */
	.file "relocations.S" /* else the linker names a temporary object */
	.altmacro
	.macro word number
	.globl relocation_\number
relocation_\number:
	.quad relocation_\number
	.endm

	.data
	.set number, 0
	.rept COUNT
	word %number
	.set number, number + 1
	.endr

	.section .note.GNU-stack, "", @progbits
