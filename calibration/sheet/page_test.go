// SPDX-License-Identifier: Apache-2.0

package sheet_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/sheet"
)

// latin is text that both formats can hold as it is.
var latin = rapid.StringOfN(rapid.RuneFrom([]rune(`aZ09 ()\<>&"'µ°×éÿ~`)), 1, 12, -1)

// TestBothFormatsAreTheSameDrawing: whatever is drawn, a reader of the SVG and one of the PDF see the same shapes at
// the same places, and these are the ones that were asked for.
func TestBothFormatsAreTheSameDrawing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mm := rapid.Float64Range(-20, 500)
		grey := rapid.SampledFrom([]float64{0, 0.2, 0.6, 1}) // whole steps of 255
		p := &sheet.Page{Width: rapid.Float64Range(1, 500).Draw(t, "width"), Height: rapid.Float64Range(1, 500).Draw(t, "height")}
		var want []shape
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			x, y, w, g := mm.Draw(t, "x"), mm.Draw(t, "y"), mm.Draw(t, "w"), grey.Draw(t, "grey")
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				p.Rect(x, y, w, w/2, g)
				want = append(want, shape{fill: g, points: [][2]float64{{x, y}, {x + w, y}, {x + w, y + w/2}, {x, y + w/2}, {x, y}}})
			case 1:
				p.Line(x, y, w, -w, 0.25)
				want = append(want, shape{fill: -1, line: 0.25, points: [][2]float64{{x, y}, {w, -w}}})
			case 2:
				p.Circle(x, y, 4, g, 0)
				want = append(want, shape{fill: g, points: [][2]float64{{x + 4, y}, {x, y + 4}, {x - 4, y}, {x, y - 4}, {x + 4, y}}})
			case 3: // filled and with an outline
				p.Circle(x, y, 4, g, 0.5)
				want = append(want, shape{fill: g, line: 0.5, points: [][2]float64{{x + 4, y}, {x, y + 4}, {x - 4, y}, {x, y - 4}, {x + 4, y}}})
			default:
				text := latin.Draw(t, "text")
				p.Text(x, y, 3, text)
				want = append(want, shape{fill: -1, size: 3, text: text, points: [][2]float64{{x, y}}})
			}
		}
		for format, got := range map[string][]shape{"SVG": readSVG(t, p), "PDF": readPDF(t, p)} {
			compare(t, format, got, want)
		}
	})
}

