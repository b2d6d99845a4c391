// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// painted makes a grey picture of a function of the place, each pixel the mean of 64 places in it.
func painted(w, h int, shade func(x, y float64) float64) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sum := 0.0
			for k := range 64 {
				sum += shade(float64(x)+(float64(k%8)-3.5)/8, float64(y)+(float64(k/8)-3.5)/8)
			}
			g.Pix[y*g.Stride+x] = uint8(math.Round(40 + 170*sum/64))
		}
	}
	return g
}

// scene is the placement of a flat board in a picture: turned and moved, squares of so many pixels.
type scene struct {
	angle, size, x, y float64 // rad, px, px of corner (0, 0)
}

func (s scene) corner(col, row int) (x, y float64) {
	sin, cos := math.Sincos(s.angle)
	u, v := s.size*float64(col), s.size*float64(row)
	return s.x + u*cos - v*sin, s.y + u*sin + v*cos
}

func (s scene) paint(b Board, w, h int) *image.Gray {
	sin, cos := math.Sincos(s.angle)
	return painted(w, h, func(x, y float64) float64 {
		dx, dy := (x-s.x)/s.size, (y-s.y)/s.size
		return b.Shade(dx*cos+dy*sin, -dx*sin+dy*cos)
	})
}

// middle puts the middle of a board into the middle of a picture.
func middle(b Board, angle, size float64, w, h int) scene {
	s := scene{angle: angle, size: size}
	x, y := s.corner(b.Cols-1, b.Rows-1)
	s.x, s.y = (float64(w)-x)/2, (float64(h)-y)/2
	return s
}

// TestDetectNamesEachCorner: whatever the placement of a board, each corner gets its own column and row and its place
// to a fraction of a pixel: a board that is turned round is not taken for one that is not.
func TestDetectNamesEachCorner(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, b := range []Board{{Cols: 6, Rows: 5, Square: 0.02}, {Cols: 6, Rows: 5, Square: 0.02, Marked: true}, {Cols: 5, Rows: 5, Square: 0.02, Marked: true}} {
		for quarter := range 4 {
			angle := float64(quarter)*math.Pi/2 + 0.5*(rng.Float64()-0.5)
			s := middle(b, angle, 15+4*rng.Float64(), 190, 180)
			v, err := Detect(s.paint(b, 190, 180), b)
			if err != nil {
				t.Errorf("%+v at %.2f rad: %v", b, angle, err)
				continue
			}
			if len(v.Corners) != b.Cols*b.Rows || len(v.Rejected) > 0 {
				t.Errorf("%+v at %.2f rad: %d corners, %d rejected", b, angle, len(v.Corners), len(v.Rejected))
			}
			for i, c := range v.Corners {
				x, y := s.corner(c.Col, c.Row)
				if d := math.Hypot(c.X-x, c.Y-y); d > 0.2 {
					t.Fatalf("%+v at %.2f rad: corner (%d, %d) is %.2f px off", b, angle, c.Col, c.Row, d)
				}
				if i > 0 && (c.Row*100+c.Col <= v.Corners[i-1].Row*100+v.Corners[i-1].Col) {
					t.Fatalf("corners are not in the order of rows: %v", v.Corners)
				}
			}
		}
	}
}

// TestDetectSaysWhyNot: what is no board, not all of it, or another one, has its reason.
func TestDetectSaysWhyNot(t *testing.T) {
	plain, marked := Board{Cols: 6, Rows: 5, Square: 0.02}, Board{Cols: 6, Rows: 5, Square: 0.02, Marked: true}
	blank := func(float64, float64) float64 { return 0.5 }
	half := middle(plain, 0, 16, 190, 180)
	half.x -= 70
	for name, c := range map[string]struct {
		picture *image.Gray
		board   Board
		want    error
		text    string
	}{
		"no board":           {image.NewGray(image.Rect(0, 0, 100, 100)), Board{}, ErrBoard, "0×0 inner corners"},
		"too narrow":         {image.NewGray(image.Rect(0, 0, 63, 100)), plain, ErrNotFound, "63×100 pixels is too small"},
		"too low":            {image.NewGray(image.Rect(0, 0, 100, 63)), plain, ErrNotFound, "100×63 pixels is too small"},
		"blank":              {painted(100, 100, blank), plain, ErrNotFound, "nothing looks like the corners"},
		"stripes":            {painted(100, 100, func(x, _ float64) float64 { return float64(int(x/10) % 2) }), plain, ErrNotFound, "nothing looks like the corners"},
		"half of it":         {half.paint(plain, 190, 180), plain, ErrNotFound, "all of it must be seen"},
		"another size":       {middle(plain, 0, 16, 190, 180).paint(plain, 190, 180), Board{Cols: 7, Rows: 5, Square: 0.02}, ErrNotFound, "the board has 7×5"},
		"discs are missing":  {middle(plain, 0, 16, 190, 180).paint(plain, 190, 180), marked, ErrNotFound, "seen 0 times"},
		"a negative, marked": {negative(middle(marked, 0, 16, 190, 180), marked), marked, ErrNotFound, "wrong colours"},
		"too small":          {middle(plain, 0.1, 3, 190, 180).paint(plain, 190, 180), plain, ErrNotFound, ""},
	} {
		v, err := Detect(c.picture, c.board)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || v != nil {
			t.Errorf("%s: %v, want %q", name, err, c.text)
		}
	}
}

