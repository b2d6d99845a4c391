// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// scene is what the view in three dimensions says of itself; places are in the fixed frame, m and rad.
type scene struct {
	Fixed  string
	Robots map[string]struct {
		X, Y, A          float64
		Known, Described bool
	}
	Layers []struct {
		Key   string
		Lost  bool
		Count int
	}
	Frames, Solids, Calls, Drawings int
	View                            string
	Camera                          [3]float64
	Measured                        float64
	Waypoints                       int
}

// withWebGL lets the browsers of a test draw in three dimensions, by software.
func withWebGL(t *testing.T) { t.Setenv("BROWSER_WEBGL", "1") }

// openScene opens the panel and waits until it has drawn.
func (r *rig) openScene() {
	r.Helper()
	r.do(`await page.setViewport({ width: 640, height: 700 })`)
	r.tab("scene")
	r.until("the scene is drawn", func() bool {
		return r.do(`return page.evaluate(() => document.getElementById("scene")?.view3d?.state().drawings > 0)`) == true
	})
}

func (r *rig) scene() (s scene) {
	r.Helper()
	data, err := json.Marshal(r.do(`return page.evaluate(() => document.getElementById("scene").view3d.state())`))
	r.must(err)
	r.must(json.Unmarshal(data, &s))
	return s
}

// count returns how much a layer shows, 0 if it is not shown.
func (s *scene) count(layer string) int {
	for _, l := range s.Layers {
		if l.Key == layer && !l.Lost {
			return l.Count
		}
	}
	return 0
}

// TestSceneOfASimulation: the robots are where they truly are, with the world around them; it measures, sets a goal and
// drags a robot.
func TestSceneOfASimulation(t *testing.T) {
	withWebGL(t)
	c := newCrowd(t)
	c.openScene()
	c.until("all robots and the world are there", func() bool {
		s := c.scene()
		return len(s.Robots) == len(c.world.Robots()) && s.count("/world") > 0 && s.Fixed == "world"
	})
	for name, at := range c.scene().Robots {
		is, there := c.where(name[1:])
		if !there || !at.Known || math.Hypot(is.X-at.X, is.Y-at.Y) > 0.01 {
			t.Errorf("%s is drawn at %+v and is at %+v", name, at, is)
		}
	}
	if !suite.Long {
		return
	}
	c.do(`await page.select("#scene-view", "above"); await page.select("#scene-tool", "measure")`)
	c.until("0.3 m are measured", func() bool { // on the floor, once the view no longer changes
		c.pull([2]float64{-0.15, -0.1}, [2]float64{0.15, -0.1})
		return math.Abs(c.scene().Measured-0.3) < 0.02
	})
	goals := make(chan geometry_msgs.PoseStamped, 100)
	name := c.world.Robots()[0].Name()
	sub, err := ros2.NewSubscription[geometry_msgs.PoseStamped](c.node, "/"+name+"/goal_pose", ros2.DefaultQoS(), func(m *geometry_msgs.PoseStamped, _ ros2.MessageInfo) { goals <- *m })
	c.must(err)
	defer func() { c.must(sub.Close()) }()
	c.do(`await page.evaluate((n) => { document.getElementById("scene").view3d.fleet.choose("/" + n); }, %q); await page.select("#scene-tool", "goal")`, name)
	var goal geometry_msgs.PoseStamped
	c.until("the goal has arrived", func() bool { // discovery takes its time
		c.pull([2]float64{0.1, 0.2}, [2]float64{0.1, 0.4})
		select {
		case goal = <-goals:
			return true
		default:
			return false
		}
	})
	if goal.Header.FrameID != name+"/odom" {
		t.Errorf("the goal is in %s", goal.Header.FrameID)
	}
	c.do(`await page.select("#scene-tool", "drag")`)
	at := c.scene().Robots["/"+name]
	to := [2]float64{at.X + 0.15, at.Y}
	c.until("the robot is where it was dragged to", func() bool {
		if now, _ := c.where(name); math.Hypot(now.X-to[0], now.Y-to[1]) < 0.03 {
			return true
		}
		at := c.scene().Robots["/"+name]
		c.pull([2]float64{at.X, at.Y}, to)
		return false
	})
	c.clean()
}

// pull presses at a place on the floor, drags to another and releases; the camera then stays where it is.
func (r *rig) pull(from, to [2]float64) {
	r.Helper()
	r.do(`await page.evaluate(() => { document.getElementById("scene").view3d.cameras.touched = true; });
		const at = (x, y) => page.evaluate((x, y) => document.getElementById("scene").view3d.toScreen(x, y), x, y);
		const a = await at(%[1]g, %[2]g);
		const b = await at(%[3]g, %[4]g);
		await page.mouse.move(a.x, a.y); await page.mouse.down(); await page.mouse.move(b.x, b.y, { steps: 3 }); await page.mouse.up()`, from[0], from[1], to[0], to[1])
}

