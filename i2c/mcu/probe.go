// SPDX-License-Identifier: Apache-2.0

package mcu

const (
	probeTries = 5
	// regTest is the York firmware's test register: a counter that is incremented by each read.
	regTest   = 254
	regRounds = 3
)

// Probe identifies the device on the bus: it sends zero speeds until there is a measurement, at most five times, and
// checks whether a device that answers without one has the York register firmware. The wheels stop and the lights turn
// off.
//
// It is intended for the start, before the first [Dev.Exchange]: later [Dev.Diagnosis] is equivalent and makes no
// transaction.
func (d *Dev) Probe() Diagnosis {
	d.mu.Lock()
	defer d.mu.Unlock()
	var c Command
	d.last = c
	var last error
	for range probeTries {
		raw, err := d.once(&c)
		if err == nil {
			d.evaluate(&raw)
			return d.Diagnosis()
		}
		if last = err; !worthRetry(err) {
			break
		}
	}
	if h := healthOf(last); h == healthStarting || h == healthChecksum || h == healthGarbage {
		if d.countsReads() {
			last = errRegister
			d.seen.result(last)
		}
	}
	return diagnose(last)
}

// countsReads reports whether register 254 is a counter. The extension firmware interprets the single byte as a command
// with a wrong checksum and drops it.
func (d *Dev) countsReads() bool {
	d.dirty = true
	w := [1]byte{regTest}
	var prev, r [1]byte
	for i := range regRounds {
		if d.bus.Tx(d.opts.Addr, w[:], r[:]) != nil || i > 0 && r[0] != prev[0]+1 {
			return false
		}
		prev = r
	}
	return true
}
