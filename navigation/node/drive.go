// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Progress is the progress of a drive.
type Progress struct {
	// Pose is the robot's pose in odometry's frame, Frame.
	Pose  mapping.Pose
	Frame string
	// Took is the time since the first odometry message of the drive, by its stamps.
	Took time.Duration
	// Remaining is the length of the remaining path to the current goal, m; while there is none, the straight distance.
	Remaining float64
	// Reached is the number of reached goals, Recoveries the number of recovery behaviours.
	Reached, Recoveries int
}

// drive is a drive to some goals. The node's lock guards it.
type drive struct {
	goals    []geometry_msgs.PoseStamped
	exact    *navigation.Follower // instead of the navigator
	begun    time.Time            // stamp of its first odometry
	progress Progress
	until    time.Time     // time at which the current goal of exact is given up
	updated  chan struct{} // capacity 1: odometry was received, progress has changed
	ended    chan error    // capacity 1
	of       *request
	adjusted int // number of the last goal that was logged as too near to an obstacle
}

// request is a client's request: one drive, or one for each of its waypoints. A later request replaces it.
type request struct {
	begun bool // its first drive has started
}

// Drive drives to the goals in sequence and returns when the last is reached; a pose whose orientation is all zeros
// means any heading. report, which may be nil, is called with the progress at every odometry message and must not
// block. The error is ctx's, [ErrReplaced] if another drive begins, or matches [navigation.ErrGoal], [ErrFrame],
// [ErrNoOdometry], [navigation.ErrNoPath] or [navigation.ErrStuck]. Goals to which the known map has no path are
// rejected before the robot moves. The robot is stopped at the end of the drive.
func (n *Node) Drive(ctx context.Context, goals []geometry_msgs.PoseStamped, report func(Progress)) error {
	return n.driveFor(ctx, new(request), goals, report)
}

// driveFor is Drive as part of a request, which may consist of several drives.
func (n *Node) driveFor(ctx context.Context, of *request, goals []geometry_msgs.PoseStamped, report func(Progress)) error {
	d := &drive{of: of, goals: goals, updated: make(chan struct{}, 1), ended: make(chan error, 1)}
	if err := n.start(d); err != nil {
		return err
	}
	defer n.stop(d)
	timeout := time.NewTimer(n.cfg.OdometryTimeout)
	defer timeout.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-d.ended:
			return err
		case <-timeout.C:
			return fmt.Errorf("%w for %v: is the robot running?", ErrNoOdometry, n.cfg.OdometryTimeout)
		case <-d.updated:
			timeout.Reset(n.cfg.OdometryTimeout)
			if report != nil {
				n.mu.Lock()
				p := d.progress
				n.mu.Unlock()
				report(p)
			}
		}
	}
}

// start makes d the active drive, whose goals are set at the next odometry message. If they are rejected, the
// previous drive continues.
func (n *Node) start(d *drive) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if d.of.begun && n.request != d.of { // a later request arrived between two drives of this one
		return ErrReplaced
	}
	if err := n.check(d.goals); err != nil {
		return err
	}
	n.end(ErrReplaced)
	n.request, d.of.begun, n.drive = d.of, true, d
	return nil
}

// check returns the reason why a drive to poses would be rejected now; nil if it would start, or wait for the first
// odometry message. The lock is held.
func (n *Node) check(poses []geometry_msgs.PoseStamped) error {
	if n.odom == "" {
		return nil
	}
	goals, err := n.toOdom(poses)
	switch {
	case err != nil:
		return err
	case n.cfg.Exact:
		_, err := navigation.NewFollower(n.cfg.Drive.Limits, goals...)
		return err
	}
	if n.odomInMap != n.projected.odomInMap {
		n.projectMap()
	}
	if n.mapFault != nil {
		return n.mapFault
	}
	return n.nav.CheckGoals(n.pose, goals...)
}

