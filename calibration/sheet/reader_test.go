// SPDX-License-Identifier: Apache-2.0

package sheet_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/calibration/sheet"
)

// judge is what the readers need of a test, of package testing or of rapid.
type judge interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// shape is a part of a drawing as a reader of either format understands it: lengths are mm, y down.
type shape struct {
	points [][2]float64 // where the pen goes, control points left out
	curves [][4]float64 // control points
	fill   float64      // grey, −1: none
	line   float64      // width, 0: none
	text   string
	size   float64
}

// svgElement is what the reader needs of an SVG element.
type svgElement struct {
	XMLName  xml.Name
	D        string  `xml:"d,attr"`
	Fill     string  `xml:"fill,attr"`
	Stroke   string  `xml:"stroke,attr"`
	Width    float64 `xml:"stroke-width,attr"`
	X        float64 `xml:"x,attr"`
	Y        float64 `xml:"y,attr"`
	Size     float64 `xml:"font-size,attr"`
	Contents string  `xml:",chardata"`
}

// readSVG reads a page written as SVG. It knows only what SVG says, nothing of the package.
func readSVG(t judge, p *sheet.Page) (shapes []shape) {
	t.Helper()
	var out bytes.Buffer
	if err := p.SVG(&out); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Width   string       `xml:"width,attr"`
		Height  string       `xml:"height,attr"`
		ViewBox string       `xml:"viewBox,attr"`
		All     []svgElement `xml:",any"`
	}
	if err := xml.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	var w, h float64
	if _, err := fmt.Sscanf(doc.ViewBox, "0 0 %g %g", &w, &h); err != nil {
		t.Fatalf("view box %q: %v", doc.ViewBox, err)
	}
	// A unit of the view box is a millimetre only if both say the same.
	if doc.Width != strings.Fields(doc.ViewBox)[2]+"mm" || doc.Height != strings.Fields(doc.ViewBox)[3]+"mm" {
		t.Errorf("%s × %s, but the view box is %q", doc.Width, doc.Height, doc.ViewBox)
	}
	if math.Abs(w-p.Width) > 6e-4 || math.Abs(h-p.Height) > 6e-4 {
		t.Errorf("a page of %g × %g mm is %g × %g", p.Width, p.Height, w, h)
	}
	for _, e := range doc.All[1:] { // the first is the paper
		switch e.XMLName.Local {
		case "text":
			shapes = append(shapes, shape{points: [][2]float64{{e.X, e.Y}}, fill: -1, text: e.Contents, size: e.Size})
		case "path":
			shapes = append(shapes, svgShape(t, e))
		default:
			t.Errorf("element %q", e.XMLName.Local)
		}
	}
	return shapes
}

func svgShape(t judge, e svgElement) shape {
	t.Helper()
	s := shape{fill: -1, line: e.Width}
	if e.Fill != "none" {
		v, err := strconv.ParseUint(e.Fill[1:3], 16, 8)
		if err != nil || len(e.Fill) != 7 || e.Fill[1:3] != e.Fill[3:5] || e.Fill[1:3] != e.Fill[5:] {
			t.Errorf("fill %q is no grey: %v", e.Fill, err)
		}
		s.fill = float64(v) / 255
	}
	if (e.Stroke != "") != (e.Width > 0) {
		t.Errorf("stroke %q of width %g", e.Stroke, e.Width)
	}
	for _, part := range regexp.MustCompile(`[MLC][^MLC]*`).FindAllString(e.D, -1) {
		s.pen(t, part[0], numbers(t, strings.Fields(part[1:])))
	}
	return s
}

// pen follows one operator: M, L or C of SVG.
func (s *shape) pen(t judge, operator byte, v []float64) {
	t.Helper()
	want := map[byte]int{'M': 2, 'L': 2, 'C': 6}[operator]
	if len(v) != want {
		t.Fatalf("%c with %v", operator, v)
	}
	if operator == 'C' {
		s.curves = append(s.curves, [4]float64(v[:4]))
		v = v[4:]
	}
	s.points = append(s.points, [2]float64{v[0], v[1]})
}

func numbers(t judge, fields []string) (v []float64) {
	t.Helper()
	for _, f := range fields {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("number %q: %v", f, err)
		}
		v = append(v, x)
	}
	return v
}

