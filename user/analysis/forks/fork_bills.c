// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_bills.h"

#include <stdlib.h>

#include "base/memory.h"

enum { WORTHY_MOST = 3, WORTHY_SHARE = 10 };

double fork_bill__tax_of_all(const struct fork_bill *bill)
{
	return bill->tax * bill->forks;
}

static int by_group(const struct fork_bill *a, const struct fork_bill *b)
{
	return (a->group > b->group) - (a->group < b->group);
}

static int by_tax(const void *left, const void *right)
{
	double a = fork_bill__tax_of_all(left), b = fork_bill__tax_of_all(right);

	return a != b ? (a < b) - (a > b) : by_group(left, right);
}

static int by_number(const void *left, const void *right)
{
	const struct fork_bill *a = left, *b = right;

	return a->forks != b->forks ? (a->forks < b->forks) - (a->forks > b->forks)
				    : by_group(a, b);
}

static double weight_of(const struct fork_bills *bills, size_t i)
{
	const struct fork_bill *bill = &bills->bills[i];

	return bills->taxed ? fork_bill__tax_of_all(bill) : bill->forks;
}

static size_t count_worthy(const struct fork_bills *bills)
{
	size_t worthy = 0;
	double all = 0;

	for (size_t i = 0; i < bills->count; i++)
		all += weight_of(bills, i);
	while (worthy < bills->count && worthy < WORTHY_MOST &&
	       WORTHY_SHARE * weight_of(bills, worthy) >= all)
		worthy++;
	return worthy;
}

struct fork_bills fork_bills__of(const struct run *run)
{
	struct fork_bills bills = { .run = run };

	bills.bills = checked_calloc(run->group_count, sizeof(*bills.bills));
	for (uint32_t group = 0; group < run->group_count; group++) {
		struct fork_bill *bill = &bills.bills[bills.count];

		if (!fork_bill__make(run, group, bill))
			continue;
		bills.count++;
		bills.taxed |= bill->taxed;
		bills.tax += fork_bill__tax_of_all(bill);
	}
	qsort(bills.bills, bills.count, sizeof(*bills.bills), bills.taxed ? by_tax : by_number);
	bills.worthy = count_worthy(&bills);
	return bills;
}

void fork_bills__free(struct fork_bills *bills)
{
	free(bills->bills);
}

const struct fork_bill *fork_bills__find(const struct fork_bills *bills, uint32_t group)
{
	for (size_t i = 0; i < bills->count; i++)
		if (bills->bills[i].group == group)
			return &bills->bills[i];
	return NULL;
}

const struct fork_bill *fork_bills__dearest(const struct fork_bills *bills)
{
	return bills->taxed && bills->count ? &bills->bills[0] : NULL;
}
