// SPDX-License-Identifier: Apache-2.0

// Package boardview renders pictures of a chessboard by a camera of known intrinsics, for the tests of the
// calibration packages and of the program.
package boardview

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
)

// samples is the number of rays per pixel in each direction.
const samples = 4

// Camera renders pictures. Create one with [New].
type Camera struct {
	cam.Camera
	rays []float32 // x, y of each ray in the plane z = 1, samples² per pixel; NaN where the model can't be inverted
}

// New computes the directions of a camera's rays.
func New(c cam.Camera) *Camera {
	out := &Camera{Camera: c, rays: make([]float32, 0, c.Width*c.Height*samples*samples*2)}
	for v := range c.Height {
		for u := range c.Width {
			for k := range samples * samples {
				du, dv := (float64(k%samples)+0.5)/samples-0.5, (float64(k/samples)+0.5)/samples-0.5
				x, y, ok := c.Ray(float64(u)+du, float64(v)+dv)
				if !ok {
					x, y = math.NaN(), math.NaN()
				}
				out.rays = append(out.rays, float32(x), float32(y))
			}
		}
	}
	return out
}

// Place is the pose of a board in the camera's frame: rotation about x, y and z (rad), and the position of its centre
// (m).
type Place struct{ RX, RY, RZ, X, Y, Z float64 }

// axes returns the board's origin (corner (0, 0)) and its x and y directions in the camera's frame.
func (p Place) axes(b chess.Board) (o, ex, ey [3]float64) {
	sx, cx := math.Sincos(p.RX)
	sy, cy := math.Sincos(p.RY)
	sz, cz := math.Sincos(p.RZ)
	ex = [3]float64{cz * cy, sz * cy, -sy}
	ey = [3]float64{cz*sy*sx - sz*cx, sz*sy*sx + cz*cx, cy * sx}
	w, h := float64(b.Cols-1)/2*b.Square, float64(b.Rows-1)/2*b.Square
	for i, v := range [3]float64{p.X, p.Y, p.Z} {
		o[i] = v - w*ex[i] - h*ey[i]
	}
	return o, ex, ey
}

// Corner returns the pixel of a corner of the board; ok is false behind the camera.
func (c *Camera) Corner(b chess.Board, p Place, col, row int) (u, v float64, ok bool) {
	o, ex, ey := p.axes(b)
	x, y := float64(col)*b.Square, float64(row)*b.Square
	return c.Project(o[0]+x*ex[0]+y*ey[0], o[1]+x*ex[1]+y*ey[1], o[2]+x*ex[2]+y*ey[2])
}

// Light holds the grey levels of black, white and the background behind the board, 0 to 255, and the standard
// deviation of the noise.
type Light struct{ Black, White, Background, Noise float64 }

// Daylight returns typical values.
func Daylight() Light { return Light{30, 200, 110, 1.5} }

// Draw renders a board at a pose; the seed determines the noise.
func (c *Camera) Draw(b chess.Board, p Place, l Light, seed uint64) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
	o, ex, ey := p.axes(b)
	n := [3]float64{ex[1]*ey[2] - ex[2]*ey[1], ex[2]*ey[0] - ex[0]*ey[2], ex[0]*ey[1] - ex[1]*ey[0]}
	d := n[0]*o[0] + n[1]*o[1] + n[2]*o[2]
	rng := rand.New(rand.NewPCG(seed, 0x5eed))
	for i := range img.Pix {
		sum := 0.0
		for k := range samples * samples {
			sum += c.shade(b, l, o, ex, ey, n, d, c.rays[(i*samples*samples+k)*2:])
		}
		v := sum/(samples*samples) + l.Noise*rng.NormFloat64()
		img.Pix[i] = uint8(math.Max(0, math.Min(255, math.Round(v))))
	}
	return img
}

// margin is the width of the white border around the board, in squares.
const margin = 1.0

func (c *Camera) shade(b chess.Board, l Light, o, ex, ey, n [3]float64, d float64, ray []float32) float64 {
	x, y := float64(ray[0]), float64(ray[1])
	t := d / (n[0]*x + n[1]*y + n[2])
	if !(t > 0) {
		return l.Background
	}
	q := [3]float64{x*t - o[0], y*t - o[1], t - o[2]}
	bx := (q[0]*ex[0] + q[1]*ex[1] + q[2]*ex[2]) / b.Square
	by := (q[0]*ey[0] + q[1]*ey[1] + q[2]*ey[2]) / b.Square
	if bx < -1-margin || by < -1-margin || bx > float64(b.Cols)+margin || by > float64(b.Rows)+margin {
		return l.Background
	}
	return l.Black + (l.White-l.Black)*b.Shade(bx, by)
}
