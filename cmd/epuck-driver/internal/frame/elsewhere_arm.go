// SPDX-License-Identifier: Apache-2.0

package frame

import "github.com/spf13/cobra"

// Elsewhere returns a command that is not in this program and fails with the reason.
func Elsewhere(name string, why error) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: "Not in this program, but in those for PCs", DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return why },
	}
}
