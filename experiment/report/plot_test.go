// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// drawing is a parsed plot.
type drawing struct {
	Width  string  `xml:"width,attr"`
	Height string  `xml:"height,attr"`
	Lines  []ruled `xml:"line"`
	Texts  []struct {
		X, Y  int    `xml:",attr"`
		Style string `xml:"style,attr"`
		Text  string `xml:",chardata"`
	} `xml:"text"`
	Polylines []struct {
		Points string `xml:"points,attr"`
		Style  string `xml:"style,attr"`
	} `xml:"polyline"`
	Circles []struct {
		CX int `xml:"cx,attr"`
		CY int `xml:"cy,attr"`
	} `xml:"circle"`
}

type ruled struct {
	X1    int    `xml:"x1,attr"`
	Y1    int    `xml:"y1,attr"`
	X2    int    `xml:"x2,attr"`
	Y2    int    `xml:"y2,attr"`
	Style string `xml:"style,attr"`
}

// judge is the common interface of testing.T and rapid.T.
type judge interface {
	Helper()
	Fatalf(format string, args ...any)
}

func draw(t judge, p report.Plot) (d drawing) {
	t.Helper()
	var b bytes.Buffer
	p.Draw(&b)
	if err := xml.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return d
}

// points returns the pixels of a line.
func (d *drawing) points(t judge, i int) (all [][2]int) {
	t.Helper()
	for _, f := range strings.Fields(d.Polylines[i].Points) {
		var q [2]int
		if _, err := fmt.Sscanf(f, "%d,%d", &q[0], &q[1]); err != nil {
			t.Fatalf("point %q: %v", f, err)
		}
		all = append(all, q)
	}
	return all
}

// frame is the area of a plot's grid: its left, right, upper and lower edge in pixels.
func (d *drawing) frame() (left, right, top, bottom int) {
	left, top = math.MaxInt, math.MaxInt
	for _, l := range d.Lines {
		if strings.Contains(l.Style, "#e4e4e4") {
			left, right = min(left, l.X1), max(right, l.X2)
			top, bottom = min(top, l.Y1, l.Y2), max(bottom, l.Y1, l.Y2)
		}
	}
	return left, right, top, bottom
}

// values generates any results of a run, valid or not.
var values = rapid.OneOf(rapid.Float64Range(-100, 100), rapid.Float64(), rapid.SampledFrom([]float64{
	0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 1e17, 1e17 + 16, 5e-324, -5e-324,
}))

// TestAllPointsAreInTheFrame: for any numbers every point and every bar is within the axes, and each finite number of
// usable size has a point.
func TestAllPointsAreInTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := func(label string) []float64 { return rapid.SliceOfN(values, 0, 6).Draw(t, label) }
		p := report.Plot{Square: rapid.Bool().Draw(t, "square"), Zero: rapid.Bool().Draw(t, "zero")}
		var counts []int
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			l := report.Line{X: list("x"), Y: list("y"), Low: list("low"), High: list("high")}
			p.Lines = append(p.Lines, l)
			n := 0
			for i := range min(len(l.X), len(l.Y)) {
				if good(l.X[i]) && good(l.Y[i]) {
					n++
				}
			}
			if n > 0 {
				counts = append(counts, n)
			}
		}
		d := draw(t, p)
		left, right, top, bottom := d.frame()
		if left != 62 || top != 14 || right != 446 || bottom != 274 {
			t.Fatalf("the grid spans %d to %d and %d to %d", left, right, top, bottom)
		}
		inside := func(x, y int) bool { return x >= left && x <= right && y >= top && y <= bottom }
		if len(d.Polylines) != len(counts) {
			t.Fatalf("%d lines, want %d", len(d.Polylines), len(counts))
		}
		for i, n := range counts {
			points := d.points(t, i)
			if len(points) != n {
				t.Fatalf("line %d has %d points, want %d", i, len(points), n)
			}
			for _, q := range points {
				if !inside(q[0], q[1]) {
					t.Fatalf("line %d goes to %v", i, q)
				}
			}
			if last := points[n-1]; d.Circles[i].CX != last[0] || d.Circles[i].CY != last[1] {
				t.Fatalf("the dot is at %v, the end at %v", d.Circles[i], last)
			}
		}
		for _, l := range d.Lines {
			if !inside(l.X1, l.Y1) || !inside(l.X2, l.Y2) {
				t.Fatalf("a bar from (%d, %d) to (%d, %d)", l.X1, l.Y1, l.X2, l.Y2)
			}
		}
	})
}

func good(v float64) bool { return math.Abs(v) < 1e150 }

