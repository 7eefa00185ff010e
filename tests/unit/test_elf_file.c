// SPDX-License-Identifier: GPL-2.0-or-later
/* Each ELF file is opened once, as long as it is the same, and not too many are kept. */
#include <sys/resource.h>

#include "elf_tools.h"

#include "elf/symbols.h"

/* A file of this system: nobody writes to it. */
static const char shell[] = "/bin/sh";

static size_t count_descriptors(void)
{
	DIR *listing = opendir("/proc/self/fd");
	size_t count = 0;

	assert_non_null(listing);
	while (readdir(listing))
		count++;
	closedir(listing);
	return count;
}

static void who_asks_for_a_file_shares_it(void **state)
{
	struct elf_file *file, *same;
	const struct elf_symbols *symbols;
	size_t descriptors;

	assert_int_equal(symlink(shell, path_of("link")), 0);
	file = open_elf(shell);
	symbols = elf_symbols__of(file);
	assert_non_null(symbols);
	descriptors = count_descriptors();
	same = elf_file__open(path_of("link"));
	assert_ptr_equal(same, file);
	assert_ptr_equal(elf_symbols__of(same), symbols);
	assert_int_equal(count_descriptors(), descriptors);
	elf_file__close(same);
	elf_file__close(file);

	/* Nobody uses it now, but somebody will. */
	assert_int_equal(count_descriptors(), descriptors);
	file = elf_file__open(shell);
	assert_ptr_equal(elf_symbols__of(file), symbols);
	elf_file__close(file);
}

static void what_is_used_is_not_forgotten(void **state)
{
	struct elf_file *file = open_elf(shell);
	size_t descriptors = count_descriptors();

	elf_files__forget();
	assert_int_equal(count_descriptors(), descriptors);
	assert_int_equal(file->opened, ELF_OPENED);
	elf_file__close(file);
	elf_files__forget();
	assert_int_equal(count_descriptors(), descriptors - 1);
}

static void write_over(const char *path, const struct bytes *bytes, const char *begin)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, bytes->size), bytes->size);
	assert_int_equal(pwrite(fd, begin, strlen(begin), 0), strlen(begin));
	close(fd);
}

static enum elf_opened look_at(const char *path)
{
	struct elf_file *file = elf_file__open(path);
	enum elf_opened opened = file->opened;

	elf_file__close(file);
	return opened;
}

/* The same inode and size; and on most kernels, within one tick of a clock, the same times. */
static void a_file_that_was_just_written_is_read_anew(void **state)
{
	struct bytes bytes = bytes__read(shell);
	const char *path = path_of("fresh");
	struct elf_file *file, *other;

	for (int i = 0; i < 10; i++) {
		write_over(path, &bytes, ELFMAG);
		assert_int_equal(look_at(path), ELF_OPENED);
		write_over(path, &bytes, "#!/x");
		assert_int_equal(look_at(path), ELF_IS_NO_ELF);
	}
	file = elf_file__open(path);
	other = elf_file__open(path);
	assert_ptr_not_equal(file, other);
	elf_file__close(file);
	elf_file__close(other);
	free(bytes.data);
}

static void a_file_that_changed_is_another(void **state)
{
	struct bytes bytes = bytes__read(shell);
	struct elf_file *file, *other;
	const char *path = path_of("old");

	write_over(path, &bytes, ELFMAG);
	sleep(4);
	file = elf_file__open(path);
	assert_int_equal(file->opened, ELF_OPENED);
	other = elf_file__open(path);
	assert_ptr_equal(other, file);
	elf_file__close(other);
	write_over(path, &bytes, "#!/x");
	other = elf_file__open(path);
	assert_int_equal(other->opened, ELF_IS_NO_ELF);
	/* Who had the file still has what it was, and the next one has what it is. */
	assert_int_equal(file->opened, ELF_OPENED);
	elf_file__close(file);
	elf_file__close(other);
	assert_int_equal(look_at(path), ELF_IS_NO_ELF);
	free(bytes.data);
}

static size_t seen;

static void see(const char *path)
{
	seen++;
	look_at(path);
}

static void not_too_many_are_kept(void **state)
{
	struct rlimit limit, few;
	struct elf_file *first;
	size_t before, after;

	elf_files__forget();
	before = count_descriptors();
	first = elf_file__open(shell);
	elf_file__close(first);
	for_each_elf("/usr/bin", 300, see);
	after = count_descriptors();
	print_message("%zu files, %zu descriptors more\n", seen, after - before);
	if (seen <= 200)
		skip(); /* this system has not that many programs */
	assert_int_equal(after - before, 128);
	assert_ptr_equal(elf_file__open(shell), first); /* the first ones stay */

	/* Fewer where there are fewer descriptors. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = limit;
	few.rlim_cur = 160;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	elf_file__close(first);
	assert_int_equal(count_descriptors() - before, 20);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void not_too_much_is_kept(void **state)
{
	struct elf_file *file = open_elf(shell);
	size_t descriptors = count_descriptors();

	file->parts[ELF_PART_FACTS] = (struct elf_part){ .made = true,
							 .data = malloc(1),
							 .release = free,
							 .bytes = (64 << 20) + 1 };
	elf_file__close(file);
	assert_int_equal(count_descriptors(), descriptors - 1);
	file = elf_file__open(shell);
	assert_false(file->parts[ELF_PART_FACTS].made);
	elf_file__close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_for_a_file_shares_it),
		cmocka_unit_test(what_is_used_is_not_forgotten),
		cmocka_unit_test(a_file_that_was_just_written_is_read_anew),
		cmocka_unit_test(a_file_that_changed_is_another),
		cmocka_unit_test(not_too_many_are_kept),
		cmocka_unit_test(not_too_much_is_kept),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
