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

// simTags returns the build tags of make sim.
func simTags(t *testing.T) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^SIMTAGS := (\S+)$`).FindStringSubmatch(read(t, "Makefile"))
	if m == nil {
		t.Fatal("the Makefile has no SIMTAGS")
	}
	return m[1]
}

// TestSimulatorIsBuiltWithoutSQLiteAndWebRTC: make sim compiles neither, and the packages work without them.
func TestSimulatorIsBuiltWithoutSQLiteAndWebRTC(t *testing.T) {
	tags := simTags(t)
	packages := command(t, []string{"CGO_ENABLED=0"}, "go", "list", "-deps", "-tags", tags, "./cmd/epuck-driver")
	for _, module := range []string{"modernc.org/sqlite", "github.com/pion/"} {
		if strings.Contains(packages, "\n"+module) {
			t.Errorf("make sim compiles %s", module)
		}
		if all := command(t, nil, "go", "list", "-deps", "./cmd/epuck-driver"); !strings.Contains(all, "\n"+module) {
			t.Errorf("make build does not have %s", module)
		}
	}
	out := command(t, nil, "go", "test", "-count=1", "-tags", tags, "-run", "TestServerWithoutLiveVideo|TestOtherKindsOfBags", "./camera/live", "./bag")
	if strings.Contains(out, "no tests to run") {
		t.Error(out)
	}
}

// TestBuildReportsErrorsAndItsWork: scripts/build.sh ends with the compiler's status and message, and says how far the
// first build is.
func TestBuildReportsErrorsAndItsWork(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "go")
	script := `#!/bin/sh
case $1 in
list) for i in $(seq 250); do echo p$i; done ;;
build) for i in $(seq 250); do echo example.com/p$i; done; echo 'x.go:1:2: wrong' >&2; exit 3 ;;
esac
`
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := attempt(t.Context(), []string{"GO=" + fake}, "scripts/build.sh", "-s", "a,b")
	if err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v", err)
	}
	want := "building epuck-driver: up to 250 packages; the first time this takes minutes\ncompiled 100 of 250\ncompiled 200 of 250\nx.go:1:2: wrong\n"
	if out != want {
		t.Errorf("got\n%s want\n%s", out, want)
	}
}
