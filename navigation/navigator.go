// SPDX-License-Identifier: Apache-2.0

package navigation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// ErrStuck is matched when the robot makes no progress after all recoveries.
var ErrStuck = errors.New("navigation: the robot makes no progress")

// Config configures a [Navigator]. The zero value of a field is its default.
type Config struct {
	Limits  Limits
	Planner Planner
	// Model is the occupancy model of the sensors. It defaults to that of package mapping with a Limit of 2.5: three
	// readings change a cell.
	Model mapping.Model
	// Known is a static map in the frame of the poses. It defaults to none: a cell is free unless the robot has
	// observed an obstacle in it.
	Known *mapping.Map
	// Replan is the period of replanning the path, by the time of the poses. It defaults to 1 s.
	Replan time.Duration
	// MovementAllowance is the time within which the robot must move by MovementRadius or turn by 60°; otherwise it
	// is stuck and a recovery starts (movement_time_allowance of Nav2's progress checkers). It defaults to 10 s.
	MovementAllowance time.Duration
	// MovementRadius is required_movement_radius of Nav2's progress checkers, m. It defaults to 0.01.
	MovementRadius float64
	// ApproachTimeout, plus twice the driving time of the longest path so far, is the time after which a goal is
	// given up, recoveries included. A goal is also given up if the remaining path has not become shorter, by at
	// least 2 cm and a tenth, for half of this time without recoveries plus twice the driving time of the detour. It
	// defaults to 1 min.
	ApproachTimeout time.Duration
	// GoalTolerance and HeadingTolerance are the tolerances of position, m, and heading, rad, within which a goal
	// counts as reached (xy_goal_tolerance and yaw_goal_tolerance of Nav2's SimpleGoalChecker, whose 0.25 m and 0.25
	// rad are for robots six times as large). They default to 0.02 and 0.1. Within them the robot continues towards
	// the tolerances of Limits for at most SettleTime; as with Nav2's stateful goal checker a position that was
	// reached stays reached.
	GoalTolerance, HeadingTolerance float64
	// SettleTime defaults to 3 s.
	SettleTime time.Duration
	// Recoveries is the maximum number of recovery behaviours for one goal: back up, spin, clear the observed
	// obstacles. It defaults to 6; a negative number disables them.
	Recoveries int
}

// WithDefaults returns the configuration with the defaults of fields that are zero.
func (c Config) WithDefaults() Config {
	c.Limits, c.Planner = c.Limits.withDefaults(), c.Planner.withDefaults()
	if c.Model.Limit == 0 {
		c.Model.Limit = 2.5
	}
	if c.Replan == 0 {
		c.Replan = time.Second
	}
	c.MovementAllowance = cmp.Or(c.MovementAllowance, 10*time.Second)
	c.MovementRadius = cmp.Or(c.MovementRadius, 0.01)
	c.ApproachTimeout = cmp.Or(c.ApproachTimeout, time.Minute)
	c.GoalTolerance, c.HeadingTolerance = cmp.Or(c.GoalTolerance, 0.02), cmp.Or(c.HeadingTolerance, 0.1)
	c.SettleTime = cmp.Or(c.SettleTime, 3*time.Second)
	if c.Recoveries == 0 {
		c.Recoveries = 6
	}
	return c
}

// Navigator drives a robot to goals around the obstacles that its sensors observe. It keeps a map of them, so that it
// finds its way out of dead ends. It needs no clock and no network: poses and readings in, speeds out. It is not safe
// for concurrent use.
type Navigator struct {
	cfg        Config
	seen       *mapping.LogOdds // all observations
	certain    *mapping.LogOdds // observations that locate an obstacle with certainty
	goals      []Goal
	reached    int // number of reached goals
	path       []Goal
	follower   *Follower // along path
	planned    time.Time
	replanSoon bool        // replan soon: a near obstacle was observed, or the goal has moved
	hard       *clearances // as of the last planning: to certain obstacles
	all        *clearances // as of the last planning: to all observed obstacles

	world      Pose // pose of the poses' frame in the map
	target     Goal // the goal as of the last planning
	place      Goal // end of the path: the goal, or the nearest free position
	adjusted   bool // place is not the goal
	goal       goalChecker
	progress   progressChecker
	approach   approachChecker
	recovery   *recovery
	recoveries int // for the current goal
	total      int
}

// NewNavigator returns a navigator without a goal. The error matches mapping.ErrSize if Planner.Resolution is
// invalid.
func NewNavigator(cfg Config) (*Navigator, error) {
	n := &Navigator{cfg: cfg.WithDefaults()}
	return n, n.clearObservations()
}

// clearObservations clears the observed obstacles.
func (n *Navigator) clearObservations() error {
	seen, err := mapping.NewLogOdds(n.cfg.Planner.Resolution, n.cfg.Model)
	if err != nil {
		return err
	}
	n.seen = seen
	n.certain, err = mapping.NewLogOdds(n.cfg.Planner.Resolution, n.cfg.Model)
	return err
}

