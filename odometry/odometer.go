// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"fmt"
	"math"
	"time"
)

// Event says what a reading meant beyond a motion.
type Event uint8

// The events. After all but EventNone and EventGeometry the reading only became the new base: nothing was integrated.
const (
	EventNone  Event = iota
	EventFirst       // first reading
	// the counters moved farther than the wheels can have turned: the MCU was restarted, or they were set
	EventRestart
	EventAsked    // [Odometer.Rebase] was called
	EventGeometry // integrated; [Odometer.SetGeometry] was called since the last reading
	EventNoTime   // dt was not above 0: nothing was done, the next reading covers the motion
)

var eventNames = [...]string{"none", "first reading", "counters jumped", "rebase asked for", "geometry changed", "no time passed"}

// String returns the event in words.
func (e Event) String() string {
	if int(e) < len(eventNames) {
		return eventNames[e]
	}
	return fmt.Sprintf("event %d", uint8(e))
}

// Rebased reports whether the motion since the last reading was lost.
func (e Event) Rebased() bool { return e == EventFirst || e == EventRestart || e == EventAsked }

// Odometer integrates step counters. It is not safe for concurrent use. Make one with [New].
type Odometer struct {
	cfg         Config
	s           State
	left, right int16         // counters of the last reading
	next        Event         // what the next reading will be called
	turned      [2]int64      // steps since start, of the left and the right wheel
	slips       matrix        // the share of the pose's covariance that does not come from the geometry
	sensitivity matrix        // derivatives of the pose by the relative errors of the geometry
	lost        time.Duration // of Rebase
}

// New makes an odometer at the origin. It fails if a field of cfg is out of range; the error names it with its value
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

// Config returns the configuration, defaults filled in and geometry current.
func (o *Odometer) Config() Config { return o.cfg }

// SetGeometry changes what is known of the wheels: radius, ratio of the radii, distance, their covariance, slip and
// turn as in cfg. It fails, and changes nothing, if one of them is out of range; the error names the field with its
// value and range. What belongs to the motors stays: steps, speed, rounding. The pose does not move: the counters of
// the last reading stay the base, and what the wheels turn from there is integrated with the new geometry. What the old
// one made uncertain stays so.
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

// Reset puts the pose at the origin and makes it certain. Wheel angles, twist and the base of the counters stay, so
// that nothing else jumps and no motion is lost.
func (o *Odometer) Reset() {
	o.s.X, o.s.Y, o.s.Theta, o.s.Distance = 0, 0, 0, 0
	o.s.PoseCovariance, o.slips, o.sensitivity = [9]float64{}, matrix{}, matrix{}
}

// Rebase makes the next reading the new base without integrating it, for a caller who knows that the counters were set.
// The wheels may have turned on as they did last, for at most the time lost, before the counters were: so much less
// certain the pose becomes. 0 is for counters that were set in an instant.
func (o *Odometer) Rebase(lost time.Duration) {
	o.lost = max(o.lost, lost)
	if o.next != EventFirst {
		o.next = EventAsked
	}
}

// Update takes a reading of the step counters, dt after the last call of Update. Readings may be missing in between:
// the differences are taken modulo 2^16, which is unambiguous for 29 s at top speed.
//
// With dt not above 0 the reading is left out and the next one covers its motion. After a rebase the twist is zero with
// unknown variance, and the pose less certain by the motion that was not counted.
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
			o.forget(o.lost.Seconds())
		}
		o.lost = 0
		o.s.V, o.s.Omega, o.s.Left.Velocity, o.s.Right.Velocity = 0, 0, 0, 0
		o.s.TwistCovariance = [4]float64{0: unknown, 3: unknown}
		return o.s, event
	}
	o.advance(dl, dr, dt.Seconds())
	return o.s, event
}

// advance integrates a motion of both wheels, steps, in h seconds.
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
	o.spread(pl, pr)
	s.X, s.Y, s.Theta = integrate(s.X, s.Y, s.Theta, path, turn)
	s.Distance += math.Abs(path)
}

const (
	// jumpMargin and jumpSlack, steps, allow for a late time stamp: the counters are read about 4 ms before the end of
	// a transaction, retries and scheduling add to it.
	jumpMargin = 1.25
	jumpSlack  = 64
)

// possible reports whether a wheel can have turned by d steps in dt. After 23 s without a reading every difference is,
// and the shorter way round the circle is taken.
func (o *Odometer) possible(d int16, dt time.Duration) bool {
	return math.Abs(float64(d)) <= float64(jumpMargin*o.cfg.TopSpeed*dt.Seconds())+jumpSlack
}