// negative exchanges black and white.
func negative(s scene, b Board) *image.Gray {
	g := s.paint(b, 190, 180)
	for i, v := range g.Pix {
		g.Pix[i] = 255 - v
	}
	return g
}

// TestNegativeOfAPlainBoard: it is the board itself turned round, or one whose ends both are white: its corners are as
// good, and are named from one end or the other.
func TestNegativeOfAPlainBoard(t *testing.T) {
	for _, b := range []Board{{Cols: 6, Rows: 5, Square: 0.02}, {Cols: 7, Rows: 5, Square: 0.02}} {
		s := middle(b, 0.2, 16, 190, 180)
		v, err := Detect(negative(s, b), b)
		if err != nil {
			t.Fatalf("%+v: %v", b, err)
		}
		turned := 0
		for _, c := range v.Corners {
			x, y := s.corner(c.Col, c.Row)
			if math.Hypot(c.X-x, c.Y-y) > 0.2 {
				turned++
				x, y = s.corner(b.Cols-1-c.Col, b.Rows-1-c.Row)
			}
			if d := math.Hypot(c.X-x, c.Y-y); d > 0.2 {
				t.Errorf("%+v: corner (%d, %d) is %.2f px off", b, c.Col, c.Row, d)
			}
		}
		if turned != 0 && turned != b.Cols*b.Rows-b.Cols*b.Rows%2 || turned == 0 && (b.Cols+b.Rows)%2 == 1 {
			t.Errorf("%+v: %d of %d corners are named from the other end", b, turned, len(v.Corners))
		}
	}
}

// TestMarkedBoardPartly: of a marked board a part is enough if the discs are in it, and each corner keeps its name.
func TestMarkedBoardPartly(t *testing.T) {
	b := Board{Cols: 9, Rows: 8, Square: 0.02, Marked: true}
	s := middle(b, 0.1, 20, 160, 140) // larger than the picture
	v, err := Detect(s.paint(b, 160, 140), b)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(v.Corners); n < leastCorners || n >= b.Cols*b.Rows {
		t.Errorf("%d corners", n)
	}
	for _, c := range v.Corners {
		if x, y := s.corner(c.Col, c.Row); math.Hypot(c.X-x, c.Y-y) > 0.15 {
			t.Errorf("corner (%d, %d) is at (%.2f, %.2f), want (%.2f, %.2f)", c.Col, c.Row, c.X, c.Y, x, y)
		}
		if c.X < edgeMargin-1 || c.Y < edgeMargin-1 || c.X > 160-edgeMargin || c.Y > 140-edgeMargin {
			t.Errorf("corner %+v is too near to the edge", c)
		}
	}
}

// TestCoveredCornerIsRejected: a thumb on a corner takes that one out with a reason, not its neighbours' places.
func TestCoveredCornerIsRejected(t *testing.T) {
	b := Board{Cols: 9, Rows: 8, Square: 0.02, Marked: true}
	s := middle(b, 0, 18, 200, 180)
	x, y := s.corner(1, 1)
	g := s.paint(b, 200, 180)
	for j := range 180 {
		for i := range 200 {
			if math.Hypot(float64(i)-x-4, float64(j)-y-3) < 7 {
				g.Pix[j*g.Stride+i] = 128
			}
		}
	}
	v, err := Detect(g, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Corners {
		if c.Col == 1 && c.Row == 1 {
			t.Errorf("the covered corner is believed: %+v", c)
		}
		if x, y := s.corner(c.Col, c.Row); math.Hypot(c.X-x, c.Y-y) > 0.3 {
			t.Errorf("corner (%d, %d) is %.2f px off", c.Col, c.Row, math.Hypot(c.X-x, c.Y-y))
		}
	}
	for _, r := range v.Rejected {
		if r.Why == "" {
			t.Errorf("%+v has no reason", r)
		}
	}
}

// TestPictureOfAPart: a picture cut out of a larger one has its own rows, not its neighbour's.
func TestPictureOfAPart(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 20, 10))
	for i := range g.Pix {
		g.Pix[i] = uint8(i)
	}
	part := g.SubImage(image.Rect(3, 2, 9, 7)).(*image.Gray)
	p := newPicture(part)
	if p.W != 6 || p.H != 5 {
		t.Fatalf("%d×%d", p.W, p.H)
	}
	for y := range 5 {
		for x := range 6 {
			if want := float32(g.GrayAt(x+3, y+2).Y); p.Pix[y*6+x] != want {
				t.Errorf("pixel (%d, %d) is %g, want %g", x, y, p.Pix[y*6+x], want)
			}
		}
	}
}

