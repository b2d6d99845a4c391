// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
)

// TestTransportCarriesTheRobot drives a whole robot on every transport that is built in; a program on the default
// transport hears each of its topics.
func TestTransportCarriesTheRobot(t *testing.T) {
	for _, name := range build.Transports() {
		t.Run(name, func(t *testing.T) {
			r := newWholeRobotOn(t, name)
			r.findParts(t)
			heard := startListener(t)
			r.awaitSubscribers(t)
			silent := map[string]bool{}
			for _, topic := range r.driver.Status().Topics {
				silent[strings.TrimPrefix(topic.Name, "/")] = true
			}
			if err := r.robot.SendRemote(20); err != nil { // the one topic that needs an event
				t.Fatal(err)
			}
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for deadline := time.After(time.Minute); len(silent) > 0; {
				select {
				case <-tick.C:
					r.step(t)
				case topic := <-heard:
					delete(silent, strings.TrimPrefix(topic, "/"))
				case <-deadline:
					t.Fatalf("nothing was heard of %v", silent)
				}
			}
		})
	}
}