func compare(t *rapid.T, format string, got, want []shape) {
	if len(got) != len(want) {
		t.Fatalf("%s: %d shapes, want %d", format, len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.fill != w.fill || g.line != w.line || g.text != w.text || g.size != w.size || len(g.points) != len(w.points) {
			t.Fatalf("%s: shape %d is %+v, want %+v", format, i, g, w)
		}
		for k, q := range w.points {
			if d := math.Hypot(g.points[k][0]-q[0], g.points[k][1]-q[1]); d > 1e-3 { // to the micrometre
				t.Fatalf("%s: shape %d: point %d is %v, want %v", format, i, k, g.points[k], q)
			}
		}
	}
}

// TestCircleIsRound: along the whole curve, not only at its ends, the distance from the middle is the radius.
func TestCircleIsRound(t *testing.T) {
	p := &sheet.Page{Width: 200, Height: 200}
	p.Circle(100, 90, 50, 0, 0)
	s := readSVG(t, p)[0]
	if len(s.curves) != 4 || s.points[0] != s.points[4] {
		t.Fatalf("%+v", s)
	}
	for k, c := range s.curves {
		from, to := s.points[k], s.points[k+1]
		for i := range 101 {
			u := float64(i) / 100
			at := func(axis int) float64 {
				return math.Pow(1-u, 3)*from[axis] + 3*u*(1-u)*(1-u)*c[axis] + 3*u*u*(1-u)*c[2+axis] + math.Pow(u, 3)*to[axis]
			}
			if r := math.Hypot(at(0)-100, at(1)-90); math.Abs(r-50) > 50*0.0003 {
				t.Fatalf("quarter %d at %g: radius %g", k, u, r)
			}
		}
	}
}

// TestBoardIsTheBoard: at any place of the sheet there is the shade that the finder of boards expects there, in both
// formats; the board is in the middle, and its corners are a square's side apart on paper.
func TestBoardIsTheBoard(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, b := range append(boards, chess.Board{Cols: 3, Rows: 3, Square: 0.06, Marked: true}, chess.Board{Cols: 4, Rows: 3, Square: 0.0205}) {
		p, err := sheet.Board(b)
		if err != nil {
			t.Fatal(err)
		}
		mm := b.Square * 1000
		x0, y0 := p.Width/2-float64(b.Cols-1)/2*mm, p.Height/2-float64(b.Rows-1)/2*mm // of corner (0, 0)
		for format, shapes := range map[string][]shape{"SVG": readSVG(t, p), "PDF": readPDF(t, p)} {
			for range 3000 {
				u, v := (float64(b.Cols)+3)*rng.Float64()-2, (float64(b.Rows)+3)*rng.Float64()-2
				if nearEdge(b, u, v) {
					continue
				}
				if got, want := shade(shapes, x0+u*mm, y0+v*mm), b.Shade(u, v); got != want {
					t.Fatalf("%s of %+v: at (%.3f, %.3f) squares it is %g, want %g", format, b, u, v, got, want)
				}
			}
		}
	}
}

// nearEdge reports whether a place is so near to where the shade changes that a rounded micrometre decides.
func nearEdge(b chess.Board, u, v float64) bool {
	fu, fv := u-math.Floor(u), v-math.Floor(v)
	const e = 1e-3
	if fu < e || fu > 1-e || fv < e || fv > 1-e {
		return true
	}
	return b.Marked && math.Abs(math.Hypot(fu-0.5, fv-0.5)-chess.DiscRadius) < e
}

// TestPaper: A4 as long as the board and the border fit, A3 beyond, and an error with both measures when they do not.
func TestPaper(t *testing.T) {
	for _, c := range []struct {
		cols, rows int
		mm         float64
		width      float64 // 0: refused
	}{
		{9, 6, 27.7, 297},   // 277 × 193.9 mm, A4 holds 281 × 194
		{9, 6, 27.8, 420},   // 194.6 high
		{27, 9, 10, 297},    // 280 wide
		{28, 9, 10, 420},    // 290 wide
		{39, 20, 10, 420},   // 400 wide, A3 holds 404 × 281
		{40, 20, 10, 0},     // 410 wide
		{12, 6, 31.07, 420}, // 403.91 wide
		{20, 27, 10, 420},   // 280 high
		{20, 28, 10, 0},     // 290 high
		{9, 8, 31.222, 420}, // 280.998 high
		{9, 8, 31.223, 0},   // 281.007 high
		{9, 6, 0.11, 297},   // the smallest squares there are
		{3, 4, 9000, 0},     // larger than any paper
	} {
		p, err := sheet.Board(chess.Board{Cols: c.cols, Rows: c.rows, Square: c.mm / 1000})
		w, h := float64(c.cols+1)*c.mm, float64(c.rows+1)*c.mm
		if (err == nil) != (c.width > 0) || err == nil && p.Width != c.width {
			t.Errorf("%+v: page %+v, %v", c, p != nil, err)
		}
		if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("%.0f×%.0f mm", w, h)) {
			t.Errorf("%+v: %v names other measures", c, err)
		}
	}
}

// TestWhatStandsOnTheBoardsSheet: the text that says how large the squares are has the measured size in it.
func TestBoardSheetText(t *testing.T) {
	for square, want := range map[float64]string{0.024: "squares of 24 mm", 0.0205: "squares of 20.5 mm", 0.01: "squares of 10 mm"} {
		for _, marked := range []bool{false, true} {
			p, err := sheet.Board(chess.Board{Cols: 9, Rows: 6, Square: square, Marked: marked})
			if err != nil {
				t.Fatal(err)
			}
			shapes := readPDF(t, p)
			last := shapes[len(shapes)-1]
			if !strings.Contains(last.text, want) || strings.Contains(last.text, "marked") != marked || !strings.HasPrefix(last.text, "9x6 inner corners") {
				t.Errorf("%g m, marked %v: %q", square, marked, last.text)
			}
			if last.points[0][1] <= p.Height-8 || last.points[0][1] >= p.Height {
				t.Errorf("the text is at %v, not below the board", last.points[0])
			}
		}
	}
}

