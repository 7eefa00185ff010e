// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf_files.h"
#include "made.h"
#include "process_layout.h"

#include "elf/mapping.h"
#include "elf/relocations.h"
#include "resolve/bindings/bindings.h"
#include "resolve/names/place_names.h"


/* Binds write and read, then getppid, and never getpid. */
static const char source[] = "#include <unistd.h>\n"
			     "char empty[20000];\n"
			     "int main(void)\n"
			     "{\n"
			     "	char byte;\n"
			     "	write(1, \"\", 1);\n"
			     "	read(0, &byte, 1);\n"
			     "	getppid();\n"
			     "	write(1, \"\", 1);\n"
			     "	read(0, &byte, 1);\n"
			     "#ifdef SIN\n"
			     "	if (byte == 'x') return sin(byte);\n"
			     "#endif\n"
			     "	return getpid();\n"
			     "}\n";

/* Its path, static; NULL if the compiler is missing, or refuses. */
static const char *try_guest(const char *compiler)
{
	static char path[128];
	char command[1024];
	FILE *stream;

	snprintf(path, sizeof(path), "%s/guest.c", directory);
	stream = fopen(path, "we");
	assert_non_null(stream);
	fputs(source, stream);
	fclose(stream);
	snprintf(command, sizeof(command),
		 "cd %s && rm -f guest && %s -o guest guest.c 2>/dev/null", directory, compiler);
	if (system(command))
		return NULL;
	snprintf(path, sizeof(path), "%s/guest", directory);
	return path;
}

/* The same; skips the test if there is none. */
static const char *build_guest(const char *compiler)
{
	const char *path = try_guest(compiler);

	if (!path)
		skip();
	return path;
}

/* On every machine: relocations apart from code. */
static const char lazy[] = "gcc -w -fno-stack-protector -fPIE -pie -Wl,-z,lazy -Wl,-z,separate-code "
			   "-Wl,--no-as-needed -lm";

static const struct binding_object *binding_of(const struct run *run, const char *part)
{
	const struct anatomy *anatomy = run->anatomy;

	for (size_t i = 0; i < anatomy->binding_count; i++) {
		if (strstr(anatomy->objects[anatomy->bindings[i].object].path, part))
			return &anatomy->bindings[i];
	}
	fail_msg("no binding of %s", part);
	return NULL;
}

/* A guest at its first stop, with its bindings. */
static struct run *bindings_of(const char *path)
{
	struct guest guest;
	struct run *run;

	guest__start(&guest, path);
	run = run_of(&guest);
	guest__end(&guest);
	bindings__find(run);
	return run;
}

/* Address 0: it has none. */
static struct elf_slot find_slot(const char *path, const char *name)
{
	const char *reason;
	struct elf_file *elf = open_elf(path);
	const struct elf_relocations *relocations = elf_relocations__of(elf, &reason);
	struct elf_slot slot = { .address = 0 };

	assert_non_null(relocations);
	for (size_t i = 0; i < relocations->slot_count; i++) {
		if (relocations->slots[i].symbol && !strcmp(relocations->slots[i].symbol, name))
			slot = relocations->slots[i];
	}
	slot.symbol = NULL; /* freed */
	elf_file__close(elf);
	return slot;
}

/* Two functions are called later. So are some of those that every program starts and ends with, through slots on arm64. */
static uint64_t slots_that_wait(const char *path)
{
	static const char *const at_the_end[] = { "__cxa_finalize", "__gmon_start__", "abort" };
	uint64_t waiting = 2;

	for (size_t i = 0; i < sizeof(at_the_end) / sizeof(at_the_end[0]); i++)
		waiting += find_slot(path, at_the_end[i]).kind == RELOC_JUMP_SLOT;
	return waiting;
}

