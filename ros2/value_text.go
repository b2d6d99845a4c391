// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// String returns the value as YAML that parses to the same value and type, as in 20.0, "auto" or [1, 2]. "Not set" is
// null. A byte array is a list of numbers, which YAML cannot distinguish from integers.
func (p ParameterValue) String() string {
	switch p.kind {
	case ParameterBool:
		return strconv.FormatBool(p.Bool())
	case ParameterInteger:
		return strconv.FormatInt(p.Integer(), 10)
	case ParameterDouble:
		return doubleText(p.Double())
	case ParameterString:
		return quoteYAML(p.str)
	}
	switch l := p.list.(type) {
	case []byte:
		return listText(l, func(v byte) string { return strconv.Itoa(int(v)) })
	case []bool:
		return listText(l, strconv.FormatBool)
	case []int64:
		return listText(l, func(v int64) string { return strconv.FormatInt(v, 10) })
	case []float64:
		return listText(l, doubleText)
	case []string:
		return listText(l, quoteYAML)
	}
	return "null"
}

func listText[E any](list []E, text func(E) string) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = text(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// doubleText formats v so that YAML parses it as a double, not an integer.
func doubleText(v float64) string {
	switch {
	case math.IsNaN(v):
		return ".nan"
	case math.IsInf(v, 1):
		return ".inf"
	case math.IsInf(v, -1):
		return "-.inf"
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// quoteYAML writes s as a double-quoted YAML scalar.
func quoteYAML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !strconv.IsPrint(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		case !strconv.IsPrint(r) && r != ' ':
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
