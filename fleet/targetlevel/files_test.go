// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestRobotsHaveFilesOfTheirOwn: they repeat, and no two robots are processes of one computer.
func TestRobotsHaveFilesOfTheirOwn(t *testing.T) {
	read := func(seed uint64, number int, name string) string {
		t.Helper()
		root := t.TempDir()
		if err := writeRobotFiles(root, seed, number); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	const boot = "proc/sys/kernel/random/boot_id"
	if got := read(1, 0, boot); !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n$`).MatchString(got) {
		t.Errorf("boot identifier %q", got)
	}
	seen := map[string]bool{}
	for seed := range uint64(3) {
		for number := range 3 {
			id := read(seed, number, boot)
			if seen[id] || id != read(seed, number, boot) {
				t.Errorf("seed %d, robot %d: %q", seed, number, id)
			}
			seen[id] = true
		}
	}
	for _, name := range []string{"proc/meminfo", "proc/self/cgroup", "proc/self/mountinfo"} {
		if a, b := read(1, 0, name), read(2, 1, name); a != b || a == "" {
			t.Errorf("%s: %q and %q", name, a, b)
		}
	}
}