/* What a guest's own slots look like. */
static void check_slots(const char *compiler, bool is_lazy)
{
	const char *path = build_guest(compiler);
	const uint64_t unbound = is_lazy ? slots_that_wait(path) : 0;
	struct run *run = bindings_of(path);
	const struct binding_object *binding;
	uint64_t led = 0;

	binding = binding_of(run, "/guest");
	assert_int_equal(binding->lazy, is_lazy);
	/* Some libc has its own start among them, which is bound by then. */
	assert_true(binding->relocations[RELOC_JUMP_SLOT] >= 4);
	assert_int_equal(binding->slots_unbound, unbound);
	assert_int_equal(binding->slots_bound, binding->relocations[RELOC_JUMP_SLOT] - unbound);
	for (size_t i = 0; i < run->anatomy->binding_count; i++)
		led += run->anatomy->bindings[i].bound_to;
	assert_true(led >= binding->slots_bound);
	run__free(run);
}

static void lazy_slots_wait(void **state)
{
	check_slots(lazy, true);
}

static void not_pie_is_the_same(void **state)
{
	check_slots("gcc -w -fno-stack-protector -fno-pie -no-pie -Wl,-z,lazy", true);
}

static void files_may_ask_for_bind_now(void **state)
{
	check_slots("gcc -w -fPIE -pie -Wl,-z,now", false);
}

static void so_may_the_environment(void **state)
{
	setenv("LD_BIND_NOW", "1", 1);
	check_slots(lazy, false);
	unsetenv("LD_BIND_NOW");
}

static void musl_never_binds_lazily(void **state)
{
	check_slots("musl-gcc -w -fPIE -pie -Wl,-z,lazy", false);
}

static void unused_libraries_are_found(void **state)
{
	struct run *run = bindings_of(build_guest(lazy));

	assert_int_equal(binding_of(run, "libm")->bound_to, 0);
	assert_int_equal(binding_of(run, "libm")->data_to, 0);
	assert_false(binding_of(run, "libm")->awaited);
	assert_int_not_equal(binding_of(run, "/ld-linux")->bound_to, 0);
	assert_int_not_equal(binding_of(run, "libc")->relro_end, 0);
	run__free(run);
}

/* Nothing leads to it yet, but a call is written down. */
static void what_waits_is_no_unused_library(void **state)
{
	struct run *run = bindings_of(build_guest("gcc -w -DSIN -fno-builtin -fno-stack-protector -fPIE -pie "
						  "-Wl,-z,lazy -Wl,--no-as-needed -lm"));

	assert_int_equal(binding_of(run, "libm")->bound_to, 0);
	assert_true(binding_of(run, "libm")->awaited);
	assert_false(binding_of(run, "libc")->awaited); /* is bound to */
	run__free(run);
}

/* ----- symbols ----- */

static struct elf_slot slot_named(const char *path, const char *name)
{
	struct elf_slot slot = find_slot(path, name);

	assert_int_not_equal(slot.address, 0);
	return slot;
}

static bool is_pie(const char *path)
{
	struct bytes bytes = bytes__read(path);
	bool is = ((Elf64_Ehdr *)bytes.data)->e_type == ET_DYN;

	free(bytes.data);
	return is;
}

/* Where the guest has a virtual address of its file, and which offset in the file that is. */
static uint64_t locate(const struct run *run, uint64_t virtual, uint64_t *offset)
{
	const struct layout *layout = run->anatomy->layouts;
	const char *path = run->anatomy->objects[layout->vmas[0].object].path;
	uint64_t address = (is_pie(path) ? layout->vmas[0].start : 0) + virtual;

	for (size_t i = 0; i < layout->vma_count; i++) {
		const struct layout_vma *vma = &layout->vmas[i];

		if (address >= vma->start && address < vma->end) {
			*offset = vma->offset + (address - vma->start);
			return address;
		}
	}
	fail_msg("0x%lx is not mapped", virtual);
	return 0;
}

/* Adds the page with the slot of getppid, from before and after its binding. */
static void add_got_page(struct run *run, const struct guest *guest, const char *path)
{
	struct got_page *page = checked_calloc(1, sizeof(*page));
	uint64_t slot = slot_named(path, "getppid").address, offset;
	uint64_t address = locate(run, slot, &offset);

	*page = (struct got_page){ .group = 0,
				   .object = object_of(run->anatomy, path),
				   .offset = offset & -(uint64_t)GOT_PIECE,
				   .address = address & -(uint64_t)GOT_PIECE,
				   .children = 7,
				   .generations = { [GENERATION_CHILD] = 7 } };
	guest__read(guest, page->address, page->before, GOT_PIECE);
	guest__go_on(guest);
	guest__read(guest, page->address, page->after, GOT_PIECE);
	run->anatomy->got_pages = page;
	run->anatomy->got_page_count = 1;
}

