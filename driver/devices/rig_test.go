// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"log/slog"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a simulated robot whose wheels are at rest, with the inputs of its parts. It is used in a bubble, where time
// passes with the bus's transfers.
type rig struct {
	testing.TB
	robot   *sim.Firmware
	set     *table.Settings
	reading table.Reading
	correct table.Corrections
	atRest  bool
}

func newRig(t testing.TB, world string) *rig {
	t.Helper()
	r := &rig{TB: t, atRest: true}
	w, err := sim.ParseWorld([]byte(world))
	r.must(err)
	s, err := sim.New(w, sim.Options{Now: time.Now, Sleep: func(d time.Duration) { time.Sleep(d) }, Seed: 9, Settled: true})
	r.must(err)
	r.robot = sim.RobotsOf[*sim.Firmware](s)[0]
	p := ros2.NewParameters(ros2.Args{}, ros2.NodeName{Name: "epuck_driver"})
	r.must(table.DeclareIn(p))
	r.set, err = table.ReadSettings(p)
	r.must(err)
	r.correct = r.set.Correct
	return r
}

// plain is one robot on a plane, which is 0.5 m in front of a wall.
const plain = `
walls:
  - {from: [0.5, -1], to: [0.5, 1]}
robots:
  - {name: epuck, position: [0, 0]}
`

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// devices opens the robot's devices for settings.
func (r *rig) devices(set *table.Settings) *hardware.Devices {
	r.Helper()
	o := &hardware.Options{Now: time.Now, IMURate: set.IMURate, ToFRate: set.ToFRate, GroundRate: set.GroundRate, MagRate: set.MagRate, Camera: &set.Camera,
		ToFProfile: set.ToFProfile}
	var err error
	o.IMURotation, err = axes.RotationOf(set.IMURotation[:])
	r.must(err)
	o.MagRotation, err = axes.RotationOf(set.MagRotation[:])
	r.must(err)
	v, err := (&chips.Robot{Bus: r.robot.Bus(), BoardBus: r.robot.BoardBus(), Files: r.robot.BatteryFS()}).Open(o)
	r.must(err)
	return v
}

// imu returns the part of the robot's IMU.
func (r *rig) imu(set *table.Settings) *IMU {
	return NewIMU(r.devices(set).IMU, set.IMURate, &r.reading, r.host())
}

func (r *rig) host() Host {
	return Host{
		Now: time.Now, Stamp: builtin_interfaces.TimeOf, Log: slog.New(slog.DiscardHandler),
		Corrections: func() *table.Corrections { return &r.correct },
		AtRest:      func() bool { return r.atRest },
	}
}

// poll polls a part at a rate in Hz for a time, and gives how often it had news and the last error.
func (r *rig) poll(p parts.Part, rate float64, long time.Duration) (news int, last error) {
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(time.Duration(float64(time.Second) / rate)) {
		got, err := p.Measure(time.Now())
		if got {
			news++
		}
		last = err
	}
	return news, last
}

// wantState fails the test unless the part is in the state.
func (r *rig) wantState(p parts.Part, want device.State) {
	r.Helper()
	if got := p.State(); got != want {
		r.Errorf("%s is %v, want %v", p, got, want)
	}
}

// straight is a sensor whose correction changes nothing but the factor.
func straight(factor float64) epuck2.Linear {
	return epuck2.Linear{Matrix: [9]float64{0: factor, 4: factor, 8: factor}}
}
