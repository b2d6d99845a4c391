// SPDX-License-Identifier: Apache-2.0

package orderlog

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

var errNotHere = errors.New("this program, for ARMv6, has no --order: it is in the programs for PCs (amd64, arm64)")

// NewDiff returns a command that returns errNotHere.
func NewDiff(*frame.Program) *cobra.Command { return frame.Elsewhere("order-diff", errNotHere) }
