// SPDX-License-Identifier: Apache-2.0

// Package metrics writes metrics in the text format of Prometheus (exposition format 0.0.4): those of the robots'
// diagnostics, of the transport and of the process.
package metrics

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Label is a label of a sample.
type Label struct{ Name, Value string }

// Text is a page of metrics being written. The zero value is empty.
type Text struct{ b bytes.Buffer }

// Family begins a metric; kind is "gauge" or "counter", whose names end in _total.
func (t *Text) Family(name, kind, help string) {
	help = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(help)
	fmt.Fprintf(&t.b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// Sample adds a sample to the current family.
func (t *Text) Sample(name string, value float64, labels ...Label) {
	t.b.WriteString(name)
	for i, l := range labels {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		t.b.WriteByte(sep)
		fmt.Fprintf(&t.b, `%s="%s"`, l.Name, escape(l.Value))
	}
	if len(labels) > 0 {
		t.b.WriteByte('}')
	}
	t.b.WriteByte(' ')
	t.b.WriteString(number(value))
	t.b.WriteByte('\n')
}

// One adds a family of one sample.
func (t *Text) One(name, kind, help string, value float64) {
	t.Family(name, kind, help)
	t.Sample(name, value)
}

// Bytes returns the page.
func (t *Text) Bytes() []byte { return t.b.Bytes() }

// escape writes a label's value; invalid UTF-8 becomes U+FFFD.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\uFFFD"))
}

func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "+Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
