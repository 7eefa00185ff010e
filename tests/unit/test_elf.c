// SPDX-License-Identifier: GPL-2.0-or-later
/* What we read from ELF files is what readelf(1) reads, for built samples and for this system. */
#include "elf_files.h"

#include <dirent.h>


static const struct sample {
	const char *name, *compiler, *linkage, *libc, *relro;
	unsigned int bind_now; /* at least one of these bits; 0: none */
	bool pie;
} samples[] = {
	{ "dynamic", "cc -pie -fPIE -Wl,-z,lazy,-z,relro", "dynamic", "glibc", "partial", 0, true },
	{ "fixed", "cc -no-pie -Wl,-z,lazy,-z,relro", "dynamic", "glibc", "partial", 0, false },
	{ "now", "cc -pie -fPIE -Wl,-z,now,-z,relro", "dynamic-now", "glibc", "full",
	  NOW_BY_FLAGS | NOW_BY_FLAGS_1, true },
	{ "now-old", "cc -pie -fPIE -Wl,-z,now,-z,relro,--disable-new-dtags", "dynamic-now",
	  "glibc", "full", NOW_BY_TAG, true },
	{ "norelro", "cc -pie -fPIE -Wl,-z,lazy,-z,norelro", "dynamic", "glibc", "none", 0, true },
	{ "static", "cc -static -no-pie", "static", "glibc", "partial", 0, false },
	{ "static-pie", "cc -static-pie -fPIE", "static-pie", "glibc", "partial", 0, true },
	{ "static-stripped", "cc -s -static -no-pie", "static", "glibc", "partial", 0, false },
	{ "musl", "musl-gcc -pie -fPIE -Wl,-z,lazy,-z,relro", "dynamic", "musl", "partial", 0,
	  true },
	{ "musl-static", "musl-gcc -static -no-pie -Wl,-z,relro", "static", "musl", "partial", 0,
	  false },
	{ "musl-stripped", "musl-gcc -s -static -no-pie -Wl,-z,relro", "static", "unknown",
	  "partial", 0, false },
	{ "diet", "diet gcc -no-pie -fno-pie", "static", "dietlibc", "none", 0, false },
	{ "library", "cc -shared -fPIC -Wl,-soname,libx.so", "shared object", "glibc", "partial", 0,
	  false },
};

static struct elf_facts *read_facts(const char *path)
{
	char *reason = NULL;
	struct elf_facts *facts = elf_facts__read(path, &reason);

	if (!facts)
		fail_msg("%s: %s", path, reason);
	return facts;
}

static void samples_are_what_they_were_built_as(void **state)
{
	size_t built = 0;

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *sample = &samples[i];
		struct elf_facts *facts;

		if (!build(sample->name, sample->compiler)) {
			print_message("%s: left out, `%s` does not build\n", sample->name,
				      sample->compiler);
			continue;
		}
		built++;
		facts = read_facts(path_of(sample->name));
		print_message("%s\n", sample->name);
		assert_string_equal(elf_linkage_keys[facts->linkage], sample->linkage);
		if (facts->linkage != LINKAGE_LIBRARY || facts->needed_count)
			assert_string_equal(elf_libc_keys[facts->libc], sample->libc);
		assert_string_equal(elf_relro_keys[facts->relro], sample->relro);
		assert_int_equal(!facts->bind_now, !sample->bind_now);
		assert_int_equal(facts->bind_now & sample->bind_now, sample->bind_now);
		assert_int_equal(facts->pie, sample->pie);
		elf_facts__free(facts);
	}
	assert_true(built >= 6);
}

/* All that `readelf -lWd` says about one file, in the order in which it says it. */
static void describe_by_readelf(const char *path, char *text, size_t size)
{
	char command[4200], *line = NULL;
	bool relro = false, now = false, flags = false, flags_1 = false;
	char interp[512] = "-", needed[8192] = "";
	size_t room = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "LC_ALL=C readelf -W -l -d '%s' 2>/dev/null", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while (getline(&line, &room, pipe) > 0) {
		char name[512];

		relro |= !strncmp(line, "  GNU_RELRO ", 12);
		now |= strstr(line, "(BIND_NOW)") != NULL;
		flags |= strstr(line, "(FLAGS) ") && strstr(line, "BIND_NOW");
		flags_1 |= strstr(line, "(FLAGS_1)") && strstr(line, " NOW");
		if (sscanf(line, " [Requesting program interpreter: %511[^]]", name) == 1)
			strcpy(interp, name);
		if (strstr(line, "(NEEDED)") && sscanf(strchr(line, '['), "[%511[^]]", name) == 1)
			snprintf(needed + strlen(needed), sizeof(needed) - strlen(needed), " %s",
				 name);
	}
	free(line);
	pclose(pipe);
	snprintf(text, size, "interp %s relro %d now %d%d%d needed%s", interp, relro, now, flags,
		 flags_1, needed);
}

