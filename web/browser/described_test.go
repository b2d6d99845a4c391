// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestDescribedRobotOnTheMap: a TurtleBot3 added by the page is drawn as a box, with much more of the robots' colour
// than an e-puck2.
func TestDescribedRobotOnTheMap(t *testing.T) {
	c := newCrowd(t)
	coloured := func() float64 { // pixels
		n, _ := c.do(`return page.$eval("#map", (e) => {
			const g = e.getContext("2d"), d = g.getImageData(0, 0, e.width, e.height).data;
			const p = document.createElement("canvas").getContext("2d");
			p.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--robot").trim(); p.fillRect(0, 0, 1, 1);
			const w = p.getImageData(0, 0, 1, 1).data; let n = 0;
			for (let i = 0; i < d.length; i += 4) if (d[i] === w[0] && d[i + 1] === w[1] && d[i + 2] === w[2]) n++;
			return n; })`).(float64)
		return n
	}
	before := 0.0
	c.until("three robots are drawn, and the view no longer changes", func() bool {
		was := before
		before = coloured()
		return before > 300 && before == was
	})
	c.until("kinds are there to choose from", func() bool {
		return c.do(`return page.$eval("#sim-kind", (e) => [...e.options].some((o) => o.value === "turtlebot3_burger"))`) == true
	})
	c.do(`await page.select("#sim-kind", "turtlebot3_burger")`)
	c.press("sim-add")
	c.do(`const b = await (await page.$("#map")).boundingBox(); await page.mouse.click(b.x + 0.45 * b.width, b.y + 0.3 * b.height)`)
	c.until("it is there", func() bool { return len(sim.RobotsOf[*sim.Articulated](c.world)) == 1 })
	c.until("it is drawn in its size", func() bool { return coloured()-before > 2*before/3 })
	c.clean()
}
