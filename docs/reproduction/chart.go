// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Measures of a figure, pixels: its size, the plot's place in it, and a row of the legend or of bars.
const (
	figureWidth  = 720.0
	plotLeft     = 70.0
	plotTop      = 16.0
	plotHeight   = 220.0
	plotWidth    = figureWidth - plotLeft - 16
	rowHeight    = 20.0
	barHeight    = 14.0
	labelWidth   = 330.0
	lettersShown = 52
)

// Colours of the originals and of ours, which are distinct for the colour-blind (Okabe and Ito).
const (
	colourOriginal = "#d55e00"
	colourOurs     = "#0072b2"
)

// dashes distinguish curves of one colour.
var dashes = []string{"", "6 3", "2 3", "8 3 2 3"}

// drawing is the figure as SVG.
func (f Figure) drawing() string {
	if f.Chart.Kind == "lines" {
		return f.lines()
	}
	return f.bars()
}

// svg is a figure of a height with its title, for those who cannot see it, and its marks.
func (f Figure) svg(height float64, marks string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" `+
		`font-family="sans-serif" font-size="12">`+"\n<title>%s</title>\n"+`<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n%s</svg>\n",
		figureWidth, height, figureWidth, height, html.EscapeString(f.Name+": "+f.Title), marks)
}

func text(b *strings.Builder, x, y float64, anchor, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="#222222">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
}

// bars draws the original's number of each row above ours; a number that is missing has no bar.
func (f Figure) bars() string {
	var rows []Row
	most := 0.0
	for _, r := range f.Rows {
		if r.Original == nil && r.Number == nil {
			continue
		}
		rows = append(rows, r)
		for _, n := range []*float64{r.Original, r.Number} {
			if n != nil {
				most = max(most, *n)
			}
		}
	}
	var b strings.Builder
	y := plotTop
	length := func(n float64) float64 { return n / most * (figureWidth - labelWidth - 80) }
	for _, r := range rows {
		label := []rune(r.What)
		if len(label) > lettersShown {
			label = append(label[:lettersShown-1:lettersShown-1], '…')
		}
		text(&b, labelWidth-8, y+barHeight+4, "end", string(label))
		for i, n := range []*float64{r.Original, r.Number} {
			if n == nil {
				continue
			}
			top := y + float64(i)*barHeight
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", labelWidth, top, length(*n), barHeight-1,
				[]string{colourOriginal, colourOurs}[i])
			text(&b, labelWidth+length(*n)+5, top+11, "start", number(*n))
		}
		y += 2*barHeight + 12
	}
	text(&b, labelWidth, y+12, "start", f.Chart.Unit)
	legend(&b, 16, y+12, "original", colourOriginal, "")
	legend(&b, 120, y+12, "here", colourOurs, "")
	return f.svg(y+24, b.String())
}

func legend(b *strings.Builder, x, y float64, name, colour, dash string) {
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="3" stroke-dasharray="%s"/>`+"\n",
		x, y-4, x+26, y-4, colour, dash)
	text(b, x+32, y, "start", name)
}

// axis maps numbers to places along an axis.
type axis struct {
	from, to float64 // of the numbers, or of their decimal logarithms
	log      bool
}

// axisOf is the axis that shows all numbers: from 0, or from one power of ten to another.
func axisOf(numbers []float64, log bool) axis {
	a := axis{0, 0, log}
	if log {
		a.from, a.to = math.Inf(1), math.Inf(-1)
	}
	for _, n := range numbers {
		if log {
			a.from, a.to = min(a.from, math.Floor(math.Log10(n))), max(a.to, math.Ceil(math.Log10(n)))
			continue
		}
		a.to = max(a.to, n)
	}
	if a.to <= a.from {
		a.to = a.from + 1
	}
	return a
}

// at returns the place of a number, 0 to 1.
func (a axis) at(n float64) float64 {
	if a.log {
		n = math.Log10(n)
	}
	return (n - a.from) / (a.to - a.from)
}

// ticks returns the numbers that the axis names.
func (a axis) ticks() (all []float64) {
	if a.log {
		for e := a.from; e <= a.to; e++ {
			all = append(all, math.Pow(10, e))
		}
		return all
	}
	step := math.Pow(10, math.Floor(math.Log10(a.to)))
	if a.to/step > 5 {
		step *= 2
	}
	for n := 0.0; n <= a.to; n += step {
		all = append(all, n)
	}
	return all
}

// lines draws the curves of the original and ours.
func (f Figure) lines() string {
	var xs, ys []float64
	for _, s := range f.Series {
		for _, p := range s.Points {
			xs, ys = append(xs, p[0]), append(ys, p[1])
		}
	}
	across, up := axisOf(xs, false), axisOf(ys, f.Chart.Log)
	x := func(n float64) float64 { return plotLeft + across.at(n)*plotWidth }
	y := func(n float64) float64 { return plotTop + (1-up.at(n))*plotHeight }
	var b strings.Builder
	for _, n := range up.ticks() {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", plotLeft, y(n), plotLeft+plotWidth, y(n))
		text(&b, plotLeft-6, y(n)+4, "end", number(n))
	}
	for _, n := range across.ticks() {
		text(&b, x(n), plotTop+plotHeight+16, "middle", number(n))
	}
	text(&b, plotLeft+plotWidth, plotTop+plotHeight+32, "end", f.Chart.Across)
	text(&b, plotLeft, plotTop+plotHeight+32, "start", f.Chart.Unit)
	for i, s := range f.Series {
		colour, dash := colourOriginal, dashes[i%len(dashes)]
		if s.Ours {
			colour = colourOurs
		}
		var points []string
		for _, p := range s.Points {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(p[0]), y(p[1])))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x(p[0]), y(p[1]), colour)
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(points, " "), colour, dash)
		legend(&b, plotLeft, plotTop+plotHeight+54+float64(i)*rowHeight, s.Name, colour, dash)
	}
	return f.svg(plotTop+plotHeight+60+float64(len(f.Series))*rowHeight, b.String())
}
