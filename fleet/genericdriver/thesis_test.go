// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// lego are the walls of the arena that the thesis maps (its table 7.2; the world rats_life_benchmark of
// webots_ros2), m, in the frame of odometry: from x, to x, from y, to y. The doors between its rooms are 128 to 144
// mm wide.
var lego = [][4]float64{
	{-.249, -.233, -.326, .074}, {.102, .118, -.310, -.086}, {-.249, .198, .074, .090}, {.102, .118, .090, .298},
	{-.233, .358, -.326, -.310}, {.118, .342, .282, .298}, {-.233, -.137, -.085, -.069}, {.310, .342, -.086, -.070},
	{.006, .182, -.086, -.070}, {.342, .358, -.310, .298},
}

// twice is by how much the arena is larger here: a Khepera IV is as wide as two e-pucks, and does not get through
// the doors otherwise. What figure 7.6's own map is like was not known when this was written.
const twice = 2

// arena76 is that arena as a world with a robot in its middle room.
func arena76() string {
	var b strings.Builder
	b.WriteString("robots:\n  - {name: r, position: [0, 0]}\nboxes:\n")
	for _, w := range lego {
		fmt.Fprintf(&b, "  - {position: [%g, %g], size: [%g, %g], height: 0.3}\n",
			twice*(w[0]+w[1])/2, twice*(w[2]+w[3])/2, twice*(w[1]-w[0]), twice*(w[3]-w[2]))
	}
	return b.String()
}

// agreement is how well the walls of a map agree with those of the arena: intersection over union of their cells, of
// all walls next to which something is known; and the share of the map's that are no more than a cell away from a
// wall. rooms are those of which much is known to be free.
func agreement(m *mapping.Map) (iou, right float64, rooms int) {
	at := func(cx, cy int) int8 {
		if cx < 0 || cy < 0 || cx >= m.Width || cy >= m.Height {
			return -1
		}
		return m.Cells[cy*m.Width+cx]
	}
	both, either, all, near := 0, 0, 0, 0
	seen := [3]int{} // free cells of the middle room, of those below, of that behind the upper door
	for cy := range m.Height {
		for cx := range m.Width {
			x, y := m.X+(float64(cx)+0.5)*m.Resolution, m.Y+(float64(cy)+0.5)*m.Resolution
			known := false
			for dx := -1; dx <= 1; dx++ {
				for dy := -1; dy <= 1; dy++ {
					known = known || at(cx+dx, cy+dy) >= 0
				}
			}
			is, said := isWall(x, y, 0), at(cx, cy) > 65
			if said {
				all++
				if isWall(x, y, m.Resolution) {
					near++
				}
			}
			if said && is {
				both++
			}
			if said || is && known {
				either++
			}
			if c := at(cx, cy); c >= 0 && c < 25 {
				switch {
				case y < twice*-.09:
					seen[1]++
				case y > twice*.09:
					seen[2]++
				default:
					seen[0]++
				}
			}
		}
	}
	for _, n := range seen {
		if n > 100 {
			rooms++
		}
	}
	return float64(both) / float64(either), float64(near) / float64(all), rooms
}

// shares are what an IoU is made of: right is the share of the map's wall cells that are wall; found of the wall cells
// next to which something is known those that the map has; reached those that have a wall cell of the map within a
// cell.
type shares struct{ right, found, reached float64 }

// shared returns the shares of a map of the arena.
func shared(m *mapping.Map) shares {
	at := func(cx, cy int) int8 {
		if cx < 0 || cy < 0 || cx >= m.Width || cy >= m.Height {
			return -1
		}
		return m.Cells[cy*m.Width+cx]
	}
	adjacent := func(cx, cy int, least int8) bool {
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				if at(cx+dx, cy+dy) >= least {
					return true
				}
			}
		}
		return false
	}
	both, all, walls, near := 0.0, 0.0, 0.0, 0.0
	for cy := range m.Height {
		for cx := range m.Width {
			is := isWall(m.X+(float64(cx)+0.5)*m.Resolution, m.Y+(float64(cy)+0.5)*m.Resolution, 0)
			says := at(cx, cy) > 65
			if says {
				all++
			}
			if is && adjacent(cx, cy, 0) {
				walls++
				if adjacent(cx, cy, 66) {
					near++
				}
			}
			if says && is {
				both++
			}
		}
	}
	return shares{both / all, both / walls, near / walls}
}

// isWall reports whether a place is in a wall of the arena, or no more than slack (m) away from one.
func isWall(x, y, slack float64) bool {
	for _, w := range lego {
		if x >= twice*w[0]-slack && x <= twice*w[1]+slack && y >= twice*w[2]-slack && y <= twice*w[3]+slack {
			return true
		}
	}
	return false
}

