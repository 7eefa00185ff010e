// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/anatomy_tables.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/compare/page_state.h"
#include "analysis/forks/page_map.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/picture/pictures.h"

enum { INDENT = 4 };
enum { SMALL = 16 }; /* mappings of up to so many pages are drawn page for page */
enum { MANY_OBJECTS = 16 }; /* of more than so many, those with one copied page are not drawn */
enum { MOST_LINES = 4 }; /* of an object: some programs map a file thousands of times */

static const struct {
	const char *glyph, *colour;
} looks[PAGE_STATE_COUNT] = {
	[PAGE_UNKNOWN] = { "?", "" },
	[PAGE_UNTOUCHED] = { "·", "" },
	[PAGE_SHARED] = { "░", "\033[32m" },
	[PAGE_MAPPED] = { "▒", "\033[36m" },
	[PAGE_OWN] = { "▚", "\033[34m" },
	[PAGE_BY_KERNEL] = { "▓", "\033[35m" },
	[PAGE_BY_PROGRAM] = { "▓", "\033[33m" },
	[PAGE_BY_LDSO] = { "█", "\033[31m" },
};

/* A picture in progress. */
struct canvas {
	const struct table_output *output;
	unsigned int column, line;
};

/* Some glyphs differ only in colour. */
static bool has_glyphs(const struct table_output *output)
{
	return output->utf8 && output->colour;
}

static void draw_state(enum page_state state, const struct table_output *output)
{
	if (has_glyphs(output))
		fprintf(output->stream, "%s%s%s", looks[state].colour,
			looks[state].glyph, *looks[state].colour ? "\033[0m" : "");
	else
		putc(page_state_letters[state], output->stream);
}

static void advance(struct canvas *canvas)
{
	if (canvas->column >= wrap__width(canvas->output)) {
		putc('\n', canvas->output->stream);
		canvas->column = 0;
		canvas->line++;
	}
	if (!canvas->column)
		canvas->column = fprintf(canvas->output->stream, "%*s", INDENT, "");
	canvas->column++;
}

static size_t cells_of(const struct page_strip *strip, size_t pages_a_cell)
{
	if (strip->count <= SMALL)
		return strip->count;
	return (strip->count + pages_a_cell - 1) / pages_a_cell;
}

static void draw_strip(struct canvas *canvas, const struct page_strip *strip, size_t pages_a_cell)
{
	size_t size = strip->count <= SMALL ? 1 : pages_a_cell;

	for (size_t start = 0; start < strip->count; start += size) {
		enum page_state state = PAGE_UNKNOWN;

		for (size_t i = start; i < start + size && i < strip->count; i++)
			if (strip->states[i] > state)
				state = strip->states[i];
		advance(canvas);
		draw_state(state, canvas->output);
	}
}

static size_t columns_of(const struct page_strip *strips, size_t count, size_t pages_a_cell)
{
	size_t columns = INDENT;

	for (size_t i = 0; i < count; i++)
		columns += (i > 0) + cells_of(&strips[i], pages_a_cell);
	return columns;
}

/* The smallest power of two of pages a cell with which the object fits a line. */
static size_t scale_of(const struct page_strip *strips, size_t count, unsigned int width)
{
	size_t pages_a_cell = 1;

	while (columns_of(strips, count, pages_a_cell) > width && pages_a_cell < 1 << 16)
		pages_a_cell *= 2;
	return pages_a_cell;
}

/* "1 copied by ld.so, 4 mapped", to be freed. */
static char *counts_text(const uint64_t counts[PAGE_STATE_COUNT])
{
	char *text = text__of("%s", "");

	for (int state = PAGE_STATE_COUNT - 1; state >= 0; state--)
		if (counts[state])
			text__replace(&text, "%s%s%" PRIu64 " %s", text, *text ? ", " : "",
				      counts[state], page_state_words[state]);
	return text;
}

static void print_heading(const char *name, size_t pages_a_cell,
			  const uint64_t counts[PAGE_STATE_COUNT],
			  const struct table_output *output)
{
	autofree char *label = text__of("%s:", name), *all = counts_text(counts);
	autofree char *text = pages_a_cell > 1 ? text__of("(1:%zu) %s", pages_a_cell, all) : text__of("%s", all);

	wrap__print(label, text, 2, INDENT, output);
}