// TestWheelsToScale: on the sheet for the wheels the grid's lines are where their numbers say, the ruler is 150 mm
// long, and the outline is the robot's: 70 mm (GCtronic's figure of the body).
func TestWheelsToScale(t *testing.T) {
	p := sheet.Wheels()
	upright := map[float64]float64{} // widest line at an x, mm from the middle
	var circle, ruler []float64
	for _, s := range readSVG(t, p) {
		switch {
		case s.text != "":
		case s.curves != nil:
			x, y, r := s.middle()
			circle = []float64{x, y, 2 * r}
		case s.points[0][0] == p.Width-20 && s.points[0][1] == s.points[1][1]:
			ruler = append(ruler, s.points[0][1])
		case s.points[0][0] == s.points[1][0] && math.Abs(s.points[0][1]-s.points[1][1]) == 180:
			at := math.Round(1000*(s.points[0][0]-p.Width/2)) / 1000
			upright[at] = max(upright[at], s.line)
		}
	}
	if len(circle) != 3 || circle[0] != p.Width/2 || circle[1] != p.Height/2 || circle[2] != 70 {
		t.Errorf("outline %v", circle)
	}
	for k := -90; k <= 90; k++ {
		want := 0.05
		if k%10 == 0 {
			want = 0.15
		}
		if k%50 == 0 {
			want = 0.3
		}
		if upright[float64(k)] != want {
			t.Errorf("the line at %d mm is %g mm wide, want %g", k, upright[float64(k)], want)
		}
	}
	if len(upright) != 181 || len(ruler) != 151 || ruler[150]-ruler[0] != 150 {
		t.Errorf("%d lines, %d marks on the ruler", len(upright), len(ruler))
	}
}

// TestWheelsNumbers: each number next to the grid names its line; x grows to the right, y upwards.
func TestWheelsNumbers(t *testing.T) {
	p := sheet.Wheels()
	below, side := 0, 0
	for _, s := range readPDF(t, p) {
		v, err := strconv.ParseFloat(s.text, 64)
		x, y := s.points[0][0]-p.Width/2, p.Height/2-s.points[0][1]
		switch {
		case err != nil || s.size != 2.6: // text, or the ruler's
		case y < -92: // the lowest at the side is at −91
			if below++; math.Abs(x+2.5-v) > 1e-9 {
				t.Errorf("%q is at x = %g mm", s.text, x)
			}
		default:
			if side++; math.Abs(y+1-v) > 1e-9 {
				t.Errorf("%q is at y = %g mm", s.text, y)
			}
		}
	}
	if below != 18 || side != 18 {
		t.Errorf("%d numbers below, %d at the side", below, side)
	}
}

