// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVulnerabilitiesAreReportedOrNotChecked runs the script of make test-long with tools that find something, find nothing,
// reach no database, or fail.
func TestVulnerabilitiesAreReportedOrNotChecked(t *testing.T) {
	need(t, "scripts")
	const (
		none   = "echo 'No vulnerabilities found.'\n"
		called = "echo 'Vulnerability #1: GO-1'; exit 3\n"
		unused = "case $* in *package*) echo 'Vulnerability #1: GO-1'; exit 3;; esac\n"
		lost   = "echo 'govulncheck: fetching vulnerabilities: no such host' >&2; exit 1\n"
		broken = "echo 'x.go:1: undefined: y' >&2; exit 1\n"

		clean   = `echo '{"metadata":{"vulnerabilities":{"total":0}},"vulnerabilities":{}}'` + "\n"
		grave   = `echo '{"metadata":{"vulnerabilities":{}},"vulnerabilities":{"a":{"name":"a","range":"<2","severity":"high","via":[{"title":"bad"}]}}}'; exit 1` + "\n"
		slight  = `echo '{"metadata":{"vulnerabilities":{}},"vulnerabilities":{"a":{"name":"a","range":"<2","severity":"low","via":["b"]}}}'; exit 1` + "\n"
		offline = `echo '{"message":"405 Method Not Allowed","error":{}}'; exit 1` + "\n"
	)
	for _, c := range []struct {
		name, goTool, npm, env string
		status                 int
		words                  string
	}{
		{"nothing", none, clean, "", 0, "Go modules: none that this code reaches"},
		{"nothing in the page", none, clean, "", 0, "npm packages of web/internal/page: none known"},
		{"called", called, clean, "", 1, "GO-1"},
		{"imported, not called", unused, clean, "", 0, "GO-1"},
		{"no database", lost, clean, "", 0, "Go modules: not checked: govulncheck: fetching vulnerabilities: no such host"},
		{"no database where one is required", lost, clean, "EPUCK_VULNERABILITIES=required", 1, "not checked"},
		{"code that does not build", broken, clean, "", 1, "undefined: y"},
		{"high in the page", none, grave, "", 1, "web/internal/page: high: a <2: bad"},
		{"low in the page", none, slight, "", 0, "web/internal/page: low: a <2: b"},
		{"no npm database", none, offline, "", 0, "npm packages of web/internal/page: not checked: 405 Method Not Allowed"},
		{"no npm at all", none, "exit 1\n", "", 0, "not checked: npm gave no report"},
	} {
		path := fakes(t, map[string]string{"govulncheck": c.goTool, "npm": c.npm})
		dir, _, _ := strings.Cut(strings.TrimPrefix(path, "PATH="), ":")
		out, err := attempt(t.Context(), []string{path, "GOVULNCHECK=" + filepath.Join(dir, "govulncheck"), c.env}, "scripts/vulnerabilities.sh")
		status := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			status = exit.ExitCode()
		}
		if status != c.status || !strings.Contains(out, c.words) {
			t.Errorf("%s: status %d, want %d and %q:\n%s", c.name, status, c.status, c.words, out)
		}
	}
}
