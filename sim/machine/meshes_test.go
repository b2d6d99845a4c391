// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestBodyOfMeshesIsRefused: the files of meshes are not opened, so the size of such a body is not known.
func TestBodyOfMeshesIsRefused(t *testing.T) {
	mesh := []description.Shape{{Kind: description.Mesh, URI: "package://a/b.stl"}}
	for name, link := range map[string]description.Link{
		"collisions": {Name: "a", Collisions: mesh}, "visuals": {Name: "a", Visuals: mesh}, "both": {Name: "a", Visuals: mesh, Collisions: mesh},
	} {
		if _, err := New(&description.Robot{Name: "r", Links: []description.Link{link}}, &world.Robot{}, nil, noise.New(1)); !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := checkSolids(&description.Robot{Links: []description.Link{{Visuals: mesh, Collisions: []description.Shape{{Kind: description.Sphere, Radius: 1}}}}}); err != nil {
		t.Error(err)
	}
}
