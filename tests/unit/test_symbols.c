// SPDX-License-Identifier: GPL-2.0-or-later
/* Sections and symbols as readelf(1) has them, addresses as the kernel maps them. */
#include "elf_tools.h"

#include "elf/mapping.h"
#include "elf/symbols.h"

enum { SYMBOLS_MOST = 1 << 16, SECTIONS_MOST = 256 };


static const char source[] =
	"#include <stdio.h>\n"
	"__thread int per_thread = 3;\n"
	"int table[100] = { 1 };\n"
	"static int inner[20000];\n"
	"int (*const constants[])(const char *) = { puts, remove };\n"
	"__attribute__((noinline)) int leaf(int x) { return x * table[x] + inner[x]; }\n"
	"int main(int count, char **words) { return leaf(count) + constants[0](words[0]); }\n";

/* By readelf. */
struct section {
	char name[128], flags[16], type[24];
	uint64_t address, offset, size;
};

static size_t read_sections(struct section *sections, const char *path)
{
	struct tool tool = tool__start("readelf -SW '%s' 2>/dev/null", path);
	size_t count = 0;
	char *line;

	while ((line = tool__next(&tool)) && count < SECTIONS_MOST) {
		struct section *section = &sections[count];
		char *start = strchr(line, ']');
		unsigned long long address, offset, size;

		if (start && sscanf(start + 1, " %127s %23s %llx %llx %llx %*s %15[A-Zlop]",
				    section->name, section->type, &address, &offset, &size,
				    section->flags) == 6) {
			section->address = address;
			section->offset = offset;
			section->size = size;
			count++;
		}
	}
	return count;
}

static bool is_in_memory(const struct section *section)
{
	return strchr(section->flags, 'A') && section->size &&
	       (!strchr(section->flags, 'T') || strcmp(section->type, "NOBITS") != 0);
}

struct segment {
	uint64_t start, size;
	unsigned int rights;
};

static size_t read_segments(struct segment *segments, const char *path)
{
	struct tool tool = tool__start("readelf -lW '%s' 2>/dev/null", path);
	size_t count = 0;
	char *line;

	while ((line = tool__next(&tool)) && count < SECTIONS_MOST) {
		unsigned long long start, size;
		char flags[4] = "";

		if (sscanf(line, " LOAD %*x %llx %*x %*x %llx %3[RWE ]", &start, &size, flags) != 3)
			continue;
		segments[count].start = start;
		segments[count].size = size;
		segments[count++].rights = (strchr(flags, 'R') ? ELF_READ : 0) |
					   (strchr(flags, 'W') ? ELF_WRITE : 0) |
					   (strchr(flags, 'E') ? ELF_EXEC : 0);
	}
	return count;
}

/* Of the segment that holds the address: sections of constants may be mapped with the code. */
static unsigned int rights_at(const struct segment *segments, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++) {
		if (address - segments[i].start < segments[i].size)
			return segments[i].rights;
	}
	return 0;
}

static void expect_section(const struct elf_symbols *symbols, uint64_t address, const char *name,
			   const char *path)
{
	const char *found = elf_symbols__section(symbols, address);

	if (!found || strcmp(found, name) != 0)
		fail_msg("%s: 0x%llx is in %s, not in %s", path, (unsigned long long)address, name,
			 found ? found : "none");
}

static size_t sections_compared;

/* First and last byte of each; what lies in the file is found by its offset, too. */
static void compare_sections(const char *path)
{
	struct elf_file *elf = open_elf(path);
	const struct elf_symbols *symbols = elf_symbols__of(elf);
	struct section sections[SECTIONS_MOST];
	struct segment segments[SECTIONS_MOST];
	size_t count = read_sections(sections, path), loads = read_segments(segments, path);

	for (size_t i = 0; i < count; i++) {
		struct section *section = &sections[i];
		unsigned int rights = rights_at(segments, loads, section->address);
		uint64_t address = 0;

		if (!is_in_memory(section))
			continue;
		expect_section(symbols, section->address, section->name, path);
		expect_section(symbols, section->address + section->size - 1, section->name, path);
		sections_compared++;
		if (!strcmp(section->type, "NOBITS"))
			continue;
		assert_true(elf_mapping__address(&elf->object, section->offset, rights, &address));
		assert_int_equal(address, section->address);
		assert_true(elf_mapping__address(&elf->object, section->offset, 0, &address));
		assert_int_equal(address, section->address);
	}
	elf_file__close(elf);
}

