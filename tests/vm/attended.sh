# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# To be sourced: what a script waits for must not outlive it. The shell itself would heed a signal
# only when the command that it waits for has ended.
attended=''

# attended COMMAND... : runs it, and ends it when the script ends: by a signal that the script gets
# (at_end), or killed, when only the kernel can tell (PR_SET_PDEATHSIG).
attended() {
	local status=0
	setpriv --pdeathsig TERM -- "$@" &
	attended=$!
	wait "$attended" || status=$?
	attended=''
	return $status
}

end_attended() {
	[ -n "$attended" ] || return 0
	kill "$attended" 2>/dev/null || true
	wait "$attended" 2>/dev/null || true
	attended=''
}

# at_end COMMAND : the script's only trap; the command is run when all has ended.
at_end() {
	# shellcheck disable=SC2064 # what it says now
	trap "end_attended; $1" EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}
