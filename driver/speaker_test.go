// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

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
