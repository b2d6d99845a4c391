// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func TestPush(t *testing.T) {
	disc := geom.NewDisc(geom.Vec{X: 1}, 0.5, 1)
	box := geom.NewBox(geom.Vec{X: 1}, geom.Vec{X: 1, Y: 2}, 0, 1)
	arena := geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 2, Y: 2}, 1)
	narrow := geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 0.1, Y: 2}, 1)
	for _, c := range []struct {
		name  string
		shape geom.Shape
		at    geom.Vec
		want  geom.Vec
	}{
		{"free of disc", disc, geom.Vec{X: 0.2}, geom.Vec{}},
		{"touching disc", disc, geom.Vec{X: 0.25, Y: 0}, geom.Vec{}},
		{"in disc", disc, geom.Vec{X: 0.5}, geom.Vec{X: -0.25}},
		{"centre of disc", disc, geom.Vec{X: 1}, geom.Vec{X: 0.75}},
		{"free of box", box, geom.Vec{X: 0.2}, geom.Vec{}},
		{"at side of box", box, geom.Vec{X: 0.3, Y: 0.4}, geom.Vec{X: -0.05}},
		{"at top of box", box, geom.Vec{X: 1, Y: 1.1}, geom.Vec{Y: 0.15}},
		{"at corner of box", box, geom.Vec{X: 0.41, Y: 1.12}, geom.Vec{X: -0.06, Y: 0.08}},
		{"in box", box, geom.Vec{X: 0.6, Y: 0.1}, geom.Vec{X: -0.35}},
		{"free in arena", arena, geom.Vec{X: 0.7}, geom.Vec{}},
		{"at wall of arena", arena, geom.Vec{X: 0.8}, geom.Vec{X: -0.05}},
		{"in corner of arena", arena, geom.Vec{X: -0.9, Y: 0.9}, geom.Vec{X: 0.15, Y: -0.15}},
		{"arena too narrow", narrow, geom.Vec{X: 0.01}, geom.Vec{X: -0.01}},
	} {
		const radius = 0.25
		got, hit := c.shape.Push(c.at, radius)
		if hit != (c.want != geom.Vec{}) || !(got.Sub(c.want).Norm() <= 1e-12) {
			t.Errorf("%s: push %v (%v), want %v", c.name, got, hit, c.want)
		}
	}
}

// One push is enough, and it is never longer than needed.
func TestPushFreesTheCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapeNear(t)
		p := vec(t, "p")
		r := rapid.Float64Range(0.01, 0.3).Draw(t, "radius")
		v, hit := s.Push(p, r)
		if !hit {
			return
		}
		if left, still := s.Push(p.Add(v), r); still && left.Norm() > 1e-9 {
			t.Fatalf("pushed by %v it still overlaps by %v", v, left)
		}
		if left, still := s.Push(p.Add(v.Scale(0.99)), r); !still && v.Norm() > 1e-9 {
			t.Fatalf("99 %% of the push %v frees it already (%v)", v, left)
		}
	})
}

// Near must never say no to a shape that a circle of that radius touches.
func TestNearIsNeverWronglyFalse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapeNear(t)
		p := vec(t, "p")
		r := rapid.Float64Range(0.01, 1).Draw(t, "radius")
		if _, hit := s.Push(p, r*0.999); hit && !s.Near(p, r) {
			t.Fatal("touched but not near")
		}
	})
}

func TestPushDiscs(t *testing.T) {
	v, hit := geom.PushDiscs(geom.Vec{X: 0.03}, geom.Vec{}, 0.074)
	if !hit || math.Abs(v.X-0.044) > 1e-15 || v.Y != 0 {
		t.Errorf("push %v (%v), want (0.044, 0)", v, hit)
	}
}
