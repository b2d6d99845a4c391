// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Config says how a world runs; sim.Options documents the fields. Now must be set.
type Config struct {
	Seed       uint64
	Now        func() time.Time
	Sleep      func(time.Duration)
	Wait       func(d time.Duration, stop <-chan struct{})
	Logger     *slog.Logger
	Quiet      bool
	BootTime   time.Duration
	Settled    bool
	BusTimeout time.Duration
	Trace      bool
	Workers    int
	MaxCatchUp time.Duration
}

// World is a running world with its robots. Its lock guards it and all of its robots.
type World struct {
	Config Config        `checkpoint:"-"`
	Kernel kernel.Kernel // time
	Scene  scene.Scene   // what exists in addition to robots
	// Physics is the scene's shapes, lights and floor, and Field the magnetic field, T.
	Physics *physics.Scene `checkpoint:"-"`
	Field   physics.Vec3   `checkpoint:"-"`

	mu     sync.Mutex
	made   *world.World `checkpoint:"-"` // never changes
	medium world.RangeAndBearing
	root   noise.Source
	units  []*Unit       // in the order in which they were added
	robots []scene.Robot `checkpoint:"-"` // the same

	// The robots with solids in the scene and with grippers: lists for speed, as each cycle looks at them alone.
	shaped   []*Unit        `checkpoint:"-"`
	solids   []geom.Shape   `checkpoint:"-"` // theirs
	ranges   []scene.Shaped `checkpoint:"-"` // in solids
	gripping []*Unit        `checkpoint:"-"`

	grid         scene.Grid   `checkpoint:"-"`
	bodies       []scene.Body `checkpoint:"-"` // scratch
	contactReach float64      `checkpoint:"-"` // the most distance of two bodies that may touch in an infrared cycle, m

	air       physics.Crowd `checkpoint:"-"` // where messages are heard, as sampled at the latest exchange …
	aired     bool          `checkpoint:"-"` // … if that is so, and the units are the same
	spoken    atomic.Bool   `checkpoint:"-"` // something was said since the exchange of messages, or sent in it
	listening atomic.Int32  // units that hear at every exchange of messages
	listen    func(i int)   `checkpoint:"-"`
}

// Init makes x the world of a checked description, without robots.
func (x *World) Init(made *world.World, cfg Config) {
	x.Config, x.made, x.root = cfg, made, noise.New(cfg.Seed)
	x.Kernel.Init(kernel.Config{
		World: kernelWorld{x}, Now: cfg.Now, MaxCatchUp: cfg.MaxCatchUp, Workers: cfg.Workers, Exchange: cyclesPerMessage,
	})
	x.Scene.Build(made, scene.Config{Robots: sceneRobots{x}, Trace: cfg.Trace})
	x.Physics, x.Field, x.medium = x.Scene.Physics(), x.Scene.Field(), made.RangeAndBearing
	x.air = physics.CrowdFor(x.medium.Range + physics.BodyRadius + physics.CrowdSlack)
	x.listen = func(i int) {
		if u := x.units[i]; u.rab.listens {
			u.Heard()
		}
	}
}

// Resume continues a world whose state was loaded.
func (x *World) Resume() {
	x.outline()
	x.Kernel.Resume()
	x.grid.Scatter()
	x.spoken.Store(true)
}

// Lock locks the world, and Unlock unlocks it.
func (x *World) Lock() { x.mu.Lock() }

// Unlock unlocks the world.
func (x *World) Unlock() { x.mu.Unlock() }

// Enter locks the world and advances it to the time of the clock.
func (x *World) Enter() {
	x.mu.Lock()
	x.Kernel.CatchUp()
}

// Source returns the source of the random numbers of a robot of a name.
func (x *World) Source(name string) noise.Source { return x.root.Named(name) }

// Units returns the robots in the order in which they were added.
func (x *World) Units() []*Unit { return x.units }

// Add adds a robot after all others.
func (x *World) Add(u *Unit) {
	u.place = len(x.units)
	x.units, x.robots = append(x.units, u), append(x.robots, u.plant)
	m := kernel.Member{Body: u.plant, Last: u.traits.Last}
	if s, ok := u.plant.(kernel.Stepper); ok {
		m.Stepper = s
	}
	x.Kernel.Add(m)
	if u.traits.Gripper {
		x.gripping = append(x.gripping, u)
	}
	if !u.traits.Disc {
		x.shaped = append(x.shaped, u)
		x.outline()
	}
	x.changed()
}

