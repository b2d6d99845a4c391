// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
)

// programEnv makes the test binary the program itself.
const programEnv = "EPUCK_TEST_PROGRAM"

// TestSimOnATerminal looks at the program as a newcomer does: on a terminal it keeps a status line, and SIGTERM ends it
// in order.
func TestSimOnATerminal(t *testing.T) {
	ours, theirs := fixtures.OpenTerminal(t, 140)
	cmd := exec.Command(os.Args[0], "sim", "--world", "empty")
	cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", fmt.Sprint("ROS_DOMAIN_ID=", os.Getpid()%220+1))
	cmd.Stdout, cmd.Stderr = theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	var screen bytes.Buffer
	for buf := make([]byte, 4096); !strings.Contains(screen.String(), "no subscribers"); {
		n, err := ours.Read(buf)
		if err != nil {
			t.Fatalf("%v after:\n%s", err, screen.String())
		}
		screen.Write(buf[:n])
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	for _, want := range []string{"Drive it from another shell", tty.ClearLine, "x +0.000 y +0.000 m", "bus errors 0"} {
		if !strings.Contains(screen.String(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen.String())
		}
	}
}
