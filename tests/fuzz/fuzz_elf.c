// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged ELF files give names and relocations, or a reason, but never a crash, and never take long
 * or much memory. FORKTAX_FUZZ_SEED=N starts elsewhere, FORKTAX_FUZZ_ROUNDS=N goes on for longer. A
 * crash leaves the file, DIRECTORY/damaged.
 */
#include <sys/resource.h>
#include <time.h>

#include "elf_tools.h"

#include "elf/linking.h"
#include "elf/mapping.h"
#include "elf/relocations.h"
#include "elf/symbols.h"
#include "random.h"

enum { ROUNDS = 1500, SECONDS_MOST = 10, KIB_MOST = 1 << 20 };

static const char source[] = "#include <stdio.h>\n"
			     "static int one(void) { return 1; }\n"
			     "int (*table[])(void) = { one, getchar, one };\n"
			     "int main(void) { return puts(\"x\") + table[1](); }\n";

static const struct sample {
	const char *name, *compiler;
} samples[] = {
	{ "lazy", "cc -pie -fPIE -Wl,-z,lazy" },
	{ "relr", "cc -s -pie -fPIE -Wl,-z,pack-relative-relocs,--hash-style=sysv" },
	{ "library", "cc -s -shared -fPIC -Wl,-z,now" },
	{ "i386", "cc -m32 -shared -fPIC -nostdlib -DBARE" },
	{ "static", "cc -s -static -no-pie" },
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]), BASES_MOST = 2 * SAMPLES + 1 };

static struct bytes bases[BASES_MOST];
static size_t base_count;

/* Of this process: other load on the machine is no fault. */
static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Every answer is used: strings to their end, pointers for what they point to. */
static size_t use_symbols(const struct elf_symbols *symbols, uint64_t address)
{
	uint64_t distance;
	const char *name = elf_symbols__symbol(symbols, address, &distance);
	const char *section = elf_symbols__section(symbols, address);

	return (name ? strlen(name) : 0) + (section ? strlen(section) : 0);
}

static bool read_symbols(struct elf_file *elf)
{
	const struct elf_symbols *symbols = elf_symbols__of(elf);
	size_t used = 0;

	assert_true(symbols || *elf_file__problem(elf));
	for (uint64_t offset = 0; symbols && offset < 0x6000; offset += 0x1f1) {
		struct elf_bss bss;
		uint64_t address = 0;

		used += elf_mapping__address(&elf->object, offset, offset & 7, &address);
		if (elf_mapping__bss(&elf->object, offset, &bss))
			used += use_symbols(symbols, bss.address);
		used += use_symbols(symbols, address) + use_symbols(symbols, offset) +
			use_symbols(symbols, next());
	}
	assert_true(used < SIZE_MAX);
	return symbols;
}

static bool read_relocations(struct elf_file *elf)
{
	const char *reason;
	const struct elf_relocations *relocations = elf_relocations__of(elf, &reason);
	size_t used = 0;

	assert_true(relocations ? !reason : reason && *reason);
	for (size_t i = 0; relocations && i < relocations->slot_count; i++)
		used += relocations->slots[i].symbol ? strlen(relocations->slots[i].symbol) : 1;
	assert_true(used < SIZE_MAX);
	return relocations;
}

static bool read_facts(struct elf_file *elf)
{
	const char *reason;
	const struct elf_facts *facts = elf_facts__of(elf, &reason);

	assert_true(facts ? !reason : reason && *reason);
	return facts;
}

static bool read_linking(struct elf_file *elf)
{
	char *reason = NULL;
	struct elf_linking *linking = elf->opened == ELF_OPENED
					      ? elf_linking__read(&elf->object, &reason)
					      : NULL;
	size_t used = 0;

	assert_true(!linking || !reason);
	for (size_t i = 0; linking && i < linking->definition_count; i++)
		used += strlen(linking->definitions[i].name) +
			(linking->definitions[i].version ? strlen(linking->definitions[i].version) : 0);
	for (size_t i = 0; linking && i < linking->reference_count; i++)
		used += strlen(linking->references[i].name) +
			(linking->references[i].version ? strlen(linking->references[i].version) : 0);
	for (char **name = linking ? linking->needed : NULL; name && *name; name++)
		used += strlen(*name);
	assert_true(used < SIZE_MAX);
	elf_linking__free(linking);
	free(reason);
	return used;
}

/* A second reading of each part has the same answer. */
static size_t read_parts(struct elf_file *elf)
{
	size_t good = read_symbols(elf) + read_relocations(elf) + read_facts(elf) +
		      read_linking(elf);

	assert_int_equal(read_relocations(elf) + read_facts(elf) + read_linking(elf),
			 good - read_symbols(elf));
	return good;
}

static long most_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static size_t check(const char *path)
{
	double begin = seconds();
	struct elf_file *elf = elf_file__open(path);
	size_t good = read_parts(elf);

	elf_file__close(elf);
	elf_files__forget();
	if (seconds() - begin > SECONDS_MOST)
		fail_msg("%s took %.1f s", path, seconds() - begin);
	if (most_kib() > KIB_MOST)
		fail_msg("%s took %ld KiB", path, most_kib());
	return good;
}

