// Command tolgen generates Go code that answers for the tolerations of workloads
// whose manifests are known at build time.
//
//	tolgen [flags] [file ...]
//
// It reads manifests in YAML or JSON: Pods, DaemonSets, Deployments,
// StatefulSets, Jobs, CronJobs and other workloads, Lists and streams of them, as
// in the output of kubectl get -o json, and bare lists of tolerations. The file
// "-", or none at all, is standard input. Each toleration list becomes a type,
// or functions, named after the kind and name of its object. See package gen for
// what is generated.
//
// Flags:
//
//	-o file         the Go file; without it, standard output
//	-package name   the package of it; without it $GOPACKAGE, as set by go generate,
//	                or the package in the folder of the file, or the folder's name
//	-test           also write a test file beside it, file_test.go for file.go
//	-functions      functions in place of a type with methods
//	-exported       visible to other packages
//	-standalone     code that imports nothing
//	-only which     only the objects of a kind, such as DaemonSet, or with a name,
//	                such as DaemonSet/agent or DaemonSet/kube-system/agent; may
//	                stand several times
//	-name [which=]identifier
//	                the name for the list of an object, or for the only one; may
//	                stand several times
//	-comparisons    accept the operators Lt and Gt, for a cluster with the feature
//	                gate TaintTolerationComparisonOperators on; without it they are
//	                an error, as in a default cluster
//	-check          write nothing, and show what would differ
//
// In a package, a comment keeps the code up to date:
//
//	//go:generate go tool tolgen -exported -test -o agents.go agents.yaml
//
// The files are written only if everything is right, and only those that are not up
// to date. What is wrong in a manifest is told with its file, document, object, field
// and cause.
//
// The exit status is 0 if all is well; 1 if something is wrong with the input or
// the files, or if with -check a file is not up to date; 2 for wrong flags.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Getenv("GOPACKAGE"), os.Stdin, os.Stdout, os.Stderr))
}

// run is the program, without what belongs to the process.
func run(args []string, goPackage string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	o, err := parseOptions(args, goPackage, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2 // the flags have been explained
	}
	files, err := generate(o, stdin)
	if err == nil {
		err = deliver(o, files, stdout)
	}
	switch {
	case errors.Is(err, errStale):
		return 1 // the difference has been shown
	case err != nil:
		fmt.Fprintf(stderr, "tolgen: %v\n", err)
		return 1
	}
	return 0
}

// deliver does with the files what the options ask for.
func deliver(o *options, files []file, stdout io.Writer) error {
	switch {
	case o.check:
		return check(files, stdout)
	case o.output == "":
		_, err := stdout.Write(files[0].text)
		return err
	}
	return writeFiles(files)
}