// stop stops the robot unless another drive has begun.
func (n *Node) stop(d *drive) {
	n.mu.Lock()
	mine := n.drive == d || n.drive == nil
	if n.drive == d {
		n.drive = nil
	}
	n.mu.Unlock()
	if mine {
		n.command(time.Time{}, 0, 0)
	}
}

// end ends the active drive, if any. The lock is held.
func (n *Node) end(why error) {
	if n.drive != nil {
		n.drive.ended <- why // does not block: a drive ends once
		n.drive = nil
	}
}

// moveGoals moves the goals of the active drive after the map has moved. Their progress and their timeouts are kept.
// The lock is held.
func (n *Node) moveGoals() {
	d := n.drive
	if d == nil || n.odom == "" || d.begun.IsZero() {
		return
	}
	goals, err := n.toOdom(d.goals)
	switch {
	case err != nil:
	case d.exact != nil:
		err = d.exact.Move(goals...)
	default:
		err = n.nav.MoveGoals(n.odomInMap, goals...)
	}
	if err != nil {
		n.end(err)
	}
}

// set passes the goals of a drive, which were checked, to the navigator or the follower. The lock is held.
func (n *Node) set(d *drive) error {
	goals, err := n.toOdom(d.goals)
	switch {
	case err != nil:
		return err
	case n.cfg.Exact:
		d.exact, err = navigation.NewFollower(n.cfg.Drive.Limits, goals...)
		return err
	}
	if err := n.nav.SetGoals(goals...); err != nil {
		return err
	}
	return n.nav.MoveGoals(n.odomInMap, goals...)
}

// checkDrive ends the active drive, which started before the first map was received, if the map has no path to one of
// the remaining goals. The lock is held.
func (n *Node) checkDrive() {
	d := n.drive
	if d == nil || d.exact != nil || d.begun.IsZero() {
		return
	}
	goals, err := n.toOdom(d.goals[d.progress.Reached:])
	if err == nil {
		err = n.nav.CheckGoals(n.pose, goals...)
	}
	if err != nil {
		n.end(err)
	}
}

// toOdom returns goals in odometry's frame. The lock is held.
func (n *Node) toOdom(poses []geometry_msgs.PoseStamped) ([]navigation.Goal, error) {
	goals := make([]navigation.Goal, 0, len(poses))
	for i := range poses {
		p := &poses[i]
		at, err := goalOf(&p.Pose)
		if err != nil {
			return nil, fmt.Errorf("%w: goal %d: %w", errPose, i+1, err)
		}
		switch p.Header.FrameID {
		case n.odom, "":
		case n.cfg.MapFrame:
			at = n.odomInMap.Inverse().Plus(at)
		default:
			return nil, fmt.Errorf("%w: goal %d is in %q, want %q or %q", ErrFrame, i+1, p.Header.FrameID, n.cfg.MapFrame, n.odom)
		}
		goals = append(goals, navigation.Goal{X: at.X, Y: at.Y, Theta: at.Theta})
	}
	return goals, nil
}

// goalOf returns a goal as a pose on the floor; a quaternion of zeros means any heading.
func goalOf(p *geometry_msgs.Pose) (mapping.Pose, error) {
	at := mapping.Pose{X: p.Position.X, Y: p.Position.Y, Theta: navigation.AnyHeading}
	err := planar.OnFloor(p.Position)
	if err == nil && p.Orientation != (geometry_msgs.Quaternion{}) {
		at.Theta, err = planar.Heading(p.Orientation)
	}
	return at, err
}

