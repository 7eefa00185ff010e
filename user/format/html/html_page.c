// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/html/html_page.h"

#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/html/parts.h"

enum { TITLE_MOST = 200 }; /* bytes */
enum { LINE_WIDTH = 100 }; /* of what is laid out in columns */

/* Text kept until it is complete. */
struct kept {
	FILE *stream;
	char *text;
	size_t size;
};

struct html_page {
	FILE *out;
	FILE *text; /* what reports print to */
	struct kept pending;
	struct part {
		struct kept body, contents;
	} parts[PAGE_PLACES];
	enum page_place place, next; /* of the section that is open, and of the next one */
	char *title;
	unsigned int sections;
	bool has_picture, in_lines;
};

static void kept__open(struct kept *kept)
{
	*kept = (struct kept){ 0 };
	kept->stream = checked(open_memstream(&kept->text, &kept->size));
}

static void kept__close(struct kept *kept)
{
	fclose(kept->stream);
	free(kept->text);
}

/* Of the section that is open. */
static FILE *body_of(const struct html_page *page)
{
	return page->parts[page->place].body.stream;
}

static void put_escaped(FILE *stream, unsigned char c)
{
	switch (c) {
	case '&':
		fputs("&amp;", stream);
		break;
	case '<':
		fputs("&lt;", stream);
		break;
	case '>':
		fputs("&gt;", stream);
		break;
	case '"':
		fputs("&quot;", stream);
		break;
	default: /* controls were made readable before; none gets through all the same */
		putc(c < 0x20 && c != '\n' ? ' ' : c, stream);
	}
}

void html__text(FILE *stream, const char *text)
{
	char *safe = escape__text(text, true);

	for (const char *c = safe; *c; c++)
		put_escaped(stream, *c);
	free(safe);
}

void html__lines(FILE *stream, const char *text)
{
	char *copy = checked_strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		html__text(stream, line);
		if (rest)
			putc('\n', stream);
	}
	free(copy);
}

/* The end of the paragraph at `text`: where an empty line begins, or the end. */
static const char *paragraph_end(const char *text, const char *end)
{
	for (; text < end; text++)
		if (text[0] == '\n' && (text + 1 == end || text[1] == '\n'))
			return text;
	return end;
}

static void show_element(struct html_page *page, const char *name, const char *text, const char *end)
{
	FILE *body = body_of(page);

	fprintf(body, "<%s>", name);
	for (; text < end; text++)
		put_escaped(body, *text);
	fprintf(body, "</%s>\n", name);
}

static void show_paragraphs(struct html_page *page, const char *text, const char *end)
{
	while (text < end) {
		const char *stop = *text == '\n' ? text : paragraph_end(text, end);

		if (stop > text)
			show_element(page, "p", text, stop);
		text = stop + 1;
	}
}

/* The text so far becomes elements of the body. */
static void show_text(struct html_page *page)
{
	const char *text, *end;

	fflush(page->text);
	fclose(page->pending.stream);
	text = page->pending.text;
	end = text + page->pending.size;
	if (page->in_lines && end > text)
		show_element(page, "pre", text, end);
	else
		show_paragraphs(page, text, end);
	free(page->pending.text);
	kept__open(&page->pending);
}

static ssize_t take_text(void *page, const char *bytes, size_t size)
{
	return fwrite(bytes, 1, size, ((struct html_page *)page)->pending.stream);
}

struct html_page *html_page__new(FILE *stream)
{
	const cookie_io_functions_t functions = { .write = take_text };
	struct html_page *page = checked_calloc(1, sizeof(*page));

	page->out = stream;
	page->text = checked(fopencookie(page, "w", functions));
	page->next = PAGE_REST;
	kept__open(&page->pending);
	for (int place = 0; place < PAGE_PLACES; place++) {
		kept__open(&page->parts[place].body);
		kept__open(&page->parts[place].contents);
	}
	fputs("<section class=\"first\">\n", body_of(page));
	return page;
}

struct table_output html_page__output(struct html_page *page)
{
	return (struct table_output){
		.stream = page->text,
		.style = TABLE_HTML,
		.utf8 = true,
		.width = LINE_WIDTH,
		.page = page,
	};
}

