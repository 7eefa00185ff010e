/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the tables of rules (model/advice/rules.def) say of a rule, for reports.
 */
#ifndef FORKTAX_REPORT_ADVICE_RULE_WORDS_H
#define FORKTAX_REPORT_ADVICE_RULE_WORDS_H

struct rule_words {
	const char *rule;
	const char *remedy; /* what to do, in a few words */
	const char *way; /* what tries it; NULL: nothing does */
};

/* Of a rule such as "A1"; NULL: an older forktax had it. */
const struct rule_words *rule_words__of(const char *rule);

#endif
