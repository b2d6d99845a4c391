// SPDX-License-Identifier: Apache-2.0

package service

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// wifiArgs returns the ROS arguments of a robot over Wi-Fi, whose pictures have a fixed size. The arguments of the
// command line follow and have precedence.
func wifiArgs(line []string) (ros2.Args, error) {
	words := []string{frame.ROSArgs, "-p", "camera.width:=160", "-p", "camera.height:=120"}
	if at := slices.Index(line, frame.ROSArgs); at >= 0 {
		words = append(words, line[at:]...)
	}
	args, _, err := ros2.ParseArgs(words)
	return args, err
}
