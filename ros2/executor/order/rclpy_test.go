// SPDX-License-Identifier: Apache-2.0

//go:build peers

package order_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// rclpyDomain is the DDS domain of the tests with rclpy.
const rclpyDomain = 83

// onRTPS makes transports on this machine's network.
func onRTPS(t *testing.T) ether {
	return func() ros2.ServiceTransport {
		tr, err := rmw.New(rmw.Config{DomainID: rclpyDomain})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
}

// rclpyNode starts a node of rclpy; the returned function waits for its end.
func rclpyNode(t *testing.T, name, kind string) (wait func()) {
	t.Helper()
	helper, err := filepath.Abs("../../../deploy/ros")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	cmd := exec.CommandContext(ctx, "python3", "-B", "testdata/rclpy_node.py", name, kind)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+helper+":"+os.Getenv("PYTHONPATH"), "ROS_DOMAIN_ID="+strconv.Itoa(rclpyDomain))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		defer cancel()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// withRclpy runs a Go sensor, a Go filter in another process's place, and two nodes of rclpy, and returns the record.
func withRclpy(t *testing.T, open ether, span time.Duration) []order.Run {
	t.Helper()
	var record []order.Run
	c := order.New(order.Config{Start: time.Unix(0, 0), Record: func(r order.Run) { record = append(record, r) }})
	inner, outer := open(), open()
	leader, err := order.Lead(c, order.LeaderConfig{Transport: inner, Members: []string{"go", "brain", "planner"}})
	if err != nil {
		t.Fatal(err)
	}
	first := &application{t: t, c: c, tr: c.Transport(inner)}
	sensorOf(first, first.node("left"), 0, func() {})
	other := &application{t: t, c: order.New(order.Config{})}
	other.tr = other.c.Transport(outer)
	sensorOf(other, other.node("right"), 1, func() {})
	m, err := order.Join(other.c, order.MemberConfig{Name: "go", Transport: outer})
	if err != nil {
		t.Fatal(err)
	}
	var group task.Group
	group.Go("a member", func() {
		if err := m.Run(t.Context()); err != nil {
			t.Error(err)
		}
	})
	brain, planner := rclpyNode(t, "brain", "brain"), rclpyNode(t, "planner", "planner")
	if err := leader.Advance(time.Unix(0, 0)); err != nil { // all are there
		t.Fatal(err)
	}
	begun := time.Now()
	if err := leader.Advance(time.Unix(0, 0).Add(span)); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	t.Logf("%d callbacks in %v of the machine's time, %.0f a second", len(record), took.Round(time.Millisecond), float64(len(record))/took.Seconds())
	if err := leader.Close(); err != nil {
		t.Error(err)
	}
	brain()
	planner()
	group.Wait()
	for _, a := range []*application{first, other} {
		a.c.Close()
		for _, n := range a.nodes {
			if err := n.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, tr := range []ros2.ServiceTransport{inner, outer} {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	return record
}

// Nodes of the real rclpy, with the executor of deploy/ros, in the order of Go's: timers, topics, and a service
// that one awaits of the other. Each run has the same record. EPUCK_RCLPY is how many runs; scripts/test-order.sh
// sets it, where a ROS 2 is sourced.
func TestRclpyRepeats(t *testing.T) {
	text := os.Getenv("EPUCK_RCLPY")
	if text == "" {
		t.Skip("EPUCK_RCLPY is not set: scripts/test-order.sh runs it")
	}
	runs, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]ether{"rtps": onRTPS(t), "rclgo": onRCL(t)} {
		if open == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var first []order.Run
			for i := range runs {
				record := withRclpy(t, open, time.Second)
				if i == 0 {
					first = record
					lines := make([]string, 0, len(record))
					for _, r := range record {
						lines = append(lines, r.String())
					}
					all := strings.Join(lines, "\n")
					for _, want := range []string{`/planner service "/plan"`, `/brain timer "tick" in brain > /count`, `/brain reply "/plan"`, `/left subscription "/command"`} {
						if !strings.Contains(all, want) {
							t.Errorf("no %s in\n%s", want, all)
						}
					}
				} else if d := order.Difference(first, record); d != "" {
					t.Fatalf("run %d: %s", i+1, d)
				}
			}
		})
	}
}
