// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package targetlevel

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// outcome is what a run has given: the hash of all poses and bytes on the buses, and the work of each computer.
func outcome(t *testing.T, robots int, length time.Duration, programs ...[]string) string {
	t.Helper()
	c := computers(t, robots, programs...)
	reports := advance(t, c, length)
	hash := c.World().TraceHash()
	if hash == ([sha256.Size]byte{}) {
		t.Fatal("there is no trace")
	}
	text := fmt.Sprintf("trace %.8x", hash)
	for _, r := range reports {
		text += fmt.Sprintf(", control %+v, share %v", r.Control, r.Share.Likely)
	}
	if err := c.End(context.Background()); err != nil {
		t.Fatal(err)
	}
	return text
}

// TestEqualRunsOfTheLevelTargetAreTheSame: also while other goroutines use all processors.
func TestEqualRunsOfTheLevelTargetAreTheSame(t *testing.T) {
	program, other := compiled(t, control), compiled(t, hog)
	runs := func() string { return outcome(t, 2, 600*time.Millisecond, []string{program, "15"}, []string{other}) }
	first := runs()
	for range 2 {
		if got := runs(); got != first {
			t.Errorf("%s\nthe first run: %s", got, first)
		}
	}
	defer loadProcessors()()
	if got := runs(); got != first {
		t.Errorf("under load: %s\nthe first run: %s", got, first)
	}
}

// TestEqualRunsOfTheDriverForARMv6AreTheSame compares the driver's whole program, whose threads share the core.
func TestEqualRunsOfTheDriverForARMv6AreTheSame(t *testing.T) {
	if !suite.Long {
		t.Skip("compiles the driver for ARMv6")
	}
	needs(t)
	// Other tests use domains of the machine at random, and a message of theirs is an input of the driver.
	if !inOwnNetwork(t) {
		return
	}
	driver := filepath.Join(t.TempDir(), "epuck-driver-armv6")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "netgo,osusergo,nethttpomithttp2", "-o", driver, "github.com/epuck-ros2/epuck-driver/cmd/epuck-driver")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", strconv.Itoa(os.Getpid()%100+100))
	for _, robots := range []int{1, 2} { // which discover each other
		runs := func() string {
			return outcome(t, robots, 1500*time.Millisecond, []string{driver, "run", "--ros-args", "-p", "i2c_bus:=12"})
		}
		if first, second := runs(), runs(); first != second {
			t.Errorf("%d robots: %s\nand again: %s", robots, first, second)
		}
	}
}

// inOwnNetwork runs the test once more in a network namespace and reports whether this is that run.
func inOwnNetwork(t *testing.T) bool {
	t.Helper()
	const inside = "EPUCK_TEST_NAMESPACE"
	if os.Getenv(inside) != "" {
		if out, err := exec.CommandContext(t.Context(), "ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
			t.Fatalf("ip: %v: %s", err, out)
		}
		return true
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return false
}

// loadProcessors lets two goroutines compute on each processor until end is called.
func loadProcessors() (end func()) {
	var over atomic.Bool
	var group task.Group
	for range 2 * runtime.GOMAXPROCS(0) {
		group.Go("load of the processors", func() {
			for x := uint32(1); !over.Load(); x = x*1664525 + 1013904223 {
			}
		})
	}
	return func() {
		over.Store(true)
		group.Wait()
	}
}
