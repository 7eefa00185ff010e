// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/workers/workers_figure.h"

#include <math.h>

#include "base/text.h"

char *workers_figure__text(const struct estimate *figure, double unit, int decimals)
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
