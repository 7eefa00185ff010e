// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf_files.h"

#include <sys/sysmacros.h>

#include "base/memory.h"
#include "made.h"
#include "base/page.h"
#include "model/run/run.h"
#include "resolve/bindings/bindings.h"
#include "resolve/names/place_names.h"

static char program[64];

/* One symbol in each section that matters; .bss is larger than the page that .data ends in. */
static const char source[] = "char odd[] = \"odd\";\n"
			     "int answer = 42;\n"
			     "char empty[20000];\n"
			     "const int constant = 7;\n"
			     "int question(void) { return answer; }\n"
			     "int main(void) { return question() + empty[0] + constant; }\n";

/* Address of a symbol by nm(1). */
static uint64_t address_of(const char *symbol)
{
	char command[256];
	unsigned long address = 0;
	FILE *stream;

	snprintf(command, sizeof(command), "nm %s | grep ' %s$'", program, symbol);
	stream = popen(command, "r");
	assert_non_null(stream);
	assert_int_equal(fscanf(stream, "%lx", &address), 1);
	pclose(stream);
	return address;
}

/* Offset in the file, that of .bss going on behind the file part. */
static uint64_t offset_of(const char *symbol)
{
	struct bytes bytes = bytes__read(program);
	const Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
	const Elf64_Phdr *segments = (Elf64_Phdr *)(bytes.data + header->e_phoff);
	uint64_t address = address_of(symbol), offset = 0;

	for (int i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr <= address)
			offset = address - segments[i].p_vaddr + segments[i].p_offset;
	}
	free(bytes.data);
	return offset;
}

static struct run *run_with(const char *path, size_t rows)
{
	struct run *run = made_run(WITH_ANATOMY);
	struct stat status;

	assert_int_equal(stat(program, &status), 0);
	MADE_OBJECT(run, .path = path ? checked_strdup(path) : NULL, .dev = status.st_dev, .ino = status.st_ino);
	for (size_t i = 0; i < rows; i++)
		MADE_ROW(run, .place.object = NO_OBJECT, .code.object = NO_OBJECT);
	return run;
}

static struct place place(enum place_kind kind, uint64_t offset)
{
	return (struct place){ .kind = kind, .object = 0, .offset = offset };
}

static void places_have_names(void **state)
{
	struct run *run = run_with(program, 3);
	struct anatomy_row *rows = run->anatomy->rows;

	rows[0].class = FAULT_COW_COPY;
	rows[0].place = place(PLACE_FILE, offset_of("answer") + 2);
	rows[0].code = place(PLACE_FILE, offset_of("question") + 1);
	rows[1].class = FAULT_ZERO_FILL;
	rows[1].place = place(PLACE_BSS, offset_of("empty") + 16000);
	rows[2].class = FAULT_FILE_MAP;
	rows[2].place = place(PLACE_FILE, offset_of("constant"));
	assert_false(anatomy__resolve(run));
	assert_string_equal(rows[0].place.section, ".data");
	assert_string_equal(rows[0].place.symbol, "answer");
	assert_int_equal(rows[0].place.symbol_offset, 2);
	assert_string_equal(rows[0].code.section, ".text");
	assert_string_equal(rows[0].code.symbol, "question");
	assert_int_equal(rows[0].code.symbol_offset, 1);
	assert_string_equal(rows[1].place.section, ".bss");
	assert_string_equal(rows[1].place.symbol, "empty");
	assert_int_equal(rows[1].place.symbol_offset, 16000);
	assert_string_equal(rows[2].place.section, ".rodata");
	assert_string_equal(rows[2].place.symbol, "constant");
	assert_false(run->anatomy->objects[0].changed);
	run__free(run);
}

/* The end of a file part, and a mapping right behind it, `pages` long. */
static struct layout *add_layout(struct run *run, uint64_t offset, const char *pages)
{
	struct layout *layout = checked_calloc(1, sizeof(*layout));

