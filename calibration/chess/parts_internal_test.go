// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// painted makes a grey picture of a function of the position, each pixel the mean of 64 samples.
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

// TestDetectNamesEachCorner: whatever the placement of a board, each corner gets its own column and row and its
// position to a fraction of a pixel: a board that is turned round is not taken for one that is not.
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
	if n := len(v.Corners); n < minCorners || n >= b.Cols*b.Rows {
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
