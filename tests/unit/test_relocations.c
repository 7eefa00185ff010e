// SPDX-License-Identifier: GPL-2.0-or-later
/* Relocations as readelf(1) reads them, with and without section headers; lazy as ld.so says. */
#include "elf_tools.h"

#include "elf/relocations.h"


/* Something of each kind, in programs and in libraries. */
static const char source[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <errno.h>\n"
	"static int one(int x) { return x + 1; }\n"
	"static int two(int x) { return x + 2; }\n"
	"static int (*choose(void))(int) { return one; }\n"
	"int chosen(int) __attribute__((ifunc(\"choose\")));\n"
	"static __thread int mine;\n"
	"int (*table[])(int) = { one, two, one, two };\n"
	"int (*printer)(const char *) = puts;\n"
	"FILE **stream = &stdout;\n"
	"int main(int count, char **words)\n"
	"{\n"
	"	mine = errno;\n"
	"	printf(\"%d %d\\n\", chosen(count), table[count & 3](mine));\n"
	"	return getenv(words[0]) ? printer(words[0]) : fileno(*stream) + ferror(stdout);\n"
	"}\n";

/* No headers and no libc: any compiler for x86 can build it for i386. */
static const char bare_source[] = "extern int there, call(int);\n"
				  "extern __thread int mine;\n"
				  "int *pointer = &there;\n"
				  "int here;\n"
				  "int *other = &here;\n"
				  "int f(void) { return call(there + here + mine); }\n";

/* One relocation of each kind: a call, thread-local, an address of this file's own, of others', in data. */
static const char arm64_source[] = "extern int there, away, call(int);\n"
				   "extern __thread int mine;\n"
				   "int *pointer = &there;\n"
				   "static int here;\n"
				   "static int *volatile other = &here;\n"
				   "int f(void) { return call(away + *other + mine); }\n";

static const struct sample {
	const char *name, *compiler;
	int lazy; /* -1: not stated */
	enum relocation_kind has;
} samples[] = {
	{ "lazy", "cc -pie -fPIE -Wl,-z,lazy,-z,relro", 1, RELOC_JUMP_SLOT },
	{ "now", "cc -pie -fPIE -Wl,-z,now,-z,relro", 0, RELOC_JUMP_SLOT },
	{ "now-old", "cc -pie -fPIE -Wl,-z,now,--disable-new-dtags", 0, RELOC_JUMP_SLOT },
	{ "fixed", "cc -no-pie -fno-pie -Wl,-z,lazy", 1, RELOC_COPY },
	{ "noplt", "cc -pie -fPIE -fno-plt -Wl,-z,lazy", -1, RELOC_GLOB_DAT },
	{ "relr", "cc -pie -fPIE -Wl,-z,lazy,-z,pack-relative-relocs", 1, RELOC_RELR },
	{ "sysv", "cc -pie -fPIE -Wl,-z,lazy,--hash-style=sysv", 1, RELOC_RELATIVE },
	{ "library", "cc -shared -fPIC -Wl,-z,lazy", 1, RELOC_TLS },
	{ "ifunc", "cc -shared -fPIC -Wl,-z,lazy", 1, RELOC_OTHER },
	{ "stripped", "cc -s -pie -fPIE -Wl,-z,lazy", 1, RELOC_JUMP_SLOT },
	{ "norelro", "cc -pie -fPIE -Wl,-z,lazy,-z,norelro", 1, RELOC_JUMP_SLOT },
	{ "static", "cc -static -no-pie", 0, RELOC_IRELATIVE },
	{ "static-pie", "cc -static-pie -fPIE", 0, RELOC_RELATIVE },
	{ "musl-static", "musl-gcc -DMUSL -static -no-pie", 0, RELOC_KIND_COUNT },
	{ "diet", "diet gcc -no-pie -fno-pie", 0, RELOC_KIND_COUNT },
	{ "clang", "clang -fPIE -pie -Wl,-z,lazy", 1, RELOC_JUMP_SLOT },
};

static const struct elf_relocations *relocations_of(struct elf_file *elf)
{
	const char *reason;
	const struct elf_relocations *relocations = elf_relocations__of(elf, &reason);

	if (!relocations)
		fail_msg("%s: %s", elf->path, reason);
	return relocations;
}

/* All that is compared of one file. */
struct listing {
	uint64_t counts[RELOC_KIND_COUNT];
	uint64_t relro_start, relro_end;
	char *slots; /* a line for each */
	size_t size;
	FILE *stream;
};

static void listing__start(struct listing *listing)
{
	*listing = (struct listing){ 0 };
	listing->stream = open_memstream(&listing->slots, &listing->size);
	assert_non_null(listing->stream);
}

static void listing__compare(struct listing *theirs, struct listing *ours, const char *path)
{
	fclose(theirs->stream);
	fclose(ours->stream);
	for (int i = 0; i < RELOC_KIND_COUNT; i++) {
		if (theirs->counts[i] != ours->counts[i])
			fail_msg("%s: %llu relocations of kind %d, %llu found", path,
				 (unsigned long long)theirs->counts[i], i,
				 (unsigned long long)ours->counts[i]);
	}
	if (strcmp(theirs->slots, ours->slots) != 0)
		fail_msg("%s\n--- readelf:\n%s\n--- ours:\n%s", path, theirs->slots, ours->slots);
	assert_int_equal(theirs->relro_start, ours->relro_start);
	assert_int_equal(theirs->relro_end, ours->relro_end);
	free(theirs->slots);
	free(ours->slots);
}

static enum relocation_kind kind_of(const char *type)
{
	static const struct {
		const char *part;
		enum relocation_kind kind;
	} kinds[] = {
		{ "_IRELATI", RELOC_IRELATIVE },	 { "_RELATIV", RELOC_RELATIVE }, /* cut by readelf */
		{ "_GLOB_DA", RELOC_GLOB_DAT },	 { "_JUMP_SL", RELOC_JUMP_SLOT },
		{ "_COPY", RELOC_COPY },		 { "TPOFF", RELOC_TLS },
		{ "DTPMOD", RELOC_TLS },		 { "TLSDESC", RELOC_TLS },
		{ "_TLS_DESC", RELOC_TLS },		 { "_TLS_TPR", RELOC_TLS },
		{ "_TLS_DTP", RELOC_TLS },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strstr(type, kinds[i].part))
			return kinds[i].kind;
	}
	return RELOC_OTHER;
}

