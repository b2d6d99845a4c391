// SPDX-License-Identifier: Apache-2.0

package node

import (
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// displayPeriod is the minimum time between two publications of plan and seen.
const displayPeriod = 500 * time.Millisecond

func header(at time.Time, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: builtin_interfaces.TimeOf(at), FrameID: frame}
}

// displayMessages returns the path and the observed map for publication, if they are due and subscribed. The lock is
// held.
func (n *Node) displayMessages(pose mapping.Pose, at time.Time) (path *nav_msgs.Path, grid *nav_msgs.OccupancyGrid) {
	if since := at.Sub(n.published); since >= 0 && since < displayPeriod {
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

// publishDisplay publishes path and map. It is called without the lock.
func (n *Node) publishDisplay(path *nav_msgs.Path, grid *nav_msgs.OccupancyGrid) {
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

// onMap stores the static map. If it cannot be used, goals are rejected with the reason.
func (n *Node) onMap(m *nav_msgs.OccupancyGrid) {
	grid, err := mapnode.MapOf(m)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil {
		n.known = nil
		n.rejectMap(fmt.Errorf("%w: %w", ErrMap, err))
		return
	}
	first := n.known == nil
	n.known, n.knownFrame, n.mapFault = grid, m.Header.FrameID, nil
	n.projectMap()
	if first {
		n.checkDrive()
	}
}

// projected is the state of the last projection of the known map into odometry's frame.
type projected struct {
	odomInMap mapping.Pose // of odometry's frame in the map's
	at        time.Time    // stamp of the odometry at that time
}

// projectPeriod is the minimum time between two projections of a known map that moves during a drive: the projection
// and the planning after it take time.
const projectPeriod = time.Second

// mapMoved reports whether the known map has moved by half a cell or more since its last projection. The lock is
// held.
func (n *Node) mapMoved(now time.Time) bool {
	if n.drive == nil || n.known == nil || n.odomInMap == n.projected.odomInMap {
		return false
	}
	if since := now.Sub(n.projected.at); since >= 0 && since < projectPeriod {
		return false
	}
	shift := math.Hypot(n.odomInMap.X-n.projected.odomInMap.X, n.odomInMap.Y-n.projected.odomInMap.Y)
	turn := math.Abs(math.Remainder(n.odomInMap.Theta-n.projected.odomInMap.Theta, 2*math.Pi))
	size := math.Hypot(float64(n.known.Width), float64(n.known.Height)) * n.known.Resolution
	return shift+turn*size >= n.known.Resolution/2
}

// projectMap transforms the known map into odometry's frame. The lock is held.
func (n *Node) projectMap() {
	n.projected.odomInMap = n.odomInMap
	if n.known == nil || n.odom == "" {
		return
	}
	place := n.odomInMap
	switch n.knownFrame {
	case n.cfg.MapFrame, "":
	case n.odom:
		place = mapping.Pose{}
	default:
		n.rejectMap(fmt.Errorf("%w: the map is in %q, want %q or %q", ErrMap, n.knownFrame, n.cfg.MapFrame, n.odom))
		return
	}
	grid, err := n.known.Moved(place.Inverse())
	if err != nil {
		n.rejectMap(fmt.Errorf("%w: %w", ErrMap, err))
		return
	}
	n.mapFault = nil
	n.nav.Know(grid)
}

// rejectMap ends the active drive, if any, because the map cannot be used. The lock is held.
func (n *Node) rejectMap(err error) {
	if n.mapFault == nil {
		n.log.Warn("the map is not used", "topic", n.cfg.Map, "error", err)
	}
	n.mapFault = err
	n.end(err)
}