// TestAxes: the ends of the axes are the minimum and the maximum, or 0 with Zero; with one scale for both axes a circle
// is round and centred.
func TestAxes(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		plot                    report.Plot
		left, right, low, upper string
	}{
		"plain":       {report.Plot{Lines: []report.Line{{X: []float64{1, 3}, Y: []float64{-2, 8}}}}, "1", "3", "-2", "8"},
		"two lines":   {report.Plot{Lines: []report.Line{{X: []float64{1}, Y: []float64{2}}, {X: []float64{5}, Y: []float64{4}}}}, "1", "5", "2", "4"},
		"from zero":   {report.Plot{Zero: true, Lines: []report.Line{{X: []float64{1, 3}, Y: []float64{2, 8}}}}, "1", "3", "0", "8"},
		"below zero":  {report.Plot{Zero: true, Lines: []report.Line{{X: []float64{1, 3}, Y: []float64{-2, -1}}}}, "1", "3", "-2", "-1"},
		"bars":        {report.Plot{Lines: []report.Line{{X: []float64{0, 1}, Y: []float64{1, 2}, Low: []float64{-1, 1}, High: []float64{2, 5}}}}, "0", "1", "-1", "5"},
		"no numbers":  {report.Plot{Lines: []report.Line{{X: []float64{0, nan, 2}, Y: []float64{1, 9, math.Inf(1)}}}}, "0", "2", "1", "9"},
		"one point":   {report.Plot{Lines: []report.Line{{X: []float64{5}, Y: []float64{7}}}}, "4.5", "5.5", "6.5", "7.5"},
		"nothing":     {report.Plot{}, "-0.5", "0.5", "-0.5", "0.5"},
		"tiny":        {report.Plot{Lines: []report.Line{{X: []float64{0, 1}, Y: []float64{1e-13, 1}}}}, "0", "1", "0", "1"},
		"three signs": {report.Plot{Lines: []report.Line{{X: []float64{0, 123456}, Y: []float64{0, 0.0123456}}}}, "0", "1.23e+05", "0", "0.0123"},
	} {
		d := draw(t, c.plot)
		scale := map[string][]string{} // by style: below and left
		for _, text := range d.Texts {
			kind := "below"
			if strings.Contains(text.Style, "end") {
				kind = "left"
			}
			scale[kind] = append(scale[kind], text.Text)
		}
		x, y := scale["below"], scale["left"]
		if x[0] != c.left || x[5] != c.right || y[0] != c.low || y[5] != c.upper {
			t.Errorf("%s: x from %s to %s, y from %s to %s, want %s to %s and %s to %s", name, x[0], x[5], y[0], y[5], c.left, c.right, c.low, c.upper)
		}
	}
}

// TestSquare: both axes have the same number of pixels per metre, and all points are visible.
func TestSquare(t *testing.T) {
	for _, size := range [][2]float64{{1, 1}, {10, 0.1}, {0.1, 10}, {3.84, 2.6}} {
		p := report.Plot{Square: true, Lines: []report.Line{{X: []float64{0, size[0], 0}, Y: []float64{0, 0, size[1]}}}}
		d := draw(t, p)
		q := d.points(t, 0)
		px, py := float64(q[1][0]-q[0][0])/size[0], float64(q[0][1]-q[2][1])/size[1]
		// A pixel of rounding at each end.
		if slack := 2/size[0] + 2/size[1]; math.Abs(px-py) > slack {
			t.Errorf("%v m: %g and %g pixels a metre", size, px, py)
		}
	}
}

// TestUpIsMore: y increases upwards and x to the right.
func TestUpIsMore(t *testing.T) {
	d := draw(t, report.Plot{Lines: []report.Line{{X: []float64{0, 1}, Y: []float64{0, 1}}}})
	if got := d.points(t, 0); len(got) != 2 || got[0] != [2]int{62, 274} || got[1] != [2]int{446, 14} {
		t.Errorf("%v", got)
	}
}

// TestColoursComeAgain: with more lines than colours every line has a colour.
func TestColoursComeAgain(t *testing.T) {
	var p report.Plot
	for i := range 14 {
		p.Lines = append(p.Lines, report.Line{X: []float64{0, 1}, Y: []float64{float64(i), 0}})
	}
	d := draw(t, p)
	for i, l := range d.Polylines {
		if want := d.Polylines[i%6].Style; l.Style != want || !strings.Contains(l.Style, "stroke:#") {
			t.Errorf("line %d: %q, want %q", i, l.Style, want)
		}
		if i > 0 && i < 6 && l.Style == d.Polylines[i-1].Style {
			t.Errorf("lines %d and %d look alike", i-1, i)
		}
	}
}

