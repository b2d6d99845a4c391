// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// brain makes a node in this process that turns a robot by what its odometry says and by turn, in rad/s, and takes part
// in the order of a program. The returned functions run it until the run is over, and close it; moving is called each
// time that it hears the robot.
func brain(t *testing.T, p *patient, turn float64, moving func()) (run func() error, end func()) {
	t.Helper()
	domain, err := strconv.ParseUint(strings.TrimPrefix(p.env[1], "ROS_DOMAIN_ID="), 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := rmw.New(rmw.Config{DomainID: uint32(domain), Range: rmw.Localhost})
	if err != nil {
		t.Fatal(err)
	}
	c := order.New(order.Config{})
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "brain", Transport: c.Transport(tr), Clock: c.Clock(), Callbacks: c.NewGroup()})
	if err != nil {
		t.Fatal(err)
	}
	wheel, err := ros2.NewPublisher[geometry_msgs.Twist](n, "/epuck1/cmd_vel", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	_, err = ros2.Listen(n, "/epuck1/odom", ros2.DefaultQoS(), func(m *nav_msgs.Odometry) {
		moving()
		var v geometry_msgs.Twist
		v.Linear.X, v.Angular.Z = 0.05, turn+m.Pose.Pose.Position.X
		if err := wheel.Publish(&v); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := order.Join(c, order.MemberConfig{Name: "brain", Transport: tr})
	if err != nil {
		t.Fatal(err)
	}
	return func() error { return m.Run(t.Context()) }, func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		c.Close()
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}

// ordered runs a world in a fixed order with a brain in this process. It returns what the program wrote, its log, and
// its exit status. The brain's run ends by itself.
func ordered(t *testing.T, mode string, turn float64, flags ...string) (out, log string, status int) {
	t.Helper()
	p := prepare(t)
	file := filepath.Join(t.TempDir(), "order")
	p.cmd = p.command(append([]string{"sim", "--world", "swarm", "--order", mode, "--members", "brain", "--order-log", file, "--for", "1s", "--trace-hash"}, flags...)...)
	var text bytes.Buffer
	p.cmd.Stdout, p.cmd.Stderr = &text, &text
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	run, end := brain(t, p, turn, func() {})
	defer end()
	var group task.Group
	group.Go("brain", func() {
		if err := run(); err != nil {
			t.Error(err)
		}
	})
	go func() { p.ended <- p.cmd.Wait() }()
	status = p.wantEnd()
	group.Wait()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), string(data), status
}

// traceLine returns the line of the trace.
func traceLine(out string) string {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "trace ") {
			return line
		}
	}
	return ""
}

// TestOrderOfTwoProcesses: robots of this program and a brain in another process repeat message for message, one after
// the other and in parallel; the log is that of its replay, and a brain that commands something else is named.
func TestOrderOfTwoProcesses(t *testing.T) {
	if os.Getenv(armEnv) != "" {
		t.Skip("the robot's program has no fleets")
	}
	out, log, status := ordered(t, "fixed", 0.5)
	trace := traceLine(out)
	if status != frame.ExitOK || trace == "" || !strings.Contains(out, "in a fixed order with") {
		t.Fatalf("exit status %d\n%s", status, out)
	}
	for _, want := range []string{
		"0.000000000+0 /brain timer \"joined\" in brain outside\n", ` /brain subscription "/epuck1/odom" in brain > /epuck1/cmd_vel `,
		` /epuck1/epuck_driver subscription "/epuck1/cmd_vel"`,
	} {
		if !strings.Contains(log, want) {
			t.Fatalf("no %s in\n%s", want, log)
		}
	}
	file := filepath.Join(t.TempDir(), "run1")
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	out, again, status := ordered(t, "parallel", 0.5, "--order-replay", file)
	if status != frame.ExitOK || again != log || traceLine(out) != trace {
		t.Errorf("the replay: exit status %d, same log %v, %s, want %s%s", status, again == log, traceLine(out), trace, out)
	}
	out, _, status = ordered(t, "fixed", 0.6, "--order-replay", file)
	const want = `/brain subscription "/epuck1/odom" in brain sent something else: another message on /epuck1/cmd_vel`
	if status == frame.ExitOK || !strings.Contains(out, "run 2 diverges from run 1 at t = 0.") || !strings.Contains(out, want) {
		t.Errorf("another brain: exit status %d\n%s", status, out)
	}
}

