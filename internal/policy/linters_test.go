// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestLinterExceptionsNameFiles: each path of an exception in .golangci.yml matches a Go file, and so does each
// alternative in it. A folder that has moved is an error here, and not only after the minutes that the linters take.
func TestLinterExceptionsNameFiles(t *testing.T) {
	data, err := os.ReadFile("../../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Linters struct {
			Exclusions struct{ Rules []struct{ Path string } }
		}
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	files := sources(t)
	for _, rule := range config.Linters.Exclusions.Rules {
		for _, path := range alternatives(t, rule.Path) {
			if !slices.ContainsFunc(files, func(s source) bool { return path.MatchString(s.path) }) {
				t.Errorf("path %s: no file is as %s", rule.Path, path)
			}
		}
	}
	if n := len(config.Linters.Exclusions.Rules); n < 5 {
		t.Errorf("%d exceptions were read", n)
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
