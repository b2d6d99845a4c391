// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"math"
	"slices"
)

// ring holds the 16 pixels on a circle of radius 5 around a pixel.
var ring = [16][2]int{
	{0, -5}, {2, -5}, {3, -3}, {5, -2}, {5, 0}, {5, 2}, {3, 3}, {2, 5},
	{0, 5}, {-2, 5}, {-3, 3}, {-5, 2}, {-5, 0}, {-5, -2}, {-3, -3}, {-2, -5},
}

const ringRadius = 5

// candidate is a local maximum of the ChESS response.
type candidate struct {
	x, y     float64
	strength float64
}

// response returns the ChESS response at each pixel, 0 where it is negative. It is large where opposite pixels on the
// ring are alike, pixels at a right angle differ, and the centre is as bright as the ring's mean.
func (p *picture) response() []float32 {
	out := make([]float32, len(p.Pix))
	var off [16]int
	for i, o := range ring {
		off[i] = o[1]*p.W + o[0]
	}
	for y := ringRadius + 1; y < p.H-ringRadius-1; y++ {
		for x := ringRadius + 1; x < p.W-ringRadius-1; x++ {
			at := y*p.W + x
			var s [16]float32
			mean := float32(0)
			for i, o := range off {
				s[i] = p.Pix[at+o]
				mean += s[i]
			}
			sum, diff := float32(0), float32(0)
			for i := range 4 {
				sum += abs32(s[i] + s[i+8] - s[i+4] - s[i+12])
			}
			for i := range 8 {
				diff += abs32(s[i] - s[i+8])
			}
			local := (p.Pix[at] + p.Pix[at-1] + p.Pix[at+1] + p.Pix[at-p.W] + p.Pix[at+p.W]) / 5
			if r := sum - diff - 16*abs32(local-mean/16); r > 0 {
				out[at] = r
			}
		}
	}
	return out
}

func abs32(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}

const (
	maxCandidates = 2000
	minResponse   = 40 // about 5 grey levels of contrast
)

// candidates returns the local maxima of the response within a radius (px), strongest first.
func (p *picture) candidates(radius int) []candidate {
	r := p.response()
	var all []candidate
	for y := radius; y < p.H-radius; y++ {
		for x := radius; x < p.W-radius; x++ {
			v := r[y*p.W+x]
			if v < minResponse || !peak(r, p.W, x, y, radius) {
				continue
			}
			c := candidate{strength: float64(v)}
			c.x, c.y = vertex(r, p.W, x, y)
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		switch {
		case a.strength > b.strength:
			return -1
		case a.strength < b.strength:
			return 1
		}
		return 0
	})
	return all[:min(len(all), maxCandidates)]
}

// peak reports whether the response at (x, y) is the largest within radius; of equal ones the first counts.
func peak(r []float32, w, x, y, radius int) bool {
	v := r[y*w+x]
	for j := y - radius; j <= y+radius; j++ {
		for i, u := range r[j*w+x-radius:][:2*radius+1] {
			if u > v || u == v && (j < y || j == y && i < radius) {
				return false
			}
		}
	}
	return true
}

// vertex returns the maximum of the parabolas through a peak and its neighbours.
func vertex(r []float32, w, x, y int) (float64, float64) {
	top := func(a, b, c float32) float64 {
		if d := float64(a - 2*b + c); d < 0 {
			return math.Max(-0.5, math.Min(0.5, float64(a-c)/(2*d)))
		}
		return 0
	}
	at := y*w + x
	return float64(x) + top(r[at-1], r[at], r[at+1]), float64(y) + top(r[at-w], r[at], r[at+w])
}
