// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// grazed drives a robot of a kind at 0.1 m/s past an e-puck2 at rest, on a line that is offset (m) from its middle, and
// returns where it is after a time.
func grazed(t *testing.T, kind string, offset float64, d time.Duration) sim.Pose {
	t.Helper()
	r := newRig(t, "robots:\n"+
		fmt.Sprintf("  - {name: r, %s, position: [-0.2, %g]}\n", kind, offset)+
		"  - {name: other, level: functional, position: [0, 0]}\n")
	robot := r.sim.Robots()[0]
	const speed = 0.1 / (2 * math.Pi * 0.02) * 1000 // steps/s
	driven(t, robot, math.Round(speed), math.Round(speed))
	r.pass(d)
	if p := r.sim.Robots()[1].Pose(); p.X != 0 || p.Y != 0 || p.Theta != 0 {
		t.Errorf("%s: the robot at rest is at %v", kind, p)
	}
	return robot.Pose()
}

// TestGrazingTurns: a robot that grazes another one turns towards it, by more the more they overlap, at all levels alike,
// and mirrored on the other side; it passes if it only grazes it.
func TestGrazingTurns(t *testing.T) {
	for _, c := range []struct{ offset, turn, tolerance, least float64 }{
		{0.072, -0.035, 0.004, 0.2}, {0.07, -0.081, 0.006, 0.19}, {0.068, -0.141, 0.01, 0.19},
	} {
		poses := map[string]sim.Pose{}
		for level, kind := range levels() {
			p, q := grazed(t, kind, c.offset, 4*time.Second), grazed(t, kind, -c.offset, 4*time.Second)
			near(t, fmt.Sprintf("%g m, %s: turn", c.offset, level), p.Theta, c.turn, c.tolerance)
			near(t, level+": mirrored x", q.X, p.X, 2e-4)
			near(t, level+": mirrored y", q.Y, -p.Y, 2e-4)
			near(t, level+": mirrored turn", q.Theta, -p.Theta, 1e-3)
			if p.X < c.least {
				t.Errorf("%g m, %s: it does not pass: %v", c.offset, level, p)
			}
			poses[level] = p
		}
		near(t, "x of the described one", poses["described"].X, poses["functional"].X, 1e-9)
		near(t, "turn of the described one", poses["described"].Theta, poses["functional"].Theta, 1e-9)
	}
}

// TestHeadOnDoesNotTurn: a robot that drives against the middle of another one stops before it, straight, and the other
// one stays where it is.
func TestHeadOnDoesNotTurn(t *testing.T) {
	for level, kind := range levels() {
		p := grazed(t, kind, 0, 4*time.Second)
		near(t, level+": x", p.X, -0.074, 1e-6)
		if p.Y != 0 || p.Theta != 0 {
			t.Errorf("%s: %v", level, p)
		}
	}
}

// TestGrazingIsFeltByTheGyroscope: the turn is one of the body, which its gyroscope measures, and not of its wheels.
func TestGrazingIsFeltByTheGyroscope(t *testing.T) {
	r := newRig(t, "arena: {size: [2, 2]}\nrobots:\n  - {name: f, level: functional, position: [0.95, 0], yaw: 1}\n")
	robot := sim.RobotsOf[*sim.Functional](r.sim)[0]
	driven(t, robot, 500, 500)
	sum := 0.0
	for range 300 {
		r.pass(10 * time.Millisecond)
		robot.Do(func(c *sim.Control) {
			_, gyro := c.Inertial()
			sum += 0.01 * gyro[2]
		})
	}
	truth := robot.GroundTruth()
	if truth.LeftWheel != truth.RightWheel || truth.Pose.Theta > 0.9 {
		t.Errorf("wheels at %g and %g rad, heading %g", truth.LeftWheel, truth.RightWheel, truth.Pose.Theta)
	}
	near(t, "turn by the gyroscope", sum, truth.Pose.Theta-1, 0.05)
}

// TestSideOfABoxTurnsItsRobot: a robot with a wide front that meets a post with one side of it turns towards that side,
// mirrored on the other side, and drives straight against a wall.
func TestSideOfABoxTurnsItsRobot(t *testing.T) {
	turn := func(y float64) float64 {
		r := modelled(t, fmt.Sprintf("contact_friction: 0\ncylinders: [{position: [0.2, %g], radius: 0.02}]\nrobots:\n", y)+robotAt("r", "cart", 0, 0, 0), cart(""))
		r.drive(0, 2, 2)
		r.pass(3 * time.Second)
		return r.pose(0).Theta
	}
	left, right := turn(0.04), turn(-0.04)
	if !(left > 0.1 && left < 2) || math.Abs(left+right) > 1e-3 {
		t.Errorf("turns by %g and %g rad", left, right)
	}
	near(t, "against the middle", turn(0), 0, 1e-9)
	r := modelled(t, arena(robotAt("r", "cart", 0.8, 0, 0)), cart(""))
	r.drive(0, 2, 2)
	r.pass(5 * time.Second)
	near(t, "heading before a wall", r.pose(0).Theta, 0, 1e-9)
	near(t, "place before a wall", r.pose(0).X, 0.9, 1e-6)
}