static const char *store(const struct bytes *bytes, size_t size)
{
	static char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/damaged", directory);
	/* Some file systems write a file to disk when one truncated by open(2) is closed. */
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, size), size);
	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
	return path;
}

/* Tables of the file that are worth damaging: where they start, and how long they are. */
struct region {
	uint64_t offset, size;
};

static size_t find_regions(const struct bytes *bytes, struct region *regions, size_t most)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes->data;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes->data + header->e_shoff);
	size_t count = 0;

	regions[count++] = (struct region){ 0, 64 };
	if (header->e_ident[EI_CLASS] != ELFCLASS64) {
		regions[count++] = (struct region){ 52, bytes->size - 52 };
		return count;
	}
	regions[count++] = (struct region){ 64, header->e_phnum * sizeof(Elf64_Phdr) };
	if (header->e_shoff)
		regions[count++] = (struct region){ header->e_shoff,
						    header->e_shnum * sizeof(Elf64_Shdr) };
	for (int i = 0; header->e_shoff && i < header->e_shnum && count < most; i++) {
		if (sections[i].sh_type != SHT_NULL && sections[i].sh_type != SHT_NOBITS &&
		    sections[i].sh_size && !(sections[i].sh_flags & SHF_EXECINSTR))
			regions[count++] =
				(struct region){ sections[i].sh_offset, sections[i].sh_size };
	}
	return count;
}

static uint64_t nasty_value(const struct bytes *bytes)
{
	static const uint64_t values[] = { 0,	   1,	       2,	       7,
					   0xffff, 0x7fffffff, 0xffffffff,     0x100000000,
					   ~0ULL,  1ULL << 63, INT64_MAX - 15, ~0ULL << 12 };
	uint64_t choice = next() % 20;

	if (choice < sizeof(values) / sizeof(values[0]))
		return values[choice];
	if (choice < 15)
		return next() % 256;
	return choice < 18 ? next() % (2 * bytes->size) : next();
}

static void damage(struct bytes *bytes)
{
	struct region regions[64];
	size_t count = find_regions(bytes, regions, 64);

	for (uint64_t times = 1 + next() % 4; times; times--) {
		const struct region *region = &regions[next() % count];
		uint64_t place = region->offset + next() % region->size, value = nasty_value(bytes);
		size_t width = 1ULL << next() % 4;

		/* Fields are aligned to their size; one in four is not hit as a field. */
		if (next() % 4)
			place -= place % width;
		if (place + width <= bytes->size)
			memcpy(bytes->data + place, &value, width);
	}
}

/* One table overwritten with a piece of the file, so that what is read is valid but absurd. */
static void transplant(struct bytes *bytes)
{
	struct region regions[64];
	const struct region *region = &regions[next() % find_regions(bytes, regions, 64)];
	uint64_t size = 1 + next() % region->size, from = next() % (bytes->size - size);

	memmove(bytes->data + region->offset, bytes->data + from, size);
}

static void damaged_files_are_survived(void **state)
{
	uint64_t rounds = number_from("FORKTAX_FUZZ_ROUNDS", ROUNDS);
	size_t good = 0;

	for (uint64_t i = 0; i < rounds; i++) {
		const struct bytes *base = &bases[i % base_count];
		struct bytes copy = { malloc(base->size), base->size };
		size_t size;

		memcpy(copy.data, base->data, base->size);
		if (next() % 8)
			damage(&copy);
		else
			transplant(&copy);
		size = next() % 16 ? copy.size : next() % copy.size;
		good += check(store(&copy, size));
		free(copy.data);
	}
	print_message("%llu files, %zu of %llu readings found something\n",
		      (unsigned long long)rounds, good, (unsigned long long)(4 * rounds));
	/* Were most of them refused by the first check, little would be tested. */
	assert_true(good > rounds / 2);
}

/* Chance may miss a field; here each word of each small table gets each of some values. */
static size_t damage_every_field(const struct bytes *base, size_t *files)
{
	static const uint32_t values[] = { 0xffffffff, 128, 0 };
	struct bytes copy = { malloc(base->size), base->size };
	struct region regions[64];
	size_t count = find_regions(base, regions, 64), good = 0;

	memcpy(copy.data, base->data, base->size);
	for (size_t i = 0; i < count; i++) {
		uint64_t size = regions[i].size < 512 || i < 3 ? regions[i].size : 512;

		for (uint64_t at = regions[i].offset; at + 4 <= regions[i].offset + size; at += 4) {
			for (size_t k = 0; k < 3; k++, ++*files) {
				memcpy(copy.data + at, &values[k], 4);
				good += check(store(&copy, copy.size));
			}
			memcpy(copy.data + at, base->data + at, 4);
		}
	}
	free(copy.data);
	return good;
}

/* The first two: one with .symtab, and one for which a debug file is searched. */
static void every_field_is_damaged(void **state)
{
	size_t files = 0, good = 0;

	for (size_t i = 0; i < base_count && i < 4; i += 2)
		good += damage_every_field(&bases[i], &files);
	print_message("%zu files, %zu of %zu readings found something\n", files, good, 4 * files);
	assert_true(good > files);
}

