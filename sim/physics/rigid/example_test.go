// SPDX-License-Identifier: Apache-2.0

package rigid_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

// A robot pushes a puck for two seconds, at 0.1 m/s.
func Example() {
	puck := &rigid.Body{Shape: geom.NewDisc(geom.Vec{X: 0.06}, 0.02, 0.02), Mass: 0.02, Floor: 0.3, Surface: 0.3}
	robot := &rigid.Body{Shape: geom.NewDisc(geom.Vec{}, 0.035, 0.05), Mass: 0.13, Floor: 0.6, Surface: 0.3, Wheels: true, Drive: geom.Vec{X: 0.1}}
	var s rigid.Solver
	for range 200 {
		s.Step([]*rigid.Body{puck, robot}, fixtures{}, 0.01)
	}
	fmt.Printf("robot %.2f m, puck %.2f m\n", robot.Pose().X, puck.Pose().X)
	// Output:
	// robot 0.20 m, puck 0.25 m
}