static struct run *run_that_binds(const char *path)
{
	struct guest guest;
	struct run *run;

	guest__start(&guest, path);
	run = run_of(&guest);
	add_got_page(run, &guest, path);
	guest__end(&guest);
	return run;
}

static void check_getppid(const struct run *run, const char *path)
{
	const struct binding_symbol *symbol = run->anatomy->symbols;

	assert_int_equal(run->anatomy->symbol_count, 1);
	assert_string_equal(symbol->symbol, "getppid");
	assert_int_equal(symbol->slot, slot_named(path, "getppid").address);
	assert_int_equal(symbol->children, 7);
	assert_int_equal(symbol->method, BY_GOT_DIFFERENCE);
	assert_non_null(strstr(run->anatomy->objects[symbol->provider].path, "libc"));
}

static void got_differences_have_names(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);

	bindings__find(run);
	check_getppid(run, path);
	run__free(run);
}

static void add_row(struct run *run, struct anatomy_row row)
{
	*MADE(run->anatomy->rows, run->anatomy->row_count, .group = 0) = row;
}

static void add_sample(struct run *run, uint64_t children)
{
	MADE_SAMPLE(run, .children = children);
}

/* ld.so's copy of the page with the slot of getppid, at an offset of bytes from it. */
static struct anatomy_row slot_row(const struct run *run, uint32_t object, int64_t distance)
{
	const char *path = run->anatomy->objects[object].path;
	uint64_t offset;

	locate(run, slot_named(path, "getppid").address, &offset);
	return (struct anatomy_row){
		.group = 0,
		.phase = PHASE_CHILD,
		.actor = ACTOR_LDSO,
		.class = FAULT_COW_COPY,
		.place = { .kind = PLACE_FILE, .object = object, .offset = offset + distance },
		.code = { .object = NO_OBJECT },
		.faults = 5,
		.children = 5,
	};
}

/* Contents of 7 children that all bound it, of 7 that did not, and 28 in which ld.so wrote. */
static void contents_of_some_children_stand_for_all(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	struct anatomy *anatomy = run->anatomy;
	struct anatomy_row row = slot_row(run, object_of(anatomy, path), 0);

	anatomy->got_pages = checked_grow(anatomy->got_pages, 1, sizeof(*anatomy->got_pages));
	anatomy->got_pages[1] = anatomy->got_pages[0];
	memcpy(anatomy->got_pages[1].after, anatomy->got_pages[0].before, GOT_PIECE);
	anatomy->got_page_count = 2;
	add_sample(run, 100);
	row.children = 20;
	add_row(run, row);
	row.class = FAULT_COW_REUSE;
	row.children = 8;
	add_row(run, row);
	bindings__find(run);
	assert_int_equal(anatomy->symbol_count, 1);
	assert_int_equal(anatomy->symbols[0].children, 14);
	run__free(run);
}

/* The layout is read when the parent has bound getppid; its child was born before. */
static void layouts_that_come_late_are_corrected(void **state)
{
	const char *path = build_guest(lazy);
	struct run *early = run_that_binds(path), *late;
	struct guest guest;
	struct got_page *page;

	guest__start(&guest, path);
	late = run_of(&guest);
	add_got_page(late, &guest, path);
	page = late->anatomy->got_pages;
	for (size_t i = 0; i < late->anatomy->layouts[0].vma_count; i++) {
		struct layout_vma *vma = &late->anatomy->layouts[0].vmas[i];

		if (page->address >= vma->start && page->address < vma->end)
			memcpy(vma->bytes + (page->address - vma->start), page->after, GOT_PIECE);
	}
	guest__end(&guest);
	bindings__find(early);
	bindings__find(late);
	assert_int_equal(binding_of(late, "/guest")->slots_unbound, slots_that_wait(path));
	assert_int_equal(binding_of(late, "/guest")->slots_bound,
			 binding_of(early, "/guest")->slots_bound);
	run__free(early);
	run__free(late);
}

