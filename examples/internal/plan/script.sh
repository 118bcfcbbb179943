#!/usr/bin/env bash
# Does what tolero plan simulated, stage by stage.
#
#	bash plan.sh --dry-run   # asks the API server about every command and changes nothing
#	bash plan.sh             # asks it first, and then does it
#
# It stops at the first error. Run it again to go on: the file $DONE has what is done. Patching
# the tolerations of a template restarts all pods of its owner, for which the script waits. Before
# a stage it waits until the PodDisruptionBudgets allow its evictions; taints do not ask them.
set -euo pipefail
: "${TIMEOUT:=600}" # seconds to wait for a rollout, and for a budget
: "${DONE:=tolero-plan-@ID@.done}"
dry=

# step N COMMAND... runs a command, unless it is done already, and notes that it is.
step() {
	local n=$1
	shift
	if grep -qsx "$n" "$DONE"; then
		return
	fi
	echo "$n: $*" >&2
	"$@" ${dry:+"$dry"}
	[ -n "$dry" ] || echo "$n" >>"$DONE"
}

# evictions SECONDS waits for evictions that are due after so long.
evictions() {
	[ -n "$dry" ] || sleep "$1"
}

# rollout NAMESPACE KIND/NAME waits until all pods of a workload are up to date and ready.
rollout() {
	[ -n "$dry" ] || kubectl --namespace "$1" rollout status "$2" --timeout "${TIMEOUT}s"
}

# allows NAMESPACE BUDGET N waits until a PodDisruptionBudget allows N evictions.
allows() {
	[ -z "$dry" ] || return 0
	local now end=$((SECONDS + TIMEOUT))
	while true; do
		now=$(kubectl --namespace "$1" get poddisruptionbudget "$2" --output 'jsonpath={.status.disruptionsAllowed}')
		[ "${now:-0}" -lt "$3" ] || return 0
		if [ "$SECONDS" -ge "$end" ]; then
			echo "$1/$2 allows ${now:-0} evictions, and the stage has $3" >&2
			return 1
		fi
		sleep 5
	done
}

all() {
	: # the stages
