# SPDX-License-Identifier: MIT
# bash completion for hadal. A verb adds a function _hadal_VERB that completes $cur after $prev.

_hadal_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_hadal_common="--help --output= --quiet --verbose --format= --json --color="

_hadal_hwlat() {
	case $prev in
	--format) _hadal_words "table json hwlatdetect" ;;
	--backend) _hadal_words "module tracer" ;;
	--mode) _hadal_words "none round-robin per-cpu" ;;
	-c | --cpus) _hadal_words "$(cat /sys/devices/system/cpu/online 2>/dev/null)" ;;
	-d | --duration | --window | --width | --threshold | --limit | --hardlimit | --max-records) ;;
	*) _hadal_words "$_hadal_common --duration= --window= --width= --threshold= --limit= --hardlimit=
		--cpus= --mode= --backend= --max-records= --watch --restore" ;;
	esac
}

_hadal_doctor() {
	case $prev in
	--format) _hadal_words "table json" ;;
	*) _hadal_words "$_hadal_common" ;;
	esac
}

_hadal() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}

	# bash takes --name=value apart: "--name" "=" "value".
	if [ "$cur" = "=" ]; then
		cur=
	elif [ "$prev" = "=" ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [ "$COMP_CWORD" -eq 1 ]; then
		_hadal_words "$(hadal --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p') help --help --version"
		return
	fi
	case $prev in
	-o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	--color) _hadal_words "auto always never" ;;
	*) ! declare -F "_hadal_$verb" >/dev/null || "_hadal_$verb" ;;
	esac
	[[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace
}

complete -F _hadal hadal
