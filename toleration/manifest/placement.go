package manifest

import "github.com/tolero-dev/tolero/match/affinity"

// nodeSelector reads spec.nodeSelector of a pod.
func (w *walker) nodeSelector(a *affinity.Required) error {
	if !w.placement {
		return w.skip()
	}
	return w.wordMap(&a.NodeSelector)
}

// wordMap reads an object of strings, and nil if there are none.
func (w *walker) wordMap(dst *map[string]string) error {
	*dst = nil
	return w.object(func(name string) error {
		if *dst == nil {
			*dst = make(map[string]string)
		}
		var value string
		err := w.text(&value)
		(*dst)[name] = value
		return err
	})
}

// affinity reads what a pod requires of its node, and whether it requires anything of
// other pods.
func (w *walker) affinity(p *podSpec) error {
	if !w.placement && !w.state {
		return w.skip()
	}
	return w.object(func(name string) error {
		var required func() error
		switch {
		case name == "nodeAffinity" && w.placement:
			required = func() error { return w.required(&p.attraction) }
		case (name == "podAffinity" || name == "podAntiAffinity") && w.state:
			required = func() error {
				return w.list(func(int) error { p.constrain("affinity." + name); return w.skip() })
			}
		default:
			return w.other(name, "nodeAffinity")
		}
		return w.object(w.only("requiredDuringSchedulingIgnoredDuringExecution", required))
	})
}

// required reads a selector of nodes. One without terms selects no node, and null is the
// same as none.
func (w *walker) required(a *affinity.Required) error {
	a.Terms = nil
	found, err := w.open('{', "an object")
	if !found {
		return err
	}
	a.Terms = []affinity.Term{}
	return w.fields(w.only("nodeSelectorTerms", func() error {
		a.Terms = []affinity.Term{}
		return w.list(func(int) error {
			var t affinity.Term
			err := w.term(&t)
			a.Terms = append(a.Terms, t)
			return err
		})
	}))
}

func (w *walker) term(t *affinity.Term) error {
	return w.object(func(name string) error {
		switch name {
		case "matchExpressions":
			return w.requirements(&t.Expressions)
		case "matchFields":
			return w.requirements(&t.Fields)
		}
		return w.skip()
	})
}

func (w *walker) requirements(list *[]affinity.Requirement) error {
	*list = nil
	return w.list(func(int) error {
		var r affinity.Requirement
		err := w.requirement(&r)
		*list = append(*list, r)
		return err
	})
}

func (w *walker) requirement(r *affinity.Requirement) error {
	return w.object(func(name string) error {
		switch name {
		case "key":
			return w.text(&r.Key)
		case "operator":
			return w.text(&r.Operator)
		case "values":
			r.Values = nil
			return w.list(func(int) error {
				var value string
				err := w.text(&value)
				r.Values = append(r.Values, value)
				return err
			})
		}
		return w.skip()
	})
}

// findVolumes finds what the volumes of pods require of their nodes.
func (l *Loader) findVolumes() {
	if !l.Placement || !l.State {
		return
	}
	volumes := make(map[string][]affinity.Term)
	for i := range l.around.Volumes {
		v := &l.around.Volumes[i]
		volumes[v.Name] = v.Affinity.Terms
	}
	claims := make(map[[2]string][]affinity.Term) // by namespace and name
	for i := range l.around.Claims {
		c := &l.around.Claims[i]
		claims[[2]string{c.Namespace, c.Name}] = volumes[c.VolumeName]
	}
	for i := range l.pods {
		p := &l.pods[i]
		p.Affinity.Volumes = nil
		for _, name := range p.State.Claims {
			if terms := claims[[2]string{p.Namespace, name}]; terms != nil {
				p.Affinity.Volumes = append(p.Affinity.Volumes, terms)
			}
		}
	}
}

// findTemplates finds what the DaemonSets require that pods come from.
func (l *Loader) findTemplates() {
	if !l.Placement {
		return
	}
	templates := make(map[controllerKey]*affinity.Required)
	for i := range l.pods {
		if p := &l.pods[i]; p.Kind == "DaemonSet" {
			a := p.Affinity // apart, not to retain all pods
			templates[controllerKey{Owner{p.Kind, p.Name}, p.Namespace}] = &a
		}
	}
	for i := range l.pods {
		if p := &l.pods[i]; p.Kind == "Pod" {
			p.Template = templates[controllerKey{p.Owner, p.Namespace}]
		}
	}
}