/* Sources leave them zero. */
static void pages_that_are_not_there_have_no_slots(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);

	for (size_t i = 0; i < run->anatomy->layouts[0].vma_count; i++) {
		struct layout_vma *vma = &run->anatomy->layouts[0].vmas[i];

		vma->pages = checked_calloc((vma->end - vma->start) / GOT_PIECE + 1, 1);
		memset(vma->pages, '.', (vma->end - vma->start) / GOT_PIECE);
	}
	bindings__find(run);
	assert_true(binding_of(run, "/guest")->slots_bound == ABSENT);
	assert_true(binding_of(run, "/guest")->slots_unbound == ABSENT);
	assert_true(binding_of(run, "libm")->bound_to == ABSENT);
	run__free(run);
}

static void so_are_those_by_the_faults_of_the_parent(void **state)
{
	const char *path = build_guest(lazy);
	struct guest guest;
	struct run *run;
	struct anatomy_row row;

	guest__start(&guest, path);
	guest__go_on(&guest);
	run = run_of(&guest);
	guest__end(&guest);
	row = slot_row(run, object_of(run->anatomy, path), 0);
	row.phase = PHASE_PARENT;
	add_row(run, row);
	bindings__find(run);
	assert_int_equal(binding_of(run, "/guest")->slots_unbound, slots_that_wait(path));
	run__free(run);
}

static void a_child_of_another_parent_has_no_provider(void **state)
{
	struct run *run = run_that_binds(build_guest(lazy));
	struct got_page *page = run->anatomy->got_pages;
	uint64_t words[GOT_PIECE / sizeof(uint64_t)], moved = 0x10000000;

	memcpy(words, page->before, GOT_PIECE);
	for (size_t i = 0; i < GOT_PIECE / sizeof(uint64_t); i++)
		words[i] += words[i] ? moved : 0;
	memcpy(page->before, words, GOT_PIECE);
	page->address += moved;
	bindings__find(run);
	assert_int_equal(run->anatomy->symbol_count > 0, true);
	assert_int_equal(run->anatomy->symbols[0].provider, NO_OBJECT);
	run__free(run);
}

static void section_headers_are_not_needed(void **state)
{
	const char *path = build_guest(lazy);
	struct bytes bytes = bytes__read(path);
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
	FILE *stream = fopen(path, "we");
	struct run *run;

	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = 0;
	assert_int_equal(fwrite(bytes.data, 1, bytes.size, stream), bytes.size);
	fclose(stream);
	free(bytes.data);
	run = run_that_binds(path);
	bindings__find(run);
	check_getppid(run, path);
	run__free(run);
}

static void without_contents_the_first_slot_counts(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	uint32_t object = object_of(run->anatomy, path);

	free(run->anatomy->got_pages);
	run->anatomy->got_pages = NULL;
	run->anatomy->got_page_count = 0;
	add_sample(run, 5);
	add_row(run, slot_row(run, object, 0));
	bindings__find(run);
	assert_int_equal(run->anatomy->symbol_count, 1);
	assert_string_equal(run->anatomy->symbols[0].symbol, "getppid");
	assert_int_equal(run->anatomy->symbols[0].method, BY_FIRST_SLOT);
	assert_int_equal(run->anatomy->symbols[0].children, 5);
	assert_int_equal(run->anatomy->symbols[0].provider, NO_OBJECT);
	assert_int_equal(binding_of(run, "/guest")->child_pages, 1);
	run__free(run);
}

static void slots_are_named_after_their_symbols(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	uint32_t object = object_of(run->anatomy, path);
	struct anatomy_row *rows;

	add_row(run, slot_row(run, object, 0));
	add_row(run, slot_row(run, object, 4)); /* inside of it */
	add_row(run, slot_row(run, object, 0));
	rows = run->anatomy->rows;
	for (int i = 0; i < 3; i++) {
		rows[i].place.section = checked_strdup(".got.plt");
		rows[i].place.symbol = checked_strdup("_GLOBAL_OFFSET_TABLE_");
		rows[i].place.symbol_offset = 40;
	}
	rows[2].actor = ACTOR_PROGRAM;
	bindings__find(run);
	assert_string_equal(rows[0].place.symbol, "getppid@got");
	assert_int_equal(rows[0].place.symbol_offset, 0);
	assert_string_equal(rows[1].place.symbol, "_GLOBAL_OFFSET_TABLE_");
	assert_string_equal(rows[2].place.symbol, "_GLOBAL_OFFSET_TABLE_");
	run__free(run);
}

