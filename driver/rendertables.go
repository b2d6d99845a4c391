// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"strings"
)

// ServicesMarkdown renders the table of the driver's own services for the README.
func ServicesMarkdown() string {
	var b strings.Builder
	b.WriteString("| service | type | meaning |\n| --- | --- | --- |\n")
	for _, s := range Services() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, strings.Replace(s.Type, "/srv/", "/", 1), s.Meaning)
	}
	return b.String()
}

// ConditionsMarkdown renders the table of health conditions for the documentation.
func ConditionsMarkdown() string {
	var b strings.Builder
	b.WriteString("| condition | status | severity | meaning | consequence of |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range Conditions() {
		on := "–"
		if len(c.DependsOn) > 0 {
			on = "`" + strings.Join(c.DependsOn, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %v | %s | %s |\n", c.Code, c.Status, c.Severity, c.Text, on)
	}
	return b.String()
}
