// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/mapping"
)

// room is a flat world of boxes and a robot with an e-puck2's sensors: eight that see 4 cm, one that sees 0.9 m.
type room struct {
	unicycle
	boxes   [][4]float64 // x0, y0, x1, y1
	nearest float64      // how near the robot's edge ever came to a box, m
	blocked bool         // the wheels turn in the air
	happens func()       // before each step; nil is nothing
}

// body is the robot's radius, m.
const body = 0.035

func (r *room) solid(x, y float64) bool {
	for _, b := range r.boxes {
		if x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3] {
			return true
		}
	}
	return false
}

// gap gives how far a point is from the nearest box.
func (r *room) gap(x, y float64) float64 {
	least := math.Inf(1)
	for _, b := range r.boxes {
		least = min(least, math.Hypot(max(b[0]-x, 0, x-b[2]), max(b[1]-y, 0, y-b[3])))
	}
	return least
}

// see gives what a sensor at the edge of the robot sees within a cone: the nearest thing.
func (r *room) see(angle, half, reach float64) mapping.Beam {
	from := r.Plus(mapping.Pose{X: body * math.Cos(angle), Y: body * math.Sin(angle), Theta: angle})
	b := mapping.Beam{From: from, HalfAngle: half, Range: math.Inf(1), Max: reach}
	for k := -4; k <= 4; k++ {
		if d := r.ray(from, half*float64(k)/4); d <= reach {
			b.Range = min(b.Range, max(d, 0.001))
		}
	}
	return b
}

// ray gives how far it is to the nearest box, m.
func (r *room) ray(from mapping.Pose, aside float64) float64 {
	s, c := math.Sincos(from.Theta + aside)
	least := math.Inf(1)
	for _, b := range r.boxes {
		x0, x1 := (b[0]-from.X)/c, (b[2]-from.X)/c
		y0, y1 := (b[1]-from.Y)/s, (b[3]-from.Y)/s
		in, out := max(min(x0, x1), min(y0, y1)), min(max(x0, x1), max(y0, y1))
		if in <= out && out >= 0 {
			least = min(least, max(in, 0))
		}
	}
	return least
}

// look has the navigator see what the robot sees.
func (r *room) look(t testing.TB, n *Navigator) {
	t.Helper()
	for _, angle := range []float64{-0.3, -0.85, -1.57, -2.6, 2.6, 1.57, 0.85, 0.3} {
		if err := n.Add(r.see(angle, 0.15, 0.04)); err != nil {
			t.Fatal(err)
		}
	}
	if err := n.Add(r.see(0, 0.22, 0.9)); err != nil {
		t.Fatal(err)
	}
}

// drive runs a navigator to its end, at most for the seconds given.
func (r *room) drive(t testing.TB, n *Navigator, limit float64) error {
	t.Helper()
	r.nearest = math.Inf(1)
	for at := 0.0; at < limit; at += step {
		if r.happens != nil {
			r.happens()
		}
		r.look(t, n)
		v, omega, done, err := n.Step(r.Pose, time.Unix(100, int64(at*1e9)))
		if done || err != nil {
			if v != 0 || omega != 0 || !done {
				t.Fatalf("at the end: %v m/s, %v rad/s, done %v", v, omega, done)
			}
			return err
		}
		if math.IsNaN(v+omega) || math.Abs(v) > n.cfg.Limits.Speed || math.Abs(omega) > n.cfg.Limits.Turn {
			t.Fatalf("%v m/s, %v rad/s", v, omega)
		}
		if !r.blocked {
			r.move(v, omega)
		}
		r.nearest = min(r.nearest, r.gap(r.X, r.Y)-body)
	}
	t.Fatalf("not there after %v s: at %+v, path %v, %d recoveries", limit, r.Pose, n.Path(), n.Recoveries())
	return nil
}