// certainRange is the distance up to which a reading locates an obstacle with certainty, m. At longer distances a
// wide cone also covers obstacles next to the path: the walls of a corridor, the sides of a passage.
const certainRange = 0.12

// Add adds a reading of a distance sensor. Errors are those of [mapping.LogOdds.Add].
func (n *Navigator) Add(b mapping.Beam) error {
	if err := n.seen.Add(b); err != nil {
		return err
	}
	n.replanSoon = n.replanSoon || b.Range <= certainRange
	if b.Range > certainRange && b.Range <= b.Max && b.HalfAngle > 0 { // only the space before it is certainly free
		b.Max, b.Range = b.Range, math.Inf(1)
	}
	return n.certain.Add(b)
}

// Map returns the map of the observations. The error matches mapping.ErrSize before the first one.
func (n *Navigator) Map() (*mapping.Map, error) { return n.seen.Map() }

// Know replaces the static map; nil is none.
func (n *Navigator) Know(m *mapping.Map) { n.cfg.Known, n.planned = m, time.Time{} }

// SetGoals replaces the goals; without goals the robot stops. The error matches [ErrGoal]; then the goals are not
// changed.
func (n *Navigator) SetGoals(goals ...Goal) error {
	if _, err := NewFollower(n.cfg.Limits, goals...); err != nil {
		return err
	}
	n.goals, n.reached, n.total = goals, 0, 0
	n.resetGoal()
	return nil
}

// MoveGoals moves the goals, in their order and including reached ones, after the frame of the poses has moved in the
// map, in which its pose now is world. The progress towards the goal, the time taken and the number of recoveries are
// kept. The error matches [ErrGoal] if their number differs or they are not finite; then the goals are not changed.
func (n *Navigator) MoveGoals(world Pose, goals ...Goal) error {
	if len(goals) != len(n.goals) {
		return fmt.Errorf("%w: %d new positions for %d goals", ErrGoal, len(goals), len(n.goals))
	}
	if _, err := NewFollower(n.cfg.Limits, goals...); err != nil {
		return err
	}
	n.goals, n.world = goals, world
	if n.reached >= len(goals) {
		return nil
	}
	goal := goals[n.reached]
	if n.follower != nil && !n.adjusted {
		n.path[len(n.path)-1] = goal
		if err := n.follower.Move(n.path...); err != nil {
			return err
		}
	}
	if math.Hypot(goal.X-n.target.X, goal.Y-n.target.Y) > n.cfg.Planner.Resolution {
		n.replanSoon = true
	}
	return nil
}

// resetGoal resets the state of the previous goal.
func (n *Navigator) resetGoal() {
	n.path, n.follower, n.planned = nil, nil, time.Time{}
	n.recovery, n.recoveries, n.progress, n.approach, n.goal = nil, 0, progressChecker{}, approachChecker{}, goalChecker{}
}

// Reached returns the number of reached goals.
func (n *Navigator) Reached() int { return n.reached }

// Recoveries returns the number of recoveries since the goals were set.
func (n *Navigator) Recoveries() int { return n.total }

// Path returns the remaining corners of the path to the current goal. The caller must not change them.
func (n *Navigator) Path() []Goal {
	if n.follower == nil {
		return nil
	}
	return n.path[n.follower.Reached():]
}

// Remaining returns the length of the remaining path to the current goal, m; without a path the straight distance to
// the goal; 0 without a goal.
func (n *Navigator) Remaining(p Pose) float64 {
	switch path := n.Path(); {
	case n.reached >= len(n.goals):
		return 0
	case len(path) > 0:
		return length(p, path)
	}
	goal := n.goals[n.reached]
	return math.Hypot(goal.X-p.X, goal.Y-p.Y)
}

// pathLength returns the length of the remaining path, m; NaN without one.
func (n *Navigator) pathLength(p Pose) float64 {
	path := n.Path()
	if path == nil {
		return math.NaN()
	}
	return length(p, path)
}

// Adjusted returns the free position to which the robot drives because the current goal is too near to an obstacle,
// and the goal's distance from that obstacle, m; ok is false if it drives to the goal itself.
func (n *Navigator) Adjusted() (place Goal, clearance float64, ok bool) {
	if n.reached >= len(n.goals) || n.hard == nil || n.follower == nil || !n.adjusted {
		return Goal{}, 0, false
	}
	return n.place, n.hard.at(n.target.X, n.target.Y), true
}

// TimeFor returns the time after which a goal is given up whose path has a length, m.
func (n *Navigator) TimeFor(length float64) time.Duration {
	return n.cfg.ApproachTimeout + drivingTime(length, n.cfg)
}

