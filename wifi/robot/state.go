// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"errors"
	"sync"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// staleAfter is the age at which sensors are none any more.
	staleAfter = 300 * time.Millisecond
	// shots bounds the commands that wait to be carried out once. One that says what is wanted follows them, and of
	// five commands that wait in its radio module the robot carries out the latest alone (see package sim/wifi).
	shots = 3
	// calibrationLeast is the least time, and calibrationMost the longest, that a robot that calibrates is silent.
	calibrationLeast = 900 * time.Millisecond
	calibrationMost  = 4 * time.Second
	// firstAnswer is how long a robot that has accepted a connection may take to send the first sensors; after that it
	// counts as occupied. It is less than driver.Probe waits, so that a start that fails names the reason.
	firstAnswer = time.Second
)

// state is what the goroutines of a robot share. The lock is held for copying alone.
type state struct {
	mu    sync.Mutex
	up    bool
	lost  bool      // it was told that the robot can't be reached
	why   error     // it is not up
	since time.Time // when the robot accepted the connection, while there is one
	want  packet.Command
	once  []packet.Command // to be carried out once each
	dirty bool             // want or once was not yet sent

	latest packet.Sensors
	taken  time.Time     // when it came
	count  uint64        // of sensors, in all
	news   chan struct{} // closed when there are newer sensors, or the link is lost

	calibrating bool
	calibration time.Time // when it began
	ground      bool      // the ground sensors have measured something
	field       bool      // so has the magnetometer
	shutter     chan []byte
}

// begin notes a new connection. Whatever was wanted before, the robot is told to stand first.
func (r *Robot) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.want.Left, r.want.Right, r.want.Request = 0, 0, packet.RequestSensors
	r.once, r.dirty, r.calibrating = r.once[:0], true, false
	r.taken, r.since = time.Time{}, r.cfg.Now()
}

// takeOut returns what is to be written now. A command that is to be carried out once is followed by one without it at
// once: the robot does what the last one says again and again. Its speeds and LEDs are those wanted now, not those of
// the time when it was asked for: a melody must not bring a motion back that has ended since.
func (r *Robot) takeOut() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.dirty {
		return nil
	}
	r.dirty = false
	out := r.out[:0]
	var p [packet.CommandSize]byte
	for _, c := range r.once {
		c.Left, c.Right, c.LEDs, c.RGB = r.want.Left, r.want.Right, r.want.LEDs, r.want.RGB
		c.Put(&p)
		out = append(out, p[:]...)
	}
	r.once = r.once[:0]
	r.want.Put(&p)
	r.out = append(out, p[:]...)
	return r.out
}

// shoot has a command carried out once: what is wanted, as change changes it. The caller holds the lock.
func (r *Robot) shoot(change func(c *packet.Command)) {
	if len(r.once) == shots {
		return // the robot has not taken anything for long
	}
	c := r.want
	change(&c)
	r.once = append(r.once, c)
	r.dirty = true
}

// nudge wakes the one who writes.
func (r *Robot) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// hear takes new sensors.
func (r *Robot) hear(s *packet.Sensors) {
	now := r.cfg.Now()
	r.mu.Lock()
	first := !r.up
	was := r.lost
	r.up, r.lost, r.why = true, false, nil
	r.latest, r.taken = *s, now
	r.count++
	if r.calibrating && now.Sub(r.calibration) >= calibrationLeast {
		r.calibrating = false
	}
	r.ground = r.ground || s.Ground != [3]uint16{}
	r.field = r.field || s.Field != [3]float32{}
	close(r.news)
	r.news = make(chan struct{})
	r.mu.Unlock()
	if first {
		r.cfg.Logger.Info("connected to the robot over Wi-Fi", "robot", r.cfg.Address, "again", was)
	}
}

// lose notes the end of a connection, or that there was none. It reports whether it had worked.
func (r *Robot) lose(err error) (worked bool) {
	r.mu.Lock()
	worked = r.up
	tell := worked || !r.lost || errors.Is(err, ErrOccupied) != errors.Is(r.why, ErrOccupied)
	r.up, r.lost, r.why, r.calibrating, r.since = false, true, err, false, time.Time{}
	r.want.Left, r.want.Right = 0, 0
	close(r.news)
	r.news = make(chan struct{})
	r.mu.Unlock()
	if tell {
		r.cfg.Logger.Warn("the robot can't be reached over Wi-Fi; it keeps its last speeds until it is", "robot", r.cfg.Address, "error", err)
	}
	return worked
}

// trouble says why there are no sensors now, nil if there are. The caller holds the lock.
func (r *Robot) trouble(now time.Time) error {
	switch {
	case !r.up && !r.since.IsZero() && now.Sub(r.since) >= firstAnswer:
		return &linkError{addr: r.cfg.Address, why: "not connected", err: ErrOccupied, no: syscall.EREMOTEIO}
	case !r.up:
		return &linkError{addr: r.cfg.Address, why: "not connected", err: r.why, no: syscall.EREMOTEIO}
	case r.calibrating && now.Sub(r.calibration) < calibrationMost:
		return nil
	case now.Sub(r.taken) > staleAfter:
		return &linkError{addr: r.cfg.Address, why: "no sensors for " + now.Sub(r.taken).Round(time.Millisecond).String(), no: syscall.ETIMEDOUT}
	}
	return nil
}
