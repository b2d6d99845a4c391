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
	wifi := ""
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the driver on this robot",
		Long: "Runs the driver on the robot that this machine sits on, until it is interrupted. Then the wheels stand.\n" +
			"Without a robot it fails and says what it looked for. The system service is this command with --wait.\n\n" +
			"With --wifi the robot is an e-puck2 without a Raspberry Pi, which this machine reaches over Wi-Fi: its selector\n" +
			"stands at 15 (F). It has the same topics, services and parameters, as far as its protocol has the data. A robot\n" +
			"out of reach keeps its last speeds, and stands as soon as it is reached again.",
		Example: "  epuck-driver run\n" +
			"  epuck-driver run --wifi 192.168.1.20\n" +
			"  epuck-driver run --wait --ros-args --params-file /etc/epuck-driver/params.yaml -r __ns:=/robot1",
		Args: noArguments,
	}
	cmd.Flags().DurationVar(&sv.duration, "for", 0, "end after this time; 0: no such end")
	cmd.Flags().BoolVar(&sv.wait, "wait", false, "wait for a robot that does not answer, instead of failing")
	cmd.Flags().StringVar(&wifi, "wifi", "", "the robot at `HOST[:PORT]` over Wi-Fi, instead of the one this machine sits on")
	sv.site.flags(cmd.Flags(), "")
	on := p.joinsNetwork(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p.detach(cmd.Context())
		sv.args, sv.on = p.ros, *on
		if wifi != "" {
			args, err := wifiArgs(p.line)
			if err != nil {
				return err
			}
			sv.args, sv.open = args, openWifi(wifi)
		}
		sv.ready = func(n *ros2.Node, d *driver.Driver) error { return sv.found(cmd.Context(), n, d) }
		return sv.run(cmd.Context(), p.streams)
	}
	return cmd
}
