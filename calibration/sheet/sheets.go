// SPDX-License-Identifier: Apache-2.0

package sheet

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/calibration/chess"
)

// Sizes of paper in landscape format, mm.
const (
	a4Width, a4Height = 297.0, 210.0
	a3Width, a3Height = 420.0, 297.0
	border            = 8.0 // margin that most printers do not print
)

// Board draws a board for the camera, with a border one square wide where there is space, on A4 or, if it does not
// fit, A3. The error matches chess.ErrBoard if the board is invalid; for a board too large for A3 it has both sizes
// in mm.
func Board(b chess.Board) (*Page, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	mm := b.Square * 1000
	w, h := float64(b.Cols+1)*mm, float64(b.Rows+1)*mm
	p := &Page{Width: a4Width, Height: a4Height}
	if w > a4Width-2*border || h > a4Height-2*border {
		p.Width, p.Height = a3Width, a3Height
	}
	if w > p.Width-2*border || h > p.Height-2*border {
		return nil, fmt.Errorf("%w: a board of %.0f×%.0f mm on A3, which holds %.0f×%.0f", errPage, w, h, a3Width-2*border, a3Height-2*border)
	}
	x0, y0 := (p.Width-w)/2, (p.Height-h)/2
	for row := -1; row < b.Rows; row++ {
		for col := -1; col < b.Cols; col++ {
			x, y := x0+float64(col+1)*mm, y0+float64(row+1)*mm
			black := b.Black(col, row)
			if black {
				p.Rect(x, y, mm, mm, 0)
			}
			if b.Disc(col, row) {
				g := 0.0
				if black {
					g = 1
				}
				p.Circle(x+mm/2, y+mm/2, chess.DiscRadius*mm, g, 0)
			}
		}
	}
	kind := ""
	if b.Marked {
		kind = " marked"
	}
	p.Text(x0, p.Height-border/2, 3, fmt.Sprintf("%dx%d inner corners%s, squares of %s mm: measure ten of them, print at 100 %%, glue it flat",
		b.Cols, b.Rows, kind, num(mm)))
	return p, nil
}

// Wheels draws the sheet for the wheels: a cross with the robot's outline at the start, heading right, a grid of
// millimetres around it from which the end of a run is read, and a ruler to check the printer's scale.
func Wheels() *Page {
	p := &Page{Width: a4Width, Height: a4Height}
	cx, cy := p.Width/2, p.Height/2
	const reach = 90.0
	for k := -int(reach); k <= int(reach); k++ {
		d, width := float64(k), 0.05
		switch {
		case k%50 == 0:
			width = 0.3
		case k%10 == 0:
			width = 0.15
		}
		p.Line(cx+d, cy-reach, cx+d, cy+reach, width)
		p.Line(cx-reach, cy+d, cx+reach, cy+d, width)
		if k%10 == 0 && k != 0 {
			p.Text(cx+d-2.5, cy+reach+4, 2.6, fmt.Sprint(k))
			p.Text(cx-reach-8, cy-d+1, 2.6, fmt.Sprint(k))
		}
	}
	p.Circle(cx, cy, 35, -1, 0.5)
	p.Line(cx-45, cy, cx+45, cy, 0.6)
	p.Line(cx, cy-45, cx, cy+45, 0.6)
	p.Line(cx+45, cy, cx+39, cy-3, 0.6)
	p.Line(cx+45, cy, cx+39, cy+3, 0.6)
	for k := -4; k <= 4; k++ { // headings, 5° apart
		a := float64(k) * 5 * math.Pi / 180
		p.Line(cx+36*math.Cos(a), cy-36*math.Sin(a), cx+39*math.Cos(a), cy-39*math.Sin(a), 0.2)
	}
	p.Text(cx+reach+3, cy+1, 3, "x (mm)")
	p.Text(cx-5, cy-reach-2, 3, "y (mm)")
	p.Text(cx-reach, p.Height-3, 3, "Start: wheels on the upright line, nose along the arrow. The ruler is 150 mm: print at 100 %.")
	ruler := p.Width - 20
	for k := range 151 {
		length := 2.0
		switch {
		case k%10 == 0:
			length = 5
		case k%5 == 0:
			length = 3.5
		}
		p.Line(ruler, 30+float64(k), ruler+length, 30+float64(k), 0.1)
		if k%50 == 0 {
			p.Text(ruler+6, 31+float64(k), 3, fmt.Sprint(k))
		}
	}
	return p
}

// Scatter plots points before and after a correction in two diagrams of the same scale next to each other. Points
// that are not finite are left out.
func Scatter(title string, before, after [][2]float64, unit string) *Page {
	p := &Page{Width: 180, Height: 100}
	limit := 1e-12
	for _, set := range [][][2]float64{before, after} {
		for _, q := range set {
			if usable(q) {
				limit = max(limit, math.Abs(q[0]), math.Abs(q[1]))
			}
		}
	}
	p.Text(5, 6, 4, title)
	for k, set := range [][][2]float64{before, after} {
		cx, cy, r := 45+90*float64(k), 52.0, 40.0
		p.Line(cx-r, cy, cx+r, cy, 0.2)
		p.Line(cx, cy-r, cx, cy+r, 0.2)
		p.Text(cx-10, 98, 3.5, []string{"before", "after"}[k])
		p.Text(cx+r-16, cy-1, 2.6, fmt.Sprintf("%.3g %s", limit, unit))
		for _, q := range set {
			if usable(q) {
				p.Circle(cx+q[0]/limit*r, cy-q[1]/limit*r, 0.5, 0.3, 0)
			}
		}
	}
	return p
}

func usable(q [2]float64) bool { return !math.IsNaN(q[0]-q[0]) && !math.IsNaN(q[1]-q[1]) } // Inf − Inf is NaN
