// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// stall is so many control cycles that were left out that it was the emulated machine that stood still, and its guard,
// or the time-out, has stopped the wheels for that.
const stall = 6

// clockSteps: the test sets the machine's clock while the robot is driven, hours forward, then twice as far back, then
// to where it was, as a time server does with a Raspberry Pi, which has no clock of its own. The wheels keep turning
// and stop in time, neither side takes the other for gone, no message is missed, and stamps are of the new time.
func clockSteps(g *guest, o *outside) {
	before, restarts, leftOut, began := g.property("MainPID"), g.property("NRestarts"), g.cyclesLeftOut(), time.Now()
	for _, step := range []time.Duration{3 * time.Hour, -6 * time.Hour, 3 * time.Hour} {
		o.drive(true)
		g.awaitMoving(true)
		o.hears(g)
		turning, missed, stalled := len(g.truth().Changes), o.missed.Load(), g.cyclesLeftOut()
		g.setClock(step)
		g.follows(fmt.Sprintf("clock set by %v", step), o)
		g.stampsFollow(o)
		g.awaitMoving(true)
		if r := g.truth(); len(r.Changes) != turning && g.cyclesLeftOut()-stalled < stall {
			g.t.Errorf("clock set by %v: the wheels did not keep turning: %v", step, r.Changes)
		}
		if n := o.missed.Load() - missed; n > 0 {
			g.t.Errorf("clock set by %v: %d messages of odom are missing", step, n)
		}
		o.drive(false)
		g.stopsAfter(fmt.Sprintf("silence, clock set by %v before", step))
	}
	// The time-out runs while the clock is set.
	for _, step := range []time.Duration{3 * time.Hour, -3 * time.Hour} {
		o.drive(true)
		g.awaitMoving(true)
		o.drive(false)
		g.setClock(step)
		g.stopsAfter(fmt.Sprintf("silence, clock set by %v meanwhile", step))
	}
	if now := g.property("MainPID"); now != before || g.property("NRestarts") != restarts {
		g.t.Errorf("process %s has not survived, it is %s now", before, now)
	}
	cycles, n := int(time.Since(began).Seconds()*20), g.cyclesLeftOut()-leftOut
	g.t.Logf("%d of some %d control cycles were left out meanwhile", n, cycles)
	if n > cycles { // three hours would be 216,000
		g.t.Errorf("%d of %d control cycles were left out", n, cycles)
	}
}

// setClock sets the machine's clock.
func (g *guest) setClock(by time.Duration) {
	g.t.Helper()
	g.run("date -s @$(($(date +%%s) + %d))", int(by.Seconds()))
}

// stampsFollow checks that odom is stamped by the machine's clock as it is now.
func (g *guest) stampsFollow(o *outside) {
	g.t.Helper()
	now, err := strconv.ParseFloat(strings.TrimSpace(g.run("date +%%s.%%N")), 64)
	if err != nil {
		g.t.Fatal(err)
	}
	stamp := o.last.Load().Header.Stamp.Time()
	if ahead := float64(stamp.UnixNano())/1e9 - now; math.Abs(ahead) > waitTimeout.Seconds() {
		g.t.Errorf("odom is stamped %.0f s ahead of the clock", ahead)
	}
}

// stopsAfter waits until the wheels are stopped, by this side's clock. The command may have been sent before the call.
func (g *guest) stopsAfter(what string) {
	g.t.Helper()
	began := time.Now()
	g.awaitMoving(false)
	g.within(what, time.Since(began), time.Second) // cmd_vel_timeout, and asking takes a moment
}
