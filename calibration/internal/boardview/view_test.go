// SPDX-License-Identifier: Apache-2.0

package boardview

import (
	"bytes"
	"image"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
)

var (
	lens  = New(cam.Camera{Width: 160, Height: 120, Model: cam.PlumbBob, FX: 140, FY: 140, CX: 80, CY: 60, D: []float64{-0.1, 0.02, 0, 0, 0}})
	board = chess.Board{Cols: 5, Rows: 4, Square: 0.03}
	front = Place{Z: 0.25}
	quiet = Light{Black: 30, White: 200, Background: 110}
)

func TestBoardIsWhereItWasPut(t *testing.T) {
	for _, p := range []Place{front, {RX: 0.3, Z: 0.3}, {RY: -0.4, X: 0.01, Z: 0.3}, {RZ: 0.5, Y: 0.01, Z: 0.28}} {
		picture := lens.Draw(board, p, quiet, 1)
		for col := range board.Cols {
			for row := range board.Rows {
				u, v, ok := lens.Corner(board, p, col, row)
				if !ok {
					t.Fatalf("%+v: the corner %d, %d is not seen", p, col, row)
				}
				if !saddle(picture, u, v) {
					t.Errorf("%+v: no corner at %.1f, %.1f", p, u, v)
				}
			}
		}
	}
}

// saddle reports whether opposite sides of a place are alike and neighbours are not: going round it the picture turns
// from dark to bright four times.
func saddle(g *image.Gray, u, v float64) bool {
	const n, radius = 64, 4.5
	turns, last := 0, false
	for i := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / n)
		bright := g.GrayAt(int(math.Round(u+radius*cos)), int(math.Round(v+radius*sin))).Y > 115
		if i > 0 && bright != last {
			turns++
		}
		last = bright
	}
	return turns == 4
}

func TestMiddleOfTheBoardIsAtItsPlace(t *testing.T) {
	odd := chess.Board{Cols: 5, Rows: 5, Square: 0.03}
	u, v, ok := lens.Corner(odd, front, 2, 2)
	if !ok || math.Abs(u-80) > 1e-9 || math.Abs(v-60) > 1e-9 {
		t.Errorf("the middle is at %v, %v", u, v)
	}
}

func TestLightIsAsAsked(t *testing.T) {
	seen := map[uint8]int{}
	for _, y := range lens.Draw(board, Place{Z: 0.5}, quiet, 1).Pix {
		seen[y]++
	}
	for _, level := range []uint8{30, 110, 200} {
		if seen[level] < 100 {
			t.Errorf("%d pixels of the level %d", seen[level], level)
		}
	}
	behind := lens.Draw(board, Place{Z: -0.5}, quiet, 1).Pix
	if n := bytes.Count(behind, []byte{110}); n != len(behind) {
		t.Errorf("a board behind the camera is seen in %d pixels", len(behind)-n)
	}
}

func TestPicturesAreOfTheirSeed(t *testing.T) {
	a, again := lens.Draw(board, front, Daylight(), 7), lens.Draw(board, front, Daylight(), 7)
	if !bytes.Equal(a.Pix, again.Pix) {
		t.Error("a seed draws two pictures")
	}
	if other := lens.Draw(board, front, Daylight(), 8); bytes.Equal(a.Pix, other.Pix) {
		t.Error("two seeds draw the same noise")
	}
}

// Damages damage: the picture differs, by its seed, and keeps its size.
func TestDamages(t *testing.T) {
	clean := lens.Draw(board, front, quiet, 1)
	for _, d := range Damages() {
		spoilt := func(seed uint64) *image.Gray {
			g := image.NewGray(clean.Rect)
			copy(g.Pix, clean.Pix)
			Spoil(g, d, seed)
			return g
		}
		a, again, other := spoilt(3), spoilt(3), spoilt(4)
		switch {
		case a.Rect != clean.Rect:
			t.Errorf("%s: the picture is %v", d, a.Rect)
		case bytes.Equal(a.Pix, clean.Pix):
			t.Errorf("%s: the picture is as before", d)
		case !bytes.Equal(a.Pix, again.Pix):
			t.Errorf("%s: a seed makes two pictures", d)
		case bytes.Equal(a.Pix, other.Pix):
			t.Errorf("%s: two seeds make one picture", d)
		}
	}
	g := image.NewGray(clean.Rect)
	copy(g.Pix, clean.Pix)
	if Spoil(g, "none", 1); !bytes.Equal(g.Pix, clean.Pix) {
		t.Error("a damage that does not exist changes the picture")
	}
}

// contrast is the mean step from a pixel to the next.
func contrast(g *image.Gray) float64 {
	sum := 0.0
	for i := 1; i < len(g.Pix); i++ {
		sum += math.Abs(float64(g.Pix[i]) - float64(g.Pix[i-1]))
	}
	return sum / float64(len(g.Pix))
}

func TestWhatDamagesDo(t *testing.T) {
	clean := lens.Draw(board, front, quiet, 1)
	mean := func(g *image.Gray) (sum float64) {
		for _, y := range g.Pix {
			sum += float64(y)
		}
		return sum / float64(len(g.Pix))
	}
	for _, c := range []struct {
		d    Damage
		does func(spoilt *image.Gray) bool
	}{
		{Defocus, func(g *image.Gray) bool { return contrast(g) < contrast(clean) }},
		{Motion, func(g *image.Gray) bool { return contrast(g) < contrast(clean) }},
		{Grain, func(g *image.Gray) bool { return contrast(g) > contrast(clean) }},
		{Glare, func(g *image.Gray) bool { return mean(g) > mean(clean) }},
		{Shadow, func(g *image.Gray) bool { return mean(g) < mean(clean) }},
	} {
		for seed := range uint64(5) {
			g := image.NewGray(clean.Rect)
			copy(g.Pix, clean.Pix)
			if Spoil(g, c.d, seed); !c.does(g) {
				t.Errorf("%s with seed %d does not do what it says", c.d, seed)
			}
		}
	}
}