static void contents_count_more_than_the_first_slot(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	uint32_t object = object_of(run->anatomy, path);

	add_sample(run, 5);
	add_row(run, slot_row(run, object, 0));
	add_row(run, slot_row(run, object, 8)); /* the same page */
	bindings__find(run);
	check_getppid(run, path);
	assert_int_equal(binding_of(run, "/guest")->child_pages, 1);
	run__free(run);
}

/* ----- whether the symbols are all ----- */

/* Five children made the page with the slot of getppid their own, and ld.so took a fault in the guest. */
struct unseen_case {
	bool compared; /* the page */
	enum actor actor; /* who made it own */
	bool reads; /* ld.so */
	uint64_t missed, beyond; /* faults of these children */
	enum phase phase, phase_of_read;
	uint32_t earlier_group, group_of_read;
	enum fault_class earlier; /* of the page; FAULT_COUNT: none */
	uint32_t object_of_read; /* beyond the guest */
	uint64_t further; /* bytes, inside of the page: the second time */
};

static const struct unseen_case usual = {
	.actor = ACTOR_PROGRAM,
	.reads = true,
	.phase = PHASE_CHILD,
	.phase_of_read = PHASE_CHILD,
	.earlier = FAULT_COUNT,
};

static uint64_t unseen_pages(const struct unseen_case *about)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	struct anatomy_row row = slot_row(run, object_of(run->anatomy, path), 0), earlier = row;
	uint64_t result;

	if (!about->compared)
		run->anatomy->got_page_count = 0;
	add_sample(run, 5);
	run->anatomy->samples[0].child_missed = about->missed;
	run->anatomy->samples[0].child_beyond = about->beyond;
	earlier.phase = PHASE_CHILD;
	earlier.class = about->earlier;
	earlier.group = about->earlier_group;
	if (about->earlier != FAULT_COUNT)
		add_row(run, earlier);
	row.actor = about->actor;
	row.phase = about->phase;
	add_row(run, row);
	row.class = FAULT_COW_REUSE; /* the same page */
	row.place.offset += about->further;
	add_row(run, row);
	row.actor = ACTOR_LDSO;
	row.phase = about->phase_of_read;
	row.group = about->group_of_read;
	row.class = FAULT_FILE_MAP;
	row.place.offset = 0x40;
	row.place.object += about->object_of_read;
	if (about->reads)
		add_row(run, row);
	bindings__find(run);
	result = run->anatomy->samples[0].unseen_pages;
	run__free(run);
	return result;
}

#define UNSEEN(...)                                                                                \
	({                                                                                         \
		struct unseen_case about = usual;                                                  \
		__VA_ARGS__;                                                                       \
		unseen_pages(&about);                                                              \
	})

static void pages_that_were_not_compared_are_told(void **state)
{
	assert_int_equal(UNSEEN(about.compared = true), 0);
	assert_int_equal(UNSEEN((void)about), 1);
	assert_int_equal(UNSEEN(about.actor = ACTOR_LDSO, about.reads = false), 1);
	assert_true(UNSEEN(about.compared = true, about.missed = 1) == ABSENT);
	assert_true(UNSEEN(about.compared = true, about.beyond = 1) == ABSENT);
	/* What the parent copies has nothing to do with it. */
	assert_int_equal(UNSEEN(about.phase = PHASE_PARENT), 0);
}

static void a_page_is_told_once(void **state)
{
	assert_int_equal(UNSEEN(about.further = 1), 1);
	assert_int_equal(UNSEEN(about.earlier = FAULT_COW_COPY), 1);
	/* But not because of another group, or because somebody has read it. */
	assert_int_equal(UNSEEN(about.earlier = FAULT_COW_COPY, about.earlier_group = 1), 1);
	assert_int_equal(UNSEEN(about.earlier = FAULT_FILE_MAP), 1);
}

