// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// ErrStuck is matched when the robot does not get on after all that it tried.
var ErrStuck = errors.New("navigation: the robot does not get on")

// Config says how a [Navigator] drives. The zero value of a field is its default.
type Config struct {
	Limits  Limits
	Planner Planner
	// Model is what readings say of the robot's surroundings. It defaults to that of package mapping, but for Limit,
	// which is 2.5: three readings change its mind.
	Model mapping.Model
	// Known is a map of what does not move, in the frame of the poses. It defaults to none: all counts as free
	// that the robot has not seen otherwise.
	Known *mapping.Map
	// Replan is how often a better way is looked for, by the time of the poses. It defaults to 1 s.
	Replan time.Duration
	// ProgressTimeout is how long the robot may take for a centimetre or a sixth of a turn before it counts as stuck.
	// It defaults to 8 s.
	ProgressTimeout time.Duration
	// Fruitless is how long the robot pursues a goal without getting nearer to it along the known path and
	// without observing anything new, in addition to twice what that path takes. Then the goal can't be reached. It
	// defaults to 1 min.
	Fruitless time.Duration
	// Recoveries is how often it tries to get on for one goal: it looks around, goes back, forgets what it has
	// seen. It defaults to 6; a negative number is none.
	Recoveries int
}

func (c Config) withDefaults() Config {
	c.Limits, c.Planner = c.Limits.withDefaults(), c.Planner.withDefaults()
	if c.Model.Limit == 0 {
		c.Model.Limit = 2.5
	}
	if c.Replan == 0 {
		c.Replan = time.Second
	}
	if c.ProgressTimeout == 0 {
		c.ProgressTimeout = 8 * time.Second
	}
	if c.Fruitless == 0 {
		c.Fruitless = time.Minute
	}
	if c.Recoveries == 0 {
		c.Recoveries = 6
	}
	return c
}

// Navigator drives a robot to goals, round what its sensors see. It keeps a map of that, so it finds out of dead
// ends. It knows no clock and no network: poses and readings in, speeds out. It is not safe for concurrent use.
type Navigator struct {
	cfg      Config
	seen     *mapping.LogOdds // all that was seen
	sure     *mapping.LogOdds // what was seen from near
	goals    []Goal
	reached  int // goals that are behind
	way      []Goal
	follower *Follower // along the way
	planned  time.Time
	news     bool        // something near was seen since the last look
	hard     *clearances // as of the last look at the maps: of what is sure
	all      *clearances // and of everything seen
	known    int         // cells of which something is known

	world      Pose // of the poses' frame in the map, for progress
	target     Goal // the goal as of the last look for a way
	progress   progress
	quest      quest
	recovery   *recovery
	recoveries int // for the goal under way
	total      int
}

// NewNavigator makes one without a goal. The error is mapping's, for a Resolution that cannot be.
func NewNavigator(cfg Config) (*Navigator, error) {
	n := &Navigator{cfg: cfg.withDefaults()}
	return n, n.forget()
}

// forget forgets what the sensors have seen.
func (n *Navigator) forget() error {
	seen, err := mapping.NewLogOdds(n.cfg.Planner.Resolution, n.cfg.Model)
	if err != nil {
		return err
	}
	n.seen = seen
	n.sure, err = mapping.NewLogOdds(n.cfg.Planner.Resolution, n.cfg.Model)
	return err
}

// near is the distance up to which a reading says for sure where a thing is, m. Farther away a wide cone also sees
// what is next to the path: a corridor's walls, the frame of a door.
const near = 0.12

// Add takes in a reading of a distance sensor. Errors are those of [mapping.LogOdds.Add].
func (n *Navigator) Add(b mapping.Beam) error {
	if err := n.seen.Add(b); err != nil {
		return err
	}
	n.news = n.news || b.Range <= near
	if b.Range > near && b.Range <= b.Max && b.HalfAngle > 0 { // only what is before it is sure
		b.Max, b.Range = b.Range, math.Inf(1)
	}
	return n.sure.Add(b)
}

// Map gives what was seen. The error matches mapping.ErrSize while that is nothing.
func (n *Navigator) Map() (*mapping.Map, error) { return n.seen.Map() }

// Know replaces the map of what does not move; nil is none.
func (n *Navigator) Know(m *mapping.Map) { n.cfg.Known, n.planned = m, time.Time{} }

