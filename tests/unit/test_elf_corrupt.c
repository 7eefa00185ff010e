// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged ELF files give an error or facts, but never a crash, and never take long. */
#include "elf_files.h"

#include <time.h>

enum { MUTATIONS = 4000 };

static uint64_t seed = 20061124;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Either facts or a reason, and soon. Returns whether there were facts. */
static bool check(const struct bytes *bytes, size_t size)
{
	double begin = now();
	char *reason;
	struct elf_facts *facts = bytes__facts(bytes, size, &reason);
	bool good = facts;

	assert_true(good ? !reason : reason && *reason);
	assert_true(now() - begin < 5);
	elf_facts__free(facts);
	free(reason);
	return good;
}

static struct bytes sample(const char *name, const char *compiler)
{
	char path[256];

	if (!build(name, compiler))
		fail_msg("`%s` does not build", compiler);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return bytes__read(path);
}

/* The end of what the program headers want from the file: cut before it, something is missing. */
static size_t needed_size(const struct bytes *bytes)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes->data;
	size_t end = header->e_shoff + header->e_shnum * header->e_shentsize;

	return end;
}

static void truncated_files_give_errors(void **state)
{
	struct bytes bytes = sample("cut", "cc");

	assert_int_equal(needed_size(&bytes), bytes.size);
	for (size_t size = 4; size < bytes.size; size += size < 1200 ? 1 : 37) {
		if (check(&bytes, size))
			fail_msg("cut to %zu of %zu bytes, and nobody noticed", size, bytes.size);
	}
	assert_true(check(&bytes, bytes.size));
	free(bytes.data);
}

/* A place worth damaging: header, program headers, dynamic section and its strings, end. */
static size_t place(const struct bytes *bytes)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes->data;
	const Elf64_Phdr *segments = (const Elf64_Phdr *)(bytes->data + 64);

	switch (next() % 4) {
	case 0:
		return next() % 64;
	case 1:
		return 64 + next() % (56 * 13);
	case 2:
		for (int i = 0; i < 13; i++) {
			if (segments[i].p_type == PT_DYNAMIC && segments[i].p_filesz &&
			    segments[i].p_offset < bytes->size - 512)
				return segments[i].p_offset + next() % 512;
		}
		return next() % bytes->size;
	default:
		return header->e_shoff && header->e_shoff < bytes->size
			       ? header->e_shoff + next() % (bytes->size - header->e_shoff)
			       : next() % bytes->size;
	}
}

static void damage(struct bytes *bytes)
{
	static const uint64_t extremes[] = {
		0,     1,	   0xff,  0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff,
		~0ull, 1ull << 40, 0x1000
	};
	size_t at = place(bytes) % (bytes->size - 8);
	uint64_t value = extremes[next() % (sizeof(extremes) / sizeof(extremes[0]))];

	if (next() % 2)
		bytes->data[at] = (unsigned char)next();
	else
		memcpy(bytes->data + (at & ~7ul), &value, next() % 2 ? 8 : 4);
}

static void mutate(const char *name, const char *compiler)
{
	struct bytes whole = sample(name, compiler);
	struct bytes copy = { malloc(whole.size), whole.size };
	size_t good = 0;

	for (int i = 0; i < MUTATIONS / 2; i++) {
		memcpy(copy.data, whole.data, whole.size);
		for (uint64_t n = 1 + next() % 4; n; n--)
			damage(&copy);
		good += check(&copy, copy.size);
	}
	print_message("%s: %zu of %d damaged files still had facts\n", name, good, MUTATIONS / 2);
	assert_in_range(good, 1, MUTATIONS / 2 - 1);
	free(copy.data);
	free(whole.data);
}

static void damaged_dynamic_files(void **state)
{
	mutate("dynamic", "cc -Wl,-z,now");
}

static void damaged_static_files(void **state)
{
	mutate("static", "cc -static -s");
}

/* Headers that claim more than a file of 1 TiB without any data can hold, or exactly that. */
static void huge_claims_cost_nothing(void **state)
{
	struct bytes bytes = sample("huge", "cc");
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
	Elf64_Phdr *segments = (Elf64_Phdr *)(bytes.data + header->e_phoff);
	char path[64], *reason = NULL;
	int fd = memfd_create("huge", MFD_CLOEXEC);
	double begin = now();

	for (int i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_DYNAMIC)
			segments[i].p_filesz = 1ull << 39;
	}
	assert_int_equal(write(fd, bytes.data, bytes.size), bytes.size);
	assert_int_equal(ftruncate(fd, 1ll << 40), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_null(elf_facts__read(path, &reason));
	assert_non_null(strstr(reason, "1 MiB"));
	free(reason);

	header->e_shnum = 0; /* extended numbering: section 0 says how many there are */
	assert_int_equal(pwrite(fd, bytes.data, bytes.size, 0), bytes.size);
	assert_null(elf_facts__read(path, &reason));
	assert_non_null(strstr(reason, "65280 sections"));
	free(reason);
	assert_true(now() - begin < 2);
	close(fd);
	free(bytes.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncated_files_give_errors),
		cmocka_unit_test(damaged_dynamic_files),
		cmocka_unit_test(damaged_static_files),
		cmocka_unit_test(huge_claims_cost_nothing),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
