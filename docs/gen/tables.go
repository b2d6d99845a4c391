// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// servicesMarkdown renders the table of the driver's own services for docs/reference/interface.md.
func servicesMarkdown() string {
	var b strings.Builder
	b.WriteString("| service | type | meaning |\n| --- | --- | --- |\n")
	for _, s := range table.Services() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, strings.Replace(s.Type, "/srv/", "/", 1), s.Meaning)
	}
	return b.String()
}

// conditionsMarkdown renders the table of health conditions for the documentation.
func conditionsMarkdown() string {
	var b strings.Builder
	b.WriteString("| condition | status | severity | meaning | consequence of |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range health.Conditions() {
		on := "–"
		if len(c.DependsOn) > 0 {
			on = "`" + strings.Join(c.DependsOn, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %v | %s | %s |\n", c.Code, c.Status, c.Severity, c.Text, on)
	}
	return b.String()
}

// countersMarkdown renders the table of the transport's counters.
func countersMarkdown() string {
	healthy := map[ros2.CounterKind]string{
		ros2.CountRefused: "no", ros2.CountCongested: "when overloaded", ros2.CountCrowded: "when a limit is too low",
	}
	var b strings.Builder
	b.WriteString("| counter | counts | a healthy network has it |\n| --- | --- | --- |\n")
	for _, c := range rmw.Counters() {
		has, found := healthy[c.Kind]
		if !found {
			has = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, c.Meaning, has)
	}
	return b.String()
}