// SetGoals sets the goals, which replace those before; none stops the robot. The error matches [ErrGoal]; then the
// old ones stay.
func (n *Navigator) SetGoals(goals ...Goal) error {
	if _, err := NewFollower(n.cfg.Limits, goals...); err != nil {
		return err
	}
	n.goals, n.reached, n.total = goals, 0, 0
	n.begin()
	return nil
}

// MoveGoals moves the goals, in their order and with those that are behind, after the frame of the poses has moved in
// the map, in which it is at world now. Everything else stays: the progress towards the goal, how long it has taken,
// and what was tried for it. The error matches [ErrGoal] if they are not as many, or not finite; then the old ones
// stay.
func (n *Navigator) MoveGoals(world Pose, goals ...Goal) error {
	if len(goals) != len(n.goals) {
		return fmt.Errorf("%w: %d goals moved to %d places", ErrGoal, len(n.goals), len(goals))
	}
	if _, err := NewFollower(n.cfg.Limits, goals...); err != nil {
		return err
	}
	n.goals, n.world = goals, world
	if n.reached >= len(goals) {
		return nil
	}
	goal := goals[n.reached]
	if n.follower != nil {
		n.way[len(n.way)-1] = goal
		if err := n.follower.Move(n.way...); err != nil {
			return err
		}
	}
	if math.Hypot(goal.X-n.target.X, goal.Y-n.target.Y) > n.cfg.Planner.Resolution {
		n.news = true // look soon whether the way to it is free
	}
	return nil
}

// begin forgets what belongs to the goal before.
func (n *Navigator) begin() {
	n.way, n.follower, n.planned = nil, nil, time.Time{}
	n.recovery, n.recoveries, n.progress, n.quest = nil, 0, progress{}, quest{}
}

// Reached gives the number of goals that are behind, and Recoveries how often the robot had to be helped on since
// SetGoals.
func (n *Navigator) Reached() int { return n.reached }

// Recoveries is how often the robot had to be helped on since the goals were set.
func (n *Navigator) Recoveries() int { return n.total }

// Way gives the corners that are left to the goal under way. The caller must not change them.
func (n *Navigator) Way() []Goal {
	if n.follower == nil {
		return nil
	}
	return n.way[n.follower.Reached():]
}

// Remaining is the length of the way that is left to the goal under way, m; NaN while there is none.
func (n *Navigator) Remaining(p Pose) float64 {
	way := n.Way()
	if way == nil {
		return math.NaN()
	}
	return length(p, way)
}

// Step gives the speeds, m/s and rad/s, for a robot at p at the time now; done is true when the last goal is
// reached or given up, and stays so. The error says why it was given up, and matches [ErrNoPath] or [ErrStuck]:
// SetGoals begins anew.
func (n *Navigator) Step(p Pose, now time.Time) (v, omega float64, done bool, err error) {
	if n.reached >= len(n.goals) {
		return 0, 0, true, nil
	}
	if n.recovery != nil {
		if v, omega, more := n.recovery.step(n, p, now); more {
			return v, omega, false, nil
		}
		n.recovery, n.progress, n.planned = nil, progress{}, time.Time{}
	}
	if err := n.plan(p, now); err != nil {
		return n.recover(p, now, err)
	}
	if n.quest.fruitless(n.Remaining(p), n.known, now, n.cfg) {
		return n.giveUp(fmt.Errorf("%w: no nearer and nothing new for %v", ErrStuck, n.quest.without.Round(time.Second)))
	}
	if n.progress.stuck(p, n.world.Plus(p), now, n.cfg.ProgressTimeout) {
		return n.recover(p, now, fmt.Errorf("%w: at (%.3f, %.3f) for %v", ErrStuck, p.X, p.Y, n.cfg.ProgressTimeout))
	}
	v, omega, there := n.follower.Step(p)
	if there {
		n.reached++
		n.begin()
		return 0, 0, n.reached >= len(n.goals), nil
	}
	if v > 0 && n.wouldTouch(p, v, omega) {
		n.planned = time.Time{} // look at once for another way
		return 0, omega, false, nil
	}
	return v, omega, false, nil
}

