# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The one library that no distribution has an archive of, for the static forktax. To be sourced:
#
#	. tests/lib/static.sh
#	static__library
#
# makes build/libsmartcols. Without a mirror: says so, and goes on; tests of the static program are left out.

static__library()
{
	.packaging/static/libsmartcols build/libsmartcols ||
		echo "static: that failed: going on without forktax-static" >&2
}
