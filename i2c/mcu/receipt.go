// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"fmt"
	"math"
)

// Receipts. The firmware answers a command only with the sensors, of which a command can change only the step
// counters at once. So every melody is sent with the settings bit that sets the counters, to values at least a
// quarter circle away from the current ones: the counters of the next reply show whether the packet was accepted, and
// only if they show that it was not, it is sent again. The jump is subtracted from every later reading.
//
//	command N ─► reply           counters c
//	one-shot  ─► reply           counters c' (the reply is built when the packet has arrived, before it is executed)
//	command N+1 ─► reply         counters near the set value: accepted; near c: not, send again
//
// No step is lost: the counters went from c' to the set value, so the offset grows by their difference. Setting the
// counters leaves the speeds as they are.
//
// Two things can't be detected: a corrupt packet that passes the firmware's 8-bit checksum, and wheels that turned
// for more than 7 s at top speed between a one-shot and the next reply.

// quarter is a quarter of the counters' circle: the least distance of a receipt from the counters it replaces.
const quarter = 0x4000

// window is how near the set value counters must be to prove it: 7 s at top speed.
const window = quarter/2 - 1

// oneShot is the packet in progress.
type oneShot struct {
	out    bool
	kind   EventKind // EventMelody or EventSteps
	away   bool      // of EventSteps: this packet only moves the counters away, so that the next one can be proved
	req    request
	set    counts // what the counters were set to
	before counts // what they were when the packet arrived, as far as known
}

// far returns counters for a receipt: a quarter circle from cur, and from 0, their value after a restart.
func far(cur counts) counts {
	pick := func(n int16) int16 {
		up, down := n+quarter, n-quarter
		if dist(up, 0) > dist(down, 0) {
			return up
		}
		return down
	}
	return counts{pick(cur.left), pick(cur.right)}
}

// between returns counters that are far from both: half a circle from the middle of the shorter arc.
func between(a, b counts) counts {
	mid := func(a, b int16) int16 { return a + (b-a)/2 + math.MinInt16 }
	return counts{mid(a.left, b.left), mid(a.right, b.right)}
}

// provable reports whether setting cur to target shows in the counters: one wheel is enough, they are set together.
func provable(cur, target counts) bool {
	return dist(cur.left, target.left) >= quarter || dist(cur.right, target.right) >= quarter
}

// receipt is a packet that sets the step counters and keeps the lights.
func (d *Dev) receipt(set counts, melody uint8) Command {
	return Command{
		Left: Speed(set.left), Right: Speed(set.right), Melody: melody,
		LEDs: d.last.LEDs, RGB: d.last.RGB, Settings: SetSteps,
	}
}

// sendOneShot sends the next requested one-shot, if any, after the command whose sensors are s; it returns the newest
// sensors. It returns no error: the next reply shows whether the packet arrived.
func (d *Dev) sendOneShot(s Sensors) Sensors {
	kind, req, ok := d.req.next()
	if !ok {
		return s
	}
	if d.opts.Now().After(req.deadline) {
		d.req.done()
		d.giveUp(oneShotNames[kind], req.attempts)
		return s
	}
	shot := oneShot{out: true, kind: kind, req: req, set: far(d.steps.raw), before: d.steps.raw}
	if kind == EventSteps {
		shot.set = req.target
		if shot.away = !provable(d.steps.raw, req.target); shot.away {
			shot.set = between(d.steps.raw, req.target)
		}
	}
	shot.req.attempts++
	d.shot = shot
	c := d.receipt(shot.set, req.melody)
	d.cnt.oneShots.Add(1)
	raw, err := d.once(&c)
	if err != nil {
		return s
	}
	if now := countsOf(&raw); !now.within(shot.set, window) { // usually: the reply is older than the setting
		d.shot.before = now
		d.steps.update(now, d.opts.Now())
		raw.LeftSteps, raw.RightSteps = d.steps.seen.left, d.steps.seen.right
		return raw
	}
	return d.observe(raw)
}

// settle determines by the counters of a reply whether the current packet was accepted, and reports whether it was.
func (d *Dev) settle(c counts) bool {
	shot := d.shot
	if !shot.out {
		return false
	}
	d.shot = oneShot{}
	switch {
	case !c.within(shot.set, window):
		d.cnt.oneShotsLost.Add(1)
		d.req.again(shot.kind, shot.req)
		return false
	case shot.away:
		d.req.again(shot.kind, shot.req)
	case shot.kind == EventSteps:
		d.steps.offset = counts{} // the caller sees the set values
	}
	if shot.away || shot.kind == EventMelody {
		d.steps.offset = d.steps.offset.plus(shot.set.minus(shot.before))
	}
	if !shot.away {
		d.req.done()
		d.opts.OnEvent(Event{Kind: shot.kind, Attempts: shot.req.attempts})
	}
	return true
}

var oneShotNames = [...]string{EventMelody: "melody", EventSteps: "step counters"}

// giveUp reports a one-shot that the MCU did not accept in time.
func (d *Dev) giveUp(what string, attempts int) {
	d.opts.OnEvent(Event{
		Kind: EventFailed, Attempts: attempts,
		Err: fmt.Errorf("%w: %s, %d packets within %v", errNotAccepted, what, attempts, d.opts.OneShotTimeout),
	})
}
