// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

const scaledLine = "exceeds the robot's speed"

// TestFastCommandsAreLoggedOnceAnEpisode: with the numbers, for both kinds of commands, and at most every 10 s.
func TestFastCommandsAreLoggedOnceAnEpisode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		lines := func(want int) {
			t.Helper()
			synctest.Wait()
			if n := r.log.count(scaledLine); n != want {
				t.Errorf("%d lines, want %d\n%s", n, want, r.log)
			}
		}
		r.drive(0.138, 0, time.Second) // as fast as it can
		lines(0)
		r.drive(0.5, 1, 30*time.Second)
		lines(1)
		if log := r.log.String(); !strings.Contains(log, "linear=0.5 angular=1 driven_linear=0.131 driven_angular=0.262 max_wheel_speed=6.91") {
			t.Errorf("%s", log)
		}
		for range 50 { // 20 s in which every other command is too fast
			r.drive(0.1, 0, 200*time.Millisecond)
			r.drive(1e300, 0, 200*time.Millisecond)
		}
		if n := r.log.count(scaledLine); n < 2 || n > 4 {
			t.Errorf("%d lines", n)
		}
		before := r.log.count(scaledLine)
		time.Sleep(time.Minute)
		publish(r, "joint_commands", &sensor_msgs.JointState{Name: jointNames(), Velocity: []float64{8, -8}})
		lines(before + 1)
		if log := r.log.String(); !strings.Contains(log, "left=8 right=-8 driven_left=6.91") {
			t.Errorf("%s", log)
		}
	})
}

func jointNames() []string {
	names := epuck2.JointNames()
	return names[:]
}

// TestOverspeedEpisodes: the commands that begin an episode.
func TestOverspeedEpisodes(t *testing.T) {
	var o overspeed
	begin := time.Unix(1000, 0)
	for i, c := range []struct {
		after time.Duration
		scale float64
		want  bool
	}{
		{0, 1, false},
		{0, 0.9995, false},
		{time.Second, 0.5, true},
		{10 * time.Second, 0.5, false},
		{19 * time.Second, 0.5, false}, // still the same
		{20 * time.Second, 1, false},
		{21 * time.Second, 0.5, true},
		{22 * time.Second, 1, false},
		{23 * time.Second, 0.5, false}, // too soon for another line
		{31 * time.Second, 0, true},    // which is late, not lost
		{32 * time.Second, math.NaN(), false},
		{60 * time.Second, 0.5, true},
		{-time.Hour, 0.5, true}, // the clock was set back
		{-time.Hour + 5*time.Second, 0.5, false},
	} {
		if got := o.begins(begin.Add(c.after), c.scale); got != c.want {
			t.Errorf("row %d: %v", i, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { o.begins(begin, 0.5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
