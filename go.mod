module github.com/tolero-dev/tolero

go 1.26.0

tool github.com/tolero-dev/tolero/compile/gen/tolgen

require (
	github.com/dave/jennifer v1.7.1
	github.com/google/go-cmp v0.7.0
	pgregory.net/rapid v1.3.0
	sigs.k8s.io/yaml v1.6.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect
