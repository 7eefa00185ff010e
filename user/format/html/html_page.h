/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as one HTML file that loads nothing: head, contents, the report itself. A report prints into
 * its table_output as ever; whatever it prints as text is escaped here, in one place. Only renderers
 * (format/html/) write markup, to html_page__markup().
 */
#ifndef FORKTAX_FORMAT_HTML_HTML_PAGE_H
#define FORKTAX_FORMAT_HTML_HTML_PAGE_H

#include "format/table.h"

struct html_page;

/* A page that html_page__finish() writes to `stream`; until then it is in memory. */
struct html_page *html_page__new(FILE *stream);
/* What a report is to print to, to fill the page. */
struct table_output html_page__output(struct html_page *page);
/* What the page is called: the command, as typed, cut if it is long. NULL page: no page, no title. */
void html_page__title(struct html_page *page, const char *title);
/*
 * A page begins with the answer: text printed before any heading, then the picture that shows it
 * (the first that asks for that place), then advice. The table of contents and all other sections
 * follow, in the order in which they are printed.
 */
enum page_place { PAGE_ANSWER, PAGE_PICTURE, PAGE_ADVICE, PAGE_REST, PAGE_PLACES };
/* Where the next section belongs; those behind it are of the rest again. NULL page: nothing happens. */
void html_page__place_next(struct html_page *page, enum page_place place);
/* Begins a section, which can be folded and is listed in the contents. */
void html_page__heading(struct html_page *page, const char *title);
/* Where markup goes, after all text that was printed so far. */
FILE *html_page__markup(struct html_page *page);
/* From here to the end, text is laid out in lines and columns. */
void html_page__begin_lines(struct html_page *page);
void html_page__end_lines(struct html_page *page);
/* Writes the page and frees it. */
void html_page__finish(struct html_page *page);

/* Text into an element or an attribute in double quotes; control characters as \xNN. */
void html__text(FILE *stream, const char *text);
/* The same, where a newline begins another line. */
void html__lines(FILE *stream, const char *text);

#endif
