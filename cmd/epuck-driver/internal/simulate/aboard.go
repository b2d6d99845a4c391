// SPDX-License-Identifier: Apache-2.0

//go:build linux && !arm

package simulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/studies"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/fleet/targetlevel"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
)

// driverForRobots is the name of the release's program for the robot.
const driverForRobots = "epuck-driver-armv6"

// driverSlack is the timer slack of the driver in the unit of the service (TimerSlackNSec).
const driverSlack = time.Millisecond

// errNoRobotProgram is returned if that program is not found.
var errNoRobotProgram = errors.New("no program for the robots' computers")

// aboard has the computers of robots of level target, and their options.
type aboard struct {
	driver     string   // the driver's program for ARMv6; empty: searched by program
	programs   []string // further programs, with their arguments
	parameters string
	load       armcost.Load
	wanted     bool
	computers  *targetlevel.Computers
}

func (a *aboard) flags(f *pflag.FlagSet) {
	f.StringVar(&a.driver, "target-driver", "", "level target: the driver for ARMv6 `FILE`; default "+driverForRobots+" in the folder of this program or in bin")
	f.StringArrayVar(&a.programs, "target-program", nil, "level target: one more `PROGRAM` for ARMv6, with its arguments, on each robot's core; may be repeated")
	f.StringVar(&a.parameters, "target-parameters", "", "level target: the `FILE` that estimate calibrate wrote")
	f.BoolVar(&a.load.Radio, "target-radio", false, "level target: the Wi-Fi is on, for the energy")
	f.BoolVar(&a.load.Camera, "target-camera", false, "level target: the camera is on, for the energy")
}

// newWorld creates the simulation, with the computers of its robots.
func (a *aboard) newWorld(ctx context.Context, o *simOptions, w *sim.World, clock *simclock.Clock) (*sim.Simulation, error) {
	if !a.wanted {
		return sim.New(w, o.simulated(clock))
	}
	parameters, err := studies.ReadParameters(a.parameters)
	if err != nil {
		return nil, err
	}
	driver, err := a.program()
	if err != nil {
		return nil, err
	}
	c, err := targetlevel.New(ctx, targetlevel.Config{
		World: w, Seed: o.seed, Start: clock.Now(), Parameters: parameters, Load: a.load, Workers: o.workers(), Mechanisms: models(),
		Programs: func(robot string) []machine.Program { return o.programs(driver, robot, o.alone(w)) },
	})
	if err != nil {
		return nil, err
	}
	a.computers = c
	return c.World(), nil
}

// workers returns the number of computers that are emulated concurrently. The files of this machine, which their
// programs share, and their network traffic are not ordered by simulated time: runs that must repeat emulate one
// computer at a time.
func (o *simOptions) workers() int {
	if o.swarm.traceHash {
		return 1
	}
	return 2
}

// program returns the path of the driver for the robots' computers.
func (a *aboard) program() (string, error) {
	if a.driver != "" {
		_, err := os.Stat(a.driver)
		return a.driver, err
	}
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, file := range []string{filepath.Join(filepath.Dir(own), driverForRobots), filepath.Join("bin", driverForRobots)} {
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("%w: %s is neither in the folder of this program nor in bin: scripts/cross.sh armv6 makes it, --set target.driver=FILE names another",
		errNoRobotProgram, driverForRobots)
}

// programs returns the programs that the computer of a robot runs.
func (o *simOptions) programs(driver, robot string, alone bool) []machine.Program {
	args := []string{driver, "run", "--wait", frame.ROSArgs, "-p", "i2c_bus:=12"}
	if !alone {
		args = append(args, "-r", "__ns:=/"+robot, "-p", "frame_prefix:="+robot+"/")
	}
	environment := targetlevel.Environment(os.Environ())
	all := []machine.Program{{Args: append(args, o.rosLine...), Env: environment, Out: os.Stderr, Err: os.Stderr, Slack: driverSlack}}
	for _, text := range o.aboard.programs {
		if words := strings.Fields(text); len(words) > 0 {
			all = append(all, machine.Program{Args: words, Env: environment, Out: os.Stderr, Err: os.Stderr})
		}
	}
	return all
}

// advance runs the computers up to the clock's time.
func (a *aboard) advance(ctx context.Context, age time.Duration) error {
	if a.computers == nil || ctx.Err() != nil {
		return nil //nolint:nilerr // the run ends, and its caller reports the reason
	}
	err := a.computers.Advance(ctx, age)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// end terminates the programs and writes the reports of their computers.
func (a *aboard) end(w io.Writer) error {
	if a.computers == nil {
		return nil
	}
	reports := a.computers.Report()
	if err := a.computers.End(context.Background()); err != nil {
		return err
	}
	for _, r := range reports {
		if _, err := r.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

func (a *aboard) close() error {
	if a.computers == nil {
		return nil
	}
	err := a.computers.Close()
	a.computers = nil
	return err
}

// cores returns the reports of the processors of level target.
func (a *aboard) cores() (all []core.Report) {
	if a.computers == nil {
		return nil
	}
	for _, r := range a.computers.Report() {
		all = append(all, r.Core())
	}
	return all
}
