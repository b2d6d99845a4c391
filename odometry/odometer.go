// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"fmt"
	"math"
	"time"
)

// Event is a special condition of a reading.
type Event uint8

// The events. Except with EventNone and EventGeometry the reading is only the new base: nothing is integrated.
const (
	EventNone  Event = iota
	EventFirst       // first reading
	// the counters changed by more than the wheels can have turned: the MCU was restarted, or they were set
	EventRestart
	EventAsked    // [Odometer.Rebase] was called
	EventGeometry // integrated; [Odometer.SetGeometry] was called since the last reading
	EventNoTime   // dt was not above 0: the reading is ignored, the next one covers the motion
)

var eventNames = [...]string{"none", "first reading", "counters jumped", "rebase asked for", "geometry changed", "no time passed"}

// String returns a description of the event.
func (e Event) String() string {
	if int(e) < len(eventNames) {
		return eventNames[e]
	}
	return fmt.Sprintf("event %d", uint8(e))
}

// Rebased reports whether the motion since the last reading is lost.
func (e Event) Rebased() bool { return e == EventFirst || e == EventRestart || e == EventAsked }

// Odometer integrates step counters. It is not safe for concurrent use. Make one with [New].
type Odometer struct {
	cfg         Config
	s           State
	left, right int16         // counters of the last reading
	next        Event         // event of the next reading
	turned      [2]int64      // steps since start, of the left and the right wheel
	slips       matrix        // the pose's covariance without that of the geometry
	sensitivity matrix        // derivatives of the pose by the relative errors of the geometry
	lost        time.Duration // argument of Rebase
}

// New returns an odometer at the origin. It fails if a field of cfg is out of range; the error names it with its value
// and range.
func New(cfg Config) (*Odometer, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Odometer{cfg: cfg, next: EventFirst}, nil
}

// State returns the state after the last reading.
func (o *Odometer) State() State { return o.s }

// Config returns the configuration with defaults and the current geometry.
func (o *Odometer) Config() Config { return o.cfg }

// SetGeometry sets the geometry and its errors: radius, ratio of the radii, distance, their covariance, slip and turn
// as in cfg. It fails, and changes nothing, if one of them is out of range; the error names the field with its value
// and range. The parameters of the motors are kept: steps, speed, rounding. So are pose, pose covariance and the base
// of the counters; motion from here on is integrated with the new geometry.
func (o *Odometer) SetGeometry(cfg Config) error {
	cfg = cfg.withDefaults()
	cfg.StepsPerTurn, cfg.TopSpeed, cfg.QuantStd = o.cfg.StepsPerTurn, o.cfg.TopSpeed, o.cfg.QuantStd
	if err := cfg.validate(); err != nil {
		return err
	}
	o.slips, o.sensitivity = o.poseCovariance(), matrix{}
	o.cfg = cfg
	if o.next == EventNone {
		o.next = EventGeometry
	}
	return nil
}

// Reset sets the pose to the origin and its covariance to zero. Wheel angles, twist and the base of the counters are
// kept, so no motion is lost.
func (o *Odometer) Reset() {
	o.s.X, o.s.Y, o.s.Theta, o.s.Distance = 0, 0, 0, 0
	o.s.PoseCovariance, o.slips, o.sensitivity = [9]float64{}, matrix{}, matrix{}
}

// Rebase makes the next reading the new base without integrating it, for a caller who knows that the counters were set.
// lost is the maximum time for which the wheels may have turned at their last speed before the counters were set; the
// pose's covariance grows accordingly. 0 is for counters that were set at once.
func (o *Odometer) Rebase(lost time.Duration) {
	o.lost = max(o.lost, lost)
	if o.next != EventFirst {
		o.next = EventAsked
	}
}

// Update integrates a reading of the step counters, dt after the last call of Update. Readings may be missing in
// between: differences are taken modulo 2^16, which is unambiguous for 29 s at top speed.
//
// If dt is not above 0 the reading is ignored and the next one covers its motion. After a rebase the twist is zero with
// unknown variance, and the pose's covariance is increased by the uncounted motion.
func (o *Odometer) Update(left, right int16, dt time.Duration) (State, Event) {
	event := o.next
	if event == EventNone || event == EventGeometry {
		if dt <= 0 {
			return o.s, EventNoTime
		}
		if !o.possible(left-o.left, dt) || !o.possible(right-o.right, dt) {
			event = EventRestart
		}
	}
	dl, dr := left-o.left, right-o.right
	o.left, o.right, o.next = left, right, EventNone
	if event.Rebased() {
		if event == EventRestart {
			o.lost = max(o.lost, dt)
		}
		if event != EventFirst {
			o.addUncounted(o.lost.Seconds())
		}
		o.lost = 0
		o.s.V, o.s.Omega, o.s.Left.Velocity, o.s.Right.Velocity = 0, 0, 0, 0
		o.s.TwistCovariance = [4]float64{0: unknown, 3: unknown}
		return o.s, event
	}
	o.advance(dl, dr, dt.Seconds())
	return o.s, event
}

// advance integrates a motion of both wheels by dl and dr steps in h seconds.
func (o *Odometer) advance(dl, dr int16, h float64) {
	radPerStep := 2 * math.Pi / o.cfg.StepsPerTurn
	o.turned[0] += int64(dl)
	o.turned[1] += int64(dr)
	s := &o.s
	s.Left = Wheel{Angle: float64(o.turned[0]) * radPerStep, Velocity: float64(dl) * radPerStep / h}
	s.Right = Wheel{Angle: float64(o.turned[1]) * radPerStep, Velocity: float64(dr) * radPerStep / h}
	rl, rr := o.cfg.radii()
	pl, pr := float64(float64(dl)*radPerStep*rl), float64(float64(dr)*radPerStep*rr)
	path, turn := (pl+pr)/2, (pr-pl)/o.cfg.WheelDistance
	s.V, s.Omega = path/h, turn/h
	s.TwistCovariance = o.twistCovariance(pl, pr, h)
	o.propagate(pl, pr)
	s.X, s.Y, s.Theta = integrate(s.X, s.Y, s.Theta, path, turn)
	s.Distance += math.Abs(path)
}

const (
	// jumpMargin and jumpSlack, steps, allow for a late time stamp: the counters are read about 4 ms before the end of
	// a transaction, to which retries and scheduling add.
	jumpMargin = 1.25
	jumpSlack  = 64
)

// possible reports whether a wheel can have turned by d steps in dt. After 23 s without a reading every difference is
// possible, and the shorter of both directions is assumed.
func (o *Odometer) possible(d int16, dt time.Duration) bool {
	return math.Abs(float64(d)) <= float64(jumpMargin*o.cfg.TopSpeed*dt.Seconds())+jumpSlack
}
