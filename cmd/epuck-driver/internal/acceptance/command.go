// SPDX-License-Identifier: Apache-2.0

// Package acceptance implements the commands that test a robot before its first use and compare two such tests.
package acceptance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// options are the flags of the command.
type options struct {
	quick, simulated bool
	seed             uint64
	faults           []string
	file, like       string
}

// NewCommand returns the command that tests the robot of this machine, or a simulated one.
func NewCommand(p *frame.Program) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "acceptance",
		Short: "Test a robot before its first use, and write a report",
		Long: "Measures the properties of the robot of this machine one at a time, without a driver, and compares them with\n" +
			"the expected values. It prints what a person has to do. Ctrl-C, Ctrl-Z and a closed terminal stop the wheels;\n" +
			"kill -9 cannot. The exit status is 1 if something is not as expected. The report has neither passwords nor\n" +
			"serial numbers.",
		Example: "  epuck-driver acceptance --quick\n  epuck-driver acceptance --simulated --fault motors-swapped",
		Args:    frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (len(o.faults) > 0 || o.like != "") && !o.simulated {
				return frame.Usagef("--fault and --like require --simulated")
			}
			return o.run(cmd.Context(), p)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.quick, "quick", false, "take two minutes; a person only has to put the robot down")
	f.BoolVar(&o.simulated, "simulated", false, "test a simulated robot, in simulated time")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the simulated robot")
	f.StringSliceVar(&o.faults, "fault", nil, "`NAME` of a fault of the simulated robot; sim faults lists them")
	f.StringVar(&o.like, "like", "", "the simulated robot measures the values of this `REPORT`")
	f.StringVar(&o.file, "output", "acceptance.zip", "`FILE` of the report")
	p.TakesROSArguments(cmd)
	cmd.AddCommand(newCompareCommand(p))
	cmd.AddCommand(others(p)...)
	return cmd
}

// errUnexpected is the outcome of a test with faults.
const errUnexpected = frame.StatusError(frame.ExitFailed)

// run tests a robot and writes the report, also that of a test that ended early.
func (o *options) run(ctx context.Context, p *frame.Program) (err error) {
	// The wheels keep turning if the program is suspended, or killed by a second signal before it has stopped them.
	ctx, stop := signal.NotifyContext(ctx, system.EndSignals()...)
	defer stop()
	var steps atomic.Uint64 // attempts to stop the wheels count as progress of the end
	p.Detach(ctx, steps.Load)
	file, err := create(o.file) // fails now rather than after an hour of tests
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	defer func() { _ = os.Remove(file.Name()) }() // it has been renamed on success
	t, err := o.open(p)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	defer func() { err = errors.Join(err, t.close()) }()
	robot, person, recorder := report.Record(t.robot, t.person)
	sleep := robot.Sleep
	robot.Sleep = func(d time.Duration) {
		steps.Add(1)
		sleep(d)
	}
	r := report.Report{Time: time.Now(), Program: build.This().Version, Simulated: o.simulated, Quick: o.quick}
	r.Describe(t.computer)
	var ended error
	r.Results, ended = checks.Run(ctx, robot, person, checks.Options{
		Quick:  o.quick,
		Begin:  func(name, does string) { fmt.Fprintf(p.Out, "%s: it %s …\n", name, does) },
		Report: func(res *checks.Result) { show(p, res) },
	})
	if ended != nil {
		r.Ended = ended.Error()
	}
	if err := write(file, o.file, &r, recorder.Bytes()); err != nil {
		return errors.Join(ended, err)
	}
	return finish(p, &r, o.file, ended)
}

// create creates a temporary file that write renames to name. An existing file of that name must be a regular file.
func create(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, regular.ErrKind)
	}
	if err := outfile.File(name); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Dir(name), ".acceptance-*.zip")
}

// write writes the report to a temporary file and renames it.
func write(f *os.File, name string, r *report.Report, recording []byte) error {
	if err := errors.Join(report.Write(f, r, recording), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return system.Rename(f.Name(), name)
}

// finish prints the outcome of the test and returns its error.
func finish(p *frame.Program, r *report.Report, file string, ended error) error {
	count := map[checks.Verdict]int{}
	var faults []string
	for _, c := range r.Results {
		count[c.Verdict]++
		for _, f := range c.Faults {
			faults = append(faults, f.Name)
		}
	}
	fmt.Fprintf(p.Out, "%d checks passed, %d failed, %d skipped, %d parts absent: %s\n", count[checks.Passed], count[checks.Failed], count[checks.Skipped], count[checks.Absent], printable.Line(file))
	if len(faults) > 0 {
		fmt.Fprintf(p.Out, "faults: %s\n", strings.Join(faults, ", "))
	}
	if ended != nil {
		return ended
	}
	if count[checks.Failed] > 0 {
		return errUnexpected
	}
	return nil
}

// show prints a result.
func show(p *frame.Program, r *checks.Result) {
	for _, m := range r.Measurements {
		mark := "  "
		if !m.Expected() {
			mark = "! "
		}
		fmt.Fprintf(p.Out, "  %s%s: %.4g %s (expected %.4g to %.4g; %s)\n", mark, m.Name, m.Value, m.Unit, m.Low, m.High, m.Source)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(p.Out, "  ! %s: %s\n", f.Name, printable.Line(f.Text))
	}
	fmt.Fprintf(p.Out, "  %s\n", r.Verdict)
}

// newCompareCommand compares two reports.
func newCompareCommand(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "compare A B",
		Short: "Show two reports of acceptance next to each other",
		Long: "Shows the measurements of two reports next to each other: of two robots, or of one robot with two versions.\n" +
			"A value with a ! is not as expected.",
		Example: "  epuck-driver acceptance compare monday.zip today.zip",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := report.ReadFile(args[0])
			if err != nil {
				return err
			}
			b, err := report.ReadFile(args[1])
			if err != nil {
				return err
			}
			return report.Compare(p.Out, a, b, printable.Line)
		},
	}
}
