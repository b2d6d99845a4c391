// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
)

// The actions for all ROS releases. They have the names and definitions of Humble. Goals of Humble and of later
// releases are distinguished by the bytes that are left after decoding; results are those of Humble followed by the
// fields of later releases, which a reader of Humble ignores.
type (
	toPoseAction    struct{ nav2_msgs.NavigateToPose }
	waypointsAction struct{ nav2_msgs.FollowWaypoints }
)

// New returns an empty goal, result and feedback.
func (toPoseAction) New() (*nav2_msgs.NavigateToPoseGoal, *toPoseResult, *nav2_msgs.NavigateToPoseFeedback) {
	return new(nav2_msgs.NavigateToPoseGoal), new(toPoseResult), new(nav2_msgs.NavigateToPoseFeedback)
}

// New returns an empty goal, result and feedback.
func (waypointsAction) New() (*waypointsGoal, *waypointsResult, *nav2_msgs.FollowWaypointsFeedback) {
	return new(waypointsGoal), new(waypointsResult), new(nav2_msgs.FollowWaypointsFeedback)
}

// Nav2's error codes without a more specific one.
const (
	codeToPose    = 9000
	codeWaypoints = 600
)

// failure is the error code and text of results from Jazzy on.
type failure struct {
	code uint16
	text string
}

// failureOf returns an error with a code.
func failureOf(code uint16, err error) failure {
	if err == nil {
		return failure{}
	}
	return failure{code, err.Error()}
}

func (f failure) encode(e *cdr.Encoder) {
	e.Uint16(f.code)
	e.String(f.text)
}

// toPoseResult is the result of navigate_to_pose.
type toPoseResult struct {
	nav2_msgs.NavigateToPoseResult
	failure failure
}

// ROSType returns that of Humble.
func (*toPoseResult) ROSType() string { return (*nav2_msgs.NavigateToPoseResult)(nil).ROSType() }

// TypeHash returns that of Humble.
func (*toPoseResult) TypeHash() string { return (*nav2_msgs.NavigateToPoseResult)(nil).TypeHash() }

// TypeDefinition returns that of Humble.
func (*toPoseResult) TypeDefinition() (text string, nested []cdr.Message) {
	return (*nav2_msgs.NavigateToPoseResult)(nil).TypeDefinition()
}

// EncodeCDR appends the fields to e. The byte of Humble's empty result is padding in later releases.
func (m *toPoseResult) EncodeCDR(e *cdr.Encoder) {
	m.NavigateToPoseResult.EncodeCDR(e)
	m.failure.encode(e)
}

// waypointsGoal is the goal of follow_waypoints.
type waypointsGoal struct {
	nav2_msgs.FollowWaypointsGoal
	later bool   // of a release after Humble
	loops uint32 // number of repetitions
	first uint32 // index of the first pose of the first round
}

// ROSType returns that of Humble.
func (*waypointsGoal) ROSType() string { return (*nav2_msgs.FollowWaypointsGoal)(nil).ROSType() }

// TypeHash returns that of Humble.
func (*waypointsGoal) TypeHash() string { return (*nav2_msgs.FollowWaypointsGoal)(nil).TypeHash() }

// TypeDefinition returns that of Humble.
func (*waypointsGoal) TypeDefinition() (text string, nested []cdr.Message) {
	return (*nav2_msgs.FollowWaypointsGoal)(nil).TypeDefinition()
}

// DecodeCDR overwrites every field from d. Poses end with 8-byte numbers, so no padding follows them.
func (m *waypointsGoal) DecodeCDR(d *cdr.Decoder) {
	m.later, m.loops, m.first = false, 0, 0
	humble := *d
	m.FollowWaypointsGoal.DecodeCDR(&humble)
	if humble.Err() != nil || humble.Remaining() > 0 {
		later := *d
		loops, first := later.Uint32(), later.Uint32()
		var poses nav2_msgs.FollowWaypointsGoal
		poses.DecodeCDR(&later)
		if later.Err() == nil && later.Remaining() == 0 {
			*d = later
			m.FollowWaypointsGoal, m.later, m.loops, m.first = poses, true, loops, first
			return
		}
	}
	*d = humble
}

// waypointsResult is the result of follow_waypoints. Later releases differ in how they report missed waypoints, so they
// get only the failure.
type waypointsResult struct {
	nav2_msgs.FollowWaypointsResult
	later   bool
	failure failure
}

// ROSType returns that of Humble.
func (*waypointsResult) ROSType() string { return (*nav2_msgs.FollowWaypointsResult)(nil).ROSType() }

// TypeHash returns that of Humble.
func (*waypointsResult) TypeHash() string { return (*nav2_msgs.FollowWaypointsResult)(nil).TypeHash() }

// TypeDefinition returns that of Humble.
func (*waypointsResult) TypeDefinition() (text string, nested []cdr.Message) {
	return (*nav2_msgs.FollowWaypointsResult)(nil).TypeDefinition()
}

// EncodeCDR appends the fields to e.
func (m *waypointsResult) EncodeCDR(e *cdr.Encoder) {
	if m.later {
		e.SeqLen(0)
	} else {
		m.FollowWaypointsResult.EncodeCDR(e)
	}
	m.failure.encode(e)
}

// miss records the missed waypoints in the result.
func (m *waypointsResult) miss(missed map[int]error) {
	var all error
	for _, i := range slices.Sorted(maps.Keys(missed)) {
		m.MissedWaypoints = append(m.MissedWaypoints, int32(i))
		all = errors.Join(all, fmt.Errorf("waypoint %d: %w", i, missed[i]))
	}
	m.failure = failureOf(codeWaypoints, all)
}
