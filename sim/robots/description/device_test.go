// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// A device that moves to another link stays what it is.
func TestSquashedDevicesStayWhatTheyAre(t *testing.T) {
	shifted := description.Pose{Position: r3.Vec{X: 1}}
	r := &description.Robot{
		Links:  []description.Link{{Name: "base"}, {Name: "head"}},
		Joints: []description.Joint{{Name: "neck", Kind: description.Fixed, Parent: "base", Child: "head", Origin: shifted}},
		Devices: []description.Device{
			{Name: "radio", Kind: description.Emitter, Link: "head", Subtype: "infra-red", Radio: &description.Radio{Channel: 3, Range: 2}},
			{Name: "cell", Kind: description.Battery, Link: "head", Energy: &description.Energy{Now: 1, Most: 2, Charging: 3}},
			{Name: "lamp", Kind: description.LED, Link: "head", Gradual: true, Colors: [][3]float64{{1, 0, 0}}},
			{Name: "coder", Kind: description.Encoder, Link: "head", Joint: "neck", Resolution: .1},
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
