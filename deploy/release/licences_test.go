// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linkable are the licences of modules that may be part of our programs: they ask for their text and copyright alone.
var linkable = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "0BSD"}

// exceptions are packages with another licence, and why they may be used.
var exceptions = map[string]string{
	"github.com/ajstarks/svgo": "CC-BY-4.0", // asks for its author's name, which deploy/debian/copyright has
	"pgregory.net/rapid":       "MPL-2.0",   // of tests alone, and not changed
	"axe-core":                 "MPL-2.0",   // of tests alone, and not changed
}

// texts are words that one licence has and the others do not, without regard to lines.
var texts = []struct{ name, words string }{
	{"MPL-2.0", `Mozilla Public License`},
	{"GPL", `(GENERAL|General) (PUBLIC|Public) (LICENSE|License)`},
	{"Apache-2.0", `Apache License,? Version 2\.0`},
	{"CC-BY-4.0", `Creative Commons Attribution 4\.0`},
	{"ISC", `Permission to use, copy, modify, and(/or)? distribute this software`},
	{"MIT", `Permission is hereby granted, free of charge, to any person obtaining a copy`},
	{"BSD-3-Clause", `Redistribution and use in source and binary forms.*(Neither the name|The names? of the author|may not be used)`},
	{"BSD-2-Clause", `Redistribution and use in source and binary forms`},
}

// licenceOf names the licence of a text, "" for one that is not known.
func licenceOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range texts {
		if regexp.MustCompile(l.words).MatchString(text) {
			return l.name
		}
	}
	return ""
}

// permitted reports whether a package may be used under a licence.
func permitted(name, licence string) bool {
	if slices.Contains(linkable, licence) {
		return true
	}
	return licence != "" && exceptions[name] == licence
}

// TestLicencesOfGoModules: every module that a program or test of ours is built with has a licence of the list.
func TestLicencesOfGoModules(t *testing.T) {
	list := command(t, nil, "go", "list", "-deps", "-test", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./...")
	modules := strings.Fields(list)
	seen := map[string]bool{}
	for i := 0; i+1 < len(modules); i += 2 {
		name, dir := modules[i], modules[i+1]
		if seen[name] {
			continue
		}
		seen[name] = true
		files, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no licence (%v)", name, err)
			continue
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if licence := licenceOf(string(text)); !permitted(name, licence) {
			t.Errorf("%s has the licence %q, which is not permitted", name, licence)
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d modules: the search is broken", len(seen))
	}
}

// TestLicencesOfNpmPackages: the same for the page and the tests in JavaScript, by what their lock files say.
func TestLicencesOfNpmPackages(t *testing.T) {
	for _, path := range strings.Fields(command(t, nil, "git", "ls-files", "*package-lock.json")) {
		var lock struct {
			Packages map[string]struct {
				License string `json:"license"`
			} `json:"packages"`
		}
		if err := json.Unmarshal([]byte(read(t, path)), &lock); err != nil {
			t.Fatal(err)
		}
		if len(lock.Packages) < 2 {
			t.Errorf("%s has %d packages: the search is broken", path, len(lock.Packages))
		}
		for folder, p := range lock.Packages {
			if _, name, ok := strings.Cut(folder, "node_modules/"); ok && !permitted(name, p.License) {
				t.Errorf("%s: %s has the licence %q, which is not permitted", path, name, p.License)
			}
		}
	}
}

func TestLicencesThatAreNotPermitted(t *testing.T) {
	for text, want := range map[string]string{
		"GNU GENERAL PUBLIC LICENSE\nVersion 3":                             "GPL",
		"GNU Affero General Public\nLicense":                                "GPL",
		"Business Source License 1.1":                                       "",
		"Mozilla Public License Version 2.0":                                "MPL-2.0",
		"All rights reserved.":                                              "",
		"This is free software under the GNU Lesser General Public License": "GPL",
	} {
		if licence := licenceOf(text); licence != want || permitted("example.org/x", licence) {
			t.Errorf("%q: %q", text, licence)
		}
	}
}
