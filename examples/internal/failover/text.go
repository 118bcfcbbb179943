package failover

import (
	"fmt"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

func run(p *command.Program, args []string) error {
	var within time.Duration
	flags := p.Flags()
	flags.DurationVar(&within, "within", time.Minute, "")
	if err := p.Parse(flags, args, 0); err != nil {
		return err
	}
	a, err := find(within)
	if err != nil {
		return command.Usagef("%w", err)
	}
	return p.Show(func(w *command.Writer) { a.text(w, within) }, func() any { return a })
}

// text writes the settings and what they risk. The risks that are not played are rules C4 and C5, the
// renewal of leases (pkg/kubelet/kubelet.go) and, of pods that are deleted on a silent node, rule P3
// and the documentation of Kubernetes 1.37 about non-graceful node shutdown.
func (a *Answer) text(w *command.Writer, within time.Duration) {
	s, was := &a.Settings, defaults()
	suffice := ""
	if *s == was {
		suffice = " the defaults suffice"
	}
	w.Line(0, fmt.Sprintf("To be away within %s of the death of a node:%s", command.Duration(within), suffice))
	w.Line(0, "")
	w.Line(2, "# in the pods; or for all pods that do not say, --default-not-ready-toleration-seconds and --default-unreachable-toleration-seconds of kube-apiserver")
	w.Line(2, "tolerations:")
	for _, t := range s.tolerations() {
		w.Copy(2, command.YAML(&t))
	}
	if s.Grace != was.Grace || s.Period != was.Period {
		w.Line(2, "# flags of kube-controller-manager")
		w.Line(2, fmt.Sprintf("--node-monitor-grace-period=%v", s.Grace))
	}
	if s.Period != was.Period {
		w.Line(2, fmt.Sprintf("--node-monitor-period=%v", s.Period))
	}
	if s.Lease != was.Lease {
		w.Line(2, "# in the KubeletConfiguration of each node")
		w.Line(2, fmt.Sprintf("nodeLeaseDurationSeconds: %d", s.Lease/time.Second))
	}
	w.Line(0, "")
	w.Line(0, fmt.Sprintf("Played: a pod is evicted %s to %s after its node died. At the latest: %s.", seconds(a.Earliest), seconds(a.Latest), a.Sentence))
	w.Line(0, "")
	w.Line(0, "What it risks:")
	w.Line(2, fmt.Sprintf("- A node that is silent for %s loses these pods, though it comes back: a network that is cut, a kubelet that restarts, an API server that is busy.", seconds(a.Blip)))
	if s.Lease != was.Lease {
		w.Line(2, fmt.Sprintf("- Each node renews its lease %d times as often, which the API server and etcd have to bear.", was.Lease/s.Lease))
	}
	w.Line(2, "- It holds for the first node of a zone. Others follow at --node-eviction-rate, every 10 seconds by default, and slower or never if 55% of a zone are lost; if all zones are, nothing is evicted (tolero outage plays it).")
	w.Line(2, "- Evicted is deleted: a Deployment has a new pod at once; a StatefulSet has none, and a volume stays attached, until the node is back, deleted, or has the taint node.kubernetes.io/out-of-service.")
	if s.Grace != was.Grace {
		w.Line(2, fmt.Sprintf("- A managed control plane rarely lets you set its flags. With tolerationSeconds alone, 0, it is %s.", seconds(a.Alone)))
	}
}

// seconds returns a duration to the second, rounded up.
func seconds(d time.Duration) string {
	return command.Duration((d + time.Second - time.Nanosecond).Truncate(time.Second))
}
