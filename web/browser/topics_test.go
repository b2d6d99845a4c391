// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
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
	r.until("there is "+selector, func() bool {
		return r.do(`return page.evaluate((s, v) => {
			const e = document.querySelector(s);
			if (e) { e.value = v; e.dispatchEvent(new Event("input", { bubbles: true })); }
			return e !== null; }, %q, %q)`, selector, text) == true
	})
}

// TestMessagesPanel: a message of any topic is shown as a tree, hostile ones too; lists are cut; a pause holds it; two
// panels show two topics.
func TestMessagesPanel(t *testing.T) {
	r := newRig(t, options{})
	words, err := ros2.NewPublisher[std_msgs.String](r.node, "words", ros2.LatchedQoS())
	r.must(err)
	r.must(words.Publish(&std_msgs.String{Data: hostile}))
	many, err := ros2.NewPublisher[std_msgs.Float32MultiArray](r.node, "many", ros2.LatchedQoS())
	r.must(err)
	r.must(many.Publish(&std_msgs.Float32MultiArray{Data: make([]float32, 1000)}))
	r.openLayout(`{"version": 2, "panels": [{"kind": "messages", "x": 0, "y": 0, "w": 6, "h": 14}, {"kind": "messages", "x": 6, "y": 0, "w": 6, "h": 14, "settings": {"topic": "/many"}}]}`)
	r.enter("#messages-topic", "/nothing")
	r.until("a wrong name is an error", func() bool { return strings.Contains(r.text("#messages-type"), "No node publishes") })
	r.enter("#messages-topic", "/words")
	r.until("the message is shown", func() bool {
		return strings.Contains(r.text(`#messages-message [data-path="data"] .leaf`), `onerror=\"window.attacked=1\"`)
	})
	r.clickOn(`#messages-2-message [data-path="data"] summary`)
	r.until("the list is cut", func() bool {
		return r.do(`return page.$$eval('#messages-2-message [data-path^="data."]', (all) => all.length)`) == 64.0 && strings.Contains(r.text("#messages-2-message"), "936 more")
	})
	r.clickOn("#messages-pause")
	r.until("it is paused", func() bool { return strings.Contains(r.text("#messages-age"), "paused") })
	r.must(words.Publish(&std_msgs.String{Data: "later"}))
	r.clickOn("#messages-pause")
	r.must(words.Publish(&std_msgs.String{Data: "last"}))
	r.until("it continues", func() bool { return strings.Contains(r.text("#messages-message"), "last") })
	r.accessible("messages")
	r.attacked()
	r.clean()
}

// TestPublishPanel: a template is made of the type of a topic that only has subscribers; what is no JSON or not of the
// type is an error at the field; a message is published once and repeatedly.
func TestPublishPanel(t *testing.T) {
	r := newRig(t, options{})
	got := make(chan string, 1000)
	_, err := ros2.Listen(r.node, "words", ros2.DefaultQoS(), func(m *std_msgs.String) {
		select {
		case got <- m.Data:
		default:
		}
	})
	r.must(err)
	r.only("publish")
	r.until("the topic is known", func() bool {
		r.enter("#publish-topic", "/words")
		return r.do(`return page.$eval("#publish-type", (e) => e.value)`) == "std_msgs/msg/String"
	})
	message := func() any {
		return r.do(`return page.$eval("#publish-message", (e) => JSON.stringify(JSON.parse(e.value || "null")))`)
	}
	r.until("the template is there", func() bool { return message() == `{"data":""}` })
	for text, problem := range map[string]string{"{data": "no JSON", `{"data": 1}`: "data: must be a text", `{"<img>": ""}`: "<img>: the type has no such field"} {
		r.enter("#publish-message", text)
		r.clickOn("#publish-send")
		r.until("it is an error: "+problem, func() bool { return strings.Contains(r.text("#publish-message-error"), problem) })
	}
	r.accessible("a refused message")
	r.enter("#publish-message", `{"data": "from the page"}`)
	arrived := func(n int) func() bool {
		return func() bool {
			for len(got) > 0 {
				if <-got == "from the page" {
					n--
				}
			}
			return n <= 0
		}
	}
	once := arrived(1)
	r.until("it arrives", func() bool { r.clickOn("#publish-send"); return once() }) // a subscription may be matched later
	r.change("#publish-hz", "20")
	r.clickOn("#publish-repeat")
	r.until("it is repeated", arrived(10))
	r.clickOn("#publish-repeat")
	r.clean()
}

