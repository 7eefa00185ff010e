// SPDX-License-Identifier: GPL-2.0-or-later
/* Which words code loads: executing_line_number() of Debian 12's bash, on both machines, has one pointer in .bss. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "elf/elf_machine.h"

enum { MOST = 16 };

/* As the disassembler says: mov 0xef8c9(%rip),%rax at 468a8; the loads of 32 bits are none. */
static void test_x86(void **state)
{
	static const unsigned char code[] = {
		0x8b, 0x35, 0xce, 0xe0, 0x0e, 0x00, 0x85, 0xf6, 0x74, 0x46, 0x8b, 0x0d, 0xdc, 0xf8, 0x0e, 0x00,
		0x85, 0xc9, 0x75, 0x3c, 0x8b, 0x15, 0xee, 0xf9, 0x0e, 0x00, 0x85, 0xd2, 0x74, 0x0a, 0x8b, 0x05,
		0xd4, 0xe0, 0x0e, 0x00, 0x85, 0xc0, 0x75, 0x28, 0x48, 0x8b, 0x05, 0xc9, 0xf8, 0x0e, 0x00, 0x48,
		0x85, 0xc0, 0x74, 0x1c, 0x8b, 0x10, 0x83, 0xfa, 0x0b, 0x74, 0x0a, 0x83, 0xfa, 0x0a, 0x74, 0x05,
		0x83, 0xfa, 0x0c, 0x75, 0x0b, 0x48, 0x8b, 0x40, 0x18, 0x8b, 0x40, 0x04, 0xc3,
	};
	uint64_t words[MOST];

	assert_int_equal(elf_machine_x86_64.loaded_words(code, sizeof(code), 0x46880, words, MOST), 1);
	assert_int_equal(words[0], 0x136178);
}

/* Four of its words are in the GOT; ldr x0, [x0, #88] at 4a5b8 is the one in .bss. */
static void test_arm64(void **state)
{
	static const uint32_t code[] = {
		0xb0000820, 0xf945d000, 0xb9400000, 0x34000340, 0xf0000860, 0x912d4001, 0xb9405021, 0x350002c1,
		0xb0000821, 0xf942b021, 0xb9400021, 0x340000a1, 0xb0000821, 0xf943d821, 0xb9400021, 0x350001c1,
		0x912d4000, 0xf9402c00, 0xb4000160, 0xb9400001, 0x71002c3f, 0x540000a0, 0x7100283f, 0x54000060,
		0x7100303f, 0x54000081, 0xf9400c00, 0xb9400400, 0xd65f03c0, 0xb0000820, 0xf9467800, 0xb9400000,
	};
	static const uint64_t expected[] = { 0x14fba0, 0x14f560, 0x14f7b0, 0x159ba8, 0x14fcf0 };
	const size_t count = sizeof(expected) / sizeof(expected[0]);
	unsigned char bytes[sizeof(code)];
	uint64_t words[MOST];

	for (size_t i = 0; i < sizeof(code); i++)
		bytes[i] = code[i / 4] >> 8 * (i % 4);
	assert_int_equal(elf_machine_aarch64.loaded_words(bytes, sizeof(bytes), 0x4a574, words, MOST), count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(words[i], expected[i]);
}

/* No more are stored than there is room for, and an instruction that is cut off is none. */
static void test_limits(void **state)
{
	static const unsigned char code[] = { 0x48, 0x8b, 0x05, 1, 0, 0, 0, 0x48, 0x8b, 0x0d, 2, 0, 0, 0 };
	uint64_t words[2] = { 0, 7 };

	assert_int_equal(elf_machine_x86_64.loaded_words(code, sizeof(code), 0x1000, words, 1), 1);
	assert_int_equal(words[0], 0x1008);
	assert_int_equal(words[1], 7);
	assert_int_equal(elf_machine_x86_64.loaded_words(code, sizeof(code) - 1, 0x1000, words, 2), 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
