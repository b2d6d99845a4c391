// SPDX-License-Identifier: Apache-2.0

package smalldisk

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"testing"
)

// variable holds the mount point in the process that runs the test on it.
const variable = "EPUCK_SMALL_DISK"

// Run runs f with an empty folder that is a tmpfs of size bytes. That happens in another process of the test's program
// with a mount namespace of its own, and the file system ends with that process. t is a test, no subtest.
func Run(t *testing.T, size int64, f func(t *testing.T, dir string)) {
	t.Helper()
	if dir := os.Getenv(variable); dir != "" {
		mount(t, dir, size)
		f(t, dir)
		return
	}
	if runtime.GOARCH == "arm" {
		t.Skip("an emulated program can't start itself: it runs on a PC")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.v", "-test.count=1", "-test.run=^"+regexp.QuoteMeta(t.Name())+"$")
	cmd.Env = append(os.Environ(), variable+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`(?m)^--- PASS: ` + regexp.QuoteMeta(t.Name()) + ` `).Match(out) {
		t.Fatalf("the test has not run on the small disk:\n%s", out)
	}
}

func mount(t *testing.T, dir string, size int64) {
	t.Helper()
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Fatal(err)
	}
}

// Fill writes a file that leaves free bytes on the disk of dir. The size of a tmpfs counts in pages of 4 KiB.
func Fill(t *testing.T, dir string, free int64) {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	n := int64(s.Bavail)*int64(s.Bsize) - free // it is an int32 on ARM
	if n <= 0 {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, n), 0o600); err != nil {
		t.Fatal(err)
	}
}
