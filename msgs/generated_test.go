// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

const module = "github.com/epuck-ros2/epuck-driver/msgs"

// The committed generated files are current and complete. If not: go generate ./msgs/...
func TestGeneratedFilesAreCurrent(t *testing.T) {
	for root, opts := range map[string]gen.Options{
		".":                 {Module: module, Lookup: true, Licence: "Apache-2.0"},
		"internal/testdefs": {Module: module + "/internal/testdefs", Licence: "Apache-2.0"},
	} {
		want, err := gen.Generate(os.DirFS(root), opts)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			have, err := os.ReadFile(filepath.Join(root, name))
			if err != nil || !bytes.Equal(have, text) {
				t.Errorf("%s is not current (%v): run go generate ./msgs/...", filepath.Join(root, name), err)
			}
		}
		for _, name := range generatedBelow(t, root) {
			if want[name] == nil {
				t.Errorf("%s belongs to no definition: run go generate ./msgs/...", filepath.Join(root, name))
			}
		}
	}
}

// generatedBelow lists the committed generated files of a root.
func generatedBelow(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && !gen.IsPackage(path) {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, gen.Suffix) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// All definitions have comments, which are the documentation of the Go types.
func TestDefinitionsAreDocumented(t *testing.T) {
	packages, err := gen.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		for _, m := range p.Messages {
			checkDocs(t, m, m.Doc)
		}
		for _, s := range p.Services {
			checkDocs(t, &s.Request, s.Doc)
			checkDocs(t, &s.Response, s.Doc)
		}
	}
}

func checkDocs(t *testing.T, m *idl.Message, doc string) {
	t.Helper()
	if doc == "" {
		t.Errorf("%s has no comment", m.FullName())
	}
	for _, f := range m.Fields {
		if f.Doc == "" {
			t.Errorf("%s.%s has no comment", m.FullName(), f.Name)
		}
	}
	for _, c := range m.Constants {
		if c.Doc == "" {
			t.Errorf("%s.%s has no comment", m.FullName(), c.Name)
		}
	}
}