// TestLeaderIsKilled: a brain whose simulation is killed ends with an error, when the network has found out.
func TestLeaderIsKilled(t *testing.T) {
	if os.Getenv(armEnv) != "" {
		t.Skip("the robot's program has no fleets")
	}
	if !suite.Long {
		t.Skip("the lease of a process is 20 s")
	}
	p := prepare(t)
	p.cmd = p.command("sim", "--world", "swarm", "--order", "fixed", "--members", "brain")
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	var once sync.Once
	moves := make(chan struct{})
	run, end := brain(t, p, 0.5, func() { once.Do(func() { close(moves) }) })
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		t.Fatal(err)
	case <-moves:
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // killed
	if err := <-ended; !errors.Is(err, order.ErrLeaderLost) {
		t.Errorf("ended with %v", err)
	}
}

// TestOrderFiles: a file that can't be written or read, and one that is no record.
func TestOrderFiles(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(broken, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][]string{
		{"--order-log", "/nowhere/x", "/nowhere/x"}, {"--order-replay", "/nowhere/y", "/nowhere/y"}, {"--order-replay", broken, "line 1"}, {"--order-replay", empty, "it is empty"},
	} {
		p := prepare(t)
		begun := time.Now()
		out, err := p.command("sim", "--world", "swarm", "--order", "fixed", c[0], c[1], "--for", "1s").CombinedOutput()
		if err == nil || !strings.Contains(string(out), c[2]) {
			t.Errorf("%s: %v in %v\n%s", c[:2], err, time.Since(begun), out)
		}
	}
}

// TestOrderOfOwnNodes: without members the steps of the robots of this program are the order. A run in parallel or with
// a real-time factor has the same log and trace, the log can be replayed, and that of another seed differs.
func TestOrderOfOwnNodes(t *testing.T) {
	if os.Getenv(armEnv) != "" {
		t.Skip("the robot's program has no fleets")
	}
	run := func(flags ...string) (out, log string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "order")
		line := append([]string{"sim", "--world", "swarm", "--order-log", file, "--for", "500ms", "--web=off", "--trace-hash"}, flags...)
		text, err := prepare(t).command(line...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", flags, err, text)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), string(data)
	}
	out, log := run("--order", "fixed")
	if n := strings.Count(log, ` timer "step"`); n != 3*50 || !strings.Contains(log, "0.010000000+1 /epuck1/epuck_driver timer \"step\" > /epuck1/odom ") {
		t.Errorf("%d steps of 3 robots in\n%s", n, log)
	}
	file := filepath.Join(t.TempDir(), "run1")
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{
		{"--order", "parallel"}, {"--order", "fixed", "--real-time-factor", "1"}, {"--order", "fixed", "--real-time-factor", "20"},
		{"--order", "fixed", "--real-time-factor", "max"}, {"--order", "fixed", "--order-replay", file},
	} {
		text, again := run(flags...)
		if again != log || traceLine(text) == "" || traceLine(text) != traceLine(out) {
			t.Errorf("%s: same log: %v, %s, want %s", flags, again == log, traceLine(text), traceLine(out))
		}
		if paced := flags[len(flags)-1] == "20"; paced != strings.Contains(text, "at most 20 × real time") {
			t.Errorf("%s: the start says\n%s", flags, text)
		}
	}
	if _, other := run("--order", "fixed", "--seed", "2"); other == log {
		t.Error("another seed has the same log")
	}
}
