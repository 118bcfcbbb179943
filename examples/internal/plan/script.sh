#!/usr/bin/env bash
# Does what tolero plan simulated, stage by stage.
#
#	bash plan.sh --dry-run   # asks the API server about every command and changes nothing
#	bash plan.sh             # asks it first, and then does it
#
# It stops at the first error, and where something is to be done by hand. Run it again to go on:
# the file $DONE has what is done. Patching the tolerations of a template restarts all pods of its
# owner, for which the script waits. Before a stage it waits until the PodDisruptionBudgets allow
# its evictions, which taints do not ask; after it, until its pods have left and others run. Nodes
# are cordoned until it is their turn, or pods that come in place of others would be evicted again.
set -euo pipefail
: "${TIMEOUT:=600}" # seconds to wait for a rollout, for a budget, and for a pod to leave
: "${SETTLE:=5}"    # seconds for controllers to notice that pods have left
: "${DONE:=tolero-plan-@ID@.done}"
dry=

# is_done N tells whether a step is done.
is_done() {
	grep -qsxF -- "$1" "$DONE"
}

# step N COMMAND... runs a command, unless it is done already, and notes that it is.
step() {
	local n=$1
	shift
	if is_done "$n"; then
		return
	fi
	echo "$n: $*" >&2
	"$@" ${dry:+"$dry"}
	[ -n "$dry" ] || echo "$n" >>"$DONE"
}

# by_hand N TEXT stops, so that somebody does what the script cannot. The next run goes on.
by_hand() {
	if is_done "$1"; then
		return
	fi
	if [ -n "$dry" ]; then
		echo "$1: by hand: $2" >&2
		return
	fi
	echo "$1" >>"$DONE"
	echo "$1: do this by hand, and then run the script again: $2" >&2
	exit 1
}

# before N COMMAND... waits as the command says, unless step N is done: then that is over.
before() {
	local n=$1
	shift
	[ -n "$dry" ] || is_done "$n" || "$@"
}

# rollout NAMESPACE KIND/NAME waits until all pods of a workload are up to date and ready.
rollout() {
	kubectl --namespace "$1" rollout status "$2" --timeout "${TIMEOUT}s"
}

# left NAMESPACE POD NODE waits until a pod has left a node. One of the same name may run on
# another.
left() {
	local now end=$((SECONDS + TIMEOUT))
	while true; do
		now=$(kubectl --namespace "$1" get pod "$2" --ignore-not-found --output 'jsonpath={.spec.nodeName}')
		[ "$now" = "$3" ] || return 0
		if [ "$SECONDS" -ge "$end" ]; then
			echo "$1/$2 is still on $3" >&2
			return 1
		fi
		sleep 2
	done
}

# allows NAMESPACE BUDGET N waits until a PodDisruptionBudget allows N evictions.
allows() {
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
	@STAGES@
}

case ${1:-} in
"" | --dry-run) ;;
*)
	echo "usage: bash plan.sh [--dry-run]" >&2
	exit 2
	;;
esac
context=$(kubectl config current-context || echo none)
if [ -s "$DONE" ]; then
	if ! is_done "context $context"; then
		echo "$DONE is of another cluster: $(head -n 1 "$DONE"), not $context" >&2
		exit 2
	fi
	echo "going on: $(($(wc -l <"$DONE") - 1)) steps are done, says $DONE" >&2
fi
dry=--dry-run=server
all
if [ -z "${1:-}" ]; then
	[ -s "$DONE" ] || echo "context $context" >"$DONE"
	dry=
	all
	rm "$DONE"
	echo "all is done" >&2
fi
