#compdef tolero
# tolero completion zsh, to be sourced or put into a folder of fpath as _tolero.
_tolero() {
	local -a candidates
	candidates=("${(@f)$("$words[1]" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	candidates=("${(@)candidates:#:*}")
	if ((${#candidates})); then
		compadd -- "${(@)candidates}"
	else
		_files
	fi
}
if [ "$funcstack[1]" = _tolero ]; then
	_tolero "$@"
else
	compdef _tolero tolero
fi
