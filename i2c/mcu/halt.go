// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"fmt"
	"time"
)

const (
	haltGood    = 3                      // error-free replies in a row: the first may be the command the firmware drops
	haltStartup = 6                      // the same before the wheels accept commands
	haltTries   = 20                     // transactions in all
	haltTime    = 500 * time.Millisecond // or this long, for a bus that fails slowly
)

// Halt stops the wheels and keeps the lights. It sends zero speeds until several replies in a row were free of errors,
// the last two with the same step counters; otherwise it gives up after 20 transactions or 0.5 s with an error that
// matches [ErrNotStopped] and the last failure. Wheels that do not accept commands yet (see [Dev.WheelsListen]) could
// start to turn later if every one of the zero speeds was lost without an error: they are sent twice as often.
// One-shots are not changed. It implements conn.Resource.
func (d *Dev) Halt() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := Command{LEDs: d.last.LEDs, RGB: d.last.RGB}
	start, good, enough := d.opts.Now(), 0, haltGood
	if !d.WheelsListen() {
		enough = haltStartup
	}
	var at counts
	var last error
	for try := 0; try < haltTries && d.opts.Now().Sub(start) < haltTime; try++ {
		raw, err := d.once(&c)
		if err != nil {
			last, good = err, 0
			if !worthRetry(err) {
				break
			}
			continue
		}
		d.dirty = false
		now := countsOf(&raw)
		if good++; good >= enough && now == at {
			return nil
		}
		at = now
	}
	if last == nil {
		return fmt.Errorf("%w: step counters still change", ErrNotStopped)
	}
	return fmt.Errorf("%w: %w", ErrNotStopped, last)
}