/* By readelf, too: nm(1) does not tell thread-local symbols, which have no address, from others. */
struct symbol {
	uint64_t start, size;
	char name[64];
};

static size_t read_names(struct symbol *list, const char *command, const char *path)
{
	struct tool tool = tool__start(command, path);
	size_t count = 0;
	char *line;

	while ((line = tool__next(&tool)) && count < SYMBOLS_MOST) {
		unsigned long long start;
		long long size;
		char type[16], section[16];

		if (sscanf(line, " %*d: %llx %lli %15s %*s %*s %15s %63[^@ ]", &start, &size, type,
			   section, list[count].name) != 5 ||
		    !size || !strstr("NOTYPE OBJECT FUNC IFUNC", type) ||
		    (section[0] < '0' || section[0] > '9'))
			continue;
		list[count].start = start;
		list[count++].size = size;
	}
	return count;
}

/* Whether there is a symbol of that name, and none that begins later and covers it, too. */
static bool is_listed(const struct symbol *list, size_t count, uint64_t address, const char *name,
		      uint64_t start)
{
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (address < list[i].start || address - list[i].start >= list[i].size)
			continue;
		if (list[i].start > start)
			return false;
		found |= list[i].start == start &&
			 !strncmp(list[i].name, name, sizeof(list->name) - 1);
	}
	return found;
}

/* First and last byte of every `step`-th symbol with a size. Returns how many. */
static size_t compare_names(const char *path, const char *command, size_t step)
{
	struct symbol *list = calloc(SYMBOLS_MOST, sizeof(*list));
	struct elf_file *elf = open_elf(path);
	const struct elf_symbols *symbols = elf_symbols__of(elf);
	size_t count = read_names(list, command, path), compared = 0;

	for (size_t i = 0; i < count; i += step) {
		for (int last = 0; last < 2; last++) {
			uint64_t distance = 0;
			uint64_t address = list[i].start + (last ? list[i].size - 1 : 0);
			const char *name = elf_symbols__symbol(symbols, address, &distance);

			if (!name || !is_listed(list, count, address, name, address - distance))
				fail_msg("%s: 0x%llx (%s) is %s + 0x%llx", path,
					 (unsigned long long)address, list[i].name,
					 name ? name : "none", (unsigned long long)distance);
			compared++;
		}
	}
	elf_file__close(elf);
	free(list);
	return compared;
}

static bool is_stripped(const char *path)
{
	struct section sections[SECTIONS_MOST];
	size_t count = read_sections(sections, path);
	struct tool tool = tool__start("readelf -SW '%s' | grep -F .symtab", path);
	bool stripped = true;

	while (tool__next(&tool))
		stripped = false;
	return count && stripped;
}

static size_t names_compared;

static void compare_dynamic_names(const char *path)
{
	char debug[512];
	struct tool tool;

	/* What has a debug file has more names than .dynsym. */
	tool = tool__start("readelf -nW '%s' 2>/dev/null | sed -n 's,.*Build ID: \\(..\\)\\(.*\\),"
			   "/usr/lib/debug/.build-id/\\1/\\2.debug,p'",
			   path);
	debug[0] = '\0';
	while (tool__next(&tool))
		snprintf(debug, sizeof(debug), "%s", tool.line);
	if (is_stripped(path) && access(debug, R_OK) != 0)
		names_compared +=
			compare_names(path, "readelf --dyn-syms -W '%s' 2>/dev/null", 7);
}

static void this_system_is_read_as_by_readelf(void **state)
{
	static const char *const files[] = { LIBRARIES "/libc.so.6",
					     "/lib64/ld-linux-x86-64.so.2", "/usr/bin/python3",
					     "/usr/bin/bash" };
	size_t compared = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!is_elf(files[i]))
			continue;
		compare_sections(files[i]);
		compare_dynamic_names(files[i]);
		compared++;
	}
	compared += for_each_elf("/usr/bin", 30, compare_sections);
	compared += for_each_elf(LIBRARIES, 30, compare_sections);
	for_each_elf(LIBRARIES, 12, compare_dynamic_names);
	print_message("%zu files, %zu sections, %zu names compared\n", compared, sections_compared,
		      names_compared);
	assert_true(compared > 20);
}

