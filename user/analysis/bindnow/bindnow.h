/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What LD_BIND_NOW changes: one command measured as it is and with LD_BIND_NOW=1. What was
 * measured goes in, rows of figures and the break-even come out; the same input always gives
 * the same rows.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_H

#include "analysis/bindnow/bindnow_verdict.h"
#include "analysis/bindnow/break_even.h"
#include "analysis/compare/comparison.h"

enum bindnow_side { SIDE_LAZY, SIDE_NOW, SIDE_COUNT };

/* When the functions that a file calls in other files are bound to their addresses. */
enum bindnow_way {
	WAY_UNKNOWN,  /* the file could not be read */
	WAY_LAZY,     /* at their first call: the only way that LD_BIND_NOW changes */
	WAY_NOW,      /* at start: the file asks for it */
	WAY_MUSL,     /* at start: musl never does otherwise */
	WAY_NO_SLOTS, /* it calls none, or through words bound at start (-fno-plt) */
	WAY_SELF,     /* a dynamic linker, which binds itself before all else */
	WAY_STATIC,   /* no dynamic linker */
	WAY_COUNT
};

extern const char *const bindnow_way_keys[WAY_COUNT];

/* A file that the dynamic linker binds, as it is on disk. */
struct bindnow_file {
	char *path;
	bool is_program; /* executed; else a library */
	/* Mapped by the command itself when it starts: its program or a library of that. */
	bool at_start;
	enum bindnow_way way;
	enum elf_relro relro;
	unsigned int asks; /* enum elf_bind_now, or-ed */
	uint64_t relocations[RELOC_KIND_COUNT]; /* ABSENT: not known */
	char *reason; /* why it could not be read; NULL */
};

struct bindnow_files {
	struct bindnow_file *files; /* the command's program and its libraries go first */
	size_t count;
	size_t left_out; /* executables beyond those that were read */
};

/*
 * Reads the program of the column, all executables of its runs, and their libraries. Never fails:
 * what cannot be read has a reason.
 */
void bindnow_files__read(struct bindnow_files *files, const struct compare_column *column);
void bindnow_files__free(struct bindnow_files *files); /* its contents */
/* The relocations of all files at start of the kinds lo..hi; NAN if one is not known. */
double bindnow_files__relocations(const struct bindnow_files *files, enum relocation_kind low,
				  enum relocation_kind high, bool lazy_only);

enum bindnow_section {
	BINDNOW_START, /* of the command itself */
	BINDNOW_GROUP, /* one child of a group */
	BINDNOW_CHILD, /* one child, all groups weighted by their children */
	BINDNOW_ALL, /* all processes together */
	BINDNOW_SECTION_COUNT
};

extern const char *const bindnow_section_keys[BINDNOW_SECTION_COUNT];

struct bindnow_row {
	enum bindnow_section section;
	size_t group; /* index into bindnow.groups; 0 where the section has none */
	const char *key, *header;
	bool is_time; /* ns; else a count */
	struct spread cells[SIDE_COUNT]; /* over the traced runs */
	struct estimate difference; /* now - lazy, paired */
};

extern const char *const bindnow_pays_keys[PAYS_COUNT];

struct bindnow_group {
	char *name; /* "sh: fork, no exec" */
	uint64_t children;
};

struct bindnow {
	struct comparison *comparison; /* columns: lazy, now */
	struct bindnow_files files;
	bool was_set; /* LD_BIND_NOW was in our environment; the lazy side ran without */
	bool is_secure; /* set-user-ID or similar: ld.so may ignore LD_BIND_NOW */
	struct bindnow_group *groups; /* of the first lazy run: by children, descending */
	size_t group_count;
	double children; /* finished ones of that run; NAN: not counted */
	struct bindnow_row *rows; /* in the order of sections and groups; none without traced runs */
	size_t row_count;
	struct break_even in_time, in_faults;
	struct bindnow_verdict verdict;
};

/*
 * Takes over the columns (two, lazy first, from one allocation), and the contents of `files`.
 */
struct bindnow *bindnow__new(struct compare_column *columns, struct bindnow_files *files);
void bindnow__free(struct bindnow *bindnow); /* NULL is fine */

/*
 * Are the functions that children of the group bound again on that side at least so many, because
 * some pages were not compared?
 */
bool bindnow__is_least(const struct bindnow *bindnow, size_t group, int side);
/* Does it count functions bound again, of all children of a group or of one generation? */
bool bindnow_row__counts_symbols(const struct bindnow_row *row);
/* The row, or NULL. */
const struct bindnow_row *bindnow__row(const struct bindnow *bindnow, enum bindnow_section section,
				       size_t group, const char *key);
/* Can LD_BIND_NOW change anything: does any file bind lazily? True also if one is not known. */
bool bindnow__may_matter(const struct bindnow *bindnow);

#endif
