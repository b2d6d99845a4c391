// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// odometryTimes are the time stamps of the odometry of some robots as a subscriber in another process has received it.
type odometryTimes struct {
	added chan struct{} // has capacity 1; has a value after a message was received

	mu     sync.Mutex
	stamps map[string][]time.Duration // by robot
}

func (o *odometryTimes) add(robot string, m *nav_msgs.Odometry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := time.Duration(m.Header.Stamp.Sec)*time.Second + time.Duration(m.Header.Stamp.Nanosec)
	o.stamps[robot] = append(o.stamps[robot], at)
	select {
	case o.added <- struct{}{}:
	default:
	}
}

// check checks that a robot's messages are of its control cycles, in their order, each at most once. It returns how
// many of the cycles until an age have arrived.
func (o *odometryTimes) check(t *testing.T, robot string, until time.Duration) (arrived int) {
	const period = 50 * time.Millisecond
	o.mu.Lock()
	defer o.mu.Unlock()
	stamps := o.stamps[robot]
	for i, at := range stamps {
		if at <= until {
			arrived++
		}
		if i > 0 && (at <= stamps[i-1] || (at-stamps[0])%period != 0) {
			t.Fatalf("%s: a message of %v after one of %v, control cycles are %v apart", robot, at, stamps[i-1], period)
		}
	}
	return arrived
}

// Firmware robots with their drivers publish on the network at every real-time factor as in real time: a reliable
// subscriber in another process receives odometry of control cycles that are exactly 50 ms apart, and no line of the
// program reports wheels, a guard or a sensor that are late. How many of the messages arrive is logged: the topics keep
// the latest message, so a subscriber that takes no part in the simulation's time may miss some
// (docs/explanation/time.md).
func TestOutsideSubscriberAtEveryFactor(t *testing.T) {
	const robots = 8
	length := 200 * time.Second
	if !suite.Long {
		length = 10 * time.Second
	}
	for _, factor := range []string{"20.0", "100.0", "1000.0"} {
		t.Run(factor, func(t *testing.T) {
			p := prepare(t)
			var output bytes.Buffer
			p.cmd = p.command("sim", "--world", "plane", "--robots", fmt.Sprint(robots), "--level", "firmware", "--real-time-factor", "0",
				"--web", "off", "--for", fmt.Sprint(length+time.Second))
			p.cmd.Stdout, p.cmd.Stderr = &output, &output
			if err := p.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() { p.ended <- p.cmd.Wait() }()
			t.Cleanup(func() { _ = p.cmd.Process.Kill() })
			times := subscribeOdometry(t, p, robots)
			if out, err := p.command("param", "set", "/simulation", "real_time_factor", factor).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if status := p.wantEnd(); status != frame.ExitOK {
				t.Errorf("exit status %d", status)
			}
			for i := range robots {
				robot := fmt.Sprint("/epuck", i+1)
				if arrived := times.check(t, robot, length); arrived == 0 {
					t.Errorf("%s: no message arrived", robot)
				} else {
					t.Logf("%s: %d messages of %d arrived", robot, arrived, int(length.Seconds()*20))
				}
			}
			if out := output.String(); strings.Contains(out, "WARN") || strings.Contains(out, "ERROR") {
				t.Errorf("output:\n%s", out)
			}
		})
	}
}

// subscribeOdometry subscribes to the odometry of all robots, and returns when all publishers are matched.
func subscribeOdometry(t *testing.T, p *patient, robots int) *odometryTimes {
	t.Helper()
	n := p.node(t, "counter")
	times := &odometryTimes{added: make(chan struct{}, 1), stamps: map[string][]time.Duration{}}
	var all []*ros2.Subscription[nav_msgs.Odometry]
	for i := range robots {
		robot := fmt.Sprint("/epuck", i+1)
		add := func(m *nav_msgs.Odometry, _ ros2.MessageInfo) { times.add(robot, m) }
		s, err := ros2.NewSubscription(n, robot+"/odom", ros2.QoS{History: ros2.KeepAll}, add)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	p.await("publishers of odometry", func(groundtruth.Record) bool {
		for _, s := range all {
			if s.PublisherCount() == 0 {
				return false
			}
		}
		return true
	})
	return times
}

// node returns a node on a transport of its own in the program's domain. Both are closed at the end of the test.
func (p *patient) node(t *testing.T, name string) *ros2.Node {
	t.Helper()
	cfg, err := rmw.FromEnvironment(p.lookup)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rmw.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = transport.Close() })
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

// lookup looks up a variable of the program's environment.
func (p *patient) lookup(key string) (value string, ok bool) {
	for _, e := range p.env {
		if k, v, _ := strings.Cut(e, "="); k == key {
			return v, true
		}
	}
	return "", false
}
