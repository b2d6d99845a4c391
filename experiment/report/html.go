// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
)

const style = `body{font:15px sans-serif;margin:2em auto;max-width:60em;color:#222}
figure{display:inline-block;margin:0 1em 1em 0}figcaption{color:#555}
table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}`

// Page is an HTML page of plots.
type Page struct {
	Title string
	Head  []string
	Rows  [][]string
	Plots []PagePlot
}

// PagePlot is a plot with the text below it.
type PagePlot struct {
	Caption string
	Picture string // SVG, whose texts are escaped
}

// Add adds a plot to the page.
func (p *Page) Add(plot Plot) {
	var b bytes.Buffer
	plot.Draw(&b)
	p.Plots = append(p.Plots, PagePlot{Caption: plot.Title, Picture: b.String()})
}

// Write writes the page. It does not use html/template, with which the linker keeps every method: 2 MB of the robot's
// program.
func (p *Page) Write(w io.Writer) error {
	var b bytes.Buffer
	title := html.EscapeString(p.Title)
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n<style>%s</style></head>\n", title, style)
	fmt.Fprintf(&b, "<body><h1>%s</h1>\n", title)
	if len(p.Head) > 0 {
		b.WriteString("<table>")
		tableRow(&b, "th", p.Head)
		for _, row := range p.Rows {
			tableRow(&b, "td", row)
		}
		b.WriteString("</table>\n")
	}
	for _, plot := range p.Plots {
		fmt.Fprintf(&b, "<figure>%s<figcaption>%s</figcaption></figure>\n", plot.Picture, html.EscapeString(plot.Caption))
	}
	b.WriteString("</body></html>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// tableRow writes a row of a table.
func tableRow(b *bytes.Buffer, tag string, cells []string) {
	b.WriteString("<tr>")
	for _, c := range cells {
		fmt.Fprintf(b, "<%s>%s</%s>", tag, html.EscapeString(c), tag)
	}
	b.WriteString("</tr>\n")
}

// HTML writes the page of a run: trajectories, collisions, coverage and real-time factor.
func (r *Recorder) HTML(w io.Writer) error {
	p := Page{Title: r.title}
	samples := r.Samples()
	if n := len(samples); n > 0 {
		last := samples[n-1]
		p.Head = []string{"simulated time, s", "robots", "collisions", "covered, m²"}
		p.Rows = [][]string{{number(last.Time.Seconds()), fmt.Sprint(last.Robots), fmt.Sprint(last.Collisions), number(last.Covered)}}
	}
	r.mu.Lock()
	paths := Plot{Title: "Trajectories", X: "x, m", Y: "y, m", Square: true}
	for _, name := range r.order {
		l := Line{Name: name}
		for _, q := range r.paths[name] {
			l.X, l.Y = append(l.X, q.x), append(l.Y, q.y)
		}
		paths.Lines = append(paths.Lines, l)
	}
	r.mu.Unlock()
	p.Add(paths)
	series := func(title, y string, f func(sample) float64) {
		l := Line{}
		for _, s := range samples {
			l.X, l.Y = append(l.X, s.Time.Seconds()), append(l.Y, f(s))
		}
		p.Add(Plot{Title: title, X: "simulated time, s", Y: y, Zero: true, Lines: []Line{l}})
	}
	series("Collisions since the start", "collisions", func(s sample) float64 { return float64(s.Collisions) })
	series("Covered floor", "m²", func(s sample) float64 { return s.Covered })
	series("Real-time factor", "simulated seconds per second", func(s sample) float64 { return s.Factor })
	return p.Write(w)
}
