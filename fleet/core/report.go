// SPDX-License-Identifier: Apache-2.0

package core

import (
	"fmt"
	"io"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// CellVoltage is the battery's voltage, V; the converter to the board's 5 V is assumed lossless.
const CellVoltage = 3.7

// Account converts a computer's energy to a battery current.
type Account struct {
	joules float64
	at     time.Duration
}

// Current returns the mean current since the last call, A, for a total energy (J) at an age; ok is false if no time
// has passed.
func (a *Account) Current(joules float64, age time.Duration) (current float64, ok bool) {
	passed := (age - a.at).Seconds()
	if passed <= 0 {
		return 0, false
	}
	current = (joules - a.joules) / passed / CellVoltage
	*a = Account{joules, age}
	return current, true
}

// Report summarizes the work of a core since it was switched on.
type Report struct {
	Robot     string
	How       string        // source of the costs
	For       time.Duration // simulated
	Share     armcost.Interval
	Callbacks int              // executed, without control cycles
	Dropped   int              // from full queues
	Board     armcost.Interval // energy of the computer, J
	Processor armcost.Interval // part of that for the processor's work, J
	Widest    string           // the parameter that contributes most to the width of the energy's interval
	Control   Cycles
}

// Report returns the report up to now. Of the current work only the finished part counts.
func (c *Core) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.cfg.Now()
	r := Report{
		Robot: c.cfg.Robot, How: c.cfg.How, For: now.Sub(c.begun), Callbacks: c.served, Dropped: c.dropped, Control: c.beat.Cycles(),
	}
	e := c.estimate(now)
	seconds := max(r.For.Seconds(), 1e-9)
	r.Share = e.Share(seconds)
	load := c.load()
	r.Board, r.Processor = c.cfg.Parameters.Energy(e, seconds, load)
	if parts := c.cfg.Parameters.EnergyParts(e, seconds, load); len(parts) > 0 {
		r.Widest = parts[0].Parameter
	}
	return r
}

// estimate returns the cost of the work up to now. The caller holds mu.
func (c *Core) estimate(now time.Time) armcost.Estimate {
	spent := c.spent
	if ahead := c.free.Sub(now).Seconds() * c.hertz; ahead > 0 && spent.Likely > 0 {
		spent = spent.Times(max(0, 1-ahead/spent.Likely))
	}
	core := c.cfg.Parameters.Parameters["core"]
	return armcost.Estimate{
		Cycles:  spent,
		Seconds: armcost.Interval{Low: spent.Low / core.High, Likely: spent.Likely / core.Likely, High: spent.High / core.Low},
	}
}

func (c *Core) load() armcost.Load {
	l := c.cfg.Load
	if l.Radio {
		l.Sent += c.sent
	}
	return l
}

// Current returns the mean current that the computer takes from the battery since the last call, above its idle
// current, A; ok is false if no time has passed.
func (c *Core) Current() (current float64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.cfg.Now()
	age := now.Sub(c.begun)
	board, _ := c.cfg.Parameters.Energy(c.estimate(now), age.Seconds(), c.load())
	rest := c.cfg.Parameters.Parameters["power_idle"].Likely * age.Seconds()
	return c.paid.Current(board.Likely-rest, age)
}

// WriteTo writes the report as text for users.
func (r Report) WriteTo(w io.Writer) (int64, error) {
	interval := func(i armcost.Interval, scale float64) string {
		return fmt.Sprintf("%.4g (%.4g to %.4g)", i.Likely*scale, i.Low*scale, i.High*scale)
	}
	text := fmt.Sprintf("Robot %q, %.1f s: %s %% of the core, by %s; %d callbacks, %d dropped\n",
		r.Robot, r.For.Seconds(), interval(r.Share, 100), r.How, r.Callbacks, r.Dropped) +
		fmt.Sprintf("  control cycles: %d made, %d lost (%.1f %%), %d late; longest gap %v\n",
			r.Control.Made, r.Control.Lost, 100*r.Control.Share(), r.Control.Late, r.Control.Gap.Round(time.Microsecond)) +
		fmt.Sprintf("  energy: %s J, of it %s J for the processor's work; widest by %s\n", interval(r.Board, 1), interval(r.Processor, 1), r.Widest)
	n, err := io.WriteString(w, text)
	return int64(n), err
}
