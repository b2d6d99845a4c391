// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// linterConfig is what the tests read of .golangci.yml.
type linterConfig struct {
	Linters struct {
		Exclusions struct{ Rules []struct{ Path string } }
		Settings   struct {
			Depguard struct {
				Rules map[string]struct {
					Files, Allow []string
					Deny         []struct{ Pkg, Desc string }
				}
			}
		}
	}
}

func readLinterConfig(t *testing.T) (config linterConfig) {
	t.Helper()
	data, err := os.ReadFile("../../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	return config
}

// TestLinterExceptionsNameFiles: each path of an exception in .golangci.yml matches a Go file, and so does each
// alternative in it. A folder that has moved is an error here, and not only after the minutes that the linters take.
func TestLinterExceptionsNameFiles(t *testing.T) {
	rules := readLinterConfig(t).Linters.Exclusions.Rules
	files := sources(t)
	for _, rule := range rules {
		for _, path := range alternatives(t, rule.Path) {
			if !slices.ContainsFunc(files, func(s Source) bool { return path.MatchString(s.Path) }) {
				t.Errorf("path %s: no file is as %s", rule.Path, path)
			}
		}
	}
	if n := len(rules); n < 5 {
		t.Errorf("%d exceptions were read", n)
	}
}

// TestImportRulesNameWhatExists: the folders and the project's packages that the rules of depguard name exist, and each
// rule has a reason. A rule about a folder that is gone checks nothing.
func TestImportRulesNameWhatExists(t *testing.T) {
	folders := map[string]bool{}
	for _, s := range sources(t) {
		for folder := s.Folder; folder != "."; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	rules := readLinterConfig(t).Linters.Settings.Depguard.Rules
	for name, rule := range rules {
		for _, file := range rule.Files {
			folder, inProject := strings.CutPrefix(strings.TrimPrefix(file, "!"), "${base-path}/")
			if inProject && !folders[strings.TrimSuffix(folder, "/**")] {
				t.Errorf("rule %s: no folder %s", name, folder)
			}
		}
		packages := slices.Clone(rule.Allow)
		for _, d := range rule.Deny {
			if packages = append(packages, d.Pkg); d.Desc == "" {
				t.Errorf("rule %s: no reason for %s", name, d.Pkg)
			}
		}
		for _, p := range packages {
			if own, isOwn := strings.CutPrefix(p, Module+"/"); isOwn && !folders[strings.TrimSuffix(own, "$")] {
				t.Errorf("rule %s: no package %s", name, p)
			}
		}
	}
	if len(rules) < 50 {
		t.Errorf("%d rules were read", len(rules))
	}
}

// TestImportRulesHoldForPackagesBelow: depguard compares an import only with the name before it in the order of the
// alphabet, so a name below another one would hide it.
func TestImportRulesHoldForPackagesBelow(t *testing.T) {
	for name, rule := range readLinterConfig(t).Linters.Settings.Depguard.Rules {
		for _, a := range rule.Deny {
			for _, b := range rule.Deny {
				if a.Pkg != b.Pkg && !strings.HasSuffix(a.Pkg, "$") && strings.HasPrefix(b.Pkg, a.Pkg) {
					t.Errorf("rule %s: %s hides %s", name, b.Pkg, a.Pkg)
				}
			}
		}
	}
}

// alternatives returns a regular expression, and once more for each alternative in it without the others.
func alternatives(t *testing.T, text string) (list []*regexp.Regexp) {
	t.Helper()
	root, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, regexp.MustCompile(text))
	var walk func(at *syntax.Regexp)
	walk = func(at *syntax.Regexp) {
		all := at.Sub
		for i, sub := range all {
			if at.Op == syntax.OpAlternate {
				at.Sub = all[i : i+1]
				list = append(list, regexp.MustCompile(root.String()))
			}
			walk(sub)
		}
		at.Sub = all
	}
	walk(root)
	return list
}