// readPDF reads a page written as PDF: a machine with a stack for the few operators of ISO 32000-1 that a drawing
// needs.
func readPDF(t judge, p *sheet.Page) (shapes []shape) {
	t.Helper()
	var out bytes.Buffer
	if err := p.PDF(&out); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)stream\n(.*)\nendstream`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatal("no stream")
	}
	r := pdfMachine{t: t, fill: 0}
	for _, line := range strings.Split(strings.TrimSuffix(m[1], "\n"), "\n") {
		if text, ok := strings.CutPrefix(line, "BT "); ok {
			r.text(text)
			continue
		}
		for _, word := range strings.Fields(line) {
			r.do(word)
		}
	}
	if len(r.stack) > 0 || len(r.now.points) > 0 {
		t.Errorf("the stream ends with %v on the stack, path %v", r.stack, r.now.points)
	}
	return r.shapes
}

type pdfMachine struct {
	t          judge
	stack      []string
	now        shape
	fill, line float64
	scale      float64 // points for a millimetre
	high       float64 // points
	shapes     []shape
}

func (r *pdfMachine) do(word string) {
	r.t.Helper()
	if strings.ContainsAny(word[:1], "-0123456789") {
		r.stack = append(r.stack, word)
		return
	}
	v := numbers(r.t, r.stack)
	r.stack = nil
	need := map[string]int{"cm": 6, "g": 1, "G": 1, "w": 1, "m": 2, "l": 2, "c": 6}[word]
	if len(v) != need {
		r.t.Fatalf("operator %q with %v", word, v)
	}
	switch word {
	case "cm":
		if v[1] != 0 || v[2] != 0 || v[4] != 0 || v[0] != -v[3] {
			r.t.Errorf("the page is turned or stretched: %v", v)
		}
		r.scale, r.high = v[0], v[5]
	case "g":
		r.fill = v[0]
	case "w":
		r.line = v[0]
	case "m", "l", "c":
		r.now.pen(r.t, strings.ToUpper(word)[0], v)
	case "f", "S", "B":
		s := r.now
		r.now = shape{}
		if s.fill = -1; word != "S" {
			s.fill = r.fill
		}
		if word != "f" {
			s.line = r.line
		}
		r.shapes = append(r.shapes, s)
	case "G":
	default:
		r.t.Errorf("operator %q", word)
	}
}

// text reads a text object behind its BT.
func (r *pdfMachine) text(line string) {
	r.t.Helper()
	m := regexp.MustCompile(`^/F (\S+) Tf 1 0 0 -1 (\S+) (\S+) Tm \((.*)\) Tj ET$`).FindStringSubmatch(line)
	if m == nil {
		r.t.Fatalf("text object %q", line)
	}
	v := numbers(r.t, m[1:4])
	r.shapes = append(r.shapes, shape{points: [][2]float64{{v[1], v[2]}}, fill: -1, size: v[0], text: pdfString(r.t, m[4])})
}

// pdfString reads a string of Windows' Latin-1, of which the upper half of Latin-1 is the same.
func pdfString(t judge, s string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '(' || c == ')' || c < 0x20 || c > 0x7e:
			t.Errorf("byte %#x is not escaped in %q", c, s)
		case c != '\\':
		case i+1 < len(s) && strings.IndexByte(`()\`, s[i+1]) >= 0:
			i++
			c = s[i]
		case i+3 < len(s):
			v, err := strconv.ParseUint(s[i+1:i+4], 8, 8)
			if err != nil {
				t.Errorf("escape in %q at %d: %v", s, i, err)
			}
			i += 3
			b.WriteRune(rune(v))
			continue
		default:
			t.Errorf("%q ends in an escape", s)
		}
		b.WriteByte(c)
	}
	return b.String()
}

// inside reports whether a place is inside a shape whose outline is straight.
func (s shape) inside(x, y float64) bool {
	in := false
	for i, a := range s.points {
		b := s.points[(i+1)%len(s.points)]
		if (a[1] > y) != (b[1] > y) && x < a[0]+(y-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
			in = !in
		}
	}
	return in
}

// middle is the middle of a circle and its radius.
func (s shape) middle() (x, y, r float64) {
	x, y = (s.points[0][0]+s.points[2][0])/2, (s.points[1][1]+s.points[3][1])/2
	return x, y, math.Abs(s.points[0][0]-s.points[2][0]) / 2
}

// shade is how grey a drawing of filled rectangles and circles is at a place: what is drawn later covers.
func shade(shapes []shape, x, y float64) float64 {
	grey := 1.0
	for _, s := range shapes {
		switch {
		case s.fill < 0:
		case s.curves != nil:
			if cx, cy, r := s.middle(); math.Hypot(x-cx, y-cy) < r {
				grey = s.fill
			}
		case s.inside(x, y):
			grey = s.fill
		}
	}
	return grey
}

// stuck is a writer that takes some bytes and no more.
type stuck struct{ left int }

var errStuck = errors.New("the disk is full")

func (s *stuck) Write(b []byte) (int, error) {
	n := min(len(b), s.left)
	if s.left -= n; n < len(b) {
		return n, errStuck
	}
	return n, nil
}

var _ io.Writer = (*stuck)(nil)
