// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav2_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

type toPose = action.Goal[nav2_msgs.NavigateToPoseGoal, nav2_msgs.NavigateToPoseFeedback]

// newNavigator offers navigate_to_pose: each goal has feedback and a path, and fails, with a line of the log, once the
// test says so.
func newNavigator(r *rig, fail <-chan struct{}) (goals <-chan geometry_msgs.PoseStamped) {
	r.Helper()
	received := make(chan geometry_msgs.PoseStamped, 10)
	path, err := ros2.NewPublisher[nav_msgs.Path](r.node, "plan", ros2.LatchedQoS())
	r.must(err)
	log, err := ros2.NewPublisher[rcl_interfaces.Log](r.node, "/rosout", ros2.LatchedQoS())
	r.must(err)
	execute := func(ctx context.Context, g *toPose) (*nav2_msgs.NavigateToPoseResult, error) {
		received <- g.Goal.Pose
		head := std_msgs.Header{FrameID: "odom"}
		if err := path.Publish(&nav_msgs.Path{Header: head, Poses: []geometry_msgs.PoseStamped{{Header: head}, g.Goal.Pose}}); err != nil {
			return nil, err
		}
		if err := g.Feedback(&nav2_msgs.NavigateToPoseFeedback{DistanceRemaining: 1.25, NumberOfRecoveries: 3}); err != nil {
			return nil, err
		}
		select {
		case <-fail:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		err := log.Publish(&rcl_interfaces.Log{Level: rcl_interfaces.LogWarn, Name: "other", Msg: "goal not reached: <b>no path</b>"})
		return nil, errors.Join(err, errors.New("no path"))
	}
	server, err := action.NewServer(r.node, nav2_msgs.NavigateToPose{}, "navigate_to_pose",
		action.Config[nav2_msgs.NavigateToPoseGoal, nav2_msgs.NavigateToPoseResult, nav2_msgs.NavigateToPoseFeedback]{Execute: execute})
	r.must(err)
	r.Cleanup(func() { r.must(server.Close()) })
	return received
}

// TestNavigation: a goal set in the view in three dimensions is followed until it fails, and the next one is canceled.
func TestNavigation(t *testing.T) {
	if !suite.Long {
		t.Skip("it starts a browser")
	}
	withWebGL(t)
	r := newRig(t, options{})
	fail := make(chan struct{})
	goals := newNavigator(r, fail)
	send := func() (goal geometry_msgs.PoseStamped) {
		r.openScene() // the other panel is shorter, so the page has scrolled
		r.do(`await page.setViewport({ width: 1000, height: 700 }); // panels are no sheets, as on a phone
			await page.$eval("#scene", (e) => e.scrollIntoView({ block: "center", behavior: "instant" }))`)
		r.do(`await page.select("#scene-view", "above"); await page.select("#scene-tool", "goal")`)
		r.until("the goal has arrived", func() bool {
			if len(goals) > 0 {
				goal = <-goals
				return true
			}
			if !strings.HasPrefix(r.text("#scene-note"), "Goal of") {
				r.pull([2]float64{0.2, -0.1}, [2]float64{0.2, 0})
			}
			return false
		})
		r.tab("navigation")
		return goal
	}
	facts := func(parts ...string) bool {
		text := r.text("#navigation-facts")
		for _, p := range parts {
			if !strings.Contains(text, p) {
				return false
			}
		}
		return true
	}
	if goal := send(); goal.Header.FrameID != "odom" || goal.Pose.Position.X < 0.1 || goal.Pose.Position.X > 0.3 {
		t.Errorf("the goal is %+v", goal)
	}
	r.until("goal, way and recoveries are shown, and who drives", func() bool {
		return facts("x 0.", "1.25 m", "Recoveries3") && strings.HasPrefix(r.text("#driver"), "Navigation drives (/other)")
	})
	fail <- struct{}{}
	r.until("it says why the goal failed", func() bool {
		return strings.HasSuffix(r.text("#navigation-state"), "failed") && facts("<b>no path</b>") && r.text("#driver") == "No viewer drives."
	})
	send()
	r.until("it drives again", func() bool { return strings.HasSuffix(r.text("#navigation-state"), "driving") })
	r.do(`await page.evaluate(() => document.getElementById("navigation-cancel").click())`)
	r.until("it is canceled", func() bool { return strings.HasSuffix(r.text("#navigation-state"), "canceled") })
	r.clean()
}
