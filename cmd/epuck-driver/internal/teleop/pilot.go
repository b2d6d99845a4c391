// SPDX-License-Identifier: Apache-2.0

package teleop

import "time"

// Initial speeds, and the factor by which a key changes them.
const (
	StartSpeed = 0.05 // m/s
	StartTurn  = 1.0  // rad/s
	step       = 1.1
)

// Hold times of a key in a terminal without release events: a held key repeats after half a second at the latest, and
// then at least twenty times a second.
const (
	firstHold  = 600 * time.Millisecond
	repeatHold = 150 * time.Millisecond
)

// motion is the direction of a key: forward and to the left, −1, 0 or 1.
type motion struct{ v, w float64 }

// motions are the keys of teleop_twist_keyboard, those of the web page (W, A, S, D), and arrows.
var motions = map[rune]motion{
	'i': {1, 0}, ',': {-1, 0}, 'j': {0, 1}, 'l': {0, -1}, 'u': {1, 1}, 'o': {1, -1}, 'm': {-1, -1}, '.': {-1, 1},
	'w': {1, 0}, 's': {-1, 0}, 'a': {0, 1}, 'd': {0, -1},
	Up: {1, 0}, Down: {-1, 0}, Left: {0, 1}, Right: {0, -1},
}

// scales are the keys that change the linear and the angular speed. For the linear speed teleop_twist_keyboard has w
// and x; w drives here, as on the web page.
var scales = map[rune]motion{
	'q': {step, step}, 'z': {1 / step, 1 / step}, 'r': {step, 1}, 'v': {1 / step, 1}, 'e': {1, step}, 'c': {1, 1 / step},
}

// Pilot has the held key and the speeds. It is not safe for concurrent use.
type Pilot struct {
	// Speed is the linear speed, m/s, Turn the angular speed, rad/s.
	Speed, Turn float64
	// HasKeyRelease reports whether the terminal sends key-release events. Without them a key counts as held for a
	// time.
	HasKeyRelease bool

	held  rune // 0: none
	until time.Time
}

// NewPilot returns a pilot at rest, with the initial speeds.
func NewPilot() *Pilot { return &Pilot{Speed: StartSpeed, Turn: StartTurn} }

// Key processes a key at a time. Keys without a meaning stop the robot.
func (p *Pilot) Key(k Key, now time.Time) {
	_, moves := motions[k.Rune]
	scale, scaling := scales[k.Rune]
	switch {
	case k.Event == Release:
		if k.Rune == p.held {
			p.held = 0
		}
	case k.Ctrl:
		p.held = 0
	case moves:
		p.hold(k, now)
	case scaling:
		p.Speed *= scale.v
		p.Turn *= scale.w
	default:
		p.held = 0
	}
}

func (p *Pilot) hold(k Key, now time.Time) {
	again := p.held == k.Rune && (now.Before(p.until) || p.HasKeyRelease)
	if k.Event == Repeat && !again { // another key was pressed in the meantime, or the robot was stopped
		return
	}
	p.held = k.Rune
	hold := firstHold
	if again {
		hold = repeatHold
	}
	if until := now.Add(hold); until.After(p.until) || !again {
		p.until = until
	}
}

// Command returns the speeds at a time: m/s forward, rad/s to the left.
func (p *Pilot) Command(now time.Time) (v, w float64) {
	if p.held == 0 || !p.HasKeyRelease && !now.Before(p.until) {
		p.held = 0
		return 0, 0
	}
	m := motions[p.held]
	return m.v * p.Speed, m.w * p.Turn
}
