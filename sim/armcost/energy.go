// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"cmp"
	"slices"
)

// Load is what besides the processor takes power.
type Load struct {
	Radio, Camera bool    // on
	Sent          float64 // bytes by Wi-Fi
}

// EnergyPart is what one parameter adds to an energy.
type EnergyPart struct {
	Parameter string   `json:"parameter"`
	Joules    Interval `json:"joules"`
}

// EnergyParts are what the board takes in a time of seconds in which the program runs, by parameter; those whose range
// makes the whole widest come first.
func (p Parameters) EnergyParts(e Estimate, seconds float64, l Load) []EnergyPart {
	core := p.Parameters["power_core"]
	parts := []EnergyPart{
		{"power_idle", p.Parameters["power_idle"].Times(seconds)},
		{"power_core", Interval{core.Low * e.Seconds.Low, core.Likely * e.Seconds.Likely, core.High * e.Seconds.High}},
	}
	if l.Radio {
		parts = append(parts, EnergyPart{"power_radio", p.Parameters["power_radio"].Times(seconds)})
	}
	if l.Sent > 0 {
		parts = append(parts, EnergyPart{"energy_sent", p.Parameters["energy_sent"].Times(l.Sent)})
	}
	if l.Camera {
		parts = append(parts, EnergyPart{"power_camera", p.Parameters["power_camera"].Times(seconds)})
	}
	slices.SortStableFunc(parts, func(a, b EnergyPart) int {
		return cmp.Compare(b.Joules.High-b.Joules.Low, a.Joules.High-a.Joules.Low)
	})
	return parts
}

// Energy is what the board takes in that time, in joules, and what of it is the processor's work for the program.
func (p Parameters) Energy(e Estimate, seconds float64, l Load) (board, processor Interval) {
	for _, part := range p.EnergyParts(e, seconds, l) {
		board = board.Plus(part.Joules)
		if part.Parameter == "power_core" {
			processor = part.Joules
		}
	}
	return board, processor
}
