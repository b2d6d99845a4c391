// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
)

// NewVersionCommand returns the command that prints the version and the build of this program.
func NewVersionCommand(p *Program) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version and the build of this program",
		Long:    "Prints the version of this program, how it was built, whether it has the camera, and its transports.",
		Example: "  epuck-driver version\n  epuck-driver version --json",
		Args:    NoArguments,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, for programs and bug reports")
	cmd.RunE = func(*cobra.Command, []string) error {
		info := build.This()
		if !asJSON {
			info.Print(p.Out)
			return nil
		}
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(info)
	}
	return cmd
}
