// SPDX-License-Identifier: Apache-2.0

package calibrations

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	notes "github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
)

// newCalibrateShowCommand returns the command that prints a robot's calibrations.
func newCalibrateShowCommand(p *frame.Program) *cobra.Command {
	c := &calibration{}
	file := ""
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what was calibrated, when, and with what uncertainty",
		Long: "Prints the calibrations of the running driver, with age and uncertainty; with --file it reads a parameter\n" +
			"file instead. The exit status is 1 if something was never calibrated, or too long ago.",
		Example: "  epuck-driver calibrate show\n" +
			"  epuck-driver calibrate show --ros-args -r __ns:=/robot1\n" +
			"  epuck-driver calibrate show --file /etc/epuck-driver/params.yaml",
		Args: frame.NoArguments,
	}
	cmd.Flags().StringVar(&file, "file", "", "read this parameter file; no robot is needed")
	c.flags(cmd, p)
	for _, f := range []string{"store", "robot", "dry-run"} {
		_ = cmd.Flags().MarkHidden(f) // it fails for flags that don't exist only
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return c.show(cmd.Context(), file) }
	return cmd
}

func (c *calibration) show(ctx context.Context, file string) error {
	var found []procedure.Known
	var err error
	if file != "" {
		found, err = procedure.KnownFrom(file, c.node)
	} else {
		err = c.with(ctx, func(ctx context.Context, r *procedure.Robot, _ *network.Session) (err error) {
			found, err = r.Known(ctx)
			return err
		})
	}
	if err != nil {
		return err
	}
	now, stale := time.Now(), false
	for _, k := range found {
		if k.Note == nil {
			stale = true
			fmt.Fprintf(c.p.Out, "%-9s never calibrated: %s\n", k.What, k.How)
			continue
		}
		age, mark := k.Note.Age(now), ""
		if k.Note.Time.IsZero() {
			age = "age unknown"
		} else if now.Sub(k.Note.Time) > notes.Old {
			stale, mark = true, "; calibrate it again"
		}
		fmt.Fprintf(c.p.Out, "%-9s %s, %s%s\n", k.What, k.Note.Robot, age, mark)
		for _, v := range k.Note.Values {
			fmt.Fprintf(c.p.Out, "          %-16s %.6g", v.Name, v.Value)
			if v.Interval > 0 {
				fmt.Fprintf(c.p.Out, " ± %.2g", v.Interval)
			}
			fmt.Fprintf(c.p.Out, " %s\n", v.Unit)
		}
	}
	if stale {
		return frame.StatusError(frame.ExitFailed)
	}
	return nil
}
