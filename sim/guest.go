// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrModel is matched by the error of a world whose robots have models, in a program that can't simulate those.
var ErrModel = errors.New("sim: a robot with a model")

// Guest is a robot of another kind than the e-puck2. The world calls its methods with its lock held, guests one after
// the other in the order of the world file. A guest keeps its state in fields, so that snapshots have it, and its
// generators are made of what its maker is given.
type Guest interface {
	// Pose is where it stands: its frame of the name that Frame says.
	Pose() Pose
	// Frame is the name of the frame that stands for it.
	Frame() string
	// Twist is how fast it goes forward, m/s, and turns, rad/s.
	Twist() (v, omega float64)
	// Contacts counts how often it has begun to touch something.
	Contacts() uint64
	// Place puts it somewhere else.
	Place(p Pose)
	// Outline appends its solids, discs and boxes, where they stand now: as many each time.
	Outline(dst []geom.Shape) []geom.Shape
	// Advance lets a cycle of [CycleTime] pass.
	Advance()
	// Still reports that it does not move until it is told to.
	Still() bool
	// AppendState appends to b what the trace has of it beside its pose.
	AppendState(b []byte) []byte
}

// GuestMaker makes the guest of a robot of the world file: what it asks of the world goes through the site.
type GuestMaker func(w *world.Robot, site *Site, src noise.Source) (Guest, error)

// CycleTime is how often guests move and functional robots do.
const CycleTime = vmcu.SamplePeriod

// Visitor is a guest in a world.
type Visitor struct {
	site  Site
	guest Guest
	name  string
	place int         // among the visitors
	made  world.Robot `freeze:"-"`
	first int         // of its solids among all guests'
	last  int         // the one after
	trace *trace

	anchor   geom.Vec `freeze:"-"` // where it was when the guests were sorted
	reach    float64  `freeze:"-"` // of its solids around its pose, m
	contacts []int32  `freeze:"-"` // visitors that it may touch before that is done again
}

// Name returns the robot's name in the world file.
func (v *Visitor) Name() string { return v.name }

// Level returns world.LevelDescribed.
func (v *Visitor) Level() string { return world.LevelDescribed }

// Model returns what the world file says of which kind it is.
func (v *Visitor) Model() string { return v.made.Model }

// Truth lets the world catch up with the clock and returns what is so of robots of any kind: time, pose, twist and
// contacts.
func (v *Visitor) Truth() (t Truth) {
	v.Do(func(g Guest) {
		t.Time, t.Pose, t.Collisions = v.site.sim.time, g.Pose(), g.Contacts()
		t.V, t.Omega = g.Twist()
	})
	return t
}

// Outline returns its solids around its frame, and that frame's name.
func (v *Visitor) Outline() (solids []geom.Shape, frame string) {
	v.Do(func(g Guest) {
		at := g.Pose()
		back := geom.Direction(-at.Theta)
		frame = g.Frame()
		for _, o := range g.Outline(nil) {
			to := at.Position().Unrotate(geom.Direction(at.Theta)).Scale(-1)
			solids = append(solids, o.Carried(to, back))
		}
	})
	return solids, frame
}

// Guest returns the robot itself, for those who know its kind; what it measures and does goes by Do.
func (v *Visitor) Guest() Guest { return v.guest }

// Do runs f at the present time, while the world stands still. f must not call the simulation.
func (v *Visitor) Do(f func(Guest)) {
	s := v.site.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	s.muster()
	f(v.guest)
}

// Pose lets the world catch up with the clock and returns where the robot stands.
func (v *Visitor) Pose() (p Pose) {
	v.Do(func(g Guest) { p = g.Pose() })
	return p
}

// Place puts the robot down somewhere. It returns ErrRange for what is no pose, and ErrOccupied and changes nothing if
// something is there.
func (v *Visitor) Place(p Pose) (err error) {
	if err := finite(p); err != nil {
		return err
	}
	s := v.site.sim
	v.Do(func(g Guest) {
		s.settle()
		old := g.Pose()
		g.Place(p)
		if !v.fits() {
			g.Place(old)
			err = fmt.Errorf("robot %q at (%g, %g) m: %w", v.name, p.X, p.Y, ErrOccupied)
		}
		s.outlineGuests()
	})
	return err
}

// Record adds something to the robot's part of the trace.
func (v *Visitor) Record(topic string, message []byte) {
	if v.trace == nil {
		return
	}
	s := v.site.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	v.trace.put(text(text(v.trace.begin(traceMessage, s), topic), message))
}

// Visitors returns the robots of other kinds in the order of the world file.
func (s *Simulation) Visitors() []*Visitor {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.visitors)
}

