// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// A node in another process that takes part in the simulation's time, by --acknowledge, gets each odometry message of
// 8 firmware robots as fast as the machine can: exactly 4,000 of 4,000 in 200 simulated seconds. It acknowledges a step
// when it has the messages of all control cycles until then.
func TestOutsideSubscriberThatTakesPartGetsEachMessage(t *testing.T) {
	const (
		robots = 8
		begin  = time.Second // by then all publishers know the subscriber
	)
	length := 200 * time.Second
	if !suite.Long {
		length = 10 * time.Second
	}
	p := prepare(t)
	var output bytes.Buffer
	p.cmd = p.command("sim", "--world", "plane", "--robots", fmt.Sprint(robots), "--level", "firmware", "--lockstep",
		"--acknowledge", "/counted", "--web", "off", "--for", fmt.Sprint(begin+length))
	p.cmd.Stdout, p.cmd.Stderr = &output, &output
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	times := subscribeOdometry(t, p, robots)
	acknowledgeSteps(t, p, times.added, func(age time.Duration) bool { return times.complete(robots, begin, age) })
	if status := p.wantEnd(); status != frame.ExitOK {
		t.Errorf("exit status %d", status)
	}
	for i := range robots {
		robot := fmt.Sprint("/epuck", i+1)
		got := times.check(t, robot, begin+length) - times.check(t, robot, begin)
		if want := int(length.Seconds() * 20); got != want {
			t.Errorf("%s: %d messages of %d arrived", robot, got, want)
		}
	}
	if out := output.String(); strings.Contains(out, "WARN") || strings.Contains(out, "ERROR") {
		t.Errorf("output:\n%s", out)
	}
}

// complete reports whether the messages of all control cycles after begin until an age have arrived. The cycles are at
// 10 ms and each 50 ms after.
func (o *odometryTimes) complete(robots int, begin, age time.Duration) bool {
	const first, period = 10 * time.Millisecond, 50 * time.Millisecond
	if age <= begin {
		return true
	}
	latest := first + (age - first).Truncate(period)
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range robots {
		stamps := o.stamps[fmt.Sprint("/epuck", i+1)]
		if len(stamps) == 0 || stamps[len(stamps)-1] < latest {
			return false
		}
	}
	return true
}

// acknowledgeSteps acknowledges each step of a simulation in lockstep when complete reports that all of it has arrived,
// until the test ends; more may have arrived after each value of added.
func acknowledgeSteps(t *testing.T, p *patient, added <-chan struct{}, complete func(age time.Duration) bool) {
	t.Helper()
	n := p.node(t, "acknowledger")
	ages := make(chan time.Duration, 100)
	if _, err := ros2.NewSubscription(n, "/clock", ros2.QoS{History: ros2.KeepAll}, func(m *rosgraph_msgs.Clock, _ ros2.MessageInfo) {
		select {
		case ages <- time.Duration(m.Clock.Sec)*time.Second + time.Duration(m.Clock.Nanosec):
		default: // a time that is published again
		}
	}); err != nil {
		t.Fatal(err)
	}
	client, err := ros2.NewClient(n, std_srvs.Trigger{}, "/counted")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		var age, acknowledged time.Duration
		for {
			select {
			case <-t.Context().Done():
				return
			case age = <-ages:
			case <-added:
			}
			if age <= acknowledged || !complete(age) {
				continue
			}
			if _, err := client.Call(t.Context(), &std_srvs.TriggerRequest{}); err != nil {
				return // the simulation has ended
			}
			acknowledged = age
		}
	}()
}
