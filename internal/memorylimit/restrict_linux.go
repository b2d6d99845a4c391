// SPDX-License-Identifier: Apache-2.0

package memorylimit

import (
	"os"
	"regexp"
	"strconv"
	"syscall"
	"testing"
)

// bounded reports whether the system can bound a process's data.
const bounded = true

// restrict sets the limit.
func restrict(t *testing.T, limit uint64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^VmData:\s+(\d+) kB$`).FindSubmatch(status)
	if found == nil {
		t.Fatalf("no VmData in %s", status)
	}
	kib, err := strconv.ParseUint(string(found[1]), 10, 40)
	if err != nil {
		t.Fatal(err)
	}
	most := kib<<10 + detector*limit
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		t.Fatal(err)
	}
}
