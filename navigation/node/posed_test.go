// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// turnedGrid returns a map of 2 × 2 m with a wall 1.3 m along its y, which map_server sends for origin: [x, y, yaw].
func turnedGrid(frame string, x, y, yaw float64) *nav_msgs.OccupancyGrid {
	const side = 40
	m := &nav_msgs.OccupancyGrid{Data: make([]int8, side*side)}
	for i := range side {
		m.Data[26*side+i] = mapping.Occupied
	}
	m.Header.FrameID, m.Info.Resolution, m.Info.Width, m.Info.Height = frame, 0.05, side, side
	m.Info.Origin.Position.X, m.Info.Origin.Position.Y = x, y
	m.Info.Origin.Orientation.Z, m.Info.Origin.Orientation.W = math.Sin(yaw/2), math.Cos(yaw/2)
	return m
}

// publish publishes a latched message and waits until it is updated. The publisher ends with the test.
func (p *puppet) publishMap(m *nav_msgs.OccupancyGrid) {
	pub, err := ros2.NewPublisher[nav_msgs.OccupancyGrid](p.other, "map", ros2.LatchedQoS())
	p.must(err)
	p.must(pub.Publish(m))
	time.Sleep(100 * time.Millisecond)
	p.must(pub.Close())
}

// TestTurnedMaps: a map's origin is used whole. The wall is where the turn puts it, and nowhere else.
func TestTurnedMaps(t *testing.T) {
	for _, c := range []struct {
		name                       string
		frame                      string
		x, y, yaw                  float64
		wallX, wallY, freeX, freeY float64
	}{
		{"a quarter to the left", "odom", 1, -1, math.Pi / 2, -0.325, 0.5, 0.2, 0.325},
		{"a quarter to the right", "map", -1, 1, -math.Pi / 2, 0.325, 0.5, 0.2, 0.325},
		{"half a turn", "", 1, 1, math.Pi, 0.5, -0.325, 0.2, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			withPuppet(t, Config{Map: "map"}, func(p *puppet) {
				p.publishMap(turnedGrid(c.frame, c.x, c.y, c.yaw))
				if err := p.navigator.Drive(p.Context(), one("odom", c.wallX, c.wallY), nil); !errors.Is(err, navigation.ErrOccupied) {
					t.Errorf("the goal in the wall: %v", err)
				}
				p.must(p.navigator.Drive(p.Context(), one("odom", c.freeX, c.freeY), nil))
			})
		})
	}
}

// TestMapsWithoutAPlaceRejectGoals: a map that cannot be used is not treated as no map.
func TestMapsWithoutAPlaceRejectGoals(t *testing.T) {
	tilted := turnedGrid("map", 0, 0, 0)
	tilted.Info.Origin.Orientation = geometry_msgs.Quaternion{X: math.Sin(0.2), W: math.Cos(0.2)}
	long := turnedGrid("map", 0, 0, 0)
	long.Info.Origin.Orientation.W = 3
	nan := turnedGrid("map", math.NaN(), 0, 0)
	huge := turnedGrid("map", 0, 0, 0.7)
	huge.Info.Width, huge.Info.Height, huge.Data = 2_000_000, 1, make([]int8, 2_000_000)
	for name, m := range map[string]*nav_msgs.OccupancyGrid{
		"tilted": tilted, "not of length 1": long, "not finite": nan, "too large when turned": huge, "in an unknown frame": turnedGrid("world", 0, 0, 0),
	} {
		t.Run(name, func(t *testing.T) {
			withPuppet(t, Config{Map: "map"}, func(p *puppet) {
				p.publishMap(m)
				err := p.navigator.Drive(p.Context(), one("odom", 0.2, 0), nil)
				if !errors.Is(err, ErrMap) {
					t.Error(err)
				}
				p.near(0, 0)
				p.publishMap(turnedGrid("map", 1, -1, math.Pi/2)) // a good one is used
				p.must(p.navigator.Drive(p.Context(), one("odom", 0.2, 0), nil))
			})
		})
	}
}