	run->anatomy->layouts = layout;
	run->anatomy->layout_count = 1;
	layout->vmas = checked_calloc(2, sizeof(*layout->vmas));
	layout->vma_count = 2;
	layout->vmas[0] = (struct layout_vma){ .start = 0x10000 - page_bytes,
					       .end = 0x10000,
					       .offset = offset - page_bytes,
					       .kind = PLACE_FILE,
					       .read = true,
					       .write = true };
	layout->vmas[1] = (struct layout_vma){ .start = 0x10000,
					       .end = 0x10000 + strlen(pages) * page_bytes,
					       .offset = offset,
					       .kind = PLACE_BSS,
					       .anon = true,
					       .pages = checked_strdup(pages) };
	return layout;
}

/* The kernel makes one mapping of a .bss and of what is mapped right behind it. */
static void memory_behind_a_bss_is_not_part_of_it(void **state)
{
	uint64_t begin = page__end(offset_of("answer"));
	size_t pages = (page__end(offset_of("empty") + 20000) - begin) / page_bytes;
	struct run *run = run_with(program, 1);
	struct layout *layout = add_layout(run, begin, "aaaaaaaa......aa");

	assert_in_range(pages, 4, 6);
	layouts__part_bss(run->anatomy);
	assert_int_equal(layout->vma_count, 3);
	assert_int_equal(layout->vmas[1].kind, PLACE_BSS);
	assert_int_equal(layout->vmas[1].end, 0x10000 + pages * page_bytes);
	assert_int_equal(strlen(layout->vmas[1].pages), pages);
	assert_int_equal(layout->vmas[2].start, layout->vmas[1].end);
	assert_int_equal(layout->vmas[2].end, 0x10000 + 16 * page_bytes);
	assert_int_equal(layout->vmas[2].kind, PLACE_ANON);
	assert_int_equal(layout->vmas[2].object, NO_OBJECT);
	assert_true(layout->vmas[2].anon);
	assert_string_equal(layout->vmas[2].pages, &"aaaaaaaa......aa"[pages]);
	run__free(run);
}

static void only_the_file_tells_what_is_bss(void **state)
{
	uint64_t begin = page__end(offset_of("answer"));
	struct run *run = run_with(program, 1);
	struct layout *layout = add_layout(run, begin + (1 << 20), "aa");

	layouts__part_bss(run->anatomy); /* behind none of its segments */
	assert_int_equal(layout->vmas[1].kind, PLACE_BSS);
	layout->vmas[1].offset = begin;
	run->anatomy->objects[0].changed = true;
	layouts__part_bss(run->anatomy);
	assert_int_equal(layout->vmas[1].kind, PLACE_BSS);
	run->anatomy->objects[0].changed = false;
	layouts__part_bss(run->anatomy); /* all of it */
	assert_int_equal(layout->vma_count, 2);
	assert_int_equal(layout->vmas[1].kind, PLACE_BSS);
	run__free(run);
}

static void what_no_file_asks_for_was_opened(void **state)
{
	struct run *run = run_with(program, 1);
	struct anatomy *anatomy = run->anatomy;
	struct elf_facts *facts;
	char *reason = NULL;
	const char *paths[4] = { program, "/bin/sh", NULL, NULL };

	facts = elf_facts__read(program, &reason);
	assert_non_null(facts);
	assert_true(facts->libraries_known && facts->library_count);
	paths[2] = facts->libraries[0].path;
	paths[3] = facts->interp;
	MADE_EXE(run, .path = checked_strdup(program), .dev = anatomy->objects[0].dev, .ino = anatomy->objects[0].ino);
	free(anatomy->objects[0].path);
	free(anatomy->objects);
	anatomy->objects = checked_calloc(4, sizeof(*anatomy->objects));
	anatomy->object_count = 4;
	anatomy->bindings = checked_calloc(4, sizeof(*anatomy->bindings));
	anatomy->binding_count = 4;
	for (uint32_t i = 0; i < 4; i++) {
		struct stat status;

		assert_int_equal(stat(paths[i], &status), 0);
		anatomy->objects[i] = (struct object){ .path = checked_strdup(paths[i]),
						       .dev = status.st_dev,
						       .ino = status.st_ino };
		anatomy->bindings[i].object = i;
	}
	add_layout(run, 0, "a");
	bindings__find_opened(run);
	assert_false(anatomy->bindings[0].opened);
	assert_true(anatomy->bindings[1].opened);
	assert_false(anatomy->bindings[2].opened);
	assert_false(anatomy->bindings[3].opened);
	elf_facts__free(facts);
	run__free(run);
}

