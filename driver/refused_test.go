// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// bentBus changes the robot's replies, whose checksum it puts right, while bend is set.
type bentBus struct {
	pi2c.Bus
	bend atomic.Pointer[func(p []byte)]
}

func (b *bentBus) Tx(addr uint16, w, r []byte) error {
	err := b.Bus.Tx(addr, w, r)
	if bend := b.bend.Load(); err == nil && addr == mcu.Addr && len(r) == mcu.SensorsSize && bend != nil {
		(*bend)(r)
		r[46] = 0
		for _, v := range r[:46] {
			r[46] ^= v
		}
	}
	return err
}

// newBentRig is a robot whose replies a test can change.
func newBentRig(t *testing.T, args string) (*rig, *bentBus) {
	t.Helper()
	b := &bentBus{}
	return newRig(t, rigOptions{args: args, bus: func(bus pi2c.Bus) pi2c.Bus { b.Bus = bus; return b }}), b
}

// Whatever single value of a reply is impossible, the wheels obey, odometry counts and the other sensors' messages
// continue; it is reported in the log and in /diagnostics.
func TestImpossibleValueIsRefusedAlone(t *testing.T) {
	for name, c := range map[string]struct {
		bend      func(p []byte)
		condition string // empty: the value is possible
	}{
		"a code of an RC5-X remote": {func(p []byte) { p[45] = 0x80 | 20 }, ""},
		"any byte as its code":      {func(p []byte) { p[45] = 0xFF }, ""},
		"proximity":                 {func(p []byte) { p[13] = 0xFF }, "mcu.values"},
		"proximity just too high":   {func(p []byte) { p[12], p[13] = 0x02, 0x10 }, ""}, // 4098, seen of the firmware
		"light":                     {func(p []byte) { p[29] = 0xFF }, "mcu.values"},
		"selector":                  {func(p []byte) { p[40] |= 0x40 }, "mcu.values"},
		"the sun":                   {func(p []byte) { clear(p[16:32]) }, "mcu.sun"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, b := newBentRig(t, "")
				odom, reports := listenTo[nav_msgs.Odometry](r, "odom"), listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
				others, mics := listenTo[jazzy.Range](r, "ps0"), listenTo[std_msgs.Int16](r, "mic2")
				time.Sleep(time.Second)
				b.bend.Store(&c.bend)
				before := [...]int{len(odom()), len(others()), len(mics())}
				r.drive(0.1, 0, 3*time.Second)
				after := [...]int{len(odom()), len(others()), len(mics())}
				for i := range before {
					if d := after[i] - before[i]; d < 59 || d > 61 {
						t.Errorf("%d of 60 messages of topic %d", d, i)
					}
				}
				if x := last(r, odom).Pose.Pose.Position.X; math.Abs(x-0.3) > 0.02 {
					t.Errorf("drove %v m of 0.3", x)
				}
				status := statusOf(r, last(r, reports), health.StatusMCU)
				if got := codes(status); c.condition == "" && len(got) != 0 || c.condition != "" && !slices.Contains(got, c.condition) {
					t.Errorf("conditions %v, want %q", got, c.condition)
				}
				if n := r.log.count("can't measure"); (n == 1) != (c.condition == "mcu.values") {
					t.Errorf("%d lines in the log", n)
				}
				if st := r.driver.Status(); st.Lost || st.Bus.Failed != 0 || st.Bus.Retries != 0 {
					t.Errorf("%+v", st.Bus)
				}
				b.bend.Store(nil)
				time.Sleep(3 * time.Second)
				if got := codes(statusOf(r, last(r, reports), health.StatusMCU)); len(got) != 0 {
					t.Errorf("conditions %v afterwards", got)
				}
			})
		})
	}
}

// Loud sounds that saturate the Int16 of mic0 to mic3 are counted.
func TestClippedMicrophonesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		reports := listenTo[diagnostic_msgs.DiagnosticArray](r, "/diagnostics")
		time.Sleep(2 * time.Second)
		quiet := valueOf(r, statusOf(r, last(r, reports), health.StatusMCU), "microphone values clipped")
		r.robot.SetSound(30000)
		time.Sleep(2 * time.Second)
		loud := valueOf(r, statusOf(r, last(r, reports), health.StatusMCU), "microphone values clipped")
		if quiet != "0" || loud == "0" || strings.HasPrefix(loud, "-") {
			t.Errorf("%s values in silence, %s in noise", quiet, loud)
		}
	})
}
