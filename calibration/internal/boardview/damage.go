// SPDX-License-Identifier: Apache-2.0

package boardview

import (
	"image"
	"math"
	"math/rand/v2"
)

// Damage is a kind of degradation of a picture of a board.
type Damage string

// The kinds of degradation.
const (
	Defocus   Damage = "defocus"
	Motion    Damage = "motion"
	Glare     Damage = "glare"
	Grain     Damage = "grain"
	Occlusion Damage = "occlusion"
	Shadow    Damage = "shadow"
)

// Damages returns all kinds.
func Damages() []Damage { return []Damage{Defocus, Motion, Glare, Grain, Occlusion, Shadow} }

// Spoil degrades a picture in place; the seed determines how much, from slightly to badly.
func Spoil(g *image.Gray, d Damage, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0xbad))
	switch d {
	case Defocus:
		blur(g, 0.8+4*rng.Float64(), 0.8+4*rng.Float64())
	case Motion:
		drag(g, 3+15*rng.Float64(), math.Pi*rng.Float64())
	case Glare:
		for range 1 + rng.IntN(3) {
			glare(g, rng)
		}
	case Grain:
		sigma := 8 + 50*rng.Float64()
		each(g, func(_, _ int, v float64) float64 { return v + sigma*rng.NormFloat64() })
	case Occlusion:
		for range 1 + rng.IntN(3) {
			cover(g, rng)
		}
	case Shadow:
		a, b, dark := 2*math.Pi*rng.Float64(), (rng.Float64()-0.5)*300, 0.2+0.4*rng.Float64()
		sin, cos := math.Sincos(a)
		w, h := float64(g.Rect.Dx())/2, float64(g.Rect.Dy())/2
		each(g, func(x, y int, v float64) float64 {
			t := (float64(x)-w)*cos + (float64(y)-h)*sin - b
			return v * (1 - (1-dark)*0.5*(1+math.Tanh(t/3)))
		})
	}
}

func each(g *image.Gray, f func(x, y int, v float64) float64) {
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			at := y*g.Stride + x
			g.Pix[at] = uint8(math.Max(0, math.Min(255, math.Round(f(x, y, float64(g.Pix[at]))))))
		}
	}
}

// blur applies a Gaussian blur with standard deviations for x and y, px.
func blur(g *image.Gray, sx, sy float64) {
	pass := func(sigma float64, dx, dy int) {
		r := int(3*sigma + 1)
		src := append([]uint8(nil), g.Pix...)
		each(g, func(x, y int, _ float64) float64 {
			sum, weight := 0.0, 0.0
			for k := -r; k <= r; k++ {
				i, j := x+k*dx, y+k*dy
				if i < 0 || j < 0 || i >= g.Rect.Dx() || j >= g.Rect.Dy() {
					continue
				}
				w := math.Exp(-float64(k*k) / (2 * sigma * sigma))
				sum, weight = sum+w*float64(src[j*g.Stride+i]), weight+w
			}
			return sum / weight
		})
	}
	pass(sx, 1, 0)
	pass(sy, 0, 1)
}

// drag applies motion blur: the mean along a line of a length (px) and an angle (rad).
func drag(g *image.Gray, length, angle float64) {
	src := append([]uint8(nil), g.Pix...)
	sin, cos := math.Sincos(angle)
	n := int(length) + 1
	each(g, func(x, y int, _ float64) float64 {
		sum, count := 0.0, 0.0
		for k := range n {
			t := (float64(k)/float64(max(n-1, 1)) - 0.5) * length
			i, j := int(math.Round(float64(x)+t*cos)), int(math.Round(float64(y)+t*sin))
			if i >= 0 && j >= 0 && i < g.Rect.Dx() && j < g.Rect.Dy() {
				sum, count = sum+float64(src[j*g.Stride+i]), count+1
			}
		}
		return sum / count
	})
}

// glare adds the reflection of a lamp: white in the centre, fading outwards.
func glare(g *image.Gray, rng *rand.Rand) {
	x0, y0 := rng.Float64()*float64(g.Rect.Dx()), rng.Float64()*float64(g.Rect.Dy())
	rx, ry := 15+90*rng.Float64(), 15+60*rng.Float64()
	each(g, func(x, y int, v float64) float64 {
		dx, dy := (float64(x)-x0)/rx, (float64(y)-y0)/ry
		return v + 400*math.Exp(-(dx*dx+dy*dy)*1.5)
	})
}

// cover draws a bar of one shade over the picture, such as a finger, a cable or a sheet of paper.
func cover(g *image.Gray, rng *rand.Rand) {
	x0, y0 := rng.Float64()*float64(g.Rect.Dx()), rng.Float64()*float64(g.Rect.Dy())
	half, long := 3+35*rng.Float64(), 40+400*rng.Float64()
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	shade := 20 + 220*rng.Float64()
	each(g, func(x, y int, v float64) float64 {
		dx, dy := float64(x)-x0, float64(y)-y0
		t, s := dx*cos+dy*sin, -dx*sin+dy*cos
		if t < 0 || t > long || math.Abs(s) > half {
			return v
		}
		return shade + 3*rng.NormFloat64()
	})
}