static bool is_slot(const char *type)
{
	return strstr(type, "_JUMP_SL") || strstr(type, "_GLOB_DA") || !strcmp(type, "R_X86_64_64") ||
	       !strcmp(type, "R_AARCH64_ABS64") || !strcmp(type, "R_386_32");
}

/* "OFFSET INFO TYPE [VALUE NAME [+ ADDEND]]"; a lone last word is an addend. */
static void take_relocation(struct listing *theirs, char *line)
{
	char *words[16] = { 0 }, *name = "-", *rest = NULL;
	int count = 0;

	for (char *word = strtok_r(line, " ", &rest); word && count < 16;
	     word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	theirs->counts[kind_of(words[2])]++;
	if (!is_slot(words[2]))
		return;
	for (int i = 4; i < count; i++) {
		if (!strcmp(words[i], "+") || !strcmp(words[i], "-"))
			name = words[i - 1];
	}
	if (strstr(words[2], "R_386") && count > 4)
		name = words[count - 1];
	name[strcspn(name, "@")] = '\0';
	fprintf(theirs->stream, "%d %llx %s\n", kind_of(words[2]), strtoull(words[0], NULL, 16),
		name);
}

static void list_by_readelf(struct listing *theirs, const char *path)
{
	struct tool tool = tool__start("readelf -rlW '%s' 2>/dev/null", path);
	unsigned long long value, start, size;
	char type[64], *line;

	listing__start(theirs);
	while ((line = tool__next(&tool))) {
		if (sscanf(line, " GNU_RELRO %*x 0x%llx %*x %*x 0x%llx", &start, &size) == 2) {
			theirs->relro_start = start;
			theirs->relro_end = start + size;
		} else if (sscanf(line, " %llu offset%1[s]", &value, type) == 2) {
			theirs->counts[RELOC_RELR] += value;
		} else if (sscanf(line, "%*x %*x R_%63s", type) == 1) {
			take_relocation(theirs, line);
		}
	}
}

static void list_by_us(struct listing *ours, const struct elf_relocations *relocations)
{
	listing__start(ours);
	memcpy(ours->counts, relocations->counts, sizeof(ours->counts));
	ours->relro_start = relocations->relro_start;
	ours->relro_end = relocations->relro_end;
	for (size_t i = 0; i < relocations->slot_count; i++)
		fprintf(ours->stream, "%d %llx %s\n", relocations->slots[i].kind,
			(unsigned long long)relocations->slots[i].address,
			relocations->slots[i].symbol ? relocations->slots[i].symbol : "-");
}

static size_t slots_compared;

static void compare_with_readelf(const char *path)
{
	struct elf_file *elf = open_elf(path);
	const struct elf_relocations *relocations = relocations_of(elf);
	struct listing theirs, ours;

	list_by_readelf(&theirs, path);
	list_by_us(&ours, relocations);
	slots_compared += relocations->slot_count;
	listing__compare(&theirs, &ours, path);
	assert_false(relocations->slots_left_out);
	elf_file__close(elf);
}

/* GNU ld 2.40 accepts the option on arm64, too, and does nothing. */
static bool is_left_undone(const struct sample *sample)
{
	struct tool tool = tool__start("readelf -dW '%s'", path_of(sample->name));
	bool undone = sample->has == RELOC_RELR;
	char *line;

	while ((line = tool__next(&tool)))
		undone = undone && !strstr(line, "(RELR)");
	return undone;
}

static void check_sample(const struct sample *sample)
{
	struct elf_file *elf = open_elf(path_of(sample->name));
	const struct elf_relocations *relocations = relocations_of(elf);

	print_message("%s\n", sample->name);
	if (sample->lazy >= 0)
		assert_int_equal(relocations->lazy, sample->lazy);
	if (sample->has < RELOC_KIND_COUNT && !is_left_undone(sample))
		assert_true(relocations->counts[sample->has]);
	if (relocations->counts[RELOC_JUMP_SLOT])
		assert_true(relocations->plt_start < relocations->plt_end);
	elf_file__close(elf);
	compare_with_readelf(path_of(sample->name));
}

static void samples_are_read_as_by_readelf(void **state)
{
	size_t built = 0;

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		bool foreign = strstr(samples[i].name, "musl") || strstr(samples[i].name, "diet");

		if (!build_source(samples[i].name, samples[i].compiler,
				  foreign ? "int main(void) { return 0; }\n" : source)) {
			print_message("%s: left out, does not build\n", samples[i].name);
			continue;
		}
		check_sample(&samples[i]);
		built++;
	}
	assert_true(built >= 6);
}

