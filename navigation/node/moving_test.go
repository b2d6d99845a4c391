// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

// localize publishes the transform from the map to odometry's frame at 20 Hz until end is called.
func (p *puppet) localize(at func(seconds float64) mapping.Pose) (end func()) {
	tf, err := ros2.NewPublisher[tf2_msgs.TFMessage](p.node, "/tf", ros2.DefaultQoS())
	p.must(err)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(20 * time.Millisecond) // never at the same time as odometry
		began, tick := time.Now(), time.NewTicker(50*time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case now := <-tick.C:
				pose := at(now.Sub(began).Seconds())
				var s geometry_msgs.TransformStamped
				s.Header.FrameID, s.ChildFrameID = "map", "odom"
				s.Transform.Translation.X, s.Transform.Translation.Y = pose.X, pose.Y
				s.Transform.Rotation.Z, s.Transform.Rotation.W = math.Sincos(pose.Theta / 2)
				p.must(tf.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{s}}))
			}
		}
	}()
	time.Sleep(200 * time.Millisecond)
	return func() {
		close(stop)
		<-done
		p.must(tf.Close())
	}
}

// localizations are ways in which the map moves in odometry's frame.
func localizations(p *puppet) map[string]func(seconds float64) mapping.Pose {
	dice := rand.New(rand.NewPCG(1, 28))
	jitter := func(size float64) float64 { return size * (2*dice.Float64() - 1) }
	return map[string]func(seconds float64) mapping.Pose{
		"jitters by 3 mm": func(float64) mapping.Pose {
			return mapping.Pose{X: jitter(0.003), Y: jitter(0.003), Theta: jitter(0.01)}
		},
		"jitters by 2 cm": func(float64) mapping.Pose { return mapping.Pose{X: jitter(0.02), Y: jitter(0.02), Theta: jitter(0.02)} },
		"drifts":          func(s float64) mapping.Pose { return mapping.Pose{X: 0.001 * s, Y: -0.0005 * s, Theta: 0.0005 * s} },
		"holds a robot whose wheels slip": func(float64) mapping.Pose {
			at, _, _, _ := p.where()
			return at.Inverse()
		},
	}
}

// TestHeldRobotGivesUpWhileTheMapMoves: a robot that can't move begins its first recovery after 10 s and gives up after
// a minute and twice the time of the path at most, whatever the localisation does meanwhile.
func TestHeldRobotGivesUpWhileTheMapMoves(t *testing.T) {
	for name := range localizations(nil) {
		t.Run(name, func(t *testing.T) {
			withPuppet(t, Config{}, func(p *puppet) {
				slipping := strings.Contains(name, "slip")
				p.mu.Lock()
				p.held, p.slipping = true, slipping
				p.mu.Unlock()
				end := p.localize(localizations(p)[name])
				defer end()
				began := time.Now()
				var first, last Progress
				err := p.navigator.Drive(p.Context(), one("map", 0.4, 0.1), func(now Progress) {
					if last = now; first.Recoveries == 0 {
						first = now
					}
				})
				took := time.Since(began)
				if !errors.Is(err, navigation.ErrStuck) {
					t.Errorf("%v", err)
				}
				if first.Recoveries != 1 || first.Took < 10*time.Second || first.Took > 11*time.Second {
					t.Errorf("first recovery: %+v", first)
				}
				// A minute and twice the time of the path, 0.41 m at 0.05 m/s, which is longer where the map jumps.
				// Wheels that slip are noticed earlier: the path gets no shorter.
				if last.Recoveries < 2 || took < time.Minute && !slipping || took < 30*time.Second || took > 80*time.Second {
					t.Errorf("gave up after %v and %d recoveries", took, last.Recoveries)
				}
			})
		})
	}
}

// TestFreeRobotArrivesWhileTheMapMoves: the goals follow the localisation, and the robot arrives at all of them
// without a recovery, in 18 s, and within a minute where the map jumps more than a goal is large.
func TestFreeRobotArrivesWhileTheMapMoves(t *testing.T) {
	for _, exact := range []bool{false, true} {
		for name := range localizations(nil) {
			if strings.Contains(name, "slip") {
				continue
			}
			t.Run(fmt.Sprintf("%s, exact %v", name, exact), func(t *testing.T) {
				withPuppet(t, Config{Exact: exact}, func(p *puppet) {
					at := localizations(p)[name]
					var place mapping.Pose
					end := p.localize(func(s float64) mapping.Pose {
						p.mu.Lock()
						defer p.mu.Unlock()
						place = at(s)
						return place
					})
					defer end()
					began := time.Now()
					var last Progress
					goals := append(one("map", 0.3, 0.1), pose("map", 0.3, -0.1, math.Pi/2))
					p.must(p.navigator.Drive(p.Context(), goals, func(now Progress) { last = now }))
					if took := time.Since(began); took > time.Minute {
						t.Errorf("it took %v", took)
					}
					if last.Recoveries != 0 || last.Reached != 2 {
						t.Errorf("%+v", last)
					}
					tolerance := 0.015
					if strings.Contains(name, "2 cm") {
						tolerance = 0.05
					}
					p.mu.Lock()
					got := place.Plus(p.at)
					p.mu.Unlock()
					if d := math.Hypot(got.X-0.3, got.Y+0.1); d > tolerance {
						t.Errorf("%.3f m from the goal", d)
					}
				})
			})
		}
	}
}

