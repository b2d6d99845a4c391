// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// yamlColumns is how wide a parameter file is.
const yamlColumns = 120

// parametersMarkdown renders the table of parameters for docs/reference/interface.md. A star marks those that can
// change at run time.
func parametersMarkdown() string {
	var b strings.Builder
	b.WriteString("| parameter | type | default | range | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, p := range table.Parameters() {
		name := "`" + p.Name + "`"
		if p.Dynamic {
			name += " *"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, p.TypeName(), defaultText(p), rangeText(p), p.Meaning)
	}
	return b.String()
}

// parametersYAML renders the default parameter file for the node called name: every parameter with its default, its
// meaning as a comment. The rates and types are those that --params-file expects (doubles have a point).
func parametersYAML(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The parameters of epuck-driver and their defaults: epuck-driver run --ros-args --params-file FILE\n")
	fmt.Fprintf(&b, "%s:\n  ros__parameters:\n", name)
	for _, p := range table.Parameters() {
		notes := p.Meaning
		if r := rangeText(p); r != "" {
			notes += " (" + strings.ReplaceAll(r, "`", "") + ")"
		}
		if p.Dynamic {
			notes += "; can change while running"
		}
		for _, line := range wrap(strings.ReplaceAll(notes, "`", ""), yamlColumns-len("    # ")) {
			fmt.Fprintf(&b, "    # %s\n", line)
		}
		fmt.Fprintf(&b, "    %s: %s\n", p.Name, yamlDefault(p))
	}
	return b.String()
}

func defaultText(p table.Parameter) string {
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
	case ros2.ParameterIntegerArray:
		return "`" + integers(v.IntegerArray()) + "`"
	default:
		return strconv.FormatBool(v.Bool())
	}
}

// yamlDefault writes a double with a point, as parameter files want it, and a string in quotes.
func yamlDefault(p table.Parameter) string {
	switch v := p.Default; v.Type() {
	case ros2.ParameterInteger:
		return strconv.FormatInt(v.Integer(), 10)
	case ros2.ParameterDouble:
		return pointed(v.Double())
	case ros2.ParameterString:
		return strconv.Quote(v.Str())
	case ros2.ParameterDoubleArray:
		return numbers(v.DoubleArray())
	case ros2.ParameterIntegerArray:
		return integers(v.IntegerArray())
	default:
		return strconv.FormatBool(v.Bool())
	}
}

// rangeText says which values are allowed, empty if all of the type are.
func rangeText(p table.Parameter) string {
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

// pointed writes a double with a decimal point, which distinguishes it from an integer.
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

// integers writes a list of integers as parameter files and command lines take it.
func integers(list []int64) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = strconv.FormatInt(v, 10)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// wrap breaks text at blanks into lines of at most columns characters; a longer word is a line of its own.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
