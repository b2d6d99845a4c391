// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/doctor"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

const (
	// multicastWait is the time-out of the doctor's own multicast on each interface.
	multicastWait = 500 * time.Millisecond
	// discoveryTime is the time for the discovery of other participants, which answer a new one immediately.
	discoveryTime = 3 * time.Second
)

// NewDoctorCommand returns the command that examines this machine. Its exit status is 1 if there is a failure.
func NewDoctorCommand(p *frame.Program) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether this machine has what the driver needs",
		Long: "Checks whether this machine has what the driver needs, and prints for each failure how to fix it.\n" +
			"It also queries the robot and stops its wheels. The exit status is 1 if there is a failure.",
		Example: "  epuck-driver doctor\n  epuck-driver doctor --json > report.json",
		Args:    frame.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return examine(cmd.Context(), p, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, for programs")
	p.TakesROSArguments(cmd)
	return cmd
}

// examine examines this machine and prints the report.
func examine(ctx context.Context, p *frame.Program, asJSON bool) error {
	bus, err := driver.RobotBus(p.ROS)
	if err != nil {
		return err
	}
	m := doctor.ThisMachine(bus)
	m.Network = discoverNeighbours
	m.CheckEnvironment = checkEnvironment
	m.CheckParameters = driver.CheckParameterFile
	m.Calibrated = func() ([]doctor.Calibration, error) { return calibrations(frame.SystemParameters, serviceHome) }
	report := doctor.Examine(ctx, m)
	write := report.WriteText
	if asJSON {
		write = report.WriteJSON
	}
	if err := write(p.Out); err != nil {
		return err
	}
	if report.Worst() == doctor.Failure {
		return frame.StatusError(frame.ExitFailed)
	}
	return nil
}

// checkEnvironment checks the ROS variables except those of security, which the doctor reports separately, and
// returns the domain.
func checkEnvironment() (uint32, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	return cfg.DomainID, err
}

// calibrations returns the time of each sensor's calibration, from a parameter file and the camera's calibration
// file: the service's, in home, or this user's.
func calibrations(parameters, home string) ([]doctor.Calibration, error) {
	known, err := procedure.KnownFrom(parameters, driver.NodeName)
	if err != nil {
		return nil, err
	}
	var out []doctor.Calibration
	for _, k := range known {
		one := doctor.Calibration{What: k.What, How: k.How}
		if k.Note != nil {
			one.At = k.Note.Time
		}
		out = append(out, one)
	}
	// A lens may have been calibrated by another program: cameracalibrator writes a file without a note.
	lens := &out[slices.IndexFunc(out, func(c doctor.Calibration) bool { return c.What == "camera" })]
	service := func(name string) string {
		if name == "ROS_HOME" {
			return home
		}
		return os.Getenv(name)
	}
	for _, e := range []caminfo.Environment{{}, {Getenv: service}} {
		path, err := e.Path("", defaultCameraName)
		if err != nil {
			continue
		}
		if s, err := os.Stat(path); err == nil && s.ModTime().After(lens.At) {
			lens.At = s.ModTime()
		}
	}
	return out, nil
}

const (
	// defaultCameraName is the driver's default of camera.camera_name.
	defaultCameraName = "pipuck"
	// serviceHome is ROS_HOME of the service (deploy/systemd).
	serviceHome = "/var/lib/epuck-driver"
)

// discoverNeighbours joins the network for discoveryTime and returns the other participants.
func discoverNeighbours(ctx context.Context) (doctor.Neighbours, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return doctor.Neighbours{}, err
	}
	n := doctor.Neighbours{Domain: int(cfg.DomainID), Multicast: multicastWorks()}
	cfg.Logger = slog.New(slog.DiscardHandler)
	transport, err := rmw.New(cfg)
	if err != nil {
		return doctor.Neighbours{}, err
	}
	select {
	case <-time.After(discoveryTime):
	case <-ctx.Done():
	}
	var all []participant
	for _, p := range transport.Participant().Participants() {
		one := participant{prefix: string(p.GUID.Prefix[:]), name: p.EntityName}
		if len(p.DefaultUnicast) > 0 {
			if at, ok := p.DefaultUnicast[0].AddrPort(); ok {
				one.address = at.Addr().String()
			}
		}
		all = append(all, one)
	}
	n.Participants, n.Refused = participants(all, transport.Graph()), refusals(transport.Participant().Refusals())
	if err := transport.Close(); err != nil {
		return n, fmt.Errorf("leaving the network: %w", err)
	}
	return n, nil
}

// multicastWorks reports whether multicasts are received on at least one non-loopback interface.
func multicastWorks() bool {
	all, err := doctor.ThisMachine("").Interfaces()
	if err != nil {
		return false
	}
	for _, i := range all {
		if i.Up && !i.Loopback && len(i.Addresses) > 0 {
			if works, err := doctor.Multicast(i.Name, multicastWait); err == nil && works {
				return true
			}
		}
	}
	return false
}