// Step returns the speeds, m/s and rad/s, for a robot at p at the time now; done is true when the last goal is
// reached or given up, and stays true until SetGoals. The error is the reason for giving up and matches [ErrNoPath]
// or [ErrStuck].
func (n *Navigator) Step(p Pose, now time.Time) (v, omega float64, done bool, err error) {
	if n.reached >= len(n.goals) {
		return 0, 0, true, nil
	}
	if err := n.approach.timedOut(n.pathLength(p), now, n.cfg); err != nil {
		return n.giveUp(err)
	}
	if n.recovery != nil {
		if v, omega, more := n.recovery.step(n, p, now); more {
			return v, omega, false, nil
		}
		n.recovery, n.progress, n.planned = nil, progressChecker{}, time.Time{}
	}
	if err := n.plan(p, now); err != nil {
		return n.recover(p, now, err)
	}
	if n.progress.stuck(p, n.world.Plus(p), now, n.cfg) {
		return n.recover(p, now, fmt.Errorf("%w: at (%.3f, %.3f) for %v", ErrStuck, p.X, p.Y, n.cfg.MovementAllowance))
	}
	v, omega, there := n.follower.Step(p)
	if !there {
		v, omega, there = n.goal.settle(n, p, now, v, omega)
	}
	if there {
		n.reached++
		n.resetGoal()
		return 0, 0, n.reached >= len(n.goals), nil
	}
	if v > 0 && n.wouldTouch(p, v, omega) {
		n.planned = time.Time{} // replan at the next step
		return 0, omega, false, nil
	}
	return v, omega, false, nil
}

// plan plans a path if there is none, and periodically checks for a better one.
func (n *Navigator) plan(p Pose, now time.Time) error {
	since := now.Sub(n.planned)
	if n.follower != nil && since >= 0 && since < n.cfg.Replan && (!n.replanSoon || since < n.cfg.Replan/5) {
		return nil
	}
	n.planned, n.replanSoon = now, false
	goal := n.goals[n.reached]
	n.target, n.place, n.adjusted = goal, goal, false
	if err := n.updateClearances(p, goal); err != nil {
		return err
	}
	if n.hard.at(goal.X, goal.Y) < n.cfg.Planner.Radius && !n.atGoal(p, goal) {
		if free, ok := n.cfg.Planner.nearestFree(goal, n.hard, n.cfg.Planner.reachable(n.hard, p)); ok {
			n.place, goal, n.adjusted = free, free, true
		}
	}
	if n.atGoal(p, goal) {
		if len(n.Path()) == 1 {
			return nil // the follower already has it
		}
		return n.follow([]Goal{goal})
	}
	path, err := n.cfg.Planner.plan(n.all, n.all, p, goal)
	if err != nil { // distant observations are uncertain: drive there and check
		path, err = n.cfg.Planner.plan(n.hard, n.all, p, goal)
	}
	if err != nil {
		n.follower = nil
		return err
	}
	// Paths that seem blocked from afar are kept: distant observations change with each reading.
	if n.follower == nil || !n.clear(p) || length(p, path) < 0.85*n.Remaining(p) {
		return n.follow(path)
	}
	return nil
}

// updateClearances computes the clearances of the current maps.
func (n *Navigator) updateClearances(p Pose, goal Goal) error {
	seen, errSeen := n.seen.Map()
	sure, errSure := n.certain.Map()
	if errSeen != nil || errSure != nil {
		seen, sure = nil, nil // no observations yet
	}
	f, err := n.cfg.Planner.frame(p, goal, []*mapping.Map{n.cfg.Known, seen})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoPath, err)
	}
	n.hard, n.all = clearancesOf(f, n.cfg.Known, sure), clearancesOf(f, n.cfg.Known, sure, seen)
	return nil
}

// atGoal reports whether the position is reached and at most the heading is not; obstacles no longer matter then.
func (n *Navigator) atGoal(p Pose, g Goal) bool {
	return math.Hypot(g.X-p.X, g.Y-p.Y) <= 3*n.cfg.Limits.Position
}

// follow makes the robot follow a new path.
func (n *Navigator) follow(path []Goal) (err error) {
	n.path = path
	n.follower, err = NewFollower(n.cfg.Limits, path...)
	return err
}

// clear reports whether the current path is still free.
func (n *Navigator) clear(p Pose) bool {
	x, y := p.X, p.Y
	for _, g := range n.Path() {
		if n.hard.least(x, y, g.X, g.Y) < min(n.cfg.Planner.Radius, n.hard.at(p.X, p.Y)) {
			return false
		}
		x, y = g.X, g.Y
	}
	return true
}

// lookAhead is the time for which the robot's motion must be free of collisions, s.
const lookAhead = 0.5

// wouldTouch reports whether the robot would come too near to an obstacle that it is not moving away from.
func (n *Navigator) wouldTouch(p Pose, v, omega float64) bool {
	current := n.hard.at(p.X, p.Y)
	for t := lookAhead / 5; t <= lookAhead; t += lookAhead / 5 {
		s, c := math.Sincos(p.Theta + omega*t/2)
		if there := n.hard.at(p.X+v*t*c, p.Y+v*t*s); there < n.cfg.Planner.Radius-n.cfg.Planner.Resolution && there < current {
			return true
		}
	}
	return false
}

// length returns the length of a path from a pose, m.
func length(p Pose, path []Goal) (sum float64) {
	x, y := p.X, p.Y
	for _, g := range path {
		sum += math.Hypot(g.X-x, g.Y-y)
		x, y = g.X, g.Y
	}
	return sum
}
