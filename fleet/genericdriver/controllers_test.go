// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/navigation"
	navnode "github.com/epuck-ros2/epuck-driver/navigation/node"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// office is a hall with a column and a wall that can be driven around.
const office = `arena: {center: [0.6, 0.2], size: [2, 1.6], height: 0.3}
walls:
  - {from: [0.45, 0.15], to: [0.45, 1], thickness: 0.02, height: 0.3}
cylinders:
  - {position: [0.9, 0], radius: 0.05, height: 0.3}
robots:
  - {name: r, position: [0, 0.3]}
`

// inOffice runs a test with a robot of a model, in simulated time, with a mapper and a navigator: the same for all
// models, and how large the map's cells are, m. grid ends the mapper, whose alone the map is until then, and gives
// the map.
func inOffice(t *testing.T, place, model string, cell float64, test func(drive func(x, y float64) error, truth func() (sim.Pose, uint64), grid func() (*mapping.Map, error))) {
	synctest.Test(t, func(t *testing.T) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		w, err := sim.ParseWorld([]byte(place))
		must(err)
		w.Robots[0].Model = model
		s, err := sim.New(w, sim.Options{Seed: 3, Now: time.Now, Mechanisms: machine.Maker(library.Parse, library.Load)})
		must(err)
		ether := ros2test.NewNetwork()
		node := func(name string) *ros2.Node {
			n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: ether.NewTransport()})
			must(err)
			t.Cleanup(func() { must(n.Close()) })
			return n
		}
		robot := sim.RobotsOf[*sim.Articulated](s)[0]
		d, err := genericdriver.New(genericdriver.Config{Node: node("robot"), Robot: genericdriver.OfArticulated(robot)})
		must(err)
		m, err := mapping.NewConeGrid(cell)
		must(err)
		maps, err := mapnode.New(mapnode.Config{Node: node("mapper"), Map: m, Scans: []string{"scan"}, Place: true})
		must(err)
		nav, err := navnode.New(navnode.Config{
			Node: node("navigator"), Scans: []string{"scan"}, Drive: navigation.Config{Planner: navigation.Planner{Radius: 0.08}},
		})
		must(err)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					ended <- nil
					return
				case now := <-tick.C:
					if err := d.Step(now); err != nil {
						ended <- err
						return
					}
				}
			}
		}()
		time.Sleep(time.Second)
		drive := func(x, y float64) error {
			limit, stop := context.WithTimeout(t.Context(), 10*time.Minute)
			defer stop()
			var goal geometry_msgs.PoseStamped
			goal.Header.FrameID, goal.Pose.Position.X, goal.Pose.Position.Y = "odom", x, y
			return nav.Drive(limit, []geometry_msgs.PoseStamped{goal}, func(navnode.Progress) {})
		}
		truth := func() (p sim.Pose, bumps uint64) {
			t := robot.GroundTruth()
			return t.Pose, t.Collisions
		}
		test(drive, truth, func() (*mapping.Map, error) {
			must(maps.Close())
			return m.Map()
		})
		must(nav.Close())
		cancel()
		must(<-ended)
		must(d.Close())
	})
}

// TestOneMapperOneNavigator: as in the thesis' chapter 7, one mapping and one navigation controller, unchanged, on
// an e-puck2 and on a Khepera IV, which they know by topics of the generic driver alone: into a corner of an office
// that they do not know, and back. The robots see different things: an e-puck2's infrared sensors walls at 7 cm, a
// Khepera IV's sonars the whole room. Runs are equal each time, so what the maps have is what they had, within a tenth.
func TestOneMapperOneNavigator(t *testing.T) {
	type cells struct{ walls, free float64 }
	for model, c := range map[string]struct{ there, back cells }{
		"epuck2":   {cells{10, 232}, cells{14, 283}},
		"khepera4": {cells{210, 3101}, cells{323, 4034}},
	} {
		t.Run(model, func(t *testing.T) {
			inOffice(t, office, model, 0.02, func(drive func(x, y float64) error, truth func() (sim.Pose, uint64), grid func() (*mapping.Map, error)) {
				goals, want := [][2]float64{{0.5, -0.3}, {0, 0}}, c.back
				if !suite.Long {
					goals, want = goals[:1], c.there
				}
				for _, goal := range goals { // in the frame of odometry, which begins at the robot
					if err := drive(goal[0], goal[1]); err != nil {
						t.Fatal(err)
					}
					p, _ := truth()
					if d := math.Hypot(p.X-goal[0], p.Y-0.3-goal[1]); d > 0.06 {
						t.Errorf("%.3f m from %v", d, goal)
					}
				}
				_, bumps := truth()
				made, err := grid()
				if err != nil {
					t.Fatal(err)
				}
				walls, free := 0.0, 0.0
				for _, c := range made.Cells {
					switch {
					case c > 65:
						walls++
					case c >= 0 && c < 25:
						free++
					}
				}
				t.Logf("%d bumps, %g cells of walls, %g free", bumps, walls, free)
				if bumps > 0 || !tenth(walls, want.walls) || !tenth(free, want.free) {
					t.Errorf("%d bumps, %g cells of walls, %g free, want %+v", bumps, walls, free, want)
				}
			})
		})
	}
}
