// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	svg "github.com/ajstarks/svgo"
)

// Plot is a picture with two axes.
type Plot struct {
	Title, X, Y string
	Lines       []Line
	Square      bool // both axes have the same scale
	Zero        bool // the y axis includes 0
}

// Line is a line through all points that are finite and within ±1e150. With Low and High it has error bars.
type Line struct {
	Name      string
	X, Y      []float64
	Low, High []float64
}

// Size of a plot and its margins, pixels.
const (
	width, height            = 460, 320
	left, right, top, bottom = 62, 14, 14, 46
	plotWidth, plotHeight    = width - left - right, height - top - bottom
	maxColours               = 6
	fontStyle                = "font:11px sans-serif;fill:#333"
	titleStyle               = fontStyle + ";text-anchor:middle"
	tickStyle                = fontStyle + ";text-anchor:end"
	frameStyle               = "fill:none;stroke:#999"
	gridStyle                = "stroke:#e4e4e4"
	ticks                    = 5
)

func colour(i int) string {
	return [maxColours]string{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17a2b8"}[i%maxColours]
}

// axis maps values to pixels.
type axis struct{ low, high, from, to float64 }

func (a axis) at(v float64) int {
	return int(math.Round(a.from + (v-a.low)/(a.high-a.low)*(a.to-a.from)))
}

// usable reports whether a value can be drawn: quotients of ranges of such values are finite.
func usable(v float64) bool { return math.Abs(v) < 1e150 }

// narrow is the minimum range of an axis, as a share of its values: in a smaller range values count as equal.
const narrow = 1e-9

// axes returns the ranges of both axes.
func (p *Plot) axes() (x, y axis) {
	x = axis{math.Inf(1), math.Inf(-1), left, left + plotWidth}
	y = axis{math.Inf(1), math.Inf(-1), top + plotHeight, top}
	grow := func(a *axis, list []float64) {
		for _, v := range list {
			if usable(v) {
				a.low, a.high = min(a.low, v), max(a.high, v)
			}
		}
	}
	for _, l := range p.Lines {
		grow(&x, l.X)
		for _, list := range [][]float64{l.Y, l.Low, l.High} {
			grow(&y, list)
		}
	}
	if p.Zero {
		y.low = min(y.low, 0)
	}
	for _, a := range []*axis{&x, &y} {
		if !(a.high >= a.low) { // no values
			a.low, a.high = 0, 0
		}
		if size := max(math.Abs(a.low), math.Abs(a.high)); a.high-a.low <= max(1e-30, narrow*size) {
			half := max(0.5, narrow*size)
			a.low, a.high = a.low-half, a.high+half
		}
	}
	if p.Square {
		perX, perY := (x.high-x.low)/plotWidth, (y.high-y.low)/plotHeight
		widen := func(a *axis, by float64) {
			middle, half := (a.low+a.high)/2, (a.high-a.low)/2*by
			a.low, a.high = middle-half, middle+half
		}
		widen(&x, max(1, perY/perX))
		widen(&y, max(1, perX/perY))
	}
	return x, y
}

// Draw writes the plot as SVG.
func (p *Plot) Draw(w io.Writer) {
	x, y := p.axes()
	c := svg.New(w)
	c.Startraw(fmt.Sprintf(`width="%d" height="%d" role="img"`, width, height))
	defer c.End()
	p.grid(c, x, y)
	for i, l := range p.Lines {
		p.line(c, x, y, l, colour(i))
	}
	c.Rect(left, top, plotWidth, plotHeight, frameStyle)
}

// grid draws scales and titles of the axes.
func (p *Plot) grid(c *svg.SVG, x, y axis) {
	for i := range ticks + 1 {
		part := float64(i) / ticks
		v := x.low + part*(x.high-x.low)
		c.Line(x.at(v), top, x.at(v), top+plotHeight, gridStyle)
		c.Text(x.at(v), top+plotHeight+15, short(v), titleStyle)
		v = y.low + part*(y.high-y.low)
		c.Line(left, y.at(v), left+plotWidth, y.at(v), gridStyle)
		c.Text(left-5, y.at(v)+4, short(v), tickStyle)
	}
	c.Text(left+plotWidth/2, height-10, p.X, titleStyle)
	c.TranslateRotate(13, top+plotHeight/2, -90)
	c.Text(0, 0, p.Y, titleStyle)
	c.Gend()
}

func short(v float64) string {
	if math.Abs(v) < 1e-12 {
		return "0"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// line draws one line and its bars.
func (p *Plot) line(c *svg.SVG, x, y axis, l Line, colour string) {
	var px, py []int
	for i := range min(len(l.X), len(l.Y)) {
		if !usable(l.X[i]) || !usable(l.Y[i]) {
			continue
		}
		px, py = append(px, x.at(l.X[i])), append(py, y.at(l.Y[i]))
		if i < len(l.Low) && i < len(l.High) && usable(l.Low[i]) && usable(l.High[i]) {
			c.Line(x.at(l.X[i]), y.at(l.Low[i]), x.at(l.X[i]), y.at(l.High[i]), "stroke:"+colour)
		}
	}
	if len(px) == 0 {
		return
	}
	c.Polyline(px, py, "fill:none;stroke:"+colour)
	c.Circle(px[len(px)-1], py[len(py)-1], 2, "fill:"+colour)
}
