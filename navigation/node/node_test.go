// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a simulated robot with its driver, a navigator, and a node that wants something of it.
type rig struct {
	*testing.T
	robot     *sim.Firmware
	ether     *ros2test.Network
	navigator *Node
	user      *ros2.Node
	end       func() // ends the driver
}

// inWorld runs a test with a robot in a world, in simulated time.
func inWorld(t *testing.T, world string, cfg Config, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, ether: ros2test.NewNetwork()}
		w, err := sim.LoadWorld(world)
		r.must(err)
		s, err := sim.New(w, sim.Options{Seed: 3, Now: time.Now, Sleep: time.Sleep})
		r.must(err)
		r.robot = sim.RobotsOf[*sim.Firmware](s)[0]
		d, err := driver.New(driver.Config{Hardware: &chips.Robot{Bus: r.robot.Bus()}, Node: r.node("robot")})
		r.must(err)
		cfg.Node = r.node("navigator")
		r.user = r.node("user")
		r.navigator, err = New(cfg)
		r.must(err)
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx) }()
		r.end = func() {
			cancel()
			r.must(<-ended)
			ended <- nil
		}
		time.Sleep(3 * time.Second) // the sensors are initialised
		test(r)
		r.must(r.navigator.Close())
		r.must(r.navigator.Close())
		r.end()
		r.must(d.Close())
		synctest.Wait()
		if s := r.robot.GroundTruth(); s.LeftSpeed != 0 || s.RightSpeed != 0 {
			t.Errorf("the wheels turn at the end: %v, %v", s.LeftSpeed, s.RightSpeed)
		}
	})
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) node(name string) *ros2.Node {
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: r.ether.NewTransport()})
	r.must(err)
	r.Cleanup(func() { r.must(n.Close()) })
	return n
}

// pose makes a goal; NaN is no heading.
func pose(frame string, x, y, theta float64) (p geometry_msgs.PoseStamped) {
	p.Header.FrameID, p.Pose.Position.X, p.Pose.Position.Y = frame, x, y
	if !math.IsNaN(theta) {
		p.Pose.Orientation.Z, p.Pose.Orientation.W = math.Sin(theta/2), math.Cos(theta/2)
	}
	return p
}

// requireStoppedAt asserts where the robot is, in odometry's frame, and that its wheels do not turn.
func (r *rig) requireStoppedAt(start sim.Pose, x, y, tolerance float64) {
	r.Helper()
	time.Sleep(200 * time.Millisecond)
	now := r.robot.GroundTruth()
	s, c := math.Sincos(start.Theta)
	dx, dy := now.Pose.X-start.X, now.Pose.Y-start.Y
	if d := math.Hypot(c*dx+s*dy-x, c*dy-s*dx-y); d > tolerance {
		r.Errorf("%.4f m from (%v, %v)", d, x, y)
	}
	if now.LeftSpeed != 0 || now.RightSpeed != 0 {
		r.Errorf("the wheels turn: %v, %v", now.LeftSpeed, now.RightSpeed)
	}
	if now.Collisions != 0 {
		r.Errorf("%d collisions", now.Collisions)
	}
}

// TestDriveThroughTheArena: through the thesis' arena, which the robot does not know, to rooms behind walls, without a
// touch.
func TestDriveThroughTheArena(t *testing.T) {
	inWorld(t, "rats_life", Config{}, func(r *rig) {
		start := r.robot.Pose()
		goals := []geometry_msgs.PoseStamped{pose("odom", 0.27, 0.19, math.NaN()), pose("odom", -0.1, -0.2, 1.5), pose("map", 0, 0, 0)}
		var last Progress
		reports := 0
		r.must(r.navigator.Drive(r.Context(), goals, func(p Progress) { last, reports = p, reports+1 }))
		r.requireStoppedAt(start, 0, 0, 0.02)
		if reports < 100 || last.Took < 10*time.Second || last.Frame != "odom" {
			t.Errorf("reported %d times, last %+v", reports, last)
		}
		t.Logf("%v, %d recoveries", last.Took, last.Recoveries)
	})
}

// TestActions: Nav2's names and types, used by a client as Nav2's.
func TestActions(t *testing.T) {
	inWorld(t, "arena", Config{}, func(r *rig) {
		start := r.robot.Pose()
		c, err := action.NewClient(r.user, nav2_msgs.NavigateToPose{}, "navigate_to_pose")
		r.must(err)
		defer c.Close()
		var feedback []nav2_msgs.NavigateToPoseFeedback
		sent, err := c.Send(r.Context(), &nav2_msgs.NavigateToPoseGoal{Pose: pose("odom", 0.1, 0.05, 0)},
			func(f *nav2_msgs.NavigateToPoseFeedback) { feedback = append(feedback, *f) })
		r.must(err)
		_, err = sent.Result(r.Context())
		r.must(err)
		r.requireStoppedAt(start, 0.1, 0.05, 0.01)
		synctest.Wait()
		if n := len(feedback); n < 4 {
			t.Errorf("%d times feedback", n)
		} else if f := feedback[n-1]; f.CurrentPose.Header.FrameID != "odom" || f.NavigationTime.Duration() < time.Second ||
			f.DistanceRemaining > 0.06 || feedback[1].DistanceRemaining < f.DistanceRemaining {
			t.Errorf("%+v", f)
		}
		sent, err = c.Send(r.Context(), &nav2_msgs.NavigateToPoseGoal{Pose: pose("odom", 0.1, -0.2, 0)}, nil)
		r.must(err)
		time.Sleep(2 * time.Second)
		r.must(sent.Cancel(r.Context()))
		if _, err := sent.Result(r.Context()); !errors.Is(err, action.ErrCanceled) {
			t.Errorf("canceled: %v", err)
		}
		time.Sleep(200 * time.Millisecond)
		if s := r.robot.GroundTruth(); s.LeftSpeed != 0 || s.RightSpeed != 0 {
			t.Error("the wheels turn after the goal was canceled")
		}
	})
}