static void describe_by_facts(const struct elf_facts *facts, char *text, size_t size)
{
	int length = snprintf(text, size, "interp %s relro %d now %d%d%d needed",
			      facts->interp ? facts->interp : "-", facts->relro != RELRO_NONE,
			      !!(facts->bind_now & NOW_BY_TAG), !!(facts->bind_now & NOW_BY_FLAGS),
			      !!(facts->bind_now & NOW_BY_FLAGS_1));

	for (size_t i = 0; i < facts->needed_count; i++)
		length += snprintf(text + length, size - length, " %s", facts->needed[i]);
}

static size_t compare_with_readelf(const char *path)
{
	char theirs[16384], ours[16384];
	struct elf_facts *facts = read_facts(path);
	size_t compared = facts->linkage != LINKAGE_NOT_ELF && facts->linkage != LINKAGE_SCRIPT;

	if (compared) {
		describe_by_readelf(path, theirs, sizeof(theirs));
		describe_by_facts(facts, ours, sizeof(ours));
		if (strcmp(theirs, ours) != 0)
			fail_msg("%s\nreadelf: %s\nours:    %s", path, theirs, ours);
	}
	elf_facts__free(facts);
	return compared;
}

static size_t compare_directory(const char *name, size_t most)
{
	DIR *listing = opendir(name);
	struct dirent *entry;
	size_t compared = 0;

	while (listing && compared < most && (entry = readdir(listing))) {
		char path[4096];
		struct stat status;

		snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
		if (!strchr(path, '\'') && !stat(path, &status) && S_ISREG(status.st_mode) &&
		    access(path, R_OK) == 0)
			compared += compare_with_readelf(path);
	}
	if (listing)
		closedir(listing);
	return compared;
}

static void facts_agree_with_readelf(void **state)
{
	size_t compared;

	if (system("readelf --version >/dev/null 2>&1") != 0)
		skip();
	compared = compare_directory(directory, 100) + compare_directory("/usr/bin", 150) +
		   compare_directory(LIBRARIES, 150);
	print_message("%zu files compared\n", compared);
	assert_true(compared > 20);
}

/* The closure is what ld.so really loads: without the vDSO, ld.so itself and the order. */
static void closure_agrees_with_ldso(void **state)
{
	static const char *const programs[] = { "/usr/bin/ls", "/usr/bin/bash", "/usr/bin/git",
						"/usr/bin/python3", "/usr/bin/perl" };

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		char command[256], *line = NULL;
		struct elf_facts *facts;
		size_t room = 0, found = 0;
		FILE *pipe;

		if (access(programs[i], X_OK))
			continue;
		facts = read_facts(programs[i]);
		snprintf(command, sizeof(command), "LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH= %s",
			 programs[i]);
		pipe = popen(command, "r");
		while (getline(&line, &room, pipe) > 0) {
			char name[256], path[512];

			if (sscanf(line, " %255s => %511s", name, path) != 2)
				continue;
			assert_true(found < facts->library_count);
			assert_string_equal(facts->libraries[found].name, name);
			assert_string_equal(facts->libraries[found].path, path);
			found++;
		}
		free(line);
		pclose(pipe);
		assert_int_equal(found, facts->library_count);
		elf_facts__free(facts);
	}
}

/* Changes the first dynamic entry with tag `from`; the sample has it for sure. */
static void change_tag(struct bytes *bytes, int64_t from, int64_t to, uint64_t value)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes->data;
	Elf64_Phdr *segments = (Elf64_Phdr *)(bytes->data + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++) {
		Elf64_Dyn *tag = (Elf64_Dyn *)(bytes->data + segments[i].p_offset);

		if (segments[i].p_type != PT_DYNAMIC)
			continue;
		while (tag->d_tag != from)
			assert_int_not_equal(tag++->d_tag, DT_NULL);
		tag->d_tag = to;
		tag->d_un.d_val = value;
	}
}

