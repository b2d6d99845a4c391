// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/web"
)

// crowd is a world with several robots, and the page that shows it.
type crowd struct {
	*rig
	world *sim.Simulation
	clock *simclock.Clock
}

// newCrowd starts a world of functional robots as sim does, and a browser.
func newCrowd(t *testing.T) *crowd {
	t.Helper()
	needBrowser(t)
	c := &crowd{rig: &rig{TB: t}}
	w, err := sim.LoadWorld("swarm")
	c.must(err)
	for i := range w.Robots {
		w.Robots[i].Level = world.LevelFunctional
	}
	c.clock, err = simclock.New(simclock.Config{Epoch: time.Now(), Factor: 1})
	c.must(err)
	c.world, err = sim.New(w, sim.Options{Seed: 1, Now: c.clock.Now, Wait: c.clock.Wait, MaxCatchUp: -1, Mechanisms: machine.Maker(library.Parse, library.Load)})
	c.must(err)
	transport := ros2test.NewNetwork().NewTransport()
	c.node, err = ros2.NewNode(ros2.NodeConfig{Name: "simulation", Transport: transport, Standard: true})
	c.must(err)
	robots, err := fleet.New(fleet.Config{Simulation: c.world, Transport: transport, Clock: c.clock})
	c.must(err)
	members := map[string]groundtruth.Robot{}
	for _, m := range c.world.Robots() {
		members["/"+m.Name()] = m
	}
	view, err := groundtruth.New(groundtruth.Config{Node: c.node, World: w, Robots: members})
	c.must(err)
	host, err := fleet.NewHost(fleet.HostConfig{
		Node: c.node, Simulation: c.world, Fleet: robots, Like: w.Robots[0], Clock: c.clock, Models: library.Names(),
		Changed: func(name string, m sim.Robot) error {
			if m == nil {
				return view.Remove("/" + name)
			}
			return view.Add("/"+name, m)
		},
	})
	c.must(err)
	c.site, err = web.New(web.Config{Address: "localhost:0", Transport: transport, Types: msgs.Definition})
	c.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	var group task.Group
	simulate := func(ctx context.Context) error { return robots.Run(ctx, c.clock) }
	for _, run := range []func(context.Context) error{simulate, c.site.Serve} {
		group.Go("fleet and site", func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	c.wire = newWire(t, c.site.Address().String())
	c.url = "http://localhost:" + c.wire.port
	t.Cleanup(func() {
		cancel()
		group.Wait()
		for _, close := range []func() error{host.Close, view.Close, robots.Close, c.node.Close} {
			if err := close(); err != nil {
				t.Error(err)
			}
		}
	})
	c.browse()
	c.open(1280, 900, false)
	return c
}

// where returns the pose of a robot, if it exists.
func (c *crowd) where(name string) (sim.Pose, bool) {
	for _, m := range c.world.Robots() {
		if m.Name() == name {
			return m.GroundTruth().Pose, true
		}
	}
	return sim.Pose{}, false
}

// press presses a button of the simulation bar once it is enabled.
func (r *rig) press(id string) {
	r.Helper()
	r.until(id+" can be pressed", func() bool {
		return r.do(`return page.$eval("#%s", (b) => !b.hidden && !b.disabled && !b.closest("[hidden]"))`, id) == true
	})
	r.do(`await page.evaluate((id) => document.getElementById(id).click(), %q)`, id)
}

// TestSimulationBarAsksAgain: the page repeats requests to a simulation that were refused at first, without an event.
func TestSimulationBarAsksAgain(t *testing.T) {
	c := newCrowd(t)
	c.do(`await page.evaluateOnNewDocument(() => { window.refused = 0; window.healed = false; const send = WebSocket.prototype.send;
		WebSocket.prototype.send = function (d) {
			if (window.healed || !(d instanceof Uint8Array) || d[0] !== 2) return send.call(this, d);
			const callId = new DataView(d.buffer).getUint32(5, true);
			setTimeout(() => { window.refused++; this.onmessage({ data: JSON.stringify({ op: "serviceCallFailure", callId, message: "busy" }) }); });
		}; })`)
	c.open(1280, 900, false)
	c.press("sim-pause") // is refused, too
	c.until("the refusal is shown", func() bool { return c.text("#simulation .state") == "busy" })
	c.do(`await sleep(1000); await page.evaluate(() => { window.healed = true; })`) // all is discovered by now
	for what, ready := range map[string]string{
		"the text about the simulation": `document.getElementById("sim-about").textContent.startsWith("Simulation: ")`,
		"the kinds of things":           `document.getElementById("sim-kind").options.length > 0`,
		"the list of entities":          `document.getElementById("sim-entity").options.length > 0`,
	} {
		c.until(what+" is there", func() bool { return c.do(`return page.evaluate(() => %s)`, ready) == true })
	}
	c.clean()
}

// TestLateListOfEntities: an answer to an earlier request, which did not ask for robots, does not replace a later one.
func TestLateListOfEntities(t *testing.T) {
	c := newCrowd(t)
	c.do(`await page.evaluateOnNewDocument(() => {
		const parse = JSON.parse, send = WebSocket.prototype.send;
		let wanted;
		JSON.parse = function (...args) {
			const m = parse.apply(this, args);
			if (m?.op === "advertiseServices") wanted = m.services.find((s) => s.type.endsWith("/GetEntities"))?.id ?? wanted;
			return m;
		};
		WebSocket.prototype.send = function (d) {
			const first = !window.release && d instanceof Uint8Array && d[0] === 2 && new DataView(d.buffer).getUint32(1, true) === wanted;
			if (!first) return send.call(this, d);
			window.release = () => send.call(this, d);
		}; })`)
	c.open(1280, 900, false)
	const entities = `return page.$eval("#sim-entity", (e) => e.options.length)`
	c.until("the robots are listed", func() bool { return c.do(entities) != 0.0 })
	c.do(`await page.evaluate(() => window.release()); await sleep(1000)`) // the late answer is here
	if n := c.do(entities); n == 0.0 {
		t.Error("no entities are listed after the late answer")
	}
	c.clean()
}

// TestPauseAndStep: pause, steps of a tenth of a second, resume, another speed.
func TestPauseAndStep(t *testing.T) {
	c := newCrowd(t)
	c.press("sim-pause")
	c.until("time is paused", func() bool { return c.clock.Factor() == 0 && c.text("#sim-pause") == "Run" })
	before := c.clock.Now()
	c.press("sim-step")
	c.until("a tenth of a second has passed", func() bool { return c.clock.Now().Sub(before) == 100*time.Millisecond })
	c.press("sim-pause")
	c.until("time continues", func() bool { return c.clock.Factor() == 1 && c.text("#sim-pause") == "Pause" })
	c.do(`await page.$eval("#sim-speed", (e) => { e.value = "4"; e.dispatchEvent(new Event("change")); })`)
	c.until("it is four times as fast", func() bool { return c.clock.Factor() == 4 })
	c.do(`await page.$eval("#sim-speed", (e) => { e.value = "2000"; e.dispatchEvent(new Event("change")); })`)
	c.until("the reason is shown", func() bool { return len(c.text("#simulation .state")) > 10 })
	if c.clock.Factor() != 4 {
		t.Error(c.clock.Factor())
	}
	c.clean()
}

// TestAddDragRemove: a robot is added where the map was pressed, dragged to where it is dropped, reset and removed.
func TestAddDragRemove(t *testing.T) {
	c := newCrowd(t)
	const added = "epuck"
	box := func(at, size int, share float64) float64 { // now: what comes late onto the page moves the map
		b := c.do(`const map = await page.$("#map"); await map.evaluate((e) => e.scrollIntoView({ block: "center", behavior: "instant" }));
			const b = await map.boundingBox(); return [b.x, b.y, b.width, b.height]`).([]any)
		return b[at].(float64) + share*b[size].(float64)
	}
	x := func(share float64) float64 { return box(0, 2, share) }
	y := func(share float64) float64 { return box(1, 3, share) }
	c.until("kinds are there to choose from", func() bool {
		return c.do(`return page.$eval("#sim-kind", (e) => [...e.options].some((o) => o.value === "functional"))`) == true
	})
	c.do(`await page.select("#sim-kind", "functional")`)
	c.press("sim-add")
	c.until("the robot is there", func() bool {
		if strings.HasPrefix(c.text("#simulation .state"), "Press on the map") { // the page moved
			c.do(`await page.mouse.click(%g, %g)`, x(0.45), y(0.3))
		}
		_, there := c.where(added)
		return there
	})
	first, _ := c.where(added)
	c.until("the page shows it there", func() bool { // a click chooses it
		c.do(`await page.mouse.click(%g, %g)`, x(0.45), y(0.3))
		return strings.HasPrefix(c.text("#pose"), added+"  x")
	})
	c.until("it was dragged", func() bool {
		if now, _ := c.where(added); now != first {
			return true
		}
		c.do(`await page.mouse.move(%g, %g); await page.mouse.down(); await page.mouse.move(%g, %g, { steps: 5 }); await page.mouse.up()`,
			x(0.45), y(0.3), x(0.5), y(0.3))
		return false
	})
	then, _ := c.where(added)
	if !(then.X > first.X+0.01) || math.Abs(then.Y-first.Y) > 0.05 {
		t.Errorf("from %v to %v", first, then)
	}
	if _, there := c.where("epuck1"); !there {
		t.Fatal("the world's own robots are gone")
	}
	c.do(`await page.waitForFunction((n) => [...document.querySelectorAll("#sim-entity option")].some((o) => o.value === n), {}, %q)`, added)
	c.do(`await page.select("#sim-entity", %q)`, added)
	c.press("sim-remove")
	c.until("it has gone", func() bool { _, there := c.where(added); return !there })
	home, _ := c.where("epuck1")
	for _, m := range c.world.Robots() {
		if m.Name() == "epuck1" {
			c.must(m.Place(sim.Pose{X: home.X + 0.02, Y: home.Y, Theta: 1}))
		}
	}
	c.press("sim-reset")
	c.until("it is home", func() bool { now, _ := c.where("epuck1"); return now == home })
	c.clean()
}