// TestPageEscapes: texts of a page are escaped everywhere.
func TestPageEscapes(t *testing.T) {
	const evil = `<script>alert("&'")</script>`
	p := report.Page{Title: evil, Head: []string{evil}, Rows: [][]string{{evil}, {"a", evil}}}
	p.Add(report.Plot{Title: evil, X: evil, Y: evil, Lines: []report.Line{{Name: evil, X: []float64{1}, Y: []float64{1}}}})
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Contains(text, "<script") {
		t.Errorf("a text is a tag:\n%s", text)
	}
	// Title, heading, cells (1 + 2), caption and the two axes.
	if n := strings.Count(text, "&lt;script&gt;"); n != 8 {
		t.Errorf("it is there %d times", n)
	}
	for _, tag := range []string{"html", "head", "body", "h1", "table", "tr", "th", "td", "figure", "figcaption"} {
		if open, closed := strings.Count(text, "<"+tag+" ")+strings.Count(text, "<"+tag+">"), strings.Count(text, "</"+tag+">"); open != closed || open == 0 {
			t.Errorf("%d of <%s>, %d of </%s>", open, tag, closed, tag)
		}
	}
}

// TestPageWithoutTable: a page without a table has no empty one, which would be visible as a line.
func TestPageWithoutTable(t *testing.T) {
	var b bytes.Buffer
	if err := (&report.Page{Rows: [][]string{{"lost"}}}).Write(&b); err != nil || strings.Contains(b.String(), "<table") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// full is a writer that fails.
type full struct{}

var errFull = errors.New("the disk is full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFullDisk: every function returns the writer's error.
func TestFullDisk(t *testing.T) {
	r := report.New("x")
	for name, write := range map[string]func(io.Writer) error{"CSV": r.CSV, "HTML": r.HTML, "page": (&report.Page{}).Write} {
		if err := write(full{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWriteNamesBoth: an error of one file is returned, and the other file is still written.
func TestWriteNamesBoth(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "run")
	if err := os.Mkdir(path+".csv", 0o755); err != nil { // in the way
		t.Fatal(err)
	}
	if err := report.New("x").Write(path); err == nil || !strings.Contains(err.Error(), "run.csv") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path + ".html"); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(folder); err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
	info, err := os.Stat(path + ".html")
	if err != nil || info.Mode().Perm()&0o444 != 0o444 {
		t.Errorf("others can't read it: %v, %v", info.Mode(), err)
	}
}

// walk is a world whose one robot is placed by the test.
func walk(t *testing.T) (*sim.Simulation, *sim.Firmware) {
	t.Helper()
	w, err := sim.ParseWorld([]byte("robots: [{name: r}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: sim.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	return s, sim.RobotsOf[*sim.Firmware](s)[0]
}

// TestRecorder: there is one sample a second of simulated time; covered floor counts once; a path of many points is
// thinned and keeps its start and its shape.
func TestRecorder(t *testing.T) {
	s, robot := walk(t)
	r := report.New("walk")
	const steps = 2500
	for i := range steps {
		if err := robot.Place(sim.Pose{X: 0.05 + 0.1*float64(i%4), Y: 0.05}); err != nil {
			t.Fatal(err)
		}
		age := time.Duration(i) * time.Second
		r.Observe(age, s)
		r.Observe(age+999*time.Millisecond, s) // not due
	}
	samples := r.Samples()
	if len(samples) != steps {
		t.Fatalf("%d samples", len(samples))
	}
	for i, want := range []float64{0.01, 0.02, 0.03, 0.04, 0.04} {
		if got := samples[i].Covered; math.Abs(got-want) > 1e-12 {
			t.Errorf("sample %d: %g m² covered, want %g", i, got, want)
		}
	}
	if samples[0].Factor != 0 || samples[1].Factor <= 0 || samples[steps-1].Time != (steps-1)*time.Second || samples[7].Robots != 1 {
		t.Errorf("%+v, %+v", samples[0], samples[steps-1])
	}
	samples[0].Robots = 99
	if r.Samples()[0].Robots != 1 {
		t.Error("a returned sample can be changed from outside")
	}
	var page bytes.Buffer
	if err := r.HTML(&page); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(page.String(), `<polyline points="`)
	points, _, _ := strings.Cut(rest, `"`)
	if n := len(strings.Fields(points)); n < 1000 || n > 2000 {
		t.Errorf("the path has %d points", n)
	}
}

// TestCSVIsExact: parsing the table yields the samples.
func TestCSVIsExact(t *testing.T) {
	s, _ := walk(t)
	r := report.New("x")
	for _, age := range []time.Duration{0, 1500 * time.Millisecond, time.Hour + time.Millisecond} {
		r.Observe(age, s)
	}
	var b bytes.Buffer
	if err := r.CSV(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for i, m := range r.Samples() {
		f := strings.Split(lines[i+1], ",")
		at, err := strconv.ParseFloat(f[0], 64)
		if err != nil || at != m.Time.Seconds() || f[1] != "1" || f[2] != "0" || f[3] != "0.01" {
			t.Errorf("line %d: %q of %+v, %v", i+1, lines[i+1], m, err)
		}
	}
}
