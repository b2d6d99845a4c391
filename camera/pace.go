// SPDX-License-Identifier: Apache-2.0

package camera

import "time"

// pacer leaves out frames evenly so that a given number a second remains. It goes by the frames' stamps.
type pacer struct {
	last   time.Time
	due    time.Time     // when the next frame is wanted
	period time.Duration // between the camera's frames, smoothed; 0: not known yet
}

// wants reports whether the frame with this stamp is among the rate frames/s wanted, of a camera that says it sends
// nominal frames/s (0: it does not say).
func (p *pacer) wants(stamp time.Time, rate, nominal float64) bool {
	since := stamp.Sub(p.last)
	first := p.last.IsZero()
	p.last = stamp
	interval := time.Duration(float64(time.Second) / rate)
	if first || since < 0 || since > 2*time.Second && since > 2*interval { // the start, or the clock was set
		p.due = stamp.Add(interval)
		return true
	}
	if p.period == 0 {
		p.period = since
	}
	p.period += (since - p.period) / 8
	if nominal > 0 && nominal <= rate*1.01 {
		return true
	}
	// A frame counts if the next one would be further off.
	if stamp.Before(p.due.Add(-min(p.period, interval) / 2)) {
		return false
	}
	p.due = p.due.Add(interval)
	if late := stamp.Sub(p.due); late > 0 { // the camera is slower than that: don't catch up
		p.due = stamp
	}
	return true
}
