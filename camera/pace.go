// SPDX-License-Identifier: Apache-2.0

package camera

import "time"

// pacer drops frames evenly to reach a frame rate, judged by the frames' stamps.
type pacer struct {
	last   time.Time
	due    time.Time     // time of the next frame
	period time.Duration // between the camera's frames, smoothed; 0: unknown
}

// wants reports whether the frame with this stamp is to be used at rate frames/s, of a camera with a nominal rate (0:
// unknown).
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
	// A frame is used if the next one would be farther from the due time.
	if stamp.Before(p.due.Add(-min(p.period, interval) / 2)) {
		return false
	}
	p.due = p.due.Add(interval)
	if late := stamp.Sub(p.due); late > 0 { // the camera is slower: don't catch up
		p.due = stamp
	}
	return true
}
