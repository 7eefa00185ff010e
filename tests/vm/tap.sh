# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# To be sourced: what the output of a guest's checks means.

# passes_tap FILE STATUS : passes the TAP on. Succeeds only if the guest ended by itself (STATUS), the plan is complete and
# nothing in it failed; 77 stays 77.
passes_tap() {
	local planned passed
	cat "$1"
	[ "$2" -ne 77 ] || return 77
	planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$1")
	passed=$(grep -c '^ok ' "$1")
	[ "$2" -eq 0 ] && [ "${planned:-0}" -gt 0 ] && [ "$planned" -eq "$passed" ]
}
