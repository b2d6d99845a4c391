// SPDX-License-Identifier: Apache-2.0

package sheet

import (
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// errPage is matched by errors about a drawing that does not fit on its page; they have the sizes.
var errPage = errors.New("sheet: does not fit")

// Page is a drawing on paper; lengths are mm from the upper left corner, y down.
type Page struct {
	Width, Height float64
	items         []item
}

// item is an element of a drawing: a path or a text.
type item struct {
	path []node  // nil: text
	fill float64 // grey level, 0 black to 1 white; negative: not filled
	line float64 // width of the outline, mm; 0: none
	grey float64 // of the outline
	text string
	x, y float64
	size float64 // of the text, mm
}

// node is a point of a path; with control points it is the end of a Bézier curve.
type node struct {
	x, y  float64
	curve *[4]float64
	start bool
}

// Rect draws a rectangle filled with a grey level.
func (p *Page) Rect(x, y, w, h, grey float64) {
	p.items = append(p.items, item{fill: grey, path: []node{{x: x, y: y, start: true}, {x: x + w, y: y}, {x: x + w, y: y + h}, {x: x, y: y + h}, {x: x, y: y}}})
}

// Line draws a line of a width (mm).
func (p *Page) Line(x0, y0, x1, y1, width float64) {
	p.items = append(p.items, item{fill: -1, line: width, path: []node{{x: x0, y: y0, start: true}, {x: x1, y: y1}}})
}

// Circle draws a circle: filled with a grey level, or, if that is negative, its outline of a width (mm).
func (p *Page) Circle(x, y, r, grey, width float64) {
	const k = 0.5522847498307936 // control points of a quarter circle, exact to 0.03 %
	c := k * r
	quarter := func(x1, y1, x2, y2, x, y float64) node { return node{x: x, y: y, curve: &[4]float64{x1, y1, x2, y2}} }
	p.items = append(p.items, item{fill: grey, line: width, path: []node{
		{x: x + r, y: y, start: true},
		quarter(x+r, y+c, x+c, y+r, x, y+r), quarter(x-c, y+r, x-r, y+c, x-r, y),
		quarter(x-r, y-c, x-c, y-r, x, y-r), quarter(x+c, y-r, x+r, y-c, x+r, y),
	}})
}

// Text writes a line of text of a size (mm) from (x, y).
func (p *Page) Text(x, y, size float64, text string) {
	p.items = append(p.items, item{x: x, y: y, size: size, text: text})
}

// SVG writes the page as an SVG picture whose unit is the millimetre.
func (p *Page) SVG(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%smm" height="%smm" viewBox="0 0 %s %s">`+"\n",
		num(p.Width), num(p.Height), num(p.Width), num(p.Height))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for _, i := range p.items {
		if i.path == nil {
			fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="%s" font-family="Helvetica,Arial,sans-serif">%s</text>`+"\n",
				num(i.x), num(i.y), num(i.size), html.EscapeString(strings.Map(legal, i.text)))
			continue
		}
		b.WriteString(`<path d="`)
		i.draw(&b, "M%s %s", "L%s %s", "C%s %s %s %s %s %s")
		fill, stroke := "none", ""
		if i.fill >= 0 {
			fill = grey(i.fill)
		}
		if i.line > 0 {
			stroke = fmt.Sprintf(` stroke="%s" stroke-width="%s"`, grey(i.grey), num(i.line))
		}
		fmt.Fprintf(&b, `" fill="%s"%s/>`+"\n", fill, stroke)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// draw writes the path, with a format for each kind of node: a start, a line and a curve.
func (i *item) draw(b *strings.Builder, start, line, curve string) {
	for _, n := range i.path {
		switch {
		case n.start:
			fmt.Fprintf(b, start, num(n.x), num(n.y))
		case n.curve != nil:
			c := n.curve
			fmt.Fprintf(b, curve, num(c[0]), num(c[1]), num(c[2]), num(c[3]), num(n.x), num(n.y))
		default:
			fmt.Fprintf(b, line, num(n.x), num(n.y))
		}
	}
}

// legal replaces a character that XML 1.0 does not allow (its production 2) with a question mark.
func legal(r rune) rune {
	if r < 0x20 && r != '\t' && r != '\n' || r == 0xfffe || r == 0xffff {
		return '?'
	}
	return r
}

func grey(v float64) string {
	g := int(math.Round(255 * math.Max(0, math.Min(1, v))))
	return fmt.Sprintf("#%02x%02x%02x", g, g, g)
}

// num formats a length with a resolution of 1 µm.
func num(v float64) string {
	s := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}
