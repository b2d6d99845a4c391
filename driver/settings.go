// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// watchSettings applies every change of the node's parameters; cancel ends it.
func (d *Driver) watchSettings() (cancel func()) {
	unguard := d.node.Parameters().OnSet(func(changes []ros2.Parameter) error {
		_, err := table.CheckSettings(d.node.Parameters(), changes)
		return err
	})
	unwatch := d.node.Parameters().OnChange(func(ros2.ParameterEvent) {
		s, err := table.ReadSettings(d.node.Parameters())
		if err != nil {
			return // a parameter was undeclared: keep the previous settings
		}
		before := d.settings.Swap(s)
		d.loop.SetTimeout(s.Timeout)
		if before.Pictures != s.Pictures && d.pictures != nil {
			if err := d.pictures.Apply(context.Background(), s.Pictures); err != nil {
				d.log.Error("can't apply the camera's parameters", "error", err)
			}
		}
	})
	return func() { unwatch(); unguard() }
}

// watchPictures rejects parameter values that the camera does not support; cancel ends it.
func (d *Driver) watchPictures() (cancel func()) {
	p := d.node.Parameters()
	return p.OnSet(func(changes []ros2.Parameter) error {
		if d.pictures == nil {
			return nil
		}
		s, err := table.CheckSettings(p, changes)
		if err != nil || s.Pictures.Pipeline == d.settings.Load().Pictures.Pipeline {
			return err
		}
		return d.pictures.Check(context.Background(), s.Pictures.Pipeline)
	})
}

// RobotBus returns the value that the arguments set for the parameter i2c_bus of the driver's node, without creating a
// node. An error names the parameter or the argument.
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

// CheckParameterFile checks a ROS 2 parameter file: its format, and types and ranges of the driver's parameters.
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

// declared returns the driver's parameters as set by the arguments.
func declared(args ros2.Args) (*ros2.Parameters, error) {
	node, err := args.NodeName(NodeName, "")
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	p := ros2.NewParameters(args, node)
	return p, table.DeclareIn(p)
}
