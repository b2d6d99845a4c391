// SPDX-License-Identifier: Apache-2.0

package description_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// TestPrefixed: every name of a link or joint has the prefix, no other, and the robot itself is as before.
func TestPrefixed(t *testing.T) {
	make := func(p string) *description.Robot {
		return &description.Robot{
			Name:  "r",
			Links: []description.Link{{Name: p + "base"}, {Name: p + "wheel"}, {Name: p + "other"}},
			Joints: []description.Joint{
				{Name: p + "left", Parent: p + "base", Child: p + "wheel"},
				{Name: p + "right", Parent: p + "base", Child: p + "other", Mimic: &description.Mimic{Joint: p + "left", Multiplier: 1}},
			},
			Devices: []description.Device{{Name: "ps0", Link: p + "base"}, {Name: "motor", Link: p + "wheel", Joint: p + "left", Topic: "m"}, {Name: "free"}},
			Drive:   &description.Drive{Left: []string{p + "left"}, Right: []string{p + "right"}, CommandTopic: "cmd_vel"},
		}
	}
	r := make("")
	if diff := cmp.Diff(make("a/"), r.Prefixed("a/")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(make(""), r); diff != "" {
		t.Errorf("the robot was changed:\n%s", diff)
	}
	if got := (&description.Robot{Name: "none"}).Prefixed("a/"); got.Drive != nil || got.Name != "none" {
		t.Errorf("%+v", got)
	}
}
