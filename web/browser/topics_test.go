// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// hostile is a name that would run a script in a page that takes names for HTML.
const hostile = `<img src=x onerror="window.attacked=1">`

// enter waits for an input and puts a text into it as a person does.
func (r *rig) enter(selector, text string) {
	r.Helper()
	r.do(`await page.waitForSelector(%q, { timeout: 60_000 })`, selector)
	r.do(`await page.$eval(%q, (e, v) => { e.value = v; e.dispatchEvent(new Event("input", { bubbles: true })); }, %q)`, selector, text)
}

// TestTopicsPanel: a message of any topic is shown as text, hostile ones too, and one that a person writes is
// published; what is no JSON is an error at its input.
func TestTopicsPanel(t *testing.T) {
	r := newRig(t, options{})
	words, err := ros2.NewPublisher[std_msgs.String](r.node, "words", ros2.LatchedQoS())
	r.must(err)
	r.must(words.Publish(&std_msgs.String{Data: hostile}))
	r.tab("topics")
	r.enter("#topic-name", "/nothing")
	r.until("a wrong name is an error", func() bool { return strings.Contains(r.text("#topic-type"), "No node publishes") })
	r.enter("#topic-name", "/words")
	r.until("the message is shown", func() bool {
		return r.do(`return page.evaluate(() => document.getElementById("topic-message")?.textContent ?? "")`) == fmt.Sprintf("{\n  \"data\": %q\n}", hostile)
	})
	got := make(chan string, 100)
	_, err = ros2.Listen(r.node, "words", ros2.LatchedQoS(), func(m *std_msgs.String) {
		select {
		case got <- m.Data:
		default:
		}
	})
	r.must(err)
	r.do(`await page.waitForSelector("#publish-open", { timeout: 60_000 }); await page.$eval("#publish-open", (e) => e.click())`) // what is above it may still grow
	r.enter("#publish-message", "{data")
	r.do(`await page.click("#publish-send")`)
	r.until("it is an error", func() bool { return strings.Contains(r.text("#publish-error"), "no JSON") })
	r.enter("#publish-message", `{"data": "from the page"}`)
	arrived := false
	r.until("it arrives", func() bool { // a subscription that is matched later does not get what was sent before
		r.do(`await page.click("#publish-send")`)
		for len(got) > 0 {
			arrived = <-got == "from the page" || arrived
		}
		return arrived
	})
	r.attacked()
	r.clean()
}

// TestGraphPanel lists nodes with their topics, and frames as a tree, hostile names as text.
func TestGraphPanel(t *testing.T) {
	r := newRig(t, options{})
	static, err := ros2.NewPublisher[tf2_msgs.TFMessage](r.node, "/tf_static", ros2.LatchedQoS())
	r.must(err)
	var m geometry_msgs.TransformStamped
	m.Header.FrameID, m.ChildFrameID, m.Transform.Rotation.W = "base_link", hostile, 1
	r.must(static.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{m}}))
	r.tab("graph")
	r.until("the hostile frame is below the robot's", func() bool {
		return r.do(`return page.evaluate((name) => [...document.querySelectorAll("#frames li li")].some((e) => e.textContent.includes(name)), %q)`, hostile) == true
	})
	has := func(name string) bool {
		return r.do(`return page.evaluate((name) => [...document.querySelectorAll("#nodes summary")].some((e) => e.textContent.includes(name)), %q)`, name) == true
	}
	r.until("both nodes are listed", func() bool { return has("other") && has("driver") })
	if r.do(`return page.evaluate(() => [...document.querySelectorAll("#nodes summary")].every((e) => e.scrollWidth <= e.clientWidth))`) != true {
		t.Error("what a node publishes and reads covers the frames")
	}
	r.enter("#node-filter", "cmd_vel")
	r.until("only the driver reads commands", func() bool { return has("driver") && !has("other") })
	r.attacked()
	r.clean()
}

// attacked fails the test if a name was taken for HTML.
func (r *rig) attacked() {
	r.Helper()
	if r.do(`return page.evaluate(() => window.attacked === 1 || document.querySelector("img") !== null)`) == true {
		r.Error("a name was taken for HTML")
	}
}

// TestPlotRefusesWrongFields: a field that the type does not have is an error at its input and leaves the other
// curves; a right one is plotted with its present value, and all of it is saved as a table.
func TestPlotRefusesWrongFields(t *testing.T) {
	r := newRig(t, options{})
	r.tab("plots")
	curves := func() float64 {
		n, _ := r.do(`return page.$$eval("#panel-plots .legend li", (all) => all.length)`).(float64)
		return n
	}
	r.until("two curves are plotted with their values", func() bool {
		return curves() == 2 && r.do(`return page.$$eval("#panel-plots .value", (all) => all.every((e) => e.textContent !== "–"))`) == true
	})
	r.do(`await page.select("#plot-topic", "/odom")`)
	r.enter("#plot-field", "pose.pose.nowhere")
	r.do(`await page.click("#plot-add")`)
	r.until("it is refused", func() bool {
		return strings.Contains(r.text("#plot-error"), "no number") && r.do(`return page.$eval("#plot-field", (e) => e.getAttribute("aria-invalid"))`) == "true"
	})
	r.enter("#plot-field", "pose.covariance[7]")
	r.do(`await page.click("#plot-add")`)
	r.until("a third curve is plotted", func() bool { return curves() == 3 && r.text("#plot-error") == "" })
	r.do(`await page.evaluate(() => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { void b.text().then((t) => { window.saved = t; }); return make(b); }; })`)
	r.do(`await page.click("#plot-pause"); await page.click("#plot-csv")`)
	r.until("a table is saved", func() bool {
		text, _ := r.do(`return page.evaluate(() => window.saved ?? "")`).(string)
		return strings.HasPrefix(text, `time,"/odom twist.twist.linear.x",`) && strings.Count(text, "\n") > 2
	})
	r.clean()
}