/* Cuts between characters: the first byte of one is 0xxxxxxx or 11xxxxxx. */
static char *cut(const char *title)
{
	int length = TITLE_MOST;

	while (length && ((unsigned char)title[length] & 0xc0) == 0x80)
		length--;
	return text__of("%.*s...", length, title);
}

void html_page__title(struct html_page *page, const char *title)
{
	if (!page)
		return;
	free(page->title);
	page->title = strlen(title) > TITLE_MOST ? cut(title) : checked_strdup(title);
}

FILE *html_page__markup(struct html_page *page)
{
	show_text(page);
	return body_of(page);
}

/* The first one, which stands before any heading, cannot be folded. */
static void end_section(struct html_page *page)
{
	fprintf(html_page__markup(page), "%s</section>\n", page->sections ? "</details>" : "");
}

static void list_section(FILE *contents, unsigned int number, const char *title)
{
	fprintf(contents, "<li><a href=\"#s%u\">", number);
	html__text(contents, title);
	fputs("</a></li>\n", contents);
}

void html_page__place_next(struct html_page *page, enum page_place place)
{
	if (page)
		page->next = place == PAGE_PICTURE && page->has_picture ? PAGE_REST : place;
}

void html_page__heading(struct html_page *page, const char *title)
{
	const unsigned int number = page->sections + 1;
	FILE *body;

	end_section(page);
	page->sections = number;
	page->place = page->next;
	page->next = PAGE_REST;
	page->has_picture |= page->place == PAGE_PICTURE;
	body = body_of(page);
	fprintf(body, "<section id=\"s%u\"><details open><summary><h2>", number);
	html__text(body, title);
	fputs("</h2></summary>\n", body);
	list_section(page->parts[page->place].contents.stream, number, title);
}

void html_page__begin_lines(struct html_page *page)
{
	show_text(page);
	page->in_lines = true;
}

void html_page__end_lines(struct html_page *page)
{
	show_text(page);
	page->in_lines = false;
}

static void write_head(struct html_page *page)
{
	fprintf(page->out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<meta name=\"generator\" content=\"forktax " FORKTAX_VERSION "\">\n<title>",
		page_style_hash, page_script_hash);
	html__text(page->out, page->title ? page->title : "report");
	fprintf(page->out, " - forktax</title>\n<style>%s</style>\n</head>\n", page_style);
}

static void write_kept(const struct html_page *page, const struct kept *kept)
{
	fflush(kept->stream);
	fwrite(kept->text, 1, kept->size, page->out);
}

static void write_contents(const struct html_page *page)
{
	if (page->sections < 2)
		return;
	fputs("<nav aria-label=\"Contents\"><details open><summary>Contents</summary><ol>\n", page->out);
	for (int place = 0; place < PAGE_PLACES; place++)
		write_kept(page, &page->parts[place].contents);
	fputs("</ol></details></nav>\n", page->out);
}

static void write_parts(struct html_page *page)
{
	end_section(page);
	for (int place = 0; place < PAGE_PLACES; place++) {
		if (place == PAGE_REST)
			write_contents(page);
		write_kept(page, &page->parts[place].body);
	}
}

static void write_body(struct html_page *page)
{
	fputs("<body>\n<svg class=\"hidden\" aria-hidden=\"true\">"
	      "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
	      "patternTransform=\"rotate(45)\">"
	      "<rect class=\"c0\" width=\"6\" height=\"6\"/><rect class=\"c7\" width=\"2\" "
	      "height=\"6\"/></pattern></svg>\n<header><p class=\"tool\">forktax</p><h1>",
	      page->out);
	html__text(page->out, page->title ? page->title : "report");
	fputs("</h1></header>\n<main>\n", page->out);
	write_parts(page);
	fputs("</main>\n", page->out);
}

void html_page__finish(struct html_page *page)
{
	write_head(page);
	write_body(page);
	fputs("<footer><p>forktax " FORKTAX_VERSION "</p></footer>\n", page->out);
	fprintf(page->out, "<script>%s</script>\n</body>\n</html>\n", page_script);
	fclose(page->text);
	kept__close(&page->pending);
	for (int place = 0; place < PAGE_PLACES; place++) {
		kept__close(&page->parts[place].body);
		kept__close(&page->parts[place].contents);
	}
	free(page->title);
	free(page);
}