// TestGoalsAreWholeOrRefused: a goal that is no pose on the floor is rejected with the reason, and one that is upright
// only nearly is driven to.
func TestGoalsAreWholeOrRefused(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		goal := func(z float64, q geometry_msgs.Quaternion) []geometry_msgs.PoseStamped {
			g := one("odom", 0.1, 0)
			g[0].Pose.Position.Z, g[0].Pose.Orientation = z, q
			return g
		}
		for _, c := range []struct {
			goal []geometry_msgs.PoseStamped
			want error
		}{
			{goal(1, geometry_msgs.Quaternion{W: 1}), planar.ErrHeight},
			{goal(math.NaN(), geometry_msgs.Quaternion{W: 1}), planar.ErrPosition},
			{goal(0, geometry_msgs.Quaternion{X: 1}), planar.ErrTilted},
			{goal(0, geometry_msgs.Quaternion{Y: math.Sin(0.3), W: math.Cos(0.3)}), planar.ErrTilted},
			{goal(0, geometry_msgs.Quaternion{Z: 2, W: 2}), planar.ErrRotation},
			{goal(0, geometry_msgs.Quaternion{Z: math.NaN(), W: 1}), planar.ErrRotation},
		} {
			err := p.navigator.Drive(p.Context(), c.goal, nil)
			if !errors.Is(err, c.want) || !errors.Is(err, navigation.ErrGoal) {
				t.Errorf("%+v: %v", c.goal[0].Pose, err)
			}
		}
		p.must(p.navigator.Drive(p.Context(), goal(0.02, geometry_msgs.Quaternion{Y: 0.01, W: 1}), nil))
		p.near(0.1, 0)
	})
}

// TestTransformsAreWholeOrRefused: a transform that is none in the plane has no effect and is logged once; the inverse
// one is used.
func TestTransformsAreWholeOrRefused(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		tf, err := ros2.NewPublisher[tf2_msgs.TFMessage](p.node, "/tf", ros2.DefaultQoS())
		p.must(err)
		send := func(parent, child string, x float64, q geometry_msgs.Quaternion) {
			var s geometry_msgs.TransformStamped
			s.Header.FrameID, s.ChildFrameID, s.Transform.Translation.X, s.Transform.Rotation = parent, child, x, q
			p.must(tf.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{s}}))
			time.Sleep(50 * time.Millisecond)
		}
		for range 5 {
			send("map", "odom", 5, geometry_msgs.Quaternion{})
		}
		send("map", "odom", math.NaN(), geometry_msgs.Quaternion{W: 1})
		send("map", "odom", 5, geometry_msgs.Quaternion{X: 1})
		p.must(p.navigator.Drive(p.Context(), one("map", 0.1, 0), nil))
		p.near(0.1, 0)
		send("odom", "map", -0.2, geometry_msgs.Quaternion{Z: math.Sqrt2 / 2, W: math.Sqrt2 / 2}) // the map's x is odometry's y
		p.must(p.navigator.Drive(p.Context(), one("map", 0.1, -0.3), nil))
		p.near(0.1, 0.1)
		p.mu.Lock()
		defer p.mu.Unlock()
		if n := strings.Count(p.log.String(), "is not used"); n != 3 {
			t.Errorf("%d lines: %s", n, p.log)
		}
		p.must(tf.Close())
	})
}

// TestOdometryIsWholeOrRefused: a drive by odometry that is no pose in the plane ends at once with the reason.
func TestOdometryIsWholeOrRefused(t *testing.T) {
	for name, c := range map[string]struct {
		q    geometry_msgs.Quaternion
		want error
	}{
		"zeros":       {geometry_msgs.Quaternion{}, planar.ErrRotation},
		"upside down": {geometry_msgs.Quaternion{X: 1}, planar.ErrTilted},
		"too short":   {geometry_msgs.Quaternion{W: 0.5}, planar.ErrRotation},
	} {
		t.Run(name, func(t *testing.T) {
			withPuppet(t, Config{}, func(p *puppet) {
				p.mu.Lock()
				p.mute = true
				p.mu.Unlock()
				ended := make(chan error, 1)
				go func() { ended <- p.navigator.Drive(p.Context(), one("odom", 0.1, 0), nil) }()
				time.Sleep(100 * time.Millisecond)
				var m nav_msgs.Odometry
				m.Header.FrameID, m.Pose.Pose.Orientation = "odom", c.q
				p.must(p.odom.Publish(&m))
				if err := <-ended; !errors.Is(err, ErrNoOdometry) || !errors.Is(err, c.want) {
					t.Error(err)
				}
			})
		})
	}
}