// TestInterpolation: it is exact for what is linear along each axis, and knows where the picture ends.
func TestInterpolation(t *testing.T) {
	p := &picture{W: 8, H: 6, Pix: make([]float32, 48)}
	plane := func(x, y float64) float64 { return 3 + 2*x - 5*y + 0.5*x*y }
	for i := range p.Pix {
		p.Pix[i] = float32(plane(float64(i%8), float64(i/8)))
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-2, 9).Draw(t, "x"), rapid.Float64Range(-2, 7).Draw(t, "y")
		v, ok := p.at(x, y)
		if want := x >= 0 && y >= 0 && x < 7 && y < 5; ok != want {
			t.Fatalf("(%g, %g) is inside: %v", x, y, ok)
		}
		if ok && math.Abs(v-plane(x, y)) > 1e-4 {
			t.Fatalf("(%g, %g) is %g, want %g", x, y, v, plane(x, y))
		}
	})
	for _, bad := range [][2]float64{{math.NaN(), 1}, {1, math.NaN()}, {math.Inf(1), 1}, {1, math.Inf(-1)}} {
		if _, ok := p.at(bad[0], bad[1]); ok {
			t.Errorf("%v is a place", bad)
		}
	}
}

// TestSmooth: one colour stays, a point becomes a Gaussian bell of the same sum and the right width.
func TestSmooth(t *testing.T) {
	flat := &picture{W: 9, H: 7, Pix: make([]float32, 63)}
	for i := range flat.Pix {
		flat.Pix[i] = 77
	}
	for i, v := range flat.smooth(1.3).Pix {
		if math.Abs(float64(v)-77) > 1e-3 {
			t.Fatalf("pixel %d of one colour is %g", i, v)
		}
	}
	for _, sigma := range []float64{0.7, 0.8, 1.5, 2.5} {
		p := &picture{W: 41, H: 31, Pix: make([]float32, 41*31)}
		p.Pix[15*41+20] = 1000
		var sum, xx, yy float64
		for i, v := range p.smooth(sigma).Pix {
			dx, dy := float64(i%41-20), float64(i/41-15)
			sum, xx, yy = sum+float64(v), xx+dx*dx*float64(v), yy+dy*dy*float64(v)
		}
		if math.Abs(sum-1000) > 0.1 || math.Abs(math.Sqrt(xx/sum)-sigma) > 0.03*sigma || math.Abs(xx-yy) > 1e-2*xx {
			t.Errorf("σ %g: sum %g, widths %g and %g", sigma, sum, math.Sqrt(xx/sum), math.Sqrt(yy/sum))
		}
	}
}

// TestHalf: each pixel is the mean of four; an odd row or column at the end is left out.
func TestHalf(t *testing.T) {
	for _, size := range [][2]int{{4, 4}, {5, 4}, {4, 5}, {7, 3}} {
		p := &picture{W: size[0], H: size[1], Pix: make([]float32, size[0]*size[1])}
		for i := range p.Pix {
			p.Pix[i] = float32(i * i % 31)
		}
		h := p.half()
		if h.W != p.W/2 || h.H != p.H/2 {
			t.Fatalf("%v: %d×%d", size, h.W, h.H)
		}
		for y := range h.H {
			for x := range h.W {
				sum := float32(0)
				for k := range 4 {
					sum += p.Pix[(2*y+k/2)*p.W+2*x+k%2]
				}
				if got := h.Pix[y*h.W+x]; got != sum/4 {
					t.Errorf("%v: (%d, %d) is %g, want %g", size, x, y, got, sum/4)
				}
			}
		}
	}
}

