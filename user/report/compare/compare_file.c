// SPDX-License-Identifier: GPL-2.0-or-later
/* What the executable files state, one row per fact. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/compare/comparison_report.h"

/* For a file that is not ELF, programs get the key and people a dash. */
static struct cell key_of(const struct elf_facts *facts, const char *key)
{
	bool is_elf = facts->linkage != LINKAGE_SCRIPT && facts->linkage != LINKAGE_NOT_ELF;

	return cell__names(checked_strdup(is_elf ? key : "-"), checked_strdup(key));
}

static struct cell size_of(const struct elf_facts *facts)
{
	return cell__count(facts->size);
}

static struct cell blocks_of(const struct elf_facts *facts)
{
	return cell__count(facts->blocks);
}

/* A script with the program that runs it: "script (bash)". */
static struct cell linkage_of(const struct elf_facts *facts)
{
	const char *linkage = elf_linkage_keys[facts->linkage];

	if (facts->linkage != LINKAGE_SCRIPT)
		return cell__text(linkage);
	return cell__names(text__of("%s (%s)", linkage, facts->interp ? text__file_name(facts->interp) : "?"),
			   checked_strdup(linkage));
}

static struct cell libc_of(const struct elf_facts *facts)
{
	return key_of(facts, elf_libc_keys[facts->libc]);
}

static struct cell libraries_of(const struct elf_facts *facts)
{
	size_t missing = elf_facts__missing(facts);
	struct cell count = cell__count(facts->library_count);

	if (!facts->libraries_known)
		return cell__absent();
	if (!missing)
		return count;
	return cell__said(count, text__of("%zu (%zu missing)", facts->library_count, missing));
}

static struct cell relro_of(const struct elf_facts *facts)
{
	return key_of(facts, elf_relro_keys[facts->relro]);
}

static struct cell bind_now_of(const struct elf_facts *facts)
{
	return key_of(facts, facts->bind_now ? "yes" : "no");
}

const struct compare_fact compare_facts[] = {
	{ "size", "  size (bytes)", size_of },
	{ "blocks_kib", "  blocks (KiB)", blocks_of },
	{ "linkage", "  linkage", linkage_of },
	{ "libc", "  libc", libc_of },
	{ "libraries", "  libraries", libraries_of },
	{ "relro", "  RELRO", relro_of },
	{ "bind_now", "  BIND_NOW", bind_now_of },
};
const size_t compare_fact_count = sizeof(compare_facts) / sizeof(compare_facts[0]);

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

static struct cell fact_of(const struct compare_column *column, const struct compare_fact *fact)
{
	const char *linkage = linkage_of_run(column);

	if (column->facts)
		return fact->of(column->facts);
	return fact->of == linkage_of && linkage ? cell__text(linkage) : cell__absent();
}

static bool is_known(const struct comparison *comparison, const struct compare_fact *fact)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		if (comparison->columns[i].facts || fact->of == linkage_of)
			return true;
	}
	return false;
}

void compare_table__add_files(struct table *table, const struct comparison *comparison)
{
	table__heading(table, "file");
	for (size_t row = 0; row < compare_fact_count; row++) {
		const struct compare_fact *fact = &compare_facts[row];

		if (!is_known(comparison, fact))
			continue;
		table__named_row(table, fact->header);
		for (size_t i = 0; i < comparison->column_count; i++)
			table__put(table, fact_of(&comparison->columns[i], fact));
	}
}

void compare_table__add_columns(struct table *table, const struct comparison *comparison)
{
	table__column(table, "", COLUMN_TEXT);
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];
		char *label = text__of("%s%s", column->label, compare_column__is_exact(column) ? "" : "*");

		table__column(table, label, COLUMN_COUNT);
		free(label);
	}
}
