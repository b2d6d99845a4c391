// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// The objects of a world, as markers for RViz, Foxglove or the page.
func ExampleMarkers() {
	w, err := sim.LoadWorld("arena")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range groundtruth.Markers(w).Markers {
		if m.NS == "cylinders" {
			fmt.Printf("cylinder at %.2f %.2f, %.2f m wide\n", m.Pose.Position.X, m.Pose.Position.Y, m.Scale.X)
		}
	}
	// Output: cylinder at -0.22 0.26, 0.08 m wide
}