// made is what a run of TestChapter7 gives: the same each time, to the last digit and on any number of cores, as all
// that runs in it is in simulated time.
type made struct {
	iou, right float64
	rooms      int
}

// TestChapter7: the mapping and the navigation controller of the thesis' chapter 7, ours, unchanged, on an e-puck2
// and a Khepera IV: out of the middle room through a door into the lower one, back, to the other end of the middle
// room, and through the upper door into the upper one. They touch nothing, and the map agrees with the walls as well
// as it did when this was written: runs are equal, so what differs by more than a tenth is another way or another map,
// and its commit should give the reason. The e-puck2 had an IoU of 0.258 until the wheels of
// described ones turned in motor steps, as at the other levels. The thesis has 0.299 in simulation, of all its arena.
func TestChapter7(t *testing.T) {
	for model, want := range map[string]struct{ begun, whole made }{
		"epuck2":   {made{0.167, 0.79, 2}, made{0.289, 0.88, 3}},
		"khepera4": {made{0.200, 0.67, 2}, made{0.277, 0.73, 3}},
	} {
		t.Run(model, func(t *testing.T) {
			inOffice(t, arena76(), model, 0.02, func(drive func(x, y float64) error, truth func() (sim.Pose, uint64), grid func() (*mapping.Map, error)) {
				goals, expected := [][2]float64{{-.065, -.19}, {0, 0}, {.26, 0}, {.23, .19}}, want.whole
				if !suite.Long {
					goals, expected = goals[:1], want.begun
				}
				for _, goal := range goals {
					x, y := twice*goal[0], twice*goal[1]
					if err := drive(x, y); err != nil {
						t.Fatalf("to (%g, %g): %v", x, y, err)
					}
					p, _ := truth()
					if d := math.Hypot(p.X-x, p.Y-y); d > 0.08 {
						t.Errorf("%.3f m from (%g, %g)", d, x, y)
					}
				}
				_, bumps := truth()
				drawn, err := grid()
				if err != nil {
					t.Fatal(err)
				}
				iou, right, rooms := agreement(drawn)
				t.Logf("%+v", shared(drawn))
				t.Logf("IoU %.3f, %.0f %% of walls right, %d bumps, %d rooms", iou, 100*right, bumps, rooms)
				if bumps > 0 || rooms != expected.rooms || !tenth(iou, expected.iou) || !tenth(right, expected.right) {
					t.Errorf("IoU %.3f, %.2f of walls right, %d bumps, %d rooms, want %+v", iou, right, bumps, rooms, expected)
				}
			})
		})
	}
}

// allAround is a way along the walls of all four rooms.
var allAround = [][2]float64{
	{-.065, -.19}, {-.16, -.16}, {-.16, -.24}, {.03, -.24}, {.03, -.16}, {-.065, -.15}, {-.065, 0}, {-.17, 0}, {.25, 0},
	{.25, -.15}, {.19, -.16}, {.19, -.24}, {.27, -.24}, {.25, -.15}, {.25, 0}, {.27, .16}, {.19, .16}, {.19, .21}, {.27, .21},
}

// TestSensorsDecideWhichMapIsBetter is the experiment that says why a Khepera IV's map has the higher IoU here, where
// the thesis' has the lower one. Driving along all walls, as the thesis' e-puck2 did, raises both and leaves their
// order. What the e-puck2's map shows is more often right; but one range finder of 25° and infrared sensors of 7 cm
// reach only four fifths of the walls along its path, where five sonars of 2 m reach all.
func TestSensorsDecideWhichMapIsBetter(t *testing.T) {
	if !suite.Long {
		t.Skip("long ways")
	}
	got := map[string]shares{}
	for model, want := range map[string]float64{"epuck2": 0.347, "khepera4": 0.479} {
		inOffice(t, arena76(), model, 0.02, func(drive func(x, y float64) error, _ func() (sim.Pose, uint64), grid func() (*mapping.Map, error)) {
			for _, goal := range allAround {
				if err := drive(twice*goal[0], twice*goal[1]); err != nil {
					t.Fatal(err)
				}
			}
			drawn, err := grid()
			if err != nil {
				t.Fatal(err)
			}
			iou, _, _ := agreement(drawn)
			got[model] = shared(drawn)
			t.Logf("%s: IoU %.3f, %+.2v", model, iou, got[model])
			if !tenth(iou, want) {
				t.Errorf("%s: IoU %.3f, want %.3f", model, iou, want)
			}
		})
	}
	e, k := got["epuck2"], got["khepera4"]
	if e.right < k.right+0.05 || e.reached > 0.85 || k.reached < 0.95 {
		t.Errorf("e-puck2 %+v, Khepera IV %+v", e, k)
	}
}

// tenth reports whether a number is what it was, give or take a tenth.
func tenth(got, was float64) bool { return math.Abs(got-was) <= 0.1*was }