static void i386_is_read_as_by_readelf(void **state)
{
	const struct elf_relocations *relocations;
	struct elf_file *elf;

	if (!build_source("i386", "cc -m32 -shared -fPIC -nostdlib -Wl,-z,lazy",
			  bare_source))
		skip();
	elf = open_elf(path_of("i386"));
	relocations = relocations_of(elf);
	assert_int_equal(relocations->word, 4);
	assert_true(relocations->lazy);
	assert_int_equal(relocations->counts[RELOC_JUMP_SLOT] > 0, 1);
	assert_int_equal(relocations->counts[RELOC_OTHER] > 0, 1);
	elf_file__close(elf);
	compare_with_readelf(path_of("i386"));
}

/* Thread-local storage by descriptors, which is usual there; a PLT for code that checks branches and signs pointers. */
static void arm64_is_read_as_by_readelf(void **state)
{
	static const char *const options[] = { "", "-mbranch-protection=standard -Wl,-z,force-bti", "-Wl,-z,now" };
	static const char *const libraries[] = { "/usr/aarch64-linux-gnu/lib/libc.so.6",
						 "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1" };
	const size_t count = sizeof(options) / sizeof(options[0]);

	for (size_t i = 0; i < count; i++) {
		const struct elf_relocations *relocations;
		struct elf_file *elf;
		char compiler[256];

		snprintf(compiler, sizeof(compiler),
			 "aarch64-linux-gnu-gcc -shared -fPIC -nostdlib -Wl,-z,lazy %s", options[i]);
		if (!build_source("arm64", compiler, arm64_source))
			skip();
		elf = open_elf(path_of("arm64"));
		relocations = relocations_of(elf);
		assert_int_equal(relocations->word, 8);
		assert_int_equal(relocations->lazy, i < count - 1);
		assert_int_equal(relocations->counts[RELOC_JUMP_SLOT], 1);
		assert_int_equal(relocations->counts[RELOC_TLS], 1);
		assert_int_equal(relocations->counts[RELOC_RELATIVE], 1);
		assert_int_equal(relocations->counts[RELOC_GLOB_DAT], 1);
		assert_int_equal(relocations->counts[RELOC_OTHER], 1);
		assert_true(relocations->plt_start < relocations->plt_end);
		elf_file__close(elf);
		compare_with_readelf(path_of("arm64"));
	}
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (is_elf(libraries[i]))
			compare_with_readelf(libraries[i]);
}

static void this_system_is_read_as_by_readelf(void **state)
{
	static const char *const files[] = { LIBRARIES "/libc.so.6",
					     LINKER, "/usr/bin/python3",
					     "/usr/bin/bash", "/usr/bin/git" };
	size_t compared = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!is_elf(files[i]))
			continue;
		compare_with_readelf(files[i]);
		compared++;
	}
	compared += for_each_elf("/usr/bin", 60, compare_with_readelf);
	compared += for_each_elf(LIBRARIES, 60, compare_with_readelf);
	print_message("%zu files, %zu slots compared\n", compared, slots_compared);
	assert_true(compared > 20);
}

