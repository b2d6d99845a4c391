// SPDX-License-Identifier: Apache-2.0

package node

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

// The actions as a client of Jazzy has them: its readers refuse what is too short.
type (
	jazzyPose       struct{ nav2_msgs.NavigateToPose }
	jazzyWaypoints  struct{ nav2_msgs.FollowWaypoints }
	jazzyPoseResult struct {
		nav2_msgs.NavigateToPoseResult
		code uint16
		text string
	}
	jazzyWaypointsGoal struct {
		loops, first uint32
		nav2_msgs.FollowWaypointsGoal
	}
	jazzyWaypointsResult struct {
		nav2_msgs.FollowWaypointsResult
		missed int
		code   uint16
		text   string
	}
)

func (jazzyPose) New() (*nav2_msgs.NavigateToPoseGoal, *jazzyPoseResult, *nav2_msgs.NavigateToPoseFeedback) {
	return nil, nil, nil
}

func (jazzyWaypoints) New() (*jazzyWaypointsGoal, *jazzyWaypointsResult, *nav2_msgs.FollowWaypointsFeedback) {
	return nil, nil, nil
}

func (*jazzyPoseResult) ROSType() string  { return (*nav2_msgs.NavigateToPoseResult)(nil).ROSType() }
func (*jazzyPoseResult) TypeHash() string { return (*nav2_msgs.NavigateToPoseResult)(nil).TypeHash() }
func (*jazzyPoseResult) TypeDefinition() (string, []cdr.Message) {
	return (*nav2_msgs.NavigateToPoseResult)(nil).TypeDefinition()
}

func (*jazzyWaypointsGoal) ROSType() string  { return (*nav2_msgs.FollowWaypointsGoal)(nil).ROSType() }
func (*jazzyWaypointsGoal) TypeHash() string { return (*nav2_msgs.FollowWaypointsGoal)(nil).TypeHash() }
func (*jazzyWaypointsGoal) TypeDefinition() (string, []cdr.Message) {
	return (*nav2_msgs.FollowWaypointsGoal)(nil).TypeDefinition()
}

func (*jazzyWaypointsResult) ROSType() string {
	return (*nav2_msgs.FollowWaypointsResult)(nil).ROSType()
}
func (*jazzyWaypointsResult) TypeHash() string {
	return (*nav2_msgs.FollowWaypointsResult)(nil).TypeHash()
}
func (*jazzyWaypointsResult) TypeDefinition() (string, []cdr.Message) {
	return (*nav2_msgs.FollowWaypointsResult)(nil).TypeDefinition()
}

func (m *jazzyPoseResult) DecodeCDR(d *cdr.Decoder) { m.code, m.text = d.Uint16(), d.String() }

func (m *jazzyWaypointsGoal) EncodeCDR(e *cdr.Encoder) {
	e.Uint32(m.loops)
	e.Uint32(m.first)
	m.FollowWaypointsGoal.EncodeCDR(e)
}

func (m *jazzyWaypointsResult) DecodeCDR(d *cdr.Decoder) {
	m.missed, m.code, m.text = d.SeqLen(80, cdr.Unbounded), d.Uint16(), d.String()
}

// TestPoseOfLaterReleases: a client of Jazzy gets an answer that it can read, with the reason why a goal was not
// reached.
func TestPoseOfLaterReleases(t *testing.T) {
	inWorld(t, "arena", Config{}, func(r *rig) {
		start := r.robot.Pose()
		c, err := action.NewClient(r.user, jazzyPose{}, "navigate_to_pose")
		r.must(err)
		defer c.Close()
		for _, at := range []struct {
			frame string
			code  uint16
			text  string
		}{{"odom", 0, ""}, {"moon", codeToPose, "moon"}} {
			sent, err := c.Send(r.Context(), &nav2_msgs.NavigateToPoseGoal{Pose: pose(at.frame, 0.05, 0, math.NaN())}, nil)
			r.must(err)
			result, err := sent.Result(r.Context())
			if (err == nil) != (at.code == 0) || result == nil {
				t.Fatalf("%s: %+v, %v", at.frame, result, err)
			}
			if result.code != at.code || !strings.Contains(result.text, at.text) || (result.text == "") != (at.text == "") {
				t.Errorf("%s: code %d, %q", at.frame, result.code, result.text)
			}
		}
		r.requireStoppedAt(start, 0.05, 0, 0.01)
	})
}

