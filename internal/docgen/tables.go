// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver"
)

// servicesMarkdown renders the table of the driver's own services for docs/interface.md.
func servicesMarkdown() string {
	var b strings.Builder
	b.WriteString("| service | type | meaning |\n| --- | --- | --- |\n")
	for _, s := range driver.Services() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, strings.Replace(s.Type, "/srv/", "/", 1), s.Meaning)
	}
	return b.String()
}

// conditionsMarkdown renders the table of health conditions for the documentation.
func conditionsMarkdown() string {
	var b strings.Builder
	b.WriteString("| condition | status | severity | meaning | consequence of |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range driver.Conditions() {
		on := "–"
		if len(c.DependsOn) > 0 {
			on = "`" + strings.Join(c.DependsOn, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %v | %s | %s |\n", c.Code, c.Status, c.Severity, c.Text, on)
	}
	return b.String()
}