/* Where ld.so has not read a relocation in these children, it has bound nothing. */
static void pages_of_objects_that_bind_nothing_are_not_told(void **state)
{
	assert_int_equal(UNSEEN(about.reads = false), 0);
	assert_int_equal(UNSEEN(about.group_of_read = 1), 0);
	assert_int_equal(UNSEEN(about.phase_of_read = PHASE_PARENT), 0);
	assert_int_equal(UNSEEN(about.object_of_read = 1), 0);
}

/* ----- linkers: several segments may share a page of the file ----- */

static const char *const linkers[] = { "bfd", "gold", "lld", "mold" };

static const char *const options[] = {
	"-fPIE -pie",
	"-fno-pie -no-pie",
	"-fPIE -pie -Wl,--no-rosegment",
	"-fPIE -pie -Wl,-z,separate-code",
	"-fPIE -pie -Wl,-z,noseparate-code",
	"-fPIE -pie -Wl,-z,norelro",
	"-fPIE -pie -Wl,-z,pack-relative-relocs",
	"-fPIE -pie -Wl,--hash-style=sysv -Wl,--strip-all",
};

/* The guest's slots, its symbol, the name of its slot, and its .bss, on all the ways there. */
static void check_linked(const char *path)
{
	struct run *run = run_that_binds(path);
	uint32_t object = object_of(run->anatomy, path);
	const struct layout *layout = run->anatomy->layouts;
	struct anatomy_row row = slot_row(run, object, 0);
	uint64_t bss = 0;

	row.place.section = checked_strdup(".got.plt");
	add_sample(run, 7);
	add_row(run, row);
	layouts__part_bss(run->anatomy);
	bindings__find(run);
	assert_int_equal(binding_of(run, "/guest")->slots_unbound, slots_that_wait(path));
	assert_true(binding_of(run, "/guest")->slots_bound >= 2);
	check_getppid(run, path);
	assert_string_equal(run->anatomy->rows[0].place.symbol, "getppid@got");
	for (size_t i = 0; i < layout->vma_count; i++)
		if (layout->vmas[i].kind == PLACE_BSS && layout->vmas[i].object == object)
			bss += layout->vmas[i].end - layout->vmas[i].start;
	assert_in_range(bss, 16384, 20480);
	run__free(run);
}

/* The first byte that is cleared belongs to the last segment, though others share its page. */
static void check_cleared(const char *path)
{
	struct elf_file *elf = open_elf(path);
	const struct elf_object *object = &elf->object;
	const GElf_Phdr *last = NULL;
	uint64_t address;

	for (size_t i = 0; i < object->segment_count; i++)
		if (object->segments[i].p_type == PT_LOAD)
			last = &object->segments[i];
	assert_true(elf_mapping__address(object, last->p_offset + last->p_filesz,
					 ELF_READ | ELF_WRITE, &address));
	assert_int_equal(address, last->p_vaddr + last->p_filesz);
	elf_file__close(elf);
}

/* Some linkers write what this libc refuses to load (DT_RELR without its version). */
static bool is_loaded(const char *path)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "%s </dev/null 2>&1 >/dev/null | grep -q 'error while loading'", path);
	return system(command) != 0;
}

static void any_linker_is_the_same(void **state)
{
	char compiler[256];

	for (size_t i = 0; i < sizeof(linkers) / sizeof(linkers[0]); i++) {
		for (size_t k = 0; k < sizeof(options) / sizeof(options[0]); k++) {
			const char *path;

			snprintf(compiler, sizeof(compiler),
				 "gcc -w -fno-stack-protector -fuse-ld=%s -Wl,-z,lazy %s",
				 linkers[i], options[k]);
			path = try_guest(compiler);
			if (path && !is_loaded(path))
				path = NULL;
			print_message("%s: %s\n", path ? "built" : "left out", compiler);
			if (!path)
				continue;
			check_linked(path);
			check_cleared(path);
		}
	}
}

/* ----- pages at the start ----- */

