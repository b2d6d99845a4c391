// SPDX-License-Identifier: Apache-2.0

package navigator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

// feedbackPeriod is how often an action tells how it goes.
const feedbackPeriod = 500 * time.Millisecond

// Types of the actions, short.
type (
	toPose     = action.Goal[nav2_msgs.NavigateToPoseGoal, nav2_msgs.NavigateToPoseFeedback]
	byWaypoint = action.Goal[nav2_msgs.FollowWaypointsGoal, nav2_msgs.FollowWaypointsFeedback]
)

// offerActions offers the actions. A later goal takes the place of the one under way, as in Nav2.
func (n *Node) offerActions() error {
	pose, err := action.NewServer(n.cfg.Node, nav2_msgs.NavigateToPose{}, "navigate_to_pose",
		action.Config[nav2_msgs.NavigateToPoseGoal, nav2_msgs.NavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback]{
			Overlap: action.Replace, Execute: n.navigateToPose,
		})
	if err != nil {
		return err
	}
	n.closes = append(n.closes, pose.Close)
	waypoints, err := action.NewServer(n.cfg.Node, nav2_msgs.FollowWaypoints{}, "follow_waypoints",
		action.Config[nav2_msgs.FollowWaypointsGoal, nav2_msgs.FollowWaypointsResult, nav2_msgs.FollowWaypointsFeedback]{
			Overlap: action.Replace, Execute: n.followWaypoints,
		})
	if err != nil {
		return err
	}
	n.closes = append(n.closes, waypoints.Close)
	return nil
}

// navigateToPose is the action of one goal.
func (n *Node) navigateToPose(ctx context.Context, g *toPose) (*nav2_msgs.NavigateToPoseResult, error) {
	told := -feedbackPeriod
	return nil, n.Drive(ctx, []geometry_msgs.PoseStamped{g.Goal.Pose}, func(p Progress) {
		if p.Took-told < feedbackPeriod && p.Took >= told {
			return
		}
		told = p.Took
		if err := g.Feedback(n.feedback(p)); err != nil {
			n.log.Warn("feedback can't be published", "error", err)
		}
	})
}

// feedback gives the progress as Nav2 tells it.
func (n *Node) feedback(p Progress) *nav2_msgs.NavigateToPoseFeedback {
	f := &nav2_msgs.NavigateToPoseFeedback{NumberOfRecoveries: int16(min(p.Recoveries, math.MaxInt16))}
	f.CurrentPose.Header = header(n.cfg.Node.Now(), p.Frame)
	f.CurrentPose.Pose.Position.X, f.CurrentPose.Pose.Position.Y = p.Pose.X, p.Pose.Y
	f.CurrentPose.Pose.Orientation.Z, f.CurrentPose.Pose.Orientation.W = math.Sin(p.Pose.Theta/2), math.Cos(p.Pose.Theta/2)
	f.NavigationTime = builtin_interfaces.DurationOf(p.Took)
	if !math.IsNaN(p.Remaining) {
		f.DistanceRemaining = float32(p.Remaining)
		f.EstimatedTimeRemaining = builtin_interfaces.DurationOf(time.Duration(p.Remaining / n.speed() * float64(time.Second)))
	}
	return f
}

// speed is how fast the robot drives at most, m/s.
func (n *Node) speed() float64 {
	if v := n.cfg.Drive.Limits.Speed; v > 0 {
		return v
	}
	return 0.05
}

// followWaypoints is the action of several: those that can't be reached are left out.
func (n *Node) followWaypoints(ctx context.Context, g *byWaypoint) (*nav2_msgs.FollowWaypointsResult, error) {
	result := &nav2_msgs.FollowWaypointsResult{}
	for i := range g.Goal.Poses {
		if err := g.Feedback(&nav2_msgs.FollowWaypointsFeedback{CurrentWaypoint: uint32(i)}); err != nil {
			n.log.Warn("feedback can't be published", "error", err)
		}
		err := n.Drive(ctx, g.Goal.Poses[i:i+1], nil)
		if ctx.Err() != nil || errors.Is(err, ErrReplaced) || errors.Is(err, ErrNoOdometry) {
			return result, err
		}
		if err != nil {
			n.log.Warn("a waypoint is left out", "waypoint", i, "error", err)
			result.MissedWaypoints = append(result.MissedWaypoints, int32(i))
		}
	}
	if missed := len(result.MissedWaypoints); missed > 0 && missed == len(g.Goal.Poses) {
		return result, fmt.Errorf("navigator: none of %d waypoints was reached", missed)
	}
	return result, nil
}

// onGoal is RViz' "2D Goal Pose": a goal without an answer.
func (n *Node) onGoal(m *geometry_msgs.PoseStamped) {
	goal := *m
	n.workers.Go("goal pose", func() {
		if err := n.Drive(n.ctx, []geometry_msgs.PoseStamped{goal}, nil); err != nil && n.ctx.Err() == nil {
			n.log.Warn("the goal is not reached", "x", goal.Pose.Position.X, "y", goal.Pose.Position.Y, "error", err)
		}
	})
}
