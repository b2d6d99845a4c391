// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ParametersMarkdown renders the table of parameters for the README. A star marks those that can change at run time.
func ParametersMarkdown() string {
	var b strings.Builder
	b.WriteString("| parameter | type | default | range | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, p := range Parameters() {
		name := "`" + p.Name + "`"
		if p.Dynamic {
			name += " *"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, p.TypeName(), p.defaultText(), p.rangeText(), p.Meaning)
	}
	return b.String()
}

// ParametersYAML renders the default parameter file for the node called name: every parameter with its default, its
// meaning as a comment. The rates and types are those that --params-file expects (doubles have a point).
func ParametersYAML(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The parameters of epuck-driver and their defaults: epuck-driver run --ros-args --params-file FILE\n")
	fmt.Fprintf(&b, "%s:\n  ros__parameters:\n", name)
	for _, p := range Parameters() {
		notes := p.Meaning
		if r := p.rangeText(); r != "" {
			notes += " (" + strings.ReplaceAll(r, "`", "") + ")"
		}
		if p.Dynamic {
			notes += "; can change while running"
		}
		fmt.Fprintf(&b, "    # %s\n    %s: %s\n", strings.ReplaceAll(notes, "`", ""), p.Name, p.yamlDefault())
	}
	return b.String()
}

// TopicsMarkdown renders the table of the topics in one direction for the README.
func TopicsMarkdown(d Direction) string {
	var b strings.Builder
	if d == Published {
		b.WriteString("| topic | type | frame | rate | unit | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	} else {
		b.WriteString("| topic | type | unit | meaning |\n| --- | --- | --- | --- |\n")
	}
	for _, t := range Topics() {
		switch {
		case t.Direction != d:
		case d == Published:
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", t.label(), t.typeText(), t.frameText(), t.whenText(), t.Unit, t.Meaning)
		default:
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", t.label(), t.typeText(), t.Unit, t.Meaning)
		}
	}
	return b.String()
}

func (p Parameter) defaultText() string {
	switch v := p.Default; v.Type() {
	case ros2.ParameterInteger:
		return strings.TrimSpace(strconv.FormatInt(v.Integer(), 10) + " " + p.Unit)
	case ros2.ParameterDouble:
		return strings.TrimSpace(shortest(v.Double()) + " " + p.Unit)
	case ros2.ParameterString:
		if v.Str() == "" {
			return "empty"
		}
		return "`" + v.Str() + "`"
	case ros2.ParameterDoubleArray:
		return "`" + numbers(v.DoubleArray()) + "`"
	default:
		return strconv.FormatBool(v.Bool())
	}
}

// yamlDefault writes a double with a point, as parameter files want it, and a string in quotes.
func (p Parameter) yamlDefault() string {
	switch v := p.Default; v.Type() {
	case ros2.ParameterInteger:
		return strconv.FormatInt(v.Integer(), 10)
	case ros2.ParameterDouble:
		return pointed(v.Double())
	case ros2.ParameterString:
		return strconv.Quote(v.Str())
	case ros2.ParameterDoubleArray:
		return numbers(v.DoubleArray())
	default:
		return strconv.FormatBool(v.Bool())
	}
}

// rangeText says which values are allowed, empty if all of the type are.
func (p Parameter) rangeText() string {
	if len(p.Choices) > 0 {
		return "`" + strings.Join(p.Choices, "`, `") + "`"
	}
	if p.Min == p.Max {
		return ""
	}
	return shortest(p.Min) + " … " + shortest(p.Max)
}

// shortest writes a number as people do, with at most seven significant digits.
func shortest(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 7, 64)
}

// label is the topic's name, or the first and the last of a family: all of them if they are not consecutive.
func (t Topic) label() string {
	names := t.Names()
	if n := len(names); n > 2 && t.Numbers[n-1]-t.Numbers[0] == n-1 {
		return "`" + names[0] + "` … `" + names[n-1] + "`"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

func (t Topic) typeText() string {
	s := strings.Replace(t.Type, "/msg/", "/", 1)
	if t.AltType != "" {
		s += fmt.Sprintf(" (%s with `%s: %s`)", strings.Replace(t.AltType, "/msg/", "/", 1), t.AltParameter, t.AltValue)
	}
	return s
}

func (t Topic) frameText() string {
	switch {
	case t.Frame == "":
		return "–"
	case len(t.Numbers) > 0:
		return fmt.Sprintf("`%s%d` …", t.Frame, t.Numbers[0])
	default:
		return "`" + t.Frame + "`"
	}
}

func (t Topic) whenText() string {
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

// pointed writes a double with a point, which tells it from an integer.
func pointed(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// numbers writes a list of doubles as parameter files and command lines take it.
func numbers(list []float64) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = pointed(v)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
