// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shellScripts returns every shell script of the project, by its first line.
func shellScripts(t *testing.T) []string {
	t.Helper()
	var found []string
	for path := range strings.Lines(command(t, nil, "git", "ls-files", "--cached", "--others", "--exclude-standard", "scripts", "deploy")) {
		path = strings.TrimSpace(path)
		data, err := os.ReadFile(filepath.Join(root, path))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		if regexp.MustCompile(`^#!.*\b(ba|da)?sh\b`).MatchString(first) || strings.HasSuffix(path, ".sh") {
			found = append(found, path)
		}
	}
	if len(found) < 8 {
		t.Fatalf("only %v: the search is broken", found)
	}
	return found
}

func TestShellScriptsAreClean(t *testing.T) {
	need(t, "scripts")
	command(t, nil, "shellcheck", append([]string{"-x"}, shellScripts(t)...)...)
}
