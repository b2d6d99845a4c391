// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// hearParts subscribes to what the parts measure: one without subscribers is looked at once a second only.
func (r *rig) hearParts() {
	r.Helper()
	discard[sensor_msgs.Imu](r, "imu")
	discard[jazzy.Range](r, "tof")
	discard[jazzy.Range](r, "gs1")
	discard[sensor_msgs.MagneticField](r, "mag")
}

// Parts without subscribers are not polled with the cycle, and are polled at once for the first subscriber.
func TestUnsubscribedPartsAreNotPolled(t *testing.T) {
	for _, c := range []struct {
		name   string
		listen func(r *rig) func() int
		part   parts.Name
	}{
		{"imu", func(r *rig) func() int { return counted(listenTo[sensor_msgs.Imu](r, "imu")) }, parts.IMU},
		{"tof", func(r *rig) func() int { return counted(listenTo[jazzy.Range](r, "tof")) }, parts.ToF},
		{"scan needs the time of flight", func(r *rig) func() int { return counted(listenTo[sensor_msgs.LaserScan](r, "scan")) }, parts.ToF},
		{"one ground sensor", func(r *rig) func() int { return counted(listenTo[jazzy.Range](r, "gs2")) }, parts.Ground},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "arena", parts: true, sim: sim.Options{Seed: 3, Now: time.Now, Sleep: pass}})
				time.Sleep(10 * time.Second) // all is brought up, the IMU is calibrated
				rate := func() uint64 {
					before := r.driver.Status().Part(c.part)
					time.Sleep(10 * time.Second)
					return r.driver.Status().Part(c.part).Polls - before.Polls
				}
				if n := rate(); n < 9 || n > 11 {
					t.Errorf("%d polls in 10 s without a subscription", n)
				}
				heard := c.listen(r)
				time.Sleep(150 * time.Millisecond)
				synctest.Wait()
				if heard() == 0 {
					t.Error("the first listener has heard nothing after 150 ms")
				}
				if n := rate(); n < 190 {
					t.Errorf("%d polls in 10 s with a subscription", n)
				}
			})
		})
	}
}

// counted counts what was heard.
func counted[T any](all func() []*T) func() int { return func() int { return len(all()) } }

// Idle parts do not wake the processor more often than the control cycle and one poll a second each.
func TestIdlePartsDoNotWakeTheProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "arena", parts: true, board: true, sim: sim.Options{Seed: 3, Now: time.Now, Sleep: pass}})
		time.Sleep(20 * time.Second)
		before := r.driver.Status()
		time.Sleep(10 * time.Second)
		after := r.driver.Status()
		for i, p := range after.Parts {
			if n := p.Polls - before.Parts[i].Polls; p.State == device.Running && n > 25 {
				t.Errorf("%s: %d polls in 10 s", p.Name, n)
			}
		}
	})
}

// The board's LEDs, which are idle as well, change at once on command.
func TestBoardLEDsChangeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "empty", parts: true, board: true, sim: sim.Options{Seed: 3, Now: time.Now, Sleep: pass}})
		pub, err := ros2.NewPublisher[std_msgs.Int32](r.user, "pi_led1", ros2.DefaultQoS())
		r.must(err)
		time.Sleep(10*time.Second + 300*time.Millisecond)
		for _, colour := range []int32{0xFFFFFF, 0, 0x00FF00} {
			r.must(pub.Publish(&std_msgs.Int32{Data: colour}))
			time.Sleep(60 * time.Millisecond)
			synctest.Wait()
			if got := pipuck.Colour(r.robot.GroundTruth().BoardLEDs[1]); got != pipuck.ColourOf(uint32(colour)) {
				t.Errorf("%06x: it shows %v", colour, got)
			}
		}
	})
}
