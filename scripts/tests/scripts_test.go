// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scripted makes a module with the scripts of the suites and some tests.
func scripted(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	all := map[string]string{"go.mod": "module project\n\ngo 1.26\n"}
	for _, name := range []string{"gotest.sh", "tools.sh", "suite.sh", "suite-table.sh", "setup.sh", "tests/main.go"} {
		text, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		all["scripts/"+name] = string(text)
	}
	maps.Copy(all, files)
	root = project(t, all)
	for _, name := range []string{"gotest.sh", "setup.sh"} {
		if err := os.Chmod(filepath.Join(root, "scripts", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := exec.CommandContext(t.Context(), "bash", "-c", "cd ../.. && . scripts/tools.sh && gotestsum").Output()
	if err != nil {
		t.Fatalf("gotestsum: %v", err)
	}
	file := strings.TrimSpace(string(tool))
	if err := errors.Join(os.Mkdir(filepath.Join(root, "bin"), 0o700),
		os.Symlink(file, filepath.Join(root, "bin", filepath.Base(file)))); err != nil {
		t.Fatal(err)
	}
	return root
}

// script runs a line of bash in a folder and returns its output and status.
func script(t *testing.T, root, line string, env ...string) (out string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", line)
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	b, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

const (
	head     = "package a\nimport (\"os\"; \"testing\")\nvar _ = os.Stat\n"
	passes   = "func TestPasses(t *testing.T) {}\n"
	fails    = "func TestFails(t *testing.T) { t.Error(\"always\") }\n"
	flaky    = "func TestFlaky(t *testing.T) { if os.Mkdir(os.Getenv(\"ONCE\"), 0o700) == nil { t.Error(\"first\") } }\n"
	panics   = "func TestPanics(t *testing.T) { if os.Mkdir(os.Getenv(\"ONCE\"), 0o700) == nil { panic(1) } }\n"
	races    = "func TestRaces(t *testing.T) { if os.Mkdir(os.Getenv(\"ONCE\"), 0o700) != nil { return }; n, c := 0, make(chan int); go func() { n++; c <- 1 }(); n++; <-c }\n"
	unbuilt  = "func TestUnbuilt(t *testing.T) { undefined() }\n"
	leftOver = "package a\nimport (\"os/exec\"; \"testing\")\nfunc TestLeaves(t *testing.T) { if err := exec.Command(\"sleep\", \"3600\").Start(); err != nil { t.Error(err) } }\n"
)

// TestFailedTestsAreRepeated: a test that passes alone is named and passes; one that always fails, a panic, a data race
// and a build failure do not, and without RERUN nothing is repeated.
func TestFailedTestsAreRepeated(t *testing.T) {
	for _, c := range []struct {
		name, tests, rerun, flags string
		passes                    bool
	}{
		{"passes", passes, "2", "", true},
		{"flaky", passes + flaky, "2", "", true},
		{"flaky by hand", passes + flaky, "0", "", false},
		{"fails", passes + fails, "2", "", false},
		{"panics", passes + panics, "2", "", false},
		{"races", passes + races, "2", "-race", false},
		{"does not build", passes + unbuilt, "2", "", false},
	} {
		root := scripted(t, map[string]string{"a/a_test.go": head + c.tests})
		log := filepath.Join(root, "flaky.log")
		out, status := script(t, root, "bash scripts/gotest.sh -vet=off "+c.flags+" -- ./...",
			"RERUN="+c.rerun, "FLAKY_LOG="+log, "ONCE="+filepath.Join(root, "once"))
		if (status == 0) != c.passes {
			t.Errorf("%s: status %d\n%s", c.name, status, out)
		}
		named, _ := os.ReadFile(log)
		if want := c.name == "flaky"; strings.Contains(out, "FLAKY") != want || strings.Contains(string(named), "project/a.TestFlaky") != want {
			t.Errorf("%s: FLAKY is %v, in the log %q\n%s", c.name, !want, named, out)
		}
	}
}

// TestSuiteContinues: a suite runs its own tests alone, continues after a failure and after packages that cannot be
// installed, stops a process that a part left and counts it as a failure, and ends with a table and status 1.
func TestSuiteContinues(t *testing.T) {
	tag := "//go:build peers\n\n"
	root := scripted(t, map[string]string{
		"a/unit_test.go": head + fails,
		"a/a_test.go":    tag + head + "func TestPeerFails(t *testing.T) { t.Error(1) }\n",
		"b/b_test.go":    tag + head + "func TestPeerPasses(t *testing.T) {}\nfunc TestPeerPassesToo(t *testing.T) {}\n",
		"c/c_test.go":    tag + leftOver,
		"d/d_test.go":    tag + head + "func TestRest(t *testing.T) {}\n",
		"peers.sh": `set -euo pipefail
. scripts/suite.sh peers
part first "" ./a
part "not to be installed" nothing ./d
part second "" ./b
part third "" ./c
step command false
rest
suite_end
`,
		"stopped.sh": "set -euo pipefail\n. scripts/suite.sh peers\npart second \"\" ./b\nfalse\nsuite_end\n",
	})
	out, status := script(t, root, "bash peers.sh")
	rows, err := os.ReadFile(filepath.Join(root, "bin/suites/peers.tsv"))
	if err != nil {
		t.Fatal(err, out)
	}
	var got []string
	for row := range strings.Lines(string(rows)) {
		got = append(got, strings.Join(strings.Split(strings.TrimSpace(row), "\t")[:3], " "))
	}
	want := []string{"first 0 1", "installation of nothing 0 1", "second 2 0", "third 1 1", "command 0 1"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || status != 1 {
		t.Errorf("status %d, rows\n%s\nwant\n%s\n%s", status, strings.Join(got, "\n"), strings.Join(want, "\n"), out)
	}
	if !strings.Contains(out, "left behind: sleep 3600") || !strings.Contains(out, "suite: part") {
		t.Errorf("no table, or no word of the process:\n%s", out)
	}
	if out, status := script(t, root, "bash stopped.sh"); status == 0 {
		t.Errorf("a suite that stops early has status 0:\n%s", out)
	}
	if rows, err := os.ReadFile(filepath.Join(root, "bin/suites/peers.tsv")); err != nil || !strings.Contains(string(rows), "stopped before its end\t0\t1") {
		t.Errorf("a suite that stops early is no failure of the table: %q, %v", rows, err)
	}
	for _, file := range []string{"bin/suites/peers.sum", "bin/suites.tsv"} {
		if sums, err := os.ReadFile(filepath.Join(root, file)); err != nil || !strings.HasPrefix(string(sums), "peers\t2\t1\t") {
			t.Errorf("the sums of a suite that stops early in %s: %q, %v", file, sums, err)
		}
	}
	if ps, _ := script(t, root, "pgrep -ax sleep | grep 3600 || true"); ps != "" {
		t.Errorf("the process is running: %s", ps)
	}
}
