// SPDX-License-Identifier: Apache-2.0

//go:build system

package service

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The service is exposed no more than 2.0 of 10 by the reckoning of systemd itself.
func TestUnitIsConfined(t *testing.T) {
	out, err := exec.Command("systemd-analyze", "security", "--no-pager", "--offline=yes", "--threshold=20",
		filepath.Join(unitDir, "epuck-driver.service")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "Overall exposure level") {
		t.Errorf("not an answer of systemd-analyze:\n%s", out)
	}
}

// systemd understands every line of the units.
func TestUnitsAreUnderstood(t *testing.T) {
	units, err := filepath.Glob(filepath.Join(unitDir, "*.*"))
	if err != nil || len(units) != 3 {
		t.Fatalf("%q, %v", units, err)
	}
	out, _ := exec.Command("systemd-analyze", append([]string{"verify", "--man=no"}, units...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "deploy/systemd") || strings.Contains(line, "Unknown") {
			t.Error(line)
		}
	}
}
