// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

var marks = [...]string{Skipped: "–", OK: "ok", Warning: "!", Failure: "✗"}

// WriteText writes the report as text: a line per finding, the fix below it, and a summary.
func (r Report) WriteText(w io.Writer) error {
	var b strings.Builder
	wide := 0
	for _, f := range r.Findings {
		wide = max(wide, len([]rune(f.Check)))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%-3s%-*s  %s\n", marks[f.Status], wide, f.Check, f.Text)
		if f.Fix != "" {
			fmt.Fprintf(&b, "%*s  to fix: %s\n", wide+3, "", f.Fix)
		}
	}
	fmt.Fprintf(&b, "%d ok, %d warnings, %d failures, %d skipped\n", r.Count(OK), r.Count(Warning), r.Count(Failure), r.Count(Skipped))
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes the report for programs: an object with "status", the worst of all, and "findings", each with
// "check", "status" (ok, warning, failure or skipped), "text" and, if something is amiss, "fix".
func (r Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Status   Status    `json:"status"`
		Findings []Finding `json:"findings"`
	}{r.Worst(), r.Findings})
}
