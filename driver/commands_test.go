// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
)

func TestCommandIsSentBeforeTheNextCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p rate:=1.0"})
		time.Sleep(2300 * time.Millisecond) // the next cycle is 700 ms away
		r.command(0.1, 0)
		time.Sleep(8 * time.Millisecond) // the 20 + 47 bytes of one exchange take 6.3 ms
		if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 {
			t.Error("the wheels are stopped 8 ms after the command")
		}
		r.command(0, 0) // a second one right behind waits for the gap, not for the tick
		time.Sleep(minCommandGap + 8*time.Millisecond)
		r.wantAtRest()
	})
}

func TestRepeatedCommandCostsNoTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		r.command(0.1, 0)
		time.Sleep(225 * time.Millisecond)
		before := r.robot.Faults().Transfers()
		for range 100 {
			r.command(0.1, 0)
			time.Sleep(10 * time.Millisecond)
		}
		if n := r.robot.Faults().Transfers() - before; n != 20 {
			t.Errorf("%d transfers in a second of 20 cycles", n)
		}
	})
}

// A flood of different commands neither delays the cycles nor fills the bus, and the last one is applied.
func TestFloodOfCommandsDoesNotStarveTheBus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(25 * time.Millisecond)
		before, heard := r.robot.Faults().Transfers(), len(odom())
		for i := range 4000 {
			r.command(0.05+0.0002*float64(i%200), 0)
			time.Sleep(250 * time.Microsecond)
		}
		if n := r.robot.Faults().Transfers() - before; n > 20+51 {
			t.Errorf("%d transfers in a second", n)
		}
		if n := len(odom()) - heard; n != 20 {
			t.Errorf("%d cycles in a second", n)
		}
		if s := r.driver.Status(); s.Overruns != 0 {
			t.Errorf("%d overruns", s.Overruns)
		}
		r.halt()
		r.wantAtRest()
		r.wantPose(5*stepMetres, 5*stepRadians)
	})
}

// Readings of the exchanges between the cycles feed the odometry: the arc is followed more closely than with cycles
// alone.
func TestExtraReadingsFeedOdometry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p rate:=1.0"})
		for i := range 100 { // a slalom that 1 Hz would take for a straight line
			r.command(0.1, 6*math.Sin(float64(i)*2*math.Pi/10))
			time.Sleep(100 * time.Millisecond)
		}
		r.command(0, 0)
		time.Sleep(2 * time.Second)
		r.wantPose(0.01, 0.05)
	})
}

func TestNonFiniteCommandsAreRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, m := range map[string]geometry_msgs.Twist{
		"linear NaN":   {Linear: geometry_msgs.Vector3{X: nan}},
		"angular NaN":  {Angular: geometry_msgs.Vector3{Z: nan}},
		"+Inf":         {Linear: geometry_msgs.Vector3{X: inf}},
		"-Inf":         {Angular: geometry_msgs.Vector3{Z: -inf}},
		"unused axis":  {Linear: geometry_msgs.Vector3{X: 0.1, Y: nan}},
		"unused angle": {Linear: geometry_msgs.Vector3{X: 0.1}, Angular: geometry_msgs.Vector3{X: inf}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{})
				r.command(0.05, 0)
				time.Sleep(100 * time.Millisecond)
				before := r.robot.GroundTruth()
				for range 20 {
					publish(r, "cmd_vel", &m)
					time.Sleep(10 * time.Millisecond)
				}
				if now := r.robot.GroundTruth(); now.LeftSpeed != before.LeftSpeed || now.RightSpeed != before.RightSpeed {
					t.Errorf("speeds went from %v, %v to %v, %v rad/s", before.LeftSpeed, before.RightSpeed, now.LeftSpeed, now.RightSpeed)
				}
				if n := r.log.count("rejected"); n != 1 {
					t.Errorf("%d log lines for 20 messages\n%v", n, r.log)
				}
				time.Sleep(300 * time.Millisecond)
				r.wantAtRest() // nonsense does not keep a command alive either
			})
		})
	}
}

// The original driver logged every cmd_vel.
func TestOldDriverDefectCommandsAreNotLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		r.drive(0.1, 1, 5*time.Second)
		if text := r.log.String(); text != "" {
			t.Errorf("the log is not empty:\n%s", text)
		}
	})
}

func TestStampedCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p cmd_vel_stamped:=true"})
		m := geometry_msgs.TwistStamped{}
		m.Twist.Linear.X = 0.1
		publish(r, "cmd_vel", &m)
		time.Sleep(100 * time.Millisecond)
		if truth := r.robot.GroundTruth(); truth.LeftSpeed == 0 {
			t.Error("the wheels are stopped")
		}
	})
}
