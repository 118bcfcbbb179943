package files

// policies is the chapter about policies that others wrote in CEL, which no vector asks.
const policies = `
## Policies in CEL

What the samples that people copy let through, each asked by the API server's own code about every pod of a small
universe (` + "`match/kube/refute`" + `). The API server adds its two tolerations for ` + "`not-ready`" + ` and ` + "`unreachable`" + ` before. To run one again:

    cd match/kube/refute && go run . -deny node-role.kubernetes.io/control-plane policy.yaml

| policy | meant | smallest pod | the policy |
|---|---|---|---|
| ` + "`kyverno/policies`" + ` at b9c4317ce022, ` + "`other-cel/restrict-controlplane-scheduling/restrict-controlplane-scheduling.yaml`" + ` | ` + "`-deny node-role.kubernetes.io/control-plane,node-role.kubernetes.io/master`" + ` | ` + "`tolerations: [{operator: Exists}]`" + ` | admits it: it looks at keys alone, and this toleration has none and tolerates every taint |
| the same at b9c4317ce022, ` + "`other-vpol/restrict-controlplane-scheduling/restrict-controlplane-scheduling.yaml`" + ` | the same | the same | admits it |
| the documentation of GKE on secure tags for firewalls, policy ` + "`restrict-toleration`" + `, with its parameters (read on 2026-11-26) | ` + "`-deny cloud.google.com/compute-class=autopilot,cloud.google.com/compute-class=autopilot-spot -in foo,bar,baz`" + ` | ` + "`tolerations: [{operator: Exists}]`" + ` in another namespace | admits it |
| the same | the same | ` + "`tolerations: [{key: cloud.google.com/compute-class}]`" + ` in ` + "`foo`" + ` | refuses it: ` + "`value`" + ` is asked for without ` + "`has`" + `, which is an error |
| ` + "`openshift/enhancements`" + `, pull request 1583, ` + "`enhancements/scheduling/prevent-user-workloads-from-being-scheduled-on-control-plane-nodes.md`" + `, policy ` + "`control-plane-scheduling-policy`" + ` | ` + "`-deny node-role.kubernetes.io/control-plane:NoExecute`" + ` | none of 3,631 | as meant: what it does not ask ` + "`has`" + ` about is an error, and an error refuses |

Refusing a toleration that has no key, as well as those with the keys, mends the first three.
The repository ` + "`open-policy-agent/gatekeeper-library`" + ` has no policy about tolerations at 5c441fb645f2.
`
