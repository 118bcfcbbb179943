module github.com/tolero-dev/tolero

go 1.25.0

tool github.com/tolero-dev/tolero/compile/gen/tolgen

require (
	github.com/dave/jennifer v1.2.0
	github.com/google/go-cmp v0.4.0
	go.yaml.in/yaml/v2 v2.4.2
	pgregory.net/rapid v1.1.0
)