static void write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
	assert_int_equal(pwrite(fd, bytes, size, offset), size);
}

/*
 * A file of 4 GiB, nearly all of it a hole, whose tables claim all of it. With `symbols`, that is
 * the size of its symbol table; the first FILLED of them have an address and a name.
 */
static const char *store_huge(size_t symbols)
{
	enum { STRINGS = 0x200000, TABLE = 0x400000, FILLED = 3000000 };
	static char path[64];
	const uint64_t all = 1ULL << 32;
	Elf64_Ehdr header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			      .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = 1,
			      .e_phoff = 64, .e_shoff = 0x1000, .e_ehsize = 64, .e_phentsize = 56,
			      .e_phnum = 2, .e_shentsize = 64, .e_shnum = 4, .e_shstrndx = 2 };
	Elf64_Phdr segments[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = all, .p_memsz = all },
		{ .p_type = PT_DYNAMIC, .p_offset = 0x2000, .p_vaddr = 0x2000, .p_filesz = 0x1000 },
	};
	Elf64_Dyn tags[] = {
		{ DT_SYMTAB, { TABLE } },	{ DT_STRTAB, { STRINGS } }, { DT_GNU_HASH, { 0x3000 } },
		{ DT_RELA, { all / 2 } },	{ DT_RELASZ, { all / 4 } }, { DT_RELR, { all / 2 } },
		{ DT_RELRSZ, { 1 << 27 } },	{ DT_JMPREL, { TABLE } },
		{ DT_PLTRELSZ, { 1 << 28 } },	{ DT_PLTREL, { DT_RELA } },
	};
	Elf64_Shdr sections[] = {
		{ 0 },
		{ .sh_type = symbols ? SHT_SYMTAB : SHT_PROGBITS, .sh_offset = TABLE,
		  .sh_size = symbols ? symbols * sizeof(Elf64_Sym) : all - TABLE, .sh_link = 2 },
		{ .sh_type = SHT_STRTAB, .sh_offset = STRINGS, .sh_size = all - STRINGS },
		{ .sh_type = SHT_NOTE, .sh_offset = 0, .sh_size = all },
	};
	uint32_t hash[] = { 0x10000000, 1, 0x1000, 5 };
	Elf64_Sym block[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/huge", directory);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, all), 0);
	write_at(fd, &header, sizeof(header), 0);
	write_at(fd, segments, sizeof(segments), 64);
	write_at(fd, sections, sizeof(sections), 0x1000);
	write_at(fd, tags, sizeof(tags), 0x2000);
	write_at(fd, hash, sizeof(hash), 0x3000);
	for (size_t done = 0; symbols && done < FILLED; done += 4096) {
		for (size_t i = 0; i < 4096; i++)
			block[i] = (Elf64_Sym){ .st_name = 1, .st_info = STT_FUNC, .st_shndx = 1,
						.st_value = next() % all, .st_size = next() % 99 };
		write_at(fd, block, sizeof(block), TABLE + done * sizeof(*block));
	}
	close(fd);
	return path;
}

static void huge_files_are_bounded(void **state)
{
	check(store_huge(0));
	check(store_huge(10000000));
}

/* A thousandth of what it unpacks to. */
static void bombs_do_not_go_off(void **state)
{
	struct rlimit before, limit;
	char command[512];
	long kib;

	snprintf(command, sizeof(command),
		 "cd %s && head -c 400000000 /dev/zero | xz -0 >bomb.xz && objcopy "
		 "--add-section .gnu_debugdata=bomb.xz library bomb 2>/dev/null",
		 directory);
	if (system(command) != 0)
		skip();
	snprintf(command, sizeof(command), "%s/bomb", directory);
	kib = most_kib();
	/* Unpacked data are in a memory file; it would end us with SIGXFSZ. */
	getrlimit(RLIMIT_FSIZE, &before);
	limit = (struct rlimit){ 100 << 20, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(check(command), 4);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_true(most_kib() - kib < 100 * 1024);
}

static void add_base(const char *path)
{
	bases[base_count++] = bytes__read(path);
}

static int set_up(void **state)
{
	static const char bare[] = "extern int there(int); int *p; int **q = &p;\n"
				   "int f(void) { return there(*p); }\n";

	set_seed(20061124);
	if (make_directory(state))
		return -1;
	for (size_t i = 0; i < SAMPLES; i++) {
		char path[64];

		if (!build_source(samples[i].name, samples[i].compiler,
				  strstr(samples[i].compiler, "BARE") ? bare : source))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, samples[i].name);
		add_base(path);
		add_base(without_sections(path));
	}
	return base_count ? 0 : -1;
}

static int tear_down(void **state)
{
	for (size_t i = 0; i < base_count; i++)
		free(bases[i].data);
	return remove_files(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_files_are_survived),
		cmocka_unit_test(every_field_is_damaged),
		cmocka_unit_test(bombs_do_not_go_off),
		cmocka_unit_test(huge_files_are_bounded),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
