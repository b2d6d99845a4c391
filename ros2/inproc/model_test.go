// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux && !arm

package inproc

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestModels searches every order of the steps of the models in testdata with the model checker spin (Holzmann, The
// SPIN Model Checker, 2003): no lost wake-up, no two callbacks at a time, no callback after Close, bounded queues and
// exact counts. A model with a known fault is found faulty, and no step of the right ones is left out. The memory of a
// search is bounded.
func TestModels(t *testing.T) {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("no %s (Debian: spin, gcc), which scripts/setup.sh installs: %v", tool, err)
		}
	}
	for _, c := range []struct {
		model, fault, finds string
	}{
		{"dispatcher", "", ""},
		{"dispatcher", "LOST", "pan:1: assertion violated"},
		{"dispatcher", "TWICE", "pan:1: assertion violated (callbacks==1)"},
		{"dispatcher", "ASLEEP", "pan:1: invalid end state"},
		{"recipients", "", ""},
		{"recipients", "ADMITTED", "pan:1: assertion violated"},
		{"recipients", "SPLIT", "pan:1: invalid end state"},
		{"recipients", "EARLY", "pan:1: assertion violated"},
	} {
		t.Run(c.model+c.fault, func(t *testing.T) {
			if !suite.Long && c.model == "recipients" && c.fault == "" {
				t.Skip("a million states take 15 s")
			}
			report := verify(t, c.model, c.fault)
			if strings.Contains(report, "max search depth too small") || strings.Contains(report, "out of memory") {
				t.Fatalf("the search is incomplete:\n%s", report)
			}
			if c.fault != "" {
				if !strings.Contains(report, c.finds) || !strings.Contains(report, "errors: 1") {
					t.Errorf("the fault was not found as %q:\n%s", c.finds, report)
				}
				return
			}
			if !strings.Contains(report, "errors: 0") || strings.Contains(report, "Search not completed") {
				t.Errorf("the model is faulty:\n%s", report)
			}
			reached := regexp.MustCompile(`\((\d+) of \d+ states\)`).FindAllStringSubmatch(report, -1)
			if len(reached) == 0 {
				t.Errorf("no report of the steps that were reached:\n%s", report)
			}
			for _, process := range reached {
				if process[1] != "0" {
					t.Errorf("steps of the model were never reached:\n%s", report)
				}
			}
		})
	}
}

// verify searches a model of testdata exhaustively and returns spin's report.
func verify(t *testing.T, model, fault string) (report string) {
	t.Helper()
	file, err := filepath.Abs("testdata/" + model + ".pml")
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
	if fault != "" {
		generate = append(generate, "-D"+fault)
	}
	run("spin", append(generate, file)...)
	optimize := "-O1"
	if fault != "" { // found within a second: not worth it
		optimize = "-O0"
	}
	run("gcc", optimize, "-w", "-DSAFETY", "-DMEMLIM=512", "-o", "pan", "pan.c")
	return run("./pan", "-m100000")
}
