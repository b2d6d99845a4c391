// SPDX-License-Identifier: Apache-2.0

package node

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// picturePeriod is the minimum time between two publications of plan and seen.
const picturePeriod = 500 * time.Millisecond

func header(at time.Time, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: builtin_interfaces.TimeOf(at), FrameID: frame}
}

// pictures returns the path and the observed map for publication, if they are due and subscribed. The lock is held.
func (n *Node) pictures(pose mapping.Pose, at time.Time) (path *nav_msgs.Path, grid *nav_msgs.OccupancyGrid) {
	if since := at.Sub(n.published); since >= 0 && since < picturePeriod {
		return nil, nil
	}
	n.published = at
	if n.plan.HasSubscribers() {
		path = n.path(pose, at)
	}
	if n.seen.HasSubscribers() {
		if m, err := n.nav.Map(); err == nil {
			grid = gridOf(m, at, n.odom)
		}
	}
	return path, grid
}

// path returns the path from the robot to the current goal.
func (n *Node) path(pose mapping.Pose, at time.Time) *nav_msgs.Path {
	p := &nav_msgs.Path{Header: header(at, n.odom)}
	add := func(x, y, theta float64) {
		s := geometry_msgs.PoseStamped{Header: p.Header}
		s.Pose.Position.X, s.Pose.Position.Y = x, y
		s.Pose.Orientation.Z, s.Pose.Orientation.W = math.Sin(theta/2), math.Cos(theta/2)
		p.Poses = append(p.Poses, s)
	}
	x, y := pose.X, pose.Y
	for _, g := range n.nav.Path() {
		add(x, y, math.Atan2(g.Y-y, g.X-x))
		x, y = g.X, g.Y
		pose.Theta = g.Theta
	}
	if math.IsNaN(pose.Theta) {
		pose.Theta = 0
	}
	add(x, y, pose.Theta)
	return p
}

// show publishes path and map. It is called without the lock.
func (n *Node) show(path *nav_msgs.Path, grid *nav_msgs.OccupancyGrid) {
	var err error
	if path != nil {
		err = n.plan.Publish(path)
	}
	if grid != nil && err == nil {
		err = n.seen.Publish(grid)
	}
	if err != nil {
		n.log.Warn("plan or seen can't be published", "error", err)
	}
}

// gridOf returns a map as a message.
func gridOf(m *mapping.Map, at time.Time, frame string) *nav_msgs.OccupancyGrid {
	g := &nav_msgs.OccupancyGrid{Header: header(at, frame), Data: m.Cells}
	g.Info = nav_msgs.MapMetaData{
		MapLoadTime: g.Header.Stamp, Resolution: float32(m.Resolution), Width: uint32(m.Width), Height: uint32(m.Height),
	}
	g.Info.Origin.Position.X, g.Info.Origin.Position.Y, g.Info.Origin.Orientation.W = m.X, m.Y, 1
	return g
}

// onMap stores the static map.
func (n *Node) onMap(m *nav_msgs.OccupancyGrid) {
	f := mapping.Frame{
		Resolution: float64(m.Info.Resolution), X: m.Info.Origin.Position.X, Y: m.Info.Origin.Position.Y,
		Width: int(m.Info.Width), Height: int(m.Info.Height),
	}
	if err := f.Check(); err != nil || len(m.Data) != f.Width*f.Height {
		n.log.Warn("invalid map ignored", "cells", len(m.Data), "width", f.Width, "height", f.Height, "error", err)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	first := n.known == nil
	n.known = &mapping.Map{Frame: f, Cells: m.Data}
	n.placeMap()
	if first {
		n.checkDrive()
	}
}

// drawn is the state of the known map in odometry's frame.
type drawn struct {
	place mapping.Pose // of odometry's frame in the map's
	at    time.Time    // stamp of the odometry then
}

// drawPeriod is the minimum time between two transformations of a known map that moves during a drive: both they and
// the planning after them take time.
const drawPeriod = time.Second

// mapMoved reports whether the known map has moved by half a cell or more since it was transformed. The lock is held.
func (n *Node) mapMoved(now time.Time) bool {
	if n.drive == nil || n.known == nil || n.place == n.drawn.place {
		return false
	}
	if since := now.Sub(n.drawn.at); since >= 0 && since < drawPeriod {
		return false
	}
	shift := math.Hypot(n.place.X-n.drawn.place.X, n.place.Y-n.drawn.place.Y)
	turn := math.Abs(math.Remainder(n.place.Theta-n.drawn.place.Theta, 2*math.Pi))
	size := math.Hypot(float64(n.known.Width), float64(n.known.Height)) * n.known.Resolution
	return shift+turn*size >= n.known.Resolution/2
}

// placeMap transforms the known map into odometry's frame. The lock is held.
func (n *Node) placeMap() {
	n.drawn.place = n.place
	if n.known == nil || n.odom == "" {
		return
	}
	if n.place == (mapping.Pose{}) {
		n.nav.Know(n.known)
		return
	}
	n.nav.Know(turned(n.known, inverse(n.place)))
}

// turned returns a map in another frame: by transforms the middle of each cell.
func turned(m *mapping.Map, by mapping.Pose) *mapping.Map {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	wide, high := float64(m.Width)*m.Resolution, float64(m.Height)*m.Resolution
	for _, corner := range [][2]float64{{0, 0}, {wide, 0}, {0, high}, {wide, high}} {
		p := by.Plus(mapping.Pose{X: m.X + corner[0], Y: m.Y + corner[1]})
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	f := mapping.Frame{
		Resolution: m.Resolution, X: x0, Y: y0,
		Width: int(math.Ceil((x1 - x0) / m.Resolution)), Height: int(math.Ceil((y1 - y0) / m.Resolution)),
	}
	to, err := mapping.NewMap(f)
	if err != nil {
		return m // too large: better untransformed than none
	}
	back := inverse(by)
	for i := range to.Cells {
		x, y := to.Center(i%to.Width, i/to.Width)
		p := back.Plus(mapping.Pose{X: x, Y: y})
		to.Cells[i] = m.At(m.Cell(p.X, p.Y))
	}
	return to
}
