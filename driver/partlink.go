// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// goneAfter is how long a part that was there must not run, or must fail, for its topics to be withdrawn, and
// goneFailures how often in a row. One that was reset is back within a fraction of it, and its subscribers notice
// nothing but a gap.
const (
	goneAfter    = 2 * time.Second
	goneFailures = 3
)

// partLink holds the topics of a part, which exist while it is there.
type partLink struct {
	open    bool
	ran     time.Time // when it was last seen running
	outputs []output
	inputs  []input
	retry   time.Time // when the topics are offered again after a failure
}

// heard reports whether there is a subscriber of a topic of the part.
func (l *partLink) heard() bool { return anyWanted(l.outputs) }

// anyWanted reports whether there is a subscriber of one of the topics.
func anyWanted(outputs []output) bool {
	for _, o := range outputs {
		if o.wanted() {
			return true
		}
	}
	return false
}

// follow offers the part's topics when it comes and withdraws them when it goes, and says so once.
func (d *Driver) follow(s *slot, now time.Time) {
	l := &s.link
	running := s.part.State() == device.Running
	if running && s.inRow == 0 {
		l.ran = now
	}
	gone := !running || s.inRow >= goneFailures
	switch {
	case running && s.inRow == 0 && !l.open && !now.Before(l.retry) && d.claim(s):
		if err := d.openPart(s); err != nil {
			d.disclaim(s)
			l.retry = now.Add(longestPause)
			if d.refusals.allow(now) {
				d.log.Error("topics of a part can't be offered", "part", s.name, "error", err)
			}
			return
		}
		s.status.Device = s.part.String()
		s.status.Found++
		d.log.Info("found a part", "part", s.name, "device", s.status.Device)
	case gone && l.open && now.Sub(l.ran) >= goneAfter:
		if err := d.closePart(s); err != nil && d.refusals.allow(now) {
			d.log.Warn("topics of a part were not withdrawn", "part", s.name, "error", err)
		}
		s.status.Lost++
		d.log.Warn("a part is gone or fails; its topics are withdrawn until it is back", "part", s.name, "error", s.status.LastErr)
	}
}

// openPart offers the topics of the part that has come.
func (d *Driver) openPart(s *slot) (err error) {
	l := &s.link
	set := d.settings.Load()
	if l.outputs, err = newOutputs(d.node, set, publishedBy(s.name.topics())); err != nil {
		return err
	}
	if l.inputs, err = d.newInputs(set, subscribedBy(s.name.topics())); err != nil {
		return errors.Join(err, closeOutputs(l.outputs))
	}
	d.offered.add(l.outputs)
	l.open = true
	return nil
}

// closePart withdraws them.
func (d *Driver) closePart(s *slot) error {
	l := &s.link
	if !l.open {
		return nil
	}
	l.open = false
	d.disclaim(s)
	d.offered.remove(l.outputs)
	err := errors.Join(closeOutputs(l.outputs), closeInputs(l.inputs))
	l.outputs, l.inputs = nil, nil
	return err
}

// claim gives a part its topics unless another part has them. That can be with the two magnetometers only: the first
// one that is found publishes, and the other takes over when it is gone.
func (d *Driver) claim(s *slot) bool {
	return s.name.topics() != partMag || d.magnetometer.CompareAndSwap(nil, s) || d.magnetometer.Load() == s
}

func (d *Driver) disclaim(s *slot) { d.magnetometer.CompareAndSwap(s, nil) }
