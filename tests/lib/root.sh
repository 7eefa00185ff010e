# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# How to become root, found out once, before anything takes long. To be sourced:
#
#	. tests/lib/root.sh
#	root__find
#	"${as_root[@]}" COMMAND	# as root, unless $no_root says why that is impossible
#
# sudo is asked for a password only where stdin and stderr are a terminal. Where it refuses, that is as if
# there were none.

as_root=()
no_root=""

root__find()
{
	as_root=()
	no_root=""
	if [ "$(id -u)" -eq 0 ]; then
		return
	elif ! command -v sudo >/dev/null; then
		no_root="not root, and sudo is not installed"
	elif sudo -n true 2>/dev/null || root__ask; then
		as_root=(sudo)
	else
		no_root="not root, and sudo refuses"
	fi
}

# Ctrl-C at the password goes on without root.
root__ask()
{
	local refused=0
	[ -t 0 ] && [ -t 2 ] || return
	echo "sudo asks for a password. Press Ctrl-C to go on without root." >&2
	trap : INT
	sudo true || refused=1
	trap - INT
	return $refused
}
