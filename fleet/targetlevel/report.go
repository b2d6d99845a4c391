// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"fmt"
	"io"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
)

// Report summarizes the work of a robot's computer since it was switched on.
type Report struct {
	Robot     string
	For       time.Duration // simulated
	Programs  []ProgramReport
	Share     armcost.Interval // of the core, 1 is all of it
	Board     armcost.Interval // energy of the computer, J
	Processor armcost.Interval // part of that for the programs, J
	Control   core.Cycles
	Widest    string  // the parameter that contributes most to the width of the share's interval
	Sent      float64 // bytes sent by the programs' sockets
	Costliest string  // the parameter that contributes most to the width of the energy's interval
}

// ProgramReport is the part of one program.
type ProgramReport struct {
	machine.Status
	armcost.Estimate
	Share armcost.Interval
}

// Report returns the reports of all computers, in the order of the world.
func (c *Computers) Report() []Report {
	var all []Report
	for _, own := range c.computers {
		all = append(all, own.report(c.configOf(own), c.Age()))
	}
	return all
}

func (own *computer) report(cfg Config, now time.Duration) Report {
	r := Report{Robot: own.robot.Name(), For: now - own.begun, Control: own.control.seen()}
	seconds := max(r.For.Seconds(), 1e-9)
	for _, s := range own.machine.Status() {
		e := cfg.Parameters.Of(s.Counts)
		r.Programs = append(r.Programs, ProgramReport{s, e, e.Share(seconds)})
	}
	counts := own.counts()
	e := cfg.Parameters.Of(counts)
	r.Share = e.Share(seconds)
	load := loadOf(cfg, counts)
	r.Sent = counts.Events["sent"]
	r.Board, r.Processor = cfg.Parameters.Energy(e, seconds, load)
	if parts := cfg.Parameters.EnergyParts(e, seconds, load); len(parts) > 0 {
		r.Costliest = parts[0].Parameter
	}
	if len(e.Parts) > 0 {
		r.Widest = e.Parts[0].Parameter
	}
	return r
}

// WriteTo writes the report as text for users.
func (r Report) WriteTo(w io.Writer) (int64, error) {
	interval := func(i armcost.Interval, scale float64) string {
		return fmt.Sprintf("%.4g (%.4g to %.4g)", i.Likely*scale, i.Low*scale, i.High*scale)
	}
	text := fmt.Sprintf("Robot %q, %.1f s: %s %% of the core; widest by %s\n", r.Robot, r.For.Seconds(), interval(r.Share, 100), r.Widest)
	for _, p := range r.Programs {
		text += fmt.Sprintf("  %s: %.4g M instructions, %s M cycles, %s %%; %d waits ended more than 1 ms late, the latest by %v\n",
			p.Name, p.Instructions/1e6, interval(p.Cycles, 1e-6), interval(p.Share, 100), p.Late, p.Worst.Round(time.Microsecond))
	}
	text += fmt.Sprintf("  control cycles: %d made, %d lost (%.1f %%), %d late; longest gap %v\n",
		r.Control.Made, r.Control.Lost, 100*r.Control.Share(), r.Control.Late, r.Control.Gap.Round(time.Microsecond))
	text += fmt.Sprintf("  energy: %s J, of it %s J for the programs; %.4g kB sent; widest by %s\n",
		interval(r.Board, 1), interval(r.Processor, 1), r.Sent/1e3, r.Costliest)
	n, err := io.WriteString(w, text)
	return int64(n), err
}

// Core converts the report to that of package core.
func (r Report) Core() core.Report {
	return core.Report{
		Robot: r.Robot, How: "counting", For: r.For, Share: r.Share, Board: r.Board, Processor: r.Processor, Widest: r.Costliest, Control: r.Control,
	}
}
