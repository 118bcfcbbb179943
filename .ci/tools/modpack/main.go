// Modpack packs modules as the module proxy would and lays them out as a proxy in
// a directory, which the go command can use with GOPROXY=file://DIRECTORY.
//
//	modpack -version v0.1.0 -out DIRECTORY MODULE_DIRECTORY...
//
// It fails where the proxy would refuse a module: files that are too large, names
// that differ only in case, a go.mod that does not fit the version.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	version := flag.String("version", "", "the `version` of all modules")
	out := flag.String("out", "", "the `directory` of the proxy")
	flag.Parse()
	for _, dir := range flag.Args() {
		if err := pack(*out, dir, *version); err != nil {
			fmt.Fprintf(os.Stderr, "modpack: %s: %v\n", dir, err)
			os.Exit(1)
		}
	}
}

// pack adds the module in a directory to the proxy.
func pack(proxy, dir, version string) error {
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(goMod), Version: version}
	if err := module.Check(m.Path, m.Version); err != nil {
		return err
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	files := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(files, 0o777); err != nil {
		return err
	}
	for name, content := range map[string]string{
		"list":            version + "\n",
		version + ".mod":  string(goMod),
		version + ".info": fmt.Sprintf(`{"Version":%q,"Time":"2000-01-01T00:00:00Z"}`, version),
	} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(files, version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromDir(archive, m, dir), archive.Close())
}
