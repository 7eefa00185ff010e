// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of /proc/PID/maps. */
#include "unit.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/maps.h"

static bool parse(struct mapping *mapping, const char *text)
{
	static char line[512];

	snprintf(line, sizeof(line), "%s", text);
	return mapping__parse(mapping, line);
}

static void test_file(void **state)
{
	struct mapping mapping;

	assert_true(parse(&mapping, "7f0000001000-7f0000003000 r-xp 00002000 fe:01 1234                       "
				    "/usr/lib/libc.so.6\n"));
	assert_int_equal(mapping.start, 0x7f0000001000);
	assert_int_equal(mapping.end, 0x7f0000003000);
	assert_int_equal(mapping.offset, 0x2000);
	assert_int_equal(mapping.dev, 0xfe << 20 | 1);
	assert_int_equal(mapping.ino, 1234);
	assert_true(mapping.read && mapping.exec && !mapping.write && !mapping.shared);
	assert_string_equal(mapping.name, "/usr/lib/libc.so.6");
}

static void test_names(void **state)
{
	static const struct {
		const char *end, *name;
	} cases[] = {
		{ " 7 /tmp/a (deleted)\n", "/tmp/a (deleted)" },
		{ " 7 /tmp/two words  and more\n", "/tmp/two words  and more" },
		{ " 7 /tmp/first\\012second\n", "/tmp/first\nsecond" },
		{ " 7 /tmp/back\\slash\\01\n", "/tmp/back\\slash\\01" },
		{ " 0 [heap]\n", "[heap]" },
		{ " 0 [anon:two words]\n", "[anon:two words]" },
		{ " 0 \n", "" },
		{ " 0", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mapping mapping;
		char line[128];

		snprintf(line, sizeof(line), "1000-2000 rw-s 00000000 00:00%s", cases[i].end);
		assert_true(mapping__parse(&mapping, line));
		assert_string_equal(mapping.name, cases[i].name);
		assert_true(mapping.read && mapping.write && mapping.shared && !mapping.exec);
	}
}

/* The highest addresses there are, and those of a program of 32 bits. */
static void test_addresses(void **state)
{
	struct mapping mapping;

	assert_true(parse(&mapping, "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]\n"));
	assert_true(mapping.start == 0xffffffffff600000 && mapping.end == 0xffffffffff601000);
	assert_true(mapping.exec && !mapping.read && !mapping.shared);
	assert_string_equal(mapping.name, "[vsyscall]");
	assert_true(parse(&mapping, "08048000-08049000 r--p 00000000 08:01 18446744073709551615 /bin/old\n"));
	assert_true(mapping.start == 0x8048000 && mapping.end == 0x8049000 && mapping.ino == UINT64_MAX);
	assert_int_equal(mapping.dev, 8 << 20 | 1);
}

static void test_other_lines(void **state)
{
	static const char *const lines[] = {
		"", "\n", "Rss:                   4 kB\n", "AnonHugePages:         0 kB\n",
		"VmFlags: rd wr mr mw me dw ac\n", "1000-2000\n", "1000-2000 rw-p\n",
		"1000-2000 rw-p 00000000 00:00\n", "2000-1000 rw-p 00000000 00:00 0\n",
		"1000-1000 rw-p 00000000 00:00 0\n", "1000-2000 rw 00000000 00:00 0\n",
	};
	struct mapping mapping;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_false(parse(&mapping, lines[i]));
}

/* Our own: a mapping that was just made is in both files, with its rights. */
static void test_own(void **state)
{
	static const char *const files[] = { "/proc/self/maps", "/proc/self/smaps" };
	const size_t page = sysconf(_SC_PAGESIZE);
	void *made = mmap(NULL, page, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(made != MAP_FAILED);
	for (int i = 0; i < 2; i++) {
		struct maps maps = { .file = fopen(files[i], "re") };
		struct mapping mapping;
		size_t found = 0;
		uint64_t last = 0;

		while (maps__next(&maps, &mapping)) {
			assert_true(mapping.start >= last);
			last = mapping.end;
			if (mapping.start > (uintptr_t)made || mapping.end <= (uintptr_t)made)
				continue;
			found++;
			assert_true(mapping.shared && mapping.read && !mapping.write);
			assert_string_equal(mapping.name, "/dev/zero (deleted)");
		}
		assert_int_equal(found, 1);
		assert_null(maps.file);
	}
	munmap(made, page);
}

static void test_no_file(void **state)
{
	struct maps maps = { .file = NULL };
	struct mapping mapping;

	assert_false(maps__next(&maps, &mapping));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),	    cmocka_unit_test(test_names),
		cmocka_unit_test(test_addresses),   cmocka_unit_test(test_other_lines),
		cmocka_unit_test(test_own),	    cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
