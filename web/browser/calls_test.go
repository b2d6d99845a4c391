// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"context"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
)

// TestServicesPanel: a service is called with a template of its request; what is not of its type is an error at the field.
func TestServicesPanel(t *testing.T) {
	r := newRig(t, options{})
	_, err := ros2.NewService(r.node, std_srvs.SetBool{}, "switch", func(_ context.Context, q *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
		return &std_srvs.SetBoolResponse{Success: q.Data, Message: hostile}, nil
	})
	r.must(err)
	r.only("services")
	r.until("the service is known", func() bool {
		r.enter("#services-name", "/switch")
		return r.text("#services-type") == "std_srvs/srv/SetBool"
	})
	r.until("the template is there", func() bool {
		return r.do(`return page.$eval("#services-request", (e) => e.value)`) == "{\n \"data\": false\n}"
	})
	r.enter("#services-request", `{"data": 1}`)
	r.clickOn("#services-call")
	r.until("it is refused", func() bool { return r.text("#services-request-error") == "data: must be true or false" })
	r.enter("#services-request", `{"data": true}`)
	r.clickOn("#services-call")
	r.until("the reply is shown", func() bool {
		return strings.Contains(r.text("#services-reply"), `"success": true`) && strings.Contains(r.text("#services-reply"), "<img")
	})
	r.enter("#services-request", `{"data": false}`)
	r.clickOn("#services-call")
	r.until("a failure is marked", func() bool { return strings.HasPrefix(r.text("#services-state"), "Failed") })
	r.accessible("services")
	r.attacked()
	r.clean()
}

// TestActionsPanel: a goal is sent, its feedback and its result are shown, and another one is canceled.
func TestActionsPanel(t *testing.T) {
	r := newRig(t, options{})
	type goal = action.Goal[example_interfaces.FibonacciGoal, example_interfaces.FibonacciFeedback]
	server, err := action.NewServer(r.node, example_interfaces.Fibonacci{}, "fibonacci", action.Config[
		example_interfaces.FibonacciGoal, example_interfaces.FibonacciResult, example_interfaces.FibonacciFeedback]{
		Execute: func(ctx context.Context, g *goal) (*example_interfaces.FibonacciResult, error) {
			if err := g.Feedback(&example_interfaces.FibonacciFeedback{Sequence: []int32{0, 1}}); err != nil {
				return nil, err
			}
			if g.Goal.Order > 10 {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}
			return &example_interfaces.FibonacciResult{Sequence: []int32{0, 1, 1, 2}}, nil
		},
	})
	r.must(err)
	t.Cleanup(func() { r.must(server.Close()) })
	r.only("actions")
	r.until("the action is known", func() bool {
		r.enter("#actions-name", "/fibonacci")
		return r.text("#actions-type") == "example_interfaces/action/Fibonacci"
	})
	r.until("the template is there", func() bool {
		return r.do(`return page.$eval("#actions-goal", (e) => e.value)`) == "{\n \"order\": 0\n}"
	})
	r.enter("#actions-goal", `{"order": "many"}`)
	r.clickOn("#actions-send")
	r.until("it is refused", func() bool { return strings.HasPrefix(r.text("#actions-goal-error"), "order: must be a number") })
	newest := func() string { return r.text("#actions-list li") }
	r.enter("#actions-goal", `{"order": 4}`)
	r.clickOn("#actions-send")
	r.until("it succeeds", func() bool {
		return strings.HasPrefix(newest(), "succeeded") && strings.Contains(newest(), `"sequence"`)
	})
	r.enter("#actions-goal", `{"order": 40}`)
	r.clickOn("#actions-send")
	r.until("it executes, with feedback", func() bool {
		return strings.HasPrefix(newest(), "executing") && strings.Contains(newest(), "1 feedback message")
	})
	r.accessible("actions")
	r.clickOn("#actions-list li button")
	r.until("it is canceled", func() bool { return strings.HasPrefix(newest(), "canceled") })
	r.clean()
}

// TestImagePanel shows pictures of any topic, raw and compressed, and says which encoding cannot be shown.
func TestImagePanel(t *testing.T) {
	r := newRig(t, options{})
	pub, err := ros2.NewPublisher[sensor_msgs.Image](r.node, "depth", ros2.DefaultQoS())
	r.must(err)
	r.openLayout(`{"version": 2, "panels": [{"kind": "image", "x": 0, "y": 0, "w": 6, "h": 10, "settings": {"topic": "/depth"}}, {"kind": "image", "x": 6, "y": 0, "w": 6, "h": 10}]}`)
	encoding := "mono16"
	pixel := func() any {
		r.must(pub.Publish(&sensor_msgs.Image{Width: 2, Height: 1, Step: 4, Encoding: encoding, Data: []byte{1, 0, 0, 1}}))
		return r.do(`return page.$eval("#image-canvas", (c) => c.width + " " + [...c.getContext("2d").getImageData(1, 0, 1, 1).data].join())`)
	}
	r.until("the depth is drawn", func() bool { return pixel() == "2 255,255,255,255" })
	r.until("the camera is drawn", func() bool {
		return r.do(`return page.$eval("#image-2-canvas", (c) => Number(c.dataset.shown ?? 0) > 1 && c.width === 640)`) == true
	})
	encoding = hostile
	r.until("another encoding is named", func() bool { pixel(); return strings.Contains(r.text("#image-note"), "cannot be shown") })
	r.accessible("images")
	r.attacked()
	r.clean()
}

// TestBatteryPanel shows the battery with its voltage and its charge.
func TestBatteryPanel(t *testing.T) {
	r := newRig(t, options{})
	r.only("battery")
	r.until("the battery is shown", func() bool {
		text := r.text(`#battery-list [data-topic="/battery_state"]`)
		return strings.Contains(text, " V") && strings.Contains(text, " %")
	})
	r.accessible("batteries")
	r.clean()
}
