// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// insideVariable marks the process that runInNamespace started.
const insideVariable = "INTEROP_INSIDE"

func insideNamespace() bool { return os.Getenv(insideVariable) != "" }

// runInNamespace runs this test binary again, with the same arguments, in a new network namespace and returns its exit
// code. Without root it also creates a user namespace, in which it is root.
func runInNamespace() (int, error) {
	runtime.LockOSThread() // Pdeathsig watches the thread that starts the child
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), insideVariable+"=1")
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	cmd.SysProcAttr = attr
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("making a network namespace: %w", err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

// setUpLoopback configures the namespace for DDS: loopback with multicast, Ethernet's MTU, so that fragments are as on
// a network, and a route for the discovery group.
func setUpLoopback() error {
	for _, line := range []string{
		"link set lo mtu 1500",
		"link set lo multicast on",
		"link set lo up",
		"route add 239.0.0.0/8 dev lo",
	} {
		out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, out)
		}
	}
	return nil
}

func TestNamespaceIsPrivate(t *testing.T) {
	needNamespace(t)
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 {
			t.Errorf("interface %s is up in the namespace of the tests", i.Name)
		}
	}
}
