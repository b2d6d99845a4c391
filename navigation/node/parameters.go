// SPDX-License-Identifier: Apache-2.0

package node

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// declare declares the navigator's parameters, whose names are Nav2's, and stores their values in the configuration,
// whose values are the defaults.
func declare(n *ros2.Node, c *navigation.Config) error {
	*c = c.WithDefaults()
	allowance, budget, settle := c.MovementAllowance.Seconds(), c.ApproachTimeout.Seconds(), c.SettleTime.Seconds()
	for _, p := range []struct {
		name, description string
		value             *float64
		least, most       float64
	}{
		{"general_goal_checker.xy_goal_tolerance", "tolerance of the position within which a goal counts as reached, m", &c.GoalTolerance, 1e-3, 10},
		{"general_goal_checker.yaw_goal_tolerance", "tolerance of the heading within which a goal counts as reached, rad", &c.HeadingTolerance, 1e-3, 4},
		{"general_goal_checker.settle_time", "time for which the robot tries to reach the goal more exactly than the tolerances, s", &settle, 0.05, 60},
		{"progress_checker.required_movement_radius", "distance by which the robot must move within movement_time_allowance, else it is stuck, m", &c.MovementRadius, 1e-3, 10},
		{"progress_checker.movement_time_allowance", "time within which the robot must move by required_movement_radius, s", &allowance, 0.1, 3600},
		{"GridBased.tolerance", "largest distance of the nearest free position from a goal that is too near to an obstacle, m; 0 or less disables it", &c.Planner.Tolerance, -1, 10},
		{"goal_timeout", "time after which a goal is given up, plus twice the time of its path, s", &budget, 1, 1e6},
	} {
		v, err := n.DeclareParameter(ros2.ParameterDescriptor{
			Name: p.name, Default: ros2.DoubleValue(*p.value), Description: p.description, ReadOnly: true,
			FloatRange: &ros2.FloatRange{From: min(p.least, *p.value), To: max(p.most, *p.value)},
		})
		if err != nil {
			return err
		}
		*p.value = v.Double()
	}
	if c.Planner.Tolerance == 0 { // the parameter 0 disables it, the zero value of the configuration is the default
		c.Planner.Tolerance = -1
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	c.MovementAllowance, c.ApproachTimeout, c.SettleTime = seconds(allowance), seconds(budget), seconds(settle)
	return nil
}