// TestTransformsThatAreNotFiniteAreIgnored: the drive continues to where the goal was.
func TestTransformsThatAreNotFiniteAreIgnored(t *testing.T) {
	withPuppet(t, Config{}, func(p *puppet) {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			end := p.localize(func(s float64) mapping.Pose {
				if s < 0.5 {
					return mapping.Pose{X: 0.1}
				}
				return mapping.Pose{X: v}
			})
			p.must(p.navigator.Drive(p.Context(), one("map", 0.2, 0), nil))
			end()
			p.near(0.1, 0)
		}
	})
}

// arenaMap publishes a map of a square of 1 m with walls, a box in it, and a cell without a door.
func (p *puppet) arenaMap(closed bool) {
	pub, err := ros2.NewPublisher[nav_msgs.OccupancyGrid](p.other, "map", ros2.LatchedQoS())
	p.must(err)
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.01, X: -0.5, Y: -0.5, Width: 100, Height: 100})
	p.must(err)
	for i := range m.Cells {
		x, y := i%m.Width, i/m.Width
		wall := x == 0 || y == 0 || y == 99 || x == 99 && (closed || y < 60)
		box := x > 60 && x < 70 && y > 60 && y < 70
		cell := max(x-25, 25-x, y-25, 25-y) == 12
		if m.Cells[i] = mapping.Free; wall || box || cell {
			m.Cells[i] = mapping.Occupied
		}
	}
	p.must(pub.Publish(gridOf(m, time.Now(), "map")))
	time.Sleep(100 * time.Millisecond)
}

// TestGoalsOutOfReachAreRefusedAtOnce: with the reason, before the robot moves, also where the map is not odometry's
// frame and for any goal of a list.
func TestGoalsOutOfReachAreRefusedAtOnce(t *testing.T) {
	for _, c := range []struct {
		name   string
		closed bool
		x, y   float64
		want   error // nil: it is driven to
		says   string
	}{
		{"inside an obstacle", true, 0.15, 0.15, navigation.ErrOccupied, "the goal is occupied"},
		{"too near to a wall", true, 0.485, 0, navigation.ErrOccupied, "the robot needs 0.038 m"},
		{"in a cell without a door", true, -0.25, -0.25, navigation.ErrNoPath, "obstacles enclose"},
		{"outside of a closed map", true, 0.7, 0, navigation.ErrOutside, "outside of the map"},
		{"outside of an open map", false, 0.6, 0.2, nil, ""},
		{"in the map", true, 0.3, 0, nil, ""},
		{"too far away", false, 1e7, 0, navigation.ErrNoPath, "cells between the robot"},
		{"not a number", true, math.NaN(), 0, navigation.ErrGoal, "impossible goal"},
	} {
		for _, origin := range []mapping.Pose{{}, {X: 0.05, Y: -0.02, Theta: 0.3}} {
			t.Run(c.name, func(t *testing.T) {
				withPuppet(t, Config{Map: "map"}, func(p *puppet) {
					p.arenaMap(c.closed)
					p.place(origin.X, origin.Y, origin.Theta)
					_, _, _, before := p.where()
					began := time.Now()
					goals := append(one("map", 0.1, 0), one("map", c.x, c.y)...)
					if c.want == nil {
						p.must(p.navigator.Drive(p.Context(), goals, nil))
						return
					}
					err := p.navigator.Drive(p.Context(), goals, nil)
					if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "2") {
						t.Errorf("%v", err)
					}
					if took := time.Since(began); took > 0 {
						t.Errorf("after %v", took)
					}
					synctest.Wait()
					if _, v, omega, after := p.where(); after > before+1 || v != 0 || omega != 0 {
						t.Errorf("%d commands, %v m/s", after-before, v)
					}
				})
			})
		}
	}
}

