// SPDX-License-Identifier: Apache-2.0

package service

import (
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/health"
)

func TestStatusLine(t *testing.T) {
	moving := health.Status{Readings: true, X: 0.1234, Y: -0.05, Theta: math.Pi / 2, V: 0.05, Omega: 0.5, Nearest: 0.012,
		Topics: []health.TopicStatus{{Name: "odom", Subscribers: 1}, {Name: "scan", Subscribers: 3}, {Name: "ps0"}}}
	moving.Bus.Checksum, moving.Bus.Implausible = 2, 1
	alone := health.Status{Readings: true, Nearest: math.Inf(1)}
	for _, c := range []struct {
		name string
		s    health.Status
		want []string
	}{
		{"before the first reading", health.Status{}, []string{"waiting for the robot"}},
		{"lost", health.Status{Readings: true, Lost: true}, []string{"does not answer", "bus errors 0"}},
		{"moving", moving, []string{"x +0.123", "y -0.050 m", "θ +90°", "+0.050 m/s", "+0.50 rad/s", "nearest 12 mm", "bus errors 3", "to odom scan×3"}},
		{"alone", alone, []string{"nearest –", "no subscribers", "bus errors 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := StatusLine(c.s)
			for _, w := range c.want {
				if !strings.Contains(line, w) {
					t.Errorf("%q is not in %q", w, line)
				}
			}
			if strings.ContainsAny(line, "\n\r") {
				t.Errorf("more than a line: %q", line)
			}
		})
	}
}
