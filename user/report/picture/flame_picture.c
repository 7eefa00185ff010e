// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/escape.h"
#include "format/html/svg.h"
#include "report/cells.h"
#include "report/picture/fault_tree.h"
#include "report/report_sections.h"

enum { WIDTH = 1000, FRAME = 19, LETTER = 7 };
static const double NARROWEST = 2; /* pixels: what is less could not be seen */

static const char *const weight_names[FAULT_WEIGHT_COUNT] = {
	[WEIGHT_FAULTS] = "faults",
	[WEIGHT_COPIES] = "copies",
	[WEIGHT_NS] = "us",
};

/* By their kind: copies, what took a page without one, files, the rest. */
static const char *class_of(const struct fault_node *node)
{
	switch (node->class) {
	case FAULT_COW_COPY:
		return "frame c1";
	case FAULT_FILE_COW:
		return "frame c2";
	case FAULT_COW_REUSE:
		return "frame c4";
	case FAULT_ZERO_FILL:
	case FAULT_ZERO_PAGE:
		return "frame c6";
	case FAULT_FILE_MAP:
		return "frame c5";
	default:
		return "frame c0";
	}
}

struct flame {
	enum fault_weight weight;
	double whole;
	FILE *stream;
};

static char *amount_of(const struct flame *flame, double weight)
{
	if (flame->weight == WEIGHT_NS)
		return text__of("%s, %s", quantity__time(weight).text, quantity__percent(weight / flame->whole).text);
	return text__of("%.0f %s, %s", weight, weight_names[flame->weight],
			quantity__percent(weight / flame->whole).text);
}

/* As much of the name as fits, to be freed. */
static char *fitting(const char *name, double width)
{
	char *text = escape__text(name, true);
	size_t room = width > 2 * LETTER ? width / LETTER : 0, columns, length = 0, used = 0;

	if (escape__width(text) <= room)
		return text;
	while (text[length] && used + 1 < room) {
		length += escape__character(text + length, &columns);
		used += columns;
	}
	text[length] = '\0';
	text__replace(&text, "%s%s", text, room > 2 ? "…" : "");
	return text;
}

static void draw_frame(const struct flame *flame, const struct fault_node *node, double x, double width, int level)
{
	autofree char *amount = amount_of(flame, node->weights[flame->weight]);
	autofree char *label = fitting(node->name, width - 6);

	fputs("<g class=\"mark\"><title>", flame->stream);
	html__text(flame->stream, node->name);
	fprintf(flame->stream, "\n%s</title>", amount);
	svg__box(flame->stream, class_of(node), x, level * FRAME, width, FRAME - 1);
	if (*label)
		svg__text(flame->stream, NULL, x + 3, level * FRAME + FRAME - 6, label);
	fputs("</g>\n", flame->stream);
}

static void draw_tree(const struct flame *flame, const struct fault_node *node, double x, int level)
{
	double width = WIDTH * node->weights[flame->weight] / flame->whole;

	if (width < NARROWEST)
		return;
	draw_frame(flame, node, x, width, level);
	for (size_t i = 0; i < node->child_count; i++) {
		draw_tree(flame, &node->children[i], x, level + 1);
		x += WIDTH * node->children[i].weights[flame->weight] / flame->whole;
	}
}

static void draw(const struct fault_node *root, enum fault_weight weight, FILE *stream)
{
	const struct flame flame = { weight, root->weights[weight], stream };
	autofree char *label = text__of("Recorded faults by %s", weight_names[weight]);

	fputs("<div>", stream);
	svg__begin(stream, "flame", WIDTH, fault_tree__depth(root) * FRAME, label);
	draw_tree(&flame, root, 0, 0);
	svg__end(stream);
	fputs("</div>\n", stream);
}

/* One of the weights at a time, by radio buttons. */
static void draw_choice(const struct fault_node *root, FILE *stream)
{
	bool is_first = true;

	figure__begin(stream);
	fputs("<div class=\"choice\">\n", stream);
	for (int weight = 0; weight < FAULT_WEIGHT_COUNT; weight++) {
		if (!root->weights[weight])
			continue;
		fprintf(stream,
			"<input type=\"radio\" name=\"flame\" id=\"flame%d\"%s><label "
			"for=\"flame%d\">%s</label>\n",
			weight, is_first ? " checked" : "", weight,
			weight == WEIGHT_NS ? "time" : weight_names[weight]);
		is_first = false;
	}
	for (int weight = 0; weight < FAULT_WEIGHT_COUNT; weight++)
		if (root->weights[weight])
			draw(root, weight, stream);
	fputs("</div>\n", stream);
	figure__end(stream,
		    "From the top: whose faults, class, object, section, symbol, the code that faulted, and its "
		    "callers if call stacks were taken. A click makes a frame as wide as the picture; one on the "
		    "top frame shows all again.");
}

struct weight_line {
	double faults, copies;
	struct cell us;
	const char *whose, *class;
};

static const struct column weight_columns[] = {
	{ "faults", NUMBER_OF(struct weight_line, faults) },	  { "copies", NUMBER_OF(struct weight_line, copies) },
	{ "us", COLUMN_NUMBER, CELL_OF(struct weight_line, us) }, { "class", TEXT_OF(struct weight_line, class) },
	{ "whose", TEXT_OF(struct weight_line, whose) },
};

static struct weight_line line_of(const struct fault_node *node, const char *whose)
{
	const double *weights = node->weights;

	return (struct weight_line){ weights[WEIGHT_FAULTS], weights[WEIGHT_COPIES],
				     cell__us(weights[WEIGHT_NS] ? weights[WEIGHT_NS] : NAN), whose, node->name };
}

/* The two levels below the top, which add up to it. */
static struct table *table_of(const struct fault_node *root)
{
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, weight_columns, NULL);
	for (size_t i = 0; i < root->child_count; i++) {
		const struct fault_node *group = &root->children[i];

		for (size_t k = 0; k < group->child_count; k++) {
			const struct weight_line line = line_of(&group->children[k], group->name);

			table__add(table, &line);
		}
	}
	table__total(table, "total");
	return table;
}

void report__flame(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	struct fault_node *root = fault_tree__of(run);

	if (root->child_count) {
		html_page__heading(output->page, "Recorded faults, from group to symbol");
		draw_choice(root, html_page__markup(output->page));
		table__finish(table_of(root), output);
	}
	fault_tree__free(root);
}
