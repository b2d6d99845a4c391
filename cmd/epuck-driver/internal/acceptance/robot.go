// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/doctor"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c"
)

// tested is a robot and the person who tests it.
type tested struct {
	robot    checks.Robot
	person   checks.Person
	computer fs.FS
	close    func() error
}

// open opens the robot of this machine, or creates a simulated one.
func (o *options) open(p *frame.Program) (*tested, error) {
	if o.simulated {
		return o.simulate()
	}
	name, err := driver.RobotBus(p.ROS)
	if err != nil {
		return nil, err
	}
	if pid := doctor.ThisMachine(name).Driver(); pid != 0 {
		return nil, fmt.Errorf("the driver has the bus (process %d): sudo systemctl stop epuck-driver", pid)
	}
	bus, err := i2c.Open(i2c.Config{Bus: name})
	if err != nil {
		return nil, err
	}
	t := &tested{computer: os.DirFS("/"), person: newConsole(p.Out, os.Stdin), close: bus.Close}
	t.robot = checks.Robot{Bus: bus, Files: t.computer, Now: time.Now, Sleep: func(d time.Duration) { <-time.After(d) }}
	if board, err := i2c.Open(i2c.Config{Bus: i2c.Board}); err == nil {
		t.robot.Board = board
		t.close = func() error { return errors.Join(bus.Close(), board.Close()) }
	}
	return t, nil
}
