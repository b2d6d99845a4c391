// SPDX-License-Identifier: Apache-2.0

package robots_test

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots"
)

// A device that moves to another link stays what it is.
func TestSquashedDevicesStayWhatTheyAre(t *testing.T) {
	shifted := robots.Pose{Position: r3.Vec{X: 1}}
	r := &robots.Robot{
		Links:  []robots.Link{{Name: "base"}, {Name: "head"}},
		Joints: []robots.Joint{{Name: "neck", Kind: robots.Fixed, Parent: "base", Child: "head", Origin: shifted}},
		Devices: []robots.Device{
			{Name: "radio", Kind: robots.Emitter, Link: "head", Subtype: "infra-red", Radio: &robots.Radio{Channel: 3, Range: 2}},
			{Name: "cell", Kind: robots.Battery, Link: "head", Energy: &robots.Energy{Now: 1, Most: 2, Charging: 3}},
			{Name: "lamp", Kind: robots.LED, Link: "head", Gradual: true, Colors: [][3]float64{{1, 0, 0}}},
			{Name: "coder", Kind: robots.Encoder, Link: "head", Joint: "neck", Resolution: .1},
		},
	}
	s := r.Squash(func(string) bool { return false })
	for i, got := range s.Devices {
		want := r.Devices[i]
		if want.Link, want.Pose = "base", got.Pose; !reflect.DeepEqual(got, want) || !got.Pose.Near(shifted, 1e-12, 1e-12) {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
}
