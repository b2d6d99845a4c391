// SPDX-License-Identifier: Apache-2.0

package health_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

// A report is given snapshots and makes messages of them.
func Example() {
	lost := false
	report := health.New(health.Config{
		Node: "/epuck_driver", Transport: "none",
		Sample: func(s *health.Snapshot) { s.HasBus, s.Robot.Lost = true, lost },
	}, time.Unix(0, 0))
	lost = true
	var m diagnostic_msgs.DiagnosticArray
	if report.Sample(time.Unix(1, 0)) {
		report.Write(&m)
	}
	for _, s := range m.Status {
		fmt.Println(s.Level, s.Name, "–", s.Message)
	}
	// Output:
	// 0 epuck_driver: control loop – runs
	// 0 epuck_driver: network – works
	// 0 epuck_driver: robot bus – works
	// 2 epuck_driver: main processor – the robot does not answer; commands are ignored until it does
}
