// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
)

// Compare writes the measurements of two reports next to each other: those of a, those of b, their difference, and a
// mark for those outside of their intervals. Text of the reports is passed through clean.
func Compare(w io.Writer, a, b *Report, clean func(string) string) error {
	if _, err := fmt.Fprintf(w, "%-44s %12s %12s %12s\n", "measured", "A", "B", "B - A"); err != nil {
		return err
	}
	for _, pair := range pairs(a.Results, b.Results) {
		if _, err := fmt.Fprintf(w, "%s: %s, %s\n", clean(pair.name), clean(pair.verdict(pair.a)), clean(pair.verdict(pair.b))); err != nil {
			return err
		}
		if err := pair.rows(w, clean); err != nil {
			return err
		}
	}
	return nil
}

// pair is a check in both reports; a or b is nil if that report does not have it.
type pair struct {
	name string
	a, b *checks.Result
}

func pairs(a, b []checks.Result) (list []pair) {
	at := map[string]int{}
	for i := range a {
		at[a[i].Name] = len(list)
		list = append(list, pair{a[i].Name, &a[i], nil})
	}
	for i := range b {
		if n, both := at[b[i].Name]; both {
			list[n].b = &b[i]
			continue
		}
		list = append(list, pair{b[i].Name, nil, &b[i]})
	}
	return list
}

func (pair) verdict(r *checks.Result) string {
	if r == nil {
		return "not made"
	}
	text := string(r.Verdict)
	for _, f := range r.Faults {
		text += " (" + f.Name + ")"
	}
	return text
}

// rows writes the measurements that at least one of the reports has.
func (p *pair) rows(w io.Writer, clean func(string) string) error {
	var names []string
	units := map[string]string{}
	for _, r := range []*checks.Result{p.a, p.b} {
		if r == nil {
			continue
		}
		for _, m := range r.Measurements {
			if _, known := units[m.Name]; !known {
				names = append(names, m.Name)
				units[m.Name] = m.Unit
			}
		}
	}
	for _, name := range names {
		left, hasLeft := cell(p.a, name)
		right, hasRight := cell(p.b, name)
		difference := "-"
		if hasLeft && hasRight {
			x, _ := p.a.Value(name)
			y, _ := p.b.Value(name)
			difference = fmt.Sprintf("%.4g", y-x)
		}
		if _, err := fmt.Fprintf(w, "  %-42s %12s %12s %12s %s\n", clean(name), left, right, difference, clean(units[name])); err != nil {
			return err
		}
	}
	return nil
}

// cell returns a measurement as text, with a ! if it is not as expected; false if it is missing.
func cell(r *checks.Result, name string) (string, bool) {
	if r == nil {
		return "-", false
	}
	for _, m := range r.Measurements {
		if m.Name != name {
			continue
		}
		text := fmt.Sprintf("%.4g", m.Value)
		if !m.Expected() {
			text = "!" + text
		}
		return text, true
	}
	return "-", false
}
