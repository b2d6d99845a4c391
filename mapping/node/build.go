// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
)

// onOdom stores the pose of odometry and integrates the readings up to its time.
func (n *Node) onOdom(m *nav_msgs.Odometry) {
	p, err := planar.PoseOf(m.Pose.Pose)
	if err != nil {
		n.rejectOdom(err)
		return
	}
	n.rejected = ""
	n.publishTransform(m)
	at := m.Header.Stamp.Time()
	if _, jump := n.stamps.Next(at); jump != 0 {
		if !n.cfg.Quiet { // else another node logs it
			n.stamps.Log(n.cfg.Node.Logger(), jump)
		}
		n.forgetFuture(at)
	}
	n.poses.add(at, mapping.Pose{X: p.X, Y: p.Y, Theta: p.Theta})
	n.integrate()
	if m, ok := n.cfg.Map.(Clearer); ok {
		m.Clear(p.X, p.Y, n.cfg.Radius)
	}
	if n.changed && n.grid != nil && (at.Sub(n.published) >= n.cfg.Period || at.Before(n.published)) {
		n.publish(at)
	}
}

// rejectOdom logs the reason why odometry's poses are not used, once per reason.
func (n *Node) rejectOdom(err error) {
	what := OdometryFault(err)
	if n.rejected != what && !n.cfg.Quiet { // else another node logs it
		n.cfg.Node.Logger().Warn("odometry is not used", "error", err)
	}
	n.rejected = what
}

// OdometryFault returns the kind of a pose's error without its numbers, which differ from message to message, so that
// logs can be limited to changes.
func OdometryFault(err error) string {
	for _, kind := range []error{planar.ErrRotation, planar.ErrTilted, planar.ErrPosition} {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return err.Error()
}

// enqueue stores a reading until odometry has a pose for its time. When the queue is full, the oldest is dropped.
func (n *Node) enqueue(r reading) {
	if len(n.pending) >= maxPending {
		n.stats.Late++
		n.pending = append(n.pending[:0], n.pending[1:]...)
	}
	n.pending = append(n.pending, r)
	n.integrate()
}

// forgetFuture drops the readings with later times than those of a clock that was set back: they would be integrated
// at the poses that the robot has when the clock reaches these times again.
func (n *Node) forgetFuture(now time.Time) {
	left := n.pending[:0]
	for _, r := range n.pending {
		if r.at.Sub(now) > poseHistory {
			n.stats.Late++
			continue
		}
		left = append(left, r)
	}
	n.pending = left
}

// integrate adds those pending readings to the map for whose time odometry is available.
func (n *Node) integrate() {
	left := n.pending[:0]
	for _, r := range n.pending {
		pose, when := n.poses.at(r.at)
		switch when {
		case notYet:
			left = append(left, r)
			continue
		case tooOld:
			n.stats.Late++
			continue
		}
		r.beam.From = pose.Plus(r.beam.From)
		if err := n.cfg.Map.Add(r.beam); err != nil {
			if n.stats.Refused++; n.stats.Refused == 1 {
				n.cfg.Node.Logger().Warn("the map rejected a reading", "error", err)
			}
			continue
		}
		n.stats.Used++
		n.changed = true
	}
	n.pending = left
}

// transformTimeout is how long a sensor's transform may be missing before that is logged.
const transformTimeout = 3 * time.Second

// reportMissing logs once why a sensor's readings are not used, when transformTimeout has passed by their stamps.
func (n *Node) reportMissing(frame string, at time.Time, why error) {
	m := n.missing[frame]
	if m == nil && len(n.missing) < 64 {
		m = &missing{since: at}
		n.missing[frame] = m
	}
	if m == nil || m.reported || at.Sub(m.since) < transformTimeout {
		return
	}
	m.reported = true
	n.cfg.Node.Logger().Warn("readings of a sensor are not used", "base", n.cfg.BaseFrame, "sensor", frame, "error", why)
}

// publishTransform queues the transform of the map's frame, once for each frame of odometry.
func (n *Node) publishTransform(m *nav_msgs.Odometry) {
	if n.tf == nil || n.transformed == m.Header.FrameID {
		return
	}
	n.transformed = m.Header.FrameID
	t := geometry_msgs.TransformStamped{Header: std_msgs.Header{Stamp: m.Header.Stamp, FrameID: n.cfg.MapFrame}}
	t.ChildFrameID, t.Transform.Rotation.W = m.Header.FrameID, 1
	n.outbox = append(n.outbox, func() error {
		return n.tf.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{t}})
	})
}

// publish queues the current map.
func (n *Node) publish(at time.Time) {
	n.published, n.changed = at, false
	m, err := n.cfg.Map.Map()
	if err != nil {
		return // no reading yet
	}
	stamp := builtin_interfaces.TimeOf(at)
	info := nav_msgs.MapMetaData{
		MapLoadTime: stamp, Resolution: float32(m.Resolution), Width: uint32(m.Width), Height: uint32(m.Height),
	}
	info.Origin.Position.X, info.Origin.Position.Y, info.Origin.Orientation.W = m.X, m.Y, 1
	grid := nav_msgs.OccupancyGrid{Header: std_msgs.Header{Stamp: stamp, FrameID: n.cfg.MapFrame}, Info: info, Data: m.Cells}
	n.outbox = append(n.outbox, func() error { return errors.Join(n.grid.Publish(&grid), n.meta.Publish(&info)) })
}

// Save saves the current map to Config.File and returns the name of the YAML file.
func (n *Node) Save() (string, error) {
	n.mu.Lock()
	m, err := n.cfg.Map.Map()
	if err == nil {
		m = m.Clone()
	}
	n.mu.Unlock()
	if err != nil {
		return "", err
	}
	return n.cfg.File + ".yaml", m.Save(n.cfg.File, n.cfg.Save)
}

// save implements the service save_map.
func (n *Node) save(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
	name, err := n.Save()
	if err != nil {
		return &std_srvs.TriggerResponse{Message: err.Error()}, nil //nolint:nilerr // the response has the error
	}
	return &std_srvs.TriggerResponse{Success: true, Message: name}, nil
}
