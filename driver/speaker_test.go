// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// Each request plays the melody once, however many packets are lost: the firmware would play it again for each that
// arrives, and drops some silently.
func TestMelodyPlaysOnceUnderFaults(t *testing.T) {
	for _, rate := range []float64{0, 0.01, 0.3} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{})
				r.must(r.robot.Faults().SetRates(mixed(rate)))
				for melody := range 3 {
					publish(r, "speaker", &std_msgs.UInt8{Data: uint8(melody + 1)})
					if n := timesPlayed(r, uint8(melody+1), 20*time.Second); n != 1 {
						t.Errorf("melody %d was played %d times", melody+1, n)
					}
				}
				if n := r.log.count("did not take"); n != 0 {
					t.Errorf("the log says otherwise:\n%v", r.log)
				}
				r.must(r.robot.Faults().SetRates(vbus.Rates{}))
			})
		})
	}
}

// timesPlayed counts how often the melody begins within d.
func timesPlayed(r *rig, melody uint8, d time.Duration) int {
	n, before := 0, uint8(0)
	for range d / (50 * time.Millisecond) {
		now := r.robot.GroundTruth().Melody
		if now == melody && before != melody {
			n++
		}
		before = now
		time.Sleep(50 * time.Millisecond)
	}
	return n
}

func TestOtherMelodiesAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		for _, melody := range []uint8{0, 4, 255} {
			publish(r, "speaker", &std_msgs.UInt8{Data: melody})
			time.Sleep(11 * time.Second)
			if m := r.robot.GroundTruth().Melody; m != 0 {
				t.Errorf("%d plays melody %d", melody, m)
			}
		}
		if n := r.log.count("rejected"); n != 3 {
			t.Errorf("%d log lines for 3 requests, 11 s apart\n%v", n, r.log)
		}
	})
}
