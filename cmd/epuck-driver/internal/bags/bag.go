// SPDX-License-Identifier: Apache-2.0

// Package bags implements the commands that record and play rosbag2's files.
package bags

import (
	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// NewCommand records and plays rosbag2's files.
func NewCommand(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bag",
		Short: "Record and play topics, in rosbag2's files",
		Long: "Records topics into MCAP files as rosbag2 writes them and plays them, without rosbag2: on the robot or any PC.\n" +
			"Foxglove, PlotJuggler and \"ros2 bag\" open the files.",
		Example: "  epuck-driver bag record --all -o run1\n  epuck-driver bag info run1\n  epuck-driver bag play run1 --rate 2",
	}
	cmd.AddCommand(newBagRecordCommand(p), newBagPlayCommand(p), newBagInfoCommand(p), newBagRecoverCommand(p))
	return cmd
}