// TestActionsRefuseGoalsOutOfReach: navigate_to_pose aborts at once and says why to clients and in the log;
// follow_waypoints leaves such a goal out, and aborts at once if there is no other.
func TestActionsRefuseGoalsOutOfReach(t *testing.T) {
	withPuppet(t, Config{Map: "map"}, func(p *puppet) {
		p.arenaMap(true)
		began := time.Now()
		toPose, err := action.NewClient(p.other, nav2_msgs.NavigateToPose{}, "navigate_to_pose")
		p.must(err)
		defer toPose.Close()
		sent, err := toPose.Send(p.Context(), &nav2_msgs.NavigateToPoseGoal{Pose: pose("map", 0.15, 0.15, 0)}, nil)
		p.must(err)
		if _, err := sent.Result(p.Context()); !errors.Is(err, action.ErrAborted) {
			t.Errorf("%v", err)
		}
		waypoints, err := action.NewClient(p.other, nav2_msgs.FollowWaypoints{}, "follow_waypoints")
		p.must(err)
		defer waypoints.Close()
		all, err := waypoints.Send(p.Context(), &nav2_msgs.FollowWaypointsGoal{Poses: append(one("map", 0.15, 0.15), one("map", 2, 0)...)}, nil)
		p.must(err)
		if _, err := all.Result(p.Context()); !errors.Is(err, action.ErrAborted) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("after %v", took)
		}
		some, err := waypoints.Send(p.Context(), &nav2_msgs.FollowWaypointsGoal{Poses: append(one("map", 2, 0), one("map", 0.1, 0)...)}, nil)
		p.must(err)
		result, err := some.Result(p.Context())
		p.must(err)
		if len(result.MissedWaypoints) != 1 || result.MissedWaypoints[0] != 0 {
			t.Errorf("missed %v", result.MissedWaypoints)
		}
		p.near(0.1, 0)
		p.mu.Lock()
		defer p.mu.Unlock()
		if log := p.log.String(); !strings.Contains(log, "the goal is occupied") || !strings.Contains(log, "outside of the map") {
			t.Errorf("log: %s", log)
		}
	})
}

// sentPose is a goal that was sent to navigate_to_pose.
type sentPose = action.Sent[nav2_msgs.NavigateToPoseGoal, nav2_msgs.NavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback]

// TestRejectedGoalKeepsTheActiveOne: a goal that is refused ends neither a goal nor waypoints in progress; one that is
// accepted replaces them, also in the moment between two waypoints.
func TestRejectedGoalKeepsTheActiveOne(t *testing.T) {
	withPuppet(t, Config{Map: "map"}, func(p *puppet) {
		p.arenaMap(true)
		toPose, err := action.NewClient(p.other, nav2_msgs.NavigateToPose{}, "navigate_to_pose")
		p.must(err)
		defer toPose.Close()
		send := func(x float64, frame string) *sentPose {
			sent, err := toPose.Send(p.Context(), &nav2_msgs.NavigateToPoseGoal{Pose: pose(frame, x, 0, 0)}, nil)
			p.must(err)
			return sent
		}
		first := send(0.1, "map")
		for _, bad := range []*sentPose{send(math.NaN(), "map"), send(0.1, "nowhere"), send(9, "map")} {
			if _, err := bad.Result(p.Context()); !errors.Is(err, action.ErrAborted) {
				t.Errorf("%v", err)
			}
		}
		if _, err := first.Result(p.Context()); err != nil {
			t.Errorf("the active goal: %v", err)
		}
		p.near(0.1, 0)
		of := new(request)
		p.must(p.navigator.driveFor(p.Context(), of, one("map", 0.1, 0), nil))
		p.must(p.navigator.Drive(p.Context(), one("map", 0.1, 0), nil))
		for _, x := range []float64{0, 9} { // also one that would be refused: nothing of the request is driven any more
			if err := p.navigator.driveFor(p.Context(), of, one("map", x, 0), nil); !errors.Is(err, ErrReplaced) {
				t.Errorf("the next waypoint of a replaced request, at %v m: %v", x, err)
			}
		}
	})
}

// TestFirstMapEndsDriveToUnreachableGoal: a map that comes after the drive has begun is looked at then.
func TestFirstMapEndsDriveToUnreachableGoal(t *testing.T) {
	withPuppet(t, Config{Map: "map"}, func(p *puppet) {
		ended := make(chan error, 1)
		go func() { ended <- p.navigator.Drive(p.Context(), one("odom", 0.7, 0), nil) }()
		time.Sleep(2 * time.Second)
		began := time.Now()
		p.arenaMap(true)
		if err := <-ended; !errors.Is(err, navigation.ErrOutside) || time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestClockIsSetDuringADrive: the robot arrives as if nothing had happened, without a recovery and without a pause in
// its commands, whose stamps follow the clock; the jump is logged once with its size.
func TestClockIsSetDuringADrive(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			withPuppet(t, Config{}, func(p *puppet) {
				var last Progress
				began := time.Now()
				ended := make(chan error, 1)
				go func() {
					ended <- p.navigator.Drive(p.Context(), one("odom", 0.4, 0), func(now Progress) { last = now })
				}()
				time.Sleep(4 * time.Second)
				_, _, _, before := p.where()
				p.mu.Lock()
				p.ahead += jump
				p.mu.Unlock()
				time.Sleep(time.Second)
				_, v, _, after := p.where()
				if v == 0 || after-before < 19 || after-before > 21 {
					t.Errorf("%d commands in a second after the jump, %v m/s", after-before, v)
				}
				p.must(<-ended)
				took := time.Since(began)
				p.near(0.4, 0)
				if last.Recoveries != 0 || took > 12*time.Second || (last.Took-took).Abs() > 200*time.Millisecond {
					t.Errorf("%v, %+v", took, last)
				}
				p.mu.Lock()
				defer p.mu.Unlock()
				if log := p.log.String(); strings.Count(log, "have jumped") != 1 || !strings.Contains(log, "jump="+jump.String()[:3]) &&
					!strings.Contains(log, "jump=-59m59") {
					t.Errorf("log: %s", log)
				}
			})
		})
	}
}
