// SPDX-License-Identifier: Apache-2.0

//go:build linux && !arm

package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestModulesOfAProgram: licences and SBOM have every module of a program, here of this test.
func TestModulesOfAProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	modules, err := modulesOf(self)
	if err != nil {
		t.Fatal(err)
	}
	files := contents{}
	if err := files.addLicences(modules, "licences/"); err != nil || files["licences/aead.dev/minisign/LICENSE"] == nil {
		t.Error(err)
	}
	text, err := sbom(modules, "1.2.0", time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Components []component }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list.Components, func(c component) bool { return strings.HasPrefix(c.PURL, "pkg:golang/aead.dev/minisign@v") }) {
		t.Errorf("%+v", list)
	}
}

func TestWrongReleases(t *testing.T) {
	dir := t.TempDir()
	changes := filepath.Join(dir, "changes")
	if err := os.WriteFile(changes, []byte("## Unreleased\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-out", dir, "-programs", dir, "-changes", changes}); !errors.Is(err, errNoPrograms) {
		t.Error(err)
	}
	if err := (contents{}).addLicencesOf(dir, ""); !errors.Is(err, errNoLicence) {
		t.Error(err)
	}
	r := release{out: dir}
	if err := r.manifests(nil); err == nil {
		t.Error("manifests without archives")
	}
	if err := r.checksums(changes); err == nil {
		t.Error("signed without a key")
	}
}
