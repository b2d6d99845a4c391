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

func TestShellScriptsSayWhatTheyDoAndStopAtErrors(t *testing.T) {
	for _, path := range shellScripts(t) {
		text := read(t, path)
		if !strings.Contains(text, "SPDX-License-Identifier: Apache-2.0\n# ") {
			t.Errorf("%s: no licence line followed by what the script does", path)
		}
		if strings.HasPrefix(text, "#!") && !regexp.MustCompile(`(?m)^set -[eu]`).MatchString(text) {
			t.Errorf("%s continues after a mistake: neither set -e nor -u", path)
		}
	}
}

var makeTarget = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)

// TestEveryScriptIsCalled: a script that nothing else names (make, another script, a test, the documentation) is dead.
func TestEveryScriptIsCalled(t *testing.T) {
	for _, path := range shellScripts(t) {
		out, err := attempt(t.Context(), nil, "git", "grep", "--untracked", "-lF", filepath.Base(path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if callers := strings.Fields(out); len(callers) == 0 || len(callers) == 1 && callers[0] == path {
			t.Errorf("nothing calls %s", path)
		}
	}
}

func TestHelpNamesEveryTarget(t *testing.T) {
	help := command(t, nil, "make", "-s", "help")
	for _, m := range makeTarget.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		if !regexp.MustCompile(`(?m)^`+m[1]+`\s+\S`).MatchString(help) && m[1] != "help" {
			t.Errorf("make help does not explain %s", m[1])
		}
	}
}

// TestPictureScriptDraws: the README's moving picture can be made anew.
func TestPictureScriptDraws(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drive.svg")
	command(t, nil, filepath.Join(root, "scripts/picture.sh"), file)
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "<svg ") {
		t.Errorf("%v: %.40q", err, data)
	}
}
