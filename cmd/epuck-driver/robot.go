// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// newRunCommand runs the driver on the robot this machine sits on. Without one it fails: hardware is never simulated
// silently.
func newRunCommand(p *program) *cobra.Command {
	sv := service{open: openRobot}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the driver on this robot",
		Long: "Runs the driver on the robot that this machine sits on, until it is interrupted. Then the wheels stand.\n" +
			"Without a robot it fails and says what it looked for. The system service is this command with --wait.",
		Example: "  epuck-driver run\n" +
			"  epuck-driver run --wait --ros-args --params-file /etc/epuck-driver/params.yaml -r __ns:=/robot1",
		Args: noArguments,
	}
	cmd.Flags().DurationVar(&sv.duration, "for", 0, "end after this time; 0: no such end")
	cmd.Flags().BoolVar(&sv.wait, "wait", false, "wait for a robot that does not answer, instead of failing")
	sv.site.flags(cmd.Flags(), "")
	on := p.joinsNetwork(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p.detach(cmd.Context())
		sv.args, sv.on = p.ros, *on
		sv.ready = func(n *ros2.Node, d *driver.Driver) error { return sv.found(cmd.Context(), n, d) }
		return sv.run(cmd.Context(), p.streams)
	}
	return cmd
}
