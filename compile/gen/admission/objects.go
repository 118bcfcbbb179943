package admission

import (
	"bytes"

	"go.yaml.in/yaml/v2"
)

const registration = "admissionregistration.k8s.io/v1"

// The objects, with the field names of the Kubernetes API.
type (
	object struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
		Spec       any      `yaml:"spec"`
	}
	metadata struct {
		Name string `yaml:"name"`
	}
	policySpec struct {
		FailurePolicy    string            `yaml:"failurePolicy"`
		MatchConstraints matchConstraints  `yaml:"matchConstraints"`
		MatchConditions  []namedExpression `yaml:"matchConditions"`
		Variables        []namedExpression `yaml:"variables"`
		Validations      []validation      `yaml:"validations"`
		// Kyverno has these two in the policy, and no bindings.
		ValidationActions []string    `yaml:"validationActions,flow,omitempty"`
		Evaluation        *evaluation `yaml:"evaluation,omitempty"`

		fields []string // of the Spec, one for each validation
	}
	mutatingSpec struct {
		FailurePolicy      string            `yaml:"failurePolicy"`
		ReinvocationPolicy string            `yaml:"reinvocationPolicy"`
		MatchConstraints   matchConstraints  `yaml:"matchConstraints"`
		Variables          []namedExpression `yaml:"variables"`
		Mutations          []mutation        `yaml:"mutations"`
	}
	mutation struct {
		PatchType string    `yaml:"patchType"`
		JSONPatch jsonPatch `yaml:"jsonPatch"`
	}
	jsonPatch struct {
		Expression string `yaml:"expression"`
	}
	matchConstraints struct {
		NamespaceSelector *labelSelector `yaml:"namespaceSelector,omitempty"`
		ResourceRules     []resourceRule `yaml:"resourceRules"`
	}
	resourceRule struct {
		APIGroups   []string `yaml:"apiGroups,flow"`
		APIVersions []string `yaml:"apiVersions,flow"`
		Operations  []string `yaml:"operations,flow"`
		Resources   []string `yaml:"resources,flow"`
	}
	namedExpression struct {
		Name       string `yaml:"name"`
		Expression string `yaml:"expression"`
	}
	validation struct {
		Expression        string `yaml:"expression"`
		Message           string `yaml:"message"`
		MessageExpression string `yaml:"messageExpression"`
		Reason            string `yaml:"reason"`
	}
	evaluation struct {
		Background enabled `yaml:"background"`
	}
	enabled struct {
		Enabled bool `yaml:"enabled"`
	}
	binding struct {
		PolicyName        string          `yaml:"policyName"`
		ValidationActions []string        `yaml:"validationActions,flow,omitempty"`
		MatchResources    *matchResources `yaml:"matchResources,omitempty"`
	}
	matchResources struct {
		NamespaceSelector labelSelector `yaml:"namespaceSelector"`
	}
	labelSelector struct {
		MatchLabels      map[string]string `yaml:"matchLabels,omitempty"`
		MatchExpressions []requirement     `yaml:"matchExpressions,omitempty"`
	}
	requirement struct {
		Key      string   `yaml:"key"`
		Operator string   `yaml:"operator"`
		Values   []string `yaml:"values,flow"`
	}
)

// workloads are pods and what has a template of pods. Rules do not match subresources, such
// as status, ephemeralcontainers and scale, none of which can change tolerations.
var workloads = []resourceRule{
	rule("", "pods", "replicationcontrollers"),
	rule("apps", "deployments", "daemonsets", "statefulsets", "replicasets"),
	rule("batch", "jobs", "cronjobs"),
}

func rule(group string, resources ...string) resourceRule {
	return resourceRule{[]string{group}, []string{"v1"}, []string{"CREATE", "UPDATE"}, resources}
}

// documents returns the YAML of objects.
func documents(objects ...object) ([]byte, error) {
	var b bytes.Buffer
	for i, o := range objects {
		if i > 0 {
			b.WriteString("---\n")
		}
		text, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}