/* The dynamic tags alone say the same; only static programs lose theirs. */
static void section_headers_are_not_needed(void **state)
{
	static const char *const names[] = { "lazy", "now",	"fixed", "relr",
					     "sysv", "library", "i386",	 "static-pie" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct elf_relocations *whole, *bare;
		struct elf_file *elf, *stripped;
		struct listing one, other;

		if (access(path_of(names[i]), R_OK))
			continue;
		elf = open_elf(path_of(names[i]));
		stripped = open_elf(without_sections(path_of(names[i])));
		whole = relocations_of(elf);
		bare = relocations_of(stripped);
		list_by_us(&one, whole);
		list_by_us(&other, bare);
		listing__compare(&one, &other, names[i]);
		assert_int_equal(whole->lazy, bare->lazy);
		assert_int_equal(whole->plt_start, bare->plt_start);
		elf_file__close(elf);
		elf_file__close(stripped);
	}
}

/* What ld.so prints about each object that it relocates: "relocation processing: FILE (lazy)". */
static void lazy_is_what_ldso_says(void **state)
{
	struct tool tool = tool__start("LD_DEBUG=reloc LD_BIND_NOW= '%s' --version 2>&1 >/dev/null",
				       "/usr/bin/python3");
	size_t compared = 0;
	char *line;

	while ((line = tool__next(&tool))) {
		char *path = strstr(line, "relocation processing: ");
		const struct elf_relocations *relocations;
		struct elf_file *elf;
		bool lazy;

		if (!path)
			continue;
		path += strlen("relocation processing: ");
		lazy = strstr(path, " (lazy)");
		path[strcspn(path, " ")] = '\0';
		if (!*path || !is_elf(path))
			continue;
		elf = open_elf(path);
		relocations = relocations_of(elf);
		if (relocations->counts[RELOC_JUMP_SLOT] && relocations->lazy != lazy)
			fail_msg("%s: %d, but ld.so: %d", path, relocations->lazy, lazy);
		compared++;
		elf_file__close(elf);
	}
	print_message("%zu objects compared\n", compared);
	assert_true(compared >= 2);
}

/* Where the unbound slots of a file point to, all of them. */
static void unbound_slots_point_into_the_plt(void **state)
{
	struct elf_file *elf = open_elf(path_of("lazy"));
	const struct elf_relocations *relocations = relocations_of(elf);
	struct bytes bytes = bytes__read(path_of("lazy"));
	const Elf64_Phdr *segments =
		(Elf64_Phdr *)(bytes.data + ((Elf64_Ehdr *)bytes.data)->e_phoff);
	size_t found = 0;

	for (size_t i = 0; i < relocations->slot_count; i++) {
		uint64_t address = relocations->slots[i].address, word;

		for (int k = 0; k < ((Elf64_Ehdr *)bytes.data)->e_phnum; k++) {
			if (segments[k].p_type != PT_LOAD || address < segments[k].p_vaddr ||
			    address - segments[k].p_vaddr >= segments[k].p_filesz ||
			    relocations->slots[i].kind != RELOC_JUMP_SLOT)
				continue;
			memcpy(&word,
			       bytes.data + segments[k].p_offset + address - segments[k].p_vaddr,
			       sizeof(word));
			assert_true(word >= relocations->plt_start && word < relocations->plt_end);
			found++;
		}
	}
	assert_int_equal(found, relocations->counts[RELOC_JUMP_SLOT]);
	elf_file__close(elf);
	free(bytes.data);
}

static void what_is_no_elf_file_has_a_reason(void **state)
{
	static const char *const paths[] = { "/nonexistent", "/", "/dev/null", "/etc/passwd" };

	for (int i = 0; i < 4; i++) {
		struct elf_file *elf = elf_file__open(paths[i]);
		const char *reason = NULL;

		assert_null(elf_relocations__of(elf, &reason));
		assert_non_null(reason);
		elf_file__close(elf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_read_as_by_readelf),
		cmocka_unit_test(i386_is_read_as_by_readelf),
		cmocka_unit_test(arm64_is_read_as_by_readelf),
		cmocka_unit_test(this_system_is_read_as_by_readelf),
		cmocka_unit_test(section_headers_are_not_needed),
		cmocka_unit_test(lazy_is_what_ldso_says),
		cmocka_unit_test(unbound_slots_point_into_the_plt),
		cmocka_unit_test(what_is_no_elf_file_has_a_reason),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
