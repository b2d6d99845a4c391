// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
)

// newBagRecoverCommand returns the command that completes interrupted bags.
func newBagRecoverCommand(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "recover BAG",
		Short: "Complete a bag whose recording was interrupted",
		Long: "Completes the files of a bag, or one file, whose recording was interrupted, such as by a power cut. If only the end of\n" +
			"a file is missing it is added in place; a file with other damage is rewritten from what can be read, and the\n" +
			"old one kept as FILE.damaged. The folder gets its metadata.yaml. It prints what is lost, with its offset; then\n" +
			"the exit status is 1.",
		Example: "  epuck-driver bag recover run1",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return bagRecover(p, args[0]) },
	}
}

func bagRecover(p *frame.Program, path string) error {
	bar := tty.NewProgress(p.Err)
	done, err := bag.Recover(path, bar.Show)
	bar.End()
	lost := false
	for _, r := range done {
		switch {
		case r.Err != nil && r.Messages > 0:
			fmt.Fprintf(p.Out, "%s: only a part of %d messages can be read: %v\n", r.File, r.Messages, r.Err)
		case r.Err != nil:
			fmt.Fprintf(p.Out, "%s: nothing can be saved: %v\n", r.File, r.Err)
		case r.Whole:
			fmt.Fprintf(p.Out, "%s: intact, %d messages\n", r.File, r.Messages)
		case r.Rewritten:
			fmt.Fprintf(p.Out, "%s: rewritten with %d messages; the old file is %s\n", r.File, r.Messages, r.Kept)
		default:
			fmt.Fprintf(p.Out, "%s: completed, %d messages\n", r.File, r.Messages)
		}
		lost = lost || r.Err != nil || r.Rewritten
		for _, d := range r.Damage {
			fmt.Fprintf(p.Out, "  lost: %v\n", d)
		}
	}
	if err == nil && lost {
		return frame.StatusError(frame.ExitFailed)
	}
	return err
}
