// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestPageShowsMotion: the page shows that another node drives the robot.
func TestPageShowsMotion(t *testing.T) {
	r := newRig(t, options{})
	pub, err := ros2.NewPublisher[geometry_msgs.Twist](r.node, "cmd_vel", ros2.DefaultQoS())
	r.must(err)
	before := r.text("#pose")
	r.until("the robot has moved on the page", func() bool {
		r.must(pub.Publish(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}}))
		return r.robot.Pose().X > 0.02 && r.text("#pose") != before && !strings.Contains(r.text("#pose"), "x 0.000")
	})
	r.clean()
}

// take takes control and waits until the page has it: keys that are pressed before have no effect, and puppeteer does
// not repeat a held key.
func (r *rig) take() {
	r.Helper()
	r.do(`await page.evaluate(() => document.getElementById("take").click()); await page.focus("#pad")`)
	r.until("the page drives", func() bool { return strings.HasPrefix(r.text("#driver"), "You drive") })
}

// hold presses keys again and again, as a keyboard repeats a held key, until a condition holds. The page releases all
// keys when it got no processor time for a second, as after a sleep; the next repetition then presses them again.
func (r *rig) hold(what string, is func() bool, keys ...string) {
	r.Helper()
	r.until(what, func() bool {
		for _, key := range keys {
			r.do(`await page.keyboard.down(%q)`, key)
		}
		return is()
	})
}

// TestClosedStickReleasesTheRobot: the panel that is closed while it drives stops the robot and releases it.
func TestClosedStickReleasesTheRobot(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.drives()
	r.clickOn("#card-drive [data-do=close]")
	r.until("the robot stops", r.stopped)
	r.tab("drive")
	r.until("no viewer drives it", func() bool { return r.text("#driver") == "No viewer drives." })
	r.do(`await page.keyboard.up("ArrowUp")`)
	r.clean()
}

// TestDrive drives by keyboard, touch and gamepad, and releases them.
func TestDrive(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.do(`await page.evaluateOnNewDocument(() => { window.pads = []; navigator.getGamepads = () => window.pads; })`)
	r.open(390, 844, true)
	r.take()
	box := r.do(`const b = await (await page.$("#pad")).boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]`).([]any)
	for _, c := range []struct{ name, begin, end string }{
		{"keyboard", `await page.focus("#pad"); await page.keyboard.down("ArrowUp")`, `await page.keyboard.up("ArrowUp")`},
		{"letters", `await page.focus("#pad"); await page.keyboard.down("a")`, `await page.keyboard.up("a")`},
		{"touch", `await page.touchscreen.touchStart(%[1]v, %[2]v); await page.touchscreen.touchMove(%[1]v, %[2]v - 60)`, `await page.touchscreen.touchEnd()`},
		{"gamepad", `await page.evaluate(() => { window.pads = [{ connected: true, axes: [0, -1], buttons: [] }]; })`, `await page.evaluate(() => { window.pads = []; })`},
		{"keyboard, window left", `await page.focus("#pad"); await page.keyboard.down("ArrowUp")`, `await page.evaluate(() => dispatchEvent(new Event("blur")))`},
	} {
		arguments := []any{}
		if strings.Contains(c.begin, "%") {
			arguments = box
		}
		r.do(c.begin, arguments...)
		r.until("the robot is driven by "+c.name, r.moves)
		r.do("%s", c.end)
		r.until("the robot stops after "+c.name, r.stopped)
	}
	r.clean()
}

// TestConnectionLossStopsRobot: the wheels stop when the connection is lost without a close. When the network works
// again, the page reconnects.
func TestConnectionLossStopsRobot(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.take()
	r.hold("the robot moves", r.moves, "ArrowUp")
	r.wire.dead.Store(true)
	r.until("the robot stops", r.stopped)
	r.wire.hangUp()
	r.wire.dead.Store(false)
	r.until("the page is back", func() bool { return r.text("#state") == "Connected" })
	r.until("no viewer drives", func() bool { return r.text("#driver") == "No viewer drives." })
	if !r.stopped() {
		t.Error("the robot moves after the page came back")
	}
}

// TestSecondPageTakesOver: while one page drives, the other shows the driver's name; then it takes over.
func TestSecondPageTakesOver(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.take()
	r.do(`globalThis.first = page; const p = await browser.newPage(); watch(p); setPage(p)`)
	r.open(1280, 900, false)
	r.until("the other page sees who drives", func() bool { return strings.Contains(r.text("#driver"), "Chrome at 127.0.0.1 drives") })
	r.do(`await page.click("#take")`)
	r.until("the other page drives", func() bool { return strings.HasPrefix(r.text("#driver"), "You drive") })
	r.do(`await page.close(); setPage(globalThis.first)`)
	r.until("the first page sees that no viewer drives", func() bool { return r.text("#driver") == "No viewer drives." })
	r.clean()
}