static void the_start_of_its_own_executable_counts(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	uint32_t object = object_of(run->anatomy, path);
	struct anatomy_row row = slot_row(run, object, 0);

	add_sample(run, 5);
	MADE_PROCESS(run, .exe = 3, .kind = IMAGE_EXEC)->group = NO_GROUP;
	run->anatomy->layouts[0].exe = 3;
	row.phase = PHASE_EXEC;
	row.group = NO_GROUP;
	row.class = FAULT_FILE_COW;
	add_row(run, row);
	row.place.offset += GOT_PIECE;
	add_row(run, row);
	row.class = FAULT_FILE_MAP; /* no write */
	row.place.offset += GOT_PIECE;
	add_row(run, row);
	row.class = FAULT_FILE_COW;
	row.group = 0; /* whose children executed something else */
	add_row(run, row);
	row.phase = PHASE_PARENT; /* and not a child's */
	add_row(run, row);
	bindings__find(run);
	assert_int_equal(binding_of(run, "/guest")->startup_pages, 2);
	assert_int_equal(binding_of(run, "/guest")->child_pages, 0);
	assert_int_equal(binding_of(run, "libc")->startup_pages, 0);
	run__free(run);
}

static void what_was_not_recorded_is_absent(void **state)
{
	struct run *run = run_that_binds(build_guest(lazy));

	bindings__find(run);
	assert_true(binding_of(run, "/guest")->startup_pages == ABSENT);
	assert_true(binding_of(run, "/guest")->child_pages == ABSENT);
	run__free(run);
}

/* ----- hostile files ----- */

/* Overwrites one field of every relocation of the PLT in the file. */
static void spoil_relocations(const char *path, uint64_t address)
{
	struct bytes bytes = bytes__read(path);
	const Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
	const Elf64_Shdr *sections = (Elf64_Shdr *)(bytes.data + header->e_shoff);
	FILE *stream = fopen(path, "r+e"); /* the same inode */

	for (int i = 0; i < header->e_shnum; i++) {
		const Elf64_Shdr *section = &sections[i];
		Elf64_Rela *relocations = (Elf64_Rela *)(bytes.data + section->sh_offset);

		for (size_t k = 0; section->sh_type == SHT_RELA &&
				   k < section->sh_size / sizeof(*relocations); k++)
			relocations[k].r_offset = address;
	}
	assert_int_equal(fwrite(bytes.data, 1, bytes.size, stream), bytes.size);
	fclose(stream);
	free(bytes.data);
}

static void check_unreadable(struct run *run)
{
	bindings__find(run);
	assert_true(binding_of(run, "/guest")->slots_bound == ABSENT);
	assert_true(binding_of(run, "/guest")->slots_unbound == ABSENT);
	/* Whom these slots would lead to is not known. */
	assert_true(binding_of(run, "libm")->bound_to == ABSENT);
	assert_int_equal(run->anatomy->symbol_count, 0);
	run__free(run);
}

static void slots_outside_the_file_are_absent(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);

	spoil_relocations(path, UINT64_MAX);
	check_unreadable(run);
	run = run_that_binds(build_guest(lazy));
	spoil_relocations(path, UINT64_MAX - 7);
	check_unreadable(run);
	run = run_that_binds(build_guest(lazy));
	spoil_relocations(path, 0x123456789000);
	check_unreadable(run);
}

/* The word would go on where nothing was read. */
static void slots_across_the_end_of_a_mapping_are_absent(void **state)
{
	const char *path = build_guest(lazy);
	struct run *run = run_that_binds(path);
	uint64_t page = slot_named(path, "getppid").address | (GOT_PIECE - 1);

	spoil_relocations(path, page - 3);
	check_unreadable(run);
}

static void truncated_files_are_left_out(void **state)
{
	const char *path = build_guest(lazy);

	for (off_t size = 0; size < 20000; size += 1111) {
		struct run *run = run_that_binds(build_guest(lazy));

		assert_int_equal(truncate(path, size), 0);
		bindings__find(run);
		run__free(run);
	}
}

static void changed_files_are_not_asked(void **state)
{
	struct run *run = run_that_binds(build_guest(lazy));

	for (size_t i = 0; i < run->anatomy->object_count; i++)
		run->anatomy->objects[i].changed = true;
	bindings__find(run);
	assert_int_equal(run->anatomy->binding_count, 0);
	assert_int_equal(run->anatomy->symbol_count, 0);
	run__free(run);
}

