// SPDX-License-Identifier: Apache-2.0

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
	command(t, nil, "shellcheck", append([]string{"-x"}, shellScripts(t)...)...)
}

func TestShellScriptsSayWhatTheyDoAndStopAtErrors(t *testing.T) {
	for _, path := range shellScripts(t) {
		text := read(t, path)
		if !strings.Contains(text, "SPDX-License-Identifier: Apache-2.0\n# ") {
			t.Errorf("%s: no licence line followed by what the script does", path)
		}
		if strings.HasPrefix(text, "#!") && !regexp.MustCompile(`(?m)^set -e`).MatchString(text) {
			t.Errorf("%s goes on after an error: no set -e", path)
		}
	}
}

var makeTarget = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)

// TestEveryScriptIsCalled: a script that neither make nor another script nor the documentation names is dead.
func TestEveryScriptIsCalled(t *testing.T) {
	scripts := shellScripts(t)
	var callers strings.Builder
	for _, path := range append([]string{"Makefile", "README.md", "CONTRIBUTING.md", "Dockerfile.cross", "deploy/nfpm.yaml"}, scripts...) {
		if data, err := os.ReadFile(filepath.Join(root, path)); err == nil {
			for line := range strings.Lines(string(data)) {
				if !strings.Contains(line, "scripts/"+filepath.Base(path)) { // naming itself does not count
					callers.WriteString(line)
				}
			}
		}
	}
	for _, path := range scripts {
		if !strings.Contains(callers.String(), filepath.Base(path)) {
			t.Errorf("nobody calls %s", path)
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
