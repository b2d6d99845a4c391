// SPDX-License-Identifier: Apache-2.0

package rigid_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

// TestSameBitsOnEveryProcessor: boxes, discs and robots that push each other in an arena end where they end on amd64,
// to the last bit (make test-long runs this as ARMv6 code).
func TestSameBitsOnEveryProcessor(t *testing.T) {
	const want = "92339006e0ddddc96b3883f23b7b926b063adfc3333ab2f0846a0fb8a26545f2"
	var bodies []*rigid.Body
	for i := range 9 {
		x, y := 0.15*float64(i%3)-0.15, 0.15*float64(i/3)-0.15
		switch i % 3 {
		case 0:
			bodies = append(bodies, robot(x, y, 0.12, 0.05*float64(i-4)))
		case 1:
			bodies = append(bodies, box(x, y, 0.08, 0.05, 0.7*float64(i), 0.05, 0.3))
		default:
			bodies = append(bodies, disc(x, y, 0.03, 0.02, 0.2))
		}
	}
	pass(bodies, fixtures{geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 0.6, Y: 0.6}, 0.1)}, 5)
	sum := sha256.New()
	for _, b := range bodies {
		p := b.Pose()
		for _, v := range [6]float64{p.X, p.Y, p.Theta, b.Velocity.X, b.Velocity.Y, b.Spin} {
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
