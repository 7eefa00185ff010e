/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * _start of a program whose code is guarded by BTI. That of Debian 12's C library does not begin with a landing pad, and
 * nor do _init and frame_dummy in the other start files, which are left out: nothing here needs them.
 */
__asm__(".pushsection .text\n"
	".globl _start\n"
	".type _start, %function\n"
	"_start:\n\t"
	"hint 34\n\t" /* bti c */
	"mov x29, #0\n\t"
	"mov x30, #0\n\t"
	"mov x5, x0\n\t"
	"ldr x1, [sp]\n\t"
	"add x2, sp, #8\n\t"
	"mov x6, sp\n\t"
	"adrp x0, main\n\t"
	"add x0, x0, :lo12:main\n\t"
	"mov x3, #0\n\t"
	"mov x4, #0\n\t"
	"bl __libc_start_main\n"
	".popsection");
