// SPDX-License-Identifier: Apache-2.0

package shapes

import (
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// deadline checks that every instance is updated at least once per period (DDS 1.4, 2.2.3.7). It is safe for concurrent
// use.
type deadline struct {
	period time.Duration

	mu    sync.Mutex
	last  map[wire.KeyHash]time.Time
	total int
}

// newDeadline returns a Deadline without instances; with a period of zero none is missed.
func newDeadline(period time.Duration) *deadline {
	return &deadline{period: period, last: map[wire.KeyHash]time.Time{}}
}

// Update records an update of an instance.
func (d *deadline) Update(key wire.KeyHash, now time.Time) {
	if d.period <= 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.last[key]; known || len(d.last) < maxInstances {
		d.last[key] = now
	}
}

// End removes an instance.
func (d *deadline) End(key wire.KeyHash) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.last, key)
}

// Missed returns how many periods without an update have ended until now, in total and since the last call. Each counts
// once.
func (d *deadline) Missed(now time.Time) (total, change int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, last := range d.last {
		n := int(now.Sub(last) / d.period)
		change += n
		d.last[key] = last.Add(time.Duration(n) * d.period)
	}
	d.total += change
	return d.total, change
}