// TestRefineFindsTheSaddle: from anywhere near by, at any angle of the edges, to a tenth of a pixel; on an edge, on
// one colour and at the picture's end it says that there is none.
func TestRefineFindsTheSaddle(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 40 {
		x0, y0, a := 20+rng.Float64(), 20+rng.Float64(), math.Pi*rng.Float64()
		sin, cos := math.Sincos(a)
		g := painted(41, 41, func(x, y float64) float64 {
			u, v := (x-x0)*cos+(y-y0)*sin, -(x-x0)*sin+(y-y0)*cos
			return math.Round(0.5 + 0.5*math.Copysign(1, u*v))
		})
		p := newPicture(g).smooth(0.7)
		x, y, ok := p.refine(x0+2*rng.Float64()-1, y0+2*rng.Float64()-1, 6, 3)
		if d := math.Hypot(x-x0, y-y0); !ok || d > 0.1 {
			t.Errorf("(%.2f, %.2f) at %.2f rad: (%.2f, %.2f), %v", x0, y0, a, x, y, ok)
		}
		if _, _, ok := p.refine(x0+1, y0, 6, 0.5); ok {
			t.Error("it goes beyond its limit")
		}
	}
	edge := newPicture(painted(41, 41, func(x, _ float64) float64 { return math.Copysign(0.5, x-20.3) + 0.5 }))
	flat := newPicture(painted(41, 41, func(float64, float64) float64 { return 0.3 }))
	for name, c := range map[string]struct {
		p    *picture
		x, y float64
	}{"an edge": {edge, 20, 20}, "one colour": {flat, 20, 20}, "the left end": {edge, 3, 20}, "the lower end": {edge, 20, 38}} {
		if x, y, ok := c.p.refine(c.x, c.y, 5, 4); ok || x != c.x || y != c.y {
			t.Errorf("%s: (%g, %g), %v", name, x, y, ok)
		}
	}
}

// TestResponse: a corner of squares answers most at its own pixel, whatever its angle; edges, stripes, discs and single
// pixels do not answer like it.
func TestResponse(t *testing.T) {
	strongest := func(shade func(x, y float64) float64) (x, y int, most float32) {
		p := newPicture(painted(41, 41, shade)).smooth(0.8)
		for i, v := range p.response() {
			if v > most {
				x, y, most = i%41, i/41, v
			}
		}
		return x, y, most
	}
	step := func(v float64) float64 { return 0.5 + math.Copysign(0.5, v) }
	least := float32(math.MaxFloat32)
	for k := range 16 {
		sin, cos := math.Sincos(math.Pi * float64(k) / 16)
		x, y, most := strongest(func(x, y float64) float64 {
			return step(((x-20)*cos + (y-20)*sin) * ((y-20)*cos - (x-20)*sin))
		})
		if x < 19 || x > 21 || y < 19 || y > 21 {
			t.Errorf("at %d/16 of a turn: (%d, %d)", k, x, y)
		}
		least = min(least, most)
	}
	if least < leastResponse {
		t.Errorf("a corner answers %g, the least that counts is %d", least, leastResponse)
	}
	for name, shade := range map[string]func(x, y float64) float64{
		"an edge":    func(x, _ float64) float64 { return step(x - 20) },
		"a line":     func(x, _ float64) float64 { return step(1.5 - math.Abs(x-20)) },
		"a disc":     func(x, y float64) float64 { return step(6 - math.Hypot(x-20, y-20)) },
		"a point":    func(x, y float64) float64 { return step(1 - math.Hypot(x-20, y-20)) },
		"a slope":    func(x, y float64) float64 { return (x + y) / 80 },
		"one colour": func(float64, float64) float64 { return 1 },
	} {
		if x, y, most := strongest(shade); most > least/4 {
			t.Errorf("%s answers %g at (%d, %d), a corner at least %g", name, most, x, y, least)
		}
	}
}

// TestVertex: the top of a parabola is found between the pixels, and never farther than half of one away.
func TestVertex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x0, y0 := rapid.Float64Range(4.5, 5.5).Draw(t, "x"), rapid.Float64Range(4.5, 5.5).Draw(t, "y")
		r := make([]float32, 100)
		for i := range r {
			dx, dy := float64(i%10)-x0, float64(i/10)-y0
			r[i] = float32(100 - 3*dx*dx - 7*dy*dy)
		}
		if x, y := vertex(r, 10, 5, 5); math.Abs(x-x0) > 1e-3 || math.Abs(y-y0) > 1e-3 {
			t.Fatalf("(%g, %g), want (%g, %g)", x, y, x0, y0)
		}
	})
	if x, y := vertex(make([]float32, 9), 3, 1, 1); x != 1 || y != 1 {
		t.Errorf("of a plain: (%g, %g)", x, y)
	}
}

