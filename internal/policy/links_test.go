// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// relativeLink is the target of a link or picture in Markdown or HTML: inline, by reference, or an attribute.
var relativeLink = regexp.MustCompile(`\]\(([^)\s]+)\)|(?m:^\[[^\]]+\]:\s*(\S+))|(?:src|href)="([^"]+)"`)

// codeBlock is text that Markdown shows as it is.
var codeBlock = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")

// TestLinksOfDocumentsResolve: each relative link of a Markdown file names a file, and its anchor a heading.
func TestLinksOfDocumentsResolve(t *testing.T) {
	root := filepath.Join("..", "..")
	links := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "node_modules" || name == "dist" || name == "bin" || strings.HasPrefix(name, ".") && path != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range relativeLink.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(text), ""), -1) {
			target := m[1] + m[2] + m[3]
			if u, err := url.Parse(target); err == nil && u.Scheme != "" {
				continue
			}
			links++
			checkLink(t, path, target)
		}
		return nil
	})
	if err != nil || links < 100 {
		t.Errorf("%d links: the search is broken: %v", links, err)
	}
}

// checkLink reports a link whose file or heading does not exist.
func checkLink(t *testing.T, from, target string) {
	t.Helper()
	name, anchor, hasAnchor := strings.Cut(target, "#")
	path := from
	if name != "" {
		path = filepath.Join(filepath.Dir(from), name)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%s links %s: %v", from, target, err)
		return
	}
	if !hasAnchor || filepath.Ext(path) != ".md" {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	} else if !anchors(string(text))[anchor] {
		t.Errorf("%s links %s: no such heading", from, target)
	}
}

// anchors returns the names by which links reach the headings of a text.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(codeFence.ReplaceAllString(text, "")) {
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			all[anchor(strings.TrimSpace(heading))] = true
		}
	}
	return all
}

var codeFence = regexp.MustCompile("(?s)```.*?```")

// anchor returns the name that GitHub gives to a heading: lower case, spaces as hyphens, letters, digits and hyphens.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// TestAnchor: the rule itself.
func TestAnchor(t *testing.T) {
	for heading, want := range map[string]string{
		"Limits": "limits", "Units and conventions": "units-and-conventions", "The `/clock` topic, REP 117": "the-clock-topic-rep-117",
	} {
		if got := anchor(heading); got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}
