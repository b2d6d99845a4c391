// SPDX-License-Identifier: Apache-2.0

//go:build system && linux && !arm

package main

import (
	"bufio"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

// lines starts a command and gives what it prints, line by line. The command is killed with the test.
func lines(t *testing.T, cmd *exec.Cmd) *bufio.Scanner {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(hopeless, func() { _ = cmd.Process.Kill() }) // ends what waits for a line
	t.Cleanup(func() {
		limit.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return bufio.NewScanner(out)
}

// TestRobotOverWifi: a simulated robot's radio, a driver of its own process on it, and shell tools that hear and drive
// it. When the driver is terminated, the robot stops.
func TestRobotOverWifi(t *testing.T) {
	p := prepare(t)
	banner := lines(t, p.command("sim", "--world", "plane", "--wifi=127.0.0.1:0"))
	address := ""
	for address == "" && banner.Scan() {
		if f := strings.Fields(banner.Text()); len(f) > 0 && strings.HasPrefix(f[len(f)-1], "127.0.0.1:") {
			address = f[len(f)-1]
		}
	}
	if address == "" {
		t.Fatal("the banner names no robot")
	}
	driver := p.command("run", "--wifi", address)
	lines(t, driver)
	lines(t, p.command("drive", "0.05", "0", "--for", "10m"))
	speeds := lines(t, p.command("topic", "echo", "--csv", "--field", "twist.twist.linear.x", "odom"))
	moves := false
	for !moves && speeds.Scan() {
		v, err := strconv.ParseFloat(speeds.Text(), 64)
		moves = err == nil && v > 0.045
	}
	if !moves {
		t.Fatal("the robot does not move")
	}
	if out, err := p.command("run", "--wifi", address).CombinedOutput(); err == nil || !strings.Contains(string(out), "another program is connected to it") {
		t.Errorf("a second driver of the robot ended with %v\n%s", err, out)
	}
	if err := driver.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := driver.Wait(); err != nil {
		t.Errorf("the driver ended with %v", err)
	}
	if a, b := stepsOf(t, address), stepsOf(t, address); a > 1 || b > 1 || a < -1 || b < -1 {
		t.Errorf("the robot drives on: %d, %d steps", a, b)
	}
}

// stepsOf sets a robot's step counters to 0, which leaves its speeds as they are, and says how far its left wheel has
// come 0.2 s later, in steps.
func stepsOf(t *testing.T, address string) int16 {
	t.Helper()
	conn, err := net.DialTimeout("tcp", address, hopeless)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(hopeless)); err != nil {
		t.Fatal(err)
	}
	var p [packet.CommandSize]byte
	c := packet.Command{Request: packet.RequestSensors, Settings: packet.SetSteps}
	c.Put(&p)
	if _, err := conn.Write(p[:]); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 1+packet.SensorsSize)
	set := int16(0)
	for i := range 10 { // one each 20 ms; the setting is done with each of them
		if _, err := io.ReadFull(conn, answer); err != nil {
			t.Fatal(err)
		}
		s, err := packet.DecodeSensors(answer[1:])
		if err != nil {
			t.Fatal(err)
		}
		if i >= 2 && (s.LeftSteps > set || -s.LeftSteps > set) {
			set = s.LeftSteps
		}
	}
	return set
}
