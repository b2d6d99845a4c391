// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

const (
	// CableTAP is the TAP device that [Cable] creates.
	CableTAP = "robot0"
	// hostAddress is this computer's address on the network, GuestAddress the machine's.
	hostAddress, GuestAddress = "10.77.0.1", "10.77.0.2"
)

// insideVariable marks the process that Isolate started.
const insideVariable = "EPUCK_VM_INSIDE"

// Isolate runs this program again in its own network namespace, so that the machine's network does not affect others,
// and returns its exit status. In that process it returns inside = true and starts nothing. It needs root.
func Isolate() (status int, inside bool, err error) {
	if os.Getenv(insideVariable) != "" {
		return 0, true, nil
	}
	runtime.LockOSThread() // Pdeathsig watches the thread that starts the child
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...) //nolint:noctx // it is this program itself, and ends together with it
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), insideVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return 0, false, fmt.Errorf("%w: can't create a network namespace: %w", errUnavailable, err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, false, err
	}
	return cmd.ProcessState.ExitCode(), false, nil
}

// Cable creates the TAP device of a machine with Config.TAP = [CableTAP] in this process's network namespace, which
// [Isolate] has created, and configures loopback and hostAddress.
func Cable() error {
	for _, line := range []string{
		"link set lo up",
		"tuntap add " + CableTAP + " mode tap",
		"addr add " + hostAddress + "/24 dev " + CableTAP,
		"link set " + CableTAP + " up",
		"route add 239.0.0.0/8 dev " + CableTAP,
	} {
		out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput() //nolint:noctx // ends at once
		if err != nil {
			return fmt.Errorf("%w: ip %s: %w: %s", errUnavailable, line, err, out)
		}
	}
	return nil
}