static void places_outside_objects_have_none(void **state)
{
	struct run *run = run_with(program, 3);
	struct anatomy_row *rows = run->anatomy->rows;

	rows[0].place = (struct place){ .kind = PLACE_HEAP, .object = NO_OBJECT, .offset = 4096 };
	/* What a source must not do: a kind without an object, and an object that is not there. */
	rows[1].place = (struct place){ .kind = PLACE_STACK, .object = 0, .offset = 4096 };
	rows[2].place = (struct place){ .kind = PLACE_FILE, .object = 17, .offset = 4096 };
	anatomy__resolve(run);
	for (int i = 0; i < 3; i++) {
		assert_null(rows[i].place.section);
		assert_null(rows[i].place.symbol);
	}
	run__free(run);
}

static void offsets_outside_the_file_have_none(void **state)
{
	static const uint64_t offsets[] = { 1 << 30, INT64_MAX, UINT64_MAX, UINT64_MAX - 4095 };
	struct run *run = run_with(program, 4);

	for (int i = 0; i < 4; i++) {
		run->anatomy->rows[i].class = FAULT_COW_COPY;
		run->anatomy->rows[i].place = place(i % 2 ? PLACE_BSS : PLACE_FILE, offsets[i]);
		run->anatomy->rows[i].code = place(PLACE_FILE, offsets[i]);
	}
	anatomy__resolve(run);
	for (int i = 0; i < 4; i++) {
		assert_null(run->anatomy->rows[i].place.symbol);
		assert_null(run->anatomy->rows[i].code.symbol);
	}
	run__free(run);
}

/* .bss ends within 20000 bytes and a page behind the symbol in it. */
static void bss_begins_where_the_file_ends(void **state)
{
	struct run *run = run_with(program, 1);
	struct place *at = &run->anatomy->rows[0].place;

	/* Where a gap is, if .data ends before the next multiple of what .bss is aligned to. */
	run->anatomy->rows[0].class = FAULT_FILE_COW;
	*at = place(PLACE_FILE, offset_of("_edata"));
	anatomy__resolve(run);
	assert_string_equal(at->section, ".bss");
	run__free(run);
}

static void memory_behind_the_bss_is_not_the_objects(void **state)
{
	struct run *run = run_with(program, 1);
	struct place *at = &run->anatomy->rows[0].place;
	uint64_t end = (offset_of("__bss_start") + 4095) & ~4095ul;

	*at = place(PLACE_BSS, end + 0x100010);
	anatomy__resolve(run);
	assert_int_equal(at->kind, PLACE_ANON);
	assert_int_equal(at->object, NO_OBJECT);
	assert_int_equal(at->offset, 0x100010);
	assert_null(at->section);
	run__free(run);
}

static void another_file_at_the_path_is_not_asked(void **state)
{
	struct run *run = run_with(program, 1);

	run->anatomy->rows[0].place = place(PLACE_FILE, offset_of("answer"));
	run->anatomy->objects[0].ino++;
	assert_false(anatomy__resolve(run));
	assert_true(run->anatomy->objects[0].changed);
	assert_null(run->anatomy->rows[0].place.section);
	run__free(run);
	run = run_with("/nonexistent/file", 1);
	anatomy__resolve(run);
	assert_true(run->anatomy->objects[0].changed);
	run__free(run);
	run = run_with(NULL, 1); /* never learnt: that it has changed is not known */
	anatomy__resolve(run);
	assert_false(run->anatomy->objects[0].changed);
	run__free(run);
}