static void each_encoding_of_bind_now_counts(void **state)
{
	static const struct {
		int64_t tag;
		uint64_t value;
		unsigned int expected;
	} encodings[] = {
		{ DT_BIND_NOW, 0, NOW_BY_TAG },
		{ DT_FLAGS, DF_BIND_NOW | DF_TEXTREL, NOW_BY_FLAGS },
		{ DT_FLAGS, DF_TEXTREL, 0 },
		{ DT_FLAGS_1, DF_1_NOW | DF_1_NODELETE, NOW_BY_FLAGS_1 },
		{ DT_FLAGS_1, DF_1_NODELETE, 0 },
	};

	for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		struct bytes bytes = bytes__read(path_of("fixed"));
		struct elf_facts *facts;
		char *reason;

		change_tag(&bytes, DT_DEBUG, encodings[i].tag, encodings[i].value);
		facts = bytes__facts(&bytes, bytes.size, &reason);
		assert_non_null(facts);
		assert_int_equal(facts->bind_now, encodings[i].expected);
		assert_int_equal(facts->linkage,
				 encodings[i].expected ? LINKAGE_DYNAMIC_NOW : LINKAGE_DYNAMIC);
		elf_facts__free(facts);
		free(bytes.data);
	}
}

static void section_headers_are_not_needed(void **state)
{
	struct bytes bytes = bytes__read(path_of("now"));
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes.data;
	struct elf_facts *facts;
	char *reason;

	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = 0;
	facts = bytes__facts(&bytes, bytes.size, &reason);
	assert_non_null(facts);
	assert_false(facts->has_sections);
	assert_true(facts->stripped);
	assert_int_equal(facts->linkage, LINKAGE_DYNAMIC_NOW);
	assert_int_equal(facts->libc, LIBC_GLIBC);
	assert_string_equal(facts->needed[0], "libc.so.6");
	assert_string_equal(facts->libraries[0].name, "libc.so.6");
	elf_facts__free(facts);
	free(bytes.data);
}

static void origin_and_missing_libraries(void **state)
{
	char command[512];
	struct elf_facts *facts;

	snprintf(command, sizeof(command),
		 "cd %s && echo 'int x = 1;' | cc -shared -fPIC -x c -o libhere.so - && "
		 "cp libhere.so libgone.so && "
		 "echo 'extern int x; int main(void) { return x; }' | cc -x c -o origin - "
		 "-Wl,--no-as-needed -L. -lhere -lgone '-Wl,-rpath,$ORIGIN' && rm libgone.so",
		 directory);
	assert_int_equal(system(command), 0);
	facts = read_facts(path_of("origin"));
	assert_int_equal(elf_facts__missing(facts), 1);
	for (size_t i = 0; i < facts->library_count; i++) {
		if (!strcmp(facts->libraries[i].name, "libhere.so"))
			assert_string_equal(facts->libraries[i].path, path_of("libhere.so"));
		if (!strcmp(facts->libraries[i].name, "libgone.so"))
			assert_null(facts->libraries[i].path);
	}
	assert_int_equal(facts->library_count, 3);
	elf_facts__free(facts);
}

static void what_is_not_elf_has_facts_too(void **state)
{
	static const struct {
		const char *text;
		enum elf_linkage linkage;
		const char *interp;
	} files[] = {
		{ "#!/bin/sh\n", LINKAGE_SCRIPT, "/bin/sh" },
		{ "#! \t/usr/bin/env python3\n", LINKAGE_SCRIPT, "/usr/bin/env" },
		{ "#!\n", LINKAGE_NOT_ELF, NULL },
		{ "#!", LINKAGE_NOT_ELF, NULL },
		{ "", LINKAGE_NOT_ELF, NULL },
		{ "\177EL", LINKAGE_NOT_ELF, NULL },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct bytes bytes = { (unsigned char *)files[i].text, strlen(files[i].text) };
		char *reason;
		struct elf_facts *facts = bytes__facts(&bytes, bytes.size, &reason);

		assert_non_null(facts);
		assert_int_equal(facts->linkage, files[i].linkage);
		assert_int_equal(facts->size, bytes.size);
		if (files[i].interp)
			assert_string_equal(facts->interp, files[i].interp);
		else
			assert_null(facts->interp);
		elf_facts__free(facts);
	}
}

static void what_cannot_be_read_has_a_reason(void **state)
{
	static const char *const paths[] = { "/nonexistent", "/", "/dev/null" };

	for (int i = 0; i < 3; i++) {
		char *reason = NULL;

		assert_null(elf_facts__read(paths[i], &reason));
		assert_non_null(reason);
		free(reason);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_what_they_were_built_as),
		cmocka_unit_test(facts_agree_with_readelf),
		cmocka_unit_test(closure_agrees_with_ldso),
		cmocka_unit_test(each_encoding_of_bind_now_counts),
		cmocka_unit_test(section_headers_are_not_needed),
		cmocka_unit_test(origin_and_missing_libraries),
		cmocka_unit_test(what_is_not_elf_has_facts_too),
		cmocka_unit_test(what_cannot_be_read_has_a_reason),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
