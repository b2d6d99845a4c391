// SPDX-License-Identifier: Apache-2.0

//go:build peers

package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDistIsWhatSourceMakes: the committed script is the one that src gives, and src has no type errors.
func TestDistIsWhatSourceMakes(t *testing.T) {
	if _, err := os.Stat("node_modules/.bin/esbuild"); err != nil {
		t.Fatal("node (Debian: nodejs, npm) and npm ci in web/internal/page are needed, which scripts/setup.sh does: ", err)
	}
	for _, args := range [][]string{{"node", "build.mjs", "--check"}, {"node_modules/.bin/tsc", "--noEmit"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestModules runs the tests of the modules that need no browser, by Node's own test runner.
func TestModules(t *testing.T) {
	if _, err := os.Stat("node_modules/.bin/esbuild"); err != nil {
		t.Fatal("node (Debian: nodejs, npm) and npm ci in web/internal/page are needed, which scripts/setup.sh does: ", err)
	}
	files, err := filepath.Glob("test/*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests: ", err)
	}
	dir := t.TempDir()
	bundle := append(files, "--bundle", "--format=esm", "--platform=node", "--out-extension:.js=.mjs", "--log-level=warning", "--outdir="+dir)
	if out, err := exec.Command("node_modules/.bin/esbuild", bundle...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command("node", "--test")
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
