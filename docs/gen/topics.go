// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// topicsMarkdown renders the table of the topics in one direction for docs/reference/interface.md.
func topicsMarkdown(d table.Direction) string {
	var b strings.Builder
	if d == table.Published {
		b.WriteString("| topic | type | frame | rate | unit | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	} else {
		b.WriteString("| topic | type | unit | meaning |\n| --- | --- | --- | --- |\n")
	}
	for _, t := range table.Topics() {
		switch {
		case t.Direction != d:
		case d == table.Published:
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", label(t), typeText(t), frameText(t), whenText(t), t.Unit, t.Meaning)
		default:
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", label(t), typeText(t), t.Unit, t.Meaning)
		}
	}
	return b.String()
}

// label is the topic's name, or the first and the last of a family: all of them if they are not consecutive.
func label(t table.Topic) string {
	names := t.Names()
	if n := len(names); n > 2 && t.Numbers[n-1]-t.Numbers[0] == n-1 {
		return "`" + names[0] + "` … `" + names[n-1] + "`"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

func typeText(t table.Topic) string {
	s := strings.Replace(t.Type, "/msg/", "/", 1)
	if t.AltType != "" {
		s += fmt.Sprintf(" (%s with `%s: %s`)", strings.Replace(t.AltType, "/msg/", "/", 1), t.AltParameter, t.AltValue)
	}
	return s
}

func frameText(t table.Topic) string {
	switch {
	case t.Frame == "":
		return "–"
	case len(t.Numbers) > 0:
		return fmt.Sprintf("`%s%d` …", t.Frame, t.Numbers[0])
	default:
		return "`" + t.Frame + "`"
	}
}

func whenText(t table.Topic) string {
	s := t.When.String()
	if t.Rate != "" {
		s = t.Rate
	}
	if t.Part != "" {
		s += ", while the part is there"
	}
	if t.QoS.Durability == ros2.TransientLocal {
		s += ", transient local"
	}
	return s
}
