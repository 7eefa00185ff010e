// SPDX-License-Identifier: GPL-2.0-or-later
/* What the executable files state, one row per fact. */
#include <inttypes.h>
#include <string.h>

#include "report/compare/compare_grid.h"

#include "base/memory.h"

typedef char *fact_fn(const struct elf_facts *facts);

static bool is_elf(const struct elf_facts *facts)
{
	return facts->linkage != LINKAGE_SCRIPT && facts->linkage != LINKAGE_NOT_ELF;
}

static char *size_of(const struct elf_facts *facts)
{
	return compare__text("%" PRIu64, facts->size);
}

static char *blocks_of(const struct elf_facts *facts)
{
	return compare__text("%" PRIu64, facts->blocks);
}

/* A script is run by another program, so that is named: "script (bash)". */
static char *linkage_of(const struct elf_facts *facts)
{
	const char *linkage = elf_linkage_keys[facts->linkage];
	const char *slash = facts->interp ? strrchr(facts->interp, '/') : NULL;

	if (facts->linkage != LINKAGE_SCRIPT)
		return checked_strdup(linkage);
	return compare__text("%s (%s)", linkage, slash ? slash + 1 : facts->interp);
}

static char *libc_of(const struct elf_facts *facts)
{
	return checked_strdup(is_elf(facts) ? elf_libc_keys[facts->libc] : "-");
}

static char *libraries_of(const struct elf_facts *facts)
{
	size_t missing = elf_facts__missing(facts);

	if (!facts->libraries_known)
		return checked_strdup("-");
	if (missing)
		return compare__text("%zu (%zu missing)", facts->library_count, missing);
	return compare__text("%zu", facts->library_count);
}

static char *relro_of(const struct elf_facts *facts)
{
	return checked_strdup(is_elf(facts) ? elf_relro_keys[facts->relro] : "-");
}

static char *bind_now_of(const struct elf_facts *facts)
{
	return checked_strdup(!is_elf(facts) ? "-" : facts->bind_now ? "yes" : "no");
}

static const struct {
	const char *header;
	fact_fn *of;
} facts_rows[] = {
	{ "  size (bytes)", size_of }, { "  blocks (KiB)", blocks_of }, { "  linkage", linkage_of },
	{ "  libc", libc_of },	       { "  libraries", libraries_of }, { "  RELRO", relro_of },
	{ "  BIND_NOW", bind_now_of },
};

/* A saved run knows at least the linkage of the first image of its command. */
static const char *linkage_of_run(const struct compare_column *column)
{
	const struct run *run = column->run_count ? column->runs[0] : NULL;
	const struct process *root = run && run->process_count ? &run->processes[0] : NULL;

	for (size_t i = 0; root && i < root->image_count; i++) {
		if (root->images[i].kind == IMAGE_EXEC && root->images[i].exe != NO_EXE)
			return run->exes[root->images[i].exe].linkage;
	}
	return NULL;
}

static char *fact_of(const struct compare_column *column, fact_fn *of)
{
	const char *linkage = linkage_of_run(column);

	if (column->facts)
		return of(column->facts);
	return checked_strdup(of == linkage_of && linkage ? linkage : "-");
}

static bool is_known(const struct comparison *comparison, fact_fn *of)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		if (comparison->columns[i].facts || of == linkage_of)
			return true;
	}
	return false;
}

void compare_grid__add_file(struct compare_grid *grid)
{
	const struct comparison *comparison = grid->comparison;

	compare_grid__section(grid, "file");
	for (size_t row = 0; row < sizeof(facts_rows) / sizeof(facts_rows[0]); row++) {
		fact_fn *of = facts_rows[row].of;
		char **cells;

		if (!is_known(comparison, of))
			continue;
		cells = compare_grid__row(grid, facts_rows[row].header);
		for (size_t i = 0; i < comparison->column_count; i++)
			cells[i] = fact_of(&comparison->columns[i], of);
	}
}
