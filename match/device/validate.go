package device

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// The causes that more than one check gives.
const (
	supportedEffects   = "must be None, NoSchedule or NoExecute"
	supportedOperators = "must be Exists or Equal"
	needsNoValue       = "must be empty when the operator is Exists"
)

// ValidateTaints returns nil if the API server would accept the list as that of a
// device of a new slice, and else a *[taint.FieldErrors] with every fault, in the
// order of the list (rule D13): there may be [MaxTaints] taints, each key must be a
// qualified name, each value a label value, and each effect one of the three.
// Fields are named "taints[i].key" and so on. If there are more taints, that is the
// only fault.
//
// Equal taints are accepted, and so is any TimeAdded.
func ValidateTaints(taints []taint.Taint) error {
	var c checker
	if len(taints) > MaxTaints {
		c.Add("taints", "invalid value", fmt.Sprint(len(taints)), fmt.Sprintf("must have at most %d taints", MaxTaints))
		return c.Err()
	}
	for i := range taints {
		c.checkTaint(fmt.Sprintf("taints[%d]", i), &taints[i], true)
	}
	return c.Err()
}

// ValidateTaintsUpdate returns nil if the API server would accept that the list of
// a device changes from old to updated: the list may stay as it is, whatever is in
// it, or become one that [ValidateTaints] accepts (rule D13).
func ValidateTaintsUpdate(updated, old []taint.Taint) error {
	if taint.Equal(updated, old) {
		return nil
	}
	return ValidateTaints(updated)
}

// ValidateTolerations returns nil if the API server would accept the list as that
// of a request of a new claim, and else a *[taint.FieldErrors] with every fault, in
// the order of the list (rule D13). Fields are named "tolerations[i].key" and so
// on. The list is taken as stored: an empty operator is a fault, which
// [SetTolerationDefaults] removes. A claim's spec cannot be updated.
//
// Kubernetes 1.37 lets pass what its documents forbid, and so does this function: an
// empty key with Equal, the effect None, seconds with any effect, and more
// than [MaxTolerations] tolerations.
func ValidateTolerations(tolerations []toleration.Toleration) error {
	var c checker
	for i := range tolerations {
		c.checkToleration(fmt.Sprintf("tolerations[%d]", i), &tolerations[i])
	}
	return c.Err()
}

// Validate returns nil if the API server would accept r as the spec of a new
// DeviceTaintRule, and else a *[taint.FieldErrors] with every fault: those of the
// selector, named "deviceSelector.driver" and so on, and those of the taint, named
// "taint.key" and so on (rule D13). A rule without selector is accepted.
func (r *Rule) Validate() error {
	var c checker
	c.checkSelector(r.DeviceSelector)
	c.checkTaint("taint", &r.Taint, true)
	return c.Err()
}

// ValidateUpdate is like [Rule.Validate] for a rule that replaces old: an effect
// that stays the same is not checked (rule D13).
func (r *Rule) ValidateUpdate(old *Rule) error {
	var c checker
	c.checkSelector(r.DeviceSelector)
	c.checkTaint("taint", &r.Taint, r.Taint.Effect != old.Taint.Effect)
	return c.Err()
}

// checker gathers faults, one for each field that is at fault.
type checker struct {
	taint.FieldErrors
}

// addInvalid adds a fault unless err is nil.
func (c *checker) addInvalid(field, value string, err error) {
	if err != nil {
		c.Add(field, "invalid value", value, err.Error())
	}
}

func (c *checker) checkTaint(field string, t *taint.Taint, checkEffect bool) {
	c.addInvalid(field+".key", t.Key, taint.CheckKey(t.Key))
	c.addInvalid(field+".value", t.Value, taint.CheckValue(t.Value))
	if checkEffect {
		if t.Effect == "" {
			c.Add(field+".effect", "required value", "", supportedEffects)
			return
		}
		c.checkEffect(field+".effect", t.Effect)
	}
}

func (c *checker) checkEffect(field string, effect taint.Effect) {
	switch effect {
	case None, taint.NoSchedule, taint.NoExecute:
		return
	}
	c.Add(field, "unsupported value", string(effect), supportedEffects)
}

func (c *checker) checkToleration(field string, t *toleration.Toleration) {
	if t.Key != "" {
		c.addInvalid(field+".key", t.Key, taint.CheckKey(t.Key))
	}
	switch t.Operator {
	case toleration.OpExists:
		if t.Value != "" {
			c.Add(field+".value", "invalid value", t.Value, needsNoValue)
		}
	case toleration.OpEqual:
		c.addInvalid(field+".value", t.Value, taint.CheckValue(t.Value))
	case "":
		c.Add(field+".operator", "required value", "", supportedOperators)
	default:
		c.Add(field+".operator", "unsupported value", string(t.Operator), supportedOperators)
	}
	if t.Effect != "" {
		c.checkEffect(field+".effect", t.Effect)
	}
}

func (c *checker) checkSelector(s *Selector) {
	if s == nil {
		return
	}
	c.checkName("deviceSelector.driver", s.Driver, checkDriver)
	c.checkName("deviceSelector.pool", s.Pool, checkPool)
	c.checkName("deviceSelector.device", s.Device, checkDevice)
}

func (c *checker) checkName(field string, name *string, check func(string) error) {
	switch {
	case name == nil:
	case *name == "":
		c.Add(field, "required value", "", "must not be empty; leave it out to select any")
	default:
		c.addInvalid(field, *name, check(*name))
	}
}
