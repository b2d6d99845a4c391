// SPDX-License-Identifier: Apache-2.0

// Package calibrations implements the commands that calibrate a robot.
package calibrations

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

// NewCommand returns the command with the calibrations as sub-commands.
func NewCommand(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Calibrate a robot's wheels, camera and sensors",
		Long: "Measures wheels, camera, infrared sensors and inertial sensors of a robot, real or simulated, sets the results on\n" +
			"the running driver and stores them in its parameter file, with date, robot and uncertainty. It prompts for what a\n" +
			"person has to do. Ctrl-C stops the wheels; measurements so far are kept.",
		Example: "  epuck-driver calibrate wheels               squares on a desk, ends typed in\n" +
			"  epuck-driver calibrate show                 what was calibrated",
	}
	cmd.AddCommand(newCalibrateWheelsCommand(p), newCalibrateCameraCommand(p), newCalibrateIRCommand(p), newCalibrateIMUCommand(p), newCalibrateShowCommand(p))
	return cmd
}

// calibration has the options of all calibrations.
type calibration struct {
	p          *frame.Program
	on         *network.Choice
	node       string
	store      string
	robot      string
	journal    string
	resume     bool
	onlyReport bool
}

// flags adds the options to a command.
func (c *calibration) flags(cmd *cobra.Command, p *frame.Program) {
	c.p = p
	f := cmd.Flags()
	f.StringVar(&c.node, "node", driver.NodeName, "name of the driver's node")
	f.StringVar(&c.store, "store", "", "parameter file to which the result is written; default "+frame.SystemParameters+" on a robot,\n"+
		"else "+ownParameters+" here; \"none\" stores nothing")
	f.StringVar(&c.robot, "robot", "", "name of this robot in the note of the result; default its host or namespace")
	f.BoolVar(&c.onlyReport, "dry-run", false, "report only: set nothing on the robot and store nothing")
	_ = cmd.MarkFlagFilename("store", "yaml") // it fails only for flags that don't exist
	c.on = network.Flags(p, cmd)
}

// keeps adds the options of a calibration with a journal.
func (c *calibration) keeps(f *pflag.FlagSet) {
	f.StringVar(&c.journal, "journal", "", "file of the measurements so far; default one in the user's cache folder")
	f.BoolVar(&c.resume, "resume", false, "continue from the journal")
}

// open creates a journal, or with --resume opens the existing one.
func (c *calibration) open(s *network.Session, kind string) (*procedure.Journal, error) {
	robot := c.name(s.Node.Name().Namespace)
	if c.journal == "" {
		c.journal = journalFile(kind)
	}
	if c.resume {
		return procedure.OpenJournal(c.journal, kind, robot)
	}
	j, err := procedure.NewJournal(c.journal, kind, robot, time.Now())
	if err != nil {
		err = fmt.Errorf("what is measured is kept in %s (XDG_CACHE_HOME or HOME decides; --journal FILE keeps it elsewhere): %w", c.journal, err)
	}
	return j, err
}

// kept prints the path of the measurements of an unfinished calibration, and returns err.
func (c *calibration) kept(ui procedure.UI, j *procedure.Journal, err error) error {
	if err != nil && !j.Empty() {
		ui.Say("The measurements are kept in %s: --resume continues.", c.journal)
	}
	return err
}

const ownParameters = "epuck-params.yaml"

// file returns the path to which the result is written, empty for none.
func (c *calibration) file() string {
	switch {
	case c.store == "none" || c.onlyReport:
		return ""
	case c.store != "":
		return c.store
	}
	if f, err := os.OpenFile(frame.SystemParameters, os.O_WRONLY, 0); err == nil {
		_ = f.Close() // nothing was written
		return frame.SystemParameters
	}
	return ownParameters
}

// name returns the robot's name for notes.
func (c *calibration) name(namespace string) string {
	if c.robot != "" {
		return c.robot
	}
	if ns := strings.Trim(namespace, "/"); ns != "" {
		return strings.ReplaceAll(ns, "/", ".")
	}
	if host, err := os.Hostname(); err == nil {
		return host
	}
	return "robot"
}

// errStopped is returned for a calibration that was ended before it had a result.
var errStopped = errors.New("stopped before the end: nothing is set or stored")

// checkFiles checks, before the robot moves, that the result and further files can be stored. Their folders are created
// then (procedure.ReplaceFile, caminfo.Save).
func (c *calibration) checkFiles(further ...string) error {
	for _, path := range append(further, c.file()) {
		if path == "" {
			continue
		}
		if err := outfile.FileInFolder(path); err != nil {
			return fmt.Errorf("the result could not be stored: %w", err)
		}
	}
	return nil
}

// with joins the network and calls do with the robot; afterwards it stops the wheels in any case.
func (c *calibration) with(ctx context.Context, do func(ctx context.Context, r *procedure.Robot, s *network.Session) error) (err error) {
	log := slog.New(tty.NewConsole(c.p.Err))
	s, err := network.Join("epuck_calibrate", false, *c.on, c.p.ROS, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r, err := procedure.NewRobot(s.Node, c.node)
	if err != nil {
		return err
	}
	defer func() {
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			err = errStopped // a calibration without a result has not succeeded
		}
		err = errors.Join(err, r.Close())
		<-time.After(300 * time.Millisecond) // until the stop has been sent
	}()
	return do(ctx, r, s)
}

// keep stores the result and sets it on the robot.
func (c *calibration) keep(ctx context.Context, ui procedure.UI, r *procedure.Robot, settings []procedure.Setting) error {
	if c.onlyReport {
		ui.Say("Nothing is set or stored (--dry-run).")
		return nil
	}
	file := c.file()
	// The file first: the result must not be lost if the robot is no longer reachable.
	if file != "" {
		if err := procedure.Store(file, c.node, settings); err != nil {
			return err
		}
		ui.Say("Stored in %s.", file)
	}
	if err := r.Set(ctx, settings); err != nil {
		return fmt.Errorf("the result is stored, but not set on the running driver: %w", err)
	}
	ui.Say("Set on the running driver; its pose did not move.")
	return nil
}

// newUI returns the interface to the user at the terminal.
func newUI(p *frame.Program) *procedure.Console {
	inPlace := tty.NewTerminal(p.Out) != nil
	out := printable.Unwrap(p.Out) // the console escapes by itself
	if f, ok := tty.File(out); ok {
		inPlace = tty.IsTerminal(f)
	}
	return procedure.NewConsole(out, os.Stdin, inPlace)
}

// journalFile returns the default path of a journal of a kind.
func journalFile(kind string) string {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	return filepath.Join(folder, "epuck-driver", "calibrate-"+kind+".json")
}

// writePage writes a drawing atomically as SVG or PDF, by the file's extension.
func writePage(path string, page interface {
	SVG(w io.Writer) error
	PDF(w io.Writer) error
}) error {
	write := page.SVG
	switch filepath.Ext(path) {
	case ".svg":
	case ".pdf":
		write = page.PDF
	default:
		return frame.Usagef("%s: a sheet is .svg or .pdf", path)
	}
	var drawing bytes.Buffer
	if err := write(&drawing); err != nil {
		return err
	}
	return procedure.ReplaceFile(path, drawing.Bytes())
}
