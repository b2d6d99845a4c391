// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPowerOffOfAServiceIsAFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("RUNTIME_DIRECTORY", dir)
	if err := powerOff(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "poweroff")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join("../../../../deploy/systemd/epuck-driver-poweroff.path"))
	if err != nil || !strings.Contains(string(text), "PathExists=/run/epuck-driver/poweroff") {
		t.Errorf("the unit watches another file: %v", err)
	}
}
