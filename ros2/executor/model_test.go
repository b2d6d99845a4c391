// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux && !arm

package executor_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestModels searches every order of the steps of testdata/executor.pml with the model checker spin (Holzmann, The SPIN
// Model Checker, 2003): no wake-up is lost, exclusive callbacks exclude each other, as many run as may, and posting
// waits for no callback. A model with a known fault is found faulty, and all steps of the right ones are reached.
func TestModels(t *testing.T) {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("no %s (Debian: spin, gcc), which scripts/setup.sh installs: %v", tool, err)
		}
	}
	const waits = "pan:1: invalid end state"
	for _, c := range []struct {
		variant, finds, complete string
		always                   bool // also without the tag long: each takes a second
	}{
		{"MEETING", "", "work", true}, // in the others some steps do not occur
		{"SINGLE", "", "post", true},
		{"WORKERS=1 LOST", waits, "", true},
		{"EXCLUSIVE", "", "stop", false},
		{"UNWANTED", waits, "", false},
		{"HELD", waits, "", false},
		{"SINGLE FULL", waits, "", false},
		{"MEETING ALONE", waits, "", false},
		{"TWICE", "pan:1: assertion violated", "", false},
	} {
		t.Run(c.variant, func(t *testing.T) {
			if !suite.Long && !c.always {
				t.Skip("three of the models do")
			}
			report := verify(t, strings.Fields(c.variant))
			if strings.Contains(report, "max search depth too small") || strings.Contains(report, "out of memory") {
				t.Fatalf("the search is incomplete:\n%s", report)
			}
			if c.finds != "" {
				if !strings.Contains(report, c.finds) || !strings.Contains(report, "errors: 1") {
					t.Errorf("the fault was not found as %q:\n%s", c.finds, report)
				}
				return
			}
			if !strings.Contains(report, "errors: 0") || strings.Contains(report, "Search not completed") {
				t.Errorf("the model is faulty:\n%s", report)
			}
			for _, process := range []string{c.complete, "end"} {
				if !strings.Contains(report, "unreached in proctype "+process+"\n\t(0 of ") {
					t.Errorf("steps of the process %q were never reached:\n%s", process, report)
				}
			}
		})
	}
}

// verify searches a variant of the model exhaustively and returns spin's report.
func verify(t *testing.T, variant []string) (report string) {
	t.Helper()
	file, err := filepath.Abs("testdata/executor.pml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
		return string(out)
	}
	generate := []string{"-a"}
	for _, name := range variant {
		generate = append(generate, "-D"+name)
	}
	run("spin", append(generate, file)...)
	run("gcc", "-O0", "-w", "-DSAFETY", "-DMEMLIM=512", "-o", "pan", "pan.c")
	return run("./pan", "-m100000")
}
