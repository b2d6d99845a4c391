// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
)

func TestServiceAndConditionTablesAreComplete(t *testing.T) {
	services, conditions := servicesMarkdown(), conditionsMarkdown()
	for _, s := range table.Services() {
		if !strings.Contains(services, "| `"+s.Name+"` | "+strings.Replace(s.Type, "/srv/", "/", 1)+" | ") {
			t.Errorf("%s is missing in\n%s", s.Name, services)
		}
	}
	for _, c := range health.Conditions() {
		if !strings.Contains(conditions, "| `"+c.Code+"` | "+c.Status+" | "+c.Severity.String()+" | ") {
			t.Errorf("%s is missing in\n%s", c.Code, conditions)
		}
	}
	for _, table := range []string{services, conditions} {
		lines := strings.Split(strings.TrimSpace(table), "\n")
		for _, l := range lines {
			if strings.Count(l, "|") != strings.Count(lines[0], "|") {
				t.Errorf("columns differ: %s", l)
			}
		}
	}
}
