# tolero completion fish, to be sourced or put into ~/.config/fish/completions as tolero.fish.
function __tolero_complete
	set -l words (commandline -opc)
	set -l last (commandline -ct)
	set -l candidates ($words[1] __complete $words[2..-1] "$last" 2>/dev/null | string match --invert ':*')
	if test (count $candidates) -gt 0
		printf '%s\n' $candidates
	else
		__fish_complete_path "$last"
	end
end
complete --command tolero --no-files --arguments '(__tolero_complete)'
