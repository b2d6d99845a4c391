// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// RobotBus gives the value of the parameter i2c_bus that the arguments have for the driver's node, without making one.
// An error names the parameter or the argument.
func RobotBus(args ros2.Args) (string, error) {
	p, err := declared(args)
	if err != nil {
		return "", err
	}
	s, err := table.ReadSettings(p)
	if err != nil {
		return "", err
	}
	return s.Bus, nil
}

// CheckParameterFile reads a ROS 2 parameter file as the driver would and reports what it would refuse: what is no such
// file, and values of the wrong type or out of range.
func CheckParameterFile(path string) error {
	args, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", path})
	if err != nil {
		return err
	}
	p, err := declared(args)
	if err != nil {
		return err
	}
	_, err = table.ReadSettings(p)
	return err
}

// declared gives the driver's parameters as the arguments set them.
func declared(args ros2.Args) (*ros2.Parameters, error) {
	node, err := args.NodeName(NodeName, "")
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	p := ros2.NewParameters(args, node)
	return p, table.DeclareIn(p)
}
