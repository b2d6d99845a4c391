// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// matrix is a rotation about the fixed axes x, y, z, by the textbook: independent of quaternions.
func matrix(roll, pitch, yaw float64) [3][3]float64 {
	sr, cr := math.Sincos(roll)
	sp, cp := math.Sincos(pitch)
	sy, cy := math.Sincos(yaw)
	return [3][3]float64{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr},
		{-sp, cp * sr, cp * cr},
	}
}

func times(m [3][3]float64, v r3.Vec) r3.Vec {
	row := func(i int) float64 { return m[i][0]*v.X + m[i][1]*v.Y + m[i][2]*v.Z }
	return r3.Vec{X: row(0), Y: row(1), Z: row(2)}
}

func vectors(t *rapid.T, name string) r3.Vec {
	f := rapid.Float64Range(-2, 2)
	return r3.Vec{X: f.Draw(t, name), Y: f.Draw(t, name), Z: f.Draw(t, name)}
}

func angles(t *rapid.T) (roll, pitch, yaw float64) {
	f := rapid.OneOf(rapid.Float64Range(-math.Pi, math.Pi), rapid.SampledFrom([]float64{0, math.Pi / 2, -math.Pi / 2, math.Pi, 1e-9}))
	return f.Draw(t, "roll"), f.Draw(t, "pitch"), f.Draw(t, "yaw")
}

// A pose turns and moves points as the matrix does, its angles are those of the same rotation, and its inverse takes
// all of it back.
func TestPoseAgainstMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, v := vectors(t, "at"), vectors(t, "v")
		roll, pitch, yaw := angles(t)
		p := description.FromRPY(at, roll, pitch, yaw)
		if d := r3.Norm(r3.Sub(p.Apply(v), r3.Add(at, times(matrix(roll, pitch, yaw), v)))); d > 1e-12 {
			t.Fatalf("%g from the matrix", d)
		}
		if again := description.FromRPY(p.Position, rpy(p)[0], rpy(p)[1], rpy(p)[2]); !again.Near(p, 1e-12, 2e-7) {
			t.Fatalf("%v, %v", rpy(p), again)
		}
		if back := p.Then(p.Inverse()); !back.Near(description.Pose{}, 1e-12, 1e-12) {
			t.Fatalf("%+v", back)
		}
		next := description.FromRPY(v, yaw, roll, pitch)
		if d := r3.Norm(r3.Sub(p.Then(next).Apply(at), p.Apply(next.Apply(at)))); d > 1e-12 {
			t.Fatalf("two poses: %g", d)
		}
	})
}

func rpy(p description.Pose) [3]float64 {
	roll, pitch, yaw := p.RPY()
	return [3]float64{roll, pitch, yaw}
}
