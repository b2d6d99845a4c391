// SPDX-License-Identifier: Apache-2.0

package service

import (
	"fmt"
	"math"
	"strings"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver/health"
)

// StatusLine returns the pose of the robot, its measurements, the subscribed topics and the bus errors in one line.
// The most important values come first, as a narrow terminal cuts the end.
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

// ServiceStatus returns the state of the service in one line for "systemctl status": only what rarely changes.
func ServiceStatus(s health.Status) string {
	switch {
	case s.Lost:
		return "the robot does not answer: " + firstLine(s.Diagnosis.Text)
	case !s.Readings:
		return "waiting for the robot"
	}
	return fmt.Sprintf("the robot answers | %s | %s", busText(s), subscribersText(s))
}

// firstLine returns the first line of text: systemd accepts no more.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