// TestWaypoints: one that is out of reach is left out, the others are visited.
func TestWaypoints(t *testing.T) {
	cfg := Config{Drive: navigation.Config{Recoveries: -1}}
	inWorld(t, "arena", cfg, func(r *rig) {
		start := r.robot.Pose()
		c, err := action.NewClient(r.user, nav2_msgs.FollowWaypoints{}, "follow_waypoints")
		r.must(err)
		defer c.Close()
		poses := []geometry_msgs.PoseStamped{
			pose("odom", 0.05, 0, math.NaN()), pose("moon", 0, 0, 0), pose("odom", 1e7, 0, 0), pose("odom", 0.05, 0.05, math.NaN()),
		}
		var at []uint32
		sent, err := c.Send(r.Context(), &nav2_msgs.FollowWaypointsGoal{Poses: poses},
			func(f *nav2_msgs.FollowWaypointsFeedback) { at = append(at, f.CurrentWaypoint) })
		r.must(err)
		result, err := sent.Result(r.Context())
		r.must(err)
		if m := result.MissedWaypoints; len(m) != 2 || m[0] != 1 || m[1] != 2 || len(at) != 4 {
			t.Errorf("missed %v, reported %v", m, at)
		}
		r.requireStoppedAt(start, 0.05, 0.05, 0.01)
	})
}

// TestGoalPose: RViz' tool; a later goal replaces the previous one, and the map and the path are published.
func TestGoalPose(t *testing.T) {
	inWorld(t, "arena", Config{}, func(r *rig) {
		start := r.robot.Pose()
		goal, err := ros2.NewPublisher[geometry_msgs.PoseStamped](r.user, "goal_pose", ros2.DefaultQoS())
		r.must(err)
		var plans []nav_msgs.Path
		var seen []nav_msgs.OccupancyGrid
		plan, err := ros2.NewSubscription[nav_msgs.Path](r.user, "plan", ros2.DefaultQoS(), func(m *nav_msgs.Path, _ ros2.MessageInfo) {
			plans = append(plans, *m)
		})
		r.must(err)
		grid, err := ros2.NewSubscription[nav_msgs.OccupancyGrid](r.user, "seen", ros2.LatchedQoS(), func(m *nav_msgs.OccupancyGrid, _ ros2.MessageInfo) {
			seen = append(seen, *m)
		})
		r.must(err)
		time.Sleep(time.Second)
		far, near := pose("odom", -0.3, 0, 0), pose("odom", 0.08, 0.02, 0)
		r.must(goal.Publish(&far))
		time.Sleep(2 * time.Second)
		r.must(goal.Publish(&near))
		time.Sleep(20 * time.Second)
		r.requireStoppedAt(start, 0.08, 0.02, 0.01)
		r.must(errors.Join(plan.Close(), grid.Close(), goal.Close()))
		if len(plans) < 4 || len(plans[1].Poses) < 2 || len(seen) < 4 || len(seen[0].Data) == 0 || seen[0].Header.FrameID != "odom" {
			t.Errorf("%d plans, %d maps", len(plans), len(seen))
		}
	})
}

// TestDriveEnds: every way a drive can end stops the wheels and returns the reason.
func TestDriveEnds(t *testing.T) {
	inWorld(t, "arena", Config{Stamped: false}, func(r *rig) {
		goal := []geometry_msgs.PoseStamped{pose("odom", -0.3, -0.3, 0)}
		drive := func(ctx context.Context) <-chan error {
			ended := make(chan error, 1)
			go func() { ended <- r.navigator.Drive(ctx, goal, nil) }()
			time.Sleep(2 * time.Second)
			return ended
		}
		ctx, cancel := context.WithCancel(r.Context())
		first := drive(ctx)
		second := drive(ctx)
		if err := <-first; !errors.Is(err, ErrReplaced) {
			t.Errorf("replaced: %v", err)
		}
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
		for _, c := range []struct {
			pose geometry_msgs.PoseStamped
			want error
		}{{pose("moon", 0, 0, 0), ErrFrame}, {pose("odom", math.Inf(1), 0, 0), navigation.ErrGoal}} {
			if err := r.navigator.Drive(r.Context(), []geometry_msgs.PoseStamped{c.pose}, nil); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		}
		third := drive(r.Context())
		r.end() // the driver: no odometry any more
		if err := <-third; !errors.Is(err, ErrNoOdometry) {
			t.Errorf("without odometry: %v", err)
		}
		fourth := drive(r.Context())
		r.must(r.navigator.Close())
		if err := <-fourth; !errors.Is(err, ros2.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	})
}

// TestExact: the path of a benchmark is driven as it is, with cmd_vel as TwistStamped.
func TestExact(t *testing.T) {
	inWorld(t, "empty", Config{Exact: true}, func(r *rig) {
		start := r.robot.Pose()
		r.must(r.navigator.Drive(r.Context(), []geometry_msgs.PoseStamped{pose("", 0.1, 0, math.NaN()), pose("", 0.1, 0.1, math.NaN())}, nil))
		r.requireStoppedAt(start, 0.1, 0.1, 0.01)
	})
}
