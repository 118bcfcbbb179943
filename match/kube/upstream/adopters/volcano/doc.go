// Package volcano requires the module of Volcano, which asks the plugin TaintToleration of
// kube-scheduler within its own process. The program in folder run runs Volcano's own
// tests, and those of that plugin, over match/kube, and ours within its packages:
//
//	cd match/kube/upstream && ADOPTERS=1 go run ./adopters/run -only volcano
//
// Of volcano.sh/apis, which Volcano keeps in its own repository, v1.14.0 is required: there is no
// other release that Volcano v1.14.1 builds with.
package volcano