// TestScatter: both rings have one scale, that of the most distant point, and y is up; points that are no numbers are
// left out, and the others stay.
func TestScatter(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	for name, c := range map[string]struct {
		before, after [][2]float64
		scale         string
		want          [][2]float64 // mm
	}{
		"two":       {[][2]float64{{4, 0}}, [][2]float64{{0, 2}}, "4 mm", [][2]float64{{85, 52}, {135, 32}}},
		"below":     {[][2]float64{{-1, -2}}, nil, "2 mm", [][2]float64{{25, 92}}},
		"none":      {nil, nil, "1e-12 mm", nil},
		"all zero":  {[][2]float64{{0, 0}}, [][2]float64{{0, 0}}, "1e-12 mm", [][2]float64{{45, 52}, {135, 52}}},
		"no number": {[][2]float64{{nan, 1}, {1, 0}, {1, inf}}, [][2]float64{{0, 1}, {0, nan}}, "1 mm", [][2]float64{{85, 52}, {135, 12}}},
	} {
		p := sheet.Scatter(name, c.before, c.after, "mm")
		var got [][2]float64
		for _, s := range readSVG(t, p) {
			if s.curves != nil {
				x, y, _ := s.middle()
				got = append(got, [2]float64{math.Round(1e3*x) / 1e3, math.Round(1e3*y) / 1e3})
			}
			if strings.HasSuffix(s.text, " mm") && s.text != c.scale {
				t.Errorf("%s: the scale is %q, want %q", name, s.text, c.scale)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestAnyTextIsWellFormed: whatever bytes a text is made of, the SVG can be read, and the PDF's string ends where it
// should.
func TestAnyTextIsWellFormed(t *testing.T) {
	check := func(t judge, text string) {
		p := &sheet.Page{Width: 10, Height: 10}
		p.Text(1, 2, 3, text)
		p.Line(0, 0, 1, 1, 1)
		if svg, pdf := readSVG(t, p), readPDF(t, p); len(svg) != 2 || len(pdf) != 2 {
			t.Errorf("%q makes %d and %d shapes", text, len(svg), len(pdf))
		}
	}
	for _, text := range []string{"\x00", "\x1b[31m", "a\nb", "\xff\xfe", "\ufffe", "]]>", "\\", "(", "\\)", "ET", "\r", "\t", "漢字", "\U0001f916", "\ud7ff"} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.String().Draw(t, "text")) })
}

// TestPDFTextOfOtherScripts: what Latin-1 does not have becomes a question mark, one for each character.
func TestPDFTextOfOtherScripts(t *testing.T) {
	for text, want := range map[string]string{"漢字 µT": "?? µT", "a\tb": "a?b", "€": "?", "ÿ": "ÿ", "Ā": "?", "\x1f ": "? "} {
		p := &sheet.Page{Width: 10, Height: 10}
		p.Text(0, 0, 1, text)
		if got := readPDF(t, p)[0].text; got != want || utf8.RuneCountInString(got) != utf8.RuneCountInString(text) {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}

// TestFullDisk: an error of the writer comes back from both formats, wherever it strikes.
func TestFullDisk(t *testing.T) {
	p := sheet.Wheels()
	for format, write := range map[string]func(io.Writer) error{"SVG": p.SVG, "PDF": p.PDF} {
		var whole bytes.Buffer
		if err := write(&whole); err != nil {
			t.Fatal(err)
		}
		for _, room := range []int{0, 1, whole.Len() / 2, whole.Len() - 1} {
			if err := write(&stuck{room}); err != errStuck {
				t.Errorf("%s with space for %d bytes: %v", format, room, err)
			}
		}
		if err := write(&stuck{whole.Len()}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestPDFIsAsLargeAsThePaper: the media box is the page in points, 1/72 inch, and the viewer is asked not to scale it.
func TestPDFIsAsLargeAsThePaper(t *testing.T) {
	for _, c := range []struct {
		page *sheet.Page
		box  [2]float64
	}{
		{sheet.Wheels(), [2]float64{841.89, 595.276}}, // A4 in points, of ISO 216's 297 × 210 mm
		{&sheet.Page{Width: sheet.A3Width, Height: sheet.A3Height}, [2]float64{1190.551, 841.89}},
		{&sheet.Page{Width: 25.4, Height: 50.8}, [2]float64{72, 144}},
	} {
		var out bytes.Buffer
		if err := c.page.PDF(&out); err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`/MediaBox \[0 0 (\S+) (\S+)\]`).FindStringSubmatch(out.String())
		if m == nil || m[1] != fmt.Sprint(c.box[0]) || m[2] != fmt.Sprint(c.box[1]) {
			t.Errorf("media box %v, want %v", m, c.box)
		}
		if !strings.Contains(out.String(), "/PrintScaling /None") {
			t.Error("a viewer may fit the page")
		}
		if cm := regexp.MustCompile(`stream\n2\.834646 0 0 -2\.834646 0 (\S+) cm`).FindStringSubmatch(out.String()); cm == nil || cm[1] != m[2] {
			t.Errorf("the origin is not at the upper left: %v", cm)
		}
	}
}

// TestEmptyPage is a page without a drawing in both formats: nothing but paper.
func TestEmptyPage(t *testing.T) {
	p := &sheet.Page{Width: 10, Height: 20}
	if svg, pdf := readSVG(t, p), readPDF(t, p); len(svg)+len(pdf) > 0 {
		t.Errorf("%v, %v", svg, pdf)
	}
	var out bytes.Buffer
	if err := p.SVG(&out); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(out.Bytes(), new(struct{})); err != nil || !strings.Contains(out.String(), `fill="white"`) {
		t.Errorf("%v: %s", err, out.String())
	}
}