static void built_files_are_read_as_by_readelf(void **state)
{
	static const struct {
		const char *name, *compiler;
	} builds[] = {
		{ "lazy", "cc -pie -fPIE -Wl,-z,lazy,-z,relro" },
		{ "now", "cc -pie -fPIE -Wl,-z,now,-z,relro" },
		{ "fixed", "cc -no-pie -fno-pie" },
		{ "static", "cc -static -no-pie" },
		{ "static-pie", "cc -static-pie -fPIE" },
		{ "separate", "cc -pie -fPIE -Wl,-z,separate-code" },
		{ "together", "cc -pie -fPIE -Wl,-z,noseparate-code" },
		{ "musl", "musl-gcc -pie -fPIE" },
		{ "musl-static", "musl-gcc -static -no-pie" },
		{ "diet", "diet gcc -no-pie -fno-pie" },
	};
	size_t built = 0;

	for (size_t i = 0; i < sizeof(builds) / sizeof(builds[0]); i++) {
		bool diet = !strcmp(builds[i].name, "diet");

		if (!build_source(builds[i].name, builds[i].compiler,
				  diet ? "int main(void) { return 0; }\n" : source)) {
			print_message("%s: left out, does not build\n", builds[i].name);
			continue;
		}
		print_message("%s\n", builds[i].name);
		compare_sections(path_of(builds[i].name));
		assert_true(compare_names(path_of(builds[i].name), "readelf -sW '%s'", 3) > 0);
		built++;
	}
	assert_true(built >= 4);
}

static void expect_symbol(const char *path, const char *whole, const char *name, bool expected)
{
	char command[600];
	struct elf_file *elf = open_elf(path);
	const struct elf_symbols *symbols = elf_symbols__of(elf);
	struct symbol list[8];
	uint64_t distance = 99;
	const char *found;

	snprintf(command, sizeof(command), "readelf -sW %%s | grep -w '%s$'", name);
	assert_int_equal(read_names(list, command, whole), 1);
	found = elf_symbols__symbol(symbols, list[0].start + list[0].size / 2, &distance);
	if (expected) {
		assert_non_null(found);
		assert_string_equal(found, name);
		assert_int_equal(distance, list[0].size / 2);
	} else {
		assert_true(!found || strcmp(found, name) != 0);
	}
	elf_file__close(elf);
}

static bool shell(const char *commands)
{
	char text[4096];

	snprintf(text, sizeof(text), "cd %s && { %s; } 2>/dev/null", directory, commands);
	return system(text) == 0;
}

/* Split off, beside the file and in .debug; a debug file of another build is none. */
static void names_come_from_the_separate_debug_file(void **state)
{
	char whole[256];

	assert_true(build_source("whole", "cc -pie -fPIE", source));
	snprintf(whole, sizeof(whole), "%s", path_of("whole"));
	assert_true(shell("objcopy --only-keep-debug whole split.dbg && "
			  "objcopy -S --add-gnu-debuglink=split.dbg whole split"));
	expect_symbol(path_of("split"), whole, "leaf", true);
	assert_true(shell("mkdir -p .debug && mv split.dbg .debug"));
	expect_symbol(path_of("split"), whole, "leaf", true);
	assert_true(shell("mv .debug/split.dbg hidden"));
	expect_symbol(path_of("split"), whole, "leaf", false);
	assert_true(build_source("other", "cc -O2 -pie -fPIE", source));
	assert_true(shell("objcopy --only-keep-debug other split.dbg"));
	expect_symbol(path_of("split"), whole, "leaf", false);
}

/* Without a build id it is the checksum that counts. */
static void a_debug_file_without_build_id_is_checked_by_crc(void **state)
{
	char whole[256];

	assert_true(build_source("noid", "cc -pie -fPIE -Wl,--build-id=none", source));
	snprintf(whole, sizeof(whole), "%s", path_of("noid"));
	assert_true(shell("objcopy --only-keep-debug noid crc.dbg && "
			  "objcopy -S --add-gnu-debuglink=crc.dbg noid crc"));
	expect_symbol(path_of("crc"), whole, "leaf", true);
	assert_true(shell("printf x >>crc.dbg"));
	expect_symbol(path_of("crc"), whole, "leaf", false);
}

static void names_come_from_debugdata(void **state)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "%s", path_of("whole"));
	if (!shell("objcopy -S whole packed && objcopy --only-keep-debug whole mini && "
		   "xz -kf mini && objcopy --add-section .gnu_debugdata=mini.xz packed"))
		skip();
	expect_symbol(path_of("packed"), whole, "leaf", true);
	assert_true(shell("head -c 300 mini.xz >cut.xz && objcopy -S whole cut && "
			  "objcopy --add-section .gnu_debugdata=cut.xz cut"));
	expect_symbol(path_of("cut"), whole, "leaf", false);
}

