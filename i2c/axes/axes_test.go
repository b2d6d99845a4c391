// SPDX-License-Identifier: Apache-2.0

package axes

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestRotation(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []float64
		ok   bool
	}{
		{"identity", []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, true},
		{"the facts'", []float64{0, -1, 0, 1, 0, 0, 0, 0, 1}, true},
		{"30° with three digits", []float64{0.866, -0.5, 0, 0.5, 0.866, 0, 0, 0, 1}, true},
		{"the old driver's, a reflection", []float64{0, 1, 0, 1, 0, 0, 0, 0, 1}, false},
		{"a mirror", []float64{-1, 0, 0, 0, 1, 0, 0, 0, 1}, false},
		{"zero", make([]float64, 9), false},
		{"scaled", []float64{2, 0, 0, 0, 2, 0, 0, 0, 2}, false},
		{"sheared", []float64{1, 0.1, 0, 0, 1, 0, 0, 0, 1}, false},
		{"not a number", []float64{math.NaN(), 0, 0, 0, 1, 0, 0, 0, 1}, false},
		{"too short", []float64{1, 0, 0, 0, 1, 0, 0, 0}, false},
	} {
		_, err := RotationOf(c.rows)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrRotation) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, good := range []Rotation{Identity(), {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}} {
		if err := good.Check(); err != nil {
			t.Error(err)
		}
	}
	r := Rotation{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}
	if got := r.Apply([3]float64{1, 2, 3}); got != [3]float64{-2, 1, 3} {
		t.Error(got)
	}
}

// TestRotationProperty: every product of turns about the axes is a rotation and keeps lengths; with one row turned
// round it is none.
func TestRotationProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rotation{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		for axis := range 3 {
			a := rapid.Float64Range(-4, 4).Draw(t, "angle")
			s, c := math.Sincos(a)
			for j := range 3 {
				u, v := (axis+1)%3, (axis+2)%3
				r[u][j], r[v][j] = c*r[u][j]-s*r[v][j], s*r[u][j]+c*r[v][j]
			}
		}
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		v := r.Apply([3]float64{1, 2, 2})
		if n := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]); math.Abs(n-3) > 1e-9 {
			t.Fatalf("length %g", n)
		}
		row := rapid.IntRange(0, 2).Draw(t, "row")
		for j := range 3 {
			r[row][j] = -r[row][j]
		}
		if err := r.Check(); !errors.Is(err, ErrRotation) {
			t.Fatal("a reflection passes")
		}
	})
}

// A chip soldered in turned left by 90°: its x is the robot's y.
func ExampleRotationOf() {
	r, err := RotationOf([]float64{0, -1, 0, 1, 0, 0, 0, 0, 1})
	fmt.Println(r.Apply([3]float64{1, 0, 0}), err)
	_, err = RotationOf([]float64{0, 1, 0, 1, 0, 0, 0, 0, 1})
	fmt.Println(err)
	// Output:
	// [0 1 0] <nil>
	// axes: not a rotation matrix: determinant -1, a reflection
}

func TestInverseUndoesARotation(t *testing.T) {
	r, err := RotationOf([]float64{0, 0, 1, 1, 0, 0, 0, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	v, back := [3]float64{1, 2, 3}, r.Inverse()
	if got := back.Apply(r.Apply(v)); got != v {
		t.Errorf("%v becomes %v", v, got)
	}
}
