// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"html"
	"strings"
	"time"
)

// style is the style sheet of the page, which has no scripts and loads nothing.
const style = `body{font:16px sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2em .6em;border-bottom:1px solid #ccc;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}.failed,.out{color:#a00;font-weight:bold}.passed{color:#060}`

// page returns the report as an HTML page.
func page(r *Report) []byte {
	var b strings.Builder
	line := func(format string, args ...any) {
		for i, a := range args {
			if s, ok := a.(string); ok {
				args[i] = html.EscapeString(s)
			}
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	line(`<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Acceptance report</title><style>` + style + `</style>`)
	line("<h1>Acceptance report</h1><p>%s, epuck-driver %s, %s %s</p>", r.Time.UTC().Format(time.RFC3339), r.Program, r.Computer, r.Kernel)
	if r.Simulated {
		line("<p>This robot is simulated.</p>")
	}
	if r.Ended != "" {
		line(`<p class="failed">The test ended early: %s</p>`, r.Ended)
	}
	for _, c := range r.Results {
		line(`<h2>%s: <span class="%s">%s</span></h2><p>It %s. %.1f s.</p>`, c.Name, string(c.Verdict), string(c.Verdict), c.Does, c.Seconds)
		for _, f := range c.Faults {
			line(`<p class="failed">%s: %s</p>`, f.Name, f.Text)
		}
		if c.Note != "" {
			line(`<p class="failed">Not as expected: %s</p>`, c.Note)
		}
		if len(c.Measurements) == 0 {
			continue
		}
		line("<table><tr><th>measured<th>value<th>expected<th>source")
		for _, m := range c.Measurements {
			class := "n"
			if !m.Expected() {
				class = "n out"
			}
			line(`<tr><td>%s<td class="%s">%.4g %s<td>%.4g to %.4g<td>%s`, m.Name, class, m.Value, m.Unit, m.Low, m.High, m.Source)
		}
		line("</table>")
	}
	return []byte(b.String())
}
