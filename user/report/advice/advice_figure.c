// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/advice/advice_figure.h"

#include <math.h>

#include "base/text.h"
#include "report/anatomy/words_anatomy.h"

static char *fixed(const struct estimate *figure, double unit, int decimals)
{
	if (!figure->known || !isfinite(figure->value))
		return text__of("-");
	if (!figure->bounded)
		return text__of("%.*f", decimals, figure->value / unit);
	if (!figure->value && !figure->low)
		return text__of("0 to %.*f", decimals, figure->high / unit);
	return text__of("%.*f (%.*f..%.*f)", decimals, figure->value / unit, decimals,
			figure->low / unit, decimals, figure->high / unit);
}

char *advice_figure__text(const struct estimate *figure, enum advice_unit unit)
{
	switch (unit) {
	case ADVICE_FAULTS:
		return words__figure(figure, 1);
	case ADVICE_US:
		return words__figure(figure, 1e-3);
	case ADVICE_MIB:
		return fixed(figure, 1048576, 1);
	default:
		return fixed(figure, 1e9, 2);
	}
}
