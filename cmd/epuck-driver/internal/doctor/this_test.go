// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package doctor

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) {
	if os.Getenv(namespaceRole) != "" {
		os.Exit(inNamespace())
	}
	suite.VerifyNoLeaks(m)
}

// namespaceRole marks the test's child process that runs in its own network namespace.
const namespaceRole = "EPUCK_DOCTOR_NAMESPACE"

// inNamespace asks whether multicasts come back, on an interface that is up and on one that is not.
func inNamespace() int {
	if err := exec.Command("ip", "link", "set", "lo", "up", "multicast", "on").Run(); err != nil {
		return 2
	}
	if works, err := Multicast("lo", 5*time.Second); err != nil || !works {
		return 3
	}
	if err := exec.Command("ip", "link", "add", "idle", "type", "dummy").Run(); err == nil {
		if works, err := Multicast("idle", time.Millisecond); err == nil || works {
			return 4
		}
	}
	if _, err := Multicast("nothing", time.Millisecond); err == nil {
		return 5
	}
	return 0
}

func TestMulticastComesBack(t *testing.T) {
	if runtime.GOARCH == "arm" {
		t.Skip("an emulated program can't start itself again")
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), namespaceRole+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	out, err := cmd.CombinedOutput()
	if os.Geteuid() != 0 {
		t.Skipf("a network namespace takes root: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// What this machine says of itself makes sense, whatever it is.
func TestThisMachineAnswers(t *testing.T) {
	m := ThisMachine("auto")
	if m.User == "" {
		t.Error("no user")
	}
	if _, err := m.Groups(); err != nil {
		t.Error(err)
	}
	if c, err := m.Clock(); err != nil || time.Since(c.Now).Abs() > time.Minute {
		t.Errorf("%+v, %v", c, err)
	}
	if free, size, err := m.Disk("/"); err != nil || size == 0 || free > size {
		t.Errorf("%d of %d, %v", free, size, err)
	}
	if _, _, err := m.Disk("/no/such/place"); err == nil {
		t.Error("a place that is not there has a disk")
	}
	if all, err := m.Interfaces(); err != nil || len(all) == 0 {
		t.Errorf("%v, %v", all, err)
	}
	if pid := m.Driver(); pid != 0 {
		t.Logf("a driver runs: %d", pid)
	}
	if m.Access("/dev/null") != nil || m.Access("/no/such/file") == nil {
		t.Error("Access is wrong")
	}
	if r := Examine(context.Background(), m); len(r.Findings) < 10 {
		t.Errorf("%+v", r)
	}
}
