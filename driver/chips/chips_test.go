// SPDX-License-Identifier: Apache-2.0

package chips_test

import (
	"errors"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// openedBus counts how often it is closed.
type openedBus struct {
	pi2c.Bus
	closed *int
}

func (b openedBus) Close() error {
	*b.closed++
	return nil
}

func robotOf(t *testing.T) *sim.Firmware {
	t.Helper()
	w, err := sim.LoadWorld("plane")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	return sim.RobotsOf[*sim.Firmware](s)[0]
}

// A part exists if its rate is not 0 and there is its bus. The buses that were opened again are closed, also when one
// of the openings fails.
func TestOpenMakesPartsOfRatesAndBuses(t *testing.T) {
	robot, closed := robotOf(t), 0
	c := chips.Robot{Bus: robot.Bus(), OpenBus: func() (pi2c.BusCloser, error) { return openedBus{robot.Bus(), &closed}, nil }}
	v, err := c.Open(&hardware.Options{Now: time.Now, ToFRate: 20, MagRate: 8})
	if err != nil {
		t.Fatal(err)
	}
	if v.ToF == nil || v.IMU != nil || v.Ground != nil || v.Camera != nil || v.Mag != nil || v.LEDs != nil || v.Battery != nil || v.BoardBus != nil {
		t.Errorf("with the robot's bus alone: %+v", v)
	}
	if err := v.Close(); err != nil || closed != 2 {
		t.Errorf("%d buses closed, %v", closed, err)
	}
	c.BoardBus, c.Files = robot.BoardBus(), robot.BatteryFS()
	v, err = c.Open(&hardware.Options{Now: time.Now, IMURate: 20, GroundRate: 20, MagRate: 8, Camera: &camsensor.Settings{}})
	if err != nil {
		t.Fatal(err)
	}
	if v.ToF != nil || v.IMU == nil || v.Ground == nil || v.Camera == nil || v.Mag == nil || v.LEDs == nil || v.Battery == nil || v.BoardBus == nil {
		t.Errorf("with both buses: %+v", v)
	}
	opened := 0
	c.OpenBus = func() (pi2c.BusCloser, error) {
		if opened++; opened == 2 {
			return nil, i2c.ErrClosed
		}
		return openedBus{robot.Bus(), &closed}, nil
	}
	closed = 0
	if _, err := c.Open(&hardware.Options{Now: time.Now}); !errors.Is(err, i2c.ErrClosed) || closed != 1 {
		t.Errorf("%d buses closed, %v", closed, err)
	}
	if _, err := (&chips.Robot{}).Open(&hardware.Options{Now: time.Now}); !errors.Is(err, hardware.ErrConfig) {
		t.Errorf("without a bus: %v", err)
	}
}