// TestTransformsPanel shows the frames as a tree, hostile names as text, and warns of several parents.
func TestTransformsPanel(t *testing.T) {
	r := newRig(t, options{})
	static, err := ros2.NewPublisher[tf2_msgs.TFMessage](r.node, "/tf_static", ros2.LatchedQoS())
	r.must(err)
	send := func(parent, child string) {
		var m geometry_msgs.TransformStamped
		m.Header.FrameID, m.ChildFrameID, m.Transform.Rotation.W = parent, child, 1
		r.must(static.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{m}}))
	}
	send("base_link", hostile)
	r.only("transforms")
	r.until("the hostile frame is below the robot's", func() bool {
		return r.do(`return page.evaluate((name) => [...document.querySelectorAll('#transforms-tree [data-frame="base_link"] [data-frame]')].some((e) => e.textContent.includes(name)), %q)`, hostile) == true
	})
	r.until("the robot's frame has a rate", func() bool { return strings.Contains(r.text(`[data-frame="base_link"] > .age`), "/s") })
	r.until("several parents are a warning", func() bool {
		send("odom", hostile)
		send("base_link", hostile)
		return strings.Contains(r.text("#transforms-warnings"), "several parents: base_link, odom")
	})
	r.accessible("transforms")
	r.enter("#transforms-filter", "camera")
	r.until("the others are left out", func() bool { return !strings.Contains(r.text("#transforms-tree"), "img") })
	r.attacked()
	r.clean()
}

// TestNodesPanel lists nodes with their topics, and the graph around the one that is chosen.
func TestNodesPanel(t *testing.T) {
	r := newRig(t, options{})
	_, err := ros2.NewPublisher[geometry_msgs.Twist](r.node, "cmd_vel", ros2.DefaultQoS())
	r.must(err)
	r.only("nodes")
	has := func(name string) bool {
		return r.do(`return page.evaluate((name) => [...document.querySelectorAll("#nodes-list button")].some((e) => e.textContent.includes(name)), %q)`, name) == true
	}
	r.until("both nodes are listed", func() bool { return has("other") && has("driver") })
	r.do(`await page.evaluate(() => [...document.querySelectorAll("#nodes-list button")].find((e) => e.textContent.endsWith("driver")).click())`)
	r.until("the driver reads the commands of the other node", func() bool {
		s, _ := r.do(`return page.evaluate(() => [...document.querySelectorAll("#nodes-graph .from .link")].find((e) => e.querySelector("button")?.textContent === "/other")?.textContent ?? "")`).(string)
		return strings.Contains(s, "/cmd_vel")
	})
	r.accessible("nodes")
	r.enter("#nodes-filter", "image_raw")
	r.until("only the driver has pictures", func() bool { return has("driver") && !has("other") })
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
// curves; a right one is plotted with its present value, also over another number; all of it is saved as a table.
func TestPlotRefusesWrongFields(t *testing.T) {
	r := newRig(t, options{})
	r.only("plots")
	curves := func() float64 {
		n, _ := r.do(`return page.$$eval("#panel-plots .legend li", (all) => all.length)`).(float64)
		return n
	}
	r.until("two curves are plotted with their values", func() bool {
		return curves() == 2 && r.do(`return page.$$eval("#panel-plots .value", (all) => all.every((e) => e.textContent !== "–"))`) == true
	})
	r.enter("#plots-field", "/odom.pose.pose.pos")
	r.until("fields are offered", func() bool {
		return r.do(`return page.$$eval("#plots-options option", (all) => all.map((o) => o.value).includes("/odom.pose.pose.position.x"))`) == true
	})
	for field, problem := range map[string]string{"/odom.pose.pose.nowhere": "no number", "/nothing.x": "No node publishes", "odom": "Which number?", "/odom.header.frame_id": "no number"} {
		r.enter("#plots-field", field)
		r.clickOn("#plots-add")
		r.until(field+" is refused", func() bool {
			return strings.Contains(r.text("#plots-error"), problem) && r.do(`return page.$eval("#plots-field", (e) => e.getAttribute("aria-invalid"))`) == "true" && curves() == 2
		})
	}
	r.accessible("a refused field")
	r.enter("#plots-field", "/odom.pose.covariance[7]")
	r.clickOn("#plots-add")
	r.until("a third curve is plotted", func() bool { return curves() == 3 && r.text("#plots-error") == "" })
	r.do(`await page.evaluate(() => { const make = URL.createObjectURL; URL.createObjectURL = (b) => { void b.text().then((t) => { window.saved = t; }); return make(b); }; })`)
	saved := func(prefix string) func() bool {
		return func() bool {
			r.clickOn("#plots-csv")
			text, _ := r.do(`return page.evaluate(() => window.saved ?? "")`).(string)
			return strings.HasPrefix(text, prefix) && strings.Count(text, "\n") > 2
		}
	}
	r.until("a table is saved", saved(`time,"/odom.twist.twist.linear.x",`))
	r.do(`await page.focus("#plots-plot"); await page.keyboard.press("+")`)
	r.until("zooming holds it", func() bool {
		return r.pressed("plots-pause") && r.do(`return page.$eval("#plots-reset", (e) => !e.hidden)`) == true
	})
	r.clickOn("#plots-reset")
	r.until("it continues", func() bool { return !r.pressed("plots-pause") })
	r.change("#plots-x", "/odom.pose.pose.position.y")
	r.until("it is over another number", saved(`time,"/odom.pose.pose.position.y","/odom.twist.twist.linear.x",`))
	r.do(`await page.reload()`)
	r.until("the curves are there again", func() bool {
		return curves() == 3 && r.do(`return page.$eval("#plots-x", (e) => e.value)`) == "/odom.pose.pose.position.y"
	})
	r.clean()
}
