// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

// feedbackPeriod is the time between two feedback messages of an action.
const feedbackPeriod = 500 * time.Millisecond

// Short names of the actions' types.
type (
	toPose     = action.Goal[nav2_msgs.NavigateToPoseGoal, nav2_msgs.NavigateToPoseFeedback]
	byWaypoint = action.Goal[waypointsGoal, nav2_msgs.FollowWaypointsFeedback]
)

// serveActions creates the action servers. A later goal replaces the active one, as in Nav2, unless it is rejected:
// then the active one continues.
func (n *Node) serveActions() error {
	pose, err := action.NewServer(n.cfg.Node, toPoseAction{}, "navigate_to_pose",
		action.Config[nav2_msgs.NavigateToPoseGoal, toPoseResult, nav2_msgs.NavigateToPoseFeedback]{
			Overlap: action.Together, Execute: n.navigateToPose, // Node.start replaces the active goal
		})
	if err != nil {
		return err
	}
	n.closes = append(n.closes, pose.Close)
	waypoints, err := action.NewServer(n.cfg.Node, waypointsAction{}, "follow_waypoints",
		action.Config[waypointsGoal, waypointsResult, nav2_msgs.FollowWaypointsFeedback]{
			Overlap: action.Together, Execute: n.followWaypoints,
		})
	if err != nil {
		return err
	}
	n.closes = append(n.closes, waypoints.Close)
	return nil
}

// navigateToPose executes navigate_to_pose.
func (n *Node) navigateToPose(ctx context.Context, g *toPose) (*toPoseResult, error) {
	reported := -feedbackPeriod
	err := n.Drive(ctx, []geometry_msgs.PoseStamped{g.Goal.Pose}, func(p Progress) {
		if p.Took-reported < feedbackPeriod && p.Took >= reported {
			return
		}
		reported = p.Took
		if err := g.Feedback(n.feedback(p)); err != nil {
			n.log.Warn("feedback can't be published", "error", err)
		}
	})
	return &toPoseResult{failure: failureOf(codeToPose, err)}, err
}

// feedback returns the progress in Nav2's format.
func (n *Node) feedback(p Progress) *nav2_msgs.NavigateToPoseFeedback {
	f := &nav2_msgs.NavigateToPoseFeedback{NumberOfRecoveries: int16(min(p.Recoveries, math.MaxInt16))}
	f.CurrentPose.Header = header(n.cfg.Node.Now(), p.Frame)
	f.CurrentPose.Pose.Position.X, f.CurrentPose.Pose.Position.Y = p.Pose.X, p.Pose.Y
	f.CurrentPose.Pose.Orientation.Z, f.CurrentPose.Pose.Orientation.W = math.Sin(p.Pose.Theta/2), math.Cos(p.Pose.Theta/2)
	f.NavigationTime = builtin_interfaces.DurationOf(p.Took)
	f.DistanceRemaining = float32(p.Remaining)
	f.EstimatedTimeRemaining = builtin_interfaces.DurationOf(time.Duration(p.Remaining / n.speed() * float64(time.Second)))
	return f
}

// speed returns the maximum speed of the robot, m/s.
func (n *Node) speed() float64 {
	if v := n.cfg.Drive.Limits.Speed; v > 0 {
		return v
	}
	return 0.05
}

// followWaypoints executes follow_waypoints. Waypoints that can't be reached are skipped. If none is reached in a
// loop, no further loop follows.
func (n *Node) followWaypoints(ctx context.Context, g *byWaypoint) (*waypointsResult, error) {
	poses, result := len(g.Goal.Poses), &waypointsResult{later: g.Goal.later}
	if poses > 0 && int64(g.Goal.first) >= int64(poses) {
		err := fmt.Errorf("navigator: %w: it starts at waypoint %d of %d", navigation.ErrGoal, g.Goal.first, poses)
		result.failure = failureOf(codeWaypoints, err)
		return result, err
	}
	missed, reached, reachedNow := map[int]error{}, 0, 1
	of := new(request)
	for round := uint64(0); round <= uint64(g.Goal.loops) && reachedNow > 0; round++ {
		reachedNow = 0
		for i := int(g.Goal.first); i < poses; i++ {
			if err := g.Feedback(&nav2_msgs.FollowWaypointsFeedback{CurrentWaypoint: uint32(i)}); err != nil {
				n.log.Warn("feedback can't be published", "error", err)
			}
			err := n.driveFor(ctx, of, g.Goal.Poses[i:i+1], nil)
			if ctx.Err() != nil || errors.Is(err, ErrReplaced) || errors.Is(err, ErrNoOdometry) {
				result.miss(missed)
				result.failure = failureOf(codeWaypoints, err)
				return result, err
			}
			if err != nil {
				n.log.Warn("waypoint skipped", "waypoint", i, "error", err)
				missed[i] = err
				continue
			}
			reachedNow++
		}
		reached += reachedNow
		g.Goal.first = 0
	}
	result.miss(missed)
	if len(missed) > 0 && reached == 0 {
		return result, fmt.Errorf("navigator: none of %d waypoints was reached", len(missed))
	}
	return result, nil
}

// onGoal drives to goals of RViz' "2D Goal Pose", which have no result.
func (n *Node) onGoal(m *geometry_msgs.PoseStamped) {
	goal := *m
	n.workers.Go("goal pose", func() {
		if err := n.Drive(n.ctx, []geometry_msgs.PoseStamped{goal}, nil); err != nil && n.ctx.Err() == nil {
			n.log.Warn("goal not reached", "x", goal.Pose.Position.X, "y", goal.Pose.Position.Y, "error", err)
		}
	})
}