// Remove removes a robot; the caller calls Close of its plant after that, without the lock.
func (x *World) Remove(u *Unit) {
	u.listenTo(false)
	u.inAir = true
	x.units, x.robots = slices.Delete(x.units, u.place, u.place+1), slices.Delete(x.robots, u.place, u.place+1)
	for i := u.place; i < len(x.units); i++ {
		x.units[i].place = i
	}
	x.Kernel.Remove(u.place)
	u.plant.OnLeave()
	same := func(o *Unit) bool { return o == u }
	x.gripping = slices.DeleteFunc(x.gripping, same)
	x.shaped = slices.DeleteFunc(x.shaped, same)
	x.outline()
	x.changed()
}

// changed notes that robots were added or removed.
func (x *World) changed() {
	x.measure()
	x.aired = false
}

// outline notes where the solids of all robots are that the scene has, and chooses the colours of these.
func (x *World) outline() {
	x.solids, x.ranges = x.solids[:0], x.ranges[:0]
	for i, u := range x.shaped {
		u.first, u.colour = len(x.solids), scene.ColourOf(world.Paint(i+3))
		x.solids = u.plant.Outline(x.solids)
		u.past = len(x.solids)
		x.ranges = append(x.ranges, scene.Shaped{Robot: int32(u.place), First: u.first, Past: u.past})
	}
	x.Physics.SetSolids(x.solids)
}

// Draw writes to a scene what a camera of a robot sees.
func (x *World) Draw(to *vcamera.Scene, of *Unit) {
	x.Scene.Draw(to)
	for _, u := range x.units {
		if u != of && !u.inAir {
			u.plant.Draw(to)
		}
	}
}

// kernelWorld is the world as its kernel advances it. It implements kernel.World.
type kernelWorld struct{ x *World }

func (a kernelWorld) Sort(noted bool) {
	switch x := a.x; {
	case !noted:
		x.SortedGrid()
	case x.grid.Scattered():
		x.grid.SortNoted()
		x.Kernel.Group()
	}
}

func (a kernelWorld) Near(i int) []int32 { return a.x.units[i].approach() }
func (a kernelWorld) Meet(i int) []int32 { return a.x.units[i].meet() }
func (a kernelWorld) Idle() bool         { return a.x.listening.Load() == 0 && !a.x.Scene.Moving() }
func (a kernelWorld) Single() bool       { return !a.x.Scene.Static() }
func (a kernelWorld) Exchange()          { a.x.exchangeMessages() }

func (a kernelWorld) Until(target int64) int64 { return a.x.Scene.Until(a.x.Kernel.Steps(), target) }

func (a kernelWorld) EndCycle(cycle int64) {
	x := a.x
	x.Scene.Push(cycle)
	for _, u := range x.gripping {
		u.moveGrip(cycle)
	}
	x.dock(cycle)
	x.Scene.Feed(cycle)
	x.Scene.Walk()
}

// sceneRobots are the robots as the scene meets them. It implements scene.Robots.
type sceneRobots struct{ x *World }

func (m sceneRobots) All() []scene.Robot      { return m.x.robots }
func (m sceneRobots) Shaped() []scene.Shaped  { return m.x.ranges }
func (m sceneRobots) ContactReach() float64   { return m.x.contactReach }
func (m sceneRobots) Name(i int) string       { return m.x.units[i].Name() }
func (m sceneRobots) Named(name string) bool  { return m.x.Find(name) != nil }
func (m sceneRobots) Release(n string) func() { return m.x.release(n) }

func (m sceneRobots) Around(at geom.Vec, reach float64, dst []int32) []int32 {
	return m.x.SortedGrid().Around(at, reach, dst)
}

// Find returns the robot of a name, nil if there is none.
func (x *World) Find(name string) *Unit {
	i := slices.IndexFunc(x.units, func(u *Unit) bool { return u.name == name })
	if i < 0 {
		return nil
	}
	return x.units[i]
}

// dockCycles is the number of infrared cycles after which robots are looked for at charging stations.
const dockCycles = 10

// dock charges the robots that are at charging stations, and no others.
func (x *World) dock(cycle int64) {
	if len(x.made.Stations) == 0 || cycle%dockCycles != 0 {
		return
	}
	for _, u := range x.units {
		u.Dock()
	}
}

// Dock charges the robot if its middle is at a charging station.
func (u *Unit) Dock() {
	if len(u.world.made.Stations) == 0 || u.battery == nil {
		return
	}
	at := slices.ContainsFunc(u.world.made.Stations, func(c world.Station) bool {
		way := u.plant.Position().Sub(geom.Vec{X: c.Position[0], Y: c.Position[1]})
		return !u.inAir && way.Dot(way) <= float64(c.Radius*c.Radius)
	})
	was := u.battery.Charging()
	if u.battery.SetDocked(at); u.battery.Charging() != was {
		u.plant.ChargingChanged()
	}
}
