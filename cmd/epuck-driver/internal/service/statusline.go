// SPDX-License-Identifier: Apache-2.0

package service

import (
	"fmt"
	"math"
	"strings"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver/health"
)

// StatusLine returns in one line where the robot is, what it measures, who subscribes and whether the bus has errors.
// What matters most comes first: a narrow terminal cuts the end.
func StatusLine(s health.Status) string {
	if s.Lost {
		return fmt.Sprintf("the robot does not answer | %s", busText(s))
	}
	if !s.Readings {
		return "waiting for the robot"
	}
	return fmt.Sprintf("x %+.3f y %+.3f m θ %+.0f° | %+.3f m/s %+.2f rad/s | nearest %s | %s | %s",
		s.X, s.Y, s.Theta*180/math.Pi, s.V, s.Omega, tty.NearestText(s.Nearest), busText(s), subscribersText(s))
}

func busText(s health.Status) string {
	return fmt.Sprintf("bus errors %d", s.Bus.BusErrorTotal()+s.Bus.Checksum+s.Bus.Implausible)
}

// subscribersText names the topics that have subscribers, with their number where there are several.
func subscribersText(s health.Status) string {
	var names []string
	for _, t := range s.Topics {
		switch {
		case t.Subscribers == 1:
			names = append(names, t.Name)
		case t.Subscribers > 1:
			names = append(names, fmt.Sprintf("%s×%d", t.Name, t.Subscribers))
		}
	}
	if len(names) == 0 {
		return "no subscribers"
	}
	return "to " + strings.Join(names, " ")
}

// ServiceStatus says in one line how the service is, for "systemctl status": what changes rarely only.
func ServiceStatus(s health.Status) string {
	switch {
	case s.Lost:
		return "the robot does not answer: " + firstLine(s.Diagnosis.Text)
	case !s.Readings:
		return "waiting for the robot"
	}
	return fmt.Sprintf("the robot answers | %s | %s", busText(s), subscribersText(s))
}

// firstLine cuts text at its first line's end: systemd takes no more.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
