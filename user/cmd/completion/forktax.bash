# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of forktax(1) for bash. make-scripts has put in what the program says of its options.

# Each command, and what its operands are; "+": options may follow them.
_forktax_commands=(
@bash_commands@
)

# Four words for each option: commands that have it, its names, the kind of its value ("?": may be left out), allowed words.
_forktax_options=(
@bash_options@
)

# A command that begins at index $1 of COMP_WORDS, and its arguments: as they are completed alone.
_forktax_traced()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		mapfile -t COMPREPLY < <(compgen -c -- "$2")
	else
		compopt -o default
	fi
}

# Offers what of kind $1 begins like $2. "words" and "list" (with more to follow) are $3.
_forktax_offer()
{
	case $1 in
	words) mapfile -t COMPREPLY < <(compgen -W "$3" -- "$2") ;;
	list)
		compopt -o nospace
		mapfile -t COMPREPLY < <(compgen -P "${2%"${2##*,}"}" -W "$3" -- "${2##*,}")
		;;
	file) compopt -o default ;;
	directory) compopt -o dirnames ;;
	user) mapfile -t COMPREPLY < <(compgen -u -- "$2") ;;
	program | line)
		compopt -o filenames
		mapfile -t COMPREPLY < <(
			compgen -c -- "$2"
			[[ $1 != line ]] || compgen -f -- "$2"
		)
		;;
	saved)
		compopt -o filenames -o plusdirs -o default
		mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$2")
		;;
	esac
}

_forktax()
{
	local path=. parts='' operands='' names='' needed='' letters='' values='' closed='' option='' of='' word name i j
	local current=${COMP_WORDS[COMP_CWORD]}

	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ " ${_forktax_commands[*]}" == *" $path/${COMP_WORDS[i]}="* ]] || break
		path+=/${COMP_WORDS[i]}
	done
	for word in "${_forktax_commands[@]}"; do
		case $word in
		"$path="*) operands=${word#*=} ;;
		"$path/"*/*) ;;
		"$path/"*)
			word=${word#"$path/"}
			parts+=" ${word%%=*}"
			;;
		esac
	done
	# `values`: letters with a value; `letters`: those whose value may be the next word; `needed`: such options.
	for ((j = 0; j < ${#_forktax_options[@]}; j += 4)); do
		[[ " ${_forktax_options[j]} " == *" $path "* ]] || continue
		names+=" ${_forktax_options[j + 1]}"
		[[ -n ${_forktax_options[j + 2]} ]] || continue
		for name in ${_forktax_options[j + 1]}; do
			[[ $name == --* ]] || values+=${name#-}
			[[ ${_forktax_options[j + 2]} != \?* ]] || continue
			needed+=" ${name%=} "
			[[ $name == --* ]] || letters+=${name#-}
		done
	done
	# To the first operand, or the word that is being typed. bash has cut words at "=" and ":".
	for (( ; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $word == [=:] ]]; then
			of=${option:-=}
			((i < COMP_CWORD)) || current=''
		elif ((i == COMP_CWORD)); then
			break
		elif [[ -n $of ]]; then
			of='' option=''
		elif [[ $word == -- ]]; then
			closed=1
			((i++))
			break
		elif [[ $word == -?* ]]; then
			[[ -z $letters || ! $word =~ ^-[^-$values]*([$letters])$ ]] || word=-${BASH_REMATCH[1]}
			option=$word
			[[ $needed != *" $word "* ]] || of=$word
		elif [[ $operands != *+ ]]; then
			break
		fi
	done

	COMPREPLY=()
	current=${current#[\'\"]} # of a quote that is still open readline keeps track
	if [[ -n $of ]]; then
		for ((j = 0; j < ${#_forktax_options[@]}; j += 4)); do
			[[ " ${_forktax_options[j]} " == *" $path "* && " ${_forktax_options[j + 1]//=/} " == *" $of "* ]] ||
				continue
			_forktax_offer "${_forktax_options[j + 2]#\?}" "$current" "${_forktax_options[j + 3]}"
		done
	elif [[ $current == -* && -z $closed ]] && ((i >= COMP_CWORD)); then
		mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
		[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
	elif [[ -n $parts ]]; then
		((i < COMP_CWORD)) || _forktax_offer words "$current" "$parts"
	elif [[ $operands == command ]]; then
		_forktax_traced "$i" "$current"
	else
		_forktax_offer "${operands%+}" "$current"
	fi
} &&
	complete -F _forktax forktax
