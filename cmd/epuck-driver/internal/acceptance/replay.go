// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package acceptance

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// others returns the commands that process reports.
func others(p *frame.Program) []*cobra.Command {
	return []*cobra.Command{{
		Use:   "replay REPORT",
		Short: "Run the checks of this version on the recording of a report",
		Long: "Runs the checks and the drivers of the chips of this version on the transfers that a report has recorded, and\n" +
			"prints where their results differ from the report. The exit status is 1 if something differs. The\n" +
			"battery and the computer, which no bus has, are skipped.",
		Example: "  epuck-driver acceptance replay my-robot.zip",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return replay(cmd, p, args[0]) },
	}}
}

// replay runs the checks on the recording of a report.
func replay(cmd *cobra.Command, p *frame.Program, path string) (err error) {
	r, err := report.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	recording, err := report.ReadRecording(f, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	results, err := recording.Run(cmd.Context(), r.Quick)
	if err != nil {
		return err
	}
	list := report.Differences(r.Results, results)
	for _, line := range list {
		fmt.Fprintln(p.Out, printable.Line(line))
	}
	fmt.Fprintf(p.Out, "%d checks run again, %d differences, %d transfers not in the recording, %d not used: %s\n",
		len(results), len(list), recording.Missing, recording.Left, printable.Line(path))
	if len(list) > 0 {
		return errUnexpected
	}
	return nil
}