// plan sees to it that there is a way, and looks now and then whether there is a better one.
func (n *Navigator) plan(p Pose, now time.Time) error {
	since := now.Sub(n.planned)
	if n.follower != nil && since >= 0 && since < n.cfg.Replan && (!n.news || since < n.cfg.Replan/5) {
		return nil
	}
	n.planned, n.news = now, false
	goal := n.goals[n.reached]
	n.target = goal
	if err := n.renew(p, goal); err != nil {
		return err
	}
	if n.atGoal(p, goal) {
		if len(n.Way()) == 1 {
			return nil // it is followed already
		}
		return n.adopt([]Goal{goal})
	}
	way, err := n.cfg.Planner.plan(n.all, n.all, p, goal)
	if err != nil { // go and see from near whether it is so
		way, err = n.cfg.Planner.plan(n.hard, n.all, p, goal)
	}
	if err != nil {
		n.follower = nil
		return err
	}
	// Ways that seem blocked from afar are kept: what is seen there changes with each look.
	if n.follower == nil || !n.clear(p) || length(p, way) < 0.85*n.Remaining(p) {
		return n.adopt(way)
	}
	return nil
}

// renew looks at the maps as they are now.
func (n *Navigator) renew(p Pose, goal Goal) error {
	seen, errSeen := n.seen.Map()
	sure, errSure := n.sure.Map()
	if errSeen != nil || errSure != nil {
		seen, sure = nil, nil // nothing yet
	}
	f, err := n.cfg.Planner.frame(p, goal, []*mapping.Map{n.cfg.Known, seen})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoPath, err)
	}
	n.known = known(seen)
	n.hard, n.all = clearancesOf(f, n.cfg.Known, sure), clearancesOf(f, n.cfg.Known, sure, seen)
	return nil
}

// atGoal reports whether the place is reached and only the heading is missing: what is near does not matter any more.
func (n *Navigator) atGoal(p Pose, g Goal) bool {
	return math.Hypot(g.X-p.X, g.Y-p.Y) <= 3*n.cfg.Limits.Position
}

// adopt follows a new way.
func (n *Navigator) adopt(way []Goal) (err error) {
	n.way = way
	n.follower, err = NewFollower(n.cfg.Limits, way...)
	return err
}

// clear reports whether the way that is followed is still free.
func (n *Navigator) clear(p Pose) bool {
	x, y := p.X, p.Y
	for _, g := range n.Way() {
		if n.hard.least(x, y, g.X, g.Y) < min(n.cfg.Planner.Radius, n.hard.at(p.X, p.Y)) {
			return false
		}
		x, y = g.X, g.Y
	}
	return true
}

// lookAhead is how far into the future the robot must not touch anything, s.
const lookAhead = 0.5

// wouldTouch reports whether the robot comes too near to something that it is not leaving.
func (n *Navigator) wouldTouch(p Pose, v, omega float64) bool {
	here := n.hard.at(p.X, p.Y)
	for t := lookAhead / 5; t <= lookAhead; t += lookAhead / 5 {
		s, c := math.Sincos(p.Theta + omega*t/2)
		if there := n.hard.at(p.X+v*t*c, p.Y+v*t*s); there < n.cfg.Planner.Radius-n.cfg.Planner.Resolution && there < here {
			return true
		}
	}
	return false
}

// length gives the length of a way from a pose on, m.
func length(p Pose, way []Goal) (sum float64) {
	x, y := p.X, p.Y
	for _, g := range way {
		sum += math.Hypot(g.X-x, g.Y-y)
		x, y = g.X, g.Y
	}
	return sum
}

// progress measures whether the robot moves. It has to move by odometry, since a localisation that is not sure moves a
// robot at rest, and in the map, since wheels that slip turn on.
type progress struct {
	odom, world Pose
	since       time.Time
}

// stuck reports whether the robot, which is at odom by its odometry and at world in the map, has not moved for as long
// as the timeout.
func (g *progress) stuck(odom, world Pose, now time.Time, timeout time.Duration) bool {
	moved := far(odom, g.odom) && far(world, g.world)
	if g.since.IsZero() || moved || now.Before(g.since) {
		g.odom, g.world, g.since = odom, world, now
		return false
	}
	return now.Sub(g.since) > timeout
}

// far reports whether two poses are more than a centimetre or a sixth of a turn apart.
func far(a, b Pose) bool {
	return math.Hypot(a.X-b.X, a.Y-b.Y) > 0.01 || math.Abs(math.Remainder(a.Theta-b.Theta, 2*math.Pi)) > math.Pi/3
}
