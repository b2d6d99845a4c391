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
	minSpeed        = 0.6  // rad/s of a wheel, at the end of a segment
	slowDownTime    = 0.4  // s: a wheel's speed is its remaining angle divided by this
	tolerance       = 0.01 // rad, two motor steps
	stuckReadings   = 60   // readings without progress, after which the wheels count as stuck
	stoppedReadings = 6    // readings without a motor step, after which the robot counts as stopped
)

// angles returns the angles of both wheels in a message, rad. The error matches [ErrSilent] if one is missing.
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

// segment is a part of a run: the angles by which the wheels turn, rad, and the speed of the faster one, rad/s.
type segment struct{ left, right, speed float64 }

// forward returns a straight segment: distance in m, speed in m/s.
func forward(g wheels.Geometry, distance, speed float64) segment {
	return segment{distance / g.Radius(), distance / g.Radius(), speed / g.Radius()}
}

// turn returns a turn on the spot: angle in rad, speed in rad/s.
func turn(g wheels.Geometry, angle, speed float64) segment {
	a := angle * g.Distance / 2 / g.Radius()
	return segment{-a, a, speed * g.Distance / 2 / g.Radius()}
}

// drive drives a segment and waits until the wheels have stopped. each, if not nil, is called for every reading with
// the angles since the last one. g is the driver's geometry. The wheels are commanded to stop before drive returns,
// also when it fails. The error matches errStuck if the wheels do not follow.
func (r *Robot) drive(ctx context.Context, g wheels.Geometry, w segment, each func(wheels.Turn)) (err error) {
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
	done, unchanged, stoppedFor := false, 0, 0
	for stoppedFor < stoppedReadings {
		// The remaining share of the segment.
		left := 1 - progress(last, begin, w)
		if done = done || left*most <= tolerance; done {
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
		if unchanged++; t != (wheels.Turn{}) {
			unchanged = 0
			each(t)
		}
		if stoppedFor = 0; done {
			stoppedFor = unchanged
		}
		if !done && unchanged > stuckReadings {
			return fmt.Errorf("%w: is another program driving, or does the driver stop the wheels?", errStuck)
		}
	}
	return nil
}

// angles waits for a reading of the wheels after number n and returns it with its number.
func (r *Robot) angles(ctx context.Context, n uint64) (wheels.Turn, uint64, error) {
	m, n, err := r.joints.next(ctx, n)
	if err != nil {
		return wheels.Turn{}, n, err
	}
	t, err := angles(&m)
	return t, n, err
}

// progress returns the share of a segment that is done.
func progress(at, begin wheels.Turn, w segment) float64 {
	return ((at.Left-begin.Left)*w.left + (at.Right-begin.Right)*w.right) / (w.left*w.left + w.right*w.right)
}

// command returns the cmd_vel for a segment with left rad remaining.
func command(g wheels.Geometry, w segment, left float64) *geometry_msgs.Twist {
	most := max(math.Abs(w.left), math.Abs(w.right))
	speed := min(w.speed, max(left/slowDownTime, min(minSpeed, w.speed)))
	l, r := w.left/most*speed*g.Left, w.right/most*speed*g.Right
	m := &geometry_msgs.Twist{}
	m.Linear.X, m.Angular.Z = (l+r)/2, (r-l)/g.Distance
	return m
}
