// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package calibrations

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/calibration/sheet"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
)

// newCalibrateIRCommand returns the command that calibrates the infrared sensors.
func newCalibrateIRCommand(p *frame.Program) *cobra.Command {
	c, plan := &calibration{}, procedure.DefaultInfraredPlan()
	cmd := &cobra.Command{
		Use:   "ir",
		Short: "Find the infrared sensors' offsets and range curves",
		Long: "Has the firmware measure the offsets with nothing near; then the robot drives away from a straight white wall step\n" +
			"by step, with its wheels as the ruler, and turns round at each, so that every sensor sees the wall from every\n" +
			"distance. Calibrate the wheels first. It takes about three minutes and needs 15 cm of free space in front of the wall.",
		Example: "  epuck-driver calibrate ir\n" +
			"  epuck-driver calibrate ir --resume                    continue after Ctrl-C\n" +
			"  epuck-driver calibrate ir --no-offsets --dry-run",
		Args: frame.NoArguments,
	}
	f := cmd.Flags()
	f.Float64SliceVar(&plan.Distances, "distances", plan.Distances, "distances of the sensors from the wall, m")
	// A manual breaks lines at blanks.
	f.Lookup("distances").DefValue = strings.Join(strings.Fields(fmt.Sprint(plan.Distances)), ", ")
	f.Float64Var(&plan.TurnSpeed, "turn-speed", plan.TurnSpeed, "speed of turning, rad/s")
	f.BoolVar(&plan.NoOffsets, "no-offsets", false, "do not calibrate the firmware's offsets")
	c.keeps(f)
	c.flags(cmd, p)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := c.checkFiles(); err != nil {
			return err
		}
		return c.with(cmd.Context(), func(ctx context.Context, r *procedure.Robot, s *network.Session) error {
			ui := newUI(p)
			j, err := c.open(s, "ir")
			if err != nil {
				return err
			}
			res, err := r.Infrared(ctx, ui, plan, j)
			if err != nil {
				return c.kept(ui, j, err)
			}
			procedure.ReportInfrared(ui, res)
			return c.kept(ui, j, c.keep(ctx, ui, r, procedure.InfraredSettings(res, j.Robot, time.Now())))
		})
	}
	return cmd
}

// newCalibrateIMUCommand returns the command that calibrates the inertial sensors.
func newCalibrateIMUCommand(p *frame.Program) *cobra.Command {
	c, plan, plot := &calibration{}, procedure.DefaultInertialPlan(), ""
	noGyro, noAccel, noMag := false, false, false
	cmd := &cobra.Command{
		Use:   "imu",
		Short: "Find bias, scale and axes of gyroscope, accelerometer and magnetometer",
		Long: "Gyroscope: the bias at rest, and the scale from turns both ways, with the wheels as the ruler (calibrate them\n" +
			"first). Accelerometer: six positions, into which you turn the robot when asked. Magnetometer, if there is one:\n" +
			"turns on the floor, or about all axes while you hold it (--tilt), away from iron.",
		Example: "  epuck-driver calibrate imu\n" +
			"  epuck-driver calibrate imu --resume                   continue after Ctrl-C\n" +
			"  epuck-driver calibrate imu --no-gyro --no-accel --tilt --plot field.svg",
		Args: frame.NoArguments,
	}
	f := cmd.Flags()
	f.BoolVar(&noGyro, "no-gyro", false, "leave the gyroscope out")
	f.BoolVar(&noAccel, "no-accel", false, "leave the accelerometer out")
	f.BoolVar(&noMag, "no-mag", false, "leave the magnetometer out")
	f.BoolVar(&plan.Tilted, "tilt", false, "turn the robot by hand for the magnetometer, instead of on the floor")
	f.IntVar(&plan.Turns, "turns", plan.Turns, "turns in each direction for the gyroscope")
	f.IntVar(&plan.Rounds, "rounds", plan.Rounds, "revolutions per turn")
	c.keeps(f)
	f.StringVar(&plot, "plot", "", "plot the field before and after (.svg or .pdf)")
	c.flags(cmd, p)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		plan.Gyro, plan.Accel, plan.Mag = !noGyro, !noAccel, !noMag
		if err := c.checkFiles(plot); err != nil {
			return err
		}
		return c.with(cmd.Context(), func(ctx context.Context, r *procedure.Robot, s *network.Session) error {
			ui := newUI(p)
			j, err := c.open(s, "imu")
			if err != nil {
				return err
			}
			res, err := r.Inertial(ctx, ui, plan, j)
			if err != nil {
				return c.kept(ui, j, err)
			}
			procedure.ReportInertial(ui, res)
			if plot != "" && res.Mag != nil {
				before, after := res.Plot()
				if err := writePage(plot, sheet.Scatter("Magnetic field, horizontal, µT", before, after, "µT")); err != nil {
					return err
				}
			}
			return c.kept(ui, j, c.keep(ctx, ui, r, procedure.InertialSettings(res, j.Robot, time.Now())))
		})
	}
	return cmd
}
