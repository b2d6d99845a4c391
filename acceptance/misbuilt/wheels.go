// SPDX-License-Identifier: Apache-2.0

package misbuilt

import (
	"math"
	"time"
)

// wheelFaults returns the faults of motors and step counters. The firmware counts the steps that it commands: with
// wrong wiring a motor turns differently from its counter.
func wheelFaults() []Fault {
	counted := func(name, what string, f func(left, right int16) (int16, int16)) Fault {
		return Fault{Name: name, What: what, make: func() effect {
			return effect{after: func(t *transfer) {
				if t.sensors() {
					t.setSteps(f(t.steps()))
				}
			}}
		}}
	}
	motor := func(name, what string, f func(left, right int16) (int16, int16)) Fault {
		return Fault{Name: name, What: what, make: func() effect { return rewired(f) }}
	}
	return []Fault{
		motor("motors-swapped", "the left motor is connected in place of the right one", func(l, r int16) (int16, int16) { return r, l }),
		motor("left-motor-reversed", "the left motor's wires are swapped: it turns backwards", func(l, r int16) (int16, int16) { return -l, r }),
		motor("right-motor-reversed", "the right motor's wires are swapped: it turns backwards", func(l, r int16) (int16, int16) { return l, -r }),
		motor("left-motor-dead", "the left motor does not turn", func(_, r int16) (int16, int16) { return 0, r }),
		motor("right-motor-dead", "the right motor does not turn", func(l, _ int16) (int16, int16) { return l, 0 }),
		counted("counters-swapped", "the left wheel's steps are reported as the right one's", func(l, r int16) (int16, int16) { return r, l }),
		counted("left-counter-reversed", "the left wheel's steps are counted backwards", func(l, r int16) (int16, int16) { return -l, r }),
		counted("right-counter-reversed", "the right wheel's steps are counted backwards", func(l, r int16) (int16, int16) { return l, -r }),
		counted("left-counter-stuck", "the left wheel's steps are not counted", func(_, r int16) (int16, int16) { return 0, r }),
		counted("right-counter-stuck", "the right wheel's steps are not counted", func(l, _ int16) (int16, int16) { return l, 0 }),
		counted("steps-doubled", "half steps are counted: 2000 a turn", func(l, r int16) (int16, int16) { return 2 * l, 2 * r }),
		counted("steps-halved", "every second step is counted: 500 a turn", func(l, r int16) (int16, int16) { return l / 2, r / 2 }),
	}
}

// rewired returns the effect of motors that turn differently from the command, while the counters follow the command.
func rewired(f func(left, right int16) (int16, int16)) effect {
	var left, right int16 // as commanded
	var sumLeft, sumRight float64
	var last time.Duration
	started := false
	return effect{
		before: func(t *transfer) error {
			if !t.command() {
				return nil
			}
			if started {
				passed := (t.at - last).Seconds()
				sumLeft += float64(left) * passed
				sumRight += float64(right) * passed
			}
			last, started = t.at, true
			left, right = t.speeds()
			t.setSpeeds(f(left, right))
			return nil
		},
		after: func(t *transfer) {
			if t.sensors() {
				t.setSteps(int16(int64(math.Round(sumLeft))), int16(int64(math.Round(sumRight))))
			}
		},
	}
}