/* ----- 32 bits: no such process here, so memory as its loader would leave it ----- */

enum { BIAS = 0x56550000 };

/* Its path, static; skips the test if the compiler makes no 32-bit code. */
static const char *build_32_bits(void)
{
	static char path[128];
	char command[512];

	snprintf(command, sizeof(command),
		 "cd %s && echo 'int f(void); int g(void) { return f(); }' >f.c && "
		 "gcc -m32 -shared -fPIC -nostdlib -Wl,-z,lazy -o f.so f.c 2>/dev/null",
		 directory);
	if (system(command))
		skip();
	snprintf(path, sizeof(path), "%s/f.so", directory);
	return path;
}

static uint32_t offset_of(const struct bytes *bytes, uint32_t address)
{
	const Elf32_Ehdr *header = (Elf32_Ehdr *)bytes->data;
	const Elf32_Phdr *segments = (Elf32_Phdr *)(bytes->data + header->e_phoff);
	uint32_t offset = 0;

	for (int i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr <= address)
			offset = address - segments[i].p_vaddr + segments[i].p_offset;
	}
	return offset;
}

static void words_may_have_32_bits(void **state)
{
	const char *path = build_32_bits();
	struct elf_slot slot = slot_named(path, "f");
	struct bytes bytes = bytes__read(path);
	uint32_t word, offset = offset_of(&bytes, slot.address);
	struct got_page *page = checked_calloc(1, sizeof(*page));
	struct run *run = made_run(WITH_ANATOMY);

	*page = (struct got_page){ .object = object_of(run->anatomy, path),
				   .offset = offset & -GOT_PIECE,
				   .address = BIAS + (slot.address & -GOT_PIECE),
				   .children = 1,
				   .generations = { [GENERATION_CHILD] = 1 } };
	memcpy(&word, bytes.data + offset, sizeof(word));
	word += BIAS;
	memcpy(page->before + offset % GOT_PIECE, &word, sizeof(word));
	memset(page->after, 0xff, GOT_PIECE);
	run->anatomy->got_pages = page;
	run->anatomy->got_page_count = 1;
	bindings__find(run);
	assert_int_equal(run->anatomy->symbol_count, 1);
	assert_string_equal(run->anatomy->symbols[0].symbol, "f");
	free(bytes.data);
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lazy_slots_wait),
		cmocka_unit_test(not_pie_is_the_same),
		cmocka_unit_test(files_may_ask_for_bind_now),
		cmocka_unit_test(so_may_the_environment),
		cmocka_unit_test(any_linker_is_the_same),
		cmocka_unit_test(pages_that_were_not_compared_are_told),
		cmocka_unit_test(a_page_is_told_once),
		cmocka_unit_test(pages_of_objects_that_bind_nothing_are_not_told),
		cmocka_unit_test(musl_never_binds_lazily),
		cmocka_unit_test(unused_libraries_are_found),
		cmocka_unit_test(what_waits_is_no_unused_library),
		cmocka_unit_test(got_differences_have_names),
		cmocka_unit_test(contents_of_some_children_stand_for_all),
		cmocka_unit_test(layouts_that_come_late_are_corrected),
		cmocka_unit_test(so_are_those_by_the_faults_of_the_parent),
		cmocka_unit_test(pages_that_are_not_there_have_no_slots),
		cmocka_unit_test(a_child_of_another_parent_has_no_provider),
		cmocka_unit_test(section_headers_are_not_needed),
		cmocka_unit_test(without_contents_the_first_slot_counts),
		cmocka_unit_test(slots_are_named_after_their_symbols),
		cmocka_unit_test(contents_count_more_than_the_first_slot),
		cmocka_unit_test(the_start_of_its_own_executable_counts),
		cmocka_unit_test(what_was_not_recorded_is_absent),
		cmocka_unit_test(slots_outside_the_file_are_absent),
		cmocka_unit_test(slots_across_the_end_of_a_mapping_are_absent),
		cmocka_unit_test(truncated_files_are_left_out),
		cmocka_unit_test(changed_files_are_not_asked),
		cmocka_unit_test(words_may_have_32_bits),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