// newVisitor makes a guest, which is not in the world yet.
func (s *Simulation) newVisitor(w *world.Robot) (*Visitor, error) {
	if s.opts.Guests == nil {
		return nil, fmt.Errorf("%w: robot %q is a %q: this program simulates e-puck2 robots alone", ErrModel, w.Name, w.Model)
	}
	v := &Visitor{name: w.Name, made: *w}
	v.site = Site{sim: s, visitor: v, near: physics.NewNearby(nearReach)}
	guest, err := s.opts.Guests(w, &v.site, s.root.Named(w.Name))
	if err != nil {
		return nil, fmt.Errorf("robot %q: %w", w.Name, err)
	}
	v.guest = guest
	if s.opts.Trace {
		v.trace = newTrace(w.Name)
	}
	return v, nil
}

// receive lets a visitor come into the world, last of all.
func (s *Simulation) receive(v *Visitor) {
	v.place = len(s.visitors)
	s.visitors = append(s.visitors, v)
	s.outlineGuests()
}

// Invite lets one more robot with a model come into the running world. It returns an error wrapping world.ErrWorld if
// the name is taken, those of the maker, and ErrOccupied if there is no room; then nothing has changed.
func (s *Simulation) Invite(w world.Robot) (*Visitor, error) {
	if err := (&World{Robots: []world.Robot{w}}).Check(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	if s.named(w.Name) {
		return nil, fmt.Errorf("%w: %q is also the name of something else", world.ErrWorld, w.Name)
	}
	v, err := s.newVisitor(&w)
	if err != nil {
		return nil, err
	}
	if at := v.guest.Pose(); !v.fits() {
		return nil, fmt.Errorf("robot %q at (%g, %g) m: %w", v.name, at.X, at.Y, ErrOccupied)
	}
	s.settle()
	s.receive(v)
	return v, nil
}

// seeOff takes a visitor out of the world, and tells whether there was one of that name. The caller holds the lock.
func (s *Simulation) seeOff(name string) bool {
	i := slices.IndexFunc(s.visitors, func(v *Visitor) bool { return v.name == name })
	if i < 0 {
		return false
	}
	s.catchUp()
	s.settle()
	if t := s.visitors[i].trace; t != nil {
		s.gone.Write(text(nil, name))
		s.gone.Write(t.sum.Sum(nil))
	}
	s.visitors = slices.Delete(s.visitors, i, i+1)
	for k, v := range s.visitors {
		v.place = k
	}
	s.outlineGuests()
	return true
}

// outlineGuests notes where the solids of all guests are.
func (s *Simulation) outlineGuests() {
	s.solids = s.solids[:0]
	for _, v := range s.visitors {
		v.first = len(s.solids)
		s.solids = v.guest.Outline(s.solids)
		v.last = len(s.solids)
		v.reach = 0
		for i := v.first; i < v.last; i++ {
			v.reach = max(v.reach, s.solids[i].Center().Sub(v.guest.Pose().Position()).Norm()+s.solids[i].Reach())
		}
	}
	s.scene.SetGuests(s.solids)
	s.parked = false
}

// parkSlack is how far guests move until they are sorted again, m.
const parkSlack = 0.05

// park sorts the guests, if one has moved too far since, and notes whom each may touch.
func (s *Simulation) park() {
	if s.parked {
		return
	}
	s.parked, s.widest = true, 0
	for _, v := range s.visitors {
		v.anchor = v.guest.Pose().Position()
		s.widest = max(s.widest, v.reach)
	}
	s.lot.Sort(len(s.visitors), func(i int) (geom.Vec, bool) { return s.visitors[i].anchor, true })
	for _, v := range s.visitors {
		v.contacts = s.lot.Around(v.anchor, v.reach+s.widest+2*(parkSlack+guestWay), v.contacts[:0])
	}
}

// guestWay is more than a guest moves in a cycle, m.
const guestWay = 0.02

// advanceGuests lets a cycle pass for all guests: each meets the others where they are then.
func (s *Simulation) advanceGuests() {
	for _, v := range s.visitors {
		v.guest.Advance()
		v.guest.Outline(s.solids[:v.first:v.last]) // as many as before, in their memory
		if way := v.guest.Pose().Position().Sub(v.anchor); way.Dot(way) > parkSlack*parkSlack {
			s.parked = false
		}
	}
}

// sampleGuests notes in the traces where the guests are.
func (s *Simulation) sampleGuests(cycle int64) {
	for _, v := range s.visitors {
		v.trace.pose(cycle, v.guest.Pose())
	}
}

// guestsStill reports whether no guest moves.
func (s *Simulation) guestsStill() bool {
	return !slices.ContainsFunc(s.visitors, func(v *Visitor) bool { return !v.guest.Still() })
}

// fits reports whether the visitor, here or not yet, touches nothing.
func (v *Visitor) fits() bool {
	own := v.guest.Outline(nil)
	for i := range own {
		if v.site.touches(&own[i]) {
			return false
		}
	}
	return true
}

// guestThings adds to a scene what a camera sees of the guests, but for one.
func (s *Simulation) guestThings(to *vcamera.Scene, but *Visitor) {
	for _, v := range s.visitors {
		if v == but {
			continue
		}
		for i := v.first; i < v.last; i++ {
			to.Things = append(to.Things, vcamera.Thing{Shape: s.solids[i], Colour: colourOf(world.Paint(v.place + 3))})
		}
	}
}
