// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
)

// TestSources: the packed definitions are the files of this folder. If not: go generate ./msgs/...
func TestSources(t *testing.T) {
	sources, packed, files := msgs.Sources(), 0, 0
	err := fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		packed++
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if have, err := fs.ReadFile(sources, path); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not current (%v): run go generate ./msgs/...", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*/msg/*.msg", "*/srv/*.srv", "*/action/*.action"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files += len(list)
	}
	if packed != files || files < 200 {
		t.Errorf("%d of %d definitions are packed: run go generate ./msgs/...", packed, files)
	}
}

// TestSourcesCostNothingUnused: each start of the program asks for the files, few read them.
func TestSourcesCostNothingUnused(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { msgs.Sources() }); n > 20 {
		t.Errorf("%v allocations", n)
	}
}

// Every type of Lookup has its definition among the sources.
func TestSourcesHoldEveryDefinition(t *testing.T) {
	sources := msgs.Sources()
	for _, name := range msgs.Names() {
		pkg, rest, _ := strings.Cut(name, "/")
		kind, base, _ := strings.Cut(rest, "/")
		base, _, part := strings.Cut(base, "_") // a part of a service or an action
		if part && kind == "msg" {
			t.Errorf("%s: an underscore in a message's name", name)
		}
		if _, err := fs.ReadFile(sources, pkg+"/"+kind+"/"+base+"."+kind); err != nil {
			t.Error(err)
		}
	}
}
