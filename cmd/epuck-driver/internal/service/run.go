// SPDX-License-Identifier: Apache-2.0

package service

import (
	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// NewRunCommand returns the command that runs the driver on the robot this machine is mounted on. Without a robot it
// fails: it never falls back to a simulation.
func NewRunCommand(p *frame.Program) *cobra.Command {
	sv := Service{Open: hardware.OpenRobot}
	wifi := ""
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the driver on this robot",
		Long: "Runs the driver on the robot that this machine sits on, until it is interrupted. Then it stops the wheels.\n" +
			"Without a robot it fails and says what it looked for. The system service is this command with --wait.\n\n" +
			"With --wifi the robot is an e-puck2 without a Raspberry Pi, which this machine reaches over Wi-Fi: its selector\n" +
			"is at 15 (F). It has the same topics, services and parameters, as far as its protocol has the data. A robot\n" +
			"out of reach keeps its last speeds, and stops as soon as it is reached again.",
		Example: "  epuck-driver run\n" +
			"  epuck-driver run --wifi 192.168.1.20\n" +
			"  epuck-driver run --wait --ros-args --params-file /etc/epuck-driver/params.yaml -r __ns:=/robot1",
		Args: frame.NoArguments,
	}
	cmd.Flags().DurationVar(&sv.Duration, "for", 0, "end after this time; 0: no such end")
	cmd.Flags().BoolVar(&sv.wait, "wait", false, "wait for a robot that does not answer, instead of failing")
	cmd.Flags().StringVar(&wifi, "wifi", "", "the robot at `HOST[:PORT]` over Wi-Fi, instead of the one this machine sits on")
	sv.Site.Flags(cmd.Flags(), "")
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p.Detach(cmd.Context(), nil)
		sv.Args, sv.On = p.ROS, *on
		if wifi != "" {
			args, err := wifiArgs(p.Line)
			if err != nil {
				return err
			}
			sv.Args, sv.Open = args, hardware.OpenWifi(wifi)
		}
		sv.Ready = func(n *ros2.Node, d *driver.Driver) error { return sv.probe(cmd.Context(), n, d) }
		return sv.Run(cmd.Context(), p.Streams)
	}
	return cmd
}
