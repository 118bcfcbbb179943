package matrix

// waitingClaim is a claim that is to be made for a pod from a template.
type waitingClaim struct{ pod, name, template string }

// addTemplate adds a ResourceClaimTemplate: what the claims ask for that are made from it.
func (d *deviceDump) addTemplate(o *deviceObject) error {
	var spec struct {
		Spec claimSpec `json:"spec"`
	}
	if err := decode("spec", o.Spec, &spec); err != nil {
		return err
	}
	c := new(deviceClaim)
	faults := c.addRequests("spec.spec", &spec.Spec)
	if d.templates == nil {
		d.templates = make(map[string][]deviceRequest)
	}
	d.templates[o.key()] = c.requests
	return faults.Err()
}

// resolve adds the claims that are yet to be made for pods, once everything is read. They
// ask for devices and hold none. It counts those whose template is not in the input.
func (d *deviceDump) resolve() {
	for _, w := range d.waiting {
		if requests, known := d.templates[w.template]; known {
			d.claims = append(d.claims, deviceClaim{name: w.pod + " " + w.name, requests: requests})
		} else {
			d.unresolved++
		}
	}
	d.waiting = nil
}