/* A file that code ran from, and that cannot be read, is reported; of several, the first one. */
static void files_of_code_without_names_are_told(void **state)
{
	struct run *run = run_with("/nonexistent/file", 1);

	run->anatomy->rows[0].place = place(PLACE_FILE, 0);
	anatomy__resolve(run);
	assert_int_equal(run->integrity.note_count, 0); /* data */
	run->anatomy->rows[0].code = place(PLACE_FILE, 0);
	anatomy__resolve(run);
	assert_int_equal(run->integrity.note_count, 1);
	assert_string_equal(run->integrity.notes[0],
			    "/nonexistent/file: deleted, replaced, or in another root "
			    "(container): its symbols are unknown");
	run__free(run);
	run = run_with("/nonexistent/file", 2);
	run->anatomy->rows[0].code = run->anatomy->rows[1].code = place(PLACE_FILE, 0);
	run->anatomy->rows[1].code.object = 1;
	run->anatomy->objects = reallocarray(run->anatomy->objects, 2, sizeof(struct object));
	run->anatomy->objects[1] = (struct object){ .path = checked_strdup("/nonexistent/other") };
	run->anatomy->object_count = 2;
	anatomy__resolve(run);
	assert_int_equal(run->integrity.note_count, 1);
	assert_string_equal(run->integrity.notes[0],
			    "/nonexistent/file: deleted, replaced, or in another root "
			    "(container): its symbols are unknown, and those of 1 other file");
	run__free(run);
}

static void another_device_is_accepted_and_told(void **state)
{
	struct run *run = run_with(program, 1);

	run->anatomy->rows[0].class = FAULT_COW_COPY;
	run->anatomy->rows[0].place = place(PLACE_FILE, offset_of("answer"));
	run->anatomy->objects[0].dev ^= 0x40;
	assert_true(anatomy__resolve(run));
	assert_string_equal(run->anatomy->rows[0].place.symbol, "answer");
	run__free(run);
}

static void the_kernels_device_number_is_understood(void **state)
{
	struct run *run = run_with(program, 1);
	uint64_t *dev = &run->anatomy->objects[0].dev;

	*dev = (uint64_t)major(*dev) << 20 | minor(*dev);
	assert_false(anatomy__resolve(run));
	assert_false(run->anatomy->objects[0].changed);
	run__free(run);
}

static void files_that_are_no_elf_have_no_names(void **state)
{
	char path[96];
	struct stat status;
	struct run *run = run_with(program, 1);
	struct object *object = run->anatomy->objects;

	snprintf(path, sizeof(path), "%s/main.c", directory);
	assert_int_equal(stat(path, &status), 0);
	free(object->path);
	*object = (struct object){ checked_strdup(path), status.st_dev, status.st_ino, false };
	run->anatomy->rows[0].place = place(PLACE_FILE, 0);
	anatomy__resolve(run);
	assert_false(object->changed);
	assert_null(run->anatomy->rows[0].place.section);
	run__free(run);
}

static int set_up(void **state)
{
	char command[512];
	FILE *stream;

	if (make_directory(state))
		return -1;
	snprintf(program, sizeof(program), "%s/main", directory);
	snprintf(command, sizeof(command), "%s/main.c", directory);
	stream = fopen(command, "we");
	if (!stream || fputs(source, stream) < 0 || fclose(stream))
		return -1;
	snprintf(command, sizeof(command), "cd %s && gcc -O0 -o main main.c", directory);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_have_names),
		cmocka_unit_test(memory_behind_a_bss_is_not_part_of_it),
		cmocka_unit_test(only_the_file_tells_what_is_bss),
		cmocka_unit_test(what_no_file_asks_for_was_opened),
		cmocka_unit_test(places_outside_objects_have_none),
		cmocka_unit_test(offsets_outside_the_file_have_none),
		cmocka_unit_test(bss_begins_where_the_file_ends),
		cmocka_unit_test(memory_behind_the_bss_is_not_the_objects),
		cmocka_unit_test(another_file_at_the_path_is_not_asked),
		cmocka_unit_test(files_of_code_without_names_are_told),
		cmocka_unit_test(another_device_is_accepted_and_told),
		cmocka_unit_test(the_kernels_device_number_is_understood),
		cmocka_unit_test(files_that_are_no_elf_have_no_names),
	};

	return cmocka_run_group_tests(tests, set_up, remove_files);
}