// TestSceneOfOneRobot: an e-puck2 is drawn by its description, with its scan, its ranges, its frames and what other
// nodes publish; a thousand of them take no more calls of WebGL than a hundred.
func TestSceneOfOneRobot(t *testing.T) {
	withWebGL(t)
	r := newRig(t, options{})
	publishScene(r)
	r.openScene()
	r.until("the robot is drawn by its description, with its scan", func() bool {
		s := r.scene()
		return s.Robots["/"].Described && s.count("/scan") > 0
	})
	r.do(`await page.evaluate(() => { document.getElementById("panel-scene").querySelector("details").open = true; document.querySelector('#panel-scene [data-key="frames"] input').click(); })`)
	r.until("its frames are drawn", func() bool { return r.scene().Frames > 10 })
	r.do(`await page.evaluate(() => { document.querySelector('#panel-scene [data-key="frames"] input').click(); document.getElementById("scene").view3d.frames.wanted = "map"; })`)
	r.until("all is drawn in the map's frame", func() bool {
		s := r.scene()
		at := s.Robots["/"]
		return s.Fixed == "map" && at.Known && math.Abs(at.X-1) < 0.02 && math.Abs(at.Y-2) < 0.02 && math.Abs(at.A-math.Pi/2) < 0.02 &&
			s.count("/marks") == 12 && s.count("/plan") == 3 && s.count("/cloud") == 2
	})
	r.do(`await page.evaluate(axe); const found = await page.evaluate(() => axe.run("#panel-scene"));
		if (found.violations.length) throw new Error(JSON.stringify(found.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])))`)
	if suite.Long {
		r.drawMany()
	}
	r.clean()
}

// drawMany shows many robots that do not exist.
func (r *rig) drawMany() {
	r.Helper()
	calls := map[int]int{}
	for _, n := range []int{100, 1000} {
		r.do(`await page.evaluate((n) => { const v = document.getElementById("scene").view3d, Robot = v.fleet.chosen.constructor, text = v.robots.texts.get("/");
			v.fleet.find = () => undefined; // it would remove them
			for (let i = v.fleet.robots.size; i <= n; i++) {
				const r = new Robot("/r" + i);
				r.odom = { x: 0.1 * (i %% 32), y: 0.1 * Math.floor(i / 32), a: i }; r.truth = { ...r.odom };
				v.fleet.robots.set(r.name, r); v.robots.described(r.name, text);
			}
			v.changed(); }, %d)`, n)
		before := r.scene().Drawings
		r.until("they are drawn", func() bool {
			s := r.scene()
			calls[n] = s.Calls
			return s.Drawings > before && s.Solids > 10*n && len(s.Robots) > n
		})
	}
	if calls[1000] > calls[100] || calls[1000] > 40 {
		r.Errorf("%v calls of WebGL at so many robots", calls)
	}
}

// publishScene publishes what stays for later subscribers.
func publishScene(r *rig) {
	r.Helper()
	head := func(frame string) std_msgs.Header { return std_msgs.Header{FrameID: frame} }
	turned := geometry_msgs.TransformStamped{Header: head("map"), ChildFrameID: "odom"}
	turned.Transform.Translation = geometry_msgs.Vector3{X: 1, Y: 2}
	turned.Transform.Rotation = geometry_msgs.Quaternion{Z: math.Sqrt2 / 2, W: math.Sqrt2 / 2}
	latched(r, "/tf_static", &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{turned}})
	grid := nav_msgs.OccupancyGrid{Header: head("map"), Data: []int8{0, 100, -1, 50}}
	grid.Info.Width, grid.Info.Height, grid.Info.Resolution, grid.Info.Origin.Orientation.W = 2, 2, 0.5, 1
	latched(r, "/map", &grid)
	latched(r, "/plan", &nav_msgs.Path{Header: head("odom"), Poses: make([]geometry_msgs.PoseStamped, 3)})
	cloud := sensor_msgs.PointCloud2{Header: head("base_link"), Height: 1, Width: 2, PointStep: 12, RowStep: 24, Data: make([]byte, 24)}
	for i, name := range []string{"x", "y", "z"} {
		cloud.Fields = append(cloud.Fields, sensor_msgs.PointField{Name: name, Offset: uint32(4 * i), Datatype: 7, Count: 1})
	}
	latched(r, "/cloud", &cloud)
	marks := &visualization_msgs.MarkerArray{}
	for kind := range int32(12) {
		m := visualization_msgs.DefaultMarker()
		m.Header, m.NS, m.ID, m.Type = head("odom"), "<img onerror=alert(1)>", kind, kind
		m.Scale = geometry_msgs.Vector3{X: 0.1, Y: 0.1, Z: 0.1}
		m.Color = std_msgs.ColorRGBA{R: 1, A: 0.8}
		m.Points = []geometry_msgs.Point{{}, {X: 0.2}, {X: 0.2, Y: 0.2}}
		m.Text, m.MeshResource = "<b>text</b>", "package://nowhere/../../etc/passwd"
		marks.Markers = append(marks.Markers, m)
	}
	latched(r, "/marks", marks)
}

// latched publishes a message until the test ends.
func latched[T any, P ros2.MessageOf[T]](r *rig, topic string, m P) {
	r.Helper()
	pub, err := ros2.NewPublisher[T, P](r.node, topic, ros2.LatchedQoS())
	r.must(err)
	r.must(pub.Publish((*T)(m)))
}

// TestSceneWithoutWebGL: without WebGL the panel says so, and the map is there.
func TestSceneWithoutWebGL(t *testing.T) {
	if !suite.Long {
		t.Skip("it starts a browser")
	}
	r := newRig(t, options{})
	r.do(`await page.evaluate(() => { const get = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest); };
		})`)
	r.tab("scene")
	r.until("it says so", func() bool { return strings.Contains(r.text("#scene-note"), "view from above") })
}
