/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How `forktax bench serve` keeps the user's own load in bench.settings: "35/s", "28 ms".
 */
#ifndef FORKTAX_MODEL_BENCH_SERVE_H
#define FORKTAX_MODEL_BENCH_SERVE_H

#define SERVE_RATE_NOTE "your rate"
#define SERVE_CPU_NOTE	"your CPU per request"

#endif
