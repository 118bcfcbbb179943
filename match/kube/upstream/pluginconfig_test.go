package upstream

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	configvalidation "k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	intree "k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/tolero-dev/tolero/match/kube/scheduler"
)

const configFile = "../scheduler/kube-scheduler.yaml"

// loadConfig reads a configuration file as kube-scheduler does: strictly, with its
// defaults, and validated.
func loadConfig(tb testing.TB, text []byte) *config.KubeSchedulerConfiguration {
	tb.Helper()
	object, _, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		tb.Fatal(err)
	}
	loaded := object.(*config.KubeSchedulerConfiguration)
	if err := configvalidation.ValidateKubeSchedulerConfiguration(loaded); err != nil {
		tb.Fatal(err)
	}
	return loaded
}

// newFramework builds a profile as kube-scheduler with our plugin does.
func newFramework(tb testing.TB, profile *config.KubeSchedulerProfile, nodes []*v1.Node) framework.Framework {
	tb.Helper()
	return buildFramework(tb, profile, frameworkruntime.Registry{scheduler.Name: scheduler.New}, nodes)
}

// buildFramework builds a profile with some plugins in place of, or beside, the in-tree
// ones.
func buildFramework(tb testing.TB, profile *config.KubeSchedulerProfile, plugins frameworkruntime.Registry, nodes []*v1.Node) framework.Framework {
	tb.Helper()
	metrics.Register()
	registry := intree.NewInTreeRegistry()
	maps.Copy(registry, plugins)
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	f, err := frameworkruntime.NewFramework(quietly(), registry, profile,
		frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(factory),
		frameworkruntime.WithSnapshotSharedLister(cache.NewSnapshot(nil, nodes)))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// TestPluginConfig loads the configuration file of the plugin's README and builds its
// profile: our plugin is the first filter, has the weight of the in-tree one, and is
// everywhere in its place.
func TestPluginConfig(t *testing.T) {
	text, err := os.ReadFile(configFile)
	if err != nil {
		t.Fatal(err)
	}
	got := newFramework(t, &loadConfig(t, text).Profiles[0], nil).ListPlugins()
	stock := newFramework(t, &loadConfig(t, []byte(stockConfig)).Profiles[0], nil).ListPlugins()
	if first := got.Filter.Enabled[0].Name; first != scheduler.Name {
		t.Errorf("the first filter is %s", first)
	}
	if first := got.PostFilter.Enabled[0].Name; first != scheduler.Name {
		t.Errorf("the first of PostFilter is %s", first)
	}
	for point, sets := range map[string][2]config.PluginSet{
		"PreFilter": {got.PreFilter, stock.PreFilter}, "Filter": {got.Filter, stock.Filter}, "PreScore": {got.PreScore, stock.PreScore}, "Score": {got.Score, stock.Score},
	} {
		ours, theirs := withoutTaints(sets[0]), withoutTaints(sets[1])
		if len(ours.own) != 1 || len(theirs.own) == 0 || ours.own[0].Weight != theirs.own[len(theirs.own)-1].Weight {
			t.Errorf("%s: %v in place of %v", point, ours.own, theirs.own)
		}
		if !slices.Equal(ours.others, theirs.others) {
			t.Errorf("%s: the others are %v, want %v", point, ours.others, theirs.others)
		}
	}
	readme, err := os.ReadFile("../scheduler/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "    "+strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n    ")) {
		t.Errorf("the README does not show %s as it is", configFile)
	}
}

const stockConfig = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

// parts is the plugins of an extension point, those for taints apart.
type parts struct{ own, others []config.Plugin }

func withoutTaints(set config.PluginSet) (p parts) {
	for _, plugin := range set.Enabled {
		if slices.Contains([]string{scheduler.Name, names.TaintToleration, names.NodeUnschedulable}, plugin.Name) {
			p.own = append(p.own, plugin)
		} else {
			p.others = append(p.others, plugin)
		}
	}
	return p
}
