// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"testing"
	"time"
)

// TestDelay covers commands in time, a burst after an outage, clocks that diverge, and a computer that slept.
func TestDelay(t *testing.T) {
	const ms = time.Millisecond
	type command struct {
		sent, arrived time.Duration
		stop          bool
		want          time.Duration
	}
	for name, commands := range map[string][]command{
		"in time, with jitter":                         {{5000 * ms, 20 * ms, true, 0}, {5050 * ms, 75 * ms, false, 5 * ms}, {5100 * ms, 110 * ms, false, 0}, {5150 * ms, 190 * ms, false, 30 * ms}},
		"a cable was out":                              {{0, 10 * ms, false, 0}, {50 * ms, 60 * ms, false, 0}, {100 * ms, 3010 * ms, false, 2900 * ms}, {150 * ms, 3010 * ms, false, 2850 * ms}, {3000 * ms, 3012 * ms, false, 2 * ms}},
		"its end is a stop":                            {{0, 10 * ms, false, 0}, {50 * ms, 2010 * ms, false, 1950 * ms}, {100 * ms, 2010 * ms, true, 0}, {2050 * ms, 2062 * ms, false, 0}},
		"the page's computer slept, its clock with it": {{1000 * ms, 1010 * ms, false, 0}, {1050 * ms, 91060 * ms, true, 0}, {1100 * ms, 91110 * ms, false, 0}},
		"the page was loaded again, its clock at 0":    {{90000 * ms, 1000 * ms, false, 0}, {10 * ms, 2000 * ms, true, 0}, {60 * ms, 2051 * ms, false, 1 * ms}},
	} {
		var d delay
		for i, c := range commands {
			if got := d.of(c.sent, c.arrived, c.stop); got != c.want {
				t.Errorf("%s, command %d: %v late, want %v", name, i, got, c.want)
			}
		}
	}
}
