// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// fallingTable draws a table of a sensor that answers less the farther something is.
func fallingTable(t *rapid.T) description.Table {
	q, v := rapid.Float64Range(0.01, 0.1).Draw(t, "least"), 4000.0
	table := description.Table{{Quantity: q, Value: v}}
	for range rapid.IntRange(1, 6).Draw(t, "rows") {
		q += rapid.Float64Range(0.01, 0.5).Draw(t, "step")
		v -= rapid.Float64Range(10, 600).Draw(t, "fall")
		table = append(table, description.Row{Quantity: q, Value: v})
	}
	return table
}

// A table is turned around: what it answers to a distance means that distance, what is above its first row is too near,
// and what is not more than its last row is nothing, be the range of the sensor the table's or its own.
func TestMetresTurnTheTableAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := fallingTable(t)
		first, last := table[0], table[len(table)-1]
		d := &description.Device{Kind: description.Infrared, Table: table}
		if rapid.Bool().Draw(t, "own range") {
			high := first.Quantity + rapid.Float64Range(0.5, 1).Draw(t, "reach")*(last.Quantity-first.Quantity)
			d.Range = &description.Range{Min: first.Quantity, Max: high}
		}
		low, high := span(d)
		part := rapid.Float64Range(0.001, 0.999).Draw(t, "part")
		want := low + part*(high-low)
		value, _ := table.Answer(want)
		if got := metres(d, value); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%g means %g m, not %g", value, got, want)
		}
		if got := metres(d, first.Value+1); !math.IsInf(got, -1) {
			t.Fatalf("above the first row: %g", got)
		}
		end, _ := table.Answer(high)
		for _, v := range []float64{end, end - 1, end - 1000} {
			if got := metres(d, v); !math.IsInf(got, 1) {
				t.Fatalf("%g, of nothing %g: %g", v, end, got)
			}
		}
	})
}

// What differs from the answer to nothing by no more than three deviations of all noise is nothing: that of the table,
// that of the device, its share of the value and its mean.
func TestMetresWithNoise(t *testing.T) {
	table := description.Table{{Quantity: 0, Value: 1000}, {Quantity: 1, Value: 100, Noise: 0.02}}
	for name, c := range map[string]struct {
		noise  description.Noise
		middle float64 // of what nothing gives
		width  float64 // three deviations
	}{
		"the table's":    {description.Noise{}, 100, 6},
		"and its own":    {description.Noise{Deviation: 3}, 100, 15},
		"and a share":    {description.Noise{Deviation: 3, Relative: 0.05}, 100, 30},
		"with a mean":    {description.Noise{Mean: 40}, 140, 6},
		"a mean below 0": {description.Noise{Mean: -40, Deviation: 1}, 60, 9},
	} {
		d := &description.Device{Kind: description.Infrared, Table: table, Noise: c.noise}
		for _, off := range []float64{-0.99, 0, 0.99} {
			if got := metres(d, c.middle+off*c.width); !math.IsInf(got, 1) {
				t.Errorf("%s: %g times the width from nothing: %g", name, off, got)
			}
		}
		above := max(100, c.middle) + 1.01*c.width
		if got, want := metres(d, above), 1-(above-100)/900; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g is %g m, not %g", name, above, got, want)
		}
	}
	if low, high := span(&description.Device{}); low != 0 || !math.IsInf(high, 1) {
		t.Errorf("of nothing known: %g to %g", low, high)
	}
}

// The ray of a scan in which a distance is goes to the point that the sensor sees, as near as 24 rays can.
func TestFeelersMeetRays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "turn")
		s := feeler{
			at: r3.Vec{X: rapid.Float64Range(-0.1, 0.1).Draw(t, "x"), Y: rapid.Float64Range(-0.1, 0.1).Draw(t, "y"), Z: 0.05},
			to: r3.Vec{X: math.Cos(turn), Y: math.Sin(turn)},
		}
		r := rapid.Float64Range(0.01, 2).Draw(t, "r")
		ray, way := s.meets(r, 5)
		x, y := s.at.X+r*math.Cos(turn), s.at.Y+r*math.Sin(turn)
		angle := -math.Pi + float64(ray)*scanStep
		apart := math.Abs(math.Remainder(math.Atan2(y, x)-angle, 2*math.Pi))
		if ray < 0 || ray >= scanRays || math.Abs(way*way-x*x-y*y) > 1e-9 || apart > scanStep/2+1e-9 {
			t.Fatalf("ray %d, %g m: %g rad away from (%g, %g)", ray, way, apart, x, y)
		}
		far, none := s.meets(math.Inf(1), 1000)
		if apart := math.Abs(math.Remainder(turn-(-math.Pi+float64(far)*scanStep), 2*math.Pi)); apart > scanStep/2+1e-3 || !math.IsInf(none, 1) {
			t.Fatalf("nothing seen: ray %d, %g", far, none)
		}
		if _, near := s.meets(math.Inf(-1), 5); !math.IsInf(near, -1) {
			t.Fatalf("too near: %g", near)
		}
	})
}

// The rotation of a message turns vectors as turning about x, then y, then z does.
func TestTurned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := [3]float64{}
		for i, axis := range [3]string{"roll", "pitch", "yaw"} {
			a[i] = rapid.Float64Range(-math.Pi, math.Pi).Draw(t, axis)
		}
		v := [3]float64{1, -2, 3}
		for i, angle := range a { // about each axis: the two others turn
			j, k := (i+1)%3, (i+2)%3
			s, c := math.Sincos(angle)
			v[j], v[k] = c*v[j]-s*v[k], s*v[j]+c*v[k]
		}
		q := turned(a[0], a[1], a[2])
		u, p := r3.Vec{X: q.X, Y: q.Y, Z: q.Z}, r3.Vec{X: 1, Y: -2, Z: 3}
		twice := r3.Scale(2, r3.Cross(u, p))
		got := r3.Add(p, r3.Add(r3.Scale(q.W, twice), r3.Cross(u, twice)))
		if r3.Norm(r3.Sub(got, r3.Vec{X: v[0], Y: v[1], Z: v[2]})) > 1e-9 {
			t.Fatalf("%v, not %v", got, v)
		}
	})
}
