// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the project's own folder.
var root = func() string {
	path, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return ""
	}
	return path
}()

// work is where the tests of this package build; TestMain removes it.
var work string

func TestMain(m *testing.M) {
	var err error
	if work, err = os.MkdirTemp("", "epuck-release-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(work); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}

// command runs a program in the project's folder and fails the test with its output if it fails.
func command(t testing.TB, env []string, name string, args ...string) string {
	t.Helper()
	out, err := attempt(t.Context(), env, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// attempt runs a program in the project's folder and returns what it wrote.
func attempt(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// once remembers what was built and why it could not be, so that every test that needs it says so.
type once struct {
	sync.Mutex
	done map[string]error
}

func (o *once) do(key string, build func() error) error {
	o.Lock()
	defer o.Unlock()
	if err, ok := o.done[key]; ok {
		return err
	}
	if o.done == nil {
		o.done = map[string]error{}
	}
	o.done[key] = build()
	return o.done[key]
}

var programs once

// program returns the release program of a target (armv6, arm64, amd64), built by scripts/cross.sh.
func program(t testing.TB, target string) string {
	t.Helper()
	need(t, target)
	err := programs.do(target, func() error {
		out, err := attempt(context.Background(), []string{"OUT=" + work}, "scripts/cross.sh", target)
		if err != nil {
			return fmt.Errorf("scripts/cross.sh %s: %w\n%s", target, err, out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(work, "epuck-driver-"+target)
}

// tools are the programs that building for a target needs in addition to Go.
var tools = map[string][]string{
	"armv6": {"arm-linux-gnueabi-gcc", "arm-linux-musleabi-gcc", "qemu-arm"}, "arm64": {"aarch64-linux-gnu-gcc", "qemu-aarch64"}, "amd64": {"x86_64-linux-gnu-gcc"},
	"armhf": {"arm-linux-gnueabi-gcc", "arm-linux-musleabi-gcc"}, "scripts": {"shellcheck"}, "image": {"mcopy", "mkfs.vfat", "dtc", "mksquashfs", "debugfs"}, "root": {"mmdebstrap", "chroot", "ssh", "ssh-keygen"},
}

// need fails a test whose tools are missing.
func need(t testing.TB, what ...string) {
	t.Helper()
	for _, w := range what {
		for _, tool := range tools[w] {
			if _, err := exec.LookPath(tool); err != nil {
				t.Fatalf("%s is missing: scripts/setup.sh installs it", tool)
			}
		}
		if w == "root" && os.Geteuid() != 0 {
			t.Fatal("a Debian to install into needs root")
		}
	}
}

// read returns a file of the project.
func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
