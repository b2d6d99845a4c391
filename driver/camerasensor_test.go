// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// The camera's sensor, of either kind, is set up while the robot drives, and again after an outage, without an effect
// on the control cycle.
func TestCameraSensorIsSetUp(t *testing.T) {
	for _, model := range []string{"ov7670", "po8030"} {
		if !suite.Long && model != "ov7670" {
			break
		}
		t.Run(model, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "robots:\n  - {name: epuck, position: [0, 0], camera: " + model + "}\n",
					parts: true, args: "-p camera.flip:=true -p camera.gain:=2.0", sim: sim.Options{Seed: 2, Now: time.Now, Sleep: pass}})
				is := func() health.PartStatus { return r.driver.Status().Part(parts.Camera) }
				r.drive(0.05, 0, 10*time.Second)
				if p := is(); p.State != device.Running || p.Found != 1 {
					t.Errorf("%+v\n%v", p, r.log)
				}
				if !suite.Long {
					return
				}
				r.must(r.robot.RemovePart(world.Camera))
				r.drive(0.05, 0, 40*time.Second)
				if p := is(); p.State != device.Absent || p.Lost != 1 {
					t.Errorf("taken off: %+v", p)
				}
				r.must(r.robot.AddPart(world.Camera))
				r.drive(0.05, 0, 15*time.Second)
				if p := is(); p.State != device.Running || p.Found != 2 {
					t.Errorf("after reconnection: %+v\n%v", p, r.log)
				}
				if s := r.driver.Status(); s.Overruns != 0 || s.Bus.Failed != 0 {
					t.Errorf("%d overruns, %d failed exchanges", s.Overruns, s.Bus.Failed)
				}
			})
		})
	}
}

func TestCameraSetupCanBeDisabled(t *testing.T) {
	r, _ := steppedRig(t, rigOptions{parts: true, args: "-p camera.setup:=false"})
	if p := r.driver.Status().Part(parts.Camera); p.Name != "" {
		t.Errorf("%+v", p)
	}
}
