// SPDX-License-Identifier: Apache-2.0

//go:build system

package disk

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Another program reads our map and copies by it.
func TestBmaptool(t *testing.T) {
	if _, err := exec.LookPath("bmaptool"); err != nil {
		t.Fatalf("%v: scripts/setup.sh installs it (package bmap-tools)", err)
	}
	dir := t.TempDir()
	image := append(make([]byte, 8192), bytes.Repeat([]byte("card"), 3000)...)
	path := filepath.Join(dir, "x.img")
	if err := os.WriteFile(path, image, 0o644); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := Bmap(&b, bytes.NewReader(image), int64(len(image)), []Extent{{8192, 12000}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".bmap", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "bmaptool", "copy", path, filepath.Join(dir, "copy")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "copy")); err != nil || !bytes.Equal(got, image) {
		t.Errorf("%d bytes of %d, %v", len(got), len(image), err)
	}
}