// TestPeakOfEquals: of pixels that are equal the first alone is a peak, so that one corner is one candidate.
func TestPeakOfEquals(t *testing.T) {
	r := make([]float32, 15*15)
	for y := 6; y < 9; y++ {
		for x := 6; x < 9; x++ {
			r[y*15+x] = 50
		}
	}
	n := 0
	for y := 4; y < 11; y++ {
		for x := 4; x < 11; x++ {
			if r[y*15+x] > 0 && peak(r, 15, x, y, 4) {
				if n++; x != 6 || y != 6 {
					t.Errorf("(%d, %d) is a peak", x, y)
				}
			}
		}
	}
	if n != 1 {
		t.Errorf("%d peaks", n)
	}
}

// TestTurnsGoRound: four quarter turns are none, each keeps distances and handedness; the square without a disc comes
// down to the left.
func TestTurnsGoRound(t *testing.T) {
	for times := range 4 {
		tr := turn{cell{3, -2}, times}
		o, right, down := tr.apply(cell{3, -2}), tr.apply(cell{4, -2}), tr.apply(cell{3, -1})
		if o != (cell{}) || right.i*down.j-right.j*down.i != 1 {
			t.Errorf("%d: %v, %v, %v", times, o, right, down)
		}
	}
	for k := range 4 {
		tr := turn{cell{}, 0}.missing(k)
		// The middle of square k, in half squares, must come to that of the one down to the left.
		x, y := [4]int{-1, 1, 1, -1}[k], [4]int{-1, -1, 1, 1}[k]
		for range tr.times {
			x, y = -y, x
		}
		if x != -1 || y != 1 {
			t.Errorf("square %d comes to (%d, %d) half squares", k, x, y)
		}
	}
}

// TestBoards: which boards there can be, with what is wrong in the error.
func TestBoards(t *testing.T) {
	for _, c := range []struct {
		b    Board
		text string
	}{
		{Board{3, 4, 0.01, false}, ""}, {Board{40, 39, 9.99, false}, ""}, {Board{3, 3, 0.01, true}, ""}, {Board{4, 6, 0.00011, false}, ""},
		{Board{2, 4, 0.01, false}, "2×4 inner corners"}, {Board{4, 2, 0.01, false}, "4×2 inner corners"},
		{Board{41, 4, 0.01, false}, "41×4 inner corners"}, {Board{4, 41, 0.01, true}, "4×41 inner corners"},
		{Board{-3, 4, 0.01, false}, "-3×4"}, {Board{4, 5, 0.0001, false}, "squares of 0.0001 m"}, {Board{4, 5, 10, false}, "squares of 10 m"},
		{Board{4, 5, -1, false}, "squares of -1 m"}, {Board{4, 5, math.NaN(), false}, "squares of NaN m"}, {Board{4, 5, math.Inf(1), false}, "squares of +Inf m"},
		{Board{5, 5, 0.01, false}, "look the same from all sides"},
	} {
		err := c.b.Check()
		if (err == nil) != (c.text == "") || err != nil && (!errors.Is(err, ErrBoard) || !strings.Contains(err.Error(), c.text)) {
			t.Errorf("%+v: %v, want %q", c.b, err, c.text)
		}
	}
}

// TestShadeHasOneCentre: a marked board has three discs and they name one corner; none of its turns looks like itself.
func TestShadeHasOneCentre(t *testing.T) {
	for _, size := range [][2]int{{3, 3}, {4, 4}, {6, 5}, {13, 9}} {
		b := Board{Cols: size[0], Rows: size[1], Square: 0.02, Marked: true}
		discs := 0
		for row := -1; row < b.Rows; row++ {
			for col := -1; col < b.Cols; col++ {
				mid, off := b.Shade(float64(col)+0.5, float64(row)+0.5), b.Shade(float64(col)+0.1, float64(row)+0.1)
				if b.Disc(col, row) != (mid != off) {
					t.Errorf("%v: square (%d, %d): disc %v, shades %g and %g", size, col, row, b.Disc(col, row), mid, off)
				}
				if b.Disc(col, row) {
					discs++
				}
			}
		}
		if discs != 3 {
			t.Errorf("%v: %d discs", size, discs)
		}
		for _, outside := range [][2]float64{{-1.01, 0}, {0, -1.01}, {float64(b.Cols), 0}, {0, float64(b.Rows)}} {
			if b.Shade(outside[0], outside[1]) != 1 {
				t.Errorf("%v: black outside at %v", size, outside)
			}
		}
	}
}
