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
)

// TestPlayOnATerminal is the program on a terminal: its bar moves, the space bar pauses and the arrow steps, and on a
// signal it ends and gives the terminal back.
func TestPlayOnATerminal(t *testing.T) {
	ours, theirs := fixtures.OpenTerminal(t, 140)
	cmd := exec.Command(os.Args[0], "bag", "play", fixtures.TenTexts(t), "--start-paused")
	cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", fmt.Sprint("ROS_DOMAIN_ID=", os.Getpid()%220+1))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	var screen bytes.Buffer
	await := func(text string) {
		t.Helper()
		from := screen.Len()
		for buf := make([]byte, 4096); !strings.Contains(screen.String()[from:], text); {
			n, err := ours.Read(buf)
			if err != nil {
				t.Fatalf("%v instead of %q after:\n%s", err, text, screen.String())
			}
			screen.Write(buf[:n])
		}
	}
	press := func(text string) {
		t.Helper()
		if _, err := ours.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	await("0.0 of 9.0 s, rate 1, paused")
	press("\x1b[C\x1b[C\x1b[C")
	await("2.0 of 9.0 s, rate 1, paused")
	press("\x1b[A")
	await("rate 1.1, paused")
	press(" ")
	await("rate 1.1 ")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	go func() { // what it writes at the end must go somewhere
		buf := make([]byte, 4096)
		for {
			if _, err := ours.Read(buf); err != nil {
				return
			}
		}
	}()
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGINT: %v\n%s", err, screen.String())
	}
}
