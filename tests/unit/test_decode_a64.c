// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What instructions of A64 do to memory, as GNU as has encoded them; and that it does not depend on the registers.
 */
#include "unit.h"

#include "../../bpf/decode_a64.h"

static const struct {
	__u32 word;
	enum memory_access access;
	const char *text;
} instructions[] = {
	{ 0xf9000020, ACCESS_WRITE, "str x0, [x1]" },
	{ 0xb9000820, ACCESS_WRITE, "str w0, [x1, #8]" },
	{ 0x38226820, ACCESS_WRITE, "strb w0, [x1, x2]" },
	{ 0x78002420, ACCESS_WRITE, "strh w0, [x1], #2" },
	{ 0xf81f8c20, ACCESS_WRITE, "str x0, [x1, #-8]!" },
	{ 0xf8001020, ACCESS_WRITE, "stur x0, [x1, #1]" },
	{ 0xf8000820, ACCESS_WRITE, "sttr x0, [x1]" },
	{ 0x38001820, ACCESS_WRITE, "sttrb w0, [x1, #1]" },
	{ 0x3d800020, ACCESS_WRITE, "str q0, [x1]" },
	{ 0x3d000420, ACCESS_WRITE, "str b0, [x1, #1]" },
	{ 0xfc003020, ACCESS_WRITE, "stur d0, [x1, #3]" },
	{ 0xa9bf07e0, ACCESS_WRITE, "stp x0, x1, [sp, #-16]!" },
	{ 0xad000440, ACCESS_WRITE, "stp q0, q1, [x2]" },
	{ 0xa8000440, ACCESS_WRITE, "stnp x0, x1, [x2]" },
	{ 0x4c007000, ACCESS_WRITE, "st1 {v0.16b}, [x0]" },
	{ 0x4c9f2000, ACCESS_WRITE, "st1 {v0.16b-v3.16b}, [x0], #64" },
	{ 0x0d20b000, ACCESS_WRITE, "st4 {v0.s-v3.s}[1], [x0]" },
	{ 0xc89ffc20, ACCESS_WRITE, "stlr x0, [x1]" },
	{ 0x089ffc20, ACCESS_WRITE, "stlrb w0, [x1]" },
	{ 0xc8027c20, ACCESS_WRITE, "stxr w2, x0, [x1]" },
	{ 0x8802fc20, ACCESS_WRITE, "stlxr w2, w0, [x1]" },
	{ 0xc8230440, ACCESS_WRITE, "stxp w3, x0, x1, [x2]" },
	{ 0xd9004020, ACCESS_WRITE, "stlur x0, [x1, #4]" },
	{ 0xc89f7c20, ACCESS_WRITE, "stllr x0, [x1]" },
	{ 0xd50b7420, ACCESS_WRITE, "dc zva, x0" },
	{ 0xd9200820, ACCESS_WRITE, "stg x0, [x1]" },
	{ 0xd9a00820, ACCESS_WRITE, "st2g x0, [x1]" },
	{ 0xd9600820, ACCESS_WRITE, "stzg x0, [x1]" },
	{ 0x69000440, ACCESS_WRITE, "stgp x0, x1, [x2]" },
	{ 0x19c20420, ACCESS_WRITE, "setp [x0]!, x1!, x2" },
	{ 0x19c24420, ACCESS_WRITE, "setm [x0]!, x1!, x2" },
	{ 0x19c28420, ACCESS_WRITE, "sete [x0]!, x1!, x2" },
	{ 0xe400e000, ACCESS_WRITE, "st1b {z0.b}, p0, [x0]" },
	{ 0xe5804000, ACCESS_WRITE, "str z0, [x0]" },
	{ 0xe581a000, ACCESS_WRITE, "st1d {z0.d}, p0, [x0, z1.d]" },
	{ 0xe410e000, ACCESS_WRITE, "stnt1b {z0.b}, p0, [x0]" },
	{ 0xf9400020, ACCESS_READ, "ldr x0, [x1]" },
	{ 0xb9400820, ACCESS_READ, "ldr w0, [x1, #8]" },
	{ 0x38626820, ACCESS_READ, "ldrb w0, [x1, x2]" },
	{ 0x39800020, ACCESS_READ, "ldrsb x0, [x1]" },
	{ 0x39c00020, ACCESS_READ, "ldrsb w0, [x1]" },
	{ 0x78c02420, ACCESS_READ, "ldrsh w0, [x1], #2" },
	{ 0xb89f8c20, ACCESS_READ, "ldrsw x0, [x1, #-8]!" },
	{ 0xf8401020, ACCESS_READ, "ldur x0, [x1, #1]" },
	{ 0xf8400820, ACCESS_READ, "ldtr x0, [x1]" },
	{ 0x38401820, ACCESS_READ, "ldtrb w0, [x1, #1]" },
	{ 0x58000000, ACCESS_READ, "ldr x0, ." },
	{ 0x98000000, ACCESS_READ, "ldrsw x0, ." },
	{ 0x9c000000, ACCESS_READ, "ldr q0, ." },
	{ 0x3dc00020, ACCESS_READ, "ldr q0, [x1]" },
	{ 0x3d400420, ACCESS_READ, "ldr b0, [x1, #1]" },
	{ 0xa8c107e0, ACCESS_READ, "ldp x0, x1, [sp], #16" },
	{ 0x69400440, ACCESS_READ, "ldpsw x0, x1, [x2]" },
	{ 0xad400440, ACCESS_READ, "ldp q0, q1, [x2]" },
	{ 0xa8400440, ACCESS_READ, "ldnp x0, x1, [x2]" },
	{ 0x4c407000, ACCESS_READ, "ld1 {v0.16b}, [x0]" },
	{ 0x4d40c000, ACCESS_READ, "ld1r {v0.16b}, [x0]" },
	{ 0x0d40b000, ACCESS_READ, "ld3 {v0.s-v2.s}[1], [x0]" },
	{ 0xc8dffc20, ACCESS_READ, "ldar x0, [x1]" },
	{ 0x38bfc020, ACCESS_READ, "ldaprb w0, [x1]" },
	{ 0xf8bfc020, ACCESS_READ, "ldapr x0, [x1]" },
	{ 0xd9404020, ACCESS_READ, "ldapur x0, [x1, #4]" },
	{ 0x99804020, ACCESS_READ, "ldapursw x0, [x1, #4]" },
	{ 0xc85f7c20, ACCESS_READ, "ldxr x0, [x1]" },
	{ 0x085ffc20, ACCESS_READ, "ldaxrb w0, [x1]" },
	{ 0xc87f0440, ACCESS_READ, "ldxp x0, x1, [x2]" },
	{ 0xc8df7c20, ACCESS_READ, "ldlar x0, [x1]" },
	{ 0xf8200420, ACCESS_READ, "ldraa x0, [x1]" },
	{ 0xf8a01c20, ACCESS_READ, "ldrab x0, [x1, #8]!" },
	{ 0xd9600020, ACCESS_READ, "ldg x0, [x1]" },
	{ 0xd50b7a20, ACCESS_READ, "dc cvac, x0" },
	{ 0xd50b7e20, ACCESS_READ, "dc civac, x0" },
	{ 0xd50b7520, ACCESS_READ, "ic ivau, x0" },
	{ 0xa400a000, ACCESS_READ, "ld1b {z0.b}, p0/z, [x0]" },
	{ 0x85804000, ACCESS_READ, "ldr z0, [x0]" },
	{ 0xc5c1c000, ACCESS_READ, "ld1d {z0.d}, p0/z, [x0, z1.d]" },
	{ 0x8540c000, ACCESS_READ, "ld1rw {z0.s}, p0/z, [x0]" },
	{ 0xa400e000, ACCESS_READ, "ldnt1b {z0.b}, p0/z, [x0]" },
	{ 0xf8200041, ACCESS_ATOMIC, "ldadd x0, x1, [x2]" },
	{ 0xb8e00041, ACCESS_ATOMIC, "ldaddal w0, w1, [x2]" },
	{ 0x38201041, ACCESS_ATOMIC, "ldclrb w0, w1, [x2]" },
	{ 0xf8203041, ACCESS_ATOMIC, "ldset x0, x1, [x2]" },
	{ 0xf8204041, ACCESS_ATOMIC, "ldsmax x0, x1, [x2]" },
	{ 0xf820005f, ACCESS_ATOMIC, "stadd x0, [x2]" },
	{ 0xf8208041, ACCESS_ATOMIC, "swp x0, x1, [x2]" },
	{ 0x38e08041, ACCESS_ATOMIC, "swpalb w0, w1, [x2]" },
	{ 0xc8a07c41, ACCESS_ATOMIC, "cas x0, x1, [x2]" },
	{ 0x88e0fc41, ACCESS_ATOMIC, "casal w0, w1, [x2]" },
	{ 0x08a07c41, ACCESS_ATOMIC, "casb w0, w1, [x2]" },
	{ 0x48207c82, ACCESS_ATOMIC, "casp x0, x1, x2, x3, [x4]" },
	{ 0x0860fc82, ACCESS_ATOMIC, "caspal w0, w1, w2, w3, [x4]" },
	{ 0x1d010440, ACCESS_UNKNOWN, "cpyp [x0]!, [x1]!, x2!" },
	{ 0x1d410440, ACCESS_UNKNOWN, "cpym [x0]!, [x1]!, x2!" },
	{ 0x8b020020, ACCESS_UNKNOWN, "add x0, x1, x2" },
	{ 0x14000000, ACCESS_UNKNOWN, "b ." },
	{ 0xd65f03c0, ACCESS_UNKNOWN, "ret" },
	{ 0xd503201f, ACCESS_UNKNOWN, "nop" },
	{ 0xd4000001, ACCESS_UNKNOWN, "svc #0" },
	{ 0x1e622820, ACCESS_UNKNOWN, "fadd d0, d1, d2" },
	{ 0xd53bd040, ACCESS_UNKNOWN, "mrs x0, tpidr_el0" },
	{ 0xf1000c1f, ACCESS_UNKNOWN, "cmp x0, #3" },
	{ 0xd28000e0, ACCESS_UNKNOWN, "movz x0, #7" },
	{ 0x04220020, ACCESS_UNKNOWN, "add z0.b, z1.b, z2.b" },
	{ 0x4e221c20, ACCESS_UNKNOWN, "and v0.16b, v1.16b, v2.16b" },
	{ 0xf83f9100, ACCESS_WRITE, "st64b x0, [x8]" }, /* these two by the manual */
	{ 0xf83fd100, ACCESS_READ, "ld64b x0, [x8]" },
};
enum { COUNT = sizeof(instructions) / sizeof(instructions[0]) };

static void tells_reads_from_writes(void **state)
{
	for (int i = 0; i < COUNT; i++)
		if (decode_a64(instructions[i].word) != instructions[i].access)
			fail_msg("%s: %d", instructions[i].text, decode_a64(instructions[i].word));
}

/* Five bits each for the address and for what is moved. Operations on caches have one, and their number there. */
static void looks_at_no_register(void **state)
{
	for (int i = 0; i < COUNT; i++) {
		if (instructions[i].word >> 24 == 0xd5)
			continue;
		for (__u32 bits = 0; bits < 1 << 10; bits++)
			assert_int_equal(decode_a64((instructions[i].word & ~0x3ffu) | bits), instructions[i].access);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_reads_from_writes),
		cmocka_unit_test(looks_at_no_register),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
