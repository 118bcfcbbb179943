# tolero completion bash, to be sourced; without candidates there are the names of files.
_tolero() {
	local word
	COMPREPLY=()
	while IFS= read -r word; do
		case $word in
		:*) ;;
		*) COMPREPLY+=("$word") ;;
		esac
	done < <("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _tolero tolero
