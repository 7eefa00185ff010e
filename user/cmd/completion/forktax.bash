# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of forktax(1) for bash: forktax itself says what may stand where (forktax --complete).

# What may be done with the values of kind $1 that begin like $2.
_forktax_values()
{
	case $1 in
	words | list)
		local line
		for line in "${lines[@]:1}"; do
			[[ $line != "$2"* ]] || printf '%s\n' "${line%%$'\t'*}"
		done
		;;
	file) compgen -f -- "$2" ;;
	directory) compgen -d -- "$2" ;;
	saved)
		{
			compgen -f -X '!*.@(json|html)' -- "$2" && compgen -d -- "$2"
		} || compgen -f -- "$2"
		;;
	program) compgen -c -- "$2" ;;
	user) compgen -u -- "$2" ;;
	line)
		compgen -c -- "$2"
		compgen -f -- "$2"
		;;
	esac
}

# The words up to the cursor as they were typed: bash has cut them at "=" and ":". Sets `typed`, and the
# index in COMP_WORDS where each begins: `places`.
_forktax_typed()
{
	local rest=${COMP_LINE:0:COMP_POINT} blank i
	for ((i = 0; i <= COMP_CWORD; i++)); do
		blank=${rest%%[![:space:]]*}
		if [[ -n $blank || $i -eq 0 ]]; then
			typed+=("")
			places+=("$i")
		fi
		rest=${rest#"$blank"}
		if ((i < COMP_CWORD)); then
			typed[-1]+=${COMP_WORDS[i]}
			rest=${rest#"${COMP_WORDS[i]}"}
		else
			typed[-1]+=$rest
		fi
	done
}

# A command that begins at index $1 of COMP_WORDS, and its arguments: as they are completed alone.
_forktax_command()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
	else
		compopt -o default
	fi
}

_forktax()
{
	local -a typed=() places=() lines=()
	local program word kind start note cut i
	COMPREPLY=()
	_forktax_typed
	typed[-1]=${typed[-1]#[\'\"]} # of a quote that is still open readline keeps track
	program=${typed[0]/#\~\//$HOME/}
	type -P -- "$program" >/dev/null || program=forktax
	mapfile -t lines < <("$program" --complete "${typed[@]:1}" 2>/dev/null)
	IFS=$'\x01' read -r kind start note <<<"${lines[0]//$'\t'/$'\x01'}"
	word=${typed[-1]:${#start}}
	word=${word/#\~\//$HOME/}
	case $kind in
	command) _forktax_command "${places[note + 1]}" && return ;;
	list) compopt -o nospace ;;
	file | directory | saved | program | line) compopt -o filenames ;;
	esac
	mapfile -t COMPREPLY < <(_forktax_values "$kind" "$word" | sort -u)
	# Of the last word readline replaces $2 alone.
	word=${2#[\'\"]}
	cut=${typed[-1]%"$word"}
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=$start${COMPREPLY[i]}
		COMPREPLY[i]=${COMPREPLY[i]#"$cut"}
	done
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
} &&
	complete -F _forktax forktax