func newNavigator(t testing.TB, c Config) *Navigator {
	t.Helper()
	n, err := NewNavigator(c)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// long leaves a drive to the suite long: on an emulated ARM1176 it takes a minute, and shows nothing that others don't.
func long(t *testing.T, is bool) {
	t.Helper()
	if is && !suite.Long {
		t.Skip("a long drive")
	}
}

// walls encloses a rectangle.
func walls(x0, y0, x1, y1 float64) [][4]float64 {
	const thick = 0.02
	return [][4]float64{
		{x0 - thick, y0 - thick, x1 + thick, y0}, {x0 - thick, y1, x1 + thick, y1 + thick},
		{x0 - thick, y0, x0, y1}, {x1, y0, x1 + thick, y1},
	}
}

// TestNavigator: unknown environments, some with a dead end on the straight path. It arrives and touches
// nothing.
func TestNavigator(t *testing.T) {
	arena := walls(-0.5, -0.5, 0.5, 0.5)
	for name, c := range map[string]struct {
		boxes [][4]float64
		to    Goal
		limit float64 // s
	}{
		"empty":    {arena, Goal{0.35, 0, math.Pi}, 20},
		"box":      {append([][4]float64{{-0.05, -0.1, 0.05, 0.1}}, arena...), Goal{0.35, 0, AnyHeading}, 60},
		"dead end": {append([][4]float64{{0.1, -0.2, 0.12, 0.2}, {-0.15, 0.18, 0.12, 0.2}, {-0.15, -0.2, 0.12, -0.18}}, arena...), Goal{0.35, 0, 0}, 150},
		"door":     {append([][4]float64{{0, -0.5, 0.02, 0.1}, {0, 0.22, 0.02, 0.5}}, arena...), Goal{0.3, -0.3, 0}, 120},
	} {
		t.Run(name, func(t *testing.T) {
			long(t, name == "dead end" || name == "door")
			r := &room{unicycle: unicycle{Pose{X: -0.35}}, boxes: c.boxes}
			n := newNavigator(t, Config{})
			if err := n.SetGoals(c.to); err != nil {
				t.Fatal(err)
			}
			if err := r.drive(t, n, c.limit); err != nil {
				t.Fatal(err)
			}
			if d := math.Hypot(r.X-c.to.X, r.Y-c.to.Y); d > 0.006 || n.Reached() != 1 {
				t.Errorf("%.4f m off, %d reached", d, n.Reached())
			}
			if d := math.Remainder(r.Theta-c.to.Theta, 2*math.Pi); math.Abs(d) > 0.011 {
				t.Errorf("%.3f rad off", d)
			}
			if r.nearest < 0 {
				t.Errorf("it touched something: %.4f m", r.nearest)
			}
			t.Logf("nearest %.3f m, %d recoveries", r.nearest, n.Recoveries())
		})
	}
}

// TestSeveralGoals: in sequence; what was seen on the way to the first helps with the next.
func TestSeveralGoals(t *testing.T) {
	long(t, true)
	r := &room{unicycle: unicycle{Pose{X: -0.35}}, boxes: append(walls(-0.5, -0.5, 0.5, 0.5), [4]float64{-0.05, -0.1, 0.05, 0.1})}
	n := newNavigator(t, Config{})
	if err := n.SetGoals(Goal{0.3, 0.2, AnyHeading}, Goal{0.3, -0.2, 0}, Goal{-0.35, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	if err := r.drive(t, n, 200); err != nil || n.Reached() != 3 || r.nearest < 0 {
		t.Errorf("%v, %d reached, nearest %v", err, n.Reached(), r.nearest)
	}
	if n.Path() != nil || n.Remaining(r.Pose) != 0 {
		t.Errorf("a path is left: %v", n.Path())
	}
}

// TestGivesUp: a goal in a wall, one in a closed room, and wheels that turn in the air.
func TestGivesUp(t *testing.T) {
	arena := walls(-0.5, -0.5, 0.5, 0.5)
	cell := walls(0.2, -0.1, 0.4, 0.1)
	for name, c := range map[string]struct {
		room room
		to   Goal
		want error
	}{
		"wall":   {room{boxes: append([][4]float64{{0.2, -0.2, 0.4, 0.2}}, arena...)}, Goal{0.22, 0, 0}, ErrOccupied},
		"closed": {room{boxes: append(cell, arena...)}, Goal{0.3, 0, 0}, ErrNoPath},
		"air":    {room{boxes: arena, blocked: true}, Goal{0.3, 0, 0}, ErrStuck},
	} {
		t.Run(name, func(t *testing.T) {
			long(t, name != "air")
			n := newNavigator(t, Config{Recoveries: 3, Known: knownOf(t, &c.room)})
			if err := n.SetGoals(c.to); err != nil {
				t.Fatal(err)
			}
			if err := c.room.drive(t, n, 1500); !errors.Is(err, c.want) || n.Recoveries() < 2 {
				t.Errorf("%v after %d recoveries, want %v", err, n.Recoveries(), c.want)
			}
			if _, _, done, err := n.Step(c.room.Pose, time.Unix(2000, 0)); !done || err != nil {
				t.Errorf("after the end: %v, %v", done, err)
			}
			if err := n.SetGoals(Goal{0.05, 0, AnyHeading}); err != nil {
				t.Fatal(err)
			}
			c.room.blocked = false
			if err := c.room.drive(t, n, 60); err != nil {
				t.Errorf("a goal after the failure: %v", err)
			}
		})
	}
}

// knownOf draws a room's map.
func knownOf(t testing.TB, r *room) *mapping.Map {
	t.Helper()
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.01, X: -0.6, Y: -0.6, Width: 120, Height: 120})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Cells {
		m.Cells[i] = mapping.Free
		if r.solid(m.Center(i%m.Width, i/m.Width)) {
			m.Cells[i] = mapping.Occupied
		}
	}
	return m
}

// TestMovingObstacles: a box is put before the robot while it drives, and one that it remembers is taken away. A goal ends
// after a minute without progress (TestApproachTimeout), so the way is closed for a shorter time.
func TestMovingObstacles(t *testing.T) {
	long(t, true)
	arena := walls(-0.5, -0.5, 0.5, 0.5)
	corridor := append([][4]float64{{-0.5, 0.08, 0.5, 0.1}, {-0.5, -0.1, 0.5, -0.08}}, arena...)
	r := &room{unicycle: unicycle{Pose{X: -0.35}}, boxes: corridor}
	n := newNavigator(t, Config{Recoveries: 20})
	if err := n.SetGoals(Goal{0.35, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	lid := [4]float64{0.1, -0.1, 0.15, 0.1}
	r.nearest = math.Inf(1)
	for i := range 6000 {
		switch i {
		case 40: // 2 s
			r.boxes = append([][4]float64{lid}, corridor...)
		case 800: // 40 s
			r.boxes = corridor
		}
		r.look(t, n)
		v, omega, done, err := n.Step(r.Pose, time.Unix(100, int64(i)*int64(step*1e9)))
		if err != nil {
			t.Fatal(err)
		}
		if done {
			if i < 800 || r.nearest < 0 {
				t.Errorf("there after %v s, nearest %v m", float64(i)*step, r.nearest)
			}
			return
		}
		r.move(v, omega)
		r.nearest = min(r.nearest, r.gap(r.X, r.Y)-body)
	}
	t.Errorf("not there, at %+v, %d recoveries", r.Pose, n.Recoveries())
}

// TestClockJumps: a clock set back or on does not end the drive.
func TestClockJumps(t *testing.T) {
	r := &room{boxes: walls(-0.5, -0.5, 0.5, 0.5)}
	n := newNavigator(t, Config{})
	if err := n.SetGoals(Goal{0.3, 0.1, 1}); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1000, 0)
	for i := range 1000 {
		r.look(t, n)
		switch now = now.Add(50 * time.Millisecond); i {
		case 20:
			now = time.Unix(10, 0)
		case 40:
			now = time.Unix(5000, 0)
		}
		v, omega, done, err := n.Step(r.Pose, now)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return
		}
		r.move(v, omega)
	}
	t.Error("not there")
}

// TestRecoveries: a robot whose wheels hold for a while goes back, turns round, forgets, and gets there after all.
func TestRecoveries(t *testing.T) {
	r := &room{boxes: walls(-0.5, -0.5, 0.5, 0.5)}
	n := newNavigator(t, Config{MovementAllowance: 2 * time.Second})
	if err := n.SetGoals(Goal{0.3, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	back, turned := 0.0, 0.0
	for i := range 3000 {
		r.look(t, n)
		v, omega, done, err := n.Step(r.Pose, time.Unix(100, int64(i)*int64(step*1e9)))
		if err != nil {
			t.Fatal(err)
		}
		if done {
			if i < 60 || n.Recoveries() == 0 || back < 0.025 || turned < 6 {
				t.Errorf("there after %d steps, %d recoveries, %v m back, %v rad round", i, n.Recoveries(), back, turned)
			}
			return
		}
		if r.blocked = i < 60; r.blocked { // 3 s
			continue
		}
		if v < 0 {
			back -= v * step
		}
		if v == 0 {
			turned += math.Abs(omega) * step
		}
		r.move(v, omega)
	}
	t.Error("not there")
}

// TestDoesNotGoBackIntoAWall: with a wall behind it a robot that is stuck only turns.
func TestDoesNotGoBackIntoAWall(t *testing.T) {
	r := &room{unicycle: unicycle{Pose{X: -0.46}}, boxes: walls(-0.5, -0.5, 0.5, 0.5), blocked: true}
	n := newNavigator(t, Config{MovementAllowance: time.Second, Known: knownOf(t, r)})
	if err := n.SetGoals(Goal{0.3, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if v, _, _, err := n.Step(r.Pose, time.Unix(100, int64(i)*int64(step*1e9))); v < 0 || err != nil {
			t.Fatalf("%v m/s, %v", v, err)
		}
	}
	if n.Recoveries() == 0 {
		t.Error("it was not stuck")
	}
}

// TestStopsBeforeNewObstacle: something that appears right before the robot is not touched.
func TestStopsBeforeNewObstacle(t *testing.T) {
	arena := walls(-0.5, -0.5, 0.5, 0.5)
	r := &room{unicycle: unicycle{Pose{X: -0.35}}, boxes: arena, nearest: math.Inf(1)}
	n := newNavigator(t, Config{Recoveries: -1})
	if err := n.SetGoals(Goal{0.35, 0, AnyHeading}); err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		if i == 60 { // 4 cm before its edge
			r.boxes = append([][4]float64{{r.X + body + 0.04, -0.5, r.X + body + 0.06, 0.5}}, arena...)
		}
		r.look(t, n)
		v, omega, done, err := n.Step(r.Pose, time.Unix(100, int64(i)*int64(step*1e9)))
		if done {
			if !errors.Is(err, ErrNoPath) {
				t.Fatal(err)
			}
			return
		}
		r.move(v, omega)
		if r.nearest = min(r.nearest, r.gap(r.X, r.Y)-body); r.nearest < 0 {
			t.Fatalf("touched after %d steps, %v m/s", i, v)
		}
	}
	if math.Hypot(r.X-0.35, r.Y) < 0.01 {
		t.Error("it went through a wall")
	}
}

// TestGoalsOutsideOfAnUnknownArenaEnd: a far goal outside of walls that the robot does not know, one behind a wall, and
// one at the place of a person end with an error in the stated time: half a minute and twice the time of the detour
// fallback getting nearer, a minute and twice the time of the path in all.
func TestGoalsOutsideOfAnUnknownArenaEnd(t *testing.T) {
	arena := walls(-0.5, -0.5, 0.5, 0.5)
	for name, c := range map[string]struct {
		goal   Goal
		boxes  [][4]float64
		within float64 // s
	}{
		"far outside":   {Goal{5, 5, AnyHeading}, arena, 150},
		"behind a wall": {Goal{0, 0.55, AnyHeading}, arena, 150},
		"a person":      {Goal{0.3, 0, AnyHeading}, append([][4]float64{{0.2, -0.1, 0.4, 0.1}}, arena...), 110},
	} {
		t.Run(name, func(t *testing.T) {
			long(t, name != "a person")
			r := &room{unicycle: unicycle{Pose{X: -0.2}}, boxes: c.boxes}
			n := newNavigator(t, Config{})
			if err := n.SetGoals(c.goal); err != nil {
				t.Fatal(err)
			}
			if err := r.drive(t, n, c.within); !errors.Is(err, ErrStuck) && !errors.Is(err, ErrNoPath) {
				t.Error(err)
			} else {
				t.Logf("%v after %v", err, n.approach.total)
			}
		})
	}
}
