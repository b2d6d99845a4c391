// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// windowsPackages are packages whose own tests run under Wine: what differs by system (files, locks, sockets), the
// formats of files, and calculations.
var windowsPackages = []string{
	"internal/system", "ros2/rtps/udp", "msgs/cdr", "mapping", "calibration", "robot",
}

// notRemoved is what a test reports that has passed, and whose files Wine 8 does not remove as os.RemoveAll does.
var notRemoved = regexp.MustCompile(`^ +testing\.go:\d+: TempDir RemoveAll cleanup: unlinkat .*: Invalid function\.$`)

// faultsIn returns the lines of a test program's output that report a fault: all but those of tests that passed, and
// of those whose files were not removed.
func faultsIn(output string) []string {
	var list []string
	for line := range strings.Lines(strings.ReplaceAll(output, "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case notRemoved.MatchString(line), strings.HasPrefix(line, "--- FAIL: "), strings.Contains(line, "[rapid] OK, passed"),
			line == "PASS", line == "FAIL", line == "":
		default:
			list = append(list, line)
		}
	}
	return list
}

func TestFaultsInOutput(t *testing.T) {
	const removal = "--- FAIL: TestA (0.01s)\r\n    testing.go:1464: TempDir RemoveAll cleanup: unlinkat C:\\a\\001: Invalid function.\r\nFAIL\r\n"
	if list := faultsIn(removal); len(list) != 0 {
		t.Errorf("%q", list)
	}
	if list := faultsIn(removal + "    a_test.go:3: wrong\nexit status 2\n"); len(list) != 2 {
		t.Errorf("%q", list)
	}
}

// TestUnitTestsOnWindows runs the tests of packages as programs for Windows under Wine.
func TestUnitTestsOnWindows(t *testing.T) {
	if !suite.Long {
		t.Skip("compiles the tests of several packages")
	}
	t.Parallel()
	needNamespace(t)
	needWine(t)
	dir := t.TempDir()
	programs := map[string]string{}
	for _, name := range windowsPackages {
		programs[name] = filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".exe")
		goWindows(t, filepath.Join("../..", name), "test", "-c", "-o", programs[name], ".")
	}
	w := startWine(t, startHosts(t, 0)[0])
	for _, name := range windowsPackages {
		output, err := w.try(w.command("env", "-C", filepath.Join("../..", name), wineLoader, programs[name], "-test.short"))
		if list := faultsIn(output); len(list) > 0 || err != nil && !strings.Contains(output, "TempDir RemoveAll") {
			t.Errorf("%s: %v\n%s", name, err, strings.Join(list, "\n"))
		}
	}
}