/* Tables by tags have the names that the section headers gave them. */
static void sections_are_named_without_headers(void **state)
{
	static const char *const names[] = { "lazy", "now", "fixed", "separate", "together" };
	static const char known[] = " .interp .gnu.hash .dynsym .dynstr .gnu.version_r .rela.dyn"
				    " .rela.plt .relr.dyn .init_array .fini_array .dynamic"
				    " .got.plt .eh_frame_hdr .tdata .bss .gnu.version ";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct section sections[SECTIONS_MOST];
		size_t count = read_sections(sections, path_of(names[i]));
		struct elf_file *elf = open_elf(without_sections(path_of(names[i])));
		const struct elf_symbols *symbols = elf_symbols__of(elf);

		for (size_t k = 0; k < count; k++) {
			char word[140];

			snprintf(word, sizeof(word), " %.127s ", sections[k].name);
			if (!strstr(known, word) || !is_in_memory(&sections[k]))
				continue;
			expect_section(symbols, sections[k].address, sections[k].name, names[i]);
			expect_section(symbols, sections[k].address + sections[k].size - 1,
				       sections[k].name, names[i]);
		}
		elf_file__close(elf);
	}
	compare_names(without_sections("/usr/bin/bash"),
		      "readelf --dyn-syms -W /usr/bin/bash 2>/dev/null || echo '%s'", 7);
}

/* As in a process: the file is mapped whole pages at a time, RELRO read-only, .bss behind it. */
static void offsets_become_addresses(void **state)
{
	struct elf_file *elf = open_elf(path_of("lazy"));
	const struct elf_symbols *symbols = elf_symbols__of(elf);
	struct section sections[SECTIONS_MOST];
	size_t count = read_sections(sections, path_of("lazy"));
	uint64_t address;

	const struct section *data = NULL, *bss = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct section *section = &sections[i];

		if (!strcmp(section->name, ".data.rel.ro") || !strcmp(section->name, ".dynamic")) {
			assert_true(elf_mapping__address(&elf->object, section->offset, ELF_READ,
							 &address));
			assert_int_equal(address, section->address);
		}
		data = strcmp(section->name, ".data") ? data : section;
		bss = strcmp(section->name, ".bss") ? bss : section;
	}
	assert_true(data && bss && bss->size > 8192);
	assert_true(elf_mapping__address(&elf->object,
					 data->offset + bss->address - data->address + 8192,
					 ELF_READ | ELF_WRITE, &address));
	assert_int_equal(address, bss->address + 8192);
	assert_string_equal(elf_symbols__section(symbols, address), ".bss");
	assert_false(elf_mapping__address(&elf->object, 1ULL << 40, ELF_READ, &address));
	elf_file__close(elf);
}

/* Of "fork", "__fork" and "__libc_fork" programs know the first. */
static void aliases_have_the_public_name(void **state)
{
	struct elf_file *elf = open_elf(LIBRARIES "/libc.so.6");
	const struct elf_symbols *symbols = elf_symbols__of(elf);
	static const char *const names[] = { "fork", "malloc", "waitpid", "_exit" };
	struct symbol list[8];

	for (int i = 0; i < 4; i++) {
		char command[200];
		uint64_t distance;

		snprintf(command, sizeof(command),
			 "readelf --dyn-syms -W %%s | grep -E ' %s@@'", names[i]);
		if (read_names(list, command, LIBRARIES "/libc.so.6") != 1)
			continue;
		assert_string_equal(elf_symbols__symbol(symbols, list[0].start, &distance),
				    names[i]);
		assert_int_equal(distance, 0);
	}
	elf_file__close(elf);
}

static void what_is_no_elf_file_has_a_reason(void **state)
{
	static const char *const paths[] = { "/nonexistent", "/", "/dev/null", "/etc/passwd" };

	for (int i = 0; i < 4; i++) {
		struct elf_file *elf = elf_file__open(paths[i]);

		assert_null(elf_symbols__of(elf));
		assert_non_null(elf_file__problem(elf));
		elf_file__close(elf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_system_is_read_as_by_readelf),
		cmocka_unit_test(built_files_are_read_as_by_readelf),
		cmocka_unit_test(names_come_from_the_separate_debug_file),
		cmocka_unit_test(a_debug_file_without_build_id_is_checked_by_crc),
		cmocka_unit_test(names_come_from_debugdata),
		cmocka_unit_test(sections_are_named_without_headers),
		cmocka_unit_test(offsets_become_addresses),
		cmocka_unit_test(aliases_have_the_public_name),
		cmocka_unit_test(what_is_no_elf_file_has_a_reason),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
