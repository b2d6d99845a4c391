// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

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