// TestGoalsOfLaterReleases: waypoints of a client of Jazzy are visited, from the one on that it wants and as often as
// it wants; read as Humble's they would be none, and the goal reached at once.
func TestGoalsOfLaterReleases(t *testing.T) {
	inWorld(t, "arena", Config{Drive: navigation.Config{Recoveries: -1}}, func(r *rig) {
		start := r.robot.Pose()
		c, err := action.NewClient(r.user, jazzyWaypoints{}, "follow_waypoints")
		r.must(err)
		defer c.Close()
		near, second, nowhere := pose("odom", 0.05, 0, math.NaN()), pose("odom", 0.05, 0.05, math.NaN()), pose("moon", 0, 0, 0)
		for _, goal := range []struct {
			name         string
			loops, first uint32
			poses        []geometry_msgs.PoseStamped
			visited      []uint32
			code         uint16
			text         string
			fails        bool
		}{
			{"once", 0, 0, []geometry_msgs.PoseStamped{near, second}, []uint32{0, 1}, 0, "", false},
			{"the second, then all", 1, 1, []geometry_msgs.PoseStamped{near, second}, []uint32{1, 0, 1}, 0, "", false},
			{"one left out", 0, 0, []geometry_msgs.PoseStamped{near, nowhere, second}, []uint32{0, 1, 2}, codeWaypoints, "waypoint 1", false},
			{"none reached", math.MaxUint32, 0, []geometry_msgs.PoseStamped{nowhere, nowhere}, []uint32{0, 1}, codeWaypoints, "waypoint 1", true},
			{"none so far", 0, 2, []geometry_msgs.PoseStamped{near, second}, nil, codeWaypoints, "waypoint 2 of 2", true},
		} {
			var visited []uint32
			sent, err := c.Send(r.Context(), &jazzyWaypointsGoal{goal.loops, goal.first, nav2_msgs.FollowWaypointsGoal{Poses: goal.poses}},
				func(f *nav2_msgs.FollowWaypointsFeedback) { visited = append(visited, f.CurrentWaypoint) })
			r.must(err)
			result, err := sent.Result(r.Context())
			if (err != nil) != goal.fails || result == nil {
				t.Fatalf("%s: %+v, %v", goal.name, result, err)
			}
			if result.missed != 0 || result.code != goal.code || !strings.Contains(result.text, goal.text) {
				t.Errorf("%s: %d missed, code %d, %q", goal.name, result.missed, result.code, result.text)
			}
			if !slices.Equal(visited, goal.visited) {
				t.Errorf("%s: visited %d", goal.name, visited)
			}
		}
		r.requireStoppedAt(start, 0.05, 0.05, 0.01)
	})
}

// TestReleasesAreDistinguished: goals with any number of poses, which are Humble's and which of later releases, in both
// forms; what is neither is refused as before.
func TestReleasesAreDistinguished(t *testing.T) {
	for n := range 4 {
		var poses []geometry_msgs.PoseStamped
		for i := range n {
			poses = append(poses, pose("odom", float64(i), 1, 0.5))
		}
		humble := nav2_msgs.FollowWaypointsGoal{Poses: poses}
		for _, loops := range []uint32{0, 1, 2, 3, math.MaxUint32} {
			var got waypointsGoal
			data := cdr.Append(nil, &jazzyWaypointsGoal{loops, uint32(n), humble})
			if err := cdr.Unmarshal(data, &got); err != nil || !got.later || got.loops != loops || got.first != uint32(n) || len(got.Poses) != n {
				t.Errorf("Jazzy's, %d poses, %d loops: %+v, %v", n, loops, got, err)
			}
			if err := cdr.Unmarshal(cdr.Append(nil, &humble), &got); err != nil || got.later || got.loops != 0 || got.first != 0 || len(got.Poses) != n {
				t.Errorf("Humble's, %d poses: %+v, %v", n, got, err)
			}
			if n > 0 && got.Poses[n-1] != poses[n-1] {
				t.Errorf("%+v", got.Poses[n-1])
			}
		}
	}
	broken := cdr.Append(nil, &nav2_msgs.FollowWaypointsGoal{Poses: make([]geometry_msgs.PoseStamped, 2)})
	binary.LittleEndian.PutUint32(broken[cdr.HeaderSize:], 1000)
	var got waypointsGoal
	if err := cdr.Unmarshal(broken, &got); err == nil {
		t.Errorf("of 1000 poses two are there: %+v", got)
	}
}

// TestAnswersForAllReleases: Humble's readers get their fields from the longer answers, with the waypoints that were
// missed; later releases get the failure.
func TestAnswersForAllReleases(t *testing.T) {
	missed := map[int]error{2: ErrFrame, 0: navigation.ErrGoal}
	for _, later := range []bool{false, true} {
		m := waypointsResult{later: later}
		m.miss(missed)
		data := cdr.Append(nil, &m)
		if !later {
			var humble nav2_msgs.FollowWaypointsResult
			if err := cdr.Unmarshal(data, &humble); err != nil || len(humble.MissedWaypoints) != 2 || humble.MissedWaypoints[1] != 2 {
				t.Errorf("%+v, %v", humble, err)
			}
			continue
		}
		var jazzy jazzyWaypointsResult
		if err := cdr.Unmarshal(data, &jazzy); err != nil || jazzy.missed != 0 || jazzy.code != codeWaypoints ||
			!strings.Contains(jazzy.text, "waypoint 2: "+ErrFrame.Error()) {
			t.Errorf("%+v, %v", jazzy, err)
		}
	}
	// Also without a handler's result, as of a goal that was canceled before its turn.
	var jazzy jazzyWaypointsResult
	if err := cdr.Unmarshal(cdr.Append(nil, new(waypointsResult)), &jazzy); err != nil || jazzy.code != 0 {
		t.Errorf("%+v, %v", jazzy, err)
	}
}

// FuzzWaypointsGoal: whatever comes is read in one of the two forms, or refused; what is read is written as it came.
func FuzzWaypointsGoal(f *testing.F) {
	humble := nav2_msgs.FollowWaypointsGoal{Poses: make([]geometry_msgs.PoseStamped, 2)}
	f.Add(cdr.Append(nil, &humble))
	f.Add(cdr.Append(nil, &jazzyWaypointsGoal{3, 1, humble}))
	f.Add([]byte{0, 1, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, again waypointsGoal
		if cdr.Unmarshal(data, &got) != nil {
			return
		}
		if !got.later && (got.loops != 0 || got.first != 0) {
			t.Errorf("Humble's with %d loops from %d on", got.loops, got.first)
		}
		var back cdr.Message = &got.FollowWaypointsGoal
		if got.later {
			back = &jazzyWaypointsGoal{got.loops, got.first, got.FollowWaypointsGoal}
		}
		if err := cdr.Unmarshal(cdr.Append(nil, back), &again); err != nil || again.later != got.later || len(again.Poses) != len(got.Poses) {
			t.Errorf("read again: %v, %+v", err, again)
		}
	})
}