/* All strips of an object. */
static void print_object(const struct run *run, const struct page_strip *strips, size_t count,
			 const uint64_t counts[PAGE_STATE_COUNT], const struct table_output *output)
{
	size_t pages_a_cell = scale_of(strips, count, wrap__width(output));
	struct canvas canvas = { .output = output };
	autofree char *name = names__object(run, strips->vma->object, false);

	print_heading(name, pages_a_cell, counts, output);
	for (size_t i = 0; i < count && canvas.line < MOST_LINES; i++) {
		if (i) {
			advance(&canvas);
			putc('|', output->stream);
		}
		draw_strip(&canvas, &strips[i], pages_a_cell);
	}
	fputs(canvas.line < MOST_LINES ? "\n" : " ...\n", output->stream);
}

static bool is_shown(const uint64_t counts[PAGE_STATE_COUNT], bool all)
{
	for (int state = all ? PAGE_MAPPED : PAGE_BY_KERNEL; state < PAGE_STATE_COUNT; state++)
		if (counts[state])
			return true;
	return false;
}

static void print_legend(const uint64_t seen[PAGE_STATE_COUNT], const struct table_output *output)
{
	unsigned int column = 0;

	for (int state = PAGE_STATE_COUNT - 1; state >= 0; state--) {
		unsigned int width = strlen(page_state_words[state]) + 4;

		if (!seen[state])
			continue;
		if (column && column + width > wrap__width(output)) {
			putc('\n', output->stream);
			column = 0;
		}
		column += width;
		fputs("  ", output->stream);
		draw_state(state, output);
		fprintf(output->stream, " %s", page_state_words[state]);
	}
	putc('\n', output->stream);
}

static void print_title(const struct run *run, uint32_t group, const struct table_output *output)
{
	autofree char *whose = names__group(run, group, false);
	autofree char *title = text__of("Pages of a child: %s", whose);

	putc('\n', output->stream);
	wrap__title(title, output);
	wrap__print(NULL, "one cell a page, | between mappings; (1:n) where mappings of more than "
			  "16 pages have n pages a cell",
		    0, 2, output);
}

static size_t count_shown(const struct page_map *map, bool all)
{
	uint64_t counts[PAGE_STATE_COUNT];
	size_t shown = 0, count;

	for (size_t i = 0; i < map->count; i += count) {
		count = page_map__same_object(map, i);
		page_strips__count(&map->strips[i], count, counts);
		shown += is_shown(counts, all);
	}
	return shown;
}

/* Objects that are counted together instead of drawn. */
struct folded {
	size_t objects;
	uint64_t counts[PAGE_STATE_COUNT];
};

/* Returns whether the object is folded, and so is not drawn. */
static bool fold(struct folded *folded, size_t shown, const uint64_t counts[PAGE_STATE_COUNT])
{
	uint64_t copied = 0;

	for (int state = PAGE_BY_KERNEL; state < PAGE_STATE_COUNT; state++)
		copied += counts[state];
	if (shown <= MANY_OBJECTS || copied > 1)
		return false;
	folded->objects++;
	for (int state = 0; state < PAGE_STATE_COUNT; state++)
		folded->counts[state] += counts[state];
	return true;
}

static void print_folded(const struct folded *folded, const struct table_output *output)
{
	autofree char *counts = NULL, *label = NULL, *text = NULL;

	if (!folded->objects)
		return;
	counts = counts_text(folded->counts);
	label = text__of("%s,", quantity__count(folded->objects, "other", "others").text);
	text = text__of("none with more than one copied page: %s", counts);
	wrap__print(label, text, 2, INDENT, output);
}

void page_map__print(const struct run *run, uint32_t group, bool all,
		     const struct table_output *output)
{
	const struct layout *layout = anatomy__layout(run->anatomy, group);
	uint64_t counts[PAGE_STATE_COUNT], seen[PAGE_STATE_COUNT] = { 0 };
	struct folded folded = { 0 };
	struct table_output picture;
	struct page_map map;
	size_t count, shown;

	if (!layout)
		return;
	map = page_map__of(run, layout);
	shown = count_shown(&map, all);
	if (shown && output->page)
		picture__page_map(run, group, &map, output);
	if (!shown || output->page) {
		page_map__free(&map);
		return;
	}
	print_title(run, group, output);
	picture = picture__begin(output);
	for (size_t i = 0; i < map.count; i += count) {
		count = page_map__same_object(&map, i);
		page_strips__count(&map.strips[i], count, counts);
		if (!is_shown(counts, all) || fold(&folded, shown, counts))
			continue;
		print_object(run, &map.strips[i], count, counts, &picture);
		for (int state = 0; state < PAGE_STATE_COUNT; state++)
			seen[state] += counts[state];
	}
	print_folded(&folded, &picture);
	print_legend(seen, &picture);
	picture__end(output);
	page_map__free(&map);
}
