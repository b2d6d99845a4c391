// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/acceptance"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/bags"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/calibrations"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/driving"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/keys"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simulate"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/studies"
)

// commandGroups are the groups of commands in the order of the help.
func commandGroups() []frame.Group {
	return []frame.Group{
		{ID: "robot", Title: "The robot:", Commands: []frame.Maker{
			simulate.NewCommand, service.NewRunCommand, service.NewStopCommand, service.NewDoctorCommand, acceptance.NewCommand, studies.NewExperimentCommand,
			calibrations.NewCommand, studies.NewEstimateCommand, studies.NewRobotsCommand,
		}},
		{ID: "network", Title: "Any ROS 2 network:", Commands: []frame.Maker{
			driving.NewDriveCommand, driving.NewTeleopCommand, page.NewCommand, bags.NewCommand, driving.NewMapCommand,
			driving.NewGotoCommand, driving.NewPathCommand, driving.NewNavigateCommand,
		}, More: network.ShellCommands},
		{ID: "program", Title: "This program:", Commands: []frame.Maker{
			keys.NewCommand, frame.NewCompletionCommand, frame.NewManCommand, frame.NewVersionCommand,
		}},
	}
}
