// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"context"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

const (
	leastSpeed = 0.6  // rad/s of a wheel, at the end of a way
	slowDown   = 0.4  // s: a wheel's speed is what is left of its way divided by this
	arrived    = 0.01 // rad, two steps
	noProgress = 60   // readings without progress
	standStill = 6    // readings without a step, after which the robot counts as stopped
)

// angles gives the angles of both wheels in a message.
func angles(m *sensor_msgs.JointState) (t wheels.Turn, err error) {
	found := 0
	for i, name := range m.Name {
		if i >= len(m.Position) {
			break
		}
		switch name {
		case "left_wheel_joint":
			t.Left = m.Position[i]
			found |= 1
		case "right_wheel_joint":
			t.Right = m.Position[i]
			found |= 2
		}
	}
	if found != 3 || math.IsNaN(t.Left+t.Right) {
		return t, fmt.Errorf("%w: joint_states has no left_wheel_joint and right_wheel_joint", ErrSilent)
	}
	return t, nil
}

// way is a part of a run: what both wheels shall turn, rad, and the speed of the faster one, rad/s.
type way struct{ left, right, speed float64 }

// forward and turn make ways: m at m/s, rad at rad/s.
func forward(g wheels.Geometry, distance, speed float64) way {
	return way{distance / g.Radius(), distance / g.Radius(), speed / g.Radius()}
}

func turn(g wheels.Geometry, angle, speed float64) way {
	a := angle * g.Distance / 2 / g.Radius()
	return way{-a, a, speed * g.Distance / 2 / g.Radius()}
}

// drive turns the wheels by a distance and waits until they are stopped. each, if not nil, is called with what they
// turned at every reading. g is the geometry the driver has. The wheels are commanded to stop before it returns, with
// an error, too.
func (r *Robot) drive(ctx context.Context, g wheels.Geometry, w way, each func(wheels.Turn)) (err error) {
	defer func() {
		if err != nil {
			_ = r.stop() // the first error counts
		}
	}()
	last, n, err := r.angles(ctx, 0)
	if err != nil {
		return err
	}
	if each == nil {
		each = func(wheels.Turn) {}
	}
	begin, most := last, max(math.Abs(w.left), math.Abs(w.right))
	done, stalled, still := false, 0, 0
	for still < standStill {
		// What is left of the way, as a share of it, by the faster wheel.
		left := 1 - progress(last, begin, w)
		if done = done || left*most <= arrived; done {
			err = r.cmd.Publish(&geometry_msgs.Twist{})
		} else {
			err = r.cmd.Publish(command(g, w, left*most))
		}
		if err != nil {
			return fmt.Errorf("calibrate: %w", err)
		}
		var at wheels.Turn
		if at, n, err = r.angles(ctx, n); err != nil {
			return err
		}
		t := wheels.Turn{Left: at.Left - last.Left, Right: at.Right - last.Right}
		last = at
		if stalled++; t != (wheels.Turn{}) {
			stalled = 0
			each(t)
		}
		if still = 0; done {
			still = stalled
		}
		if !done && stalled > noProgress {
			return fmt.Errorf("%w: is another program driving, or does the driver hold the wheels?", errStuck)
		}
	}
	return nil
}

// angles waits for a reading of the wheels after number n.
func (r *Robot) angles(ctx context.Context, n uint64) (wheels.Turn, uint64, error) {
	m, n, err := r.joints.next(ctx, n)
	if err != nil {
		return wheels.Turn{}, n, err
	}
	t, err := angles(&m)
	return t, n, err
}

// progress is the share of a way that is done.
func progress(at, begin wheels.Turn, w way) float64 {
	return ((at.Left-begin.Left)*w.left + (at.Right-begin.Right)*w.right) / (w.left*w.left + w.right*w.right)
}

// command is the cmd_vel for a way of which so many rad are left.
func command(g wheels.Geometry, w way, left float64) *geometry_msgs.Twist {
	most := max(math.Abs(w.left), math.Abs(w.right))
	speed := min(w.speed, max(left/slowDown, min(leastSpeed, w.speed)))
	l, r := w.left/most*speed*g.Left, w.right/most*speed*g.Right
	m := &geometry_msgs.Twist{}
	m.Linear.X, m.Angular.Z = (l+r)/2, (r-l)/g.Distance
	return m
}