// onOdom updates the state and publishes the next command.
func (n *Node) onOdom(m *nav_msgs.Odometry) {
	stamp := m.Header.Stamp.Time()
	seen, err := planar.PoseOf(m.Pose.Pose)
	pose := mapping.Pose{X: seen.X, Y: seen.Y, Theta: seen.Theta}
	n.mu.Lock()
	if n.fault("odometry", err) {
		n.end(fmt.Errorf("%w that can be used: %w", ErrNoOdometry, err))
		n.mu.Unlock()
		return
	}
	at, jump := n.stamps.Next(stamp)
	if jump != 0 && n.drive != nil {
		n.stamps.Log(n.log, jump)
	}
	first := n.odom != m.Header.FrameID
	n.odom, n.pose = m.Header.FrameID, pose
	if place, known := n.framesInMap[n.odom]; known {
		n.odomInMap = place
	}
	clear(n.framesInMap)
	if first || n.mapMoved(at) {
		n.projectMap()
		n.projected.at = at
	}
	d := n.drive
	if d == nil {
		n.mu.Unlock()
		return
	}
	if d.begun.IsZero() || first {
		d.begun = at
		err := n.check(d.goals)
		if err == nil {
			err = n.set(d)
		}
		if err != nil {
			n.end(err)
			n.mu.Unlock()
			return
		}
	}
	v, omega := n.step(d, pose, at)
	path, grid := n.displayMessages(pose, stamp)
	n.mu.Unlock()
	n.commandOf(d, stamp, v, omega)
	n.publishDisplay(path, grid)
}

// step computes the speeds and records the progress. The lock is held.
func (n *Node) step(d *drive, pose mapping.Pose, at time.Time) (v, omega float64) {
	var done bool
	var err error
	p := Progress{Pose: pose, Frame: n.odom, Took: at.Sub(d.begun)}
	if d.exact != nil {
		v, omega, done = d.exact.Step(pose)
		p.Reached, p.Remaining = d.exact.Reached(), d.exact.Remaining(pose)
		if d.until.IsZero() || p.Reached != d.progress.Reached {
			d.until = at.Add(n.nav.TimeFor(p.Remaining))
		}
		if !done && at.After(d.until) {
			v, omega, done = 0, 0, true
			err = fmt.Errorf("%w: goal %d was not reached in time", navigation.ErrStuck, p.Reached+1)
		}
	} else {
		v, omega, done, err = n.nav.Step(pose, at)
		p.Reached, p.Recoveries, p.Remaining = n.nav.Reached(), n.nav.Recoveries(), n.nav.Remaining(pose)
		n.logAdjusted(d)
	}
	d.progress = p
	select {
	case d.updated <- struct{}{}:
	default:
	}
	if done {
		n.end(err)
	}
	return v, omega
}

// logAdjusted logs once per goal that it is too near to an obstacle, and where the robot drives instead. The lock is
// held.
func (n *Node) logAdjusted(d *drive) {
	place, clearance, ok := n.nav.Adjusted()
	if reached := n.nav.Reached(); ok && d.adjusted != reached+1 {
		d.adjusted = reached + 1
		n.log.Warn("the goal is too near to an obstacle, the robot drives to the nearest free position", "goal", reached+1,
			"x", round(place.X), "y", round(place.Y), "clearance", round(clearance))
	}
}

// round rounds a length to millimetres for the log.
func round(metres float64) float64 { return math.Round(metres*1000) / 1000 }

// command publishes cmd_vel. It is called without the lock.
func (n *Node) command(at time.Time, v, omega float64) {
	n.sending.Lock()
	defer n.sending.Unlock()
	n.sendLocked(at, v, omega)
}

// commandOf publishes the speeds of a drive, unless it has ended: then zero has been published, and stays the last
// command.
func (n *Node) commandOf(d *drive, at time.Time, v, omega float64) {
	n.sending.Lock()
	defer n.sending.Unlock()
	n.mu.Lock()
	active := n.drive == d
	n.mu.Unlock()
	if active || v == 0 && omega == 0 {
		n.sendLocked(at, v, omega)
	}
}

// sendLocked is command while sending is held.
func (n *Node) sendLocked(at time.Time, v, omega float64) {
	if at.IsZero() {
		at = n.cfg.Node.Now()
	}
	if err := n.cmd(at, v, omega); err != nil && !errors.Is(err, ros2.ErrClosed) {
		n.log.Warn("cmd_vel can't be published", "error", err)
	}
}
