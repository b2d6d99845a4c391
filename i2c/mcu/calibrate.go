// SPDX-License-Identifier: Apache-2.0

package mcu

import "time"

// IR calibration. The firmware's command thread measures for about a second; meanwhile commands are only latched (the
// latest wins) and the wheels keep their speed. So the wheels are stopped first, the calibration bit goes out in one
// packet with zero speeds, and receipts (see receipt.go) follow it at once, in the same call:
//
//   - a receipt that takes effect shows that the command thread is idle, so the calibration was not accepted: again;
//   - receipts that stay without effect show that the thread is busy calibrating;
//   - the receipt that takes effect then shows that it is done.
//
// The calibration packet carries no receipt of its own: after calibrating the firmware looks at the settings bits of
// the packet latched last, while it already took the two numbers from the first, and would drive the wheels with the
// counters. With zero speeds it sets the counters to 0 for an instant, until the latched receipt is executed.
//
// The wheels stand still, so the caller sees the counters they stopped at all the time.

type calPhase uint8

const (
	calIdle     calPhase = iota
	calStopping          // zero speeds until the counters stand still
	calRunning           // the bit was sent; receipts go out
)

const (
	// calStill is how many error-free replies in a row with the same counters prove that the wheels stopped.
	calStill = 3
	// calUnchanged is how many error-free receipts in a row without effect show that the thread is busy: the reply to
	// the first is older than its effect, one may be dropped after an error, one may meet a slow thread.
	calUnchanged = 4
	// calBurst bounds the receipts in the call that sends the bit: calUnchanged and one lost.
	calBurst = calUnchanged + 1
)

// calibration is the state of an IR calibration.
type calibration struct {
	phase     calPhase
	req       request
	still     int    // calStopping: replies in a row with the counters at
	at        counts // calStopping: these
	set       counts // calRunning: what the receipts set
	unchanged int    // calRunning: receipts in a row without effect
	confirmed bool   // calRunning: the MCU is calibrating
	began     time.Time
}

// CalibrateIR queues an IR calibration: nothing may be within about 10 cm of the robot. [Dev.Exchange] stops the
// wheels, starts it, and keeps them stopped until it is done, about a second later; proximity values are uncalibrated
// meanwhile. [Dev.Pending] reports whether it is running, the outcome is an [Event]. It replaces a waiting one.
func (d *Dev) CalibrateIR() {
	d.req.put(&d.req.calibrat, request{deadline: d.deadline()})
}

// nextCalibration removes a requested calibration from the queue.
func (r *requests) nextCalibration() (request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.calibrat
	if v.wanted {
		r.calibrat.wanted, r.active.Calibrate = false, true
	}
	return v, v.wanted
}

func (r *requests) calibrationDone() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active.Calibrate = false
}

// calibrating starts a requested calibration and reports whether one is running.
func (d *Dev) calibrating() bool {
	if d.cal.phase == calIdle && !d.shot.out {
		if req, ok := d.req.nextCalibration(); ok {
			d.cal = calibration{phase: calStopping, req: req}
		}
	}
	return d.cal.phase != calIdle
}

// stopAndCalibrate is the exchange of calStopping: the command without its speeds, and the bit once the wheels are
// stopped.
func (d *Dev) stopAndCalibrate(c Command) (Sensors, error) {
	c.Left, c.Right = 0, 0
	raw, err := d.send(&c)
	if d.opts.Now().After(d.cal.req.deadline) {
		d.endCalibration(false)
	}
	if err != nil {
		d.cal.still = 0
		return Sensors{}, err
	}
	s, at := d.observe(raw), countsOf(&raw)
	if d.dirty || at != d.cal.at || d.cal.still == 0 {
		d.cal.at, d.cal.still = at, 0
	}
	if d.cal.still++; d.dirty || d.cal.still < calStill || !d.WheelsListen() || d.cal.phase != calStopping {
		return s, nil
	}
	bit := Command{LEDs: c.LEDs, RGB: c.RGB, Settings: CalibrateIR}
	d.cal.phase, d.cal.set = calRunning, far(at)
	d.cal.req.attempts++
	d.cnt.oneShots.Add(1)
	_, _ = d.once(&bit) // the receipts find out its outcome
	return d.probeCalibration(s), nil
}

// probeCalibration sends receipts, at most calBurst, until it is known whether the MCU is calibrating.
func (d *Dev) probeCalibration(s Sensors) Sensors {
	for range calBurst {
		if newer, err := d.calibrationReceipt(); err == nil {
			s = newer
		}
		if d.cal.phase != calRunning || d.cal.confirmed {
			break
		}
	}
	return s
}

// awaitCalibration is the exchange of calRunning.
func (d *Dev) awaitCalibration() (s Sensors, err error) {
	for try := range d.opts.Tries {
		if try > 0 {
			d.cnt.retries.Add(1)
		}
		if s, err = d.calibrationReceipt(); err == nil || !worthRetry(err) {
			break
		}
	}
	if err == nil && d.cal.phase == calRunning && !d.cal.confirmed {
		s = d.probeCalibration(s)
	}
	if now := d.opts.Now(); d.cal.phase == calRunning {
		if limit := d.cal.limit(d.opts.OneShotTimeout); now.After(limit) {
			d.endCalibration(false)
		}
	}
	return s, err
}

// limit is the time at which to give up.
func (c *calibration) limit(timeout time.Duration) time.Time {
	if c.confirmed {
		return c.began.Add(timeout)
	}
	return c.req.deadline
}

// calibrationReceipt sends one receipt and evaluates its reply.
func (d *Dev) calibrationReceipt() (Sensors, error) {
	c := d.receipt(d.cal.set, 0)
	raw, err := d.once(&c)
	if err != nil {
		d.cal.unchanged = 0
		return Sensors{}, err
	}
	d.dirty = false
	at := countsOf(&raw)
	switch {
	case at.within(d.cal.set, window):
		d.receiptExecuted(at)
	case !d.cal.confirmed:
		if d.cal.unchanged++; d.cal.unchanged >= calUnchanged {
			d.cal.confirmed, d.cal.began = true, d.opts.Now()
			d.opts.OnEvent(Event{Kind: EventCalibrating, Attempts: d.cal.req.attempts})
		}
	}
	raw.LeftSteps, raw.RightSteps = d.steps.seen.left, d.steps.seen.right
	return raw, nil
}

// receiptExecuted handles an idle command thread: the calibration has ended, or it did not start.
func (d *Dev) receiptExecuted(at counts) {
	d.steps.offset = at.minus(d.steps.seen)
	d.steps.update(at, d.opts.Now())
	if d.cal.confirmed {
		d.endCalibration(true)
		return
	}
	d.cnt.oneShotsLost.Add(1)
	d.cal.phase, d.cal.still, d.cal.unchanged = calStopping, 0, 0
}

// endCalibration reports the outcome and accepts speeds again.
func (d *Dev) endCalibration(ok bool) {
	attempts := d.cal.req.attempts
	if d.cal.phase == calRunning && !ok {
		d.steps.resync = true // a receipt may be executed at any time
	}
	d.cal = calibration{}
	d.req.calibrationDone()
	if !ok {
		d.giveUp("IR calibration", attempts)
		return
	}
	d.opts.OnEvent(Event{Kind: EventCalibrated, Attempts: attempts})
}
